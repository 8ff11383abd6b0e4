"""Digests of data: which data a score is of, the same from every file, batch by batch, and from a cluster."""

import unicodedata
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.reading.data_digests import (
    OTHER,
    OTHER_ORDER,
    PRIME,
    SAME,
    Data,
    Digest,
    data_fields,
    differing_input,
    digest_of,
    joined_data,
    read_data,
    relation,
    row_number,
    split_data,
    with_data,
)

ROWS = st.lists(st.text(max_size=3) | st.lists(st.text(max_size=2), min_size=1, max_size=3), max_size=6)
LINE = "cer|nrefs:1|v1.0 | textgauge 0.1.0"


def plain_number(text):
    return int(blake2b(text.encode(), digest_size=6).hexdigest(), 16) % (2**48 - 59)


def test_the_definition():
    """Pinned, since files that others wrote are read."""
    numbers = [plain_number(text) for text in ("가", "나", "가")]
    step = 0x9E3779B97F4A
    in_order = (numbers[0] * step**2 + numbers[1] * step + numbers[2]) % PRIME
    assert digest_of(["가", "나", "가"]) == Digest(sum(numbers) % PRIME, in_order, 3)
    assert all(PRIME % factor for factor in range(2, 2**12)) and PRIME < 2**48
    assert digest_of(["고양이", ["개", "강아지"]]).text == "a8f3167b95f3/667479b01da9"


@given(ROWS, ROWS)
def test_batches_add_up(first, second):
    assert digest_of(first).then(digest_of(second)) == digest_of([*first, *second])


@given(ROWS)
def test_order(rows):
    assert digest_of(rows).any_order == digest_of(rows[::-1]).any_order
    numbers = [row_number(row) for row in rows]
    assert (digest_of(rows).in_order == digest_of(rows[::-1]).in_order) == (numbers == numbers[::-1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["가"], ["나"]),
        ([""], []),
        (["가", "가"], []),  # which a sum of bits without carry would not tell apart
        (["가", "가"], ["나", "나"]),
        ([["가", "나"]], ["가", "나"]),
        ([["가", "나"]], [["가나"]]),
        ([["가", "가"]], ["가"]),
        (["가 "], ["가"]),
        ([1], [2]),
        ([[{"text": "가"}, {"text": "나"}]], [[{"text": "나"}, {"text": "가"}]]),
    ],
)
def test_what_is_other_data(one, other):
    assert relation(digest_of(one), digest_of(other)) == OTHER


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["가"], [["가"]]),
        ([("가", "나")], [["나", "가"]]),
        (["한글"], [unicodedata.normalize("NFD", "한글")]),
        ([3], [3.0]),
        ([[{"text": "가", "start": 0, "end": None}]], [[{"start": 0.0, "text": "가"}]]),
    ],
)
def test_what_is_the_same_data(one, other):
    assert relation(digest_of(one), digest_of(other)) == SAME


def test_relations():
    one, turned = digest_of(["가", "나"]), digest_of(["나", "가"])
    assert relation(one, turned) == OTHER_ORDER
    assert relation(one._replace(in_order=None), turned) == SAME


def test_the_column_that_differs_most():
    one, other = digest_of(["가", "나"]), digest_of(["다", "나"])
    turned = digest_of(["나", "가"])
    data = Data({"references": one, "sources": one}, {})
    assert differing_input(data, data)[0] == SAME
    assert differing_input(data, Data({"references": one, "sources": turned}, {})) == (OTHER_ORDER, "sources")
    assert differing_input(data, Data({"references": turned, "sources": other}, {})) == (OTHER, "sources")
    assert differing_input(data, Data({"references": one}, {}))[0] == SAME  # no score that both have takes sources
    assert differing_input(data, Data({"sources": one}, {})) == (OTHER, "references")
    assert differing_input(Data({}, {}), Data({}, {})) == (SAME, "")


def corpus_of(references, predictions, **further):
    columns = {"references": [FileColumn("", list(column), "", "line", range(2)) for column in references]}
    systems = {"a": FileColumn("", predictions, "", "line", range(2))}
    return Corpus("", systems, columns, {}, "", **further).with_data().data


def test_of_a_corpus():
    """A further reference that is missing is none."""
    two = corpus_of([["가", "나"], ["다", []]], ["라", "마"])
    assert two == Data({"references": digest_of([["가", "다"], "나"])}, {"a": digest_of(["라", "마"])})
    runs = {"a": [FileColumn("", texts, "", "line", range(2)) for texts in (["라", "마"], ["바", "사"])]}
    assert corpus_of([["가", "나"]], ["라", "마"], runs=runs).outputs["a"] == digest_of(["라", "마", "바", "사"])
    references = two.inputs["references"]
    twice = Data({"references": references.then(references)}, {"a": digest_of(["라", "마"] * 2)})
    assert joined_data(two, two) == twice


def test_what_is_written_is_read():
    outputs = {"a": digest_of(["나"]), "b": digest_of(["다"])._replace(in_order=None)}
    data = Data({"references": digest_of(["가"]), "reference_weights": digest_of([[0.5]])}, outputs)
    without_size = Data(*({name: digest._replace(size=0) for name, digest in digests.items()} for digests in data))
    for own in (without_size, without_size._replace(inputs={})):
        assert read_data(data_fields(own)) == own
        for system in ("a", "b"):
            assert split_data(with_data(LINE, own, system)) == (LINE, own._replace(outputs={"": own.outputs[system]}))
    assert with_data(LINE, data, "c") == with_data(LINE, None, "a") == LINE


@pytest.mark.parametrize(
    "fields",
    [
        None, [], {}, {"outputs": []}, {"outputs": {"a": {}}}, {"outputs": {"a": {"any_order": "00000000000G"}}},
        {"outputs": {"a": {"any_order": 1}}}, {"outputs": {}, "references": {"in_order": "00000000000a"}},
    ],
)  # fmt: skip
def test_what_is_no_data(fields):
    assert read_data(fields) is None


@pytest.mark.parametrize("end", ["", " | data: outputs 00", " | data: references a/b, outputs c/d", " | data: x"])
def test_lines_without_data(end):
    line, data = split_data(f"{LINE}{end}")
    assert line.startswith(LINE) and data is None
