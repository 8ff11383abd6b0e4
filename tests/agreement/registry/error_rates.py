"""CER, WER and HyTER: jiwer, nlptutti, kocer, kaldialign, rapidfuzz, torchmetrics."""

import string
import unicodedata
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from .agreements import EITHER_FORM, UNICODE_FORMS, Agreement, Case, Difference, Values

# what kocer removes as we do: everywhere, and where no digit is near
_REMOVED_BY_KOCER = "?!~…·'\"‘’“”()[]{}<>;/\\_—–、。「」『』【】"
_REMOVED_WITHOUT_DIGITS = ".,:-"
COUNTS = ("substitutions", "deletions", "insertions", "hits")
AS_JIWER = {"preset": "jiwer", "detailed": True, "alignments": "pieces"}


def sides(case: Case) -> tuple[list[str], list[str]]:
    """Returns the references and the predictions, one of each per segment."""
    return [reference for [reference] in case.columns["references"]], case.columns["predictions"]


def with_form(**options: Any) -> st.SearchStrategy:
    """Returns these options, with our Unicode form and without."""
    return EITHER_FORM.map(lambda form: {**options, "normalization": form})


def load_jiwer_characters() -> Callable[[Case], Values]:
    """Returns jiwer's rate, counts and alignments of characters."""
    import jiwer

    def theirs(case: Case) -> Values:
        found = jiwer.process_characters(*sides(case))
        return {"cer": found.cer, **{name: getattr(found, name) for name in COUNTS}, "alignments": _pieces(found, "")}

    return theirs


def load_jiwer_words() -> Callable[[Case], Values]:
    """Returns jiwer's rates, counts and alignments of words."""
    import jiwer

    def theirs(case: Case) -> Values:
        found = jiwer.process_words(*sides(case))
        rates = {name: getattr(found, name) for name in ("wer", "mer", "wil", "wip")}
        return {**rates, **{name: getattr(found, name) for name in COUNTS}, "alignments": _pieces(found, " ")}

    return theirs


def load_jiwer_for_hyter() -> Callable[[Case], Values]:
    """Returns the word error rate, which HyTER is where a network is one sentence and words keep their order."""
    words = load_jiwer_words()
    return lambda case: {"hyter": words(case)["wer"]}


def _pieces(found: Any, joint: str) -> list[list[list[str]]]:
    """Returns jiwer's alignments as ours are written."""
    return [
        [
            [run.type, joint.join(reference[run.ref_start_idx : run.ref_end_idx]),
             joint.join(prediction[run.hyp_start_idx : run.hyp_end_idx])]
            for run in runs
        ]
        for runs, reference, prediction in zip(found.alignments, found.references, found.hypotheses, strict=True)
    ]  # fmt: skip


def load_nlptutti(name: str, by_default: bool) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads nlptutti's rate of a corpus: with its default options, or without removals and bound."""

    def load() -> Callable[[Case], Values]:
        import nlptutti

        options = {} if by_default else {"rm_punctuation": False, "rate_mode": "standard"}

        def theirs(case: Case) -> Values:
            found = nlptutti.evaluate_corpus(*sides(case), **options)[name]
            return {name: found["micro"]}

        return theirs

    return load


def load_kocer(**options: bool) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads kocer's CER."""

    def load() -> Callable[[Case], Values]:
        import kocer

        return lambda case: {"cer": kocer.cer(*sides(case), **options)}

    return load


def load_kaldialign(
    name: str, units: Callable[[str], list[str]], **options: bool
) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads kaldialign's edits, of which it has the number for sure and the kinds by its own ties."""

    def load() -> Callable[[Case], Values]:
        import kaldialign

        def theirs(case: Case) -> Values:
            found = kaldialign.batch_error_rate(*(list(map(units, side)) for side in sides(case)), **options)
            return {name: found["err_rate"], "edits": found["total"], "reference_length": found["ref_len"]}

        return theirs

    return load


def load_rapidfuzz(name: str, units: Callable[[str], list[str]]) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads rapidfuzz's distance; our distances of characters come from it too."""

    def load() -> Callable[[Case], Values]:
        from rapidfuzz.distance import Levenshtein

        def theirs(case: Case) -> Values:
            references, predictions = (list(map(units, side)) for side in sides(case))
            edits = sum(map(Levenshtein.distance, references, predictions))
            length = sum(map(len, references))
            return {name: edits / length, "edits": edits, "reference_length": length}

        return theirs

    return load


def load_torchmetrics(**names: str) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads functions of torchmetrics, by the key of ours."""

    def load() -> Callable[[Case], Values]:
        from torchmetrics.functional import text

        def theirs(case: Case) -> Values:
            references, predictions = sides(case)
            return {key: float(getattr(text, name)(predictions, references)) for key, name in names.items()}

        return theirs

    return load


def words(text: str) -> list[str]:
    """Returns the words of a text."""
    return text.split()


def characters(text: str) -> list[str]:
    """Returns the characters of a text between its outer blanks."""
    return list(text.strip())


def _has_no_reference(case: Case) -> bool:
    return not any(text.strip() for text in sides(case)[0])


def _has_other_blanks(case: Case) -> bool:
    return any(text.split() != [word for word in text.split(" ") if word] for text in case.texts())


def _is_not_stripped(case: Case) -> bool:
    return any(text != text.strip() for text in case.texts())


def _has_rare_blanks(case: Case) -> bool:
    return any(c.isspace() and c not in f"{string.whitespace}\u3000" for text in case.texts() for c in text)


def _has_marks(case: Case) -> bool:
    """A symbol that kocer keeps, or a mark that it keeps between digits; NFKC may make either."""
    texts = [unicodedata.normalize("NFKC", text) for text in case.texts()]
    kept = (c for text in texts for c in text if unicodedata.category(c)[0] not in "LMNZ" and not c.isspace())
    return any(
        c not in _REMOVED_BY_KOCER and (c not in _REMOVED_WITHOUT_DIGITS or any(map(str.isdigit, "".join(texts))))
        for c in kept
    )


def _has_notations(case: Case) -> bool:
    """A digit or a letter of Latin, which both read by tables of their own."""
    texts = (unicodedata.normalize("NFKC", text) for text in case.texts())
    return any(c.isnumeric() or c.isascii() and c.isalpha() for text in texts for c in text)


INSERTIONS = Difference(
    "without any reference text its rate is the number of insertions; ours is inf", _has_no_reference
)
DIVIDES = Difference("without any reference it divides by zero; ours is inf, or 0 without edits", _has_no_reference)
ONLY_BLANKS = Difference("only blanks separate its words; any whitespace of Unicode separates ours", _has_other_blanks)
KEEPS_BLANKS = Difference("it counts whitespace at both ends of a text; jiwer and ours do not", _is_not_stripped)
AT_LEAST_ONE = Difference(
    "an empty reference counts as one character; ours is inf, or 0 without edits", _has_no_reference
)
MARKS = Difference("it keeps symbols, and marks between digits; ours removes them", _has_marks)

AGREEMENTS = [
    Agreement(
        "cer",
        "jiwer",
        "jiwer",
        '`preset="jiwer"`: rate, kinds of edits, alignments',
        load_jiwer_characters,
        with_form(**AS_JIWER),
        (UNICODE_FORMS, INSERTIONS),
        one_reference=True,
    ),
    Agreement(
        "cer",
        "nlptutti",
        "nlptutti",
        '`preset="nlptutti"`',
        load_nlptutti("cer", by_default=True),
        with_form(preset="nlptutti"),
        (UNICODE_FORMS, Difference("it removes only ASCII's whitespace and U+3000", _has_rare_blanks)),
        one_reference=True,
    ),
    Agreement(
        "cer",
        "kaldialign",
        "kaldialign",
        '`preset="jiwer"`: rate, number of edits and length',
        load_kaldialign("cer", characters),
        with_form(preset="jiwer"),
        (UNICODE_FORMS, INSERTIONS),
        one_reference=True,
    ),
    Agreement(
        "cer",
        "rapidfuzz",
        "rapidfuzz",
        '`preset="jiwer"`: rate, number of edits and length',
        load_rapidfuzz("cer", characters),
        with_form(preset="jiwer"),
        (UNICODE_FORMS, DIVIDES),
        one_reference=True,
    ),
    Agreement(
        "cer",
        "torchmetrics",
        "torchmetrics",
        '`char_error_rate`, `preset="jiwer"`',
        load_torchmetrics(cer="char_error_rate"),
        with_form(preset="jiwer"),
        (UNICODE_FORMS, INSERTIONS, KEEPS_BLANKS),
        tolerance=1e-6,
        one_reference=True,
    ),
    Agreement(
        "wer",
        "jiwer",
        "jiwer",
        "WER, MER, WIL, WIP; kinds of edits, alignments",
        load_jiwer_words,
        with_form(detailed=True, alignments="pieces"),
        (UNICODE_FORMS, INSERTIONS, ONLY_BLANKS),
        one_reference=True,
    ),
    Agreement(
        "wer",
        "nlptutti",
        "nlptutti",
        '`rm_punctuation=False`, `rate_mode="standard"`: rate',
        load_nlptutti("wer", by_default=False),
        with_form(detailed=True),
        (UNICODE_FORMS, INSERTIONS),
        one_reference=True,
    ),
    Agreement(
        "wer",
        "kaldialign",
        "kaldialign",
        "rate, number of edits and length",
        load_kaldialign("wer", words),
        with_form(),
        (UNICODE_FORMS, INSERTIONS),
        one_reference=True,
    ),
    Agreement(
        "wer",
        "nlptutti, punctuation",
        "nlptutti",
        '`preset="nlptutti"`: rate',
        load_nlptutti("wer", by_default=True),
        with_form(preset="nlptutti"),
        (UNICODE_FORMS,),
        one_reference=True,
    ),
    Agreement(
        "wer",
        "kaldialign, compounds",
        "kaldialign",
        '`compounds="merge"`: rate, number of edits and length',
        load_kaldialign("wer", words, merge_compounds=True),
        with_form(compounds="merge"),
        (UNICODE_FORMS, INSERTIONS),
        one_reference=True,
    ),
    Agreement(
        "wer",
        "rapidfuzz",
        "rapidfuzz",
        "rate, number of edits and length",
        load_rapidfuzz("wer", words),
        with_form(),
        (UNICODE_FORMS, DIVIDES),
        one_reference=True,
    ),
    Agreement(
        "wer",
        "torchmetrics",
        "torchmetrics",
        "`word_error_rate`",
        load_torchmetrics(wer="word_error_rate"),
        with_form(),
        (UNICODE_FORMS, INSERTIONS),
        tolerance=1e-6,
        one_reference=True,
    ),
    Agreement(
        "hyter",
        "jiwer",
        "jiwer",
        "plain sentences, `window=1`: the word error rate",
        load_jiwer_for_hyter,
        with_form(),
        (UNICODE_FORMS, INSERTIONS, ONLY_BLANKS),
        one_reference=True,
    ),
    Agreement(
        "cer",
        "kocer",
        "kocer",
        '`normalization="NFKC"`; its readings of numbers and letters off',
        load_kocer(numbers=False, letters=False, dual=False),
        st.just({"normalization": "NFKC"}),
        (MARKS, AT_LEAST_ONE),
        one_reference=True,
    ),
    Agreement(
        "cer",
        "kocer, readings",
        "kocer",
        '`readings="ko"`, `normalization="NFKC"`; its readings on',
        load_kocer(),
        st.just({"readings": "ko", "normalization": "NFKC"}),
        (
            MARKS,
            AT_LEAST_ONE,
            Difference("each reads numbers, units and Latin letters by tables of its own", _has_notations),
        ),
        one_reference=True,
    ),
]
