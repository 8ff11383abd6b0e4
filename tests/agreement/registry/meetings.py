"""cpWER and cpCER: meeteval, which takes words alone; characters are given to it as words."""

import logging
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from .agreements import Agreement, Case, Columns, Values
from .inputs import ASCII, KOREAN, words

_COLLARS = (0, 0.5, 2, 5)


def load_meeteval(as_characters: bool = False) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads meeteval's cpWER, with a collar its tcpWER."""

    def load() -> Callable[[Case], Values]:
        from meeteval.io.seglst import SegLST
        from meeteval.wer.wer.cp import cp_word_error_rate
        from meeteval.wer.wer.time_constrained import tcp_word_error_rate

        logging.getLogger("preprocess").setLevel(logging.ERROR)  # it says so where times are missing

        def segments(session: list[dict[str, Any]]) -> SegLST:
            return SegLST(
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

        def theirs(case: Case) -> Values:
            collar = case.options.get("collar")
            rate = cp_word_error_rate if collar is None else tcp_word_error_rate
            options = {} if collar is None else {"collar": collar}
            sides = zip(case.columns["references"], case.columns["predictions"], strict=True)
            found = [rate(*map(segments, both), **options) for both in sides]
            return {
                "edits": sum(one.errors for one in found),
                "reference_length": sum(one.length for one in found),
                "missed_speakers": sum(one.missed_speaker for one in found),
                "extra_speakers": sum(one.falarm_speaker for one in found),
            }

        return theirs

    return load


def of_sessions(rows: list[tuple[Any, Any]]) -> Columns:
    """Returns the columns of a metric of sessions."""
    return {"predictions": [list(row[0]) for row in rows], "references": [list(row[1]) for row in rows]}


def sessions(
    text: st.SearchStrategy, speakers: int = 3, start: st.SearchStrategy | None = None, most: int = 8
) -> st.SearchStrategy:
    """Returns sessions of such texts by so many speakers; without `start` they have no times."""
    said = {"speaker": st.integers(1, speakers).map(str), "text": text}
    utterance = st.fixed_dictionaries(said)
    if start is not None:
        utterance = st.tuples(utterance, start, st.sampled_from([0.25, 1, 2, 3.7])).map(
            lambda drawn: {**drawn[0], "start": drawn[1], "end": drawn[1] + drawn[2]}
        )
    session = st.lists(utterance, min_size=1, max_size=most)
    return st.lists(st.tuples(session, session), min_size=1, max_size=3)


_SECONDS = st.integers(0, 12)
_TIMED = {
    "ASCII": sessions(words(*ASCII, most=5), start=_SECONDS),
    "Korean": sessions(words(*KOREAN, most=5), start=_SECONDS),
    "many speakers": sessions(words("a", "b", "가", most=4), 8, _SECONDS, most=20),
    "one speaker": sessions(words("a", "b", "c", most=5), 1, _SECONDS),
    "empty utterances": sessions(st.sampled_from(["", " ", "a"]), start=_SECONDS),
    "times between seconds": sessions(words(*KOREAN, most=5), start=st.floats(0, 9).map(lambda time: round(time, 3))),
    "all at once": sessions(words("a", "b", "나", most=6), start=st.just(0)),
    "long texts": sessions(words(*KOREAN, *ASCII, fewest=20, most=40), 4, st.integers(0, 90), most=12),
}
_UNTIMED = {
    **_TIMED,
    "no times": sessions(words(*KOREAN, most=5)),
    "no times, many": sessions(words("a", "b"), 8, most=20),
}
_COLLAR = st.sampled_from(_COLLARS).map(lambda collar: {"collar": collar})
_KEPT = {"special": "keep"}  # meeteval removes nothing

AGREEMENTS = [
    Agreement(
        metric,
        peer,
        "meeteval",
        f"{settings}edits and length, speakers who are missed or too many",
        load_meeteval(as_characters=metric == "cpcer"),
        options.map(lambda drawn, own=_KEPT if metric == "cpcer" else {}: {**own, **drawn}),
        columns=of_sessions,
        inputs=inputs,
    )
    for metric, peer, settings, options, inputs in (
        ("cpwer", "meeteval, cpWER", "", st.just({}), _UNTIMED),
        ("cpwer", "meeteval, tcpWER", "`collar`: ", _COLLAR, _TIMED),
        ("cpcer", "meeteval, cpWER", '`special="keep"`, characters as words: ', st.just({}), _UNTIMED),
        ("cpcer", "meeteval, tcpWER", '`special="keep"`, `collar`, characters as words: ', _COLLAR, _TIMED),
    )
]
