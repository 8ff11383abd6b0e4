"""What recognisers write as JSON: manifests of recordings (NeMo, Azure), and the segments of a transcription."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InputError

AUDIO, OFFSET = "audio_filepath", "offset"  # which recording, and in seconds where in it
PREDICTED, SAID = "pred_text", "text"  # columns of manifests
OF_MANIFESTS = {"--prediction-column": PREDICTED, "--reference-column": SAID}
_SEGMENTS = {"segments": "Whisper's", "chunks": "transformers'", "transcription": "whisper.cpp's"}


def is_manifest(records: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether the records of a file are a manifest, which names a recording in each."""
    records = list(records)
    return bool(records) and all(AUDIO in record for record in records)


def segments_of(content: Mapping[str, Any], path: str) -> list[dict[str, Any]] | None:
    """Returns id, from 1 as in subtitles, and text of each segment of a transcription; None for what is none.

    Raises:
        InputError: a segment without text; names its place.
    """
    name = next((name for name in _SEGMENTS if _are_objects(content.get(name))), None)
    if name is None:
        return None
    segments = []
    for number, segment in enumerate(content[name], start=1):
        if not isinstance(segment.get(SAID), str):
            raise InputError(
                f"{path}, {name}[{number - 1}]: {_SEGMENTS[name]} segments have the field {SAID!r}; it has "
                f"{', '.join(segment) or 'none'}"
            )
        segments.append({"id": number, SAID: segment[SAID].strip()})
    return segments


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
