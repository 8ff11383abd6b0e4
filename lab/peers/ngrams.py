"""chrF, TER, NIST and CIDEr: sacreBLEU, nltk, torchmetrics, pyter3, pycocoevalcap."""

from functools import partial
from typing import Any

from hypothesis import strategies as st

from .inputs import EITHER_FORM
from .peer import (
    UNICODE_FORMS,
    Case,
    Difference,
    Peer,
    Values,
    any_reference,
    any_text,
    has_no_word,
    has_several_references,
    module,
)

_TER_FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
_CHRF = {
    "char_order": st.integers(1, 7),
    "word_order": st.integers(0, 3),
    "beta": st.sampled_from([0, 1, 2, 3, 0.5]),
    "whitespace": st.booleans(),
    "lowercase": st.booleans(),
    "eps_smoothing": st.booleans(),
    "normalization": EITHER_FORM,
    "per_segment": st.just(True),
}
_TER = {**dict.fromkeys(_TER_FLAGS, st.booleans()), "normalization": EITHER_FORM, "per_segment": st.just(True)}
_NLTK_CHRF = {
    "char_order": st.integers(1, 6),
    "beta": st.sampled_from([1, 2, 3]),
    "eps_smoothing": st.just(True),
    "normalization": EITHER_FORM,
}
_NIST = {"n": st.integers(1, 5), "tokenizer": st.just("whitespace"), "normalization": st.none()}
_CIDER = {
    "sigma": st.floats(0.5, 20),
    "tokenizer": st.just("whitespace"),
    "normalization": EITHER_FORM,
    "per_segment": st.just(True),
}


def _that_go_together(options: dict[str, Any]) -> dict[str, Any]:
    """Returns options of TER without asian_support where it would be refused."""
    has_rules = options["normalized"] or options["no_punct"]
    return {**options, "asian_support": options["asian_support"] and has_rules}


def _sacrebleu(metrics: Any, case: Case, name: str, options: tuple[str, ...]) -> Values:
    """Returns the corpus score of CHRF or TER, and the segments' scores where they are asked for."""
    metric = getattr(metrics, name)(**{option: case.options[option] for option in options})
    values = {name.lower(): metric.corpus_score(*case.transposed()).score / 100}
    if case.options["per_segment"]:
        values["segments"] = [metric.sentence_score(*pair).score / 100 for pair in case.pairs()]
    return values


def _torchmetrics_chrf(text: Any, case: Case) -> Values:
    options = {name: case.options[name] for name in ("beta", "lowercase", "whitespace")}
    options["n_char_order"] = case.options["char_order"]
    options["n_word_order"] = case.options["word_order"]
    found = text.chrf_score(case.columns["predictions"], case.columns["references"], **options)
    return {"chrf": float(found)}


def _nltk_chrf(chrf_score: Any, case: Case) -> Values:
    options = {"max_len": case.options["char_order"], "beta": case.options["beta"]}
    return {"chrf": chrf_score.corpus_chrf(*case.sides(), **options)}


def _pyter(pyter: Any, case: Case) -> Values:
    references, predictions = case.words()
    return {"segments": [pyter.ter(p, r) for p, [r] in zip(predictions, references, strict=True)]}


def _nltk_nist(nist_score: Any, case: Case) -> Values:
    return {"nist": nist_score.corpus_nist(*case.words(), n=case.options["n"])}


def _pycocoevalcap(cider_scorer: Any, case: Case) -> Values:
    """Takes the CIDEr-D that the evaluation of image captions calls CIDEr."""
    scorer = cider_scorer.CiderScorer(sigma=case.options["sigma"])
    for pair in case.pairs():
        scorer += pair
    mean, segments = scorer.compute_score()
    return {"cider": float(mean), "segments": segments.tolist()}


def _has_a_short_reference(case: Case) -> bool:
    def is_short(text: str) -> bool:
        words = text.split()
        n_characters = sum(map(len, words))
        return n_characters < case.options["char_order"] or len(words) < case.options["word_order"]

    return any_reference(is_short)(case)


def _is_shorter_than_n(case: Case) -> bool:
    return any(len(text.split()) < case.options["n"] for text in case.columns["predictions"])


def _has_a_word_elsewhere(case: Case) -> bool:
    """A word of the prediction is in the reference, at another place."""
    for prediction, [reference] in case.pairs():
        reference_words = reference.split()
        for index, word in enumerate(prediction.split()):
            if word in reference_words[:index] or word in reference_words[index + 1 :]:
                return True
    return False


def _has_no_match(case: Case) -> bool:
    """A prediction that has no character of any of its references."""

    def characters(text: str) -> set[str]:
        text = text.lower() if case.options["lowercase"] else text
        return set(text) if case.options["whitespace"] else set("".join(text.split()))

    for prediction, references in case.pairs():
        if not any(characters(prediction) & characters(reference) for reference in references):
            return True
    return False


_ONLY_BLANKS = Difference(
    "of whitespace it leaves out only blanks", any_text(lambda text: set(filter(str.isspace, text)) - {" "} != set())
)
_TOO_SHORT = Difference(
    "it counts the prediction's n-grams of an order that the reference is too short to have", _has_a_short_reference
)
_NOT_COUNTED = Difference("of a segment in which nothing matches it does not count the reference", _has_no_match)
_MEAN_OF_F = Difference(
    "it is the mean of the segments' F-scores of each order", lambda case: len(case.columns["predictions"]) > 1
)
_NO_RULES = Difference("it knows none of Tercom's limits and rules for shifts", _has_a_word_elsewhere)
_NO_WORDS = Difference(
    "it divides by the words of the reference, of which there are none", any_reference(lambda text: not text.split())
)
_BEST_OF_ORDER = Difference(
    "for each order and segment it takes the one reference that scores best, and adds up their lengths",
    has_several_references,
)
_DIVIDES = Difference(
    "for a prediction with fewer than n words, or without a word in any reference, it divides by zero",
    lambda case: _is_shorter_than_n(case) or has_no_word(case),
)
_NEEDS_A_WORD = Difference("it needs a word in some reference", has_no_word)
_CHRF_OPTIONS = st.fixed_dictionaries(_CHRF)
_SLOW_SHIFTS = {"long texts": 8}  # a second each
PEERS = [
    Peer("chrf", "sacreBLEU", "sacrebleu", "all options, corpus and segments", module("sacrebleu.metrics"),
         partial(_sacrebleu, name="CHRF", options=tuple(_CHRF)[:6]), _CHRF_OPTIONS, (UNICODE_FORMS,)),
    Peer("chrf", "torchmetrics", "torchmetrics",
         "`chrf_score`, `eps_smoothing=True`; orders, beta, lower case, blanks",
         module("torchmetrics.functional.text"), _torchmetrics_chrf,
         _CHRF_OPTIONS.map(lambda options: {**options, "eps_smoothing": True, "per_segment": False}),
         (UNICODE_FORMS, _ONLY_BLANKS, _TOO_SHORT, _NOT_COUNTED), tolerance=1e-4),
    Peer("chrf", "nltk", "nltk", "`corpus_chrf`, `eps_smoothing=True`; orders of characters, beta",
         module("nltk.translate.chrf_score"), _nltk_chrf, st.fixed_dictionaries(_NLTK_CHRF),
         (UNICODE_FORMS, _MEAN_OF_F), one_reference=True),
    Peer("ter", "sacreBLEU", "sacrebleu", "all options, corpus and segments", module("sacrebleu.metrics"),
         partial(_sacrebleu, name="TER", options=_TER_FLAGS), st.fixed_dictionaries(_TER).map(_that_go_together),
         (UNICODE_FORMS,), slow=_SLOW_SHIFTS),
    Peer("ter", "pyter3", "pyter3", "one pair, words between blanks", module("pyter"), _pyter,
         st.just({"case_sensitive": True, "per_segment": True, "normalization": None}), (_NO_RULES, _NO_WORDS),
         one_reference=True, slow=_SLOW_SHIFTS),
    Peer("nist", "nltk", "nltk", "`corpus_nist`, words between blanks, orders 1 to 5",
         module("nltk.translate.nist_score"), _nltk_nist, st.fixed_dictionaries(_NIST), (_BEST_OF_ORDER, _DIVIDES),
         tolerance=1e-10),
    Peer("cider", "pycocoevalcap", "pycocoevalcap", "CIDEr-D, words between blanks, any sigma, corpus and segments",
         module("pycocoevalcap.cider.cider_scorer"), _pycocoevalcap, st.fixed_dictionaries(_CIDER),
         (UNICODE_FORMS, _NEEDS_A_WORD), tolerance=1e-10),
]  # fmt: skip
