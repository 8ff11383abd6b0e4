"""The counting kernel, against counters."""

import contextlib
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from conftest import arrays_alone
from hypothesis import given
from hypothesis import strategies as st
from oracles import ngrams

from textgauge.core import threads
from textgauge.ngrams import sorted_ngrams, text_ngrams
from textgauge.ngrams.counts import count_matches, count_ngrams, matches_by_reference
from textgauge.ngrams.text_ngrams import matched_positions
from textgauge.tokens.tokenizers import encode_chunk

pytestmark = pytest.mark.usefixtures("each_way")


TEXT = st.text("abcd", max_size=9)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=4)), min_size=1, max_size=4)


def counted(corpus, max_order, classes=None):
    chunk = encode_chunk([row[0] for row in corpus], [row[1] for row in corpus], "char")
    return list(count_ngrams(chunk, max_order, classes))


def expected_counts(prediction, references, order):
    """Counts of the n-grams that occur in the prediction and in some reference."""
    counters = [Counter(ngrams(text, order)) for text in (prediction, *references)]
    return sorted(
        (counters[0][g], max(c[g] for c in counters[1:]), min(c[g] for c in counters[1:]))
        for g in counters[0]
        if any(g in c for c in counters[1:])
    )


@given(corpus=CORPUS, max_order=st.integers(1, 6), key_bits=st.sampled_from([62, 13]))
def test_counts(corpus, max_order, key_bits):
    """With few bits the keys are renumbered at every order, as long texts make it happen."""
    chunk = encode_chunk([row[0] for row in corpus], [row[1] for row in corpus], "char")
    classes = [np.ones(len(chunk.tokens.ids), dtype=np.int64)] * max_order  # a class, so that minima are counted too
    with mock.patch.object(sorted_ngrams, "KEY_BITS", key_bits):
        found = list(count_ngrams(chunk, max_order, classes))
    for order, counts in enumerate(found, start=1):
        for row, (prediction, references) in enumerate(corpus):
            here = counts.rows == row
            if not here.any():
                assert expected_counts(prediction, references, order) == []
                continue
            minima = counts.reference_min
            triples = zip(counts.counts[here], counts.reference_max[here], minima[here], strict=True)
            assert sorted(triples) == expected_counts(prediction, references, order)


def test_short_keys_are_renumbered():
    """The test above does reach the renumbering."""
    few_bits = mock.patch.object(sorted_ngrams, "KEY_BITS", 13)
    with arrays_alone(), few_bits, mock.patch.object(sorted_ngrams, "dense", wraps=sorted_ngrams.dense) as spy:
        counted([("abcdabcd", ["abcd"]), ("dcba", ["dd", "cba"])], 6)
    assert spy.called


@given(corpus=CORPUS, max_order=st.integers(1, 6), seed=st.integers(0, 5))
def test_lists_and_arrays_count_alike(corpus, max_order, seed):
    """To the order of the n-grams, so that sums over them are rounded alike."""
    found = []
    for setting in (contextlib.nullcontext(), arrays_alone()):
        with setting:
            chunk = encode_chunk([row[0] for row in corpus], [row[1] for row in corpus], "char")
            text = "".join([*(row[0] for row in corpus), *(text for row in corpus for text in row[1])])
            classes = [np.array([ord(token) % (seed + 1) for token in text], dtype=np.int64)]
            classes += [np.zeros(len(text), dtype=np.int64)] * (max_order - 1)
            ways = count_ngrams(chunk, max_order, classes if seed else None)
            found.append([*ways, count_matches(chunk, max_order), matches_by_reference(chunk, max_order)])
    for by_lists, by_arrays in zip(*found, strict=True):
        for one, other in zip(by_lists, by_arrays, strict=True):
            np.testing.assert_array_equal(one, other)


@given(corpus=CORPUS, seed=st.integers(0, 9))
def test_classes_of_any_size(corpus, seed):
    """Too large for a key with row, n-gram and reference number: as document frequencies of a huge corpus are."""
    chunk = encode_chunk([row[0] for row in corpus], [row[1] for row in corpus], "char")
    small = [(chunk.tokens.ids * 7 + chunk.rows.repeat(chunk.tokens.lengths) + seed) % 5]
    (expected,) = count_ngrams(chunk, 1, small)
    (found,) = count_ngrams(chunk, 1, [small[0] << 59])
    assert found.classes.tolist() == (expected.classes.astype(np.int64) << 59).tolist()
    for name in ("rows", "counts", "reference_max", "starts", "reference_numbers", "reference_counts", "reference_min"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


def test_long_text_many_references_and_many_classes():
    """10 bits for the segment, 17 for each of two tokens, 11 for the reference and 11 for the class are 66."""
    words = [f"w{i}" for i in range(66_000)]
    rows = [(" ".join(words), [" ".join(words[::-1]), " ".join(words), *["w1"] * 1028]), *[("w1 w2", ["w1 w2"])] * 1000]
    chunk = encode_chunk([row[0] for row in rows], [row[1] for row in rows], "whitespace")
    classes = [chunk.tokens.ids % 1100] * 2
    one, two = count_ngrams(chunk, 2, classes)
    matched = [np.bincount(found.rows, np.minimum(found.counts, found.reference_max)) for found in (one, two)]
    assert matched[0].tolist() == [66_000] + [2] * 1000
    assert matched[1].tolist() == np.bincount(two.rows).tolist() == [65_999] + [1] * 1000
    assert np.bincount(two.classes[two.rows == 0]).tolist() == [*[60] * 1099, 59]


@pytest.mark.parametrize("order", [5, 6])
def test_ngrams_that_differ_in_the_first_token_alone(order):
    """Too long for a key of 64 bits: were the first token cut off, all of these would match."""
    firsts, tail = [f"t{i}" for i in range(9000)], ["x"] * (order - 1)
    prediction = [token for first in firsts[::2] for token in (first, *tail)] + firsts
    reference = [token for first in firsts[1::2] for token in (first, *tail)] + firsts
    chunk = encode_chunk([" ".join(prediction)], [[" ".join(reference)]], "whitespace")
    *_, counts = count_ngrams(chunk, order)
    expected = sum((Counter(ngrams(prediction, order)) & Counter(ngrams(reference, order))).values())
    assert np.minimum(counts.counts, counts.reference_max).sum() == expected


def test_classes_come_back():
    corpus = [("ab", ["ab"]), ("b", ["b"])]
    classes = [np.array([5, 0, 3, 5, 0, 3])]  # a b | b | a b | b
    (counts,) = counted(corpus, 1, classes)
    assert sorted(zip(counts.rows.tolist(), counts.classes.tolist(), strict=True)) == [(0, 0), (0, 5), (1, 3)]


@given(prediction=TEXT, references=st.lists(TEXT, min_size=1, max_size=3), max_order=st.integers(1, 4))
def test_matched_positions_are_as_many_as_the_matches(prediction, references, max_order):
    marked = matched_positions(list(prediction), [list(text) for text in references], max_order)
    for order, starts in enumerate(marked, start=1):
        expected = sum(min(c, best) for c, best, _ in expected_counts(prediction, references, order))
        assert len(starts) == len(set(starts)) == expected


@given(sizes=st.lists(st.integers(0, 80), min_size=1, max_size=30))
def test_chunks_cover_every_row_once(sizes):
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(threads, "CHUNK_ROWS", 4))
        stack.enter_context(mock.patch.object(threads, "CHUNK_CHARACTERS", 50))
        bounds = threads.chunk_bounds(np.array(sizes))
    assert [start for start, _ in bounds] == [0, *(end for _, end in bounds[:-1])]
    assert bounds[-1][1] == len(sizes)
    for start, end in bounds:
        assert 1 <= end - start <= 4
        assert end - start == 1 or sum(sizes[start:end]) <= 50


def test_long_texts_and_many_references():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in rng.zipf(1.3, 30_000) if i < 10**6]
    corpus = [(words[:10_000], [words[5_000:15_000], words[:1]]), (["w1"], [["w1"]] * 300)]
    chunk = encode_chunk([" ".join(a) for a, _ in corpus], [[" ".join(b) for b in row] for _, row in corpus], "13a")
    for order, counts in enumerate(count_ngrams(chunk, 4), start=1):
        matches = np.minimum(counts.counts, counts.reference_max)
        for row, (prediction, references) in enumerate(corpus):
            best = Counter()
            for reference in references:
                best |= Counter(ngrams(reference, order))
            expected = sum((Counter(ngrams(prediction, order)) & best).values())
            assert matches[counts.rows == row].sum() == expected


def test_orders_beyond_the_texts_are_not_counted(monkeypatch):
    """A long list of orders takes no longer than the texts are long."""
    counted = []
    find = text_ngrams.ngrams
    monkeypatch.setattr(text_ngrams, "ngrams", lambda text, order: counted.append(order) or find(text, order))
    assert matched_positions("abcd", ["abcd"], 5000)[:5] == [[0, 1, 2, 3], [0, 1, 2], [0, 1], [0], []]
    assert counted == [1, 2, 3, 4, 5] and len(matched_positions("abcd", ["xabd"], 9)) == 9
