"""N-grams of a few texts, found text by text as strings, and where those of one text match.

For a few short texts this takes a fraction of the time that `counts.py` takes to make arrays, and finds the same.

The trick: a token is a character, so that an n-gram is a string. It is made of the one that is shorter by a token, and
it is looked up faster than a tuple.
"""

import functools
import itertools
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.tokens.chunks import Chunk

Ngram = tuple[Any, ...]


def ngrams(tokens: Sequence[Any], order: int) -> Iterator[Ngram]:
    """Returns the n-grams of a text in their order."""
    return zip(*[tokens[start:] for start in range(order)], strict=False)


def _ngrams_by_order(
    prediction: Sequence[Any], references: Sequence[Sequence[Any]], max_order: int
) -> Iterator[list[Sequence[str]]]:
    """Yields for each order the n-grams of a prediction, and then those of each of its references, as strings.

    The order of the strings is that of their tokens, of which those come first that the prediction has first.
    """
    distinct = dict.fromkeys(itertools.chain(prediction, *references))
    characters = dict(zip(distinct, map(chr, range(len(distinct))), strict=True))
    texts = ["".join(map(characters.__getitem__, tokens)) for tokens in (prediction, *references)]
    found: list[Sequence[str]] = [*texts]
    for order in range(1, max_order + 1):
        if order > 1:
            found = [_longer_ngrams(shorter, text[order - 1 :]) for shorter, text in zip(found, texts, strict=True)]
        yield found


def _longer_ngrams(shorter: Sequence[str], last_tokens: str) -> list[str]:
    """Returns the n-grams that begin with shorter ones, each with its last token."""
    return list(map(operator.add, shorter, last_tokens))


def few_matches(pairs: Iterable[tuple[Sequence[Any], Sequence[Sequence[Any]]]], max_order: int) -> np.ndarray:
    """Returns the clipped matches of predictions, each with references of its own: (n_predictions, max_order)."""
    rows = []
    for prediction, references in pairs:
        matches = [0] * max_order
        for index, found in enumerate(_ngrams_by_order(prediction, references, max_order)):
            matched = _clipped_matches(found[0], found[1:])
            if not matched:  # nor does a longer one match
                break
            matches[index] = matched
        rows.append(matches)
    return np.array(rows, dtype=np.float64).reshape(len(rows), max_order)


def _clipped_matches(prediction: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    """Returns how many n-grams of a prediction match, each at most as often as it occurs in one of its references.

    The idea: the first occurrence of an n-gram matches where a reference has it. Further ones, which are rare, are
    counted.
    """
    distinct = set(prediction)
    common = distinct.intersection(itertools.chain.from_iterable(references))
    if not common or len(distinct) == len(prediction):
        return len(common)

    counts = Counter(prediction)
    repeated = [ngram for ngram in common if counts[ngram] > 1]
    if not repeated:
        return len(common)
    most = functools.reduce(operator.or_, map(Counter, references))
    return len(common) - len(repeated) + sum([min(counts[ngram], most[ngram]) for ngram in repeated])


class FewNgrams(NamedTuple):
    """The n-grams of one order that match, segment by segment: lists of what `NgramCounts` of counts.py has.

    Those of a segment are in the order of `counts.py`: by their tokens, of which those come first that the prediction
    has first.
    """

    rows: list[int]
    places: list[int]  # the token of the chunk at which the n-gram begins
    counts: list[int]
    starts: list[int]
    reference_numbers: list[int]
    reference_counts: list[int]


def few_ngrams(chunk: Chunk, max_order: int) -> Iterator[FewNgrams]:
    """Yields the n-grams of each order that a prediction and one of its references have."""
    first_tokens = itertools.accumulate(map(len, chunk.lists), initial=0)
    segments = []
    for row, texts in enumerate(zip(chunk.lists, chunk.references(), first_tokens, strict=False)):
        prediction, references, first_token = texts
        segments.append((row, first_token, _ngrams_by_order(prediction, references, max_order)))
    for _ in range(max_order):
        found = FewNgrams([], [], [], [], [], [])
        # where none matches, nor does a longer one
        segments = [segment for segment in segments if _add_matched(found, *segment)]
        yield found


def _add_matched(found: FewNgrams, row: int, first_token: int, ngrams_by_order: Iterator[list[Sequence[str]]]) -> bool:
    """Adds the n-grams of the next order that match in a segment; returns whether there are any."""
    prediction, *references = next(ngrams_by_order)
    common = sorted(set(prediction).intersection(itertools.chain.from_iterable(references)))
    places = dict(zip(prediction, itertools.count(first_token), strict=False))
    counts = Counter(prediction)
    reference_counts = list(map(Counter, references))
    found.rows.extend([row] * len(common))
    found.places.extend([places[ngram] for ngram in common])
    found.counts.extend([counts[ngram] for ngram in common])
    for ngram in common:
        found.starts.append(len(found.reference_numbers))
        found.reference_numbers.append(0)  # the prediction
        found.reference_counts.append(0)
        for number, counts_of_reference in enumerate(reference_counts, start=1):
            if ngram in counts_of_reference:
                found.reference_numbers.append(number)
                found.reference_counts.append(counts_of_reference[ngram])
    return bool(common)


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
