"""Ranks of systems in a comparison: against sorting, against kocer, and where they are shown."""

import json
import re

import numpy as np
import pytest
from conftest import write
from hypothesis import given
from hypothesis import strategies as st
from test_compare_script import outcome_of
from typer.testing import CliRunner

from textgauge.programs.commands import compare
from textgauge.programs.comparing import ranks

SCORE = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5 + 1e-15, np.inf, -np.inf, np.nan])


@given(st.lists(SCORE, min_size=1, max_size=6), st.booleans())
def test_ranks_are_places_among_the_sorted(scores, is_lower_better):
    """Ties, also those that only rounding parts, have the best place; an undefined score has none."""
    rounded = [round(score, 9) for score in scores]
    places = sorted((score for score in rounded if score == score), reverse=not is_lower_better)
    wanted = [places.index(score) + 1 if score == score else np.nan for score in rounded]
    found = ranks.system_ranks(np.array(scores)[:, None], np.array([is_lower_better]))
    np.testing.assert_array_equal(found[:, 0], wanted)


def test_shares_of_first_places():
    """Two that tie share one; where nothing is defined nobody is first."""
    drawn = np.array([[1, 1, 3], [1, 2, 3], [2, 1, 3], [np.nan] * 3])[:, :, None]
    assert ranks.first_shares(drawn)[:, 0].tolist() == [0.375, 0.375, 0.0]


@pytest.mark.parametrize(
    ("sure", "tiers"),
    [
        ([], [1, 1, 1, 1]),
        ([("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")], [1, 1, 2, 2]),
        ([("a", "b"), ("a", "c"), ("a", "d")], [1, 2, 2, 2]),
        ([("a", "c"), ("a", "d"), ("b", "d")], [1, 1, 1, 1]),  # b and c are not told apart, nor c and d
        ([(one, two) for one in "abcd" for two in "abcd" if one < two], [1, 2, 3, 4]),
    ],
)
def test_a_tier_ends_where_all_above_are_surely_better_than_all_below(sure, tiers):
    scores = {"bleu": {"d": 0.1, "b": 0.4, "a": 0.5, "c": 0.3}}
    outcome = outcome_of(scores, sure=[("bleu", *pair) for pair in sure])
    drawn = np.array(list(scores["bleu"].values()))[:, None]
    found = ranks.find_ranks(outcome, 40, drawn, np.stack([drawn] * 3))
    assert [(rank.system, rank.rank, rank.tier) for rank in found] == list(
        zip("abcd", (1, 2, 3, 4), tiers, strict=True)
    )
    assert [rank.rank_interval for rank in found] == [[n, n] for n in (1, 2, 3, 4)]
    few = ranks.find_ranks(outcome, 5, drawn, np.stack([drawn] * 3))
    assert all(np.isnan(rank.rank_interval).all() for rank in few)
    based = outcome._replace(settings=outcome.settings._replace(baseline="a"))
    assert {rank.tier for rank in ranks.find_ranks(based, 40, drawn, drawn[None])} == {None}


SHARES = {"하나": 0.1, "둘": 0.14, "셋": 0.5}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Three systems, of which two are nearly as good, and a function that compares them."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    references = ["".join(rng.choice(list("가나다라마바"), 12)) for _ in range(40)]
    write("ref.txt", *references)
    for name, share in SHARES.items():
        write(f"{name}.txt", *("".join("하" if rng.random() < share else c for c in text) for text in references))
    systems = [argument for name in SHARES for argument in ("-p", f"{name}.txt")]

    def call(*more, systems=systems):
        result = CliRunner().invoke(compare.app, [*systems, "-r", "ref.txt", "-m", "cer", *more])
        assert result.exit_code == 0, result.output + result.stderr
        return result

    return call


def test_ranks_are_shown_everywhere(run, tmp_path):
    found = json.loads(run("--json", "-").stdout)
    rows = [(rank["system"], rank["rank"], rank["tier"], rank["rank_interval"]) for rank in found["ranks"]]
    assert rows == [("하나", 1, 1, [1, 2]), ("둘", 2, 1, [1, 2]), ("셋", 3, 2, [3, 3])]
    assert (
        sum(rank["p_first"] for rank in found["ranks"]) == pytest.approx(1) and 0.5 < found["ranks"][0]["p_first"] < 1
    )
    first = f"{found['ranks'][0]['p_first']:.3f}"
    score = f"{found['systems']['하나']['cer']['cer']:.4f}"
    cells = ["cer", "1", "하나", score, "1", "1–2", first]
    printed = run().stdout
    assert cells in [line.split() for line in printed.splitlines()]
    assert "tier: all in one are surely better than all below" in printed
    assert f"| {' | '.join(cells)} |" in run("--markdown", "-").stdout
    assert f"{' & '.join(cells)} \\\\" in run("--latex", "-").stdout
    run("--html", "r.html")
    page = re.sub("<.*?>", " ", (tmp_path / "r.html").read_text(encoding="utf-8"))
    assert " ".join(cells) in " ".join(page.split()) and "Ranks" in page


def test_two_systems_need_no_ranks(run):
    two = ["-p", "하나.txt", "-p", "둘.txt"]
    assert "ranks" not in json.loads(run("--json", "-", systems=two).stdout)
    assert "tier" not in run(systems=two).stdout


def test_the_probability_of_being_first_is_that_of_kocer(run, tmp_path):
    """The same draws, if it draws as often; no two systems tie in them."""
    kocer = pytest.importorskip("kocer", reason="pip install -r requirements-peers.txt")
    texts = {name: (tmp_path / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in [*SHARES, "ref"]}
    theirs = kocer.compare(texts.pop("ref"), texts, n_boot=500, seed=4, normalize=False)
    found = json.loads(run("--json", "-", "--resamples", "500", "--seed", "4").stdout)
    for rank in found["ranks"]:
        assert rank["p_first"] == pytest.approx(theirs.ranks[rank["system"]][2], abs=0.02), rank  # ties are shared here
        assert found["systems"][rank["system"]]["cer"]["cer"] == pytest.approx(theirs.cer[rank["system"]])
