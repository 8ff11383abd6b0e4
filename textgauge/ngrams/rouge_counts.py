"""What ROUGE counts in a prediction and a reference: matches of each type, and the units of both texts."""

import itertools
import re
from collections.abc import Callable, Sequence

import numpy as np

from textgauge.core.columns import lengths_of, ranges
from textgauge.tokens.chunks import Chunk, Tokens, as_strings, split_texts

from .corpus import NgramTable, counts_in_texts
from .counts import count_matches, count_ngrams, remaining_tokens, sum_by_row
from .skip_bigrams import skip_bigram_matches, skip_bigram_totals
from .sorted_ngrams import shared_strings, shared_tokens
from .subsequences import lcs_lengths, weighted_lcs
from .summaries import Sentences, summary_counts

TYPE = re.compile(r"rouge(?:(?P<order>[1-9][0-9]{0,2})|L|Lsum|W|S(?P<unigrams>U?)(?P<gap>\*|0|[1-9][0-9]{0,5}))")


def paired_chunk(tokens: Tokens, n_references: np.ndarray) -> Chunk:
    """Returns the tokens of all texts as a chunk in which each reference is a segment, with its prediction.

    `n_references` is (n_segments,).

    >>> tokens = Tokens(np.array([0, 1, 0, 2]), np.array([1, 1, 2]), None)
    >>> [ids.tolist() for side in sides_of(paired_chunk(tokens, np.array([2]))) for ids in side]
    [[0], [0], [1], [0, 2]]
    """
    texts = _paired(n_references)
    ids = tokens.ids
    lengths = tokens.lengths
    if len(texts) > len(lengths):  # else they are in this order
        starts = np.cumsum(lengths) - lengths
        ids = ids[ranges(starts[texts], lengths[texts])]
        lengths = lengths[texts]
    n_pairs = int(n_references.sum())
    return Chunk([1] * n_pairs, Tokens(ids, lengths, tokens.vocabulary))


def _paired(n_references: np.ndarray) -> np.ndarray:
    """Returns the prediction of each reference, and then the references, as numbers of texts."""
    n_predictions = len(n_references)
    predictions = np.repeat(np.arange(n_predictions), n_references)
    references = n_predictions + np.arange(n_references.sum())
    return np.concatenate([predictions, references])


def with_sentences(
    texts: list[str],
    split: Callable[[str], list[str]],
    encode_texts: Callable[[list[str]], Tokens],
    keeps_tokens: bool,
    n_references: np.ndarray,
) -> tuple[Chunk, Sentences | None]:
    """Returns the chunk of `paired_chunk`, and the sentences of the texts, None if each text is one.

    >>> tokens = Tokens(np.array([0, 1, 0]), np.array([1, 1, 1]), None)
    >>> texts = ["갔다\\n왔다", "갔다"]
    >>> chunk, sentences = with_sentences(texts, str.splitlines, lambda parts: tokens, True, np.array([1]))
    >>> chunk.lengths.tolist(), sentences.lengths.tolist(), sentences.counts.tolist()
    ([2, 1], [1, 1, 1], [2, 1])

    Args:
        texts: predictions and references.
        split: text -> its sentences.
        encode_texts: texts -> their tokens.
        keeps_tokens: the tokens of a text are those of its sentences, which are found once then.
        n_references: (n_segments,) references of each segment.
    """
    parts = list(map(split, texts))
    counts = lengths_of(parts)
    if counts.sum() == len(texts):
        return paired_chunk(encode_texts(texts), n_references), None
    flat = list(itertools.chain.from_iterable(parts))
    tokens = encode_texts(list(filter(None, flat)))
    lengths = np.zeros(len(flat), dtype=np.intp)
    lengths[lengths_of(flat) > 0] = tokens.lengths
    first = np.cumsum(counts) - counts
    paired = _paired(n_references)
    chunk = paired_chunk(tokens._replace(lengths=np.add.reduceat(lengths, first)), n_references)
    sentences = Sentences(chunk, lengths[ranges(first[paired], counts[paired])], counts[paired])
    if keeps_tokens:
        return chunk, sentences
    return paired_chunk(encode_texts(texts), n_references), sentences


def count_types(
    chunk: Chunk,
    names: Sequence[str],
    w_exponent: float,
    frequencies: NgramTable | None,
    sentences: Sentences | None = None,
) -> dict[str, np.ndarray]:
    """Returns type -> (n_references, 3): matches, units of the prediction, units of the reference.

    >>> chunk = Chunk([1], lists=[["개가", "잔다"], ["개가", "잘", "잔다"]])
    >>> {name: counts.tolist() for name, counts in count_types(chunk, ["rouge2"], 1.2, None).items()}
    {'rouge1': [[2.0, 2.0, 3.0]], 'rouge2': [[0.0, 1.0, 2.0]]}

    Args:
        chunk: as `paired_chunk` returns it.
        names: the types that are asked for; the result may hold others too.
        w_exponent: of ROUGE-W.
        frequencies: of documents; each n-gram then counts its idf, and all types are of n-grams.
        sentences: of the texts, for ROUGE-Lsum; None if each text is one.
    """
    parsed = {name: TYPE.fullmatch(name) for name in names}
    orders = [int(match["order"] or bool(match["unigrams"])) for match in parsed.values()]
    max_order = max(orders)
    if frequencies is not None:
        return idf_counts(chunk, max_order, frequencies)
    lengths = chunk.tokens.lengths.reshape(2, -1).T.astype(np.float64)
    shared = shared_tokens(chunk) if chunk.lists is None else None
    counts = {}
    for order, matches in enumerate(count_matches(chunk, max_order, shared).T, start=1):
        totals = np.maximum(lengths - order + 1, 0)
        counts[f"rouge{order}"] = np.column_stack([matches, totals])
    if not parsed.keys().isdisjoint(("rougeL", "rougeLsum")):
        texts = as_strings(chunk) if shared is None else shared_strings(chunk, shared)
        matches = lcs_lengths(texts[: chunk.n_rows], texts[chunk.n_rows :])
        counts["rougeL"] = np.column_stack([matches, lengths])
        counts["rougeLsum"] = counts["rougeL"]
        if sentences is not None:
            shared_by_sentences = shared if shared and sentences.chunk is chunk else shared_tokens(sentences.chunk)
            counts["rougeLsum"] = summary_counts(sentences, shared_by_sentences, counts["rougeL"])
    for name, match in parsed.items():
        if name == "rougeW":
            matches = weighted_lcs(*sides_of(chunk), w_exponent)
            counts[name] = np.column_stack([matches, lengths**w_exponent])
        elif match["gap"]:
            gap = None if match["gap"] == "*" else int(match["gap"])
            counts[name] = _count_skip_bigrams(chunk, lengths, gap)
            if match["unigrams"]:
                counts[name] += counts["rouge1"]
    return counts


def _count_skip_bigrams(chunk: Chunk, lengths: np.ndarray, gap: int | None) -> np.ndarray:
    """Returns matches and units of both texts, (n_references, 3), of pairs with so many tokens between them or any."""
    matches = [skip_bigram_matches(*texts, gap) for texts in zip(*sides_of(chunk), strict=True)]
    return np.column_stack([matches, skip_bigram_totals(lengths, gap)])


def idf_counts(chunk: Chunk, max_order: int, frequencies: NgramTable) -> dict[str, np.ndarray]:
    """Returns type -> (n_references, 3), as `count_types`, where an n-gram counts its inverse document frequency (idf).

    >>> chunk = Chunk([1], lists=[["개가", "잔다"], ["개가", "짖는다"]])
    >>> frequencies = NgramTable({"개가": 0}, 1, [np.array([0, 2**62])], [np.array([8]), np.array([4])])
    >>> idf_counts(chunk, max_order=1, frequencies=frequencies)["rouge1"].round(4).tolist()
    [[0.6931, 2.7726, 2.7726]]
    """
    lengths = chunk.tokens.lengths
    text_of_tokens = np.repeat(np.arange(len(lengths)), lengths)
    remaining = remaining_tokens(lengths)
    classes = counts_in_texts(chunk.tokens, frequencies, max_order)
    # Vedantam, Lawrence Zitnick and Parikh (2015), section 3
    n_segments = max(frequencies.counts[0][0], 1)
    counts = {}
    for order, ngrams in enumerate(count_ngrams(chunk, max_order, classes), start=1):
        weights_of_tokens = np.log(n_segments / classes[order - 1]) * (remaining >= order)
        totals = np.bincount(text_of_tokens, weights_of_tokens, minlength=len(lengths))
        totals = totals.reshape(2, -1).T  # of the prediction and the reference of each pair
        weights = np.log(n_segments / ngrams.classes)
        matches = sum_by_row(ngrams, ngrams.matches * weights, chunk.n_rows)
        # the sums are rounded differently, and no ratio may be above 1
        matches = np.minimum(matches, totals.min(axis=1))
        # without texts numpy returns integers
        counts[f"rouge{order}"] = np.column_stack([matches, totals]).astype(np.float64)
    return counts


def sides_of(chunk: Chunk) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Returns the token ids of each prediction, and of each reference: two lists of arrays (n_tokens,).

    >>> predictions, references = sides_of(Chunk([1], lists=[["개가", "잔다"], ["개가", "짖는다"]]))
    >>> predictions[0].tolist(), references[0].tolist()
    ([0, 1], [0, 2])
    """
    texts = split_texts(chunk.tokens.ids, chunk.tokens.lengths)
    return texts[: chunk.n_rows], texts[chunk.n_rows :]
