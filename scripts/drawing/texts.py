"""What pages, tables and verdicts say, in one table, so that another language is another column of it.

A text has its values in braces. One that depends on a number `n` has two forms, for one and for more. A Space has a copy
of this module.
"""

from collections.abc import Iterable
from typing import Any

TEXTS: dict[str, str | tuple[str, str]] = {
    # words in a row
    "and": "{first} and {last}",
    "comma": ", ",
    # which end of a score is the good one
    "lower": "↓ lower is better",
    # one segment
    "prediction": "prediction",
    "reference": "reference",
    "other_reference": "other reference",
    "source": "source",
    "copied": "copied",
    "empty": "(empty)",
    "no_highlights": "no highlights: {error}",
    "legend": "Legend",
    "legend_matches": "longest match through a token:",
    "legend_copies": "in common with the source:",
    "legend_tokens_1": "1 token",
    "legend_tokens_4": "4 or more",
    "legend_substitute": "substituted, on both sides",
    "legend_insert": "inserted by the prediction",
    "legend_delete": "deleted from the reference",
    "legend_example_substitute": "other",
    "legend_example_insert": "more",
    "legend_example_delete": "less",
    "legend_shift": "by the metric to where the reference has it",
    "legend_example_shift": "moved",
    "legend_blank": "␣ is a blank",
    "legend_phrase": "phrase",
    "legend_plus": "with a weight",
    "legend_minus": "with a negative weight",
    "legend_missed": "with a weight, in the reference and not in the prediction",
    "missed": "missed {weight}",
    "legend_exact": "same word",
    "legend_stem": "same stem",
    "legend_synonym": "synonym",
    "legend_chunk": "a frame with a number: a chunk, words in a row on both sides",
    "legend_heat": "ln p of each token:",
    "legend_likely": "likely",
    "legend_unlikely": "unlikely",
    "legend_references": "References show matched n-grams wherever they occur.",
    "chunks": ("{n} chunk", "{n} chunks"),
    "meteor_values": "precision {precision}, recall {recall}, F mean {fmean}; {chunks}, so that the penalty is "
    "{penalty}; F mean × (1 − penalty) = {score}",
    "zero_nothing": "0: no token matches",
    "zero_short": "0: the prediction has no {orders}",
    "zero_orders": "0: no {orders} matches; {found} do",
    "zero_advice": "smooth=exp would tell such segments apart",
    "histogram": "Bars: number of segments. Solid line and band: the score of all and its interval. Dotted line: mean of "
    "the segments.",
    "confusions": "Most frequent confusions",
    "confusions_legend": "reference → prediction, and how often; + is inserted, − is deleted",
}


def say(key: str, **values: Any) -> str:
    """Returns a text of the table with its values.

    >>> say("chunks", n=2)
    '2 chunks'
    """
    found = TEXTS[key]
    if isinstance(found, tuple):
        found = found[values["n"] != 1]
    return found.format(**values)


def joined(names: Iterable[str]) -> str:
    """Returns names in a row: "a", "a and b", "a, b and c"."""
    *others, last = names
    return say("and", first=say("comma").join(others), last=last) if others else last
