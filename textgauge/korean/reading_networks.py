"""Texts as networks of their readings, and the fewest edits between any reading of one text and any of another.

Lengths are those of the canonical reading: each notation by the first of its readings, all else as it is written.
"""

import functools
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Postfix, Prefix

from textgauge.core.reserved import TAG
from textgauge.edits.distances import AlignmentRun, runs_of
from textgauge.edits.network_edits import Step, are_equal, count_fewest_of_pairs
from textgauge.edits.networks import Arcs, Network, Tree, append_network, extend_network
from textgauge.tokens.cleaning import clean_characters, without_symbols

from .reading_trees import BLANK, Notation
from .readings import Cleaning, Text


class Alignment(NamedTuple):
    """The readings of two texts that are nearest to each other, and how they are aligned."""

    runs: list[AlignmentRun]
    reference: Sequence[str]  # characters
    prediction: Sequence[str]
    chosen: list[list[str]]  # [side, notation, reading]
    kinds: tuple[Sequence[str], ...] = ((), ())  # of each character of the two: the kind of its notation, "" for none


@functools.lru_cache(65536)
def _labels(leaf: str, cleaning: Cleaning) -> tuple[str, ...]:
    """Returns the labels of a text within a notation, without what does not count."""
    text, _, tag = leaf.partition(TAG)
    if tag:
        if cleaning.unit == "jamo":
            text = unicodedata.normalize("NFD", text)
        if cleaning.spaces == "remove":
            text = text.replace(BLANK, "")
        return tuple([BLANK if character == BLANK else character + tag for character in text])
    if text == BLANK:
        return () if cleaning.spaces == "remove" else (BLANK,)
    if cleaning.marks != "keep":
        text = text.lower() if cleaning.marks == "ksponspeech" else without_symbols(text)
    spaces = "remove" if cleaning.spaces == "remove" else "keep"
    return tuple(clean_characters([text], spaces, cleaning.special, cleaning.unit, "keep")[0])


def canonical_length(pieces: Text, cleaning: Cleaning) -> int:
    """Returns how many characters the canonical reading of a text has.

    >>> cleaning = Cleaning("remove", "remove", "syllable", "keep")
    >>> canonical_length([Notation("3", "number", ("alt", ("세", "삼"))), "개"], cleaning)
    2
    """
    length = 0
    for piece in pieces:
        length += len(piece) if isinstance(piece, str) else len(_canonical_labels(piece.tree, cleaning))
    return length


@functools.lru_cache(16384)
def _canonical_labels(tree: Tree, cleaning: Cleaning) -> tuple[str, ...]:
    """Returns the labels of the first reading of a notation."""
    if isinstance(tree, str):
        return _labels(tree, cleaning)
    kind, parts = tree
    labels: tuple[str, ...] = ()
    for part in parts[:1] if kind == "alt" else parts:
        labels += _canonical_labels(part, cleaning)
    return labels


def _are_read_alike(reference: Text, prediction: Text, cleaning: Cleaning) -> bool:
    """Returns whether the canonical readings of two texts are equal: then no reading is nearer."""
    labels = _labels_of_text(reference, cleaning)
    predicted_labels = _labels_of_text(prediction, cleaning)
    return len(labels) == len(predicted_labels) and all(map(are_equal, labels, predicted_labels))


def _labels_of_text(pieces: Text, cleaning: Cleaning) -> list[str]:
    """Returns the labels of the canonical reading of a text."""
    labels: list[str] = []
    for piece in pieces:
        labels += piece if isinstance(piece, str) else _canonical_labels(piece.tree, cleaning)
    return labels


@functools.lru_cache(16384)
def _fragment(tree: Tree, cleaning: Cleaning) -> tuple[Arcs, int]:
    """Returns the network of a notation, and the node it ends in."""
    arcs: Arcs = [()]
    end = extend_network(arcs, 0, tree, lambda leaf: _labels(leaf, cleaning))
    return arcs, end


def character_network(pieces: Text, cleaning: Cleaning) -> Network:
    """Returns the network of a text."""
    return read_network(pieces, cleaning)[0]


def read_network(pieces: Text, cleaning: Cleaning) -> tuple[Network, list[tuple[int, int, Notation]]]:
    """Returns the network of a text, and of each notation the first node, the one behind its last, and the notation."""
    arcs: Arcs = [()]
    node = 0
    spans = []
    for piece in pieces:
        if isinstance(piece, str):
            before = [node, *range(len(arcs), len(arcs) + len(piece) - 1)]
            arcs += [(arc,) for arc in zip(before, piece, strict=True)]
            node = len(arcs) - 1
        else:
            start = len(arcs)
            node = append_network(arcs, node, *_fragment(piece.tree, cleaning))
            spans.append((start, len(arcs), piece))
    return Network(arcs), spans


def without_common_ends(first: Text, second: Text) -> tuple[Text, Text]:
    """Returns two texts without the characters that both begin and end with as they are written: they cost nothing."""
    if first and second and isinstance(first[0], str) and isinstance(second[0], str):
        size = Prefix.similarity(first[0], second[0])
        if size:
            first = [first[0][size:], *first[1:]]
            second = [second[0][size:], *second[1:]]
    if first and second and isinstance(first[-1], str) and isinstance(second[-1], str):
        size = Postfix.similarity(first[-1], second[-1])
        if size:
            first = [*first[:-1], first[-1][:-size]]
            second = [*second[:-1], second[-1][:-size]]
    return [piece for piece in first if piece], [piece for piece in second if piece]


def fewest_edits(pairs: Sequence[tuple[Text, Text]], likely: Sequence[int], *, cleaning: Cleaning) -> list[int]:
    """Returns the fewest edits between any reading of one text and any of the other, for each pair.

    So many are `likely`, see `count_fewest`.

    >>> cleaning = Cleaning("remove", "remove", "syllable", "keep")
    >>> three = Notation("3", "number", ("alt", ("세", "삼")))
    >>> fewest_edits([([three, "개"], ["세개"]), ([three, "개"], ["네개"])], [2, 2], cleaning=cleaning)
    [0, 1]
    """
    fewest = [0] * len(pairs)
    different = []  # pairs whose canonical readings are not equal; for the others no network is made
    references = []
    predictions = []
    for number, pair in enumerate(pairs):
        reference, prediction = without_common_ends(*pair)
        if not _are_read_alike(reference, prediction, cleaning):
            different.append(number)
            references.append(character_network(reference, cleaning))
            predictions.append(character_network(prediction, cleaning))
    counts = count_fewest_of_pairs(references, predictions, [likely[number] for number in different])
    for number, edits in zip(different, counts, strict=True):
        fewest[number] = edits
    return fewest


class Units(NamedTuple):
    """The parts of a text that are read as a whole: its characters and notations, or its eojeols.

    Attributes:
        of: of each node of a network its unit, -1 for the first node.
        are_borders: whether a unit ends behind each node.
        ends: of each node whether its label begins a unit, and whether it ends one.
        lengths: of the canonical reading of each unit.
        written: each unit as it is written.
    """

    of: list[int]
    are_borders: list[bool]
    ends: list[tuple[bool, bool]]
    lengths: list[int]
    written: list[str]


def character_units(pieces: Text, cleaning: Cleaning) -> Units:
    """Returns the characters and notations of a text."""
    units = Units([-1], [True], [(True, True)], [], [])
    for piece in pieces:
        n_units = len(units.lengths)
        if isinstance(piece, str):
            size = len(piece)
            units.of.extend(range(n_units, n_units + size))
            units.lengths.extend([1] * size)
            units.written.extend(piece)
            units.are_borders.extend([True] * size)
        else:
            arcs, _ = _fragment(piece.tree, cleaning)
            size = len(arcs) - 1
            units.of.extend([n_units] * size)
            units.are_borders.extend([False] * (size - 1) + [True] * (size > 0))
            units.lengths.append(len(_canonical_labels(piece.tree, cleaning)))
            units.written.append(piece.written)
        units.ends.extend([(True, True)] * size)
    return units


def align_readings(reference: Text, prediction: Text, steps: list[Step], cleaning: Cleaning) -> Alignment:
    """Returns the nearest readings of two texts, aligned by these steps."""
    nodes = [node for _, node, _ in steps if node >= 0]
    predicted_nodes = [node for _, _, node in steps if node >= 0]
    shown = show_readings(*read_network(reference, cleaning), nodes)
    predicted = show_readings(*read_network(prediction, cleaning), predicted_nodes)
    return alignment_of(steps, shown, predicted)


class Shown(NamedTuple):
    """A path of a network as it is shown.

    Attributes:
        texts: its characters, or its words.
        chosen: [notation, reading] of each notation.
        kinds: of each of the texts the kind of its notation, "" for none.
    """

    texts: list[str]
    chosen: list[list[str]]
    kinds: list[str]


def alignment_of(steps: list[Step], reference: Shown, prediction: Shown) -> Alignment:
    """Returns an alignment of these steps."""
    chosen = [["reference", *reading] for reading in reference.chosen]
    chosen += [["prediction", *reading] for reading in prediction.chosen]
    runs = runs_of(kind for kind, _, _ in steps)
    return Alignment(runs, reference.texts, prediction.texts, chosen, (reference.kinds, prediction.kinds))


def show_readings(network: Network, spans: list[tuple[int, int, Notation]], nodes: list[int]) -> Shown:
    """Returns the characters of a path as they are shown, with the reading of each notation.

    Args:
        network: of a text.
        spans: its notations, as `read_network` returns them.
        nodes: of the path, in order. What may be a word, and is not read, is shown as it is written.
    """
    labels = {node: network.arcs[node][0][1] for node in nodes}
    shown = {node: label[0] for node, label in labels.items()}
    kinds = dict.fromkeys(nodes, "")
    chosen = []
    for start, end, notation in spans:
        inside = nodes[bisect_left(nodes, start) : bisect_left(nodes, end)]
        kinds.update(dict.fromkeys(inside, notation.kind))
        is_read = not any(labels[node][1:2] == "!" for node in inside)
        reading = "".join(labels[node][0] for node in inside).strip()
        chosen.append([notation.written, reading if is_read else notation.written])
        if not is_read:
            inside = [node for node in inside if labels[node] != BLANK]
            parts = np.array_split(list(notation.written.replace(BLANK, "")), len(inside))
            shown.update((node, "".join(part)) for node, part in zip(inside, parts, strict=True))
    return Shown(list(shown.values()), chosen, list(kinds.values()))
