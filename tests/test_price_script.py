"""lab/price.py: what a call enters, counted on options whose costs are known; the figures are nobody's test."""

import pytest
from conftest import ROOT, load

from lab import price


def test_statements_of_calls():
    """An option without effect enters next to nothing, one that rewrites texts much; refused options have no price."""
    plain = price.entered("bleu", {})
    assert plain == price.entered("bleu", {})
    assert len(price.entered("bleu", {"per_segment": True}) - plain) < 30
    assert len(price.entered("cer", {"readings": "ko"}) - price.entered("cer", {})) > 300
    assert price.entered("bleu", {"smooth_value": 0.5}) is None  # needs `smooth`
    files = {file for file, _ in plain}
    assert all(file.startswith(str(ROOT)) for file in files) and str(ROOT / "metrics" / "bleu.py") in files


@pytest.mark.parametrize("name", price.METRICS)
def test_each_option_has_a_price(name):
    readme = (ROOT / "lab" / "README.md").read_text(encoding="utf-8")
    table = readme.partition("<!-- price -->\n")[2].partition("<!-- end -->")[0].splitlines()
    column = table[0].split("|").index(f" {name} ")
    rows = [row.split("|") for row in table[3:]]
    options = load(name).OPTIONS
    assert {row[1].strip(" `") for row in rows if row[column].strip()} == options.keys(), "run python -m lab.price"
    assert all(price.value_of(option, kind) != kind.default for option, kind in options.items())


def test_prices_of_metrics_have_a_row_for_each_option():
    prices = {"cer": {"a plain call": "9", "`seed`": "1"}, "bleu": {"a plain call": "8", "`smooth`": "2 (3 `seed`)"}}
    assert price.prices_table(prices).splitlines()[2:] == [
        "| a plain call | 9 | 8 |",
        "| `seed` | 1 |  |",
        "| `smooth` |  | 2 (3 `seed`) |",
    ]
