"""The lines on the speakers of a session: who was compared with whom, and texts written for the wrong speaker."""

from typing import Any

from ..saying.texts import say


def speakers_text(stream: dict[str, Any]) -> str:
    """Says who a speaker of the reference is in the prediction, and how many edits both have."""
    reference, prediction = (say("nobody") if speaker is None else speaker for speaker in stream["speakers"])
    edits, length = (f"{stream[key]:,g}" for key in ("edits", "reference_length"))
    return say("speakers", reference=reference, prediction=prediction, edits=edits, length=length)


def wrong_speaker_texts(explanation: dict[str, Any]) -> list[str]:
    """Names, for each text that was written for the wrong speaker, who said it."""
    return [
        say(
            "wrong_speaker",
            text=text,
            reference=reference,
            prediction=say("nobody") if prediction is None else prediction,
        )
        for text, reference, prediction in explanation["wrong_speaker"]
    ]
