"""WER: the edit distance between words divided by the number of words in the reference, and related rates.

The distance is Levenshtein's, and the edits and words of the corpus are added up first; MER, WIL and WIP are defined by
Morris et al. (2004). jiwer and Hugging Face's `wer` compute the same. sWER (`space_normalized`) is that of KsponSpeech
(Bang et al. 2020) and ESPnet. Joined words (`compounds`) are those of kaldialign, and the presets follow nlptutti and
ESPnet. Phrases with weights extend the WWER of Nanjo, Misu and Kawahara (2005), who weigh words. With the option
`readings` what is read alike is equal: the fewest edits between any reading of one text and any reading of the other
count, and a reading says where its words end.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, lengths_of  # From: -e .
from textgauge.core.metric import error_rate  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag  # From: -e .
from textgauge.error_rates.conventions import BOUNDED, CONVENTIONS, SPECIAL  # From: -e .
from textgauge.error_rates.details import COUNTS, REMOVED, SIGNS, detailed_values, kind_columns  # From: -e .
from textgauge.error_rates.edit_alignments import ALIGNMENTS  # From: -e .
from textgauge.error_rates.error_rate import (  # From: -e .
    ErrorRateMetric,
    Rule,
    bare_rates,
    column_names,
    columns_of,
    explanation_of,
    named_columns,
    rows_of,
    values_of,
)
from textgauge.error_rates.keywords import KEYWORDS  # From: -e .
from textgauge.error_rates.number_marks import Places  # From: -e .
from textgauge.error_rates.pair_choice import Choice, Texts, choose, repeat  # From: -e .
from textgauge.error_rates.phrase_marks import places_of  # From: -e .
from textgauge.error_rates.read_pairs import by_words  # From: -e .
from textgauge.error_rates.reading_choice import Pairs, choose_readings  # From: -e .
from textgauge.error_rates.spacing import take_spacing  # From: -e .
from textgauge.error_rates.word_kinds import word_kinds  # From: -e .
from textgauge.korean.reading_networks import Alignment  # From: -e .
from textgauge.korean.reading_tables import READINGS, check_form  # From: -e .
from textgauge.korean.reading_words import WORD_CLEANING  # From: -e .
from textgauge.tokens.cleaning import WORD_PRESETS, clean_characters  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER, Chunk, as_strings, encode_chunk, split_texts, tokenize  # From: -e .


def statistics(predictions: list[str], references: list[list[str]], *, rule: Rule, detailed: bool) -> np.ndarray:
    """Returns rows of edits and words in the reference, (n_segments, 2); options add the columns of `column_names`.

    With `bounded` there follows the denominator; with `detailed` the counts of each step, the edits that the removal of
    marks inside numbers hides, those of each of `ERROR_KINDS`, those that are removed with punctuation, 1 if there is
    an edit, and 1, and with `compounds` the words of the prediction; with `readings` or `weights` edits and denominator
    without them; with `weights` the phrases in the reference, in the prediction and in both.
    """
    found, texts = _choose(predictions, references, rule, detailed)
    columns = columns_of(found, rule, detailed)
    if detailed:
        nearest = [row[index] for row, index in zip(references, found.indices, strict=True)]
        kinds = word_kinds(found, *texts, rule.tokenizer, rule.ties)
        columns |= kind_columns(kinds, predictions, nearest, found, rule.cleaning.marks)
        columns[REMOVED[1]] = _removed_edits(predictions, nearest, rule)
        columns[SIGNS] = rule.sign_edits(predictions, nearest, lambda own: tokenize(_clean(own, rule), rule.tokenizer))
    columns |= {"wrong segments": found.edits > 0, "segments": np.ones(len(found.edits))}
    if detailed and rule.compounds:
        columns["predicted"] = lengths_of(found.predictions)
    own = _own_details(rule.compounds)
    names = column_names(
        bounded=rule.bounded, detailed=detailed, readings=rule.readings, weights=rule.keywords, own_details=own
    )
    return rows_of(columns, names)


def _own_details(compounds: str | None) -> list[str]:
    """Returns the columns that only WER has."""
    names = [REMOVED[1], "wrong segments", "segments"]
    return names if compounds is None else [*names, "predicted"]


def _removed_edits(predictions: list[str], references: list[str], rule: Rule) -> np.ndarray:
    """Returns the edits that the removal of special characters hides, (n_segments,)."""
    rule, single = rule._replace(keywords=None, readings=None, finder=None), [[text] for text in references]
    kept = rule._replace(cleaning=rule.cleaning._replace(special="keep"))
    return np.maximum(_choose(predictions, single, kept)[0].edits - _choose(predictions, single, rule)[0].edits, 0)


def _choose(
    predictions: list[str], references: list[list[str]], rule: Rule, with_counts: bool = False
) -> tuple[Choice, tuple[list[str], list[str]]]:
    """Returns for each segment the closest reference, the prediction and their edits, and what they come from.

    Both are strings with one character for each word. What they come from is the text of every reference, and that of
    its prediction, with the reference's spacing if asked.
    """
    counts = lengths_of(references)
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    with_counts = with_counts or rule.bounded
    cleaned = _clean(texts, rule)
    repeated, flat = _paired(cleaned, counts, rule)
    chunk = encode_chunk(repeated, list(zip(flat, strict=True)), rule.tokenizer)
    strings = as_strings(chunk)
    own, others = strings[: len(flat)], strings[len(flat) :]
    how = {"bounded": rule.bounded, "ties": rule.ties, "with_counts": with_counts}
    if rule.readings is not None:
        written = (repeated, flat) if cleaned is texts else _paired(texts, counts, rule)
        pairs = Pairs(*written[::-1], others, own, counts)
        found = choose_readings(pairs, rule.readings, rule.cleaning, by_words(), rule.finder, **how)
    else:
        is_merged = rule.compounds is not None
        words = _words(chunk, len(flat)) if is_merged or rule.keywords is not None else ()
        places = _places(texts, words, counts, rule)
        found = choose(Texts(others, own, counts, words, rule.keywords, places, is_merged), **how)
    return found, (flat, repeated)


def _clean(texts: list[str], rule: Rule) -> list[str]:
    """Returns the texts without what the convention removes."""
    if (rule.cleaning.special, rule.cleaning.marks) == ("keep", "keep"):
        return texts
    return clean_characters(texts, *rule.cleaning._replace(spaces="keep"))


def _paired(texts: list[str], counts: np.ndarray, rule: Rule) -> tuple[list[str], list[str]]:
    """Returns for each reference the prediction of its segment, with the reference's spacing if asked, and it."""
    repeated, flat = repeat(texts[: len(counts)], counts), texts[len(counts) :]
    return take_spacing(repeated, flat) if rule.space_normalized else repeated, flat


def _places(
    texts: list[str], words: Sequence[tuple[list[str], list[str]]], counts: np.ndarray, rule: Rule
) -> tuple[Sequence[Places], ...]:
    """Returns where marks were inside the numbers of each reference and its prediction, where phrases have numbers."""
    if rule.keywords is None:
        return (), ()
    written = _paired(texts, counts, rule)[::-1]
    characters = [["".join(pair[side]) for pair in words] for side in (0, 1)]
    return tuple(places_of(*side, rule.keywords) for side in zip(written, characters, strict=True))


def _words(chunk: Chunk, size: int) -> list[tuple[list[str], list[str]]]:
    """Returns the words of each reference and of its prediction."""
    words = np.array(chunk.tokens.vocabulary.to_pylist(), dtype=object)[chunk.tokens.ids].tolist()
    sides = split_texts(words, chunk.tokens.lengths)
    return list(zip(sides[size:], sides[:size], strict=True))


def align(
    predictions: list[str], references: list[list[str]], rule: Rule, with_counts: bool = False
) -> tuple[Choice, list[Alignment]]:
    """Returns the closest reference of each segment, and its alignment."""
    found, texts = _choose(predictions, references, rule, with_counts)
    tokens = tokenize([side[pair] for pair in found.chosen for side in texts], rule.tokenizer)
    pairs = zip(tokens[::2], tokens[1::2], strict=True)
    return found, [found.alignment(row, rule.ties, pair) for row, pair in enumerate(pairs)]


def score(
    rows: np.ndarray, *, bounded: bool, detailed: bool, compounds: str | None, readings: Any, weights: Any
) -> dict[str, np.ndarray]:
    """Returns wer in [0, inf], or [0, 1] with `bounded`, the edits and the words of the references.

    Without any reference word wer is 0 if there is no edit, else inf. With `readings` also literal_wer and
    literal_edits, of the texts as they are written. With `weights` edits and words are weighted, and there are also
    unweighted_wer, unweighted_edits and the recall and precision of the phrases. With `detailed` there are also mer,
    wil, wip and ser (the share of segments with an edit), all in [0, 1], and what `detailed_values` returns. wip is 1
    for two empty texts.
    """
    own = _own_details(compounds)
    names = column_names(bounded=bounded, detailed=detailed, readings=readings, weights=weights, own_details=own)
    columns = named_columns(rows, names)
    denominator = columns["denominator" if bounded else "length"]
    wer = error_rate(columns["edits"], denominator)
    bare = {
        which: error_rate(columns[f"{which} edits"], columns[f"{which} denominator"])
        for which in bare_rates(readings, weights)
    }
    result = {"wer": wer, **values_of(columns, "wer", bare, weights)}
    if not detailed:
        return result
    return {**result, **_shares(columns), **detailed_values(columns, "wer", denominator, readings)}


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


def explain(predictions: list[str], references: list[list[str]], *, rule: Rule) -> dict[str, Any]:
    """Returns the words of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, lists of words; `reference_index`, which reference it is. With
    `readings` the words are those of the readings that are nearest to each other, and `readings` says which these are:
    a list of ["reference" or "prediction", notation, reading]. With `compounds` words that are joined in one text are a
    piece of their own. With `weights` also `keywords`, see `explain_keywords`.
    """
    chosen, [found] = align(predictions, references, rule)
    return explanation_of(chosen, found, rule, " ")


def check(*, readings: Any, normalization: str | None, tokenizer: Any, compounds: str | None) -> None:
    """Raises ValueError for options with which nothing can be read."""
    check_form(readings, normalization)
    if readings is not None and tokenizer != "whitespace":
        raise ValueError(f"readings needs tokenizer='whitespace', and tokenizer is {tokenizer!r}")
    if readings is not None and compounds is not None:
        raise ValueError("compounds has no meaning with readings, which say themselves where words may end; drop one")


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
    PRESETS = WORD_PRESETS
    OF_ALL_CONVENTIONS = (
        "tokenizer", "lowercase", "normalization", "space_normalized", "compounds", "readings", "weights"
    )  # fmt: skip
    JOINT = " "
    OPTIONS = {
        "preset": choice(
            None,
            "preset",
            "a published convention: None (nothing removed, as in jiwer and Hugging Face), `ksponspeech` (marks of "
            "transcripts and punctuation removed, lower case) or `nlptutti` (punctuation removed, bounded). `special` "
            "and `bounded` override it.",
            tuple(WORD_PRESETS),
        ),
        "tokenizer": TOKENIZER._replace(default="whitespace"),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "special": SPECIAL,
        "space_normalized": flag(
            "swer", "sWER: give the prediction the reference's spacing first, so that spaces are not errors."
        ),
        "compounds": choice(
            None,
            "compounds",
            "`merge`: adjacent words that are one word of the other text are no error, as `white paper` and "
            "`whitepaper`.",
            (None, "merge"),
        ),
        "bounded": BOUNDED,
        "readings": READINGS,
        "weights": KEYWORDS,
        "detailed": flag("", "add mer, wil, wip, ser, counts, and of which kind the edits are."),
        "conventions": CONVENTIONS,
        "alignments": ALIGNMENTS,
    }

    _align = staticmethod(align)

    @staticmethod
    def _rule(options, preset):
        cleaning = WORD_CLEANING._replace(special=options["special"], marks=preset["marks"])
        words = {name: options[name] for name in ("tokenizer", "space_normalized", "compounds")}
        return Rule(cleaning, options["bounded"], preset["ties"], None, **words)

    @staticmethod
    def _compared(texts, rule):
        return list(map("".join, tokenize(_clean(texts, rule), rule.tokenizer)))

    def _signed(self, options):
        """Returns the options that a signature names: that nothing is removed goes without saying."""
        is_plain = (options["preset"], options["special"], options["bounded"]) == (None, "keep", False)
        hidden = ("special", "bounded") if is_plain else ()
        return {name: option for name, option in self.OPTIONS.items() if name not in hidden}
