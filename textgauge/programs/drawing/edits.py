"""Alignments over the texts as they were written: stretches of each text, and both texts below one another."""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .stretches import Stretch, joined_stretches, plain_texts
from .written import Piece, pieces_of

_SIDES = ("reference", "prediction")
_Step = tuple[str, tuple[int, int], tuple[int, int]]  # kind; first token and the one behind the last of both texts


class _Phrase(NamedTuple):
    """A phrase of the user's that a token belongs to."""

    weight: float
    note: str
    last: int  # its last token


class _Side(NamedTuple):
    """One of the two texts: its pieces, and what there is to say of each token."""

    pieces: list[Piece]
    tokens: Sequence[str]
    joint: str  # what is between two tokens, which are words or characters
    edits: list[str]  # "" for none
    phrases: list[_Phrase | None]
    are_read: list[bool]

    def is_shown(self, piece: Piece) -> bool:
        """Whether the tokens of a piece are shown above it: what was read, and jamo of which some are edited."""
        tokens = slice(piece.start, piece.end)
        return any(self.are_read[tokens]) or len(set(self.edits[tokens])) > 1


class AlignedColumn(NamedTuple):
    """Parts of both texts, drawn below one another: "equal", "removed" or of an edit, and what they are read as."""

    kind: str
    reference: str
    prediction: str
    reference_read: str = ""
    prediction_read: str = ""


def edits(explanation: dict[str, Any], prediction: str, references: Sequence[str]) -> list[list[Stretch]]:
    """Returns the texts with the parts that differ; blanks in these are drawn."""
    _, (reference_side, prediction_side) = _read_explanation(explanation, prediction, references)
    of_references = plain_texts("", references)[1:]
    of_references[explanation["reference_index"]] = _stretches(reference_side)
    return [_stretches(prediction_side), *of_references]


def columns(explanation: dict[str, Any], prediction: str, references: Sequence[str]) -> list[AlignedColumn]:
    """Returns both texts below one another; equal neighbours are one column up to a blank."""
    steps, sides = _read_explanation(explanation, prediction, references)
    joint = sides[0].joint
    remaining = [_by_token(side) for side in sides]  # what is not yet in a column
    result: list[AlignedColumn] = []
    for kind, *spans in _column_steps(steps, sides):
        gaps = [_take_gap(pieces, *span) for pieces, span in zip(remaining, spans, strict=True)]
        _add_gaps(result, gaps, joint)
        column = AlignedColumn(kind, *map(_text, sides, remaining, spans), *map(_read, sides, spans))
        if result and _goes_on(result[-1], column):
            result[-1] = _joined(result[-1], column)
        else:
            result.append(column)
    gaps = []  # behind the last tokens
    for pieces, side in zip(remaining, sides, strict=True):
        n_tokens = len(side.tokens)
        gaps.append(_take_gap(pieces, n_tokens, n_tokens + 1))
    _add_gaps(result, gaps, joint)
    return result


def _goes_on(before: AlignedColumn, column: AlignedColumn) -> bool:
    """Returns whether a column goes on with the equal texts of the one before."""
    if before.kind != "equal" or column.kind != "equal":
        return False
    if before.reference[-1:].isspace() or before.prediction[-1:].isspace():
        return False
    read = (before.reference_read, before.prediction_read, column.reference_read, column.prediction_read)
    return not any(read)


def _column_steps(steps: Sequence[_Step], sides: Sequence[_Side]) -> Iterator[_Step]:
    """Yields equal tokens one by one, and edits; what shares a piece of a text is one."""
    inside: list[set[int]] = []  # the tokens of each text that share a piece with the one before
    for side in sides:
        tokens: set[int] = set()
        for piece in side.pieces:
            tokens.update(range(piece.start + 1, piece.end))
        inside.append(tokens)
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
    kind, reference_span, prediction_span = step
    references = range(*reference_span)
    predictions = range(*prediction_span)
    if kind != "equal" or len(references) != len(predictions):
        yield step
        return
    for reference, prediction in zip(references, predictions, strict=True):
        yield kind, (reference, reference + 1), (prediction, prediction + 1)


def _by_token(side: _Side) -> dict[int, list[Piece]]:
    """Returns for each token the pieces before it that have none, and its own if it is the first one of that."""
    by_token = defaultdict(list)
    for piece in side.pieces:
        by_token[piece.start].append(piece)
    return by_token


def _take_gap(remaining: dict[int, list[Piece]], start: int, end: int) -> list[Piece] | None:
    """Takes the pieces without tokens that stand before some tokens, None where there are no tokens."""
    if start == end:
        return None
    gap = [piece for piece in remaining[start] if piece.start == piece.end]
    remaining[start] = remaining[start][len(gap) :]
    return gap


def _add_gaps(columns: list[AlignedColumn], gaps: Sequence[Sequence[Piece] | None], joint: str) -> None:
    """Adds what of both texts is not compared: a column of its own, or blanks of the one before.

    Blanks that only one text has, where both go on, are drawn.
    """
    pieces_of_texts = [gap or [] for gap in gaps]
    texts = []
    for pieces in pieces_of_texts:
        texts.append("".join(piece.text for piece in pieces))
    reference, prediction = texts
    has_removed = any(piece.is_removed for pieces in pieces_of_texts for piece in pieces)
    both_go_on = None not in gaps
    if has_removed:
        columns.append(AlignedColumn("removed", reference, prediction))
    elif not joint and both_go_on and bool(reference) != bool(prediction):
        columns.append(AlignedColumn("removed", "␣" * len(reference), "␣" * len(prediction)))
    elif columns:
        columns[-1] = _joined(columns[-1], AlignedColumn("", reference, prediction))


def _joined(first: AlignedColumn, second: AlignedColumn) -> AlignedColumn:
    texts = [text + more for text, more in zip(first[1:], second[1:], strict=True)]
    return AlignedColumn(first.kind, *texts)


def _text(side: _Side, remaining: dict[int, list[Piece]], span: tuple[int, int]) -> str:
    """Returns the text of tokens, with what stands between them."""
    pieces = itertools.chain.from_iterable(remaining[token] for token in range(*span))
    return "".join(_shown(side, piece) for piece in pieces)


def _read(side: _Side, span: tuple[int, int]) -> str:
    """Returns the readings of tokens, "" where none is read."""
    tokens = slice(*span)
    return side.joint.join(side.tokens[tokens]) if any(side.are_read[tokens]) else ""


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
    """Returns the alignment with the numbers of tokens instead of their texts."""
    reference, prediction = (explanation[name] for name in _SIDES)
    steps = []
    reference_start = prediction_start = 0
    for kind, reference_piece, prediction_piece in explanation["alignment"]:
        reference_end = _end(reference, reference_start, reference_piece)
        prediction_end = _end(prediction, prediction_start, prediction_piece)
        steps.append((kind, (reference_start, reference_end), (prediction_start, prediction_end)))
        reference_start, prediction_start = reference_end, prediction_end
    return steps


def _end(tokens: Sequence[str], start: int, piece: str) -> int:
    """Returns the token behind those of a piece."""
    if isinstance(tokens, str):
        return start + len(piece)
    n_left = len(piece)
    while n_left > 0:
        n_left -= len(tokens[start]) + 1
        start += 1
    return start


def _side(explanation: dict[str, Any], name: str, text: str, steps: Sequence[_Step]) -> _Side:
    tokens = explanation[name]
    joint = _joint(tokens)
    read = [tuple(unit) for side, *unit in explanation.get("written", ()) if side == name]
    are_read = [False] * len(tokens)
    for start, end, _ in read:
        are_read[start:end] = [True] * (end - start)
    token_edits: list[str] = []
    for kind, *spans in steps:
        start, end = spans[_SIDES.index(name)]
        edit = "" if kind == "equal" else kind
        token_edits += [edit] * (end - start)
    pieces = pieces_of(text, tokens, read, joint)
    return _Side(pieces, tokens, joint, token_edits, _phrases(explanation, name), are_read)


def _joint(tokens: Sequence[str]) -> str:
    """Returns the separator of two words, or of two characters of a text."""
    return "" if isinstance(tokens, str) else " "


def _phrases(explanation: dict[str, Any], name: str) -> list[_Phrase | None]:
    """Returns for each token of a text the heaviest phrase that it belongs to."""
    phrases: list[_Phrase | None] = [None] * len(explanation[name])
    for side, _, weight, start, end, is_in_both in explanation.get("keywords", ()):
        if side != name:
            continue
        of_one_text = "missed" if side == "reference" else "surplus"
        note = "" if is_in_both else of_one_text
        for token in range(start, end):
            heaviest = phrases[token]
            if heaviest is None or heaviest.weight < weight:
                phrases[token] = _Phrase(weight, note, end - 1)
    return phrases


def _stretches(side: _Side) -> list[Stretch]:
    """Returns a text as stretches; what has something above it is a stretch of its own."""

    def mark(piece: Piece) -> tuple[Stretch, Any]:
        stretch = _stretch(side, piece)
        kind = None if stretch.over else (stretch.edit, side.phrases[piece.start])
        return stretch, kind

    return joined_stretches(side.pieces, mark)


def _stretch(side: _Side, piece: Piece) -> Stretch:
    """Returns a piece of a text that is compared."""
    tokens = slice(piece.start, piece.end)
    stretch = Stretch("", _shown(side, piece), edit=_edit(side.edits[tokens]))
    phrase = next(filter(None, side.phrases[tokens]), None)
    if phrase:
        stretch = stretch._replace(weight=phrase.weight, note=phrase.note, ends_phrase=piece.end > phrase.last)
    if not side.is_shown(piece):
        return stretch

    over: list[Stretch] = []
    start = piece.start
    for edit, equal_edits in itertools.groupby(side.edits[tokens]):
        end = start + len(list(equal_edits))
        gap = side.joint if over else ""
        over.append(Stretch(gap, side.joint.join(side.tokens[start:end]), edit=edit))
        start = end
    return stretch._replace(over=tuple(over))


def _edit(kinds: Sequence[str]) -> str:
    """Returns the edit of several tokens: the one that all have, "" for none."""
    distinct = set(kinds)
    return distinct.pop() if len(distinct) == 1 else "substitute"


def _shown(side: _Side, piece: Piece) -> str:
    """Returns the text of a piece, with blanks among edits drawn."""
    is_blank = not side.joint and not piece.text.strip()
    if is_blank and any(side.edits[piece.start : piece.end]):
        return "␣" * (piece.end - piece.start)
    return piece.text
