"""Alignments for people to read: pieces of text, sclite's and Kaldi's reports, and the most frequent confusions."""

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.options import choice
from textgauge.edits.distances import AlignmentRun
from textgauge.tokens.code_points import CODE_POINTS

_STEP_LETTERS = {"equal": "C", "substitute": "S", "delete": "D", "insert": "I"}
_SHOWN_BLANK = "␣"  # shows a token that is whitespace or empty
_NO_TOKEN = "***"
_CHARACTERS = CODE_POINTS + 1  # and none
_BLOCK_SEGMENTS = 1024  # segments whose edits are in memory together

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
    return [[kind, joint.join(reference[a:b]), joint.join(prediction[c:d])] for kind, a, b, c, d in runs]


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
    columns = _columns(runs, reference, prediction, form == "sclite")
    sizes = [(kind, b - a if kind == "equal" else max(b - a, d - c)) for kind, a, b, c, d in runs]
    counts = [str(sum(size for kind, size in sizes if kind == wanted)) for wanted in _STEP_LETTERS]
    widths = [max(map(_width, column)) for column in columns]
    letters, references, predictions = (
        [_pad(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for cells in (zip(*columns, strict=True) if columns else ((), (), ()))
    )
    if form == "kaldi":
        lines = {"ref": references, "hyp": predictions, "op": letters, "#csid": counts}
        return "\n".join(" ".join([str(row), f"{name:<5}", *cells]).rstrip() for name, cells in lines.items())
    letters = [cell.replace("C", " ") for cell in letters]
    lines = {"REF: ": references, "HYP: ": predictions, "Eval:": letters}
    heading = f"Scores: (#C #S #D #I) {' '.join(counts)}"
    return "\n".join([heading, *(" ".join([name, *cells]).rstrip() for name, cells in lines.items())])


def _columns(
    runs: Sequence[AlignmentRun], reference: Sequence[str], prediction: Sequence[str], is_filled: bool
) -> list[tuple[str, str, str]]:
    """Returns letter, reference token and prediction token of each step; stars where a token is missing."""
    columns = []
    for kind, a, b, c, d in runs:
        left, right = (
            [_SHOWN_BLANK if token.isspace() or not token else token for token in side]
            for side in (reference[a:b], prediction[c:d])
        )
        if kind == "equal" and len(left) != len(right):  # words that one text joins
            left, right = [" ".join(left)], [" ".join(right)]
        stars = ["*" * max(3, _width(token)) if is_filled else _NO_TOKEN for token in left or right]
        columns += [(_STEP_LETTERS[kind], *pair) for pair in zip(left or stars, right or stars, strict=True)]
    return columns


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
    rates = [f"{_percent(part, length):.1f}" for part in (hits, substitutions, deletions, insertions, edits)]
    unit = {"WER": "# Wrd", "CER": "# Chr"}[name]
    row = f"| {segments} {length} | {' '.join(rates)} {_percent(wrong_segments, segments):.1f} |"
    return f"| # Snt {unit} | Corr Sub Del Ins Err S.Err |\n{row}"


def confusions(aligned: Iterable[tuple[Sequence[AlignmentRun], Sequence[str], Sequence[str]]], top: int) -> list[list]:
    """Returns the most frequent edits as [reference, prediction, count], "" where a character is missing.

    Sorted by count, then by the characters. An edit is one integer, made of the numbers of its characters.

    Args:
        aligned: alignment, characters of the reference, characters of the prediction.
        top: how many.
    """
    aligned, parts = iter(aligned), [(np.zeros(0, np.int64),) * 2]
    counter: Counter[tuple[str, str]] = Counter()  # of what was read, where a token may have several characters
    while block := list(itertools.islice(aligned, _BLOCK_SEGMENTS)):
        is_text = [isinstance(one[1], str) and isinstance(one[2], str) for one in block]
        texts = list(itertools.compress(block, is_text))
        for one in itertools.compress(block, (not of_text for of_text in is_text)):
            counter.update(_token_edits(*one))
        parts.append(np.unique(_edits_of(texts), return_counts=True))
    keys, numbers = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    counts = np.bincount(numbers, np.concatenate([counts for _, counts in parts])).astype(np.int64)
    best = np.argsort(-counts, kind="stable")[: None if counter else top]
    sides = np.divmod(keys[best], _CHARACTERS)
    names = ([chr(code - 1) if code else "" for code in side.tolist()] for side in sides)
    counter.update(dict(zip(zip(*names, strict=True), counts[best].tolist(), strict=True)))
    most_frequent = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:top]
    return [[reference, prediction, count] for (reference, prediction), count in most_frequent]


def _token_edits(
    runs: Sequence[AlignmentRun], reference: Sequence[str], prediction: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yields the tokens of each edit, of the reference and of the prediction; "" where there is none."""
    for kind, a, b, c, d in runs:
        if kind != "equal":
            left, right = reference[a:b], prediction[c:d]
            size = max(len(left), len(right))
            yield from zip(left or [""] * size, right or [""] * size, strict=True)


def _edits_of(block: Sequence[tuple[Sequence[AlignmentRun], str, str]]) -> np.ndarray:
    """Returns each edit as reference code point + 1 | prediction code point + 1, where 0 is no character."""
    runs = [[run[1:] for run in runs if run[0] != "equal"] for runs, _, _ in block]
    counts = lengths_of(runs)
    bounds = np.array(list(itertools.chain.from_iterable(runs)), dtype=np.intp).reshape(-1, 4)
    sizes = (bounds[:, 1::2] - bounds[:, ::2]).max(axis=1, initial=0)
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    codes = []
    for side in (0, 1):
        texts = [pair[1 + side] for pair in block]
        lengths = lengths_of(texts)
        starts = np.repeat(np.cumsum(lengths) - lengths, counts) + bounds[:, 2 * side]
        characters = np.frombuffer("".join([*texts, " "]).encode("utf-32-le"), dtype=np.int32)
        is_there = np.repeat(bounds[:, 2 * side + 1] > bounds[:, 2 * side], sizes)
        points = characters.take(np.repeat(starts, sizes) + offsets, mode="clip")
        codes.append(np.where(is_there, points.astype(np.int64) + 1, 0))
    return codes[0] * _CHARACTERS + codes[1]


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
