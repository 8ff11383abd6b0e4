"""Laws of the kinds of errors in every combination of options, and cases whose right answers people have worked out."""

import numpy as np
import pytest
from conftest import examples, load
from hypothesis import assume, given
from hypothesis import strategies as st

from textgauge.core.errors import InputError
from textgauge.core.reserved import is_reserved
from textgauge.error_rates.kinds.columns import forgive
from textgauge.error_rates.kinds.error_kinds import ERROR_KINDS, FORGIVEN, without_keys
from textgauge.error_rates.nearest.spelled_texts import compared_texts, nearest_pairs

LOOP = "네 " * 10
CASES = [  # metric, options, reference, prediction, edits, {kind: edits}; None: whatever the others leave
    # as read it has three characters
    ("cer", {}, "총 10,000원", "", 7, {"notation": 4, "number": 1, "other": 2}),
    ("cer", {}, "", "음 네", 2, {"filler": 1, "other": 1}),
    ("cer", {}, "", "", 0, {}),
    ("cer", {}, "닭 4잔", "음 닥 네 잔", 3, {"notation": 1, "filler": 1, "one_jamo": 1}),
    # another value: 오 퍼센트 would have cost 1
    ("cer", {}, "5%", "삼 퍼센트", 4, {"notation": 3, "number": 1}),
    ("cer", {}, "2024년", "이천이십삼년", 5, {"notation": 4, "number": 1}),
    ("cer", {}, "3시 30분에 음", "세 시 삼십 분에", 4, {"notation": 3, "filler": 1}),
    ("cer", {"readings": "ko"}, "3시 30분에 음", "세 시 삼십 분에", 1, {"filler": 1}),
    ("cer", {}, "LG 어 3시", "음 음", 5, {"filler": 1, "number": None, "latin": None, "other": None}),
    # without fillers there is an edit, too
    ("cer", {}, "음", "책", 1, {"other": 1}),
    ("cer", {}, "음악을", "음 악을", 0, {}),
    # without blanks 다 is still too much
    ("cer", {"preset": "jiwer"}, "가 나", "가다나", 1, {"other": 1}),
    ("cer", {"preset": "jiwer"}, "가나", "가 나.", 2, {"spacing": 1, "punctuation": 1}),
    (
        "cer",
        {},
        "공기를 마시고 내려오는 길에 쉬었다",
        "공기를 " + LOOP,
        12,
        {"ending": None, "one_jamo": None, "other": None},
    ),
    ("cer", {}, "공기를", "공기를 " + LOOP, 10, {"loop": 9, "other": None}),
    ("wer", {}, "공기를", "공기를 " + LOOP, 10, {"loop": 9, "other": 1}),
    ("cer", {}, "네 " * 8, "네 " * 40, 32, {"loop": 32}),
    # as words it would not be the phrase
    ("cer", {"weights": {"10,000원": 3}}, "총 10,000원 입니다", "총 만 원 입니다", 15, {"phrase": 15}),
    # an unused table changes nothing
    ("cer", {"weights": {"전혀": 2}}, "20%", "20% 20%", 2, {"number": 2}),
    ("wer", {}, "총 10,000원", "", 2, {"number": 1, "other": 1}),
    ("wer", {}, "총 10,000원", "총 만 원", 2, {"notation": 2}),
    ("wer", {"compounds": "merge"}, "10,000원 white paper", "만 원 whitepaper", 2, {"notation": 2}),
    ("wer", {"space_normalized": True}, "250만 원이에요", "이백오십만 원이에요", 1, {"notation": 1}),
    ("wer", {}, "400원에", "400 원에", 2, {"notation": 2}),
    ("cer", {"unit": "jamo"}, "3개", "세 개", 2, {"notation": 2}),
    ("cer", {"preset": "mixed"}, "LG가", "엘지가", 2, {"notation": 2}),
    ("cer", {"preset": "whisper"}, "3.5%", "삼점오 퍼센트", 6, {"notation": 6}),
    ("cer", {}, "S5", "S0", 1, {"number": 1}),
    ("cer", {}, "the cat", "the cut", 1, {"other": 1}),
    ("cer", {}, "1:1 상담", "일대일 상담", 3, {"notation": 3}),
    ("wer", {}, "2024년 책", "이천이십삼년 책", 1, {"number": 1}),
    # 3 is in both texts, and so it is no error
    ("wer", {}, "하하 3 네", "3 네 네 네", 3, {"other": 3}),
    ("cer", {"unit": "jamo"}, "2024년 책", "이천이십삼년 책", 13, {"notation": 12, "number": 1}),
    # 12 is read nowhere as ½
    ("cer", {}, "물 ½컵", "물 12컵", 2, {"number": 2}),
    ("cer", {}, "LG 가", "에이치지 가", 4, {"notation": 1, "latin": None, "other": None}),
    ("cer", {}, "0.25mg으로", "이 점 오 밀리그램으로", 7, {"notation": 5, "number": 2}),
    ("cer", {}, "ＡＩ 반도체", "AI 반도체", 2, {"notation": 2}),
    ("cer", {}, "날짜는 2024-06-25입니다", "날짜는 20240625입니다", 0, {}),
    # 나 is a numeral in 하나 alone, and here a particle
    ("cer", {}, "3", "바나나", 3, {"number": 1, "ending": 1, "other": 1}),
    # a surname, and a particle
    ("cer", {}, "학교 에 갔다", "학교 갔다", 1, {"other": 1}),
    ("cer", {}, "엄 씨", "씨", 1, {"other": 1}),
    ("cer", {"preset": "ksponspeech"}, "아니", "아니+ b/ " * 20, 38, {"loop": 38}),
    ("cer", {"preset": "ksponspeech"}, "(70%)/(칠십 퍼센트) 확률", "칠십 퍼센트 확률", 5, {"notation": 5}),
]


def kinds_of(result):
    """Returns the edits of each kind of a result, without those of which there are none."""
    return {kind: result[f"{kind}_edits"] for kind in ERROR_KINDS if result[f"{kind}_edits"]}


@pytest.mark.parametrize(("name", "options", "reference", "prediction", "edits", "expected"), CASES)
def test_cases(name, options, reference, prediction, edits, expected):
    result = load(name).compute(predictions=[prediction], references=[reference], detailed=True, **options)
    found = kinds_of(result)
    assert result["edits"] == edits == pytest.approx(sum(found.values()))
    assert found.keys() == expected.keys()
    assert {kind: found[kind] for kind, count in expected.items() if count is not None} == {
        kind: count for kind, count in expected.items() if count is not None
    }


def test_drop_fillers_keeps_surnames_and_particles():
    texts = {"predictions": ["학교 에 엄 씨"], "references": ["학교 에 엄 씨"]}
    assert load("wer").compute(**texts, drop_fillers=True)["reference_length"] == 4


PIECES = [
    *("가", "책", "닭", "닥", "학교에서", "는", "에", "습니다", " ", " ", ".", ", ", "-", "음 ", "어 ", "uh ", "\n"),
    *("3", "10", "15", "3.5kg", "3%", "10,000원", "2024년", "½", "10:30", "LG", "KF94", "삼", "십오"),
    *("삼 퍼센트", "만 원"),
    *("이천이십사년", "엘지", LOOP, "감사합니다 " * 5, "the cat", "White paper", "whitepaper", "\u0301", "日本", "🙂"),
]
FORMS = [
    ("3%", "삼 퍼센트"),
    ("3.5kg", "삼점오 킬로그램"),
    ("10,000원", "만 원"),
    ("2024년", "이천이십사년"),
    ("LG", "엘지"),
    ("8·15", "팔일오"),
    ("10:30", "열시 삼십분"),
    ("3개", "세 개"),
    ("5㎡", "오 제곱미터"),
    ("White paper", "whitepaper"),
]
SAME = st.sampled_from(PIECES).map(lambda piece: (piece, piece))
PARTS = st.one_of(SAME, SAME, st.sampled_from(FORMS), st.tuples(st.sampled_from(PIECES), st.sampled_from(PIECES)))
PAIR = st.lists(PARTS, max_size=7).map(
    lambda parts: tuple(map("".join, zip(*parts, strict=True))) if parts else ("", "")
)
SEGMENTS = st.lists(PAIR, min_size=1, max_size=5)
WEIGHTS = [
    {"책": 3, "10,000원": 2, "학교": 0.5, "3.5kg": 1.3},
    {"책": 3, "LG": 0, "만 원": 2.5},
    {"책": 0.1, "학교": 0.3, "닭이": 0.7, "3.5kg": 0.2},  # whose sums are rounded
]


def options_of(**values):
    """Returns dicts of some of these options, each with one of its values."""
    options = {name: st.sampled_from(own) for name, own in values.items()}
    return st.lists(st.sampled_from(list(options)), unique=True, max_size=4).flatmap(
        lambda names: st.fixed_dictionaries({name: options[name] for name in names})
    )


BOTH = {
    "lowercase": [True], "normalization": ["NFD", "NFKC", None], "bounded": [True, False], "readings": ["ko"],
    "weights": WEIGHTS, "fillers": [["책", "the cat"], []], "drop_fillers": [True],
    "special": ["remove", "posix", "keep"],
}  # fmt: skip
OPTIONS = {
    "cer": options_of(
        preset=["jiwer", "clovacall", "mixed", "ksponspeech", "whisper", "nlptutti"], unit=["jamo", "mixed"],
        spaces=["keep", "collapse", "remove"], aggregate=["mean"], **BOTH,
    ),
    "wer": options_of(
        preset=["ksponspeech", "whisper", "nlptutti"], tokenizer=["char", "unicode"], compounds=["merge"],
        space_normalized=[True], **BOTH,
    ),
}  # fmt: skip
METRICS = pytest.mark.parametrize("name", ["cer", "cer", "wer"], ids=["cer", "cer again", "wer"])


def columns_of(name, predictions, references, options):
    """Returns edits, denominators and kinds of each segment, (n,), (n,) and (n, kinds); some options cannot be had."""
    metric = load(name)
    try:
        rows = metric.statistics(predictions=predictions, references=references, detailed=True, **options)
    except InputError:
        assume(False)
    plain = {name: value for name, value in options.items() if name != "aggregate"}
    with np.errstate(invalid="ignore"):
        scored = metric.score(rows, detailed=True, **plain)
    kinds = np.stack([scored[f"{kind}_edits"] for kind in ERROR_KINDS], axis=1)
    return metric, rows, scored["edits"], kinds


def test_a_kind_is_no_error_of_rounding():
    weights = {"책": 0.1, "닭이": 0.3, "학교": 0.7, "3개": 0.2}
    texts = {"predictions": ["가 3개 음 3개 닭이 가 책"], "references": ["음 음 가"]}
    result = load("cer").compute(**texts, weights=weights, detailed=True)
    assert {kind for kind in ERROR_KINDS if result[f"{kind}_edits"]} == {"phrase", "other"}


@METRICS
@examples(1.5)
@given(st.data(), SEGMENTS)
def test_kinds_are_parts_of_the_edits(name, data, segments):
    """They add up to the edits of each segment, none is negative, and without one no rate is higher."""
    options = data.draw(OPTIONS[name])
    predictions, references = [pair[1] for pair in segments], [pair[0] for pair in segments]
    metric, rows, edits, kinds = columns_of(name, predictions, references, options)
    plain = metric.statistics(predictions=predictions, references=references, **options)
    assert np.array_equal(rows[:, 0], plain[:, 0]) and np.array_equal(rows[:, 0], edits)
    if "weights" in options:
        assert np.allclose(kinds.sum(axis=1), edits, rtol=1e-12, atol=1e-12)
    else:
        assert np.array_equal(kinds.sum(axis=1), edits)
    assert ((kinds == 0) | (kinds > 1e-9)).all()
    if "readings" in options:
        assert not kinds[:, ERROR_KINDS.index("notation")].any()
    if options.get("drop_fillers"):
        assert not kinds[:, ERROR_KINDS.index("filler")].any()
    for sums in (rows, rows.sum(axis=0)):
        scored = metric.score(sums, detailed=True, **options)
        for kind in ERROR_KINDS:
            without = scored[without_keys(name)[kind]]
            assert (without <= scored[name] + 1e-12).all() and (without >= 0).all()
            assert (without[scored[f"{kind}_edits"] == 0] == scored[name][scored[f"{kind}_edits"] == 0]).all()


@METRICS
@given(st.data(), SEGMENTS)
def test_no_other_segment_matters(name, data, segments):
    """Neither the order of the segments nor one more."""
    options = data.draw(OPTIONS[name])
    predictions, references = [pair[1] for pair in segments], [pair[0] for pair in segments]
    *_, kinds = columns_of(name, predictions, references, options)
    order = data.draw(st.permutations(range(len(segments))))
    more_predictions = ["다른 책 3개", *(predictions[row] for row in order)]
    more_references = ["다른 책 세 개요", *(references[row] for row in order)]
    *_, again = columns_of(name, more_predictions, more_references, options)
    assert np.array_equal(again[1:], kinds[order])


@METRICS
@given(st.data(), SEGMENTS)
def test_what_is_forgiven_is_what_the_metric_finds_fewer(name, data, segments):
    """In the texts that the chain leaves, by a call of its own."""
    options = data.draw(OPTIONS[name])
    texts = {"predictions": [pair[1] for pair in segments], "references": [pair[0] for pair in segments]}
    metric, _, edits, kinds = columns_of(name, *texts.values(), options)
    prepared = metric._resolved_options({**options, "detailed": True})
    columns, ready = metric._prepare(metric._cleaned(metric._checked(texts), prepared), prepared)
    rule = ready["rule"]
    compared = compared_texts(**columns, rule=rule)
    choice, _ = metric._align(compared, rule, True)
    cleaned = columns["predictions"], [row[0] for row in columns["references"]]
    left = forgive(nearest_pairs(compared, choice), cleaned, choice, rule, metric._align).segments
    rows = list(left)
    assume(rows)
    changed = {"predictions": [left[row].prediction.text for row in rows]}
    changed["references"] = [left[row].reference.text for row in rows]
    assume(not any(map(is_reserved, "".join(sum(changed.values(), [])))))  # no text of a user has them
    plain = {key: value for key, value in options.items() if key not in ("drop_fillers", "readings")}
    fewer = metric.statistics(**changed, **plain)[:, 0]
    forgiven = kinds[:, [ERROR_KINDS.index(kind) for kind in FORGIVEN]].sum(axis=1)
    assert np.allclose(edits[rows] - forgiven[rows], fewer)
    assert not forgiven[[row for row in range(len(edits)) if row not in left]].any()


@METRICS
@given(st.data(), SEGMENTS)
def test_fillers_are_what_drop_fillers_saves(name, data, segments):
    """Of each segment, whatever else its texts have: notations, loops, phrases."""
    options = {**data.draw(OPTIONS[name]), "drop_fillers": False}
    predictions, references = [pair[1] for pair in segments], [pair[0] for pair in segments]
    *_, edits, kinds = columns_of(name, predictions, references, options)
    metric, rows, dropped, _ = columns_of(name, predictions, references, {**options, "drop_fillers": True})
    fillers = kinds[:, ERROR_KINDS.index("filler")]
    assert np.allclose(fillers, np.maximum(edits - dropped, 0))
    if "weights" not in options:  # with which what is removed has none
        removed = metric.score(rows, detailed=True, **{**options, "drop_fillers": True})["removed_filler_edits"]
        assert np.array_equal(fillers, removed)


WRITTEN = st.lists(st.sampled_from(["3", "15", "책", "책은", "닭", "닥", "LG", "3시", ".", "네"]), max_size=6).map(
    " ".join
)


@pytest.mark.parametrize("options", [{}, {"preset": "jiwer"}, {"preset": "ksponspeech"}], ids=str)
@pytest.mark.parametrize("name", ["cer", "wer"])
@given(st.lists(st.tuples(WRITTEN, WRITTEN), min_size=1, max_size=5))
def test_exchanged_texts_have_the_same_kinds(name, options, segments):
    """Except for loops, which only predictions have: these texts have none, and no two notations of a number."""
    options = {} if name == "wer" and options.get("preset") == "jiwer" else options
    predictions, references = [pair[1] for pair in segments], [pair[0] for pair in segments]
    *_, kinds = columns_of(name, predictions, references, options)
    *_, exchanged = columns_of(name, references, predictions, options)
    assert np.array_equal(kinds, exchanged)


@examples(1.5)
@given(SEGMENTS)
def test_blanks_and_marks(segments):
    """Without spacing there are no fewer edits than without blanks, and so it is with punctuation."""
    predictions, references = [pair[1] for pair in segments], [pair[0] for pair in segments]
    metric, _, edits, kinds = columns_of("cer", predictions, references, {"preset": "jiwer", "fillers": []})
    named = dict(zip(ERROR_KINDS, kinds.T, strict=True))
    assume(not (named["notation"] + named["loop"]).any())  # which may have changed blanks
    texts = {"predictions": predictions, "references": references}
    bare = metric.statistics(**texts, preset="jiwer", spaces="remove")[:, 0]
    assert (edits - named["spacing"] >= bare).all()
    bare = metric.statistics(**texts, preset="jiwer", spaces="remove", special="remove")[:, 0]
    assert (edits - named["spacing"] - named["punctuation"] >= bare).all()


def test_phrases_of_changed_texts_are_not_counted():
    """LG is in no text: the chain writes it, and nobody else."""
    texts = {"predictions": ["엘지 3개"], "references": ["엘지 세 개"]}
    for options in ({}, {"readings": "ko"}):
        weights = {"삼": 2, "세 개": 3, "이천": 2}
        plain = load("cer").compute(**texts, weights=weights, **options)
        detailed = load("cer").compute(**texts, weights=weights, detailed=True, **options)
        assert str({key: detailed[key] for key in plain}) == str(plain)
    texts = {"predictions": ["오 퍼센트"], "references": ["3%"]}
    result = load("cer").compute(**texts, weights={"삼 퍼센트": 3}, detailed=True)
    assert result["notation_edits"] > 0 and result["unused_keys"] == ["삼 퍼센트"]


def test_the_mean_of_rates_without_a_kind():
    texts = {"predictions": ["음 가나", "나다라마"], "references": ["가나", "가다라마"]}
    result = load("cer").compute(**texts, aggregate="mean", detailed=True)
    assert (result["cer"], result["cer_without_filler"]) == ((1 / 2 + 1 / 4) / 2, 1 / 8)
    texts = {"predictions": ["음", "음 네"], "references": ["", "네"]}
    result = load("cer").compute(**texts, aggregate="mean", detailed=True)
    assert (result["cer"], result["cer_without_filler"], result["cer_without_other"]) == (float("inf"), 0, float("inf"))


def test_weighted_kinds_leave_nothing():
    """Though their sum is rounded, and there is no reference to divide by."""
    texts = {"predictions": ["가나다 " * 3], "references": [""]}
    result = load("cer").compute(**texts, weights={"가": 0.1, "나": 0.2, "다": 0.3}, detailed=True)
    assert kinds_of(result).keys() == {"phrase"} and result["cer_without_phrase"] == 0


@pytest.mark.parametrize(("name", "options"), [("cer", {}), ("cer", {"aggregate": "mean"}), ("wer", {"bounded": True})])
def test_rows_stream(name, options):
    """What is added in batches, or in rows from elsewhere, has the same kinds."""
    texts = [("닭 4잔", "음 닥 네 잔"), ("5%", "삼 퍼센트"), ("가나", "가 나.")] * 3
    columns = {"predictions": [pair[1] for pair in texts], "references": [pair[0] for pair in texts]}
    metric = load(name)
    whole = metric.compute(**columns, detailed=True, **options)
    for start in range(0, 9, 4):
        metric.add_batch(**{key: values[start : start + 4] for key, values in columns.items()})
    assert metric.compute(detailed=True, **options) == whole
    rows = metric.statistics(**columns, detailed=True, **options)
    of_rows = metric.result(rows, detailed=True, **options)
    assert {key: whole[key] for key in of_rows} == of_rows and kinds_of(of_rows) == kinds_of(whole)


@pytest.mark.parametrize("name", ["cer", "wer"])
def test_segments_that_take_too_long_keep_their_edits(name):
    """They are counted, and no other segment is touched."""
    texts = {"predictions": ["3~5명 " * 300, "세 개"], "references": ["3~4명 " * 300, "3개"]}
    result = load(name).compute(**texts, detailed=True)
    alone = load(name).compute(predictions=["세 개"], references=["3개"], detailed=True)
    assert result["unread_segments"] == 1 and alone["unread_segments"] == 0
    assert result["notation_edits"] == alone["notation_edits"] == alone["edits"] > 0
