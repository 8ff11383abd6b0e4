"""ROUGE: worked examples of the documents, slow versions of the paper's definitions, edges."""

import itertools
import math
import sys
import unicodedata
from collections import Counter

import numpy as np
import pytest
from conftest import UNLABELLED, load, only_ngrams
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer, scoring
from texts import columns

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

# few words, so that there are matches and ties; words for the stemmer, and punctuation
WORDS = st.sampled_from(
    ["a", "b", "C", "running", "runs", "flies", "dying", "Generously", "x-1", "its", "it", "_", "42"]
)
LINE = st.lists(WORDS, max_size=9).map(" ".join)
TEXT = st.lists(LINE, min_size=1, max_size=4).map("\n".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=4)), min_size=1, max_size=4)

TOKENS = st.lists(st.sampled_from("가나다라"), max_size=9)
TOKEN_CORPUS = st.lists(st.tuples(TOKENS, st.lists(TOKENS, min_size=1, max_size=4)), min_size=1, max_size=4)


def joined(corpus):
    """Tokens to texts."""
    return columns([(" ".join(prediction), [" ".join(text) for text in texts]) for prediction, texts in corpus])


def segments(name, result):
    """Precision, recall and F of each segment."""
    return np.column_stack([result[f"{name}{part}_segments"] for part in ("_precision", "_recall", "")])


def detailed(texts, **options):
    return load("rouge").compute(**texts, detailed=True, per_segment=True, **options)


def test_longer_lcs_is_not_the_better_reference():
    """Document 001, line 49 takes the reference with the longer LCS: 3 of 12 words here, F 0.375, against 2 of 2."""
    texts = {"prediction": "a b c d", "reference": ["a b c" + " x" * 9, "a b"]}
    explained = load("rouge").explain(**texts)
    assert explained["best_references"]["rougeL"] == 1
    assert explained["lcs"] == [[0, 0], [1, 1]]
    assert load("rouge").compute(predictions=["a b c d"], references=[texts["reference"][:1]])["rougeL"] == 0.375


def test_rouge_precision_is_not_bleu_without_penalty():
    """Document 003: BLEU clips at the most in any reference, ROUGE at one reference."""
    texts = {"predictions": ["가 가 가 나 나 다"], "references": [["가 나 나 라", "가 가 다 다"]]}
    assert load("bleu").compute(**texts, max_order=1)["precisions"] == [5 / 6]
    assert load("rouge").compute(**texts, detailed=True)["rouge1_precision"] == 1 / 2


def peer_segments(corpus, **options):
    """What rouge_score gives for each segment with one reference."""
    scorer = rouge_scorer.RougeScorer(TYPES, **options)
    return [scorer.score(references[0], prediction) for prediction, references in corpus]


def test_ties_matter():
    """Of "a b" and "b a" the LCS may be either word; uniting them differently gives other scores."""
    texts = {"predictions": ["b a\nc b"], "references": ["a b\nb c"]}
    assert load("rouge").compute(**texts)["rougeLsum"] == peer_segments([("b a\nc b", ["a b\nb c"])])[0]["rougeLsum"][2]


@given(corpus=CORPUS, use_stemmer=st.booleans())
def test_equals_score_multi(corpus, use_stemmer):
    """The best reference; where two have the same F, rouge_score chooses by what rounding left."""
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=use_stemmer)
    result = detailed(columns(corpus), use_stemmer=use_stemmer)
    for name in TYPES:
        for (prediction, references), ours in zip(corpus, segments(name, result).tolist(), strict=True):
            alone = [scorer.score(reference, prediction)[name] for reference in references]
            assert ours[2] == pytest.approx(scorer.score_multi(references, prediction)[name].fmeasure, abs=1e-12)
            first = next(peer for peer in alone if peer.fmeasure > max(p.fmeasure for p in alone) - 1e-9)
            assert ours == pytest.approx(list(first), abs=1e-12)


def test_no_bootstrap():
    """Hugging Face returns the median of random resamples' means; this is the mean."""
    texts = {"predictions": ["a b c", "a", "b d", "c"], "references": ["a b", "a", "d e f", "b"]}
    expected = peer_segments(list(zip(texts["predictions"], ([text] for text in texts["references"]), strict=True)))
    medians = set()
    for seed in range(5):
        np.random.seed(seed)
        aggregator = scoring.BootstrapAggregator(n_samples=50)
        for peer in expected:
            aggregator.add_scores(peer)
        medians.add(aggregator.aggregate()["rouge1"].mid.fmeasure)
    assert len(medians) > 1
    mean = np.mean([peer["rouge1"].fmeasure for peer in expected])
    assert load("rouge").compute(**texts)["rouge1"] == pytest.approx(mean, abs=1e-15)


# --- slow versions, from the paper ---


def slow_ngrams(tokens, order):
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def slow_skip_bigrams(tokens, gap, unigrams):
    counts = Counter(
        (tokens[i], tokens[j]) for i, j in itertools.combinations(range(len(tokens)), 2) if j - i - 1 <= gap
    )
    return counts + Counter((token,) for token in tokens) if unigrams else counts


def slow_weighted_lcs(prediction, reference, exponent):
    """The procedure of section 4, cell by cell."""
    c = [[0.0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    w = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, x in enumerate(reference, start=1):
        for j, y in enumerate(prediction, start=1):
            if x == y:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** exponent - k**exponent
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1]


SLOW_TYPES = {
    "rouge1": lambda tokens: slow_ngrams(tokens, 1),
    "rouge3": lambda tokens: slow_ngrams(tokens, 3),
    "rougeS*": lambda tokens: slow_skip_bigrams(tokens, math.inf, False),
    "rougeS0": lambda tokens: slow_skip_bigrams(tokens, 0, False),
    "rougeS2": lambda tokens: slow_skip_bigrams(tokens, 2, False),
    "rougeSU*": lambda tokens: slow_skip_bigrams(tokens, math.inf, True),
    "rougeSU2": lambda tokens: slow_skip_bigrams(tokens, 2, True),
}


def slow_counts(name, prediction, reference, exponent):
    """Matches, units of the prediction, units of the reference."""
    if name == "rougeW":
        lengths = len(prediction) ** exponent, len(reference) ** exponent
        return slow_weighted_lcs(prediction, reference, exponent), *lengths
    ours, theirs = SLOW_TYPES[name](prediction), SLOW_TYPES[name](reference)
    return (ours & theirs).total(), ours.total(), theirs.total()


def slow_scores(counts, beta, root):
    matches, *totals = counts
    precision, recall = ((matches / total) ** (1 / root) if total else 0.0 for total in totals)
    bottom = recall + beta**2 * precision
    return precision, recall, (1 + beta**2) * precision * recall / bottom if bottom else 0.0


def slow_best(scores):
    return next(score for score in scores if score[2] > max(s[2] for s in scores) - 1e-9)


def slow_segment(counts, beta, multi_ref, root):
    if multi_ref == "average":
        return slow_scores([sum(column) for column in zip(*counts, strict=True)], beta, root)
    scores = [slow_scores(row, beta, root) for row in counts]
    if multi_ref == "best" or len(scores) == 1:
        return slow_best(scores)
    subsets = [scores[:left] + scores[left + 1 :] for left in range(len(scores))]
    return tuple(np.mean([slow_best(subset) for subset in subsets], axis=0))


@given(corpus=TOKEN_CORPUS, beta=st.sampled_from([0.0, 0.5, 1, 1.2, 8.0]), exponent=st.sampled_from([1, 1.2, 2.0]),
       multi_ref=st.sampled_from(["best", "average", "jackknife"]))  # fmt: skip
def test_equals_slow_version(corpus, beta, exponent, multi_ref):
    names = [*SLOW_TYPES, "rougeW"]
    options = {"rouge_types": names, "beta": beta, "multi_ref": multi_ref, "w_exponent": exponent}
    result = detailed(joined(corpus), **options)
    for name in names:
        root = exponent if name == "rougeW" else 1
        expected = [
            slow_segment([slow_counts(name, row[0], text, exponent) for text in row[1]], beta, multi_ref, root)
            for row in corpus
        ]
        np.testing.assert_allclose(segments(name, result), expected, rtol=0, atol=1e-9, err_msg=name)
        assert result[name] == pytest.approx(np.mean(expected, axis=0)[2], abs=1e-9)


@given(corpus=TOKEN_CORPUS)
def test_identities_between_types(corpus):
    names = ["rouge2", "rougeS0", "rougeL", "rougeW", "rougeS*", "rougeS7"]
    options = {"rouge_types": names, "w_exponent": 1.0, "multi_ref": "average"}
    result = detailed(joined(corpus), **options)
    for same in (("rouge2", "rougeS0"), ("rougeL", "rougeW"), ("rougeS*", "rougeS7")):
        np.testing.assert_allclose(*(segments(name, result) for name in same), rtol=0, atol=1e-12)


def test_long_texts_are_cut_into_blocks(monkeypatch):
    """The tables of skip-bigrams and weighted LCS are computed in parts, whose size changes nothing."""
    counting = sys.modules[type(load("rouge")).__module__].count_types.__globals__
    words = [f"w{number}" for number in range(30)]
    rng = np.random.default_rng(1)
    texts = {
        side: [" ".join(rng.choice(words, size=size)) for size in (0, 1, 12, 40, 41, 7)]
        for side in ("predictions", "references")
    }
    types = ["rougeS*", "rougeSU3", "rougeW"]
    whole = load("rouge").statistics(**texts, rouge_types=types)
    for name, limit in (("skip_bigram_matches", "BLOCK_CELLS"), ("weighted_lcs", "BATCH_CELLS")):
        module = counting[name].__globals__
        assert module[limit] > 2**15
        monkeypatch.setitem(module, limit, 50)
    np.testing.assert_allclose(load("rouge").statistics(**texts, rouge_types=types), whole, rtol=1e-12)


# --- known values ---

KNOWN_TYPES = ["rouge2", "rougeL", "rougeLsum", "rougeS*", "rougeSU*", "rougeS2", "rougeS3", "rougeW"]
EXAMPLES = [  # of one segment
    ([prediction], [references], {"rouge_types": KNOWN_TYPES, "detailed": True, "w_exponent": 2}, expected)
    for prediction, references, expected in [
        # Lin 2004, section 3.1: S1 police killed the gunman; S2 and S3 have the same bigrams, S2 the longer LCS
        ("police kill the gunman", ["police killed the gunman"], {"rougeL": 3 / 4, "rouge2": 1 / 3}),
        ("the gunman kill police", ["police killed the gunman"], {"rougeL": 2 / 4, "rouge2": 1 / 3}),
        # section 5: 3 of 6 skip-bigrams, then 1, then 2 (the paper's S4)
        ("police kill the gunman", ["police killed the gunman"], {"rougeS*": 0.5}),
        ("the gunman kill police", ["police killed the gunman"], {"rougeS*": 1 / 6}),
        ("the gunman police killed", ["police killed the gunman"], {"rougeS*": 2 / 6}),
        # section 5.2: no skip-bigram of the reversed sentence matches, all its unigrams do: 4 of 6 + 4
        ("gunman the killed police", ["police killed the gunman"], {"rougeS*": 0.0, "rougeSU*": 4 / 10}),
        # section 4: with f(k) = k ** 2, Y1 has a run of 4 in 7 words, Y2 four single words
        ("A B C D H I K", ["A B C D E F G"], {"rougeL": 4 / 7, "rougeW": math.sqrt(16 / 49)}),
        ("A H B K C I D", ["A B C D E F G"], {"rougeL": 4 / 7, "rougeW": math.sqrt(4 / 49)}),
        # gaps: of a b c d e, a and e have three words between them
        ("a e", ["a b c d e"], {"rougeS2_recall": 0.0, "rougeS3_recall": 1 / 10, "rougeS2_precision": 0.0}),
        # section 3.2: reference w1 w2 w3 w4 w5, prediction w1 w2 w6 w7 w8 | w1 w3 w8 w9 w5: union w1 w2 w3 w5
        (
            "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5",
            ["w1 w2 w3 w4 w5"],
            {"rougeLsum_recall": 4 / 5, "rougeLsum_precision": 4 / 10},
        ),
        # clipped: "a" stands once in the prediction and in both sentences of the reference
        ("a b", ["a c\na d"], {"rougeLsum_recall": 1 / 4, "rougeLsum_precision": 1 / 2}),
    ]
]


@pytest.mark.parametrize("sizes", [(1500, 1501), (1501, 1500)])
def test_references_that_are_nearly_as_good(sizes):
    """Of 3,000 words one more decides."""
    words = [f"w{number}" for number in range(3000)]
    references = [" ".join(words[:size] + ["x"] * (3000 - size)) for size in sizes]
    result = load("rouge").compute(predictions=[" ".join(words)], references=[references], rouge_types=["rouge1"])
    assert result["rouge1"] == pytest.approx(1501 / 3000, abs=1e-9)


# --- scripts, sentences, stemmer ---


@pytest.mark.parametrize(
    "text",
    ["고양이가 방에서 잔다", "แมวนอนหลับ", "बिल्ली सो रही है", "القطة نائمة", "猫 が 寝る", "über Ärger", "２０２６년"],
)
def test_every_script_is_scored(text):
    texts = {"predictions": [text], "references": [text]}
    result = load("rouge").compute(**texts)
    assert (result["rouge1"], result["rougeL"], result["rougeLsum"]) == (1.0, 1.0, 1.0)
    if not any(character.isascii() and character.isalnum() for character in text.lower()):
        assert load("rouge").compute(**texts, tokenizer="rouge_score")["rouge1"] == 0.0


def test_legacy_score_of_korean_is_zero():
    texts = {"predictions": ["고양이가 방에서 잔다."], "references": ["고양이가 방에서 잔다."]}
    assert load("rouge").compute(**texts, tokenizer="rouge_score") == dict.fromkeys(TYPES, 0.0)
    assert peer_segments([(texts["predictions"][0], texts["references"])])[0]["rouge1"].fmeasure == 0.0


def test_case():
    texts = {"predictions": ["The Cat"], "references": ["the cat"]}
    assert load("rouge").compute(**texts)["rouge1"] == 1.0
    assert load("rouge").compute(**texts, lowercase=False)["rouge1"] == 0.0


def test_only_ascii_words_are_stemmed():
    texts = {"predictions": ["cafés running"], "references": ["café runs"]}
    assert load("rouge").compute(**texts, use_stemmer=True)["rouge1"] == 0.5
    upper = {"predictions": ["RUNNING Runs"], "references": ["runs Runs"]}
    assert load("rouge").compute(**upper, use_stemmer=True, lowercase=False)["rouge1"] == 0.5


def test_own_tokenizer_sees_texts_and_their_sentences():
    seen = []

    def tokenizer(text):
        seen.append(text)
        return text.split()

    texts = {"predictions": ["a b\nc"], "references": [["a", "c\nb"]]}
    expected = load("rouge").compute(**texts)
    assert load("rouge").compute(**texts, tokenizer=tokenizer) == expected
    assert sorted(seen) == sorted(["a b\nc", "a", "c\nb", "a b", "c", "a", "c", "b"])


def test_morphemes():
    pytest.importorskip("mecab_ko", reason="pip install -r requirements-korean.txt")
    texts = {"predictions": ["고양이가 방에서 잔다.\n개는 논다."], "references": ["고양이는 방에서 잤다.\n개가 논다."]}
    words = load("rouge").compute(**texts)
    assert load("rouge").compute(**texts, tokenizer="mecab")["rougeLsum"] > words["rougeLsum"]


SPLIT = [
    ("A b. C d! E?", ["A b.", "C d!", "E?"]),
    ("A b.  C\n\nd", ["A b.", "C", "d"]),
    ("이것은 1.5배다. 그렇다.", ["이것은 1.5배다.", "그렇다."]),
    ('He said "a b." Then c.', ['He said "a b."', "Then c."]),
    ("(그렇다?) 아니다… 왜", ["(그렇다?)", "아니다…", "왜"]),
    ("猫が寝る。犬も？はい", ["猫が寝る。", "犬も？", "はい"]),
    ("बिल्ली सोती है। कुत्ता भी", ["बिल्ली सोती है।", "कुत्ता भी"]),
    ("Dr. Kim", ["Dr.", "Kim"]),
    ("no.stop, here", None),
]


@pytest.mark.parametrize(("text", "sentences"), SPLIT)
def test_split_summaries(text, sentences):
    seen = []

    def tokenizer(part):
        seen.append(part)
        return part.split()

    options = {"tokenizer": tokenizer, "lowercase": False, "rouge_types": ["rougeLsum"]}
    load("rouge").compute(predictions=[text], references=["x"], **options, split_summaries=True)
    assert seen == [*([*sentences, "x"] if sentences else []), text, "x"]


def test_split_summaries_changes_the_score():
    """Sentences in another order: one LCS of the whole finds two words, that of each sentence all four."""
    texts = {"predictions": ["a b. c d."], "references": ["c d. a b."]}
    assert load("rouge").compute(**texts)["rougeLsum"] == 0.5
    assert load("rouge").compute(**texts, split_summaries=True)["rougeLsum"] == 1.0


def test_only_a_line_feed_ends_a_line():
    """Other line ends of Unicode do not: with them str.splitlines would give another ROUGE-Lsum."""
    texts = {"predictions": ["a\u2028b\x0bc\rd"], "references": ["d c b a"]}
    assert load("rouge").compute(**texts)["rougeLsum"] == 1 / 4


# --- results, edges, options ---


def test_without_aggregator():
    corpus = [("a b", ["a b"]), ("c", ["d"]), ("e f", ["e", "f g h"])]
    result = load("rouge").compute(**columns(corpus), use_aggregator=False)
    assert list(result) == TYPES
    assert result["rouge1"] == pytest.approx([1.0, 0.0, 2 / 3])
    result = load("rouge").compute(**columns(corpus), use_aggregator=False, detailed=True, rouge_types=["rouge1"])
    assert result["rouge1_precision"] == [1.0, 0.0, 0.5]
    assert list(result) == ["rouge1", "rouge1_precision", "rouge1_recall"]
    metric = load("rouge")
    metric.add_batch(**columns(corpus))
    assert metric.compute(use_aggregator=False)["rouge1"] == pytest.approx([1.0, 0.0, 2 / 3])


@pytest.mark.parametrize("multi_ref", ["best", "average", "jackknife"])
def test_no_rows(multi_ref):
    types = ["rouge1", "rougeLsum", "rougeW", "rougeS*", "rougeSU4"]
    options = {"rouge_types": types, "multi_ref": multi_ref, "use_stemmer": True}
    assert load("rouge").statistics(predictions=[], references=[], **options).shape == (0, 16)


def test_types_come_in_their_order():
    types = ["rougeSU4", "rouge10", "rougeLsum"]
    result = load("rouge").compute(predictions=["a"], references=["a"], rouge_types=tuple(types), confidence=0.5)
    kinds = ("confidence_interval", "standard_error")
    assert list(result) == [*types, *(f"{name}_{kind}" for name in types for kind in kinds), "units"]
    assert list(result.values())[:3] == [1.0, 0.0, 1.0]


EDGES = [  # of one segment
    ([prediction], [references], options, scores)
    for prediction, references, expected in [
        ("", [""], [0.0] * 4),
        ("가", [""], [0.0] * 4),
        ("", ["가"], [0.0] * 4),
        ("\n\n", ["가\n나"], [0.0] * 4),
        ("...", ["..."], [0.0] * 4),
        ("가", ["가"], [1.0, 0.0, 1.0, 1.0]),
        ("가\n", ["\n\n가"], [1.0, 0.0, 1.0, 1.0]),
        ("가 나", ["", "가 나"], [1.0] * 4),
        ("😀", ["😀"], [0.0] * 4),
    ]
    for options, scores in (
        ({}, dict(zip(TYPES, expected, strict=True))),
        ({"rouge_types": ["rougeW", "rougeS*", "rougeSU4"]}, {"rougeW": expected[2]}),
    )
]


def test_emoji_are_tokens_for_other_tokenizers():
    texts = {"predictions": ["😀 a"], "references": ["😀 b"]}
    assert load("rouge").compute(**texts, tokenizer="whitespace")["rouge1"] == 0.5


KINDS = "pass a list of rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS*, rougeS4, rougeSU*, rougeSU4"
BAD_CALLS = [
    ({"rouge_types": "rouge"}, f"rouge_types is 'rouge'; {KINDS}"),
    ({"rouge_types": []}, f"rouge_types is []; {KINDS}"),
    ({"rouge_types": ["rouge0"]}, f"rouge_types holds 'rouge0'; {KINDS}"),
    ({"rouge_types": ["rouge1", "rougeS"]}, f"rouge_types holds 'rougeS'; {KINDS}"),
    ({"rouge_types": ["rougeLSum"]}, "rouge_types holds 'rougeLSum'"),
    ({"rouge_types": [1]}, "rouge_types holds 1"),
    ({"rouge_types": ["rouge1", "rougeL", "rouge1"]}, "['rouge1', 'rougeL', 'rouge1']; name each type once"),
    ({"use_aggregator": False, "confidence": 0.9}, "use_aggregator=False returns segments only; leave out per_segment"),
    ({"use_aggregator": False, "per_segment": True}, "leave out per_segment and confidence"),
    ({"rouge_types": ["rouge1٣"]}, "rouge_types holds 'rouge1٣'; pass a list of"),
    ({"rouge_types": ["rougeS04"]}, "rouge_types holds 'rougeS04'; pass a list of"),
    ({"rouge_types": ["rougeS99999999999999999999"]}, "rouge_types holds 'rougeS99999999999999999999'; pass"),
    ({"w_exponent": 2}, "w_exponent is 2, but rouge_types has no rougeW; add it, or leave w_exponent out"),
    ({"split_summaries": True, "rouge_types": ["rougeL"]}, "split_summaries is True, but rouge_types has no rougeLsum"),
    (
        {"use_stemmer": True, "tokenizer": "char"},
        "use_stemmer is True, and the tokens of tokenizer='char' are not words",
    ),
    ({"use_stemmer": True, "tokenizer": "jamo"}, "the tokens of tokenizer='jamo' are not words; drop one"),
    *(
        ({"rouge_types": types, "idf": idf}, message)
        for types, idf, message in [
            (
                None,
                "references",
                "idf weighs n-grams, and not rougeL, rougeLsum; pass rouge_types such as ['rouge1', 'rouge2']",
            ),
            (["rouge1", "rougeSU4"], {"": 1, "a": 1}, "idf weighs n-grams, and not rougeSU4"),
            (
                ["rouge1"],
                {"": 0, "a": 0},
                'idf[""] is 0: it was counted on an empty corpus; pass counts of one with segments',
            ),
            (["rouge1"], "reference", "idf is 'reference', and there is no such file"),
            (["rouge1"], True, "idf is True; pass a dict n-gram -> count, or a file's path"),
        ]
    ),
]


def test_missing_stemmer_is_named(monkeypatch):
    module = sys.modules[type(load("rouge")).__module__]
    module.stemmer.cache_clear()
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(ImportError, match="use_stemmer=True needs a package: pip install nltk"):
        module.Rouge().compute(predictions=["a"], references=["a"], use_stemmer=True)


@given(corpus=TOKEN_CORPUS, order=st.integers(1, 4), beta=st.sampled_from([1.0, 3.0]))
def test_explanation_holds_the_matches_of_the_row(corpus, order, beta):
    texts = joined(corpus[:1])
    prediction, references = corpus[0]
    types = [*(f"rouge{n}" for n in range(1, order + 1)), "rougeL"]
    options = {"rouge_types": types, "beta": beta}
    explained = load("rouge").explain(prediction=texts["predictions"][0], reference=texts["references"][0], **options)
    assert explained["prediction"] == prediction
    assert explained["references"] == references
    row = load("rouge").statistics(**texts, **options)[0]
    found = [*map(len, explained["matches"]), len(explained["lcs"])]
    for index, (name, matched) in enumerate(zip(types, found, strict=True)):
        units = len(prediction) if name == "rougeL" else max(len(prediction) - index, 0)
        assert matched == pytest.approx(row[3 * index] * units)
    best = references[explained["best_references"]["rougeL"]]
    assert [prediction[i] for i, _ in explained["lcs"]] == [best[j] for _, j in explained["lcs"]]
    assert explained["lcs"] == sorted(explained["lcs"])


# --- inverse document frequency ---


def slow_frequencies(references, orders):
    table = Counter({"": len(references)})
    for texts in references:
        table.update({" ".join(ngram) for order in orders for text in texts for ngram in slow_ngrams(text, order)})
    return dict(table)


def frequencies(references, rouge_types=("rouge1", "rouge2"), **options):
    """The counts; whether scores take the table as it comes, tests of all metrics see."""
    options = {"idf": "references", "rouge_types": rouge_types, **options}
    return only_ngrams(load("rouge").corpus_counts(references=references, **options))


def slow_idf_counts(order, prediction, reference, table):
    """Matches, units of the prediction and of the reference, each n-gram with its weight."""
    ours, theirs = slow_ngrams(prediction, order), slow_ngrams(reference, order)
    return [
        sum(count * math.log(table[""] / max(1, table.get(" ".join(ngram), 0))) for ngram, count in ngrams.items())
        for ngrams in (ours & theirs, ours, theirs)
    ]


def assert_equals_slow_idf(corpus, table, multi_ref, **options):
    result = detailed(joined(corpus), multi_ref=multi_ref, rouge_types=["rouge1", "rouge3"], **options)
    for order in (1, 3):
        expected = [
            slow_segment([slow_idf_counts(order, row[0], text, table) for text in row[1]], 1, multi_ref, 1)
            for row in corpus
        ]
        np.testing.assert_allclose(segments(f"rouge{order}", result), expected, rtol=0, atol=1e-9)


MULTI_REF = st.sampled_from(["best", "average", "jackknife"])


@given(corpus=TOKEN_CORPUS.filter(lambda corpus: len(corpus) > 1), multi_ref=MULTI_REF)
def test_idf_of_the_references_equals_slow_version(corpus, multi_ref):
    table = slow_frequencies([row[1] for row in corpus], (1, 2, 3))
    found = frequencies(references=joined(corpus)["references"], rouge_types=["rouge3"])
    assert found == table
    assert_equals_slow_idf(corpus, table, multi_ref, idf="references")


NGRAM_3 = st.lists(st.sampled_from("가나다마바"), min_size=3, max_size=3).map(" ".join)


@UNLABELLED
@given(corpus=TOKEN_CORPUS, multi_ref=MULTI_REF, total=st.integers(3, 900),
       ngrams=st.sets(NGRAM_3, min_size=1), data=st.data())  # fmt: skip
def test_idf_of_a_table_equals_slow_version(corpus, multi_ref, total, ngrams, data):
    """Any n-grams in any order, of which the texts know some; none more frequent than what it begins with."""
    table = {"": total}
    for order in (1, 2, 3):
        for ngram in sorted({" ".join(ngram.split()[:order]) for ngram in ngrams}):
            table[ngram] = data.draw(st.integers(0, table[ngram.rpartition(" ")[0]]))
    table = {key: table[key] for key in data.draw(st.permutations(list(table)))}
    assert_equals_slow_idf(corpus, table, multi_ref, idf=table)


@UNLABELLED
def test_idf_by_hand():
    """Four segments; 고양이가 stands in two of them, 있다 in all, 잠을 and 자고 in one, the rest in none."""
    references = ["고양이가 잠을 자고 있다", "고양이가 있다", "개가 있다", "있다 있다"]
    texts = {"predictions": ["고양이가 밥을 먹고 있다", "", "", ""], "references": references}
    options = {"rouge_types": ["rouge1"], "detailed": True, "per_segment": True}
    result = load("rouge").compute(**texts, **options, idf="references")
    once, twice = math.log(4), math.log(2)
    assert result["rouge1_precision_segments"][0] == pytest.approx(twice / (twice + 2 * once))
    assert result["rouge1_recall_segments"][0] == pytest.approx(twice / (twice + 2 * once))
    table = frequencies(references=references, rouge_types=["rouge1"])
    assert table == {"": 4, "고양이가": 2, "잠을": 1, "자고": 1, "있다": 4, "개가": 1}
    alone = {key: column[:1] for key, column in texts.items()}
    assert load("rouge").compute(**alone, **options, idf=table)["rouge1"] == result["rouge1_segments"][0]
    assert load("rouge").compute(**texts, **options)["rouge1_segments"][0] == 2 / 4


@UNLABELLED
def test_idf_is_fixed_before_the_chunks():
    """More rows than a chunk; and tables of parts add up to that of the whole."""
    texts = {"predictions": ["a b c", "b d", "e"] * 700, "references": ["a c", ["b", "b d d"], "e e"] * 700}
    metric, options = load("rouge"), {"rouge_types": ["rouge1", "rouge2"]}
    whole = metric.compute(**texts, **options, idf="references")
    parts = [frequencies(references=texts["references"][rows]) for rows in (slice(1000), slice(1000, None))]
    table = dict(Counter(parts[0]) + Counter(parts[1]))
    assert table == frequencies(references=texts["references"])
    assert table == {
        "": 2100,
        "a": 700,
        "b": 700,
        "c": 700,
        "d": 700,
        "e": 700,
        "a c": 700,
        "b d": 700,
        "d d": 700,
        "e e": 700,
    }
    assert metric.compute(**texts, **options, idf=table) == whole
    metric.add_batch(**texts)
    assert metric.compute(**options, idf="references") == whole


@UNLABELLED
def test_equal_frequencies_change_nothing():
    texts = {"predictions": ["a b c a", "the cat"], "references": [["a b a", "c"], "a cat the"]}
    table = {"": 9, **dict.fromkeys(["a", "b", "c", "the", "cat", "a b", "b a"], 1)}
    options = {"rouge_types": ["rouge1", "rouge2"], "detailed": True}
    weighed = load("rouge").compute(**texts, **options, idf=table)
    assert weighed == pytest.approx(load("rouge").compute(**texts, **options), abs=1e-12)


@UNLABELLED
def test_no_ratio_above_one():
    """The sums of matches and of units are rounded differently."""
    words = [f"w{number}" for number in range(60)]
    table = {"": 997, **{word: 1 + 16 * index for index, word in enumerate(words)}}
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(words, size=50)) for _ in range(200)]
    result = detailed({"predictions": texts, "references": texts}, rouge_types=["rouge1"], idf=table)
    assert segments("rouge1", result).max() <= 1.0
    np.testing.assert_allclose(segments("rouge1", result), 1.0, rtol=1e-12)


def test_what_stands_everywhere_weighs_nothing():
    texts = {"predictions": ["a", "a b"], "references": ["a", "a b"]}
    result = load("rouge").compute(**texts, rouge_types=["rouge1"], idf="references", per_segment=True)
    assert result["rouge1_segments"] == [0.0, 1.0]


def test_idf_needs_several_segments():
    texts = {"predictions": ["a"], "references": ["a"], "rouge_types": ["rouge1"], "idf": "references"}
    with pytest.raises(ValueError, match="idf='references' needs more than one segment"):
        load("rouge").compute(**texts)
    assert load("rouge").statistics(**{**texts, "predictions": [], "references": []}).shape == (0, 4)
    assert frequencies(references=[]) == {"": 0}


@UNLABELLED
def test_idf_of_references_that_are_too_short():
    """No reference has two words: a table says the same as the references themselves, and what it lacks counts once."""
    texts = {"predictions": ["a b", "c", "c d"], "references": ["a", "c", "c"]}
    options = {"rouge_types": ["rouge1", "rouge2"], "detailed": True, "per_segment": True}
    expected = load("rouge").compute(**texts, **options, idf="references")
    table = frequencies(references=texts["references"])
    assert table == {"": 3, "a": 1, "c": 2}
    assert load("rouge").compute(**texts, **options, idf=table) == expected
    compiled = load("rouge").compile_options(**options, idf=table)
    assert load("rouge").compute(**texts, **compiled) == expected


def test_idf_sees_what_the_metric_sees():
    """Stems, case and Unicode form as the options say; a table counts whole references, however many lines."""
    table = frequencies(references=["Running\nruns", unicodedata.normalize("NFD", "고양이")],
                                               use_stemmer=True, rouge_types=["rouge2"])  # fmt: skip
    assert table == {"": 2, "run": 1, "고양이": 1, "run run": 1}
    assert "Runs" in frequencies(references=["Runs"], lowercase=False)
    assert frequencies(references=["한글"], tokenizer="char") == {
        "": 1,
        "한": 1,
        "글": 1,
        "한 글": 1,
    }


@UNLABELLED
def test_numpy_numbers_in_a_table():
    options = {"predictions": ["a b"], "references": ["a c"], "rouge_types": ["rouge1"]}
    numpy = {"": np.int64(4), "a": np.int32(2)}
    assert load("rouge").compute(**options, idf=numpy) == load("rouge").compute(**options, idf={"": 4, "a": 2})


@UNLABELLED
def test_explanation_with_idf():
    """Of two references with one of three words each, the rare word decides."""
    texts = {"prediction": "the cat x", "reference": ["the y z", "cat y z"]}
    assert load("rouge").explain(**texts, rouge_types=["rouge1"])["best_references"]["rouge1"] == 0
    explained = load("rouge").explain(**texts, rouge_types=["rouge1"], idf={"": 9, "the": 8})
    assert explained["best_references"] == {"rouge1": 1, "rougeL": 0}
    assert explained["matches"] == [[1]]


@UNLABELLED
def test_an_unknown_token_is_in_no_ngram_of_the_table():
    """Only "a b" is common; "b x" must not be taken for it, nor "a x"."""
    options = {"rouge_types": ["rouge2"], "idf": {"": 9, "a": 9, "b": 9, "a b": 9}, "per_segment": True}
    texts = {"predictions": ["a b", "b x", "a x", "x b"], "references": ["a b", "b x", "a x", "x b"]}
    assert load("rouge").compute(**texts, **options)["rouge2_segments"] == [0.0, 1.0, 1.0, 1.0]
