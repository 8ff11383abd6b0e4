"""The option `readings`: each row of each Korean table is asked for once at least, and each sign of Unicode.

`data/reading_rows.txt` has under the name of each table its rows, each with texts as they are written and as they are
read aloud: "=" are alike, "≠" are not, and ">" says how a number is read first. It says again what the tables say, so
that a row that is lost or changed fails here; who adds a row adds a line.
"""

import fractions
import itertools
import re
import unicodedata

import pytest
from conftest import ROOT, load

from textgauge.korean import notations, spoken, spoken_counters, spoken_units, written_forms
from textgauge.korean.patterns import notation_pattern

DERIVED = {"APPROXIMATE_SINO", "CASES", "LAST_PARTICLES"}


def read_rows():
    """Returns {table: {row: [(written, sign, read aloud)]}}."""
    tables = {}
    for line in (ROOT / "tests/data/reading_rows.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            rows = tables[line[1:-1]] = {}
            continue
        name, _, texts = line.partition(" ")
        assert name not in rows, line
        rows[name] = [split(text) for text in texts.split(" ; ")]
    return tables


def split(text):
    """Returns ("x=4", "=", "엑스 은 사") for "x=4 = 엑스 은 사"."""
    sign = next(sign for sign in "≠>=" if f" {sign} " in text)
    written, spoken_text = text.split(f" {sign} ")
    return written, sign, spoken_text


def tables_of_the_package():
    """Returns {table: {row: its readings}} of all tables; a set or a list of words has rows without readings."""
    found = {"NOTATIONS": notations._READERS, "SIGNS": written_forms._SIGNS}
    for module in (spoken, spoken_counters, spoken_units):
        found |= {name: value for name, value in vars(module).items() if name.isupper() and name[0] != "_"}
    tables = {}
    for name, value in found.items():
        if isinstance(value, str) and name != "DIGITS" or name in DERIVED:
            continue
        if name == "OLD_MEASURES":
            value = {f"{number}{measure}": of for number, row in value.items() for measure, of in row.items()}
        rows = value.items() if isinstance(value, dict) else ((row, ()) for row in value if row)
        tables[name] = {"~".join(map(str, row)) if isinstance(row, tuple) else str(row): of for row, of in rows}
    return tables


ROWS, TABLES = read_rows(), tables_of_the_package()


def test_every_table_has_its_rows():
    assert {name: sorted(rows) for name, rows in ROWS.items()} == {name: sorted(rows) for name, rows in TABLES.items()}
    pairs = list(itertools.chain.from_iterable(itertools.chain.from_iterable(rows.values() for rows in ROWS.values())))
    assert {sign for _, sign, _ in pairs} == set("=≠>")


@pytest.mark.parametrize("table", TABLES)
def test_every_reading_is_asked_for(table):
    """A row with a list of readings has a text for each, in this order; what else a row says occurs in a text of it."""
    for row, said in TABLES[table].items():
        texts = [(written + "|" + aloud).replace(" ", "") for written, _, aloud in ROWS[table][row]]
        if isinstance(said, list):
            assert all(
                reading.replace(" ", "") in text for reading, text in zip(said, texts, strict=True) if reading != "-"
            ), row
        elif table == "NAMES_IN_WORDS":
            assert all(any(name in text for text in texts) for name in said[0])
        elif table in ("MONTHS", "UNIT_COUNTERS"):
            assert texts[0].endswith((f"|{said}월", f"|다섯{said}"))
        elif table == "FEW_COUNTED":
            assert all(text.startswith(f"{value}{row}") for value, text in zip(said, texts, strict=False)), row
            assert [sign for _, sign, _ in ROWS[table][row]] == ["="] * len(said) + ["≠"]
        elif table == "NOTATIONS":
            found = [match.lastgroup for pair in ROWS[table][row] for match in notation_pattern().finditer(pair[0])]
            assert row in found


@pytest.mark.parametrize("table", ROWS)
def test_every_row_is_read_as_it_is_said(table):
    pairs = [pair for row in ROWS[table].values() for pair in row]
    for written, _, first in (pair for pair in pairs if pair[1] == ">"):
        found = load("cer").explain(prediction="", reference=written, readings="ko")["readings"]
        assert found[0][-1] == first, written
    pairs = [pair for pair in pairs if pair[1] != ">"]
    for here, there in ((0, 2), (2, 0)):
        texts = {"predictions": [pair[here] for pair in pairs], "references": [pair[there] for pair in pairs]}
        rates = load("cer").compute(**texts, readings="ko", per_segment=True)["segments"] if pairs else []
        wrong = [pair for pair, rate in zip(pairs, rates, strict=True) if (rate == 0) != (pair[1] == "=")]
        assert wrong == []


FIGURES = re.compile("^(?!.*(IDEOGRAPH|SQUARE|LATE)).*(CIRCLED|PARENTHESIZED|FULL STOP|ROMAN NUMERAL)")


def test_numbers_of_unicode_are_read_as_figures():
    """Fractions, and what is in a circle, in brackets, with a full stop, or a Roman numeral up to 12."""
    pairs = []
    for character in map(chr, range(0xA0, 0x10000)):
        name, value = unicodedata.name(character, ""), unicodedata.numeric(character, None)
        if name.startswith("VULGAR FRACTION") and value:
            over, under = fractions.Fraction(value).limit_denominator(10).as_integer_ratio()
            pairs.append((f"{character}컵", f"{over}/{under}컵"))
        elif value is not None and FIGURES.search(name) and (value <= 12 or "ROMAN" not in name):
            pairs.append((f"{character}번", f"{value:.0f}번"))
    assert len(pairs) > 150
    written, figures = zip(*pairs, strict=True)
    rates = load("cer").compute(predictions=written, references=figures, readings="ko", per_segment=True)["segments"]
    assert [pair for pair, rate in zip(pairs, rates, strict=True) if rate] == []
