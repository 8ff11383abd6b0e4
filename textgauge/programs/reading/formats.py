"""The formats that are read, each with an example and with how its rows are matched: what the page of formats says."""

from typing import NamedTuple

from .columns import STORED
from .compressed import COMPRESSED
from .folders import KINDS
from .meetings import SESSION_KINDS

_BY_ID = "by the column `id` (or `--id-column`), else by position"
_JSON_LINES = '{"id": "u1", "text": "네 좋아요"}\n{"id": "u2", "text": "비가 온다"}'


class Format(NamedTuple):
    """A format of files."""

    title: str
    endings: tuple[str, ...]  # of names; none where the content or the whole name tells
    example: str  # the lines of a file
    matching: str  # how its rows are matched with those of other files
    name: str = "example"  # of a file, without its ending


FORMATS = (
    Format("Lines", (), "네 좋아요\n비가 온다", "by position: line 1 of each file is segment 1", "lines.txt"),
    Format(
        "Lines of fairseq",
        (),
        "H-1\t-0.31\t비가 온다\nH-0\t-0.30\t네 좋아요",
        "by number; line 1 of other files has number 0. Predictions are the lines D-, otherwise H-; references "
        "are the lines T-, otherwise D-, otherwise H-",
        "generate.txt",
    ),
    Format("CSV", (".csv",), "id,text\nu1,네 좋아요\nu2,비가 온다", _BY_ID),
    Format("Tables with tabs", (".tsv", ".tab"), "id\ttext\nu1\t네 좋아요\nu2\t비가 온다", _BY_ID),
    Format("JSON, an object on each line", (".jsonl", ".ndjson", ".jsonlines", ".json"), _JSON_LINES, _BY_ID),
    Format("JSON, a list of objects", (".json",), '[{"id": "u1", "text": "네 좋아요"}]', _BY_ID),
    Format("JSON, texts by id", (".json",), '{"u1": "네 좋아요", "u2": "비가 온다"}', "by id"),
    Format(
        "JSON, a list for each column", (".json",), '{"id": ["u1", "u2"], "text": ["네 좋아요", "비가 온다"]}', _BY_ID
    ),
    Format(
        "Logs of Inspect",
        (".json",),
        '{"eval": {"task": "t"}, "samples": [{"id": 1, "target": "네", "output": {"completion": "네 좋아요"}}]}',
        "by `id`, and by `epoch` if there are several. Name the columns, such as `output.completion`; unpack a log in "
        "another format (.eval) with `inspect log convert`",
    ),
    Format(
        "Manifests of NeMo and Azure",
        (".json", ".jsonl"),
        '{"audio_filepath": "a.wav", "offset": 0, "text": "네 좋아요", "pred_text": "네 좋아"}',
        "by recording and `offset`, or by the name of the recording. A .csv with these columns is a manifest too",
    ),
    Format(
        "Segments of a recogniser (Whisper, transformers, WhisperX)",
        (".json",),
        '{"segments": [{"start": 0, "end": 1, "text": "네 좋아요", "speaker": "A"}]}',
        "by number, counted from 1; for `cpwer` and `cpcer` by session",
    ),
    Format(
        "Captions of COCO",
        (".json",),
        '{"annotations": [{"image_id": 1, "id": 7, "caption": "고양이가 잔다"}]}',
        "by `image_id`; several annotations of one image are several references",
    ),
    Format("Excel", (".xlsx",), "", _BY_ID),
    Format("Parquet", STORED, "", _BY_ID),
    Format("Transcripts with ids", (".trn",), "네 좋아요 (spk1-001)", "by the id in parentheses"),
    Format("KsponSpeech's transcripts", (".trn",), "eval/1.pcm :: 네 좋아요", "by the path of the recording"),
    Format("Kaldi's transcripts", (), "spk1-001 네 좋아요", "by the first word; the file is called `text`", "text"),
    Format(
        "Segments with times",
        (".stm",),
        "m1 1 A 0.0 1.5 네 좋아요",
        "by recording, channel, start and end; for `cpwer` and `cpcer` by session",
    ),
    Format(
        "Words with times",
        (".ctm",),
        "m1 1 0.10 0.25 네 0.9",
        "by time: a word belongs to the segment of the reference (.stm) that contains its middle. For `cpwer` and "
        "`cpcer` rows are matched by session; speakers come from an .rttm file of the same name, or the eighth field",
    ),
    Format("Subtitles", (".srt",), "1\n00:00:00,000 --> 00:00:01,500\n네 좋아요", "by number or name of the cue"),
    Format("WebVTT", (".vtt",), "WEBVTT\n\n00:00.000 --> 00:01.500\n네 좋아요", "by name of the cue, or by position"),
)


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
    return "\n".join(parts)
