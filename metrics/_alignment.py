"""The alignment of METEOR: of all that make the most matches, one with the fewest crossings or the fewest chunks.

To find the fewest chunks is hard: nobody knows how to, in polynomial time (Goldstein, Kolman and Zheng 2005: minimum
common string partition, already where no word stands more than twice). So a search looks at the most promising
alignments first, by a bound that ignores that a word of the reference is used only once, and the first one that it
completes is certainly the best. It gives up after so many steps, and leaves a bound to judge another alignment by.
"""

import heapq
import itertools
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

_MOST_LINKS = 10_000  # pairs of words that may be matched: with more there is no bound, and
_SEARCHED_LINKS = 2000  # with more than this, there is no search
_EFFORT = 4000  # choices to look at in a search
_NONE = -2  # no position next to any other


class _Layer(NamedTuple):
    """A word of the prediction of which the partner is to be chosen."""

    position: int
    component: Any
    costs: dict[int, int]  # partner -> what it costs for certain
    is_next: bool  # the layer before is the word before
    effort: int  # what it takes to look at all choices
    future: int  # mask of all partners from here on


def best_alignment(
    length: int, certain: Mapping[int, int], components: Sequence[Any], objective: str
) -> tuple[list[tuple[int, int]] | None, int]:
    """Returns the best alignment, or None if it takes too long to find; and a number of chunks that is the best.

    An alignment with no more chunks than that is certainly the best: with crossings, only one that is a single chunk,
    in which nothing crosses. Links are [(position in the prediction, position in the reference), ...], in order.

    Args:
        length: words of the prediction.
        certain: matches that are made anyway, position -> position in the reference.
        components: what else may be matched, `Component`s of _components.py.
        objective: "crossings" (as few as possible, and then chunks), or "chunks".
    """
    unit = 2 * length + 2 if objective == "crossings" else 0  # a crossing weighs more than all chunks
    made = sorted(certain.items())
    if not components:
        return made, count_chunks(made)
    n_links = sum(mask.bit_count() for component in components for mask in component.partners.values())
    if n_links > _MOST_LINKS:
        return None, 1
    layers = _layers(certain, components, unit)
    bounds = _bounds(layers)
    found = _search(layers, bounds, unit) if n_links <= _SEARCHED_LINKS else None
    least = count_chunks(made) + sum(component.size for component in components) + bounds[0][0]
    return None if found is None else sorted([*made, *found]), 1 if unit else least


def match_in_order(certain: dict[int, int], components: Sequence[Any]) -> list[Any]:
    """Matches the first with the first, and so on, where one word stands equally often in both texts.

    To swap the partners of two equal words that cross never makes another crossing, so this has the fewest.

    Args:
        certain: matches that are made anyway; grows.
        components: what else may be matched.

    Returns:
        The other components.
    """
    others = []
    for component in components:
        masks = component.prediction, component.reference
        if component.is_plain and masks[0].bit_count() == masks[1].bit_count():
            certain.update(zip(*map(component.positions, masks), strict=True))
        else:
            others.append(component)
    return others


def count_chunks(links: Sequence[tuple[int, int]]) -> int:
    """Returns the number of runs of matches that are neighbours in both texts; matches in the prediction's order."""
    return len(links) - sum(c - a == 1 == d - b for (a, b), (c, d) in itertools.pairwise(links))


def _layers(certain: Mapping[int, int], components: Sequence[Any], unit: int) -> list[_Layer]:
    """Returns the words whose partner is to be chosen, in order, and what each choice costs for certain."""
    owners = {position: component for component in components for position in component.partners}
    before, after = 0, sum(1 << other for other in certain.values())
    layers: list[_Layer] = []
    for position in sorted([*owners, *certain]):
        if position in certain:
            before |= 1 << certain[position]
            after ^= 1 << certain[position]
            continue
        component, costs = owners[position], {}
        left, right = certain.get(position - 1, _NONE) + 1, certain.get(position + 1, _NONE) - 1
        for other in component.positions(component.partners[position]):
            crossings = (before >> other).bit_count() + (after & ((1 << other) - 1)).bit_count() if unit else 0
            costs[other] = unit * crossings - (other == left) - (other == right)
        is_next = bool(layers) and layers[-1].position == position - 1
        layers.append(_Layer(position, component, costs, is_next, len(costs) * component.weight, 0))
    for component in components if unit else ():
        _make_up(component, layers)
    future = 0
    for index in range(len(layers) - 1, -1, -1):
        future |= layers[index].component.partners[layers[index].position]
        layers[index] = layers[index]._replace(future=future)
    return layers


def _make_up(component: Any, layers: Sequence[_Layer]) -> None:
    """Lowers all costs of a word that has to be left out at times by what the last one matched costs at least.

    Each alignment makes `size` of these matches, so all cost less by the same; but the bound no longer leaves out all.
    """
    if component.is_plain and component.prediction.bit_count() > component.size:
        own = [layer.costs for layer in layers if layer.component is component]
        cost = sorted(min(costs.values()) for costs in own)[component.size - 1]
        for costs in own:
            for other in costs:
                costs[other] -= cost


def _bounds(layers: Sequence[_Layer]) -> list[tuple[int, dict[int, int]]]:
    """Returns for each layer the least cost from there on, and that after each partner of the word before."""
    bounds: list[tuple[int, dict[int, int]]] = [(0, {})]
    for layer in reversed(layers):
        # leaving a word out costs nothing
        after = {other: cost + bounds[-1][1].get(other, bounds[-1][0]) for other, cost in layer.costs.items()}
        least = min(after.values())
        if _may_be_left_out(layer.component):
            least = min(least, bounds[-1][0])
        costs = {other - 1: min(least, cost - 1) for other, cost in after.items()} if layer.is_next else {}
        bounds.append((least, costs))
    return bounds[::-1]


def _may_be_left_out(component: Any) -> bool:
    return not component.is_plain or component.prediction.bit_count() > component.size


class _State(NamedTuple):
    """An alignment of the words before a layer."""

    bound: int  # least cost of all alignments that go on from here
    depth: int  # minus the layer: of equal bounds the longer alignment comes first
    number: int  # to compare no further
    cost: int
    used: int  # mask of partners
    last: int  # partner of the word before the next layer's
    links: tuple | None  # the last match and what was before it


def _search(
    layers: Sequence[_Layer], bounds: Sequence[tuple[int, dict[int, int]]], unit: int
) -> list[tuple[int, int]] | None:
    """Returns the best alignment, or None if it takes too many steps (A*: Hart, Nilsson and Raphael 1968)."""
    number = itertools.count(1)
    heap, seen = [_State(bounds[0][0], 0, 0, 0, 0, _NONE, None)], set()
    effort = 0
    while effort < _EFFORT:
        state = heapq.heappop(heap)
        if -state.depth == len(layers):
            return _unroll(state.links)
        layer = layers[-state.depth]
        key = (state.depth, state.used if unit else state.used & layer.future, state.last)
        if key not in seen:
            seen.add(key)
            effort += layer.effort
            for extended in _extend(state, layers, bounds, unit, number):
                heapq.heappush(heap, extended)
    return None


def _unroll(links: tuple | None) -> list[tuple[int, int]]:
    found = []
    while links:
        link, links = links
        found.append(link)
    return found


def _extend(
    state: _State,
    layers: Sequence[_Layer],
    bounds: Sequence[tuple[int, dict[int, int]]],
    unit: int,
    number: Iterator[int],
) -> Iterator[_State]:
    """Yields the alignments with one word more, which has a partner or is left out."""
    layer = layers[-state.depth]
    least, after = bounds[1 - state.depth]
    has_next = 1 - state.depth < len(layers) and layers[1 - state.depth].is_next
    choices, may_be_left_out = _choices(layer, state.used, unit)
    for other in choices:
        cost = state.cost + layer.costs[other] + unit * (state.used >> other).bit_count()
        if other == state.last + 1:
            cost -= 1
        yield _State(
            cost + after.get(other, least),
            state.depth - 1,
            next(number),
            cost,
            state.used | 1 << other,
            other if has_next else _NONE,
            ((layer.position, other), state.links),
        )
    if may_be_left_out:
        yield _State(state.cost + least, state.depth - 1, next(number), state.cost, state.used, _NONE, state.links)


def _choices(layer: _Layer, used: int, unit: int) -> tuple[list[int], bool]:
    """Returns the partners after which the most matches can still be made, and whether they can without any."""
    component, position = layer.component, layer.position
    words = component.prediction >> position << position
    if component.is_plain:
        taken = used & component.reference
        # where crossings count, equal words are matched in order
        free = component.reference >> taken.bit_length() << taken.bit_length() if unit else component.reference ^ taken
        spare = free.bit_count() - words.bit_count()
        choices = list(component.positions(free))
        return choices[: max(1, spare + 1)] if unit else choices, spare < 0
    value, others = component.value(words, ~used), words ^ 1 << position
    choices = [
        other
        for other in component.positions(component.partners[position] & ~used)
        if not (unit and (used & component.positions_of(component.types_of(position, other)[1])[1]) >> other)
        and component.gain(position, other) + component.value(others, ~(used | 1 << other)) == value
    ]
    return choices, component.value(others, ~used) == value
