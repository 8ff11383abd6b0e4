"""The one list of comparisons: our metric with these options, other libraries, and texts."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from lab.peers import PEERS
from lab.peers.error_rates import of_predictions_first
from lab.peers.peer import Case, Difference, Peer, Values, module
from lab.peers.rouge_meteor import TYPES, f_values

from . import texts
from .texts import Texts, sentences

_FEW = 500  # segments for libraries that take milliseconds for each
_NONE: Mapping[str, Any] = MappingProxyType({})


class Row(NamedTuple):
    """A comparison of sides that compute the same."""

    name: str
    metric: str
    options: Mapping[str, Any] = _NONE  # of the metric
    peers: Mapping[str, Peer] = _NONE  # by the name in the tables
    texts: Texts = sentences()
    keys: tuple[str, ...] = ()  # of the values whose mean is the score; the metric's own by default
    most: int = 10**9  # segments
    languages: tuple[str, ...] = ("en", "ko")
    calls: bool = False  # 100 calls with one segment each


def _of(metric: str, **names: str) -> dict[str, Peer]:
    """Returns peers of a metric by their names in the tables of speed; a word is a name in the matrix."""
    known = {peer.name: peer for peer in PEERS if peer.metric == metric}
    return {side: known[name] for side, name in names.items()}


def _speed(metric: str, package: str, load: str, call: Callable[[Any, Case], Values], **more: Any) -> Peer:
    """Returns a library that is compared for its speed alone."""
    return Peer(metric, package, package, "", module(load), call, **more)


def _lev_rs(lev: Any, case: Case) -> Values:
    """Returns the distances of all pairs by the characters of all references; it has distances only."""
    references, predictions = case.sides()
    return {"cer": sum(map(lev.distance, references, predictions)) / sum(map(len, references))}


def _fastwer(fastwer: Any, case: Case, name: str) -> Values:
    references, predictions = case.sides()
    return {name: fastwer.score(predictions, references, name == "cer") / 100}


def _werpy(werpy: Any, case: Case) -> Values:
    return {"wer": float(werpy.wer(*case.sides()))}


def _get_cer(nlptutti: Any, case: Case) -> Values:
    return {"segments": [nlptutti.get_cer(*pair)["cer"] for pair in zip(*case.sides(), strict=True)]}


def _get_wer(nlptutti: Any, case: Case) -> Values:
    """Returns the edits of all pairs by the words of all references."""
    references, predictions = case.sides()
    results = [nlptutti.get_wer(*pair, rm_punctuation=False) for pair in zip(references, predictions, strict=True)]
    edits = sum(result[name] for result in results for name in ("substitutions", "deletions", "insertions"))
    return {"wer": edits / sum(len(text.split()) for text in references)}


def _rouge_score_rs(rouge_score_rs: Any, case: Case, tokenizer: str | None = None) -> Values:
    words = getattr(rouge_score_rs.tokenizers, tokenizer)() if tokenizer else None
    scorer = rouge_score_rs.RougeScorer(list(TYPES), use_stemmer=case.options["use_stemmer"], tokenizer=words)
    return f_values(scorer.score_batch(*case.sides()), case.options["detailed"])


def _rouge_rust(fast_rouge: Any, case: Case) -> Values:
    found = fast_rouge.score_batch_flat(*case.sides())
    return {f"{name}_segments": getattr(found, f"{name}_fmeasure") for name in TYPES[:3]}


def _interval(metrics: Any, case: Case) -> Values:
    metric = metrics.BLEU(smooth_method="none")
    return {"bleu": metric.corpus_score(*case.transposed(), n_bootstrap=case.options["resamples"]).score / 100}


_ANOTHER = (Difference("it has no readings, or others", lambda case: True),)
_OTHER_WORDS = (Difference("its words are those of UAX 29, with 3.5 and don't as one word", lambda case: True),)
_FASTWER = "fastwer"
_UNIVERSAL = "universal_edit_distance"
_BLEU = _of("bleu", sacrebleu="sacreBLEU", bleuscore="bleuscore", torchmetrics="torchmetrics sacreBLEU")
_CLOSEST = _of("bleu", sacrebleu="sacreBLEU", torchmetrics="torchmetrics sacreBLEU")
_WORDS = _of("bleu", sacrebleu="sacreBLEU", nltk="nltk", torchmetrics="torchmetrics BLEU")
_SACREBLEU_CHRF = _of("chrf", sacrebleu="sacreBLEU")
_SACREBLEU_TER = _of("ter", sacrebleu="sacreBLEU")
_NIST = {"nltk corpus_nist": _of("nist", nltk="nltk")["nltk"]}
_CER = _of("cer", jiwer="jiwer") | {
    "fastwer": _speed("cer", "fastwer", _FASTWER, partial(_fastwer, name="cer"), tolerance=1e-4),  # rounds a percentage
    "lev-rs": _speed("cer", "lev-rs", "lev", _lev_rs),
    "universal-edit-distance": _speed("cer", "universal-edit-distance", _UNIVERSAL,
                                      partial(of_predictions_first, name="cer", function="character_error_rate")),
}  # fmt: skip
_WER = _of("wer", jiwer="jiwer", torchmetrics="torchmetrics")
_WER["nlptutti"] = _speed("wer", "nlptutti", "nlptutti", _get_wer)
_WER["fastwer"] = _speed("wer", "fastwer", _FASTWER, partial(_fastwer, name="wer"), tolerance=1e-4)
_WER["universal-edit-distance"] = _CER["universal-edit-distance"]._replace(
    metric="wer", call=partial(of_predictions_first, name="wer", function="word_error_rate")
)
_WER["werpy"] = _speed("wer", "werpy", "werpy", _werpy)
_GET_CER = _speed("cer", "nlptutti", "nlptutti", _get_cer)
_READINGS = {
    "kocer": _of("cer", kocer="kocer, readings")["kocer"]._replace(differences=_ANOTHER),
    "nlptutti get_cer": _GET_CER._replace(differences=_ANOTHER),
}
_RS = _speed("rouge", "rouge-score-rs", "rouge_score_rs", _rouge_score_rs)
_RS_UNICODE = _RS._replace(call=partial(_rouge_score_rs, tokenizer="UnicodeTokenizer"), differences=_OTHER_WORDS)
_ROUGE = _of("rouge", rouge_score="rouge_score") | {"rouge-score-rs": _RS}
_BETWEEN_BLANKS = {"tokenizer": "whitespace", "lowercase": False}
_METEOR = {"nltk meteor_score": _of("meteor", nltk="nltk")["nltk"]}
_EXACT = {"stages": ["exact"], "tokenizer": "whitespace", "lowercase": True}
_EN, _KO = ("en",), ("ko",)
_REAL = {
    "bleu 13a": ("bleu", {}, _BLEU, ("en", "ko")),
    "rouge": ("rouge", {}, _ROUGE, _EN),
    "rouge unicode": ("rouge", {}, {"rouge-score-rs": _RS_UNICODE}, _KO),
    "cer": ("cer", {"preset": "jiwer"}, _CER, ("en", "ko")),
    "wer": ("wer", {}, _WER, ("en", "ko")),
}

ROWS = [
    Row("bleu 13a", "bleu", peers=_BLEU),
    Row("bleu whitespace", "bleu", {"tokenizer": "whitespace"}, _WORDS),
    Row("bleu char", "bleu", {"tokenizer": "char"}, _of("bleu", sacrebleu="sacreBLEU")),
    Row("bleu 13a, 4 references", "bleu", {"ref_length": "closest"}, _CLOSEST, sentences(4)),
    Row("bleu 13a, 4 references, shortest", "bleu", {"ref_length": "shortest"},
        _of("bleu", bleuscore="bleuscore"), sentences(4)),
    Row("one segment per call", "bleu", peers=_BLEU, calls=True),
    Row("one pair of 10,000 words", "bleu", peers=_BLEU, texts=texts.long_pair(10_000)),
    Row("interval, 1,000 resamples", "bleu", {"confidence": 0.95, "resamples": 1000},
        {"sacrebleu": _BLEU["sacrebleu"]._replace(call=_interval)}),
    Row("ibleu", "ibleu", {}, _of("ibleu", sacrebleu="sacreBLEU, twice"),
        texts.with_sources),
    # rouge_score keeps only a-z and 0-9, so that other languages need a tokenizer, which gets the texts as they are
    *[Row(f"rouge, {name}", "rouge", {}, _ROUGE, columns, TYPES, languages=_EN)
      for name, columns in (("sentences", sentences()), ("summaries", texts.summaries))],
    *[Row(f"rouge, {name}", "rouge", _BETWEEN_BLANKS, _of("rouge", rouge_score="rouge_score"), columns, TYPES,
          languages=_KO) for name, columns in (("sentences", sentences()), ("summaries", texts.summaries))],
    *[Row(f"rouge, {name}, unicode", "rouge", {}, {"rouge-score-rs": _RS_UNICODE}, columns, TYPES, languages=_KO)
      for name, columns in (("sentences", sentences()), ("summaries", texts.summaries))],
    Row("rouge, stemmer", "rouge", {"use_stemmer": True}, _ROUGE, keys=TYPES, languages=_EN),
    Row("rouge 1, 2, L", "rouge", {"rouge_types": TYPES[:3]},
        {"rouge-rust": _speed("rouge", "rouge-rust", "fast_rouge", _rouge_rust)}, keys=TYPES[:3], languages=_EN),
    Row("meteor 1.5", "meteor", {"preset": "1.5"}, {"METEOR 1.5": _of("meteor", java="METEOR 1.5")["java"]},
        most=2_000, languages=_EN),
    Row("meteor, exact", "meteor", _EXACT, _METEOR, most=2_000),
    Row("meteor, exact, one segment per call", "meteor", _EXACT, _METEOR, calls=True),
    *[Row(f"{name}, {count} reference{'s'[: count - 1]}", "chrf", options, _SACREBLEU_CHRF, sentences(count))
      for name, options in (("chrf", {}), ("chrf++", {"word_order": 2})) for count in (1, 4)],
    Row("chrf, one segment per call", "chrf", {}, _SACREBLEU_CHRF, calls=True),
    Row("ter", "ter", {}, _SACREBLEU_TER, most=_FEW),
    Row("ter, one segment per call", "ter", {}, _SACREBLEU_TER, calls=True),
    Row("nist", "nist", {"tokenizer": "whitespace"}, _NIST),
    Row("nist, one segment per call", "nist", {"tokenizer": "whitespace"}, _NIST, calls=True),
    *[Row(f"cider, {count} reference{'s'[: count - 1]}", "cider", {"tokenizer": "whitespace"},
          _of("cider", pycocoevalcap="pycocoevalcap"), sentences(count)) for count in (1, 4)],
    Row("cer", "cer", {"preset": "jiwer"}, _CER),
    Row("cer, one segment per call", "cer", {"preset": "jiwer"}, _CER, calls=True),
    Row("cer, few segments", "cer", {"preset": "jiwer"}, _of("cer", torchmetrics="torchmetrics"), most=_FEW),
    Row("cer, nlptutti's", "cer", {"preset": "nlptutti", "aggregate": "mean"}, {"nlptutti": _GET_CER}, most=_FEW),
    *[Row(f"cer, readings{name}", "cer", {"readings": "ko"}, _READINGS, columns, languages=_KO)
      for name, columns in (("", texts.notations), (", sentences with digits", texts.with_digits))],
    Row("wer", "wer", {}, _WER),
    Row("wer, one segment per call", "wer", {}, _WER, calls=True),
    Row("cpwer, one segment per call", "cpwer", {}, _of("cpwer", meeteval="meeteval, cpWER"), texts.sessions,
        ("edits",), calls=True),
    Row("human correlation", "human_correlation", {}, _of("human_correlation", scipy="scipy"), texts.numbers,
        ("pearson", "spearman", "kendall")),
    *[Row(f"real sentences, {name}, one thread", metric, options, peers, texts.real,
          TYPES if metric == "rouge" else (), languages=languages)
      for name, (metric, options, peers, languages) in _REAL.items()],
]  # fmt: skip
