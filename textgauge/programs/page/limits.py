"""The limits where a server computes for visitors: numbers of rows, amounts of text, time and memory."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from ..saying.texts import say

SUFFIXES = (".txt", ".csv", ".tsv", ".jsonl")  # all are read line by line, and none is compressed


class Limits(NamedTuple):
    """How much a server does for one question of a visitor."""

    rows: int = 2_000
    characters: int = 1_000_000  # of all texts together
    upload_bytes: int = 5_000_000
    seconds: float = 60
    memory_bytes: int | None = 1_000_000_000  # beyond what a process has before its first question

    def check_upload(self, name: str, size: int) -> None:
        """Raises InputError for a file that is too large, or of a kind that is not taken; `size` is in bytes."""
        if Path(name).suffix.lower() not in SUFFIXES:
            raise InputError(say("app_other_file", name=name, suffixes=", ".join(SUFFIXES)))
        if size > self.upload_bytes:
            raise InputError(say("app_large_file", name=name, size=f"{size:,}", most=f"{self.upload_bytes:,}"))

    def check_rows(self, rows: Sequence[Sequence[Any]]) -> None:
        """Raises InputError for a table of more rows, or of more text, than is scored."""
        if len(rows) > self.rows:
            raise InputError(say("app_many_rows", most=f"{self.rows:,}"))
        characters = sum(len(str(cell)) for row in rows for cell in row)
        if characters > self.characters:
            raise InputError(say("app_much_text", n=f"{characters:,}", most=f"{self.characters:,}"))
