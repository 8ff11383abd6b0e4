"""A folder with a file for each recording, as recognisers write: one system, whose rows are the recordings."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from .compressed import numbered_lines
from .records import read_json
from .rows import ID, REFERENCES, TEXT, Request, Rows
from .transcripts import read_lines

# of what a recogniser writes of each recording one is read: what most recordings have, and of these what says most
KINDS = (".json", ".txt", ".srt", ".vtt", ".trn")
SESSION_KINDS = (".json", ".jsonl", ".csv", ".tsv", ".stm", ".ctm")  # where each file is a session
_OF_SET = re.compile(r"(.+)\.[A-Z]\.([^.]+)")  # of pyrouge: news.A.001 and news.B.001 are references of news.001


def read_recordings(request: Request) -> Rows:
    """Yields the text of each recording of a folder, with the name of its file, without its ending, as the id.

    Raises:
        InputError: no file of a known kind, or a file that is not of its format.
    """
    files = files_of_recordings(request.path, KINDS)
    sets = [_OF_SET.fullmatch(path.stem) for path in files]
    have_sets = request.role == REFERENCES and all(sets)
    for path, of_set in zip(files, sets, strict=True):
        words = _text(str(path), path.suffix.lower(), request.encoding).split()
        yield path.stem, {ID: ".".join(of_set.groups()) if have_sets else path.stem, TEXT: " ".join(words)}


def files_of_recordings(folder: str, kinds: Sequence[str]) -> list[Path]:
    """Returns the files of a folder that end as most of them do, sorted; of endings that are there as often the first.

    Raises:
        InputError: there is no file of these kinds.
    """
    files = sorted(filter(Path.is_file, Path(folder).glob("[!.]*")))
    counts = Counter(path.suffix.lower() for path in files)
    kind = max(kinds, key=lambda ending: counts[ending])
    if not counts[kind]:
        raise InputError(f"{folder}: no file ends in {', '.join(kinds)}; pass one for each recording")
    return [path for path in files if path.suffix.lower() == kind]


def _text(path: str, kind: str, encoding: str) -> str:
    """Returns the text of a recording."""
    if kind == ".json":
        return _text_of_json(path, encoding)
    if kind == ".txt":
        return " ".join(line for _, line in numbered_lines(path, encoding))
    return " ".join(utterance.text for _, utterance in read_lines(path, encoding))


def _text_of_json(path: str, encoding: str) -> str:
    with_text = [record.get(TEXT) for _, record in read_json(Request(path, encoding))]
    if not all(isinstance(text, str) for text in with_text):
        raise InputError(f"{path}: this is not a transcription; write the segments of one recording with their texts")
    return " ".join(with_text)
