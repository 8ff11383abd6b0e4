"""What an error rate explains of one segment."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from textgauge.core.reserved import WORD_END
from textgauge.edits.distances import Alignment

from .edit_alignments import pieces
from .nearest.choice import Choice
from .nearest.rule import Rule
from .nearest.spelling import Spelled, SpelledPair, readings_of
from .phrases.counts import explain_keywords
from .phrases.number_marks import with_shown_marks


def explanation_of(choice: Choice, alignment: Alignment, rule: Rule, pair: SpelledPair) -> dict[str, Any]:
    """Returns what `explain` does for one segment; `pair` is what is compared."""
    shown = shown_alignment(alignment, pair)
    result = {
        "alignment": pieces(*shown, rule.joint),
        "reference": shown.reference,
        "prediction": shown.prediction,
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
    result["written"] = []
    if rule.readings is not None:
        result["readings"] = readings_of(pair)
        for side, spelled in (("reference", pair.reference), ("prediction", pair.prediction)):
            for start, end, text in _written(spelled, result[side], rule):
                result["written"].append([side, starts[side][start], starts[side][end], text])
    return result


def shown_alignment(alignment: Alignment, pair: SpelledPair) -> Alignment:
    """Returns an alignment of two texts as people see it."""
    reference = with_shown_marks(alignment.reference, pair.reference.text)
    return Alignment(alignment.runs, reference, with_shown_marks(alignment.prediction, pair.prediction.text))


def _written(spelled: Spelled, tokens: Sequence[str], rule: Rule) -> Iterator[tuple[int, int, str]]:
    """Yields first token, the one behind the last, and how they are written, where these stand for notations.

    The idea: count characters without blanks, which cleaning and another spacing leave in their order.
    """
    places = _places_of_spans(spelled, rule)
    starts = [0, *itertools.accumulate(len(token.strip()) for token in tokens)]
    letters = "".join(map(str.strip, tokens))
    end = 0  # up to which tokens are looked at
    for index, (first, behind, _) in enumerate(places):
        start = bisect_right(starts, first) - 1
        if start < end or behind > len(letters):
            continue
        end = bisect_left(starts, behind)
        text = ""
        position = starts[start]
        for other_first, other_behind, written in places[index:]:
            if other_first < starts[end]:
                # two notations may share a token: 12.5km12.5km
                end = max(end, min(bisect_left(starts, other_behind), len(starts) - 1))
                text += letters[position:other_first] + written
                position = other_behind
        yield start, end, text + letters[position : starts[end]]


def _places_of_spans(spelled: Spelled, rule: Rule) -> list[tuple[int, int, str]]:
    """Returns where notations were among the characters that are compared, without blanks, and how they are written."""
    marked = ""
    position = 0
    for span in spelled.spans:
        marked += spelled.text[position : span.start] + WORD_END + spelled.text[span.start : span.end] + WORD_END
        position = span.end
    [cleaned] = rule.clean([marked + spelled.text[position:]])
    lengths = [len("".join(part.split())) for part in cleaned.split(WORD_END)]
    ends = list(itertools.accumulate(lengths))
    places = []
    for span, start, end in zip(spelled.spans, ends[:-1:2], ends[1::2], strict=True):
        places.append((start, end, span.written))
    return places


def _starts(tokens: Sequence[str], joint: str) -> list[int]:
    """Returns where each token begins, and where the last one ends: the numbers of words, or places in the text."""
    if joint:
        return list(range(len(tokens) + 1))
    return [0, *itertools.accumulate(map(len, tokens))]
