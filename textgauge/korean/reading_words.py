"""The fewest word edits between any reading of one text and any of another, where a reading also says where words end.

The idea: a text is a network of words, as it is one of characters in `reading_networks.py`. What is not part of a
notation is a word as it is written. An eojeol with a notation becomes several `Word`s, each of which stands for all
readings from one place to another, a place being a node behind a blank. Two words are equal if they can be read alike,
which a walk through the characters of both tells, so that no reading is written out. All words that end at the same two
places share one walk. The plain version is `edits_of_readings` of tests/oracles.py.
"""

import functools
import itertools
import math
import operator
from collections.abc import Collection, Iterator, Sequence

from textgauge.edits.network_edits import Equality, Step, are_equal, count_fewest, nearest_paths
from textgauge.edits.networks import NO_WORD, Arcs, Network, append_network

from .reading_networks import Alignment, Shown, Units, alignment_of, read_network, show_readings
from .reading_trees import BLANK, Notation, canonical, canonical_text, tree_of
from .readings import Cleaning, Text

WORD_CLEANING = Cleaning("collapse", "keep", "syllable", "keep")
_MOST_WORDS = 1000  # of an eojeol; "2-0(6-36-2)으로" has 730
Labels = tuple[str, ...]
Eojeol = str | tuple  # as it is written, or pieces of which one is a notation


class End:
    """Where words of a network of characters end: all that is read from a place to here, without a blank in between."""

    __slots__ = ("arcs", "characters", "node", "places")

    def __init__(self, arcs: Arcs, node: int, places: Collection[int]) -> None:
        """Takes the arcs that lead to each node, the node of the last character, and where words may begin."""
        self.arcs = arcs
        self.node = node
        self.places = places
        self.characters = frozenset(_last_characters(arcs, node))


class Word:
    """All readings from one place of a network of characters to another, without a blank in between."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: End) -> None:
        """Takes the place where it begins, and its end."""
        self.start = start
        self.end = end


def _last_characters(arcs: Arcs, node: int) -> Iterator[str]:
    for source, label in arcs[node]:
        if label == NO_WORD:
            yield from _last_characters(arcs, source)
        else:
            yield label[0]


@functools.lru_cache(4096)
def _as_written(text: str) -> Word:
    arcs: Arcs = [(), *((arc,) for arc in enumerate(text + BLANK))]
    return Word(0, End(arcs, len(text), {0}))


def _are_alike(first: str | Word, second: str | Word) -> bool:
    """Returns whether two words can be read alike."""
    if isinstance(first, str):
        if isinstance(second, str):
            return first == second
        first, second = second, first
    second = _as_word(second)
    if first.end.characters.isdisjoint(second.end.characters):
        return False
    return (first.start, second.start) in _common_starts(first.end, second.end)


WORD_EQUALITY = Equality(_are_alike, lambda word: word[-1] if isinstance(word, str) else word.end.characters)


def _as_word(word: str | Word) -> Word:
    return _as_written(word) if isinstance(word, str) else word


@functools.lru_cache(16384)
def _common_starts(first: End, second: End) -> set[tuple[int, int]]:
    """Returns from which two places to these ends something can be read alike."""
    starts = set()
    seen = set()
    left = [(first.node, second.node, False)]
    while left:  # from the last characters to the first
        state = left.pop()
        if state in seen:
            continue
        seen.add(state)

        u, v, has_read = state
        arcs = first.arcs[u]
        other_arcs = second.arcs[v]
        if arcs and arcs[0][1] == NO_WORD:
            left += [(source, v, has_read) for source, _ in arcs]
        elif other_arcs and other_arcs[0][1] == NO_WORD:
            left += [(u, source, has_read) for source, _ in other_arcs]
        elif has_read and u in first.places and v in second.places:
            starts.add((u, v))
        elif arcs and other_arcs:
            source, label = arcs[0]
            other_source, other = other_arcs[0]
            if BLANK not in (label, other) and are_equal(label, other):
                left.append((source, other_source, True))
    return starts


def _common_reading(first: Word, second: Word) -> tuple | None:
    """Returns a reading that two words share, None if they share none; a word and itself share the canonical reading.

    It is (label, label of the second word, rest), the rest of the last character is None.
    """
    seen = set()
    left = [(first.end.node, second.end.node, None)]
    while left:  # from the last characters to the first
        u, v, read = left.pop()
        state = u, v, read is None
        if state in seen:
            continue
        seen.add(state)

        arcs = first.end.arcs[u]
        other_arcs = second.end.arcs[v]
        if arcs and arcs[0][1] == NO_WORD:
            left += [(source, v, read) for source, _ in reversed(arcs)]
        elif other_arcs and other_arcs[0][1] == NO_WORD:
            left += [(u, source, read) for source, _ in reversed(other_arcs)]
        elif arcs and other_arcs and u != first.start and v != second.start:
            source, label = arcs[0]
            other_source, other = other_arcs[0]
            if BLANK not in (label, other) and are_equal(label, other):
                left.append((source, other_source, (label, other, read)))
        elif (u, v) == (first.start, second.start) and read:
            return read
    return None


def eojeols(text: Text) -> list[Eojeol]:
    """Returns the pieces of a text between blanks.

    >>> eojeols(["모두 세", " 개"])
    ['모두', '세', '개']
    """
    result: list[Eojeol] = []
    begun: list[str | Notation] = []  # pieces of an eojeol that has not ended
    for piece in [*text, BLANK]:
        first, *others = piece.split(BLANK) if isinstance(piece, str) else [piece]
        if first:
            begun.append(first)
        if not others:
            continue
        if begun:
            is_plain = all(isinstance(part, str) for part in begun)
            result.append("".join(begun) if is_plain else tuple(begun))
        result += filter(None, others[:-1])
        begun = [others[-1]] if others[-1] else []
    return result


@functools.lru_cache(16384)
def _eojeol_network(eojeol: tuple) -> tuple[Arcs, int]:
    """Returns the network of words of an eojeol with a notation, and the node it ends in.

    Of an eojeol that has more words than any that people write, as "1-1-1-1-1-1-" of a recogniser that loops, only the
    canonical reading is there: the words of two such would be compared with one another for minutes.
    """
    return _words_of(eojeol, _MOST_WORDS) or _words_of(tuple(map(canonical, eojeol)), math.inf)


def _words_of(eojeol: tuple, most: float) -> tuple[Arcs, int] | None:
    """Returns the network of words of an eojeol with a notation, and its last node; None where there are more words."""
    arcs = read_network([*eojeol, BLANK], WORD_CLEANING)[0].arcs
    words: Arcs = [()]
    places = [0]  # in the network of characters
    nodes = [0]  # of these places, in the network of words
    all_places = {0}
    # for each node the places from which it is reached without a character, and with some, as bits
    near = [1]
    far = [0]
    for node, sources in enumerate(arcs[1:], start=1):
        if len(words) > most:
            return None
        source, label = sources[0]
        if label == BLANK:
            end = End(arcs, source, all_places)
            ways = []
            for bit, (start, start_node) in enumerate(zip(places, nodes, strict=True)):
                if far[source] >> bit & 1:
                    ways.append(len(words))
                    words.append(((start_node, Word(start, end)),))
                if near[source] >> bit & 1:
                    ways.append(start_node)
            if len(ways) > 1:
                words.append(tuple([(way, NO_WORD) for way in ways]))
                ways = [len(words) - 1]
            near.append(1 << len(places))
            far.append(0)
            places.append(node)
            all_places.add(node)
            nodes += ways
        elif label == NO_WORD:
            for masks in (near, far):
                masks.append(functools.reduce(operator.or_, [masks[source] for source, _ in sources]))
        else:
            near.append(0)
            far.append(near[source] | far[source])
    return words, nodes[-1]


def _word_network(eojeols: list[Eojeol]) -> Network:
    """Returns a text as a network of words."""
    arcs: Arcs = [()]
    node = 0
    for eojeol in eojeols:
        if isinstance(eojeol, str):
            arcs.append(((node, eojeol),))
            node = len(arcs) - 1
        else:
            node = append_network(arcs, node, *_eojeol_network(eojeol))
    return Network(arcs)


def fewest_word_edits(pairs: Sequence[tuple[Text, Text]], likely: Sequence[int]) -> list[int]:
    """Returns the fewest word edits between any reading of one text and any of the other, for each pair.

    So many are `likely`, see `count_fewest`.

    >>> fewest_word_edits([(["모두 세 개"], ["모두 세개"])], [2])
    [2]
    """
    fewest = []
    for (reference, prediction), likely_edits in zip(pairs, likely, strict=True):
        fewest.append(_fewest_word_edits(reference, prediction, likely_edits))
    return fewest


def _fewest_word_edits(reference: Text, prediction: Text, likely: int) -> int:
    first = eojeols(reference)
    second = eojeols(prediction)
    for _ in range(2):  # what both begin and end with as it is written costs nothing
        while first and second and isinstance(first[-1], str) and first[-1] == second[-1]:
            first.pop()
            second.pop()
        first.reverse()
        second.reverse()
    return count_fewest(_word_network(first), _word_network(second), WORD_EQUALITY, likely)


def canonical_words(reference: Text) -> int:
    """Returns how many words the canonical reading of a text has."""
    return len("".join(canonical_text(tree_of(piece)) for piece in reference).split())


def word_network(text: Text) -> Network:
    """Returns a text as a network of words."""
    return _word_network(eojeols(text))


def word_units(text: Text) -> Units:
    """Returns the eojeols of a text."""
    units = Units([-1], [True], [(True, True)], [], [])
    for unit, eojeol in enumerate(eojeols(text)):
        is_plain = isinstance(eojeol, str)
        arcs, end = ([(), ((0, eojeol),)], 1) if is_plain else _eojeol_network(eojeol)
        firsts = _reached(arcs, {0})
        lasts = _before_end(arcs, end)
        for node, sources in enumerate(arcs[1:], start=1):
            units.of.append(unit)
            units.are_borders.append(node == end)
            begins = any(source in firsts for source, _ in sources)
            units.ends.append((begins, node in lasts))
        units.lengths.append(1 if is_plain else canonical_words(list(eojeol)))
        units.written.append("".join(part if isinstance(part, str) else part.written for part in eojeol))
    return units


def _reached(arcs: Arcs, nodes: set[int]) -> set[int]:
    """Returns nodes, and those that are reached from them without a word."""
    for node, sources in enumerate(arcs):
        if any(label == NO_WORD and source in nodes for source, label in sources):
            nodes.add(node)
    return nodes


def _before_end(arcs: Arcs, end: int) -> set[int]:
    """Returns the nodes from which the last one is reached without a word, and it."""
    nodes = {end}
    for node in range(end, 0, -1):
        if node in nodes:
            nodes |= {source for source, label in arcs[node] if label == NO_WORD}
    return nodes


def align_words(reference: Text, prediction: Text, steps: list[Step]) -> Alignment:
    """Returns the nearest readings of two texts, aligned word by word by these steps."""
    wanted = word_network(reference)
    predicted = word_network(prediction)
    readings: list[Labels] = []
    predicted_readings: list[Labels] = []
    for kind, node, predicted_node in steps:
        word = _as_word(wanted.arcs[node][0][1]) if node >= 0 else None
        predicted_word = _as_word(predicted.arcs[predicted_node][0][1]) if predicted_node >= 0 else None
        if kind == "equal":
            labels, predicted_labels = _labels_of_reading(_common_reading(word, predicted_word))
            readings.append(labels)
            predicted_readings.append(predicted_labels)
            continue
        if word:
            labels, _ = _labels_of_reading(_common_reading(word, word))
            readings.append(labels)
        if predicted_word:
            labels, _ = _labels_of_reading(_common_reading(predicted_word, predicted_word))
            predicted_readings.append(labels)
    return alignment_of(steps, _shown(reference, readings), _shown(prediction, predicted_readings))


def _labels_of_reading(reading: tuple | None) -> tuple[Labels, Labels]:
    """Returns the labels of both words, of a reading as `_common_reading` returns it."""
    labels = []
    other_labels = []
    while reading:
        label, other_label, reading = reading
        labels.append(label)
        other_labels.append(other_label)
    return tuple(labels), tuple(other_labels)


def _shown(text: Text, words: list[Labels]) -> Shown:
    """Returns words that are a reading of a text as they are shown."""
    labels: list[str] = []
    for word in words:
        labels += [BLANK, *word]
    labels = labels[1:]
    path = Network([(), *((arc,) for arc in enumerate(labels))])
    network, spans = read_network(text, WORD_CLEANING)
    steps = nearest_paths(network, path)
    nodes = [node for kind, node, _ in steps if kind != "insert"]
    characters, chosen, kinds = show_readings(network, spans, nodes)
    if not characters:
        return Shown([], chosen, [])

    word_kinds = []
    runs = itertools.groupby(zip(characters, kinds, strict=True), lambda pair: pair[0] == BLANK)
    for is_blank, run in runs:
        if not is_blank:
            word_kinds.append(max([kind for _, kind in run]))
    return Shown("".join(characters).split(BLANK), chosen, word_kinds)
