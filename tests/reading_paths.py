"""All readings of a text, written out: the slow way to look at networks of readings."""

import itertools
import math

from textgauge.core.reserved import TAG
from textgauge.korean.reading_trees import BLANK, Notation


def labelled(tree):
    """Returns every path of a tree, as lists of (character, tag, guarded)."""
    if isinstance(tree, str):
        text, _, tag = tree.partition(TAG)
        return [[(character, tag[1:], tag.startswith("!")) for character in text]]
    kind, parts = tree
    paths = [labelled(part) for part in parts]
    if kind == "alt":
        return [path for group in paths for path in group]
    return [list(itertools.chain.from_iterable(choice)) for choice in itertools.product(*paths)]


def number_of_paths(tree):
    if isinstance(tree, str):
        return 1
    return (sum if tree[0] == "alt" else math.prod)(map(number_of_paths, tree[1]))


def are_few(texts):
    """Returns whether the slow version can list all readings."""
    return (
        math.prod(number_of_paths(piece.tree) for text in texts for piece in text if isinstance(piece, Notation)) < 5000
    )


def all_paths(text):
    pieces = [piece if isinstance(piece, str) else piece.tree for piece in text]
    literal = [[[(character, "", False) for character in piece]] if isinstance(piece, str) else labelled(piece)
               for piece in pieces]  # fmt: skip
    return [list(itertools.chain.from_iterable(choice)) for choice in itertools.product(*literal)]


def same_character(first, second):
    (one, tag, guarded), (other, other_tag, other_guarded) = first, second
    if one != other:
        return False
    if tag and other_tag:
        return tag == other_tag
    return not (guarded or other_guarded)


def same_word(first, second):
    return len(first) == len(second) and all(map(same_character, first, second))


def words_of(path):
    groups = itertools.groupby(path, lambda character: character[0] == BLANK)
    return [tuple(group) for is_blank, group in groups if not is_blank]
