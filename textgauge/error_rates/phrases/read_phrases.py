"""Where phrases are in texts that may be read in several ways: 3% is in 삼 퍼센트, and 오 밀리그램 in 5mg.

The idea: a phrase is a network of its readings, and so is a text; the phrase is wherever a walk through both at the
same time takes all of it. The plain version, with all readings of both, is `slow_places` of tests/test_read_phrases.py.

A notation of a text is one unit, and so is a character outside them, or an eojeol where words are compared. A phrase
has its units as a whole, so that it does not depend on how they are read.
"""

import functools
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from textgauge.core.errors import InputError
from textgauge.edits.networks import NO_WORD, Arcs, Steps, steps_from, words_before, words_behind
from textgauge.korean.numerals import numeral_goes_on
from textgauge.korean.reading_networks import read_network
from textgauge.korean.reading_tables import Readings
from textgauge.korean.reading_trees import BLANK, Notation, any_of, as_written
from textgauge.korean.reading_words import eojeols
from textgauge.korean.readings import Cleaning, Text, read_texts
from textgauge.tokens.cleaning import clean_characters

from .keywords import Keywords
from .marks import Marks, Part, goes_on, is_particle, is_punctuation, mark
from .number_marks import is_mark, mark_numbers
from .number_words import NUMBER_NOTATIONS, NUMERALS
from .walks import Beginnings, is_end, walk

_MULTIPLIERS = frozenset("십백천만억조점")  # a numeral goes on where one is
_IN_NUMBERS = NUMERALS | frozenset("점의스하")  # what is read of 3.5, 1/2 and -3 has 점, 분의, 마이너스 and 영하
# what tags of readings begin with, except for those of units
_PARTS = frozenset(
    ["number", "approximate", "english", "day", "score", "date", "letter", "joint", "sign", "symbol", "power"]
)
_LONGEST_ENDING = 24  # characters of particles and punctuation


class _Form(NamedTuple):
    """One way to write a phrase, with its readings."""

    phrase: int
    steps: Steps
    begins_with_number: bool
    ends_with_number: bool


class _Units(NamedTuple):
    """The units of a text."""

    begins: list[int]  # where each node's label is: from this character on
    ends: list[int]  # up to this one; a unit with a notation has a single character
    bounds: list[int]  # where each unit begins, and where the last one ends
    are_read: list[bool]  # whether each unit has a notation
    notations: list[int]  # of each node, -1 where there is none


class PhraseFinder:
    """Finds phrases in texts that may be read in several ways."""

    def __init__(self, keywords: Keywords, readings: Readings, cleaning: Cleaning, are_words: bool) -> None:
        """Takes the phrases, what is read, what counts of a text, and whether words are compared.

        Raises:
            InputError: two phrases may be read alike.
        """
        self._keywords, self._readings, self._cleaning, self._are_words = keywords, readings, cleaning, are_words
        texts = self._read([form.cleaned for form in keywords.forms])
        self._forms = [_form(form.phrase, text, cleaning) for form, text in zip(keywords.forms, texts, strict=True)]
        self._beginnings = Beginnings([form.steps for form in self._forms])
        self._first = re.compile(f"[{''.join(map(re.escape, self._beginnings.characters))}]")
        for form, text in zip(self._forms, texts, strict=True):
            self._check(form.phrase, text)

    def _check(self, phrase: int, text: Text) -> None:
        """Raises InputError if a reading of a phrase is one of another phrase, too.

        It is not enough that the other one is inside a notation of the phrase: g is in kg, but 지 is not all of 케이지.
        """
        steps = steps_from(_read_units(text, self._cleaning, self._are_words)[0])
        for form in self._beginning_with(steps, words_behind(steps, 0)):
            ends = (last for _, last in walk(form.steps, steps, 0, self._are_words))
            if form.phrase != phrase and any(is_end(steps, last, self._are_words) for last in ends):
                one, two = (self._keywords.phrases[at] for at in sorted((phrase, form.phrase)))
                raise InputError(f"weights: {one!r} and {two!r} are read alike; drop one, or write {one} | {two}")

    def _beginning_with(self, steps: Steps, firsts: Iterable[tuple[int, str]]) -> list[_Form]:
        """Returns the ways to write phrases that can begin with one of these arcs of a text."""
        return [self._forms[index] for index in self._beginnings.of_text(steps, firsts)]

    def of_read(self, texts: Sequence[str]) -> list[Marks | None]:
        """Returns the marks of texts with notations, for their units; None for those without a phrase."""
        return list(map(self._marks, self._read(texts)))

    def of_plain(self, texts: Sequence[str], sizes: Sequence[int]) -> list[Marks | None]:
        """Returns the marks of texts without a notation, for their tokens; `sizes` says how many these are."""
        of_texts: list[Marks | None] = [None] * len(texts)
        for change in (mark_numbers, str):  # with marks, except where these change what is left of a text
            cleaned = clean_characters(list(map(change, texts)), *self._cleaning)
            for row, (text, size) in enumerate(zip(cleaned, sizes, strict=True)):
                marks = self._marks([text]) if self._first.search(text) and not of_texts[row] else None
                of_texts[row] = marks if marks and len(marks.weights) == size else of_texts[row]
        return of_texts

    def _read(self, texts: Sequence[str]) -> list[Text]:
        """Returns texts with their notations as these are read, or as they are written."""
        read = read_texts(texts, self._readings, self._cleaning, mark_numbers)
        return [[_or_as_written(piece) for piece in text] for text in read]

    def _marks(self, text: Text) -> Marks | None:
        """Returns the marks of the units of a text."""
        arcs, units = _read_units(text, self._cleaning, self._are_words)
        occurrences = [
            (form.phrase, units.begins[first], units.ends[last]) for form, first, last in self._find(arcs, units)
        ]
        marks = mark(sorted({*occurrences}, key=lambda place: (place[1], -place[2])), units.bounds, self._keywords)
        if marks and any(units.are_read):
            read = {phrase for phrase, first, end in marks.occurrences if any(units.are_read[first:end])}
            return marks._replace(parts=[_without_characters(parts, read) for parts in marks.parts])
        return marks

    def _find(self, arcs: Arcs, units: _Units) -> Iterator[tuple[_Form, int, int]]:
        """Yields phrases with the nodes of their first label and of their last one."""
        steps = steps_from(arcs)
        is_open = _open_nodes(arcs) if self._are_words else ()
        for start, own in enumerate(steps):
            may_begin = not self._are_words or is_open[start]
            for form in self._beginning_with(steps, own) if may_begin else ():
                for first, last in walk(form.steps, steps, start, self._are_words):
                    is_rest = form.begins_with_number and _is_rest_of_number(arcs, start, first, units)
                    is_whole = not is_rest and not _is_inside_part(arcs, steps, start, first, last, units)
                    if is_whole and self._ends_well(form, steps, last, units):
                        yield form, first, last

    def _ends_well(self, form: _Form, steps: Steps, last: int, units: _Units) -> bool:
        """Returns whether what is behind a phrase does not hide it."""
        if self._are_words and not _is_followed_by_particle(steps, last):
            return False
        behind = words_behind(steps, last)
        if form.ends_with_number and behind:
            notation = units.notations[last]
            behind = _beyond_blanks(behind, notation, units, functools.partial(words_behind, steps))
            return not all(_is_of_number(label, units.notations[at] == notation >= 0) for at, label in behind)
        return self._are_words or not any(map(goes_on, (label[0] for _, label in behind)))


def _without_characters(parts: tuple[Part, ...], read: Collection[int]) -> tuple[Part, ...]:
    """Returns what a token has of phrases, without saying which characters of those that are read."""
    return tuple([part._replace(characters=None) if part.phrase in read else part for part in parts])


def _or_as_written(piece: str | Notation) -> str | Notation:
    """Returns a piece of a text that may also be as it is written, with its marks."""
    if isinstance(piece, str):
        return piece
    return piece._replace(tree=any_of([piece.tree, as_written(mark_numbers(piece.written))]))


def _form(phrase: int, text: Text, cleaning: Cleaning) -> _Form:
    """Returns a way to write a phrase."""
    ends = text[0], text[-1]
    is_number = [
        piece.kind in kinds if isinstance(piece, Notation) else piece[place].isdecimal() or is_mark(piece[place])
        for piece, place, kinds in zip(ends, (0, -1), (NUMBER_NOTATIONS, ("number",)), strict=True)
    ]
    return _Form(phrase, steps_from(read_network(text, cleaning)[0].arcs), *is_number)


def _is_rest_of_number(arcs: Arcs, start: int, own: int, units: _Units) -> bool:
    """Returns whether the number that begins behind a node, with another node's label, is the rest of a longer one.

    The rest of a notation is, and so are numerals behind other numerals: neither 오 of 1.5 nor 오 of 십오 is a 5.
    """
    notation = units.notations[own]
    before = words_before(arcs, start)
    if notation < 0 and any(label == BLANK for _, label in before):
        return numeral_goes_on(_word_before(arcs, start, units), arcs[own][0][1][0])
    before = _beyond_blanks(before, notation, units, lambda at: words_before(arcs, arcs[at][0][0]))
    if notation >= 0:
        before = [(at, label) for at, label in before if units.notations[at] == notation]
    return bool(before) and all(_is_of_number(label, notation >= 0) for _, label in before)


def _is_inside_part(arcs: Arcs, steps: Steps, start: int, first: int, last: int, units: _Units) -> bool:
    """Returns whether a phrase begins or ends within a part of a notation: g in kg, or TV in CCTV.

    The parts of a notation are its numbers, units, letters and signs, so that kg is in 5kg.
    """
    before = _beyond_blanks(
        words_before(arcs, start), units.notations[first], units, lambda at: words_before(arcs, arcs[at][0][0])
    )
    behind = _beyond_blanks(
        words_behind(steps, last), units.notations[last], units, functools.partial(words_behind, steps)
    )
    return _are_of_part(before, first, arcs, units) or _are_of_part(behind, last, arcs, units)


def _are_of_part(labels: list[tuple[int, str]], own: int, arcs: Arcs, units: _Units) -> bool:
    """Returns whether labels beside a node, some at least, all belong to the same part of the same notation."""
    notation = units.notations[own]
    if notation < 0 or not labels:
        return False
    parts = {_part_of(label) for _, label in words_before(arcs, own)}
    return all(units.notations[at] == notation and _part_of(label) in parts for at, label in labels)


def _part_of(label: str) -> str:
    """Returns what part of a notation a label belongs to: by its tag, or by its kind of character where it has none."""
    tag = label[2:]
    if tag:
        kind = tag.split(BLANK)[0]
        return kind if kind in _PARTS else "unit"
    return "number" if label.isdecimal() else "written" if label.isalpha() else ""


def _beyond_blanks(
    labels: list[tuple[int, str]], notation: int, units: _Units, beyond: Callable[[int], list[tuple[int, str]]]
) -> list[tuple[int, str]]:
    """Returns labels with their nodes, those beyond instead of blanks of a notation."""
    are_blanks = [label == BLANK and units.notations[at] == notation >= 0 for at, label in labels]
    lists = (beyond(of[0]) if is_blank else [of] for of, is_blank in zip(labels, are_blanks, strict=True))
    return list(itertools.chain.from_iterable(lists))


def _word_before(arcs: Arcs, node: int, units: _Units) -> str:
    """Returns the word before the blank that ends in a node, or what of it is behind a notation."""
    characters: list[str] = []
    while True:
        node = arcs[node][0][0]
        if not arcs[node] or arcs[node][0][1] == BLANK or units.notations[node] >= 0:
            return "".join(reversed(characters))
        characters.append(arcs[node][0][1])


def _is_of_number(label: str, is_same_notation: bool) -> bool:
    """Returns whether a label beside a number belongs to it."""
    character = label[0]
    own: Collection[str] = _IN_NUMBERS if is_same_notation else _MULTIPLIERS
    return is_mark(character) or character.isdecimal() or character in own


def _open_nodes(arcs: Arcs) -> list[bool]:
    """Returns behind which nodes a phrase may begin: at most punctuation is before it in its word."""
    is_open: list[bool] = []
    for sources in arcs:
        is_open.append(
            not sources
            or any(
                label == BLANK or (is_open[source] and (label == NO_WORD or is_punctuation(label[0])))
                for source, label in sources
            )
        )
    return is_open


def _is_followed_by_particle(steps: Steps, node: int) -> bool:
    """Returns whether the rest of a word behind a node can be a particle, or nothing, apart from punctuation."""
    left = [(node, "")]
    while left:
        at, read = left.pop()
        is_end = not steps[at] or any(label == BLANK for _, label in steps[at])
        if is_end and is_particle(read):
            return True
        if len(read) < _LONGEST_ENDING:
            left += [
                (target, read if label == NO_WORD else read + label[0]) for target, label in steps[at] if label != BLANK
            ]
    return False


def _items(text: Text, are_words: bool) -> list[tuple[str | Notation, int]]:
    """Returns the pieces of a text with the unit that each one belongs to; a blank is of the word before it."""
    if are_words:
        words = [(eojeol,) if isinstance(eojeol, str) else eojeol for eojeol in eojeols(text)]
        return [(piece, unit) for unit, word in enumerate(words) for piece in (*word, BLANK)][:-1]
    items, unit = [], 0
    for piece in itertools.chain.from_iterable(piece if isinstance(piece, str) else [piece] for piece in text):
        items.append((piece, unit))
        unit += not (isinstance(piece, str) and is_mark(piece))
    return items


def _read_units(text: Text, cleaning: Cleaning, are_words: bool) -> tuple[Arcs, _Units]:
    """Returns the network of a text, and its units."""
    items = _items(text, are_words)
    network, spans = read_network([piece for piece, _ in items], cleaning)
    are_read = [False] * (items[-1][1] + 1 if items else 0)
    for piece, unit in items:
        are_read[unit] |= isinstance(piece, Notation)
    units = _Units([0], [0], [], are_read, [-1])
    sizes, position = iter(enumerate(end - start for start, end, _ in spans)), 0
    for piece, unit in items:
        if unit == len(units.bounds):
            units.bounds.append(position)
            position += are_read[unit]
        index, size = (-1, len(piece)) if isinstance(piece, str) else next(sizes)
        units.notations.extend([index] * size)
        for character in piece if index < 0 else [BLANK] * size:
            start = units.bounds[unit] if are_read[unit] else position
            position += not (are_read[unit] or is_mark(character) or (are_words and character == BLANK))
            units.begins.append(start)
            units.ends.append(position)
    units.bounds.append(position)
    return network.arcs, units
