"""chrF, TER, NIST and CIDEr: sacreBLEU, nltk, torchmetrics, pyter3, pycocoevalcap."""

from collections.abc import Callable

from hypothesis import strategies as st

from .agreements import EITHER_FORM, UNICODE_FORMS, Agreement, Case, Difference, Values
from .bleu import split, transposed

CHRF_OPTIONS = st.fixed_dictionaries(
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
SLOW_SHIFTS = {"long texts": 8}  # a second each
TER_FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
TER_OPTIONS = st.fixed_dictionaries(
    {**dict.fromkeys(TER_FLAGS, st.booleans()), "normalization": EITHER_FORM, "per_segment": st.just(True)}
)


def load_sacrebleu(name: str) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads the corpus score and the segments' scores of sacreBLEU's CHRF or TER."""

    def load() -> Callable[[Case], Values]:
        from sacrebleu import metrics

        def theirs(case: Case) -> Values:
            options = {key: case.options[key] for key in case.options if key not in ("normalization", "per_segment")}
            metric = getattr(metrics, name)(**options)
            corpus = metric.corpus_score(case.columns["predictions"], transposed(case.columns["references"]))
            segments = [metric.sentence_score(*pair).score / 100 for pair in case.pairs()]
            return {name.lower(): corpus.score / 100, "segments": segments}

        return theirs

    return load


def load_torchmetrics_chrf() -> Callable[[Case], Values]:
    """Returns torchmetrics' chrF."""
    from torchmetrics.functional.text import chrf_score

    def theirs(case: Case) -> Values:
        options = case.options
        found = chrf_score(
            case.columns["predictions"], case.columns["references"], n_char_order=options["char_order"],
            n_word_order=options["word_order"], beta=options["beta"], lowercase=options["lowercase"],
            whitespace=options["whitespace"],
        )  # fmt: skip
        return {"chrf": float(found)}

    return theirs


def load_pyter() -> Callable[[Case], Values]:
    """Returns pyter's TER of one pair, each as ours has segments."""
    import pyter

    def theirs(case: Case) -> Values:
        references, predictions = split(case)
        return {"segments": [pyter.ter(p, r) for p, [r] in zip(predictions, references, strict=True)]}

    return theirs


def load_nltk_nist() -> Callable[[Case], Values]:
    """Returns nltk's `corpus_nist`."""
    from nltk.translate.nist_score import corpus_nist

    return lambda case: {"nist": corpus_nist(*split(case), n=case.options["n"])}


def load_nltk_chrf() -> Callable[[Case], Values]:
    """Returns nltk's `corpus_chrf`."""
    from nltk.translate.chrf_score import corpus_chrf

    def theirs(case: Case) -> Values:
        references = [row[0] for row in case.columns["references"]]
        order, beta = case.options["char_order"], case.options["beta"]
        return {"chrf": corpus_chrf(references, case.columns["predictions"], max_len=order, beta=beta)}

    return theirs


def load_pycocoevalcap() -> Callable[[Case], Values]:
    """Returns the CIDEr-D that the evaluation of image captions calls CIDEr."""
    from pycocoevalcap.cider.cider_scorer import CiderScorer

    def theirs(case: Case) -> Values:
        scorer = CiderScorer(sigma=case.options["sigma"])
        for pair in case.pairs():
            scorer += pair
        mean, segments = scorer.compute_score()
        return {"cider": float(mean), "segments": segments.tolist()}

    return theirs


def _has_other_blanks(case: Case) -> bool:
    return any(c.isspace() and c != " " for text in case.texts() for c in text)


def _has_a_short_reference(case: Case) -> bool:
    fewest, words = case.options["char_order"], case.options["word_order"]
    references = [text for row in case.columns["references"] for text in row]
    return any(len("".join(text.split())) < fewest or len(text.split()) < words for text in references)


def _has_several_references(case: Case) -> bool:
    return any(len(row) > 1 for row in case.columns["references"])


def _has_no_word(case: Case) -> bool:
    return not any(text.split() for row in case.columns["references"] for text in row)


def _is_shorter_than_n(case: Case) -> bool:
    return any(len(text.split()) < case.options["n"] for text in case.columns["predictions"])


def _has_a_word_elsewhere(case: Case) -> bool:
    """A word of the prediction is in the reference, at another place."""
    pairs = [(prediction.split(), reference.split()) for prediction, [reference] in case.pairs()]
    return any(
        word == other and i != j for one, two in pairs for i, word in enumerate(one) for j, other in enumerate(two)
    )


def _has_no_match(case: Case) -> bool:
    """A prediction that has no character of any of its references."""

    def characters(text: str) -> set[str]:
        text = text.lower() if case.options["lowercase"] else text
        return set(text) if case.options["whitespace"] else set("".join(text.split()))

    return any(not characters(text) & set().union(*map(characters, row)) for text, row in case.pairs())


def _has_an_empty_reference(case: Case) -> bool:
    return any(not text.split() for row in case.columns["references"] for text in row)


AGREEMENTS = [
    Agreement(
        "chrf",
        "sacreBLEU",
        "sacrebleu",
        "all options, corpus and segments",
        load_sacrebleu("CHRF"),
        CHRF_OPTIONS,
        (UNICODE_FORMS,),
    ),
    Agreement(
        "chrf",
        "torchmetrics",
        "torchmetrics",
        "`chrf_score`, `eps_smoothing=True`; orders, beta, lower case, blanks",
        load_torchmetrics_chrf,
        CHRF_OPTIONS.map(lambda o: {**o, "eps_smoothing": True, "per_segment": False}),
        (
            UNICODE_FORMS,
            Difference("of whitespace it leaves out only blanks", _has_other_blanks),
            Difference(
                "it counts the prediction's n-grams of an order that the reference is too short to have",
                _has_a_short_reference,
            ),
            Difference("of a segment in which nothing matches it does not count the reference", _has_no_match),
        ),
        tolerance=1e-4,
    ),
    Agreement(
        "chrf",
        "nltk",
        "nltk",
        "`corpus_chrf`, `eps_smoothing=True`; orders of characters, beta",
        load_nltk_chrf,
        st.fixed_dictionaries(
            {"char_order": st.integers(1, 6), "beta": st.sampled_from([1, 2, 3]), "eps_smoothing": st.just(True),
             "normalization": EITHER_FORM}
        ),
        (
            UNICODE_FORMS,
            Difference("it is the mean of the segments' F-scores of each order", lambda case: len(case.pairs()) > 1),
        ),
        one_reference=True,
    ),
    Agreement(
        "ter",
        "sacreBLEU",
        "sacrebleu",
        "all options, corpus and segments",
        load_sacrebleu("TER"),
        TER_OPTIONS,
        (UNICODE_FORMS,),
        slow=SLOW_SHIFTS,
    ),
    Agreement(
        "ter",
        "pyter3",
        "pyter3",
        "one pair, words between blanks",
        load_pyter,
        st.just({"case_sensitive": True, "per_segment": True, "normalization": None}),
        (
            Difference("it knows none of Tercom's limits and rules for shifts", _has_a_word_elsewhere),
            Difference("it divides by the words of the reference, of which there are none", _has_an_empty_reference),
        ),
        one_reference=True,
        slow=SLOW_SHIFTS,
    ),
    Agreement(
        "nist",
        "nltk",
        "nltk",
        "`corpus_nist`, words between blanks, orders 1 to 5",
        load_nltk_nist,
        st.fixed_dictionaries({"n": st.integers(1, 5), "tokenizer": st.just("whitespace"), "normalization": st.none()}),
        (
            Difference(
                "for each order and segment it takes the one reference that scores best, and adds up their lengths",
                _has_several_references,
            ),
            Difference(
                "for a prediction with fewer than n words, or without a word in any reference, it divides by zero",
                lambda case: _is_shorter_than_n(case) or _has_no_word(case),
            ),
        ),
        tolerance=1e-10,
    ),
    Agreement(
        "cider",
        "pycocoevalcap",
        "pycocoevalcap",
        "CIDEr-D, words between blanks, any sigma, corpus and segments",
        load_pycocoevalcap,
        st.fixed_dictionaries(
            {"sigma": st.floats(0.5, 20), "tokenizer": st.just("whitespace"), "normalization": EITHER_FORM,
             "per_segment": st.just(True)}
        ),
        (UNICODE_FORMS, Difference("it needs a word in some reference", _has_no_word)),
        tolerance=1e-10,
    ),
]  # fmt: skip
