"""The column of a metric that holds sessions: for each session a list of records, one per utterance."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from textgauge.core.columns import Column, check_texts, clean_texts, described, list_of_rows
from textgauge.core.errors import InputError
from textgauge.core.number_columns import as_number

Utterance = dict[str, Any]  # speaker, text, start and end in seconds or None
_FIELDS = {"speaker": "string", "text": "string", "start": "float64", "end": "float64"}
_TIMES = ("start", "end")
_WANTED = (
    'pass a list of utterances, {"speaker": ..., "text": ...} with "start" and "end" in seconds where they are known'
)


def check_sessions(name: str, column: Any) -> list[list[Utterance]]:
    """Returns a column of sessions as lists of utterances that have all fields, None for times that are not known."""
    rows = list_of_rows(name, column)
    return [_session(f"{name}[{row}]", session) for row, session in enumerate(rows)]


def _session(place: str, session: Any) -> list[Utterance]:
    """Returns the utterances of a session; also those that datasets keep as a list for each field."""
    if _is_table(session):
        sizes = {len(values) for values in session.values()}
        if len(sizes) > 1:
            raise InputError(f"{place} has fields of {' and '.join(map(str, sorted(sizes)))} values; {_WANTED}")
        session = [dict(zip(session, values, strict=True)) for values in zip(*session.values(), strict=True)]
    is_list = isinstance(session, (list, tuple)) or (isinstance(session, np.ndarray) and session.ndim == 1)
    if not is_list:
        raise InputError(f"{place} is {described(session)}; {_WANTED}")
    utterances = [_utterance(f"{place}[{index}]", utterance) for index, utterance in enumerate(session)]
    for time in _TIMES:
        missing = [index for index, utterance in enumerate(utterances) if utterance[time] is None]
        if 0 < len(missing) < len(utterances):
            raise InputError(f"{place}[{missing[0]}] has no {time}, but others of {place} do; pass it for all or none")
    return utterances


def _is_table(session: Any) -> bool:
    """Returns whether a session is a list for each field."""
    if not isinstance(session, Mapping) or not session:
        return False
    return all(isinstance(values, (list, np.ndarray)) for values in session.values())


def _utterance(place: str, utterance: Any) -> Utterance:
    if not isinstance(utterance, Mapping):
        raise InputError(f"{place} is {described(utterance)}; {_WANTED}")
    unknown = [key for key in utterance if key not in _FIELDS]
    if unknown:
        raise InputError(f"{place} has the field {unknown[0]!r:.200}; an utterance has {', '.join(_FIELDS)}")
    speaker = utterance.get("speaker")
    if isinstance(speaker, bool) or not isinstance(speaker, (str, int, np.integer)) or not str(speaker).strip():
        raise InputError(f"{place} has the speaker {described(speaker)}; pass a name or a number")
    text = utterance.get("text")
    if not isinstance(text, str):
        raise InputError(f"{place}, text is {described(text)}; pass a string")
    try:
        f"{text}{speaker}".encode()
    except UnicodeEncodeError:  # this says in which of the two a lone surrogate is
        check_texts(f"{place}, text", [text])
        check_texts(f"{place}, speaker", [str(speaker)])
    start = _time(place, "start", utterance)
    end = _time(place, "end", utterance)
    if end is not None and (start is None or end < start):
        raise InputError(f"{place} ends at {end:g} and starts at {start}; pass an end that is not before the start")
    return {"speaker": str(speaker), "text": text, "start": start, "end": end}


def _time(place: str, name: str, utterance: Mapping[str, Any]) -> float | None:
    """Returns a time of an utterance; None for None and nan, which tables have for a missing time."""
    value = utterance.get(name)
    if value is None or (isinstance(value, (float, np.floating)) and math.isnan(value)):
        return None
    return as_number(f"{place}, {name}", value, is_finite=True)


def clean_sessions(rows: list[list[Utterance]], **cleaning: Any) -> list[list[Utterance]]:
    """Returns sessions with their texts, and the names of speakers, in one Unicode form."""
    utterances = [utterance for session in rows for utterance in session]
    texts = iter(clean_texts([utterance["text"] for utterance in utterances], **cleaning))
    form = cleaning.get("normalization")
    speakers = iter(clean_texts([utterance["speaker"] for utterance in utterances], normalization=form))
    cleaned = []
    for session in rows:
        cleaned.append([{**utterance, "speaker": next(speakers), "text": next(texts)} for utterance in session])
    return cleaned


def _session_sizes(rows: list[list[Utterance]]) -> np.ndarray:
    sizes = np.zeros(len(rows), dtype=np.intp)
    for row, session in enumerate(rows):
        sizes[row] = sum([len(utterance["text"]) for utterance in session])
    return sizes


SESSIONS = Column(
    ([_FIELDS],),
    check_sessions,
    clean_sessions,
    _session_sizes,
    help='for each session a list of utterances, `{"speaker": ..., "text": ...}`, with `start` and `end` in seconds '
    "where they are known.",
)
