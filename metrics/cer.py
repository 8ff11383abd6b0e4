"""CER and CRR: the edit distance between characters divided by the reference's length (Korean document 003, "CER").

The document's definition: whitespace and special characters are removed, the distance is Levenshtein's, and the edits
and lengths of the corpus are added up first; CRR is 1 - CER. jiwer and Hugging Face keep spaces and punctuation, and
others have conventions of their own: see the option `preset`. Two conventions often give one Korean system rates that
differ more than two systems do, so report the signature with the rate. With the option `readings` what is read alike is
equal: the rate counts the fewest edits between any reading of one text and any reading of the other. With
`weights` phrases count more than the rest; see the card.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, clean_texts  # From: -e .
from textgauge.core.metric import check_width, error_rate  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.error_rates.conventions import (  # From: -e .
    BOUNDED,
    CONVENTIONS,
    SPECIAL,
    all_conventions,
    of_preset,
    with_preset,
)
from textgauge.error_rates.edit_alignments import (  # From: -e .
    ALIGNMENTS,
    alignment_text,
    confusions,
    pieces,
    summary_line,
)
from textgauge.error_rates.keywords import (  # From: -e .
    KEYWORDS,
    Keywords,
    check_keywords,
    compile_keywords,
    count_keywords,
    explain_keywords,
    keyword_rates,
    missed_keywords,
)
from textgauge.error_rates.korean_errors import PARTS, blocks_of, equal_blocks, locate_errors  # From: -e .
from textgauge.error_rates.pair_choice import Choice, Texts, choose, pair_texts  # From: -e .
from textgauge.error_rates.reading_choice import Pairs, by_characters, choose_readings, forgiven_edits  # From: -e .
from textgauge.korean.reading_networks import Alignment  # From: -e .
from textgauge.korean.reading_tables import READINGS, Readings, check_form, read_readings  # From: -e .
from textgauge.korean.reading_trees import KINDS  # From: -e .
from textgauge.korean.readings import Cleaning  # From: -e .
from textgauge.tokens.cleaning import PRESETS, clean_characters  # From: -e .

_TOP_CONFUSIONS = 20
_KEEP_ALL = Cleaning("keep", "keep", "syllable", "keep")
_COUNTS = ("substitutions", "deletions", "insertions", "hits")


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    spaces: str,
    special: str,
    unit: str,
    marks: str,
    ties: str,
    bounded: bool,
    detailed: bool,
    readings: Readings | None,
    keywords: Keywords | None,
) -> np.ndarray:
    """Returns rows [edits, reference length, rate (0 if infinite), 1 if the rate is infinite, 1].

    With `bounded` or `detailed` there follow substitutions, deletions, insertions and hits. With `detailed` there
    follow the edits of each part, see `locate_errors`, where nothing is removed from the texts. With `readings` there
    follow edits, denominator, rate and whether it is infinite of the texts as they are written, and with both the edits
    that each kind of notation would add. With `keywords` edits, lengths and rates are weighted; there follow the same
    without weights, the phrases in the reference, in the prediction and in both, and the denominator. Shape
    (n_segments, 5, 9 or 15, with readings 9, 13 or 26, with keywords 13, 17 or 23).
    """
    cleaning = Cleaning(spaces, special, unit, marks)
    with_counts = bounded or detailed
    chosen = _choose(predictions, references, bounded, ties, cleaning, readings, keywords, with_counts)
    columns = [_rate_columns(chosen.edits, chosen.denominators), np.ones(len(chosen.edits))]
    columns[0][:, 1] = chosen.lengths
    if with_counts:
        columns.append(chosen.counts)
    nearest = [row[index] for row, index in zip(references, chosen.indices, strict=True)] if detailed else []
    if detailed:
        columns.append(_locate(predictions, nearest, readings))
    if readings is not None:
        columns.append(_rate_columns(*chosen.literal.T))
        if detailed:
            comparison = by_characters(cleaning)
            columns.append(forgiven_edits(nearest, predictions, chosen.edits, readings, cleaning, comparison))
    if keywords is not None:
        literal = _rate_columns(*chosen.literal.T)
        columns += [literal, count_keywords(chosen.marked, keywords), chosen.denominators]
    return np.column_stack(columns).astype(np.float64)


def _rate_columns(edits: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Returns edits, denominators, rates (0 if infinite), and 1 where the rate is infinite: (n_segments, 4)."""
    rates = error_rate(edits, denominators)
    is_infinite = np.isinf(rates)
    return np.column_stack([edits, denominators, np.where(is_infinite, 0.0, rates), is_infinite])


def _choose(
    predictions: list[str],
    references: list[list[str]],
    bounded: bool,
    ties: str,
    cleaning: Cleaning,
    readings: Readings | None,
    keywords: Keywords | None,
    with_counts: bool = False,
) -> Choice:
    """Returns for each segment the closest reference, the prediction, and their edits; both texts are cleaned."""
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    repeated, flat, counts = pair_texts(clean_characters(texts, *cleaning), references)
    if readings is not None:
        written, others, _ = pair_texts(texts, references)
        pairs = Pairs(others, written, flat, repeated, counts)
        return choose_readings(pairs, readings, cleaning, by_characters(cleaning), bounded, ties, with_counts)
    return choose(Texts(flat, repeated, counts, keywords=keywords), bounded, ties, with_counts)


def _alignments(chosen: Choice, ties: str) -> Iterator[Alignment]:
    """Yields the alignment of each segment."""
    for row, pair in enumerate(zip(chosen.references, chosen.predictions, strict=True)):
        yield chosen.alignment(row, ties, pair)


def _locate(predictions: list[str], references: list[str], readings: Readings | None) -> np.ndarray:
    """Returns the edits of each part, (n_segments, 6); the texts keep everything except for blanks at the ends."""
    texts = clean_texts([*references, *predictions], lowercase=False, normalization="NFC")  # whole syllables
    if readings is None:
        texts = clean_characters(texts, *_KEEP_ALL)
        sides = texts[: len(references)], texts[len(references) :]
        return locate_errors(*sides, map(equal_blocks, *sides))
    pairs = [[text] for text in texts[: len(references)]]
    chosen = _choose(texts[len(references) :], pairs, False, "jiwer", _KEEP_ALL, readings, None, True)
    found = list(_alignments(chosen, "jiwer"))
    sides = ([_one_for_each(one[side]) for one in found] for side in (1, 2))
    return locate_errors(*sides, [blocks_of(one.runs) for one in found])


def _one_for_each(tokens: Sequence[str]) -> str:
    """Returns a character for each token: a notation that is shown as it is written may have more, or none."""
    return "".join(token[:1] or "0" for token in tokens)


def score(
    rows: np.ndarray, *, aggregate: str, bounded: bool, detailed: bool, readings: Readings | None, weights: Any
) -> dict[str, np.ndarray]:
    """Returns cer in [0, inf], or [0, 1] with `bounded`; crr = 1 - cer, down to -inf; edits and reference length.

    Without any reference text the rate is 0 if there is no edit, else inf. With `readings` also literal_cer and
    literal_edits, of the texts as they are written. With `detailed` the counts of each kind of edit, the edits of each
    part, and `kept_edits`, their sum; with both the edits that each kind of notation would add. With `weights` edits
    and length are weighted; there are also unweighted_cer, unweighted_edits, recall and precision of the phrases.
    """
    width = 15 if detailed else 9 if bounded else 5
    check_width(rows, width + (4 + len(KINDS) * detailed if readings is not None else 8 if weights else 0))
    edits, length = rows[..., 0], rows[..., 1]
    denominator = rows[..., -1] if weights else edits + rows[..., 8] if bounded else length
    cer = _rate(rows[..., :5], denominator, aggregate)
    result = {"cer": cer, "crr": 1 - cer, "edits": edits, "reference_length": length}
    if not weights:
        result.update({name: result[name].astype(np.int64) for name in ("edits", "reference_length")})
    if readings is not None or weights:
        name, literal = "unweighted" if weights else "literal", rows[..., width : width + 4]
        with_segments = np.concatenate([literal, rows[..., 4:5]], axis=-1)
        result[f"{name}_cer"] = _rate(with_segments, literal[..., 1], aggregate)
        result[f"{name}_edits"] = literal[..., 0].astype(np.int64)
    if weights:
        result.update(keyword_rates(rows[..., width + 4 : width + 7]))
    if detailed:
        counts = rows[..., 5:width].astype(np.int64)
        result.update({name: counts[..., index] for index, name in enumerate(_COUNTS)})
        result["kept_edits"] = counts[..., 4:].sum(-1)
        result.update({f"{part}_edits": counts[..., 4 + index] for index, part in enumerate(PARTS)})
        if readings is not None:
            saved = rows[..., width + 4 :].astype(np.int64)
            result.update({f"forgiven_{kind}_edits": saved[..., index] for index, kind in enumerate(KINDS)})
    return result


def _rate(columns: np.ndarray, denominator: np.ndarray, aggregate: str) -> np.ndarray:
    """Returns the pooled rate, or the mean of the segments', from sums of `_rate_columns` and their number."""
    if aggregate == "pooled":
        return error_rate(columns[..., 0], denominator)
    # a segment without reference text but with edits makes the mean infinite, as it is alone
    return np.where(columns[..., 3] > 0, np.inf, error_rate(columns[..., 2], columns[..., 4]))


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    spaces: str,
    special: str,
    unit: str,
    marks: str,
    ties: str,
    bounded: bool,
    readings: Readings | None,
    keywords: Keywords | None,
) -> dict[str, Any]:
    """Returns the texts of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, the cleaned texts; `reference_index`, which reference it is.
    With `readings` the texts are those of the readings that are nearest to each other, and `readings` says which these
    are: a list of ["reference" or "prediction", notation, reading]. With `weights` also `keywords`, see
    `explain_keywords`.
    """
    cleaning = Cleaning(spaces, special, unit, marks)
    chosen = _choose(predictions, references, bounded, ties, cleaning, readings, keywords)
    [found] = _alignments(chosen, ties)
    result = {
        "alignment": pieces(found.runs, found.reference, found.prediction, ""),
        "reference": "".join(found.reference),
        "prediction": "".join(found.prediction),
        "reference_index": chosen.indices[0],
    }
    if keywords is not None:
        result["keywords"] = explain_keywords(chosen.marked[0], found.runs, keywords)
    return result if readings is None else {**result, "readings": found.chosen}


def check(*, readings: Any, normalization: str | None, weights: Any) -> None:
    """Raises ValueError for a Unicode form without syllables to read, and for weights of readings."""
    check_form(readings, normalization)
    check_keywords(weights, readings)


class Cer(TextMetric):
    """CER is the number of wrong, missing and surplus characters divided by the number of reference characters.

    Returns:
        cer from 0, above 1 where much is inserted; crr, 1 - cer, possibly negative; edits and reference_length in
        characters. With `weights` unweighted_cer, unweighted_edits, keyword_recall, keyword_precision, keywords (in the
        references), missed_keywords.

    Examples:
        >>> cer = Cer()  # or evaluate.load("./metrics/cer.py")
        >>> texts = {"predictions": ["고양이가방에서 담을잔다."], "references": ["고양이가 방에서 잠을 잔다"]}
        >>> result = cer.compute(**texts)
        >>> round(result["cer"], 4), round(result["crr"], 4), result["edits"], result["reference_length"]
        (0.0909, 0.9091, 1, 11)
        >>> round(cer.compute(**texts, preset="jiwer")["cer"], 4)
        0.2857
        >>> cer.signature(preset="jiwer")
        'cer|nrefs:var|preset:jiwer|spaces:keep|special:keep|unit:syllable|case:mixed|norm:NFC|bounded:no|agg:pooled|v1.0'
    """

    CITATION = """\
@inproceedings{morris-etal-2004-wer,
    title = "From {WER} and {RIL} to {MER} and {WIL}: improved evaluation measures for connected speech recognition",
    author = "Morris, Andrew Cameron and Maier, Viktoria and Green, Phil",
    booktitle = "Interspeech 2004",
    year = "2004",
    pages = "2765--2768",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = True
    OPTIONS = {
        "preset": choice(
            None,
            "preset",
            "a published convention: None (spaces and special characters removed), `jiwer` (nothing "
            "removed, as in Hugging Face), `clovacall` (spaces removed), `ksponspeech` (marks of transcripts, "
            "punctuation and spaces removed, lower case) or `nlptutti` (punctuation and spaces removed, bounded). "
            "`spaces`, `special`, `unit` and `bounded` override it.",
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
            "`syllable`: each character; `jamo`: each Hangul syllable counts as its two or three jamo.",
            ("syllable", "jamo"),
        ),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "bounded": BOUNDED,
        "readings": READINGS,
        "weights": KEYWORDS,
        "aggregate": choice(
            "pooled",
            "agg",
            "`pooled`: all edits divided by all lengths; `mean` of the segments' rates.",
            ("pooled", "mean"),
        ),
        "detailed": flag("", "add counts, confusions, and what the errors of Korean text concern."),
        "conventions": CONVENTIONS,
        "alignments": ALIGNMENTS,
    }

    def _resolve(self, options):
        """Returns all options; what is not given has the preset's value, so that a signature states it."""
        return with_preset(options, PRESETS)

    def _prepare(self, columns, options):
        """Adds what only the preset decides, and the columns, which `_extras` needs."""
        preset = PRESETS[options["preset"]]
        options = {**options, "columns": columns, "given": options["readings"], "keywords": None}
        options.update(marks=preset["marks"], ties=preset["ties"])
        if options["readings"] is not None:
            options["readings"] = read_readings(options["readings"])
        if not options["weights"]:
            return columns, options

        def clean(phrases: list[str]) -> list[str]:
            texts = clean_texts(phrases, lowercase=options["lowercase"], normalization=options["normalization"])
            return clean_characters(texts, *(options[name] for name in Cleaning._fields))

        return columns, {**options, "keywords": compile_keywords(options["weights"], clean)}

    def _extras(self, result, options):
        """Returns missed phrases, confusions, alignments and other conventions."""
        extras = {}
        if options["keywords"] is not None:
            extras["missed_keywords"] = missed_keywords(options["keywords"])
        if options["detailed"] or options["alignments"]:
            extras.update(self._aligned(options))
        if options["conventions"]:
            kept = ("lowercase", "normalization", "readings", "weights", "aggregate")
            options = {**options, "readings": options["given"]}
            extras["conventions"] = all_conventions(self, PRESETS, options, kept, result["cer"])
        return extras

    def _aligned(self, options):
        """Returns the most frequent confusions, and the alignments in the form that is asked for."""
        cleaning = Cleaning(*(options[name] for name in Cleaning._fields))
        rule = {name: options[name] for name in ("bounded", "ties", "readings", "keywords")}
        columns, form = self._cleaned(options["columns"], options), options["alignments"]
        with_counts = form in ("sclite", "kaldi") or options["readings"] is not None
        chosen = _choose(**columns, **rule, cleaning=cleaning, with_counts=with_counts)
        aligned = _alignments(chosen, options["ties"])
        segments = (found[:3] for found in aligned)
        segments = list(segments) if form else segments
        result = {"confusions": confusions(segments, _TOP_CONFUSIONS)} if options["detailed"] else {}
        if form == "pieces":
            result["alignments"] = [pieces(*segment, "") for segment in segments]
        elif form:
            result["alignments"] = [alignment_text(form, row, *segment) for row, segment in enumerate(segments)]
            counts, edits = chosen.counts.sum(0).tolist(), chosen.edits
            result["summary"] = summary_line(form, "CER", counts, len(edits), int((edits > 0).sum()))
        return result
