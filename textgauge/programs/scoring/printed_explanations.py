"""Explanations of segments in the terminal."""

from collections.abc import Sequence

from ..drawing.terminal import text_lines
from ..errors import is_input_error
from ..reading.corpus import Corpus
from ..saying.texts import say
from .explaining import explain_segment, explaining_options, texts_of
from .specs import Scorer
from .tables import make_console, visible_text

_STYLES = {
    "exact": "blue", "stem": "green", "synonym": "red", "substitute": "red", "delete": "magenta", "insert": "yellow",
    "shift": "blue", "removed": "dim",
    "n1": "cyan", "n2": "blue", "n3": "bold cyan", "n4": "bold blue",
}  # fmt: skip
_WIDEST = 100  # a page, where a file or a pipe has no width


def print_explanations(corpus: Corpus, scorers: Sequence[Scorer], rows: Sequence[int]) -> None:
    """Explains the score of each of the segments, for each metric and system."""
    console = make_console()
    for row in rows:
        for scorer in scorers:
            first = corpus.columns_of(scorer.metric, next(iter(corpus.systems)))
            options = explaining_options(scorer.metric, scorer.options, first)
            for system in corpus.systems:
                columns = corpus.columns_of(scorer.metric, system)
                console.print()
                console.print(
                    visible_text(say("explained", number=row + 1, system=system, label=scorer.label), "bold"),
                    soft_wrap=True,
                )
                try:
                    explanation = explain_segment(scorer.metric, options, columns, row)
                except (NotImplementedError, ValueError) as error:
                    if not is_input_error(error):
                        raise
                    console.print(visible_text(say("no_explanation", error=error)), soft_wrap=True)
                    continue
                prediction, references, source = texts_of(columns, row)
                width = min(console.width, _WIDEST)
                for line in text_lines(explanation, prediction, references, width, source):
                    pieces = (visible_text(text, _STYLES.get(kind, "")) for text, kind in line)
                    console.print(visible_text("").join(pieces), soft_wrap=True)
