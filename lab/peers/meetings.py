"""cpWER and cpCER: meeteval, which takes words alone; characters are given to it as words."""

import importlib
import logging
from functools import partial
from typing import Any

from .peer import Case, Peer, Values


def _load() -> Any:
    logging.getLogger("preprocess").setLevel(logging.ERROR)  # it says so where times are missing
    importlib.import_module("meeteval.io.seglst")
    return importlib.import_module("meeteval")


def _meeteval(meeteval: Any, case: Case, as_characters: bool) -> Values:
    """Returns the counts of cpWER, with a collar those of tcpWER."""

    def segments(session: list[dict[str, Any]]) -> Any:
        return meeteval.io.seglst.SegLST([_segment(utterance, as_characters) for utterance in session])

    collar = case.options.get("collar")
    counts = dict.fromkeys(("edits", "reference_length", "missed_speakers", "extra_speakers"), 0)
    for reference, prediction in zip(case.columns["references"], case.columns["predictions"], strict=True):
        sides = (segments(reference), segments(prediction))
        if collar is None:
            found = meeteval.wer.wer.cp.cp_word_error_rate(*sides)
        else:
            found = meeteval.wer.wer.time_constrained.tcp_word_error_rate(*sides, collar=collar)
        counts["edits"] += found.errors
        counts["reference_length"] += found.length
        counts["missed_speakers"] += found.missed_speaker
        counts["extra_speakers"] += found.falarm_speaker
    return counts


def _segment(utterance: dict[str, Any], as_characters: bool) -> dict[str, Any]:
    """Returns an utterance as meeteval takes it."""
    words = utterance["text"]
    if as_characters:
        words = " ".join(words.replace(" ", ""))
    segment = {"session_id": "1", "speaker": utterance["speaker"], "words": words}
    for time in ("start", "end"):
        if time in utterance:
            segment[f"{time}_time"] = utterance[time]
    return segment


WORDS = Peer("cpwer", "meeteval", "meeteval", _load, partial(_meeteval, as_characters=False), timed=("cpwer",))
CHARACTERS = WORDS._replace(metric="cpcer", call=partial(_meeteval, as_characters=True), timed=())
