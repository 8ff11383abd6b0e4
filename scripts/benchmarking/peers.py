"""The other implementations of BLEU, called as their users call them, and a metric that does nothing.

Each peer is loaded on demand, so that one that is not installed only leaves a line in the report.
"""

import functools
import itertools
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from typing import NamedTuple

# a benchmark measures what is here: evaluate.load("bleu") may look into its cache, but not at the Hub
os.environ.setdefault("HF_EVALUATE_OFFLINE", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import datasets  # noqa: E402
import evaluate  # noqa: E402

from .corpus import Corpus  # noqa: E402

METRICS = Path(__file__).parents[2] / "metrics"
Run = Callable[[Corpus], float]  # scores a corpus: a BLEU in [0, 1]


class Peer(NamedTuple):
    """Another implementation, and in what it may differ from ours."""

    load: Callable[[str, Path | None], Run]  # (tokenizer, folder of Hugging Face's metrics) -> what to time
    tokenizers: tuple[str, ...] = ("13a", "whitespace")
    ref_length: str = "closest"  # our option that gives the same brevity penalty with several references
    tolerance: float = 1e-9  # largest difference of two equal scores
    differs: str = ""  # how it computes something else than ours,
    differs_for: Callable[[Corpus], bool] = lambda corpus: False  # and for which texts


class Unavailable(Exception):
    """A peer or a comparison cannot be had here; the message says why."""


class DoNothing(evaluate.Metric):
    """The floor: what passing texts through `evaluate` costs before any metric starts."""

    def _info(self):
        text = datasets.Value("string", id="sequence")
        features = datasets.Features(
            {"predictions": text, "references": datasets.Sequence(text, id="references")},
        )
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"nothing": math.nan}


def ours(name: str = "bleu", **options: Any) -> Run:
    """Returns our metric as `evaluate.load` gives it."""
    metric = evaluate.load(str(METRICS / f"{name}.py"))
    return lambda corpus: metric.compute(**corpus._asdict(), **options)["bleu"]


def ours_added(**options: Any) -> Run:
    """Returns our bleu with all segments added first, which takes evaluate's way through an Arrow file."""
    metric = evaluate.load(str(METRICS / "bleu.py"))

    def run(corpus: Corpus) -> float:
        metric.add_batch(**corpus._asdict())
        return metric.compute(**options)["bleu"]

    return run


def floor() -> Run:
    """Returns the metric that does nothing; its score is nan."""
    metric = DoNothing()
    return lambda corpus: metric.compute(**corpus._asdict())["nothing"]


def load_peer(name: str, tokenizer: str, hf_metrics: Path | None) -> Run:
    """Returns a peer ready to run.

    Raises:
        Unavailable: it is not installed, or has no such tokenizer.
    """
    if tokenizer not in PEERS[name].tokenizers:
        raise Unavailable(f"{name} has no tokenizer {tokenizer}")
    try:
        return PEERS[name].load(tokenizer, hf_metrics)
    except ImportError as error:
        raise Unavailable(f"{name}: pip install {error.name or name}") from None


def _hugging_face(tokenizer: str, hf_metrics: Path | None) -> Run:
    try:
        metric = evaluate.load(str(hf_metrics / "bleu" / "bleu.py") if hf_metrics else "bleu")
    except FileNotFoundError:
        raise Unavailable(
            'HF bleu: not in the cache; run evaluate.load("bleu") once online, or pass --hf-metrics DIR with '
            "DIR/bleu/bleu.py"
        ) from None
    options = {"tokenizer": str.split} if tokenizer == "whitespace" else {}
    return lambda corpus: metric.compute(**corpus._asdict(), **options)["bleu"]


def _sacrebleu(tokenizer: str, _: Path | None) -> Run:
    import sacrebleu

    options = {"tokenize": {"whitespace": "none"}.get(tokenizer, tokenizer), "smooth_method": "none", "force": True}

    def run(corpus: Corpus) -> float:
        return sacrebleu.corpus_bleu(corpus.predictions, transposed(corpus.references), **options).score / 100

    return run


def sacrebleu_interval(resamples: int) -> Run:
    """Returns sacreBLEU's BLEU with a bootstrap."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise Unavailable("sacrebleu: pip install sacrebleu") from None
    metric = BLEU(smooth_method="none")

    def run(corpus: Corpus) -> float:
        return metric.corpus_score(corpus.predictions, transposed(corpus.references), n_bootstrap=resamples).score / 100

    return run


def _nltk(_: str, __: Path | None) -> Run:
    from nltk.translate.bleu_score import corpus_bleu

    def run(corpus: Corpus) -> float:
        references = [[text.split() for text in row] for row in corpus.references]
        return corpus_bleu(references, [text.split() for text in corpus.predictions])

    return run


def _bleuscore(_: str, __: Path | None) -> Run:
    import bleuscore

    return lambda corpus: bleuscore.compute(**corpus._asdict(), max_order=4, smooth=False)["bleu"]


def _torchmetrics(tokenizer: str, _: Path | None) -> Run:
    from torchmetrics.functional.text import bleu_score
    from torchmetrics.functional.text import sacre_bleu_score

    function = bleu_score if tokenizer == "whitespace" else functools.partial(sacre_bleu_score, tokenize=tokenizer)
    return lambda corpus: float(function(corpus.predictions, corpus.references))


def transposed(references: list[list[str]]) -> list[tuple[str | None, ...]]:
    """Returns one list per set of references, as sacreBLEU wants it; None where a segment has fewer."""
    return list(itertools.zip_longest(*references))


PEERS = {
    "HF bleu": Peer(_hugging_face, ref_length="shortest"),
    "sacrebleu": Peer(_sacrebleu, ("13a", "whitespace", "char")),
    "nltk": Peer(
        _nltk,
        ("whitespace",),
        differs="it counts one 4-gram in a prediction too short to have any",
        differs_for=lambda corpus: any(len(text.split()) < 4 for text in corpus.predictions),
    ),
    "bleuscore": Peer(_bleuscore, ("13a",), ref_length="shortest"),
    "torchmetrics": Peer(
        _torchmetrics,
        tolerance=1e-6,  # it computes in float32
        differs="of two references equally close it takes the first, not the shorter",
        differs_for=lambda corpus: any(len(row) > 1 for row in corpus.references),
    ),
}
