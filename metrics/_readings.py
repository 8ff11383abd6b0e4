"""Texts as networks of their readings, and the fewest edits between any reading of one text and any of another.

Only texts with a notation become networks; two texts without one are compared as they are. Denominators are the
characters of the reference's canonical reading: each notation by the first of its readings, all else as it is written.
"""

import functools
import itertools
import os
import re
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from ._cleaning import clean_characters
from ._cleaning import split_transcript
from ._columns import lengths_of
from ._edits import Run
from ._edits import align
from ._edits import count_edits
from ._edits import error_rate
from ._korean_notations import BLANK
from ._korean_notations import KINDS
from ._korean_notations import NOTATION_SIGNS
from ._korean_notations import Notation
from ._korean_notations import Piece
from ._korean_notations import find_notations
from ._korean_notations import frozen
from ._network_edits import count_fewest
from ._network_edits import edit_table
from ._network_edits import label
from ._network_edits import trace
from ._networks import Network
from ._networks import Tree
from ._networks import extend_network
from ._networks import texts_of
from ._reading_tables import Readings
from ._references import best_references

_PLACE = "\U00017000"  # stands for a notation while a text is cleaned: a letter that no Korean text has
_SIGNS = re.compile(f"[{NOTATION_SIGNS}]")
_SIGNS_OF_TRANSCRIPTS = re.compile(rf"[{NOTATION_SIGNS}]|\)\s*/\s*\(")


class Alignment(NamedTuple):
    """The readings of two texts that are nearest to each other, and how they are aligned."""

    runs: list[Run]
    reference: list[str]  # characters
    prediction: list[str]
    chosen: list[list[str]]  # [side, notation, reading]


class Cleaning(NamedTuple):
    """What counts, as `clean_characters` takes it."""

    spaces: str
    special: str
    unit: str
    marks: str


Text = list[str | Notation]


def has_notation(texts: Sequence[str], readings: Readings, marks: str) -> list[bool]:
    """Returns which texts may have a notation."""
    signs = _SIGNS_OF_TRANSCRIPTS if marks == "ksponspeech" else _SIGNS
    if readings.own or marks == "ksponspeech":
        search = _own_pattern(readings.own, signs.pattern).search if readings.own else signs.search
        return [search(text) is not None and _PLACE not in text for text in texts]
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.int32)
    is_sign = _sign_table().take(codes)
    if not is_sign.any():
        return [False] * len(texts)
    found = np.concatenate([[0], np.cumsum(is_sign)])[np.concatenate([[0], np.cumsum(lengths_of(texts))])]
    return [has and _PLACE not in text for has, text in zip((np.diff(found) > 0).tolist(), texts, strict=True)]


@functools.cache
def _sign_table() -> np.ndarray:
    """Returns for each code point whether it is a sign of a notation; all are in Unicode's first plane."""
    table = np.zeros(0x110000, dtype=bool)
    table[: 2**16] = [_SIGNS.match(chr(code)) is not None for code in range(2**16)]
    return table


@functools.lru_cache(64)
def _own_pattern(table: tuple[tuple[str, tuple[str, ...]], ...], others: str = "") -> re.Pattern[str]:
    """Returns what finds the user's notations: not within a Latin word or number, and not after Hangul with Hangul."""
    parts = []
    for notation, _ in table:
        before = "(?<![0-9A-Za-z])" if notation[0].isascii() else "(?<![가-힣])" if "가" <= notation[0] <= "힣" else ""
        after = "(?![0-9A-Za-z])" if notation[-1].isascii() else ""
        parts.append(before + re.escape(notation) + after)
    return re.compile("|".join([*parts, *([others] if others else [])]))


@functools.lru_cache(4096)
def _pieces_of(text: str, readings: Readings, marks: str) -> tuple[str | Notation, ...]:
    """Returns a text cut into notations and what is between them."""
    pieces: Text = []
    for part in split_transcript(text) if marks == "ksponspeech" else [text]:
        if isinstance(part, str):
            pieces += _own_pieces(part, readings)
        else:
            trees: list[Tree] = [("seq", [_tree_of(piece) for piece in _own_pieces(side, readings)]) for side in part]
            if "transcript" in readings.kinds:
                pieces += _own_pieces(part[0], readings)
            else:
                pieces.append(Notation(f"({part[0]})/({part[1]})", "transcript", frozen(("alt", trees))))
    return tuple(pieces)


def _tree_of(piece: str | Notation) -> Tree:
    return piece.tree if isinstance(piece, Notation) else piece


def _own_pieces(text: str, readings: Readings) -> Text:
    """Finds the user's notations, and the Korean ones in the rest."""
    if not readings.own or "own" in readings.kinds:
        return _korean_pieces(text, readings)
    pieces: Text = []
    table, position = dict(readings.own), 0
    for match in _own_pattern(readings.own).finditer(text):
        pieces += _korean_pieces(text[position : match.start()], readings)
        written = match[0]
        # a word in Hangul is itself a reading, and the first one
        is_reading = "가" <= written[0] <= "힣"
        others = [_tree_of(piece) for piece in _korean_pieces(written, readings)]
        own_trees: list[Tree] = [Piece(reading, f"own {written}") for reading in table[written]]
        trees = [("seq", others), *own_trees] if is_reading else [*own_trees, ("seq", others)]
        pieces.append(Notation(written, "own", frozen(("alt", trees))))
        position = match.end()
    return [*pieces, *_korean_pieces(text[position:], readings)]


def _korean_pieces(text: str, readings: Readings) -> Text:
    if not readings.is_korean or not text:
        return [text] if text else []
    return [
        piece.written if isinstance(piece, Notation) and piece.kind in readings.kinds else piece
        for piece in find_notations(text)
    ]


def read_texts(texts: Sequence[str], readings: Readings, cleaning: Cleaning) -> list[Text]:
    """Returns the pieces of texts; what is between notations is cleaned."""
    found = [_pieces_of(text, readings, cleaning.marks) for text in texts]
    joined = ["".join(piece if isinstance(piece, str) else _PLACE for piece in pieces) for pieces in found]
    if cleaning.marks == "ksponspeech":
        joined = [text.lower() for text in joined]
    cleaned = clean_characters(joined, **{**cleaning._asdict(), "marks": "keep"})
    result: list[Text] = []
    for text, pieces in zip(cleaned, found, strict=True):
        notations = [piece for piece in pieces if isinstance(piece, Notation)]
        between = text.split(_PLACE)
        both = [part for pair in zip(between, [*notations, ""], strict=True) for part in pair]
        result.append([part for part in both if part])
    return result


@functools.lru_cache(16384)
def _labels(text: str, tag: str, is_guarded: bool, cleaning: Cleaning) -> tuple[str, ...]:
    """Returns the labels of a text within a notation, without what does not count."""
    if text == BLANK:
        return (BLANK,)
    spaces = "remove" if cleaning.spaces == "remove" else "keep"
    if not tag and cleaning.marks == "ksponspeech":
        text = text.lower()
    special = cleaning.special if not tag else "keep"
    [text] = clean_characters([text], spaces, special, cleaning.unit, "keep")
    return tuple(label(character, tag, is_guarded) for character in text)


def _labels_of(leaf: str, cleaning: Cleaning) -> tuple[str, ...]:
    if isinstance(leaf, Piece):
        return _labels(str(leaf), leaf.tag, leaf.is_guarded, cleaning)
    return _labels(leaf, "", False, cleaning)


def _with_blanks(tree: Tree, is_kept: bool) -> Tree:
    """Returns a tree whose blanks may be missing, or without them."""
    if isinstance(tree, str):
        return (("alt", [BLANK, ""]) if is_kept else "") if tree == BLANK else tree
    kind, parts = tree
    return kind, [_with_blanks(part, is_kept) for part in parts]


def canonical_length(pieces: Text, cleaning: Cleaning) -> int:
    """Returns how many characters the canonical reading of a text has."""
    return sum(
        len(piece) if isinstance(piece, str) else _canonical_characters(piece.tree, cleaning) for piece in pieces
    )


@functools.lru_cache(16384)
def _canonical_characters(tree: Tree, cleaning: Cleaning) -> int:
    if isinstance(tree, str):
        return 0 if tree == BLANK and cleaning.spaces == "remove" else len(_labels_of(tree, cleaning))
    kind, parts = tree
    chosen = parts[:1] if kind == "alt" else parts
    return sum(_canonical_characters(part, cleaning) for part in chosen)


@functools.lru_cache(16384)
def _fragment(tree: Tree, cleaning: Cleaning) -> tuple[list[list[tuple[int, Any]]], int]:
    """Returns the arcs of a notation, as those of a network without its first node, 0, and the node it ends in."""
    tree = _with_blanks(tree, cleaning.spaces != "remove")
    arcs: list[list[tuple[int, Any]]] = [[]]
    end = extend_network(arcs, 0, tree, (_labels_of(leaf, cleaning) for leaf in texts_of(tree)))
    return arcs[1:], end


def read_network(pieces: Text, cleaning: Cleaning) -> tuple[Network, list[tuple[int, int, Notation]]]:
    """Returns the network of a text, and of each notation the first node, the one behind its last, and the notation."""
    arcs: list[list[tuple[int, Any]]] = [[]]
    node, spans = 0, []
    for piece in pieces:
        if isinstance(piece, str):
            before = [node, *range(len(arcs), len(arcs) + len(piece) - 1)]
            arcs += [[arc] for arc in zip(before, piece, strict=True)]
            node = len(arcs) - 1
        else:
            added, end = _fragment(piece.tree, cleaning)
            start, shift = len(arcs), len(arcs) - 1
            arcs += [[(source + shift if source else node, word) for source, word in sources] for sources in added]
            node = end + shift if end else node
            spans.append((start, len(arcs), piece))
    return Network(arcs), spans


def _without_common_ends(first: Text, second: Text) -> tuple[Text, Text]:
    """Returns two texts without what both begin and end with, which costs nothing."""
    if not (first and second and first != second):
        return ([], []) if first == second else (first, second)
    for end in (0, -1):
        if first and second and isinstance(first[end], str) and isinstance(second[end], str):
            size = len(os.path.commonprefix([first[0], second[0]] if end == 0 else [first[-1][::-1], second[-1][::-1]]))
            cut = slice(size, None) if end == 0 else slice(None, -size or None)
            first, second = list(first), list(second)
            first[end], second[end] = first[end][cut], second[end][cut]
            first, second = [piece for piece in first if piece], [piece for piece in second if piece]
    return first, second


def fewest_edits(reference: Text, prediction: Text, cleaning: Cleaning) -> int:
    """Returns the fewest edits between any reading of one text and any of the other."""
    reference, prediction = _without_common_ends(reference, prediction)
    networks = [read_network(pieces, cleaning)[0] for pieces in (reference, prediction)]
    return count_fewest(*networks)


def runs_of(kinds: Iterable[str]) -> list[Run]:
    """Returns the steps of an alignment as runs of one kind."""
    runs: list[Run] = []
    for kind in kinds:
        i, j = runs[-1][2::2] if runs else (0, 0)
        ends = i + (kind != "insert"), j + (kind != "delete")
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1], ends[0], runs[-1][3], ends[1])
        else:
            runs.append((kind, i, ends[0], j, ends[1]))
    return runs


def align_readings(reference: Text, prediction: Text, cleaning: Cleaning) -> Alignment:
    """Returns the nearest readings of two texts, aligned."""
    networks, spans = zip(*(read_network(pieces, cleaning) for pieces in (reference, prediction)), strict=True)
    table = edit_table(*networks)
    steps = trace(table, *networks)
    runs = runs_of(kind for kind, *_ in steps)
    sides = []
    chosen = []
    for name, network, own_spans, place in zip(("reference", "prediction"), networks, spans, (1, 2), strict=True):
        labels = {step[place]: network.arcs[step[place]][0][1] for step in steps if step[place] >= 0}
        shown = {node: word[0] for node, word in labels.items()}
        for start, end, notation in own_spans:
            nodes = [node for node in labels if start <= node < end]
            chosen.append([name, notation.written, "".join(labels[node][0] for node in nodes)])
            if any(labels[node][1:2] == "!" for node in nodes):  # what may be a word is shown as it is written
                parts = np.array_split(list(notation.written), len(nodes))
                shown.update((node, "".join(part)) for node, part in zip(nodes, parts, strict=True))
        sides.append(list(shown.values()))
    return Alignment(runs, *sides, chosen)


class Chosen(NamedTuple):
    """For each segment the reference with the lowest rate, and how far it is from the prediction."""

    references: list[str]  # cleaned, as they are written
    predictions: list[str]
    pairs: dict[int, tuple[Text, Text]]  # the segments in which one of the two has a notation, read
    edits: np.ndarray
    lengths: np.ndarray  # of the canonical reading of the reference
    counts: np.ndarray | None  # (n_segments, 4) substitutions, deletions, insertions, hits
    indices: list[int]  # which reference of its segment it is
    literal: np.ndarray  # (n_segments, 2) edits and denominator as written, of the reference that is nearest then


class Comparison(NamedTuple):
    """How two texts with notations are compared: their edits, the length of a reference, and the alignment."""

    edits: Callable[[Text, Text], int]
    length: Callable[[Text], int]
    align: Callable[[Text, Text], Alignment]


def by_characters(cleaning: Cleaning) -> Comparison:
    """Returns the comparison of a character error rate."""
    return Comparison(
        lambda reference, prediction: fewest_edits(reference, prediction, cleaning),
        lambda reference: canonical_length(reference, cleaning),
        lambda reference, prediction: align_readings(reference, prediction, cleaning),
    )


class Pairs(NamedTuple):
    """Each reference of a chunk with the prediction of its segment."""

    references: list[str]  # not cleaned
    predictions: list[str]
    compared_references: list[str]  # what is compared where no text has a notation
    compared_predictions: list[str]
    counts: np.ndarray  # references of each segment


def choose_readings(
    texts: Pairs,
    readings: Readings,
    cleaning: Cleaning,
    comparison: Comparison,
    bounded: bool = False,
    ties: str = "jiwer",
    with_counts: bool = False,
) -> Chosen:
    """Returns the nearest reference of each segment, by its readings.

    Args:
        texts: of the chunk.
        readings: that are equal.
        cleaning: what counts.
        comparison: of two texts with notations.
        bounded: divide by edits and hits.
        ties: which alignment has the hits, see `align`.
        with_counts: count each kind of edit.
    """
    references, predictions = texts.compared_references, texts.compared_predictions
    edits = cpdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int64)
    lengths = lengths_of(references)
    literal_edits, literal_lengths = edits.copy(), lengths.copy()
    pairs = _read_pairs(texts.references, texts.predictions, readings, cleaning)
    for index, pair in pairs.items():
        edits[index], lengths[index] = comparison.edits(*pair), comparison.length(pair[0])
    steps = None
    if with_counts or bounded:
        literal_steps = count_edits(references, predictions, literal_edits, ties)
        steps = literal_steps.copy()
        for index, pair in pairs.items():
            steps[index] = _count_runs(comparison.align(*pair).runs)
        if bounded:
            literal_lengths = literal_edits + literal_steps[:, 3]
    rates = error_rate(edits, edits + steps[:, 3] if bounded else lengths)
    chosen, nearest = (best_references(-r, texts.counts) for r in (rates, error_rate(literal_edits, literal_lengths)))
    places = chosen.tolist()
    return Chosen(
        references=[references[index] for index in places],
        predictions=[predictions[index] for index in places],
        pairs={row: pairs[index] for row, index in enumerate(places) if index in pairs},
        edits=edits[chosen],
        lengths=lengths[chosen],
        counts=None if steps is None else steps[chosen],
        indices=(chosen - np.cumsum(texts.counts) + texts.counts).tolist(),
        literal=np.column_stack([literal_edits[nearest], literal_lengths[nearest]]),
    )


def _count_runs(runs: Sequence[Run]) -> list[int]:
    """Returns substitutions, deletions, insertions and hits."""
    kinds = ("substitute", "delete", "insert", "equal")
    return [sum(max(run[2] - run[1], run[4] - run[3]) for run in runs if run[0] == kind) for kind in kinds]


def alignments_of(chosen: Chosen, cleaning: Cleaning, ties: str) -> list[Alignment]:
    """Returns the alignment of each segment."""
    found = []
    for row, (reference, prediction) in enumerate(zip(chosen.references, chosen.predictions, strict=True)):
        if row in chosen.pairs:
            found.append(align_readings(*chosen.pairs[row], cleaning))
        else:
            found.append(Alignment(align(reference, prediction, ties), list(reference), list(prediction), []))
    return found


def forgiven_edits(
    predictions: Sequence[str], references: Sequence[str], edits: np.ndarray, readings: Readings, cleaning: Cleaning
) -> np.ndarray:
    """Returns how many more edits there would be if a kind of notation were not read, (n_pairs, kinds) int64.

    It may be negative: the readings of two notations may differ in more characters than the notations.
    """
    found = np.zeros((len(edits), len(KINDS)), dtype=np.int64)
    for row, texts in enumerate(zip(references, predictions, strict=True)):
        if not any(has_notation(texts, readings, cleaning.marks)):
            continue
        pieces = itertools.chain.from_iterable(read_texts(texts, readings, cleaning))
        kinds = {piece.kind for piece in pieces if isinstance(piece, Notation)}
        for kind in kinds:
            pair = read_texts(texts, readings._replace(kinds=frozenset([kind])), cleaning)
            found[row, KINDS.index(kind)] = fewest_edits(*pair, cleaning) - edits[row]
    return found


def _read_pairs(
    references: Sequence[str], predictions: Sequence[str], readings: Readings, cleaning: Cleaning
) -> dict[int, tuple[Text, Text]]:
    """Returns the pairs in which one text has a notation, by their index."""
    flags = (has_notation(texts, readings, cleaning.marks) for texts in (references, predictions))
    chosen = [index for index, pair in enumerate(zip(*flags, strict=True)) if any(pair)]
    texts = [text for index in chosen for text in (references[index], predictions[index])]
    read = read_texts(texts, readings, cleaning)
    return dict(zip(chosen, zip(read[::2], read[1::2], strict=True), strict=True))
