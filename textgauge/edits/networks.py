"""Networks of sentences that mean the same: how they are written, as trees, and as graphs.

Each path of a graph from the first node to the last is a sentence. A graph has no cycles, and its nodes are numbered so
that each arc leads to a higher number.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from textgauge.core.columns import has_lone_surrogate
from textgauge.core.errors import InputError

_DEEPEST = 50  # brackets within brackets
_FORMS = '{"seq": [...]} or {"alt": [...]}'
NO_WORD = -1  # the word of an arc without a word
_ESCAPED = re.compile(r"\\([()|\\])")
# text with the characters that are escaped in it; or one of ( ) |; or a backslash that escapes nothing
_COMPACT = re.compile(r"(?:[^()|\\]+|\\[()|\\])+|.")

Arcs = list[tuple[tuple[int, Any], ...]]  # for each node of a network the arcs that lead to it, pairs (node, word)
Tree = str | tuple[str, list[Any]]  # a text, or ("seq" or "alt", parts)


class Network(NamedTuple):
    """A network as a graph."""

    arcs: Arcs


def read_network(text: str, notation: str, place: str) -> Tree:
    """Returns a network as a tree.

    >>> read_network('{"seq": [{"alt": ["개가", "강아지가"]}, "잔다"]}', "json", "references[0][0]")
    ('seq', [('alt', ['개가', '강아지가']), '잔다'])

    Args:
        text: "text" is one sentence; "json" is a string, {"seq": [...]} or {"alt": [...]}; "compact" has alternatives
            as (a|b|), with a backslash before ( ) | and backslash where they are text.
        notation: "text", "json" or "compact".
        place: name of the text in error messages.

    Raises:
        InputError: names the text and the position, and says what is wrong there.
    """
    if notation == "text":
        return text
    if notation == "compact":
        return _read_compact(text, place)
    return _checked(_decoded(text, place), place, 0)


def _decoded(text: str, place: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(f"{place}, position {error.pos}: {error.msg}; pass JSON: a string, {_FORMS}") from None
    except RecursionError:
        raise InputError(f"{place} is nested more than {_DEEPEST} deep") from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{place}: {error}; pass JSON: a string, {_FORMS}") from None


def _read_compact(text: str, place: str) -> Tree:
    groups: list[list[list[Tree]]] = [[[]]]  # for each open bracket its alternatives, and their parts
    opened: list[int] = []
    piece = ""
    for match in _COMPACT.finditer(text):
        piece = match[0]
        position = match.start()
        if piece == "(":
            groups.append([[]])
            opened.append(position)
            if len(opened) > _DEEPEST:
                raise InputError(f"{place}, position {position}: brackets are nested more than {_DEEPEST} deep")
        elif piece == "|":
            groups[-1].append([])
        elif piece == ")":
            if not opened:
                raise InputError(rf"{place}, position {position}: ) without (; write \) where it is text")
            opened.pop()
            alternatives = groups.pop()
            groups[-1][-1].append(("alt", [("seq", parts) for parts in alternatives]))
        elif piece != "\\":
            groups[-1][-1].append(_ESCAPED.sub(r"\1", piece))
        elif position + 1 < len(text):
            after = text[position + 1]
            raise InputError(rf"{place}, position {position + 1}: \ is before {after!r:.200}; only ( ) | \ need it")
    if opened or piece == "\\":
        position, what = (opened[-1], "( without )") if opened else (len(text) - 1, "\\ before nothing")
        raise InputError(f"{place}, position {position}: {what}; write \\( and \\\\ where they are text")
    return "alt", [("seq", parts) for parts in groups[0]]


def _object(pairs: list[tuple[str, Any]]) -> Any:
    """Returns an object of JSON as a dict, or as pairs if a key occurs twice, which are not a network."""
    as_dict = dict(pairs)
    return as_dict if len(as_dict) == len(pairs) else pairs


def _checked(value: Any, place: str, depth: int) -> Tree:
    """Returns decoded JSON as a tree."""
    if depth > _DEEPEST:
        raise InputError(f"{place} is nested more than {_DEEPEST} deep")
    if isinstance(value, str):
        if has_lone_surrogate(value):
            raise InputError(f"{place} is {value!r:.40}, which is not valid Unicode")
        return value
    if isinstance(value, dict) and len(value) == 1:
        [(kind, parts)] = value.items()
        if kind in ("seq", "alt") and isinstance(parts, list) and (parts or kind == "seq"):
            return kind, [_checked(part, f"{place}.{kind}[{i}]", depth + 1) for i, part in enumerate(parts)]
    raise InputError(f"{place} is {value!r:.60}; pass a string, {_FORMS}, with at least one alternative")


def texts_of(tree: Tree) -> Iterator[str]:
    """Yields the texts of a tree from left to right.

    >>> list(texts_of(("seq", [("alt", ["개가", "강아지가"]), " 잔다"])))
    ['개가', '강아지가', ' 잔다']
    """
    if isinstance(tree, str):
        yield tree
    else:
        for part in tree[1]:
            yield from texts_of(part)


def compile_network(tree: Tree, words: Iterator[Sequence[Any]]) -> Network:
    """Returns the graph of a tree; `words` yields the words of its texts, as numbers, in the order of `texts_of`.

    >>> compile_network(("seq", [("alt", ["개가", "강아지가"]), "잔다"]), iter([[0], [1], [2]])).arcs
    [(), ((0, 0),), ((0, 1),), ((1, -1), (2, -1)), ((3, 2),)]
    """
    arcs: Arcs = [()]
    extend_network(arcs, 0, tree, lambda _: next(words))
    return Network(arcs)


def extend_network(arcs: Arcs, node: int, tree: Tree, words: Callable[[str], Sequence[Any]]) -> int:
    """Adds a tree behind a node to the arcs of a graph; returns the node that all its sentences end in.

    `words` returns the words of a text of the tree; the texts come in the order of `texts_of`.

    >>> arcs = [()]
    >>> extend_network(arcs, 0, "개가 잔다", str.split), arcs
    (2, [(), ((0, '개가'),), ((1, '잔다'),)])
    """

    if isinstance(tree, str):
        for word in words(tree):
            arcs.append(((node, word),))
            node = len(arcs) - 1
        return node
    kind, parts = tree
    if kind == "seq":
        for part in parts:
            node = extend_network(arcs, node, part, words)
        return node
    ends = dict.fromkeys([extend_network(arcs, node, part, words) for part in parts])
    if len(ends) == 1:
        return next(iter(ends))
    arcs.append(tuple([(end, NO_WORD) for end in ends]))
    return len(arcs) - 1


def append_network(arcs: Arcs, node: int, added: Arcs, end: int) -> int:
    """Adds the arcs of a graph that ends in `end` behind a node; returns the node that all sentences end in then.

    >>> arcs = [(), ((0, "개가"),)]
    >>> append_network(arcs, 1, [(), ((0, "잔다"),)], 1), arcs
    (2, [(), ((0, '개가'),), ((1, '잔다'),)])
    """
    shift = len(arcs) - 1
    for sources in added[1:]:
        if len(sources) == 1:  # most of them
            source, word = sources[0]
            arcs.append(((source + shift if source else node, word),))
        else:
            arcs.append(tuple([(source + shift if source else node, word) for source, word in sources]))
    return end + shift if end else node


def only_path(network: Network) -> list[int] | None:
    """Returns the words of a network with a single path, and None for others: where paths join, arcs have no word.

    >>> branching = Network([(), ((0, 7),), ((0, 8),), ((1, NO_WORD), (2, NO_WORD))])
    >>> only_path(Network([(), ((0, 7),), ((1, 8),)])), only_path(branching)
    ([7, 8], None)
    """
    if all(arcs[0][1] != NO_WORD for arcs in network.arcs[1:]):
        return [arcs[0][1] for arcs in network.arcs[1:]]
    return None
