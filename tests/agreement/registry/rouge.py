"""ROUGE: rouge_score, torchmetrics, rouge-metric's port of ROUGE-1.5.5, pycocoevalcap's ROUGE-L."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from .agreements import EITHER_FORM, UNICODE_FORMS, Agreement, Case, Difference, Values

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
PARTS = {"_precision": "precision", "_recall": "recall", "": "fmeasure"}  # our key of a segment's value: rouge_score's
# "s4" of rouge-metric is a skip-bigram with up to four words between
TYPES_OF_PERL = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rougeLsum": "rouge-l", "rougeS4": "rouge-s4"}


def options_of(**fixed: Any) -> st.SearchStrategy:
    """Returns fixed options, with each score of each segment."""
    return st.just({"detailed": True, "per_segment": True, **fixed})


def load_rouge_score() -> Callable[[Case], Values]:
    """Returns precision, recall and F of each segment with its first reference."""
    from rouge_score.rouge_scorer import RougeScorer

    def theirs(case: Case) -> Values:
        scorer = RougeScorer(list(TYPES), use_stemmer=case.options["use_stemmer"])
        found = [scorer.score(references[0], prediction) for prediction, references in case.pairs()]
        return {
            f"{name}{ours}_segments": [getattr(score[name], part) for score in found]
            for name in TYPES
            for ours, part in PARTS.items()
        }

    return theirs


def load_score_multi() -> Callable[[Case], Values]:
    """Returns the F of each segment with the best of its references."""
    from rouge_score.rouge_scorer import RougeScorer

    def theirs(case: Case) -> Values:
        scorer = RougeScorer(list(TYPES), use_stemmer=case.options["use_stemmer"])
        found = [scorer.score_multi(references, prediction) for prediction, references in case.pairs()]
        return {f"{name}_segments": [score[name].fmeasure for score in found] for name in TYPES}

    return theirs


def load_torchmetrics() -> Callable[[Case], Values]:
    """Returns torchmetrics' means; its ROUGE-Lsum wants a download of nltk."""
    from torchmetrics.functional.text import rouge_score

    def theirs(case: Case) -> Values:
        options = {"use_stemmer": case.options["use_stemmer"], "rouge_keys": TYPES[:3]}
        found = rouge_score(case.columns["predictions"], case.columns["references"], **options)
        return {name: float(found[f"{name}_fmeasure"]) for name in TYPES[:3]}

    return theirs


def load_rouge_metric() -> Callable[[Case], Values]:
    """Returns the port of ROUGE-1.5.5 that takes tokens, one line a sentence, references averaged as `-f A` does."""
    from rouge_metric import PyRouge

    def theirs(case: Case) -> Values:
        scorer = PyRouge(rouge_n=(1, 2), rouge_l=True, rouge_s=True, skip_gap=4)
        values: Values = {f"{key}{part}_segments": [] for key in TYPES_OF_PERL for part in PARTS}
        for prediction, references in case.pairs():
            found = scorer.evaluate_tokenized([_lines(prediction)], [list(map(_lines, references))])
            for ours, name in TYPES_OF_PERL.items():
                for part, key in zip(PARTS, "prf", strict=True):
                    values[f"{ours}{part}_segments"].append(found[name][key])
        return values

    return theirs


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n")]


def load_pycocoevalcap() -> Callable[[Case], Values]:
    """Returns the ROUGE-L of image captions, with beta 1.2."""
    from pycocoevalcap.rouge.rouge import Rouge

    def theirs(case: Case) -> Values:
        return {"rougeL_segments": [Rouge().calc_score([prediction], row) for prediction, row in case.pairs()]}

    return theirs


def _is_not_ascii(case: Case) -> bool:
    return not all(text.isascii() for text in case.texts())


def _has_several_references(case: Case) -> bool:
    return any(len(row) > 1 for row in case.columns["references"])


def _is_split_otherwise(case: Case) -> bool:
    return any(text.split() != text.split(" ") for text in case.texts())


ONLY_ASCII = Difference("it drops all letters that are not of ASCII", _is_not_ascii)

AGREEMENTS = [
    Agreement(
        "rouge",
        "rouge_score",
        "rouge-score",
        "ROUGE-1, -2, -L and -Lsum: P, R and F of each segment; with and without the stemmer",
        load_rouge_score,
        st.builds(lambda options, stem: {**options, "use_stemmer": stem}, options_of(), st.booleans()),
        (ONLY_ASCII,),
        one_reference=True,
    ),
    Agreement(
        "rouge",
        "rouge_score, its tokenizer",
        "rouge-score",
        'the same with `tokenizer="rouge_score"` and `normalization=None`: any text',
        load_rouge_score,
        st.builds(
            lambda options, stem: {**options, "use_stemmer": stem},
            options_of(tokenizer="rouge_score", normalization=None),
            st.booleans(),
        ),
        one_reference=True,
    ),
    Agreement(
        "rouge",
        "rouge_score, score_multi",
        "rouge-score",
        'F with the best reference, `tokenizer="rouge_score"`',
        load_score_multi,
        st.builds(
            lambda options, stem: {**options, "use_stemmer": stem},
            options_of(tokenizer="rouge_score", normalization=None),
            st.booleans(),
        ),
    ),
    Agreement(
        "rouge",
        "torchmetrics",
        "torchmetrics",
        'ROUGE-1, -2 and -L, the best reference; `tokenizer="rouge_score"`',
        load_torchmetrics,
        st.booleans().map(lambda stem: {"tokenizer": "rouge_score", "normalization": None, "use_stemmer": stem}),
        tolerance=1e-6,
    ),
    Agreement(
        "rouge",
        "rouge-metric",
        "rouge-metric",
        'a port of ROUGE-1.5.5: ROUGE-1, -2, -Lsum and -S4; `multi_ref="average"`',
        load_rouge_metric,
        EITHER_FORM.map(
            lambda form: {
                "tokenizer": "whitespace",
                "lowercase": False,
                "normalization": form,
                "multi_ref": "average",
                "rouge_types": list(TYPES_OF_PERL),
                "detailed": True,
                "per_segment": True,
            }
        ),
        (UNICODE_FORMS,),
    ),
    Agreement(
        "rouge",
        "pycocoevalcap ROUGE-L",
        "pycocoevalcap",
        "ROUGE-L of each segment, `beta=1.2`",
        load_pycocoevalcap,
        EITHER_FORM.map(
            lambda form: {
                "tokenizer": "whitespace",
                "lowercase": False,
                "normalization": form,
                "beta": 1.2,
                "rouge_types": ["rougeL"],
                "per_segment": True,
            }
        ),
        (
            UNICODE_FORMS,
            Difference("it takes the best P and the best R of several references, though not of the same one",
                       _has_several_references),
            Difference("only single blanks separate its words, and an empty text is one word", _is_split_otherwise),
        ),
    ),
]  # fmt: skip
