"""Suggested weights as a file, and as a table for a person to review."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ..scoring.tables import make_console, make_table, visible_text
from .suggestions import Suggestion


def weights_text(suggestions: Sequence[Suggestion], texts: Sequence[str | None]) -> str:
    """Writes weights as the TSV file that `weighted_bleu` reads: a heading, then a phrase and its weight per line."""
    lines = ["phrase\tweight\n"]
    for text, suggestion in zip(texts, suggestions, strict=True):
        if text is not None:
            lines.append(f"{text}\t{suggestion.weight:g}\n")
    return "".join(lines)


def print_persona(suggestions: Sequence[Suggestion], texts: Sequence[str | None], shown: int, path: Path) -> None:
    """Prints the phrases that mark the persona and those that break it, the strongest first."""
    console = make_console()
    written = [(text, suggestion) for text, suggestion in zip(texts, suggestions, strict=True) if text is not None]
    for title, sign in (("marks the persona", 1), ("breaks the persona", -1)):
        rows = [(text, suggestion) for text, suggestion in written if sign * suggestion.z > 0]
        cells = []
        for text, suggestion in rows[:shown]:
            counts = map(str, suggestion.counts)
            cells.append((text, f"{suggestion.weight:.2f}", *counts, f"{suggestion.z:.1f}"))
        _print(console, [title, "weight", "persona", "plain", "z"], cells, len(rows))
    _print_end(console, len(written), len(texts), path)
    if any(suggestion.weight < 0 for _, suggestion in written):
        console.print("Some weights are negative: score with negative=penalty, or they may raise a score.")


def print_idf(
    suggestions: Sequence[Suggestion], texts: Sequence[str | None], shown: int, path: Path, n_documents: int
) -> None:
    """Prints the most frequent phrases, which weigh least."""
    console = make_console()
    written = [(text, suggestion) for text, suggestion in zip(texts, suggestions, strict=True) if text is not None]
    cells = [(text, f"{suggestion.weight:.2f}", f"{suggestion.counts[0]}") for text, suggestion in written[:shown]]
    _print(console, ["phrase", "weight", f"of {n_documents} texts"], cells, len(written))
    _print_end(console, len(written), len(texts), path)


def _print(console: Console, headings: Sequence[str], cells: Sequence[Sequence[str]], total: int) -> None:
    """Prints a table with its first column to the left, and how many rows it leaves out."""
    table = make_table(*headings)
    for row in cells:
        table.add_row(*map(visible_text, row))
    console.print(table)
    if total > len(cells):
        console.print(f"... and {total - len(cells)} more")
    console.print()


def _print_end(console: Console, written: int, total: int, path: Path) -> None:
    console.print(visible_text(f"{path}: {written} phrases"), soft_wrap=True)
    if written < total:
        console.print(f"{total - written} phrases are left out: alone, the tokenizer splits them otherwise.")
