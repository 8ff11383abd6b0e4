"""Texts as networks of their readings, and the fewest edits between any reading of one text and any of another.

Lengths are those of the canonical reading: each notation by the first of its readings, all else as it is written.
"""

import functools
import unicodedata

from rapidfuzz.distance import Prefix

from textgauge.core.reserved import TAG
from textgauge.edits.network_edits import are_equal
from textgauge.edits.networks import Arcs, Network, Tree, append_network, extend_network
from textgauge.tokens.cleaning import clean_characters, without_symbols

from .reading_trees import BLANK, Notation
from .readings import Cleaning, Text


@functools.lru_cache(65536)
def tree_labels(leaf: str, cleaning: Cleaning) -> tuple[str, ...]:
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


@functools.lru_cache(16384)
def _canonical_labels(tree: Tree, cleaning: Cleaning) -> tuple[str, ...]:
    """Returns the labels of the first reading of a notation."""
    if isinstance(tree, str):
        return tree_labels(tree, cleaning)
    kind, parts = tree
    labels: tuple[str, ...] = ()
    for part in parts[:1] if kind == "alt" else parts:
        labels += _canonical_labels(part, cleaning)
    return labels


def are_read_alike(reference: Text, prediction: Text, cleaning: Cleaning) -> bool:
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
    end = extend_network(arcs, 0, tree, lambda leaf: tree_labels(leaf, cleaning))
    return arcs, end


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


def without_common_ends(first: Text, second: Text, is_whole: bool = False) -> tuple[Text, Text]:
    """Returns two texts without the characters that both begin and end with as they are written: they cost nothing.

    Of words only whole ones are left out, if asked.

    >>> without_common_ends(["모두 세 개"], ["모두 네 개"], is_whole=True)
    (['세'], ['네'])
    """
    starts = _without_common_start(first, second, is_whole)
    ends = _without_common_start(*map(_reversed, starts), is_whole)
    one, other = map(_reversed, ends)
    return one, other


def _reversed(text: Text) -> Text:
    """Returns a text from its end; notations stay as they are."""
    return [piece[::-1] if isinstance(piece, str) else piece for piece in reversed(text)]


def _without_common_start(first: Text, second: Text, is_whole: bool) -> tuple[Text, Text]:
    """Returns two texts without the characters, or words, that both begin with as they are written."""
    if not (first and second and isinstance(first[0], str) and isinstance(second[0], str)):
        return first, second
    if is_whole:
        behind = [text[0] + BLANK if len(text) == 1 else text[0] for text in (first, second)]
        size = behind[0].rfind(BLANK, 0, Prefix.similarity(*behind)) + 1
    else:
        size = Prefix.similarity(first[0], second[0])
    one, other = ([text[0][size:], *text[1:]] if text[0][size:] else text[1:] for text in (first, second))
    return one, other
