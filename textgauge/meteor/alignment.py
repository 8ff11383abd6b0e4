"""The alignment of METEOR: of all that make the most matches, one with the fewest crossings or the fewest chunks.

The idea: choose a partner for one word of the prediction after the other, and always go on with the alignment that can
still become the best (A* search). The trick is the bound on what the rest costs at least: if a word of the reference
could be used twice, the rest would be a chain, in which the cost of a word depends on the partner of the word before
alone, and the cheapest chain is found by dynamic programming. The first alignment that is completed is then certainly a
best one. The plain version, slow_best of tests/test_alignment.py, looks at all alignments.

To find the fewest chunks is hard: no polynomial algorithm is known, not even where no word occurs more than twice
(Goldstein, Kolman and Zheng 2005: minimum common string partition). So the search gives up after so many steps, and
leaves the bound, by which to judge another alignment.
"""

import heapq
import itertools
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_MOST_LINKS = 10_000  # pairs of positions that may be matched: with more there is no bound, and
_SEARCHED_LINKS = 2000  # with more than this, there is no search
EFFORT = 4000  # choices to look at in a search
NO_PARTNER = -2  # next to no position
_END = sys.maxsize, 0  # a link behind all others


class _Layer(NamedTuple):
    """A word of the prediction whose partner, a position of the reference, is to be chosen."""

    position: int
    component: Any
    partners: list[int]
    costs: dict[int, int]  # partner -> crossings with fixed links, less what joins it to them; see `_layers`
    is_next: bool  # the layer before is the word before
    effort: int  # how long it takes to look at all choices
    words: int  # of its component, from this one on: a number if the component is plain, else a mask


def best_alignment(
    length: int, fixed_links: Mapping[int, int], components: Sequence[Any], objective: str
) -> tuple[list[tuple[int, int]] | None, int]:
    """Returns a best alignment, or None if it takes too long to find; and a number of chunks that proves another best.

    An alignment with no more chunks than that is certainly a best one. Where crossings count, the number is 1: nothing
    crosses within a single chunk. An alignment is [(position in the prediction, position in the reference), ...], in
    order.

    >>> best_alignment(3, {0: 0, 1: 1, 2: 3}, [], "chunks")
    ([(0, 0), (1, 1), (2, 3)], 2)

    Args:
        length: words of the prediction.
        fixed_links: position -> partner, matches that are in every alignment.
        components: where there is a choice, `Component`s of components.py.
        objective: "crossings" (as few as possible, and then chunks), or "chunks".
    """
    unit = 2 * length + 2 if objective == "crossings" else 0  # a crossing costs more than all chunks together
    fixed = sorted(fixed_links.items())
    if not components:
        return fixed, count_chunks(fixed)
    n_links = sum(component.n_links for component in components)
    if n_links > _MOST_LINKS:
        return None, 1
    layers = _layers(fixed_links, components, unit)
    bounds = _bounds(layers)
    free_links = _search(layers, bounds, unit) if n_links <= _SEARCHED_LINKS else None
    if free_links is not None:
        return sorted([*fixed, *free_links]), 1
    if unit:
        return None, 1
    return None, count_chunks(fixed) + sum(component.size for component in components) + bounds[0][0]


def match_in_order(fixed_links: dict[int, int], components: Sequence[Any]) -> list[Any]:
    """Matches the first with the first, and so on, where a component is one word that both texts have equally often.

    Where two links of equal words cross, they may swap their partners, which never adds a crossing. So this has the
    fewest.

    Args:
        fixed_links: position -> partner, matches that are in every alignment; grows.
        components: where there is a choice.

    Returns:
        The components that are left.
    """
    left = []
    for component in components:
        n_words = component.prediction.bit_count()
        if not component.is_plain or n_words != component.reference.bit_count():
            left.append(component)
            continue
        words = component.positions(component.prediction)
        partners = component.positions(component.reference)
        fixed_links.update(zip(words, partners, strict=True))
    return left


def count_chunks(links: Sequence[tuple[int, int]]) -> int:
    """Returns the number of chunks: groups of links that are neighbours in both texts. Links are in order.

    >>> count_chunks([(0, 0), (1, 1), (2, 3)])
    2
    """
    n_joined = 0
    for (word, partner), (next_word, next_partner) in itertools.pairwise(links):
        if next_word - word == next_partner - partner == 1:
            n_joined += 1
    return len(links) - n_joined


def _layers(fixed_links: Mapping[int, int], components: Sequence[Any], unit: int) -> list[_Layer]:
    """Returns the words whose partner is to be chosen, in order, and what each choice costs whatever else is chosen.

    Each link is a chunk of its own at first, which is counted elsewhere, and costs 1 less for each neighbour that it
    joins; and `unit` for each link that it crosses.
    """
    owners = {position: component for component in components for position in component.partners}
    partners_of = {id(component): component.positions(component.reference) for component in components}
    fixed = iter(sorted(fixed_links.items()))
    next_position, next_partner = next(fixed, _END)
    before = 0  # mask of the partners of the words before this one that have a fixed link
    everything = sum([1 << partner for partner in fixed_links.values()])  # of all words that have one
    layers: list[_Layer] = []
    previous = NO_PARTNER
    for position in sorted(owners):
        while next_position < position:
            before |= 1 << next_partner
            next_position, next_partner = next(fixed, _END)
        after = everything ^ before
        component = owners[position]
        partners = partners_of[id(component)]
        if not component.is_plain:
            partners = component.positions(component.partners[position])

        costs = dict.fromkeys(partners, 0)
        if unit:
            for partner in partners:
                crossings = (before >> partner).bit_count() + (after & ((1 << partner) - 1)).bit_count()
                costs[partner] = unit * crossings
        behind_previous = fixed_links.get(position - 1, NO_PARTNER) + 1
        before_next = fixed_links.get(position + 1, NO_PARTNER) - 1
        for neighbour in (behind_previous, before_next):
            if neighbour in costs:
                costs[neighbour] -= 1

        words = component.prediction >> position << position
        if component.is_plain:
            words = words.bit_count()
        effort = len(costs) * component.weight
        layers.append(_Layer(position, component, partners, costs, previous == position - 1, effort, words))
        previous = position
    if unit:
        for component in components:
            _make_up(component, layers)
    return layers


def _make_up(component: Any, layers: Sequence[_Layer]) -> None:
    """Lowers the costs of a word type, some of whose words must be left out, so that the bound does not leave out all.

    To leave a word out costs nothing, so a bound that may leave out any word would leave out each one that crosses
    something. Each alignment makes `size` of these matches. So all alignments stay as they are to one another if each
    match costs less by the same amount: by the cheapest cost of the word that is number `size` when they are sorted.
    """
    if not component.is_plain or component.prediction.bit_count() <= component.size:
        return
    word_costs = [layer.costs for layer in layers if layer.component is component]
    cheapest = sorted([min(costs.values()) for costs in word_costs])
    reduction = cheapest[component.size - 1]
    for costs in word_costs:
        for partner in costs:
            costs[partner] -= reduction


def _bounds(layers: Sequence[_Layer]) -> list[tuple[int, dict[int, int]]]:
    """Returns for each layer what it and those behind it cost at least, as if partners could be used twice.

    An entry is that cost for any partner of the word before, and a table of the partners with which it may be less.
    """
    bounds: list[tuple[int, dict[int, int]]] = [(0, {})]
    for layer in reversed(layers):
        # leaving a word out costs nothing
        rest, rest_after = bounds[-1]
        totals = {partner: cost + rest_after.get(partner, rest) for partner, cost in layer.costs.items()}
        least = min(totals.values())
        if _may_be_left_out(layer.component):
            least = min(least, rest)
        after = {}
        if layer.is_next:  # 1 less where the word before is matched with the position before
            after = {partner - 1: min(least, total - 1) for partner, total in totals.items()}
        bounds.append((least, after))
    return bounds[::-1]


def _may_be_left_out(component: Any) -> bool:
    """Returns whether some words of a component may have no partner; where that takes long to tell, True."""
    return not component.is_plain or component.prediction.bit_count() > component.size


def _search(
    layers: Sequence[_Layer], bounds: Sequence[tuple[int, dict[int, int]]], unit: int
) -> list[tuple[int, int]] | None:
    """Returns a best alignment, or None if it takes too many steps (A*: Hart, Nilsson and Raphael 1968).

    A state is an alignment of the words before a layer: what all alignments that go on from here cost at least; minus
    the layer, so that of equal bounds the longer alignment comes first; a number, so that no field behind it is
    compared; its cost; the mask of partners; the partner of the word right before the next layer's word, or NO_PARTNER;
    the last link, and the links before it in the same form.
    """
    later = _later_partners(layers, unit)
    heap: list[tuple] = [(bounds[0][0], 0, 0, 0, 0, NO_PARTNER, None)]
    seen = set()
    effort = 0
    number = 0
    while effort < EFFORT:
        _, depth, _, cost, used, last, links = heapq.heappop(heap)
        if -depth == len(layers):
            return _unroll(links)
        layer = layers[-depth]
        key = depth, used & later[-depth], last
        if key in seen:
            continue
        seen.add(key)
        effort += layer.effort

        depth -= 1
        least, after = bounds[-depth]
        has_next = -depth < len(layers) and layers[-depth].is_next
        choices, may_be_left_out = _choices(layer, used, unit)
        for partner in choices:
            crossings = (used >> partner).bit_count()
            total = cost + layer.costs[partner] + unit * crossings
            if partner == last + 1:
                total -= 1
            bound = total + after.get(partner, least)
            number += 1
            next_last = partner if has_next else NO_PARTNER
            next_links = (layer.position, partner), links
            heapq.heappush(heap, (bound, depth, number, total, used | 1 << partner, next_last, next_links))
        if may_be_left_out:
            number += 1
            heapq.heappush(heap, (cost + least, depth, number, cost, used, NO_PARTNER, links))
    return None


def _later_partners(layers: Sequence[_Layer], unit: int) -> list[int]:
    """Returns for each layer the mask of the used partners that still matter: all, where they may be crossed."""
    if unit:
        return [-1] * len(layers)
    later = []
    mask = 0
    for layer in reversed(layers):
        mask |= layer.component.partners[layer.position]
        later.append(mask)
    return later[::-1]


def _unroll(links: tuple | None) -> list[tuple[int, int]]:
    """Returns the links of a state as a list."""
    unrolled = []
    while links:
        link, links = links
        unrolled.append(link)
    return unrolled


def _choices(layer: _Layer, used: int, unit: int) -> tuple[list[int], bool]:
    """Returns the partners with which the most matches can still be made, and whether they can without any partner."""
    component = layer.component
    partners = layer.partners
    words = layer.words
    if component.is_plain:
        taken = used & component.reference
        if not unit:
            free = partners
            if taken:
                free = [partner for partner in partners if not taken >> partner & 1]
            return free, len(free) < words
        first = 0
        if taken:  # equal words are matched in order
            first = (component.reference & ((1 << taken.bit_length()) - 1)).bit_count()
        n_spare = len(partners) - first - words
        return partners[first : first + max(1, n_spare + 1)], n_spare < 0

    position = layer.position
    later_words = words ^ 1 << position
    value = component.value(words, ~used)
    choices = []
    for partner in partners:
        if used >> partner & 1:
            continue
        if unit:
            _, partner_type = component.types_of(position, partner)
            _, equal_partners = component.positions_of(partner_type)
            if (used & equal_partners) >> partner:  # equal words are matched in order
                continue
        gain = component.gain(position, partner)
        if gain + component.value(later_words, ~(used | 1 << partner)) == value:
            choices.append(partner)
    return choices, component.value(later_words, ~used) == value
