"""The fewest word edits between any reading of one text and any of another, where a reading also says where words end.

The idea: a text is a network of words, as it is one of characters in `reading_networks.py`. What is not part of a
notation is a word as it is written. An eojeol with a notation becomes several `Word`s, each of which stands for all
readings from one place to another, a place being a node behind a blank. Two words are equal if they can be read alike,
which a walk through the characters of both tells, so that no reading is written out. All words that end at the same two
places share one walk. The plain version is `edits_of_readings` of tests/oracles.py.
"""

import functools
import operator
from collections.abc import Collection, Iterator, Sequence

from textgauge.edits.network_edits import Equality, Step, are_equal
from textgauge.edits.networks import NO_WORD, Arcs, Network, append_network

from .reading_networks import read_network
from .reading_trees import BLANK, Notation
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
def _eojeol_network(eojeol: tuple) -> tuple[Arcs, int] | None:
    """Returns the network of words of an eojeol with a notation, and the node it ends in.

    None for an eojeol that has more words than any that people write, as "1-1-1-1-1-1-" of a recogniser that loops: the
    words of two such would be compared with one another for minutes.
    """
    arcs = read_network([*eojeol, BLANK], WORD_CLEANING)[0].arcs
    words: Arcs = [()]
    places = [0]  # in the network of characters
    nodes = [0]  # of these places, in the network of words
    all_places = {0}
    # for each node the places from which it is reached without a character, and with some, as bits
    near = [1]
    far = [0]
    for node, sources in enumerate(arcs[1:], start=1):
        if len(words) > _MOST_WORDS:
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
                # of ways with as few edits that of most words, as the canonical reading mostly is
                words.append(tuple([(way, NO_WORD) for way in reversed(ways)]))
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


def word_network(text: Text) -> Network | None:
    """Returns a text as a network of words; None if one of its eojeols has too many."""
    arcs: Arcs = [()]
    node = 0
    for eojeol in eojeols(text):
        if isinstance(eojeol, str):
            arcs.append(((node, eojeol),))
            node = len(arcs) - 1
            continue
        words = _eojeol_network(eojeol)
        if words is None:
            return None
        node = append_network(arcs, node, *words)
    return Network(arcs)


def nodes_of_steps(
    texts: Sequence[Text], networks: Sequence[Network], steps: Sequence[Step]
) -> tuple[list[set[int]], list[set[int]]]:
    """Returns the nodes of the networks of characters of two texts that their nearest words take.

    The second ones are those of words that look like those that the other text has there without being equal. A word
    that both have is what they can both be read as; others have their canonical readings.

    Args:
        texts: that are compared.
        networks: of their words.
        steps: that align these.
    """
    words, other_words = _readings_of_steps(*networks, steps)
    first, second = texts
    nodes = _nodes_of(first, words)
    other_nodes = _nodes_of(second, other_words)
    clashing: set[int] = set()
    other_clashing: set[int] = set()
    index = other_index = 0
    for kind, node, other_node in steps:
        if kind == "substitute" and _looks(words[index]) == _looks(other_words[other_index]):
            clashing.update(nodes[index])
            other_clashing.update(other_nodes[other_index])
        index += node >= 0
        other_index += other_node >= 0
    return [set().union(*nodes), set().union(*other_nodes)], [clashing, other_clashing]


def _looks(word: Labels) -> str:
    """Returns the characters of a word without what they may equal."""
    return "".join(label[0] for label in word)


def _nodes_of(text: Text, words: list[Labels]) -> list[list[int]]:
    """Returns the nodes of the network of characters of a text that each of some words takes, which are a path of it.

    The idea: walk from the last character to the first, and try the first readings first.
    """
    labels: list[str] = []
    owners: list[int] = []
    for number, word in enumerate(words):
        labels += [BLANK, *word]
        owners += [number] * (1 + len(word))
    nodes: list[list[int]] = [[] for _ in words]
    taken = _walk_back(read_network(text, WORD_CLEANING)[0], labels[1:])
    while taken:
        node, place, taken = taken
        nodes[owners[1 + place]].append(node)
    return nodes


def _walk_back(network: Network, labels: list[str]) -> tuple | None:
    """Returns the path of a network that has these labels, as (node, place of label, rest); several blanks are one."""
    seen = set()
    left: list[tuple[int, int, tuple | None]] = [(len(network.arcs) - 1, len(labels), None)]
    while left:
        node, place, taken = left.pop()
        if (node, place) in seen:
            continue
        seen.add((node, place))
        arcs = network.arcs[node]
        if not arcs:
            if not place:
                return taken
        elif arcs[0][1] == NO_WORD:
            left += [(source, place, taken) for source, _ in reversed(arcs)]
        else:
            source, label = arcs[0]
            if label == BLANK and (place in (0, len(labels)) or labels[place] == BLANK):
                left.append((source, place, taken))
            if place and labels[place - 1] == label:
                left.append((source, place - 1, (node, place - 1, taken)))
    return None


def _readings_of_steps(wanted: Network, predicted: Network, steps: Sequence[Step]) -> tuple[list[Labels], list[Labels]]:
    """Returns the words of both networks that are aligned, as they are read."""
    readings: list[Labels] = []
    predicted_readings: list[Labels] = []
    for kind, node, predicted_node in steps:
        word = wanted.arcs[node][0][1] if node >= 0 else None
        predicted_word = predicted.arcs[predicted_node][0][1] if predicted_node >= 0 else None
        if kind == "equal":
            labels, predicted_labels = _labels_of_both(word, predicted_word)
            readings.append(labels)
            predicted_readings.append(predicted_labels)
            continue
        if word is not None:
            readings.append(_labels_of_both(word, word)[0])
        if predicted_word is not None:
            predicted_readings.append(_labels_of_both(predicted_word, predicted_word)[0])
    return readings, predicted_readings


def _labels_of_both(first: str | Word, second: str | Word) -> tuple[Labels, Labels]:
    """Returns the labels of two words in a reading that they share."""
    if isinstance(first, str) and isinstance(second, str):
        return tuple(first), tuple(second)
    reading = _common_reading(_as_word(first), _as_word(second))
    labels = []
    other_labels = []
    while reading:
        label, other_label, reading = reading
        labels.append(label)
        other_labels.append(other_label)
    return tuple(labels), tuple(other_labels)
