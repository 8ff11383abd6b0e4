"""N-grams of a few texts, found text by text as tuples of tokens, and where those of one text match.

For a few short texts this takes a fraction of the time that `counts.py` takes to make arrays, and finds the same.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.tokens.chunks import Chunk

Ngram = tuple[Any, ...]


def ngrams(tokens: Sequence[Any], order: int) -> Iterator[Ngram]:
    """Returns the n-grams of a text in their order."""
    return zip(*[tokens[start:] for start in range(order)], strict=False)


def few_matches(pairs: Iterable[tuple[Sequence[str], Sequence[Sequence[str]]]], max_order: int) -> np.ndarray:
    """Returns the clipped matches of predictions, each with references of its own: (n_predictions, max_order)."""
    rows = []
    for prediction, references in pairs:
        matches = [0] * max_order
        for order in range(1, max_order + 1):
            matched = _clipped_matches(prediction, references, order)
            if not matched:  # nor does a longer one match
                break
            matches[order - 1] = matched
        rows.append(matches)
    return np.array(rows, dtype=np.float64).reshape(len(rows), max_order)


def _clipped_matches(prediction: Sequence[str], references: Sequence[Sequence[str]], order: int) -> int:
    """Returns how many n-grams of a prediction match, each at most as often as it occurs in one of its references.

    The idea: the first occurrence of an n-gram matches where a reference has it. Further ones, which are rare, are
    counted.
    """
    distinct = set(ngrams(prediction, order))
    common = distinct.intersection(itertools.chain.from_iterable([ngrams(text, order) for text in references]))
    if not common or len(distinct) == len(prediction) - order + 1:
        return len(common)

    counts = Counter(ngrams(prediction, order))
    repeated = [ngram for ngram in common if counts[ngram] > 1]
    if not repeated:
        return len(common)
    reference_counts = [Counter(ngrams(text, order)) for text in references]
    matches = len(common)
    for ngram in repeated:
        most = max([text_counts[ngram] for text_counts in reference_counts])
        matches += min(counts[ngram], most) - 1
    return matches


class _EncodedText(NamedTuple):
    row: int  # segment
    number: int  # of the reference, from 1; 0 for the prediction
    start: int  # of its tokens in the chunk
    tokens: list[int | None]  # a number for each token that can match


def few_ngrams(chunk: Chunk, max_order: int) -> Iterator[np.ndarray]:
    """Yields for each order in which of a few texts an n-gram occurs, an entry for each n-gram and text.

    An entry of the array, (n_entries, 5) intp, is the number of the n-gram, from 0 on, its segment, the number of the
    reference, 0 for the prediction, how often it occurs in that text, and the token of the chunk at which it begins.
    N-grams with a token that occurs only in the prediction or only in references are left out. The order is that of
    `counts.py`: by segment, and by the tokens, of which those come first that the prediction has first.
    """
    starts = list(itertools.accumulate(map(len, chunk.lists), initial=0))
    texts = []
    starts_of_references = iter(starts[chunk.n_rows :])
    for row, (prediction, references) in enumerate(zip(chunk.lists, chunk.references(), strict=False)):
        shared = _numbers(prediction, references)
        for number, tokens in enumerate([prediction, *references]):
            start = next(starts_of_references) if number else starts[row]
            texts.append(_EncodedText(row, number, start, list(map(shared.get, tokens))))
    for order in range(1, max_order + 1):
        yield _entries(texts, order)


def _entries(texts: Sequence[_EncodedText], order: int) -> np.ndarray:
    """Returns the entries of one order."""
    counts: Counter[tuple[int, Ngram, int]] = Counter()  # of (row, n-gram, number of the text)
    positions: dict[tuple[int, Ngram], int] = {}
    for row, number, start, tokens in texts:
        for position, ngram in enumerate(ngrams(tokens, order), start):
            if None not in ngram:
                counts[row, ngram, number] += 1
                positions[row, ngram] = position

    indices = {key: index for index, key in enumerate(sorted(positions))}
    entries = []
    for (row, ngram, number), count in sorted(counts.items()):
        key = row, ngram
        entries.append((indices[key], row, number, count, positions[key]))
    return np.array(entries, dtype=np.intp).reshape(-1, 5)


def _numbers(prediction: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, int]:
    """Returns a number for each token that a prediction and one of its references have, in the prediction's order."""
    wanted = set(itertools.chain.from_iterable(references))
    shared = [token for token in dict.fromkeys(prediction) if token in wanted]
    return {token: number for number, token in enumerate(shared)}


def matched_positions(
    prediction: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> list[list[int]]:
    """Returns for each order the positions in the prediction at which matched n-grams start.

    Where an n-gram occurs more often in the prediction than in any reference, its first occurrences match. This is for
    one segment, to show what made its score; `count_ngrams` counts the same matches.

    >>> matched_positions(["잘", "잘", "잔다"], [["잘", "잔다"], ["잔다"]], max_order=2)
    [[0, 2], [1]]
    """
    prediction = tuple(prediction)
    positions: Sequence[int] = range(len(prediction))
    result = []
    for order in range(1, max_order + 1):
        if not positions:
            return result + [[] for _ in range(order, max_order + 1)]
        left = functools.reduce(Counter.__or__, (Counter(ngrams(text, order)) for text in references))
        occurring = []
        starts = []
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
