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
        return meeteval.io.seglst.SegLST(
            [
                {
                    "session_id": "1",
                    "speaker": utterance["speaker"],
                    "words": " ".join(utterance["text"].replace(" ", "")) if as_characters else utterance["text"],
                    **{f"{time}_time": utterance[time] for time in ("start", "end") if time in utterance},
                }
                for utterance in session
            ]
        )

    collar = case.options.get("collar")
    options = {} if collar is None else {"collar": collar}
    rate = (
        meeteval.wer.wer.cp.cp_word_error_rate
        if collar is None
        else (meeteval.wer.wer.time_constrained.tcp_word_error_rate)
    )
    sides = zip(case.columns["references"], case.columns["predictions"], strict=True)
    found = [rate(*map(segments, both), **options) for both in sides]
    return {
        "edits": sum(one.errors for one in found),
        "reference_length": sum(one.length for one in found),
        "missed_speakers": sum(one.missed_speaker for one in found),
        "extra_speakers": sum(one.falarm_speaker for one in found),
    }


WORDS = Peer("cpwer", "meeteval", "meeteval", _load, partial(_meeteval, as_characters=False))
CHARACTERS = WORDS._replace(metric="cpcer", call=partial(_meeteval, as_characters=True))
