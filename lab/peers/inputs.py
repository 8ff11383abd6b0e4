"""The kinds of input on which our metrics and their peers are compared; each is a hypothesis strategy.

A text input is a list of segments: a prediction, its references, and the source that it paraphrases.
"""

import functools
import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

SAMPLES = Path(__file__).parents[2] / "scripts" / "data"


Columns = dict[str, list[Any]]


class Segment(NamedTuple):
    """One row of a corpus."""

    prediction: str
    references: list[str]
    source: str


def of_texts(segments: Iterable[Segment]) -> Columns:
    """Returns the columns that nearly all metrics of texts take."""
    segments = list(segments)
    return {"predictions": [s.prediction for s in segments], "references": [list(s.references) for s in segments]}


def corpora(text: st.SearchStrategy, references: tuple[int, int] = (1, 1), most: int = 4) -> st.SearchStrategy:
    """Returns corpora of one to `most` segments of such texts, with so many references."""
    fewest, largest = references
    segment = st.builds(Segment, text, st.lists(text, min_size=fewest, max_size=largest), text)
    return st.lists(segment, min_size=1, max_size=most)


def words(*vocabulary: str, fewest: int = 0, most: int = 9) -> st.SearchStrategy:
    """Returns texts of these words: few words, so that they are found again."""
    return st.lists(st.sampled_from(vocabulary), min_size=fewest, max_size=most).map(" ".join)


ASCII = ("a", "b", "the", "The", "cat", "runs", "running", "flies", "x-1", "don't", "its")
KOREAN = ("가", "나는", "나는.", "고양이가", "방에서", "잠을", "자고", "있다.", "한", "한잔", "잔")
MIXED = ("나는", "the", "漢字", "ひらがな", "カ", "ไทย", "हिन्दी", "שלום", "عالم", "Привет", "café", "ß")
EMOJI = ("😀", "👩\u200d👩\u200d👧", "❤\ufe0f", "🇰🇷", "👍🏽", "a\u0301", "가", "ㅋㅋ", "#️⃣")
MARKS = ("3.5", "1,000", "-", ",", ".", "...", "(가)", "'s", "&amp;", "&quot;", "$5", "50%", "a/b", "!?", "“잔다”", "_")
BLANKS = ("가", "a", "b.", "\u00a0", "\u3000", "\t", "\n", "", "\u2009", "-\n")
# joined without blanks, or with them: what Tercom's rules are for, and ideographs, which some tokenizers split
PARTS = ("가", "나", "a", "B", "the", "cat's", "1,000.5", "3-4", "&amp;", "(", ".", "?", "漢", "字", "ひらがな", "カ",
         "。", "「", "！", "㈱", "㌔", "कि", *[" "] * 12)  # fmt: skip
LINE = words("a", "b", "c", "running", "가", most=6)
ANYTHING = st.text(st.characters(codec="utf-8"), max_size=12)


@functools.cache
def bundled() -> list[Segment]:
    """Returns real segments: two systems' Spanish-Korean translations, and Korean as speech recognition writes it."""
    translations = _rows("es_ko_sample.jsonl")
    speech = _rows("ko_asr_like_sample.jsonl")
    segments = [Segment(row["KakaoI"], [row["reference"]], row["GoogleTranslate"]) for row in translations]
    segments += [Segment(row["prediction"], [row["reference"]], row["reference"]) for row in speech]
    return segments


def _rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (SAMPLES / name).read_text("utf-8").split("\n")[:-1]]


def _in_either_form(drawn: tuple[str, bool]) -> str:
    text, is_decomposed = drawn
    return unicodedata.normalize("NFD", text) if is_decomposed else text


TEXTS = {
    "ASCII": corpora(words(*ASCII)),
    "Korean": corpora(words(*KOREAN)),
    "NFD": corpora(st.tuples(words(*KOREAN, "café"), st.booleans()).map(_in_either_form)),
    "mixed scripts": corpora(words(*MIXED)),
    "emoji and joiners": corpora(words(*EMOJI)),
    "punctuation and numbers": corpora(words(*MARKS, "가", "a")),
    "empty texts": corpora(st.sampled_from(["", " ", "가", "a b"])),
    "one token": corpora(st.sampled_from([*ASCII, *KOREAN])),
    "repeated words": corpora(words("a", "b", "c")),
    "blanks and lines": corpora(st.lists(st.sampled_from(BLANKS), max_size=9).map(" ".join)),
    "several lines": corpora(st.lists(LINE, max_size=4).map("\n".join)),
    "joined marks": corpora(st.lists(st.sampled_from(PARTS), max_size=14).map("".join)),
    "any characters": corpora(ANYTHING),
    "several references": corpora(words(*KOREAN, "a", "b"), references=(3, 3)),
    "ragged references": corpora(words("a", "b", "the", "나는", "3.5"), references=(1, 4)),
    "long texts": corpora(words(*KOREAN, *ASCII, fewest=40, most=80), most=2),
    "real texts": st.lists(st.deferred(lambda: st.sampled_from(bundled())), min_size=1, max_size=5),
}
EITHER_FORM = st.sampled_from([None, "NFC"])  # our `normalization`
MORE_REFERENCES = ("several references", "ragged references")

_FEW = st.integers(-3, 3).map(float)
_ANY = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


def columns_of_numbers(score: st.SearchStrategy, fewest: int = 2, most: int = 25) -> st.SearchStrategy:
    """Returns rows of a score and of what people say."""
    return st.lists(st.tuples(score, score), min_size=fewest, max_size=most)


def _constant(drawn: tuple[float, list[float]]) -> list[tuple[float, float]]:
    score, human = drawn
    return [(score, of_people) for of_people in human]


NUMBERS = {
    "few values, with ties": columns_of_numbers(_FEW),
    "any numbers": columns_of_numbers(_ANY),
    "one row": columns_of_numbers(_ANY, most=1, fewest=1),
    "constant": st.tuples(_ANY, st.lists(_ANY, min_size=2, max_size=9)).map(_constant),
    "very small and large": columns_of_numbers(st.sampled_from([1e-200, 2e-200, 3e-9, 1.0, 1e9, 5e199, 1e200])),
    "many rows": st.integers(0, 2**32 - 1).map(lambda seed: _many(seed)),
}


def _many(seed: int) -> list[tuple[float, float]]:
    """Returns as many rows as people would hardly rate, with ties."""
    import numpy as np

    draw = np.random.default_rng(seed)
    human = draw.integers(0, 100, 2_000)
    scores = np.round(human + draw.normal(0, 50, 2_000))
    return list(zip(scores.tolist(), human.tolist(), strict=True))


def ratings(score: st.SearchStrategy, raters: tuple[int, int] = (2, 5), most: int = 12) -> st.SearchStrategy:
    """Returns rows with one score for each rater, of which None is missing; no row lacks all."""

    def rows(count: int) -> st.SearchStrategy:
        row = st.lists(score, min_size=count, max_size=count).filter(_has_score)
        return st.lists(row, min_size=1, max_size=most)

    return st.integers(*raters).flatmap(rows)


def _has_score(row: list[float | None]) -> bool:
    return any(score is not None for score in row)


RATINGS = {
    "few values, with ties": ratings(_FEW),
    "any numbers": ratings(_ANY),
    "gaps": ratings(_FEW | st.none()),
    "two raters": ratings(_FEW | _ANY, raters=(2, 2)),
    "equal scores": ratings(st.just(3.0) | st.none()),
    "many rows": ratings(_FEW, most=100),
}


def log_probabilities(value: st.SearchStrategy, most: int = 9) -> st.SearchStrategy:
    """Returns texts as the log-probabilities of their tokens."""
    return st.lists(st.lists(value, min_size=1, max_size=most), min_size=1, max_size=4)


LOG_PROBABILITIES = {
    "probable tokens": log_probabilities(st.floats(-3, 0)),
    "improbable tokens": log_probabilities(st.floats(-90, -20)),
    "certain tokens": log_probabilities(st.just(0.0)),
    "one token": log_probabilities(st.floats(-9, 0), most=1),
    "long texts": log_probabilities(st.floats(-9, 0), most=200),
}


def _sessions(
    text: st.SearchStrategy, speakers: int = 3, start: st.SearchStrategy | None = None, most: int = 8
) -> st.SearchStrategy:
    """Returns sessions of such texts by this number of speakers; without `start` they have no times."""
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
TIMED_SESSIONS = {
    "ASCII": _sessions(words(*ASCII, most=5), start=_SECONDS),
    "Korean": _sessions(words(*KOREAN, most=5), start=_SECONDS),
    "many speakers": _sessions(words("a", "b", "가", most=4), 8, _SECONDS, most=20),
    "one speaker": _sessions(words("a", "b", "c", most=5), 1, _SECONDS),
    "empty utterances": _sessions(st.sampled_from(["", " ", "a"]), start=_SECONDS),
    "times between seconds": _sessions(words(*KOREAN, most=5), start=st.floats(0, 9).map(lambda time: round(time, 3))),
    "all at once": _sessions(words("a", "b", "나", most=6), start=st.just(0)),
    "long texts": _sessions(words(*KOREAN, *ASCII, fewest=20, most=40), 4, st.integers(0, 90), most=12),
}
UNTIMED_SESSIONS = {
    **TIMED_SESSIONS,
    "no times": _sessions(words(*KOREAN, most=5)),
    "no times, many": _sessions(words("a", "b"), 8, most=20),
}
