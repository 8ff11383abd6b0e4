"""Which of two right notations a text has, on texts that are put together of both forms of known notations."""

import itertools

import pytest
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st
from texts import TEXT

from textgauge.error_rates.kinds.error_kinds import CHOICES
from textgauge.programs.drawing.kinds import ERRORS, choice_cells, choices_html, errors_of

FORMS = [  # with signs, with words, what is a choice
    ("3%", "삼 퍼센트", "number unit"),
    ("3퍼센트", "삼 퍼센트", "number"),
    ("5kg", "5킬로그램", "unit"),
    ("-3도", "영하 삼도", "number"),
    ("100km/h", "시속 백 킬로미터", "number unit"),
    ("3~4명", "서너 명", "number"),
    ("12.5배", "십이점오 배", "number"),
    ("1/2", "이분의 일", "number"),
    ("5,000원", "오천 원", "money"),
    ("$5", "오 달러", "money"),
    ("3월", "삼월", "date"),
    ("10:30", "열 시 삼십 분", "date"),
    ("CT", "씨티", "latin"),
    ("MRI", "엠알아이", "latin"),
    ("4G", "포지", "number latin"),
]
# each once: of several equal notations, the alignment may pair others
PLACES = st.lists(
    st.tuples(st.sampled_from(FORMS), st.booleans(), st.booleans()), max_size=5, unique_by=lambda place: place[0]
)
ALIKE = st.sampled_from([text for forms in FORMS for text in forms[:2]] + ["이", "십", "3", "어 ", "원", "씨"])
MIXED = st.lists(ALIKE | TEXT, max_size=5).map(" ".join)


def choices(prediction, reference, name="cer", **options):
    """Returns {choice: (places with signs in the prediction, in the reference)} of those that there are."""
    result = load(name).compute(predictions=[prediction], references=[reference], detailed=True, **options)
    found = {choice: (result[f"{choice}_as_signs"], result[f"{choice}_as_words"]) for choice in CHOICES}
    return {choice: counts for choice, counts in found.items() if any(counts)}


@given(PLACES, st.sampled_from(["cer", "wer"]))
def test_choices(places, name):
    sides = [" 그리고 ".join(forms[not own[side]] for forms, *own in places) for side in (0, 1)]
    expected = dict.fromkeys(CHOICES, (0, 0))
    for (_, _, names), own, other in places:
        for choice in names.split():
            signs, words = expected[choice]
            expected[choice] = signs + (own > other), words + (own < other)
    assert choices(*sides, name) == {choice: counts for choice, counts in expected.items() if any(counts)}


@examples(0.5)
@given(MIXED, MIXED)
def test_sides(prediction, reference):
    """Who changes sides changes signs and words."""
    found = choices(prediction, reference)
    assert choices(reference, prediction) == {choice: counts[::-1] for choice, counts in found.items()}
    for options in ({"preset": "jiwer"}, {"weights": {"이": 2}}, {"unit": "jamo"}):
        assert choices(prediction, reference, **options) == found


@pytest.mark.parametrize(
    "prediction, reference, expected",
    [
        ("15%", "이십오 퍼센트", {"unit": (1, 0)}),  # the number is another one
        ("3%", "사 퍼센트", {}),  # partly wrong
        ("국어Ⅰ 교과서 ①번", "국어 일 교과서 일 번", {"number": (2, 0)}),
        ("4-2-3-1 전술", "사이삼일 전술", {"number": (4, 0)}),
        ("2박 3일, 40만 원", "이박 삼일 사십만 원", {"number": (1, 0), "date": (1, 0), "money": (1, 0)}),
        ("3시 30분", "세 시 사십 분", {"date": (1, 0)}),
        ("1천원", "천 원", {"money": (1, 0)}),
        ("20층", "이십일 층", {}),
        ("5층", "십오 층", {}),
        ("1,234개", "1234개", {}),  # both are signs
        ("3%", "", {}),
        ("(3%)/(삼 퍼센트) 올라", "삼 프로 올라", {"number": (1, 0), "unit": (1, 0)}),  # the spelling counts
    ],
)
def test_what_is_a_choice(prediction, reference, expected):
    preset = {"preset": "ksponspeech"} if "/" in prediction else {}
    assert choices(prediction, reference, **preset) == expected


def test_readings_make_no_difference():
    """Choices are those of Korean notations, whatever is equal."""
    for readings in (None, "ko", {"SF": "에스에프"}):
        assert choices("3개 SF", "세 개 에스에프", readings=readings) == {"number": (1, 0), "latin": (1, 0)}


def test_shown():
    pairs = {"가": (["3%", "CT"], ["삼 퍼센트", "CT"]), "나": (["삼 퍼센트", "CT"], ["3%", "씨티"])}
    results = {}
    for system, (predictions, references) in pairs.items():
        told = errors_of(load("cer"), {"predictions": predictions, "references": references}, {})
        results[system] = {"cer": {ERRORS: told}}
    assert results["가"]["cer"][ERRORS]["notations"] == [["number", 1, 0], ["unit", 1, 0]]
    rows = choice_cells(results)
    assert rows == [
        ["가", "numbers", "1", "100%", "0%"],
        ["나", "numbers", "1", "0%", "100%"],
        ["가", "units", "1", "100%", "0%"],
        ["나", "units", "1", "0%", "100%"],
        ["가", "Latin letters", "0", "–", "–"],
        ["나", "Latin letters", "1", "100%", "0%"],
    ]
    html = choices_html(results)
    assert all(f">{cell}<" in html for cell in itertools.chain(*rows))
    assert choices_html({"가": {"cer": {}, "bleu": {}}}) == ""
