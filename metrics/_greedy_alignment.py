"""METEOR's alignment where a search would take too long: the longest common block first, then words matched anew.

It makes as many matches as there can be; a few crossings or chunks may be too many.
"""

from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

_SWEEPS = 8  # times that all word types are matched anew, as long as that takes
_SWEEP_EFFORT = 100  # matches to look at for each word of the text
_NONE = -2  # no position next to any other


def greedy_alignment(
    length: int, certain: Mapping[int, int], components: Sequence[Any], objective: str
) -> list[tuple[int, int]]:
    """Returns a good alignment; takes the arguments of `best_alignment` of _alignment.py."""
    links = _longest_first(length, certain, components)
    if objective == "chunks":
        return links
    n_links = sum(mask.bit_count() for component in components for mask in component.partners.values())
    sweeps = min(_SWEEPS, _SWEEP_EFFORT * length // (len(links) * len(components) + n_links))
    return _with_fewer_crossings(links, components, 2 * length + 2, sweeps)


def _longest_first(length: int, certain: Mapping[int, int], components: Sequence[Any]) -> list[tuple[int, int]]:
    """Returns an alignment that takes the longest common block, then the longest of what is left, and so on."""
    owners = {position: component for component in components for position in component.partners}
    rows = [1 << certain[i] if i in certain else owners[i].partners[i] if i in owners else 0 for i in range(length)]
    flows = {id(component): component.flow() for component in components if not component.is_plain}
    words = free = -1  # masks of what is not matched yet
    links: dict[int, int] = {}
    while any(rows):
        size, ends = _longest_blocks(rows)
        refused: dict[int, int] = {}
        start = 0
        for end, mask in enumerate(ends):
            others = mask & _blocks(free, size) if mask and end - size + 1 >= start else 0
            if others:
                shift = _nearest(others, end) - end
                block = [(position, position + shift) for position in range(end - size + 1, end + 1)]
                block = block[: _possible(block, owners, flows, refused)]
                links.update(block)
                words &= ~sum(1 << position for position, _ in block)
                free &= ~sum(1 << other for _, other in block)
                start = end + 1
        for own, lost in refused.items():
            for position in components[0].positions(own):
                rows[position] &= ~lost
        rows = [mask & free if words >> position & 1 else 0 for position, mask in enumerate(rows)]
    for component in components:
        if not component.is_plain:
            component.complete(flows[id(component)], links)
    return sorted(links.items())


def _longest_blocks(rows: Sequence[int]) -> tuple[int, list[int]]:
    """Returns the size of the longest runs of words that may be matched one after the other, and where they end.

    Args:
        rows: for each position, the mask of the positions in the reference that it may be matched with.
    """
    powers = [list(rows)]  # ends of blocks of 1, 2, 4, ... words
    while True:
        longer = _joined(powers[-1], powers[-1], 1 << (len(powers) - 1))
        if not any(longer):
            break
        powers.append(longer)
    size, ends = 1 << (len(powers) - 1), powers.pop()
    while powers:
        longer = _joined(ends, powers[-1], size)
        if any(longer):
            size, ends = size + (1 << (len(powers) - 1)), longer
        powers.pop()
    return size, ends


def _joined(ends: Sequence[int], others: Sequence[int], size: int) -> list[int]:
    """Returns where blocks of that size end that stand behind blocks of the other list.

    A block of the first list that ends at i, and one of the second that ends `size` words before, are one block.
    """
    behind = [
        mask & before << size if mask and before else 0 for mask, before in zip(ends[size:], others, strict=False)
    ]
    return [0] * min(size, len(ends)) + behind


def _blocks(free: int, size: int) -> int:
    """Returns the mask of the positions at which so many free ones in a row end."""
    done = 1
    while done < size:
        step = min(done, size - done)
        free &= free << step
        done += step
    return free


def _nearest(mask: int, position: int) -> int:
    """Returns the position in the mask that is nearest to another one."""
    below, above = mask & ((1 << position) - 1), mask >> position
    high = position + (above & -above).bit_length() - 1
    low = below.bit_length() - 1
    return high if above and (not below or high - position <= position - low) else low


def _possible(
    block: Sequence[tuple[int, int]], owners: Mapping[int, Any], flows: Mapping[int, Any], refused: dict[int, int]
) -> int:
    """Takes as many matches of a block as leave enough words to the earlier stages, and returns how many these are.

    Args:
        block: positions in both texts.
        owners: component of each position in the prediction.
        flows: of each component by its id, the numbers of what is taken; grow.
        refused: mask of a type's positions in the prediction -> mask of those that it has lost; grows.
    """
    for size, (position, other) in enumerate(block):
        component = owners.get(position)
        if component and not component.is_plain:
            flow, (first, second) = flows[id(component)], component.types_of(position, other)
            if not flow.take(first, second):
                # nor later, for then even fewer are left
                (words, own), (_, others) = component.positions_of(first), component.positions_of(second)
                refused[words] = refused.get(words, 0) | (others if flow.left[first] else ~own)
                return size
    return len(block)


def _with_fewer_crossings(
    links: list[tuple[int, int]], components: Sequence[Any], unit: int, sweeps: int
) -> list[tuple[int, int]]:
    """Returns an alignment in which no word type can be matched better as long as the others stay as they are."""
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


def _rematch(component: Any, others: Mapping[int, int], unit: int) -> list[tuple[int, int]]:
    """Returns the best matches of the words of one type, in order, by dynamic programming."""
    words, partners = (list(component.positions(mask)) for mask in (component.prediction, component.reference))
    costs = _costs(words, partners, others, unit)
    is_turned = len(words) > len(partners)
    if is_turned:
        costs = [list(column) for column in zip(*costs, strict=True)]
    rows, columns = len(costs), len(costs[0])
    # least[row][column]: the first rows are matched with some of the first columns
    least = [[0] * (columns + 1)]
    for row in range(rows):
        line = [0] * (columns + 1)
        for column in range(row, columns - rows + row + 1):
            line[column + 1] = least[row][column] + costs[row][column]
            if column > row:
                line[column + 1] = min(line[column + 1], line[column])
        least.append(line)
    found, column = [], columns
    for row in range(rows, 0, -1):
        while column > row and least[row][column] == least[row][column - 1]:
            column -= 1
        found.append((column - 1, row - 1) if is_turned else (row - 1, column - 1))
        column -= 1
    return [(words[row], partners[column]) for row, column in found]


def _costs(words: Sequence[int], partners: Sequence[int], others: Mapping[int, int], unit: int) -> list[list[int]]:
    """Returns what each pair costs beside the other matches: crossings, less what continues a chunk."""
    before, after = 0, sum(1 << other for other in others.values())
    rest = iter(sorted(others.items()))
    position, other = next(rest, (-1, -1))
    costs = []
    for word in words:
        while -1 < position < word:
            before, after = before | 1 << other, after ^ 1 << other
            position, other = next(rest, (-1, -1))
        left, right = others.get(word - 1, _NONE) + 1, others.get(word + 1, _NONE) - 1
        costs.append(
            [
                unit * ((before >> partner).bit_count() + (after & ((1 << partner) - 1)).bit_count())
                - (partner == left)
                - (partner == right)
                for partner in partners
            ]
        )
    return costs
