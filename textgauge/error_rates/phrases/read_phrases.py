"""Where phrases are in texts that may be read in several ways: 3% is in 삼 퍼센트, and 오 밀리그램 in 5mg.

The idea: a phrase is a network of its readings, and so is a text; the phrase is wherever a walk through both at the
same time takes all of it. The plain version, with all readings of both, is `slow_places` of tests/test_read_phrases.py.

A notation of a text is one unit, and so is a character outside them, or an eojeol where words are compared. A phrase
has its units as a whole, so that it does not depend on how they are read.
"""

import functools
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
from .marks import Found, Marks, Part, goes_on, is_particle, is_punctuation, mark
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

    def is_in(self, node: int, notation: int) -> bool:
        """Returns whether a node is in this notation; False for -1, which stands for no notation."""
        return notation >= 0 and self.notations[node] == notation


class PhraseFinder:
    """Finds phrases in texts that may be read in several ways."""

    def __init__(self, keywords: Keywords, readings: Readings, cleaning: Cleaning, are_words: bool) -> None:
        """Takes the phrases, what is read, what counts of a text, and whether words are compared.

        Raises:
            InputError: two phrases may be read alike.
        """
        self._keywords = keywords
        self._readings = readings
        self._cleaning = cleaning
        self._are_words = are_words
        texts = self._read([form.cleaned for form in keywords.forms])
        self._forms = [_form(form.phrase, text, cleaning) for form, text in zip(keywords.forms, texts, strict=True)]
        self._beginnings = Beginnings([form.steps for form in self._forms])
        first_characters = "".join(map(re.escape, self._beginnings.characters))
        self._first = re.compile(f"[{first_characters}]")
        for form, text in zip(self._forms, texts, strict=True):
            self._check(form.phrase, text)

    def _check(self, phrase: int, text: Text) -> None:
        """Raises InputError if a reading of a phrase is one of another phrase, too.

        It is not enough that the other one is inside a notation of the phrase: g is in kg, but 지 is not all of 케이지.
        """
        arcs, _ = _read_units(text, self._cleaning, self._are_words)
        steps = steps_from(arcs)
        for form in self._beginning_with(steps, words_behind(steps, 0)):
            if form.phrase == phrase:
                continue
            last_nodes = (last for _, last in walk(form.steps, steps, 0, self._are_words))
            if any(is_end(steps, last, self._are_words) for last in last_nodes):
                one, two = [self._keywords.phrases[number] for number in sorted((phrase, form.phrase))]
                raise InputError(f"weights: {one!r} and {two!r} are read alike; drop one, or write {one} | {two}")

    def _beginning_with(self, steps: Steps, firsts: Iterable[tuple[int, str]]) -> list[_Form]:
        """Returns the ways to write phrases that can begin with one of these arcs of a text."""
        return [self._forms[index] for index in self._beginnings.of_text(steps, firsts)]

    def of_read(self, texts: Sequence[str]) -> list[Marks | None]:
        """Returns the marks of texts with notations, for their units; None for those without a phrase."""
        return list(map(self._marks, self._read(texts)))

    def of_plain(self, texts: Sequence[str], sizes: Sequence[int]) -> list[Marks | None]:
        """Returns the marks of texts without a notation, for their tokens; `sizes` says how many these are."""
        cleaned = clean_characters(list(texts), *self._cleaning)
        cleaned_with_marks = clean_characters(list(map(mark_numbers, texts)), *self._cleaning)
        all_marks = []
        for text, text_with_marks, size in zip(cleaned, cleaned_with_marks, sizes, strict=True):
            marks = self._marks_of_size(text_with_marks, size)
            if marks is None:  # marks of numbers may change what is left of a text
                marks = self._marks_of_size(text, size)
            all_marks.append(marks)
        return all_marks

    def _marks_of_size(self, text: str, size: int) -> Marks | None:
        """Returns the marks of a clean text without a notation; None without a phrase, or with another size."""
        if not self._first.search(text):
            return None
        marks = self._marks([text])
        return marks if marks is not None and len(marks.weights) == size else None

    def _read(self, texts: Sequence[str]) -> list[Text]:
        """Returns texts with their notations as these are read, or as they are written."""
        return [
            list(map(_or_as_written, text)) for text in read_texts(texts, self._readings, self._cleaning, mark_numbers)
        ]

    def _marks(self, text: Text) -> Marks | None:
        """Returns the marks of the units of a text."""
        arcs, units = _read_units(text, self._cleaning, self._are_words)
        occurrences = set()
        for form, first, last in self._find(arcs, units):
            occurrences.add(Found(form.phrase, units.begins[first], units.ends[last]))
        from_the_left = sorted(occurrences, key=lambda found: (found.start, -found.end))
        marks = mark(from_the_left, units.bounds, self._keywords)
        if marks is None or not any(units.are_read):
            return marks
        read = {found.phrase for found in marks.occurrences if any(units.are_read[found.start : found.end])}
        return marks._replace(parts=[_without_characters(parts, read) for parts in marks.parts])

    def _find(self, arcs: Arcs, units: _Units) -> Iterator[tuple[_Form, int, int]]:
        """Yields phrases with the nodes of their first label and of their last one."""
        steps = steps_from(arcs)
        is_open = _open_nodes(arcs) if self._are_words else [True] * len(steps)
        for start, first_steps in enumerate(steps):
            if not is_open[start]:
                continue
            for form in self._beginning_with(steps, first_steps):
                for first, last in walk(form.steps, steps, start, self._are_words):
                    if form.begins_with_number and _is_rest_of_number(arcs, start, first, units):
                        continue
                    if _is_inside_part(arcs, steps, start, first, last, units):
                        continue
                    if self._ends_well(form, steps, last, units):
                        yield form, first, last

    def _ends_well(self, form: _Form, steps: Steps, last: int, units: _Units) -> bool:
        """Returns whether what is behind a phrase does not hide it."""
        if self._are_words and not _is_followed_by_particle(steps, last):
            return False
        behind = words_behind(steps, last)
        if form.ends_with_number and behind:
            notation = units.notations[last]
            behind = _beyond_blanks(behind, notation, units, functools.partial(words_behind, steps))
            return not all(_is_of_number(label, units.is_in(node, notation)) for node, label in behind)
        return self._are_words or not any(goes_on(label[0]) for _, label in behind)


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
    first = text[0]
    last = text[-1]
    begins_with_number = first.kind in NUMBER_NOTATIONS if isinstance(first, Notation) else _is_digit(first[0])
    ends_with_number = last.kind == "number" if isinstance(last, Notation) else _is_digit(last[-1])
    network, _ = read_network(text, cleaning)
    return _Form(phrase, steps_from(network.arcs), begins_with_number, ends_with_number)


def _is_digit(character: str) -> bool:
    """Returns whether a character is a digit, or a mark inside a number."""
    return character.isdecimal() or is_mark(character)


def _is_rest_of_number(arcs: Arcs, start: int, first: int, units: _Units) -> bool:
    """Returns whether the number that begins behind a node, with the first node's label, is the rest of a longer one.

    The rest of a notation is, and so are numerals behind other numerals: neither 오 of 1.5 nor 오 of 십오 is a 5.
    """
    notation = units.notations[first]
    before = words_before(arcs, start)
    if notation < 0 and any(label == BLANK for _, label in before):
        _, label = arcs[first][0]
        return numeral_goes_on(_word_before(arcs, start, units), label[0])
    before = _labels_before(arcs, start, notation, units)
    if notation >= 0:
        before = [(node, label) for node, label in before if units.notations[node] == notation]
    return bool(before) and all(_is_of_number(label, notation >= 0) for _, label in before)


def _labels_before(arcs: Arcs, node: int, notation: int, units: _Units) -> list[tuple[int, str]]:
    """Returns the labels before a node, with their nodes, and those before instead of blanks of a notation."""

    def before_blank(blank: int) -> list[tuple[int, str]]:
        source, _ = arcs[blank][0]
        return words_before(arcs, source)

    return _beyond_blanks(words_before(arcs, node), notation, units, before_blank)


def _is_inside_part(arcs: Arcs, steps: Steps, start: int, first: int, last: int, units: _Units) -> bool:
    """Returns whether a phrase begins or ends within a part of a notation: g in kg, or TV in CCTV.

    The parts of a notation are its numbers, units, letters and signs, so that kg is in 5kg.
    """
    before = _labels_before(arcs, start, units.notations[first], units)
    if _are_of_part(before, first, arcs, units):
        return True
    words_behind_node = functools.partial(words_behind, steps)
    behind = _beyond_blanks(words_behind(steps, last), units.notations[last], units, words_behind_node)
    return _are_of_part(behind, last, arcs, units)


def _are_of_part(labels: list[tuple[int, str]], node: int, arcs: Arcs, units: _Units) -> bool:
    """Returns whether labels beside a node, some at least, all belong to the same part of the same notation."""
    notation = units.notations[node]
    if notation < 0 or not labels:
        return False
    parts = {_part_of(label) for _, label in words_before(arcs, node)}
    return all(units.is_in(beside, notation) and _part_of(label) in parts for beside, label in labels)


def _part_of(label: str) -> str:
    """Returns what part of a notation a label belongs to: by its tag, or by its kind of character where it has none."""
    tag = label[2:]
    if tag:
        kind, _, _ = tag.partition(BLANK)
        return kind if kind in _PARTS else "unit"
    if label.isdecimal():
        return "number"
    return "written" if label.isalpha() else ""


def _beyond_blanks(
    labels: list[tuple[int, str]], notation: int, units: _Units, beyond: Callable[[int], list[tuple[int, str]]]
) -> list[tuple[int, str]]:
    """Returns labels with their nodes, those beyond instead of blanks of a notation."""
    labels_beyond = []
    for node, label in labels:
        if label == BLANK and units.is_in(node, notation):
            labels_beyond += beyond(node)
        else:
            labels_beyond.append((node, label))
    return labels_beyond


def _word_before(arcs: Arcs, node: int, units: _Units) -> str:
    """Returns the word before the blank that ends in a node, or what of it is behind a notation."""
    characters: list[str] = []
    while True:
        node, _ = arcs[node][0]
        if not arcs[node] or units.notations[node] >= 0:
            break
        _, label = arcs[node][0]
        if label == BLANK:
            break
        characters.append(label)
    return "".join(reversed(characters))


def _is_of_number(label: str, is_same_notation: bool) -> bool:
    """Returns whether a label beside a number belongs to it."""
    character = label[0]
    letters: Collection[str] = _IN_NUMBERS if is_same_notation else _MULTIPLIERS
    return _is_digit(character) or character in letters


def _open_nodes(arcs: Arcs) -> list[bool]:
    """Returns behind which nodes a phrase may begin: at most punctuation is before it in its word."""
    are_open: list[bool] = []
    for sources in arcs:
        is_open = not sources
        for source, label in sources:
            keeps_open = label == NO_WORD or is_punctuation(label[0])
            if label == BLANK or (are_open[source] and keeps_open):
                is_open = True
        are_open.append(is_open)
    return are_open


def _is_followed_by_particle(steps: Steps, node: int) -> bool:
    """Returns whether the rest of a word behind a node can be a particle, or nothing, apart from punctuation."""
    nodes_left = [(node, "")]  # with what is read up to them
    while nodes_left:
        node, text = nodes_left.pop()
        ends_word = not steps[node] or any(label == BLANK for _, label in steps[node])
        if ends_word and is_particle(text):
            return True
        if len(text) >= _LONGEST_ENDING:
            continue
        for target, label in steps[node]:
            if label != BLANK:
                nodes_left.append((target, text if label == NO_WORD else text + label[0]))
    return False


def _items(text: Text, are_words: bool) -> list[tuple[str | Notation, int]]:
    """Returns the pieces of a text with the unit that each one belongs to; a blank is of the word before it."""
    items: list[tuple[str | Notation, int]] = []
    if are_words:
        for unit, word in enumerate(eojeols(text)):
            pieces = [word] if isinstance(word, str) else word
            items += [(piece, unit) for piece in (*pieces, BLANK)]
        return items[:-1]  # no blank behind the last one

    unit = 0
    for piece in text:
        for item in piece if isinstance(piece, str) else [piece]:  # a text is a unit for each character
            items.append((item, unit))
            if not isinstance(item, str) or not is_mark(item):
                unit += 1
    return items


def _read_units(text: Text, cleaning: Cleaning, are_words: bool) -> tuple[Arcs, _Units]:
    """Returns the network of a text, and its units."""
    items = _items(text, are_words)
    network, spans = read_network([piece for piece, _ in items], cleaning)
    n_units = items[-1][1] + 1 if items else 0
    are_read = [False] * n_units
    for piece, unit in items:
        if isinstance(piece, Notation):
            are_read[unit] = True

    units = _Units(begins=[0], ends=[0], bounds=[], are_read=are_read, notations=[-1])
    spans_left = iter(enumerate(spans))  # of the notations, which have nodes for all their readings
    position = 0
    for piece, unit in items:
        if unit == len(units.bounds):  # its first piece
            units.bounds.append(position)
            if are_read[unit]:
                position += 1
        if isinstance(piece, str):
            characters = piece
            notation = -1
        else:
            notation, (start, end, _) = next(spans_left)
            characters = BLANK * (end - start)
        for character in characters:
            units.notations.append(notation)
            if are_read[unit]:
                units.begins.append(units.bounds[unit])
            else:
                units.begins.append(position)
                takes_no_place = is_mark(character) or (are_words and character == BLANK)
                position += not takes_no_place
            units.ends.append(position)
    units.bounds.append(position)
    return network.arcs, units
