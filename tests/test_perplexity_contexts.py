"""Texts given a context, under small models with random weights: against a run token by token, and lm-eval-harness."""

import math
import warnings

import evaluate
import numpy as np
import pytest
from conftest import ROOT, examples, load
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="pip install -r requirements-models.txt")
tokenizers = pytest.importorskip("tokenizers", reason="pip install -r requirements-models.txt")
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")

from tiny_models import TEXTS, make_bart, make_bert, make_gpt2, make_llama, make_t5, make_tokenizer

from examples.choice_accuracy import choice_accuracy

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
TOKENIZERS = {
    "right": make_tokenizer(**SPECIAL),
    "left": make_tokenizer("left", **SPECIAL),
    "no pad": make_tokenizer(bos_token="<s>", eos_token="</s>"),
    "adds start": make_tokenizer(adds_start=True, bos_token="<s>"),
    "adds both": make_tokenizer(adds_start=True, adds_end=True, bos_token="<s>", eos_token="</s>"),
}
CAUSAL = {"gpt2": make_gpt2(), "llama": make_llama()}
WITH_ENCODER = {"t5": make_t5(), "bart": make_bart()}
MODELS = {**CAUSAL, **WITH_ENCODER}
PAIRS = [
    ("고양이가 침대에서", " 잠을 자고 있다."),
    ("the cat sat ", "on the mat."),
    ("Q: 누가 짖는가?\n\n", "개가 짖는다"),
    ("", "나는 학교에 간다."),
    ("a", ""),
    ("  ", "a"),
]
PART = st.sampled_from(["고양이가 ", "고", "양", " 잠을", "the", "th", "e cat", " sat on", "\n", "😀", "", "a "])
LONG = " ".join(TEXTS)


def compute(pairs, model, tokenizer=TOKENIZERS["right"], **options):
    contexts, texts = zip(*pairs, strict=True)
    metric = load("perplexity")
    return metric.compute(predictions=texts, contexts=contexts, model=model, model_tokenizer=tokenizer, **options)


def explain(context, text, model, tokenizer=TOKENIZERS["right"], **options):
    return load("perplexity").explain(
        prediction=text, contexts=context, model=model, model_tokenizer=tokenizer, **options
    )


def ids_of(text, tokenizer, special=False):
    return tokenizer(text, add_special_tokens=special)["input_ids"]


def split(context, text, tokenizer, boundary):
    """Tokens of the context and of the text."""
    if boundary == "apart":
        return ids_of(context, tokenizer), ids_of(text, tokenizer)
    while text and context and context[-1].isspace():
        context, text = context[:-1], context[-1] + text
    before = ids_of(context, tokenizer)
    return before, ids_of(context + text, tokenizer)[len(before) :]


def log_softmax(logits):
    return torch.log_softmax(logits[0, -1].double(), -1)


def direct(context, text, model, tokenizer, add_start_token=True, boundary="together", window=32):
    """Log-probabilities of the tokens of a text that fits the window, each from a run over what precedes it."""
    before, ids = split(context, text, tokenizer, boundary)
    whole = ([tokenizer.bos_token_id] if add_start_token else []) + before + ids
    whole = whole[max(len(whole) - window - 1, 0) :]
    positions = range(max(len(whole) - len(ids), 1), len(whole))
    with torch.no_grad():
        return [log_softmax(model(torch.tensor([whole[:i]])).logits)[whole[i]].item() for i in positions]


def direct_with_encoder(context, text, model, tokenizer, boundary="together", window=32):
    """The same where an encoder reads the context, with the tokens that the tokenizer adds."""
    if boundary == "together":
        while text and context and context[-1].isspace():
            context, text = context[:-1], context[-1] + text
    read = torch.tensor([(ids_of(context, tokenizer, special=True) or [tokenizer.bos_token_id])[-window:]])
    whole = [model.config.decoder_start_token_id, *ids_of(text, tokenizer)]
    found = []
    for i in range(1, len(whole)):
        with torch.no_grad():
            logits = model(input_ids=read, decoder_input_ids=torch.tensor([whole[:i]])).logits
        found.append(log_softmax(logits)[whole[i]].item())
    return found


@pytest.mark.parametrize("boundary", ["together", "apart"])
@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_token_by_token(model, tokenizer, boundary):
    oracle = direct_with_encoder if model in WITH_ENCODER.values() else direct
    rows = [oracle(*pair, model, tokenizer, boundary=boundary) for pair in PAIRS]
    result = compute(PAIRS, model, tokenizer, boundary=boundary, batch_size=4)
    np.testing.assert_allclose(result["perplexities"], [perplexity(row) for row in rows], rtol=1e-4)
    np.testing.assert_allclose(result["log_likelihood"], sum(map(sum, rows)), rtol=1e-5)
    assert result["tokens"] == sum(map(len, rows))
    scored = [text for (_, text), row in zip(PAIRS, rows, strict=True) if row]
    assert result["bytes"] == sum(len(text.encode()) for text in scored)
    explained = explain(*PAIRS[0], model, tokenizer, boundary=boundary)
    np.testing.assert_allclose(explained["log_probabilities"], rows[0], rtol=1e-3, atol=1e-5)
    assert "".join(explained["tokens"]) == PAIRS[0][1]


def perplexity(row):
    return math.exp(-np.mean(row)) if row else math.nan


@pytest.mark.parametrize("model", CAUSAL.values(), ids=CAUSAL)
def test_without_a_start_token(model):
    """Only a text without a context loses its first token."""
    tokenizer = TOKENIZERS["right"]
    rows = [direct(*pair, model, tokenizer, add_start_token=False) for pair in PAIRS]
    result = compute(PAIRS, model, add_start_token=False)
    np.testing.assert_allclose(result["perplexities"], [perplexity(row) for row in rows], rtol=1e-4)
    lost = {row for row, (context, text) in enumerate(PAIRS) if text and not context.strip()}
    with_start = [direct(*pair, model, tokenizer) for pair in PAIRS]
    assert [len(a) - len(b) for a, b in zip(with_start, rows, strict=True)] == [int(row in lost) for row in range(6)]
    assert explain("", "a cat", model, add_start_token=False)["tokens"] != []


@examples(0.4)
@given(
    st.lists(st.tuples(st.lists(PART, max_size=3), st.lists(PART, max_size=3)), min_size=1, max_size=6),
    st.integers(1, 5),
)
def test_neither_batches_nor_padding_matter(parts, batch_size):
    pairs = [("".join(context), "".join(text)) for context, text in parts] + [("a", " b")]
    for model in (CAUSAL["gpt2"], WITH_ENCODER["bart"]):
        with warnings.catch_warnings(action="ignore"):  # contexts that are cut, or share a token
            together = compute(pairs, model, TOKENIZERS["left"], batch_size=batch_size)["perplexities"]
            alone = [compute([pair, ("a", " b")], model)["perplexities"][0] for pair in pairs]
        np.testing.assert_allclose(together, alone, rtol=1e-4)


@examples(0.4)
@given(st.lists(PART, max_size=4), st.lists(PART, max_size=3), st.sampled_from([2, 3, 9, 32]), st.booleans())
def test_random_boundaries(context, text, window, add_start_token):
    """Against the run token by token, where the text fits: also syllables and emoji that are several tokens."""
    context, text = "".join(context), "".join(text)
    tokenizer, models = TOKENIZERS["right"], {"model": CAUSAL["llama"], "model_tokenizer": TOKENIZERS["right"]}
    for boundary in ("together", "apart"):
        before, ids = split(context, text, tokenizer, boundary)
        if len(ids) > window or (not before and len(ids) + add_start_token > window):
            continue
        options = {"boundary": boundary, "max_length": window, "add_start_token": add_start_token}
        with warnings.catch_warnings(action="ignore"):
            row = load("perplexity").statistics(predictions=[text], contexts=[context], **models, **options)[0]
        expected = direct(context, text, CAUSAL["llama"], tokenizer, add_start_token, boundary, window) if ids else []
        assert row[2] == len(expected)
        np.testing.assert_allclose(row[0], sum(expected), rtol=1e-4, atol=1e-4)


def test_an_empty_context_is_none():
    metric, options = load("perplexity"), {"model": CAUSAL["gpt2"], "model_tokenizer": TOKENIZERS["right"]}
    texts = [*TEXTS, "", LONG]
    without = metric.statistics(predictions=texts, **options)
    assert (metric.statistics(predictions=texts, contexts=[""] * len(texts), **options) == without).all()
    given = metric.statistics(predictions=texts, contexts=["a b"] * len(texts), **options)
    assert (given[:, 0] != without[:, 0]).sum() == len(texts) - 1


def test_added_in_batches():
    metric = evaluate.load(str(ROOT / "metrics/perplexity.py"))
    options = {"model": CAUSAL["llama"], "model_tokenizer": TOKENIZERS["right"]}
    metric.add_batch(predictions=["개가 짖는다"], contexts=["누가? "])
    metric.add(prediction=" sat", contexts="the cat")
    metric.add_batch(predictions=["a"])
    expected = compute([("누가? ", "개가 짖는다"), ("the cat", " sat"), ("", "a")], CAUSAL["llama"])
    assert metric.compute(**options)["perplexities"] == pytest.approx(expected["perplexities"], rel=1e-6)


@pytest.mark.parametrize("texts", ["개가", LONG[:40], LONG])
@pytest.mark.parametrize("model", CAUSAL.values(), ids=CAUSAL)
def test_contexts_that_are_too_long(model, texts):
    """The beginning of the context is cut off; a text that is too long alone is read in windows."""
    tokenizer = TOKENIZERS["right"]
    before, ids = split(LONG, texts, tokenizer, "apart")
    with pytest.warns(
        UserWarning, match="the beginning of 1 of 1 contexts is cut off, such as that of '고양이가 침대에서"
    ):
        found = explain(LONG, texts, model, boundary="apart")["log_probabilities"]
    if len(ids) <= 32:
        np.testing.assert_allclose(found, direct(LONG, texts, model, tokenizer, boundary="apart"), rtol=1e-3, atol=1e-5)
        return
    # 16 tokens of context, and then 16 new ones in each window
    whole, expected = before[-16:] + ids, []
    for position in range(16, len(whole)):
        end = min(max(32 + 16 * -(-(position + 1 - 32) // 16), 32), len(whole))
        with torch.no_grad():
            logits = model(torch.tensor([whole[max(end - 32, 0) : position]])).logits
        expected.append(log_softmax(logits)[whole[position]].item())
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(("size", "is_cut"), [(31, False), (32, False), (33, True)])
def test_contexts_as_long_as_the_window(size, is_cut):
    """What fits is read to the last token, of an encoder and of a decoder, which does not read the last of the text."""
    tokenizer, words = TOKENIZERS["right"], " the" * 40
    for model, text, context in (
        (WITH_ENCODER["bart"], " cat", words[: 4 * size]),
        (CAUSAL["gpt2"], " cat sat", words[: 4 * (size - 2)]),
    ):
        oracle = direct_with_encoder if model in WITH_ENCODER.values() else direct
        assert len(ids_of(words[:8], tokenizer)) == 2 and len(ids_of(text, tokenizer)) == 1 + (model is CAUSAL["gpt2"])
        with warnings.catch_warnings(record=True, action="always") as warned:
            found = explain(context, text, model)["log_probabilities"]
        np.testing.assert_allclose(found, oracle(context, text, model, tokenizer), rtol=1e-3, atol=1e-5)
        assert len(warned) == is_cut


def test_warnings_name_the_first():
    """How many of how many, and the first of them."""
    pairs = [("a", " b"), (f"첫째 {LONG}", "a"), (f"둘째 {LONG}", "a")]
    with pytest.warns(UserWarning, match=r"beginning of 2 of 3 contexts is cut off, such as that of '첫째 .*32 tokens"):
        compute(pairs, CAUSAL["gpt2"])
    with pytest.warns(UserWarning, match="^2 of 3 texts, such as 'e cat', share a token with their contexts, so that"):
        compute([("a", " b"), ("th", "e cat"), ("th", "e mat")], CAUSAL["gpt2"])


def test_the_token_that_a_decoder_begins_with():
    """That of the generation is before that of the model."""
    models = [make_t5() for _ in range(3)]
    for model, (generation, config) in zip(models, [(0, 7), (7, 0), (None, 7)], strict=True):
        model.generation_config.decoder_start_token_id, model.config.decoder_start_token_id = generation, config
    found = [compute(PAIRS, model)["perplexity"] for model in models]
    assert found[0] == compute(PAIRS, make_t5())["perplexity"] != found[1] == found[2]


def test_a_tokenizer_without_places():
    """Its tokens are shown as it calls them."""

    class Slow(type(TOKENIZERS["right"])):
        is_fast = False

    slow = Slow(tokenizer_object=TOKENIZERS["right"].backend_tokenizer, **SPECIAL)
    for boundary in ("together", "apart"):
        fast = explain("the", " cat sat", CAUSAL["gpt2"], boundary=boundary)
        found = explain("the", " cat sat", CAUSAL["gpt2"], slow, boundary=boundary)
        assert fast["tokens"] == [" cat", " sat"] and found["tokens"] == ["Ġcat", "Ġsat"]
        assert found["log_probabilities"] == fast["log_probabilities"]


def test_contexts_that_an_encoder_cannot_read():
    tokenizer, pair = TOKENIZERS["right"], (LONG, "개가")
    with pytest.warns(UserWarning, match="is cut off, .* because the model reads 32 tokens at most"):
        found = explain(*pair, WITH_ENCODER["bart"])["log_probabilities"]
    expected = direct_with_encoder(*pair, WITH_ENCODER["bart"], tokenizer)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)
    found = explain(*pair, WITH_ENCODER["t5"])["log_probabilities"]
    expected = direct_with_encoder(*pair, WITH_ENCODER["t5"], tokenizer, window=999)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)
    # a text that its decoder cannot read at once
    result = compute([("개가", LONG)], WITH_ENCODER["bart"])
    assert result["tokens"] == len(ids_of(LONG, tokenizer))


def test_the_vocabulary_of_the_target():
    """Some tokenizers have one for the context and one for the text."""

    class Translating(type(TOKENIZERS["right"])):
        def _switch_to_target_mode(self):
            self.backend_tokenizer.normalizer = tokenizers.normalizers.Lowercase()

        def _switch_to_input_mode(self):
            self.backend_tokenizer.normalizer = tokenizers.normalizers.Strip()

    translating = Translating(tokenizer_object=make_tokenizer(**SPECIAL).backend_tokenizer, **SPECIAL)
    expected = explain("THE CAT", "the cat", WITH_ENCODER["t5"])
    found = explain("THE CAT", "THE CAT", WITH_ENCODER["t5"], translating)
    assert found["log_probabilities"] == expected["log_probabilities"]
    assert found["tokens"] == ["THE", " CAT"]


def test_a_token_across_the_boundary():
    """The tokenizer makes one token of "the", two of "th": the third token is the first of the text."""
    model, tokenizer = CAUSAL["gpt2"], TOKENIZERS["right"]
    with pytest.warns(UserWarning, match="1 of 2 texts, such as 'e cat sat', share a token with their contexts"):
        compute([("th", "e cat sat"), ("the", " cat")], model)
    with pytest.warns(UserWarning, match="share a token"):
        assert explain("th", "e cat sat", model)["tokens"] == [" sat"]
    apart = explain("th", "e cat sat", model, boundary="apart")
    assert apart["tokens"] == ["e", " cat", " sat"]
    expected = direct("th", "e cat sat", model, tokenizer, boundary="apart")
    np.testing.assert_allclose(apart["log_probabilities"], expected, rtol=1e-3)


def test_log_probabilities_are_given_their_context():
    columns = {"predictions": [[-1.0, -2.0], [-0.5]], "texts": ["a b", "c"]}
    result = load("perplexity").compute(**columns, contexts=["x", ""])
    assert result == load("perplexity").compute(**columns)


def test_signature():
    options = {"model_id": "gpt2"}
    metric = load("perplexity")
    assert metric.signature(**options) == "perplexity|model:gpt2|dtype:auto|start:yes|v1.0"
    line = metric.signature(**options, boundary="apart")
    assert line == "perplexity|model:gpt2|dtype:auto|start:yes|boundary:apart|v1.0"
    assert metric.options_of(line, allow_models=True)["boundary"] == "apart"


REFUSED = {
    "BERT": (make_bert, "sees the tokens that it should predict, because it reads texts both ways"),
    "no head": (lambda: make_bert(transformers.BertModel), "BertModel does not predict the next token"),
    "an encoder": (
        lambda: transformers.T5EncoderModel(make_t5().config),
        "T5EncoderModel does not predict the next token; pass a causal language model, or one with an encoder and",
    ),
    "classes": (
        lambda: make_bert(transformers.BertForSequenceClassification),
        "BertForSequenceClassification does not predict the next token",
    ),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_models_that_are_neither(make, message):
    with pytest.raises(ValueError, match=message):
        compute([("a", "b")], make())


def test_models_with_an_encoder_that_lack_something():
    model = make_t5()
    with pytest.raises(ValueError, match="an encoder and a decoder; pass contexts, which the encoder reads"):
        compute([("", "b")], model)
    with pytest.raises(ValueError, match="add_start_token is False; a decoder always begins with its start token"):
        compute([("a", "b")], model, add_start_token=False)
    model.config.decoder_start_token_id = model.generation_config.decoder_start_token_id = None
    with pytest.raises(ValueError, match="T5ForConditionalGeneration has no decoder_start_token_id"):
        compute([("a", "b")], model)
    speech = make_t5()
    speech.main_input_name = "input_features"
    with pytest.raises(
        ValueError, match="the encoder of T5ForConditionalGeneration reads input_features instead of texts"
    ):
        compute([("a", "b")], speech)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_models_from_a_folder(model, tmp_path):
    """The kind of the model is that of its configuration."""
    model.save_pretrained(tmp_path)
    TOKENIZERS["right"].save_pretrained(tmp_path)
    contexts, texts = zip(*PAIRS, strict=True)
    result = load("perplexity").compute(predictions=texts, contexts=contexts, model_id=str(tmp_path))
    np.testing.assert_allclose(result["perplexities"], compute(PAIRS, model)["perplexities"], rtol=1e-5)


@pytest.mark.parametrize(("add_start_token", "tokenizer"), [(True, "adds start"), (False, "right")])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.filterwarnings("ignore:.*contexts.*:UserWarning")
def test_lm_evaluation_harness(model, add_start_token, tokenizer):
    """Of 0.4.13: it puts a start token where the tokenizer does, and always before a text without a context."""
    huggingface = pytest.importorskip("lm_eval.models.huggingface", reason="pip install -r requirements-clients.txt")
    tokenizer, has_encoder = TOKENIZERS[tokenizer], model in WITH_ENCODER.values()
    harness = huggingface.HFLM(
        pretrained=model, tokenizer=tokenizer, backend="seq2seq" if has_encoder else "causal", batch_size=3,
        max_length=32,
    )  # fmt: skip
    pairs = [*PAIRS[:3], ("개가", "짖는다"), (LONG, " the cat sat on the mat."), (LONG, LONG[:40]), ("th", "e cat sat")]
    if add_start_token:
        pairs.append(("", "나는 학교에 간다."))
    instances = [type("Instance", (), {"args": pair}) for pair in pairs]
    theirs = [value for value, _ in harness.loglikelihood(instances, disable_tqdm=True)]
    options = {"model": model, "model_tokenizer": tokenizer, "max_length": 32}
    options |= {} if has_encoder else {"add_start_token": add_start_token}
    contexts, texts = zip(*pairs, strict=True)
    metric = load("perplexity")
    rows = metric.statistics(predictions=texts, contexts=contexts, **options)
    np.testing.assert_allclose(metric.score(rows)["log_likelihood"], theirs, rtol=1e-5)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_choice_accuracy(model):
    """Against the log-probabilities of each choice alone; the units do not agree on all questions."""
    tokenizer, oracle = TOKENIZERS["right"], direct_with_encoder if model in WITH_ENCODER.values() else direct
    rng = np.random.default_rng(0)
    choices = [list(rng.choice([" a", " sat on", " 잠을 자고", " 짖는다 the mat", " 😀"], 3, False)) for _ in range(12)]
    choices[0] = ["", *choices[0]]
    contexts, answers = [text.split()[0] for text in TEXTS * 3][:12], [len(row) - 1 for row in choices]
    sizes = {"": lambda *_: 1, "_per_token": lambda _, row: len(row), "_per_character": lambda text, _: len(text),
             "_per_byte": lambda text, _: len(text.encode())}  # fmt: skip
    expected = {}
    for unit, size in sizes.items():
        right = 0
        for context, texts, answer in zip(contexts, choices, answers, strict=True):
            rows = [oracle(context, text, model, tokenizer) for text in texts]
            means = [sum(row) / size(text, row) if row else -math.inf for text, row in zip(texts, rows, strict=True)]
            right += means.index(max(means)) == answer
        expected[f"accuracy{unit}"] = right / 12
    found = choice_accuracy(contexts, choices, answers, model=model, model_tokenizer=tokenizer)
    assert found == expected
    assert len(set(found.values())) > 1


@pytest.mark.parametrize(
    ("choices", "answers", "message"),
    [
        ([["a", "b"], ["c"]], [0, 1], r"answers\[1\] is 1; pass the index of a choice, from 0 to 0"),
        ([["a", "b"], ["c"]], [-1, 0], r"answers\[0\] is -1; pass the index of a choice, from 0 to 1"),
        ([["a", "b"], []], [0, 0], r"choices\[1\] is empty"),
        ([["a", "b"], ["c"]], [0], "2 contexts, 2 choices and 1 answers"),
        ([["a", "b"]], [0, 0], "2 contexts, 1 choices and 2 answers"),
        ([["a", "b"], "c"], [0, 0], r"choices\[1\] is 'c'; pass a list of strings"),
        ([["a", ""], ["", ""]], [0, 0], r"choices\[1\] is \['', ''\]; no token of these has a probability"),
    ],
)
def test_choices_that_are_no_questions(choices, answers, message):
    with pytest.raises(ValueError, match=message):
        choice_accuracy(["x", "y"], choices, answers, model=CAUSAL["gpt2"], model_tokenizer=TOKENIZERS["right"])
