"""METEOR's alignment where a search would take too long: the longest common block first, then words matched anew.

It makes as many matches as there can be; a few crossings or chunks may be too many. The trick is to keep a row of bits
for each word of the prediction, of the positions in the reference that it may be matched with: blocks of any size are
then found by shifts and conjunctions, for all positions at once. In long texts, blocks of equal words have numbers
(common_blocks.py), and rows of bits match the rest.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .alignment import NO_PARTNER
from .common_blocks import match_blocks
from .components import Component

Rows = dict[int, int]  # position of the prediction, in order -> mask of positions in the reference, of at least one

_MASKED_WORDS = 5000  # in a longer prediction, rows of bits take longer than numbers, which make the same blocks
_MOST_MASKED_WORDS = 20_000  # and too much memory, even where they see blocks that go on with a stem or a synonym
_SWEEPS = 8  # how many times all word types are matched anew at most
_SWEEP_EFFORT = 100  # pairs of positions to look at for each word of the text, in all sweeps


def greedy_alignment(
    length: int, fixed_links: Mapping[int, int], components: Sequence[Any], objective: str
) -> list[tuple[int, int]]:
    """Returns a good alignment; takes the arguments of `best_alignment` of alignment.py.

    >>> component = Component([(0b101, 0b110, 0)])  # a word at 0 and 2 of the prediction, at 1 and 2 of the reference
    >>> greedy_alignment(3, {1: 0}, [component], "crossings")
    [(0, 1), (1, 0), (2, 2)]
    """
    links = longest_first(length, fixed_links, components)
    if objective == "chunks":
        return links
    n_links = sum(component.n_links for component in components)
    sweeps = min(_SWEEPS, _SWEEP_EFFORT * length // (len(links) * len(components) + n_links))
    return with_fewer_crossings(links, components, 2 * length + 2, sweeps)


def longest_first(length: int, fixed_links: Mapping[int, int], components: Sequence[Any]) -> list[tuple[int, int]]:
    """Returns an alignment that takes the longest common block, then the longest of what is left, and so on.

    A block is words in a row, each of which may be matched with the next word of the reference.
    """
    owners = {position: component for component in components for position in component.partners}
    flows = {id(component): component.flow() for component in components if not component.is_plain}
    rows = _partner_rows(fixed_links, owners)
    n_partners = max([mask.bit_length() for mask in rows.values()], default=0)
    free = (1 << n_partners) - 1  # mask of the partners that are not matched yet
    links: dict[int, int] = {}
    if length > (_MOST_MASKED_WORDS if flows else _MASKED_WORDS):
        links = match_blocks(*_numbers(length, fixed_links, components))
        free ^= _mask(links.values())
    rows = _left(rows, links, free)
    while rows:
        size, ends = _longest_blocks(rows)
        refused: dict[int, int] = {}
        start = 0
        for end, mask in ends.items():
            if end - size + 1 < start:
                continue
            partner_ends = mask & _blocks(free, size)
            if not partner_ends:
                continue
            block = _block(end, size, _nearest(partner_ends, end))
            block = block[: _possible(block, owners, flows, refused)]
            links.update(block)
            free ^= sum([1 << partner for _, partner in block])
            start = end + 1

        _refuse(rows, components, refused)
        rows = _left(rows, links, free)
    for component in components:
        if not component.is_plain:
            component.complete(flows[id(component)], links)
    return sorted(links.items())


def _partner_rows(fixed_links: Mapping[int, int], owners: Mapping[int, Any]) -> Rows:
    """Returns the positions that may be matched, in order, with what each may be matched with."""
    partners = {position: component.partners[position] for position, component in owners.items()}
    partners.update({position: 1 << partner for position, partner in fixed_links.items()})
    return dict(sorted(partners.items()))


def _left(rows: Rows, links: Mapping[int, int], free: int) -> Rows:
    """Returns the positions that are not matched yet, with those of their partners that are free, where there are any.

    `free` is the mask of all partners that are free.
    """
    left = {}
    for position, mask in rows.items():
        if position in links:
            continue
        free_partners = mask & free
        if free_partners:
            left[position] = free_partners
    return left


def _numbers(length: int, fixed_links: Mapping[int, int], components: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the numbers of each text's words, the same for equal words and for fixed links; -1 for all others."""
    ends = [component.reference.bit_length() for component in components]
    ends += [partner + 1 for partner in fixed_links.values()]
    prediction = np.full(length, -1)
    reference = np.full(max(ends, default=0), -1)
    n_fixed = len(fixed_links)
    prediction[list(fixed_links)] = np.arange(n_fixed)
    reference[list(fixed_links.values())] = np.arange(n_fixed)
    types = (masks for component in components for masks in component.types())
    for number, (mask, partners) in enumerate(types, start=n_fixed):
        prediction[Component.positions(mask)] = number
        reference[Component.positions(partners)] = number
    return prediction, reference


def _mask(positions: Iterable[int]) -> int:
    """Returns the mask of positions."""
    places = list(positions)
    bits = np.zeros(1 + max(places, default=0), dtype=np.uint8)
    bits[places] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _refuse(rows: Rows, components: Sequence[Any], refused: Mapping[int, int]) -> None:
    """Takes partners that were refused to a type of words from the rows of all its words."""
    for words, partners in refused.items():
        for position in components[0].positions(words):
            if position in rows:
                rows[position] &= ~partners


def _block(end: int, size: int, partner: int) -> list[tuple[int, int]]:
    """Returns the links of words in a row, of which the last one is matched with a partner."""
    return [(position, position + partner - end) for position in range(end - size + 1, end + 1)]


def _longest_blocks(rows: Rows) -> tuple[int, Rows]:
    """Returns the size of the longest blocks, and for each position the mask of where such blocks end in the reference.

    By doubling: blocks of 1, 2, 4, ... words as long as there are any, then the powers of 2 added up from the largest.
    """
    powers = [rows]  # ends of blocks of 1, 2, 4, ... words
    while True:
        longer = _joined(powers[-1], powers[-1], 1 << (len(powers) - 1))
        if not longer:
            break
        powers.append(longer)

    ends = powers.pop()
    size = 1 << len(powers)
    while powers:
        longer = _joined(ends, powers.pop(), size)
        if longer:
            ends = longer
            size += 1 << len(powers)
    return size, ends


def _joined(ends: Rows, earlier: Rows, size: int) -> Rows:
    """Returns where the blocks end that are a block of the second kind, and right behind it one of the first.

    Args:
        ends: where blocks end.
        earlier: likewise, for blocks of another size.
        size: of the blocks of the first kind.
    """
    joined = {}
    for position, mask in ends.items():
        if position - size in earlier:
            both = mask & earlier[position - size] << size
            if both:
                joined[position] = both
    return joined


def _blocks(free: int, size: int) -> int:
    """Returns the mask of the positions that are free together with so many positions before them, `size` in all."""
    done = 1
    while done < size:
        step = min(done, size - done)
        free &= free << step
        done += step
    return free


def _nearest(mask: int, position: int) -> int:
    """Returns the position in the mask that is nearest to a position, the higher one of two."""
    below = mask & ((1 << position) - 1)
    above = mask >> position
    low = below.bit_length() - 1
    high = position + (above & -above).bit_length() - 1
    if not above:
        return low
    if not below:
        return high
    return high if high - position <= position - low else low


def _possible(
    block: Sequence[tuple[int, int]], owners: Mapping[int, Any], flows: Mapping[int, Any], refused: dict[int, int]
) -> int:
    """Takes a block up to the first match for which an earlier stage would need the words; returns how many it takes.

    Args:
        block: positions in both texts.
        owners: component of each position in the prediction.
        flows: id of a component -> counts of its matches; grow.
        refused: mask of a type's positions in the prediction -> mask of the positions in the reference that none of
            these can be matched with any more; grows.
    """
    for size, (position, partner) in enumerate(block):
        component = owners.get(position)
        if not component or component.is_plain:
            continue
        flow = flows[id(component)]
        first, second = component.types_of(position, partner)
        if flow.take(first, second):
            continue
        # nor later, because then even fewer are left
        words, equal_partners = component.positions_of(first)
        _, partners = component.positions_of(second)
        lost = partners if flow.left[first] else ~equal_partners
        refused[words] = refused.get(words, 0) | lost
        return size
    return len(block)


def with_fewer_crossings(
    links: list[tuple[int, int]], components: Sequence[Any], unit: int, sweeps: int
) -> list[tuple[int, int]]:
    """Returns an alignment in which no word type can be matched better as long as all other links stay.

    It may stop before that, after `sweeps` times.
    """
    current = dict(links)
    for _ in range(sweeps):
        before = dict(current)
        for component in components:
            if component.is_plain:
                for position in component.positions(component.prediction):
                    current.pop(position, None)
                current.update(_rematch(component, current, unit))
        if current == before:
            break
    return sorted(current.items())


def _rematch(component: Any, fixed_links: Mapping[int, int], unit: int) -> list[tuple[int, int]]:
    """Returns the best matches of the words of one type, in order, by dynamic programming.

    Args:
        component: has one word type.
        fixed_links: position -> partner, the matches of all other types.
        unit: what a crossing costs; to continue a chunk costs 1 less.
    """
    words = component.positions(component.prediction)
    partners = component.positions(component.reference)
    costs = _costs(words, partners, fixed_links, unit)
    is_turned = len(words) > len(partners)
    if is_turned:
        costs = [list(column) for column in zip(*costs, strict=True)]
    n_rows = len(costs)
    n_columns = len(costs[0])
    # least[row][column]: what it costs at least to match the first rows with some of the first columns
    least = [[0] * (n_columns + 1)]
    for row in range(n_rows):
        line = [0] * (n_columns + 1)
        for column in range(row, n_columns - n_rows + row + 1):
            line[column + 1] = least[row][column] + costs[row][column]
            if column > row:
                line[column + 1] = min(line[column + 1], line[column])
        least.append(line)

    links = []
    column = n_columns
    for row in range(n_rows, 0, -1):
        while column > row and least[row][column] == least[row][column - 1]:
            column -= 1
        links.append((column - 1, row - 1) if is_turned else (row - 1, column - 1))
        column -= 1
    return [(words[row], partners[column]) for row, column in links]


def _costs(words: Sequence[int], partners: Sequence[int], fixed_links: Mapping[int, int], unit: int) -> list[list[int]]:
    """Returns what each pair costs beside the fixed links: crossings, less 1 for each neighbour in a chunk."""
    # masks of partners of the fixed links of words before this one, and of the others
    before = 0
    after = sum([1 << partner for partner in fixed_links.values()])
    rest = iter(sorted(fixed_links.items()))
    fixed_word, fixed_partner = next(rest, (-1, -1))
    costs = []
    for word in words:
        while -1 < fixed_word < word:
            before |= 1 << fixed_partner
            after ^= 1 << fixed_partner
            fixed_word, fixed_partner = next(rest, (-1, -1))
        behind_previous = fixed_links.get(word - 1, NO_PARTNER) + 1
        before_next = fixed_links.get(word + 1, NO_PARTNER) - 1
        row = []
        for partner in partners:
            crossings = (before >> partner).bit_count() + (after & ((1 << partner) - 1)).bit_count()
            n_joined = (partner == behind_previous) + (partner == before_next)
            row.append(unit * crossings - n_joined)
        costs.append(row)
    return costs
