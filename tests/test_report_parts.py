"""Parts of a report: groups, differences, pictures of known segments, what is left out, and the Hub's names."""

import itertools
import json
import math
import re

import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from test_compare_script import Ratio, outcome_of
from test_comparisons import numbers
from test_report import scored, write_jsonl
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.comparing import cells, plots, verdict
from textgauge.programs.comparing.records import Rank
from textgauge.programs.drawing.plots import histogram_legend
from textgauge.programs.publishing import cards, results
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.reporting import choice, groups, names, report, scores, segments, standings, static_page
from textgauge.programs.reporting.compared import compared_parts
from textgauge.programs.saying.widths import text_width
from textgauge.programs.scoring.specs import Scorer


class Rate(Ratio):
    """The same where lower is better."""

    LOWER_IS_BETTER = True


def turned(outcome):
    return outcome._replace(columns=[column._replace(metric=Rate()) for column in outcome.columns])


def test_cells_of_groups():
    """Against the best system of all; better is by the direction of the score, sure is by the adjusted p-value."""
    own = {"m": {"a": 0.5, "b": 0.3}}, {"m": {"a": 0.1, "b": 0.2}}, {"m": {"a": 0.4, "b": 0.4}}
    whole = {"m": {"a": 0.5, "b": 0.4}}
    sure = [("m", "a", "b")]
    outcome = outcome_of(whole, groups=[("x", own[0], sure), ("y", own[1], []), ("z", own[2], [])])
    [x, y, z] = outcome.groups
    y = y._replace(comparisons=[c._replace(p_randomization=0.04, p_randomization_holm=0.16) for c in y.comparisons])
    outcome = outcome._replace(groups=[x, y, z])
    [found] = groups.group_maps(outcome)
    first, second = (row["cells"] for row in found["rows"])
    assert (found["against"], [row["system"] for row in found["rows"]]) == ("a", ["a", "b"])
    assert [(cell["kind"], cell["heat"], cell["sign"]) for cell in first] == [("", 0, "")] * 3
    assert [(cell["kind"], cell["heat"], cell["sign"]) for cell in second] == [
        ("worse", 70, "▼"), ("better", 35, ""), ("", 0, ""),
    ]  # fmt: skip
    assert [cell["said"] for cell in second] == [
        "significantly worse than a by 0.2000", "better than a by 0.1000, not significantly", "",
    ]  # fmt: skip
    assert [cell["is_best"] for cell in second] == [False, True, True]
    [pair] = found["pairs"]
    assert (pair["system"], pair["against"]) == ("b", "a")
    assert [(cell["value"], cell["is_sure"], cell["p"]) for cell in pair["cells"]] == [
        ("−0.2000", True, "p 0.0010"), ("+0.1000", False, "p 0.1600"), ("+0.0000", False, "p 0.4000"),
    ]  # fmt: skip
    [found] = groups.group_maps(turned(outcome))
    assert found["against"] == "b" and [cell["kind"] for cell in found["rows"][0]["cells"]] == ["worse", "better", ""]
    assert found["rows"][0]["cells"][0]["sign"] == "▼" and found["lower"] == "↓ lower is better"
    [found] = groups.group_maps(outcome._replace(settings=outcome.settings._replace(baseline="b")))
    assert found["against"] == "b"
    [found] = groups.group_maps(outcome_of({"m": {"a": 0.5}}, groups=[("x", {"m": {"a": 0.5}}, [])]))
    assert [row["cells"][0]["is_best"] for row in found["rows"]] == [False]  # of nobody


def test_an_infinite_difference_has_the_strongest_colour_alone():
    found = [("x", {"m": {"a": 0.5, "b": 0.3}}, []), ("y", {"m": {"a": 0.5, "b": -math.inf}}, [])]
    [of_score] = groups.group_maps(outcome_of({"m": {"a": 0.5, "b": 0.4}}, groups=found))
    assert [cell["heat"] for cell in of_score["rows"][1]["cells"]] == [70, 70]


@pytest.mark.parametrize(("n_open", "n_said", "n_folded"), [(1, 1, 0), (2, 2, 0), (3, 0, 3)])
def test_more_than_two_open_cases_are_behind_a_fold(n_open, n_said, n_folded):
    outcome = outcome_of({label: {"a": 0.5, "b": 0.4} for label in "mno"[:n_open]})
    parts = compared_parts(outcome)
    assert len(parts["verdict"].open_cases) == n_open
    assert len([line for line in parts["said"] if line in parts["verdict"].open_cases]) == n_said
    assert len(parts["open_cases"]) == n_folded


def test_standings():
    """In the order of the ranks; each system beats another surely, perhaps, or not."""
    outcome = outcome_of(
        {"m": {"a": 0.3, "b": 0.5, "c": 0.5}, "human": {"a": 1.0, "b": 2.0, "c": 3.0}}, [("m", "a", "b")]
    )
    ranks = [
        Rank("m", "b", 1, [1, 2], 0.5, 1), Rank("m", "c", 1, [1, 1], 0.5, 1), Rank("m", "a", 3, [3, 3], 0.0, 2),
        *(Rank("human", name, place, [1, 3], 0.3, 1) for place, name in enumerate("cba", start=1)),
    ]  # fmt: skip
    assert standings.standings(outcome) == standings.standings(None) == []
    outcome = outcome._replace(ranks=ranks)
    for of_system in outcome.results.values():
        for result in of_system.values():
            result["confidence_interval"] = [0.2, 0.6]
    first, people = standings.standings(outcome, "https://a.b/{metric}")
    assert (first["label"], first["rivals"], people["label"]) == ("m", ["b", "c", "a"], "people")
    assert (first["page"], people["page"]) == ("https://a.b/ratio", "")
    rows = first["rows"]
    assert [(row["system"], row["rank"], row["starts_tier"]) for row in rows] == [
        ("b", "1 (1–2)", False), ("c", "1", False), ("a", "3", True),
    ]  # fmt: skip
    assert [[cell["kind"] for cell in row["cells"]] for row in rows] == [
        ["", "equal", "sure"], ["equal", "", "perhaps"], ["worse", "not", ""],
    ]  # fmt: skip
    assert rows[0]["cells"][2]["said"] == "b is significantly better than a, p 0.0010"
    assert rows[1]["cells"][2]["said"] == "c is better than a, not significantly, p 0.4000"
    assert [row["value"] for row in rows] == ["0.5000", "0.5000", "0.3000"] and rows[0][
        "interval"
    ] == "[0.2000, 0.6000]"
    assert [row["system"] for row in people["rows"]] == ["c", "b", "a"]
    baseline = outcome._replace(settings=outcome.settings._replace(baseline="a"))
    assert [row["cells"][0]["kind"] for row in standings.standings(baseline)[0]["rows"]] == ["sure", "perhaps", ""]


def test_the_legend_of_standings_explains_what_is_there():
    outcome = outcome_of({"m": {"a": 0.3, "b": 0.5, "c": 0.6}}, [("m", "a", "b"), ("m", "a", "c")])
    for of_system in outcome.results.values():
        of_system["m"]["confidence_interval"] = [0.1, 0.9]
    for intervals, tiers in itertools.product([[1, 2], [1, 1]], [[1, 1, 2], [1, 1, 1]]):
        ranks = [
            Rank("m", name, place, intervals, 0.5, tier)
            for place, (name, tier) in enumerate(zip("cba", tiers, strict=True), 1)
        ]
        said = standings.standing_legend(standings.standings(outcome._replace(ranks=ranks)))
        assert ("brackets" in said, "Thick line" in said) == (intervals == [1, 2], tiers == [1, 1, 2]), said
        undefined = [rank._replace(probability_first=math.nan) for rank in ranks]
        for shown, has_first in ((ranks, True), (undefined, False)):
            lines = cells.legend(outcome._replace(ranks=shown))
            assert ("probability of being first" in "".join(lines)) == has_first


def test_differences_without_intervals_are_not_drawn():
    outcome = outcome_of({"m": {"a": 0.3, "b": 0.5, "c": 0.6}})
    few = [c._replace(confidence_interval=[math.nan, math.nan]) for c in outcome.comparisons]
    for comparisons, is_drawn in ((outcome.comparisons, True), (few, False)):
        parts = compared_parts(outcome._replace(comparisons=comparisons))
        [(pictures, axis)] = parts["plots"]
        assert (len(pictures), bool(axis), parts["has_plots"]) == (3 * is_drawn, is_drawn, is_drawn)


def test_intervals_share_an_axis():
    first, second, undefined = plots.intervals([(0.2, 0.0, 0.4), (1.0, 0.4, 1.0), (math.nan, math.nan, math.nan)])
    ends = numbers(first + second, r'class="score" d="M([\d.]+) [\d.]+H([\d.]+)"')
    assert ends == [pytest.approx([120 * (x + 0.05) / 1.1 for x in pair], abs=0.06) for pair in ((0, 0.4), (0.4, 1))]
    assert numbers(first + second, r'cx="([\d.]+)"') == [
        [pytest.approx(120 * (x + 0.05) / 1.1, abs=0.06)] for x in (0.2, 1)
    ]
    assert numbers(first, r'cy="([\d.]+)" r="3.5"') == [[11]]  # in the middle of its height
    assert "path" not in undefined and "circle" not in undefined


def test_the_row_of_differences_says_whose_they_are():
    """They are those of the second system minus the first; a column without a comparison is empty."""
    outcome = outcome_of({"m": {"a": 0.5, "b": 0.3}}, [("m", "a", "b")])
    row = scores.difference_row(outcome, ["m", "n"])
    assert (row["system"], row["against"]) == ("b", "a")
    m, n = row["cells"]
    assert (m["value"], m["is_sure"], n["value"], n["picture"]) == ("−0.2000", True, "", "") and m["picture"]


def test_only_adjusted_p_values_are_sure():
    """In the row of differences, and with a star in a table."""
    outcome = outcome_of({"m": {"a": 0.5, "b": 0.3}, "n": {"a": 0.5, "b": 0.3}})
    pairs = [(0.01, 0.02), (0.04, 0.16)]
    found = [
        comparison._replace(p_randomization=plain, p_randomization_holm=adjusted, p_randomization_bh=0.03)
        for comparison, (plain, adjusted) in zip(outcome.comparisons, pairs, strict=True)
    ]
    outcome = outcome._replace(comparisons=found)
    row = scores.difference_row(outcome, ["m", "n"])
    assert [cell["is_sure"] for cell in row["cells"]] == [True, False]
    shown = [section.rows[0][4:7] for section in cells.sections(outcome)]
    assert shown == [("0.0100", "0.0200*", "0.0300"), ("0.0400", "0.1600", "0.0300")]


def test_sure_is_at_most_the_level_and_never_nothing():
    (found,) = outcome_of({"m": {"a": 0.5, "b": 0.3}}).comparisons
    at, above = found._replace(p_randomization_holm=0.05), found._replace(p_randomization_holm=math.nextafter(0.05, 1))
    undefined = at._replace(difference=math.nan, p_randomization_holm=math.nan)
    pairs = at, above, at._replace(difference=0.0), undefined
    assert [pair.is_sure(0.05) for pair in pairs] == [True, False, False, False]


def test_a_legend_counts_the_ways_to_swap_clusters():
    outcome = outcome_of({"m": {"a": 0.5, "b": 0.3}})
    documents = FileColumn("", list("wxyz") * 10, "", "line", range(40))
    corpus = outcome.corpus._replace(columns={"clusters": [documents]})
    first, _, ways, *_ = cells.legend(outcome._replace(corpus=corpus))
    assert first.startswith("40 segments in 4 clusters,") and ways.endswith("two-sided, all 16 ways")


def test_of_two_sides_the_sure_one_comes_first():
    pair = {"m": {"a": 0.5, "b": 0.3}, "n": {"a": 0.3, "b": 0.5}}
    for label, first in (("m", "a"), ("n", "b")):
        headline = verdict.verdict(outcome_of(pair, [(label, "a", "b")])).first
        assert headline.startswith(f"{first} is significantly better than")


NAMES = st.text("ab-/_.가나", min_size=1, max_size=40)


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True))
def test_short_names_are_as_different_as_the_names(given_names):
    short = names.short_names(given_names)
    assert list(short) == given_names and len(set(short.values())) == len(given_names)
    assert all(short[name] == name for name in given_names if text_width(name) <= 12)
    assert all(text_width(text) <= 12 for text in short.values()) or set(short.items()) == set(
        zip(given_names, given_names, strict=True)
    )


def test_short_names_keep_what_tells_them_apart():
    models = ["meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-70B-Instruct"]
    assert list(names.short_names(models).values()) == ["…8B-Instruct", "…70B-I…truct"]
    assert names.short_names(["한국어번역모델대형이천이십오년판"]) == {
        "한국어번역모델대형이천이십오년판": "한국어…년판"
    }
    assert names.short_names(["가나다라마바a"]) == {"가나다라마바a": "가나다…마바a"}  # as much as fits


def test_no_score_by_people_is_an_empty_cell():
    found = {name: {"m": {"m": value}} for name, value in (("a", 0.5), ("b", 0.3))}
    columns = [Scorer("m", Ratio(), {}, "")]
    table = scores.score_table(columns, found, {"a": 0.0}, False)
    assert [[cell["value"] for cell in row["cells"]] for row in table["rows"]] == [["0.5000", "0"], ["0.3000", ""]]
    assert [[cell["is_best"] for cell in row["cells"]] for row in table["rows"]] == [[True, False], [False, False]]


A, B = [0.1, 0.5, 0.9], [0.2, 0.7, 0.3]


@pytest.mark.parametrize("lower", [False, True])
def test_the_picture_of_two_systems(lower):
    """To the right as the second scores a segment, upwards as the best one; colours say whom people prefer."""
    people = {"a": [1.0, 3.0, 2.0], "b": [2.0, 1.0, 2.0]}
    corpus, scorer, found = scored(lower, human=people, a=A, b=B)
    found["a"]["m"]["m"], found["b"]["m"]["m"] = 0.6, 0.4
    shown = {"labels": ["m"], "numbers": {1, 3}}
    picture = report._two_systems(corpus, [scorer], found, shown)
    right, up, names = (B, A, "ba") if not lower else (A, B, "ab")
    points = numbers(picture["html"], r'series-\d\)" d="M([\d.]+) ([\d.]+)m')
    links = re.findall(r'href="#segment-(\d)"', picture["html"])
    preferred = report._preferences(corpus, list(names))
    assert list(preferred.values()) == ([[0], [1], [2]] if not lower else [[1], [0], [2]])
    assert [name.split()[-1] for name in list(preferred)[:2]] == list(names)
    assert sorted(links) == ["1", "3"]
    order = [row for rows in preferred.values() for row in rows]
    for axis, values, start, sign in ((0, right, 36, 1), (1, up, 232, -1)):
        low, high = 0.06, 0.94  # of all scores, .1 to .9, and a twentieth of that at both ends
        wanted = [start + sign * (values[row] - low) / (high - low) * 226 for row in order]
        assert [point[axis] for point in points] == pytest.approx(wanted, abs=0.01)
    assert any(f"of {names[0]} to the right, of {names[1]} upwards" in note for note in picture["notes"])
    assert picture["notes"][-1].endswith("prefer the same system in 1 of the 2 segments where both prefer one.")


def test_pictures_of_two_segments_but_not_of_one():
    for size in (1, 2):
        corpus, scorer, found = scored(a=A[:size], b=B[:size])
        shown = {"labels": ["m"], "numbers": {1}}
        assert (report._two_systems(corpus, [scorer], found, shown) is None) == (size < 2)


def test_histograms_of_what_differs():
    """Two values make none; what is undefined or infinite is counted, and not drawn."""
    _, scorer, found = scored(a=[0.1, 0.2, 0.1, 0.2])
    assert report._plots(scorer, found) == []
    _, scorer, found = scored(a=[0.1, 0.2, 0.4, 0.4], b=[0.1, math.nan, math.inf, 0.2])
    plots = report._plots(scorer, found)
    assert [(plot["system"], plot["left_out"]) for plot in plots] == [("a", 0), ("b", 2)]
    assert [plot["mean"] for plot in plots] == pytest.approx([0.275, 0.15])


def test_bands_are_explained_where_they_are_drawn():
    _, scorer, found = scored(a=[0.1, 0.2, 0.4, 0.4])
    for interval, is_drawn in (([], False), ([math.nan, math.nan], False), ([0.1, 0.3], True)):
        found["a"]["m"]["confidence_interval"] = interval
        drawn = [plot["svg"] for plot in report._plots(scorer, found)]
        assert ("band" in histogram_legend(drawn)) == is_drawn, interval


def test_bars_of_a_histogram():
    """Each bar is as high as its number of segments; lines at the corpus score and at the mean."""
    _, scorer, found = scored(a=[0.0, 0.3, 0.3, 0.3, 0.6, 0.6])
    found["a"]["m"].update(m=0.45, confidence_interval=[0.15, 0.6])
    [plot] = report._plots(scorer, found)
    [bars] = re.findall(r'class="bars" d="M20 44(.*?)V44Z"', plot["svg"])
    heights = [round(44 - float(y), 1) for y in re.findall(r"V([\d.]+)", bars)]
    assert [height for height in heights if height] == [pytest.approx(37 * n / 3.15, abs=0.1) for n in (1, 3, 2)]
    assert [bool(height) for height in heights].index(True) == 0 and heights[-1]

    def place(value):
        return pytest.approx(20 + value / 0.6 * 298, abs=0.06)

    assert numbers(plot["svg"], r'class="score" d="M([\d.]+) ') == [[place(0.45)]]
    assert numbers(plot["svg"], r'class="mean" d="M([\d.]+) ') == [[place(2.1 / 6)]]
    [[left, width]] = numbers(plot["svg"], r'class="band" x="([\d.]+)" y="7" width="([\d.]+)"')
    assert left == place(0.15) and left + width == place(0.6)


def test_segments_have_their_own_scores_by_people(tmp_path, monkeypatch):
    """Also where one of two systems has them alone; the page says how many segments it leaves out."""
    monkeypatch.chdir(tmp_path)
    texts = ["고양이가 잔다", "개가 짖는다", "비가 온다", "눈이 온다", "해가 뜬다", "새가 난다"]
    write_jsonl("d.jsonl", *({"A": t, "B": t[:-1], "ref": t, "hA": n + 0.5} for n, t in enumerate(texts)))
    asked = ["-d", "d.jsonl", "--prediction-column", "A", "--prediction-column", "B", "--reference-column", "ref"]
    found = CliRunner().invoke(
        score.app, [*asked, "--human-column", "A=hA", "-m", "cer", "--segments", "2", "--html", "r.html"]
    )
    assert found.exit_code == 0, found.output
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "4 further segments, which show less, are not on this page" in page
    found = CliRunner().invoke(score.app, [*asked, "--human-column", "A=hA", "-m", "cer", "--html", "r.html"])
    page = (tmp_path / "r.html").read_text("utf-8")
    said = re.findall(r'id="segment-(\d)".*?people (\d\.5)<', page, flags=re.S)
    assert sorted(said) == [(f"{n + 1}", f"{n + 0.5}") for n in range(6)]


def test_the_first_screen_links_segments_of_the_page_alone():
    """Of the first four orders that show something, up to five segments each, and those that the page has."""
    sizes = {"a": 9, "b": 0, "c": 1, "d": 6, "e": 2, "f": 3}
    orders = [choice.Order(name, list(range(9)), n_telling) for name, n_telling in sizes.items()]
    found = segments._telling(orders)
    assert found == [("a", [0, 1, 2, 3, 4]), ("c", [0]), ("d", [0, 1, 2, 3, 4]), ("e", [0, 1])]
    assert report._fails({"fails": found, "numbers": {2, 5, 6}}) == [("a", [1, 4]), ("d", [1, 4]), ("e", [1])]


def test_the_segments_of_a_page_are_those_of_its_first_metric():
    """Of chrF, which tells more segments apart: the systems differ most in segment 2, by BLEU in segment 3."""
    texts = FileColumn("", ["가 나", "다 라", "마 바", "사 아"], "", "line", range(1, 5))
    corpus = Corpus("", {"a": texts, "b": texts}, {"references": [texts]}, {}, "")
    scorers = [Scorer(name, load(name), {}, name) for name in ("bleu", "chrf")]
    by_score = {"bleu": [0.0, 0.0, 1.0, 0.0], "chrf": [0.1, 0.9, 0.2, 0.3]}
    found = {
        "a": {label: {label: 0.5, "segments": values} for label, values in by_score.items()},
        "b": {label: {label: 0.5, "segments": [0.0] * 4} for label in by_score},
    }
    shown = segments.segment_list(corpus, scorers, found, {}, 1)
    assert shown["labels"] == ["chrf", "bleu"] and shown["numbers"] == {2}


def test_zeros_are_said_from_more_than_half_on():
    for zeros, is_said in ((2, False), (3, True)):
        corpus, _, found = scored(a=[0.0] * zeros + [0.5] * (4 - zeros))
        scorer = Scorer("bleu", load("bleu"), {}, "bleu")
        results = {"a": {"bleu": found["a"]["m"]}}
        assert bool(segments.zero_notes(corpus, [scorer], results)) == is_said


@pytest.mark.parametrize("order", ["".join(order) for order in itertools.permutations("abc")])
def test_disagreement_of_three_systems(order):
    """The largest of any pair, wherever that stands: in segment 2 people and the metric disagree on b and c alone."""
    people = {"a": [1.0, 5.0, 1.0], "b": [2.0, 2.0, 1.0], "c": [3.0, 3.0, 1.0]}
    metric = {"a": [0.1, 0.9, 0.3], "b": [0.2, 0.8, 0.2], "c": [0.3, 0.1, 0.1]}
    corpus, scorer, found = scored(human=people, **{name: metric[name] for name in order})
    assert choice.disagreements(corpus, scorer, found).tolist() == pytest.approx([-0.1, 0.7, 0.0])
    assert choice.orders_of(corpus, scorer, found)[1][:2] == ("people disagree most", [1, 2, 0])


def test_empty_headings_of_a_card_are_no_headings():
    html = static_page.card_html("| | b |\n|---|---|\n| 1 | 2 |\n")
    assert "<th></th>" not in html and html.count("<th") == 2 and "<td></td>" in html


def test_names_of_published_results(tmp_path):
    file = tmp_path / "r.json"
    scores = {"가": 0.5, "b": 0.4}
    systems = {system: {"bleu": {"bleu": score, "signature": "bleu|v1.0"}} for system, score in scores.items()}
    file.write_text(json.dumps({"systems": systems}), "utf-8")
    with pytest.raises(ValueError, match="there is no zz; say which with --system: 가, b"):
        results.read_score(file, "zz", None)
    with pytest.raises(ValueError, match="^say which with --system: 가, b"):
        results.read_score(file, None, None)
    with pytest.raises(ValueError, match="there is no chrf; say which with --score: bleu"):
        results.read_score(file, "b", "chrf")
    assert results.read_score(file, "가", None) == ("가", "bleu", {"bleu": 0.5, "signature": "bleu|v1.0"})
    assert results.file_name("모임/뉴스", "default", "bleu 가나") == ".eval_results/모임-뉴스-default-bleu-가나.yaml"


def test_a_description_of_60_characters_is_taken():
    texts = dict.fromkeys(("title", "emoji", "license", "description"), "x")
    front = {**texts, "colorFrom": "red", "colorTo": "red", "sdk": "static", "tags": ["evaluate", "metric"]}
    for length in (60, 61):
        card = f"---\n{json.dumps({**front, 'short_description': 'x' * length})}\n---\n"
        if length == 60:
            cards.check_front_matter(card, "static")
        else:
            with pytest.raises(ValueError, match="short_description has 61 characters; the Hub takes 60"):
                cards.check_front_matter(card, "static")
