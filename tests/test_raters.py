"""Several raters per row: Krippendorff's alpha, standardised scores, and the ceiling that their noise sets a metric."""

import itertools
import json
import math
import re

import numpy as np
import pytest
import scipy.stats
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st
from oracles import expanded_percentiles
from test_human_correlation import mean
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.drawing.scatter import scatter_html
from textgauge.programs.page.grid import from_cells, to_cells
from textgauge.raters.raters import krippendorff_alpha

NAN = math.nan
KEYS = (
    "alpha", "ordinal_alpha", "nominal_alpha", "kappa", "weighted_kappa", "rater_correlation", "reliability",
    "noise_ceiling",
)  # fmt: skip


@st.composite
def tables(draw, is_complete=False):
    """Ratings of 1 to 12 rows by 1 to 5 raters, with ties and, unless complete, gaps; no row is empty."""
    rating = st.integers(-3, 3) | st.floats(-100, 100).map(lambda value: round(value, 2))
    n_raters = draw(st.integers(1, 5))
    row = st.lists(rating if is_complete else rating | st.none(), min_size=n_raters, max_size=n_raters)
    return draw(st.lists(row.filter(lambda row: any(value is not None for value in row)), min_size=1, max_size=12))


def compute(table, **options):
    """The metric with some scores, which say nothing about the raters."""
    metric, scores = load("human_correlation"), [math.sin(row) for row in range(len(table))]
    return metric.compute(predictions=scores, references=table, **options)


def array(table):
    return np.array(table, dtype=float)


def alpha_by_definition(table, difference):
    """1 - D_o / D_e with a loop over all pairs of scores, as Krippendorff (2011) defines it."""
    rows = [[value for value in row if value is not None and not math.isnan(value)] for row in table]
    rows = [row for row in rows if len(row) > 1]
    values = list(itertools.chain.from_iterable(rows))
    if len(set(values)) < 2:
        return NAN
    n = len(values)
    observed = sum(
        sum(difference(a, b, values) for a, b in itertools.permutations(row, 2)) / (len(row) - 1) for row in rows
    )
    expected = sum(difference(a, b, values) for a, b in itertools.permutations(values, 2)) / (n - 1)
    return 1 - observed / expected


def interval_difference(a, b, _):
    return (a - b) ** 2


def ordinal_difference(a, b, values):
    low, high = min(a, b), max(a, b)
    between = sum(low <= value <= high for value in values)
    return (between - (values.count(a) + values.count(b)) / 2) ** 2 if a != b else 0


def nominal_difference(a, b, _):
    return a != b


def kappa_by_definition(table, cost, scale=None):
    """1 - observed / expected cost, Cohen (1960, 1968), by loops over all rows; the mean over pairs of raters.

    A resample has the categories of all rows, the scale.
    """
    names = sorted({value for row in scale or table for value in row if value is not None and not math.isnan(value)})
    codes = [[None if value is None or math.isnan(value) else names.index(value) for value in row] for row in table]
    found = []
    for a, b in itertools.combinations(range(len(table[0])), 2):
        rows = [(row[a], row[b]) for row in codes if None not in (row[a], row[b])]
        expected = sum(cost(one, other) for one, _ in rows for _, other in rows) / max(len(rows), 1)
        found.append(1 - sum(cost(*row) for row in rows) / expected if expected else NAN)
    return mean(found)


def weighted_cost(a, b):
    return (a - b) ** 2


# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]
# Shrout and Fleiss (1979), Table 2: six targets, four judges; their ICC(3,4) is .91
JUDGES = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_alpha_as_krippendorff_publishes_it():
    table = np.array(OBSERVERS).T.tolist()[:11]  # the twelfth has one score, and none is left out by hand
    result = compute(table)
    assert (round(result["alpha"], 3), round(result["ordinal_alpha"], 3)) == (0.849, 0.815)
    assert compute(np.array(OBSERVERS).T.tolist())["alpha"] == result["alpha"]
    assert result["raters"] == 4


@given(table=tables())
def test_alpha_by_its_definition(table):
    result = compute(table)
    differences = {"": interval_difference, "ordinal_": ordinal_difference, "nominal_": nominal_difference}
    for name, difference in differences.items():
        expected = alpha_by_definition(table, difference)
        assert result[f"{name}alpha"] == pytest.approx(expected, abs=1e-9, nan_ok=True), name
    for key, cost in (("kappa", int.__ne__), ("weighted_kappa", weighted_cost)):
        assert result[key] == pytest.approx(kappa_by_definition(table, cost), abs=1e-9, nan_ok=True), key


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_scores_of_any_size(size):
    expected = compute(JUDGES)
    result = compute((np.array(JUDGES) * size).tolist())
    for key in (*KEYS, "pearson"):
        assert result[key] == pytest.approx(expected[key]), key
    again = compute((np.array(JUDGES) * size).tolist(), standardize="rater")
    assert again["pearson"] == pytest.approx(compute(JUDGES, standardize="rater")["pearson"])


def slow_correlation(table, first, second):
    """scipy's correlation of the means of some raters and of others."""
    pairs = [[[row[r] for r in raters if row[r] is not None] for raters in (first, second)] for row in table]
    pairs = [[sum(half) / len(half) for half in pair] for pair in pairs if all(pair)]
    if len(pairs) < 2:
        return NAN
    x, y = zip(*pairs, strict=True)
    if len(set(np.round(x, 9))) == 1 or len(set(np.round(y, 9))) == 1:
        return NAN
    return float(scipy.stats.pearsonr(x, y)[0])


def slow_agreement(groups, scale=None):
    """All values; all ways to take two disjoint halves, and the formula of Spearman and Brown."""
    table = [row for group in groups for row in group]
    raters = range(len(table[0]))
    half = len(raters) // 2

    def mean_over_groups(first, second):
        return mean([slow_correlation(group, first, second) for group in groups])

    alone = [mean_over_groups([one], [other for other in raters if other != one]) for one in raters]
    halves = itertools.product(itertools.combinations(raters, half), repeat=2) if half else []
    r = mean([mean_over_groups(*pair) for pair in halves if not set(pair[0]) & set(pair[1])])
    longer = len(raters) / max(half, 1)
    reliability = max(longer * r / (1 + (longer - 1) * r), 0.0) if r > -1e-12 else NAN
    return {
        "alpha": alpha_by_definition(table, interval_difference),
        "ordinal_alpha": alpha_by_definition(table, ordinal_difference),
        "nominal_alpha": alpha_by_definition(table, nominal_difference),
        "kappa": kappa_by_definition(table, int.__ne__),
        "weighted_kappa": kappa_by_definition(table, weighted_cost, scale),
        "rater_correlation": mean(alone),
        "reliability": reliability,
        "noise_ceiling": math.sqrt(reliability),
    }


@given(table=tables().map(lambda table: [[value and round(value) for value in row] for row in table]))
def test_ceiling_by_all_halves(table):
    result, expected = compute(table), slow_agreement([table])
    assert result["rater_correlation"] == pytest.approx(expected["rater_correlation"], abs=1e-9, nan_ok=True)
    if not expected["reliability"] < 1e-9:  # at 0, rounding decides
        assert result["reliability"] == pytest.approx(expected["reliability"], abs=1e-9, nan_ok=True)
        assert result["noise_ceiling"] == pytest.approx(expected["noise_ceiling"], nan_ok=True)


@pytest.mark.parametrize("averaging", [None, "item", "system"])
@examples(0.3)
@given(table=tables().map(lambda table: [[value and round(value) for value in row] for row in table]), data=st.data())
def test_intervals_are_those_of_naive_resamples(averaging, table, data):
    """Draw items, put their rows together, with copies, and start again: pairs of scores in loops, and scipy."""
    labels = st.lists(st.sampled_from("abcdefgh"), min_size=len(table), max_size=len(table))
    items, systems = data.draw(labels), data.draw(labels)
    rows = list(zip(table, items, systems, strict=True))
    names = sorted(set(items))
    found = compute(
        table, items=items, systems=systems, averaging=averaging, confidence=0.8, resamples=7, seed=5, permutations=15
    )
    draws = np.random.default_rng(5).integers(len(names), size=(7, len(names)))
    values = {key: [] for key in KEYS}
    for draw in draws:
        drawn = [(*row, at) for at, index in enumerate(draw) for row in rows if row[1] == names[index]]
        position = {"item": 3, "system": 2, None: None}[averaging]
        groups = {}
        for row in drawn:
            groups.setdefault(row[position] if position else None, []).append(row[0])
        values = {key: [*values[key], value] for key, value in slow_agreement(list(groups.values()), table).items()}
    for key in KEYS:
        expected = expanded_percentiles(values[key], 0.8, len(names))
        assert found[f"{key}_confidence_interval"] == pytest.approx(expected, abs=1e-6, nan_ok=True), key


def test_reliability_is_near_the_published_one():
    """Shrout and Fleiss's ICC(3,4), Cronbach's alpha, is the mean of all halves by another formula of theirs."""
    result = compute(JUDGES)
    assert result["reliability"] == pytest.approx(0.91, abs=0.02)
    assert result["alpha"] < 0.2 < result["rater_correlation"]  # their ICC(1,1) is .17: judges differ in their means


@pytest.mark.parametrize("n_raters", [2, 3, 4, 5, 8])
def test_the_ceiling_is_where_a_perfect_metric_ends(n_raters):
    """Ratings are the truth and noise: the truth itself correlates with their mean as much as the ceiling says."""
    rng = np.random.default_rng(n_raters)
    truth = rng.normal(size=10_000)
    ratings = truth[:, None] + rng.normal(0, 1.5, (10_000, n_raters))
    metric = load("human_correlation")
    result = metric.compute(predictions=truth, references=ratings, permutations=20)
    exact = math.sqrt(n_raters / (n_raters + 1.5**2))
    assert result["noise_ceiling"] == pytest.approx(exact, abs=0.01)
    assert result["pearson"] == pytest.approx(exact, abs=0.01)
    assert result["alpha"] == pytest.approx(1 / (1 + 1.5**2), abs=0.02)


def test_random_halves_come_near_all():
    """Of 12 raters there are 462 pairs of halves."""
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=(30, 1)) + rng.normal(0, 2, (30, 12))
    every, some, other = (
        compute(ratings, permutations=n, seed=seed)["reliability"] for n, seed in ((462, 1), (461, 1), (461, 2))
    )
    assert 0 < abs(every - some) < 0.01 and 0 < abs(every - other) < 0.01 and some != other


def test_random_halves_are_disjoint_and_of_one_size():
    """Two draws from the three pairs of single raters."""
    table = [row[:3] for row in JUDGES]
    pairs = [slow_correlation(table, [a], [b]) for a, b in itertools.combinations(range(3), 2)]
    means = [sum(two) / 2 for two in itertools.combinations_with_replacement(pairs, 2)]
    found = compute(table, permutations=2)["reliability"]
    assert min(abs(found - 3 * r / (1 + 2 * r)) for r in means) < 1e-9


def test_correlations_of_raters_are_means_over_groups():
    """As that of the metric is: of raters who only agree on which system is better."""
    ratings = [[1, 2], [2, 1], [1, 1], [11, 12], [12, 11], [11, 11]]
    systems = ["a"] * 3 + ["b"] * 3
    assert compute(ratings)["rater_correlation"] > 0.9
    result = compute(ratings, systems=systems, averaging="system")
    assert result["rater_correlation"] == pytest.approx(-0.5)
    assert math.isnan(result["reliability"]) and math.isnan(result["noise_ceiling"])
    order = [3, 0, 4, 1, 5, 2]
    again = load("human_correlation").compute(
        predictions=[math.sin(row) for row in order], references=[ratings[row] for row in order],
        systems=[systems[row] for row in order], averaging="system",
    )  # fmt: skip
    assert again["rater_correlation"] == pytest.approx(-0.5)


@given(table=tables())
def test_a_row_counts_as_the_mean_of_its_raters(table):
    means = [np.nanmean(array([row])) for row in table]
    result, expected = compute(table, confidence=0.9, resamples=20), compute(means, confidence=0.9, resamples=20)
    assert result.keys() - expected.keys() == {
        "raters",
        *KEYS,
        *(f"{key}_{kind}" for key in KEYS for kind in ("confidence_interval", "standard_error")),
    }
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, abs=1e-9, nan_ok=True), key
    assert load("human_correlation").human_scores(table) == pytest.approx(means)


TIED = [[1, 2, 3], [3, 2, 1], [2, 2, 2], [4, 3, 2]]
WHOLE = tables().map(lambda table: [[value if value is None else round(value) for value in row] for row in table])


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall", "accuracy"])
@examples(0.4)
@given(table=st.just(TIED) | WHOLE, data=st.data(), standardize=st.sampled_from([None, "rater"]))
def test_order_and_scale_of_the_raters_break_no_tie(coefficient, table, data, standardize):
    """Whole numbers have exact means, if of few raters; a tenth of them, in another order, have not."""
    order = data.draw(st.permutations(range(len(table[0]))))
    tenths = [[row[rater] if row[rater] is None else row[rater] / 10 for rater in order] for row in table]
    options = {"coefficient": coefficient, "standardize": standardize}
    expected, found = compute(table, **options), compute(tenths, **options)
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_means_that_differ_by_rounding_are_ties():
    scores, tenths = [0.1, 0.5, 0.3, 0.9], [[value / 10 for value in row] for row in TIED]
    result = load("human_correlation").compute(predictions=scores, references=tenths)
    assert result["kendall"] == pytest.approx(scipy.stats.kendalltau(scores, [2, 2, 2, 3])[0])
    constant = load("human_correlation").compute(predictions=scores[:3], references=tenths[:3])
    assert math.isnan(constant["pearson"])


ROUNDED = [[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], [0.5, 0.5], [0.1, 0.3], [0.5, 0.3], [0.1, 0.1]]


def test_scores_that_differ_by_rounding_are_one_category():
    """By hand: four of six rows agree, and 0.3 is one score of both."""
    found, plain = compute(ROUNDED), compute([[3, 3], [3, 3], [5, 5], [1, 3], [5, 3], [1, 1]])
    assert found["kappa"] == plain["kappa"] == pytest.approx(1 - (1 / 3) / (1 - (2 + 8 + 2) / 36))
    for key in (*KEYS, "pearson"):
        assert found[key] == pytest.approx(plain[key]), key
    one_score = [[row[0], value] for row, value in zip(ROUNDED[:2] * 2, [0.1, 0.2, 0.4, 0.2], strict=True)]
    assert math.isnan(compute(one_score)["reliability"]) and math.isnan(compute(ROUNDED[:2])["alpha"])


TENTHS = WHOLE.map(lambda table: [[value if value is None else value / 10 for value in row] for row in table])


def nudged(value, steps):
    """Returns the float that is some steps further."""
    for _ in range(abs(steps)):
        value = math.nextafter(value, math.copysign(math.inf, steps))
    return value


@pytest.mark.parametrize("judge", [False, True])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall", "accuracy"])
@examples(0.3)
@given(table=TENTHS | st.just(ROUNDED), data=st.data())
def test_neither_rounding_nor_the_order_of_the_rows_changes_a_value(coefficient, judge, table, data):
    """All that is returned stays where values are some steps of a float off, and the rows in another order."""
    metric, n_rows = load("human_correlation"), len(table)
    averaging = data.draw(st.sampled_from([None, "system"]))
    options = {"coefficient": coefficient, "judge": judge, "averaging": averaging}
    if not judge:
        options["standardize"] = data.draw(st.sampled_from([None, "rater"]))
    scores = data.draw(st.lists(st.integers(1, 4).map(lambda value: value / 10), min_size=n_rows, max_size=n_rows))
    systems = data.draw(st.lists(st.sampled_from("ab"), min_size=n_rows, max_size=n_rows))
    order = data.draw(st.permutations(range(n_rows)))
    steps = st.integers(-3, 3)

    def moved(value):
        return value if not value else nudged(value, data.draw(steps))

    expected = metric.compute(predictions=scores, references=table, systems=systems, **options)
    found = metric.compute(
        predictions=[moved(scores[row]) for row in order],
        references=[[moved(value) for value in table[row]] for row in order],
        systems=[systems[row] for row in order],
        **options,
    )
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, abs=1e-9, nan_ok=True), key


def test_halves_without_a_correlation_have_reliability_0_in_every_order():
    """The two halves are uncorrelated, and rounding would make r now a little more than 0, now a little less."""
    rows = [[0.1, 0.7], [0.4, 0.1], [0.7, 0.7], [0.1, 0.2], [0.4, 0.8], [0.7, 0.2]]
    found = [compute(order) for order in itertools.islice(itertools.permutations(rows), 0, 720, 7)]
    assert {(values["reliability"], values["noise_ceiling"]) for values in found} == {(0.0, 0.0)}


def test_a_judge_is_not_judged_by_rounding():
    """Means in another order, a shift that rounds, and one score of all: nothing of it is harsh, narrow or wide."""
    people = [[0.1, 0.2], [0.2, 0.3], [0.3, 0.3], [0.5, 0.1], [0.7, 0.2], [0.1, 0.9], [0.4, 0.4], [0.6, 0.1]]
    means = [nudged(sum(row) / 2, 2) for row in people]
    metric = load("human_correlation")
    found = metric.compute(predictions=means, references=people, judge=True, confidence=0.9)
    assert found["judge_bias"] == 0 and not {"harsh", "lenient"} & {*found["judge"]}
    of_one = [[row[0]] for row in people]
    for shift in (0, 0.7):
        scores = [row[0] + shift for row in people]
        found = metric.compute(predictions=scores, references=of_one, judge=True, confidence=0.9)
        assert not {"narrow", "wide"} & {*found["judge"]}, shift
    constant = metric.compute(predictions=[1, 2, 3], references=[[0.1, 0.1]] * 3, judge=True)
    assert constant["judge_spread"] == math.inf
    steady = metric.compute(predictions=[0.3, 0.1 + 0.2, 0.3], references=[[1, 2], [2, 3], [4, 5]], judge=True)
    assert steady["judge_spread"] == 0 and math.isnan(steady["judge_correlation"])


@given(table=tables())
def test_each_rater_is_standardised(table):
    """As scipy's zscore with n - 1, and 0 where a rater gave one score to all."""
    columns = []
    for scores in array(table).T:
        with np.errstate(invalid="ignore", divide="ignore"):
            constant = len(set(scores[~np.isnan(scores)])) < 2
            zeros = np.where(np.isnan(scores), NAN, 0.0)
            columns.append(zeros if constant else scipy.stats.zscore(scores, ddof=1, nan_policy="omit"))
    expected = np.nanmean(np.stack(columns), axis=0)
    found = load("human_correlation").human_scores(table, standardize="rater")
    assert found == pytest.approx(expected, abs=1e-7)


@given(table=tables(is_complete=True), data=st.data())
def test_a_rater_who_uses_another_scale_changes_nothing_when_standardised(table, data):
    rater = data.draw(st.integers(0, len(table[0]) - 1))
    moved = [[10 * value - 7 if at == rater else value for at, value in enumerate(row)] for row in table]
    first, second = (load("human_correlation").human_scores(given, standardize="rater") for given in (table, moved))
    assert second == pytest.approx(first, abs=1e-7)


def test_standardised_raters_agree_more():
    """The judges of Shrout and Fleiss use different parts of the scale."""
    raw, standard = compute(JUDGES), compute(JUDGES, standardize="rater")
    assert raw["alpha"] < 0.2 and standard["alpha"] > 0.7
    assert raw["rater_correlation"] == pytest.approx(standard["rater_correlation"], abs=0.02)


def test_what_missing_scores_are_written_as():
    expected = compute([[1, 2], [NAN, 3], [2, 4]])
    assert compute([[1, 2], [None, 3], (2, np.int64(4))]) == expected
    assert compute(np.array([[1, 2], [NAN, 3], [2, 4]])) == expected
    metric = load.__wrapped__("human_correlation")
    for row, ratings in enumerate([[1, 2], [None, 3], [2, 4]]):
        metric.add(prediction=math.sin(row), reference=ratings)
    assert metric.compute() == expected


UNDEFINED = [
    ([[1], [2]], KEYS),  # one rater
    ([[1, NAN], [NAN, 2]], KEYS),  # no row with two scores
    ([[3, 3], [3, 3]], KEYS),  # everything is one score
    ([[1, 2], [2, 1]], ("noise_ceiling", "reliability")),  # r = -1
]


@pytest.mark.parametrize(("table", "keys"), UNDEFINED)
def test_undefined(table, keys):
    result = compute(table)
    assert {key for key in KEYS if math.isnan(result[key])} == set(keys)


BAD = [
    ([1, [2, 3]], "references[1] is of type list, [2, 3], but references[0] is of type int, 1; "
     "pass numbers or lists with one number per rater, not both"),
    ([[1, 2], [3]], "references[1] has 1 scores and references[0] 2; pass one per rater, None where a rater gave none"),
    ([[1, 2], [None, NAN]], "references[1] has no score; pass at least one rater's"),
    ([[], []], "references[0] has no score; pass at least one rater's"),
    ([[1, 2], [3, True]], "references[1][1] is of type bool, True; pass a finite number"),
    ([[1, 2], [math.inf, 3]], "references[1][0] is inf; pass a finite number"),
    ([[1, 2], "34"], "references[1] is a string, '34'; pass a list with one number per rater"),
    ([[1, 2], None], "references[1] is None; pass a list with one number per rater"),
    ([None, 1], "references[0] is None; pass a finite number"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "message"), BAD)
@pytest.mark.parametrize("door", ["compute", "add_batch"])
def test_bad_ratings(table, message, door):
    metric = load.__wrapped__("human_correlation")
    with pytest.raises(ValueError) as error:
        getattr(metric, door)(predictions=[1, 2], references=table)
    assert message in str(error.value)


def test_batches_with_other_raters():
    metric = load.__wrapped__("human_correlation")
    metric.add_batch(predictions=[1, 2], references=[[1, 2], [3, 4]])
    with pytest.raises(ValueError, match=r"references\[0\] is 5.0, of another kind than the rows added before"):
        metric.add_batch(predictions=[3], references=[5])
    metric.add_batch(predictions=[3], references=[[5, 6, 7]])
    with pytest.raises(ValueError, match=r"references\[2\] has 3 scores and references\[0\] 2"):
        metric.compute()


def test_signature_names_the_standardisation():
    metric = load("human_correlation")
    line = metric.signature(standardize="rater")
    assert "|std:rater|" in line and "std:" not in metric.signature()
    assert metric.options_of(line)["standardize"] == "rater"


def test_the_mean_of_ranks_is_taken_over_pairable_scores():
    """The lone 9 has no pair, so it moves no rank."""
    ratings = array([[1, 2], [2, 4], [9, NAN]])
    alone, two = (krippendorff_alpha(rows, np.ones(len(rows)), is_ordinal=True) for rows in (ratings, ratings[:2]))
    assert alone == two


def test_score_reads_raters(tmp_path):
    """From one column of lists, or from a column each."""
    rows = [{"m": 0.1, "h": [1, 2], "a": 1, "b": 2}, {"m": 0.4, "h": [3, 3], "a": 3, "b": 3},
            {"m": 0.3, "h": [2, 4], "a": 2, "b": 4}, {"m": 0.2, "h": [1, 1], "a": 1, "b": 1}]  # fmt: skip
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    common = ["-d", str(path), "--prediction-column", "m", "-m", "human_correlation:standardize=rater"]
    found = []
    for columns in (["--reference-column", "h"], ["--reference-column", "a", "--reference-column", "b"]):
        outputs = ["--json", str(tmp_path / "x.json"), "--html", str(tmp_path / "x.html")]
        run = CliRunner().invoke(score.app, [*common, *columns, *outputs])
        assert run.exit_code == 0, run.output
        found.append(json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["systems"])
    assert found[0] == found[1]
    expected = load("human_correlation").compute(
        predictions=[row["m"] for row in rows], references=[row["h"] for row in rows], standardize="rater"
    )
    assert json.dumps(expected["noise_ceiling"]) in json.dumps(found[0])
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "mean of 2 raters, standardised" in page
    assert f"(ceiling {expected['noise_ceiling']:.4f})" in page


def test_drawn_points_are_the_means():
    metric = load("human_correlation")
    columns = {"predictions": [0.1, 0.2, 0.4], "references": [[1, 3], [None, 4], [3, 3]]}
    means = {**columns, "references": [2, 4, 3]}
    result = metric.compute(**columns)
    html, plain = scatter_html(metric, columns, {}, result), scatter_html(metric, means, {}, metric.compute(**means))
    paths = [re.findall(r'<path style="fill: var\(--series-1\)" d="([^"]*)"', page) for page in (html, plain)]
    assert paths[0] == paths[1] and paths[0][0].count("M") == 3
    assert "mean of 2 raters<" in html and "ceiling" in html
    assert "score by people<" in plain and "ceiling" not in plain
    assert "ceiling" not in scatter_html(metric, columns, {"coefficient": "kendall"}, result)


def test_raters_in_the_table_of_the_app():
    metric = load("human_correlation")
    columns = {"predictions": [0.1, 0.2], "references": [[1, None], [3, 4.5]]}
    headings, cells = to_cells(metric, columns)
    assert headings[:2] == ["prediction", "reference"] and [row[1] for row in cells] == ["1, nan", "3, 4.5"]
    back = from_cells(metric, cells)
    assert metric.compute(**back) == pytest.approx(metric.compute(**columns), nan_ok=True)
    blank = [""] * 3
    single = from_cells(metric, [["0.1", "3", *blank], ["0.2", "4", *blank]])
    assert single == {"predictions": [0.1, 0.2], "references": [3.0, 4.0]}
    wrong = from_cells(metric, [["1, 2", "x", *blank], ["0.2", "4", *blank]])
    assert wrong == {"predictions": ["1, 2", 0.2], "references": ["x", [4.0]]}


# a judge as one more rater

ANSWERS = [
    [5, 4, 5],
    [2, 2, 1],
    [4, 4, 3],
    [1, 1, 2],
    [3, 4, 3],
    [5, 5, 4],
    [2, 3, None],
    [4, 3, 4],
    [1, 2, 1],
    [3, 3, 4],
]
PEOPLE = [sum(filter(None, row)) / sum(value is not None for value in row) for row in ANSWERS]


def judged(scores, **options):
    metric = load("human_correlation")
    return metric.compute(predictions=scores, references=ANSWERS, judge=True, seed=3, **options)


def test_judge_by_hand():
    """Each value by its definition, the judge as one more column of the table."""
    scores = [4, 1, 4, 1, 2, 5, 2, 3, 1, 3]
    found, table = judged(scores), [[*row, score] for row, score in zip(ANSWERS, scores, strict=True)]
    people = [[value for value in column if value is not None] for column in zip(*ANSWERS, strict=True)]
    pairs = [[row for row in table if row[rater] is not None] for rater in range(3)]
    expected = {
        "judge_bias": np.mean(scores) - np.mean(PEOPLE),
        "judge_spread": np.std(scores) / np.mean([np.std(of_one) for of_one in people]),
        "judge_alpha": alpha_by_definition(table, interval_difference),
        "judge_correlation": scipy.stats.pearsonr(scores, PEOPLE)[0],
        "judge_advantage": np.mean(
            [
                slow_correlation(table, [3], others) - slow_correlation(table, [one], others)
                for one, others in ((0, [1, 2]), (1, [0, 2]), (2, [0, 1]))
            ]
        ),
        "judge_correlations": [
            scipy.stats.pearsonr(*zip(*((row[-1], row[rater]) for row in pairs[rater]), strict=True))[0]
            for rater in range(3)
        ],
    }  # fmt: skip
    for key, value in expected.items():
        assert found[key] == pytest.approx(value), key
    kappas = [kappa_by_definition([[row[rater], row[-1]] for row in pairs[rater]], weighted_cost) for rater in range(3)]
    assert found["judge_kappa"] == pytest.approx(np.mean(kappas))
    assert "judge" not in found and found["raters"] == 3


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (lambda row: PEOPLE[row] - 1, ["harsh", "better"]),
        (lambda row: PEOPLE[row] + 1, ["lenient", "better"]),
        (lambda row: 3, ["constant"]),
        (lambda row: 3 + (PEOPLE[row] - np.mean(PEOPLE)) / 4, ["narrow", "better"]),
        (lambda row: 3 + (PEOPLE[row] - np.mean(PEOPLE)) * 4, ["wide", "better"]),
        (lambda row: PEOPLE[row - 1], ["worse"]),
        (lambda row: ANSWERS[row][1], []),
    ],
)
def test_what_is_said_of_a_judge(scores, words):
    found = judged([float(scores(row)) for row in range(10)], confidence=0.95)
    assert [word for word in found["judge"] if word != "narrow" or "narrow" in words] == words


def test_nothing_is_said_of_a_judge_that_is_one_of_two_who_agree():
    """Its intervals are the borders themselves."""
    scores = [row[0] for row in ANSWERS]
    people = [[score, score] for score in scores]
    metric = load("human_correlation")
    found = metric.compute(predictions=scores, references=people, judge=True, confidence=0.95)
    assert found["judge_bias_confidence_interval"] == found["judge_advantage_confidence_interval"] == [0, 0]
    assert found["judge_spread_confidence_interval"] == [1, 1]
    assert found["judge"] == []


def test_intervals_of_correlations_with_each_person():
    """That of a person is the interval of r with the mean of people, where there is this person alone."""
    scores, options = [4, 1, 4, 1, 2, 5, 2, 3, 1, 3], {"confidence": 0.8, "resamples": 200, "seed": 3}
    metric = load("human_correlation")
    complete = [row for row in range(len(ANSWERS)) if None not in ANSWERS[row]]
    columns = {
        "predictions": [scores[row] for row in complete],
        "references": [ANSWERS[row] for row in complete],
    }
    found = metric.compute(**columns, judge=True, **options)["judge_correlations_confidence_intervals"]
    assert len(found) == 3 and found[0] != found[1]
    for person, interval in enumerate(found):
        alone = [[row[person]] for row in columns["references"]]
        of_one = metric.compute(predictions=columns["predictions"], references=alone, judge=True, **options)
        assert interval == pytest.approx(of_one["judge_correlation_confidence_interval"])


def test_a_judge_beside_one_person():
    found = load("human_correlation").compute(predictions=[2, 3, 5], references=[1, 2, 4], judge=True)
    assert (found["judge_bias"], found["judge_correlations"], found["raters"]) == (1, pytest.approx([1]), 1)
    assert math.isnan(found["judge_advantage"])


def test_what_fewer_rows_say_of_a_judge():
    """An interval takes six rows, and without one nothing is said."""
    metric = load("human_correlation")
    columns = {"predictions": [1, 2, 2], "references": [[3, 4], [4, 5], [4, 4]]}
    with pytest.warns(UserWarning, match="an interval takes at least"):
        assert metric.compute(**columns, judge=True, confidence=0.95)["judge"] == []


def test_judges_in_the_terminal(run):
    """People's scores are a column of lists; a metric of texts has their mean beside it."""
    rows = [
        {"p": people, "harsh": mean - 1, "lazy": 3, "t": "가"} for people, mean in zip(ANSWERS, PEOPLE, strict=True)
    ]
    with open("a.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    columns = ["--data", "a.jsonl", "--human-column", "p"]
    judges = ["--prediction-column", "harsh", "--prediction-column", "lazy", "-m", "human_correlation:judge=true"]
    shown = run(*columns, *judges).stdout
    assert run(*columns[:2], "--human-column", "harsh=p", *judges).stdout == shown
    assert "judges as one more rater" in shown
    assert re.search(r"^says +harsh, (narrow, )?better +constant$", shown, flags=re.M)
    assert re.search(r"^bias: points above people +-1.0000 ", shown, flags=re.M) and "-0.0000" not in shown
    one = run(*columns[:2], "--human-column", "p", "--prediction-column", "t", "--reference-column", "t", "-m", "cer")
    assert re.search(rf"^t +0.0000.* {np.mean(PEOPLE):.4g}$", one.stdout, flags=re.M)
    write = [{**rows[0], "p": [None]}, {**rows[0], "p": [1, "x"]}]
    for row in write:
        with open("b.jsonl", "w", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        named = ["--human-column", "p", "--prediction-column", "t", "--reference-column", "t"]
        bad = run("--data", "b.jsonl", *named, "-m", "cer")
        assert "b.jsonl, line 1: column p is" in bad.stderr and "pass a number" in bad.stderr
