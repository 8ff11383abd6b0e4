"""Progress bars: none where they are hidden, here or by evaluate, or where tqdm is missing."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

_hidden = False


class _NoBar:
    """What is used like a bar and draws nothing."""

    def __init__(self, rows: Iterable[Any] = ()) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __enter__(self) -> "_NoBar":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def tqdm(rows: Iterable[Any] = (), **said: Any) -> Any:
    """Returns the rows with a bar, or without; tqdm is imported where there is one."""
    of_evaluate = sys.modules.get("evaluate.utils.logging")
    if not _hidden and (of_evaluate is None or of_evaluate.is_progress_bar_enabled()):
        try:
            from tqdm.auto import tqdm as bar
        except ImportError:
            return _NoBar(rows)
        return bar(rows, **said) if rows != () else bar(**said)
    return _NoBar(rows)


def hide() -> None:
    """Draws no bars from now on."""
    global _hidden
    _hidden = True


def hide_off_terminals() -> None:
    """Draws no bars from now on where standard error goes to a file."""
    if not sys.stderr.isatty():
        hide()
