"""lab/measure_statistics.py: a small version of what it simulates, and the page that it writes."""

import json
import math

import numpy as np
import pytest
from conftest import ROOT

from lab.measure_statistics import simulated
from lab.simulating import coverage, sureness, tables
from lab.simulating.population import EQUAL, made_population
from lab.update_cards import filled
from textgauge.core.bootstrap import LEAST_UNITS
from textgauge.programs.commands import compare
from textgauge.programs.saying.texts import say

FOLDER = ROOT / "lab" / "simulating"


def kept():
    """Returns what the last run found, as it was."""
    content = json.loads((FOLDER / "statistics.json").read_text(encoding="utf-8"))
    kinds = {
        "coverage": coverage.Coverage,
        "alarms": sureness.Alarms,
        "looks": sureness.Looks,
        "power": sureness.Power,
        "needed": sureness.Needed,
    }
    return {name: [kind(**row) for row in content[name]] for name, kind in kinds.items()}


def test_the_page_is_what_was_found():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert filled(readme, "findings", tables.markdown_text(kept())) == readme


def test_goals():
    """Met in the last run; a share that is too small, or too many alarms, would be seen."""
    found = kept()
    assert tables.is_met(found)
    [row] = [row for row in found["coverage"] if row.units == 10 and row.kind == "documents"]
    assert not tables.is_met({**found, "coverage": [row._replace(score=[0.9])]})
    assert tables.is_met({**found, "coverage": [row._replace(score=[0.9], has_goal=False)]})
    assert not tables.is_met({**found, "alarms": [found["alarms"][0]._replace(share=0.08)]})


def test_the_least_number_of_units_is_where_intervals_begin_to_keep_their_level():
    least = {(row.kind, row.units): row.least for row in kept()["coverage"] if row.population == "made"}
    assert least["segments", LEAST_UNITS - 1] < 0.915 < least["segments", LEAST_UNITS]
    assert least["meetings", LEAST_UNITS] > 0.915


def test_looking_again_finds_more():
    """Each look at equal systems is a further chance to be wrong; the first is at the level."""
    first, *_, last = kept()["looks"]
    assert first.looks == 1 and abs(first.share - sureness.LEVEL) < 3 * first.error
    assert last.looks == 20 and last.share > 4 * sureness.LEVEL
    figure = f"{last.share:.2f}".removeprefix("0")
    for text in (compare.main.__doc__, (ROOT / "docs/compare.md").read_text("utf-8"), say("gate_again")):
        assert f" {figure} " in text


def test_a_significant_look_counts_for_all_later_ones():
    shares = [row.share for row in sureness.looks(made_population(200), 6)]
    assert shares == sorted(shares)


def test_what_a_pilot_says():
    """Of a difference of one in ten segments: as the formula has it."""
    made = made_population(200)
    rows = sureness._pair(made, made.values)
    scores = [rows.values[:, system, 0].sum() / rows.values[:, system, :3].sum() for system in (0, 1)]
    assert rows.scores(rows.values.sum(0))[:, 0] == pytest.approx(scores, abs=0.3)  # cer, and not another score
    size = np.subtract(*rows.scores(rows.values.sum(0))[:, 0])
    others = [np.subtract(*rows.scores(np.delete(rows.values, n, 0).sum(0))[:, 0]) for n in range(200)]
    error = np.std(others) * math.sqrt(199)
    wanted = 200 * ((1.959964 + 0.841621) * error / size) ** 2
    assert sureness._needed_by_verdict(rows) == pytest.approx(wanted, rel=1e-5)


def test_equal_systems_are_equal():
    """What is exchanged is the same set of rows, and in eight of ten segments the same row."""
    made, rng = made_population(60), np.random.default_rng(1)
    rows = sureness._equal(made, "segments", 40, 5, 3, rng)
    pool = {row.tobytes() for row in made.rows(made.values, EQUAL, 3).values.reshape(-1, rows.values.shape[-1])}
    assert {row.tobytes() for row in rows.values.reshape(-1, rows.values.shape[-1])} <= pool
    same = sureness._equal(made, "eight of ten outputs are the same", 400, 2, 3, rng).values
    assert 0.7 < (same[:, 0] == same[:, 1]).all(axis=-1).mean() < 0.95
    assert sureness._equal(made, "clusters of ten", 40, 2, 3, rng).units.shape[0] == 4


@pytest.mark.slow
def test_a_small_version():
    """With margins of four errors."""
    found = simulated(60, 1000)
    for row in found["coverage"]:
        assert not row.has_goal or row.least > coverage.GOAL - 4 * math.sqrt(0.07 * 0.93 / min(row.runs, 30)), row
        if row.population == "made" and row.units == 6:
            assert min(row.score) > min(row.plain_score)
    for row in found["alarms"]:
        assert row.share < sureness.LEVEL + 4 * math.sqrt(0.05 * 0.95 / row.runs), row
    assert max(row.each_score for row in found["alarms"]) > 0.07  # what Holm by score alone would do
    for row in found["power"]:
        assert abs(row.exact - row.random) < 0.03
    [needed] = found["needed"]
    assert 0.5 < needed.reached < 0.99 and needed.low < needed.true_number < needed.high
