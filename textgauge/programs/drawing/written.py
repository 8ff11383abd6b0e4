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


class Place(NamedTuple):
    """A piece of a text, and the tokens that it stands for: none where they end where they start."""

    text: str
    start: int
    end: int

    @property
    def is_removed(self) -> bool:
        """Whether it is not compared, and seen."""
        return self.start == self.end and not self.text.isspace()


def places_of(text: str, tokens: Sequence[str], read: Iterable[Unit] = (), joint: str = "") -> list[Place]:
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
        return list(_places(text, units, spans))
    pieces = [(Place(joint, start, start), Place(unit, start, end)) for start, end, unit in units]
    return [place for place in itertools.chain.from_iterable(pieces) if place.text][bool(joint) :]


def _units(tokens: Sequence[str], read: Iterable[Unit]) -> Iterator[Unit]:
    """Yields all tokens, those together that are written together."""
    at = 0
    for start, end, written in [*read, (len(tokens), len(tokens), "")]:
        yield from ((token, token + 1, tokens[token]) for token in range(at, start))
        if end > start:
            yield start, end, written
        at = end


def _spans(text: str, units: Sequence[Unit]) -> list[tuple[int, int]] | None:
    """Returns where each unit stands in a text, (0, 0) for whitespace; None where they are not found."""
    unit_of = [number for number, (_, _, written) in enumerate(units) for _ in written]
    whole = "".join(written for _, _, written in units)
    for form in ("NFKC", "NFKD"):  # syllables before their jamo
        characters, wanted = (list(_folded(own, form)) for own in (text, whole))
        places = _embedding(*([folded for _, _, folded in own] for own in (characters, wanted)))
        if places is not None:
            break
    else:
        return None
    spans = [(0, 0)] * len(units)
    for (first, last, _), place in zip(wanted, places, strict=True):
        start, end, _ = characters[place]
        for unit in unit_of[first:last]:
            spans[unit] = spans[unit][0] if spans[unit][1] else start, end
    return spans


def _folded(text: str, form: str) -> Iterator[tuple[int, int, str]]:
    """Yields the characters of a text without case, form and whitespace, each with where it stands in the text."""
    if text.isascii():
        yield from ((at, at + 1, own) for at, own in enumerate(text.lower()) if not own.isspace())
        return
    cuts = [at for at, character in enumerate(text) if at and (form == "NFKD" or not _goes_on(character))]
    for start, end in itertools.pairwise([0, *cuts, len(text)]):
        for folded in unicodedata.normalize(form, text[start:end]).casefold():
            if not folded.isspace():
                yield start, end, folded


def _goes_on(character: str) -> bool:
    """Returns whether a character is one with what stands before it: a mark, or the medial or final of a syllable."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"


def _embedding(text: Sequence[str], wanted: Sequence[str]) -> list[int] | None:
    """Returns where each wanted character stands in a text that has more of them; None where they are not in it.

    What is removed is removed as a whole: a run of characters that could have several places has the one right behind
    the run before it.
    """
    places: list[int] = []
    at = len(text)
    for character in reversed(wanted):
        at = next((position for position in range(at - 1, -1, -1) if text[position] == character), -1)
        if at < 0:
            return None
        places.append(at)
    places.reverse()
    behind = 0
    for run in _runs(places):
        first, size = places[run.start], len(run)
        if text[behind : behind + size] == text[first : first + size]:
            places[run.start : run.stop] = range(behind, behind + size)
        behind = places[run.stop - 1] + 1
    return places


def _runs(places: Sequence[int]) -> list[range]:
    """Returns which places follow one another without one between."""
    cuts = [at for at in range(1, len(places)) if places[at] != places[at - 1] + 1]
    return [range(*ends) for ends in itertools.pairwise([0, *cuts, len(places)])] if places else []


def _places(text: str, units: Sequence[Unit], spans: Sequence[tuple[int, int]]) -> Iterator[Place]:
    """Yields the pieces of a text; what shares a character is one: the jamo of a syllable, f and i of a ligature."""
    joined: list[list[int]] = []  # first and last character, first and last token
    for (start, end, _), (first, last) in zip(units, spans, strict=True):
        if last > first:
            if joined and first < joined[-1][1]:
                joined[-1][1::2] = max(last, joined[-1][1]), end
            else:
                joined.append([first, last, start, end])
    size = units[-1][1] if units else 0
    at = token = 0
    for first, last, start, end in [*joined, [len(text), len(text), size, size]]:
        yield from _between(text[at:first], token, start)
        if end > start:
            yield Place(text[first:last], start, end)
        at, token = last, end


def _between(text: str, start: int, end: int) -> Iterator[Place]:
    """Yields what stands between two tokens; if tokens do, these are the whitespace, or what became whitespace."""
    pieces = _PIECES.findall(text) or [""] * (end > start)
    chosen = next((at for at, piece in enumerate(pieces) if piece.isspace()), 0)
    for at, piece in enumerate(pieces):
        yield Place(piece, end if at > chosen else start, end if at >= chosen else start)
