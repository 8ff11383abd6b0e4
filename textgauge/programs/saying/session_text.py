"""Sessions as text that people read and write, a line for each utterance, and back."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError

_TIMES = ("start", "end")
_LINE = re.compile(r"(?:\[(?P<start>[\d.]+)-(?P<end>[\d.]+)\] )?(?P<speaker>[^:\n]+): ?(?P<text>.*)")


def takes_sessions(kind: Any) -> bool:
    """Returns whether a kind of column holds sessions, lists of utterances."""
    return isinstance(kind.features[0], list) and isinstance(kind.features[0][0], dict)


def are_utterances(value: Any) -> bool:
    """Returns whether a value is a session that is not empty."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def session_text(session: Sequence[Mapping[str, Any]]) -> str:
    """Writes each utterance as "speaker: text", with "[start-end] " before it where the times are known.

    >>> session_text([{"speaker": "민지", "text": "네", "start": 0.5, "end": 2.0}])
    '[0.5-2.0] 민지: 네'

    A session that cannot be read back from that is written as JSON.
    """
    utterances = [_known_values(utterance) for utterance in session]
    text = "\n".join(map(_line, utterances))
    try:
        is_read_back = read_session(text) == utterances
    except InputError:
        is_read_back = False
    return text if is_read_back else json.dumps(utterances, ensure_ascii=False)


def _known_values(utterance: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in utterance.items() if value is not None}


def _line(utterance: Mapping[str, Any]) -> str:
    times = "-".join(str(utterance[time]) for time in _TIMES if time in utterance)
    line = f"{utterance['speaker']}: {utterance['text']}"
    return f"[{times}] {line}" if times else line


def read_session(text: str) -> list[dict[str, Any]]:
    """Returns the utterances of a text that `session_text` wrote, or of JSON; InputError for any other line."""
    if text.lstrip().startswith("[{"):
        try:
            return json.loads(text)
        except ValueError as error:
            raise InputError(f"{text!r:.40} is not JSON: {error}") from None
    utterances = []
    for line in filter(str.strip, text.split("\n")):
        match = _LINE.fullmatch(line)
        if not match:
            raise InputError(f"{line!r:.40} is not an utterance; write it as speaker: text")
        utterance = _known_values(match.groupdict())
        times = {time: float(utterance.pop(time)) for time in _TIMES if time in utterance}
        utterances.append({**utterance, **times})
    return utterances
