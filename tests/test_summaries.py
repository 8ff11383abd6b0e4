"""Unions of common subsequences over sentences, lane by lane, against the same with Python's integers."""

import itertools
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import TEXT

from textgauge.core.strings import pick_strings
from textgauge.ngrams import summaries
from textgauge.ngrams.rouge_tokens import rouge_tokens, sentence_splitter
from textgauge.ngrams.sorted_ngrams import shared_tokens
from textgauge.tokens.chunks import Chunk, Tokens
from textgauge.tokens.tokenizers import tokenize

SENTENCES = st.lists(st.lists(st.integers(0, 4), max_size=12), max_size=4)
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5)


def plain_length(prediction, reference):
    """Counts the union of each sentence of the reference, each token as often as the prediction has it at most."""
    available = Counter(itertools.chain.from_iterable(prediction))
    found = Counter()
    for sentence in reference:
        sentence = [token for token in sentence if token in available]
        union = summaries._long_union(sentence, prediction)
        found.update(token for position, token in enumerate(sentence) if union >> position & 1)
    return (found & available).total()


def lengths(pairs):
    texts = [*(prediction for prediction, _ in pairs), *(reference for _, reference in pairs)]
    flat = [sentence for text in texts for sentence in text]
    sizes = np.array([sum(map(len, text)) for text in texts], dtype=np.intp)
    ids = np.array([token for sentence in flat for token in sentence], dtype=np.int64)
    chunk = Chunk([1] * len(pairs), Tokens(ids, sizes, None))
    counts = np.array(list(map(len, texts)), dtype=np.intp)
    sentences = summaries.Sentences(chunk, np.array(list(map(len, flat)), dtype=np.intp), counts)
    return summaries.union_lcs_lengths(sentences, shared_tokens(chunk)).tolist()


def expected(pairs):
    return [plain_length(*pair) if max(map(len, pair)) > 1 else 0 for pair in pairs]


@given(pairs=PAIRS, cells=st.sampled_from([1, 20, 2**18]))
def test_unions(pairs, cells):
    with mock.patch.object(summaries, "_BLOCK_CELLS", cells):
        assert lengths(pairs) == expected(pairs)


@pytest.mark.parametrize("size", [15, 16, 17, 31, 32, 33, 63, 64, 65, 130])
@pytest.mark.parametrize("kinds", [2, 9, 1000])
def test_sentences_of_all_sizes(size, kinds):
    """Sixteen, 32 and 64 bits, full to the last one, and more than fit."""
    rng = np.random.default_rng(size)
    pairs = [
        tuple([rng.integers(0, kinds, size + extra).tolist() for extra in (0, 1, -1)] for _ in range(2))
        for _ in range(5)
    ]
    pairs += [([pairs[0][0][0]] * 2, [pairs[0][0][0]] * 2)]
    assert lengths(pairs) == expected(pairs)


@pytest.mark.parametrize("tokenizer", ["unicode", "char", "jamo", "rouge_score", "whitespace"])
@given(parts=st.lists(TEXT, max_size=4), between=st.sampled_from(["\n", ". ", "。", "! ", "a.\n"]))
def test_tokens_are_found_once(tokenizer, parts, between):
    """A text has the tokens of its sentences, whatever stands between them."""
    texts = [between.join(parts), *parts]
    options = {"use_stemmer": False, "tokenizer": tokenizer}
    for split_summaries in (False, True):
        if tokenizer == "whitespace" and split_summaries:
            continue  # "。" ends a sentence, and no word
        sentences = list(map(sentence_splitter(split_summaries), texts))
        whole = rouge_tokens(texts, **options)
        flat = rouge_tokens(list(itertools.chain.from_iterable(sentences)), **options)
        words = pick_strings(whole.vocabulary, whole.ids)
        assert pick_strings(flat.vocabulary, flat.ids) == words
        ends = np.cumsum(list(map(len, sentences)))
        assert np.diff(np.cumsum(flat.lengths)[ends - 1], prepend=0).tolist() == whole.lengths.tolist()


def test_a_hyphen_may_join_lines():
    """With mteval's rules, so that its texts are read twice."""
    assert tokenize(["a-\nb"], "13a") == [["ab"]]
