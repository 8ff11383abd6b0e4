"""ROUGE-Lsum: how much of a reference's sentences is in the union of their LCSs with a prediction's (Lin 2004).

Each sentence of the reference has an LCS with each sentence of the prediction. The union holds the positions of all of
them. As in ROUGE-1.5.5 a token counts at most as often as it occurs in the prediction. Of several LCSs it is the one
that ROUGE-1.5.5 and rouge_score find.

The idea: their table holds the length of the LCS for each beginning of the reference (row) and of the prediction
(column). Both programs walk it back from its end: diagonally where the tokens match; else up, to the token before in
the reference, unless the LCS would get shorter; else left. Here a column is one integer (Hyyrö 2004), with a bit for
each token of the reference. So to walk up within a column is to look for the highest bit at which the walk stops.

The trick: each pair of sentences is a lane. All lanes go through their columns together, as arrays of integers, those
with most columns first, so that the lanes that are not done are always the first ones. Columns without a match are left
out. Sentences of more than 64 tokens go one by one, as Python's integers (`_long_union`). That is the plain version
too, with which the tests compare, besides rouge_score itself.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import ranges
from textgauge.tokens.chunks import Chunk

from .sorted_ngrams import Shared, is_new

_BLOCK_CELLS = 2**18  # tokens of predictions, each once for every sentence of a reference, that are in memory together
_TYPES = (np.uint16, np.uint32, np.uint64)


class _Sides(NamedTuple):
    """The sentences of a chunk of pairs of texts; a token that only one side of its pair has is 0, others count from 1.

    Tokens of references that are 0 are left out: they are in no LCS, and no tie depends on them.
    """

    predicted: np.ndarray  # (n_predicted,) tokens of the predictions
    sentence_of: np.ndarray  # (n_predicted,) number of the sentence
    text_starts: np.ndarray  # (n_pairs,) first token of each prediction
    text_lengths: np.ndarray  # (n_pairs,)
    wanted: np.ndarray  # (n_wanted,) tokens of the references
    starts: np.ndarray  # (n_sentences,) first token of each sentence of a reference
    lengths: np.ndarray  # (n_sentences,)
    pair_of: np.ndarray  # (n_sentences,)
    sizes: np.ndarray  # (n_pairs,) distinct tokens that both sides have


class Sentences(NamedTuple):
    """The sentences of a chunk of pairs of texts: the predictions, and then one reference for each."""

    chunk: Chunk  # each text as the tokens of its sentences
    lengths: np.ndarray  # (n_sentences,) tokens of each sentence, text by text
    counts: np.ndarray  # (n_texts,) sentences of each text


def summary_counts(sentences: Sentences, shared: Shared, counts: np.ndarray) -> np.ndarray:
    """Returns the counts of ROUGE-Lsum, which differ from those of ROUGE-L only where a text has several sentences.

    Args:
        sentences: of the texts.
        shared: the tokens of their chunk that can match.
        counts: those of ROUGE-L: LCS, length of the prediction, length of the reference; (n_pairs, 3).
    """
    lengths = sentences.chunk.tokens.lengths.reshape(2, -1).T
    summary = np.column_stack([union_lcs_lengths(sentences, shared), lengths])
    return np.where(_has_several(sentences)[:, None], summary, counts)


def _has_several(sentences: Sentences) -> np.ndarray:
    return (sentences.counts > 1).reshape(2, -1).any(axis=0)


def union_lcs_lengths(sentences: Sentences, shared: Shared) -> np.ndarray:
    """Returns how many tokens of each reference are in the union, (n_pairs,) int; 0 for pairs of one sentence each.

    Args:
        sentences: of the texts.
        shared: the tokens of their chunk that can match.
    """
    sides = _sides(sentences, shared)
    in_union = np.zeros(len(sides.wanted), dtype=bool)
    for block, bits in _blocks(sides):
        if bits:
            unions = _unions(sides, block, _TYPES[bits.bit_length() - 5])
            tokens, owners = _tokens_of(sides.starts[block], sides.lengths[block])
            offsets = tokens - sides.starts[block][owners]
            in_union[tokens] = unions[owners] >> offsets.astype(unions.dtype) & unions.dtype.type(1)
            continue
        for sentence in block.tolist():
            start = int(sides.starts[sentence])
            size = int(sides.lengths[sentence])
            union = _long_union(*_sentences_of(sides, sentence))
            in_union[start : start + size] = [union >> bit & 1 for bit in range(size)]

    # a slot for each distinct token of each pair
    first = np.cumsum(sides.sizes + 1) - sides.sizes - 1
    pairs = np.repeat(sides.pair_of, sides.lengths)
    n_slots = int((sides.sizes + 1).sum())
    found = np.bincount((first[pairs] + sides.wanted)[in_union], minlength=n_slots)
    available = np.bincount(np.repeat(first, sides.text_lengths) + sides.predicted, minlength=n_slots)
    matches = np.minimum(found, available)
    return np.add.reduceat(matches, first) if len(first) else matches


def _sides(sentences: Sentences, shared: Shared) -> _Sides:
    lengths = sentences.chunk.tokens.lengths
    n_pairs = sentences.chunk.n_rows
    text_lengths = lengths[:n_pairs]  # of the predictions
    places = np.arange(lengths.sum()) + np.repeat(np.arange(len(lengths)), lengths)
    has_several = np.repeat(np.tile(_has_several(sentences), 2), lengths)
    tokens = shared.tokens[places].astype(np.intp) * has_several
    sentence_of = np.repeat(np.arange(len(sentences.lengths)), sentences.lengths)

    end = int(text_lengths.sum())
    kept = end + np.flatnonzero(tokens[end:])
    wanted = tokens[kept]
    first = int(sentences.counts[:n_pairs].sum())  # sentence of a reference
    kept_lengths = np.bincount(sentence_of[kept] - first, minlength=len(sentences.lengths) - first)
    pairs = shared.codes[places[kept]] >> shared.token_bits
    sizes = np.zeros(n_pairs, dtype=np.intp)
    np.maximum.at(sizes, pairs.astype(np.intp), wanted)

    starts = np.cumsum(kept_lengths) - kept_lengths
    text_starts = np.cumsum(text_lengths) - text_lengths
    pair_of = np.repeat(np.arange(n_pairs), sentences.counts[n_pairs:])
    return _Sides(
        predicted=tokens[:end],
        sentence_of=sentence_of[:end],
        text_starts=text_starts,
        text_lengths=text_lengths,
        wanted=wanted,
        starts=starts,
        lengths=kept_lengths,
        pair_of=pair_of,
        sizes=sizes,
    )


def _blocks(sides: _Sides) -> Iterator[tuple[np.ndarray, int]]:
    """Yields numbers of sentences with the bits that each needs: 16, 32, 64, or 0 for the longer ones."""
    least = 1
    for bits, most in ((16, 16), (32, 32), (64, 64), (0, np.inf)):
        chosen = np.flatnonzero((sides.lengths >= least) & (sides.lengths <= most))
        ends = np.cumsum(sides.text_lengths[sides.pair_of[chosen]])
        start = done = 0
        while start < len(chosen):
            end = max(int(np.searchsorted(ends, done + _BLOCK_CELLS, side="right")), start + 1)
            yield chosen[start:end], bits
            start = end
            done = int(ends[end - 1])
        least = most + 1


def _tokens_of(starts: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the tokens of sentences or texts, one after the other, and which of them each belongs to."""
    return ranges(starts, lengths), np.repeat(np.arange(len(starts)), lengths)


def _unions(sides: _Sides, sentences: np.ndarray, dtype: type) -> np.ndarray:
    """Returns the union of the LCSs of each sentence of a reference, a bit for each of its tokens.

    Args:
        sides: the sentences.
        sentences: numbers of sentences of references.
        dtype: of the result, with enough bits.
    """
    pairs = sides.pair_of[sentences]
    # for each sentence a table: token -> where it occurs, as bits
    sizes = sides.sizes[pairs] + 1
    first = np.cumsum(sizes) - sizes
    tokens, owners = _tokens_of(sides.starts[sentences], sides.lengths[sentences])
    offsets = tokens - sides.starts[sentences][owners]
    table = np.zeros(int(sizes.sum()), dtype=dtype)
    bits = dtype(1) << offsets.astype(dtype)
    np.add.at(table, first[owners] + sides.wanted[tokens], bits)

    # columns: the tokens of the predictions that occur in the sentence
    tokens, owners = _tokens_of(sides.text_starts[pairs], sides.text_lengths[pairs])
    matches = table[first[owners] + sides.predicted[tokens]]
    hits = np.flatnonzero(matches)
    tokens = tokens[hits]
    owners = owners[hits]
    sentence_of = sides.sentence_of[tokens]
    ends_sentence = np.append(sides.sentence_of[1:] != sides.sentence_of[:-1], True)[tokens]
    is_before_gap = ~ends_sentence & (matches.take(hits + 1, mode="clip") == 0)

    # lanes: the columns of a sentence of the prediction and one of the reference
    starts = np.flatnonzero(is_new(sentence_of) | is_new(owners))
    counts = np.diff(starts, append=len(hits))
    lane_owners = owners[starts]
    order = np.argsort(-counts, kind="stable")
    n_unused_bits = np.iinfo(dtype).bits - sides.lengths[sentences][lane_owners[order]]
    full = ~dtype(0) >> n_unused_bits.astype(dtype)
    lcs = np.zeros(len(starts), dtype=dtype)
    lcs[order] = _walk(matches[hits], is_before_gap, starts[order], counts[order], full)
    return np.bitwise_or.reduceat(lcs, np.flatnonzero(is_new(lane_owners)))


def _walk(
    matches: np.ndarray, is_before_gap: np.ndarray, starts: np.ndarray, counts: np.ndarray, full: np.ndarray
) -> np.ndarray:
    """Returns the LCS of each lane, a bit for each token of the reference's sentence.

    Args:
        matches: (n_columns,) where each column's token occurs in the reference's sentence; the columns of all lanes.
        is_before_gap: (n_columns,) whether the next column of the lane has no match, and was left out.
        starts: (n_lanes,) first column of each lane.
        counts: (n_lanes,) columns of each lane, in descending order.
        full: (n_lanes,) a bit for each token of the reference's sentence.
    """
    widths = np.searchsorted(-counts, -np.arange(counts.max(initial=0)), side="left").tolist()
    flat = full.copy()  # a bit is 0 where its token makes the LCS longer
    columns = []
    for step, width in enumerate(widths):
        column = starts[:width] + step
        column_matches = matches[column]
        all_bits = full[:width]
        before = flat[:width]
        taken = before & column_matches
        after = (before + taken | before - taken) & all_bits
        flat[:width] = after
        # in a column without a match the walk goes up to where the LCS gets longer, past matches that do not matter
        nothing = column_matches.dtype.type(0)
        stops = after ^ all_bits | np.where(is_before_gap[column], nothing, column_matches)
        columns.append((column_matches, stops))

    lcs = np.zeros_like(full)
    reachable = full.copy()
    dtype = full.dtype
    shifts = [dtype.type(1 << power) for power in range(dtype.itemsize.bit_length() + 2)]
    for width, (column_matches, stops) in zip(reversed(widths), reversed(columns), strict=True):
        stops &= reachable[:width]
        for shift in shifts:
            stops |= stops >> shift  # in the end all bits up to the highest one
        below = stops >> shifts[0]
        match = (stops ^ below) & column_matches
        lcs[:width] |= match
        reachable[:width] = np.where(match, below, stops)
    return lcs


def _sentences_of(sides: _Sides, sentence: int) -> tuple[list[int], list[list[int]]]:
    """Returns a sentence of a reference, and the sentences of its prediction."""
    start = sides.starts[sentence]
    reference = sides.wanted[start : start + sides.lengths[sentence]]
    pair = sides.pair_of[sentence]
    text_start = sides.text_starts[pair]
    tokens = slice(text_start, text_start + sides.text_lengths[pair])
    cuts = np.flatnonzero(np.diff(sides.sentence_of[tokens])) + 1
    predictions = [part.tolist() for part in np.split(sides.predicted[tokens], cuts)]
    return reference.tolist(), predictions


def _long_union(reference: Sequence[int], predictions: Sequence[Sequence[int]]) -> int:
    """Returns the union of the LCSs of a sentence with each of several, a bit for each of its tokens."""
    masks: dict[int, int] = {}
    for position, token in enumerate(reference):
        masks[token] = masks.get(token, 0) | 1 << position
    full = (1 << len(reference)) - 1
    union = 0
    for prediction in predictions:
        union |= _long_lcs(prediction, masks, full)
        if union == full:
            break
    return union


def _long_lcs(prediction: Sequence[int], masks: dict[int, int], full: int) -> int:
    """Returns the LCS of two sentences, a bit for each token of the reference's.

    Args:
        prediction: a sentence as token ids.
        masks: token id -> its positions in the reference's sentence, as bits.
        full: a bit for each position of the reference's sentence.
    """
    flat = full
    columns: list[tuple[int, int]] = []  # matches, and the bits at which the walk stops
    for token in prediction:
        matches = masks.get(token)
        if matches is not None:
            taken = flat & matches
            flat = (flat + taken | flat - taken) & full
            columns.append((matches, matches | flat ^ full))
        elif columns:
            columns[-1] = (columns[-1][0], flat ^ full)

    lcs = 0
    reachable = full
    for matches, stops in reversed(columns):
        stops &= reachable
        if not stops:
            break
        stop = 1 << stops.bit_length() - 1
        reachable = 2 * stop - 1
        if matches & stop:
            lcs |= stop
            reachable = stop - 1
    return lcs
