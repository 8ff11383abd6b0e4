"""WER: the edit distance between words divided by the number of words in the reference, and related rates.

The distance is Levenshtein's, and the edits and words of the corpus are added up first; MER, WIL and WIP are defined by
Morris et al. (2004). jiwer and Hugging Face's `wer` compute the same. sWER (`space_normalized`) is that of KsponSpeech
(Bang et al. 2020) and ESPnet.
"""

import itertools
from typing import Any

import numpy as np

from ._bootstrap import resample as resample
from ._columns import REFERENCES
from ._columns import TEXTS
from ._columns import lengths_of
from ._edit_alignments import alignment_text
from ._edit_alignments import pieces
from ._edit_alignments import summary_line
from ._edits import align
from ._edits import closest_references
from ._edits import count_edits
from ._edits import error_rate
from ._edits import repeat
from ._edits import take_spacing
from ._metric import Metric as Metric
from ._options import LOWERCASE
from ._options import NORMALIZATION
from ._options import choice
from ._options import flag
from ._references import best_references as best_references
from ._signature import VERSION as VERSION
from ._text_metric import TextMetric
from ._text_metric import check_width
from ._tokens import TOKENIZER
from ._tokens import as_strings
from ._tokens import encode_chunk
from ._tokens import tokenize

_COUNTS = ("substitutions", "deletions", "insertions", "hits")


def statistics(
    predictions: list[str], references: list[list[str]], *, tokenizer: Any, space_normalized: bool, detailed: bool
) -> np.ndarray:
    """Returns rows [edits, words in the reference], (n_segments, 2).

    With `detailed` six more: substitutions, deletions, insertions, hits, 1 if there is an edit, and 1.
    """
    closest, strings, edits, _ = _choose(predictions, references, tokenizer, space_normalized)
    columns = [edits, lengths_of(closest)]
    if detailed:
        columns += [count_edits(closest, strings, edits), edits > 0, np.ones(len(edits))]
    return np.column_stack(columns).astype(np.float64)


def _choose(
    predictions: list[str], references: list[list[str]], tokenizer: Any, space_normalized: bool
) -> tuple[list[str], list[str], np.ndarray, list[tuple[str, str, int]]]:
    """Returns for each segment the closest reference, the prediction, their edits, and what they come from.

    Both are strings with one character for each word. What they come from is the text of the reference, the text of the
    prediction, with the reference's spacing if asked, and the index of the reference.
    """
    counts = lengths_of(references)
    flat = list(itertools.chain.from_iterable(references))
    repeated = repeat(predictions, counts)
    if space_normalized:
        repeated = list(map(take_spacing, repeated, flat))
    strings = as_strings(encode_chunk(repeated, [[reference] for reference in flat], tokenizer))
    chosen, edits, indices = closest_references(strings[: len(flat)], strings[len(flat) :], counts)
    chosen = chosen.tolist()
    texts = [(flat[at], repeated[at], index) for at, index in zip(chosen, indices.tolist(), strict=True)]
    return [strings[len(flat) + at] for at in chosen], [strings[at] for at in chosen], edits, texts


def score(rows: np.ndarray, *, detailed: bool) -> dict[str, np.ndarray]:
    """Returns wer in [0, inf], the edits and the words of the references.

    Without any reference word wer is 0 if there is no edit, else inf. With `detailed` there are also mer, wil, wip and
    ser (the share of segments with an edit), all in [0, 1], and the counts of edits. wip is 1 for two empty texts.
    """
    check_width(rows, 8 if detailed else 2)
    edits, length = rows[..., 0], rows[..., 1]
    result = {
        "wer": error_rate(edits, length),
        "edits": edits.astype(np.int64),
        "reference_length": length.astype(np.int64),
    }
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
    predictions: list[str], references: list[list[str]], *, tokenizer: Any, space_normalized: bool
) -> dict[str, Any]:
    """Returns the words of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, lists of words; `reference_index`, which reference it is.
    """
    [closest], [string], _, [(*texts, index)] = _choose(predictions, references, tokenizer, space_normalized)
    reference, prediction = tokenize(texts, tokenizer)
    alignment = pieces(align(closest, string), reference, prediction, " ")
    return {"alignment": alignment, "reference": reference, "prediction": prediction, "reference_index": index}


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
    OPTIONS = {
        "tokenizer": TOKENIZER._replace(default="whitespace"),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "space_normalized": flag(
            "swer", "sWER: give the prediction the reference's spacing first, so that spaces are not errors."
        ),
        "detailed": flag("", "add mer, wil, wip, ser and the counts of each kind of edit."),
        "alignments": choice(
            None,
            "",
            "adds `alignments`: `pieces`, or text as `sclite` or `kaldi` write it, with a `summary`.",
            (None, "pieces", "sclite", "kaldi"),
        ),
    }

    def _prepare(self, columns, options):
        """Adds the columns, which `_extras` aligns."""
        return columns, {**options, "columns": columns}

    def _extras(self, options):
        """Returns the alignments in the form that is asked for."""
        form, tokenizer = options["alignments"], options["tokenizer"]
        if form is None:
            return {}
        texts = self._cleaned(options["columns"], options)
        closest, strings, edits, texts = _choose(
            **texts, tokenizer=tokenizer, space_normalized=options["space_normalized"]
        )
        tokens = tokenize([text for *pair, _ in texts for text in pair], tokenizer)
        aligned = zip(map(align, closest, strings), tokens[::2], tokens[1::2], strict=True)
        if form == "pieces":
            return {"alignments": [pieces(*segment, " ") for segment in aligned]}
        counts = count_edits(closest, strings, edits).sum(0).tolist()
        return {
            "alignments": [alignment_text(form, row, *segment) for row, segment in enumerate(aligned)],
            "summary": summary_line(form, "WER", counts, len(edits), int((edits > 0).sum())),
        }
