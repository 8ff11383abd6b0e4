"""chrF, TER, NIST and CIDEr: sacreBLEU, nltk, torchmetrics, pyter3, pycocoevalcap."""

from functools import partial
from typing import Any

from .peer import UNICODE_FORMS, Case, Difference, Peer, Values, has_no_word, has_several_references, module

_CHRF_OPTIONS = ("char_order", "word_order", "beta", "whitespace", "lowercase", "eps_smoothing")
TER_FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")


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


def _has_other_blanks(case: Case) -> bool:
    return any(c.isspace() and c != " " for text in case.texts() for c in text)


def _has_a_short_reference(case: Case) -> bool:
    char_order = case.options["char_order"]
    word_order = case.options["word_order"]
    for references in case.columns["references"]:
        for text in references:
            words = text.split()
            if len("".join(words)) < char_order or len(words) < word_order:
                return True
    return False


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


def _has_an_empty_reference(case: Case) -> bool:
    return any(not text.split() for row in case.columns["references"] for text in row)


CHRF = Peer(
    "chrf",
    "sacrebleu CHRF, TER",
    "sacrebleu",
    module("sacrebleu.metrics"),
    partial(_sacrebleu, name="CHRF", options=_CHRF_OPTIONS),
    timed=("chrf", "chrf++"),
    differences=(UNICODE_FORMS,),
)
TER = CHRF._replace(metric="ter", call=partial(_sacrebleu, name="TER", options=TER_FLAGS), timed=("ter",))
TORCHMETRICS_CHRF = Peer(
    "chrf",
    "torchmetrics",
    "torchmetrics",
    module("torchmetrics.functional.text"),
    _torchmetrics_chrf,
    differences=(
        UNICODE_FORMS,
        Difference("of whitespace it leaves out only blanks", _has_other_blanks),
        Difference(
            "it counts the prediction's n-grams of an order that the reference is too short to have",
            _has_a_short_reference,
        ),
        Difference("of a segment in which nothing matches it does not count the reference", _has_no_match),
    ),
    tolerance=1e-4,
)
NLTK_CHRF = Peer(
    "chrf",
    "nltk corpus_chrf",
    "nltk",
    module("nltk.translate.chrf_score"),
    _nltk_chrf,
    differences=(
        UNICODE_FORMS,
        Difference("it is the mean of the segments' F-scores of each order", lambda case: len(case.pairs()) > 1),
    ),
    one_reference=True,
)
PYTER = Peer(
    "ter",
    "pyter3",
    "pyter3",
    module("pyter"),
    _pyter,
    differences=(
        Difference("it knows none of Tercom's limits and rules for shifts", _has_a_word_elsewhere),
        Difference("it divides by the words of the reference, of which there are none", _has_an_empty_reference),
    ),
    one_reference=True,
)
NLTK_NIST = Peer(
    "nist",
    "nltk corpus_nist",
    "nltk",
    module("nltk.translate.nist_score"),
    _nltk_nist,
    timed=("nist",),
    differences=(
        Difference(
            "for each order and segment it takes the one reference that scores best, and adds up their lengths",
            has_several_references,
        ),
        Difference(
            "for a prediction with fewer than n words, or without a word in any reference, it divides by zero",
            lambda case: _is_shorter_than_n(case) or has_no_word(case),
        ),
    ),
    tolerance=1e-10,
)
CIDER = Peer(
    "cider",
    "pycocoevalcap",
    "pycocoevalcap",
    module("pycocoevalcap.cider.cider_scorer"),
    _pycocoevalcap,
    timed=("cider",),
    differences=(UNICODE_FORMS, Difference("it needs a word in some reference", has_no_word)),
    tolerance=1e-10,
)
