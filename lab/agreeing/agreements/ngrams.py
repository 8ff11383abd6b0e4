"""chrF, TER, NIST and CIDEr."""

from hypothesis import strategies as st

from lab.peers import ngrams

from ..agreement import Agreement
from ..inputs import EITHER_FORM

_CHRF_OPTIONS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3, 0.5]),
        "whitespace": st.booleans(),
        "lowercase": st.booleans(),
        "eps_smoothing": st.booleans(),
        "normalization": EITHER_FORM,
        "per_segment": st.just(True),
    }
)
_TER_OPTIONS = st.fixed_dictionaries(
    {**dict.fromkeys(ngrams.TER_FLAGS, st.booleans()), "normalization": EITHER_FORM, "per_segment": st.just(True)}
).map(lambda o: {**o, "asian_support": o["asian_support"] and (o["normalized"] or o["no_punct"])})  # else it is refused
_SLOW_SHIFTS = {"long texts": 8}  # a second each
AGREEMENTS = [
    Agreement(ngrams.CHRF, "sacreBLEU", "all options, corpus and segments", _CHRF_OPTIONS),
    Agreement(
        ngrams.TORCHMETRICS_CHRF,
        "torchmetrics",
        "`chrf_score`, `eps_smoothing=True`; orders, beta, lower case, blanks",
        _CHRF_OPTIONS.map(lambda o: {**o, "eps_smoothing": True, "per_segment": False}),
    ),
    Agreement(
        ngrams.NLTK_CHRF,
        "nltk",
        "`corpus_chrf`, `eps_smoothing=True`; orders of characters, beta",
        st.fixed_dictionaries(
            {
                "char_order": st.integers(1, 6),
                "beta": st.sampled_from([1, 2, 3]),
                "eps_smoothing": st.just(True),
                "normalization": EITHER_FORM,
            }
        ),
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
        st.fixed_dictionaries(
            {
                "sigma": st.floats(0.5, 20),
                "tokenizer": st.just("whitespace"),
                "normalization": EITHER_FORM,
                "per_segment": st.just(True),
            }
        ),
    ),
]
