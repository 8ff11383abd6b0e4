"""METEOR's longest blocks of equal words, in memory that grows with the text and not with its square.

The idea: equal words have the same number, so a block is a piece that occurs in both texts. The trick: pieces of 1, 2,
4, ... words get numbers themselves, each from the numbers of its halves (Karp, Miller and Rosenberg 1972), and a piece
that only one text has is dropped at once. The plain version is `longest_first` of greedy_alignment.py where texts are
short, which keeps a bit for each pair of positions.
"""

import bisect

import numpy as np

Numbers = tuple[np.ndarray, np.ndarray]  # for each position of either text the number of what begins there, or -1


def match_blocks(prediction: np.ndarray, reference: np.ndarray) -> dict[int, int]:
    """Returns the links, position -> partner: those of the longest common block, then of the longest of the rest.

    A block goes to the nearest free place in the reference, the later one of two.

    Args:
        prediction: (n_words,) the number of each word, -1 where it has no partner; of what is matched it becomes -1.
        reference: likewise.
    """
    links: dict[int, int] = {}
    while True:
        size, (starts, partners) = _longest_common_blocks((prediction, reference))
        if not size:
            return links
        places = _places(partners)
        taken = bytearray(len(reference))
        end = 0
        for start in np.flatnonzero(starts >= 0).tolist():
            if start < end:
                continue
            partner = _take_nearest(places[starts[start]], start, size, taken)
            if partner < 0:
                continue
            end = start + size
            partner_end = partner + size
            links.update(zip(range(start, end), range(partner, partner_end), strict=True))
            taken[partner:partner_end] = b"\1" * size
            prediction[start:end] = -1
            reference[partner:partner_end] = -1


def _longest_common_blocks(words: Numbers) -> tuple[int, Numbers]:
    """Returns the size of the longest blocks, 0 if there are none, and the numbers of the blocks that begin anywhere.

    By doubling: blocks of 1, 2, 4, ... words as long as there are any, then the powers of 2 added up from the largest.
    """
    powers = []
    longer = _common(words)
    while _any(longer):
        powers.append(longer)
        longer = _joined_blocks(longer, longer, 1 << (len(powers) - 1))
    if not powers:
        return 0, words

    blocks = powers.pop()
    size = 1 << len(powers)
    while powers:
        longer = _joined_blocks(blocks, powers.pop(), size)
        if _any(longer):
            blocks = longer
            size += 1 << len(powers)
    return size, blocks


def _joined_blocks(first: Numbers, second: Numbers, size: int) -> Numbers:
    """Returns the numbers of the blocks that are one of the first kind, `size` words long, and then one of the second.

    Only blocks that both texts have get a number.
    """
    width = 1 + max(numbers.max() for numbers in second)
    joined = []
    for left, right in zip(first, second, strict=True):
        numbers = np.full(len(left), -1)
        places = np.flatnonzero(left[: max(0, len(left) - size)] >= 0)
        places = places[right[places + size] >= 0]
        numbers[places] = left[places] * width + right[places + size]
        joined.append(numbers)
    return _common((joined[0], joined[1]))


def _common(numbers: Numbers) -> Numbers:
    """Returns the numbers without those that only one text has, numbered anew from 0."""
    places = [np.flatnonzero(text_numbers >= 0) for text_numbers in numbers]
    distinct = [_distinct(text_numbers[kept]) for text_numbers, kept in zip(numbers, places, strict=True)]
    common = np.intersect1d(*distinct, assume_unique=True)
    renumbered = [np.full(len(text_numbers), -1) for text_numbers in numbers]
    if not len(common):
        return renumbered[0], renumbered[1]
    for text_numbers, kept, found in zip(numbers, places, renumbered, strict=True):
        wanted = text_numbers[kept]
        ranks = np.searchsorted(common, wanted)
        ranks[ranks == len(common)] = 0
        found[kept] = np.where(common[ranks] == wanted, ranks, -1)
    return renumbered[0], renumbered[1]


def _distinct(numbers: np.ndarray) -> np.ndarray:
    """Returns the distinct numbers, sorted; numpy's own function hashes them, which takes longer."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) != 0]


def _any(numbers: Numbers) -> bool:
    """Returns whether anything has a number, in which case it has one in both texts."""
    return bool((numbers[0] >= 0).any())


def _places(numbers: np.ndarray) -> list[list[int]]:
    """Returns for each number the positions that have it, in order."""
    places = np.flatnonzero(numbers >= 0)
    places = places[np.argsort(numbers[places], kind="stable")]
    ends = np.cumsum(np.bincount(numbers[places]))
    return [part.tolist() for part in np.split(places, ends[:-1])]


def _take_nearest(places: list[int], position: int, size: int, taken: bytearray) -> int:
    """Returns the place nearest to a position where a block of that size is free, the later one of two; -1 if none is.

    Args:
        places: where such blocks begin, in order; that place, and those on the way that are not free, go.
        position: of the prediction.
        size: of this block, and of all that are taken.
        taken: 1 where the reference is not free.
    """
    while places:
        index = bisect.bisect_left(places, position)
        if index == len(places) or (index and position - places[index - 1] < places[index] - position):
            index -= 1
        place = places.pop(index)
        if not (taken[place] or taken[place + size - 1]):
            return place
    return -1
