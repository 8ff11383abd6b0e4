"""The option `readings`: a count is the same in each way to ask for it, and which of equally good readings is shown."""

import pytest
from conftest import examples, load
from hypothesis import example, given
from hypothesis import strategies as st

KINDS = ("substitutions", "deletions", "insertions")
WORD = st.sampled_from(
    ["가", "나다", "3개", "세 개", "세", "개", "20%", "이십 퍼센트", "5km", "LG", "엘지", "천", "1,000원"]
)
WORDS = st.lists(WORD, max_size=3)


@pytest.mark.parametrize("name", ["cer", "wer"])
@pytest.mark.parametrize("preset", [None, "nlptutti"])
@examples(0.2)
@example(["가"], ["3개"], ["세 개"], [])
@given(WORDS, WORDS, WORDS, WORDS)
def test_the_count_alone_is_that_in_detail(name, preset, start, middle, other, end):
    """Also where one text begins as the other one ends, so that only what is at the same end may be left out."""
    metric = load(name)
    pairs = [
        (start + middle + end, end + other + start),
        (start + middle + start, start + other + end),
        (start + middle, other + start),
        (start + middle, start + other),
        (middle + end, other + end),
    ]
    for texts in pairs:
        reference, prediction = map(" ".join, texts)
        if not reference or not prediction:
            continue  # where one is empty the other one has its canonical reading
        columns = {"predictions": [prediction], "references": [reference], "readings": "ko", "preset": preset}
        alone, detailed = metric.compute(**columns), metric.compute(**columns, detailed=True)
        assert alone == {key: detailed[key] for key in alone}
        assert alone["edits"] == sum(detailed[kind] for kind in KINDS)
        turned = {**columns, "predictions": [reference], "references": [prediction]}
        assert metric.compute(**turned)["edits"] == alone["edits"]
        # a text before both, and one behind both, changes nothing
        around = {**columns, "predictions": [f"마 {prediction} 바"], "references": [f"마 {reference} 바"]}
        assert metric.compute(**around)["edits"] == alone["edits"]


def test_texts_whose_ends_are_equal_crosswise():
    texts = {"predictions": ["세 개 가"], "references": ["가 3개"], "readings": "ko"}
    assert load("wer").compute(**texts)["wer"] == 2 / 3


# of ways with equally few edits, the one with the reading that comes first: metric, prediction, reference,
# [substitutions, deletions, insertions, hits], readings
FIRST = [
    ("cer", "1,000원", "천 1,000원", [0, 1, 0, 2], ["천", "천"]),
    ("cer", "천 1,000원", "1,000원", [0, 0, 1, 2], ["천", "천"]),
    ("cer", "1,000원", "1,000원 일", [0, 1, 0, 2], ["천", "천"]),
    ("cer", "개", "3개", [0, 1, 0, 1], ["세"]),
    ("cer", "3개", "개", [0, 0, 1, 1], ["세"]),
    ("cer", "12시", "2시", [0, 0, 1, 2], ["두", "열두"]),
    ("cer", "2시", "12시", [0, 1, 0, 2], ["열두", "두"]),
    ("wer", "1,000원", "천 1,000원", [0, 1, 0, 2], ["천", "천"]),
    ("wer", "천 1,000원", "1,000원", [0, 0, 1, 2], ["천", "천"]),
    ("wer", "개", "3개", [0, 1, 0, 1], ["세"]),
    ("wer", "10개", "9개", [1, 0, 0, 1], ["아홉", "열"]),
    ("wer", "3:00 천 천", "3:00", [0, 0, 2, 2], ["세 시", "세 시"]),
]


@pytest.mark.parametrize(("name", "prediction", "reference", "counts", "readings"), FIRST)
def test_the_first_of_equally_good_readings(name, prediction, reference, counts, readings):
    found = load(name).compute(predictions=[prediction], references=[reference], readings="ko", detailed=True)
    assert [found[kind] for kind in (*KINDS, "hits")] == counts
    explained = load(name).explain(prediction=prediction, reference=reference, readings="ko")["readings"]
    assert [reading for *_, reading in explained] == readings
