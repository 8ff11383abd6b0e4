"""Skip-bigrams: pairs of tokens in the order of the text, with or without other tokens between them.

The idea: how often a pair (first, second) occurs is the sum, over the places of the second token, of how often the
first one occurs before. The trick: a cumulative sum counts all first tokens before each place at once, for the tokens
that both texts have. The plain version, which lists all pairs, is `slow_skip_bigrams` of tests/test_rouge.py.
"""

import numpy as np

BLOCK_CELLS = 2**22  # numbers per table


def skip_bigram_matches(prediction: np.ndarray, reference: np.ndarray, gap: int | None) -> int:
    """Returns how many skip-bigrams match, each at most as often as it occurs in the reference.

    Time grows with the length, multiplied by the number of distinct tokens that both texts have.

    >>> skip_bigram_matches(np.array([0, 1, 2]), np.array([0, 2, 1]), gap=None)
    2

    Args:
        prediction: (n_tokens,) token ids.
        reference: (n_tokens,) token ids.
        gap: largest number of tokens between the two of a skip-bigram; None for any number.
    """
    common = np.intersect1d(prediction, reference)
    n_columns = max(1, BLOCK_CELLS // max(len(prediction), len(reference), 1))
    total = 0
    for start in range(0, len(common), n_columns):
        columns = (start, min(start + n_columns, len(common)))
        counts = _skip_bigram_counts(prediction, common, columns, gap)
        wanted = _skip_bigram_counts(reference, common, columns, gap)
        total += int(np.minimum(counts, wanted).sum())
    return total


def skip_bigram_totals(lengths: np.ndarray, gap: int | None) -> np.ndarray:
    """Returns how many skip-bigrams texts of these lengths (...) have: (...), with at most `gap` tokens in between.

    >>> skip_bigram_totals(np.array([4.0, 1.0]), gap=0).tolist()
    [3.0, 0.0]
    """
    window = lengths if gap is None else np.minimum(lengths, gap + 1)
    return window * (window - 1) / 2 + (lengths - window) * window


def _skip_bigram_counts(text: np.ndarray, common: np.ndarray, columns: tuple[int, int], gap: int | None) -> np.ndarray:
    """Returns how often each skip-bigram occurs: a row for each second token, a column for each first token.

    Tokens are those of `common`, for first tokens only those from `columns[0]` to `columns[1]`.
    """
    ranks = np.searchsorted(common, text)
    positions = np.flatnonzero(common[np.minimum(ranks, len(common) - 1)] == text)
    ranks = ranks[positions]
    # how often each first token occurs before each place
    before = np.zeros((len(ranks) + 1, columns[1] - columns[0]), dtype=np.int64)
    np.cumsum(ranks[:, None] == np.arange(*columns), axis=0, out=before[1:])
    within = before[:-1]
    if gap is not None:
        within = within - before[np.searchsorted(positions, positions - gap - 1)]
    order = np.argsort(ranks, kind="stable")
    starts = np.flatnonzero(np.diff(ranks[order], prepend=-1))
    return np.add.reduceat(within[order], starts, axis=0)
