"""What a path of a network of readings says, with its blanks, also where these do not count."""

from typing import NamedTuple

from textgauge.core.reserved import TAG
from textgauge.edits.networks import Tree

from .reading_networks import tree_labels
from .readings import Cleaning


def text_of_path(tree: Tree, nodes: set[int], first: int, cleaning: Cleaning, is_joined: bool = False) -> str:
    """Returns the text that a path has of a tree.

    Of parts without a node, such as blanks that are removed, it takes the first one, or the shortest if it is joined.

    >>> text_of_path(("alt", ("세", "삼")), {2}, 1, Cleaning("remove", "remove", "syllable", "keep"))
    '삼'

    Args:
        tree: of a notation.
        nodes: of the path, numbered as `extend_network` does.
        first: the first node that the tree adds to the network.
        cleaning: what counts.
        is_joined: whether blanks that may be missing are.
    """
    return _Walk(nodes, first, cleaning, is_joined).taken(tree, first - 1).text


class _Taken(NamedTuple):
    """What a path has of a tree."""

    text: str
    end: int  # the node behind it
    n_labels: int
    n_on_path: int  # of the labels


class _Walk:
    """Goes through a tree, and numbers its nodes."""

    def __init__(self, nodes: set[int], first: int, cleaning: Cleaning, is_joined: bool) -> None:
        """Takes the nodes of a path, and the first one of the tree."""
        self._nodes = nodes
        self._next = first
        self._cleaning = cleaning
        self._is_joined = is_joined

    def taken(self, tree: Tree, node: int) -> _Taken:
        """Returns what the path has of a tree that begins behind a node."""
        if isinstance(tree, str):
            return self._leaf(tree, node)
        kind, parts = tree
        return self._sequence(parts, node) if kind == "seq" else self._one_of(parts, node)

    def _leaf(self, leaf: str, node: int) -> _Taken:
        size = len(tree_labels(leaf, self._cleaning))
        numbers = range(self._next, self._next + size)
        self._next += size
        end = self._next - 1 if size else node
        return _Taken(leaf.partition(TAG)[0], end, size, sum(number in self._nodes for number in numbers))

    def _sequence(self, parts: tuple[Tree, ...], node: int) -> _Taken:
        taken = [_Taken("", node, 0, 0)]
        for part in parts:
            taken.append(self.taken(part, taken[-1].end))
        texts, ends, sizes, on_path = zip(*taken, strict=True)
        return _Taken("".join(texts), ends[-1], sum(sizes), sum(on_path))

    def _one_of(self, parts: tuple[Tree, ...], node: int) -> _Taken:
        ways = [self.taken(part, node) for part in parts]
        end = ways[0].end
        if any(way.end != end for way in ways):  # they join in a node of their own
            end = self._next
            self._next += 1
        best = max(ways, key=lambda way: (way.n_on_path, -way.n_labels, -len(way.text) * self._is_joined))
        return best._replace(end=end)
