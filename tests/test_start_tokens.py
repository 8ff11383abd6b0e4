"""A text that begins with the model's own start token gets no second one; a tokenizer of words stands in here."""

from types import SimpleNamespace

import pytest

from textgauge.models.language_models import LanguageModel
from textgauge.models.token_sequences import token_sequences

WORDS = ["<s>", "</s>", "the", "cat", "sat"]


def tokenizer(texts=None, *, text_target=None, add_special_tokens, verbose):
    given = text_target if texts is None else texts
    return {"input_ids": [[WORDS.index(word) for word in text.split()] for text in given]}


def sequences(pairs, *, start=0, boundary="together", has_encoder=False):
    known = SimpleNamespace(num_embeddings=len(WORDS))
    model = SimpleNamespace(get_input_embeddings=lambda: known)
    words = SimpleNamespace(bos_token_id=0, eos_token_id=1)
    with_ids = type("Tokenizer", (), {"__call__": staticmethod(tokenizer), **vars(words)})()
    language_model = LanguageModel(model, with_ids, has_encoder, start, boundary, None, None, 4)
    contexts, texts = zip(*pairs, strict=True)
    return [(found.tokens, found.windows) for found in token_sequences(language_model, texts, contexts)]


@pytest.mark.parametrize("boundary", ["together", "apart"])
def test_no_second_start_token(boundary):
    plain = sequences([("", "the cat sat"), ("the ", "cat sat")], boundary=boundary)
    own = sequences([("", "<s> the cat sat"), ("<s> the ", "cat sat")], boundary=boundary)
    assert plain == own and plain[0][0] == [0, 2, 3, 4]
    assert plain[0][1] == [(0, 4, 1)] and plain[1][1] == [(0, 4, 2)]


def test_other_tokens_stay():
    inside = sequences([("the ", "<s> cat"), ("", "the <s> cat"), ("", "</s> the"), ("", "<s>")])
    assert [tokens for tokens, _ in inside] == [[0, 2, 0, 3], [0, 2, 0, 3], [0, 1, 2], []]
    without = sequences([("", "<s> the cat")], start=None)
    assert without[0][0] == [0, 2, 3]


def test_the_start_token_of_a_decoder():
    assert sequences([("the", "<s> cat")], has_encoder=True)[0][0] == [0, 3]
