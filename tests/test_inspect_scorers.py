"""The scorers of inspect_ai, beside stand-ins of its names: each gives and refuses what the metric itself does.

`test_clients.py` has them run in inspect_ai, where it is installed.
"""

import asyncio
import importlib
import math
import sys
from types import ModuleType, SimpleNamespace

import pytest
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st
from option_values import Corpus
from test_outer_metrics import answer_of, option_sets

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens"),
    pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order"),
    pytest.mark.filterwarnings("ignore:weights. .* is in no text"),
]

CORPUS = Corpus(2, longest=6)
COLUMNS = {"predictions": CORPUS.predictions, "references": CORPUS.references}
SAMPLES = [row // 2 for row in range(len(CORPUS.predictions))]  # with two epochs each
MODULE = "textgauge.programs.harness.inspect_scorers"


def stand_ins():
    """Returns modules with the names of inspect_ai that ours takes; decorators leave a function as it is."""
    scorer, solver = ModuleType("inspect_ai.scorer"), ModuleType("inspect_ai.solver")
    for name in ("Metric", "Scorer", "Target"):
        setattr(scorer, name, object)
    scorer.Score = scorer.SampleScore = SimpleNamespace
    scorer.metric = scorer.scorer = lambda **_: lambda function: function
    solver.TaskState = object
    return {"inspect_ai": ModuleType("inspect_ai"), scorer.__name__: scorer, solver.__name__: solver}


@pytest.fixture(scope="module")
def scorers():
    """Returns our module beside the stand-ins, and forgets it afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in stand_ins().items():
            patch.setitem(sys.modules, name, module)
        patch.delitem(sys.modules, MODULE, raising=False)
        yield importlib.import_module(MODULE)
        del sys.modules[MODULE]


def scores_of(scorers, name, options):
    """Returns what the scorer gives each answer."""
    score = scorers.SCORERS[name](**options)
    pairs = zip(*COLUMNS.values(), strict=True)
    states = [(SimpleNamespace(output=SimpleNamespace(completion=text)), others) for text, others in pairs]
    return [asyncio.run(score(state, others)) for state, others in states]


def corpus_score_of(scorers, scores):
    samples = [SimpleNamespace(score=score, sample_id=sample) for score, sample in zip(scores, SAMPLES, strict=True)]
    return scorers.corpus_score()(samples)


def numbers_of(result):
    """Returns the finite numbers of a result, and the ends of its intervals."""
    found = {}
    for key, value in result.items():
        if key.endswith("confidence_interval"):
            prefix = key.removesuffix("confidence_interval")
            found |= {f"{prefix}low": value[0], f"{prefix}high": value[1]}
        elif isinstance(value, (int, float)):
            found[key] = value
    return {key: value for key, value in found.items() if math.isfinite(value)}


def check_scorer(scorers, name, options):
    """Asserts that single answers and the corpus have the scores of the metric, or its message."""
    metric = load(name)
    inner = answer_of(metric.compute, **COLUMNS, **options, confidence=0.95, clusters=list(map(str, SAMPLES)))
    scores = answer_of(scores_of, scorers, name, options)
    if isinstance(inner, str) or isinstance(scores, str):
        learns = (
            isinstance(inner, dict) and metric.corpus_option(**options) is not None
        )  # as one answer teaches nothing
        assert "pass the table" in scores if learns else scores == inner, options
        return

    expected = numbers_of(inner)
    expected.pop("unused_count", None)  # of phrases that no text has: rows do not say which
    assert corpus_score_of(scorers, scores) == pytest.approx(expected, rel=1e-12), options
    headline = next(iter(inner))
    for text, others, score in list(zip(*COLUMNS.values(), scores, strict=True))[:3]:
        alone = metric.compute(predictions=[text], references=[others], **options)
        assert score.value == pytest.approx(alone[headline], nan_ok=True), options


NAMES = ("bleu", "weighted_bleu", "rouge", "meteor", "cer", "wer", "hyter", "chrf", "ter")


def test_which_metrics_have_scorers(scorers):
    assert set(scorers.SCORERS) == set(NAMES)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "hyter"])  # whose references are networks
def test_scorers_give_what_the_metric_gives(name, scorers):
    """For pairs of options, drawn from all."""

    @examples(0.15)
    @given(st.sampled_from(option_sets(name)))
    def check(options):
        check_scorer(scorers, name, options)

    check()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cer", {"aggregate": "mean"}),
        ("bleu", {"max_order": 2}),
        ("chrf", {"beta": 1}),
        ("rouge", {"use_stemmer": True}),
    ],
)
def test_options_that_only_scores_take(name, options, scorers):
    """What a row says of a corpus depends on them too."""
    check_scorer(scorers, name, options)


def test_one_answer_is_a_corpus(scorers):
    score = scores_of(scorers, "wer", {})[0]
    sample = SimpleNamespace(score=score, sample_id=SAMPLES[0])
    assert scorers.corpus_score()([sample])["wer"] == score.value


def test_rows_of_others_are_no_corpus(scorers):
    with pytest.raises(ValueError, match="only textgauge's scorers return"):
        corpus_score_of(scorers, [SimpleNamespace(value=1, metadata=None)] * len(SAMPLES))
