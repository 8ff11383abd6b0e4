"""What an error rate explains of one segment."""

import itertools
from collections.abc import Sequence
from typing import Any

from textgauge.korean.reading_networks import Alignment

from .edit_alignments import pieces
from .nearest.choice import Choice
from .nearest.rule import Rule
from .phrases.counts import explain_keywords


def explanation_of(choice: Choice, alignment: Alignment, rule: Rule) -> dict[str, Any]:
    """Returns what `explain` does for one segment."""
    result = {
        "alignment": pieces(alignment.runs, alignment.reference, alignment.prediction, rule.joint),
        "reference": alignment.reference,
        "prediction": alignment.prediction,
        "reference_index": choice.indices[0],
    }
    starts = {
        "reference": _starts(alignment.reference, rule.joint),
        "prediction": _starts(alignment.prediction, rule.joint),
    }
    if rule.keywords is not None:
        result["keywords"] = []
        keywords = explain_keywords(choice.phrases(0), alignment.runs, rule.keywords)
        for side, phrase, weight, start, end, is_in_both in keywords:
            entry = [side, phrase, weight, starts[side][start], starts[side][end], is_in_both]
            result["keywords"].append(entry)
    if rule.readings is not None:
        result["readings"] = alignment.chosen

    result["written"] = []
    for pair in choice.read.values():
        for index, side in enumerate(starts):
            for start, end, text in pair.written(index):
                compared = rule.joint.join(result[side][start:end])
                if text != compared:
                    result["written"].append([side, starts[side][start], starts[side][end], text])
    return result


def _starts(tokens: Sequence[str], joint: str) -> list[int]:
    """Returns where each token begins, and where the last one ends: the numbers of words, or places in the text.

    Where characters are compared, what is read may be several in one token.
    """
    if joint:
        return list(range(len(tokens) + 1))
    return [0, *itertools.accumulate(map(len, tokens))]
