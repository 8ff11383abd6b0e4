"""Transcripts of speech with ids of utterances: NIST's .trn, .stm and .ctm files, Kaldi's `text`, .srt and .vtt.

Utterances are matched by id. A .ctm file has words with times instead; a word belongs to the segment of the reference,
an .stm file, that its middle falls into, and one between segments to the nearest. The id of a cue of subtitles is its
number or name; without one it is counted.
"""

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from .compressed import COMPRESSED, numbered_lines, suffix_of
from .recognisers import SOUNDS
from .rows import ID, RECORDING, START, TEXT, Request, Rows
from .subtitles import read_cues

_KALDI = "text"  # what Kaldi calls the file
_TURN = "SPEAKER"  # the lines of .rttm files that are turns
_SUBTITLES = (".srt", ".vtt")
TIMED = (".ctm",)
OF_NIST = (".trn", ".stm", *TIMED)
_WITH_DURATIONS = (*TIMED, ".rttm")
NOT_SCORED = ("ignore_time_segment_in_scoring", "inter_segment_gap")
_COMMENT = ";;"
_TRN = re.compile(r"(.*)\(([^()]+)\)\s*")
_STM = re.compile(
    r"(?P<channel>\S+\s+\S+)\s+(?P<speaker>\S+)\s+(?P<start>\S+)\s+(?P<end>\S+)(?:\s+<[^>]*>)?(?P<text>.*)"
)
# word and confidence, and of RT-09 what kind of word it is, and who says it
_CTM = re.compile(
    r"(?P<channel>\S+\s+\S+)\s+(?P<start>\S+)\s+(?P<end>\S+)\s+(?P<text>\S+)"
    r"(?:\s+\S+(?:\s+(?P<kind>\S+)(?:\s+(?P<speaker>\S+))?)?)?\s*"
)
_NO_WORDS = ("<eps>", "<sil>")  # of Kaldi: silence
_NO_WORD_KINDS = ("non-lex", "misc", "noise")  # of RT-09: laughter and the like
_RTTM = re.compile(
    r"(?P<text>SPEAKER)\s+(?P<channel>\S+\s+\S+)\s+(?P<start>\S+)\s+(?P<end>\S+)\s+\S+\s+\S+\s+(?P<speaker>\S+).*"
)
# { a / b } of NIST's; a brace or a slash inside a word is a character of it
_ALTERNATIVES = re.compile(r"(?<!\S)\{[^{}]*\s/\s[^{}]*\}(?!\S)|<ALT", re.IGNORECASE)
_KSPON = re.compile(r"(?P<path>\S+)\s+::(?:\s+(?P<text>.*))?")  # KsponSpeech's own .trn


class Utterance(NamedTuple):
    """The text from one time to another; a .trn file has no times, and .ctm and .rttm a duration as the end."""

    line: int
    text: str
    channel: str = ""
    start: float = 0.0
    end: float = 0.0
    speaker: str = ""
    kind: str = ""  # of a word of RT-09


def is_kaldi(path: str) -> bool:
    """Returns whether a file has the name of Kaldi's, whose lines begin with ids."""
    name = Path(path)
    return (name.stem if name.suffix.lower() in COMPRESSED else name.name) == _KALDI


def read_utterances(request: Request) -> Rows:
    """Yields id and text of the utterances that a file and the reference score; of all if they are segmented again.

    Raises:
        InputError: a line that is not of its format, an id that is missing or there twice; names file and line.
    """
    if request.is_cut:
        yield from _spoken(request.path, request.encoding)
        return
    for key, utterance in _by_id(request.path, request.reference, request.encoding).items():
        yield key, {ID: key, TEXT: utterance.text}


def read_timed_words(request: Request) -> Rows:
    """Yields the words of a .ctm file, one text for each segment of the reference that is scored, likewise."""
    path, reference, encoding = request.path, request.reference, request.encoding
    if request.is_cut:
        yield from _spoken(path, encoding)
        return
    if suffix_of(reference) != ".stm":
        raise InputError(f"{path}: words with times need a reference that ends in .stm, not {reference or 'none'}")
    for key, text in _timed_texts(path, _by_id(reference, reference, encoding), reference, encoding).items():
        yield key, {ID: key, TEXT: text}


def _spoken(path: str, encoding: str) -> Rows:
    """Yields the utterances or words of a file with their recordings, if there are names, and starts."""
    is_empty = True
    for key, utterance in read_lines(path, encoding):
        if utterance.text.lower() == NOT_SCORED[0]:
            raise InputError(f"{path}, line {utterance.line}: {NOT_SCORED[0]} has no text to align; remove the line")
        if utterance.text.lower() not in NOT_SCORED:
            is_empty = False
            yield key, {ID: key, TEXT: utterance.text, RECORDING: utterance.channel, START: utterance.start}
    if is_empty:
        raise InputError(f"{path}: nothing to score: the file has no utterance")


def _by_id(path: str, reference: str, encoding: str) -> dict[str, Utterance]:
    """Returns the utterances of a .trn or .stm file, without those that it or the reference says are not scored."""
    by_id: dict[str, Utterance] = {}
    for key, utterance in read_lines(path, encoding):
        if key in by_id:
            raise InputError(f"{path}, line {utterance.line}: utterance {key!r:.200} is also in line {by_id[key].line}")
        by_id[key] = utterance
    references = read_lines(reference, encoding) if suffix_of(reference) == ".stm" else ()
    left_out = set()
    for key, utterance in itertools.chain(by_id.items(), references):
        if utterance.text.lower() in NOT_SCORED:
            left_out.add(key)
    scored = {key: utterance for key, utterance in by_id.items() if key not in left_out}
    if not scored:
        raise InputError(f"{path}: nothing to score: the file has no utterance")
    return scored


def _timed_texts(path: str, wanted: Mapping[str, Utterance], reference: str, encoding: str) -> dict[str, str]:
    """Returns the words of a .ctm file segment by segment; those of a segment that is not scored are left out."""
    segments = defaultdict(list)
    for key, segment in read_lines(reference, encoding):
        segments[segment.channel].append((segment.start, segment.end, key))
    by_channel = {channel: Segments(of_channel) for channel, of_channel in segments.items()}
    words: dict[str, list[tuple[float, str]]] = {key: [] for key in wanted}
    for _, word in read_lines(path, encoding):
        if word.channel not in by_channel:
            raise InputError(f"{path}, line {word.line}: {reference} has no segment of {word.channel}")
        key = by_channel[word.channel].nearest(word.start + word.end / 2)
        if key in words:
            words[key].append((word.start, word.text))
    texts = {}
    for key in wanted:
        in_time = sorted(words[key], key=lambda timed_word: timed_word[0])
        texts[key] = " ".join([text for _, text in in_time])
    return texts


class Segments:
    """The segments of a channel, each with start, end and key."""

    def __init__(self, segments: Sequence[tuple[float, float, str]]) -> None:
        self.starts = np.array([start for start, _, _ in segments])
        self.ends = np.array([end for _, end, _ in segments])
        self.keys = [key for _, _, key in segments]

    def nearest(self, time: float) -> str:
        """Returns the segment that a time is in, or least outside of; of several the first."""
        outside = np.maximum(self.starts - time, time - self.ends)
        return self.keys[int(np.maximum(outside, 0.0).argmin())]


def read_lines(path: str, encoding: str) -> Iterator[tuple[str, Utterance]]:
    """Yields id and utterance of each line or cue, without comments, blank lines and .rttm lines without a turn."""
    if suffix_of(path) in _SUBTITLES:
        for number, cue in enumerate(read_cues(numbered_lines(path, encoding), path), start=1):
            yield cue.name or str(number), Utterance(cue.line, cue.text, "", cue.start, cue.end)
        return
    suffix = suffix_of(path)
    parse = _parse_kaldi if is_kaldi(path) else _PARSERS[suffix]
    for number, line in numbered_lines(path, encoding):
        if not line.strip() or line.startswith(_COMMENT):
            continue
        if suffix == ".rttm" and line.split()[0] != _TURN:
            continue
        place = f"{path}, line {number}"
        if _ALTERNATIVES.search(line):
            raise InputError(f"{place}: alternatives are not supported; pass each as a separate reference")
        key, utterance = parse(line.rstrip("\r\n"), number, place)
        if suffix in _WITH_DURATIONS and utterance.end < 0:
            raise InputError(f"{place}: the duration is {utterance.end:g}; pass seconds of at least 0")
        is_silence = suffix in TIMED and utterance.text in _NO_WORDS
        if not is_silence and utterance.kind not in _NO_WORD_KINDS:
            yield key, utterance


def _parse_trn(line: str, number: int, place: str) -> tuple[str, Utterance]:
    match = _TRN.fullmatch(line)
    of_kspon = _KSPON.fullmatch(line.strip())
    # KsponSpeech's texts may end in parentheses, and others may have :: in them
    if of_kspon and (not match or of_kspon["path"].lower().endswith(SOUNDS)):
        return of_kspon["path"], Utterance(number, (of_kspon["text"] or "").strip())
    if not match:
        raise InputError(f"{place}: {line!r:.40} has no id; write the words, then (id)")
    return match[2].strip(), Utterance(number, match[1].strip())


def _parse_kaldi(line: str, number: int, place: str) -> tuple[str, Utterance]:
    key, *words = line.split(maxsplit=1)
    return key, Utterance(number, "".join(words).strip())


def _parse_timed(line: str, number: int, place: str, form: re.Pattern[str], fields: str) -> tuple[str, Utterance]:
    match = form.fullmatch(line)
    try:
        times = [float(match[name]) for name in ("start", "end")] if match else []
    except ValueError:
        times = []
    if not match or not times or not all(map(math.isfinite, times)):
        raise InputError(f"{place}: {line!r:.40} is not a line of this format; write {fields}")
    channel = " ".join(match["channel"].split())
    key = f"{channel} {times[0]:.12g}-{times[1]:.12g}"
    further = match.groupdict(default="")
    speaker = further.get("speaker", "")
    text = " ".join(match["text"].split())
    if speaker.lower() in NOT_SCORED and not text:  # where NIST's own files have it
        text = speaker
    return key, Utterance(number, text, channel, *times, speaker, further.get("kind", ""))


_PARSERS: dict[str, Callable[[str, int, str], tuple[str, Utterance]]] = {
    ".trn": _parse_trn,
    ".stm": lambda *line: _parse_timed(*line, _STM, "file, channel, speaker, start, end, <labels>, words"),
    ".ctm": lambda *line: _parse_timed(*line, _CTM, "file, channel, start, duration, word, confidence"),
    ".rttm": lambda *line: _parse_timed(*line, _RTTM, "SPEAKER, file, channel, start, duration, <NA>, <NA>, speaker"),
}
