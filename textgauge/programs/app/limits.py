"""The limits for visitors of the app: numbers of rows, amounts of text, and time."""

import ctypes
import threading
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..reading.records import RECORD_SUFFIXES
from ..saying.texts import say

MOST_ROWS = 2_000
MOST_CHARACTERS = 1_000_000  # of all texts together
MOST_BYTES = 5_000_000  # of an upload
MOST_SECONDS = 60
SUFFIXES = (".txt", *RECORD_SUFFIXES)  # none of these is compressed, except for .xlsx


def check_upload(path: str) -> None:
    """Raises InputError for a file that is too large, also once it is unpacked, or of a kind that is not taken."""
    name = Path(path).name
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(say("app_other_file", name=name, suffixes=", ".join(SUFFIXES)))
    size = Path(path).stat().st_size
    if suffix == ".xlsx" and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as sheets:
            size = max(size, sum(part.file_size for part in sheets.infolist()))
    if size > MOST_BYTES:
        raise InputError(say("app_large_file", name=name, size=f"{size:,}", most=f"{MOST_BYTES:,}"))


def check_rows(rows: Sequence[Sequence[Any]]) -> None:
    """Raises InputError for a table of more rows, or of more text, than the app scores."""
    if len(rows) > MOST_ROWS:
        raise InputError(say("app_many_rows", n=f"{len(rows):,}", most=f"{MOST_ROWS:,}"))
    characters = sum(len(str(cell)) for row in rows for cell in row)
    if characters > MOST_CHARACTERS:
        raise InputError(say("app_much_text", n=f"{characters:,}", most=f"{MOST_CHARACTERS:,}"))


class _TimeIsUp(BaseException):
    """Ends what a thread computes; no `except Exception` on the way holds it up."""


def in_time(function: Callable[..., Any], *arguments: Any, seconds: float = MOST_SECONDS) -> Any:
    """Returns the result of a function; InputError if it takes longer, raised between two steps of Python."""
    thread = threading.get_ident()
    lock = threading.Lock()
    state = {"is_over": False}

    def end() -> None:
        with lock:
            if not state["is_over"]:
                _raise_in(thread, ctypes.py_object(_TimeIsUp))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    try:
        timer.start()
        try:
            return function(*arguments)
        finally:
            timer.cancel()
            with lock:
                state["is_over"] = True
                _raise_in(thread, None)  # what was raised a moment too late
    except _TimeIsUp:
        raise InputError(say("app_too_slow", seconds=f"{seconds:g}")) from None


def _raise_in(thread: int, error: Any) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)
