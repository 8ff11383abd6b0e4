"""cpCER: characters as CER takes them; the assignments and times are those of test_cpwer.py."""

import math

from cases import said
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from test_cpwer import SESSION_CALLS, edits, rate_of, sessions, timed_edits

REFERENCE = said(("민지", "매출은 3% 늘었습니다."), ("준호", "네, 좋아요!"))
SWAPPED = said(("A", "네 좋아요"), ("B", "매출은 삼 퍼센트 늘었습니다"))


def in_characters(session):
    """Returns a session whose characters are words, so that the oracle of words counts characters."""
    return [{**utterance, "text": " ".join(utterance["text"].replace(" ", ""))} for utterance in session]


@given(sessions(3), sessions(4))
def test_is_the_cheapest_of_all_assignments(prediction, reference):
    result = load("cpcer").compute(predictions=[prediction], references=[reference], special="keep")
    expected = rate_of(in_characters(prediction), in_characters(reference), edits)
    assert (result["edits"], result["reference_length"]) == expected


@given(sessions(3), sessions(3), st.sampled_from([0, 2]))
def test_collar(prediction, reference, collar):
    result = load("cpcer").compute(predictions=[prediction], references=[reference], special="keep", collar=collar)
    both = map(in_characters, (prediction, reference))
    expected = rate_of(*both, lambda ours, theirs: timed_edits(ours, theirs, collar))
    assert (result["edits"], result["reference_length"]) == expected


def test_what_the_wrong_speaker_said():
    """Three characters that one speaker misses and another has too much are chance; four are not."""

    def found(moved):
        reference = said(("1", "가나다" + moved), ("2", "카타파하거너더러"))
        prediction = said(("A", "가나다"), ("B", "카타파하거너더러" + moved))
        return load("cpcer").explain(prediction=prediction, reference=reference)["wrong_speaker"]

    assert found("라마바") == []
    assert found("라마바사") == [["라마바사", "1", "B"]]


EXAMPLES = [
    ([SWAPPED], [REFERENCE], {}, {"cpcer": 4 / 13, "edits": 4, "reference_length": 13}),
    ([SWAPPED], [REFERENCE], {"readings": "ko"}, {"cpcer": 0, "literal_edits": 4}),
    # joined before they are aligned, the characters are the same: 0 would be the classical mistake
    ([said(("A", "가"), ("B", "나다라"))], [said(("1", "가나"), ("2", "다라"))], {}, 0.5),
    ([said(("A", "강"))], [said(("1", "간"))], {"unit": "jamo"}, 1 / 3),
    ([said(("A", "가 나"))], [said(("1", "가나"))], {"preset": "jiwer"}, 1 / 2),
    ([said(("A", "안녕"), ("A", " 네"))], [said(("1", "안녕 네 "))], {"preset": "jiwer"}, 0),  # as Whisper writes it
    ([said(("A", "안녕"), ("A", ""), ("A", "네"))], [said(("1", "안녕 네"))], {"spaces": "keep"}, 0),
]
EDGES = [
    ([[]], [[]], {}, {"cpcer": 0, "edits": 0}),
    ([said(("A", "가"))], [said(("1", "..."))], {}, {"cpcer": math.inf, "missed_speakers": 0}),
    ([said(("A", "가"))], [said(("1", "..."))], {"collar": 1}, math.inf),
    ([[]], [said(("1", "가나"))], {}, {"cpcer": 1, "deletions": 2, "missed_speakers": 1}),
]
BAD_CALLS = [
    *SESSION_CALLS,
    ({"collar": 1, "spaces": "keep"}, "collar compares words at their times, and spaces is 'keep'; drop one"),
    ({"collar": 1, "spaces": "collapse"}, "collar compares words at their times, and spaces is 'collapse'; drop one"),
    ({"readings": "ko", "unit": "jamo", "normalization": "NFD"}, "readings"),
    ({"fillers": [""]}, "fillers"),
    ({"fillers": ["음"]}, "fillers is ['음'], but drop_fillers is False; set it to True, or leave out fillers"),
]
