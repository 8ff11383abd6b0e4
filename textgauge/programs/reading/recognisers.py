"""What recognisers write as JSON: manifests of recordings (NeMo, Azure), and the segments of a transcription."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InputError
from .rows import PREDICTIONS, REFERENCES

AUDIO, OFFSET = "audio_filepath", "offset"  # which recording, and in seconds where in it
PREDICTED, SAID = "pred_text", "text"  # columns of manifests
OF_MANIFESTS = {PREDICTIONS: PREDICTED, REFERENCES: SAID}
IMAGE, CAPTION = "image_id", "caption"  # of COCO's annotations and results
# endings of files with sound
SOUNDS = (
    ".wav", ".flac", ".mp3", ".m4a", ".mp4", ".ogg", ".opus", ".pcm", ".sph", ".aac", ".wma", ".webm", ".raw",
)  # fmt: skip
_SEGMENTS = {"segments": "Whisper's", "chunks": "transformers'", "transcription": "whisper.cpp's"}


def is_manifest(records: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether the records of a file are a manifest, which names a recording in each."""
    records = list(records)
    return bool(records) and all(AUDIO in record for record in records)


def segments_of(content: Mapping[str, Any], path: str, with_speakers: bool = False) -> list[dict[str, Any]] | None:
    """Returns id, from 1 as in subtitles, and text of each segment of a transcription; None for other content.

    A transcription without segments is of silence, and has one without words. With `with_speakers` there is also who
    speaks when, where the recogniser says so.

    Raises:
        InputError: a segment without text; names its place.
    """
    name = next((name for name in _SEGMENTS if _are_objects(content.get(name))), None)
    if name is None:
        is_silent = content.get("segments") == [] and isinstance(content.get(SAID, ""), str)
        return [{"id": 1, SAID: content.get(SAID, "").strip()}] if is_silent else None
    segments = []
    for number, segment in enumerate(content[name], start=1):
        if not isinstance(segment.get(SAID), str):
            raise InputError(
                f"{path}, {name}[{number - 1}]: {_SEGMENTS[name]} segments need the field {SAID!r}; this one has "
                f"{', '.join(segment) or 'no field'}"
            )
        record = {"id": number, SAID: segment[SAID].strip()}
        if with_speakers:
            record.update(_speaking(segment))
        segments.append(record)
    return segments


def annotations_of(content: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Returns image and caption of each annotation of COCO's; None for other files."""
    annotations = content.get("annotations")
    if not _are_objects(annotations) or not are_captions(annotations):
        return None
    return [{IMAGE: annotation[IMAGE], CAPTION: annotation[CAPTION]} for annotation in annotations]


def are_captions(records: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether the records of a file are captions of images, as COCO has them."""
    records = list(records)
    return bool(records) and all(IMAGE in record and CAPTION in record for record in records)


def _speaking(segment: Mapping[str, Any]) -> dict[str, Any]:
    """Returns who speaks in a segment, and when, as far as it is known."""
    known = {}
    times = segment.get("timestamp")
    if isinstance(times, list) and len(times) == 2:
        known["start"], known["end"] = times
    for name in ("speaker", "start", "end"):
        if name in segment:
            known[name] = segment[name]
    return known


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
