"""TER: edits divided by words of the reference, where moving a block of words is one edit (Snover et al. 2006).

With several references the edits are those of the nearest, and the length is the mean of all (section 2). Shifts and
the beam of the alignment are those of Tercom, the authors' program, as in sacreBLEU (`edits/ter_shifts.py` names its
limits). Values equal sacreBLEU's, whose scale is 0-100, and so Hugging Face's `ter`.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import NORMALIZATION, flag  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.edits.distances import AlignmentRun  # From: -e .
from textgauge.edits.ter_shifts import Shift, Shifted, edit_steps, move, shift_words  # From: -e .
from textgauge.error_rates.edit_alignments import pieces  # From: -e .
from textgauge.tokens.chunks import as_strings  # From: -e .
from textgauge.tokens.tercom import clean_words  # From: -e .
from textgauge.tokens.tokenizers import encode_chunk  # From: -e .


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> np.ndarray:
    """Returns rows [edits with shifts, shifts, mean words of the references], (n_segments, 3).

    >>> Ter().statistics(predictions=["오늘 나는 갔다"], references=[["나는 오늘 갔다", "나는 갔다"]]).tolist()
    [[1.0, 1.0, 2.5]]
    """
    texts = _cleaned(predictions, references, case_sensitive, normalized, no_punct, asian_support)
    rows = []
    for nearest in _nearest(*texts):
        mean_length = sum(map(len, nearest.references)) / len(nearest.references)
        rows.append((nearest.shifted.edits, len(nearest.shifted.shifts), mean_length))
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _cleaned(
    predictions: list[str], references: list[list[str]], case_sensitive: bool, *rules: bool
) -> tuple[list[str], list[list[str]]]:
    """Returns the texts as words with a blank between them."""

    def clean(text: str) -> str:
        return clean_words(text if case_sensitive else text.lower(), *rules)

    clean_references = []
    for row in references:
        # twice, as sacreBLEU does: with `normalized` the 's of "cat's." is a word here, and not in predictions
        clean_references.append([clean(clean(text)) for text in row])
    return list(map(clean, predictions)), clean_references


class _Nearest(NamedTuple):
    """The reference of a segment with the fewest edits; texts have a character per word."""

    references: list[str]  # all of the segment
    index: int  # which one it is
    shifted: Shifted  # the prediction, with its edits


def _nearest(predictions: list[str], references: list[list[str]]) -> Iterator[_Nearest]:
    """Yields the nearest reference of each segment."""
    strings = iter(as_strings(encode_chunk(predictions, references, "whitespace")))
    prediction_strings = list(itertools.islice(strings, len(predictions)))
    for prediction, row in zip(prediction_strings, references, strict=True):
        reference_strings = list(itertools.islice(strings, len(row)))
        alignments = [shift_words(prediction, reference) for reference in reference_strings]
        edits = [alignment.edits for alignment in alignments]
        index = edits.index(min(edits))
        yield _Nearest(reference_strings, index, alignments[index])


def score(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Returns ter in [0, inf], the edits, the shifts among them, and the words of the references, for rows (..., 3).

    Without any reference word ter is 0 if there is no edit, else 1, as sacreBLEU has it.

    >>> {key: value.item() for key, value in score(np.array([2.0, 1.0, 4.0])).items()}
    {'ter': 0.5, 'edits': 2, 'shifts': 1, 'reference_length': 4.0}
    """
    check_width(rows, 3)
    edits, shifts, length = np.moveaxis(rows, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(length > 0, edits / length, edits > 0)
    return {
        "ter": rate,
        "edits": edits.astype(np.int64),
        "shifts": shifts.astype(np.int64),
        "reference_length": length,
    }


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> dict[str, Any]:
    """Returns the alignment of one segment's prediction, with its blocks moved, and the nearest reference.

    Keys: `alignment`, runs [kind, reference piece, prediction piece] whose kinds are "equal", "shift" (equal, but
    moved), "substitute", "delete" and "insert"; `shifts`, one after the other [words, their start before, their
    start after]; `prediction`, words in the order after them; `reference`; `reference_index`, which reference it is.

    >>> explained = Ter().explain(prediction="오늘 나는 갔다", reference="나는 오늘 갔다")
    >>> explained["alignment"], explained["shifts"]
    ([['equal', '나는', '나는'], ['shift', '오늘', '오늘'], ['equal', '갔다', '갔다']], [['오늘', 0, 1]])
    """
    texts = _cleaned(predictions, references, case_sensitive, normalized, no_punct, asian_support)
    [prediction], [row] = texts
    [nearest] = _nearest(*texts)
    reference = row[nearest.index].split()
    words, is_moved, shifts = _shifted(prediction.split(), nearest.shifted.shifts)
    steps = edit_steps(nearest.shifted.prediction, nearest.references[nearest.index])
    kinds = []
    moved = iter(is_moved)
    for kind in steps:
        is_moved_word = kind != "delete" and next(moved)  # each other step takes a word of the prediction
        kinds.append("shift" if kind == "equal" and is_moved_word else kind)
    return {
        "alignment": pieces(_runs(kinds), reference, words, " "),
        "shifts": shifts,
        "prediction": words,
        "reference": reference,
        "reference_index": nearest.index,
    }


def _shifted(words: list[str], shifts: Sequence[Shift]) -> tuple[list[str], list[bool], list[list[Any]]]:
    """Returns the words after all shifts, which of them were moved, and words, start and new start of each shift."""
    is_moved = [False] * len(words)
    described = []
    for shift in shifts:
        block = slice(shift.start, shift.start + shift.length)
        described.append([" ".join(words[block]), shift.start, shift.place])
        is_moved[block] = [True] * shift.length
        words = move(words, shift)
        is_moved = move(is_moved, shift)
    return words, is_moved, described


def _runs(kinds: Sequence[str]) -> list[AlignmentRun]:
    """Returns the runs of an alignment, from the kind of each step."""
    runs = []
    start = 0  # in the reference
    prediction_start = 0
    for kind, steps in itertools.groupby(kinds):
        length = len(list(steps))
        end = start if kind == "insert" else start + length
        prediction_end = prediction_start if kind == "delete" else prediction_start + length
        runs.append((kind, start, end, prediction_start, prediction_end))
        start = end
        prediction_start = prediction_end
    return runs


def check(*, normalized: bool, no_punct: bool, asian_support: bool) -> None:
    """Raises InputError for an option that changes nothing without others."""
    if asian_support and not (normalized or no_punct):
        raise InputError("asian_support is True, but only normalized and no_punct use it; pass one of them")


class Ter(TextMetric):
    """TER is the number of edits, of words or moved blocks of words, divided by the number of reference words.

    Returns:
        ter from 0, above 1 where much is inserted; edits, the shifts among them, and reference_length, the mean of
        several references, in words.

    Examples:
        >>> ter = Ter()  # or evaluate.load("./metrics/ter.py")
        >>> texts = {"predictions": ["오늘 나는 학교에 일찍 갔다"], "references": ["나는 오늘 학교에 갔다"]}
        >>> ter.compute(**texts)
        {'ter': 0.5, 'edits': 2, 'shifts': 1, 'reference_length': 4.0}
        >>> ter.explain(prediction="오늘 나는 갔다", reference="나는 오늘 갔다")["shifts"]
        [['오늘', 0, 1]]
    """

    CITATION = """\
@inproceedings{snover-etal-2006-study,
    title = "A Study of Translation Edit Rate with Targeted Human Annotation",
    author = "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    booktitle = "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas: Technical
        Papers",
    year = "2006",
    pages = "223--231",
    url = "https://aclanthology.org/2006.amta-papers.25",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = True
    USUAL_RANGE = (0, 2)
    IS_PERCENT = True
    OPTIONS = {
        "case_sensitive": flag(
            "case", "keep upper and lower case apart.", text=lambda value: "mixed" if value else "lc"
        ),
        "normalization": NORMALIZATION,
        "normalized": flag(
            "nr", "apply mteval's rules for punctuation and entities such as `&amp;`, and split off 's."
        ),
        "no_punct": flag("punct", 'remove `. , ? : ; ! " ( )`.', text=lambda value: "no" if value else "yes"),
        "asian_support": flag(
            "asian",
            "with `normalized`, each ideograph and East Asian mark is a word; `no_punct` removes these marks too.",
        ),
    }
