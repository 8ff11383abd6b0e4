"""Text and tables as Markdown and as LaTeX."""

import re
from collections.abc import Iterable, Sequence

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~&])")  # & too, for &lt; is a bracket in Markdown
_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # \\[ would be a command
    "]": "{]}",
    "−": "$-$",
    "↓": r"$\downarrow$",
}


def markdown(text: str) -> str:
    """Returns a text with nothing in it that Markdown would read as its own."""
    escaped = _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
    if not isinstance(text, Marked):
        return escaped
    return (f"**{escaped}**" if text.is_best else escaped) + _MARKDOWN.sub(r"\\\1", text.mark)


def markdown_table(headings: Sequence[str], rows: Iterable[Iterable[str]], n_names: int) -> str:
    """Writes one table; its first `n_names` columns hold names and are set to the left, all others to the right."""
    heading, *lines = (f"| {' | '.join(map(markdown, cells))} |\n" for cells in (headings, *rows))
    rule = "".join("| --- " if number < n_names else "| --: " for number in range(len(headings)))
    return f"{heading}{rule}|\n{''.join(lines)}"


class Marked(str):
    """A cell with a score: whether it is the best of its column, and what is behind it."""

    is_best: bool
    mark: str

    def __new__(cls, score: str, is_best: bool, mark: str) -> "Marked":
        """Returns the cell."""
        cell = super().__new__(cls, score)
        cell.is_best, cell.mark = is_best, mark
        return cell


def latex(text: str) -> str:
    """Returns a text with nothing in it that LaTeX would read as its own; a mark takes no room: numbers are aligned."""
    mark = rf"\rlap{{{text.mark}}}" if isinstance(text, Marked) and text.mark else ""
    return _escaped(text) + mark


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


def latex_table(
    headings: Sequence[str], rows: Iterable[Iterable[str]], caption: str, n_names: int, below: Sequence[str] = ()
) -> str:
    """Writes one table; its first `n_names` columns hold names and are set to the left, all others to the right."""
    lines = [" & ".join(map(latex, cells)) + r" \\" for cells in (headings, *rows)]
    body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
    columns = "l" * n_names + "r" * (len(headings) - n_names)
    inside = [rf"\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}", rf"\caption{{{latex(caption)}}}"]
    return "\n".join([r"\begin{table}", r"\centering", *inside, *below, r"\end{table}", ""])
