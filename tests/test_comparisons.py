"""What a comparison rests on: clusters and groups against their segments alone, ties, legends, gates, pictures, words.

Data are such that the two sides of a decision differ: see README.md.
"""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from conftest import examples
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from test_clusters import CLUSTERS, GOLD, SYSTEMS
from test_compare_script import compared, outcome_of
from typer.testing import CliRunner

from textgauge.programs.commands import compare
from textgauge.programs.comparing import cases, cells, draws, gates, plots, power, ranks, significance, tables, verdict
from textgauge.programs.comparing.texts import latex_text, markdown_text
from textgauge.programs.reading.columns import FileColumn


@examples(0.5)
@given(st.integers(1, 14), st.integers(0, 99))
def test_clusters_are_segments_with_their_sums(n_clusters, seed):
    """But for the counts of segments; each cluster has several, so that exactness goes by clusters."""
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 9, (4 * n_clusters, 2, 2)).astype(float)
    labels = np.array([f"c{n:02}" for n in np.arange(4 * n_clusters) % n_clusters], dtype=object)
    sums = np.stack([values[labels == label].sum(0) for label in dict.fromkeys(labels)])
    (clustered, _), (alone, _) = compared(values, clusters=labels), compared(sums)
    for name in alone.keys() - {"wins", "ties", "losses", "undefined"}:
        np.testing.assert_allclose(clustered[name], alone[name], rtol=1e-9, err_msg=name)
    assert np.isnan(clustered["p_bootstrap"]).all() == (n_clusters < 6)


def test_a_group_is_what_its_segments_alone_are_with_their_clusters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns = {**{name: texts * 4 for name, texts in SYSTEMS.items()}, "gold": GOLD * 4}
    columns["doc"] = [f"{name}{n // 6}" for n, name in enumerate(CLUSTERS * 4)]
    columns["side"] = ["news" if n % 24 < 14 else "talk" for n in range(24)]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    asked = ["-d", "d.jsonl", "--prediction-column", "a", "--prediction-column", "b", "--reference-column", "gold"]
    asked += ["--column", "clusters=doc", "-m", "cer", "-m", "bleu:tokenizer=char", "--json", "-"]

    def result(rows, *more):
        (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        return json.loads(CliRunner().invoke(compare.app, [*asked, *more]).stdout)

    groups = result(rows, "--group-by", "side")["groups"]
    assert [group["segments"] for group in groups] == [14, 10]
    for group in groups:
        alone = result([row for row in rows if row["side"] == group["group"]["side"]])
        for found in (group, alone):
            for of in found["systems"].values():
                assert "clusters:custom(" in of["cer"].pop("signature")  # the number is that of all segments
                of["bleu char"].pop("signature")
                of["cer"].pop("errors", None)  # of all segments
        assert group["systems"] == alone["systems"]
        for cell, wanted in zip(group["comparisons"], alone["comparisons"], strict=True):
            same = {name: value for name, value in cell.items() if not name.endswith(("_holm", "_bh"))}
            assert same.items() <= wanted.items() and same["units"] < group["segments"]


@example([0.5, 0.0, math.nan, math.inf, 0.3])
@example([0.5, 0.5, 0.5, 0.5, 0.0])  # one is as far as the observed one, if nothing is rounded
@given(st.lists(st.sampled_from([0.5, -0.25, math.nan, math.inf, 0.0]), min_size=3, max_size=6))
def test_undefined_resamples_speak_against_nothing(resamples):
    """The mean is of those that are defined; the p-value counts the others as if they reached the limit."""
    finite = [abs(Fraction(value)) for value in resamples if math.isfinite(value)]
    assume(finite)
    mean = sum(finite) / len(finite)
    over = [not math.isfinite(value) or abs(Fraction(value)) - mean >= Fraction(1, 10) for value in resamples]
    found = significance.bootstrap_p(np.array(resamples)[:, None], np.array([0.1]), np.array([1.0]))
    assert found == pytest.approx([(sum(over) + 1) / (len(resamples) + 1)])


def test_only_rounding_makes_a_tie():
    count = significance.count_wins
    segments, others = np.array([[0.5], [0.5], [0.5 + 1e-15], [math.nan]]), np.array([[0.5], [0.5000001], [0.5], [0.5]])
    assert count(segments, others, np.array([False])).tolist() == [[0], [2], [1], [1]]
    assert count(segments, others, np.array([True])).tolist() == [[1], [2], [0], [1]]


def test_the_whole_legend():
    scores = {"bleu": {"a": 0.5, "b": 0.4}, "cer": {"a": 0.5, "b": 0.4}}
    outcome = outcome_of(scores)
    columns = {name: FileColumn("", ["x"] * 8, "", "line", range(8)) for name in "ab"}
    outcome = outcome._replace(corpus=outcome.corpus._replace(systems=columns))
    assert cells.legend(outcome) == [
        "8 segments; seed 1; the same draws for all scores",
        "difference: system minus against, with its 95% interval (bootstrap, 10 resamples)",
        "p AR: approximate randomisation, two-sided, all 256 ways",
        "Holm, BH: p AR adjusted for all 2 tests (pairs and scores), by Holm and by Benjamini and Hochberg; "
        "*: significant after Holm, at most 0.05",
        "p BS: paired bootstrap test as in sacreBLEU, in effect one-sided, while p AR is two-sided; "
        "none for fewer than 6 segments, where it is too small",
        "detectable: minimum detectable effect, which a test at 0.05 finds with probability 0.8",
        "better/equal/worse: segments where the system is better, equal or worse; + n where a score is undefined",
        "one run of each system: intervals and p do not include the variation between training seeds",
    ]
    human = outcome_of({"bleu": scores["bleu"], "human": {"a": 3.0, "b": 4.0}})
    assert "adjusted for the one test," in " ".join(cells.legend(human))
    many = outcome_of({"bleu": dict.fromkeys("abc", 0.5)})._replace(trials=12345)
    assert "12,345 trials" in " ".join(cells.legend(many)) and "all 3 tests" in " ".join(cells.legend(many))


def test_the_legend_of_few_segments_explains_what_is_there():
    """No interval, no p BS and no detectable difference are shown, and none is explained."""
    outcome = outcome_of({"bleu": {"a": 0.5, "b": 0.4}})
    [compared] = outcome.comparisons
    for units, is_shown in ((6, True), (5, False)):
        ends = [-0.2, 0.1] if is_shown else [math.nan, math.nan]
        detectable = 0.1 if is_shown else math.nan
        changed = compared._replace(units=units, confidence_interval=ends, detectable=detectable, p_bootstrap=0.001)
        few = outcome._replace(comparisons=[changed])
        [row] = cells.sections(few)[0].rows
        assert (row[7] == "0.0010") == is_shown and (row[7] == "") != is_shown
        said = "\n".join(cells.legend(few))
        assert all((word in said) == is_shown for word in ("interval (bootstrap", "p BS", "detectable:")), said
        assert "difference: system minus against" in said and "p AR" in said


def lines_of(scores, sure=(), **changes):
    """Returns the verdict, each comparison changed: (label, two systems) -> fields."""
    outcome = outcome_of(scores, sure)
    found = [c._replace(**changes.get(f"{c.metric}_{c.against}{c.system}", {})) for c in outcome.comparisons]
    return verdict.verdict(outcome._replace(comparisons=found)).lines


def test_the_side_that_is_better_by_more_scores_comes_first():
    scores = {"bleu": {"a": 0.5, "b": 0.4}, "chrf": {"a": 0.1, "b": 0.2}, "ter": {"a": 0.1, "b": 0.2}}
    first, second, *_ = lines_of(scores, [("chrf", "a", "b"), ("ter", "a", "b")])
    assert first.startswith("b is significantly better than a on chrf and ter (p")
    assert second.startswith("a is better than b on bleu, but not significantly")


def test_a_gate_of_a_label_with_an_equals_sign():
    assert gates.parse_gates(["bleu max_order=2=0.3", "a=b=baseline"], "x") == [
        gates.Gate("bleu max_order=2", 0.3),
        gates.Gate("a=b", None),
    ]
    outcome = outcome_of({"bleu max_order=2": {"a": 0.5, "b": 0.2}})
    outcome.columns[0].metric.USUAL_RANGE = (0, 1)
    assert gates.failures([gates.Gate("bleu max_order=2", 0.3)], outcome) == ["b: bleu max_order=2 0.2000 is below 0.3"]


def test_names_of_systems_in_markdown_and_latex():
    """Each sign that would be a command: as it is read, it is the sign."""
    name = r"가~^\{}[]<>|_*`#$%&"
    outcome = outcome_of({"bleu": {name: 0.5, "b": 0.4}})
    for of in outcome.results.values():
        of["bleu"]["signature"] = "s"
    lines = [line for line in latex_text(outcome).splitlines() if not line.startswith("%")]  # but for comments
    latex, markdown = "\n".join(lines), markdown_text(outcome)
    written = (
        r"가\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}{[}{]}\textless{}\textgreater{}\textbar{}"
        r"\_*`\#\$\%\&"
    )
    assert written in latex and name not in latex
    assert r"가\~^\\\{\}\[\]\<\>\|\_\*\`\#$%\&" in markdown


def test_entities_in_names_are_no_markup_in_markdown():
    """What a reader sees is the name, letter by letter."""
    outcome = outcome_of({"bleu": {"&lt;b&gt;x&#60;i&#62;": 0.5, "b": 0.4}})
    for of in outcome.results.values():
        of["bleu"]["signature"] = "s"
    page = MarkdownIt("commonmark").enable("table").render(markdown_text(outcome))
    assert page.count("&amp;lt;b&amp;gt;x&amp;#60;i&amp;#62;") >= 2
    assert not re.search("(?<!amp;)&?(&lt;b&gt;|&lt;i&gt;)|<b>", page)


def numbers(svg, pattern):
    return [[float(number) for number in found.groups()] for found in re.finditer(pattern, svg)]


def test_pictures_of_differences():
    """Three rows share an axis with the zero; the band is that of what is not sure."""
    (first,) = outcome_of({"bleu": {"a": 0.5, "b": 0.4}}).comparisons
    parts = [(0.2, [0.1, 0.4], 0.01, 0.3), (0.1, [-0.1, 0.3], 0.4, 0.2), (-0.3, [math.nan] * 2, 0.4, math.nan)]
    names = ("difference", "confidence_interval", "p_randomization_holm", "detectable")
    rows = [first._replace(**dict(zip(names, part, strict=True))) for part in parts]
    drawn, axis = plots.forest(rows, 0.05)
    low, high = -0.3 - 0.05 * 0.7, 0.4 + 0.05 * 0.7

    def place(value):
        return pytest.approx(16 + (value - low) / (high - low) * 208, abs=0.06)

    assert [numbers(svg, r'class="equal" d="M([\d.]+) 0V26"') for svg in drawn] == [[[place(0)]]] * 3
    assert [numbers(svg, r'cx="([\d.]+)" cy="13"') for svg in drawn] == [[[place(c.difference)]] for c in rows]
    lines = [numbers(svg, r'class="score" d="M([\d.]+) 13H([\d.]+)"') for svg in drawn]
    assert lines == [[[place(0.1), place(0.4)]], [[place(-0.1), place(0.3)]], []]
    bands = [numbers(svg, r'class="band" x="([\d.]+)" width="([\d.]+)" height="26"') for svg in drawn]
    assert bands == [[], [[place(-0.2), pytest.approx(0.4 / (high - low) * 208, abs=0.11)]], []]
    assert re.findall(r">([−\d.]+)</text>", axis) == ["−0.2", "0.0", "0.2", "0.4"]


def test_an_axis_of_one_segment_holds_the_zero():
    (first,) = outcome_of({"bleu": {"a": 0.5, "b": 0.4}}).comparisons
    nan = [math.nan, math.nan]
    for difference in (-40.0, 40.0):
        only = first._replace(difference=difference, confidence_interval=nan, detectable=math.nan)
        [svg], _ = plots.forest([only], 0.05)
        [[zero]], [[point]] = numbers(svg, r'class="equal" d="M([\d.]+) '), numbers(svg, r'cx="([\d.]+)"')
        assert 16 < min(zero, point) < max(zero, point) < 224 and (point > zero) == (difference > 0)
    assert plots.forest([first._replace(difference=math.nan, confidence_interval=nan, detectable=math.nan)], 0.05) == (
        [],
        "",
    )


def test_limits_themselves():
    """One unit, segment or step before and after each."""
    assert [draws.least_units(2 / 2**n) for n in (1, 5, 12)] == [1, 5, 12] and draws.least_units(1e-9) == 13
    assert draws.least_p(12, 99) == 2 / 2**12 and draws.least_p(13, 99) == 1 / 100
    assert draws.least_trials(1, 0.5) == 1  # of two ways one is as extreme
    outcome = outcome_of({"bleu": {"a": 0.5, "b": 0.2}})
    outcome.columns[0].metric.USUAL_RANGE = (0, 1)
    with pytest.raises(ValueError, match=r"did you mean 1\?"):
        gates.failures([gates.Gate("bleu", 100)], outcome)
    with pytest.raises(ValueError, match=r"from 0 to 1$"):
        gates.failures([gates.Gate("bleu", 101)], outcome)
    with pytest.raises(ValueError, match="every system would pass"):
        gates.failures([gates.Gate("bleu", 0)], outcome)
    three = outcome_of({"bleu": {"a": 0.5, "b": 0.2, "c": 0.1}})
    drawn = np.tile([[[0.5], [0.2], [0.1]]], (9, 1, 1))
    firsts = [[rank.probability_first for rank in ranks.ranks_of(three, drawn[0], drawn, units)] for units in (5, 6)]
    assert np.isnan(firsts[0]).all() and firsts[1] == [1, 0, 0]


def test_no_remedy_where_there_are_enough_segments():
    """40 segments of which a test needs 40, and one of which it needs more."""
    outcome = outcome_of({"bleu": {"a": 0.5, "b": 0.4}})
    (found,) = outcome.comparisons
    exact = found._replace(difference=-found.detectable, confidence_interval=[-0.5, 0.0])
    assert power.needed_segments(exact, 40, 0.05, 1) == 40 and needed_of(outcome, exact) is None
    assert needed_of(outcome, exact._replace(difference=-0.99 * found.detectable)).facts["needed"] == 41


def needed_of(outcome, comparison):
    return power.needed_of(outcome, cases.case_of(outcome, comparison))


def test_a_remedy_names_at_least_what_a_test_takes():
    """Three segments would do by their spread, but no test of fewer than six can be sure; of clusters nobody knows."""
    outcome = outcome_of({"bleu": {"a": 0.5, "b": 0.4}})
    columns = {name: FileColumn("", ["x"] * 2, "", "line", range(2)) for name in "ab"}
    outcome = outcome._replace(corpus=outcome.corpus._replace(systems=columns))
    (found,) = outcome.comparisons
    found = found._replace(difference=-found.detectable * (2 / 3) ** 0.5 - 1e-9, confidence_interval=[-0.01, 0.0])
    clusters = {"clusters": [FileColumn("", ["d", "e"], "", "line", range(2))]}
    for columns, needed in (({}, 6), (clusters, 3)):
        of = outcome._replace(corpus=outcome.corpus._replace(columns=columns))
        assert needed_of(of, found).facts["needed"] == needed


def test_columns_of_tables_that_hold_names_are_set_to_the_left():
    scores = {"bleu": {"a": 0.5, "b": 0.4}}
    outcome = outcome_of(scores, groups=[("x", scores, []), ("y", scores, [])])
    for result in (outcome.results, *(group.results for group in outcome.groups)):
        for of in result.values():
            of["bleu"]["signature"] = "s"
    specs = re.findall(r"\\begin\{tabular\}\{(\w+)\}", latex_text(outcome))
    assert specs == ["lr", "lr", "ll" + 8 * "r", "lrrr", "lll" + 8 * "r"]

    def columns_of_markdown(outcome):
        rules = re.findall(r"^\| -.*$", markdown_text(outcome), flags=re.M)
        return ["".join("r" if ":" in cell else "l" for cell in rule.split("|")[1:-1]) for rule in rules]

    assert columns_of_markdown(outcome) == specs
    runs = outcome._replace(runs={name: {"bleu": [0.3, 0.4]} for name in "ab"})
    assert columns_of_markdown(runs)[2] == "llrr"


@pytest.mark.parametrize(("width", "line"), [(12, "-0.1000"), (200, "b a -0.1000 [-1.0000, 1.0000] 0.4000")])
def test_layouts_of_very_narrow_and_of_wide_terminals(width, line, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    tables.print_comparisons(outcome_of({"bleu": {"a": 0.5, "b": 0.4}}))
    shown = [" ".join(shown.split()) for shown in capsys.readouterr().out.splitlines()]
    assert any(text == line or text.startswith(f"{line} ") for text in shown)


def test_legends_explain_what_only_groups_have():
    """Of all segments the difference is undefined."""
    scores = {"bleu": {"a": 0.5, "b": 0.4}}
    outcome = outcome_of(scores, groups=[("x", scores, [])])
    undefined = {"difference": math.nan, "confidence_interval": [math.nan] * 2, "detectable": math.nan}
    outcome = outcome._replace(comparisons=[found._replace(**undefined) for found in outcome.comparisons])
    for groups, is_explained in ((outcome.groups, True), ([], False)):
        said = "\n".join(cells.legend(outcome._replace(groups=groups)))
        assert ("detectable: " in said, "95% interval" in said) == (is_explained, is_explained)


def test_legends_count_what_metrics_say_in_groups():
    """Two scores in two groups; what people say is counted elsewhere."""
    scores = {name: {"a": 0.5, "b": 0.4} for name in ("bleu", "chrf", "human")}
    outcome = outcome_of(scores, groups=[("x", scores, []), ("y", scores, [])])
    lines = cells.legend(outcome)
    few = "no interval in groups of fewer than 6 segments"
    assert any("adjusted for all 4 cells" in line for line in lines) and few not in lines
    [first, second] = outcome.groups
    small = second._replace(comparisons=[found._replace(units=5) for found in second.comparisons[:2]])
    assert few in cells.legend(outcome._replace(groups=[first, small]))
