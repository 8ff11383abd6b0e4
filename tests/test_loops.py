"""Loops of recognisers, against a slow version that looks at each place of each text."""

import re

import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.error_rates.kinds import loops
from textgauge.error_rates.kinds.loops import find_loops, places_of_loops

LOOPS = [  # prediction, reference
    ("감사합니다 " * 60, "감사합니다"),
    ("네 " * 7, "네"),
    ("the cat sat on the mat " * 4, "the cat sat on the mat"),
    ("안녕하세요 오늘은 좋은 날입니다 " * 3, "다른 말을 했다"),
    ("谢谢观看" * 5, "你好"),
    ("그래 아니 근데 아니 근데 아니 근데 아니 근데 아니", "그래 아니 근데"),
    ("감사합니다" * 4, "감사합니다"),
    ("시청해 주셔서 감사합니다 " * 3, ""),
    ("Thank you. Thank you. Thank you. Thank you.", "thank you"),
    ("하" * 22, "하하"),
    ("1 " * 8, "1"),
    (
        "아 " * 3 + " ".join(f"낱말{n}" for n in "가나다라마바사아자차카타파하갸냐댜랴먀뱌샤야쟈챠") * 3,
        "아",
    ),  # 24 words
]
HONEST = [
    ("네 네 네", "네 네"),
    ("네 " * 6, "네"),
    ("하하하하", "하하하"),
    ("하" * 21, "하하"),
    ("0000", "0"),
    ("10000000000원", "10억 원"),
    ("111111111111", "11"),
    ("1212121212121212", "12"),
    ("010 1234 5678 " * 3, "010 1234 5678"),
    ("두근두근두근두근", "두근두근"),
    ("라라라 라라라 라라라 라라라", "라라라 라라라 라라라"),
    ("오래된 노래 " * 5, "오래된 노래 " * 5),
    ("오래된 노래 " * 5, "노래 오래된, 노래 " + "오래된 노래 와 " * 4),  # anywhere, and turned
    ("감사합니다 감사합니다 감사합니다", "감사합니다"),
    ("빨리 빨리 빨리", "빨리 빨리"),
    ("바나나 나나나", "바나나"),
    ("", ""),
]


@pytest.mark.parametrize(("pairs", "expected"), [(LOOPS, True), (HONEST, False)])
def test_loops(pairs, expected):
    for prediction, reference in pairs:
        assert bool(find_loops([prediction], [reference])) == expected, prediction
    mixed = [*pairs, ("가나", "다라")]
    found = find_loops(*zip(*mixed, strict=True))
    assert sorted(found) == (list(range(len(pairs))) if expected else [])


@pytest.mark.parametrize(("size", "fewest"), [(1, 6), (2, 4), (3, 4), (4, 3), (6, 3), (7, 2), (30, 2), (200, 2)])
def test_how_many_surplus_repeats_it_takes(size, fewest):
    """Of a unit of so many syllables; as often as the reference has it, and once, it may."""
    unit = "".join(chr(0xAC00 + 28 * n) for n in range(size)) + " "
    for repeats, reference in ((1, ""), (1, unit), (3, unit + "사이에 " + unit + unit)):
        assert not find_loops([unit * (repeats + fewest - 1)], [reference])
        assert find_loops([unit * (repeats + fewest)], [reference])


@pytest.mark.parametrize("size", [1, 30, 200])
def test_texts_of_several_blocks(size, monkeypatch):
    """A large corpus is looked through in blocks of characters; loops are found in each of them, in the same places."""
    predictions, references = zip(*LOOPS, *HONEST, *LOOPS[::-1], strict=True)
    expected = find_loops(predictions, references)
    monkeypatch.setattr(loops, "_BLOCK", size)
    assert find_loops(predictions, references) == expected


def test_longer_units_are_none():
    unit = "".join(chr(0xAC00 + n) for n in range(201))
    assert not find_loops([unit * 9], [""])


def slow_loop(prediction, reference):
    letters, wanted = (re.sub(r"[\W_]", "", text.lower()) for text in (prediction, reference))
    for period in range(1, len(letters) // 3 + 1):
        for start in range(len(letters)):
            unit = letters[start : start + period]
            repeats = 1
            while letters[start + repeats * period :].startswith(unit):
                repeats += 1
            is_primitive = all(unit != unit[:size] * (period // size) for size in range(1, period))
            if repeats < 3 or not is_primitive:
                continue
            turned = max(wanted.count(unit[at:] + unit[:at]) for at in range(period))
            surplus = repeats - max(1, turned)
            if len(unit) == 1 or unit.isdigit():
                words = [re.sub(r"[\W_]", "", word.lower()) for word in prediction.split()]
                if surplus < 20 and words.count(unit) < repeats:
                    continue
            if surplus >= 2 and (surplus + 1) * surplus * period >= 40:
                return True
    return False


WORDS = st.sampled_from(["네", "가", "나", "하하", "1", "12", "오늘은", "좋은", "날입니다", "Ab", "네.", "감사합니다"])
STRETCH = st.tuples(st.lists(WORDS, min_size=1, max_size=3), st.integers(1, 8), st.sampled_from([" ", ""]))
TEXT = st.lists(STRETCH.map(lambda part: part[2].join(part[0] * part[1])), max_size=3).map(" ".join)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=4))
def test_as_a_slow_version_finds_them(pairs):
    found = find_loops([prediction for prediction, _ in pairs], [reference for _, reference in pairs])
    assert [row in found for row in range(len(pairs))] == [slow_loop(*pair) for pair in pairs]
    for row, cuts in found.items():
        prediction = pairs[row][0]
        letters = re.sub(r"[\W_]", "", prediction)
        places = places_of_loops(prediction, cuts)
        assert all(start < end for start, end in places) and places == sorted(places)
        kept = "".join(prediction[end:start] for end, start in gaps(places, len(prediction)))
        first, end = max(cut for cut in cuts)
        assert len(re.sub(r"[\W_]", "", kept)) <= len(letters) - (end - first)


def gaps(places, size):
    """Returns what is between stretches of a text."""
    bounds = [0, *(bound for place in places for bound in place), size]
    return zip(bounds[::2], bounds[1::2], strict=True)


@pytest.mark.parametrize(
    ("prediction", "reference", "left"),
    [
        ("네, " * 10, "네", "네"),
        ("감사합니다. " * 5 + "끝", "감사합니다 감사합니다", "감사합니다. 감사합니다. 끝"),
        ("오늘 네 네 네 네 네 네 네 네 가자", "오늘 가자", "오늘 네 가자"),
        ("가자 " * 8 + "네 " * 9, "가자", "가자 네"),
        ("İ" * 30, "", "İ"),  # two characters in lower case
    ],
)
def test_surplus_repeats_are_cut_out(prediction, reference, left):
    places = places_of_loops(prediction, find_loops([prediction], [reference])[0])
    kept = "".join(prediction[end:start] for end, start in gaps(places, len(prediction)))
    assert kept.strip(" ,") == left


@pytest.mark.parametrize("metric", ["cer", "wer"])
@pytest.mark.parametrize("options", [{}, {"readings": "ko"}, {"weights": {"다라": 3}}])
def test_what_loops_add_to_a_rate(metric, options):
    """Their surplus repeats are a kind, and the rate without them is that of texts without them."""
    predictions = ["가나 다라", "가나 다리", "감사합니다 " * 60, "헛것"]
    references = ["가나 다라", "가나 다라", "감사합니다", ""]
    result = load(metric).compute(predictions=predictions, references=references, detailed=True, **options)
    assert (result["looping_segments"], result["inserted_segments"]) == (1, 1)
    assert result["loop_edits"] == {"cer": 295, "wer": 59}[metric]
    predictions[2] = "감사합니다"
    others = load(metric).compute(predictions=predictions, references=references, detailed=True, **options)
    assert result[f"{metric}_without_loops"] == others[metric] == others[f"{metric}_without_loops"]
    assert others["looping_segments"] == others["loop_edits"] == 0


def test_transcripts_with_marks():
    """The mark of a repeated word is no letter, and neither are noises."""
    columns = {"predictions": ["아니+ b/ " * 20], "references": ["아니"]}
    result = load("cer").compute(**columns, preset="ksponspeech", detailed=True)
    assert (result["looping_segments"], result["loop_edits"]) == (1, 38)
