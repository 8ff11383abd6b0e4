"""WER: worked examples of document 003, sWER by ESPnet's definition, edges."""

import itertools
import math

import cases
import jiwer
import oracles
import pytest
import texts
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st

from textgauge.edits import diagonal_steps
from textgauge.error_rates.nearest.spacing import take_spacing

# few words, so that many alignments have the fewest edits
WORD = st.sampled_from(["가", "나는", "나는.", "a", "b", "😀", "한", "한잔", "잔"])
TEXT = st.lists(WORD, max_size=8).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5)
SEGMENTS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)
COUNTS = ("substitutions", "deletions", "insertions", "hits")


def rates(prediction, reference, **options):
    """CER and WER of one pair."""
    texts = {"predictions": [prediction], "references": [reference]}
    return load("cer").compute(**texts, **options), load("wer").compute(**texts)


COUNTEREXAMPLES = [  # prediction, reference, CER, WER; document 003 says that CER < WER always
    ("나 카시오페이아자리", "나 안드로메다은하를", 8 / 9, 1 / 2),
    ("a klmnopqrst", "a abcdefghij", 10 / 11, 1 / 2),
    ("아 네네네네네네네네네네", "아 네", 9 / 2, 1 / 2),
    ("안녕하세요", "안녕하세요", 0, 0),
    ("가", "나", 1, 1),
]


@pytest.mark.parametrize(("prediction", "reference", "expected_cer", "expected_wer"), COUNTEREXAMPLES)
def test_cer_is_not_always_below_wer(prediction, reference, expected_cer, expected_wer):
    cer, wer = rates(prediction, reference)
    assert cer["cer"] == pytest.approx(expected_cer) and wer["wer"] == pytest.approx(expected_wer)
    assert not cer["cer"] < wer["wer"]


@given(TEXT.filter(str.strip), TEXT)
def test_what_cer_and_wer_have_to_do_with_each_other(reference, prediction):
    """CER / WER = (character edits per word edit) / (characters per word)."""
    cer, wer = rates(prediction, reference, special="keep")
    if wer["edits"]:
        per_edit, per_word = cer["edits"] / wer["edits"], cer["reference_length"] / wer["reference_length"]
        assert cer["cer"] / wer["wer"] == pytest.approx(per_edit / per_word)


EXAMPLES = [  # of one segment
    ([prediction], [reference], {}, expected)
    for prediction, reference, expected in [
        # README of rtzr/Awesome-Korean-Speech-Recognition
        ("나는 오늘 학교 갔다", "나는 오늘 학교에 갔다", 0.25),
        ("커피 한잔 주세요", "커피 한 잔 주세요", 0.5),
        ("빨리 집에 가고싶어", "빨리 집에 가고 싶어", 0.5),
        # README and tests of nlptutti (MIT)
        ("대한민국은 주권국가 입니다.", "대한민국은 주권 국가 입니다.", 0.5),
        ("오늘 날씨는 맑습니다", "오늘 날씨가 맑습니다", 1 / 3),
        # tests of jiwer (Apache-2.0)
        ("This test", "This is a test", 0.5),
        ("i am a considerably longer and very much incorrect hypothesis", "i am a short ground truth", 7 / 6),
    ]
]


def test_hugging_face_example():
    """The example of Hugging Face's script."""
    texts = {"predictions": ["this is the prediction", "there is an other sample"],
             "references": ["this is the reference", "there is another one"]}  # fmt: skip
    assert load("wer").compute(**texts)["wer"] == 0.5
    assert load("cer").compute(**texts, preset="jiwer")["cer"] == 0.34146341463414637


@given(SEGMENTS)
def test_equals_slow_version(segments):
    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    result = load("wer").compute(**columns, per_segment=True)
    edits = length = 0
    for row, (prediction, references) in enumerate(segments):
        prediction, references = prediction.split(), [reference.split() for reference in references]
        found = [(oracles.distances(reference, prediction)[-1][-1], len(reference)) for reference in references]
        best = min(found, key=lambda pair: pair[0] / pair[1] if pair[1] else math.inf if pair[0] else 0.0)
        edits, length = edits + best[0], length + best[1]
        assert result["segments"][row] == (best[0] / best[1] if best[1] else math.inf if best[0] else 0.0)
    assert (result["edits"], result["reference_length"]) == (edits, length)
    assert result["wer"] == (edits / length if length else math.inf if edits else 0.0)


def marked(text):
    """Characters with the mark of a blank before them, as get_space_normalized_hyps.py writes them."""
    return ["▁" * (index == 0) + character for word in text.split() for index, character in enumerate(word)]


def slow_space_normalized(prediction, reference):
    ours, theirs = marked(prediction), marked(reference)
    bare = [[character.removeprefix("▁") for character in side] for side in (theirs, ours)]
    i = j = 0
    for kind in oracles.steps(*bare, "espnet"):
        if kind == "equal":
            ours[j] = theirs[i]
        i += kind != "insert"
        j += kind != "delete"
    return "".join(ours).replace("▁", " ").strip()


def nearest_spacing(prediction, reference):
    """The spacing of ESPnet's script, or the prediction's own where that costs fewer edits."""
    ways = [slow_space_normalized(prediction, reference), prediction]
    return min(ways, key=lambda text: load("wer").compute(predictions=[text], references=[reference])["edits"])


@pytest.mark.parametrize(("value", "spaced"), [(True, slow_space_normalized), ("fewest", nearest_spacing)])
@given(CORPUS)
def test_space_normalized(value, spaced, corpus):
    predictions, references = [list(side) for side in zip(*corpus, strict=True)]
    result = load("wer").compute(predictions=predictions, references=references, space_normalized=value)
    assert result == load("wer").compute(predictions=[spaced(*pair) for pair in corpus], references=references)


# of alignments with equally few edits only ESPnet's gives these
@example([("bab", "aba"), ("b ab", "a ba"), ("bdabadc", "adcb"), ("dbdbaa", "c ab abc")])
@pytest.mark.parametrize("limits", [{}, {"_MOST_STEPS": 2}, {"_MOST_STEPS": 12}])
@given(
    st.lists(
        st.tuples(texts.TEXT, texts.TEXT) | st.tuples(st.text("ab 가", max_size=20), st.text("ab 가", max_size=20))
    )
)
def test_spacing_of_many_texts(limits, pairs):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(diagonal_steps, name, value)
        found = take_spacing([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    assert found == [slow_space_normalized(*pair) for pair in pairs]


def test_the_published_spacing_may_cost_more():
    """As ESPnet's script has it; by default, in every preset, and in the signature."""
    wer = load("wer")
    texts = {"predictions": ["sat", "나가나"], "references": ["a", "가"]}
    edits = [wer.compute(**texts, space_normalized=value)["edits"] for value in (False, True, "fewest")]
    assert edits == [2, 4, 2]
    for preset in (None, "ksponspeech", "whisper", "nlptutti"):
        assert wer.compute(**texts, preset=preset, space_normalized=True)["edits"] == 4
    lines = [wer.signature(space_normalized=value) for value in (False, True, "fewest")]
    assert lines[1:] == [lines[0].replace("swer:no", f"swer:{value}") for value in ("yes", "fewest")]


def test_space_normalized_by_hand():
    """Spacing is no error, another word is; a blank that stands before a wrong character stays."""
    wer = load("wer")
    texts = {"predictions": ["커피한 잔주세요", "이 파일은"], "references": ["커피 한 잔 주세요", "이파일을"]}
    assert wer.compute(**texts)["wer"] == 1.2
    assert wer.compute(**texts, space_normalized=True) == {"wer": 0.2, "edits": 1, "reference_length": 5}
    explained = wer.explain(prediction="우리 나라만세", reference=["가", "우리나라 만세"], space_normalized=True)
    assert explained == {
        "alignment": [["equal", "우리나라 만세", "우리나라 만세"]],
        "reference": ["우리나라", "만세"],
        "prediction": ["우리나라", "만세"],
        "reference_index": 1,
        "written": [],
    }


SYMBOLS = st.text("가나 .,'$%\tab😀-_", max_size=12)


@given(st.lists(st.tuples(SYMBOLS, SYMBOLS), min_size=1, max_size=4))
def test_nlptutti(corpus):
    """get_wer: jiwer's punctuation removed, (S + D + I) / (S + D + I + C) of its alignment."""
    predictions, references = [list(side) for side in zip(*corpus, strict=True)]
    punctuation, kinds = jiwer.RemovePunctuation(), []
    for pair in corpus:
        prediction, reference = (punctuation(text).split() for text in pair)
        kinds += oracles.steps(reference, prediction, "nlptutti")
    wrong = len(kinds) - kinds.count("equal")
    texts = {"predictions": predictions, "references": references, "normalization": None}
    result = load("wer").compute(**texts, preset="nlptutti", detailed=True)
    assert result["wer"] == result["mer"] == pytest.approx(wrong / max(1, len(kinds)), abs=1e-12)
    expected = [kinds.count(kind) for kind in ("substitute", "delete", "insert", "equal")]
    assert [result[name] for name in COUNTS] == expected


def test_presets_are_their_options():
    columns = cases.TEXTS
    for preset, options in {
        "ksponspeech": {"special": "posix"},
        "nlptutti": {"special": "punctuation", "bounded": True},
    }.items():
        result = load("wer").compute(**columns, preset=preset)
        # ksponspeech also puts everything into lower case; nlptutti's hits are those of its own alignment
        same = load("wer").compute(**columns, **options, lowercase=preset == "ksponspeech")
        assert result["edits"] == same["edits"]
        plain = {"special": "keep", "bounded": False}
        lower = load("wer").compute(**columns, lowercase=preset == "ksponspeech")
        assert load("wer").compute(**columns, preset=preset, **plain) == lower


def test_transcripts():
    """The marks of KsponSpeech, and words as blanks separate them then."""
    texts = {
        "references": ["b/ 아/ 모+ 몬 소리야 (70%)/(칠 십 퍼센트) 확률. n/"],
        "predictions": ["아 모 몬 소리야 70 확률"],
    }
    result = load("wer").compute(**texts, preset="ksponspeech")
    assert result == {"wer": 0.0, "edits": 0, "reference_length": 6}
    assert load("wer").compute(**texts)["edits"] == 8


@pytest.mark.parametrize("given", [{}, {"preset": "ksponspeech"}, {"special": "posix"}])
def test_conventions(given):
    metric, columns = load("wer"), cases.TEXTS
    result = metric.compute(**columns, **given, conventions="all", tokenizer="char", per_segment=True)
    assert [name for name, _, _ in result["conventions"]] == ["none", "ksponspeech", "whisper", "nlptutti"]
    for name, value, signature in result["conventions"]:
        assert metric.compute(**columns, **metric.options_of(signature))["wer"] == value
        assert ("special" in signature) == ("bounded" in signature) == (name != "none")
    assert metric.signature() == "wer|nrefs:var|tok:whitespace|case:mixed|norm:NFC|swer:no|v1.0"


@pytest.mark.parametrize("space_normalized", [False, True])
@given(segments=SEGMENTS)
def test_alignments_hold_the_edits(space_normalized, segments):
    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    options = {"space_normalized": space_normalized}
    result = load("wer").compute(**columns, **options, detailed=True, alignments="pieces")
    runs = list(itertools.chain.from_iterable(result["alignments"]))
    for kind, name in (("substitute", "substitutions"), ("delete", "deletions"), ("equal", "hits")):
        assert sum(len(piece.split()) for k, piece, _ in runs if k == kind) == result[name]
    for row, (prediction, references) in enumerate(segments):
        explained = load("wer").explain(prediction=prediction, reference=references, **options)
        assert explained["alignment"] == result["alignments"][row]
        assert " ".join(run[1] for run in explained["alignment"] if run[1]).split() == explained["reference"]
        assert " ".join(run[2] for run in explained["alignment"] if run[2]).split() == explained["prediction"]
        assert references[explained["reference_index"]].split() == explained["reference"]


def test_alignments_as_text():
    texts = {"predictions": ["커피 한잔 주세요", "네"], "references": ["커피 한 잔 주세요", "네"]}
    result = load("wer").compute(**texts, alignments="kaldi")
    assert result["summary"] == "%WER 40.00 [ 2 / 5, 0 ins, 1 del, 1 sub ]"
    assert result["alignments"] == [
        "0 ref   커피 한   잔  주세요\n0 hyp   커피 한잔 *** 주세요\n0 op    C    S    D   C\n0 #csid 2 1 1 0",
        "1 ref   네\n1 hyp   네\n1 op    C\n1 #csid 1 0 0 0",
    ]
    result = load("wer").compute(**texts, alignments="sclite")
    assert result["summary"] == "| # Snt # Wrd | Corr Sub Del Ins Err S.Err |\n| 2 5 | 60.0 20.0 20.0 0.0 40.0 50.0 |"
    assert result["alignments"][1] == "Scores: (#C #S #D #I) 1 0 0 0\nREF:  네\nHYP:  네\nEval:"


EDGES = [  # of one segment
    ([prediction], [reference], {**options, "detailed": True}, expected)
    for prediction, reference, options, expected in [
        ("", "", {}, {"wer": 0.0, "mer": 0.0, "wip": 1.0, "wil": 0.0, "ser": 0.0}),
        ("가 나", "", {}, {"wer": math.inf, "mer": 1.0, "wip": 0.0, "wil": 1.0, "ser": 1.0, "insertions": 2}),
        ("", "가 나", {}, {"wer": 1.0, "mer": 1.0, "wip": 0.0, "wil": 1.0, "deletions": 2}),
        (" \t", "\n", {}, {"wer": 0.0, "reference_length": 0}),
        ("가\u3000나\t다", "가 나 다", {}, {"wer": 0.0}),
        ("A b", "a b", {}, {"wer": 0.5, "wip": 0.25}),
        ("A b", "a b", {"lowercase": True}, {"wer": 0.0}),
        ("잔다.", "잔다", {}, {"wer": 1.0}),
        ("잔다.", "잔다", {"tokenizer": "unicode"}, {"wer": 0.0}),
        ("잔다.", "잔다", {"tokenizer": "13a"}, {"wer": 1.0, "insertions": 1}),
        ("a-b", "a b", {"tokenizer": lambda text: text.replace("-", " ").split()}, {"wer": 0.0}),
        ("가 나", "가나", {"space_normalized": True}, {"wer": 0.0}),
        ("", "가", {"space_normalized": True}, {"wer": 1.0}),
    ]
]  # fmt: skip

BAD_CALLS = [
    ({"weights": {"가": 101}}, "weights['가'] is 101; pass a number in [0, 100]"),
    ({"tokenizer": "char", "readings": "ko"}, "readings needs tokenizer='whitespace', and tokenizer is 'char'"),
    (
        {"tokenizer": "char", "compounds": "merge"},
        "compounds is 'merge', and tokenizer='char' ignores where",
    ),
    ({"tokenizer": "jamo", "space_normalized": True}, "space_normalized is True, and tokenizer='jamo' ignores"),
]


def test_very_many_tokens():
    """More than one machine word of tokens, and more distinct ones than a byte can count."""
    words = [str(number) for number in range(3000)]
    result = load("wer").compute(predictions=[" ".join(words[100:])], references=[" ".join(words[:-50])], detailed=True)
    assert [result[name] for name in COUNTS] == [0, 100, 50, 2850]


def test_nothing_is_lost_where_texts_are_read_alike():
    result = load("wer").compute(predictions=["5mg을 3개"], references=["5mg을 3개"], readings="ko", detailed=True)
    assert (result["wip"], result["wil"], result["mer"], result["wer"]) == (1, 0, 0, 0)


def test_a_mean_of_rates():
    """As of cer: each segment counts alike; a signature that names no mean is of a pooled rate, as before."""
    wer = load("wer")
    texts = {"predictions": ["a b c d", "e"], "references": ["a b c x", "f"]}
    assert wer.compute(**texts)["wer"] == 0.4
    mean = wer.compute(**texts, aggregate="mean", per_segment=True)
    assert mean == {"wer": 0.625, "edits": 2, "reference_length": 5, "segments": [0.25, 1.0]}
    assert wer.compute(**texts, aggregate="mean", detailed=True)["ser"] == 1
    assert "agg" not in wer.signature() and "|agg:mean|" in wer.signature(aggregate="mean")
    assert wer.options_of(wer.signature(aggregate="mean"))["aggregate"] == "mean"
    literal = {"predictions": ["세 시", "네"], "references": ["3시", "네"]}
    assert wer.compute(**literal, readings="ko", aggregate="mean")["literal_wer"] == 1.0
    assert wer.compute(predictions=["a", "b"], references=["a", ""], aggregate="mean")["wer"] == math.inf
