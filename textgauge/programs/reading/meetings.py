"""Transcripts of meetings: files whose utterances have a session and a speaker, to a column of sessions.

.stm files; .ctm files, with the speakers of the .rttm file of the same name beside it; tables, and SegLST as JSON.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from .compressed import COMPRESSED, shown_path, suffix_of
from .folders import SESSION_KINDS, files_of_recordings
from .formats import BY_UTTERANCE, Reader, all_rows, is_table, reader_of
from .named_columns import NamedColumns
from .rows import ID, SESSIONS, TEXT, UNNAMED, Request, Rows
from .transcripts import NOT_SCORED, Segments, Utterance, read_lines

# the names of a table's columns, and those of SegLST, which meeteval reads
_FIELDS = {
    "session": ("session", "session_id"),
    "speaker": ("speaker",),
    "text": ("text", "words", "transcription"),
    "start": ("start", "start_time"),
    "end": ("end", "end_time"),
}
_NEEDED = ("speaker", "text")
_TIMES = ("start", "end")
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")  # of CHiME-6
_Found = Iterator[tuple[str, dict[str, Any]]]  # session and utterance


def check_sessions(references: Sequence[str], named: NamedColumns) -> None:
    """Raises InputError for what transcripts of meetings do not have: several references, columns with names."""
    if len(references) != 1:
        raise InputError(
            f"sessions take one file of references, but --references names {len(references) or 'no'} files"
        )
    columns = {
        "--prediction-column": named.predictions,
        "--reference-column": named.references,
        "--column": named.others,
        "--group-by": named.groups,
        "--id-column": [named.ids] if named.ids is not None else [],
    }
    for flag, names in columns.items():
        if names:
            raise InputError(
                f"{flag} {names[0]}: whole sessions are matched by name, and only the columns session, speaker, "
                "start, end and text of a transcript are read; leave out the option"
            )


def _read_sessions(request: Request) -> Rows:
    """Yields the sessions of a file by name, each with its utterances as the text.

    Utterances whose middle is in a time that a reference (.stm) says is not scored are left out.

    Raises:
        InputError: a file or a line that has no speakers, or is not of its format; names file and line.
    """
    path, reference, encoding = request.path, request.reference, request.encoding
    utterances = _of_folder(path, encoding) if Path(path).is_dir() else _of_file(path, encoding)
    left_out = _times_not_scored(reference, encoding) if suffix_of(reference) == ".stm" else {}
    sessions: dict[str, list[dict[str, Any]]] = {}
    for session, utterance in utterances:
        if session not in sessions:
            sessions[session] = []
        if not _is_in(left_out.get(session, ()), utterance):
            sessions[session].append(utterance)
    unscored = _sessions_not_scored(reference, left_out, encoding) if left_out else set()
    sessions = {session: scored for session, scored in sessions.items() if session not in unscored}
    if len(sessions) > 1 and "" in sessions:
        raise InputError(f"{path}: some utterances have a session and some have none; name it for all or for none")
    if not sessions:
        raise InputError(f"{path}: nothing to score: the file has no utterance")
    for session, scored in sessions.items():
        yield session or UNNAMED, {ID: session or UNNAMED, TEXT: scored}


OF_SESSIONS = Reader(_read_sessions, "session", "the session", BY_UTTERANCE)


def _of_folder(folder: str, encoding: str) -> _Found:
    """Yields the utterances of a folder with a file for each session; one that names no session has its file's name."""
    for path in files_of_recordings(folder, SESSION_KINDS):
        for session, utterance in _of_file(str(path), encoding):
            yield session or path.stem, utterance


def _of_file(path: str, encoding: str) -> _Found:
    if is_table(path):
        return _of_table(path, encoding)
    if suffix_of(path) == ".stm":
        return _of_stm(path, encoding)
    if suffix_of(path) == ".ctm":
        return _of_ctm(path, encoding)
    reader_of(path, encoding)  # which says what is not read at all
    raise InputError(
        f"{shown_path(path)} has no speakers; pass .stm, .ctm with .rttm beside it, or a table (.json, .jsonl, "
        ".csv, .tsv, .xlsx, .parquet) with columns session, speaker, start, end and text"
    )


def _times_not_scored(reference: str, encoding: str) -> dict[str, list[tuple[float, float]]]:
    """Returns the times of each session that a .stm file says are not scored."""
    times = defaultdict(list)
    for _, line in read_lines(reference, encoding):
        if line.text.lower() == NOT_SCORED[0]:
            times[line.channel.split()[0]].append((line.start, line.end))
    return times


def _sessions_not_scored(
    reference: str, left_out: Mapping[str, Sequence[tuple[float, float]]], encoding: str
) -> set[str]:
    """Returns the sessions of a .stm file of which no utterance is scored."""
    scored = set()
    for session, utterance in _of_stm(reference, encoding):
        if not _is_in(left_out.get(session, ()), utterance):
            scored.add(session)
    return left_out.keys() - scored


def _is_in(times: Sequence[tuple[float, float]], utterance: dict[str, Any]) -> bool:
    """Returns whether the middle of an utterance is in one of some times; one without times is in none."""
    if utterance["start"] is None or utterance["end"] is None:
        return False
    middle = (utterance["start"] + utterance["end"]) / 2
    return any(start <= middle < end for start, end in times)


def _of_stm(path: str, encoding: str) -> _Found:
    for _, line in read_lines(path, encoding):
        if line.text.lower() not in NOT_SCORED:
            utterance = {"speaker": line.speaker, "text": line.text, "start": line.start, "end": line.end}
            yield line.channel.split()[0], utterance


def turns_files(path: str) -> list[Path]:
    """Returns the files with the turns of speakers that are there beside a .ctm file; the first of them is read."""
    if suffix_of(path) != ".ctm":
        return []
    beside = [_plain(path).with_suffix(f".rttm{packed}") for packed in ("", *COMPRESSED)]
    return [turns_file for turns_file in beside if turns_file.is_file()]


def _plain(path: str) -> Path:
    """Returns the name that a file has when it is not compressed."""
    return Path(path).with_suffix("") if Path(path).suffix.lower() in COMPRESSED else Path(path)


def _of_ctm(path: str, encoding: str) -> _Found:
    """Yields the words of a file, each of the speaker in whose turn its middle is, or who speaks next to it."""
    turns_file = next(iter(turns_files(path)), None)
    if turns_file is None:
        words = [word for _, word in read_lines(path, encoding)]
        if not words or not all(word.speaker for word in words):
            wanted = _plain(path).with_suffix(".rttm").name
            raise InputError(f"{path} has no speakers; put {wanted} with the turns of the speakers beside it")
        for word in words:
            yield word.channel.split()[0], _word(word, word.speaker)
        return
    turns = defaultdict(list)
    for _, turn in read_lines(str(turns_file), encoding):
        session = turn.channel.split()[0]
        turns[session].append((turn.start, turn.start + turn.end, turn.speaker))
    by_session = {session: Segments(of_session) for session, of_session in turns.items()}
    for _, word in read_lines(path, encoding):
        session = word.channel.split()[0]
        if session not in by_session:
            raise InputError(f"{path}, line {word.line}: {turns_file} has no turn in session {session}")
        speaker = by_session[session].nearest(word.start + word.end / 2)
        yield session, _word(word, speaker)


def _word(word: Utterance, speaker: str) -> dict[str, Any]:
    """Returns a word of a .ctm file as an utterance."""
    return {"speaker": speaker, "text": word.text, "start": word.start, "end": word.start + word.end}


def _of_table(path: str, encoding: str) -> _Found:
    reader = reader_of(path)
    complete = False  # whether an earlier row has all that is needed
    for number, record in all_rows(reader, Request(path, encoding, role=SESSIONS)):
        place = f"{path}, {reader.unit} {number}"
        name_of = {}
        for field, names in _FIELDS.items():
            name_of[field] = next((name for name in names if name in record), None)
        missing = [field for field in _NEEDED if name_of[field] is None]
        if missing:
            has = ", ".join(map(str, record)) or "none"
            if complete:
                raise InputError(
                    f"{place}: there is no {missing[0]} in this row, unlike in those before it; it has {has}; add "
                    f"{missing[0]!r}, or leave the row out"
                )
            raise InputError(f"{place}: there is no column {missing[0]!r:.200}; it has {has}")
        complete = True
        values = {field: record.get(name) for field, name in name_of.items()}
        session = values.pop("session")
        for time in _TIMES:
            values[time] = _time(values[time], f"{place}, {time}")
        yield "" if session is None else str(session).strip(), values


def _time(value: Any, place: str) -> float | None:
    """Returns a time in seconds, which may be written 0:01:00.50; None for an empty cell."""
    if value is None or value == "":
        return None
    clock = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if clock:
        return int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
    try:
        if not isinstance(value, bool):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise InputError(f"{place} is {value!r:.40}; pass seconds")
