"""The user's own notations in a text, beside the Korean ones.

A user's table takes no reading away: where one of its notations overlaps a Korean one, or another of the table, the
text may be read with either. What is around them is read as it is without the table.
"""

import bisect
import functools
import itertools
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from textgauge.edits.networks import Tree

from .patterns import one_of
from .reading_tables import Readings
from .reading_trees import BLANK, Notation, any_of, sequence, tagged, tree_of
from .written_forms import in_usual_form

Pieces = list[str | Notation]
Place = tuple[int, int]  # where something begins in a text, and where it ends
_BEGINNING = "(?<![0-9A-Za-z])(?=[\0-\x7f])|(?<![가-힣0-9])(?=[가-힣])|(?=[^\0-\x7f가-힣])"
_WORD_GOES_ON = re.compile("[\0-\x7f][0-9A-Za-z]")


class _Text(NamedTuple):
    """A text with its Korean notations, and the user's."""

    text: str
    pieces: Pieces
    ends: list[int]  # where the pieces begin, and where the last one ends
    read: Callable[[str], Pieces]  # finds the Korean notations of a part
    own_places: list[Place]  # of the user's notations


@functools.lru_cache(64)
def _own_table(readings: Readings) -> dict[str, tuple[str, ...]]:
    """Returns the user's table, with the notations as they are looked for."""
    table: dict[str, tuple[str, ...]] = {}
    for notation, notation_readings in readings.own:
        written = in_usual_form(notation) if readings.is_korean else notation
        table[written] = (*table.get(written, ()), *notation_readings)
    return table


@functools.lru_cache(64)
def _own_pattern(readings: Readings) -> re.Pattern[str]:
    """Returns a pattern for the beginning of notations: not inside a Latin word or number, nor between Hangul.

    Its group is the longest of the table that begins there.
    """
    return re.compile(f"(?:{_BEGINNING})(?=({one_of(_own_table(readings))}))")


def _places(text: str, readings: Readings) -> list[Place]:
    """Returns the places of all notations of the table, also within others."""
    table = _own_table(readings)
    sizes = sorted(set(map(len, table)), reverse=True)
    places = []
    for match in _own_pattern(readings).finditer(text):
        longest = match[1]
        for size in sizes:
            if size > len(longest) or longest[:size] not in table:
                continue
            end = match.start() + size
            if not _WORD_GOES_ON.match(text, end - 1):
                places.append((match.start(), end))
    return places


def has_own(text: str, readings: Readings) -> bool:
    """Returns whether a text has a notation of the user's table."""
    if not readings.own:
        return False
    if readings.is_korean:
        text = in_usual_form(text)
    return bool(_places(text, readings))


def with_own(text: str, pieces: Pieces, readings: Readings, read: Callable[[str], Pieces]) -> Pieces:
    """Returns a text cut into notations, the user's too, and what is between them.

    Args:
        text: in its usual form.
        pieces: of it, with the Korean notations.
        readings: with the user's table.
        read: finds the Korean notations of a part that begins or ends within one.
    """
    sizes = [len(piece.written if isinstance(piece, Notation) else piece) for piece in pieces]
    ends = list(itertools.accumulate(sizes, initial=0))
    whole = _Text(text, pieces, ends, read, _places(text, readings))
    table = _own_table(readings)
    result: Pieces = []
    position = 0
    for start, end in _overlaps(whole):
        result += _between(whole, position, start)
        result.append(Notation(text[start:end], "own", _tree(whole, start, end, table)))
        position = end
    return [*result, *_between(whole, position, len(text))]


def _merged(places: Iterable[Place]) -> list[Place]:
    """Returns places of which those that overlap have become one."""
    merged: list[Place] = []
    for start, end in sorted(places):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _overlaps(whole: _Text) -> list[Place]:
    """Returns the places of the user's notations, with the Korean ones that overlap them."""
    pieces = zip(itertools.pairwise(whole.ends), whole.pieces, strict=True)
    korean = [bounds for bounds, piece in pieces if isinstance(piece, Notation)]
    merged = _merged([*whole.own_places, *korean])
    starts = [start for start, _ in merged]
    chosen = {bisect.bisect(starts, start) - 1 for start, _ in whole.own_places}
    return [merged[index] for index in sorted(chosen)]


def _between(whole: _Text, start: int, end: int) -> Pieces:
    """Returns the pieces of a part of a text."""
    result: Pieces = []
    index = bisect.bisect(whole.ends, start) - 1
    while start < end:
        piece = whole.pieces[index]
        first, last = whole.ends[index : index + 2]
        part = whole.text[start : min(end, last)]
        if isinstance(piece, str):
            result.append(part)
        elif start == first and end >= last:
            result.append(piece)
        else:
            result += whole.read(part)
        start = last
        index += 1
    return result


def _plain(whole: _Text, start: int, end: int) -> Tree:
    """Returns the readings of a part without the user's; a blank is a text of its own."""
    parts: list[Tree] = []
    for piece in _between(whole, start, end):
        tree = tree_of(piece)
        if isinstance(tree, str):
            parts += re.findall(f"{BLANK}|[^{BLANK}]+", tree)
        else:
            parts.append(tree)
    return sequence(*parts)


def _tree(whole: _Text, start: int, end: int, table: dict[str, tuple[str, ...]]) -> Tree:
    """Returns the readings of a part with notations of the user's."""
    places = [(first, last) for first, last in whole.own_places if start <= first < end]
    groups = _merged(places)
    if groups == [(start, end)]:
        return _group(whole, start, end, places, table)

    parts = []
    position = start
    for first, last in groups:
        parts.append(_plain(whole, position, first))
        parts.append(_group(whole, first, last, places, table))
        position = last
    parts.append(_plain(whole, position, end))
    return any_of([sequence(*parts), _plain(whole, start, end)])


def _group(whole: _Text, start: int, end: int, places: list[Place], table: dict[str, tuple[str, ...]]) -> Tree:
    """Returns the readings of a part in which the user's notations overlap: any of them, with those behind it."""
    trees: list[Tree] = []
    for first, last in places:
        if first < start or end < last:
            continue
        written = whole.text[first:last]
        parts = []
        if start < first:
            parts.append(_plain(whole, start, first))
        parts.append(any_of([tagged(reading, f"own {written}") for reading in table[written]]))
        if last < end:
            parts.append(_group(whole, last, end, places, table))
        trees.append(sequence(*parts))

    plain = _plain(whole, start, end)
    if "가" <= whole.text[start] <= "힣":  # a word in Hangul is itself a reading, and the first one
        return any_of([plain, *trees])
    return any_of([*trees, plain])
