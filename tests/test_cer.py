"""CER: worked examples of document 003, the conventions by their public definitions, edges."""

import itertools
import math
import re
import string
import unicodedata

import cases
import evaluate
import numpy as np
import oracles
import pytest
from conftest import ROOT, load
from hypothesis import example, given
from hypothesis import strategies as st

# spaces of several kinds, punctuation, symbols, marks of scripts and of transcripts, NFD, Thai, Devanagari, emoji
CHARACTER = st.sampled_from([*"가각나다닭a A1\t\u3000 .,'+/()*$~%€b😀", "\u1100\u1161", "ภ", "ั", "कि", "é"])
TEXT = st.lists(CHARACTER, max_size=12).map("".join)
CORPUS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5)
SEGMENTS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)
COUNTS = ("substitutions", "deletions", "insertions", "hits")


def cer(prediction, reference, **options):
    return load("cer").compute(predictions=[prediction], references=[reference], **options)["cer"]


EXAMPLES = [  # of one segment
    ([prediction], [reference], options, pytest.approx(expected, abs=tolerance or 1e-12))
    for prediction, reference, options, expected, tolerance in [
        # README of rtzr/Awesome-Korean-Speech-Recognition; it prints 14.27 for 1/7
        ("커피 한잔 주세요", "커피 한 잔 주세요", {}, 0, 0),
        ("어제 비 왔어요", "어제 비가 왔어요", {}, 0.1427, 2e-4),
        # README and tests of nlptutti (MIT)
        ("아키택쳐", "아키택트", {"preset": "nlptutti"}, 0.25, 0),
        ("STREAM", "STEAM", {}, 0.2, 0),
        ("STREAM", "STEAM", {"preset": "nlptutti"}, 1 / 6, 0),
        ("제이차 세계대전은 인류 역사상 가장많은 인명피해와 재산피해를 남긴 전쟁이었다.",
         "제이 차 세계 대전은 인류 역사상 가장 많은 인명 피해와 재산 피해를 남긴 전쟁이었다.", {}, 0, 0),
        ("오늘 날씨는 맑습니다", "오늘 날씨가 맑습니다", {"preset": "nlptutti"}, 1 / 9, 0),
        # tests of jiwer (Apache-2.0)
        ("", "This is a test", {"preset": "jiwer"}, 1.0, 0),
        ("This test", "This is a test", {"preset": "jiwer"}, 5 / 14, 0),
        ("X X Y Y", "X", {"preset": "jiwer"}, 6, 0),
        ("X Z", "X Y X", {"preset": "jiwer"}, 0.6, 0),
        # Hugging Face's card of its cer
        ("hello world", "hello duck", {"preset": "jiwer"}, 0.5, 0),
    ]
]  # fmt: skip


def is_kept(character, special):
    """What the option `special` keeps, character by character."""
    category = unicodedata.category(character)[0]
    if character.isspace() or special == "keep":
        return True
    if special == "remove":
        return category in ("L", "N", "M")
    if special == "posix":  # Perl's [[:punct:]]: P* and the ASCII symbols; remove_punctuation.pl spares the apostrophe
        return character == "'" or character not in string.punctuation and category != "P"
    return category != "P"


def slow_clean(text, spaces, special, unit):
    text = "".join(character for character in unicodedata.normalize("NFC", text) if is_kept(character, special))
    text = {
        "remove": lambda: "".join(text.split()),
        "keep": text.strip,
        "collapse": lambda: " ".join(text.split()),
    }[spaces]()
    if unit == "jamo":
        return "".join(unicodedata.normalize("NFD", c) if "가" <= c <= "힣" else c for c in text)
    return text


def test_bounded_rate_chooses_the_reference():
    """Half of ten characters are wrong beside the first; beside the second four are too many, of ten steps."""
    call = {"predictions": ["abcdefghij"], "references": [["abcdeVWXYZ", "abcdef"]]}
    assert load("cer").compute(**call, bounded=True)["cer"] == 0.4
    assert load("cer").compute(**call)["cer"] == 0.5
    assert load("cer").explain(prediction="abcdefghij", reference=call["references"][0], bounded=True)[
        "reference_index"
    ] == 1  # fmt: skip


def test_whitespace_of_every_kind_is_drawn():
    texts = {"predictions": ["a\nb"], "references": ["a\u3000b"]}
    text = load("cer").compute(**texts, preset="jiwer", alignments="sclite")["alignments"][0]
    assert "REF:  a ␣ b\nHYP:  a ␣ b" in text


@given(segments=SEGMENTS, spaces=st.sampled_from(["remove", "keep", "collapse"]),
       special=st.sampled_from(["remove", "keep", "punctuation", "posix"]), unit=st.sampled_from(["syllable", "jamo"]),
       bounded=st.booleans(), aggregate=st.sampled_from(["pooled", "mean"]))  # fmt: skip
def test_equals_slow_version(segments, spaces, special, unit, bounded, aggregate):
    predictions, references = [row[0] for row in segments], [row[1] for row in segments]
    options = {"spaces": spaces, "special": special, "unit": unit, "bounded": bounded, "aggregate": aggregate}
    result = load("cer").compute(predictions=predictions, references=references, **options, detailed=True)
    totals, rates, length = dict.fromkeys(("substitute", "delete", "insert", "equal"), 0), [], 0
    for prediction, row in segments:
        prediction, *row = (slow_clean(text, spaces, special, unit) for text in (prediction, *row))
        found = []
        for reference in row:
            edits = oracles.distances(reference, prediction)[-1][-1]
            size = len(oracles.steps(reference, prediction, "jiwer")) if bounded else len(reference)
            found.append((edits / size if size else math.inf if edits else 0.0, edits, reference))
        rate, edits, reference = min(found, key=lambda entry: entry[0])
        kinds = oracles.steps(reference, prediction, "jiwer")
        for kind in kinds:
            totals[kind] += 1
        length += len(reference)
        rates.append(rate)
    edits = sum(totals.values()) - totals["equal"]
    assert [result[name] for name in COUNTS] == list(totals.values())
    assert (result["edits"], result["reference_length"]) == (edits, length)
    size = sum(totals.values()) if bounded else length
    pooled = edits / size if size else math.inf if edits else 0.0
    expected = pooled if aggregate == "pooled" else sum(rates) / len(rates)
    assert result["cer"] == pytest.approx(expected, abs=1e-12)
    assert result["crr"] == pytest.approx(1 - expected, abs=1e-12)


@given(CORPUS)
def test_clovacall(corpus):
    """las.pytorch/main.py: char_distance removes blanks from both, all distances by all lengths."""
    predictions, references = [list(side) for side in zip(*corpus, strict=True)]
    pairs = [[text.replace(" ", "").replace("\t", "").replace("\u3000", "") for text in pair] for pair in corpus]
    edits = sum(oracles.distances(reference, prediction)[-1][-1] for prediction, reference in pairs)
    length = sum(len(reference) for _, reference in pairs)
    result = load("cer").compute(predictions=predictions, references=references, preset="clovacall", normalization=None)
    assert (result["edits"], result["reference_length"]) == (edits, length)


TRANSCRIPTS = [
    # README of sooftware/ksponspeech, with its spelling
    ("b/ 아/ 모+ 몬 소리야 (70%)/(칠 십 퍼센트) 확률이라니 n/", "아모몬소리야70확률이라니"),
    (
        "o/ 그게 (0.1프로) / (영 점 일 프로) 가정의 l/ 아이들과 가정의 모습이야?",
        "그게01프로가정의아이들과가정의모습이야",
    ),
    ("그래서 지+ 지금 (AI)/(에이 아이)*, 그+ 그거 u/ 하지. '뭐#", "그래서지지금ai그그거하지'뭐"),
]


@pytest.mark.parametrize(("transcript", "said"), TRANSCRIPTS)
def test_ksponspeech(transcript, said):
    explained = load("cer").explain(prediction=said, reference=transcript, preset="ksponspeech")
    assert explained["reference"] == said
    assert explained["alignment"] == [["equal", said, said]]
    assert cer(said, transcript) > 0


def test_ksponspeech_marks_alone():
    """With the text otherwise kept."""
    explained = load("cer").explain(
        prediction="", reference=TRANSCRIPTS[2][0], preset="ksponspeech", spaces="collapse", special="keep"
    )
    assert explained["reference"] == "그래서 지 지금 ai, 그 그거 하지. '뭐"


def test_jamo_of_every_syllable():
    text = "".join(map(chr, range(ord("가"), ord("힣") + 1)))
    explained = load("cer").explain(prediction=f"{text}a각", reference=text, unit="jamo")
    assert explained["reference"] == unicodedata.normalize("NFD", text)
    assert explained["prediction"] == unicodedata.normalize("NFD", f"{text}a각")


@given(TEXT)
@example("b*/")
@example("abo//ln//")
def test_ksponspeech_rules(text):
    """ESPnet's get_transcriptions.py (df, char, no unknown word) and remove_punctuation.pl, step by step."""
    expected = text
    for mark in ("*", "o/", "l/", "b/", "n/", "u/"):
        expected = expected.replace(mark, "")
    expected = re.sub(r"\)\s*/\s*\(", ")/(", expected)
    expected = re.sub(r"\(([^)]+)\)/\(([^)]+)\)", r"\1", expected)
    expected = expected.replace("+", "").replace("#", "").replace("/", "").lower()
    expected = slow_clean(expected, "remove", "posix", "syllable")
    explained = load("cer").explain(prediction="", reference=text, preset="ksponspeech", normalization=None)
    if unicodedata.is_normalized("NFC", text):
        assert explained["reference"] == expected


def test_presets_are_their_options():
    columns = {"predictions": cases.TEXTS["predictions"], "references": cases.TEXTS["references"]}
    for preset, options in {
        "jiwer": {"spaces": "keep", "special": "keep"},
        "clovacall": {"special": "keep"},
        "ksponspeech": {"special": "posix"},
        "nlptutti": {"special": "punctuation", "bounded": True},
    }.items():
        result = load("cer").compute(**columns, preset=preset)
        same = load("cer").compute(**columns, **options)
        # nlptutti's hits are those of its own alignment
        assert result == same or preset == "nlptutti" and result["edits"] == same["edits"]
        # and each option, even one with a document's value, overrides a preset
        document = {"spaces": "remove", "special": "remove", "bounded": False, "unit": "syllable"}
        assert load("cer").compute(**columns, preset=preset, **document) == load("cer").compute(**columns)


@pytest.mark.parametrize("given", [{}, {"preset": "nlptutti"}, {"preset": "jiwer", "unit": "jamo"}, {"spaces": "keep"}])
def test_conventions(given):
    metric, columns = load("cer"), cases.TEXTS
    result = metric.compute(**columns, **given, conventions="all", lowercase=True, per_segment=True)
    assert [name for name, _, _ in result["conventions"]] == [
        "none",
        "jiwer",
        "clovacall",
        "mixed",
        "ksponspeech",
        "whisper",
        "nlptutti",
    ]
    for _, value, signature in result["conventions"]:
        assert "|nrefs:1-3|" in signature
        assert metric.compute(**columns, **metric.options_of(signature))["cer"] == value
        assert "case:lc" in signature
    assert result["cer"] == metric.compute(**columns, **given, lowercase=True)["cer"]
    assert len(result["segments"]) == 5


def test_a_convention_is_more_than_its_options():
    texts = {"predictions": ["b/ 아"], "references": ["아"]}
    result = load("cer").compute(**texts, special="posix", conventions="all")
    rates = {name: rate for name, rate, _ in result["conventions"]}
    assert (result["cer"], rates["ksponspeech"]) == (1, 0)


def test_ranking_turns_with_the_convention():
    """Two systems change places: one drops a final consonant, the other writes spaces and stops otherwise."""
    references = ["닭이 산 채로 발견됐습니다", "값을 내렸습니다"]
    close, spaced = ["닥이 산 채로 발견됐습니다", "갑을 내렸습니다"], ["닭이 산채로 발견 됐습니다.", "값을 내렸습니다."]
    scores = {
        preset: [
            load("cer").compute(predictions=p, references=references, preset=preset)["cer"] for p in (close, spaced)
        ]
        for preset in (None, "jiwer")
    }
    assert scores[None][0] > scores[None][1]
    assert scores["jiwer"][0] < scores["jiwer"][1]


def test_confusions():
    result = load("cer").compute(
        predictions=["날씨는", "닥", "닥이오", "은"], references=["날씨가", "닭", "닭이", "는"], detailed=True
    )
    assert result["confusions"] == [["닭", "닥", 2], ["", "오", 1], ["가", "는", 1], ["는", "은", 1]]
    many = load("cer").compute(predictions=[string.ascii_letters], references=[""], detailed=True)
    assert many["confusions"] == [["", letter, 1] for letter in sorted(string.ascii_letters)[:20]]


@pytest.mark.parametrize("preset", [None, "jiwer", "clovacall", "ksponspeech", "nlptutti"])
@given(segments=SEGMENTS)
def test_alignments_hold_the_edits(preset, segments):
    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    options = {"preset": preset, "detailed": True}
    result = load("cer").compute(**columns, **options, alignments="pieces")
    wrong, length = [result[name] for name in ("insertions", "deletions", "substitutions")], result["reference_length"]
    line = "[ {} / {}, {} ins, {} del, {} sub ]".format(sum(wrong), length, *wrong)
    assert load("cer").compute(**columns, preset=preset, alignments="kaldi")["summary"].endswith(line)
    runs = list(itertools.chain.from_iterable(result["alignments"]))
    sizes = {kind: sum(max(len(a), len(b)) for k, a, b in runs if k == kind) for kind in ("substitute", "delete")}
    assert (sizes["substitute"], sizes["delete"]) == (result["substitutions"], result["deletions"])
    for row, (prediction, references) in enumerate(segments):
        explained = load("cer").explain(prediction=prediction, reference=references, preset=preset)
        assert explained["alignment"] == result["alignments"][row]
        assert "".join(run[1] for run in explained["alignment"]) == explained["reference"]
        assert "".join(run[2] for run in explained["alignment"]) == explained["prediction"]
        alone = load("cer").compute(
            predictions=[prediction], references=[references[explained["reference_index"]]], **options
        )
        assert alone["reference_length"] == len(explained["reference"])


def test_alignments_as_text():
    texts = {"predictions": ["나는 오늘", "가"], "references": ["나는오늘은", "가"], "preset": "jiwer"}
    result = load("cer").compute(**texts, alignments="sclite")
    assert result["alignments"][0].split("\n") == [
        "Scores: (#C #S #D #I) 4 0 1 1",
        "REF:  나 는 *** 오 늘 은",
        "HYP:  나 는 ␣   오 늘 ***",
        "Eval:       I         D",
    ]
    assert result["summary"].split("\n")[1] == "| 2 6 | 83.3 0.0 16.7 16.7 33.3 50.0 |"
    assert load("cer").compute(**texts, alignments="kaldi")["summary"] == "%CER 33.33 [ 2 / 6, 1 ins, 1 del, 0 sub ]"


EDGES = [  # of one segment
    ([prediction], [reference], options, expected)
    for prediction, reference, options, expected in [
        ("", "", {}, {"cer": 0.0, "crr": 1.0, "edits": 0, "reference_length": 0}),
        ("가", "", {}, {"cer": math.inf, "crr": -math.inf, "edits": 1, "reference_length": 0}),
        ("!?", "...", {}, {"cer": 0.0, "reference_length": 0}),
        ("", "가", {}, {"cer": 1.0, "crr": 0.0}),
        ("가", "", {"bounded": True}, {"cer": 1.0, "crr": 0.0}),
        ("", "", {"bounded": True}, {"cer": 0.0}),
        ("가나다라마", "바", {"bounded": True}, {"cer": 1.0}),
        ("닥", "닭", {"unit": "jamo"}, {"cer": 1 / 3, "reference_length": 3}),
        (
            unicodedata.normalize("NFD", "한글"),
            "한글",
            {"normalization": None},
            {"cer": 3.0},
        ),  # six jamo for two syllables
        (unicodedata.normalize("NFD", "한글"), "한글", {}, {"cer": 0.0}),
        ("😀가", "가", {}, {"cer": 0.0}),
        ("😀가", "가", {"special": "keep"}, {"cer": 1.0}),
        ("ไทย", "ไท่ย", {}, {"cer": 0.25, "reference_length": 4}),  # the tone mark counts
        ("हिंदी", "हिदी", {}, {"cer": 0.25, "reference_length": 4}),
        ("ABC", "abc", {}, {"cer": 1.0}),
        ("ABC", "abc", {"lowercase": True}, {"cer": 0.0}),
        ("가  나", "가 나", {"preset": "jiwer"}, {"cer": 1 / 3}),
        ("가  나", "가 나", {"preset": "jiwer", "spaces": "collapse"}, {"cer": 0.0}),
        (" 가 나\n", "가 나", {"preset": "jiwer"}, {"cer": 0.0}),
        ("50%", "50", {"special": "punctuation"}, {"cer": 0.0}),
        ("50$", "50", {"special": "punctuation"}, {"cer": 0.5}),
        ("50$", "50", {"special": "posix"}, {"cer": 0.0}),
        ("50€", "50", {"special": "posix"}, {"cer": 0.5}),
        ("뭐'", "뭐", {"special": "posix"}, {"cer": 1.0}),
    ]
]

BAD_CALLS = [
    ({"weights": {"가": 101}}, "weights['가'] is 101; pass a number in [0, 100]"),
    ({"weights": {"?!": 2}}, "weights['?!']: no character of this phrase is compared"),
    ({"fillers": ["음", "어..."]}, "fillers[1] is '어...'; pass letters and numbers, without punctuation"),
    (
        {"spaces": "keep", "unit": "mixed"},
        "spaces is 'keep', but with unit 'mixed', as in preset='mixed', blanks only separate words; drop one",
    ),
    (
        {"spaces": "collapse", "preset": "mixed"},
        "spaces is 'collapse', but with unit 'mixed', as in preset='mixed', blanks only separate words",
    ),
    ({"spaces": "remove", "preset": "jiwer", "unit": "mixed"}, "spaces is 'remove', but with unit 'mixed', as in"),
]


def test_segments_without_reference_text():
    """Pooled they only add insertions; a mean of rates is as infinite as that of the segment."""
    texts = {"predictions": ["가나"] * 5 + ["다"], "references": ["가나"] * 5 + [""]}
    assert load("cer").compute(**texts)["cer"] == 0.1
    mean = load("cer").compute(**texts, aggregate="mean", per_segment=True, confidence=0.9)
    assert (mean["cer"], mean["crr"], mean["segments"]) == (math.inf, -math.inf, [0.0] * 5 + [math.inf])
    assert mean["confidence_interval"] == [0.0, math.inf] and math.isnan(mean["standard_error"])
    assert load("cer").compute(**texts, aggregate="mean", bounded=True)["cer"] == pytest.approx(1 / 6)


def test_several_references():
    """The lowest rate, not the fewest edits; the first one on ties."""
    explained = load("cer").explain(prediction="가나다", reference=["가", "가나라마바사다아", "가나다라마바사", "나다"])
    assert (explained["reference_index"], explained["reference"]) == (3, "나다")
    assert load("cer").explain(prediction="가", reference=["나", "다"])["reference_index"] == 0
    result = load("cer").compute(predictions=["가나다라마바"], references=[["가", "가나다라마사아자"]])
    assert (result["edits"], result["reference_length"]) == (3, 8)


def test_signature_says_what_a_preset_does():
    line = "cer|nrefs:var|preset:nlptutti|spaces:remove|special:punctuation|unit:syllable|case:mixed|norm:NFC"
    assert load("cer").signature(preset="nlptutti") == f"{line}|bounded:yes|agg:pooled|v1.0"
    assert load("cer").signature().startswith("cer|nrefs:var|spaces:remove|special:remove|unit:syllable|")


def test_long_pair():
    """10,000 characters, in the memory that they need."""
    rng = np.random.default_rng(3)
    reference, prediction = ("".join(map(chr, rng.integers(0xAC00, 0xAC80, 10_000))) for _ in range(2))
    result = load("cer").compute(predictions=[prediction], references=[reference], preset="nlptutti")
    assert 0.5 < result["cer"] < 1


@pytest.mark.parametrize("marked", ["가*나", "b/ 가나", "가/나", "가+ 나", "#가나", "(가)/(가아) 나"])
def test_each_mark_of_a_transcript_by_itself(marked):
    result = load("cer").compute(predictions=["가나"], references=[marked], preset="ksponspeech", special="keep")
    assert (result["cer"], result["reference_length"]) == (0.0, 2)


def test_conventions_given_to_load():
    """They are the presets' own, whatever else evaluate.load was given."""
    texts = {"predictions": ["회의는 세시에 시작 합니다"], "references": ["회의는 3시에 시작합니다."]}
    metric = evaluate.load(str(ROOT / "metrics" / "cer.py"), conventions="all", spaces="keep", detailed=True)
    assert metric.compute(**texts)["conventions"] == load("cer").compute(**texts, conventions="all")["conventions"]


@pytest.mark.parametrize("notation", ["1000 ", "1,000 ", "2024년 ", "3.5% "])
@pytest.mark.parametrize(
    ("prediction", "reference", "part"), [("갸", "가", "one_jamo"), ("나 다", "나다", "removed_spacing")]
)
def test_errors_behind_a_notation_are_those_without_it(notation, prediction, reference, part):
    """A number that both texts have, shown as it is written, moves no character behind it."""
    result = load("cer").compute(
        predictions=[notation + prediction], references=[notation + reference], readings="ko", detailed=True
    )
    parts = {name: count for name, count in result.items() if name.endswith("_edits") and count}
    assert parts.pop("literal_edits", 1) == 1
    assert parts == {f"{part}_edits": 1}
