"""Subtitles, .srt and .vtt files: the text of each cue, and when it is said."""

import html
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import InputError

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
    """Yields the cues of numbered lines; InputError names file and line of what is none."""
    for block in _blocks(lines):
        number, first = block[0]
        if first.split(maxsplit=1)[0] in _NO_CUES and _ARROW not in "".join(line for _, line in block[:2]):
            continue
        name, rest = ("", block) if _ARROW in first else (first.strip(), block[1:])
        match = _TIMES.fullmatch(rest[0][1].strip()) if rest else None
        times = [_TIME.fullmatch(time) for time in match.groups()] if match else [None]
        if not all(times):
            line, text = rest[0] if rest else (number, first)
            raise InputError(
                f"{path}, line {line}: {text.strip()!r:.40} has no times; write 00:00:01,000 --> 00:00:02,500"
            )
        text = " ".join(_TAGS.sub("", line) for _, line in rest[1:])
        yield Cue(number, name, *map(_seconds, times), " ".join(html.unescape(text).split()))


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Yields lines that no blank one parts."""
    block: list[tuple[int, str]] = []
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
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction}")
