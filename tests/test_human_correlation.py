"""Human correlation: scipy, slow versions of the accuracies and the bootstrap, published values, what is undefined."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import oracles
import pytest
import scipy.stats
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core.student import t_p_value
from textgauge.raters.pairwise_accuracy import pairs_of, sign_changes
from textgauge.raters.significance import on_one_scale, williams_t

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
# few values, so that there are ties; and any, so that there are none
SCORE = st.integers(-3, 3).map(float) | st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
ROWS = st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=25)
TIED = st.lists(st.tuples(st.integers(0, 3).map(lambda value: value / 2), st.integers(0, 2)), min_size=1, max_size=8)
COEFFICIENT = st.sampled_from(["pearson", "spearman", "kendall"])


def compute(rows, **options):
    predictions, references = zip(*rows, strict=True)
    return load("human_correlation").compute(predictions=predictions, references=references, **options)


def by_scipy(coefficient, rows):
    """scipy's value; nan for constant input, and for one row."""
    if len(rows) < 2:
        return math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(SCIPY[coefficient](*zip(*rows, strict=True))[0])


def mean(values):
    values = [value for value in values if not math.isnan(value)]
    return sum(values) / len(values) if values else math.nan


def columns_with(human_metric, human_baseline, between, n):
    """Scores by a metric, another metric and people with these correlations."""
    matrix = [[1, human_metric, human_baseline], [human_metric, 1, between], [human_baseline, between, 1]]
    values = np.random.default_rng(1).normal(size=(n, 3))
    unrelated, _ = np.linalg.qr(values - values.mean(axis=0))
    human, metric, baseline = np.linalg.cholesky(matrix) @ unrelated.T
    return metric, baseline, human


TABLE_1 = {"human": [0.102, 0.095, 0.110], "bleu": [0.632, 0.641, 0.663], "weighted_bleu": [0.561, 0.570, 0.613]}


def test_williams_as_psych_has_it():
    """R: psych::r.test(103, .4, .5, .1) says t = -.89, p < .37."""
    t = williams_t(*columns_with(0.5, 0.4, 0.1, 103))
    assert t == pytest.approx(0.8912799047605415, abs=1e-7)
    assert t_p_value(t, 100, "two-sided") == pytest.approx(0.3749185174912543, abs=1e-7)


def test_table_1_of_the_weighted_bleu_paper():
    """Document 004: three systems, from which the paper concludes that weighted BLEU agrees better with people."""
    result = load("human_correlation").compute(
        predictions=TABLE_1["weighted_bleu"], references=TABLE_1["human"], baselines=TABLE_1["bleu"], confidence=0.95
    )
    assert result["pearson"] == pytest.approx(0.7974, abs=5e-5)
    assert result["baseline_correlation"] == pytest.approx(0.7171, abs=5e-5)
    assert (result["spearman"], result["kendall"]) == pytest.approx((0.5, 1 / 3))
    # no degree of freedom is left for Williams' test; anything from -1 to 1 may be true
    assert math.isnan(result["williams"])
    assert math.isnan(result["williams_p_value"])
    assert np.isnan(result["confidence_interval"]).all() and result["units"] == 3
    # of the 8 ways to swap scores of the two metrics, the paper's is the best: no p-value could be smaller
    assert result["permutation_p_value"] == 1 / 8
    # of the 6 orders in which people could have put them, 2 agree as well or better
    orders = [
        list(zip(TABLE_1["weighted_bleu"], order, strict=True)) for order in itertools.permutations(TABLE_1["human"])
    ]
    assert sum(compute(rows)["pearson"] >= result["pearson"] - 1e-12 for rows in orders) == 2


@examples(0.5)
@given(rows=ROWS, data=st.data(), averaging=st.sampled_from(["item", "system"]), coefficient=COEFFICIENT)
def test_averages_are_those_of_the_groups(rows, data, averaging, coefficient):
    labels = data.draw(st.lists(st.sampled_from(["가", "b", "c"]), min_size=len(rows), max_size=len(rows)))
    result = compute(rows, coefficient=coefficient, averaging=averaging, **{f"{averaging}s": labels})
    groups = [[row for row, label in zip(rows, labels, strict=True) if label == name] for name in sorted(set(labels))]
    for name in SCIPY:
        expected = [by_scipy(name, group) for group in groups]
        assert result[name] == pytest.approx(mean(expected), abs=1e-9, nan_ok=True), name
        if name == coefficient:
            assert result["groups"] == sum(not math.isnan(value) for value in expected)
            assert result["human_correlation"] == pytest.approx(mean(expected), abs=1e-9, nan_ok=True)
    assert result["rows"] == len(rows)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e200])
def test_very_small_and_very_large_scores(scale):
    rows = [(0.5, 1), (0.25, 3), (1.0, 4), (0.75, 2)]
    result = compute([(score * scale, human / scale) for score, human in rows])
    assert result["pearson"] == pytest.approx(by_scipy("pearson", rows))


@given(groups=st.lists(TIED, min_size=1, max_size=4))
def test_accuracy_equals_trying_all_thresholds(groups):
    rows = list(itertools.chain.from_iterable(groups))
    items = [index for index, group in enumerate(groups) for _ in group]
    for averaging, parts in ((None, [rows]), ("item", groups)):
        result = compute(rows, coefficient="accuracy", items=items, averaging=averaging)
        counted = [part for part in parts if len(part) > 1]
        assert result["groups"] == len(counted)
        if not counted:
            assert math.isnan(result["accuracy"])
            assert math.isnan(result["tie_threshold"])
            continue
        accuracy, threshold = oracles.calibrated_accuracy(parts)
        assert result["human_correlation"] == result["accuracy"] == pytest.approx(accuracy, abs=1e-12)
        if len({len(part) for part in counted}) == 1:  # else two thresholds may be equally good but for rounding
            assert result["tie_threshold"] == threshold


def test_gaps_that_differ_by_rounding_are_equal():
    """By 16 steps of the largest score and no more; one below it is no step up from 0 either."""
    step = 2.0**-52
    for n_steps, ends in ((16, [1, 3]), (17, [0, 1, 2, 3])):
        scores = np.array([0.0, n_steps * step, 1.0])
        assert pairs_of(scores, np.array([1.0, 1.0, 1.0]), np.array([0])).ends.tolist() == ends


# mt-metrics-eval's own tests (Apache-2.0), tau_optimization_test.py; None is a missing score
MATRICES = [
    ([[0, 2, 6, 8]], [[1, 2, 3, 4]], 1.0, 0),
    ([[0, 2, 6, 8]], [[1, 1, 1, 4]], 4 / 6, 4),
    ([[0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1]],
     [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2]], 0.4916666666666668, 1),
]  # fmt: skip


@pytest.mark.parametrize(("scores", "human", "accuracy", "threshold"), MATRICES)
def test_accuracy_of_mt_metrics_eval(scores, human, accuracy, threshold):
    cells = [
        (item, a, b)
        for item, row in enumerate(zip(scores, human, strict=True))
        for a, b in zip(*row, strict=True)
        if a is not None and b is not None
    ]
    items, *columns = zip(*cells, strict=True)
    result = compute(list(zip(*columns, strict=True)), items=items, coefficient="accuracy", averaging="item")
    assert result["accuracy"] == pytest.approx(accuracy, abs=1e-15)
    assert result["tie_threshold"] == threshold


def grid(scores, human):
    """Columns of two matrices (n_systems, n_items)."""
    cells = list(itertools.product(range(len(scores)), range(len(scores[0]))))
    return {
        "predictions": [scores[system][item] for system, item in cells],
        "references": [human[system][item] for system, item in cells],
        "systems": [f"s{system}" for system, _ in cells],
        "items": [item for _, item in cells],
    }


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=14))
def test_pairwise_difference_by_all_pairs(rows):
    """Pearson's r of the differences of any two rows of an item, in both orders, by scipy."""
    items, scores, human = zip(*rows, strict=True)
    differences = [
        (scores[a] - scores[b], human[a] - human[b])
        for a, b in itertools.permutations(range(len(rows)), 2)
        if items[a] == items[b]
    ]
    columns = {"predictions": scores, "references": human, "items": items}
    found = load("human_correlation").compute(**columns, coefficient="pairwise_difference")
    has_both = all(any(pair[side] for pair in differences) for side in (0, 1))
    expected = scipy.stats.pearsonr(*zip(*differences, strict=True))[0] if has_both else math.nan
    assert found["pairwise_difference"] == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert found["human_correlation"] is not None and found["pearson"] == pytest.approx(
        load("human_correlation").compute(predictions=scores, references=human)["pearson"], nan_ok=True
    )
    assert found["groups"] == sum(items.count(item) > 1 for item in set(items))


def test_items_whose_scores_are_equal_have_no_difference():
    """Where a mean of equal scores is another number by rounding."""
    metric, items = load("human_correlation"), [0, 0, 0, 1, 1, 1]
    scores = [0.1] * 3 + [0.7] * 3
    found = metric.compute(predictions=scores, references=range(6), items=items, coefficient="pairwise_difference")
    assert math.isnan(found["pairwise_difference"])


def test_interval_of_pairwise_difference():
    """Items are drawn, each with its own pairs alone: a copy of an item is another item."""
    rng = np.random.default_rng(2)
    scores, human = rng.normal(size=(2, 8, 3))
    found = load("human_correlation").compute(
        **grid(scores.T, human.T), coefficient="pairwise_difference", confidence=0.9, resamples=20, seed=4
    )
    values = []
    for draw in np.random.default_rng(4).integers(8, size=(20, 8)):
        gaps = [
            (scores[item][a] - scores[item][b], human[item][a] - human[item][b])
            for item in draw
            for a, b in itertools.permutations(range(3), 2)
        ]
        values.append(scipy.stats.pearsonr(*zip(*gaps, strict=True))[0])
    assert found["confidence_interval"] == pytest.approx(oracles.expanded_percentiles(values, 0.9, 8))


@given(data=st.data(), n_systems=st.integers(2, 4), n_items=st.integers(1, 6))
def test_soft_accuracy_equals_trying_all_sign_changes(data, n_systems, n_items):
    tenths = st.integers(-20, 20).map(lambda value: value / 10)
    matrix = st.lists(st.lists(tenths, min_size=n_items, max_size=n_items), min_size=n_systems, max_size=n_systems)
    scores, human = data.draw(matrix), data.draw(matrix)
    columns = grid(scores, human)
    order = data.draw(st.permutations(range(n_systems * n_items)))
    shuffled = {name: [column[row] for row in order] for name, column in columns.items()}
    result = load("human_correlation").compute(**shuffled, coefficient="soft_accuracy")
    assert result["soft_accuracy"] == result["human_correlation"]
    exact = [[[round(10 * value) for value in row] for row in values] for values in (scores, human)]
    assert result["soft_accuracy"] == pytest.approx(oracles.soft_accuracy(*exact), abs=1e-12)


def test_soft_accuracy_of_many_items_is_near_that_of_a_normal_approximation():
    """With 400 items, p-values by random sign changes are those of a z-test, within Monte Carlo error."""
    rng = np.random.default_rng(3)
    human = rng.normal(np.array([[0.0], [0.1], [0.15]]), 1, (3, 400))
    scores = human + rng.normal(0, 1, (3, 400))
    result = load("human_correlation").compute(**grid(scores, human), coefficient="soft_accuracy", permutations=5000)

    def p_value(values, first, second):
        gap = values[first] - values[second]
        return scipy.stats.norm.sf(gap.sum() / math.sqrt((gap**2).sum()))

    errors = [abs(p_value(scores, *pair) - p_value(human, *pair)) for pair in itertools.combinations(range(3), 2)]
    assert result["soft_accuracy"] == pytest.approx(1 - np.mean(errors), abs=0.02)
    again = load("human_correlation").compute(**grid(scores, human), coefficient="soft_accuracy", seed=7)
    assert 0 < abs(again["soft_accuracy"] - result["soft_accuracy"]) < 0.03


ITEMS = [0, 0, 1, 1, 1, 2, 3, 3, 3, 3]
MANY_ITEMS = [0, 0, 1, 1, 2, 2, 3, 4, 5, 5]
SYSTEMS = ["a", "b", "a", "b", "c", "a", "a", "b", "c", "c"]
SCORES = [0.1, 0.4, 0.35, 0.8, 0.3, 0.6, 0.2, 0.9, 0.5, 0.5]
HUMAN = [1, 2, 2, 5, 1, 3, 2, 4, 4, 1]
OTHERS = [3, 1, 2, 5, 2, 4, 1, 3, 1, 2]


def naive_value(coefficient, averaging, drawn):
    """The coefficient of rows (score, human, system, draw), each draw an item or row taken once."""
    position = {"item": 3, "system": 2}.get(averaging)
    groups = {}
    for row in drawn:
        groups.setdefault(row[position] if position else None, []).append(row[:2])
    if coefficient == "accuracy":
        exact = [[(Fraction(str(score)), human) for score, human in group] for group in groups.values()]
        return oracles.calibrated_accuracy(exact)[0]
    return mean([by_scipy(coefficient, group) for group in groups.values()])


@pytest.mark.parametrize("coefficient", [*SCIPY, "accuracy"])
@pytest.mark.parametrize("averaging", [None, "item", "system"])
@pytest.mark.parametrize("has_items", [False, True])
def test_interval_is_that_of_naive_resamples(coefficient, averaging, has_items):
    """Draw items, or rows without items, put the rows together, score with scipy, sort."""
    if averaging == "item" and not has_items:
        return
    rows = list(zip(SCORES, HUMAN, SYSTEMS, MANY_ITEMS, OTHERS, strict=True))
    if not has_items:  # rows are drawn in their sorted order: by group
        rows.sort(key=lambda row: row[2])
    units = MANY_ITEMS if has_items else range(len(rows))
    n_units = len(set(units))
    values, others = [], []
    for draw in np.random.default_rng(5).integers(n_units, size=(40, n_units)):
        drawn = [
            (index, row) for index, unit in enumerate(draw) for row, at in zip(rows, units, strict=True) if at == unit
        ]
        values.append(naive_value(coefficient, averaging, [(r[0], r[1], r[2], i) for i, r in drawn]))
        others.append(naive_value(coefficient, averaging, [(r[4], r[1], r[2], i) for i, r in drawn]))
    scores, human, systems, _, baselines = map(list, zip(*rows, strict=True))
    result = load("human_correlation").compute(
        predictions=scores,
        references=human,
        systems=systems,
        items=MANY_ITEMS if has_items else None,
        baselines=baselines,
        coefficient=coefficient,
        averaging=averaging,
        confidence=0.9,
        resamples=40,
        seed=5,
        permutations=1,
    )
    for key, expected in (
        ("confidence_interval", values),
        ("difference_confidence_interval", [a - b for a, b in zip(values, others, strict=True)]),
    ):
        ends = oracles.expanded_percentiles(expected, 0.9, n_units)
        np.testing.assert_allclose(result[key], ends, atol=1e-9)
        defined = np.array([value for value in expected if not math.isnan(value)])
        error = defined.std() * math.sqrt(n_units / (n_units - 1)) if len(defined) == len(expected) else math.nan
        found = result[key.replace("confidence_interval", "standard_error")]
        assert found == pytest.approx(error, abs=1e-9, nan_ok=True)


def test_interval_of_soft_accuracy():
    """Items are drawn for all systems alike."""
    rng = np.random.default_rng(2)
    scores, human = rng.integers(0, 5, (2, 3, 7)).tolist()
    values = []
    for draw in np.random.default_rng(4).integers(7, size=(20, 7)):
        values.append(
            oracles.soft_accuracy(*([[row[item] for item in draw] for row in rows] for rows in (scores, human)))
        )
    result = load("human_correlation").compute(
        **grid(scores, human), coefficient="soft_accuracy", confidence=0.9, resamples=20, seed=4
    )
    ends = oracles.expanded_percentiles(values, 0.9, 7)
    np.testing.assert_allclose(result["confidence_interval"], ends, atol=1e-12)


# scipy's own error is 2e-9 at t = 1e-8 with one degree, where the p-value is 1/2 - arctan(t)/pi
@given(t=st.floats(-50, 50).filter(lambda t: t == 0 or abs(t) > 1e-4), degrees=st.integers(1, 300))
def test_p_values_of_t_are_scipys(t, degrees):
    assert t_p_value(t, degrees, "greater") == pytest.approx(scipy.stats.t.sf(t, degrees), abs=1e-12)
    assert t_p_value(t, degrees, "two-sided") == pytest.approx(2 * scipy.stats.t.sf(abs(t), degrees), abs=1e-12)


def test_p_value_of_a_tiny_t():
    assert t_p_value(1e-9, 1, "greater") == pytest.approx(0.5 - 1e-9 / math.pi, abs=1e-16)


def test_williams_is_signed():
    """mt-metrics-eval takes the absolute value, which gives the worse metric a small p-value too."""
    columns = {"predictions": SCORES, "references": HUMAN, "baselines": OTHERS}
    result = load("human_correlation").compute(**columns)
    swapped = load("human_correlation").compute(references=HUMAN, predictions=OTHERS, baselines=SCORES)
    assert result["difference"] == -swapped["difference"] > 0
    assert result["williams"] == pytest.approx(-swapped["williams"])
    assert result["williams_p_value"] == pytest.approx(1 - swapped["williams_p_value"])
    assert result["williams_p_value"] < 0.5 < swapped["williams_p_value"]
    two_sided = load("human_correlation").compute(**columns, alternative="two-sided")
    assert two_sided["williams_p_value"] == pytest.approx(2 * result["williams_p_value"])
    assert result["williams"] == pytest.approx(oracles.williams_t(SCORES, OTHERS, HUMAN))
    assert result["williams_p_value"] == pytest.approx(scipy.stats.t.sf(result["williams"], 7))


@given(rows=st.lists(st.tuples(SCORE, SCORE, SCORE), min_size=4, max_size=12))
def test_williams_by_the_usual_formula(rows):
    columns = list(zip(*rows, strict=True))
    found = williams_t(*map(np.array, columns))
    if 1 in map(len, map(set, columns)):
        assert math.isnan(found)
        return
    expected = oracles.williams_t(*columns)
    line = max(abs(np.corrcoef(column, columns[2])[0, 1]) for column in columns[:2])
    # beyond, a metric nearly lies on a line with people, and what is left of the scores is their rounding
    if expected is not None and abs(expected) < 1e4 and line < 1 - 1e-8:
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-8])
def test_williams_of_metrics_that_are_nearly_the_same(size):
    """The correlations of such metrics differ by no more than their own rounding."""
    rng = np.random.default_rng(7)
    metric, human, change = rng.normal(size=(3, 50))
    columns = metric + human, metric + human + size * change, human
    assert williams_t(*columns) == pytest.approx(oracles.williams_t(*columns), rel=1e-6)
    columns = columns[0], columns[0].astype(np.float32).astype(np.float64), human
    assert williams_t(*columns) == pytest.approx(oracles.williams_t(*columns), rel=1e-6)


def test_williams_of_opposites():
    """0/0: what it would tend to depends on how the opposite is reached."""
    assert math.isnan(williams_t(np.array(SCORES), -3 * np.array(SCORES) + 1, np.array(HUMAN)))
    # no spread is left where people lie on a line with the difference of the metrics, and not with their mean
    assert williams_t(np.array([2.0, 0, 0, -2]), np.array([0.0, 2, -2, 0]), np.array([1.0, -1, 1, -1])) > 1e7


FEW = st.integers(0, 3)
LINE = st.tuples(
    st.sampled_from([1e-3, 0.01, 0.1, 1 / 3, 1.0, 7.0, 100.0, 1e6]), st.sampled_from([-3.3, 0.0, 0.1, 25.0])
)
ANY_COEFFICIENT = st.sampled_from(["pearson", "spearman", "kendall", "accuracy"])


@examples(0.4)
@given(rows=st.lists(st.tuples(FEW, FEW, FEW), min_size=2, max_size=6), line=LINE, coefficient=ANY_COEFFICIENT)
def test_scale_and_shift_of_a_metric_change_no_test(rows, line, coefficient):
    scale, shift = line[0], line[0] * line[1]
    scores, human, baselines = zip(*rows, strict=True)
    moved = [shift + scale * score for score in scores]
    columns = {"references": human, "coefficient": coefficient, "permutations": 100}
    expected = load("human_correlation").compute(predictions=scores, baselines=baselines, **columns)
    for result in (
        load("human_correlation").compute(predictions=moved, baselines=baselines, **columns),
        load("human_correlation").compute(
            predictions=scores, baselines=[shift + scale * score for score in baselines], **columns
        ),
    ):
        assert result["permutation_p_value"] == pytest.approx(expected["permutation_p_value"], nan_ok=True)
        assert result["human_correlation"] == pytest.approx(expected["human_correlation"], nan_ok=True)
    copy = load("human_correlation").compute(predictions=scores, baselines=moved, **columns)
    if not math.isnan(copy["human_correlation"]):
        assert copy["permutation_p_value"] == 1.0
        assert coefficient != "pearson" or len(rows) < 4 or (copy["williams"], copy["williams_p_value"]) == (0.0, 0.5)


def test_permutations_of_two_rows_are_by_hand():
    """Swapped in one row the metrics are constant, so two of the four ways count: +2 and -2, or 0 and 0."""
    for baselines, alternative, expected in (
        ([0.2, 0.1], "greater", 0.5),
        ([0.2, 0.1], "two-sided", 1.0),
        ([0.1, 0.3], "greater", 1.0),
    ):
        result = compute([(0.3, 1), (0.7, 2)], baselines=baselines, alternative=alternative)
        assert result["permutation_p_value"] == expected


@given(values=st.lists(SCORE, min_size=2, max_size=25), line=LINE, sign=st.sampled_from([-1, 1]))
def test_a_perfect_line_has_one(values, line, sign):
    """And not .9999999999999999, in any coefficient."""
    if len(set(values)) == 1:
        return
    result = compute([(value, sign * line[0] * (value + line[1])) for value in values])
    assert result["pearson"] == sign
    small = compute([(value, sign * value) for value in values])
    assert [small[name] for name in SCIPY] == [sign] * 3


def test_a_perfect_line_of_many_rows_has_one():
    values = np.random.default_rng(2).random(20_000)
    assert compute(list(zip(values, 0.1 * values + 3, strict=True)))["pearson"] == 1.0


def test_thresholds_of_accuracy_do_not_depend_on_rounding():
    """0.2 - 0.1 and 0.3 - 0.2 are not the same number, but the same threshold."""
    assert 0.2 - 0.1 != 0.3 - 0.2
    for last in (0.3, 0.3 - 2 * np.spacing(0.3)):
        result = compute(list(zip([0.1, 0.2, last], [1, 2, 2], strict=True)), coefficient="accuracy")
        assert (result["accuracy"], result["tie_threshold"]) == (2 / 3, 0.0)


@pytest.mark.parametrize(("steps", "accuracy"), [(0, 2 / 3), (15, 2 / 3), (17, 1.0), (40, 1.0)])
@pytest.mark.parametrize("scale", [1, 1000, -0.001])
def test_gaps_that_differ_by_a_few_steps_of_a_float_are_one_threshold(steps, accuracy, scale):
    """1, 2 and a little less than 3: where these gaps are two thresholds, the smaller one ties the right pair alone."""
    scores = [scale * 1, scale * 2, scale * (3 - steps * 2**-51)]
    result = compute(list(zip(scores, [1, 2, 2] if scale > 0 else [2, 1, 1], strict=True)), coefficient="accuracy")
    assert result["accuracy"] == accuracy


@given(rows=ROWS.filter(lambda rows: len(rows) > 3), coefficient=COEFFICIENT)
def test_two_metrics_that_are_the_same(rows, coefficient):
    result = compute(
        rows, baselines=[score for score, _ in rows], coefficient=coefficient, permutations=9, confidence=0.9
    )
    if math.isnan(result["human_correlation"]):
        assert math.isnan(result["permutation_p_value"])
        return
    assert result["permutation_p_value"] == 1.0
    assert result["difference"] == 0.0
    assert len(rows) < 6 or result["difference_confidence_interval"] == [0.0, 0.0]
    assert ("williams" in result) == (coefficient == "pearson")
    if coefficient == "pearson":
        assert (result["williams"], result["williams_p_value"]) == (0.0, 0.5)


@pytest.mark.parametrize(("coefficient", "averaging"), [("pearson", None), ("kendall", "system"), ("spearman", "item")])
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("permutations", [16, 1000])
def test_permutation_test_tries_all_swaps(coefficient, averaging, alternative, permutations):
    """Of 4 items there are 16 ways to swap."""
    differences = swapped_differences(ITEMS, 4, coefficient, averaging)
    found = np.abs(differences) if alternative == "two-sided" else np.array(differences)
    result = load("human_correlation").compute(
        predictions=SCORES, references=HUMAN, systems=SYSTEMS, items=ITEMS, baselines=OTHERS,
        coefficient=coefficient, averaging=averaging, alternative=alternative, permutations=permutations,
    )  # fmt: skip
    assert result["difference"] == pytest.approx(differences[0], abs=1e-12)
    assert result["permutation_p_value"] == pytest.approx((found >= found[0] - 1e-9).mean(), abs=1e-12)


def test_random_permutations_come_near():
    """Of 8 rows there are 256 ways to swap, one more than asked for."""
    differences = np.array(swapped_differences(range(8), 8, "pearson", None))
    result = compute(list(zip(SCORES[:8], HUMAN[:8], strict=True)), baselines=OTHERS[:8], permutations=255)
    expected = (differences >= differences[0] - 1e-9).mean()
    assert result["permutation_p_value"] == pytest.approx(expected, abs=0.08)
    assert result["permutation_p_value"] * 256 == pytest.approx(round(result["permutation_p_value"] * 256))


def test_all_sign_changes_are_tried_if_they_are_no_more_than_asked_for():
    every = sign_changes(4, 16, seed=1)
    assert sorted(map(tuple, every)) == sorted(itertools.product([-1.0, 1.0], repeat=4))
    assert every[0].tolist() == [1.0] * 4
    assert sign_changes(4, 15, seed=1).shape == (15, 4)
    assert set(sign_changes(4, 15, seed=1).ravel()) == {-1.0, 1.0}


def swapped_differences(units, n_units, coefficient, averaging):
    """The difference of two metrics for each way to swap units."""
    rows = slice(len(units))

    def value(scores):
        return naive_value(
            coefficient, averaging, list(zip(scores, HUMAN[rows], SYSTEMS[rows], ITEMS[rows], strict=True))
        )

    metric, baseline = (scipy.stats.zscore(scores[rows]) for scores in (SCORES, OTHERS))
    differences = []
    for swaps in itertools.product([False, True], repeat=n_units):
        swapped = np.array(swaps)[list(units)]
        pair = np.where(swapped, baseline, metric), np.where(swapped, metric, baseline)
        differences.append(value(pair[0]) - value(pair[1]))
    return differences


def test_permutation_p_value_counts_the_data_as_they_are():
    result = compute(list(zip(SCORES, HUMAN, strict=True)), baselines=HUMAN[::-1], permutations=1)
    assert result["permutation_p_value"] in (0.5, 1.0)


EVERY_KEY = ("human_correlation", "pearson", "spearman", "kendall")
UNDEFINED = {**dict.fromkeys((*EVERY_KEY, "permutation_p_value"), math.nan), "confidence_interval": [math.nan] * 2}
EDGES = [  # with the human scores as those of another metric
    (
        scores,
        human,
        None,
        None,
        human,
        {"confidence": 0.9, "resamples": 9, "permutations": 9},
        {"groups": groups, "williams": math.nan, "williams_p_value": math.nan, **expected},
    )
    for scores, human, groups, expected in [
        ([1.0], [2.0], 0, UNDEFINED),
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], 0, UNDEFINED),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1], 0, UNDEFINED),
        ([0.1 + 0.2, 0.1 + 0.2], [1.0, 2.0], 0, UNDEFINED),
        ([1.0, 2.0], [3.0, 1.0], 1, dict.fromkeys(EVERY_KEY, -1.0)),
    ]
]


def test_degenerate_groups_are_left_out():
    """Item 1 has one row, item 2 a constant: the mean is that of item 0 alone."""
    rows = [(1, 1), (2, 3), (3, 2), (5, 5), (4, 4), (4, 1)]
    items = [0, 0, 0, 1, 2, 2]
    result = compute(rows, items=items, averaging="item")
    assert (result["pearson"], result["groups"], result["rows"]) == (pytest.approx(0.5), 1, 6)


def test_one_system_has_no_soft_accuracy():
    result = load("human_correlation").compute(**grid([[1, 2]], [[2, 1]]), coefficient="soft_accuracy")
    assert math.isnan(result["soft_accuracy"])
    assert result["groups"] == 0


BAD_CALLS = [
    ({"predictions": ["0.5", 1]}, "predictions[0] is a string, '0.5'; pass a finite number"),
    ({"references": [1, math.nan]}, "references[1] is nan; pass a finite number"),
    ({"references": [1, math.inf]}, "references[1] is inf; pass a finite number"),
    ({"references": [1, True]}, "references[1] is of type bool, True; pass a finite number"),
    ({"baselines": [None, 1]}, "baselines[0] is None; pass a finite number"),
    ({"baselines": [1]}, "predictions has 2 rows and baselines 1"),
    ({"systems": ["a", 0.5]}, "systems[1] is of type float, 0.5; pass a string or an integer"),
    ({"items": ["a", ""]}, "items[1] is missing, but other rows have it; pass it for all or none"),
    ({"averaging": "item"}, "averaging='item' needs the column items"),
    ({"averaging": "system", "items": [1, 2]}, "averaging='system' needs the column systems"),
    ({"coefficient": "soft_accuracy", "items": [1, 2]}, "coefficient='soft_accuracy' needs the column systems"),
    ({"coefficient": "soft_accuracy", "systems": [1, 2]}, "coefficient='soft_accuracy' needs the column items"),
    ({"coefficient": "soft_accuracy", "systems": ["a", "b"], "items": [1, 2]}, "system 'a' has no item '2'"),
    ({"coefficient": "soft_accuracy", "systems": ["a", "a"], "items": [1, 1]},
     "row 1 is the second row of system 'a' and item '1'"),
    ({"coefficient": "soft_accuracy", "averaging": "item"}, "leave out averaging"),
    ({"coefficient": "pairwise_difference", "averaging": "item", "items": [1, 2]}, "leave out averaging"),
    ({"judge": True, "standardize": "rater"}, "judge compares scores on people's own scale, but standardize"),
    ({"coefficient": "pairwise_difference"}, "coefficient='pairwise_difference' needs the column items"),
]  # fmt: skip


def test_columns_that_some_batches_lack():
    metric = load.__wrapped__("human_correlation")  # it keeps what was added, which other tests must not find
    metric.add_batch(predictions=[1, 2], references=[2, 1])
    metric.add_batch(predictions=[1, 2], references=[2, 1], baselines=[3, 4])
    with pytest.raises(ValueError, match="baselines\\[0\\] is missing, but other rows have it"):
        metric.compute()


@pytest.mark.parametrize("size", [2.0**1010, 2.0**-1040])
def test_the_permutation_test_bears_scores_of_any_size(size):
    scores, human = [1.0, 5.0, 2.0, 4.0, 3.0, 7.0], [1, 4, 3, 2, 5, 6]
    baselines = {"baselines": [2.0, 1.0, 4.0, 3.0, 6.0, 5.0]}
    expected = load("human_correlation").compute(predictions=scores, references=human, **baselines)
    assert 0 < expected["permutation_p_value"] < 1
    scaled = [score * size for score in scores]
    result = load("human_correlation").compute(predictions=scaled, references=human, **baselines)
    assert result["permutation_p_value"] == expected["permutation_p_value"]


def test_a_constant_metric_on_one_scale():
    """It stays constant; the other one has a deviation of 1 and the same mean."""
    constant, other = on_one_scale(np.full(4, 3.0), np.arange(4.0))
    assert (constant == constant[0]).all()
    assert (other.std(), other.mean()) == (pytest.approx(1), pytest.approx(constant[0]))
