"""The registry of formats: which reader reads a file, by its name or by how it begins; and the page of formats."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from .columns import LINE, FileColumn
from .compressed import COMPRESSED, UTF8, is_pipe, numbered_lines, shown_path, start_of, suffix_of
from .fairseq import is_fairseq, read_fairseq
from .folders import KINDS, SESSION_KINDS, read_recordings
from .recognisers import TRANSCRIPTIONS
from .records import read_csv, read_json, read_jsonl, read_sheet, read_tsv
from .rows import Picked, Request, Rows, column_names, no_column, value_at
from .stored_columns import first_of_parquet, read_dataset, read_parquet
from .transcripts import is_kaldi, read_timed_words, read_utterances

_PEEKED = 1000  # rows that tell which columns hold text


class Reader(NamedTuple):
    """What reads a file."""

    read: Callable[[Request], Rows | Picked]
    unit: str = "line"
    what: str = ""  # what a message calls a text; "" for a table, whose columns have names
    whole: str = ""  # why rows are matched in whole files only, where they have ids of their own
    picks: bool = False  # whether it yields the values of the fields that are asked for, because that is faster
    first: Callable[[Request], list[dict[str, Any]]] | None = None  # reads the first rows, if it picks columns

    @property
    def is_table(self) -> bool:
        """Returns whether its columns have names of the user's."""
        return not self.what

    @property
    def is_transcript(self) -> bool:
        """Returns whether its utterances have ids, and may have times."""
        return self.unit == "utterance"


def _read_lines(request: Request) -> Picked:
    r"""Yields number and text of each line; lines end at "\n" or "\r\n" only."""
    for number, line in numbered_lines(request.path, request.encoding):
        text = line.removesuffix("\n").removesuffix("\r")
        if "\r" in text.rstrip("\r"):
            shown = shown_path(request.path)
            raise InputError(f"{shown}, line {number}: a CR (\\r) inside; save it with lines that end in LF (\\n)")
        yield number, text


BY_UTTERANCE = "utterances by their ids needs whole files"
LINES = Reader(_read_lines, what=LINE, picks=True)
FAIRSEQ = Reader(read_fairseq, what="the text", whole="fairseq's lines by their numbers needs whole files")
FOLDER = Reader(read_recordings, "recording", "the text", "recordings by their names needs whole folders")
_CSV = Reader(read_csv)
_TSV = Reader(read_tsv)
_JSONL = Reader(read_jsonl)
_JSON = Reader(read_json, "row")
_SHEET = Reader(read_sheet, "row")
_PARQUET = Reader(read_parquet, "row", picks=True, first=first_of_parquet)
_DATASET = Reader(read_dataset, "row", picks=True)
_UTTERANCES = Reader(read_utterances, "utterance", "the utterance", BY_UTTERANCE)
_WORDS = Reader(read_timed_words, "utterance", "the utterance", BY_UTTERANCE)
_BY_ID = "by the column `id` (or `--id-column`), else by position"
_JSON_LINES = '{"id": "u1", "text": "네 좋아요"}\n{"id": "u2", "text": "비가 온다"}'


class Format(NamedTuple):
    """A format of files."""

    reader: Reader
    title: str
    endings: tuple[str, ...]  # of names; none where the content or the whole name tells
    example: str  # the lines of a file
    matching: str  # how its rows are matched with those of other files
    name: str = "example"  # of a file, without its ending


FORMATS = (
    Format(LINES, "Lines", (), "네 좋아요\n비가 온다", "by position: line 1 of each file is segment 1", "lines.txt"),
    Format(
        FAIRSEQ,
        "Lines of fairseq",
        (),
        "H-1\t-0.31\t비가 온다\nH-0\t-0.30\t네 좋아요",
        "by number; line 1 of other files has number 0. Predictions are the lines D-, otherwise H-; references "
        "are the lines T-, otherwise D-, otherwise H-",
        "generate.txt",
    ),
    Format(_CSV, "CSV", (".csv",), "id,text\nu1,네 좋아요\nu2,비가 온다", _BY_ID),
    Format(_TSV, "Tables with tabs", (".tsv", ".tab"), "id\ttext\nu1\t네 좋아요\nu2\t비가 온다", _BY_ID),
    Format(_JSON, "JSON, a list of objects", (".json",), '[{"id": "u1", "text": "네 좋아요"}]', _BY_ID),
    Format(_JSONL, "JSON, an object on each line", (".jsonl", ".ndjson", ".jsonlines", ".json"), _JSON_LINES, _BY_ID),
    Format(_JSON, "JSON, texts by id", (".json",), '{"u1": "네 좋아요", "u2": "비가 온다"}', "by id"),
    Format(
        _JSON,
        "JSON, a list for each column",
        (".json",),
        '{"id": ["u1", "u2"], "text": ["네 좋아요", "비가 온다"]}',
        _BY_ID,
    ),
    Format(
        _JSON,
        "Logs of Inspect",
        (".json",),
        '{"eval": {"task": "t"}, "samples": [{"id": 1, "target": "네", "output": {"completion": "네 좋아요"}}]}',
        "by `id`, and by `epoch` if there are several. Name the columns, such as `output.completion`; unpack a log in "
        "another format (.eval) with `inspect log convert`",
    ),
    Format(
        _JSON,
        "Manifests of NeMo and Azure",
        (".json", ".jsonl"),
        '{"audio_filepath": "a.wav", "offset": 0, "text": "네 좋아요", "pred_text": "네 좋아"}',
        "by recording and `offset`, or by the name of the recording. A .csv with these columns is a manifest too",
    ),
    Format(
        _JSON,
        "Segments of a recogniser",
        (".json",),
        '{"segments": [{"start": 0, "end": 1, "text": "네 좋아요", "speaker": "A"}]}',
        "by number, counted from 1; for `cpwer` and `cpcer` by session",
    ),
    Format(
        _JSON,
        "Captions of COCO",
        (".json",),
        '{"annotations": [{"image_id": 1, "id": 7, "caption": "고양이가 잔다"}]}',
        "by `image_id`; several annotations of one image are several references",
    ),
    Format(_SHEET, "Excel", (".xlsx",), "", _BY_ID),
    Format(_PARQUET, "Parquet", (".parquet",), "", _BY_ID),
    Format(_UTTERANCES, "Transcripts with ids", (".trn",), "네 좋아요 (spk1-001)", "by the id in parentheses"),
    Format(
        _UTTERANCES, "KsponSpeech's transcripts", (".trn",), "eval/1.pcm :: 네 좋아요", "by the path of the recording"
    ),
    Format(
        _UTTERANCES,
        "Kaldi's transcripts",
        (),
        "spk1-001 네 좋아요",
        "by the first word; the file is called `text`",
        "text",
    ),
    Format(
        _UTTERANCES,
        "Segments with times",
        (".stm",),
        "m1 1 A 0.0 1.5 네 좋아요",
        "by recording, channel, start and end; for `cpwer` and `cpcer` by session",
    ),
    Format(
        _WORDS,
        "Words with times",
        (".ctm",),
        "m1 1 0.10 0.25 네 0.9",
        "by time: a word belongs to the segment of the reference (.stm) that contains its middle. For `cpwer` and "
        "`cpcer` rows are matched by session; speakers come from an .rttm file of the same name, or the eighth field",
    ),
    Format(
        _UTTERANCES,
        "Subtitles",
        (".srt",),
        "1\n00:00:00,000 --> 00:00:01,500\n네 좋아요",
        "by number or name of the cue",
    ),
    Format(
        _UTTERANCES,
        "WebVTT",
        (".vtt",),
        "WEBVTT\n\n00:00.000 --> 00:01.500\n네 좋아요",
        "by name of the cue, or by position",
    ),
)
_OF_ENDING = {ending: known.reader for known in reversed(FORMATS) for ending in known.endings}
TABLE_ENDINGS = tuple(dict.fromkeys(end for known in FORMATS if known.reader.is_table for end in known.endings))
TURNS = "turns of speakers, without words; cpwer and cpcer read it beside a .ctm file of the same name"
_MARKUP = "markup; pass the texts alone, one segment per line"
_OFFICE = "a file of an office program; save a table as CSV (UTF-8), or texts with one segment per line"
_PYTHON = "an object of Python; write it as .jsonl, a text or an object on each line"
_SPEECH = "a transcript in a format that is not read; save it as .srt, .vtt or .stm"
_CATALOGUE = "a catalogue of translations; save its texts alone, one per line, or as a .csv with columns"
_REFUSED = {
    ".arrow": "a part of a dataset; pass the folder that it is in to --data",
    **dict.fromkeys((".textgrid", ".eaf", ".ass", ".ssa", ".sbv", ".lrc", ".ttml", ".smi"), _SPEECH),
    **dict.fromkeys((".po", ".pot", ".xlf", ".xliff", ".tmx"), _CATALOGUE),
    **dict.fromkeys((".pkl", ".pickle", ".npy", ".npz", ".pt"), _PYTHON),
    ".rttm": TURNS,
    ".psv": "a table with another separator; save it as .csv or .tsv",
    ".eval": "a packed log; `inspect log convert --to json` makes a .json of it, which is read",
    **dict.fromkeys((".zip", ".tar", ".tgz", ".7z", ".lz4"), "packed in a way that is not read; unpack it"),
    **dict.fromkeys((".sgm", ".sgml", ".xml", ".html", ".htm"), _MARKUP),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".ods", ".doc", ".docx", ".odt", ".hwp", ".hwpx", ".pdf"), _OFFICE),
}
# how a file begins whose ending says nothing of it: in bytes, and in small letters
_MAGIC = {
    **dict.fromkeys((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"\x93NUMPY"), _PYTHON),
    b"PK\x03\x04": _OFFICE,
    b"%PDF-": _OFFICE,
    b"PAR1": "Parquet; name it .parquet, and it is read as that",
    b"ARROW1": _REFUSED[".arrow"],
}
_HEADS = {
    **dict.fromkeys(("<?xml", "<!doctype", "<refset", "<srcset", "<tstset", "<mteval", "<html", "<doc "), _MARKUP),
    **dict.fromkeys(('file type = "ootextfile', "[script info]"), _SPEECH),
    'msgid "': _CATALOGUE,
    "webvtt": "WebVTT; name it .vtt, and it is read as that",
}
_CUE = re.compile(r"(?:\d+:)?\d\d:\d\d[,.]\d{3} --> (?:\d+:)?\d\d:\d\d[,.]\d{3}")
_SNIFFED = 50  # lines that tell what a file is


def is_table(path: str) -> bool:
    """Returns whether the name of a file says that it has named columns."""
    return suffix_of(path) in TABLE_ENDINGS


def is_transcript(path: str) -> bool:
    """Returns whether the name of a file says that its utterances have ids or times."""
    return is_kaldi(path) or (suffix_of(path) in _OF_ENDING and not is_table(path))


def reader_of(path: str, encoding: str = UTF8) -> Reader:
    """Returns what reads a file or folder of one side: by its ending, else by its first line.

    Raises:
        InputError: a file that is not read, with what to do instead.
    """
    if Path(path).is_dir():
        return FOLDER
    suffix = suffix_of(path)
    if suffix in _REFUSED:
        raise InputError(f"{shown_path(path)} is {_REFUSED[suffix]}")
    if suffix in _OF_ENDING:
        return _OF_ENDING[suffix]
    if is_kaldi(path):
        return _UTTERANCES
    if is_pipe(path) or not Path(path).is_file():
        return LINES
    return _reader_by_content(path, encoding)


def _reader_by_content(path: str, encoding: str) -> Reader:
    """Returns what reads a file whose name says nothing; InputError for one that says that it is something else."""
    start = start_of(path)
    for mark, kind in _MAGIC.items():
        if start.startswith(mark):
            raise InputError(f"{path} is {kind}")
    lines = [line.rstrip("\r\n") for _, line in itertools.islice(numbered_lines(path, encoding), _SNIFFED)]
    first_line = next(filter(str.strip, lines), "").strip().lower()
    for mark, kind in _HEADS.items():
        if first_line.startswith(mark):
            raise InputError(f"{path} is {kind}")
    if any(_CUE.match(line) for line in lines[:3]):
        raise InputError(f"{path} has subtitles; name it .srt or .vtt, and it is read as that")
    return FAIRSEQ if is_fairseq(lines) else LINES


def table_reader(source: str, split: str | None = None, encoding: str = UTF8) -> Reader:
    """Returns what reads a file or dataset with named columns.

    Raises:
        InputError: a file without, or with a split.
    """
    if Path(source).is_dir() or (not Path(source).exists() and not is_table(source)):
        return _DATASET
    if split is not None:
        raise InputError(f"--split {split}: {source} is a file, which has no splits")
    found = reader_of(source, encoding)
    if found.is_transcript:
        raise InputError(f"{source} is a transcript, which score and compare take as predictions or references")
    if not found.is_table:
        raise InputError(
            f"{source}: pass a file that ends in {', '.join(TABLE_ENDINGS)}, or a dataset; a text file, one segment "
            "per line, goes to --predictions and --references"
        )
    return found


def first_rows(reader: Reader, request: Request) -> list[Mapping[str, Any]]:
    """Returns the rows that a file with named columns begins with."""
    if reader.first:
        return reader.first(request)
    return [fields for _, fields in itertools.islice(reader.read(request), _PEEKED)]


def all_rows(reader: Reader, request: Request) -> Rows:
    """Yields number and all fields of each row of a file."""
    if not reader.picks:
        yield from reader.read(request)
        return
    names = column_names(first_rows(reader, request))
    for number, *values in reader.read(request._replace(names=names)):
        yield number, dict(zip(names, values, strict=True))


def read_batches(reader: Reader, request: Request, size: int | None) -> Iterator[dict[str, FileColumn]]:
    """Yields the fields that are asked for, `size` rows at once; all of them for None.

    Raises:
        InputError: a field that is missing, a file without rows, or one that cannot be read; names file and line.
    """
    shown = shown_path(request.path)
    rows = reader.read(request) if reader.picks else _picked_rows(reader, request)
    is_empty = True
    while batch := list(itertools.islice(rows, size)):
        numbers, *columns = map(list, zip(*batch, strict=True))
        yield {
            name: FileColumn(reader.what or f"column {name}", values, shown, reader.unit, numbers)
            for name, values in zip(request.names, columns, strict=True)
        }
        is_empty = False
    if is_empty:
        raise InputError(f"{shown}: nothing to score: it has no {reader.unit}")


def _picked_rows(reader: Reader, request: Request) -> Picked:
    """Yields number and values of each row: those of the fields that are asked for."""
    for number, fields in reader.read(request):
        try:
            values = [value_at(fields, name) for name in request.names]
        except KeyError as error:
            raise no_column(f"{request.path}, {reader.unit} {number}", error.args[0], fields) from None
        yield number, *values


def formats_page() -> str:
    """Returns the page of formats."""
    parts = [
        "# Formats of files\n\n`score.py` and `compare.py` read these files. Each format has an example, and the "
        "rule by which the commands match rows of several files. `lab/update_cards.py` writes this page.\n\n"
        f"A text file may be compressed ({', '.join(COMPRESSED)}), unless it is in a folder of recordings. `--data` "
        "also takes a dataset, as `datasets.load_dataset` does. A folder with a file for each recording "
        f"({', '.join(KINDS)}) is one system: the commands match its files by name, and read those with the most "
        f"frequent ending. For `cpwer` and `cpcer` each file ({', '.join(SESSION_KINDS)}) is a session. "
        "If ids are different paths of recordings, the commands match rows by the file names. Several rows of "
        "references with one id are several references of a segment; in other files a repeated id is an error.\n"
    ]
    for known in FORMATS:
        title = f"{known.title} ({', '.join(known.endings)})" if known.endings else known.title
        example = f"\n```text\n{known.example}\n```\n" if known.example else ""
        parts.append(f"## {title}\n{example}\nRows are matched {known.matching}.\n")
    parts.append(
        "## Transcriptions of programs and services in JSON\n\nThese are read as segments of a recogniser. The paths "
        "name what is read.\n\n| program or service | segments | text | speaker | start | end |\n"
        "|---|---|---|---|---|---|"
    )
    parts += [f"| {' | '.join(map(str, form[:-1]))} |" for form in TRANSCRIPTIONS]
    return "\n".join(parts) + "\n"
