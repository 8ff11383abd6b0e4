"""TER: examples worked by hand, a slow search, Tercom's limits, edges."""

import itertools
import random

import oracles
import pytest
from conftest import examples, load
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from textgauge.edits import beam_rows, ter_shifts
from textgauge.edits.ter_shifts import Shift, edit_steps, move, shift_words
from textgauge.tokens.tercom import clean_words

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12).map("".join)


def result(edits, shifts, length):
    return {"ter": edits / length, "edits": edits, "shifts": shifts, "reference_length": length}


# predictions, references, options, edits, shifts and words of the reference; worked by hand
EXAMPLES = [
    # Snover et al. (2006), section 2.1: one shift, two substitutions, one insertion; 4 edits and 13 words make 31 %
    (
        ["THIS WEEK THE SAUDIS denied information published in the new york times"],
        [["SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"]],
        {},
        result(4, 1, 13),
    ),
    (["오늘 나는 학교에 갔다"], [["나는 오늘 학교에 갔다"]], {}, result(1, 1, 4)),
    # blocks move as a whole
    (["학교에 갔다 나는 오늘"], [["나는 오늘 학교에 갔다"]], {}, result(1, 1, 4)),
    # no shift helps
    (["a b c"], [["c b a"]], {}, result(2, 0, 3)),
    # the edits of the nearest reference by the mean of the lengths
    (["가 나 다"], [["가 나 다 라 마", "가 나", "가 나 라 마 바"]], {}, result(1, 0, 4)),
    # of references with equally few edits the first: its shifts are counted
    (["a b"], [["b a", "a c"]], {}, result(1, 1, 2)),
    (["a b"], [["a c", "b a"]], {}, result(1, 0, 2)),
    (["Cat"], [["cat"]], {}, result(0, 0, 1)),
    (["Straße"], [["strasse"]], {}, result(1, 0, 1)),
    (["Cat"], [["cat"]], {"case_sensitive": True}, result(1, 0, 1)),
    (["간다."], [["간다"]], {}, result(1, 0, 1)),
    (["간다."], [["간다"]], {"no_punct": True}, result(0, 0, 1)),
    (["간다."], [["간다"]], {"normalized": True}, result(1, 0, 1)),
    (["a b"], [["a; b"]], {"no_punct": True}, result(0, 0, 2)),
    (["a~b"], [["a ~ b"]], {"normalized": True}, result(0, 0, 3)),
    (["5-6"], [["5 - 6"]], {"normalized": True}, result(0, 0, 3)),
    (["ab\n-c"], [["abc"]], {"normalized": True}, result(0, 0, 1)),
    # sacreBLEU applies the rules to references twice
    (["the cat's."], [["the cat's."]], {"normalized": True}, result(2, 0, 4)),
    (["漢字"], [["漢子"]], {"normalized": True}, result(1, 0, 1)),
    (["漢字"], [["漢子"]], {"normalized": True, "asian_support": True}, result(1, 0, 2)),
    *(
        ([f"가{mark}나"], [[f"가 {mark} 나"]], {"normalized": True, "asian_support": True}, result(0, 0, 3))
        for mark in "〟・㇀﹏；"
    ),
]


CHARACTERS = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]


@pytest.mark.parametrize("rules", [*itertools.product([False, True], repeat=3)], ids=str)
def test_rules_for_each_character_are_those_of_sacrebleu(rules):
    """All that two bytes hold between letters; of these what Latin texts hold at each place that a rule knows."""
    texts = ["&quot;a&amp;quot;b&lt;&gt;", *(f"a{character}b" for character in CHARACTERS)]
    for place in ("5{}6", "a{}5", "5{}a", "a\n{}b", "a\n{}-{}5", "'s{} {}", "&{};", "a {}"):
        texts += [place.replace("{}", character) for character in [*CHARACTERS[:0x250], "٣", "３", "\u2003"]]
    tokenizer = TercomTokenizer(*rules, case_sensitive=True)
    found, wanted = (
        clean(" | ".join(texts)).split(" | ") for clean in (lambda text: clean_words(text, *rules), tokenizer)
    )
    assert [pair for pair in zip(found, wanted, strict=True) if pair[0] != pair[1]] == []


def test_capitals_are_those_of_sacrebleu():
    """Lower case, and no folding: Straße is not strasse."""
    words = [f"a{c}b" for c in CHARACTERS if c.casefold() != c]
    for change in (str.lower, str.casefold, str.upper):
        others = list(map(change, words))
        found = load("ter").compute(predictions=words, references=others, normalization=None)
        assert found["edits"] == sum(word.lower() != other.lower() for word, other in zip(words, others, strict=True))
        assert found["ter"] == pytest.approx(TER().corpus_score(words, [others]).score / 100)


BAD_CALLS = [
    ({"asian_support": True}, "asian_support is True, but only normalized and no_punct use it; pass one of"),
]

EDGES = [
    ([""], [""], {}, 0),
    ([""], ["가 나"], {}, 1),
    (["가 나"], [""], {}, 1),
    (["!"], ["."], {"no_punct": True}, 0),
    (["가"], ["나"], {}, 1),
]


@pytest.mark.parametrize(("predictions", "references", "options", "expected"), EDGES)
def test_edges_are_those_of_sacrebleu(predictions, references, options, expected):
    assert TER(**options).sentence_score(*predictions, references).score == 100 * expected


def sacrebleu_edits(prediction, reference):
    """Returns the edits of two strings of which each character is a word."""
    return TER(case_sensitive=True).sentence_score(" ".join(prediction), [" ".join(reference)]).num_edits


@given(
    st.tuples(WORDS, WORDS)
    | WORDS.flatmap(lambda words: st.tuples(st.just(words), st.permutations(words).map("".join)))
)
def test_like_a_slow_search(texts):
    """Where texts are too short for any limit, each step tries all shifts and takes the best."""
    prediction, reference = texts
    found = shift_words(prediction, reference)
    assert found.edits == oracles.edits_with_shifts(prediction, reference) == sacrebleu_edits(prediction, reference)
    for shift in found.shifts:
        prediction = move(prediction, shift)
    assert found.prediction == prediction


LONG = "".join(map(chr, range(0x4E00, 0x4E00 + 130)))
LIMITS = {
    "a block of 10 words": (LONG[10:20] + LONG[:10], LONG[:20], 1),
    "a block of 11 words": (LONG[11:22] + LONG[:11], LONG[:22], 2),
    "50 places": (LONG[1:51] + LONG[0], LONG[:51], 1),
    "51 places": (LONG[1:52] + LONG[0], LONG[:52], 2),
    "1,000 shifts": ("aaaabbbbababbaaaaaba", "bababaaaaaabaabbaaab", 7),  # 4 with 1,001
    "beam, 25 words more": (LONG[:40], LONG[100:125] + LONG[:40], 27),
    "beam, long prediction": (LONG[60:] + LONG[:10], LONG[:10], 70),
    "beam, many edits": (LONG[60:120] + LONG[:60], LONG[:120], 120),
    "beam, short prediction": (LONG[100], LONG[:110], 109),
    "beam, wide": (LONG[0] + LONG[129], LONG[:129], 129),
}


@pytest.mark.parametrize(("prediction", "reference", "edits"), LIMITS.values(), ids=LIMITS)
def test_limits(prediction, reference, edits):
    assert shift_words(prediction, reference).edits == sacrebleu_edits(prediction, reference) == edits


# equally many edits remain after a shift to each of several places, of which not all allow as good a second one
TIES = [("baca", "aabc", 2), ("acccab", "cbacac", 3), ("bcaabbc", "acbbcab", 2), ("bdcbcaccadb", "abbacbddccc", 5)]


@pytest.mark.parametrize(("prediction", "reference", "edits"), TIES)
def test_of_equally_good_places_the_first_one(prediction, reference, edits):
    assert shift_words(prediction, reference).edits == sacrebleu_edits(prediction, reference) == edits


@given(WORDS.filter(len), WORDS.filter(len))
def test_steps_within_the_beam(prediction, reference):
    """The same ones whether rapidfuzz finds them, or the matrix is filled in as far as the beam."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ter_shifts, "_is_within_beam", lambda *_: False)
        found = edit_steps(prediction, reference)
    assert found == edit_steps(prediction, reference) == oracles.steps(reference, prediction, "nlptutti")


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=25).map("".join),
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=25).map("".join),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
@example("baabbabb", "babab", 1, random.Random(0))  # a shorter way leaves the beam and comes back
def test_rows_of_a_beam(prediction, reference, beam, random):
    """Steps and edits are those cell by cell, and so are those of a prediction of which a block has moved."""
    start, end = sorted(random.sample(range(len(prediction) + 1), 2))
    shift = Shift(start, end - start, random.randint(0, len(prediction)))
    moved = move(prediction, shift)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beam_rows, "BEAM", beam)
        rows = beam_rows.BeamRows(prediction, reference)
        expected = oracles.edit_steps(prediction, reference, beam)
        assert (rows.steps(), rows.distance()) == (expected, sum(step != "equal" for step in expected))
        first, last = sorted((shift.start, shift.place))
        left = sum(step != "equal" for step in oracles.edit_steps(moved, reference, beam))
        assert rows.distance_of(moved, first, min(last + shift.length, len(moved))) == left


@examples(0.1)
@given(st.integers(2, 40), st.randoms(use_true_random=False), st.sampled_from([(70, 70), (90, 40), (40, 90), (3, 120)]))
def test_long_texts_like_sacrebleu(distinct, random, lengths):
    """Far beyond the beam: hardly a word is equal, and many are again somewhere else."""
    prediction, reference = ("".join(random.choices(LONG[:distinct] + LONG[100:], k=length)) for length in lengths)
    assert shift_words(prediction, reference).edits == sacrebleu_edits(prediction, reference)


MOVES = [(0, 0, "abcde"), (0, 3, "cabde"), (2, 0, "cdabe"), (0, 5, "cdeab"), (1, 2, "adbce"), (1, 3, "adebc")]


@pytest.mark.parametrize(("start", "target", "expected"), MOVES)
def test_move(start, target, expected):
    assert move("abcde", Shift(start, 2, target)) == expected
    assert move(list("abcde"), Shift(start, 2, target)) == list(expected)


def test_signature_has_the_keys_of_sacrebleu():
    """But norm, which is the Unicode form here; that Tercom's rules are applied is nr, as sacreBLEU abbreviates it."""
    for value in (False, True):
        options = dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), value)
        ours = load("ter").signature(references=["가"], **options).split("|")
        metric = TER(**options)
        metric.corpus_score(["가"], [["가"]])
        *theirs, _ = metric.get_signature().format().split("|")
        theirs.remove("tok:tercom")
        assert {field.replace("norm:", "nr:") for field in theirs} <= set(ours)


def test_explain():
    explained = load("ter").explain(prediction="Today I gladly went home", reference=["x", "I went home today again"])
    assert explained == {
        "alignment": [["equal", "i", "i"], ["insert", "", "gladly"], ["equal", "went home", "went home"],
                      ["shift", "today", "today"], ["delete", "again", ""]],
        "shifts": [["today", 0, 4]],
        "prediction": ["i", "gladly", "went", "home", "today"],
        "reference": ["i", "went", "home", "today", "again"],
        "reference_index": 1,
    }  # fmt: skip
