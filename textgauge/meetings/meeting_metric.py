"""What cpCER and cpWER have in common: rows of sessions, what they score, explanations, and their base class."""

import difflib
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.errors import InputError
from textgauge.core.options import number
from textgauge.core.phrase_counts import RowsWithPhrases
from textgauge.error_rates.details import COUNTS
from textgauge.error_rates.error_rate import RuleMetric
from textgauge.error_rates.nearest.rule import Rule
from textgauge.error_rates.phrases.fillers import compile_fillers
from textgauge.error_rates.rows import OwnColumns, RateOptions, column_names, named_columns, rate_values, rows_of

from .record_columns import SESSIONS, Utterance
from .sessions import SPEAKERS, StreamComparer, TextComparer, TimedComparer, assigned_streams, session_columns

Sessions = Sequence[Sequence[Utterance]]
Functions = tuple[Callable[..., Any], Callable[..., dict[str, Any]]]  # which choose a reference, and explain a segment
_COUNTS = COUNTS[:3]
_OWN_COLUMNS = OwnColumns(always=(*_COUNTS, *SPEAKERS))
# fewer are wrong twice by chance
_MOVED_WORDS = 2
_MOVED_CHARACTERS = 4
COLLAR = number(
    None,
    "collar",
    "seconds: only words that overlap in time may match; a predicted word extends this far around its middle (tcpWER). "
    "All utterances need `start` and `end` then.",
)


def session_rows(
    predictions: Sessions,
    references: Sessions,
    rule: Rule,
    collar: float | None,
    functions: Functions,
) -> RowsWithPhrases:
    """Returns a row for each session, with the columns of `column_names`, (n_sessions, n_columns), and its phrases."""
    columns, phrases = session_columns(predictions, references, rule, _comparer(rule, collar, functions))
    rate = RateOptions("pooled", rule.bounded, None, rule.keywords)
    rows = rows_of(columns, column_names(_OWN_COLUMNS, rate, detailed=False))
    if rule.readings is not None:
        literal = session_rows(predictions, references, rule._replace(readings=None), collar, functions)
        rows = np.hstack([rows, literal.rows])
    return RowsWithPhrases(rows, phrases)


def _comparer(rule: Rule, collar: float | None, functions: Functions) -> StreamComparer:
    if collar is not None:
        return TimedComparer(rule, collar)
    return TextComparer(rule._replace(fillers=compile_fillers()), *functions)


def session_values(rows: np.ndarray, name: str, bounded: bool, readings: Any, weights: Any) -> dict[str, np.ndarray]:
    """Returns the rate, under the name of the metric, edits and length, their counts, and missed and extra speakers.

    Rows are (..., n_columns), with the columns of `column_names`, and each value (...).

    >>> values = session_values(np.array([2, 4, 1, 0, 1, 0, 1]), "cpwer", bounded=False, readings=None, weights=None)
    >>> {key: values[key].item() for key in ("cpwer", "edits", "substitutions", "insertions", "extra_speakers")}
    {'cpwer': 0.5, 'edits': 2, 'substitutions': 1, 'insertions': 1, 'extra_speakers': 1}
    """
    rate = RateOptions("pooled", bounded, readings, weights)
    columns = named_columns(rows, column_names(_OWN_COLUMNS, rate, detailed=False))
    values = rate_values(columns, name, rate)
    first = {key: values.pop(key) for key in (name, "edits", "reference_length")}
    counts = {column.replace(" ", "_"): columns[column].astype(np.int64) for column in (*_COUNTS, *SPEAKERS)}
    return {**first, **counts, **values}


def explain_session(
    predictions: Sessions,
    references: Sessions,
    rule: Rule,
    collar: float | None,
    functions: Functions,
) -> dict[str, Any]:
    """Explains the score of one session.

    Keys: `streams`, for each pair of speakers that are compared `speakers` (of the reference and of the prediction,
    None for nobody), `texts` (likewise), `edits`, `reference_length`, and what the error rate explains of them;
    `wrong_speaker`, what one speaker of the reference misses and a second one has too much, as [text, speaker of the
    reference, speaker of the prediction].
    """
    comparer = _comparer(rule, collar, functions)
    streams = []
    for reference, prediction in assigned_streams(predictions[0], references[0], rule, comparer):
        _, columns_of_pairs = comparer.compared([reference], [prediction])
        columns, _ = columns_of_pairs(np.array([0]))
        [edits] = columns["edits"].tolist()
        [length] = columns["length"].tolist()
        stream = {
            "speakers": [reference.speaker, prediction.speaker],
            "texts": [reference.text, prediction.text],
            "edits": edits,
            "reference_length": length,
        }
        streams.append({**stream, **comparer.explain(reference, prediction)})
    return {"streams": streams, "wrong_speaker": _moved(streams, rule.joint)}


def _moved(streams: Sequence[Mapping[str, Any]], joint: str) -> list[list[str]]:
    """Returns the texts that one stream misses and another has too much, the longest first, each text once."""
    fewest = _MOVED_WORDS if joint else _MOVED_CHARACTERS
    missing = [_wrong(stream, 1, joint) for stream in streams]
    surplus = [_wrong(stream, 2, joint) for stream in streams]
    blocks: list[_Block] = []
    for i, j in itertools.permutations(range(len(streams)), 2):
        matcher = difflib.SequenceMatcher(None, missing[i], surplus[j], autojunk=False)
        for start, surplus_start, size in matcher.get_matching_blocks():
            if size >= fewest:
                blocks.append(_Block(size, i, start, j, surplus_start))

    taken: set[tuple[int, int, int]] = set()
    moved = []
    for block in sorted(blocks, key=lambda block: -block.size):
        places = {(1, block.stream, block.start + offset) for offset in range(block.size)}
        places |= {(2, block.surplus_stream, block.surplus_start + offset) for offset in range(block.size)}
        if places & taken:
            continue
        taken |= places
        text = joint.join(missing[block.stream][block.start : block.start + block.size])
        speaker = streams[block.stream]["speakers"][0]
        surplus_speaker = streams[block.surplus_stream]["speakers"][1]
        moved.append([text, speaker, surplus_speaker])
    return moved


class _Block(NamedTuple):
    """Tokens that are missing in one stream, and surplus in another."""

    size: int
    stream: int
    start: int
    surplus_stream: int
    surplus_start: int


def _wrong(stream: Mapping[str, Any], side: int, joint: str) -> list[Any]:
    """Returns the tokens of a side that are edited, with a mark of that side between those that were not neighbours."""
    tokens: list[Any] = []
    for index, (kind, *pieces) in enumerate(stream["alignment"]):
        piece = pieces[side - 1]
        if kind == "equal":
            tokens.append((side, index))
        elif piece:
            tokens += piece.split(joint) if joint else piece
    return tokens


def check_collar(collar: float | None, **others: Any) -> None:
    """Raises InputError for options that compare more than words with times; each is None or False without it."""
    wrong = [name for name, value in others.items() if value]
    if collar is not None and wrong:
        name = wrong[0]
        raise InputError(f"collar compares words at their times, and {name} is {others[name]!r:.40}; drop one")


def check_fillers(fillers: Any, drop_fillers: bool) -> None:
    """Raises InputError for words that are nowhere taken for fillers: sessions have no kinds of errors."""
    if fillers is not None and not drop_fillers:
        raise InputError(f"fillers is {fillers!r:.60}, but drop_fillers is False; set it to True, or leave out fillers")


class MeetingMetric(RuleMetric):
    """Base of cpCER and cpWER."""

    CITATION = """\
@inproceedings{watanabe-etal-2020-chime6,
    title = "{CHiME-6} Challenge: Tackling Multispeaker Speech Recognition for Unsegmented Recordings",
    author = "Watanabe, Shinji and Mandel, Michael and Barker, Jon and Vincent, Emmanuel and others",
    booktitle = "6th International Workshop on Speech Processing in Everyday Environments",
    year = "2020",
    pages = "1--7",
}
@inproceedings{vonneumann-etal-2023-meeteval,
    title = "{MeetEval}: A Toolkit for Computation of Word Error Rates for Meeting Transcription Systems",
    author = "von Neumann, Thilo and Boeddeker, Christoph B. and Delcroix, Marc and Haeb-Umbach, Reinhold",
    booktitle = "7th International Workshop on Speech Processing in Everyday Environments",
    year = "2023",
    pages = "27--32",
}
"""
    COLUMNS = {"predictions": SESSIONS, "references": SESSIONS}
    USUAL_RANGE = (0, 2)

    def _prepare(self, columns, options):
        """Adds the rule of the comparison; raises InputError for a session without times that collar needs."""
        if options["collar"] is None:
            return super()._prepare(columns, options)
        for name in self.COLUMNS:
            for row, session in enumerate(columns[name]):
                if any(utterance["end"] is None for utterance in session):
                    raise InputError(f"{name}[{row}] has utterances without start or end, which collar needs")
        return super()._prepare(columns, options)
