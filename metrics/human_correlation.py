"""How well a metric agrees with people: correlation coefficients, pairwise accuracies, and tests of two metrics.

Pearson's r, Spearman's rho and Kendall's tau-b as in scipy; pairwise accuracy with tie calibration (Deutsch et al.
2023), soft pairwise accuracy (Thompson et al. 2024), and averages over items or systems, as in the WMT metrics task
(mt-metrics-eval); Williams' test (1959) of two metrics, with its sign, and a permutation test.
"""

import math
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

import numpy as np

from ._bootstrap import draw_counts
from ._bootstrap import percentile_interval
from ._columns import LABELS
from ._columns import NUMBERS
from ._columns import OPTIONAL_NUMBERS
from ._correlations import kendall
from ._correlations import pearson
from ._correlations import scaled
from ._correlations import spearman
from ._metric import Metric
from ._options import BOOTSTRAP
from ._options import choice
from ._options import count
from ._pairwise_accuracy import calibrated_accuracy
from ._pairwise_accuracy import pairs_of
from ._pairwise_accuracy import sign_changes
from ._pairwise_accuracy import soft_accuracy
from ._signature import VERSION as VERSION
from ._significance import on_one_scale
from ._significance import t_p_value
from ._significance import williams_t

_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
_ROUNDING = 1e-12


class Sample(NamedTuple):
    """Rows sorted by group, and the units that a resample draws."""

    scores: np.ndarray  # (n_rows,) by the metric
    human: np.ndarray  # (n_rows,)
    baselines: np.ndarray  # (n_rows,) by another metric, nan if there is none
    starts: np.ndarray  # (n_groups,) first row of each group
    units: np.ndarray  # (n_rows,) item of each row, or without items its own number; units are drawn as a whole
    n_units: int
    groups_are_units: bool  # groups are items, so that a draw changes the weights of groups and not their rows
    n_systems: int  # for soft accuracy, which needs each system on each item


def sample_of(columns: Mapping[str, Sequence[Any]], averaging: str | None) -> Sample:
    """Returns the rows sorted by group, then by system, then by item."""
    n_rows = len(columns["predictions"])
    codes = {name: np.unique(columns[name], return_inverse=True)[1].reshape(-1) for name in ("systems", "items")}
    units = codes["items"] if columns["items"][0] else np.arange(n_rows)
    groups = codes[f"{averaging}s"] if averaging else np.zeros(n_rows, dtype=np.int64)
    order = np.lexsort([units, codes["systems"], groups])
    scores, human, baselines = (np.array(columns[name])[order] for name in ("predictions", "references", "baselines"))
    return Sample(
        scores=scores,
        human=human,
        baselines=baselines,
        starts=np.searchsorted(groups[order], np.arange(groups.max() + 1)),
        units=units[order],
        n_units=int(units.max()) + 1,
        groups_are_units=averaging == "item",
        n_systems=int(codes["systems"].max()) + 1,
    )


def agreement(
    sample: Sample, scores: np.ndarray, counts: np.ndarray, coefficient: str, signs: np.ndarray | None
) -> np.ndarray:
    """Returns the coefficient for each of several draws, (n_draws,): the mean over the groups in which it is defined.

    Args:
        sample: the rows.
        scores: (n_rows,) by the metric.
        counts: (n_draws, n_units) how often each unit is drawn.
        coefficient: the option.
        signs: for soft accuracy, see `sign_changes`.
    """
    if coefficient == "soft_accuracy":
        grids = (scores.reshape(sample.n_systems, -1), sample.human.reshape(sample.n_systems, -1))
        drawn = (np.repeat(np.arange(sample.n_units), draw.astype(np.int64)) for draw in counts)
        return np.array([soft_accuracy(*(grid[:, items] for grid in grids), signs) for items in drawn])
    weights, group_weights = _weights(sample, counts)
    if coefficient == "accuracy":
        pairs = pairs_of(scores, sample.human, sample.starts)
        draws = zip(weights, group_weights, strict=True)
        return np.array([calibrated_accuracy(pairs, sample.starts, *draw)[0] for draw in draws])
    if sample.groups_are_units:
        weights = weights[:1]
    values = _COEFFICIENTS[coefficient](scores, sample.human, sample.starts, weights)
    is_defined = ~np.isnan(values)
    total = (group_weights * is_defined).sum(-1)
    with np.errstate(invalid="ignore"):
        return (group_weights * np.where(is_defined, values, 0.0)).sum(-1) / total


def _weights(sample: Sample, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns how often each row counts, (n_draws, n_rows), and the weight of each group, (n_draws, n_groups)."""
    if sample.groups_are_units:
        return np.broadcast_to(1.0, (len(counts), len(sample.scores))), counts
    return counts[:, sample.units], np.broadcast_to(1.0, (len(counts), len(sample.starts)))


def coefficients(sample: Sample, coefficient: str, signs: np.ndarray | None) -> dict[str, Any]:
    """Returns the headline, the coefficients that need no pairs, what belongs to the chosen one, and two counts."""
    once = np.ones((1, sample.n_units))
    found = {name: float(agreement(sample, sample.scores, once, name, None)[0]) for name in _COEFFICIENTS}
    sizes = np.diff(sample.starts, append=len(sample.scores))
    if coefficient in _COEFFICIENTS:
        ones = np.ones(len(sample.scores))
        values = _COEFFICIENTS[coefficient](sample.scores, sample.human, sample.starts, ones)
        n_groups = int((~np.isnan(values)).sum())
    elif coefficient == "accuracy":
        pairs = pairs_of(sample.scores, sample.human, sample.starts)
        weights = np.ones(len(sample.scores)), np.ones(len(sample.starts))
        found["accuracy"], found["tie_threshold"] = calibrated_accuracy(pairs, sample.starts, *weights)
        n_groups = int((sizes > 1).sum())
    else:
        found["soft_accuracy"] = float(agreement(sample, sample.scores, once, coefficient, signs)[0])
        n_groups = int(sample.n_systems > 1)
    return {"human_correlation": found[coefficient], **found, "rows": len(sample.scores), "groups": n_groups}


def interval(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> dict[str, list[float]]:
    """Returns bootstrap intervals of the coefficient, and with a baseline of the difference, from the same draws."""
    if options["confidence"] is None:
        return {}
    draws = (sample.n_units, options["resamples"], options["seed"])

    def drawn(scores: np.ndarray) -> np.ndarray:
        blocks = draw_counts(*draws)
        return np.concatenate([agreement(sample, scores, block, options["coefficient"], signs) for block in blocks])

    ours = drawn(sample.scores)
    result = {"confidence_interval": percentile_interval(ours, options["confidence"])}
    if not np.isnan(sample.baselines[0]):
        result["difference_confidence_interval"] = percentile_interval(
            ours - drawn(sample.baselines), options["confidence"]
        )
    return result


def comparison(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> dict[str, float]:
    """Returns the baseline's coefficient, the difference, and its tests; empty without a baseline."""
    if np.isnan(sample.baselines[0]):
        return {}
    coefficient, alternative = options["coefficient"], options["alternative"]
    once = np.ones((1, sample.n_units))
    ours, theirs = (
        float(agreement(sample, scores, once, coefficient, signs)[0]) for scores in (sample.scores, sample.baselines)
    )
    result = {"baseline_correlation": theirs, "difference": ours - theirs}
    if coefficient == "pearson" and options["averaging"] is None:
        result["williams"] = williams_t(*map(scaled, (sample.scores, sample.baselines, sample.human)))
        result["williams_p_value"] = t_p_value(result["williams"], len(sample.scores) - 3, alternative)
    result["permutation_p_value"] = _permutation_p_value(sample, signs, options)
    return result


def _permutation_p_value(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> float:
    """Returns the share of permutations in which the difference of two metrics is at least as large as it is.

    A permutation swaps the two metrics' scores of some items, or rows. Scores are standardised before, so that they can
    be swapped (Deutsch, Dror and Roth 2021). The first permutation swaps nothing. So two metrics that are the same, or
    are linear functions of one another, have 1.
    """
    once, coefficient = np.ones((1, sample.n_units)), options["coefficient"]
    metric, baseline = on_one_scale(scaled(sample.scores), scaled(sample.baselines))
    differences = []
    for swapped in _swaps(sample.n_units, options["permutations"], options["seed"]):
        swapped = swapped[sample.units]
        pair = np.where(swapped, baseline, metric), np.where(swapped, metric, baseline)
        ours, theirs = (agreement(sample, scores, once, coefficient, signs)[0] for scores in pair)
        differences.append(ours - theirs)
    found = np.abs(differences) if options["alternative"] == "two-sided" else np.array(differences)
    if np.isnan(found[0]):
        return math.nan
    return float((found[~np.isnan(found)] >= found[0] - _ROUNDING).mean())


def _swaps(n_units: int, permutations: int, seed: int) -> Iterator[np.ndarray]:
    """Yields which units are swapped, first none: all ways if these are at most `permutations`, else random ones."""
    if n_units < permutations.bit_length():
        yield from sign_changes(n_units, permutations, seed) < 0
        return
    yield np.zeros(n_units, dtype=bool)
    rng = np.random.default_rng(seed)
    for _ in range(permutations):
        yield rng.random(n_units) < 0.5


def check(*, coefficient: str, averaging: str | None) -> None:
    """Raises ValueError for options that contradict one another."""
    if coefficient == "soft_accuracy" and averaging is not None:
        raise ValueError("coefficient='soft_accuracy' compares systems over all items: it has no averaging")


class HumanCorrelation(Metric):
    """Human correlation says how well a metric's scores agree with people's, and whether better than another metric's.

    Returns:
        human_correlation (the coefficient asked for); pearson, spearman, kendall in [-1, 1]; accuracy and
        tie_threshold, or soft_accuracy, in [0, 1] if asked for; rows; groups, over which the headline is a mean.
        With baselines: baseline_correlation, difference, williams and williams_p_value (for "pearson" without
        averaging), permutation_p_value; with confidence also difference_confidence_interval. A value that is undefined
        (constant scores, too few rows) is nan.

    Examples:
        >>> human_correlation = HumanCorrelation()  # or evaluate.load("./metrics/human_correlation.py")
        >>> result = human_correlation.compute(predictions=[0.2, 0.5, 0.4, 0.9], references=[1, 3, 2, 3])
        >>> [round(result[key], 4) for key in ("human_correlation", "pearson", "spearman", "kendall")]
        [0.8278, 0.8278, 0.9487, 0.9129]
    """

    CITATION = """\
@inproceedings{deutsch-etal-2023-ties,
    title = "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration",
    author = "Deutsch, Daniel and Foster, George and Freitag, Markus",
    booktitle = "Proceedings of the 2023 Conference on Empirical Methods in Natural Language Processing",
    year = "2023",
    pages = "12914--12929",
    url = "https://aclanthology.org/2023.emnlp-main.798",
}
@inproceedings{thompson-etal-2024-improving,
    title = "Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy",
    author = "Thompson, Brian and Mathur, Nitika and Deutsch, Daniel and Khayrallah, Huda",
    booktitle = "Proceedings of the Ninth Conference on Machine Translation",
    year = "2024",
    pages = "1222--1234",
    url = "https://aclanthology.org/2024.wmt-1.118",
}
@book{williams-1959-regression,
    title = "Regression Analysis",
    author = "Williams, Evan James",
    publisher = "Wiley",
    year = "1959",
}
"""
    COLUMNS = {
        "predictions": NUMBERS._replace(
            help="one number per row, the metric's score; higher is better, so negate error rates."
        ),
        "references": NUMBERS._replace(help="one number per row, the score by people; higher is better."),
        "systems": LABELS._replace(
            help="for each row the system that it scores, a string or an integer; may be left out."
        ),
        "items": LABELS._replace(
            help="for each row the item, such as the source sentence; resampling and permutations keep the rows of an "
            "item together. May be left out."
        ),
        "baselines": OPTIONAL_NUMBERS._replace(
            help="one number per row, the score of another metric to compare with; may be left out."
        ),
    }
    LOWER_IS_BETTER = False
    OPTIONS = {
        "coefficient": choice(
            "pearson",
            "coef",
            "the headline: `pearson`, `spearman`, `kendall` (tau-b), `accuracy` (of pairs, with calibrated ties; time "
            "and memory grow with the square of the rows of a group) or `soft_accuracy` (of pairs of systems).",
            (*_COEFFICIENTS, "accuracy", "soft_accuracy"),
        ),
        "averaging": choice(
            None,
            "avg",
            "None (over all rows at once), or the mean of the coefficients per `item` or per `system`.",
            (None, "item", "system"),
        ),
        "alternative": choice(
            "greater",
            "alt",
            "alternative hypothesis of the tests: `greater` (the metric is better than the baseline) or `two-sided`.",
            ("greater", "two-sided"),
        ),
        "permutations": count(
            1000, "perm", "how many the permutation test and soft accuracy take; all, if there are no more than that."
        ),
        "seed": BOOTSTRAP["seed"]._replace(
            help="of permutations and bootstrap; no global random state is used.", needs=""
        ),
    }

    def statistics(self, *_, **__):
        """Raises NotImplementedError: ranks depend on all rows."""
        raise NotImplementedError("ranks depend on all rows: human_correlation has no rows that add up; call compute")

    score = statistics

    def _check_needed(self, columns, options):
        """Raises ValueError for an optional column with gaps, and where the options need a column that is missing."""
        missing = {name: np.array(columns[name]) == "" for name in ("systems", "items")}
        missing["baselines"] = np.isnan(columns["baselines"])
        for name, rows in missing.items():
            if rows.any() and not rows.all():
                raise ValueError(f"{name}[{rows.argmax()}] is missing, and other rows have it; pass it for all or none")
        needed = [("averaging", name) for name in ("system", "item") if options["averaging"] == name]
        if options["coefficient"] == "soft_accuracy":
            needed = [("coefficient", "system"), ("coefficient", "item")]
        for option, name in needed:
            if missing[f"{name}s"].any():
                raise ValueError(f"{option}={options[option]!r} needs the column {name}s")
        if options["coefficient"] == "soft_accuracy":
            _check_grid(columns["systems"], columns["items"])

    def _result(self, columns, options):
        """Returns what `compute` returns."""
        self._check_needed(columns, options)
        sample, signs = sample_of(columns, options["averaging"]), None
        if options["coefficient"] == "soft_accuracy":
            signs = sign_changes(sample.n_units, options["permutations"], options["seed"])
        result = coefficients(sample, options["coefficient"], signs)
        return {**result, **interval(sample, signs, options), **comparison(sample, signs, options)}


def _check_grid(systems: Sequence[str], items: Sequence[str]) -> None:
    """Raises ValueError unless there is one row for each system and each item."""
    seen = set()
    for row, cell in enumerate(zip(systems, items, strict=True)):
        if cell in seen:
            raise ValueError(
                f"row {row} is the second of system {cell[0]!r} and item {cell[1]!r}; soft accuracy takes one"
            )
        seen.add(cell)
    for system in sorted(set(systems)):
        for item in sorted(set(items)):
            if (system, item) not in seen:
                raise ValueError(
                    f"system {system!r} has no item {item!r}; soft accuracy takes each system on each item"
                )
