"""BLEU and what is made of it."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from lab.peers import bleu, hugging_face
from lab.peers.peer import Columns

from ..agreement import Agreement, of_texts
from ..inputs import EITHER_FORM, Segment

_SMOOTHING = st.sampled_from(
    [("none", None), ("exp", None), ("floor", None), ("floor", 0.3), ("add-k", None), ("add-k", 2.5)]
)
_HF_OPTIONS = st.fixed_dictionaries({"smooth": st.booleans(), "max_order": st.integers(1, 5)})


def _options(*tokenizers: str) -> st.SearchStrategy:
    """Returns options of our BLEU that sacreBLEU has too."""
    drawn = {
        "tokenizer": st.sampled_from(tokenizers),
        "smooth": _SMOOTHING,
        "effective_order": st.booleans(),
        "lowercase": st.booleans(),
        "max_order": st.integers(1, 5),
        "normalization": EITHER_FORM,
    }

    def flat(options: dict[str, Any]) -> dict[str, Any]:
        smooth, value = options["smooth"]
        return {**options, "smooth": smooth, "smooth_value": value}

    return st.fixed_dictionaries(drawn).map(flat)


def _with_sources(segments: Iterable[Segment]) -> Columns:
    segments = list(segments)
    return {**of_texts(segments), "sources": [segment.source for segment in segments]}


def _with_weights_of_one(segments: Iterable[Segment]) -> Columns:
    columns = of_texts(segments)
    return {**columns, "reference_weights": [[1.0] * len(row) for row in columns["references"]]}


def _weights(numbers: list[int]) -> dict[str, Any]:
    weights = [number / sum(numbers) for number in numbers]
    return {"tokenizer": "whitespace", "max_order": len(weights), "order_weights": weights, "normalization": None}


def _with_length(options: dict[str, Any], ref_length: str) -> dict[str, Any]:
    return {**options, "ref_length": ref_length, "normalization": None}


def _with_order_and_length(order: int, ref_length: str) -> dict[str, Any]:
    return {"tokenizer": "whitespace", "max_order": order, "ref_length": ref_length, "normalization": None}


_EVERY = _options("13a", "whitespace", "char")
_AS_HUGGING_FACE = {"ref_length": "shortest", "tokenizer": "whitespace", "normalization": None}
_WORDS_OF_ANY_ORDER = {"tokenizer": st.just("whitespace"), "max_order": st.integers(1, 5), "normalization": st.none()}
_OPTIONS_OF_TORCHMETRICS = {
    "tokenizer": st.sampled_from(["13a", "whitespace", "char"]),
    "max_order": st.integers(1, 5),
    "lowercase": st.booleans(),
    "normalization": st.none(),
}
AGREEMENTS = [
    Agreement(
        bleu.SACREBLEU,
        "sacreBLEU",
        "tokenizers 13a, none and char; every smoothing; effective order; lower case; orders 1 to 5",
        _EVERY,
    ),
    Agreement(
        bleu.MECAB, "sacreBLEU ko-mecab", '`tokenizer="mecab"`, all other options of sacreBLEU', _options("mecab")
    ),
    Agreement(
        bleu.NLTK,
        "nltk",
        "`corpus_bleu`, words between blanks, any weights of orders 1 to 5",
        st.lists(st.integers(0, 40), min_size=1, max_size=5).filter(any).map(_weights),
    ),
    Agreement(
        hugging_face.BLEU_ANEW,
        "Hugging Face",
        '`ref_length="shortest"`, with and without `smooth`, orders 1 to 5',
        _HF_OPTIONS.map(lambda options: {**options, **_AS_HUGGING_FACE}),
    ),
    Agreement(
        bleu.BLEUSCORE,
        "bleuscore",
        "with and without `smooth`, orders 1 to 5, shortest and closest reference",
        st.builds(_with_length, _HF_OPTIONS, st.sampled_from(["shortest", "closest"])),
    ),
    Agreement(
        bleu.TORCHMETRICS,
        "torchmetrics BLEU",
        "`bleu_score`, words between blanks, orders 1 to 5",
        st.fixed_dictionaries(_WORDS_OF_ANY_ORDER),
    ),
    Agreement(
        bleu.TORCHMETRICS_SACREBLEU,
        "torchmetrics sacreBLEU",
        "`sacre_bleu_score`, tokenizers 13a, none and char, lower case, orders 1 to 5",
        st.fixed_dictionaries(_OPTIONS_OF_TORCHMETRICS),
    ),
    Agreement(
        bleu.PYCOCOEVALCAP,
        "pycocoevalcap BLEU",
        "words between blanks, orders 1 to 4, closest and shortest reference",
        st.builds(_with_order_and_length, st.integers(1, 4), st.sampled_from(["closest", "shortest"])),
    ),
    Agreement(
        bleu.IBLEU,
        "sacreBLEU, twice",
        "any alpha; tokenizers 13a, none and char; every smoothing; effective order; lower case; orders 1 to 5",
        st.builds(lambda options, alpha: {**options, "alpha": alpha}, _EVERY, st.floats(0, 1)),
        _with_sources,
    ),
    Agreement(bleu.DELTA_BLEU, "sacreBLEU", "all weights 1, all options of sacreBLEU", _EVERY, _with_weights_of_one),
    Agreement(bleu.WEIGHTED_BLEU, "sacreBLEU", "no weights, all options of sacreBLEU", _EVERY),
]
