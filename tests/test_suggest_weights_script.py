"""scripts/suggest_weights.py: the weights against slow versions, the file through weighted_bleu, every bad input."""

import itertools
import json
import math
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from conftest import ROOT, load, write, write_jsonl
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from textgauge.programs.commands import suggest_weights
from textgauge.programs.weighing import review
from textgauge.programs.weighing.phrases import count_phrases, phrase_texts
from textgauge.programs.weighing.suggestions import (
    Suggestion,
    log_odds,
    persona_weights,
    strongest,
    suggest_idf,
    suggest_persona,
)

PLAIN = ["저는 고양이를 좋아해요.", "저는 밥을 먹어요.", "그것은 힘들지 않아요.", "어디에 가세요?"] * 3
PERSONA = ["짐은 고양이를 좋아하오.", "짐은 밥을 먹소.", "그것은 힘들지 않소.", "어디에 가시오?"] * 3
TOKENS = st.lists(st.sampled_from("가나다"), max_size=7)
CORPUS = st.lists(TOKENS, min_size=1, max_size=6)
WEIGHT = st.integers(-8, 8).map(lambda quarters: quarters / 4)


def run(*arguments):
    return CliRunner().invoke(suggest_weights.app, list(map(str, arguments)))


@pytest.fixture
def pairs(tmp_path):
    return ["persona", "--plain", write(tmp_path / "plain.txt", *PLAIN),
            "--persona", write(tmp_path / "king.txt", *PERSONA)]  # fmt: skip


# --- log-odds ---


def slow_log_odds(word, persona, plain, prior):
    """The paper's estimate for one word, with counters: delta, and delta over its standard deviation."""
    total = persona.total() + plain.total()
    alpha = prior * (persona[word] + plain[word]) / total
    here, there = persona[word] + alpha, plain[word] + alpha
    delta = math.log(here / (persona.total() + prior - here)) - math.log(there / (plain.total() + prior - there))
    return delta, delta / math.sqrt(1 / here + 1 / there)


def slow_weight(delta):
    share = math.exp(delta) / (1 + math.exp(delta))
    return 2 * share if share >= 0.5 else -2 + 6 * share


@given(persona=CORPUS, plain=CORPUS, prior=st.sampled_from([0.1, 1.0, 100.0]), max_tokens=st.integers(1, 3),
       min_count=st.integers(1, 4), min_z=st.sampled_from([0.0137, 0.513, 1.51]))  # fmt: skip
def test_persona_equals_slow_version(persona, plain, prior, max_tokens, min_count, min_z):
    expected = {}
    for order in range(1, max_tokens + 1):
        sides = [
            Counter(tuple(text[i : i + order]) for text in texts for i in range(len(text) - order + 1))
            for texts in (persona, plain)
        ]
        words = set(sides[0]) | set(sides[1])
        for word in words if len(words) > 1 else ():
            delta, z = slow_log_odds(word, *sides, prior)
            if sides[0][word] + sides[1][word] >= min_count and abs(z) >= min_z:
                expected[word] = (slow_weight(delta), (sides[0][word], sides[1][word]), z)
    found = suggest_persona(persona, plain, max_tokens=max_tokens, min_count=min_count, min_z=min_z, prior=prior)
    assert {suggestion.phrase for suggestion in found} == expected.keys()
    for suggestion in found:
        weight, counts, z = expected[suggestion.phrase]
        assert suggestion.weight == pytest.approx(weight, abs=5.1e-4)
        assert suggestion.counts == counts
        assert suggestion.z == pytest.approx(z, abs=1e-9)
    strengths = [abs(suggestion.z) for suggestion in found]
    assert strengths == sorted(strengths, reverse=True)


def test_log_odds_by_hand():
    """Two words, 3 and 1 of 4 against 1 and 3 of 4; a prior of 2 gives each of them 1: 4 to 2 against 2 to 4."""
    delta, z = log_odds(np.array([[3, 1], [1, 3]]), 2.0)
    np.testing.assert_allclose(delta, [math.log(2 / 0.5), -math.log(4)])
    np.testing.assert_allclose(z, delta / math.sqrt(1 / 4 + 1 / 2))


def test_a_larger_prior_shrinks():
    counts = np.array([[3, 100, 50], [0, 90, 60]])
    sizes = [np.abs(log_odds(counts, prior)[0][0]) for prior in (0.01, 1, 100, 10_000)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 0.2


@pytest.mark.parametrize(
    ("share", "weight"), [(0.5, 1.0), (0.75, 1.5), (1 / 3, 0.0), (0.25, -0.5), (1 - 1e-12, 2.0), (1e-12, -2.0)]
)
def test_mapping(share, weight):
    assert persona_weights(np.array([math.log(share / (1 - share))])) == pytest.approx([weight])


@given(st.lists(st.floats(-600, 600), min_size=2))
def test_mapping_stays_in_range_and_order(deltas):
    weights = persona_weights(np.array(sorted(deltas)))
    assert weights.min() >= -2
    assert weights.max() <= 2
    assert (np.diff(weights) >= 0).all()


def test_one_phrase_alone_says_nothing():
    options = {"max_tokens": 2, "min_count": 1, "min_z": 0.0, "prior": 1.0}
    assert suggest_persona([["a"]], [["a"]], **options) == []
    assert suggest_persona([[]], [[]], **options) == []
    for count, prior in itertools.product(range(1, 40), (0.1, 0.7, 33.3)):  # whatever rounding leaves for the others
        assert np.isnan(log_odds(np.array([[count], [0]]), prior)).all()
    found = suggest_persona([["a", "b"]], [["a", "c"]], **options)
    assert {suggestion.phrase for suggestion in found} >= {("b",), ("c",)}
    assert all(math.isfinite(suggestion.z) for suggestion in found)


def test_top_is_per_direction():
    options = {"max_tokens": 1, "min_count": 1, "min_z": 0.0, "prior": 1.0}
    found = suggest_persona([["a"] * 9, ["b", "c", "e"]], [["d"] * 9, ["b", "f", "g"]], **options)
    chosen, texts = strongest(found, ["".join(suggestion.phrase) for suggestion in found], 2)
    assert [suggestion.phrase for suggestion in chosen] == [("a",), ("c",), ("d",), ("f",)]
    assert texts == ["a", "c", "d", "f"]


def test_effectless_phrases_are_left_out():
    """An n-gram weighs as its heaviest phrase: a part of the same weight or more hides the whole."""
    weights = {("a",): 1.5, ("a", "b"): 1.5, ("b", "a"): 1.6, ("c",): -1.0, ("c", "d"): -1.5, ("d", "c"): -0.5}
    found = [Suggestion(phrase, weight, (), 1.0) for phrase, weight in weights.items()]
    kept, _ = strongest(found, ["".join(phrase) for phrase in weights], 9)
    assert [suggestion.phrase for suggestion in kept] == [("a",), ("b", "a"), ("c",), ("d", "c")]
    texts = {"predictions": ["a b c d", "b a d c x"], "references": ["a b d", "b a c c x"], "max_order": 3}
    joined = {" ".join(phrase): weight for phrase, weight in weights.items()}
    fewer = {" ".join(suggestion.phrase): suggestion.weight for suggestion in kept}
    metric = load("weighted_bleu")
    rows = [metric.statistics(**texts, weights=table, tokenizer="whitespace") for table in (joined, fewer)]
    np.testing.assert_array_equal(*rows)


def test_a_phrase_is_not_left_out_for_a_part_that_is_not_written():
    """Neither for one that is too weak for the file, nor for one that the tokenizer splits otherwise."""
    found = [Suggestion(("a", "b"), 1.5, (), 3.0), Suggestion(("c",), 1.2, (), 2.5), Suggestion(("a",), 1.5, (), 2.0)]
    for top, texts, expected in (
        (9, ["ab", "c", "a"], ["c", "a"]),
        (2, ["ab", "c", "a"], ["ab", "c"]),
        (9, ["ab", "c", None], ["ab", "c", None]),
    ):
        assert strongest(found, texts, top)[1] == expected


@given(weights=st.dictionaries(TOKENS.filter(len).map(tuple), st.tuples(WEIGHT, st.integers(-9, 9), st.booleans())),
       top=st.integers(1, 9))  # fmt: skip
def test_what_is_left_out_has_no_effect(weights, top):
    """The chosen phrases, and all those stronger than the weakest of them, weigh any text alike."""
    found = [Suggestion(phrase, weight, (), float(z)) for phrase, (weight, z, _) in weights.items() if z]
    found.sort(key=lambda suggestion: (-abs(suggestion.z), suggestion.phrase))
    texts = [" ".join(s.phrase) if weights[s.phrase][2] else None for s in found]
    chosen, written = strongest(found, texts, top)
    for sign in (1, -1):
        side = [s for s in chosen if sign * s.z > 0]
        assert side == sorted(side, key=lambda s: (-abs(s.z), s.phrase)) and len(side) <= top
        if len(side) == top:
            found = [s for s in found if sign * s.z <= 0 or found.index(s) <= found.index(side[-1])]
    fewer = {text: s.weight for s, text in zip(chosen, written, strict=True) if text is not None}
    more = fewer | {" ".join(s.phrase): s.weight for s in found if weights[s.phrase][2]}
    assert not any(part != text and f" {part} " in f" {text} " and fewer[part] >= weight
                   for text, weight in fewer.items() for part in fewer)  # fmt: skip
    texts = {"predictions": list(more) or ["x"], "references": list(more) or ["x"]}
    rows = [
        load("weighted_bleu").statistics(**texts, weights=table, tokenizer="whitespace", max_order=7)
        for table in (fewer, more)
    ]
    np.testing.assert_allclose(*rows, atol=1e-12)


# --- inverse document frequency ---


def test_idf_by_hand():
    """Of four texts 있다 stands in all, 고양이가 in two (in one of them twice), 개가 in one."""
    texts = ["고양이가 고양이가 있다", "고양이가 있다", "개가 있다", "있다"]
    documents = [[text.split()] for text in texts]
    found = suggest_idf(documents, max_tokens=2, min_count=1, top=None)
    assert [(" ".join(s.phrase), s.weight, s.counts) for s in found] == [
        ("있다", 0.0, (4,)),
        ("고양이가", 0.5, (2,)),
        ("고양이가 있다", 0.5, (2,)),
        ("개가", 1.0, (1,)),
        ("개가 있다", 1.0, (1,)),
        ("고양이가 고양이가", 1.0, (1,)),
    ]
    assert [s.phrase for s in suggest_idf(documents, max_tokens=1, min_count=2, top=None)] == [("있다",), ("고양이가",)]
    assert len(suggest_idf(documents, max_tokens=2, min_count=1, top=3)) == 3


def test_a_document_may_hold_several_texts():
    found = suggest_idf([[["a"], ["a", "b"]], [["b"]]], max_tokens=1, min_count=1, top=None)
    assert [(s.phrase, s.counts) for s in found] == [(("b",), (2,)), (("a",), (1,))]


@given(st.lists(st.tuples(TOKENS, TOKENS.filter(len)), min_size=2, max_size=5))
def test_weighted_bleu_with_idf_is_a_precision_of_idf(corpus):
    """BLEU of order 1 whose words weigh log(documents / frequency): the same ratio, whatever the scale."""
    n = len(corpus)
    frequencies = Counter(word for _, reference in corpus for word in set(reference))
    found = suggest_idf([[reference] for _, reference in corpus], max_tokens=1, min_count=1, top=None)
    weights = {s.phrase[0]: 1 - math.log(s.counts[0]) / math.log(n) for s in found}
    texts = {"predictions": [" ".join(row[0]) for row in corpus], "references": [" ".join(row[1]) for row in corpus]}
    rows = load("weighted_bleu").statistics(**texts, weights=weights, max_order=1)
    for row, (prediction, reference) in zip(rows, corpus, strict=True):
        ours, theirs = Counter(prediction), Counter(reference)
        sums = [
            sum(c * math.log(n / max(1, frequencies[w])) for w, c in counts.items()) for counts in (ours & theirs, ours)
        ]
        np.testing.assert_allclose(row[4:] * math.log(n), sums, atol=1e-9)
    assert all(s.weight == round(weights[s.phrase[0]], 3) for s in found)


# --- phrases ---


@given(lists=st.lists(st.lists(st.sampled_from("ab"), max_size=6), max_size=4), order=st.integers(1, 4))
def test_phrases_are_counted(lists, order):
    slow = Counter(tuple(tokens[i : i + order]) for tokens in lists for i in range(len(tokens) - order + 1))
    assert count_phrases(lists, order) == slow


def test_phrases_as_texts():
    """Each text gives the tokens again; what would not is None."""
    assert phrase_texts([("가", "나"), (".",)], "char", False) == ["가나", "."]
    assert phrase_texts([("\u1100", "\u1161"), ("\u1161",)], "jamo", False) == ["\u1100\u1161", "\u1161"]
    assert phrase_texts([("the", "cat"), ("3", "-"), ("3.5",)], "13a", False) == ["the cat", "3 -", "3.5"]
    assert phrase_texts([("a", "."), ("A",)], "unicode", False) == [None, "A"]
    assert phrase_texts([("A",)], "whitespace", True) == [None]


@pytest.mark.parametrize("tokenizer", ["13a", "whitespace", "char", "unicode", "jamo", "mecab", "kiwi", "content"])
def test_file_goes_through_weighted_bleu(tokenizer, pairs, tmp_path):
    """Every tokenizer of the suite: the file is read, no phrase is unknown to the persona's and the plain texts."""
    if tokenizer in ("mecab", "kiwi", "content"):
        module = "mecab_ko" if tokenizer == "mecab" else "kiwipiepy"
        pytest.importorskip(module, reason="pip install -r requirements-korean.txt")
    path = tmp_path / "king.tsv"
    result = run(*pairs, "-t", tokenizer, "-o", path, "--min-z", 0.5)
    assert result.exit_code == 0, result.output
    options = {"weights": str(path), "tokenizer": tokenizer, "negative": "penalty"}
    metric = load("weighted_bleu")
    texts = {"predictions": PERSONA + PLAIN, "references": PERSONA + PERSONA}
    assert metric.compute(**texts, **options, max_order=3)["unused_keys"] == []
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "phrase\tweight"
    assert len(lines) >= 4
    assert f"{path}: {len(lines) - 2} phrases" in result.output
    assert f"table({len(lines) - 2}," in metric.signature(**options)
    table = {phrase: float(weight) for phrase, weight in (line.split("\t") for line in lines[1:-1])}
    assert metric.compute(**texts, **options) == metric.compute(**texts, **{**options, "weights": table})
    assert max(table.values()) > 1 > min(table.values())


def test_table_to_review(pairs, tmp_path):
    path = tmp_path / "w.tsv"
    options = ["-t", "char", "--show", 1, "--min-z", 1.5]
    result = run(*pairs, *options, "-o", path)
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.split("\n")[:8]] == [
        ["marks", "the", "persona", "weight", "persona", "plain", "z"],
        ["─" * 46],
        ["소", "1.53", "6", "0", "1.8"],
        ["...", "and", "2", "more"],
        [],
        ["breaks", "the", "persona", "weight", "persona", "plain", "z"],
        ["─" * 48],
        ["요", "-0.57", "0", "12", "-2.4"],
    ]
    assert "negative=penalty" in result.stdout
    again = run(*pairs, *options, "-o", tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_bytes() == path.read_bytes()
    assert again.stdout.replace("again.tsv", "w.tsv") == result.stdout


def test_phrases_that_a_tokenizer_splits_are_counted(capsys, tmp_path):
    found = [Suggestion(("a",), 1.5, (3, 1), 2.0), Suggestion(("b",), 1.2, (3, 1), 2.0)]
    assert review.weights_text(found, ["a", None]) == "phrase\tweight\na\t1.5\n"
    review.print_persona(found, ["a", None], 9, tmp_path / "x.tsv")
    output = capsys.readouterr().out
    assert "x.tsv: 1 phrases" in output
    assert "1 phrases are left out: alone, the tokenizer splits them otherwise." in output
    assert "negative" not in output


def test_tables_and_lines_agree(pairs, tmp_path):
    rows = [{"plain": a, "king": b} for a, b in zip(PLAIN, PERSONA, strict=True)]
    table = write_jsonl(tmp_path / "pairs.jsonl", *rows)
    first, second = tmp_path / "a.tsv", tmp_path / "b.tsv"
    more = ["-t", "char", "--min-z", 1]
    assert run(*pairs, *more, "-o", first).exit_code == 0
    columns = ["--plain-column", "plain", "--persona-column", "king"]
    assert run("persona", "-d", table, *columns, *more, "-o", second).exit_code == 0
    assert first.read_bytes() == second.read_bytes()
    # utterances and rows are matched by their ids
    rows = [{"id": row, "text": text} for row, text in enumerate(PERSONA)]
    king = write_jsonl(tmp_path / "king.jsonl", *rows[::-1])
    plain = write(tmp_path / "plain.trn", *(f"{text} ({row})" for row, text in enumerate(PLAIN)))
    assert run("persona", "--plain", plain, "--persona", king, *more, "-o", second).exit_code == 0
    assert first.read_bytes() == second.read_bytes()
    # the other way round the signs turn
    turned = ["--plain-column", "king", "--persona-column", "plain"]
    assert run("persona", "-d", table, *turned, *more, "-o", second).exit_code == 0
    weights = dict(line.split("\t") for line in second.read_text("utf-8").splitlines()[1:])
    assert float(weights["요"]) > 1.5
    assert float(weights["소"]) < 0


def test_idf_file(tmp_path):
    path, output = write(tmp_path / "texts.txt", "고양이가 있다", "개가 있다", "있다"), tmp_path / "idf.tsv"
    result = run("idf", "--texts", path, "-o", output, "-t", "whitespace")
    assert result.exit_code == 0, result.output
    assert output.read_text("utf-8") == "phrase\tweight\n있다\t0\n개가\t1\n고양이가\t1\n"
    assert "of 3 texts" in result.stdout
    assert run("idf", "--texts", path, "-o", "-", "-t", "whitespace").stdout == output.read_text("utf-8")
    table = write_jsonl(tmp_path / "t.jsonl", {"r": ["고양이가 있다", "있다 있다"]}, {"r": "개가 있다"}, {"r": "있다"})
    assert run("idf", "-d", table, "--column", "r", "-o", "-", "-t", "whitespace").stdout == output.read_text("utf-8")


def test_lowercase(tmp_path):
    path = write(tmp_path / "texts.txt", "The cat", "the dog")
    assert "the\t0\n" in run("idf", "--texts", path, "-o", "-", "--lowercase").stdout
    assert "the\t1\n" in run("idf", "--texts", path, "-o", "-").stdout


def test_frequencies_are_what_rouge_counts(tmp_path):
    references = ["고양이가 있다", "개가 있다", "있다"]
    path, output = write(tmp_path / "texts.txt", *references), tmp_path / "f.json"
    result = run("frequencies", "--texts", path, "-t", "char", "-o", output)
    assert result.exit_code == 0, result.output
    texts = {"predictions": ["고양이가 없다", "개가", ""], "references": references}
    options = {"tokenizer": "char", "rouge_types": ["rouge1", "rouge2"]}
    rouge = load("rouge")
    assert rouge.compute(**texts, **options, idf=output) == rouge.compute(**texts, **options, idf="references")
    table = json.loads(output.read_text("utf-8"))
    assert table[" tok:char|case:lc|norm:NFC"] == 3
    assert result.stdout == f"{output}: {len(table) - 2} n-grams of 3 texts\n"
    assert json.loads(run("frequencies", "--texts", path, "-t", "char", "-o", "-").stdout) == table


BAD = [
    (["persona", "-o", "{w}"], "there are no texts; pass --persona and --plain, or --data with --persona-column and"),
    (["persona", "--plain", "{a}", "-o", "{w}"], "there are no texts; pass --persona and --plain"),
    (["persona", "--plain", "{a}", "--persona", "{b}", "-o", "{w}"], "{b} has 1 lines and {a} 2; line 1"),
    (["persona", "--plain", "{a}", "--persona", "{t}", "-d", "{t}", "-o", "{w}"], "pass either --data or --persona"),
    (["persona", "-d", "{t}", "--plain-column", "p", "-o", "{w}"], "needs --persona-column and --plain-column"),
    (["persona", "--plain-column", "p", "-o", "{w}"], "--plain-column and --split need --data FILE"),
    (["persona", "-d", "{t}", "--plain-column", "p", "--persona-column", "k", "-o", "{w}"],
     "{t}, line 2: column k is None; pass a string"),
    (["persona", "-d", "{t}", "--plain-column", "p", "--persona-column", "x", "-o", "{w}"],
     "{t}, line 1: there is no column 'x'; it has p, k"),
    (["persona", "--plain", "{a}", "--persona", "{bad}", "-o", "{w}"], "{bad}, line 2: byte 0xff is not UTF-8"),
    (["persona", "--plain", "{a}", "--persona", "{a}", "-t", "bpe", "-o", "{w}"], "tokenizer is 'bpe'; pass one"),
    (["idf", "--texts", "{b}", "-o", "{w}"], "{b} has one text, so every phrase would weigh 0"),
    (["idf", "--texts", "{none}", "-o", "{w}"], "{none}: No such file or directory"),
    (["idf", "--texts", "{empty}", "-o", "{w}"], "{empty}: nothing to score: it has no line"),
    (["idf", "--column", "p", "-o", "{w}"], "--column and --split need --data FILE"),
    (["idf", "-d", "{t}", "-o", "{w}"], "--data {t} needs --column"),
    (["idf", "--texts", "{a}", "-o", "{none}/w.tsv"], "there is no folder {none}"),
    (["idf", "--texts", "{a}", "-o", "{w}", "-t", "rouge_score"], "tokenizer is 'rouge_score'; pass one of 13a"),
    (["frequencies", "--texts", "{a}", "-o", "{w}", "-t", "bpe"], "tokenizer is 'bpe'; pass one of"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input(arguments, message, tmp_path):
    names = {name: tmp_path / name for name in ("a", "b", "t.jsonl", "bad", "none", "empty", "w.tsv")}
    places = {"t": names["t.jsonl"], "w": names["w.tsv"], **names}
    write(names["a"], "하나", "둘")
    write(names["b"], "하나")
    write_jsonl(names["t.jsonl"], {"p": "하나", "k": "둘"}, {"p": "하나", "k": None})
    names["bad"].write_bytes(b"a\n\xff\n")
    names["empty"].touch()
    result = run(*(argument.format(**places) for argument in arguments))
    assert result.exit_code == 2
    assert message.format(**places) in result.stderr
    assert not names["w.tsv"].exists()


def test_script_runs_from_anywhere(tmp_path):
    """In a process of its own, with nothing on the path."""
    path = write(tmp_path / "texts.txt", "고양이가 있다", "있다")
    command = [sys.executable, ROOT / "scripts/suggest_weights.py", "idf", "--texts", path, "-o", "-"]
    result = subprocess.run(command, capture_output=True, cwd=tmp_path)
    assert result.returncode == 0, result.stderr.decode()
    assert result.stdout.decode() == "phrase\tweight\n있다\t0\n고양이가\t1\n"
    assert not result.stderr
