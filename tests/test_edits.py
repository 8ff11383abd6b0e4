"""Edit distance, counts, alignments and their text, against a slow and obvious version."""

import functools
import tracemalloc

import numpy as np
import oracles
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from texts import TEXT

from textgauge.edits import diagonal_steps as steps
from textgauge.edits import distance_columns, distances
from textgauge.edits.most_hits import most_hits
from textgauge.error_rates import edit_alignments as alignments
from textgauge.error_rates.nearest.choice import choose
from textgauge.error_rates.nearest.pairs import Texts, repeat
from textgauge.error_rates.nearest.rule import Rule
from textgauge.korean.readings import Cleaning

RULE = Rule(Cleaning("keep", "keep", "syllable", "keep"), bounded=False, ties="jiwer")
# few characters, so that many alignments have the fewest edits
STRING = st.text("ab가c", max_size=9)
PAIRS = st.lists(st.tuples(STRING, STRING), max_size=4)
SEGMENTS = st.lists(st.tuples(STRING, st.lists(STRING, min_size=1, max_size=3)), max_size=4)
TIES = ["jiwer", "espnet", "nlptutti"]


@pytest.mark.parametrize("ties", TIES)
@given(pair=st.tuples(STRING, STRING))
def test_alignment(ties, pair):
    runs = distances.align(*pair, ties)
    kinds = [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))]
    assert kinds == oracles.steps(*pair, ties)
    # the runs cover both strings in order, and are as long as can be
    ends = [(0, 0), *((b, d) for _, _, b, _, d in runs)]
    assert [(a, c) for _, a, _, c, _ in runs] == ends[:-1]
    assert ends[-1] == tuple(map(len, pair))
    assert all(left[0] != right[0] for left, right in zip(runs, runs[1:], strict=False))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("kept_every", [1, 2, 3])
@given(pair=st.tuples(STRING, STRING))
def test_alignment_from_columns_in_between(kept_every, ties, pair):
    """The same to the last step, however many columns of the matrix are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance_columns, "_KEPT_EVERY", kept_every)
        runs = distances.align(*pair, ties)
    assert [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))] == oracles.steps(*pair, ties)


EDITED = st.text("abcde", min_size=30, max_size=60).flatmap(
    lambda text: st.tuples(
        st.just(text),
        st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, 3), st.text("ab", max_size=4)), max_size=3).map(
            lambda cuts: functools.reduce(lambda t, cut: t[: cut[0]] + cut[2] + t[cut[0] + cut[1] :], cuts, text)
        ),
    )
)


@pytest.mark.parametrize("ties", ["espnet", "nlptutti"])
@given(pair=EDITED, kept_every=st.integers(1, 20), is_turned=st.booleans())
def test_alignment_of_texts_that_differ_little(ties, pair, kept_every, is_turned):
    """The same to the last step, where few rows of the matrix are computed; also with the distance that is known."""
    reference, prediction = pair[::-1] if is_turned else pair
    expected = oracles.steps(reference, prediction, ties)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance_columns, "_KEPT_EVERY", kept_every)
        for edits in (None, Levenshtein.distance(reference, prediction)):
            runs = distances.align(reference, prediction, ties, edits)
            assert [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))] == expected


def test_few_rows_of_the_matrix_are_computed(monkeypatch):
    """As many as the edits need, and in a block as many as it is wide."""
    sizes, columns = [], distance_columns.distance_columns

    def counted(rows_of, n_rows, *others):
        sizes.append(n_rows)
        return columns(rows_of, n_rows, *others)

    monkeypatch.setattr(distance_columns, "distance_columns", counted)
    reference = "".join(map(chr, range(0xAC00, 0xAC00 + 9000)))
    for prediction in (reference[:5000] + "ab" + reference[5100:], "".join(map(chr, range(0x3400, 0x3400 + 9000)))):
        sizes.clear()
        runs = distances.align(reference, prediction, "espnet")
        edits = sum(max(b - a, d - c) for kind, a, b, c, d in runs if kind != "equal")
        blocks = -(-len(prediction) // 1024)
        assert len(sizes) == 2 * blocks - 1
        assert max(sizes[: blocks - 1]) <= edits + 2 * 1024 and max(sizes[blocks - 1 :]) <= 3 * 1024 + 100


@pytest.mark.parametrize("ties", TIES)
@given(pairs=PAIRS)
def test_counts(ties, pairs):
    references, predictions = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    edits = np.array([oracles.distances(*pair)[-1][-1] for pair in pairs], dtype=np.int64)
    counts = distances.count_edits(references, predictions, edits, ties)
    for row, pair in zip(counts.tolist(), pairs, strict=True):
        kinds = oracles.steps(*pair, ties)
        assert row == [kinds.count(kind) for kind in ("substitute", "delete", "insert", "equal")]


LONGER = st.tuples(st.text("ab가", max_size=40), st.text("ab가", max_size=40))


@pytest.mark.parametrize("limits", [{}, {"_CELLS": 60}, {"_MOST_CELLS": 40}, {"_MOST_STEPS": 20}])
@given(pairs=st.lists(LONGER | st.tuples(TEXT, TEXT), max_size=8), insert_first=st.booleans())
def test_alignments_of_many_pairs(limits, pairs, insert_first):
    """The characters that `align` takes together, in any batches, of the pairs that are short."""
    references, predictions = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    edits = np.array([Levenshtein.distance(*pair) for pair in pairs], dtype=np.int64)
    sides = steps.Characters.of(references), steps.Characters.of(predictions)
    ties = "nlptutti" if insert_first else "espnet"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(steps, name, value)
        chosen = np.flatnonzero(steps.are_short(*sides, edits))
        found = steps.aligned_places(*sides, edits, chosen, insert_first)
        counts = distances.count_edits(references, predictions, edits, ties)
    expected = []
    for number, pair in enumerate(pairs):
        runs = distances.align(*pair, ties)
        starts = [int(side.starts[number]) for side in sides]
        if number in chosen:
            taken = [(a + at, c + at) for kind, a, b, c, d in runs if b - a == d - c for at in range(b - a)]
            expected += [(number, starts[0] + left, starts[1] + right) for left, right in taken]
        kinds = [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))]
        wanted = ("substitute", "delete", "insert", "equal")
        assert counts[number].tolist() == [kinds.count(kind) for kind in wanted]
    assert sorted(zip(*(values.tolist() for values in found), strict=True)) == expected


@pytest.mark.parametrize("ties", ["espnet", "nlptutti"])
def test_alignments_of_hundreds_of_pairs(ties):
    """Side by side in one batch, near and far ones, long and short ones."""
    rng = np.random.default_rng(3)
    references = ["".join(rng.choice(list("ab가"), rng.integers(60))) for _ in range(400)]
    predictions = ["".join(rng.choice(list("ab가"), rng.integers(60))) for _ in range(400)]
    edits = np.array(list(map(Levenshtein.distance, references, predictions)))
    for (reference, prediction), found in zip(
        zip(references, predictions, strict=True),
        distances.count_edits(references, predictions, edits, ties).tolist(),
        strict=True,
    ):
        runs = distances.align(reference, prediction, ties)
        kinds = [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))]
        assert found == [kinds.count(kind) for kind in ("substitute", "delete", "insert", "equal")]


@pytest.mark.parametrize(("surplus", "shift"), [(0, 500), (20, 494), (20, 515), (75, 500)])
def test_alignments_of_texts_that_hardly_agree(surplus, shift):
    """Two ways have nearly as many edits: all but seven characters are others, or half are at another place."""
    characters = "".join(map(chr, range(0xAC00, 0xAC00 + 2000)))
    reference, prediction = characters[:1000], list(characters[shift : shift + 1000 + surplus])
    prediction[:70:10] = reference[:70:10]
    for pair in ((reference, "".join(prediction)), ("".join(prediction), reference)):
        edits = Levenshtein.distance(*pair)
        for ties in ("espnet", "nlptutti"):
            runs = distances.align(*pair, ties)
            kinds = [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))]
            wanted = [kinds.count(kind) for kind in ("substitute", "delete", "insert", "equal")]
            assert distances.count_edits([pair[0]], [pair[1]], np.array([edits]), ties).tolist() == [wanted]
        rate = load("cer").compute(predictions=[pair[1]], references=[pair[0]], preset="nlptutti")["cer"]
        assert rate == edits / (edits + wanted[3])


@given(SEGMENTS)
def test_closest_reference(segments):
    counts = np.array([len(references) for _, references in segments], dtype=np.int64)
    predictions = repeat([prediction for prediction, _ in segments], counts)
    flat = [reference for _, references in segments for reference in references]
    found = choose(Texts(flat, predictions, counts), RULE)
    start = 0
    for row, (prediction, references) in enumerate(segments):
        distances = [oracles.distances(reference, prediction)[-1][-1] for reference in references]
        rates = [e / len(r) if e and r else np.inf if e else 0.0 for e, r in zip(distances, references, strict=True)]
        best = rates.index(min(rates))
        assert (found.chosen[row] - start, found.pairs.edits[row], found.indices[row]) == (best, distances[best], best)
        start += len(references)


def test_long_strings():
    rng = np.random.default_rng(5)
    reference, prediction = ("".join(map(chr, rng.integers(0xAC00, 0xAC40, 2000))) for _ in range(2))
    for ties in TIES:
        runs = distances.align(reference, prediction, ties)
        edits = sum(max(b - a, d - c) for kind, a, b, c, d in runs if kind != "equal")
        assert edits == choose(Texts([reference], [prediction], np.array([1])), RULE).pairs.edits[0]


@pytest.mark.parametrize("ties", ["espnet", "nlptutti"])
def test_memory_grows_less_than_the_matrix(ties, monkeypatch):
    """The matrix of texts that are eight times as long is 64 times as large."""
    monkeypatch.setattr(distance_columns, "_KEPT_EVERY", 64)
    rng = np.random.default_rng(6)
    peaks = []
    for size in (500, 4000):
        reference, prediction = ("".join(map(chr, rng.integers(0xAC00, 0xAC40, size))) for _ in range(2))
        tracemalloc.start()
        try:
            distances.align(reference, prediction, ties)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 16 * peaks[0], peaks


@given(STRING, STRING)
def test_confusions(reference, prediction):
    runs = distances.align(reference, prediction)
    found = alignments.confusions([(runs, reference, prediction)] * 2, 100)
    assert sum(count for _, _, count in found) == 2 * oracles.distances(reference, prediction)[-1][-1]
    assert found == sorted(found, key=lambda entry: (-entry[2], entry[:2]))
    assert all(left != right for left, right, _ in found)
    assert alignments.confusions([(runs, reference, prediction)] * 2, 1) == found[:1]


SCLITE = """\
Scores: (#C #S #D #I) 3 1 1 2
REF:  나는 *** *** 학교에 cat 갔다 .
HYP:  나는 오  늘  학교   cat 갔다 ***
Eval:      I   I   S               D"""
KALDI = """\
7 ref   나는 *** *** 학교에 cat 갔다 .
7 hyp   나는 오  늘  학교   cat 갔다 ***
7 op    C    I   I   S      C   C    D
7 #csid 3 1 1 2"""


@pytest.mark.parametrize(("form", "expected"), [("sclite", SCLITE), ("kaldi", KALDI)])
def test_alignment_text(form, expected):
    """As wide as the wider of the two on a terminal, where Hangul takes two places."""
    reference, prediction = ["나는", "학교에", "cat", "갔다", "."], ["나는", "오", "늘", "학교", "cat", "갔다"]
    runs = [("equal", 0, 1, 0, 1), ("insert", 1, 1, 1, 3), ("substitute", 1, 2, 3, 4), ("equal", 2, 4, 4, 6)]
    text = alignments.alignment_text(form, 7, [*runs, ("delete", 4, 5, 6, 6)], reference, prediction)
    assert text == expected


def test_width_on_a_terminal():
    """Full width takes two places, a mark none."""
    text = alignments.alignment_text("sclite", 0, [("substitute", 0, 3, 0, 3)], ["ＡＢ", "ไท่ย", "x"], ["b", "b", "y"])
    assert text.split("\n")[1:] == ["REF:  ＡＢ ไท่ย x", "HYP:  b    b   y", "Eval: S    S   S"]


def test_alignment_text_of_nothing():
    assert alignments.alignment_text("sclite", 0, [], [], []) == "Scores: (#C #S #D #I) 0 0 0 0\nREF:\nHYP:\nEval:"
    assert alignments.alignment_text("kaldi", 0, [], [], []) == "0 ref\n0 hyp\n0 op\n0 #csid 0 0 0 0"


def test_summary_line():
    """Kaldi's line of its manual's example, and sclite's columns."""
    counts = [19, 10, 6, 113]
    assert alignments.summary_line("kaldi", "WER", counts, 10, 7) == "%WER 24.65 [ 35 / 142, 6 ins, 10 del, 19 sub ]"
    heading, row = alignments.summary_line("sclite", "CER", counts, 10, 7).split("\n")
    assert heading == "| # Snt # Chr | Corr Sub Del Ins Err S.Err |"
    assert row == "| 10 142 | 79.6 13.4 7.0 4.2 24.6 70.0 |"
    assert alignments.summary_line("kaldi", "CER", [0, 0, 2, 0], 1, 1) == "%CER inf [ 2 / 0, 2 ins, 0 del, 0 sub ]"
    assert alignments.summary_line("kaldi", "CER", [0, 0, 0, 0], 1, 0) == "%CER 0.00 [ 0 / 0, 0 ins, 0 del, 0 sub ]"


@functools.cache
def slow_edits_and_hits(reference, prediction):
    """Returns the fewest edits, and minus the most hits that an alignment with so many has."""
    if not reference or not prediction:
        return len(reference) + len(prediction), 0
    edits, hits = slow_edits_and_hits(reference[1:], prediction[1:])
    is_equal = reference[0] == prediction[0]
    found = [(edits, hits - 1) if is_equal else (edits + 1, hits)]
    for edits, hits in (slow_edits_and_hits(reference[1:], prediction), slow_edits_and_hits(reference, prediction[1:])):
        found.append((edits + 1, hits))
    return min(found)


@given(st.text("가나다", max_size=9), st.text("가나다", max_size=9))
def test_most_hits(reference, prediction):
    """Of the alignments with the fewest edits; exchanged texts have the same hits."""
    runs = most_hits(reference, prediction)
    equal = {tuple(run[1:]) for run in runs if run[0] == "equal"}
    n_hits = sum(end - start for start, end, _, _ in equal)
    n_edits = sum(max(end - start, other - first) for kind, start, end, first, other in runs if kind != "equal")
    assert (n_edits, -n_hits) == slow_edits_and_hits(reference, prediction)
    assert all(reference[start:end] == prediction[first:other] for start, end, first, other in equal)
    exchanged = {tuple(run[1:]) for run in most_hits(prediction, reference) if run[0] == "equal"}
    assert {(*run[2:], *run[:2]) for run in exchanged} == equal


def test_most_hits_of_long_texts():
    assert most_hits("가" * 3000, "나" * 3000) is None
    assert most_hits("가" * 3000, "가" * 3000) == [("equal", 0, 3000, 0, 3000)]
