"""chrF, TER, NIST and CIDEr."""

from typing import Any

from hypothesis import strategies as st

from lab.peers import ngrams

from ..agreement import Agreement
from ..inputs import EITHER_FORM

_OPTIONS_OF_CHRF = {
    "char_order": st.integers(1, 7),
    "word_order": st.integers(0, 3),
    "beta": st.sampled_from([0, 1, 2, 3, 0.5]),
    "whitespace": st.booleans(),
    "lowercase": st.booleans(),
    "eps_smoothing": st.booleans(),
    "normalization": EITHER_FORM,
    "per_segment": st.just(True),
}
_OPTIONS_OF_TER = {
    **dict.fromkeys(ngrams.TER_FLAGS, st.booleans()),
    "normalization": EITHER_FORM,
    "per_segment": st.just(True),
}
_OPTIONS_OF_NLTK_CHRF = {
    "char_order": st.integers(1, 6),
    "beta": st.sampled_from([1, 2, 3]),
    "eps_smoothing": st.just(True),
    "normalization": EITHER_FORM,
}
_OPTIONS_OF_CIDER = {
    "sigma": st.floats(0.5, 20),
    "tokenizer": st.just("whitespace"),
    "normalization": EITHER_FORM,
    "per_segment": st.just(True),
}


def _that_go_together(options: dict[str, Any]) -> dict[str, Any]:
    """Returns options of TER without asian_support where it would be refused."""
    has_rules = options["normalized"] or options["no_punct"]
    return {**options, "asian_support": options["asian_support"] and has_rules}


_CHRF_OPTIONS = st.fixed_dictionaries(_OPTIONS_OF_CHRF)
_TER_OPTIONS = st.fixed_dictionaries(_OPTIONS_OF_TER).map(_that_go_together)
_SLOW_SHIFTS = {"long texts": 8}  # a second each
AGREEMENTS = [
    Agreement(ngrams.CHRF, "sacreBLEU", "all options, corpus and segments", _CHRF_OPTIONS),
    Agreement(
        ngrams.TORCHMETRICS_CHRF,
        "torchmetrics",
        "`chrf_score`, `eps_smoothing=True`; orders, beta, lower case, blanks",
        _CHRF_OPTIONS.map(lambda options: {**options, "eps_smoothing": True, "per_segment": False}),
    ),
    Agreement(
        ngrams.NLTK_CHRF,
        "nltk",
        "`corpus_chrf`, `eps_smoothing=True`; orders of characters, beta",
        st.fixed_dictionaries(_OPTIONS_OF_NLTK_CHRF),
    ),
    Agreement(ngrams.TER, "sacreBLEU", "all options, corpus and segments", _TER_OPTIONS, slow=_SLOW_SHIFTS),
    Agreement(
        ngrams.PYTER,
        "pyter3",
        "one pair, words between blanks",
        st.just({"case_sensitive": True, "per_segment": True, "normalization": None}),
        slow=_SLOW_SHIFTS,
    ),
    Agreement(
        ngrams.NLTK_NIST,
        "nltk",
        "`corpus_nist`, words between blanks, orders 1 to 5",
        st.fixed_dictionaries({"n": st.integers(1, 5), "tokenizer": st.just("whitespace"), "normalization": st.none()}),
    ),
    Agreement(
        ngrams.CIDER,
        "pycocoevalcap",
        "CIDEr-D, words between blanks, any sigma, corpus and segments",
        st.fixed_dictionaries(_OPTIONS_OF_CIDER),
    ),
]
