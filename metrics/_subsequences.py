"""Longest common subsequences (LCS) of tokens: their lengths, their unions over sentences, and weighted ones."""

import itertools
import re
from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Sequence
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from ._columns import lengths_of
from ._tokens import split_texts

BATCH_CELLS = 2**18  # weighted LCS: numbers per array


def lcs_lengths(predictions: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Returns the length of the longest common subsequence of each pair of strings: (n_pairs,) float64."""
    return cpdist(predictions, references, scorer=LCSseq.similarity, dtype=np.int64).astype(np.float64)


def lcs_positions(prediction: str, reference: str) -> list[list[int]]:
    """Returns one longest common subsequence as pairs [position in the prediction, position in the reference]."""
    blocks = LCSseq.editops(prediction, reference).as_matching_blocks()
    return [[block.a + offset, block.b + offset] for block in blocks for offset in range(block.size)]


def summary_counts(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    encode_texts: Callable[[list[str]], Any],
    sentence_end: re.Pattern,
    counts: np.ndarray,
) -> np.ndarray:
    """Returns the counts of ROUGE-Lsum, which differ from those of ROUGE-L only where a text has several sentences.

    Args:
        predictions: one text per segment.
        references: for each segment one text or more.
        encode_texts: texts -> their tokens.
        sentence_end: where to split a text; an empty piece is not a sentence.
        counts: those of ROUGE-L: LCS, length of the prediction, length of the reference; (n_references, 3).
    """
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    has_several = [sentence_end.search(text) is not None for text in texts]
    if not any(has_several):
        return counts
    sentences = [[sentence for sentence in sentence_end.split(text) if sentence] for text in texts]
    tokens = encode_texts(list(itertools.chain.from_iterable(sentences)))
    encoded = iter(split_texts(tokens.ids.tolist(), tokens.lengths))
    summaries = [list(itertools.islice(encoded, len(sentences_of_text))) for sentences_of_text in sentences]
    counts = counts.copy()
    prediction_of = itertools.chain.from_iterable([row] * len(texts) for row, texts in enumerate(references))
    for pair, prediction in enumerate(prediction_of):
        reference = len(predictions) + pair
        if has_several[prediction] or has_several[reference]:
            sides = summaries[prediction], summaries[reference]
            counts[pair] = [union_lcs_length(*sides), *(sum(map(len, side)) for side in sides)]
    return counts


def union_lcs_length(prediction: Sequence[Sequence[int]], reference: Sequence[Sequence[int]]) -> int:
    """Returns how many tokens of the reference's sentences are in the union of their LCSs (Lin 2004, section 3.2).

    Each sentence of the reference has an LCS with each sentence of the prediction. The union holds the positions of all
    of them. As in ROUGE-1.5.5 a token counts at most as often as it occurs in the prediction.

    Args:
        prediction: its sentences as token ids.
        reference: its sentences as token ids.
    """
    available = Counter(itertools.chain.from_iterable(prediction))
    found: Counter[int] = Counter()
    for sentence in reference:
        # a token that does not occur in the prediction is in no LCS, and no tie depends on it
        sentence = [token for token in sentence if token in available]
        masks: dict[int, int] = {}
        for position, token in enumerate(sentence):
            masks[token] = masks.get(token, 0) | 1 << position
        union, full = 0, (1 << len(sentence)) - 1
        for predicted in prediction:
            if union == full:
                break
            union |= _lcs_mask(predicted, masks, full)
        found.update(token for position, token in enumerate(sentence) if union >> position & 1)
    return sum(min(count, available[token]) for token, count in found.items())


def _lcs_mask(prediction: Collection[int], masks: dict[int, int], full: int) -> int:
    """Returns the reference positions of one LCS as bits, the LCS that rouge_score and ROUGE-1.5.5 find.

    The idea: a table holds the length of the LCS for each beginning of the reference (row) and of the prediction
    (column). Both programs walk it back from its end: diagonally where the tokens match; else up, to the token before
    in the reference, unless the LCS would get shorter; else left.

    The trick: a column is one integer (Hyyrö 2004). Bit i of `flat` is 0 where token i of the reference makes the LCS
    longer. So to walk up within a column is to look for the highest bit at which the walk stops. The plain version is
    rouge_score itself, with which tests/test_rouge.py compares.

    Args:
        prediction: a sentence as token ids.
        masks: token id -> its positions in the reference sentence, as bits.
        full: a bit for each position of the reference sentence.
    """
    flat, steps, get = full, [], masks.get
    for token in prediction:
        matches = get(token)
        if matches is not None:
            taken = flat & matches
            flat = (flat + taken | flat - taken) & full
            steps.append((matches, matches | flat ^ full))
        elif steps:
            # in a column without a match the walk goes up to where the LCS gets longer, past matches that do not matter
            steps[-1] = (steps[-1][0], flat ^ full)
    lcs, reachable = 0, full
    for matches, stops in reversed(steps):
        stops &= reachable
        if not stops:
            break
        stop = 1 << stops.bit_length() - 1
        reachable = 2 * stop - 1
        if matches & stop:
            lcs |= stop
            reachable = stop - 1
    return lcs


def weighted_lcs(predictions: Sequence[np.ndarray], references: Sequence[np.ndarray], exponent: float) -> np.ndarray:
    """Returns the weighted LCS, in which k matches in a row count k ** exponent (Lin 2004, section 4): (n_pairs,).

    The idea is the paper's: a table with a row for each token of the reference and a column for each one of the
    prediction. The trick: the cells of an anti-diagonal do not depend on one another, and neither do pairs of texts. So
    whole anti-diagonals of many pairs of similar size are computed at once. Time grows with the product of the lengths.
    The plain version, cell by cell, is `slow_weighted_lcs` of tests/test_rouge.py.

    Args:
        predictions: token ids of each text.
        references: token ids of each text.
        exponent: at least 1; with 1 it is the length of the LCS.
    """
    sizes = [(len(prediction), len(reference)) for prediction, reference in zip(predictions, references, strict=True)]
    order = sorted(range(len(sizes)), key=lambda index: (max(sizes[index]), sum(sizes[index])))
    result = np.zeros(len(sizes))
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end + 1 - start) * max(sizes[order[end]]) <= BATCH_CELLS:
            end += 1
        batch = order[start:end]
        result[batch] = _weighted_lcs_batch([predictions[i] for i in batch], [references[i] for i in batch], exponent)
        start = end
    return result


def _weighted_lcs_batch(
    predictions: Sequence[np.ndarray], references: Sequence[np.ndarray], exponent: float
) -> np.ndarray:
    """Returns the weighted LCS of pairs of texts, padded to one size; arrays are (n_pairs, position in prediction)."""
    predicted, wanted = _padded(predictions), _padded(references)
    (n_pairs, width), height = predicted.shape, wanted.shape[1]
    gain = np.diff(np.arange(min(width, height) + 2.0) ** exponent)  # of the (k + 1)-th match in a row
    lengths = np.array([len(text) for text in predictions])
    ends = lengths + [len(text) for text in references]
    result = np.zeros(n_pairs)
    values = before = np.zeros((n_pairs, width + 1))
    in_a_row = in_a_row_before = np.zeros((n_pairs, width + 1), dtype=np.int64)
    for diagonal in range(2, width + height + 1):
        low, high = max(1, diagonal - height), min(width, diagonal - 1) + 1
        here, up_left = slice(low, high), slice(low - 1, high - 1)
        is_match = predicted[:, low - 1 : high - 1] == wanted[:, diagonal - high : diagonal - low][:, ::-1]
        matched = in_a_row_before[:, up_left]
        value = np.where(is_match, before[:, up_left] + gain[matched], np.maximum(values[:, here], values[:, up_left]))
        before, values = values, np.zeros_like(values)
        values[:, here] = value
        in_a_row_before, in_a_row = in_a_row, np.zeros_like(in_a_row)
        in_a_row[:, here] = np.where(is_match, matched + 1, 0)
        done = ends == diagonal
        result[done] = values[done, lengths[done]]
    return result


def _padded(texts: Sequence[np.ndarray]) -> np.ndarray:
    """Returns texts of different lengths as one array. What fills it up after a text's end changes no result."""
    lengths = lengths_of(texts)
    result = np.zeros((len(texts), lengths.max(initial=0)), dtype=np.int64)
    result[np.arange(result.shape[1]) < lengths[:, None]] = np.concatenate(texts)
    return result
