"""A text as it was written, over what of it is compared: which piece is which token, and what a convention removes.

A metric tells the tokens that it compares, not where they stand. They are found again: all that a convention does to a
text is to remove some of it, to change case and Unicode form, and to read notations, of which the metric says how they
are written.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_PIECES = re.compile(r"\s+|\S+")

Unit = tuple[int, int, str]  # tokens from the first to the one behind the last, and how they are written


class Piece(NamedTuple):
    """A piece of a text, and the tokens that it stands for: none where they end where they start."""

    text: str
    start: int
    end: int

    @property
    def is_removed(self) -> bool:
        """Whether it is not compared, and seen."""
        return self.start == self.end and not self.text.isspace()


def pieces_of(text: str, tokens: Sequence[str], read: Iterable[Unit] = (), joint: str = "") -> list[Piece]:
    """Returns the pieces of a text, in order, which have all of its characters and all tokens.

    Where the tokens are not found in the text in their order, it is put together of them.

    Args:
        text: as it was written.
        tokens: that are compared.
        read: tokens that are written in another way.
        joint: what to write between tokens that are not found.
    """
    units = list(_units(tokens, read))
    spans = _spans(text, units)
    if spans is not None:
        return list(_pieces(text, units, spans))
    pieces: list[Piece] = []
    for number, (start, end, written) in enumerate(units):
        if joint and number > 0:
            pieces.append(Piece(joint, start, start))
        if written:
            pieces.append(Piece(written, start, end))
    return pieces


def _units(tokens: Sequence[str], read: Iterable[Unit]) -> Iterator[Unit]:
    """Yields all tokens, those together that are written together."""
    behind_unit = 0
    for start, end, written in [*read, (len(tokens), len(tokens), "")]:
        for token in range(behind_unit, start):
            yield token, token + 1, tokens[token]
        if end > start:
            yield start, end, written
        behind_unit = end


def _spans(text: str, units: Sequence[Unit]) -> list[tuple[int, int]] | None:
    """Returns where each unit occurs in a text, (0, 0) for whitespace; None where they are not found."""
    all_units = "".join(written for _, _, written in units)
    unit_of_character: list[int] = []
    for number, (_, _, written) in enumerate(units):
        unit_of_character += [number] * len(written)

    for form in ("NFKC", "NFKD"):  # syllables before their jamo
        characters = list(_folded(text, form))
        wanted = list(_folded(all_units, form))
        positions = _embedding([folded for _, _, folded in characters], [folded for _, _, folded in wanted])
        if positions is not None:
            break
    else:
        return None

    spans = [(0, 0)] * len(units)
    for (first, last, _), position in zip(wanted, positions, strict=True):
        start, end, _ = characters[position]
        for unit in unit_of_character[first:last]:
            unit_start, unit_end = spans[unit]
            spans[unit] = (unit_start if unit_end else start, end)
    return spans


def _folded(text: str, form: str) -> Iterator[tuple[int, int, str]]:
    """Yields the characters of a text without case, form and whitespace, each with its place in the text."""
    if text.isascii():
        for position, character in enumerate(text.lower()):
            if not character.isspace():
                yield position, position + 1, character
        return
    cuts = [position for position in range(1, len(text)) if form == "NFKD" or not _goes_on(text[position])]
    for start, end in itertools.pairwise([0, *cuts, len(text)]):
        for folded in unicodedata.normalize(form, text[start:end]).casefold():
            if not folded.isspace():
                yield start, end, folded


def _goes_on(character: str) -> bool:
    """Returns whether a character is one with what stands before it: a mark, or the medial or final of a syllable."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"


def _embedding(text: Sequence[str], wanted: Sequence[str]) -> list[int] | None:
    """Returns where each wanted character occurs in a text that has more characters; None if one is missing.

    What is removed is removed as a whole: a run of characters that could have several places has the one right behind
    the run before it.
    """
    # from the end, each at the last position that is left for it
    positions: list[int] = []
    position = len(text)
    for character in reversed(wanted):
        position -= 1
        while position >= 0 and text[position] != character:
            position -= 1
        if position < 0:
            return None
        positions.append(position)
    positions.reverse()

    behind_run = 0
    for run in _runs(positions):
        first = positions[run.start]
        if text[behind_run : behind_run + len(run)] == text[first : first + len(run)]:
            positions[run.start : run.stop] = range(behind_run, behind_run + len(run))
        behind_run = positions[run.stop - 1] + 1
    return positions


def _runs(positions: Sequence[int]) -> list[range]:
    """Returns the numbers of those positions that follow one another without one between."""
    if not positions:
        return []
    cuts = [number for number in range(1, len(positions)) if positions[number] != positions[number - 1] + 1]
    return [range(start, end) for start, end in itertools.pairwise([0, *cuts, len(positions)])]


class _Span(NamedTuple):
    """Characters of a text, and the tokens that they are, from the first to the one behind the last."""

    first: int
    last: int
    start: int
    end: int


def _pieces(text: str, units: Sequence[Unit], spans: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """Yields the pieces of a text; what shares a character is one: the jamo of a syllable, f and i of a ligature."""
    joined: list[_Span] = []
    for (start, end, _), (first, last) in zip(units, spans, strict=True):
        if first == last:
            continue
        before = joined[-1] if joined else None
        if before and first < before.last:
            joined[-1] = before._replace(last=max(last, before.last), end=end)
        else:
            joined.append(_Span(first, last, start, end))
    n_tokens = units[-1][1] if units else 0
    character = token = 0
    for span in [*joined, _Span(len(text), len(text), n_tokens, n_tokens)]:
        yield from _between(text[character : span.first], token, span.start)
        if span.end > span.start:
            yield Piece(text[span.first : span.last], span.start, span.end)
        character, token = span.last, span.end


def _between(text: str, start: int, end: int) -> Iterator[Piece]:
    """Yields the texts between two tokens; if tokens are there, they are whitespace, or became whitespace."""
    texts = _PIECES.findall(text)
    if not texts and end > start:
        texts = [""]
    # the piece that the tokens between are
    chosen = next((number for number, piece in enumerate(texts) if piece.isspace()), 0)
    for number, piece in enumerate(texts):
        if number < chosen:
            yield Piece(piece, start, start)
        elif number == chosen:
            yield Piece(piece, start, end)
        else:
            yield Piece(piece, end, end)
