"""Progress bars, unless they are hidden, here or by evaluate, or tqdm is missing."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

_hidden = False


class _NoBar:
    """Takes the place of a bar and draws nothing."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __enter__(self) -> "_NoBar":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def tqdm(rows: Iterable[Any] | None = None, **options: Any) -> Any:
    """Returns the rows with a bar of tqdm, or without one; options are those of tqdm, which is imported for a bar."""
    of_evaluate = sys.modules.get("evaluate.utils.logging")
    if _hidden or (of_evaluate is not None and not of_evaluate.is_progress_bar_enabled()):
        return _NoBar(() if rows is None else rows)
    try:
        if "ipykernel" in sys.modules:
            from tqdm.auto import tqdm as bar  # which takes a tenth of a second to import
        else:
            from tqdm import tqdm as bar
    except ImportError:
        return _NoBar(() if rows is None else rows)
    return bar(rows, **options)


def hide() -> None:
    """Draws no bars from now on."""
    global _hidden
    _hidden = True


def hide_off_terminals() -> None:
    """Draws no bars from now on where standard error goes to a file."""
    if not sys.stderr.isatty():
        hide()
