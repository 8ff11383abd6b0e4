"""CER, WER and HyTER."""

from typing import Any

from hypothesis import strategies as st

from lab.peers import error_rates as peers

from ..agreement import Agreement
from ..inputs import EITHER_FORM


def _with_form(**options: Any) -> st.SearchStrategy:
    """Returns these options, with our Unicode form and without."""
    return EITHER_FORM.map(lambda form: {**options, "normalization": form})


_AS_JIWER = _with_form(preset="jiwer")
AGREEMENTS = [
    Agreement(
        peers.JIWER_CER,
        "jiwer",
        '`preset="jiwer"`: rate, kinds of edits, alignments',
        _with_form(preset="jiwer", detailed=True, alignments="pieces"),
    ),
    Agreement(peers.NLPTUTTI_CER, "nlptutti", '`preset="nlptutti"`', _with_form(preset="nlptutti")),
    Agreement(peers.KALDIALIGN_CER, "kaldialign", '`preset="jiwer"`: rate, number of edits and length', _AS_JIWER),
    Agreement(peers.RAPIDFUZZ_CER, "rapidfuzz", '`preset="jiwer"`: rate, number of edits and length', _AS_JIWER),
    Agreement(peers.TORCHMETRICS_CER, "torchmetrics", '`char_error_rate`, `preset="jiwer"`', _AS_JIWER),
    Agreement(
        peers.JIWER_WER,
        "jiwer",
        "WER, MER, WIL, WIP; kinds of edits, alignments",
        _with_form(detailed=True, alignments="pieces"),
    ),
    Agreement(
        peers.NLPTUTTI_WER,
        "nlptutti",
        '`rm_punctuation=False`, `rate_mode="standard"`: rate',
        _with_form(detailed=True),
    ),
    Agreement(peers.KALDIALIGN_WER, "kaldialign", "rate, number of edits and length", _with_form()),
    Agreement(peers.NLPTUTTI_WER, "nlptutti, punctuation", '`preset="nlptutti"`: rate', _with_form(preset="nlptutti")),
    Agreement(
        peers.KALDIALIGN_WER,
        "kaldialign, compounds",
        '`compounds="merge"`: rate, number of edits and length',
        _with_form(compounds="merge"),
    ),
    Agreement(peers.RAPIDFUZZ_WER, "rapidfuzz", "rate, number of edits and length", _with_form()),
    Agreement(peers.TORCHMETRICS_WER, "torchmetrics", "`word_error_rate`", _with_form()),
    Agreement(peers.JIWER_HYTER, "jiwer", "plain sentences, `window=1`: the word error rate", _with_form()),
    Agreement(
        peers.KOCER,
        "kocer",
        '`normalization="NFKC"`; its readings of numbers and letters off',
        st.just({"normalization": "NFKC"}),
    ),
    Agreement(
        peers.KOCER,
        "kocer, readings",
        '`readings="ko"`, `normalization="NFKC"`; its readings on',
        st.just({"readings": "ko", "normalization": "NFKC"}),
    ),
]
