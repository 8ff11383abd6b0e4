"""What recognisers write as JSON: manifests of recordings (NeMo, Azure), and the segments of transcriptions."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..errors import InputError
from .rows import END, PREDICTIONS, REFERENCES, SPEAKER, START, are_objects, value_at

AUDIO, OFFSET = "audio_filepath", "offset"  # which recording, and in seconds where in it
PREDICTED, SAID = "pred_text", "text"  # columns of manifests
OF_MANIFESTS = {PREDICTIONS: PREDICTED, REFERENCES: SAID}
IMAGE, CAPTION = "image_id", "caption"  # of COCO's annotations and results
# endings of files with sound
SOUNDS = (
    ".wav", ".flac", ".mp3", ".m4a", ".mp4", ".ogg", ".opus", ".pcm", ".sph", ".aac", ".wma", ".webm", ".raw",
)  # fmt: skip


class Transcription(NamedTuple):
    """Where the JSON of a program or service that transcribes has what: paths as `value_at` takes them."""

    title: str
    segments: str  # the list, with one object for each segment
    text: str  # inside a segment
    speaker: str = ""
    start: str = ""
    end: str = ""
    per_second: int = 1  # of the times


TRANSCRIPTIONS = (
    Transcription("Whisper, WhisperX, OpenAI", "segments", SAID, "speaker", "start", "end"),
    Transcription("CLOVA Speech", "segments", SAID, "speaker.label", "start", "end", 1000),
    Transcription("transformers", "chunks", SAID, "", "timestamp.0", "timestamp.1"),
    Transcription("transformers with speakers", "speakers", SAID, "speaker", "timestamp.0", "timestamp.1"),
    Transcription("whisper.cpp", "transcription", SAID, "", "offsets.from", "offsets.to", 1000),
    Transcription("AssemblyAI", "utterances", SAID, "speaker", "start", "end", 1000),
    Transcription(
        "Amazon Transcribe", "results.audio_segments", "transcript", "speaker_label", "start_time", "end_time"
    ),
    Transcription("Amazon Transcribe, whole", "results.transcripts", "transcript"),
    Transcription(
        "Amazon Transcribe, words", "results.items", "alternatives.0.content", "speaker_label", "start_time", "end_time"
    ),
    Transcription("RTZR", "results.utterances", "msg", "spk", "start_at", "", 1000),
    Transcription("Deepgram", "results.utterances", "transcript", "speaker", "start", "end"),
    Transcription("Deepgram, whole", "results.channels", "alternatives.0.transcript"),
    Transcription("Google, IBM", "results", "alternatives.0.transcript"),
    Transcription("Azure, batches", "recognizedPhrases", "nBest.0.display", "speaker"),
    Transcription("Azure, fast", "phrases", SAID, "speaker", "offsetMilliseconds", "", 1000),
)


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
    known = [form for form in TRANSCRIPTIONS if are_objects(_found(content, form.segments))]
    matching = [form for form in known if _has(content, form, form.text)]
    if with_speakers:
        matching = [form for form in matching if _has(content, form, form.speaker)] or matching
    if not known:
        is_silent = content.get("segments") == [] and isinstance(content.get(SAID, ""), str)
        return [{"id": 1, SAID: content.get(SAID, "").strip()}] if is_silent else None
    if not matching:
        return None
    # of forms with the same list that which says more of its segments, as CLOVA's speaker is an object
    form = max(matching, key=lambda form: (form.segments == matching[0].segments, _has(content, form, form.speaker)))
    segments = []
    for number, segment in enumerate(_found(content, form.segments), start=1):
        text = _found(segment, form.text)
        if not isinstance(text, str):
            raise InputError(
                f"{path}, {form.segments}[{number - 1}]: segments of {form.title} need the field {form.text!r}; this "
                f"one has {', '.join(segment) or 'no field'}"
            )
        record = {"id": number, SAID: text.strip()}
        speaking = _speaking(segment, form) if with_speakers else {}
        if with_speakers and segments and form.start and not speaking:
            segments[-1][SAID] += record[SAID]  # a mark of punctuation
        else:
            segments.append({**record, **speaking})
    return segments


def _has(content: Mapping[str, Any], form: Transcription, path: str) -> bool:
    """Returns whether a segment has a text or a number at a path."""
    return any(isinstance(_found(segment, path), (str, int)) for segment in _found(content, form.segments))


def _found(fields: Mapping[str, Any], path: str) -> Any:
    """Returns what is at a path; None where nothing is."""
    try:
        return value_at(fields, path)
    except KeyError:
        return None


def annotations_of(content: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Returns image and caption of each annotation of COCO's; None for other files."""
    annotations = content.get("annotations")
    if not are_objects(annotations) or not are_captions(annotations):
        return None
    return [{IMAGE: annotation[IMAGE], CAPTION: annotation[CAPTION]} for annotation in annotations]


def are_captions(records: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether the records of a file are captions of images, as COCO has them."""
    records = list(records)
    return bool(records) and all(IMAGE in record and CAPTION in record for record in records)


def _speaking(segment: Mapping[str, Any], form: Transcription) -> dict[str, Any]:
    """Returns who speaks in a segment, and when in seconds, as far as it is known."""
    known = {}
    speaker = _found(segment, form.speaker)
    if speaker is not None:
        known[SPEAKER] = str(speaker)
    for name, path in ((START, form.start), (END, form.end)):
        time = _found(segment, path)
        if time is not None:
            known[name] = time / form.per_second if isinstance(time, (int, float)) else time
    return known
