"""N-grams of a whole chunk, counted with integer arrays.

The idea: write each n-gram, with its segment, as one integer. Equal n-grams of a segment are then equal integers, and
sorting brings them together. There is no Python loop over n-grams.

The trick: the integer is segment | token ids | class | reference number, each in as few bits as it needs, so that it
fits into 62 bits and stands for one n-gram only. To need few bits, tokens are numbered anew within each segment, and
an n-gram is left out if one of its tokens occurs only in the prediction or only in references: it cannot match. Where
there are still too many bits, the rank of an integer among all of them takes its place.

The plain version, which counts text by text with `Counter`, is `expected_counts` of tests/test_ngrams.py.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.tokens.tokenizers import Chunk, as_characters, split_texts

KEY_BITS, _SHORT_KEY_BITS = 62, 32
FEW_TOKENS = 160


class NgramCounts(NamedTuple):
    """The distinct n-grams of one order that can match, segment by segment; arrays of shape (n_ngrams,).

    The last two arrays have an entry for each n-gram and each text that it occurs in: (n_entries,).
    """

    rows: np.ndarray  # segment
    counts: np.ndarray  # occurrences in the prediction
    reference_max: np.ndarray  # most occurrences in one reference of the segment
    reference_min: np.ndarray | None  # fewest occurrences, 0 if one reference lacks the n-gram; None without classes
    classes: np.ndarray  # the caller's class of the n-gram, 0 if none was given
    starts: np.ndarray  # where the entries of the n-gram begin
    reference_numbers: np.ndarray  # (n_entries,) 1, 2, ... for the references; 0 for the prediction, which comes first
    reference_counts: np.ndarray  # (n_entries,) occurrences in that reference; 0 for the prediction

    @property
    def matches(self) -> np.ndarray:
        """Occurrences in the prediction, clipped at the most in one reference."""
        return np.minimum(self.counts, self.reference_max)


def count_ngrams(chunk: Chunk, max_order: int, classes: Sequence[np.ndarray] | None = None) -> Iterator[NgramCounts]:
    """Counts the n-grams that can match, order by order.

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        classes: optional, for each order the class of the n-gram that starts at each token, an integer such as the
            number of its weight. Equal n-grams of a segment have equal classes, which come back in `NgramCounts`.
    """
    n_references = np.bincount(chunk.rows, minlength=chunk.n_rows) - 1
    for found in _sorted_ngrams(chunk, max_order, classes, shared_tokens(chunk, in_order=True)):
        yield _count_sorted(found, n_references)


class Shared(NamedTuple):
    """The tokens of a chunk that can match: those that both the prediction and a reference of the segment have.

    A place is a token, or one of the gaps, one behind each text, so that no n-gram reaches over a text's end.
    """

    codes: np.ndarray  # (n_places,) segment | number of the token among those of the segment, from 1; 0 for all others
    token_bits: int  # of that number

    @property
    def tokens(self) -> np.ndarray:
        """The number of each token, 0 for all others: (n_places,)."""
        return self.codes & ((1 << self.token_bits) - 1)


def count_matches(chunk: Chunk, max_order: int, shared: Shared | None = None) -> list[np.ndarray]:
    """Returns for each order the clipped matches of each segment, (n_rows,); `count_ngrams` counts the same ones.

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        shared: what `shared_tokens` returns of the chunk, if it is known.
    """
    if len(chunk.tokens.ids) <= FEW_TOKENS:
        return _few_matches(chunk, max_order)
    if chunk.reference_numbers.max(initial=0) > 1:
        return [sum_by_row(ngrams, ngrams.matches, chunk.n_rows) for ngrams in count_ngrams(chunk, max_order)]
    result = []
    for found in _sorted_ngrams(chunk, max_order, None, shared):
        keys, counts = _runs(found.keys)
        # prediction and reference differ in the last bit: where both have an n-gram, the two keys are neighbours
        first = np.flatnonzero(keys[1:] ^ keys[:-1] == 1)
        rows, _ = found.rows_and_classes(keys[first] >> 1)
        matches = np.minimum(counts[first], counts[first + 1])
        result.append(np.bincount(rows, weights=matches, minlength=chunk.n_rows))
    return result


def _few_matches(chunk: Chunk, max_order: int) -> list[np.ndarray]:
    """Returns what `count_matches` does, found text by text, which takes less time for a few tokens."""
    texts, references = split_texts(chunk.tokens.ids.tolist(), chunk.tokens.lengths), [[] for _ in range(chunk.n_rows)]
    for row, text in zip(chunk.rows[chunk.n_rows :].tolist(), texts[chunk.n_rows :], strict=True):
        references[row].append(text)
    matches = np.zeros((max_order, chunk.n_rows))
    for row, others in enumerate(references):
        for order, starts in enumerate(matched_positions(texts[row], others, max_order)):
            matches[order, row] = len(starts)
    return list(matches)


class _Sorted(NamedTuple):
    """The n-grams of one order that can match, one integer n-gram | reference number for each time one occurs."""

    keys: np.ndarray  # (n_occurrences,) in ascending order
    number_bits: int  # of the reference number
    rows_and_classes: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]  # of n-grams, the keys' upper bits


def _sorted_ngrams(
    chunk: Chunk, max_order: int, classes: Sequence[np.ndarray] | None, shared: Shared | None = None
) -> Iterator[_Sorted]:
    """Yields the n-grams of each order, those with a token that cannot match left out.

    Each n-gram is made of one that is shorter by a token, and of the token behind it.
    """
    shared = shared or shared_tokens(chunk)
    codes, token_bits, tokens = *shared, shared.tokens
    places, repeats = np.flatnonzero(codes), chunk.tokens.lengths + 1
    numbers = np.repeat(chunk.reference_numbers, repeats)[places]
    positions = places if classes is None else places - np.repeat(np.arange(len(repeats)), repeats)[places]
    keys = codes[places] >> token_bits
    row_bits, number_bits = _bits(chunk.n_rows - 1), _bits(chunk.reference_numbers.max(initial=0))
    key_bits = row_bits
    for order in range(1, max_order + 1):
        following = tokens[places + order - 1]
        if order > 1:
            kept = np.flatnonzero(following)
            places, positions, keys, numbers, following = (
                array.take(kept) for array in (places, positions, keys, numbers, following)
            )
        class_of, class_bits = None, 0
        if classes is not None:
            class_of = classes[order - 1][positions]
            class_bits = _bits(class_of.max(initial=0))
        if key_bits + token_bits + class_bits + number_bits > KEY_BITS:
            keys, key_bits = dense(keys, keys >> (key_bits - row_bits), row_bits)
        keys = keys << token_bits | following
        key_bits += token_bits
        layout = key_bits, row_bits, number_bits
        yield _sorted(keys, layout, class_of if class_bits else None, class_bits, numbers)


def _sorted(
    keys: np.ndarray, layout: tuple[int, int, int], classes: np.ndarray | None, class_bits: int, numbers: np.ndarray
) -> _Sorted:
    """Sorts n-grams, each with its class and its reference number; `layout` is the bits of key, row and number."""
    key_bits, row_bits, number_bits = layout
    if key_bits + class_bits + number_bits > KEY_BITS:
        ngrams, rows_and_classes = _ranked(keys, (keys >> (key_bits - row_bits)).astype(np.intp), classes)
    else:
        ngrams = keys if classes is None else keys << class_bits | classes
        rows_and_classes = functools.partial(_unpacked, ngram_bits=key_bits - row_bits, class_bits=class_bits)
    ngrams = ngrams << number_bits | numbers
    if key_bits + class_bits + number_bits <= _SHORT_KEY_BITS:
        ngrams = ngrams.astype(np.uint32)  # sorts twice as fast
    ngrams.sort()
    return _Sorted(ngrams, number_bits, rows_and_classes)


def shared_tokens(chunk: Chunk, in_order: bool = False) -> Shared:
    """Returns the tokens that can match.

    Args:
        chunk: as `encode_chunk` returns it.
        in_order: number the tokens of a segment in the order of its prediction, not in one that depends on the chunk.
    """
    ids, lengths = chunk.tokens.ids, chunk.tokens.lengths
    size, n_predicted = len(ids) + len(lengths), int(lengths[: chunk.n_rows].sum()) + chunk.n_rows
    place_bits, id_bits = _bits(size), _bits(ids.max(initial=0))
    keys = np.repeat(chunk.rows.astype(np.int64) << id_bits, lengths) | ids
    keys = keys << place_bits | np.arange(len(ids)) + np.repeat(np.arange(len(lengths)), lengths)
    keys.sort()
    places, tokens = keys & ((1 << place_bits) - 1), keys >> place_bits
    starts = np.flatnonzero(is_new(tokens))
    counts = np.diff(starts, append=len(tokens))
    shared = np.flatnonzero((places[starts] < n_predicted) & (places[starts + counts - 1] >= n_predicted))
    if in_order:
        shared = shared[np.argsort(places[starts[shared]])]
    rows = tokens[starts[shared]] >> id_bits
    firsts = np.flatnonzero(is_new(rows))
    numbers = np.arange(1, len(rows) + 1) - np.repeat(firsts, np.diff(firsts, append=len(rows)))
    token_bits = _bits(numbers.max(initial=0))
    codes, distinct = np.zeros(size, dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
    distinct[shared] = rows << token_bits | numbers
    codes[places] = np.repeat(distinct, counts)
    return Shared(codes, token_bits)


def shared_strings(chunk: Chunk, shared: Shared) -> list[str]:
    """Returns each text without the tokens that cannot match, as a string with a character for each other token."""
    places = np.flatnonzero(shared.codes)
    ends = np.cumsum(chunk.tokens.lengths + 1)
    counts = np.diff(np.searchsorted(places, ends), prepend=0)
    return split_texts(as_characters(shared.tokens[places]), counts)


def dense(keys: np.ndarray, rows: np.ndarray, row_bits: int) -> tuple[np.ndarray, int]:
    """Returns segment | rank instead of long keys, which are as distinct in far fewer bits, and how many bits."""
    rank = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    rank_bits = _bits(rank.max(initial=0))
    return rows << rank_bits | rank, row_bits + rank_bits


def _unpacked(ngrams: np.ndarray, ngram_bits: int, class_bits: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Returns the segments and the classes of integers segment | token ids | class; None without classes."""
    rows = (ngrams >> (ngram_bits + class_bits)).astype(np.intp)
    return rows, ngrams & ((1 << class_bits) - 1) if class_bits else None


def _ranked(
    keys: np.ndarray, rows: np.ndarray, classes: np.ndarray | None
) -> tuple[np.ndarray, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]]:
    """Returns the rank of each key, and a function from ranks to segments and classes.

    For keys that leave too few bits for the classes.
    """
    _, first, ranks = np.unique(keys, return_index=True, return_inverse=True)
    return ranks.astype(np.int64), lambda of: (rows[first[of]], None if classes is None else classes[first[of]])


def _runs(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the distinct ones of sorted integers, and how often each occurs."""
    starts = np.flatnonzero(is_new(keys))
    return keys[starts], np.diff(starts, append=len(keys))


def _count_sorted(found: _Sorted, n_references: np.ndarray) -> NgramCounts:
    """Counts each n-gram in each text."""
    keys, counts = _runs(found.keys)
    number_bits, rows_and_classes = found.number_bits, found.rows_and_classes
    numbers, ngrams = (keys & ((1 << number_bits) - 1)).astype(np.intp), keys >> number_bits

    starts = np.flatnonzero(is_new(ngrams))  # of the entries of each n-gram
    rows, classes = rows_and_classes(ngrams[starts])
    in_prediction = numbers[starts] == 0  # the prediction sorts first
    counts_in_prediction = np.where(in_prediction, counts[starts], 0)
    counts[starts[in_prediction]] = 0
    reference_max = np.maximum.reduceat(counts, starts) if len(starts) else starts
    if classes is None:
        reference_min, classes = None, np.zeros_like(rows)
    else:
        in_all = np.diff(starts, append=len(keys)) - in_prediction == n_references[rows]
        reference_min = _reference_min(counts, starts, in_all)
    return NgramCounts(rows, counts_in_prediction, reference_max, reference_min, classes, starts, numbers, counts)


def _reference_min(counts: np.ndarray, starts: np.ndarray, in_all: np.ndarray) -> np.ndarray:
    """Returns the fewest occurrences of each n-gram in a reference; `counts` holds 0 for the prediction."""
    if not len(starts):
        return starts
    smallest = np.minimum.reduceat(np.where(counts > 0, counts, np.iinfo(counts.dtype).max), starts)
    return np.where(in_all, smallest, 0)


def remaining_tokens(lengths: np.ndarray) -> np.ndarray:
    """Returns for each token of texts of these lengths how many tokens its text has from there on: (n_tokens,)."""
    return np.repeat(np.cumsum(lengths), lengths) - np.arange(lengths.sum())


def is_new(keys: np.ndarray) -> np.ndarray:
    """Returns whether each number differs from the one before it; the first one does."""
    found = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=found[1:])
    return found


def _bits(largest: int) -> int:
    return int(largest).bit_length()


def sum_by_row(counts: NgramCounts, values: np.ndarray, n_rows: int) -> np.ndarray:
    """Returns the sum of the values of each segment's n-grams: (n_rows,) float64.

    To the last bit it depends on the segment alone: `count_ngrams` returns its n-grams in the same order in any chunk.

    Args:
        counts: the n-grams.
        values: (n_ngrams,) one value per n-gram.
        n_rows: number of segments.
    """
    return np.bincount(counts.rows, weights=values, minlength=n_rows)


def matched_positions(
    prediction: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> list[list[int]]:
    """Returns for each order the positions in the prediction at which matched n-grams start.

    Where an n-gram occurs more often in the prediction than in any reference, its first occurrences match. This is for
    one segment, to show what made its score; `count_ngrams` counts the same matches.
    """
    prediction, positions, result = tuple(prediction), range(len(prediction)), []
    for order in range(1, max_order + 1):
        left = functools.reduce(Counter.__or__, (_count_ngrams(text, order) for text in references))
        occurring, starts = [], []
        for start in positions:
            ngram = prediction[start : start + order]
            count = left.get(ngram)
            if count is not None:
                occurring.append(start)
                if count:
                    left[ngram] = count - 1
                    starts.append(start)
        # an n-gram that occurs in a reference begins with a shorter one that does
        positions = occurring
        result.append(starts)
    return result


def _count_ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def text_lengths(chunk: Chunk, ref_length: str) -> np.ndarray:
    """Returns translation length and reference length of each segment: (n_rows, 2) float64.

    Args:
        chunk: as `encode_chunk` returns it.
        ref_length: with several references, "closest" to the prediction (ties: the shorter), "shortest" (Hugging Face),
            or "average".
    """
    if len(chunk.rows) == 2 * chunk.n_rows:  # a reference each
        return chunk.tokens.lengths.reshape(2, -1).T.astype(np.float64)
    is_prediction = chunk.reference_numbers == 0
    predicted = chunk.tokens.lengths[is_prediction]
    lengths, rows = chunk.tokens.lengths[~is_prediction], chunk.rows[~is_prediction]
    starts = np.flatnonzero(is_new(rows))
    if ref_length == "average":
        reference = np.add.reduceat(lengths, starts) / np.diff(np.append(starts, len(rows)))
    elif ref_length == "shortest":
        reference = np.minimum.reduceat(lengths, starts)
    else:
        # one number for both, of which the distance counts first and then the length
        span = lengths.max(initial=0) + 1
        reference = np.minimum.reduceat(np.abs(lengths - predicted[rows]) * span + lengths, starts) % span
    return np.column_stack([predicted, reference]).astype(np.float64)


def ngram_totals(lengths: np.ndarray, max_order: int) -> np.ndarray:
    """Returns how many n-grams of each order texts of these lengths have: (n_texts, max_order) float64."""
    return np.maximum(lengths[:, None] - np.arange(max_order), 0.0)
