"""Subtitles, .srt and .vtt files: the text and times of each cue."""

import html
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import InputError

_Lines = list[tuple[int, str]]  # with their numbers
_ARROW = "-->"
_TIMES = re.compile(r"(?P<start>[\d:.,]+)\s+-->\s+(?P<end>[\d:.,]+)(?:\s.*)?")
_TIME = re.compile(r"(?:(\d+):)?(\d\d?):(\d\d?)[.,](\d{1,3})")  # hours, minutes, seconds, and their fraction
_TAGS = re.compile(r"</?[a-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}", re.I)  # <i>, <v Speaker>, <00:01.000>, {\an8}
_NO_CUES = ("NOTE", "STYLE", "REGION", "WEBVTT")


class Cue(NamedTuple):
    """What is shown from one time to another, in seconds."""

    line: int
    name: str  # its number or name; "" for none
    start: float
    end: float
    text: str


def read_cues(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Cue]:
    """Yields the cues of numbered lines; InputError names file and line of a bad cue."""
    for block in itertools.chain.from_iterable(map(_cues_of, _blocks(lines))):
        number, first_line = block[0]
        # a cue begins with its times, or with a name above them
        name = ""
        if _ARROW not in first_line:
            name = first_line.strip()
            block = block[1:] or block
        line_of_times, times = block[0]
        match = _TIMES.fullmatch(times.strip())
        start = match and _TIME.fullmatch(match["start"])
        end = match and _TIME.fullmatch(match["end"])
        if not start or not end:
            raise InputError(
                f"{path}, line {line_of_times}: {times.strip()!r:.40} has no times; write 00:00:01,000 --> 00:00:02,500"
            )
        text = html.unescape(" ".join([_TAGS.sub("", line) for _, line in block[1:]]))
        yield Cue(number, name, _seconds(start), _seconds(end), " ".join(text.split()))


def _cues_of(block: _Lines) -> list[_Lines]:
    """Returns the cues among lines that no blank one parts: each line of times begins one, with the number above it."""
    is_head = block[0][1].split(maxsplit=1)[0].upper() in _NO_CUES
    borders = []
    for row, (_, line) in enumerate(block):
        if _TIMES.fullmatch(line.strip()):
            has_number = row > 0 and block[row - 1][1].strip().isdecimal()
            borders.append(row - 1 if has_number else row)
    if not is_head:
        borders = [0, *borders[1:]]  # the first cue may have a name
    return [block[start:end] for start, end in itertools.pairwise([*borders, len(block)])]


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[_Lines]:
    """Yields lines that no blank one parts."""
    block: _Lines = []
    for number, line in lines:
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _seconds(time: re.Match[str]) -> float:
    hours, minutes, seconds, fraction = time.groups(default="0")
    whole_seconds = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    return whole_seconds + float(f"0.{fraction}")
