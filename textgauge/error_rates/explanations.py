"""What an error rate explains of one segment."""

import itertools
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
    # where each token begins: of words their numbers, of characters places in the text, as what is read may be several
    starts = {
        side: [0, *itertools.accumulate([1] * len(tokens) if rule.joint else map(len, tokens))]
        for side, tokens in (("reference", alignment.reference), ("prediction", alignment.prediction))
    }
    if rule.keywords is not None:
        keywords = explain_keywords(choice.phrases(0), alignment.runs, rule.keywords)
        result["keywords"] = [
            [side, phrase, weight, starts[side][start], starts[side][end], is_in_both]
            for side, phrase, weight, start, end, is_in_both in keywords
        ]
    if rule.readings is not None:
        result["readings"] = alignment.chosen
    result["written"] = [
        [side, starts[side][start], starts[side][end], text]
        for pair in choice.read.values()
        for place, side in enumerate(starts)
        for start, end, text in pair.written(place)
        if text != rule.joint.join(result[side][start:end])
    ]
    return result
