"""Words from bytes, against sacreBLEU's tokenizer, str.split, rouge_score's, and a slow and obvious version."""

import itertools
import sys
import unicodedata

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import arrays_alone
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenize import tokenize as rouge_score_tokenize
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from texts import TEXT

from textgauge.core.reserved import is_reserved
from textgauge.core.strings import pick_strings
from textgauge.tokens import words
from textgauge.tokens.chunks import split_texts
from textgauge.tokens.tokenizers import encode_words, tokenize

TEXTS = st.lists(TEXT, max_size=6)
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]


@pytest.fixture(autouse=True, scope="module")
def by_arrays():
    with arrays_alone():
        yield


def split(texts, rule):
    ids, lengths, vocabulary = words.find_words(texts, rule)
    return split_texts(pick_strings(vocabulary, ids), lengths)


def slow_unicode(text):
    """Splits a text at all characters that are not letters, marks or numbers."""
    return "".join(c if unicodedata.category(c)[0] in "LMN" or c.isalnum() else " " for c in text).split()


@given(TEXTS)
def test_13a_is_sacrebleus(texts):
    peer = Tokenizer13a()
    assert tokenize(texts, "13a") == [peer(text).split() for text in texts]


@given(TEXTS)
def test_whitespace_is_str_split(texts):
    assert tokenize(texts, "whitespace") == [text.split() for text in texts]


@given(TEXTS)
def test_letters_of_every_script(texts):
    known = [c for text in texts for c in text if unicodedata.category(c) != "Cn"]
    texts = ["".join(c for c in text if c in known) for text in texts]
    assert tokenize(texts, "unicode") == list(map(slow_unicode, texts))


@given(TEXTS)
def test_ascii_letters_are_rouge_scores(texts):
    texts = [text.lower() for text in texts]
    assert split(texts, words.ASCII_LETTERS) == [rouge_score_tokenize(text, None) for text in texts]


@pytest.mark.parametrize("character", [".", ",", "-", "'", "a", "é", "가", "\u3000", "\U0001f44d", "&", " ", ""])
@given(texts=st.lists(st.text(".,-5a 가\u2028", max_size=5), min_size=1, max_size=3))
def test_marks_between_all_neighbours(character, texts):
    """What begins and ends a text counts, and what stands in the text before it does not."""
    texts = [character, *texts, character, *(text + character for text in texts)]
    peer = Tokenizer13a()
    assert tokenize(texts, "13a") == [peer(text).split() for text in texts]


def test_every_character():
    """Beyond ASCII, mteval's rules are those of whitespace."""
    text = "가".join(CHARACTERS)
    assert tokenize([text], "whitespace") == [text.split()]
    text = "가".join(CHARACTERS[128:])
    assert tokenize([text], "13a") == [text.split()]


def test_letters_that_python_does_not_know_yet():
    """Arrow's tables are newer: what is a letter for them is one."""
    are_letters = pc.utf8_is_alnum(pa.array(CHARACTERS)).to_pylist()
    letters = "".join(itertools.compress(CHARACTERS, are_letters))
    assert tokenize([f"{letters}!", letters], "unicode") == [[letters], [letters]]
    others = itertools.compress(CHARACTERS, (not is_letter for is_letter in are_letters))
    others = [c for c in others if unicodedata.category(c) != "Cn" or ord(c) % 97 == 0]  # of those unassigned some
    others = [c for c in others if not is_reserved(c)]  # which no text has
    assert tokenize(["!".join(others)], "unicode") == [[c for c in others if unicodedata.category(c)[0] == "M"]]


def test_first_bytes_that_leave_nothing_open():
    """What begins with one of them is a letter, mark or number, for Python or for Arrow, whose tables are newer."""
    first = set(words._FIRST_OF_LETTERS)
    inside = [c for c in CHARACTERS if c.encode()[0] in first]
    for byte, least, most in words._HANGUL:
        inside += [c for c in CHARACTERS if c.encode()[0] == byte and least <= c.encode()[1] <= most]
    others = [c for c in inside if unicodedata.category(c)[0] not in "LMN"]
    assert all(pc.utf8_is_alnum(pa.array(others, pa.string())).to_pylist())
    assert set(map(chr, range(0xAC00, 0xD780))) <= set(inside)
    assert set(filter(str.isspace, CHARACTERS)) == words._BLANKS


def test_nothing():
    for texts in ([], [""], ["", " ", ""]):
        assert split(texts, words.MTEVAL) == [[]] * len(texts)
        assert encode_words(texts, words.LETTERS).ids.tolist() == []
