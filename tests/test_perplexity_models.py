"""Perplexity of texts under small models with random weights, against a direct computation token by token."""

import contextlib
import doctest
import math
import re

import numpy as np
import pytest
from conftest import ROOT, examples, load
from hypothesis import example, given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="pip install -r requirements-models.txt")
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")

import hugging_face_perplexity
from tiny_models import (
    TEXTS,
    make_bert,
    make_bigbird_pegasus,
    make_gpt2,
    make_llama,
    make_prophetnet,
    make_tokenizer,
    make_xlm,
    make_xlnet,
)

from textgauge.core.errors import InputError
from textgauge.models import token_sequences

MODELS = {"gpt2": make_gpt2(), "llama": make_llama()}
PLAIN = make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>")
TOKENIZERS = {
    "plain": PLAIN,
    "no pad": make_tokenizer(bos_token="<s>", eos_token="</s>"),
    "only end": make_tokenizer(eos_token="</s>"),
    "left": make_tokenizer("left", bos_token="<s>", eos_token="</s>", pad_token="<pad>"),
    "adds start": make_tokenizer(adds_start=True, bos_token="<s>"),
}
LONG = " ".join(TEXTS)
TEXT = st.lists(st.sampled_from([*TEXTS, "", "고양이", "😀"]), max_size=4).map(" ".join)


def compute(texts=TEXTS, model=MODELS["gpt2"], tokenizer=PLAIN, **options):
    return load("perplexity").compute(predictions=texts, model=model, model_tokenizer=tokenizer, **options)


def direct(text, model, tokenizer, add_start_token=True, window=32, stride=16):
    """Log-probabilities of a text's tokens, each from a run of its own over what precedes it."""
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    if not ids:
        return []
    if add_start_token:
        ids = [tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id, *ids]
    found = []
    for position in range(1, len(ids)):
        begin = 0
        if position >= window:
            # the windows end at window, window + stride, ..., and at the end of the text
            end = min(window + stride * ((position - window) // stride + 1), len(ids))
            begin = end - window
        with torch.no_grad():
            logits = model(torch.tensor([ids[begin:position]])).logits[0, -1].double()
        found.append(torch.log_softmax(logits, -1)[ids[position]].item())
    return found


def perplexities(rows):
    return [math.exp(-np.mean(row)) if row else math.nan for row in rows]


@pytest.mark.parametrize("add_start_token", [True, False])
@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_direct_computation(model, tokenizer, add_start_token):
    texts = [*TEXTS, "", LONG]
    result = compute(texts, model, tokenizer, add_start_token=add_start_token, per_segment=True)
    rows = [direct(text, model, tokenizer, add_start_token) for text in texts]
    every = [value for row in rows for value in row]
    assert result["tokens"] == len(every)
    np.testing.assert_allclose(result["perplexities"], perplexities(rows), rtol=1e-4)
    np.testing.assert_allclose(result["log_likelihood"], sum(every), rtol=1e-5)
    np.testing.assert_allclose(result["perplexity"], math.exp(-sum(every) / len(every)), rtol=1e-4)
    scored = [text for text, row in zip(texts, rows, strict=True) if row]
    assert len(scored) == (6 if add_start_token else 5)  # "a" is one token
    assert result["words"] == sum(len(text.split()) for text in scored)
    assert result["characters"] == sum(map(len, scored))
    assert result["bytes"] == sum(len(text.encode()) for text in scored)
    assert len(set(np.round(result["perplexities"], 3))) > 4  # the model is not uniform


@examples(0.4)
@given(
    st.lists(TEXT, min_size=1, max_size=8).filter(any), st.integers(1, 9), st.sampled_from(["plain", "left", "no pad"])
)
def test_neither_batches_nor_padding_matter(texts, batch_size, tokenizer):
    options = {"tokenizer": TOKENIZERS[tokenizer]}
    alone = [compute([text], **options)["perplexity"] if text else math.nan for text in texts]
    together = compute(texts, **options, batch_size=batch_size)
    np.testing.assert_allclose(together["perplexities"], alone, rtol=1e-4)


@pytest.mark.parametrize(("window", "stride"), [(2, 1), (5, 1), (5, 4), (8, 3), (31, 30), (32, 16)])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_long_texts(model, window, stride):
    expected = direct(LONG, model, PLAIN, window=window, stride=stride)
    explained = load("perplexity").explain(
        prediction=LONG, model=model, model_tokenizer=PLAIN, max_length=window, stride=stride
    )
    assert len(expected) > 40
    np.testing.assert_allclose(explained["log_probabilities"], expected, rtol=1e-4, atol=1e-5)
    assert explained["perplexity"] == pytest.approx(perplexities([expected])[0], rel=1e-4)


@example(33, 32, 31)
@given(st.integers(0, 200), st.integers(2, 40), st.integers(1, 39))
def test_windows_score_each_token_once(length, window, stride):
    stride = min(stride, window - 1)
    scored = []
    for begin, end, first in token_sequences.windows_of(length, window, stride):
        assert 0 <= begin < first < end <= length
        assert end - begin <= window
        assert first == 1 or (end - begin == window and first - begin >= window - stride)
        scored += range(first, end)
    assert scored == list(range(1, length))
    assert list(token_sequences.windows_of(length, None, None)) == ([(0, length, 1)] if length > 1 else [])


def test_defaults_of_windows():
    """The context of the model, and half of it."""
    assert compute([LONG]) == compute([LONG], max_length=32, stride=16)
    assert compute([LONG])["perplexity"] != compute([LONG], max_length=32, stride=8)["perplexity"]
    assert compute([LONG], max_length=9) == compute([LONG], max_length=9, stride=4)
    free = make_llama()
    free.config.max_position_embeddings = 0
    bound = make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>")
    bound.model_max_length = 10
    assert compute([LONG], free, bound) == compute([LONG], free, PLAIN, max_length=10)
    np.testing.assert_allclose(
        compute([LONG], free)["perplexities"], perplexities([direct(LONG, free, PLAIN, window=999)]), rtol=1e-4
    )


@pytest.mark.parametrize(
    ("positions", "others", "of_tokenizer", "window"),
    [(12, 10, 9, 12), (0, 12, 9, 12), (-1, 12, 9, 12), (0, None, 12, 12), (0, None, 10**30, 999)],
)
def test_where_a_window_is_said(positions, others, of_tokenizer, window):
    """By the model under the first of two names, or else by the tokenizer."""
    model, tokenizer = make_llama(), make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>")
    model.config.max_position_embeddings, model.config.max_seq_len = positions, others
    tokenizer.model_max_length = of_tokenizer
    found = load("perplexity").explain(prediction=LONG, model=model, model_tokenizer=tokenizer)["log_probabilities"]
    expected = direct(LONG, model, PLAIN, window=window, stride=window // 2)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_no_texts():
    empty, one = (
        load("perplexity").statistics(predictions=texts, model=MODELS["gpt2"], model_tokenizer=PLAIN)
        for texts in ([], ["a"])
    )
    assert empty.shape == (0, one.shape[1])


def test_explain():
    explained = load("perplexity").explain(prediction=TEXTS[0], model=MODELS["llama"], model_tokenizer=PLAIN)
    assert "".join(explained["tokens"]) == TEXTS[0]
    assert len(explained["tokens"]) == len(explained["log_probabilities"])
    np.testing.assert_allclose(explained["log_probabilities"], direct(TEXTS[0], MODELS["llama"], PLAIN), rtol=1e-4)
    options = {"model": MODELS["llama"], "model_tokenizer": PLAIN, "add_start_token": False}
    without = load("perplexity").explain(prediction=TEXTS[0], **options)
    assert without["tokens"] == explained["tokens"][1:]
    assert len(without["log_probabilities"]) == len(without["tokens"])
    empty = load("perplexity").explain(prediction="", **options)
    assert (empty["tokens"], empty["log_probabilities"], math.isnan(empty["perplexity"])) == ([], [], True)


def test_start_token():
    """The token that begins a text, else that which ends one; without either the user decides."""
    neither = make_tokenizer()
    with pytest.raises(ValueError, match="no token for the beginning or end of a text; pass add_start_token=False"):
        compute(tokenizer=neither)
    assert compute(tokenizer=neither, add_start_token=False)["tokens"] == sum(
        len(neither(text)["input_ids"]) - 1 for text in TEXTS
    )
    with pytest.raises(ValueError, match="nothing to score: no text has a token"):
        compute(["a", ""], add_start_token=False)


@contextlib.contextmanager
def watching(model):
    """Yields a list of (shape of the input, whether a module is training or a gradient is kept) of each run.

    The first three runs find out whether the model is causal, and whether it sees what is padded.
    """
    seen = []

    def note(module, args, kwargs):
        training = any(part.training for part in module.modules())
        seen.append((tuple(kwargs["input_ids"].shape), training, torch.is_grad_enabled()))

    handle = model.register_forward_pre_hook(note, with_kwargs=True)
    try:
        yield seen
    finally:
        handle.remove()


def test_batches_are_bounded_and_sorted():
    with watching(MODELS["gpt2"]) as seen:
        compute([*TEXTS, LONG] * 3, batch_size=4)
    assert [shape for shape, _, _ in seen[:3]] == [(2, 8), (1, 4), (2, 8)]
    shapes = [shape for shape, _, _ in seen[3:]]
    windows = 3 * len(TEXTS) + 3 * len(list(token_sequences.windows_of(len(PLAIN(LONG)["input_ids"]) + 1, 32, 16)))
    assert [rows for rows, _ in shapes[:-1]] == [4] * (len(shapes) - 1)
    assert sum(rows for rows, _ in shapes) == windows
    assert [length for _, length in shapes] == sorted((length for _, length in shapes), reverse=True)
    with watching(MODELS["gpt2"]) as seen:
        compute([LONG, *TEXTS] * 2, batch_size=1)
    lengths = [length for (_, length), *_ in seen[3:]]
    assert len(lengths) > 10 and lengths == sorted(lengths, reverse=True)
    with watching(MODELS["gpt2"]) as seen:
        compute(["", TEXTS[0], ""])
    assert len(seen) == 4


def test_the_model_is_left_as_it_was():
    """Scored without dropout and gradients; what was in training mode is so again, even after an error."""
    model = make_gpt2()
    expected = compute(model=model)
    model.train()
    model.transformer.h[1].eval()
    before = [module.training for module in model.modules()]
    with watching(model) as seen:
        assert compute(model=model) == expected
    assert {(training, gradient) for _, training, gradient in seen} == {(False, False)}
    assert [module.training for module in model.modules()] == before
    with pytest.raises(ValueError, match="the tokenizer gives a token 299, but the model has 280"):
        model.resize_token_embeddings(280)
        compute(model=model)
    with pytest.raises(ValueError, match="the tokenizer gives a token 299, but the model has 299"):
        model.resize_token_embeddings(299)
        compute(model=model)
    model.resize_token_embeddings(300)
    compute(model=model)
    model.lm_head.register_forward_pre_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        compute(["a"], model=model)
    assert [module.training for module in model.modules()] == before
    assert all(parameter.grad is None for parameter in model.parameters())


@pytest.mark.parametrize("make", [make_prophetnet, make_bigbird_pegasus])
def test_models_that_mix_the_rows_of_a_batch(make):
    """Each text is scored alone, and attention to blocks comes back after short texts."""
    model = make().train()
    before = [(name, id(module), module.training) for name, module in model.named_modules()]
    contexts = [(text + " ") * (5 if row % 2 else 1) for row, text in enumerate(TEXTS)]
    one = [compute([text], model, contexts=[context]) for text, context in zip(TEXTS, contexts, strict=True)]
    assert [(name, id(module), module.training) for name, module in model.named_modules()] == before
    for batch_size in (2, 5):
        together = compute(TEXTS, model, contexts=contexts, batch_size=batch_size)
        assert together["perplexities"] == pytest.approx([found["perplexity"] for found in one], rel=1e-6)
    with watching(model) as seen:
        compute(TEXTS, model, contexts=contexts)
    assert [rows for (rows, _), *_ in seen[-len(TEXTS) :]] == [1] * len(TEXTS)


def test_bad_models():
    model = make_gpt2()
    model.lm_head.weight.data[:] = math.nan
    with pytest.raises(ValueError, match="the model returns nan for '고양이가"):
        compute(model=model)
    model, (token,) = make_gpt2(), PLAIN("a")["input_ids"]

    def spoil(module, _, kwargs, output):
        output.logits[(kwargs["input_ids"] == token).any(1)] = math.nan

    model.register_forward_hook(spoil, with_kwargs=True)
    with pytest.raises(ValueError, match="the model returns nan for 'a cat'"):
        compute(["cat", "a cat", "a mat"], model)
    for options, message in [
        ({"max_length": 33}, "max_length is 33; the model sees 32 tokens at most"),
        ({"stride": 32}, "stride is 32; pass at most 31"),
        ({"max_length": 8, "stride": 8}, "stride is 8; pass at most 7"),
    ]:
        with pytest.raises(ValueError, match=message):
            compute(**options)


def test_a_decoder_may_have_another_main_input():
    """As those have that also see pictures; of an encoder this would say that it reads no texts."""
    model = make_gpt2()
    model.main_input_name = "pixel_values"
    assert compute(model=model) == compute(model=make_gpt2())


BOTH_DIRECTIONS = {
    "BERT": lambda: make_bert(),
    "BERT, masked": lambda: make_bert(transformers.BertForMaskedLM),
    "RoBERTa": lambda: make_bert(transformers.RobertaForCausalLM),
    "ELECTRA": lambda: make_bert(transformers.ElectraForCausalLM, embedding_size=16),
    "XLM": make_xlm,
    "XLNet": make_xlnet,
    "in bfloat16": lambda: make_bert().bfloat16(),
}


@pytest.mark.parametrize("make", BOTH_DIRECTIONS.values(), ids=BOTH_DIRECTIONS)
def test_models_that_see_what_follows(make):
    """What they were to predict would be before their eyes."""
    model = make()
    with pytest.raises(ValueError, match=f"{type(model).__name__} sees the tokens that it should predict"):
        compute(model=model)
    with pytest.raises(ValueError, match="reads texts both ways; pass a causal language model"):
        compute(["a"], model=model, max_length=2)


@pytest.mark.parametrize(("share", "is_rounding"), [(1e-5, True), (3e-3, False)])
def test_what_is_rounding(share, is_rounding):
    """Logits that depend on the last token by so much of the largest one, half of which is 0.0005 % and 0.15 %."""
    model = make_gpt2()

    def add(module, _, kwargs, output):
        output.logits.add_(share * output.logits.abs().max() * kwargs["input_ids"][:, -1:, None] / 320)

    model.register_forward_hook(add, with_kwargs=True)
    if is_rounding:
        assert compute(model=model)["perplexity"] == pytest.approx(compute()["perplexity"], rel=1e-3)
    else:
        with pytest.raises(ValueError, match="sees the tokens that it should predict"):
            compute(model=model)


DECODERS = {
    "BERT": lambda: make_bert(is_decoder=True),
    "RoBERTa": lambda: make_bert(transformers.RobertaForCausalLM, is_decoder=True, context=34),
    "ELECTRA": lambda: make_bert(transformers.ElectraForCausalLM, embedding_size=16, is_decoder=True),
    "XLM": lambda: make_xlm(causal=True),
}


@pytest.mark.parametrize("make", DECODERS.values(), ids=DECODERS)
def test_the_same_as_decoders(make):
    """RoBERTa's 34 positions are of use for 32 tokens: it numbers them from behind the token for padding on."""
    model = make()
    expected = [direct(text, model, PLAIN) for text in [*TEXTS, LONG]]
    np.testing.assert_allclose(compute([*TEXTS, LONG], model)["perplexities"], perplexities(expected), rtol=1e-4)
    with pytest.raises(ValueError, match="max_length is 33; the model sees 32 tokens at most"):
        compute(model=model, max_length=33)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is an accelerator")
@pytest.mark.parametrize("device", ["cuda", "gpu", "cuda:7", "elsewhere", 0.5])
def test_a_device_that_is_not_there(device):
    """Said before the model is loaded."""
    name = "cuda" if device == "gpu" else device
    with pytest.raises(ValueError, match=rf"device is {name!r}, which torch cannot use here \(.+\); leave it out"):
        load("perplexity").compute(predictions=TEXTS, model_id="no such model", model_tokenizer=PLAIN, device=device)


def test_an_impossible_token():
    """A model may rule a token out: -inf for that text alone."""
    model = make_llama()
    token = PLAIN("a")["input_ids"][0]

    def rule_out(module, arguments, output):
        output.logits[..., token] = -math.inf

    model.register_forward_hook(rule_out)
    result = compute(["a", "고양이"], model)
    assert result["perplexities"][0] == math.inf
    assert math.isfinite(result["perplexities"][1])


def test_a_folder_without_a_model_is_said_in_one_line(tmp_path):
    with pytest.raises(InputError, match=r"^model_id is '.*': .+$") as error:
        load("perplexity").compute(predictions=TEXTS, model_id=str(tmp_path))
    assert "\n" not in str(error.value)


def test_model_from_a_folder(tmp_path):
    MODELS["gpt2"].save_pretrained(tmp_path)
    PLAIN.save_pretrained(tmp_path)
    expected = compute()
    metric = load("perplexity")
    for options in ({}, {"device": "cpu"}, {"dtype": torch.float32}, {"model_tokenizer": TOKENIZERS["left"]}):
        result = metric.compute(predictions=TEXTS, model_id=str(tmp_path), **options)
        np.testing.assert_allclose(result["perplexities"], expected["perplexities"], rtol=1e-5)
    exact = metric.compute(predictions=TEXTS, model_id=str(tmp_path), dtype="float64")
    double = make_gpt2().double()
    rows = [direct(text, double, PLAIN) for text in TEXTS]
    np.testing.assert_allclose(exact["perplexities"], perplexities(rows), rtol=1e-12)
    half = metric.compute(predictions=TEXTS, model_id=str(tmp_path), dtype="bfloat16")
    assert half["perplexity"] != exact["perplexity"]
    np.testing.assert_allclose(half["perplexity"], exact["perplexity"], rtol=0.1)
    for text in TEXTS:
        metric.add(prediction=text)
    assert metric.compute(model_id=tmp_path)["perplexity"] == pytest.approx(expected["perplexity"])


def test_signature_names_a_model_object():
    line = load("perplexity").signature(model=MODELS["gpt2"], model_tokenizer=PLAIN, max_length=9)
    assert line == "perplexity|object:custom(GPT2LMHeadModel)|start:yes|maxlen:9|v1.0"
    with pytest.raises(ValueError, match="pass that option yourself"):
        load("perplexity").options_of(line)


SHORT = [text for text in TEXTS if len(PLAIN(text)["input_ids"]) < 30]


def hugging_face(texts=SHORT, model=MODELS["gpt2"], tokenizer=PLAIN, **options):
    return hugging_face_perplexity.perplexities(texts, model, tokenizer, **options)


@pytest.mark.parametrize("add_start_token", [True, False])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_hugging_face_where_it_is_right(model, add_start_token):
    texts = [text for text in SHORT if text != "a"]
    theirs = hugging_face(texts, model, add_start_token=add_start_token)
    ours = compute(texts, model, add_start_token=add_start_token)
    np.testing.assert_allclose(ours["perplexities"], theirs, rtol=1e-4)
    np.testing.assert_allclose(ours["mean_perplexity"], np.mean(theirs), rtol=1e-4)
    assert ours["mean_perplexity"] != pytest.approx(ours["perplexity"], rel=1e-3)


def test_hugging_face_where_it_fails():
    """PEERS of the card: no pad token, the side of padding, a lone first token, an empty text, a long text."""
    with pytest.raises(ValueError, match="pad"):
        hugging_face(
            tokenizer=transformers.PreTrainedTokenizerFast(tokenizer_object=make_tokenizer().backend_tokenizer)
        )
    expected = compute(SHORT)["perplexities"]
    left = hugging_face(tokenizer=TOKENIZERS["left"])
    assert not np.allclose(left, expected, rtol=0.01)
    np.testing.assert_allclose(compute(SHORT, tokenizer=TOKENIZERS["left"])["perplexities"], expected, rtol=1e-4)
    assert math.isnan(hugging_face(["a"], add_start_token=False)[0])
    with pytest.raises(AssertionError):
        hugging_face(["", "a"])
    assert math.isnan(compute(["", "a"])["perplexities"][0])
    with pytest.raises(IndexError):
        hugging_face([LONG])
    cut = hugging_face([LONG], max_length=32)
    assert compute([LONG])["tokens"] == len(PLAIN(LONG)["input_ids"])
    np.testing.assert_allclose(cut, perplexities([direct(LONG, MODELS["gpt2"], PLAIN)[:31]]), rtol=1e-4)


def test_the_card(tmp_path, monkeypatch):
    """Its blocks that need a model, with one in the folder that they name."""
    blocks = re.findall(
        r"```python models\n(.*?)```", (ROOT / "spaces/perplexity/README.md").read_text("utf-8"), flags=re.S
    )
    MODELS["gpt2"].save_pretrained(tmp_path / "model")
    PLAIN.save_pretrained(tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {"perplexity": load("perplexity")}, "card", None, 0)
    assert len(test.examples) >= 8
    report = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)
