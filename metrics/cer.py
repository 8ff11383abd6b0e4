"""CER and CRR: the edit distance between characters divided by the reference's length (Korean document 003, "CER").

The document's definition: whitespace and special characters are removed, the distance is Levenshtein's, and the edits
and lengths of the corpus are added up first; CRR is 1 - CER. jiwer and Hugging Face keep spaces and punctuation, and
others have conventions of their own: see the option `preset`. Two conventions often give one Korean system rates that
differ more than two systems do, so report the signature with the rate. With the option `readings` what is read alike is
equal: the rate counts the fewest edits between any readings of the two texts. With `weights` phrases count more.
"""

import itertools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag  # From: -e .
from textgauge.core.phrase_counts import RowsWithPhrases  # From: -e .
from textgauge.edits.distances import Alignment  # From: -e .
from textgauge.error_rates.conventions import AGGREGATE, BOUNDED, CONVENTIONS, SPECIAL, of_preset  # From: -e .
from textgauge.error_rates.details import REMOVED, detail_columns, detailed_values  # From: -e .
from textgauge.error_rates.edit_alignments import ALIGNMENTS  # From: -e .
from textgauge.error_rates.error_rate import ErrorRateMetric  # From: -e .
from textgauge.error_rates.explanations import explanation_of  # From: -e .
from textgauge.error_rates.nearest.choice import Choice, choose  # From: -e .
from textgauge.error_rates.nearest.pairs import ComparedTexts, Texts, pair_texts  # From: -e .
from textgauge.error_rates.nearest.rule import Rule, Sides  # From: -e .
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
from textgauge.korean.readings import Cleaning  # From: -e .
from textgauge.tokens.cleaning import PRESETS  # From: -e .

OPTIONS = {
    "preset": choice(
        None,
        "preset",
        "a published convention: None (spaces and special characters removed), `jiwer` (nothing removed, as in "
        "Hugging Face), `clovacall` (spaces removed), `mixed` (unit mixed), `ksponspeech` (marks of transcripts, "
        "punctuation and spaces removed, lower case), `whisper` (its basic normaliser) or `nlptutti` (punctuation "
        "and spaces removed, bounded). `spaces`, `special`, `unit` and `bounded` override it.",
        tuple(PRESETS),
    ),
    "spaces": of_preset(
        "spaces",
        "`remove`; `keep`, except at the ends of a text; `collapse`: several in a row become one blank.",
        ("remove", "keep", "collapse"),
    ),
    "special": SPECIAL,
    "unit": of_preset(
        "unit",
        "`syllable`: each character; `jamo`: each Hangul syllable counts as its two or three jamo; `mixed`: "
        "characters of Hangul, kana and ideographs, and words of other scripts, which blanks end.",
        ("syllable", "jamo", "mixed"),
    ),
    "lowercase": LOWERCASE,
    "normalization": NORMALIZATION,
    "bounded": BOUNDED,
    "readings": READINGS,
    "weights": KEYWORDS,
    "fillers": OWN_FILLERS,
    "drop_fillers": DROP_FILLERS,
    "aggregate": AGGREGATE,
    "detailed": flag("", "add counts, confusions, and the kinds of the edits."),
    "conventions": CONVENTIONS,
    "alignments": ALIGNMENTS,
}
_OWN_COLUMNS = OwnColumns(always=(*RATES, "segments"), detailed=(*REMOVED, *RATES_WITHOUT))


def rule_of(options: Mapping[str, Any], preset: Mapping[str, Any]) -> Rule:
    """Returns the rule of options, without readings and phrases.

    >>> rule_of(PRESETS["nlptutti"], PRESETS["nlptutti"]).clean(["네, 3시!"])
    ['네3시']
    """
    is_mixed = options["unit"] == "mixed"
    unit = "syllable" if is_mixed else options["unit"]
    cleaning = Cleaning(options["spaces"], options["special"], unit, preset["marks"])
    return Rule(cleaning, options["bounded"], preset["ties"], tokenizer="mixed" if is_mixed else None)


def statistics(predictions: list[str], references: list[list[str]], *, rule: Rule, detailed: bool) -> RowsWithPhrases:
    """Returns rows of edits, reference length, rate (0 if infinite), 1 if it is infinite, and 1; shape (n_segments, 5).

    `names_of` has the columns that options add: with `bounded` the denominator; with `detailed` counts of each step,
    the edits of each of `ERROR_KINDS`, those that what is removed hides, and rates without a kind; with `readings` or
    `weights` edits, denominator, rate and 1 if it is infinite without them; with `weights` the phrases in reference,
    prediction, both. With `weights` the phrases that each segment has are beside the rows.

    >>> statistics(["한굴"], [["한글"]], rule=rule_of(PRESETS[None], PRESETS[None]), detailed=False).rows.tolist()
    [[1.0, 2.0, 0.5, 0.0, 1.0]]
    """
    compared = ComparedTexts(predictions, references)
    if rule.readings is not None or rule.fillers.are_dropped:
        compared = compared_texts(predictions, references, rule)
    choice, _ = choose_texts(compared, rule, detailed)
    columns, phrases = columns_of(choice, rule, detailed=detailed, with_rates=True)
    if detailed:
        columns |= detail_columns(predictions, references, compared, choice, rule, align)
        columns |= segment_rates_without(columns, choice.pairs.denominators)
    rate = RateOptions("pooled", rule.bounded, None, rule.keywords)  # rows are the same for a mean
    rows = rows_of(columns, names_of(rate=rate, detailed=detailed))
    if rule.readings is not None:
        literal = statistics(predictions, references, rule=rule._replace(readings=None), detailed=False)
        rows = np.hstack([rows, literal.rows])
    return RowsWithPhrases(rows, phrases)


def names_of(*, rate: RateOptions, detailed: bool) -> tuple[str, ...]:
    """Returns the names of the columns of a row.

    >>> names_of(rate=RateOptions("pooled", bounded=False, readings=None, weights=None), detailed=False)
    ('edits', 'length', 'rate', 'infinite', 'segments')
    """
    return column_names(_OWN_COLUMNS, rate, detailed)


def choose_texts(compared: ComparedTexts, rule: Rule, with_counts: bool = False) -> tuple[Choice, Sides | None]:
    """Returns the closest reference of each segment and its edits; with the unit "mixed" also what both come from.

    >>> compared = ComparedTexts(["한굴"], [["국어", "한글!"]])
    >>> choose_texts(compared, rule_of(PRESETS[None], PRESETS[None]))[0].references
    ['한글']
    """
    if rule.tokenizer is not None:
        return choose_words(compared, rule, with_counts)
    characters = _characters(compared.predictions, compared.references, rule)
    canonical = None
    if compared.canonical is not None:
        canonical = _characters(compared.canonical, [[text] for text in compared.canonical], rule)
    return choose(characters, rule, with_counts, canonical), None


def _characters(predictions: list[str], references: list[list[str]], rule: Rule) -> Texts:
    """Returns the characters of all pairs that are compared."""
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    repeated, flat, counts = pair_texts(rule.clean(texts), references)
    compared = Texts(flat, repeated, counts)
    if rule.keywords is not None:
        written_predictions, written_references, _ = pair_texts(texts, references)
        compared = compared._replace(written=(written_references, written_predictions))
    return compared


def align(compared: ComparedTexts, rule: Rule, with_counts: bool = False) -> tuple[Choice, Iterable[Alignment]]:
    """Returns the closest reference of each segment, and its alignment; see `choose_texts`.

    >>> _, alignments = align(ComparedTexts(["한굴"], [["한글!"]]), rule_of(PRESETS[None], PRESETS[None]))
    >>> [alignment.runs for alignment in alignments]
    [[('equal', 0, 1, 0, 1), ('substitute', 1, 2, 1, 2)]]
    """
    if rule.tokenizer is not None:
        return align_nearest(compared, rule, with_counts)
    chosen, _ = choose_texts(compared, rule, with_counts)
    pairs = zip(chosen.references, chosen.predictions, strict=True)
    return chosen, (chosen.alignment(row, rule.ties, pair) for row, pair in enumerate(pairs))


def score(rows: np.ndarray, *, rate: RateOptions, detailed: bool) -> dict[str, np.ndarray]:
    """Returns cer in [0, inf], or [0, 1] with `bounded`, crr = 1 - cer, edits and length, for rows (..., 5 or more).

    Without reference text it is 0 without an edit, else inf. `readings` add literal_cer and literal_edits; `weights`
    weigh edits and length, and add unweighted_cer, unweighted_edits, and rates of phrases; `detailed` adds details.

    >>> {key: value.tolist() for key, value in Cer().score([[1, 2, 0.5, 0, 1], [0, 3, 0, 0, 1]]).items()}
    {'cer': [0.5, 0.0], 'crr': [0.5, 1.0], 'edits': [1, 0], 'reference_length': [2, 3]}
    """
    columns = named_columns(rows, names_of(rate=rate, detailed=detailed))
    values = rate_values(columns, "cer", rate)
    cer = values.pop("cer")
    result = {"cer": cer, "crr": 1 - cer, **values}
    if detailed:
        without = rates_without(columns, rate)
        result |= detailed_values(columns, "cer", without, rate.weights)
    return result


def explain(predictions: list[str], references: list[list[str]], *, rule: Rule) -> dict[str, Any]:
    """Returns the texts of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, the cleaned texts, or with the unit "mixed" lists of what is
    compared; `reference_index`, which reference it is. With `readings` the texts are the nearest readings; `readings`
    is a list of [side, notation, reading] and `written` of [side, first character, the one behind the last, what the
    text has there], where a side is "reference" or "prediction". With `weights` also `keywords`.

    >>> explain(["한굴"], [["한글!"]], rule=rule_of(PRESETS[None], PRESETS[None]))["alignment"]
    [['equal', '한', '한'], ['substitute', '글', '굴']]
    """
    compared = compared_texts(predictions, references, rule)
    choice, [alignment] = align(compared, rule)
    [pair] = nearest_pairs(compared, choice)
    result = explanation_of(choice, alignment, rule, pair)
    if rule.tokenizer is not None:
        return result
    return {**result, "reference": "".join(result["reference"]), "prediction": "".join(result["prediction"])}


class CharacterOptions(NamedTuple):
    """The options that say which characters of a text are compared, and as what."""

    readings: Any
    normalization: str | None
    unit: str | None
    spaces: str | None
    preset: str | None


def check(*, characters: CharacterOptions) -> None:
    """Raises InputError for a Unicode form without syllables to read, and for what cannot be done with words."""
    check_form(characters.readings, characters.normalization)
    if characters.unit != "mixed":
        return
    if characters.readings is not None:
        raise InputError("readings compare characters, but unit is 'mixed', as in preset='mixed'; drop one")
    if characters.spaces != PRESETS[characters.preset]["spaces"]:
        raise InputError(
            f"spaces is {characters.spaces!r}, but with unit 'mixed', as in preset='mixed', blanks only separate "
            "words; drop one"
        )


class Cer(ErrorRateMetric):
    """CER is the number of wrong, missing and surplus characters divided by the number of reference characters.

    Returns:
        cer from 0, above 1 where much is inserted; crr, 1 - cer, possibly negative; edits and reference_length in
        characters. With `weights` unweighted_cer, unweighted_edits, keyword_recall, keyword_precision, keywords (in the
        references), missed_keywords, unused_count, unused_keys. With `detailed` also sign_edits: 15 for 1.5.

    Examples:
        >>> cer = Cer()  # or evaluate.load("./metrics/cer.py")
        >>> texts = {"predictions": ["고양이가방에서 담을잔다."], "references": ["고양이가 방에서 잠을 잔다"]}
        >>> {key: round(value, 4) for key, value in cer.compute(**texts).items()}
        {'cer': 0.0909, 'crr': 0.9091, 'edits': 1, 'reference_length': 11}
        >>> round(cer.compute(**texts, preset="jiwer")["cer"], 4)
        0.2857
    """

    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = True
    USUAL_RANGE = (0, 2)
    USES_THREADS = True
    PRESETS = PRESETS
    OF_ALL_CONVENTIONS = (
        "lowercase", "normalization", "readings", "weights", "fillers", "drop_fillers", "aggregate"
    )  # fmt: skip
    HAS_CONFUSIONS = True
    OPTIONS = OPTIONS

    _align = staticmethod(align)
    _names = staticmethod(names_of)
    _rule = staticmethod(rule_of)
