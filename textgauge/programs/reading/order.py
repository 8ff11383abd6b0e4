"""Rows of two files that do not belong together by their order: shifted by one, or in another order."""

import itertools
from collections.abc import Sequence
from typing import Any

_SAMPLE = 1000  # rows
_TRIED = 100  # rows that are compared with all of the sample
_FEWEST = 6  # rows that tell
_ALIKE, _UNLIKE = 0.6, 0.3  # shares of common words that two texts of one segment have, and those of two segments
_LONGEST_LABEL = 8  # characters
_SHIFTED = 0.4  # the mean share with the neighbours, which is twice that of the rows themselves


def doubt_of_order(predictions: Sequence[Any], references: Sequence[Any]) -> str:
    """Returns the key of a note on rows that fit others better; nothing for rows in order.

    >>> lines = ["the cat sat", "a dog ran", "it rains now", "we go home", "bye to all", "she reads"]
    >>> doubt_of_order(["a head", *lines[:-1]], lines), doubt_of_order(lines[::-1], lines)
    ('doubt_shifted', 'doubt_shuffled')
    """
    ours = list(map(_words, predictions[:_SAMPLE]))
    theirs = list(map(_words, references[:_SAMPLE]))
    if len(ours) < _FEWEST:
        return ""
    direct = _mean_share(ours, theirs)
    if direct >= 0.5:
        return ""
    shifted = max(_mean_share(ours[1:], theirs[:-1]), _mean_share(ours[:-1], theirs[1:]))
    if shifted >= _SHIFTED and shifted > 2 * direct:
        return "doubt_shifted"
    return "doubt_shuffled" if _are_shuffled(ours, theirs) else ""


def _are_shuffled(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> bool:
    """Returns whether at least half of the rows that are tried fit another row each, and not their own."""
    tried = range(0, len(ours), max(1, len(ours) // _TRIED))
    partners = []
    for row in tried:
        if _share(ours[row], theirs[row]) >= _UNLIKE:
            continue
        shares = [_share(ours[row], words) for words in theirs]
        best = max(shares)
        if best >= _ALIKE:
            partners.append(shares.index(best))
    return 2 * len(set(partners)) >= len(tried)


def _mean_share(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> float:
    return sum(map(_share, ours, theirs)) / len(ours)


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    """Returns the share of words that two texts have in common."""
    together = len(ours | theirs)
    return len(ours & theirs) / together if together else 0.0


def _words(text: Any) -> frozenset[str]:
    """Returns the words of a text, of a list those of the first one; pairs of characters where it has no blank.

    A short word alone may be a label, of which many rows have the same.
    """
    first = text[0] if isinstance(text, list) and text else text
    if not isinstance(first, str):
        return frozenset()
    words = first.lower().split()
    if len(words) < 2:
        words = ["".join(pair) for pair in itertools.pairwise(first)] if len(first) > _LONGEST_LABEL else []
    return frozenset(words)
