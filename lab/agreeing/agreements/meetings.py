"""cpWER and cpCER."""

from typing import Any

from hypothesis import strategies as st

from lab.peers import meetings
from lab.peers.peer import Columns

from ..agreement import Agreement
from ..inputs import ASCII, KOREAN, words


def _of_sessions(rows: list[tuple[Any, Any]]) -> Columns:
    return {"predictions": [list(row[0]) for row in rows], "references": [list(row[1]) for row in rows]}


def _sessions(
    text: st.SearchStrategy, speakers: int = 3, start: st.SearchStrategy | None = None, most: int = 8
) -> st.SearchStrategy:
    """Returns sessions of such texts by so many speakers; without `start` they have no times."""
    utterance = st.fixed_dictionaries({"speaker": st.integers(1, speakers).map(str), "text": text})
    if start is not None:
        seconds = st.sampled_from([0.25, 1, 2, 3.7])
        utterance = st.tuples(utterance, start, seconds).map(_timed)
    session = st.lists(utterance, min_size=1, max_size=most)
    return st.lists(st.tuples(session, session), min_size=1, max_size=3)


def _timed(drawn: tuple[dict[str, Any], float, float]) -> dict[str, Any]:
    utterance, start, seconds = drawn
    return {**utterance, "start": start, "end": start + seconds}


_SECONDS = st.integers(0, 12)
_TIMED = {
    "ASCII": _sessions(words(*ASCII, most=5), start=_SECONDS),
    "Korean": _sessions(words(*KOREAN, most=5), start=_SECONDS),
    "many speakers": _sessions(words("a", "b", "가", most=4), 8, _SECONDS, most=20),
    "one speaker": _sessions(words("a", "b", "c", most=5), 1, _SECONDS),
    "empty utterances": _sessions(st.sampled_from(["", " ", "a"]), start=_SECONDS),
    "times between seconds": _sessions(words(*KOREAN, most=5), start=st.floats(0, 9).map(lambda time: round(time, 3))),
    "all at once": _sessions(words("a", "b", "나", most=6), start=st.just(0)),
    "long texts": _sessions(words(*KOREAN, *ASCII, fewest=20, most=40), 4, st.integers(0, 90), most=12),
}
_UNTIMED = {
    **_TIMED,
    "no times": _sessions(words(*KOREAN, most=5)),
    "no times, many": _sessions(words("a", "b"), 8, most=20),
}
_COLLAR = st.sampled_from((0, 0.5, 2, 5)).map(lambda collar: {"collar": collar})
_KEPT = {"special": "keep"}  # meeteval removes nothing
_COUNTS = "edits and length, speakers who are missed or too many"
_AS_WORDS = "characters as words"

AGREEMENTS = [
    Agreement(meetings.WORDS, "meeteval, cpWER", _COUNTS, st.just({}), _of_sessions, _UNTIMED),
    Agreement(meetings.WORDS, "meeteval, tcpWER", f"`collar`: {_COUNTS}", _COLLAR, _of_sessions, _TIMED),
    Agreement(
        meetings.CHARACTERS,
        "meeteval, cpWER",
        f'`special="keep"`, {_AS_WORDS}: {_COUNTS}',
        st.just(_KEPT),
        _of_sessions,
        _UNTIMED,
    ),
    Agreement(
        meetings.CHARACTERS,
        "meeteval, tcpWER",
        f'`special="keep"`, `collar`, {_AS_WORDS}: {_COUNTS}',
        _COLLAR.map(lambda drawn: {**_KEPT, **drawn}),
        _of_sessions,
        _TIMED,
    ),
]
