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
    own: list[Place]


@functools.lru_cache(64)
def _own_table(readings: Readings) -> dict[str, tuple[str, ...]]:
    """Returns the user's table, with the notations as they are looked for."""
    table: dict[str, tuple[str, ...]] = {}
    for notation, own in readings.own:
        notation = in_usual_form(notation) if readings.is_korean else notation
        table[notation] = (*table.get(notation, ()), *own)
    return table


@functools.lru_cache(64)
def _own_pattern(readings: Readings) -> re.Pattern[str]:
    """Returns what finds where a notation may begin: not within a Latin word or number, nor after Hangul with Hangul.

    Its group is the longest of the table that begins there.
    """
    return re.compile(f"(?:{_BEGINNING})(?=({one_of(_own_table(readings))}))")


def _places(text: str, readings: Readings) -> list[Place]:
    """Returns the places of all notations of the table, also within others."""
    table = _own_table(readings)
    sizes = sorted(set(map(len, table)), reverse=True)
    return [
        (match.start(), match.start() + size)
        for match in _own_pattern(readings).finditer(text)
        for size in sizes
        if size <= len(match[1]) and match[1][:size] in table
        if not _WORD_GOES_ON.match(text, match.start() + size - 1)
    ]


def has_own(text: str, readings: Readings) -> bool:
    """Returns whether a text has a notation of the user's table."""
    return bool(readings.own) and bool(_places(in_usual_form(text) if readings.is_korean else text, readings))


def with_own(text: str, pieces: Pieces, readings: Readings, read: Callable[[str], Pieces]) -> Pieces:
    """Returns a text cut into notations, the user's too, and what is between them.

    Args:
        text: in its usual form.
        pieces: of it, with the Korean notations.
        readings: with the user's table.
        read: finds the Korean notations of a part that begins or ends within one.
    """
    sizes = [len(piece.written if isinstance(piece, Notation) else piece) for piece in pieces]
    whole = _Text(text, pieces, [*itertools.accumulate(sizes, initial=0)], read, _places(text, readings))
    result: Pieces = []
    position = 0
    for start, end in _overlaps(whole):
        result += _between(whole, position, start)
        result.append(Notation(text[start:end], "own", _tree(whole, start, end, _own_table(readings))))
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
    korean = [place for place, piece in pieces if isinstance(piece, Notation)]
    merged = _merged([*whole.own, *korean])
    starts = [start for start, _ in merged]
    return [merged[index] for index in sorted({bisect.bisect(starts, start) - 1 for start, _ in whole.own})]


def _between(whole: _Text, start: int, end: int) -> Pieces:
    """Returns the pieces of a part of a text."""
    result: Pieces = []
    index = bisect.bisect(whole.ends, start) - 1
    while start < end:
        piece, first, last = whole.pieces[index], *whole.ends[index : index + 2]
        part = whole.text[start : min(end, last)]
        if isinstance(piece, str):
            result.append(part)
        else:
            result += [piece] if start == first and end >= last else whole.read(part)
        start, index = last, index + 1
    return result


def _plain(whole: _Text, start: int, end: int) -> Tree:
    """Returns the readings of a part without the user's; a blank is a text of its own."""
    trees = [tree_of(piece) for piece in _between(whole, start, end)]
    parts = (re.findall(f"{BLANK}|[^{BLANK}]+", tree) if isinstance(tree, str) else [tree] for tree in trees)
    return sequence(*itertools.chain.from_iterable(parts))


def _tree(whole: _Text, start: int, end: int, table: dict[str, tuple[str, ...]]) -> Tree:
    """Returns the readings of a part with notations of the user's."""
    own = [place for place in whole.own if start <= place[0] < end]
    groups = _merged(own)
    if groups == [(start, end)]:
        return _group(whole, start, end, own, table)
    parts, position = [], start
    for place in groups:
        parts += [_plain(whole, position, place[0]), _group(whole, *place, own, table)]
        position = place[1]
    return any_of([sequence(*parts, _plain(whole, position, end)), _plain(whole, start, end)])


def _group(whole: _Text, start: int, end: int, own: list[Place], table: dict[str, tuple[str, ...]]) -> Tree:
    """Returns the readings of a part in which the user's notations overlap: any of them, with those behind it."""
    trees: list[Tree] = []
    for first, last in own:
        if start <= first and last <= end:
            written = whole.text[first:last]
            readings = any_of(tagged(reading, f"own {written}") for reading in table[written])
            before = [_plain(whole, start, first)] if start < first else []
            trees.append(sequence(*before, readings, *([_group(whole, last, end, own, table)] if last < end else [])))
    # a word in Hangul is itself a reading, and the first one
    plain = _plain(whole, start, end)
    return any_of([plain, *trees] if "가" <= whole.text[start] <= "힣" else [*trees, plain])
