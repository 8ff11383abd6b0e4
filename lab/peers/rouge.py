"""ROUGE: rouge_score and its versions in Rust, torchmetrics, rouge-metric's port of ROUGE-1.5.5, pycocoevalcap."""

from collections.abc import Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any

from .peer import UNICODE_FORMS, Case, Difference, Peer, Values, has_several_references, module

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_PARTS = {"_precision": "precision", "_recall": "recall", "": "fmeasure"}  # our key of a segment's value: rouge_score's
# "s4" of rouge-metric is a skip-bigram with up to four words between
TYPES_OF_PERL = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rougeLsum": "rouge-l", "rougeS4": "rouge-s4"}


def _values(scores: Iterable[Any], is_detailed: bool) -> Values:
    """Returns F of each type and segment, with precision and recall where they are asked for."""
    scores = list(scores)
    parts = _PARTS if is_detailed else {"": "fmeasure"}
    values = {}
    for name in TYPES:
        for ours, part in parts.items():
            values[f"{name}{ours}_segments"] = [getattr(score[name], part) for score in scores]
    return values


def _rouge_score_of(rouge_scorer: Any, options: dict[str, Any]) -> Any:
    words = SimpleNamespace(tokenize=str.split) if options.get("tokenizer") == "whitespace" else None
    return rouge_scorer.RougeScorer(list(TYPES), use_stemmer=options["use_stemmer"], tokenizer=words)


def _rouge_score(rouge_scorer: Any, case: Case) -> Values:
    scorer = _rouge_score_of(rouge_scorer, case.options)
    return _values(map(scorer.score, *case.sides()), case.options["detailed"])


def _score_multi(rouge_scorer: Any, case: Case) -> Values:
    scorer = _rouge_score_of(rouge_scorer, case.options)
    return _values((scorer.score_multi(references, prediction) for prediction, references in case.pairs()), False)


def _rouge_score_rs(rouge_score_rs: Any, case: Case, tokenizer: str | None = None) -> Values:
    words = getattr(rouge_score_rs.tokenizers, tokenizer)() if tokenizer else None
    scorer = rouge_score_rs.RougeScorer(list(TYPES), use_stemmer=case.options["use_stemmer"], tokenizer=words)
    return _values(scorer.score_batch(*case.sides()), case.options["detailed"])


def _rouge_rust(fast_rouge: Any, case: Case) -> Values:
    found = fast_rouge.score_batch_flat(*case.sides())
    return {f"{name}_segments": getattr(found, f"{name}_fmeasure") for name in TYPES[:3]}


def _torchmetrics(text: Any, case: Case) -> Values:
    """Takes its means; its ROUGE-Lsum wants a download of nltk."""
    options = {"use_stemmer": case.options["use_stemmer"], "rouge_keys": TYPES[:3]}
    found = text.rouge_score(case.columns["predictions"], case.columns["references"], **options)
    return {name: float(found[f"{name}_fmeasure"]) for name in TYPES[:3]}


def _rouge_metric(rouge_metric: Any, case: Case) -> Values:
    """Takes tokens, one line a sentence, references averaged as `-f A` does."""
    scorer = rouge_metric.PyRouge(rouge_n=(1, 2), rouge_l=True, rouge_s=True, skip_gap=4)
    values: Values = {f"{key}{part}_segments": [] for key in TYPES_OF_PERL for part in _PARTS}
    for prediction, references in case.pairs():
        found = scorer.evaluate_tokenized([_lines(prediction)], [list(map(_lines, references))])
        for ours, name in TYPES_OF_PERL.items():
            for part, key in zip(_PARTS, "prf", strict=True):
                values[f"{ours}{part}_segments"].append(found[name][key])
    return values


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n")]


def _pycocoevalcap(rouge: Any, case: Case) -> Values:
    """Takes the ROUGE-L of image captions, with beta 1.2."""
    return {"rougeL_segments": [rouge.Rouge().calc_score([prediction], row) for prediction, row in case.pairs()]}


def _is_not_ascii(case: Case) -> bool:
    is_unicode = case.options.get("tokenizer", "unicode") == "unicode"
    return is_unicode and not all(map(str.isascii, case.texts()))


def _is_split_otherwise(case: Case) -> bool:
    return any(text.split() != text.split(" ") for text in case.texts())


ROUGE_SCORE = Peer(
    "rouge",
    "rouge_score",
    "rouge-score",
    module("rouge_score.rouge_scorer"),
    _rouge_score,
    timed=("rouge", "rouge whitespace", "rouge stemmer"),
    differences=(Difference("it drops all letters that are not of ASCII", _is_not_ascii),),
    one_reference=True,
)
SCORE_MULTI = ROUGE_SCORE._replace(call=_score_multi, timed=(), one_reference=False)
ROUGE_SCORE_RS = Peer(
    "rouge",
    "rouge-score-rs",
    "rouge-score-rs",
    module("rouge_score_rs"),
    _rouge_score_rs,
    timed=("rouge", "rouge stemmer"),
)
ROUGE_SCORE_RS_UNICODE = ROUGE_SCORE_RS._replace(
    call=partial(_rouge_score_rs, tokenizer="UnicodeTokenizer"),
    timed=("rouge unicode",),
    differences=(Difference("its words are those of UAX 29, with 3.5 and don't as one word", _is_not_ascii),),
)
ROUGE_RUST = Peer("rouge", "rouge-rust", "rouge-rust", module("fast_rouge"), _rouge_rust, timed=("rouge 1, 2, L",))
TORCHMETRICS = Peer(
    "rouge", "torchmetrics", "torchmetrics", module("torchmetrics.functional.text"), _torchmetrics, tolerance=1e-6
)
ROUGE_METRIC = Peer(
    "rouge", "rouge-metric", "rouge-metric", module("rouge_metric"), _rouge_metric, differences=(UNICODE_FORMS,)
)
PYCOCOEVALCAP = Peer(
    "rouge",
    "pycocoevalcap",
    "pycocoevalcap",
    module("pycocoevalcap.rouge.rouge"),
    _pycocoevalcap,
    differences=(
        UNICODE_FORMS,
        Difference(
            "it takes the best P and the best R of several references, though not of the same one",
            has_several_references,
        ),
        Difference("only single blanks separate its words, and an empty text is one word", _is_split_otherwise),
    ),
)
