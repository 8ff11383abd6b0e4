"""Alignments over the texts as they were written: stretches of each text, and both texts below one another."""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .stretches import Stretch, joined_stretches, plain_texts
from .written import Place, places_of

_SIDES = ("reference", "prediction")
_Step = tuple[str, tuple[int, int], tuple[int, int]]  # kind; first token and the one behind the last of both texts


class _Phrase(NamedTuple):
    """A phrase of the user's that a token belongs to."""

    weight: float
    note: str
    last: int  # its last token


class _Side(NamedTuple):
    """One of the two texts: its pieces, and what there is to say of each token."""

    places: list[Place]
    tokens: Sequence[str]
    joint: str  # what is between two tokens, which are words or characters
    edits: list[str]  # "" for none
    phrases: list[_Phrase | None]
    are_read: list[bool]

    def is_shown(self, place: Place) -> bool:
        """Whether the tokens of a piece are shown above it: what was read, and jamo of which some are edited."""
        of = slice(place.start, place.end)
        return any(self.are_read[of]) or len({*self.edits[of]}) > 1


class AlignedColumn(NamedTuple):
    """Parts of both texts that stand below one another, "equal", "removed" or of an edit, and what they are read as."""

    kind: str
    reference: str
    prediction: str
    reference_read: str = ""
    prediction_read: str = ""


def edits(explanation: dict[str, Any], prediction: str, references: Sequence[str]) -> list[list[Stretch]]:
    """Returns the texts with what is aligned with something else or with nothing; blanks among it are drawn."""
    _, (reference, own) = _read_explanation(explanation, prediction, references)
    others = plain_texts("", references)[1:]
    others[explanation["reference_index"]] = _stretches(reference)
    return [_stretches(own), *others]


def columns(explanation: dict[str, Any], prediction: str, references: Sequence[str]) -> list[AlignedColumn]:
    """Returns both texts below one another; equal neighbours are one column up to a blank."""
    steps, sides = _read_explanation(explanation, prediction, references)
    left = [_by_token(side) for side in sides]  # what is not yet in a column
    result: list[AlignedColumn] = []
    for kind, *spans in _column_steps(steps, sides):
        _add_gaps(result, [_take_gap(of, *span) for of, span in zip(left, spans, strict=True)], sides[0].joint)
        texts = (_text(*of) for of in zip(sides, left, spans, strict=True))
        column = AlignedColumn(kind, *texts, *map(_read, sides, spans))
        if result and _goes_on(result[-1], column):
            result[-1] = _joined(result[-1], column)
        else:
            result.append(column)
    ends = [_take_gap(of, len(side.tokens), len(side.tokens) + 1) for of, side in zip(left, sides, strict=True)]
    _add_gaps(result, ends, sides[0].joint)
    return result


def _goes_on(before: AlignedColumn, column: AlignedColumn) -> bool:
    """Returns whether a column goes on with the equal texts of the one before."""
    is_blank = any(text[-1:].isspace() for text in before[1:3])
    return before.kind == column.kind == "equal" and not is_blank and not any((*before[3:], *column[3:]))


def _column_steps(steps: Sequence[_Step], sides: Sequence[_Side]) -> Iterator[_Step]:
    """Yields equal tokens one by one, and edits; what shares a piece of a text is one."""
    inside = [{token for place in side.places for token in range(place.start + 1, place.end)} for side in sides]
    kinds: list[str] = []
    starts: tuple[int, int] = (0, 0)
    for kind, *spans in itertools.chain.from_iterable(map(_single, steps)):
        kinds.append(kind)
        ends = tuple(end for _, end in spans)
        if not any(end in tokens for end, tokens in zip(ends, inside, strict=True)):
            yield _edit(kinds), *zip(starts, ends, strict=True)
            kinds, starts = [], ends


def _single(step: _Step) -> Iterator[_Step]:
    """Yields the tokens of an equal step one by one, where no text joins some."""
    kind, (a, b), (c, d) = step
    if kind == "equal" and b - a == d - c:
        yield from ((kind, (a + at, a + at + 1), (c + at, c + at + 1)) for at in range(b - a))
    else:
        yield step


def _by_token(side: _Side) -> dict[int, list[Place]]:
    """Returns for each token the pieces before it that have none, and its own if it is the first one of that."""
    by_token = defaultdict(list)
    for place in side.places:
        by_token[place.start].append(place)
    return by_token


def _take_gap(left: dict[int, list[Place]], start: int, end: int) -> list[Place] | None:
    """Takes the pieces without tokens that stand before some tokens, None where there are no tokens."""
    if start == end:
        return None
    gap = [place for place in left[start] if place.start == place.end]
    left[start] = left[start][len(gap) :]
    return gap


def _add_gaps(columns: list[AlignedColumn], gaps: Sequence[Sequence[Place] | None], joint: str) -> None:
    """Adds what of both texts is not compared: a column of its own, or blanks of the one before.

    Blanks that only one text has, where both go on, are drawn.
    """
    texts = ["".join(place.text for place in gap or ()) for gap in gaps]
    if any(place.is_removed for gap in gaps for place in gap or ()):
        columns.append(AlignedColumn("removed", *texts))
    elif not joint and None not in gaps and bool(texts[0]) != bool(texts[1]):
        columns.append(AlignedColumn("removed", *("␣" * len(text) for text in texts)))
    elif columns:
        columns[-1] = _joined(columns[-1], AlignedColumn("", *texts))


def _joined(first: AlignedColumn, second: AlignedColumn) -> AlignedColumn:
    return AlignedColumn(first.kind, *(a + b for a, b in zip(first[1:], second[1:], strict=True)))


def _text(side: _Side, left: dict[int, list[Place]], span: tuple[int, int]) -> str:
    """Returns the text of tokens, with what stands between them."""
    return "".join(_shown(side, place) for token in range(*span) for place in left[token])


def _read(side: _Side, span: tuple[int, int]) -> str:
    """Returns what tokens are read as, "" where none is read."""
    of = slice(*span)
    return side.joint.join(side.tokens[of]) if any(side.are_read[of]) else ""


def _read_explanation(
    explanation: dict[str, Any], prediction: str, references: Sequence[str]
) -> tuple[list[_Step], list[_Side]]:
    """Returns the steps of the alignment, and the reference and the prediction.

    Metrics that do not compare the texts as they are written have the words that they compare instead.
    """
    steps = _alignment(explanation)
    texts = {"reference": references[explanation["reference_index"]], "prediction": prediction}
    if "written" not in explanation:
        texts = {side: _joint(explanation[side]).join(explanation[side]) for side in _SIDES}
    sides = [_side(explanation, side, texts[side], steps) for side in _SIDES]
    return steps, sides


def _alignment(explanation: dict[str, Any]) -> list[_Step]:
    """Returns the alignment with the places of tokens in place of the pieces."""
    steps, starts = [], (0, 0)
    for kind, *pieces in explanation["alignment"]:
        ends = tuple(_end(explanation[side], *of) for side, *of in zip(_SIDES, starts, pieces, strict=True))
        steps.append((kind, *zip(starts, ends, strict=True)))
        starts = ends
    return steps


def _end(tokens: Sequence[str], start: int, piece: str) -> int:
    """Returns the token behind those of a piece."""
    if isinstance(tokens, str):
        return start + len(piece)
    left = len(piece)
    while left > 0:
        left -= len(tokens[start]) + 1
        start += 1
    return start


def _side(explanation: dict[str, Any], name: str, text: str, steps: Sequence[_Step]) -> _Side:
    tokens = explanation[name]
    joint = _joint(tokens)
    read = [tuple(unit) for side, *unit in explanation.get("written", ()) if side == name]
    spans = [(kind, of[_SIDES.index(name)]) for kind, *of in steps]
    kinds = ["" if kind == "equal" else kind for kind, span in spans for _ in range(*span)]
    tokens_read = {token for start, end, _ in read for token in range(start, end)}
    are_read = [token in tokens_read for token in range(len(tokens))]
    return _Side(places_of(text, tokens, read, joint), tokens, joint, kinds, _phrases(explanation, name), are_read)


def _joint(tokens: Sequence[str]) -> str:
    """Returns what is between two words, or two characters of a text."""
    return "" if isinstance(tokens, str) else " "


def _phrases(explanation: dict[str, Any], name: str) -> list[_Phrase | None]:
    """Returns for each token of a text the heaviest phrase that it belongs to."""
    phrases: list[_Phrase | None] = [None] * len(explanation[name])
    for side, _, weight, start, end, is_in_both in explanation.get("keywords", ()):
        if side == name:
            note = "" if is_in_both else "missed" if side == "reference" else "surplus"
            for token in range(start, end):
                if phrases[token] is None or phrases[token].weight < weight:
                    phrases[token] = _Phrase(weight, note, end - 1)
    return phrases


def _stretches(side: _Side) -> list[Stretch]:
    """Returns a text as stretches; what has something above it is a stretch of its own."""

    def mark(place: Place) -> tuple[Stretch, Any]:
        stretch = _stretch(side, place)
        return stretch, None if stretch.over else (stretch.edit, side.phrases[place.start])

    return joined_stretches(side.places, mark)


def _stretch(side: _Side, place: Place) -> Stretch:
    """Returns a piece of a text that is compared."""
    of = range(place.start, place.end)
    stretch = Stretch("", _shown(side, place), edit=_edit(side.edits[token] for token in of))
    phrase = next((side.phrases[token] for token in of if side.phrases[token]), None)
    if phrase:
        stretch = stretch._replace(weight=phrase.weight, note=phrase.note, ends_phrase=place.end > phrase.last)
    if not side.is_shown(place):
        return stretch
    groups = [list(group) for _, group in itertools.groupby(of, lambda token: side.edits[token])]
    texts = [side.joint.join(side.tokens[token] for token in group) for group in groups]
    over = [Stretch(side.joint, text, edit=side.edits[group[0]]) for text, group in zip(texts, groups, strict=True)]
    return stretch._replace(over=(over[0]._replace(gap=""), *over[1:]))


def _edit(kinds: Iterator[str]) -> str:
    """Returns the edit of several tokens: the one that all have, "" for none."""
    distinct = set(kinds)
    return distinct.pop() if len(distinct) == 1 else "substitute"


def _shown(side: _Side, place: Place) -> str:
    """Returns the text of a piece, with blanks among edits drawn."""
    is_blank = not side.joint and not place.text.strip() and any(side.edits[place.start : place.end])
    return "␣" * (place.end - place.start) if is_blank else place.text
