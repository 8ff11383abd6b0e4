"""WER: the edit distance between words divided by the number of words in the reference, and related rates.

The distance is Levenshtein's, and the edits and words of the corpus are added up first; MER, WIL and WIP are defined by
Morris et al. (2004). jiwer and Hugging Face's `wer` compute the same. sWER (`space_normalized`) is that of KsponSpeech
(Bang et al. 2020) and ESPnet. With the option `readings` what is read alike is equal: the fewest edits between any
reading of one text and any reading of the other count, and a reading says where its words end.
"""

import itertools
from typing import Any

import numpy as np

from ._bootstrap import resample as resample
from ._cleaning import clean_characters as clean_characters
from ._columns import REFERENCES
from ._columns import TEXTS
from ._columns import lengths_of
from ._edit_alignments import ALIGNMENTS
from ._edit_alignments import alignment_text
from ._edit_alignments import pieces
from ._edit_alignments import summary_line
from ._edits import align
from ._edits import closest_references
from ._edits import count_edits
from ._edits import error_rate
from ._edits import repeat
from ._edits import take_spacing
from ._korean_notations import find_notations as find_notations
from ._korean_numerals import sino as sino
from ._korean_patterns import NOTATION as NOTATION
from ._korean_readings import UNITS as UNITS
from ._korean_units import with_unit as with_unit
from ._metric import Metric as Metric
from ._morphemes import kiwi_analyser as kiwi_analyser
from ._network_edits import edit_table as edit_table
from ._networks import Network as Network
from ._options import LOWERCASE
from ._options import NORMALIZATION
from ._options import flag
from ._reading_choice import Chosen
from ._reading_choice import Pairs
from ._reading_choice import by_words
from ._reading_choice import choose_readings
from ._reading_choice import forgiven_edits
from ._reading_networks import Alignment
from ._reading_tables import READINGS
from ._reading_tables import Readings
from ._reading_tables import check_form
from ._reading_tables import read_readings
from ._reading_trees import KINDS
from ._reading_words import WORD_CLEANING
from ._readings import has_notation as has_notation
from ._references import best_references as best_references
from ._signature import VERSION as VERSION
from ._text_metric import TextMetric
from ._text_metric import check_width
from ._threads import thread_count as thread_count
from ._tokens import TOKENIZER
from ._tokens import as_strings
from ._tokens import encode_chunk
from ._tokens import tokenize
from ._words import MTEVAL as MTEVAL

_COUNTS = ("substitutions", "deletions", "insertions", "hits")


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokenizer: Any,
    space_normalized: bool,
    detailed: bool,
    readings: Readings | None,
) -> np.ndarray:
    """Returns rows [edits, words in the reference], (n_segments, 2).

    With `detailed` six more: substitutions, deletions, insertions, hits, 1 if there is an edit, and 1. With `readings`
    two more: edits and words of the texts as they are written; and with both the edits that each kind of notation would
    add.
    """
    chosen, texts = _choose(predictions, references, tokenizer, space_normalized, readings, detailed)
    columns = [chosen.edits, chosen.lengths]
    if detailed:
        columns += [chosen.counts, chosen.edits > 0, np.ones(len(chosen.edits))]
    if readings is not None:
        columns.append(chosen.literal)
        if detailed:
            columns.append(forgiven_edits(*zip(*texts, strict=True), chosen.edits, readings, WORD_CLEANING, by_words()))
    return np.column_stack(columns).astype(np.float64)


def _choose(
    predictions: list[str],
    references: list[list[str]],
    tokenizer: Any,
    space_normalized: bool,
    readings: Readings | None,
    with_counts: bool = False,
) -> tuple[Chosen, list[tuple[str, str]]]:
    """Returns for each segment the closest reference, the prediction and their edits, and what they come from.

    Both are strings with one character for each word. What they come from is the text of the reference, and the text of
    the prediction, with the reference's spacing if asked.
    """
    counts = lengths_of(references)
    flat = list(itertools.chain.from_iterable(references))
    repeated = repeat(predictions, counts)
    if space_normalized:
        repeated = list(map(take_spacing, repeated, flat))
    strings = as_strings(encode_chunk(repeated, [[reference] for reference in flat], tokenizer))
    own, others = strings[: len(flat)], strings[len(flat) :]
    if readings is not None:
        pairs = Pairs(flat, repeated, others, own, counts)
        found = choose_readings(pairs, readings, WORD_CLEANING, by_words(), with_counts=with_counts)
        chosen = np.cumsum(counts) - counts + np.array(found.indices, dtype=np.int64)
    else:
        chosen, edits, indices = closest_references(own, others, counts)
        texts = [others[at] for at in chosen.tolist()], [own[at] for at in chosen.tolist()]
        steps = count_edits(*texts, edits) if with_counts else None
        literal = np.zeros((len(edits), 2))  # nobody asks for it
        found = Chosen(*texts, {}, edits, lengths_of(texts[0]), steps, indices.tolist(), {}, literal)
    return found, [(flat[at], repeated[at]) for at in chosen.tolist()]


def _aligned(found: Chosen, texts: list[tuple[str, str]], tokenizer: Any) -> list[Alignment]:
    """Returns the alignment of each segment."""
    tokens = tokenize([text for pair in texts for text in pair], tokenizer)
    runs = map(align, found.references, found.predictions)
    aligned = [Alignment(*both, []) for both in zip(runs, tokens[::2], tokens[1::2], strict=True)]
    for row, pair in found.pairs.items():
        aligned[row] = found.aligned.get(row) or by_words().align(*pair)
    return aligned


def score(rows: np.ndarray, *, detailed: bool, readings: Readings | None) -> dict[str, np.ndarray]:
    """Returns wer in [0, inf], the edits and the words of the references.

    Without any reference word wer is 0 if there is no edit, else inf. With `readings` also literal_wer and
    literal_edits, of the texts as they are written. With `detailed` there are also mer, wil, wip and ser (the share of
    segments with an edit), all in [0, 1], and the counts of edits. wip is 1 for two empty texts. With both also
    the edits that each kind of notation would add.
    """
    width = 8 if detailed else 2
    check_width(rows, width if readings is None else width + 2 + len(KINDS) * detailed)
    edits, length = rows[..., 0], rows[..., 1]
    result = {
        "wer": error_rate(edits, length),
        "edits": edits.astype(np.int64),
        "reference_length": length.astype(np.int64),
    }
    if readings is not None:
        literal = rows[..., width]
        result["literal_wer"] = error_rate(literal, rows[..., width + 1])
        result["literal_edits"] = literal.astype(np.int64)
    if readings is not None and detailed:
        saved = rows[..., width + 2 :].astype(np.int64)
        result.update({f"forgiven_{kind}_edits": saved[..., index] for index, kind in enumerate(KINDS)})
    if detailed:
        counts = dict(zip(_COUNTS, np.moveaxis(rows[..., 2:6], -1, 0), strict=True))
        hits = counts["hits"]
        predicted = hits + counts["substitutions"] + counts["insertions"]
        # both rates are 0 without a hit, except where there is no word
        preserved = np.where(length + predicted > 0, error_rate(hits, length) * error_rate(hits, predicted), 1.0)
        result["mer"] = error_rate(edits, edits + hits)
        result.update({"wil": 1 - preserved, "wip": preserved, "ser": error_rate(rows[..., 6], rows[..., 7])})
        result.update({name: values.astype(np.int64) for name, values in counts.items()})
    return result


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokenizer: Any,
    space_normalized: bool,
    readings: Readings | None,
) -> dict[str, Any]:
    """Returns the words of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, lists of words; `reference_index`, which reference it is. With
    `readings` the words are those of the readings that are nearest to each other, and `readings` says which these are:
    a list of ["reference" or "prediction", notation, reading].
    """
    chosen, texts = _choose(predictions, references, tokenizer, space_normalized, readings)
    [found] = _aligned(chosen, texts, tokenizer)
    result = {
        "alignment": pieces(found.runs, found.reference, found.prediction, " "),
        "reference": found.reference,
        "prediction": found.prediction,
        "reference_index": chosen.indices[0],
    }
    return result if readings is None else {**result, "readings": found.chosen}


def check(*, readings: Any, normalization: str | None, tokenizer: Any) -> None:
    """Raises ValueError for a Unicode form or a tokenizer with which nothing can be read."""
    check_form(readings, normalization)
    if readings is not None and tokenizer != "whitespace":
        raise ValueError(f"readings needs tokenizer='whitespace', and tokenizer is {tokenizer!r}")


class Wer(TextMetric):
    """WER is the number of wrong, missing and surplus words divided by the number of reference words.

    Returns:
        wer from 0, above 1 where much is inserted; edits and reference_length in words. With `detailed` mer, wil,
        wip, ser (segments with an error), substitutions, deletions, insertions, hits.

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
    USES_THREADS = True
    OPTIONS = {
        "tokenizer": TOKENIZER._replace(default="whitespace"),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "space_normalized": flag(
            "swer", "sWER: give the prediction the reference's spacing first, so that spaces are not errors."
        ),
        "readings": READINGS,
        "detailed": flag("", "add mer, wil, wip, ser and the counts of each kind of edit."),
        "alignments": ALIGNMENTS,
    }

    def _prepare(self, columns, options):
        """Adds the columns, which `_extras` aligns."""
        return columns, {**options, "readings": read_readings(options["readings"]), "columns": columns}

    def _extras(self, options):
        """Returns the alignments in the form that is asked for."""
        form, tokenizer = options["alignments"], options["tokenizer"]
        if form is None:
            return {}
        texts = self._cleaned(options["columns"], options)
        rule = {name: options[name] for name in ("tokenizer", "space_normalized", "readings")}
        found, compared = _choose(**texts, **rule, with_counts=form != "pieces")
        segments = [aligned[:3] for aligned in _aligned(found, compared, tokenizer)]
        if form == "pieces":
            return {"alignments": [pieces(*segment, " ") for segment in segments]}
        counts, edits = found.counts.sum(0).tolist(), found.edits
        return {
            "alignments": [alignment_text(form, row, *segment) for row, segment in enumerate(segments)],
            "summary": summary_line(form, "WER", counts, len(edits), int((edits > 0).sum())),
        }
