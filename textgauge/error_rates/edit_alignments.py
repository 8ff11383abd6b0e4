"""Alignments for people to read: pieces of text, sclite's and Kaldi's reports, and the most frequent confusions."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from textgauge.core.options import choice
from textgauge.edits.distances import AlignmentRun

_STEP_LETTERS = {"equal": "C", "substitute": "S", "delete": "D", "insert": "I"}
_SHOWN_BLANK = "␣"  # shows a token that is whitespace or empty
_NO_TOKEN = "***"

ALIGNMENTS = choice(
    None,
    "",
    "adds `alignments`: `pieces`, or text as `sclite` or `kaldi` write it, with a `summary`.",
    (None, "pieces", "sclite", "kaldi"),
)


def pieces(
    runs: Iterable[AlignmentRun], reference: Sequence[str], prediction: Sequence[str], joint: str
) -> list[list[str]]:
    """Returns [kind, reference piece, prediction piece] for each run; `joint` joins the tokens of a piece.

    >>> pieces([("equal", 0, 1, 0, 1), ("delete", 1, 2, 1, 1)], ["네", "좋아요"], ["네"], " ")
    [['equal', '네', '네'], ['delete', '좋아요', '']]
    """
    listed = []
    for kind, start, end, prediction_start, prediction_end in runs:
        reference_piece = joint.join(reference[start:end])
        prediction_piece = joint.join(prediction[prediction_start:prediction_end])
        listed.append([kind, reference_piece, prediction_piece])
    return listed


class _Step(NamedTuple):
    """A column of an alignment as a report has it."""

    letter: str  # of its kind
    reference: str  # a token, or what stands for none
    prediction: str


def alignment_text(
    form: str, row: int, runs: Sequence[AlignmentRun], reference: Sequence[str], prediction: Sequence[str]
) -> str:
    """Returns the alignment of one segment as sclite's `pra` report or Kaldi's `wer_per_utt_details.pl` writes it.

    A column is as wide as its wider token on a terminal, where Hangul takes two places. Errors are not written in
    capitals as in sclite, which ignores case.

    Args:
        form: "sclite" or "kaldi".
        row: number of the segment, which begins Kaldi's lines.
        runs: the alignment.
        reference: tokens.
        prediction: tokens.
    """
    letters = []
    references = []
    predictions = []
    for step in _steps(runs, reference, prediction, form == "sclite"):
        width = max(map(_width, step))
        letters.append(_pad(step.letter, width))
        references.append(_pad(step.reference, width))
        predictions.append(_pad(step.prediction, width))
    counts = list(map(str, _count_steps(runs)))

    if form == "kaldi":
        cells_of_lines = {"ref": references, "hyp": predictions, "op": letters, "#csid": counts}
        lines = [" ".join([str(row), f"{name:<5}", *cells]) for name, cells in cells_of_lines.items()]
    else:
        letters = [letter.replace("C", " ") for letter in letters]
        cells_of_lines = {"REF: ": references, "HYP: ": predictions, "Eval:": letters}
        heading = f"Scores: (#C #S #D #I) {' '.join(counts)}"
        lines = [heading, *(" ".join([name, *cells]) for name, cells in cells_of_lines.items())]
    return "\n".join(map(str.rstrip, lines))


def _count_steps(runs: Sequence[AlignmentRun]) -> list[int]:
    """Returns hits, substitutions, deletions and insertions; joined words are as many hits as the reference has."""
    counts = dict.fromkeys(_STEP_LETTERS, 0)
    for kind, start, end, prediction_start, prediction_end in runs:
        size = end - start
        if kind != "equal":
            size = max(size, prediction_end - prediction_start)
        counts[kind] += size
    return list(counts.values())


def _steps(
    runs: Sequence[AlignmentRun], reference: Sequence[str], prediction: Sequence[str], is_filled: bool
) -> list[_Step]:
    """Returns the steps of an alignment; stars where a token is missing, as many as the other has letters if filled."""
    steps = []
    for kind, start, end, prediction_start, prediction_end in runs:
        references = list(map(_shown, reference[start:end]))
        predictions = list(map(_shown, prediction[prediction_start:prediction_end]))
        if kind == "equal" and len(references) != len(predictions):  # words that one text joins
            references = [" ".join(references)]
            predictions = [" ".join(predictions)]
        stars = [_NO_TOKEN] * max(len(references), len(predictions))
        if is_filled:
            stars = ["*" * max(3, _width(token)) for token in references or predictions]
        for tokens in zip(references or stars, predictions or stars, strict=True):
            steps.append(_Step(_STEP_LETTERS[kind], *tokens))
    return steps


def _shown(token: str) -> str:
    """Returns a token as a report has it."""
    return _SHOWN_BLANK if token.isspace() or not token else token


def summary_line(form: str, name: str, counts: Sequence[int], segments: int, wrong_segments: int) -> str:
    """Returns a summary of the corpus: Kaldi's %WER line, or the Sum/Avg row of sclite's table with its heading.

    Args:
        form: "sclite" or "kaldi".
        name: "WER" or "CER".
        counts: substitutions, deletions, insertions, hits.
        segments: number of segments.
        wrong_segments: number of segments with at least one edit.
    """
    substitutions, deletions, insertions, hits = counts
    edits = substitutions + deletions + insertions
    length = substitutions + deletions + hits
    if form == "kaldi":
        detail = f"{insertions} ins, {deletions} del, {substitutions} sub"
        return f"%{name} {_percent(edits, length):.2f} [ {edits} / {length}, {detail} ]"
    rates = [f"{_percent(count, length):.1f}" for count in (hits, substitutions, deletions, insertions, edits)]
    unit = {"WER": "# Wrd", "CER": "# Chr"}[name]
    row = f"| {segments} {length} | {' '.join(rates)} {_percent(wrong_segments, segments):.1f} |"
    return f"| # Snt {unit} | Corr Sub Del Ins Err S.Err |\n{row}"


def confusions(aligned: Iterable[tuple[Sequence[AlignmentRun], Sequence[str], Sequence[str]]], top: int) -> list[list]:
    """Returns the most frequent edits as [reference, prediction, count], "" where a character is missing.

    Sorted by count, then by the characters.

    Args:
        aligned: alignment, characters of the reference, characters of the prediction.
        top: how many.
    """
    counter: Counter[tuple[str, str]] = Counter()
    for runs, reference, prediction in aligned:
        counter.update(_token_edits(runs, reference, prediction))
    most_frequent = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:top]
    return [[reference, prediction, count] for (reference, prediction), count in most_frequent]


def _token_edits(
    runs: Sequence[AlignmentRun], reference: Sequence[str], prediction: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yields the tokens of each edit, of the reference and of the prediction; "" where there is none."""
    for kind, start, end, prediction_start, prediction_end in runs:
        if kind == "equal":
            continue
        references = reference[start:end]
        predictions = prediction[prediction_start:prediction_end]
        nothing = [""] * max(len(references), len(predictions))
        yield from zip(references or nothing, predictions or nothing, strict=True)


def _percent(part: int, whole: int) -> float:
    if whole:
        return 100 * part / whole
    return float("inf") if part else 0.0


def _width(text: str) -> int:
    """Returns how many places a text takes on a terminal."""
    seen = [character for character in text if unicodedata.category(character) not in ("Mn", "Me", "Cf")]
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in seen)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
