"""chrF: examples worked by hand, the words of chrF++, edges."""

import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF
from textgauge.metrics.chrf import split_words

# any character, and few so that n-grams are found again: Hangul, Latin, Devanagari, punctuation, blanks, emoji
TEXT = st.text(max_size=12) | st.lists(st.sampled_from([*"가나다 aAb.,()'\t\u3000", "कि", "😀"]), max_size=14).map(
    "".join
)
PAIR = (["나는 간다"], ["나는 갔다"])

# predictions, references, options, chrF: section 2 of Popović (2015), worked by hand
EXAMPLES = [
    # characters 나 는 간 다: 3 of 4, and 1 of 3 bigrams
    (*PAIR, {"char_order": 1}, 3 / 4),
    (*PAIR, {"char_order": 2}, (3 / 4 + 1 / 3) / 2),
    # Popović (2017): words are further orders; 1 of 2 words, 0 of 1 bigrams
    (*PAIR, {"char_order": 2, "word_order": 1}, (3 / 4 + 1 / 3 + 1 / 2) / 3),
    (*PAIR, {"char_order": 2, "word_order": 2}, (3 / 4 + 1 / 3 + 1 / 2) / 4),
    # with the blank 4 of 5, and 2 of 4 bigrams
    (*PAIR, {"char_order": 2, "whitespace": True}, (4 / 5 + 2 / 4) / 2),
    # precision 1, recall 1/2: (1 + b²) P R / (b² P + R)
    (["ab"], ["abcd"], {"char_order": 1}, 5 / 9),
    (["ab"], ["abcd"], {"char_order": 1, "beta": 1}, 2 / 3),
    (["ab"], ["abcd"], {"char_order": 1, "beta": 3}, 10 / 19),
    # no bigrams: left out, or an order with nothing
    (["a"], ["a"], {"char_order": 2}, 1),
    (["a"], ["a"], {"char_order": 2, "eps_smoothing": True}, 1 / 2),
    # pooled: 5 of 6 characters
    (["abcd", "ab"], ["abcx", "ab"], {"char_order": 1}, 5 / 6),
    # words a, ` and a: 2 characters of 1, 2 words of 1, recall 1 in both
    (["a`"], ["a"], {"char_order": 1, "word_order": 1, "beta": 1}, 2 / 3),
    (["a`"], ["a"], {"char_order": 6, "word_order": 1}, 5 / 6),
    # of two references the better one, and of two equally good ones the first, which has 2 characters more
    (["ab"], [["cd", "ab", "ax"]], {"char_order": 1}, 1),
    (["ab", "abcd"], [["xyz", "x"], "abcd"], {"char_order": 1, "beta": 1}, 8 / 13),
]  # fmt: skip


# nothing to compare is 0, also where each order is smoothed with an epsilon
NOTHING = {"chrf": pytest.approx(0, abs=1e-15), "precision": 0, "recall": 0}
EDGES = [
    *(
        ([prediction], [reference], {"eps_smoothing": eps_smoothing}, NOTHING)
        for prediction, reference in (("", ""), ("", "가"), ("가", ""), (" ", "가"))
        for eps_smoothing in (False, True)
    ),
    (["가"], ["가"], {}, 1.0),
    (["😀 שלום"], ["😀 שלום"], {"word_order": 2}, 1.0),
]


@given(TEXT)
def test_words_are_those_of_sacrebleu(text):
    assert split_words(text) == CHRF(word_order=2)._remove_punctuation(text)


def test_words_with_each_character_are_those_of_sacrebleu():
    text = " ".join(f"a{character} {character}a {character}" for character in map(chr, range(0x3100)))
    assert split_words(text) == CHRF(word_order=2)._remove_punctuation(text)


def test_words():
    assert split_words("(잔다) 잔다. “잔다” ... .5 - (잔다).") == [
        "(잔다", ")", "잔다", ".", "“잔다”", "..", ".", ".", "5", "-", "(잔다)", ".",
    ]  # fmt: skip


def test_signature_has_the_keys_of_sacrebleu():
    options = {"char_order": 5, "word_order": 2, "whitespace": True, "lowercase": True, "eps_smoothing": True}
    ours = load("chrf").signature(references=["가"], **options).split("|")
    metric = CHRF(**options)
    metric.corpus_score(["가"], [["가"]])
    theirs = metric.get_signature().format().split("|")
    assert set(theirs[:-1]) <= set(ours)


def test_explain():
    explained = load("chrf").explain(prediction="ab ab", reference=["ba.", "xy"], char_order=2, word_order=1)
    assert explained["prediction"] == list("abab") and explained["references"] == [list("ba."), list("xy")]
    assert explained["matches"] == [[0, 1], [1]]
    assert explained["words"] == {"prediction": ["ab", "ab"], "references": [["ba", "."], ["xy"]], "matches": [[]]}
    assert "words" not in load("chrf").explain(prediction="ab", reference="ab")
    for whitespace, characters in ((False, ["a", "b"]), (True, ["a", " ", "b"])):
        found = load("chrf").explain(prediction="a b", reference="a b", whitespace=whitespace)
        assert found["prediction"] == found["references"][0] == characters
