"""What two texts write differently and read alike: 3% and 삼 퍼센트.

A pair of stretches reads alike: one of them is a whole notation (3%, LG, 2024년), the other any stretch of the other
text of which some reading is one of the notation's. Of all such pairs those are chosen that leave the fewest edits
between the characters of the texts; that is the problem of joined words, and `choose_joins` solves it.

The idea: from each place of the other text that begins with one of a notation's first characters, walk through the
notation's network and that of the text at the same time. So the work grows with the length of the texts, and not with
its square. The plain version, which tries every stretch, is `slow_pairs` of tests/test_alike.py.
"""

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence

from textgauge.edits.network_edits import are_equal
from textgauge.edits.networks import NO_WORD, Steps, steps_from, words_behind
from textgauge.korean.notations import find_notations
from textgauge.korean.patterns import NOTATION_SIGNS
from textgauge.korean.reading_networks import read_network
from textgauge.korean.reading_trees import BLANK, Notation, or_as_written
from textgauge.korean.readings import Cleaning
from textgauge.korean.written_forms import in_usual_form

from ..nearest.joined import Join, choose_joins
from .tables import HANGUL_SYLLABLE
from .windows import Windows, equal_blocks, windows_of

Node = int | tuple[int, int]  # of a text as a network
_BLANKS = re.compile(r"\s")
_NOTHING = "\0"  # stands for the characters of a notation, with which no reading begins
_CLEANING = Cleaning("keep", "keep", "syllable", "keep")
# steps of walks: usual texts take 1.2 for each character, texts full of notations 2.4, and 3~4 beside 3~5 some 2,000
_STEPS, _STEPS_PER_CHARACTER = 10_000, 60
_CELLS = 4 * 10**7  # characters of one text times those of the other, where pairs are chosen
_AROUND = 64  # characters around the place at which the alignment of the texts as written has a notation


class Budget:
    """How many more steps looking for readings in two texts may take; in proportion to their lengths."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Takes the texts."""
        self.steps = _STEPS + _STEPS_PER_CHARACTER * sum(map(len, texts))

    @property
    def is_spent(self) -> bool:
        """Whether it took too many."""
        return self.steps < 0


def may_be_read(reference: str, prediction: str) -> bool:
    """Returns whether readings can matter: two texts that differ, one with Hangul and one with a sign of a notation.

    >>> may_be_read("3개", "세 개"), may_be_read("3 cats", "three cats"), may_be_read("", "3개")
    (True, False, False)
    """
    if reference == prediction or not reference or not prediction:
        return False
    if not (HANGUL_SYLLABLE.search(reference) or HANGUL_SYLLABLE.search(prediction)):
        return False
    return not (NOTATION_SIGNS.isdisjoint(reference) and NOTATION_SIGNS.isdisjoint(prediction))


def find_alike(reference: str, prediction: str, skips_blanks: bool) -> list[Join] | None:
    """Returns the pairs of stretches that read alike; None where looking for them would take too long.

    >>> find_alike("삼 퍼센트 할인", "3% 할인", skips_blanks=True)
    [(0, 5, 0, 2)]

    Args:
        reference: a text.
        prediction: a text. Where the two change places, so do the stretches, and nothing else changes.
        skips_blanks: whether blanks do not count.
    """
    if not may_be_read(reference, prediction):
        return []
    first, second = sorted((reference, prediction))
    pairs = _alike_in_order(first, second, skips_blanks)
    if pairs is None or (first, second) == (reference, prediction):
        return None if pairs is None else list(pairs)
    return [(second_start, second_end, start, end) for start, end, second_start, second_end in pairs]


@functools.lru_cache(2**15)  # several metrics ask for the same texts
def _alike_in_order(first: str, second: str, skips_blanks: bool) -> list[Join] | None:
    written = first, second
    usual = in_usual_form(first), in_usual_form(second)
    budget = Budget(usual)
    found = alike_stretches(usual, usual == written, skips_blanks, budget)
    if budget.is_spent:
        return None
    if not found:
        return []
    in_first = places_in_text(first, usual[0])
    in_second = places_in_text(second, usual[1])
    places: dict[Join, None] = {}  # each once, in order
    for start, end, second_start, second_end in found:
        places[in_first[start], in_first[end], in_second[second_start], in_second[second_end]] = None
    return _choose(written, list(places), skips_blanks)


def places_in_text(text: str, usual: str) -> list[int]:
    """Returns where in a text each character of its usual form is, and the end.

    >>> places_in_text("5㎏", "5kg")
    [0, 1, 1, 2]
    >>> places_in_text("3️⃣개", "3개")
    [0, 3, 4]
    """
    if text == usual:
        return list(range(len(text) + 1))
    places: list[int] = []
    for index in range(len(text)):
        start = max(0, index - 3)  # the form of ½ depends on three characters before it in 3️⃣½
        growth = len(in_usual_form(text[start : index + 1])) - len(in_usual_form(text[start:index]))
        if growth < 0:  # the circle of a keycap is left out, and with it the sign before
            del places[growth:]
        places += [index] * growth
    return [*places, len(text)]


@functools.lru_cache(2**15)  # links of the chain, metrics and systems ask for the same texts
def pieces_of(text: str) -> tuple[str | Notation, ...]:
    """Returns a text in the usual form cut into notations and what is between them.

    >>> pieces_of("약 3%")[1].written
    '3%'
    """
    return tuple(find_notations(text))


def changed_notations(text: str, windows: Windows | None) -> list[tuple[int, int, Notation]]:
    """Returns start, end and notation of those in a text that another text does not have as they are written.

    >>> [found[:2] for found in changed_notations("약 3%", windows_of([(0, 0, 1)], 0, 4, 1))]
    [(2, 4)]

    Args:
        text: in the usual form.
        windows: of its characters in the other text; None for all notations.
    """
    changed = []
    start = 0
    for piece in pieces_of(text):
        end = start + _written_size(piece)
        if isinstance(piece, Notation):
            is_same = windows is not None and windows.is_same(start, end)
            if not is_same:
                changed.append((start, end, piece))
        start = end
    return changed


def _written_size(piece: str | Notation) -> int:
    """Returns how many characters a piece of a text has as it is written."""
    return len(piece if isinstance(piece, str) else piece.written)


class _Walked:
    """A text as a network, of which the arcs are made that a walk takes.

    A node is a place in the text or, inside a notation, where that begins with the node of the notation's network.
    """

    def __init__(self, text: str) -> None:
        self.size = len(text)
        self.notations: dict[int, tuple[Notation, Steps]] = {}  # those of the text, by where they begin
        plain = []
        place = 0
        for piece in pieces_of(text):
            size = _written_size(piece)
            if isinstance(piece, Notation):
                self.notations[place] = piece, _form_of(piece)
                plain.append(_NOTHING * size)
            else:
                plain.append(_BLANKS.sub(BLANK, piece))
            place += size
        self._plain = "".join(plain)
        self._beginnings: dict[int, set[str]] = {}  # characters with which the readings of a notation can begin
        for start in self.notations:
            self._beginnings[start] = {label[0] for _, label in words_behind(self, start)}

    def __getitem__(self, node: Node) -> Sequence[tuple[Node, str]]:
        """Returns the arcs that lead from a node."""
        start, inner = (node, 0) if isinstance(node, int) else node
        if start not in self.notations:
            return [(start + 1, self._plain[start])] if start < self.size else []
        notation, form = self.notations[start]
        last = len(form) - 1
        arcs: list[tuple[Node, str]] = []
        for target, label in form[inner]:
            arcs.append((start + len(notation.written) if target == last else (start, target), label))
        return arcs

    def beginnings(self, character: str, first: int, last: int) -> list[int]:
        """Returns the places between two, these included, behind which a reading can begin with a character."""
        places = []
        for start, characters in self._beginnings.items():
            if first <= start <= last and character in characters:
                places.append(start)
        place = self._plain.find(character, max(first, 0), last + 1)
        while place >= 0:
            places.append(place)
            place = self._plain.find(character, place + 1, last + 1)
        return sorted(places)


@functools.lru_cache(2**12)
def _form_of(notation: Notation) -> Steps:
    """Returns the network of a notation, as arcs that lead from each node."""
    network, _ = read_network([or_as_written(notation)], _CLEANING)
    return steps_from(network.arcs)


def alike_stretches(texts: Sequence[str], are_usual: bool, skips_blanks: bool, budget: Budget) -> list[Join]:
    """Returns all pairs of stretches that read alike and are near each other, in order."""
    blocks = equal_blocks(*texts)
    found: set[Join] = set()
    for side in (0, 1):  # whose notations are looked for in the other text
        text = texts[side]
        other = texts[1 - side]
        windows = windows_of(blocks, side, len(text), len(other))
        notations = changed_notations(text, windows if are_usual else None)
        walked = _Walked(other) if notations else None
        for start, end, notation in notations:
            window = windows.first(start) - _AROUND, windows.last(start) + _AROUND
            skipped = notation.written if are_usual else None
            for stretch in _stretches(notation, walked, window, skips_blanks, budget, skipped):
                found.add((start, end, *stretch) if side == 0 else (*stretch, start, end))
            if budget.is_spent:
                return []
    return sorted(found)


def _stretches(
    notation: Notation,
    text: _Walked,
    window: tuple[int, int],
    skips_blanks: bool,
    budget: Budget,
    skipped: str | None,
) -> Iterator[tuple[int, int]]:
    """Yields the stretches of a text, which begin between two places, that read like a notation.

    None begins with the notation `skipped`, which is the same: all of its readings would be walked through.
    """
    form = _form_of(notation)
    for character in dict.fromkeys(label[0] for _, label in words_behind(form, 0)):
        for place in text.beginnings(character, *window):
            if skipped is not None and place in text.notations and text.notations[place][0].written == skipped:
                continue
            for end in _ends(form, text, place, skips_blanks, budget):
                if end > place:
                    yield place, end


def _ends(form: Steps, text: _Walked, start: int, skips_blanks: bool, budget: Budget) -> Iterator[int]:
    """Yields the places up to which a text reads like a notation from a place on."""
    last = len(form) - 1
    states_left: list[tuple[int, Node]] = [(0, start)]  # nodes of the notation and the text, up to which both are read
    seen = set()
    while states_left:
        state = states_left.pop()
        if state in seen:
            continue
        seen.add(state)
        budget.steps -= 1
        if budget.is_spent:
            return
        form_node, node = state
        if form_node == last and isinstance(node, int):
            yield node
        text_arcs = text[node]
        for target, label in form[form_node]:
            if label == NO_WORD or (skips_blanks and label == BLANK):
                states_left.append((target, node))
                continue
            for behind, text_label in text_arcs:
                if text_label != NO_WORD and are_equal(label, text_label):
                    states_left.append((target, behind))
        if form_node == last:
            continue
        for behind, text_label in text_arcs:
            if text_label == NO_WORD or (skips_blanks and text_label == BLANK and node != start):
                states_left.append((form_node, behind))


def _choose(texts: Sequence[str], found: Sequence[Join], skips_blanks: bool) -> list[Join] | None:
    """Returns those pairs that leave the fewest edits, of several the fewest pairs; None where it takes too long."""
    characters = []  # of both texts, those that count
    counts = []  # how many of them are before each place
    for side, text in enumerate(texts):
        are_counted = _are_counted(text, found, side, skips_blanks)
        counted = "".join(itertools.compress(text, are_counted))
        characters.append(_BLANKS.sub(BLANK, counted))
        counts.append([0, *itertools.accumulate(map(int, are_counted))])
    if len(characters[0]) * len(characters[1]) > _CELLS:
        return None

    first_counts, second_counts = counts
    by_join: dict[Join, tuple[int, Join]] = {}
    for places in found:
        start, end, second_start, second_end = places
        join = first_counts[start], first_counts[end], second_counts[second_start], second_counts[second_end]
        is_empty = join[0] == join[1] or join[2] == join[3]
        if is_empty or texts[0][start:end] == texts[1][second_start:second_end]:
            continue
        # where blanks do not count, "만" and "만 " of "만 원" are the same join
        fit = _ends_alike(texts, places)
        if join not in by_join or fit > by_join[join][0]:
            by_join[join] = fit, places
    joins = sorted(by_join, key=lambda join: (join[1], join[3], join[0], join[2]))
    if not joins:
        return []
    _, chosen = choose_joins(*characters, joins)
    return [by_join[join][1] for join in chosen]


def _are_counted(text: str, found: Sequence[Join], side: int, skips_blanks: bool) -> list[bool]:
    """Returns which characters of a text count where pairs are chosen.

    Without blanks these are letters, marks and numbers, and signs that may be a notation (1:1, A+).
    """
    if not skips_blanks:
        return [True] * len(text)
    inside: set[int] = set()
    for places in found:
        inside.update(range(*places[2 * side : 2 * side + 2]))
    are_counted = []
    for index, character in enumerate(text):
        is_counted = index in inside or unicodedata.category(character)[0] in "LMN"
        are_counted.append(is_counted and not character.isspace())
    return are_counted


def _ends_alike(texts: Sequence[str], places: Join) -> int:
    """Returns at how many ends of a pair both texts go on with a blank, or both without: 만 원 for 10,000원."""
    first, second = texts
    start, end, second_start, second_end = places
    begins_alike = _is_blank(first, start - 1) == _is_blank(second, second_start - 1)
    ends_alike = _is_blank(first, end) == _is_blank(second, second_end)
    return begins_alike + ends_alike


def _is_blank(text: str, index: int) -> bool:
    """Returns whether a text has a blank there, or nothing."""
    return not 0 <= index < len(text) or text[index].isspace()


def write_alike(reference: str, prediction: str, pairs: Sequence[Join]) -> str:
    """Returns a prediction in which all that reads alike is written as in the reference.

    >>> pairs = find_alike("삼 퍼센트 할인", "3% 할인", skips_blanks=True)
    >>> write_alike("삼 퍼센트 할인", "3% 할인", pairs)
    '삼 퍼센트 할인'
    """
    written = []
    position = 0  # up to which the prediction is copied
    for start, end, prediction_start, prediction_end in pairs:
        written += [prediction[position:prediction_start], reference[start:end]]
        position = prediction_end
    return "".join([*written, prediction[position:]])
