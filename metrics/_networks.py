"""Networks of sentences that mean the same: their notations, and shortest paths between a sentence and a network.

A network is a graph without cycles whose nodes are numbered so that each arc leads to a higher number; each path from
the first node to the last is a sentence. Distances are minima over all paths and all permitted orders of the
prediction's words at once, found by walking both graphs together, without writing any sentence out.
"""

import functools
import itertools
import json
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

import numpy as np

_DEEPEST = 50  # brackets within brackets
_FAR = 2**60
_FORMS = '{"seq": [...]} or {"alt": [...]}'
_EMPTY = -1  # the word of an arc that has none

Tree = str | tuple[str, list[Any]]  # a text, or ("seq" or "alt", parts)


class Network(NamedTuple):
    """For each node the arcs that lead to it: pairs (node, word)."""

    arcs: list[list[tuple[int, int]]]


class Orders(NamedTuple):
    """The orders in which n words may stand: a graph whose states say which words have been read."""

    sources: np.ndarray  # (n_arcs,) state that an arc starts from; arcs are sorted by the state that they lead to
    words: np.ndarray  # (n_arcs,) position of the word that it reads
    starts: np.ndarray  # (n_states - 1,) first arc to each state but the first
    levels: list[tuple[int, int]]  # for each number of words read but 0, its states


def read_network(text: str, notation: str, place: str) -> Tree:
    """Returns a network as a tree.

    Args:
        text: "text" is one sentence; "json" is a string, {"seq": [...]} or {"alt": [...]}; "compact" has alternatives
            as (a|b|), with a backslash before ( ) | and backslash where they are text.
        notation: "text", "json" or "compact".
        place: of the text, for error messages.

    Raises:
        ValueError: names the place, the position, and what is wrong there.
    """
    if notation == "text":
        return text
    if notation == "compact":
        return _read_compact(text, place)
    try:
        return _checked(json.loads(text, object_pairs_hook=_object), place, 0)
    except json.JSONDecodeError as error:
        raise ValueError(f"{place}, position {error.pos}: {error.msg}; pass JSON: a string, {_FORMS}") from None
    except RecursionError:
        raise ValueError(f"{place} is nested more than {_DEEPEST} deep") from None


def _read_compact(text: str, place: str) -> Tree:
    groups: list[list[list[Tree]]] = [[[]]]  # for each open bracket its alternatives, and their parts
    opened: list[int] = []
    is_escaped = False
    for position, character in enumerate(text):
        parts = groups[-1][-1]
        if is_escaped and character not in "()|\\":
            raise ValueError(rf"{place}, position {position}: \ stands before {character!r}; only ( ) | \ need it")
        if not is_escaped and character == "(":
            groups.append([[]])
            opened.append(position)
            if len(opened) > _DEEPEST:
                raise ValueError(f"{place}, position {position}: brackets are nested more than {_DEEPEST} deep")
        elif not is_escaped and character == "|":
            groups[-1].append([])
        elif not is_escaped and character == ")":
            if not opened:
                raise ValueError(rf"{place}, position {position}: ) without (; write \) where it is text")
            opened.pop()
            alternatives = groups.pop()
            groups[-1][-1].append(("alt", [("seq", parts) for parts in alternatives]))
        elif is_escaped or character != "\\":
            if not (parts and isinstance(parts[-1], str)):
                parts.append("")
            parts[-1] += character
        is_escaped = not is_escaped and character == "\\"
    if opened or is_escaped:
        position, what = (opened[-1], "( without )") if opened else (len(text) - 1, "\\ before nothing")
        raise ValueError(f"{place}, position {position}: {what}; write \\( and \\\\ where they are text")
    return "alt", [("seq", parts) for parts in groups[0]]


def _object(pairs: list[tuple[str, Any]]) -> Any:
    """Returns an object of JSON as a dict; one that has a key twice as it stands, which is no network."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else pairs


def _checked(value: Any, place: str, depth: int) -> Tree:
    """Returns decoded JSON as a tree."""
    if depth > _DEEPEST:
        raise ValueError(f"{place} is nested more than {_DEEPEST} deep")
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise ValueError(f"{place} is {value!r:.40}, which is not valid Unicode")
        return value
    if isinstance(value, dict) and len(value) == 1:
        [(kind, parts)] = value.items()
        if kind in ("seq", "alt") and isinstance(parts, list) and (parts or kind == "seq"):
            return kind, [_checked(part, f"{place}.{kind}[{i}]", depth + 1) for i, part in enumerate(parts)]
    raise ValueError(f"{place} is {value!r:.60}; pass a string, {_FORMS}, with at least one alternative")


def texts_of(tree: Tree) -> Iterator[str]:
    """Yields the texts of a tree from left to right."""
    if isinstance(tree, str):
        yield tree
    else:
        for part in tree[1]:
            yield from texts_of(part)


def compile_network(tree: Tree, words: Iterator[Sequence[int]]) -> Network:
    """Returns the graph of a tree; `words` yields the words of its texts, as numbers, in the order of `texts_of`."""
    arcs: list[list[tuple[int, int]]] = [[]]

    def add(arcs_to_it: list[tuple[int, int]]) -> int:
        arcs.append(arcs_to_it)
        return len(arcs) - 1

    def build(tree: Tree, node: int) -> int:
        if isinstance(tree, str):
            for word in next(words):
                node = add([(node, word)])
            return node
        kind, parts = tree
        if kind == "seq":
            for part in parts:
                node = build(part, node)
            return node
        ends = [build(part, node) for part in parts]
        return ends[0] if len(ends) == 1 else add([(end, _EMPTY) for end in ends])

    build(tree, 0)
    return Network(arcs)


def only_path(network: Network) -> list[int] | None:
    """Returns the words of a network with one path, None for others."""
    if all(len(arcs) == 1 and arcs[0][1] != _EMPTY for arcs in network.arcs[1:]):
        return [arcs[0][1] for arcs in network.arcs[1:]]
    return None


@functools.lru_cache(256)
def orders_of(n_words: int, window: int) -> Orders:
    """Returns the orders in which the next word is always one of the `window` words from the first one not yet read.

    Kanthak et al. (2005). A state is the first word not yet read, and which of the window - 1 words behind it have been
    read; there are at most n 2^(window - 1).
    """
    states = {(0, 0): 0}
    level, arcs, levels = [(0, 0)], [], []
    for _ in range(n_words):
        following: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for first, read in level:
            after, rest = first + 1, read
            while rest & 1:
                after, rest = after + 1, rest >> 1
            following.setdefault((after, rest >> 1), []).append((states[first, read], first))
            for ahead in range(min(window, n_words - first) - 1):
                if not read >> ahead & 1:
                    state = (first, read | 1 << ahead)
                    following.setdefault(state, []).append((states[first, read], first + 1 + ahead))
        levels.append((len(states), len(states) + len(following)))
        for state, arcs_to_it in following.items():
            states[state] = len(states)
            arcs.append(arcs_to_it)
        level = list(following)
    sources, words = np.array([*itertools.chain.from_iterable(arcs)], dtype=np.int64).reshape(-1, 2).T
    starts = np.cumsum([0, *map(len, arcs)])[:-1]
    return Orders(sources, words, starts, levels)


class Costs(NamedTuple):
    """What steps cost: edits x denominator - numerator x length, and of equal costs the shorter path, in one number."""

    edit: int
    length: int


def distances(
    network: Network, prediction: np.ndarray, orders: Orders, costs: Costs, keep_all: bool
) -> dict[int, np.ndarray]:
    """Returns for nodes of the network the cheapest way to each state of the prediction, (n_states,) int64.

    Args:
        network: as compiled.
        prediction: words as numbers.
        orders: of as many words.
        costs: of steps.
        keep_all: whether for all nodes, or for the last one alone.
    """
    n_states = len(orders.starts) + 1
    differs = _other_word(prediction[orders.words], costs.edit)
    last_use = {source: node for node, arcs in enumerate(network.arcs) for source, _ in arcs}
    start = np.full(n_states, _FAR)
    start[0] = 0
    found = {0: _insert(start, orders, costs.edit)}
    for node, arcs in enumerate(network.arcs[1:], start=1):
        best = np.full(n_states, _FAR)
        for source, word in arcs:
            before = found[source]
            if word == _EMPTY:
                best = np.minimum(best, before)
                continue
            best = np.minimum(best, before + costs.edit + costs.length)
            if n_states > 1:
                read = np.minimum.reduceat(before[orders.sources] + differs(word), orders.starts)
                best[1:] = np.minimum(best[1:], read + costs.length)
        found[node] = _insert(best, orders, costs.edit)
        if not keep_all:
            for source in {source for source, _ in arcs if last_use[source] == node}:
                del found[source]
    return found


def _other_word(words: np.ndarray, edit: int) -> Callable[[int], np.ndarray]:
    """Returns a function of a word: the cost of reading each of the words instead."""
    return functools.cache(lambda word: np.where(words == word, 0, edit))


def _insert(best: np.ndarray, orders: Orders, edit: int) -> np.ndarray:
    """Lets words of the prediction be read without a step in the network; changes its argument."""
    if len(orders.words) == len(orders.starts):  # one order
        ramp = np.arange(len(best)) * edit
        return np.minimum.accumulate(best - ramp) + ramp
    first_arc = np.append(orders.starts, len(orders.sources))
    for start, end in orders.levels:
        arcs = slice(first_arc[start - 1], first_arc[end - 1])
        read = np.minimum.reduceat(best[orders.sources[arcs]], orders.starts[start - 1 : end - 1] - arcs.start)
        best[start:end] = np.minimum(best[start:end], read + edit)
    return best


def trace(
    network: Network, prediction: np.ndarray, orders: Orders, costs: Costs, found: dict[int, np.ndarray]
) -> list[tuple[int, int]]:
    """Returns the steps of a cheapest path: word of the network and position in the prediction, -1 for none."""
    node, state, steps = len(network.arcs) - 1, len(orders.starts), []
    first_arc = np.append(orders.starts, len(orders.sources))
    while node or state:
        cost = found[node][state]
        reads = range(first_arc[state - 1], first_arc[state]) if state else ()
        reads = [(int(orders.sources[arc]), int(orders.words[arc])) for arc in reads]
        for source, word in network.arcs[node]:
            step = (source, state, _EMPTY, -1, 0) if word == _EMPTY else None
            for before, position in reads if word != _EMPTY else ():
                edit = costs.edit * int(prediction[position] != word)
                if found[source][before] + edit + costs.length == cost:
                    step = (source, before, word, position, edit + costs.length)
            if step is None and found[source][state] + costs.edit + costs.length == cost:
                step = (source, state, word, -1, costs.edit + costs.length)
            if step is not None and found[source][step[1]] + step[4] == cost:
                break
        else:
            before, position = next(read for read in reads if found[node][read[0]] + costs.edit == cost)
            step = (node, before, _EMPTY, position, costs.edit)
        node, state, *pair, _ = step
        if pair != [_EMPTY, -1]:
            steps.append(tuple(pair))
    return steps[::-1]
