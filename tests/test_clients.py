"""Programs that people call metrics from: each takes ours as our README says, and gives the score of `compute`."""

import importlib.metadata
import json
import re
import shlex
import sys
from types import SimpleNamespace
from unittest import mock

import evaluate
import pytest
from conftest import METRICS, ROOT, load
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score

README = (ROOT / "scripts/clients/README.md").read_text("utf-8")
TASK = ROOT / "scripts/clients/lm_eval"
ANSWERS = ["고양이가 방에서 잠을 자고 있다.", "네네 그렇습니다 정말로", "아니요"]
LOGGED, EXPECTED = ["고양이가 침대에서 잠을 자고 있다.", "네 그렇습니다"], ANSWERS[:2]
OUTPUTS = ["고양이가 침대에서 잠을 자고 있다.", "네 그렇습니다", "아니요"]


def run_block(word, **names):
    """Runs the block of the README that has this word in it, and returns its variables."""
    (block,) = (body for body in re.findall(r"```python clients\n(.*?)```", README, flags=re.S) if word in body)
    exec(compile(block, "README.md", "exec"), names)  # noqa: S102
    return names


@pytest.fixture
def in_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_polars():
    pytest.importorskip("polars", reason="pip install -r requirements-clients.txt")
    run_block("polars", bleu=evaluate.load(str(ROOT / "metrics/bleu.py"), tokenizer="char", flat=True))


def test_reward(in_root):
    """The README's function, with texts and with messages as TRL passes them."""
    reward = run_block("def reward", evaluate=evaluate)["reward"]
    expected = load("chrf").compute(predictions=OUTPUTS, references=ANSWERS, per_segment=True)["segments"]
    messages = [[{"role": "assistant", "content": text}] for text in OUTPUTS]
    for completions in (OUTPUTS, messages):
        assert reward(completions=completions, answer=ANSWERS, prompts=["?"] * 3) == expected


@pytest.mark.filterwarnings("ignore::Warning")
def test_torchmetrics():
    """The README's class, batch by batch."""
    pytest.importorskip("torchmetrics", reason="pip install -r requirements-peers.txt")
    kept = run_block("torchmetrics.Metric")["CorpusScore"](load("wer"))
    for start in (0, 2):
        kept.update(OUTPUTS[start : start + 2], ANSWERS[start : start + 2])
    assert kept.compute() == load("wer").compute(predictions=OUTPUTS, references=ANSWERS)


@pytest.fixture
def transformers():
    """Returns transformers, where torch is there too."""
    pytest.importorskip("torch", reason="pip install -r requirements-models.txt")
    return pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")


def test_speech_pipeline(in_root, tmp_path, transformers):
    """The README's lines, with a real pipeline: what it returns is a list of dicts with the text."""
    import numpy as np
    from tiny_models import make_ctc

    model, tokenizer = make_ctc(tmp_path)
    parts = {
        "model": model.eval(),
        "tokenizer": tokenizer,
        "feature_extractor": transformers.Wav2Vec2FeatureExtractor(),
    }
    recognizer = transformers.pipeline("automatic-speech-recognition", **parts)
    recordings = [np.random.default_rng(row).standard_normal(1600).astype(np.float32) for row in range(2)]
    heard = [recognizer(recording)["text"] for recording in recordings]
    names = {"evaluate": evaluate, "recognizer": recognizer, "recordings": recordings, "transcripts": ["나다", "가"]}
    rate = run_block("recognizer", **names)["rate"]
    assert any(heard)
    assert rate == load("cer").compute(predictions=heard, references=["나다", "가"])["cer"]


def test_text_generation_pipeline(in_root, transformers):
    """The README's lines: the prompt is part of what a pipeline returns unless return_full_text is False."""
    import torch
    from tiny_models import make_gpt2, make_tokenizer

    model, tokenizer = make_gpt2(), make_tokenizer(pad_token="<p>")
    generator = transformers.pipeline("text-generation", model=model, tokenizer=tokenizer)
    prompts, options = ["고양이가", "the cat"], {"max_new_tokens": 4, "do_sample": False}
    ids = [torch.tensor([tokenizer(prompt)["input_ids"]]) for prompt in prompts]
    made = [tokenizer.decode(model.generate(row, **options)[0, row.shape[1] :]) for row in ids]
    names = {"evaluate": evaluate, "generator": generator, "prompts": prompts, "options": options, "answers": made}
    assert run_block("generator", **names)["result"]["chrf"] == 1


@pytest.mark.parametrize(
    ("task", "key"),
    [
        ("summarization", "summary_text"),
        ("translation_en_to_de", "translation_text"),
        ("text2text-generation", "generated_text"),
    ],
)
def test_pipelines_that_transformers_5_has_no_more(task, key, transformers):
    """With transformers 4 their texts are those of the model; with 5 the README has to say so."""
    import torch
    from tiny_models import TEXTS, make_t5, make_tokenizer

    model, tokenizer = make_t5(), make_tokenizer(pad_token="<p>", eos_token="</s>")
    if transformers.__version__ >= "5":
        with pytest.raises(KeyError, match="removed|Unknown task"):
            transformers.pipeline(task, model=model, tokenizer=tokenizer)
        return
    pipe, options = transformers.pipeline(task, model=model, tokenizer=tokenizer), {"max_new_tokens": 8, "num_beams": 1}
    outputs = [output[key] for output in pipe(TEXTS[:2], **options)]
    ids = [torch.tensor([tokenizer(text)["input_ids"]]) for text in TEXTS[:2]]
    made = [tokenizer.decode(model.generate(row, **options)[0], skip_special_tokens=True) for row in ids]
    assert any(outputs)
    assert load("chrf").compute(predictions=outputs, references=made)["chrf"] == 1


def test_evaluator(transformers):
    """With transformers 4; with 5, evaluate itself fails, and the README says so."""
    if transformers.__version__ >= "5":
        with pytest.raises(KeyError, match="removed"):
            evaluate.evaluator("summarization")
        return
    import datasets

    def pipe(texts, **_):
        return [{"summary_text": text} for text in texts]

    pipe.task = "summarization"
    result = evaluate.evaluator("summarization").compute(
        model_or_pipeline=pipe,
        data=datasets.Dataset.from_dict({"text": OUTPUTS, "summary": ANSWERS}),
        metric=load("rouge"),
        label_column="summary",
    )
    expected = load("rouge").compute(predictions=OUTPUTS, references=ANSWERS)
    assert {key: result[key] for key in expected} == expected


def test_evaluator_of_transformers_5(transformers, monkeypatch):
    """The README's line is what it lacks."""
    if transformers.__version__ < "5":
        pytest.skip("evaluate works with transformers 4 as it is")
    import datasets

    def pipe(recordings, **_):
        return [{"text": text} for text in OUTPUTS]

    pipe.task = "automatic-speech-recognition"
    data = datasets.Dataset.from_dict({"path": ["a", "b", "c"], "sentence": ANSWERS})
    evaluator = evaluate.evaluator("automatic-speech-recognition")
    with pytest.raises(AttributeError, match="TFPreTrainedModel"):
        evaluator.compute(model_or_pipeline=pipe, data=data, metric=load("cer"))
    monkeypatch.setattr(transformers, "TFPreTrainedModel", transformers.PreTrainedModel, raising=False)
    result = evaluator.compute(model_or_pipeline=pipe, data=data, metric=load("cer"))
    assert result["cer"] == load("cer").compute(predictions=OUTPUTS, references=ANSWERS)["cer"]
    assert "\ntransformers.TFPreTrainedModel = transformers.PreTrainedModel\n" in README


def test_example_scripts():
    """What the examples of transformers do with a result."""
    columns = {"predictions": OUTPUTS, "references": [[answer] for answer in ANSWERS]}
    summaries = load("rouge").compute(**columns, use_stemmer=True)
    assert {key: round(value * 100, 4) for key, value in summaries.items()}["rouge1"] > 0
    translations = evaluate.load(str(ROOT / "metrics/bleu.py"), flat=True).compute(**columns)
    assert translations["score"] == 100 * load("bleu").compute(**columns)["bleu"]
    assert isinstance(load("wer").compute(predictions=OUTPUTS, references=ANSWERS)["wer"], float)


@pytest.mark.parametrize("name", ["cer", "wer"])
def test_cards_say_what_differs_from_hugging_face(name):
    card = " ".join((ROOT / f"spaces/{name}/README.md").read_text("utf-8").split())
    assert re.search(rf'`metric_for_best_model="{name}"`.* `{name}\.compute\(\.\.\.\)\["{name}"\]`', card)


def test_combine_with_options_of_each():
    """An object's own options go with it, where `combine` would give one set of options to all."""
    names = [name for name in METRICS if name in ("bleu", "cer", "chrf", "rouge")]
    given = {"bleu": {"tokenizer": "char"}, "cer": {"preset": "jiwer"}, "chrf": {"word_order": 2}, "rouge": {}}
    metrics = [evaluate.load(str(ROOT / "metrics" / f"{name}.py"), flat=True, **given[name]) for name in names]
    result = evaluate.combine(metrics).compute(predictions=OUTPUTS, references=ANSWERS)
    for name in names:
        expected = load(name).compute(predictions=OUTPUTS, references=ANSWERS, **given[name])
        headline = next(iter(expected))
        assert result[headline] == expected[headline]


@pytest.fixture
def harness(tmp_path, monkeypatch):
    """Returns a function that runs our task on a model that gives these answers, and the harness's result."""
    lm_eval = pytest.importorskip("lm_eval", reason="pip install -r requirements-clients.txt")
    model = pytest.importorskip("lm_eval.api.model", reason="pip install -r requirements-clients.txt")
    tasks = pytest.importorskip("lm_eval.tasks", reason="pip install -r requirements-clients.txt")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metrics").symlink_to(ROOT / "metrics")
    lines = [json.dumps({"question": str(row), "answer": answer}) for row, answer in enumerate(ANSWERS)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), "utf-8")

    class Model(model.LM):
        outputs = OUTPUTS

        def loglikelihood(self, requests):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

        def generate_until(self, requests):
            return [self.outputs[int(request.args[0])] for request in requests]

    def run(outputs, folder=TASK):
        Model.outputs = outputs
        manager = tasks.TaskManager(include_path=str(folder), include_defaults=False)
        return lm_eval.simple_evaluate(Model(), tasks=["korean_answers"], task_manager=manager, log_samples=True)

    return run


@pytest.mark.filterwarnings("ignore::Warning")
def test_lm_eval(harness, tmp_path, monkeypatch):
    """The corpus' score, where the mean over documents is another; compare.py reads the samples of two models."""
    from lm_eval.loggers import EvaluationTracker

    found = {}
    for model, outputs in {"old": OUTPUTS, "new": ANSWERS}.items():
        results = harness(outputs)
        found[model] = results["results"]["korean_answers"]["bleu,none"]
        for name in ("chrf", "ter", "cer", "wer"):
            result = load(name).compute(predictions=outputs, references=ANSWERS)
            assert results["results"]["korean_answers"][f"{name},none"] == result[name]
        tracker = EvaluationTracker(output_path=str(tmp_path / f"{model}.json"))
        tracker.date_id = "today"
        tracker.save_results_samples("korean_answers", results["samples"]["korean_answers"])
        (tmp_path / "samples_korean_answers_today.jsonl").rename(f"{model}.jsonl")
    columns = {"predictions": OUTPUTS, "references": ANSWERS}
    expected = load("bleu").compute(**columns, tokenizer="char", per_segment=True)
    assert found == {"old": expected["bleu"], "new": 1.0}
    assert expected["bleu"] != pytest.approx(sum(expected["segments"]) / 3, abs=0.01)
    asked = ["--prediction-column", "filtered_resps.0", "--reference-column", "target", "-m", "bleu:tokenizer=char"]
    run = CliRunner().invoke(compare.app, ["-p", "old.jsonl", "-p", "new.jsonl", *asked, "--json", "-"])
    assert run.exit_code == 0, run.output
    systems = json.loads(run.stdout)["systems"]
    assert {name: scores["bleu char"]["bleu"] for name, scores in systems.items()} == found


@pytest.mark.filterwarnings("ignore::Warning")
@pytest.mark.parametrize("name", ["wer", "cer", "chrf", "ter", "bleu"])
def test_lm_eval_alone_reports_means_of_documents(name, harness, tmp_path):
    """With the README's lines, which give no score of the corpus."""
    (lines,) = re.findall(r"```yaml\n(.*?)```", README, flags=re.S)
    task = re.sub(
        "process_results.*", "", (TASK / "korean_answers.yaml").read_text("utf-8").partition("metric_list")[0]
    )
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks/task.yaml").write_text(task + lines.replace("wer.py", f"{name}.py"), "utf-8")
    found = harness(OUTPUTS, tmp_path / "tasks")["results"]["korean_answers"][f"{name},none"]
    metric = load(name)
    each = [metric.compute(predictions=[p], references=[r])[name] for p, r in zip(OUTPUTS, ANSWERS, strict=True)]
    corpus = metric.compute(predictions=OUTPUTS, references=ANSWERS)[name]
    assert found == pytest.approx(sum(each) / 3)
    assert found != pytest.approx(corpus, abs=0.01)
    if name == "wer":
        assert f"{found:.3f} instead of {corpus:.3f}" in " ".join(README.split())


@pytest.mark.parametrize(
    ("file", "columns"),
    [
        ("inspect_log.json", ["output.completion", "target"]),
        ("inspect_log.json", ["output.choices.0.message.content", "target"]),
        ("lighteval_details.parquet", ["model_response.text.0", "doc.choices"]),
        ("lighteval_details.parquet", ["model_response.text.0", "doc.choices.0"]),
    ],
)
def test_logs_of_inspect_ai_and_lighteval(file, columns, tmp_path):
    """Files that inspect_ai 0.3.285 and lighteval 0.13.0 wrote, as they are."""
    prediction, reference = columns
    asked = ["-d", str(ROOT / "tests/data" / file), "--prediction-column", prediction, "--reference-column", reference]
    for more in ([], ["--stream"]):
        run = CliRunner().invoke(score.app, [*asked, "-m", "bleu:tokenizer=char", "--json", "-", *more])
        assert run.exit_code == 0, run.output
        (found,) = json.loads(run.stdout)["systems"].values()
        expected = load("bleu").compute(predictions=LOGGED, references=EXPECTED, tokenizer="char")
        assert found["bleu char"]["bleu"] == expected["bleu"]


@pytest.fixture
def inspect_ai(monkeypatch, tmp_path):
    """Returns inspect_ai, whose mock model would download a file to count tokens."""
    found = pytest.importorskip("inspect_ai", reason="pip install -r requirements-clients.txt")
    import tiktoken

    try:
        importlib.metadata.distribution("textgauge")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("inspect_ai finds scorers by the entry point of an installed package: pip install -e .")

    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: mock.Mock(encode=lambda text, **_: list(text)))
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    return found


@pytest.mark.filterwarnings("ignore::Warning")
def test_scorers_in_inspect_ai(inspect_ai):
    """The README's lines: all answers of all epochs as one corpus."""
    found = run_block("inspect_ai")
    assert str(found["metrics"]) in README
    texts = {"predictions": ["안녕하세오", "네", "안녕하세요", ""], "references": ["안녕하세요", "네"] * 2}
    expected = load("cer").compute(**texts)
    assert {name: found["metrics"][name] for name in expected} == {n: round(v, 4) for n, v in expected.items()}
    scores = [sample.scores["cer"].value for sample in found["log"].samples]
    assert sum(scores) / 4 == 0.3 and "here 0.3)" in README


@pytest.mark.filterwarnings("ignore::Warning")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("wer", {"lowercase": True}),
        ("rouge", {}),
        ("bleu", {"tokenizer": "char", "max_order": 2}),
        ("cer", {"aggregate": "mean"}),
    ],
)
def test_scorers_are_found_by_name(name, options, inspect_ai, tmp_path):
    """With options, as the command line passes them; samples are drawn with all their epochs."""
    from inspect_ai._util.registry import registry_create
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, get_model

    count, epochs = 7, 2
    references = [f"{ANSWERS[i % 3]} {i}" for i in range(count)]
    answers = [f"{OUTPUTS[i % 3]} {i % 4}" if i else "" for i in range(count * epochs)]
    outputs = [ModelOutput.from_content("mock", text) for text in answers]
    task = inspect_ai.Task(
        dataset=[Sample(id=i, input="?", target=[text, "다른 답"]) for i, text in enumerate(references)],
        scorer=registry_create("scorer", f"textgauge/{name}", **options),
        epochs=epochs,
    )
    [log] = inspect_ai.eval(task, model=get_model("mockllm/model", custom_outputs=outputs), display="none")
    assert log.status == "success", log.error
    said = {(sample.epoch, sample.id): sample.output.completion for sample in log.samples}
    order = sorted(said)
    expected = load(name).compute(
        predictions=[said[key] for key in order],
        references=[[references[i], "다른 답"] for _, i in order],
        clusters=[str(i) for _, i in order],
        confidence=0.95,
        **options,
    )
    found = {key: of.value for key, of in log.results.scores[0].metrics.items()}
    prefix = "rouge1_" if name == "rouge" else ""
    headline = "rouge1" if name == "rouge" else name
    low, high = expected[f"{prefix}confidence_interval"]
    assert (found[headline], found[f"{prefix}low"], found[f"{prefix}high"]) == pytest.approx(
        (expected[headline], low, high)
    )
    assert found["units"] == count


@pytest.mark.parametrize(("options", "error"), [({"unti": "jamo"}, TypeError), ({"unit": "jam"}, ValueError)])
def test_a_scorer_refuses_a_bad_option_before_the_model_is_called(options, error, inspect_ai):
    from textgauge.programs.harness.inspect_scorers import SCORERS

    with pytest.raises(error, match=next(iter(options))):
        SCORERS["cer"](**options)


@pytest.mark.filterwarnings("ignore::Warning")
def test_the_command_scores_a_log(inspect_ai, tmp_path, monkeypatch):
    """The README's command, on a log that inspect_ai wrote; the scores that were there stay."""
    from click.testing import CliRunner as ClickRunner
    from inspect_ai._cli.main import inspect
    from inspect_ai.log import read_eval_log

    monkeypatch.chdir(tmp_path)
    (tmp_path / "LOG.json").write_bytes((ROOT / "tests/data/inspect_log.json").read_bytes())
    [command] = re.findall(r"^inspect (score .*)$", README, flags=re.M)
    run = ClickRunner().invoke(inspect, shlex.split(command))
    assert run.exit_code == 0, run.output
    kept, added = read_eval_log(str(tmp_path / "LOG.json")).results.scores
    assert kept.name == "match"
    expected = load("cer").compute(predictions=LOGGED, references=EXPECTED, unit="jamo")
    assert added.name == "cer" and added.metrics["cer"].value == expected["cer"]


@pytest.mark.filterwarnings("ignore::Warning")
def test_lm_eval_with_several_references(harness, tmp_path):
    """The task by rows takes a list; a metric in `metric_list` makes the harness fail, as the README says."""
    answers = [[answer, f"{answer} 그래"] for answer in ANSWERS]
    lines = [json.dumps({"question": str(row), "answer": answer}) for row, answer in enumerate(answers)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), "utf-8")
    found = harness(OUTPUTS)["results"]["korean_answers"]
    for name in ("chrf", "ter", "cer", "wer"):
        assert found[f"{name},none"] == load(name).compute(predictions=OUTPUTS, references=answers)[name]
    (yaml,) = re.findall(r"```yaml\n(.*?)```", README, flags=re.S)
    task = (TASK / "korean_answers.yaml").read_text("utf-8").partition("process_results")[0]
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks/task.yaml").write_text(task + yaml, "utf-8")
    with pytest.raises(KeyError, match=re.escape("./metrics/wer.py")):
        harness(OUTPUTS, tmp_path / "tasks")
    assert "`KeyError: './metrics/wer.py'`" in README


def test_rows_are_what_inspect_ai_s_metric_adds_up(inspect_ai):
    from inspect_ai.scorer import SampleScore, Score

    from textgauge.programs.harness.inspect_scorers import corpus_score

    with pytest.raises(ValueError, match="only textgauge's scorers return"):
        corpus_score()([SampleScore(score=Score(value=1), sample_id=1)])


def test_lighteval_s_metric(monkeypatch):
    """The README's class, beside stand-ins of lighteval's, whose tasks download files when they are imported."""
    item = SimpleNamespace
    for name in ("metrics_corpus", "sample_preparator", "utils.metric_utils"):
        module = item(CorpusLevelComputation=object, GenerativePreparator=item, CorpusLevelMetric=item)
        monkeypatch.setitem(sys.modules, f"lighteval.metrics.{name}", module)
    monkeypatch.setitem(sys.modules, "lighteval.tasks.requests", item(SamplingMethod=item(GENERATIVE="generative")))
    cer = run_block("CorpusLevelMetric")["cer"]
    items = [item(preds=[text], golds=[gold, "다른 답"]) for text, gold in zip(OUTPUTS, ANSWERS, strict=True)]
    expected = load("cer").compute(predictions=OUTPUTS, references=[[gold, "다른 답"] for gold in ANSWERS])["cer"]
    assert cer.corpus_level_fn.compute_corpus(items) == expected and not cer.higher_is_better
