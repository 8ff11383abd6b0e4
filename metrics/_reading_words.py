"""The fewest word edits between any reading of one text and any of another, where a reading also says where words end.

The idea: a text is a network of words, as it is one of characters in `_reading_networks.py`. What is not part of a
notation is a word as it is written. An eojeol with a notation becomes several `Word`s, each of which stands for all
readings from one place to another, a place being a node behind a blank. Two words are equal if they can be read alike,
which a walk through the characters of both tells, so that no reading is written out. The plain version is
`edits_of_readings` of tests/oracles.py.
"""

import functools
from collections.abc import Iterable
from collections.abc import Iterator

from ._edits import runs_of
from ._network_edits import are_equal
from ._network_edits import count_fewest
from ._network_edits import edit_table
from ._network_edits import trace
from ._networks import NO_WORD
from ._networks import Arcs
from ._networks import Network
from ._reading_networks import Alignment
from ._reading_networks import read_network
from ._reading_networks import show_readings
from ._reading_trees import BLANK
from ._reading_trees import canonical_text
from ._readings import Cleaning
from ._readings import Text
from ._readings import tree_of

WORD_CLEANING = Cleaning("collapse", "keep", "syllable", "keep")
Labels = tuple[str, ...]
Eojeol = str | tuple  # as it is written, or pieces of which one is a notation


class Word:
    """All readings from one place of a network of characters to another, without a blank in between."""

    def __init__(self, arcs: Arcs, start: int, end: int, first: Labels) -> None:
        """Takes the arcs that leave each node, the two places, and the labels of the first reading."""
        self.arcs, self.start, self.end, self.first = arcs, start, end, first
        self.beginnings = frozenset(_first_characters(arcs, start))


def _first_characters(arcs: Arcs, place: int) -> Iterator[str]:
    """Yields the first character of each word from a place on."""
    for target, label in arcs[place]:
        if label == NO_WORD:
            yield from _first_characters(arcs, target)
        elif label != BLANK:
            yield label[0]


@functools.lru_cache(4096)
def _as_written(text: str) -> Word:
    arcs: list = [[(node, character)] for node, character in enumerate(text + BLANK, start=1)]
    return Word([*arcs, []], 0, len(arcs), tuple(text))


def _are_alike(first: str | Word, second: str | Word) -> bool:
    """Returns whether two words can be read alike."""
    if isinstance(first, str):
        if isinstance(second, str):
            return first == second
        first, second = second, first
    if isinstance(second, str):
        return second[0] in first.beginnings and _common_reading(first, _as_written(second)) is not None
    return not first.beginnings.isdisjoint(second.beginnings) and _common_reading(first, second) is not None


@functools.lru_cache(16384)
def _common_reading(first: Word, second: Word) -> tuple[Labels, Labels] | None:
    """Returns the labels of a reading that two words share, as each of them has it; None if there is none."""
    seen, left = {(first.start, second.start)}, [(first.start, second.start, (), ())]
    while left:
        u, v, labels, others = left.pop()
        ways = [(to, v, labels, others) for to, label in first.arcs[u] if label == NO_WORD]
        ways += [(u, to, labels, others) for to, label in second.arcs[v] if label == NO_WORD]
        for to, label in first.arcs[u]:
            for other_to, other in second.arcs[v]:
                if label == other == BLANK:
                    if labels and (to, other_to) == (first.end, second.end):
                        return labels, others
                elif not {BLANK, NO_WORD} & {label, other} and are_equal(label, other):
                    ways.append((to, other_to, (*labels, label), (*others, other)))
        for way in ways:
            if way[:2] not in seen:
                seen.add(way[:2])
                left.append(way)
    return None


def _eojeols(text: Text) -> list[Eojeol]:
    """Returns what is between the blanks of a text."""
    found: list[list] = [[]]
    for piece in text:
        parts = piece.split(BLANK) if isinstance(piece, str) else [piece]
        found[-1] += parts[:1]
        found += [[part] for part in parts[1:]]
    pieces = (tuple(piece for piece in eojeol if piece) for eojeol in found)
    return [eojeol[0] if all(isinstance(piece, str) for piece in eojeol) else eojeol for eojeol in pieces if eojeol]


@functools.lru_cache(16384)
def _fragment(eojeol: tuple) -> tuple[Arcs, int]:
    """Returns the arcs of an eojeol with a notation, without those of its first node, 0, and the node it ends in."""
    characters, _ = read_network([*eojeol, BLANK], WORD_CLEANING)
    arcs = _leaving_arcs(characters)
    behind = [node for node, sources in enumerate(characters.arcs) if any(label == BLANK for _, label in sources)]
    found: Arcs = []
    nodes, ends = {0: 0}, {place: [] for place in behind}
    for place in (0, *behind):
        if place:
            if len(ends[place]) > 1:
                found.append([(node, NO_WORD) for node in ends[place]])
                ends[place] = [len(found)]
            nodes[place] = ends[place][0]
        for to, labels in _words_from(arcs, place):
            if labels:
                found.append([(nodes[place], Word(arcs, place, to, labels))])
            ends[to].append(len(found) if labels else nodes[place])
    return found, nodes[behind[-1]]


def _leaving_arcs(network: Network) -> Arcs:
    """Returns for each node the arcs that leave it: pairs (node, word)."""
    found: Arcs = [[] for _ in network.arcs]
    for node, arcs in enumerate(network.arcs):
        for source, word in arcs:
            found[source].append((node, word))
    return found


def _words_from(arcs: Arcs, place: int) -> Iterable[tuple[int, Labels]]:
    """Returns the next places, each with the labels of the first word that leads there, or none if no word does."""
    found: dict[tuple[int, bool], Labels] = {}
    seen, left = {(place, False)}, [(place, ())]
    while left:
        node, labels = left.pop()
        for to, label in reversed(arcs[node]):
            after = labels if label == NO_WORD else (*labels, label)
            if label == BLANK:
                found.setdefault((to, bool(labels)), labels)
            elif (to, bool(after)) not in seen:
                seen.add((to, bool(after)))
                left.append((to, after))
    return [(to, labels) for (to, _), labels in found.items()]


def _word_network(eojeols: list[Eojeol]) -> Network:
    """Returns a text as a network of words."""
    arcs: Arcs = [[]]
    node = 0
    for eojeol in eojeols:
        if isinstance(eojeol, str):
            arcs.append([(node, eojeol)])
            node = len(arcs) - 1
        else:
            added, end = _fragment(eojeol)
            shift = len(arcs) - 1
            arcs += [[(source + shift if source else node, word) for source, word in sources] for sources in added]
            node = end + shift if end else node
    return Network(arcs)


def fewest_word_edits(reference: Text, prediction: Text) -> int:
    """Returns the fewest word edits between any reading of one text and any of the other."""
    first, second = _eojeols(reference), _eojeols(prediction)
    for _ in range(2):  # what both begin and end with as it is written costs nothing
        while first and second and isinstance(first[-1], str) and first[-1] == second[-1]:
            first.pop()
            second.pop()
        first.reverse()
        second.reverse()
    return count_fewest(_word_network(first), _word_network(second), _are_alike)


def canonical_words(reference: Text) -> int:
    """Returns how many words the canonical reading of a text has."""
    return len("".join(canonical_text(tree_of(piece)) for piece in reference).split())


def align_words(reference: Text, prediction: Text) -> Alignment:
    """Returns the nearest readings of two texts, aligned word by word."""
    networks = [_word_network(_eojeols(text)) for text in (reference, prediction)]
    steps = trace(edit_table(*networks, _are_alike), *networks, _are_alike)
    sides: tuple[list[Labels], list[Labels]] = [], []
    for kind, *nodes in steps:
        words = [
            _as_word(network.arcs[node][0][1]) if node >= 0 else None
            for network, node in zip(networks, nodes, strict=True)
        ]
        read = _common_reading(*words) if kind == "equal" else [word and word.first for word in words]
        for side, labels in zip(sides, read, strict=True):
            if labels:
                side.append(labels)
    shown, chosen = zip(*map(_shown, (reference, prediction), sides), strict=True)
    named = [[name, *own] for name, found in zip(("reference", "prediction"), chosen, strict=True) for own in found]
    return Alignment(runs_of(step[0] for step in steps), *shown, named)


def _as_word(word: str | Word) -> Word:
    return _as_written(word) if isinstance(word, str) else word


def _shown(text: Text, words: list[Labels]) -> tuple[list[str], list[list[str]]]:
    """Returns words that are a reading of a text as they are shown, and which reading each notation has."""
    labels = [label for word in words for label in (BLANK, *word)][1:]
    path = Network([[], *([(node, label)] for node, label in enumerate(labels))])
    network, spans = read_network(text, WORD_CLEANING)
    steps = trace(edit_table(network, path), network, path)
    characters, chosen = show_readings(network, spans, [node for kind, node, _ in steps if kind != "insert"])
    return ("".join(characters).split(BLANK) if characters else []), chosen
