"""The rows that human correlation is of, sorted by group, and their coefficient for one resample or many."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import label_codes
from textgauge.core.rounding import merged

from .correlations import kendall, pairwise_difference, pearson, spearman
from .pairwise_accuracy import calibrated_accuracy, pairs_of, soft_accuracy
from .raters import mean_ratings

COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


class Sample(NamedTuple):
    """Rows sorted by group, and the units that a resample draws."""

    scores: np.ndarray  # (n_rows,) by the metric
    human: np.ndarray  # (n_rows,) by people
    ratings: np.ndarray  # (n_rows, n_raters) by each person, nan if missing
    baselines: np.ndarray  # (n_rows,) by another metric, nan without one
    starts: np.ndarray  # (n_groups,) first row of each group
    units: np.ndarray  # (n_rows,) what each row is drawn with: its item, or where there are no items the row itself
    n_units: int
    groups_are_units: bool  # whether the groups are the items: then a draw takes whole groups, more or less often
    n_systems: int  # for soft accuracy, which needs each system on each item


def sample_of(columns: Mapping[str, Sequence[Any]], ratings: np.ndarray, averaging: str | None) -> Sample:
    """Returns the rows sorted by group, then by system, then by item.

    Scores that differ only by rounding become equal: no tie and no constant depends on the order of a sum.

    >>> columns = {"predictions": [0.5, 0.25, 0.75], "systems": ["b", "a", "a"], "items": [""] * 3}
    >>> sample = sample_of({**columns, "baselines": [0.0] * 3}, np.array([[4.0], [1.0], [5.0]]), "system")
    >>> sample.scores.tolist(), sample.human.tolist(), sample.starts.tolist()
    ([0.25, 0.75, 0.5], [1.0, 5.0, 4.0], [0, 2])

    Args:
        columns: predictions, baselines, systems and items.
        ratings: (n_rows, n_raters) scores by people, nan where one is missing.
        averaging: the option.
    """
    n_rows = len(columns["predictions"])
    systems = label_codes(columns["systems"])
    items = label_codes(columns["items"])
    units = items if columns["items"][0] else np.arange(n_rows)
    groups = np.zeros(n_rows, dtype=np.int64)
    if averaging == "system":
        groups = systems
    elif averaging == "item":
        groups = items

    order = np.lexsort([units, systems, groups])
    scores = merged(np.array(columns["predictions"])[order])
    baselines = merged(np.array(columns["baselines"])[order])
    ratings = ratings[order]
    n_groups = groups.max() + 1
    starts = np.searchsorted(groups[order], np.arange(n_groups))
    n_units = int(units.max()) + 1
    n_systems = int(systems.max()) + 1
    return Sample(
        scores=scores,
        human=mean_ratings(ratings),
        ratings=ratings,
        baselines=baselines,
        starts=starts,
        units=units[order],
        n_units=n_units,
        groups_are_units=averaging == "item",
        n_systems=n_systems,
    )


def agreement(
    sample: Sample, scores: np.ndarray, counts: np.ndarray, coefficient: str, signs: np.ndarray | None
) -> np.ndarray:
    """Returns the coefficient for each of several draws, (n_draws,): the mean over the groups in which it is defined.

    >>> columns = {"predictions": [0.25, 0.75, 0.5], "baselines": [0.0] * 3, "systems": [""] * 3, "items": [""] * 3}
    >>> sample = sample_of(columns, np.array([[1.0], [2.0], [3.0]]), None)
    >>> agreement(sample, sample.scores, np.array([[1, 1, 1], [2, 1, 0]]), "kendall", None).round(4).tolist()
    [0.3333, 1.0]

    Args:
        sample: the rows.
        scores: (n_rows,) by the metric.
        counts: (n_draws, n_units) how often each unit is drawn.
        coefficient: the option.
        signs: for soft accuracy, see `sign_changes`.
    """
    if coefficient == "soft_accuracy":
        by_metric = scores.reshape(sample.n_systems, -1)
        by_people = sample.human.reshape(sample.n_systems, -1)
        accuracies = []
        for draw in counts:
            items = np.repeat(np.arange(sample.n_units), draw.astype(np.intp))
            accuracies.append(soft_accuracy(by_metric[:, items], by_people[:, items], signs))
        return np.array(accuracies)
    if coefficient == "pairwise_difference":
        return pairwise_difference(scores, sample.human, sample.units, counts)
    weights, group_weights = weights_of(sample, counts)
    if coefficient == "accuracy":
        pairs = pairs_of(scores, sample.human, sample.starts)
        weights = np.broadcast_to(weights, (len(counts), len(scores)))
        accuracies = []
        for row_weights, weights_of_groups in zip(weights, group_weights, strict=True):
            accuracy, _ = calibrated_accuracy(pairs, sample.starts, row_weights, weights_of_groups)
            accuracies.append(accuracy)
        return np.array(accuracies)
    values = COEFFICIENTS[coefficient](scores, sample.human, sample.starts, weights)
    return group_means(values, group_weights)


def group_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the mean over the groups in which a value is defined, (n_draws,); nan without such a group.

    Args:
        values: (n_draws, n_groups), or one row for all draws.
        weights: (n_draws, n_groups) how often each group counts.
    """
    is_defined = ~np.isnan(values)
    total = (weights * is_defined).sum(-1)
    with np.errstate(invalid="ignore"):
        return (weights * np.where(is_defined, values, 0.0)).sum(-1) / total


def weights_of(sample: Sample, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns how often each row counts, (n_draws, n_rows), and the weight of each group, (n_draws, n_groups).

    Where a draw takes whole groups, each row counts once in its group, and the first array is the same for all draws:
    (1, n_rows).
    """
    if sample.groups_are_units:
        return np.ones((1, len(sample.scores))), counts
    return counts[:, sample.units], np.broadcast_to(1.0, (len(counts), len(sample.starts)))
