"""compare.py: ranks and tiers of three systems and more, equal to slow versions."""

import itertools
import math
import re

import numpy as np
import pytest
from conftest import load, write
from hypothesis import given
from hypothesis import strategies as st
from score_files import Page
from test_compare_script import QUICK, THREE, TWO, outcome_of
from test_compare_script import run as run

from textgauge.core.bootstrap import percentile_interval, resample
from textgauge.programs.comparing import cells, ranks


@pytest.fixture
def content(scores):
    """Returns a function that runs the script with few draws, and returns its JSON."""
    return lambda *arguments: scores(*arguments, *QUICK)


SCORES = st.sampled_from([0.0, 0.5, 1.0, 1.0 + 1e-15, math.inf, -math.inf, math.nan])
DRAWS = st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(SCORES, min_size=n, max_size=n), min_size=1, max_size=6))


@given(DRAWS)
def test_ranks_are_counted(draws):
    """Slow and obvious: one more than there are better systems; what is shared is first together."""
    rounded = [[round(score, 9) for score in scores] for scores in draws]
    wanted = [[math.nan if x != x else 1 + sum(y > x for y in scores) for x in scores] for scores in rounded]
    found = ranks.rank_scores(np.array(draws)[:, :, None])
    np.testing.assert_array_equal(found[..., 0], wanted)
    firsts = [[system for system, rank in enumerate(of) if rank == 1] for of in wanted]
    counted = [first for first in firsts if first]
    shares = ranks.share_first(found)[:, 0]
    for system, share in enumerate(shares):
        if counted:
            assert share == pytest.approx(sum((system in first) / len(first) for first in counted) / len(counted))
        else:
            assert math.isnan(share)


PAIRS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)))


@given(st.lists(SCORES, min_size=1, max_size=5), PAIRS)
def test_tiers_are_surely_apart(scores, sure):
    """Slow and obvious: a tier more for each border that is above a system."""
    defined = sorted((s for s, score in enumerate(scores) if score == score), key=lambda s: -scores[s])
    is_better = np.zeros((len(scores), len(scores)), dtype=bool)
    for above, below in itertools.combinations(defined, 2):
        is_better[above, below] = (above, below) not in sure
    borders = [
        place
        for place in range(1, len(defined))
        if all(is_better[pair] for pair in itertools.product(defined[:place], defined[place:]))
    ]
    wanted = [1 + sum(defined.index(s) >= b for b in borders) if s in defined else math.nan for s in range(len(scores))]
    np.testing.assert_array_equal(ranks.tiers(np.array(scores), is_better), wanted)


def test_the_ranks_of_kocer():
    """Which has the same draws, plain percentiles, and no ties here."""
    kocer = pytest.importorskip("kocer", reason="pip install -r requirements-peers.txt")
    rng = np.random.default_rng(0)
    references = ["가" * length for length in rng.integers(50, 90, 40)]
    outputs = {  # 7 k + n errors in 40 segments are never as many as with another n below 7
        name: [
            "나" * errors + text[errors:]
            for text, errors in zip(references, n + 7 * rng.integers(6, size=40), strict=True)
        ]
        for n, name in enumerate("abcd")
    }
    theirs = kocer.compare(references, outputs, n_boot=500, seed=7, normalize=False)
    cer = load("cer")
    options = {"preset": "jiwer"}
    rows = [cer.statistics(predictions=of, references=references, **options) for of in outputs.values()]
    sums = resample(np.concatenate(rows, axis=1), 500, 7).reshape(500, len(outputs), -1)
    found = ranks.rank_scores(-cer.score(sums, **options)["cer"][..., None])
    assert (np.sort(found[..., 0]) == [1, 2, 3, 4]).all()
    for number, name in enumerate(outputs):
        assert percentile_interval(found[:, number, 0], 0.95, 10**6) == list(theirs.ranks[name][:2])
        assert ranks.share_first(found)[number, 0] == pytest.approx(theirs.ranks[name][2])


def test_ranks_in_every_output(run, content, tmp_path):
    found = content(*THREE, "-m", "bleu", "-m", "cer")["ranks"]
    assert [(rank["metric"], rank["system"]) for rank in found] == [
        ("bleu", "b"), ("bleu", "a"), ("bleu", "나쁜"), ("cer", "a"), ("cer", "b"), ("cer", "나쁜"),
    ]  # fmt: skip
    assert [rank["rank"] for rank in found] == [1, 2, 3] * 2 and [rank["tier"] for rank in found] == [1, 1, 2] * 2
    for three in (found[:3], found[3:]):
        assert sum(rank["probability_first"] for rank in three) == pytest.approx(1)
        assert [rank["confidence_interval"] for rank in three] == [[1, 2], [1, 2], [3, 3]]
    shown = run(*THREE, *QUICK, "--markdown", "t.md", "--latex", "t.tex", "--html", "r.html")
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    markdown, latex = ((tmp_path / name).read_text(encoding="utf-8") for name in ("t.md", "t.tex"))
    first = f"{found[0]['probability_first']:.2f}"
    for text in (shown.stdout, page.text, markdown.replace("\\", ""), latex.replace("{[}", "[").replace("{]}", "]")):
        assert re.search(rf"bleu\W+b\W*1 \[1, 2\]\W*{first}\W*1\b", text) and "WMT calls tiers clusters" in text
    assert "순위군" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_no_ranks_of_two_systems(run, content):
    assert "ranks" not in content(*TWO) and "tier" not in run(*TWO, *QUICK).stdout


def test_no_tiers_where_not_all_pairs_are_compared(run, content):
    assert {rank["tier"] for rank in content(*THREE, "--baseline", "a")["ranks"]} == {None}
    shown = run(*THREE, *QUICK, "--baseline", "a").stdout
    assert "first" in shown and "tier" not in shown


def test_few_segments_have_no_interval_of_ranks(run, content):
    for name in ("ref", "a", "b", "나쁜"):
        with open(f"{name}.txt", encoding="utf-8") as file:
            lines = file.read().splitlines()[:5]
        write(f"{name}.txt", *lines)
    for rank in content(*THREE)["ranks"]:
        assert rank["confidence_interval"] == [None, None] and rank["probability_first"] is None
    shown = run(*THREE, *QUICK).stdout
    assert re.search(r"bleu +b +1 +1\n", shown) and "no interval: fewer than 6 segments" in shown


def test_undefined_scores_have_no_rank():
    outcome = outcome_of({"bleu": {"a": 0.4, "b": math.nan, "c": 0.5}}, sure=[("bleu", "a", "c")])
    scores = np.array([[0.4], [math.nan], [0.5]])
    found = ranks.ranks_of(outcome, scores, np.repeat(scores[None], 20, axis=0), 40)
    assert [(rank.system, rank.rank, rank.tier) for rank in found[:2]] == [("c", 1, 1), ("a", 2, 2)]
    assert found[2].system == "b" and all(
        map(math.isnan, [found[2].rank, found[2].tier, *found[2].confidence_interval])
    )
    [table] = cells.further_tables(outcome._replace(ranks=found))
    assert table.rows[2] == ["bleu", "b", "nan", "", ""]
