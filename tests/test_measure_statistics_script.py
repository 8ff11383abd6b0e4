"""lab/measure_statistics.py: a small version of what it simulates, and the tables that it writes."""

import json
import math

import numpy as np
import pytest
from conftest import ROOT

from lab.measure_statistics import README, RESULTS, error, is_met, least, markdown_text, simulated
from lab.simulating import simulations
from lab.simulating.population import EQUAL, made_population
from lab.update_cards import filled
from textgauge.core.bootstrap import LEAST_UNITS
from textgauge.programs.commands import compare
from textgauge.programs.saying.texts import say


def kept():
    """Returns what the last run found."""
    content = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {name: rows for name, rows in content.items() if name != "settings"}


def test_the_page_is_what_was_found():
    readme = README.read_text(encoding="utf-8")
    assert filled(readme, "statistics", markdown_text(kept())) == readme


def test_goals():
    """Met in the last run; a share that is too small, or too many alarms, would be seen."""
    found = kept()
    assert is_met(found)
    [row] = [row for row in found["coverage"] if row["units"] == 10 and row["kind"] == "documents"]
    assert not is_met({**found, "coverage": [{**row, "score": [0.9]}]})
    assert is_met({**found, "coverage": [{**row, "score": [0.9], "has_goal": False}]})
    assert not is_met({**found, "alarms": [{**found["alarms"][0], "share": 0.08}]})


def test_the_least_number_of_units_is_where_intervals_begin_to_keep_their_level():
    shares = {(row["kind"], row["units"]): least(row) for row in kept()["coverage"] if row["population"] == "made"}
    assert shares["segments", LEAST_UNITS - 1] < 0.91 < shares["segments", LEAST_UNITS]
    assert shares["meetings", LEAST_UNITS] > 0.91


def test_looking_again_finds_more():
    """Each look at equal systems is a further chance to be wrong; the first is at the level."""
    first, *_, last = kept()["looks"]
    level = simulations.SIGNIFICANT
    assert first["looks"] == 1 and abs(first["share"] - level) < 3 * error(first["share"], first["runs"])
    assert last["looks"] == 20 and last["share"] > 4 * level
    figure = f"{last['share']:.2f}".removeprefix("0")
    for text in (compare.main.__doc__, (ROOT / "docs/compare.md").read_text("utf-8"), say("gate_again")):
        assert f" {figure} " in text


def test_a_significant_look_counts_for_all_later_ones():
    shares = [row["share"] for row in simulations.looks(made_population(200), 6)]
    assert shares == sorted(shares)


def test_equal_systems_are_equal():
    """What is exchanged is the same set of rows, and in eight of ten segments the same row."""
    made, rng = made_population(60), np.random.default_rng(1)
    rows = simulations.equal_systems(made, "segments", 40, 5, 3, rng)
    pool = {row.tobytes() for row in made.rows(made.values, EQUAL, 3).values.reshape(-1, rows.values.shape[-1])}
    assert {row.tobytes() for row in rows.values.reshape(-1, rows.values.shape[-1])} <= pool
    same = simulations.equal_systems(made, "eight of ten outputs are the same", 400, 2, 3, rng).values
    assert 0.7 < (same[:, 0] == same[:, 1]).all(axis=-1).mean() < 0.95
    assert simulations.equal_systems(made, "clusters of ten", 40, 2, 3, rng).units.shape[0] == 4


@pytest.mark.slow
def test_a_small_version():
    """With margins of four errors."""
    found = simulated(60, 1000)
    assert {name: [[*row] for row in rows[:1]] for name, rows in found.items()} == {
        name: [[*row] for row in rows[:1]] for name, rows in kept().items()
    }
    for row in found["coverage"]:
        goal = simulations.GOAL - 4 * math.sqrt(0.07 * 0.93 / min(row["runs"], 30))
        assert not row["has_goal"] or least(row) > goal, row
        if row["population"] == "made" and row["units"] == 6:
            assert min(row["score"]) > min(row["plain_score"])
    for row in found["alarms"]:
        assert row["share"] < simulations.SIGNIFICANT + 4 * math.sqrt(0.05 * 0.95 / row["runs"]), row
    assert max(row["each_score"] for row in found["alarms"]) > 0.07  # what Holm by score alone would do
