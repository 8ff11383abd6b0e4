"""METEOR: the document's numbers, 60 items with their alignments, WordNet, nltk, options and edges."""

import base64
import functools
import importlib.metadata
import itertools
import json
import locale
import random
import subprocess
import sys
import unicodedata
import zlib
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT, load, load_analysers_anew
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer
from nltk.translate.meteor_score import meteor_score
from textgauge.metrics import meteor as script

from textgauge.core import tables
from textgauge.meteor import synonyms, wordnet
from textgauge.tokens import stems


def read_lines(name):
    return [json.loads(line) for line in (ROOT / "tests/data" / name).read_text("utf-8").split("\n")[:-1]]


ITEMS = read_lines("meteor_alignments.jsonl")
GROUPS = json.loads((ROOT / "tests/data/meteor_corpus.json").read_text("utf-8"))
DOCUMENT = {"predictions": ["The cat is sleeping on the mat."], "references": ["The feline sleeps on that mat."]}
STEMMERS = {"exact+porter+wn30": "porter", "exact+snowball_en_2010+wn30": "snowball"}


def compute(prediction, reference, **options):
    return load("meteor").compute(predictions=[prediction], references=[reference], **options)


def explain(prediction, reference, **options):
    return load("meteor").explain(prediction=prediction, reference=reference, **options)


def test_the_numbers_of_the_document():
    """The document forgets the cube, and takes cat and feline for synonyms, which they are not in WordNet."""
    feline = {"cat": "feline"}
    assert compute(*texts(DOCUMENT), beta=1, synonyms=feline)["meteor"] == pytest.approx(0.573770, abs=5e-7)
    assert compute(*texts(DOCUMENT), synonyms=feline)["meteor"] == pytest.approx(0.731148, abs=5e-7)
    assert compute(*texts(DOCUMENT))["meteor"] == pytest.approx(0.517418, abs=5e-7)


def texts(columns):
    return columns["predictions"][0], columns["references"][0]


@pytest.mark.parametrize("objective", ["crossings", "chunks"])
@pytest.mark.parametrize("item", ITEMS, ids=[item["id"] for item in ITEMS])
def test_item(item, objective):
    """Matches by stage, chunks, crossings and score of each reference, with the item's own stems and synonyms."""
    options = {**item["params"], "objective": objective, "stages": item["stages"], "tokenizer": "whitespace"}
    if "stem" in item["stages"]:
        options["stemmer"] = lambda word: item["stems"].get(word, word)
    if "synonym" in item["stages"]:
        options["synonyms"] = lambda word: item["synonyms"].get(word, ())
    prediction, references = " ".join(item["prediction"]), [" ".join(tokens) for tokens in item["references"]]
    for reference, all_expected in zip(references, item["expected"], strict=True):
        expected = all_expected[objective]
        found = explain(prediction, reference, **options)
        stages = [stage for _, _, stage, _ in found["links"]]
        assert [stages.count(stage) for stage in ("exact", "stem", "synonym")] == expected["matches"]
        assert found["chunks"] == expected["chunks"] and found["exact"]
        pairs = itertools.combinations([link[:2] for link in found["links"]], 2)
        crossings = sum((i - k) * (j - n) < 0 for (i, j), (k, n) in pairs)
        assert objective == "chunks" or crossings == expected["crossings"]
        values = [found[name] for name in ("precision", "recall", "fmean", "penalty", "score")]
        np.testing.assert_allclose(values, [*expected["parts"], expected["score"]], atol=1e-9)
    best, result = item["best"][objective], explain(prediction, references, **options)
    assert result["score"] == pytest.approx(best["score"], abs=1e-9)
    assert result["reference_index"] == best["first_best_reference_index"]
    assert compute(prediction, references, **options)["meteor"] == pytest.approx(best["score"], abs=1e-9)


def test_a_crossing_is_a_negative_product():
    """Document 002, line 81 has a bracket at the wrong place, and a value that depends on which link comes first."""
    links = [tuple(link[:2]) for link in explain("x a y b", "b a", tokenizer="whitespace")["links"]]
    assert sorted(links) == [(1, 1), (3, 0)]
    for (i, j), (k, n) in itertools.permutations(links):
        assert (i - k) * (j - n) == -2
    assert {i - k * (j - n) for (i, j), (k, n) in itertools.permutations(links)} == {-2, 4}


@pytest.mark.parametrize("item", [item for item in ITEMS if "wn30" in item["id"]], ids=lambda item: item["id"])
def test_item_with_our_stemmers_and_wordnet(item):
    stemmer = "porter" if "porter" in item["id"] else "snowball"
    references = [" ".join(tokens) for tokens in item["references"]]
    for objective, best in item["best"].items():
        options = {"objective": objective, "stemmer": stemmer, "tokenizer": "whitespace"}
        found = compute(" ".join(item["prediction"]), references, **options)["meteor"]
        assert found == pytest.approx(best["score"], abs=1e-9)


@pytest.mark.parametrize("group", GROUPS, ids=[group["group"] for group in GROUPS])
@pytest.mark.parametrize("objective", ["crossings", "chunks"])
@pytest.mark.parametrize("configuration", ["exact", "exact+porter", *STEMMERS])
def test_corpus_score(group, configuration, objective):
    items = {item["id"]: item for item in ITEMS}
    items = [items[f"{name}-{configuration}"] for name in group["ids"]]
    expected = group["expected"][f"{configuration}/min_{objective}"]
    result = load("meteor").compute(
        predictions=[" ".join(item["prediction"]) for item in items],
        references=[[" ".join(tokens) for tokens in item["references"]] for item in items],
        stages=items[0]["stages"],
        stemmer=STEMMERS.get(configuration),
        objective=objective,
        tokenizer="whitespace",
        detailed=True,
    )
    pooled = expected["pooled"]
    assert result["meteor"] == pytest.approx(expected["mean_of_segments"], abs=1e-9)
    assert result["meteor_corpus"] == pytest.approx(pooled["score"], abs=1e-9)
    assert (sum(result["matches"]), result["chunks"]) == (pooled["matches"], pooled["chunks"])
    parts = [result[name] for name in ("precision", "recall", "fmean", "penalty")]
    np.testing.assert_allclose(parts, [pooled[name] for name in ("P", "R", "Fmean", "penalty")], atol=1e-9)
    assert result["exact_alignments"] == 1


# matched and not matched by the one or the other of nltk and METEOR 1.5
@pytest.mark.parametrize(
    ("prediction", "reference", "matches"),
    [
        ("happy", "glad", [0, 0, 1]),  # nltk looks up the stem happi
        ("quickly", "rapidly", [0, 0, 1]),
        ("a movie", "a film", [1, 0, 1]),
        ("movies", "films", [0, 0, 1]),
        ("began", "commenced", [0, 0, 1]),
        ("run runs", "running", [0, 1, 0]),  # 0 in METEOR 1.5
        ("able", "entity", [0, 0, 0]),  # a match in METEOR 1.5, whose table knows no parts of speech
        ("bear", "record", [0, 0, 0]),
        ("cat", "feline", [0, 0, 0]),  # a hypernym
        ("oxen", "ox", [0, 0, 1]),  # irregular, of a word that has no other synonym
        ("was", "were", [0, 0, 1]),
        ("better", "good", [0, 0, 1]),
        ("Washington", "capital", [0, 0, 1]),  # a proper noun
        ("women", "woman", [0, 0, 1]),
        ("e-mail", "email", [0, 0, 1]),
        # WordNet's library takes no s off a noun of two letters or in -ss, and nothing off a word that its lists of
        # exceptions know as its own base; nltk lacks the former rule
        ("is", "one", [0, 0, 0]),
        ("as", "ampere", [0, 0, 0]),
        ("us", "uranium", [0, 0, 0]),
        ("ass", "arsenic", [0, 0, 0]),
        ("his", "hello", [0, 0, 0]),
        ("owner", "own", [0, 0, 0]),
        ("buses", "bus", [0, 0, 1]),
        ("boxesful", "box", [0, 0, 1]),
    ],
)
def test_matches(prediction, reference, matches):
    for pair in ((prediction, reference), (reference, prediction)):
        result = compute(*pair, detailed=True, tokenizer="whitespace")
        assert result["matches"] == matches
        assert (result["meteor"] > 0) == any(matches)


def test_presets_on_identical_texts():
    """Never 1 by the formula of 2005: 1 - 0.5 / m ** 3."""
    for size in (1, 2, 6):
        text = " ".join("abcdef"[:size])
        assert compute(text, text)["meteor"] == pytest.approx(1 - 0.5 / size**3, abs=1e-12)
        assert compute(text, text, preset="1.5")["meteor"] == 1
        assert compute(text, text, preset="2005", perfect_is_one=True)["meteor"] == 1
        assert compute(text, text, preset="1.5", perfect_is_one=False)["meteor"] < 1
        for pair in ((text, f"{text} x"), (f"{text} x", text)):  # one chunk, but a word is left over
            assert compute(*pair, perfect_is_one=True) == compute(*pair)
    assert compute("a b", "b a", perfect_is_one=True)["meteor"] == 0.5
    assert compute("a", "a", perfect_is_one=True, beta=0)["meteor"] == 1


def test_perfect_texts_add_no_chunk_to_the_pool():
    """METEOR 1.5's rule."""
    columns = {"predictions": ["a b", "a x b"], "references": ["a b", "a b"], "detailed": True}
    assert load("meteor").compute(**columns)["chunks"] == 3
    result = load("meteor").compute(**columns, perfect_is_one=True)
    assert (result["chunks"], result["matches"]) == (2, [4, 0, 0])
    assert result["penalty"] == pytest.approx(0.5 * (2 / 4) ** 3)


def by_hand(matched, words, other_matched, other_words, chunks, matches):
    """The formula of METEOR 1.5 with its parameters for English."""
    precision, recall = matched / words, other_matched / other_words
    fmean = precision * recall / (0.85 * precision + 0.15 * recall)
    return fmean * (1 - 0.6 * (chunks / matches) ** 0.2)


def test_weights_of_preset_1_5():
    """Content words weigh 0.75, function words 0.25; a stem counts 0.6, a synonym 0.8."""
    # the dogs ran quickly | the dog walked rapidly: the (function, exact), dogs (stem), quickly (synonym)
    found = compute("the dogs ran quickly", "the dog swam rapidly away", preset="1.5")["meteor"]
    matched = 0.25 + 0.6 * 0.75 + 0.8 * 0.75
    assert found == pytest.approx(by_hand(matched, 2.5, matched, 3.25, 2, 3), abs=1e-12)
    options = {"preset": "1.5", "function_words": ["DOG", "x"], "synonyms": None}
    # dogs is a content word, and dog is none
    found = compute("the dogs x", "the dog", **options)["meteor"]
    expected = by_hand(0.75 + 0.6 * 0.75, 1.75, 0.75 + 0.6 * 0.25, 1, 1, 2)
    assert found == pytest.approx(expected, abs=1e-12)
    assert compute("ab c", "ab d", preset="1.5", function_words=["ab"], lowercase=False)["meteor"] == pytest.approx(
        by_hand(0.25, 1, 0.25, 1, 1, 1), abs=1e-12
    )


def test_delta_of_half_treats_all_words_alike():
    columns = {"predictions": ["the cat sat"], "references": ["the dog sat there"]}
    plain = load("meteor").compute(**columns)["meteor"]
    assert load("meteor").compute(**columns, preset="1.5", delta=0.5, **_WITHOUT_1_5)["meteor"] == plain
    weighted = load("meteor").compute(**columns, function_words=["the", "cat"], delta=0.9)["meteor"]
    by_hand = by_hand_2005(0.1 + 0.9, 0.2 + 0.9, 0.1 + 0.9, 0.1 + 2.7, 2, 2)
    assert weighted == pytest.approx(by_hand, abs=1e-12) != plain


# all that preset 1.5 has otherwise than 2005, except for delta
_WITHOUT_1_5 = {
    **{"alpha": 0.9, "beta": 3, "gamma": 0.5, "stage_weights": [1, 1, 1]},
    **{"objective": "crossings", "perfect_is_one": False, "stemmer": "porter"},
}


def by_hand_2005(matched, words, other_matched, other_words, chunks, matches):
    precision, recall = matched / words, other_matched / other_words
    return 10 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / matches) ** 3)


def test_explanation():
    found = explain(*texts(DOCUMENT))
    assert found["prediction"] == ["the", "cat", "is", "sleeping", "on", "the", "mat"]
    assert found["references"] == [["the", "feline", "sleeps", "on", "that", "mat"]]
    assert found["links"] == [[0, 0, "exact", 0], [3, 2, "stem", 1], [4, 3, "exact", 1], [6, 5, "exact", 2]]
    assert (found["chunks"], found["exact"], found["reference_index"]) == (3, True, 0)
    assert json.loads(json.dumps(found)) == found
    empty = explain("", ["", "가"])
    assert (empty["links"], empty["chunks"], empty["score"], empty["reference_index"]) == ([], 0, 0.0, 0)


def test_exact_where_a_reference_is_not():
    """The search finds no best alignment with the first reference, which could score higher than the second."""
    prediction = "b0 b0 b0 b0 c0 c0 a0 a0 c0 c0 a0"
    hard, easy = "c0 c0 a0 b0 c0 a0 a0 a0 c0 a0", "b0 b0 b0 b0 zz c0 a0 a0 c0 c0 a0"
    options = {"stages": ["exact", "synonym"], "synonyms": [["b0", "c0", "a0"]], "objective": "chunks"}
    for references, is_exact in (([hard, easy], False), ([easy, hard], False), ([hard], False), ([easy], True)):
        assert explain(prediction, references, **options)["exact"] is is_exact
        columns = {"predictions": [prediction, "a"], "references": [references, ["b", "a"]]}
        result = load("meteor").compute(**columns, **options, detailed=True)
        assert result["exact_alignments"] == (1 + is_exact) / 2


def test_best_reference_and_the_first_of_equal_ones():
    assert explain("a b c", ["x", "a b", "a c b", "a b c", "a b c"])["reference_index"] == 3
    columns = {"predictions": ["a b", "x"], "references": [["b a", "a b", "a"], ["x", "x y"]]}
    result = load("meteor").compute(**columns, per_segment=True, detailed=True)
    assert result["segments"] == [1 - 0.5 / 8, 0.5]
    assert result["matches"] == [3, 0, 0] and result["precision"] == result["recall"] == 1


def test_options_override_the_preset():
    columns = {"predictions": ["p q x r"], "references": ["r p q z"]}
    (precision, recall), chunks, matches = (3 / 4, 3 / 4), 2, 3
    for alpha, beta, gamma in ((0.9, 3, 0.5), (0.2, 0.5, 1.0), (1, 0, 0.25), (0, 7, 0)):
        fmean = precision * recall / (alpha * precision + (1 - alpha) * recall)
        expected = fmean * (1 - gamma * (chunks / matches) ** beta)
        options = {"alpha": alpha, "beta": beta, "gamma": gamma}
        for preset in ("2005", "1.5"):
            assert load("meteor").compute(**columns, **options, preset=preset)["meteor"] == pytest.approx(expected)


def test_stages():
    pair = "the cats were happy", "the cat was glad"
    found = {
        stages: compute(*pair, stages=stages.split(), detailed=True)["matches"]
        for stages in ("exact", "exact stem", "exact synonym", "exact stem synonym")
    }
    assert list(found.values()) == [[1, 0, 0], [1, 1, 0], [1, 0, 3], [1, 1, 2]]


@pytest.mark.parametrize(
    "table",
    [
        {"cat": ["feline"]},
        {"CAT": "feline"},
        {"feline": ("cat", "puss")},
        [["cat", "feline"]],
        {("feline", "cat")},
        lambda word: iter({"cat": ["c"], "feline": ["c", "d"]}.get(word, [])),
    ],
)
def test_synonym_tables(table):
    assert compute(*texts(DOCUMENT), synonyms=table)["meteor"] == pytest.approx(0.731148, abs=5e-7)


def test_synonym_table_in_a_file(tmp_path):
    path = tmp_path / "synonyms.tsv"
    path.write_text("\ufeff구매\t구입 \t사\nfeline\tCAT\n\n", encoding="utf-8")
    for name in (path, str(path)):
        assert compute(*texts(DOCUMENT), synonyms=name)["meteor"] == pytest.approx(0.731148, abs=5e-7)
        for pair in (("책 구입", "책 사"), ("책 구매", "책 구입")):
            assert compute(*pair, synonyms=name, detailed=True)["matches"] == [1, 0, 1]
    assert compute("feline", "CAT", synonyms=path, lowercase=False)["meteor"] == 0.5
    assert compute("feline", "cat", synonyms=path, lowercase=False)["meteor"] == 0
    decomposed = {unicodedata.normalize("NFD", "구매"): "구입"}
    assert compute("책 구매", "책 구입", synonyms=decomposed, detailed=True)["matches"] == [1, 0, 1]
    signature = load("meteor").signature(synonyms=path)
    assert signature == load("meteor").signature(synonyms=str(path))
    path.write_text("cat\tfeline", encoding="utf-8")
    assert load("meteor").signature(synonyms=path) != signature
    assert "|syn:table(" in signature and "|syn:none|" in load("meteor").signature(synonyms=None)
    path.write_bytes("구매\t구입".encode("cp949"))
    with pytest.raises(ValueError, match="synonyms.tsv is not UTF-8: .*; save it as UTF-8"):
        compute("구매", "구입", synonyms=path)


def test_stemmers():
    """Porter's of 1980 by default; that of nltk's own differs; Snowball's with the preset of 1.5."""
    assert compute("dying", "die", synonyms=None)["meteor"] == 0
    nltk_own = __import__("nltk").PorterStemmer()
    assert compute("dying", "die", synonyms=None, stemmer=nltk_own)["meteor"] == 0.5
    assert compute("dying", "die", synonyms=None, stemmer=nltk_own.stem)["meteor"] == 0.5
    assert compute("dying", "die", synonyms=None, preset="1.5")["meteor"] == pytest.approx(0.6)
    assert compute("dying", "die", synonyms=None, stemmer="snowball")["meteor"] == 0.5
    assert (compute("as", "a")["meteor"], compute("as", "a", stemmer="snowball")["meteor"]) == (0.5, 0)
    assert compute("Häuser", "Haus", lang="de")["meteor"] == 0.5
    assert compute("Häuser", "Haus", lang="en")["meteor"] == 0
    assert compute("maisons", "maison", lang="fr")["meteor"] == 0.5


def test_each_language_has_its_stemmer():
    assert {*stems.SNOWBALL.values()} == {*SnowballStemmer.languages} - {"porter"}
    for code, name in stems.SNOWBALL.items():
        assert locale.locale_alias[name].startswith(f"{code}_")
    words = {"de": "Katzen", "it": "pronunciamento", "ru": "кошками", "fi": "kissoissa", "ar": "والكتاب"}
    found = [stems.nltk_stemmer("snowball", code)([word]) for code, word in words.items()]
    assert found == [["katz"], ["pronunc"], ["кошк"], ["kiso"], ["كتاب"]]
    assert stems.nltk_stemmer("porter", "en")(["Cats", "cats"]) == ["Cat", "cat"]


DROPPED = ["JKS", "JX", "JKB", "EP", "EF", "ETM", "SF", "SP", "SS", "SSO", "SSC", "SE", "SO"]
KEPT = ["NNG", "NNP", "NNB", "VV", "VA", "MAG", "XR", "SL", "SN", "SH", "SW"]


@pytest.mark.parametrize("tag", [*DROPPED, *KEPT])
def test_tags_of_a_korean_stem(tag):
    """A word of a dropped tag alone is its own stem."""

    def tokenize(words):
        return [[SimpleNamespace(lemma=part, tag=tag if part == "x" else "NNG") for part in word] for word in words]

    found = stems.korean_stemmer(SimpleNamespace(tokenize=tokenize))(["집x", "x", "집"])
    assert found == (["집", "x", "집"] if tag in DROPPED else ["집x", "x", "집"])


def test_synonyms_by_language():
    assert compute("happy", "glad", lang="de")["meteor"] == 0
    assert compute("happy", "glad", lang="de", synonyms="wordnet")["meteor"] == 0.5
    assert compute("happy", "glad", synonyms=None)["meteor"] == 0


def test_korean():
    pytest.importorskip("kiwipiepy", reason="pip install -r requirements-korean.txt")
    pair = "고양이가 학교에 갔습니다.", "고양이는 학교로 갔다"
    assert compute(*pair)["meteor"] == 0
    result = compute(*pair, lang="ko", detailed=True)
    assert result["matches"] == [0, 3, 0]
    result = compute(*pair, lang="ko", tokenizer="whitespace", detailed=True)
    assert result["matches"] == [0, 3, 0]
    # a particle alone is left as it is
    assert compute("은", "는", lang="ko")["meteor"] == 0
    assert compute("책을 구매했다", "책을 샀다", lang="ko", synonyms={"구매했다": "샀다"})["meteor"] == 0.9375
    assert f"|stem:kiwi[{importlib.metadata.version('kiwipiepy')}]|" in load("meteor").signature(lang="ko")


def test_korean_without_kiwi(monkeypatch):
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    load_analysers_anew(monkeypatch)
    with pytest.raises(ImportError, match='stemmer="kiwi", which lang="ko" takes, needs a package: pip install kiwi'):
        script.Meteor().compute(predictions=["가"], references=["가"], lang="ko")
    result = script.Meteor().compute(predictions=["가 나"], references=["가 나"], lang="ko", stages=["exact"])
    assert result == {"meteor": 0.9375}


BAD_CALLS = [
    ({"stages": "exact"}, "stages is 'exact'; pass"),
    ({"stages": ["stem"]}, "stages is ['stem']; pass"),
    ({"stages": ["exact", "synonym", "stem"]}, "stages is ['exact', 'synonym', 'stem']; pass"),
    ({"stages": ["exact", "exact"]}, "stages is ['exact', 'exact']; pass"),
    ({"stages": ["exact", "paraphrase"]}, "stages is ['exact', 'paraphrase']; pass"),
    ({"stages": []}, "stages is []; pass"),
    ({"stages": 3}, "stages is 3; pass"),
    ({"stemmer": "snowball", "lang": "ko"}, "stemmer is 'snowball', which has no lang='ko'"),
    ({"stemmer": len}, "stemmer returned 1 for 'a'; it must return a string"),
    ({"synonyms": "no such file"}, "synonyms is 'no such file', and there is no such file"),
    ({"synonyms": "n" * 5000}, "n, and there is no such file"),
    ({"synonyms": 3}, "synonyms is 3; pass"),
    ({"synonyms": ["cat"]}, "synonyms: group 0 is 'cat'; pass a list of words"),
    ({"synonyms": {"cat": [1]}}, "synonyms: group 0 is ['cat', 1]; pass a list of words"),
    ({"synonyms": [["a"], None]}, "synonyms: group 1 is None; pass a list of words"),
    ({"synonyms": iter([["a", "b"]])}, "synonyms is <list_iterator"),
    ({"synonyms": [iter(["a", "b"])]}, "synonyms: group 0 is <list_iterator"),
    ({"synonyms": {"a": iter(["b"])}}, "synonyms: group 0 is ['a', <list_iterator"),
    ({"synonyms": str.upper}, "synonyms returned 'A' for 'a'; it must return a list of groups"),
    ({"synonyms": {}.get}, "synonyms returned None for 'a'; it must return a list of groups"),
    ({"function_words": "the"}, "function_words is 'the'; pass a list of words"),
    ({"function_words": [1]}, "function_words is [1]; pass a list of words"),
    ({"function_words": ["a"]}, "function_words is ['a'], and with delta=0.5 they weigh like all others"),
    ({"function_words": []}, "function_words is [], and with delta=0.5 they weigh like all others"),
    (
        {"lang": "de", "function_words": ["a"]},
        "with delta=0.5 they weigh like all others; pass another delta, or leave",
    ),
    ({"preset": "1.5", "delta": 0.5, "function_words": ["a"]}, "with delta=0.5 they weigh like all others"),
    (
        {"function_words": [], "delta": 0.9},
        "delta is 0.9, but with lang='en' there are no function words; pass function_words, or",
    ),
    ({"lang": "de", "delta": 0.9}, "delta is 0.9, but with lang='de' there are no function words"),
    ({"stages": ["exact"], "synonyms": {"a": "b"}}, "synonyms is {'a': 'b'}, but stages has no synonym; add it, or"),
    ({"stages": ["exact", "stem"], "lang": "de", "synonyms": "wordnet"}, "synonyms is 'wordnet', but stages has no"),
    ({"stages": ["exact", "synonym"], "stemmer": "porter"}, "stemmer is 'porter', but stages has no stem; add it, or"),
    ({"stages": ["exact"], "stemmer": len}, "stemmer is <built-in function len>, but stages has no stem"),
    ({"stage_weights": [1, 1]}, "stage_weights is [1, 1]; pass a list of three numbers from 0 to 1"),
    ({"stage_weights": [1, 2, 0]}, "stage_weights is [1, 2, 0]; pass a list of three numbers from 0 to 1"),
    ({"stage_weights": 1}, "stage_weights is 1; pass a list"),
]


def test_signature_holds_what_changes_the_score():
    metric = load("meteor")
    line = metric.signature()
    assert f"|stem:porter[{importlib.metadata.version('nltk')}]|" in line
    assert f"|syn:wordnet[{tables.digest(wordnet.DATA)}]|" in line
    options = [
        {"preset": "1.5"}, {"lang": "de"}, {"stages": ["exact"]}, {"stemmer": str.lower}, {"stemmer": "snowball"},
        {"synonyms": None}, {"synonyms": {"a": "b"}}, {"synonyms": {"a": "c"}}, {"synonyms": tuple}, {"alpha": 0.8},
        {"beta": 2}, {"gamma": 0.4}, {"delta": 0.6}, {"delta": 0.6, "function_words": ["a"]},
        {"delta": 0.6, "function_words": ["b"]},
        {"objective": "chunks"}, {"stage_weights": [1, 1, 0.5]}, {"perfect_is_one": True}, {"lowercase": False},
    ]  # fmt: skip
    lines = {metric.signature(**changed) for changed in options}
    assert len({line, *lines}) == len(options) + 1
    assert metric.signature(alpha=0.9, beta=3, gamma=0.5, function_words="english", stemmer="porter") == line
    words = {"delta": 0.6, "function_words": ["a"]}
    for own in ({"stemmer": str.lower}, {"synonyms": {"a": "b"}}, {"synonyms": tuple}, words):
        with pytest.raises(ValueError, match="pass that option yourself"):
            metric.options_of(metric.signature(**own))


@pytest.mark.parametrize("objective", ["crossings", "chunks"])
def test_ten_thousand_words(objective):
    """Defined, however often words repeat."""
    rng = random.Random(6)
    words = ["the", "of", "그는", "학교에", *(f"w{k}" for k in range(3000))]
    sides = [" ".join(rng.choice(words[:4] if rng.random() < 0.4 else words) for _ in range(10_000)) for _ in "pr"]
    result = compute(*sides, objective=objective, detailed=True)
    assert 0 < result["meteor"] < 1 and result["exact_alignments"] == 0


NOTHING = {"meteor": 0.0, "meteor_corpus": 0.0, "penalty": 0.0, "fmean": 0.0, "matches": [0, 0, 0], "chunks": 0}
DECOMPOSED = unicodedata.normalize("NFD", "학교")
EDGES = [  # of one segment
    ([prediction], [reference], options, expected)
    for prediction, reference, options, expected in [
        ("", "", {"detailed": True, "synonyms": None}, NOTHING),
        ("", "a", {"detailed": True, "synonyms": None}, NOTHING),
        ("a", "", {"detailed": True, "synonyms": None}, NOTHING),
        ("!?", "!?", {"detailed": True, "synonyms": None}, NOTHING),
        ("a", "b", {"detailed": True, "synonyms": None}, NOTHING),
        ("😀 가", "가 😀", {"tokenizer": "whitespace"}, 0.5),
        (DECOMPOSED, "학교", {}, 0.5),
        (DECOMPOSED, "학교", {"normalization": None}, 0.0),
        ("The", "the", {"lowercase": False}, 0.0),
    ]
]


WORDS = ["the", "cat", "cats", "happy", "glad", "on", "mat", "mats", "a"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@given(TEXT, TEXT, TEXT)
@example("the the the happy happy glad glad", "the the happy the the the the the happy happy", "")  # not exact
def test_laws(prediction, reference, other):
    """In [0, 1]; a further reference never costs anything; best alignments keep their score when texts are swapped."""
    score = compute(prediction, reference)["meteor"]
    assert 0 <= score <= 1
    assert compute(prediction, [reference, other])["meteor"] == max(score, compute(prediction, other)["meteor"])
    sides = [explain(*pair, alpha=0.5) for pair in ((prediction, reference), (reference, prediction))]
    if all(side["exact"] for side in sides):
        assert sides[0]["score"] == pytest.approx(sides[1]["score"], abs=1e-12)
    fewest_chunks = explain(prediction, reference, objective="chunks")
    assert fewest_chunks["score"] >= score - 1e-12 or not fewest_chunks["exact"]


# --- nltk ---


class Synset:
    """What nltk's meteor_score asks of WordNet, from our table."""

    def __init__(self, words):
        self.words = words

    def lemmas(self):
        return [SimpleNamespace(name=lambda word=word: word) for word in self.words]


@functools.cache
def read_wordnet():
    return synonyms.read_wordnet(wordnet.DATA)


@functools.cache
def words_by_synset():
    found = {}
    for table in read_wordnet().synsets.values():
        for word, numbers in table.items():
            for number in numbers:
                found.setdefault(number, []).append(word)
    return found


class StubWordNet:
    def synsets(self, word):
        return [Synset(words_by_synset()[number]) for number in synonyms.synsets_of(read_wordnet(), word)]


class NoWordNet:
    def synsets(self, word):
        return []


class Word:
    def stem(self, word):
        return word


def by_nltk(prediction, reference, **options):
    return meteor_score([reference.split()], prediction.split(), **options)


def test_published_value_of_nltk():
    """The docstring of nltk, whose WordNet has its stems; no word repeats that matters."""
    prediction = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    assert round(by_nltk(prediction, reference, wordnet=StubWordNet()), 4) == 0.6944
    assert compute(prediction, reference)["meteor"] > 0.6944


def test_nltk_looks_up_stems():
    assert by_nltk("happy", "glad", wordnet=StubWordNet()) == 0
    assert by_nltk("happy", "glad", wordnet=StubWordNet(), stemmer=Word()) == 0.5


# --- WordNet ---


def test_wordnet_is_what_the_script_makes():
    """Compared unpacked, for another zlib may pack otherwise."""
    from lab.build_wordnet_synonyms import SOURCE, licence, table

    if not SOURCE.is_dir():
        pytest.skip(f"{SOURCE} is not here: apt-get install wordnet-base")
    text = table(SOURCE)
    packed = wordnet.DATA.replace("\n", "")
    assert zlib.decompress(base64.b85decode(packed)).decode() == text
    assert f"{licence(SOURCE)}\n" == (ROOT / "textgauge" / "meteor" / "LICENSE.wordnet").read_text(encoding="utf-8")


def test_build_script(tmp_path):
    """WordNet's formats: data.noun and its kin, and exceptions."""
    (tmp_path / "data.noun").write_text(
        "  1 A licence  \n"
        "00000001 03 n 02 cat 0 true_cat 0 000 | a pet\n"
        "00000002 03 n 03 Auto 0 car 1 motor_car 0 001 @ 00000001 n 0000 | a machine\n"
        "00000003 03 n 01 ox 0 000 | an ox\n"
        "00000004 03 n 02 automobile 0 car 0 000 | a machine\n"
    )
    (tmp_path / "data.adj").write_text("00000005 00 s 02 galore(ip) 0 abounding(p) 0 000 | much\n")
    (tmp_path / "noun.exc").write_text("oxen ox\nkine cow\ncars_of car\nautos auto automobile cow\noxs oxs\n")
    for name in ("data.verb", "data.adv", "verb.exc", "adj.exc", "adv.exc"):
        (tmp_path / name).write_text("")
    command = [sys.executable, "-m", "lab.build_wordnet_synonyms", "--source", tmp_path, "--target", tmp_path]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b""
    made = synonyms.read_wordnet((tmp_path / "wordnet.b85").read_text(encoding="ascii"))
    assert (tmp_path / "LICENSE.wordnet").read_text(encoding="utf-8") == "A licence\n"
    assert {name: dict(table) for name, table in made.synsets.items()} == {
        "noun": {"auto": (1,), "car": (1, 2), "automobile": (2,), "ox": (3,)},
        "verb": {},
        "adj": {"abounding": (4,), "galore": (4,)},
        "adv": {},
    }
    assert made.bases["noun"] == {"oxen": ("ox",), "autos": ("auto", "automobile"), "kine": (), "oxs": ()}
    assert synonyms.synsets_of(made, "oxen") == (3,)
    assert synonyms.synsets_of(made, "autos") == (1, 2)
    assert synonyms.synsets_of(made, "cars") == (1, 2)
    assert synonyms.synsets_of(made, "oxs") == ()  # an exception to the rule that takes the s off


def test_wordnet_has_so_many_words():
    """28,226 synsets of WordNet 3.0 have several words, 992 of them the same words as another one."""
    groups = words_by_synset()
    assert len([words for words in groups.values() if len(words) > 1]) == 28_226 - 992
    assert len({word for words in groups.values() if len(words) > 1 for word in words}) == 49_065


def test_wordnet_is_read_when_it_is_needed():
    code = """
import textgauge.meteor.synonyms as synonyms
read = []
synonyms.read_wordnet = lambda data, original=synonyms.read_wordnet: read.append(1) or original(data)
from textgauge.metrics.meteor import Meteor
meteor, pair = Meteor(), {"predictions": ["happy"], "references": ["glad"]}
assert meteor.compute(**pair, synonyms=None) == {"meteor": 0.0} and not read
assert meteor.compute(**pair) == meteor.compute(**pair) == {"meteor": 0.5} and len(read) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
