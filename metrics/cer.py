"""CER and CRR: the edit distance between characters divided by the reference's length (Korean document 003, "CER").

The document's definition: whitespace and special characters are removed, the distance is Levenshtein's, and the edits
and lengths of the corpus are added up first; CRR is 1 - CER. jiwer and Hugging Face keep spaces and punctuation, and
others have conventions of their own: see the option `preset`. Two conventions often give one Korean system rates that
differ more than two systems do, so report the signature with the rate.
"""

import itertools
from typing import Any

import numpy as np

from ._bootstrap import resample as resample
from ._cleaning import PRESETS
from ._cleaning import clean_characters
from ._columns import REFERENCES
from ._columns import TEXTS
from ._columns import clean_texts
from ._columns import lengths_of
from ._edit_alignments import alignment_text
from ._edit_alignments import confusions
from ._edit_alignments import pieces
from ._edit_alignments import summary_line
from ._edits import align
from ._edits import closest_references
from ._edits import count_edits
from ._edits import error_rate
from ._edits import repeat
from ._korean_errors import PARTS
from ._korean_errors import locate_errors
from ._metric import Metric as Metric
from ._options import LOWERCASE
from ._options import NORMALIZATION
from ._options import Option
from ._options import choice
from ._options import flag
from ._references import best_references as best_references
from ._signature import VERSION as VERSION
from ._text_metric import TextMetric
from ._text_metric import check_width

_TOP_CONFUSIONS = 20
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
) -> np.ndarray:
    """Returns rows [edits, reference length, rate (0 if infinite), 1 if the rate is infinite, 1].

    With `bounded` or `detailed` there follow substitutions, deletions, insertions and hits. With `detailed` there
    follow the edits of each part, see `locate_errors`, where nothing is removed from the texts. Shape (n_segments, 5,
    9 or 15).
    """
    cleaning = {"spaces": spaces, "special": special, "unit": unit, "marks": marks}
    closest, cleaned, edits, chosen = _choose(predictions, references, bounded, ties, **cleaning)
    lengths = lengths_of(closest)
    columns = [edits, lengths]
    if bounded or detailed:
        counts = count_edits(closest, cleaned, edits, ties)
        lengths = edits + counts[:, 3] if bounded else lengths
        columns.append(counts)
    rates = error_rate(edits, lengths)
    is_infinite = np.isinf(rates)
    columns[2:2] = [np.where(is_infinite, 0.0, rates), is_infinite, np.ones(len(edits))]
    if detailed:
        columns.append(_locate(predictions, [row[index] for row, index in zip(references, chosen, strict=True)]))
    return np.column_stack(columns).astype(np.float64)


def _choose(
    predictions: list[str], references: list[list[str]], bounded: bool, ties: str, **cleaning: str
) -> tuple[list[str], list[str], np.ndarray, list[int]]:
    """Returns for each segment the closest reference, the prediction, their edits, and the reference's index.

    Both texts are cleaned.
    """
    counts = lengths_of(references)
    texts = clean_characters([*predictions, *itertools.chain.from_iterable(references)], **cleaning)
    cleaned, flat = texts[: len(predictions)], texts[len(predictions) :]
    chosen, edits, indices = closest_references(repeat(cleaned, counts), flat, counts, bounded, ties)
    return [flat[index] for index in chosen.tolist()], cleaned, edits, indices.tolist()


def _locate(predictions: list[str], references: list[str]) -> np.ndarray:
    """Returns the edits of each part, (n_segments, 6); the texts keep everything except for blanks at the ends."""
    texts = clean_texts([*references, *predictions], lowercase=False, normalization="NFC")  # whole syllables
    texts = clean_characters(texts, "keep", "keep", "syllable", "keep")
    pairs = zip(texts[: len(references)], texts[len(references) :], strict=True)
    counts = [locate_errors(align(reference, prediction), reference, prediction) for reference, prediction in pairs]
    return np.array(counts, dtype=np.int64).reshape(-1, len(PARTS))


def score(rows: np.ndarray, *, aggregate: str, bounded: bool, detailed: bool) -> dict[str, np.ndarray]:
    """Returns cer in [0, inf], or [0, 1] with `bounded`; crr = 1 - cer, down to -inf; edits and reference length.

    Without any reference text the rate is 0 if there is no edit, else inf. With `detailed` the counts of each kind of
    edit, the edits of each part, and `kept_edits`, their sum.
    """
    check_width(rows, 15 if detailed else 9 if bounded else 5)
    edits, length = rows[..., 0], rows[..., 1]
    if aggregate == "mean":
        # a segment without reference text but with edits makes the mean infinite, as it is alone
        cer = np.where(rows[..., 3] > 0, np.inf, error_rate(rows[..., 2], rows[..., 4]))
    else:
        cer = error_rate(edits, edits + rows[..., 8] if bounded else length)
    result = {"cer": cer, "crr": 1 - cer, "edits": edits.astype(np.int64), "reference_length": length.astype(np.int64)}
    if detailed:
        counts = rows[..., 5:].astype(np.int64)
        result.update({name: counts[..., index] for index, name in enumerate(_COUNTS)})
        result["kept_edits"] = counts[..., 4:].sum(-1)
        result.update({f"{part}_edits": counts[..., 4 + index] for index, part in enumerate(PARTS)})
    return result


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
) -> dict[str, Any]:
    """Returns the texts of one segment that are compared, and their alignment.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, the cleaned texts; `reference_index`, which reference it is.
    """
    [reference], [prediction], _, [index] = _choose(
        predictions, references, bounded, ties, spaces=spaces, special=special, unit=unit, marks=marks
    )
    alignment = pieces(align(reference, prediction, ties), reference, prediction, "")
    return {"alignment": alignment, "reference": reference, "prediction": prediction, "reference_index": index}


def of_preset(key: str, help: str, choices: tuple[Any, ...]) -> Option:
    """Returns an option for which the preset has a value; that is the default."""
    return choice(None, key, f"{help} By default as in the preset.", (None, *choices))


class Cer(TextMetric):
    """CER is the number of wrong, missing and surplus characters divided by the number of reference characters.

    Returns:
        cer from 0, above 1 where much is inserted; crr, 1 - cer, possibly negative; edits and reference_length in
        characters.

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
            "a published convention: None (document 003: spaces and special characters removed), `jiwer` (nothing "
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
        "special": of_preset(
            "special",
            "`remove` all except for letters, marks and numbers of any script; `punctuation`: remove Unicode's "
            "categories P*; `posix`: remove those and ASCII symbols, except for the apostrophe; `keep`.",
            ("remove", "keep", "punctuation", "posix"),
        ),
        "unit": of_preset(
            "unit",
            "`syllable`: each character; `jamo`: each Hangul syllable counts as its two or three jamo.",
            ("syllable", "jamo"),
        ),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "bounded": of_preset(
            "bounded",
            "divide by edits and hits instead of the reference's length, which gives a rate from 0 to 1.",
            (False, True),
        ),
        "aggregate": choice(
            "pooled",
            "agg",
            "`pooled`: all edits divided by all lengths; `mean` of the segments' rates.",
            ("pooled", "mean"),
        ),
        "detailed": flag("", "add counts, confusions, and what the errors of Korean text concern."),
        "conventions": choice(
            None, "", "`all` adds `conventions`: name, rate and signature of every preset.", (None, "all")
        ),
        "alignments": choice(
            None,
            "",
            "adds `alignments`: `pieces`, or text as `sclite` or `kaldi` write it, with a `summary`.",
            (None, "pieces", "sclite", "kaldi"),
        ),
    }

    def _resolve(self, options):
        """Returns all options; what is not given has the preset's value, so that a signature states it."""
        values = PRESETS[options["preset"]]
        return {name: values.get(name) if value is None else value for name, value in options.items()}

    def _prepare(self, columns, options):
        """Adds what only the preset decides, and the columns, which `_extras` needs."""
        preset = {name: PRESETS[options["preset"]][name] for name in ("marks", "ties")}
        return columns, {**options, **preset, "columns": columns}

    def _extras(self, options):
        """Returns confusions, alignments and other conventions."""
        result = {}
        if options["detailed"] or options["alignments"]:
            result.update(self._aligned(options))
        if options["conventions"]:
            names = ("lowercase", "normalization", "aggregate")
            kept = {name: options[name] for name in names}
            result["conventions"] = []
            for preset in PRESETS:
                cer = self._result(options["columns"], self._resolved_options({**kept, "preset": preset}))["cer"]
                signature = self.signature(options["columns"]["references"], preset=preset, **kept)
                result["conventions"].append([str(preset).lower(), cer, signature])
        return result

    def _aligned(self, options):
        """Returns the most frequent confusions, and the alignments in the form that is asked for."""
        cleaning = {name: options[name] for name in ("spaces", "special", "unit", "marks")}
        rule = {name: options[name] for name in ("bounded", "ties")}
        columns = self._cleaned(options["columns"], options)
        references, predictions, edits, _ = _choose(**columns, **rule, **cleaning)
        pairs = zip(references, predictions, strict=True)
        aligned = [(align(*pair, options["ties"]), *pair) for pair in pairs]
        form = options["alignments"]
        result = {"confusions": confusions(aligned, _TOP_CONFUSIONS)} if options["detailed"] else {}
        if form == "pieces":
            result["alignments"] = [pieces(*pair, "") for pair in aligned]
        elif form:
            result["alignments"] = [alignment_text(form, row, *pair) for row, pair in enumerate(aligned)]
            counts = count_edits(references, predictions, edits, options["ties"]).sum(0).tolist()
            result["summary"] = summary_line(form, "CER", counts, len(edits), int((edits > 0).sum()))
        return result
