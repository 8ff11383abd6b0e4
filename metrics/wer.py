"""WER: the edit distance between words divided by the number of words in the reference, and related rates.

The distance is Levenshtein's, and the edits and words of the corpus are added up first; MER, WIL and WIP are defined by
Morris et al. (2004). jiwer and Hugging Face's `wer` compute the same. sWER (`space_normalized`) is that of KsponSpeech
(Bang et al. 2020) and ESPnet. Joined words (`compounds`) are those of kaldialign, and the presets follow nlptutti and
ESPnet. Phrases with weights extend the WWER of Nanjo, Misu and Kawahara (2005), who weigh words. With the option
`readings` what is read alike is equal: the fewest edits between any reading of one text and any reading of the other
count, and a reading says where its words end.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, lengths_of  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import error_rate  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag  # From: -e .
from textgauge.core.phrase_counts import RowsWithPhrases  # From: -e .
from textgauge.edits.optional_words import resolve_marked_words  # From: -e .
from textgauge.error_rates.conventions import AGGREGATE, BOUNDED, CONVENTIONS, SPECIAL  # From: -e .
from textgauge.error_rates.details import COUNTS, REMOVED, detail_columns, detailed_values  # From: -e .
from textgauge.error_rates.edit_alignments import ALIGNMENTS  # From: -e .
from textgauge.error_rates.error_rate import ErrorRateMetric  # From: -e .
from textgauge.error_rates.explanations import explanation_of  # From: -e .
from textgauge.error_rates.nearest.rule import Rule  # From: -e .
from textgauge.error_rates.nearest.spelled_texts import compared_texts, nearest_pairs  # From: -e .
from textgauge.error_rates.nearest.words import align_nearest, choose_words  # From: -e .
from textgauge.error_rates.phrases.fillers import DROP_FILLERS, OWN_FILLERS  # From: -e .
from textgauge.error_rates.phrases.keywords import KEYWORDS  # From: -e .
from textgauge.error_rates.rows import (  # From: -e .
    RATES,
    RATES_WITHOUT,
    OwnColumns,
    RateOptions,
    column_names,
    columns_of,
    named_columns,
    rate_values,
    rates_without,
    rows_of,
    segment_rates_without,
)
from textgauge.korean.reading_tables import READINGS, check_form  # From: -e .
from textgauge.korean.reading_words import WORD_CLEANING  # From: -e .
from textgauge.korean.readings import Cleaning  # From: -e .
from textgauge.tokens.cleaning import PLAIN_WORDS, WORD_PRESETS  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER  # From: -e .

OPTIONS = {
    "preset": choice(
        None,
        "preset",
        "a published convention: None (nothing removed, as in jiwer and Hugging Face), `ksponspeech` (marks of "
        "transcripts and punctuation removed, lower case), `whisper` (its basic normaliser) or `nlptutti` "
        "(punctuation removed, bounded). `special` and `bounded` override it.",
        tuple(WORD_PRESETS),
    ),
    "tokenizer": TOKENIZER._replace(default="whitespace"),
    "lowercase": LOWERCASE,
    "normalization": NORMALIZATION,
    "special": SPECIAL,
    "space_normalized": choice(
        False,
        "swer",
        "sWER: give the prediction the reference's spacing first, so that spaces are not errors. True: always, as "
        "published; `fewest`: only where that gives no more edits than the prediction's own spacing.",
        (False, True, "fewest"),
    ),
    "compounds": choice(
        None,
        "compounds",
        "`merge`: words that are only joined or split count as equal, such as `white paper` and `whitepaper`.",
        (None, "merge"),
    ),
    "sclite": flag(
        "sclite",
        "marks of NIST's transcripts as sclite reads them: a word in parentheses, as `(uh)`, may be missing, and a "
        "fragment, as `st-`, is right where the other text has a word that begins so.",
    ),
    "bounded": BOUNDED,
    "readings": READINGS,
    "weights": KEYWORDS,
    "fillers": OWN_FILLERS,
    "drop_fillers": DROP_FILLERS,
    "aggregate": AGGREGATE,
    "detailed": flag("", "add mer, wil, wip, ser, counts, and the kinds of the edits."),
    "conventions": CONVENTIONS,
    "alignments": ALIGNMENTS,
}

_OF_CHARACTERS = ("char", "jamo")  # tokenizers that leave blanks out
_DETAILED_COLUMNS = (*REMOVED[1:], "wrong segments")
_POOLED_COLUMNS = OwnColumns(detailed=(*_DETAILED_COLUMNS, "segments"))
_MEAN_COLUMNS = OwnColumns(always=(*RATES, "segments"), detailed=(*_DETAILED_COLUMNS, *RATES_WITHOUT))


def rule_of(options: Mapping[str, Any], preset: Mapping[str, Any]) -> Rule:
    """Returns the rule of options, without readings and phrases.

    >>> options = {**WORD_PRESETS["nlptutti"], "tokenizer": "whitespace", "space_normalized": False, "compounds": None}
    >>> rule_of(options, WORD_PRESETS["nlptutti"]).tokens(["네, 좋아요!"])
    [['네', '좋아요']]
    """
    cleaning = Cleaning(WORD_CLEANING.spaces, options["special"], WORD_CLEANING.unit, preset["marks"])
    return Rule(
        cleaning,
        options["bounded"],
        preset["ties"],
        tokenizer=options["tokenizer"],
        space_normalized=options["space_normalized"],
        compounds=options["compounds"],
    )


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    rule: Rule,
    aggregate: str,
    detailed: bool,
) -> RowsWithPhrases:
    """Returns rows of edits and words in the reference, (n_segments, 2); options add the columns of `names_of`.

    With `aggregate="mean"` there follow the rate, 0 where it is infinite, 1 where it is, and 1. With `bounded` there
    follows the denominator; with `detailed` the counts of each step, the edits that the removal of marks inside numbers
    hides, those of each of `ERROR_KINDS`, those that are removed with punctuation, 1 if there is an edit, and 1, and
    with `compounds` the words of the prediction; with `readings` or `weights` edits and denominator without them; with
    `weights` the phrases in the reference, in the prediction and in both; those that each segment has are beside the
    rows.

    >>> texts = {"predictions": ["커피 한잔 주세요", "네"], "references": ["커피 한 잔 주세요", "네"]}
    >>> Wer().statistics(**texts).tolist()
    [[2.0, 4.0], [0.0, 1.0]]
    """
    compared = compared_texts(predictions, references, rule)
    choice, _ = choose_words(compared, rule, detailed)
    is_mean = aggregate == "mean"
    columns, phrases = columns_of(choice, rule, detailed=detailed, with_rates=is_mean)
    if detailed:
        columns |= detail_columns(predictions, references, compared, choice, rule, align_nearest)
        columns["wrong segments"] = choice.pairs.edits > 0
        columns["segments"] = 1
    if detailed and is_mean:
        columns |= segment_rates_without(columns, choice.pairs.denominators)
    if detailed and rule.compounds:
        columns["predicted"] = lengths_of(choice.predictions)
    rate = RateOptions(aggregate, rule.bounded, None, rule.keywords)
    rows = rows_of(columns, names_of(rate=rate, detailed=detailed, compounds=rule.compounds))
    if rule.readings is not None:
        as_written = rule._replace(readings=None)
        literal = statistics(predictions, references, rule=as_written, aggregate=aggregate, detailed=False)
        rows = np.hstack([rows, literal.rows])
    return RowsWithPhrases(rows, phrases)


def names_of(*, rate: RateOptions, detailed: bool, compounds: str | None) -> tuple[str, ...]:
    """Returns the names of the columns of a row.

    >>> names_of(rate=RateOptions("pooled", bounded=True, readings=None, weights=None), detailed=False, compounds=None)
    ('edits', 'length', 'denominator')
    """
    own_columns = _POOLED_COLUMNS if rate.aggregate == "pooled" else _MEAN_COLUMNS
    if compounds is not None:
        own_columns = own_columns._replace(detailed=(*own_columns.detailed, "predicted"))
    return column_names(own_columns, rate, detailed)


def score(rows: np.ndarray, *, rate: RateOptions, detailed: bool, compounds: str | None) -> dict[str, np.ndarray]:
    """Returns wer in [0, inf], or [0, 1] with `bounded`, edits and words of the references, for rows (..., 2 or more).

    Without any reference word wer is 0 if there is no edit, else inf. With `readings` also literal_wer and
    literal_edits, of the texts as they are written. With `weights` edits and words are weighted, and there are also
    unweighted_wer, unweighted_edits and the recall and precision of the phrases. With `detailed` there are also mer,
    wil, wip and ser (the share of segments with an edit), all in [0, 1], and what `detailed_values` returns. wip is 1
    for two empty texts.

    >>> rows = np.array([[2, 4], [0, 1]])
    >>> [Wer().score(sums)["wer"].tolist() for sums in (rows, rows.sum(0))]
    [[0.5, 0.0], 0.4]
    """
    columns = named_columns(rows, names_of(rate=rate, detailed=detailed, compounds=compounds))
    result = rate_values(columns, "wer", rate)
    if detailed:
        without = rates_without(columns, rate)
        result |= _shares(columns) | detailed_values(columns, "wer", without, rate.weights)
    return result


def _shares(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns mer, wil, wip and ser."""
    substitutions, deletions, insertions, hits = (columns[name] for name in COUNTS)
    edits = substitutions + deletions + insertions
    length = substitutions + deletions + hits  # of the reading that is nearest
    predicted = columns.get("predicted", hits + substitutions + insertions)
    right = predicted - substitutions - insertions  # hits, in words of the prediction
    # both rates are 0 without a hit, except where there is no word
    preserved = np.where(length + predicted > 0, error_rate(hits, length) * error_rate(right, predicted), 1.0)
    return {
        "mer": error_rate(edits, edits + hits),
        "wil": 1 - preserved,
        "wip": preserved,
        "ser": error_rate(columns["wrong segments"], columns["segments"]),
    }


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    rule: Rule,
    nearest: Mapping[int, int] | None = None,
) -> dict[str, Any]:
    """Returns the words of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, lists of words; `reference_index`, which reference it is. With
    `readings` the words are those of the readings that are nearest to each other, and `readings` says which these are:
    a list of ["reference" or "prediction", notation, reading]; `written` says what stands for words in the text, a list
    of ["reference" or "prediction", first word, the one behind the last, text]. With `compounds` words that are joined
    in one text are a piece of their own. With `weights` also `keywords`, see `explain_keywords`. `nearest` says which
    reference the marks of sclite chose, by segment.

    >>> Wer().explain(prediction="커피 한잔", reference="커피 한 잔")["alignment"]
    [['equal', '커피', '커피'], ['substitute', '한', '한잔'], ['delete', '잔', '']]
    """
    compared = compared_texts(predictions, references, rule)
    choice, [alignment] = align_nearest(compared, rule)
    [pair] = nearest_pairs(compared, choice)
    found = explanation_of(choice, alignment, rule, pair)
    if nearest:
        found["reference_index"] = nearest[0]
    return found


class WordOptions(NamedTuple):
    """The options that say which words are compared, and where they end."""

    readings: Any
    normalization: str | None
    tokenizer: Any
    compounds: str | None
    space_normalized: bool | str


class OtherOptions(NamedTuple):
    """Further options that take away words, weigh them, or show more of them."""

    preset: str | None
    special: str
    bounded: bool
    weights: Any
    fillers: Any
    drop_fillers: bool
    alignments: str | None


def check(*, words: WordOptions, sclite: bool, others: OtherOptions) -> None:
    """Raises InputError for options with which nothing can be read, or that change nothing together."""
    if sclite:
        compared = {name: getattr(words, name) for name in ("readings", "compounds", "space_normalized")}
        special = None if others.special == "keep" else others.special
        other_values = others._replace(special=special, weights=others.weights or None)._asdict()
        _check_beside_sclite({**compared, **other_values})
        if words.tokenizer != "whitespace":
            raise InputError(f"sclite=True needs tokenizer='whitespace', and tokenizer is {words.tokenizer!r:.200}")
    check_words(words)


def check_words(words: WordOptions) -> None:
    """Raises InputError for options with which nothing can be read, or that change nothing together.

    >>> check_words(WordOptions("ko", "NFC", "whitespace", compounds=None, space_normalized=False))
    """
    check_form(words.readings, words.normalization)
    if words.readings is not None and words.tokenizer != "whitespace":
        raise InputError(f"readings needs tokenizer='whitespace', and tokenizer is {words.tokenizer!r:.200}")
    if not isinstance(words.tokenizer, str) or words.tokenizer not in _OF_CHARACTERS:
        return
    for name in ("compounds", "space_normalized"):
        value = getattr(words, name)
        if value:
            raise InputError(
                f"{name} is {value!r:.200}, and tokenizer={words.tokenizer!r:.200} ignores where words end; drop one"
            )


def _check_beside_sclite(options: Mapping[str, Any]) -> None:
    """Raises InputError for an option that compares other words than those that a transcript has between its blanks."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise InputError(f"sclite=True compares words as they are written, and {name} is {value!r:.60}; drop one")


class Wer(ErrorRateMetric):
    """WER is the number of wrong, missing and surplus words divided by the number of reference words.

    Returns:
        wer from 0, above 1 where much is inserted; edits and reference_length in words. With `detailed` mer, wil,
        wip, ser (segments with an error), substitutions, deletions, insertions, hits. With `weights` unweighted_wer,
        unweighted_edits, keyword_recall, keyword_precision, keywords (in the references), missed_keywords,
        unused_count, unused_keys.

    Examples:
        >>> wer = Wer()  # or evaluate.load("./metrics/wer.py")
        >>> texts = {"predictions": ["커피 한잔 주세요"], "references": ["커피 한 잔 주세요"]}
        >>> wer.compute(**texts)
        {'wer': 0.5, 'edits': 2, 'reference_length': 4}
        >>> wer.compute(**texts, space_normalized=True)["wer"]
        0.0
        >>> wer.compute(**texts, alignments="kaldi")["summary"]
        '%WER 50.00 [ 2 / 4, 0 ins, 1 del, 1 sub ]'
    """

    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = True
    USUAL_RANGE = (0, 2)
    USES_THREADS = True
    FEWEST_CHUNKS = 8
    PRESETS = WORD_PRESETS
    UNSAID = PLAIN_WORDS
    OF_ALL_CONVENTIONS = (
        "tokenizer", "lowercase", "normalization", "space_normalized", "compounds", "readings", "weights", "fillers",
        "drop_fillers", "aggregate", "sclite",
    )  # fmt: skip
    OPTIONS = OPTIONS

    def _prepare(self, columns, options):
        """Resolves the marks that sclite reads, and adds the rule of the comparison."""
        if options["sclite"]:
            cleaned = self._cleaned(columns, options)
            predictions, references, nearest = resolve_marked_words(cleaned["predictions"], cleaned["references"])
            columns = {**columns, "predictions": predictions, "references": references}
            options = {**options, "nearest": nearest}
        return super()._prepare(columns, options)

    def _signed(self, options):
        """Returns the options that a signature names; that edits are pooled goes without saying."""
        signed = super()._signed(options)
        if options["aggregate"] == "pooled":
            del signed["aggregate"]
        return signed

    _align = staticmethod(align_nearest)
    _names = staticmethod(names_of)
    _rule = staticmethod(rule_of)
