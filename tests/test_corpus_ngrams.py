"""Counts of a whole corpus: against counters, in blocks, as tables of the user's, from files; bad tables."""

import json
import re
from collections import Counter
from functools import partial
from unittest import mock

import numpy as np
import oracles
import pytest
from conftest import UNLABELLED, load, only_ngrams
from hypothesis import given
from hypothesis import strategies as st

from textgauge.ngrams import corpus, count_tables
from textgauge.tokens import corpus_tokens
from textgauge.tokens.tokenizers import encode

pytestmark = pytest.mark.usefixtures("each_way")

TEXT = st.lists(st.sampled_from("가나다라"), max_size=8).map(" ".join)
ROWS = st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=6)


def counted(rows, order, per_segment):
    """The counts that occur twice, by counters."""
    grams = [
        [gram for text in row for n in range(1, order + 1) for gram in oracles.ngrams(text.split(), n)] for row in rows
    ]
    counter = Counter(gram for row in grams for gram in (set(row) if per_segment else row))
    return {" ".join(gram): count for gram, count in counter.items() if count >= 2}


@given(rows=ROWS, order=st.integers(1, 5), per_segment=st.booleans(), block=st.integers(1, 9), part=st.integers(1, 3))
def test_counts_do_not_depend_on_blocks(rows, order, per_segment, block, part):
    texts = [text for row in rows for text in row]
    with mock.patch.object(corpus, "BLOCK", block), mock.patch.object(corpus_tokens, "CORPUS_PART", part):
        tokens = corpus_tokens.encode_corpus(texts, partial(encode, tokenizer="whitespace"))
        documents = np.repeat(np.arange(len(rows)), [len(row) for row in rows]) if per_segment else None
        table = corpus.count_corpus(tokens, order, 7, documents)
    assert count_tables.as_dict(table) == {"": 7, **counted(rows, order, per_segment)}


@given(rows=ROWS, order=st.integers(1, 5))
def test_a_table_compiles_to_what_was_counted(rows, order):
    texts = [text for row in rows for text in row]
    tokens = corpus_tokens.encode_corpus(texts, partial(encode, tokenizer="whitespace"))
    counts = count_tables.as_dict(corpus.count_corpus(tokens, order, len(tokens.ids), smallest=1))
    for longest in (order, order + 1):
        table = count_tables.compile_counts("information", counts, longest)
        repeated = {ngram: count for ngram, count in counts.items() if count > 1 or not ngram}
        assert count_tables.as_dict(table) == repeated
        assert all((np.diff(keys) > 0).all() for keys in table.keys)


def test_the_order_of_a_table_does_not_matter():
    counts = {"b a c": 2, "b": 6, "a c": 2, "c": 4, "a": 5, "b a": 3, "": 9, "c a": 4}
    table = count_tables.compile_counts("information", counts, 3)
    assert count_tables.as_dict(table) == counts
    other = dict(reversed(counts.items()))
    assert load("nist").signature(information=other) == load("nist").signature(information=counts)


def test_an_unknown_token_ends_no_known_ngram():
    """b and what is not there must not be taken for a b, the n-gram of the place before."""
    table = count_tables.compile_counts("information", {"": 9, "a": 3, "b": 3, "a b": 2}, 2)
    a, b = (table.vocabulary[word] for word in "ab")
    places = corpus.find_ngrams(table, 1, np.array([0, 0, 0]), np.array([a, b, -1]))
    assert places.tolist() == [0, 1, -1]
    pairs = corpus.find_ngrams(table, 2, np.array([0, 1, -1, 0]), np.array([b, -1, b, a]))
    assert pairs.tolist() == [0, -1, -1, -1]


@given(st.lists(st.integers(0, 5) | st.integers(2**60, 2**62)))
def test_sorted_keys_of_any_size(numbers):
    keys = corpus.sorted_keys(np.array(numbers, dtype=np.int64))
    assert keys.order.tolist() == sorted(range(len(numbers)), key=numbers.__getitem__)
    assert keys.distinct.tolist() == sorted(set(numbers))
    assert np.flatnonzero(keys.is_new).tolist() == keys.starts.tolist()
    assert [sorted(numbers)[start] for start in keys.starts.tolist()] == keys.distinct.tolist()


@UNLABELLED
def test_tables_from_files(tmp_path):
    counts = {"": 9, "a": 4, "a b": 2, '"가': 3}
    (tmp_path / "counts.json").write_text(json.dumps(counts), encoding="utf-8")
    lines = "".join(f"{ngram}\t{count}\r\n" for ngram, count in counts.items())
    (tmp_path / "counts.tsv").write_text("\ufeff" + lines + "\n", encoding="utf-8", newline="")
    for name in ("counts.json", "counts.tsv"):
        assert count_tables.read_counts("information", tmp_path / name) == counts
        for metric, option, more in (
            ("nist", "information", {}),
            ("cider", "document_frequencies", {}),
            ("rouge", "idf", {"rouge_types": ["rouge1", "rouge2"]}),
        ):
            texts = {"predictions": ["a b 가"], "references": ["a b 가 c"], **more}
            expected = load(metric).compute(**texts, **{option: counts})
            assert load(metric).compute(**texts, **{option: str(tmp_path / name)}) == expected
            signature = load(metric).signature(**more, **{option: str(tmp_path / name)})
            assert signature == load(metric).signature(**more, **{option: counts})
            assert ":table(3," in signature
            with pytest.raises(ValueError, match="pass that option yourself"):
                load(metric).options_of(signature)


OF_OTHER_TOKENS = [  # metric, options of the counts, options of the scores, the two names
    ("rouge", {"tokenizer": "char"}, {"tokenizer": "jamo"}, "tok:char|case:lc|norm:NFC", "tok:jamo|case:lc|norm:NFC"),
    ("rouge", {"lowercase": False}, {}, "tok:unicode|case:mixed|norm:NFC", "tok:unicode|case:lc|norm:NFC"),
    ("rouge", {"use_stemmer": True}, {}, "tok:unicode|case:lc|norm:NFC|stem:yes", "tok:unicode|case:lc|norm:NFC"),
    ("cider", {}, {"normalization": None}, "tok:13a|case:mixed|norm:NFC", "tok:13a|case:mixed|norm:none"),
    ("nist", {}, {"western_lang": False}, "tok:13a|case:mixed|norm:NFC", "tok:whitespace|case:mixed|norm:NFC"),
]


@pytest.mark.parametrize(("name", "counted", "scored", "name_counted", "name_scored"), OF_OTHER_TOKENS)
def test_a_table_of_other_tokens(name, counted, scored, name_counted, name_scored):
    """It is an error with both names; with its own options it is taken, and so are sums of such tables."""
    metric, texts = load(name), {"predictions": ["the cat", "나 다"], "references": ["The cat.", "가 다"]}
    more = {"rouge_types": ["rouge1"]} if name == "rouge" else {}
    learning = {**more, "idf": "references"} if name == "rouge" else {}
    (option,) = {metric.corpus_option(**learning)}
    table = metric.corpus_counts(references=texts["references"], **learning, **counted)
    assert table[f" {name_counted}"] == table[""]
    expected = metric.compute(**texts, **learning, **counted)
    parts = [Counter(metric.corpus_counts(references=[row], **learning, **counted)) for row in texts["references"]]
    assert metric.compute(**texts, **more, **counted, **{option: table}) == expected
    assert metric.compute(**texts, **more, **counted, **{option: dict(parts[0] + parts[1])}) == expected
    message = f"{option} was counted with {name_counted}, but the texts are read with {name_scored}; pass the same opt"
    with pytest.raises(ValueError, match=re.escape(message)):
        metric.compute(**texts, **more, **scored, **{option: table})
    mixed = {**table, f" {name_scored}": 1}
    names = " and ".join(sorted([name_counted, name_scored]))
    with pytest.raises(ValueError, match=re.escape(f"was counted with {names}, but")):
        metric.compute(**texts, **more, **scored, **{option: mixed})
    with pytest.warns(UserWarning, match=f"{option} does not say how its texts became tokens"):
        metric.compute(**texts, **more, **scored, **{option: only_ngrams(table)})


def test_how_texts_became_tokens_is_no_ngram():
    """Size and digest in a signature, which has the tokenizer anyway, are those of the n-grams."""
    counts = {"": 3, "a": 2}
    labelled = {"": 3, " tok:13a|case:mixed|norm:NFC": 3, "a": 2}
    assert load("nist").signature(information=labelled) == load("nist").signature(information=counts)
    assert "|info:table(1," in load("nist").signature(information=counts)


BAD_TABLES = [
    ([], "information is []; pass a dict n-gram -> count, or a file's path"),
    ((), "information is (); pass a dict n-gram -> count, or a file's path"),
    (("a", "b", "c", "d"), "information is ('a', 'b', 'c', 'd'); pass a dict n-gram -> count"),
    ({"": 2**70, "a": 1}, "information[''] is 1180591620717411303424; pass an integer of at least 0 and below 2**62"),
    ({"a": 1}, 'information has no count for ""; pass the result of corpus_counts, or sums of such results'),
    ({"": 0, "b": 0, "a": 1}, """information[""] is 0, but information['a'] is 1; "" has the size of the corpus"""),
    ({"": 3, 5: 1}, "information has the key 5; an n-gram is a string of tokens with a blank between"),
    ({"": 3, "\ud800": 1}, "information has the key '\\ud800'; an n-gram is a string"),
    ({"": 3, "a": 1.0}, "information['a'] is 1.0; pass an integer of at least 0"),
    ({"": 3, "a": -1}, "information['a'] is -1; pass an integer of at least 0"),
    ({"": 3, "a": True}, "information['a'] is True; pass an integer of at least 0"),
    ({"": 3, "a": 5}, "information counts 'a' 5 times, but '' only 3 times"),
    ({"": 9, "a": 2, "a b": 3}, "information counts 'a b' 3 times, but 'a' only 2 times"),
    ({"": 9, "a": 1, "a b": 3}, "information counts 'a b' 3 times, but 'a' only 1 times"),
    ({"": 9, "a b c": 3, "a": 4}, "information counts 'a b c' 3 times, but it lacks 'a b'"),
    ({"": 4, "a b": 3}, "information counts 'a b' 3 times, but it lacks 'a'"),
]


@pytest.mark.parametrize(("table", "message"), BAD_TABLES)
def test_bad_table(table, message):
    with pytest.raises(ValueError) as error:
        load("nist").compute(predictions=["a"], references=["a"], information=table)
    assert message in str(error.value)


def test_counts_of_an_empty_corpus():
    """Of segments there must be one; a corpus of empty references has no words, and that is data."""
    texts = {"predictions": ["a", "b"], "references": ["a", "b"]}
    with pytest.raises(ValueError, match=re.escape('document_frequencies[""] is 0: it was counted on an empty corpus')):
        load("cider").compute(**texts, document_frequencies={"": 0})
    texts["references"] = ["", ""]
    counts = load("nist").corpus_counts(references=texts["references"])
    assert counts == {"": 0, " tok:13a|case:mixed|norm:NFC": 0}
    assert load("nist").compute(**texts, information=counts) == load("nist").compute(**texts)


@pytest.mark.parametrize(
    ("name", "option", "order"), [("cider", "document_frequencies", "max_order"), ("nist", "information", "n")]
)
def test_compiled_counts_for_other_lengths(name, option, order):
    """Shorter n-grams are in the table too; of longer ones it says nothing."""
    metric, texts = load(name), {"predictions": ["a b c", "a b d"], "references": ["a b d", "a b c"]}
    compiled = metric.compile_options([texts["references"]], **{order: 3})
    assert metric.signature(**compiled) == metric.signature(**{order: 3})
    assert metric.compute(**texts, **{**compiled, order: 2}) == metric.compute(**texts, **{order: 2})
    with pytest.raises(ValueError, match=f"^{option} was compiled for n-grams of up to 3 tokens, and here .* up to 5;"):
        metric.compute(**texts, **{**compiled, order: 5})


BAD_FILES = [
    ("counts.json", b"{", "counts.json is not JSON"),
    ("counts.json", b"[]", "counts.json is []; pass a dict n-gram -> count"),
    ("counts.json", b'{"": 3, "a": "1"}', "counts.json['a'] is '1'; pass an integer of at least 0"),
    ("counts.json", b'{"": 3, "a": 1, "a": 2}', "counts.json: 'a' occurs twice; give each n-gram one count"),
    ("counts.tsv", b"\t3\na 1\n", "counts.tsv, line 2: 'a 1'; write a new n-gram, a tab and its count"),
    ("counts.tsv", b"\t3\na\t1\n\na\t2\n", "counts.tsv, line 4: 'a\\t2'; write a new n-gram"),
    ("counts.tsv", b"\t3\na\tb\n", "counts.tsv, line 2: 'a\\tb'"),
    ("counts.tsv", b"\xff", "counts.tsv is not UTF-8"),
    ("counts.json", b"[" * 100_000, "counts.json is nested too deep; pass a dict n-gram -> count"),
    ("counts.json", b'{"": 9, "a": %s}' % (b"9" * 5000), "counts.json['a'] is inf; pass an integer of at least 0"),
    ("counts.json", b'{"": 9, "a": -%s}' % (b"9" * 5000), "counts.json['a'] is -inf; pass an integer of at least 0"),
    ("counts.tsv", b"\t%s\n" % (b"9" * 5000), "counts.tsv[''] is inf; pass an integer of at least 0 and below 2**62"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_bad_file(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError) as error:
        load("cider").signature(document_frequencies=str(tmp_path / name))
    assert message in str(error.value)


def test_missing_file(tmp_path):
    with pytest.raises(ValueError, match="document_frequencies is '.*/no.json', and there is no such file"):
        load("cider").signature(document_frequencies=tmp_path / "no.json")
    with pytest.raises(ValueError, match="document_frequencies is 'n{199}, and there is no such file"):
        load("cider").signature(document_frequencies="n" * 5000)


def test_tokens_that_keys_cannot_hold():
    """A space is a no-break space in a key; an empty token has none."""
    nist, texts = load("nist"), {"predictions": ["a b"], "references": ["a b"]}
    counts = nist.corpus_counts(references=["a b", "a b"], tokenizer=lambda text: [text])
    assert only_ngrams(counts) == {"": 2, "a\u00a0b": 2}
    with pytest.raises(ValueError, match="the tokenizer returns an empty token, which cannot be counted"):
        nist.corpus_counts(references=["a b", "a"], tokenizer=lambda text: [""])
    for tokenizer in (lambda text: [text], lambda text: [""]):
        assert nist.compute(**texts, tokenizer=tokenizer)["nist"] == 0.0


@given(
    rows=st.lists(
        st.lists(st.sampled_from(["a", " ", "\u00a0", "\x1b", "|"]), min_size=1, max_size=9), min_size=2, max_size=4
    )
)
@pytest.mark.parametrize(
    ("name", "options"),
    [("nist", {"n": 2}), ("cider", {"max_order": 2}), ("rouge", {"rouge_types": ["rouge2"], "idf": "references"})],
)
def test_tokens_that_differ_in_their_spaces_alone(name, options, rows):
    """Scores are those of the same texts with plain words for such tokens; also with a table."""

    def split(text):
        return [token for token in text.split("|") if token]

    def split_plain(text):
        return ["x" + "".join(f"{ord(character)}." for character in token) for token in split(text)]

    metric, texts = load(name), ["a" + "".join(row) for row in rows]
    columns = {"predictions": texts[1:] + texts[:1], "references": texts, "normalization": None}
    expected = metric.compute(**columns, **options, tokenizer=split_plain)
    assert metric.compute(**columns, **options, tokenizer=split) == expected
    counts = metric.corpus_counts(references=texts, normalization=None, **options, tokenizer=split)
    given = {metric.corpus_option(**options): counts}
    assert metric.compute(**columns, **{**options, **given}, tokenizer=split) == expected
