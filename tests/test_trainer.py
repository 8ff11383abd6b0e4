"""Metrics inside the Trainers of transformers: real runs with tiny models, and what they report computed directly."""

import json
import math
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT, load

torch = pytest.importorskip("torch", reason="pip install -r requirements-models.txt")
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")
pytest.importorskip("accelerate", reason="pip install -r requirements-models.txt")

import evaluating_process
from tiny_models import TEXTS, make_ctc, make_gpt2, make_llama, make_t5, make_tokenizer, translation_rows

from examples import kept_rows, trainer_metrics, trainers

LONG = " ".join(TEXTS)
TOKENIZER = make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>")
pytestmark = pytest.mark.filterwarnings("ignore:.*pin_memory.*:UserWarning")


def arguments(folder, **others):
    return {
        "output_dir": str(folder),
        "per_device_train_batch_size": 2,
        "per_device_eval_batch_size": 2,
        "num_train_epochs": 1,
        "eval_strategy": "epoch",
        "save_strategy": "epoch",
        "load_best_model_at_end": True,
        "report_to": [],
        "disable_tqdm": True,
        "use_cpu": True,
        **others,
    }


def tokenized(texts):
    return [{"input_ids": TOKENIZER(text)["input_ids"]} for text in texts]


def direct_perplexity(model, texts):
    total = count = 0
    for text in texts:
        ids = torch.tensor([TOKENIZER(text)["input_ids"]])
        with torch.no_grad():
            logs = model.eval()(ids).logits[0, :-1].double().log_softmax(-1)
        total += logs.gather(-1, ids[0, 1:, None]).sum().item()
        count += ids.shape[1] - 1
    return math.exp(-total / count)


@pytest.mark.parametrize("make", [make_gpt2, make_llama])
def test_language_model(make, tmp_path):
    """exp(eval_loss) is off for GPT-2 in transformers 5: the loss is divided by the labels before they are shifted."""
    texts = [text for text in TEXTS if len(text) > 1]
    trainer = trainers.language_model_trainer(
        make(context=64), TOKENIZER, tokenized(texts), tokenized(texts), **arguments(tmp_path)
    )
    before = trainer.evaluate()
    expected = direct_perplexity(trainer.model, texts)
    assert before["eval_perplexity"] == pytest.approx(expected, rel=1e-4)
    assert before["eval_perplexity_tokens"] == sum(len(row["input_ids"]) - 1 for row in tokenized(texts))
    assert all(type(value) is float for key, value in before.items() if key.startswith("eval_perplexity"))
    if transformers.__version__.startswith("5.23."):
        wrong = make is make_gpt2
        assert (abs(math.exp(before["eval_loss"]) / expected - 1) > 0.02) == wrong
    trainer.train()
    after = trainer.evaluate()["eval_perplexity"]
    assert after == pytest.approx(direct_perplexity(trainer.model, texts), rel=1e-4)
    assert after != before["eval_perplexity"]
    assert trainer.state.best_metric == pytest.approx(after)


def test_translation(tmp_path):
    """Labels and generated ids are filled up with -100, which no tokenizer decodes."""
    rows = translation_rows(TOKENIZER, make_t5())
    trainer = trainers.translation_trainer(
        make_t5(), TOKENIZER, rows, rows, **arguments(tmp_path, generation_max_length=12)
    )
    trainer.train()
    outputs = trainer.predict(rows)
    texts = TOKENIZER.batch_decode([row["labels"] for row in rows])
    assert len(set(texts)) > 3
    predictions = trainer_metrics.decode(outputs.predictions, TOKENIZER)
    assert (outputs.label_ids == -100).any()
    assert trainer_metrics.decode(outputs.label_ids, TOKENIZER) == [text.strip() for text in texts]
    columns = {"predictions": predictions, "references": [text.strip() for text in texts]}
    assert outputs.metrics["test_bleu"] == load("bleu").compute(**columns, tokenizer="char")["bleu"]
    assert outputs.metrics["test_rougeL"] == load("rouge").compute(**columns)["rougeL"]
    assert outputs.metrics["test_meteor"] == load("meteor").compute(**columns)["meteor"]
    json.dumps(outputs.metrics)
    assert trainer.state.best_metric is not None


def speech_rows(tokenizer, texts):
    rng = np.random.default_rng(0)
    return [
        {"input_values": rng.standard_normal(1600).astype(np.float32), "labels": tokenizer(text)["input_ids"]}
        for text in texts
    ]


def collate(rows):
    labels = [torch.tensor(row["labels"]) for row in rows]
    return {
        "input_values": torch.tensor(np.stack([row["input_values"] for row in rows])),
        "labels": torch.nn.utils.rnn.pad_sequence(labels, batch_first=True, padding_value=-100),
    }


def test_speech(tmp_path):
    """A doubled letter of a reference stays doubled, though CTC merges those of a prediction."""
    model, tokenizer = make_ctc(tmp_path)
    texts = ["가가 나", "다라", "마바 사아 가"]
    rows = speech_rows(tokenizer, texts)
    trainer = trainers.speech_trainer(model, tokenizer, rows, rows, collate, **arguments(tmp_path / "run"))
    trainer.train()
    outputs = trainer.predict(rows)
    assert trainer_metrics.decode(outputs.label_ids, tokenizer, **trainers.CTC_REFERENCE) == texts
    one = tokenizer("가")["input_ids"][0]
    ids = np.array([[one, one, 0, one, -100]])
    assert trainer_metrics.decode(ids, tokenizer, **trainers.CTC_PREDICTION) == ["가가"]
    rows = [row[row >= 0] for row in outputs.predictions]
    predictions = [tokenizer.decode(row) for row in rows]
    columns = {"predictions": predictions, "references": texts}
    assert outputs.metrics["test_cer"] == load("cer").compute(**columns)["cer"]
    assert outputs.metrics["test_wer"] == load("wer").compute(**columns)["wer"]
    assert outputs.metrics["test_wer_edits"] == load("wer").compute(**columns)["edits"]


def test_beams_and_several_texts_of_an_input(tmp_path):
    """Each is scored, at once and in batches alike; labels of another length are filled up with -100."""
    rows, model = translation_rows(TOKENIZER, make_t5()), make_t5()
    config = transformers.GenerationConfig(
        num_beams=3, num_return_sequences=3, max_new_tokens=8, decoder_start_token_id=0, pad_token_id=0
    )
    found = []
    for in_batches in (True, False):
        options = {"generation_config": config, "batch_eval_metrics": in_batches}
        trainer = trainers.translation_trainer(model, TOKENIZER, rows, rows, **arguments(tmp_path, **options))
        outputs = trainer.predict(rows)
        assert len(outputs.predictions) == 3 * len(rows)
        assert (outputs.label_ids == -100).any()
        found.append({key: value for key, value in outputs.metrics.items() if re.search("bleu|rouge|meteor", key)})
    assert found[0] == found[1]
    with torch.no_grad():
        ids = [model.generate(torch.tensor([row["input_ids"]]), generation_config=config) for row in rows]
    columns = {
        "predictions": [
            text.strip() for made in ids for text in TOKENIZER.batch_decode(made, skip_special_tokens=True)
        ],
        "references": [
            TOKENIZER.decode(row["labels"], skip_special_tokens=True).strip() for row in rows for _ in range(3)
        ],
    }
    assert 0 < found[0]["test_bleu"] < 1
    assert found[0]["test_bleu"] == load("bleu").compute(**columns, tokenizer="char")["bleu"]
    assert found[0]["test_rougeL"] == pytest.approx(load("rouge").compute(**columns)["rougeL"], rel=1e-12)


def test_an_evaluation_that_was_interrupted(tmp_path, monkeypatch):
    """Its rows do not get into the next one."""
    rows = translation_rows(TOKENIZER, make_t5())
    options = arguments(tmp_path, generation_max_length=12)
    trainer = trainers.translation_trainer(make_t5(), TOKENIZER, rows, rows, **options)
    expected, step, steps = trainer.evaluate()["eval_bleu_reference_length"], trainer.prediction_step, []

    def interrupted(*args, **options):
        steps.append(0)
        if len(steps) == 2:
            raise KeyboardInterrupt
        return step(*args, **options)

    monkeypatch.setattr(trainer, "prediction_step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        trainer.evaluate()
    assert trainer.evaluate()["eval_bleu_reference_length"] == expected


def test_keys_name_the_metric():
    result = {"bleu": 0.5, "precision_1": 1.0, "bleu_low": 0.25, "length": 3}
    named = trainer_metrics.prefixed("bleu", result)
    assert named == {"bleu": 0.5, "bleu_precision_1": 1.0, "bleu_low": 0.25, "bleu_length": 3.0}
    assert all(isinstance(value, float) for value in named.values())


def test_half_precision_and_tuples():
    """Models may return more than logits, and in half precision, whose logarithms are too coarse to add up."""
    torch.manual_seed(0)
    logits, labels = torch.randn(2, 5, 7).bfloat16(), torch.tensor([[1, 2, 3, 4, 5], [6, 0, 1, -100, -100]])
    found = trainer_metrics.token_log_probabilities((logits, None), labels)
    assert found.dtype == torch.float32
    logs = logits.float().log_softmax(-1)
    assert found[0].tolist() == pytest.approx([logs[0, i, i + 2].item() for i in range(4)])
    assert found[1, :2].tolist() == pytest.approx([logs[1, 0, 0].item(), logs[1, 1, 1].item()])
    outputs = SimpleNamespace(predictions=found.numpy(), label_ids=labels.numpy())
    scores = trainer_metrics.perplexity_scores()(outputs)
    assert scores["perplexity_tokens"] == 6
    assert scores["perplexity"] == pytest.approx(math.exp(-(found[0].sum() + found[1, :2].sum()).item() / 6))


def test_the_readme(tmp_path, monkeypatch):
    """Its blocks, with the names that they expect."""
    readme = (ROOT / "scripts/examples/README.md").read_text("utf-8")
    texts, rows = tokenized(TEXTS), translation_rows(TOKENIZER, make_t5())
    monkeypatch.chdir(ROOT)
    generating = {"predict_with_generate": True, "generation_max_length": 12}
    names = {
        "translator": make_t5(), "tokenizer": TOKENIZER, "translations": rows,
        "arguments": transformers.Seq2SeqTrainingArguments(**arguments(tmp_path, **generating)),
        "model": make_llama(context=64), "evaluation": texts,
        "language_model_arguments": transformers.TrainingArguments(**arguments(tmp_path)),
        "segments": [{"position": row, "source": text, "reference": text} for row, text in enumerate(TEXTS)],
        "translate": lambda sources: [source[:-1] for source in sources],
    }  # fmt: skip
    exec("\n".join(re.findall(r"```python models\n(.*?)```", readme, flags=re.S)), names)
    assert 0 < names["written_out"]["eval_rougeL"] < 1
    assert names["written_out"]["eval_gen_len"] == 12
    assert names["made"]["eval_rougeL"] == pytest.approx(names["written_out"]["eval_rougeL"], abs=1e-4)
    assert names["perplexity"] > 1
    columns = {"predictions": [text[:-1] for text in TEXTS], "references": TEXTS}
    assert names["results"]["chrf"] == load("chrf").compute(**columns)
    assert names["results"]["bleu"] == load("bleu").compute(**columns, tokenizer="char")


def test_the_size_of_rows():
    """The figure of the README, which does not depend on the texts."""
    (stated,) = re.findall(r"a segment takes (\d+) bytes", (ROOT / "scripts/examples/README.md").read_text("utf-8"))
    for text in ("a", LONG * 20):
        rows = kept_rows.KeptRows(trainers.TEXT_METRICS)
        rows.add([0, 1], predictions=[text] * 2, references=[text] * 2)
        ((positions, kept),) = rows._batches
        assert positions.nbytes + sum(of_metric.rows.nbytes for of_metric in kept.values()) == 2 * int(stated)


def batches(order):
    return [order[:2], order[2:2], order[2:3], order[3:], order[:1]]


@pytest.mark.parametrize("name", evaluating_process.ADDITIVE)
def test_rows_of_batches(name):
    """In any order, some twice, and with an empty batch: what one call computes."""
    columns, options = evaluating_process.CASES[name][0], evaluating_process.options_of(name)
    rows = kept_rows.KeptRows([name], {name: options})
    whole = load(name).compute(**columns, **evaluating_process.asked(name))
    for _ in range(2):  # nothing is left of the first time
        for batch in batches([3, 0, 4, 2, 1]):
            rows.add(batch, **{key: [column[row] for row in batch] for key, column in columns.items()})
        found = rows.results()[name]
        assert repr(found) == repr({key: whole[key] for key in found})
    with pytest.raises(ValueError, match="nothing to score: no process has added a row"):
        rows.results()


@pytest.mark.parametrize("name", ["nist", "cider"])
def test_metrics_that_learn_from_all_references(name):
    rows = kept_rows.KeptRows([name])
    rows.add([0, 1], predictions=["a b", "c d"], references=["a c", "c d"])
    with pytest.raises(ValueError, match=f"{name} learns from all references, .* has only a part of them; pass what"):
        rows.add([2], predictions=["a b"], references=["a c"])


def test_positions_have_to_fit():
    rows = kept_rows.KeptRows(["bleu"])
    with pytest.raises(ValueError, match="2 positions and 3 rows; pass as many of each, or several rows a position"):
        rows.add([0, 1], predictions=["a"] * 3, references=["a"] * 3)


def test_several_predictions_of_a_segment():
    """Their rows are added: the score is that of all of them."""
    weights = {"cat": 2.0, "dog": 1.5, "bird": 3.0}
    rows = kept_rows.KeptRows(["bleu", "wer"], {"wer": {"weights": weights}})
    rows.add([1], predictions=["the cat sat on", "a cat"], references=["the cat sat down"] * 2)
    rows.add([0], predictions=["the dog sat on it", "door"], references=["a dog sat on it"] * 2)
    columns = {
        "predictions": ["the cat sat on", "a cat", "the dog sat on it", "door"],
        "references": ["the cat sat down"] * 2 + ["a dog sat on it"] * 2,
    }
    found = rows.results()
    assert found["bleu"] == load("bleu").compute(**columns)
    assert found["wer"] == load("wer").compute(**columns, weights=weights)
    assert (found["wer"]["missed_keywords"], found["wer"]["unused_keys"]) == ([["dog", 1, 2]], ["bird"])


@pytest.mark.slow
def test_two_processes(tmp_path):
    """What they report is what one process reports, to the bit; only numbers go from one to the other."""
    paths = [str(ROOT), str(ROOT / "scripts"), str(ROOT / "tests")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "GLOO_SOCKET_IFNAME": "lo"}
    command = [sys.executable, "-W", "ignore", evaluating_process.__file__]
    processes = [
        subprocess.Popen([*command, str(rank), str(tmp_path)], env=environment, stderr=subprocess.PIPE, text=True)
        for rank in range(2)
    ]
    errors = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], "".join(errors)
    kinds, results = (tmp_path / "0.txt").read_text("utf-8").split("\n")
    assert kinds == "['NoneType', 'float64', 'int64']"  # None for a metric without a table of phrases
    kept, reported = eval(results, {"nan": math.nan, "inf": math.inf})
    assert (tmp_path / "1.txt").read_text("utf-8").split("\n")[1] == results
    for name in evaluating_process.ADDITIVE:
        whole = load(name).compute(**evaluating_process.CASES[name][0], **evaluating_process.asked(name))
        for case in evaluating_process.SHARES:
            found = kept[f"{name} {case}"]
            assert repr(found) == repr({key: whole[key] for key in found}), name
    alone = evaluating_process.reported(str(tmp_path))
    assert alone["uneven"] == alone["at once"]
    assert 0 < alone["uneven"]["eval_bleu"] < 1
    for case in ("uneven", "even", "one", "beams"):
        assert reported[case] == alone[case], case
    # the Trainer gives what fills up the last batch twice to a metric that sees all at once
    assert reported["at once"]["eval_bleu_reference_length"] > alone["at once"]["eval_bleu_reference_length"]
