"""How well a metric agrees with people: correlation coefficients, pairwise accuracies, and tests of two metrics.

Pearson's r, Spearman's rho and Kendall's tau-b as in scipy; pairwise accuracy with tie calibration (Deutsch et al.
2023), soft pairwise accuracy (Thompson et al. 2024), pairwise difference Pearson (DiIanni and Deutsch 2025), and
averages over items or systems, as in the WMT metrics task (mt-metrics-eval); Williams' test (1959) of two metrics, with
its sign, and a permutation test.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textgauge.core.bootstrap import draw_counts, interval_values, warn_of_few_units  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import Metric  # From: -e .
from textgauge.core.number_columns import LABELS, NUMBERS, OPTIONAL_NUMBERS, RATINGS  # From: -e .
from textgauge.core.options import BOOTSTRAP, MOST_RESAMPLES, choice, count, flag  # From: -e .
from textgauge.core.rounding import difference  # From: -e .
from textgauge.raters.pairwise_accuracy import calibrated_accuracy, pairs_of, sign_changes  # From: -e .
from textgauge.raters.rater_values import judge_values, rater_values  # From: -e .
from textgauge.raters.raters import mean_ratings, rating_matrix, standardized  # From: -e .
from textgauge.raters.samples import COEFFICIENTS, Sample, agreement, sample_of  # From: -e .
from textgauge.raters.significance import comparison  # From: -e .

# further values that a coefficient compares by, all at once
_NEEDED = {"soft_accuracy": ("system", "item"), "pairwise_difference": ("item",)}


def coefficients(sample: Sample, coefficient: str, signs: np.ndarray | None) -> dict[str, Any]:
    """Returns the headline, the coefficients that need no pairs, the values of the chosen one, and two counts.

    `signs` are those of `sign_changes`, (n_permutations, n_units), for soft accuracy; else None.

    >>> columns = {"predictions": [0.2, 0.5, 0.9], "baselines": [np.nan] * 3, "systems": [""] * 3, "items": [""] * 3}
    >>> values = coefficients(sample_of(columns, rating_matrix([1, 3, 2]), None), "kendall", None)
    >>> {key: round(value, 4) for key, value in values.items()}
    {'human_correlation': 0.3333, 'pearson': 0.4271, 'spearman': 0.5, 'kendall': 0.3333, 'rows': 3, 'groups': 1}
    """
    once = np.ones((1, sample.n_units))
    result = {}
    for name in COEFFICIENTS:
        [value] = agreement(sample, sample.scores, once, name, None)
        result[name] = float(value)
    sizes = np.diff(sample.starts, append=len(sample.scores))
    if coefficient in COEFFICIENTS:
        ones = np.ones(len(sample.scores))
        values = COEFFICIENTS[coefficient](sample.scores, sample.human, sample.starts, ones)
        n_groups = int((~np.isnan(values)).sum())
    elif coefficient == "accuracy":
        pairs = pairs_of(sample.scores, sample.human, sample.starts)
        weights = np.ones(len(sample.scores)), np.ones(len(sample.starts))
        result["accuracy"], result["tie_threshold"] = calibrated_accuracy(pairs, sample.starts, *weights)
        n_groups = int((sizes > 1).sum())
    else:
        [value] = agreement(sample, sample.scores, once, coefficient, signs)
        result[coefficient] = float(value)
        n_groups = int(sample.n_systems > 1)
        if coefficient == "pairwise_difference":
            rows_of_units = np.bincount(sample.units)
            n_groups = int((rows_of_units > 1).sum())
    return {"human_correlation": result[coefficient], **result, "rows": len(sample.scores), "groups": n_groups}


def interval(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the uncertainty of the coefficient, and with a baseline of the difference, from the same draws.

    `signs` are those that `coefficients` takes, (n_permutations, n_units).

    >>> columns = {"predictions": [0.1, 0.2, 0.3, 0.4, 0.6, 0.5, 0.7], "references": [1, 2, 3, 4, 5, 6, 7]}
    >>> result = HumanCorrelation().compute(**columns, confidence=0.9)
    >>> [key for key in result if "interval" in key or "error" in key], result["units"]
    (['confidence_interval', 'standard_error'], 7)
    """
    if options["confidence"] is None:
        return {}
    n_units = sample.n_units

    def drawn(scores: np.ndarray) -> np.ndarray:
        blocks = draw_counts(n_units, options["resamples"], options["seed"])
        return np.concatenate([agreement(sample, scores, block, options["coefficient"], signs) for block in blocks])

    warn_of_few_units(n_units)
    values = drawn(sample.scores)
    result = interval_values(values, options["confidence"], n_units)
    if not np.isnan(sample.baselines[0]):
        differences = difference(values, drawn(sample.baselines))
        result |= interval_values(differences, options["confidence"], n_units, "difference_")
    return {**result, "units": n_units}


def check(*, coefficient: str, averaging: str | None, judge: bool, standardize: str | None) -> None:
    """Raises InputError for options that contradict one another."""
    if coefficient in _NEEDED and averaging is not None:
        raise InputError(f"coefficient={coefficient!r} takes all items together; leave out averaging")
    if judge and standardize is not None:
        raise InputError(f"judge compares scores on people's own scale, but standardize is {standardize!r}; drop one")


class HumanCorrelation(Metric):
    """Human correlation measures how well a metric agrees with people, and whether better than another metric does.

    Returns:
        human_correlation (the chosen coefficient); pearson, spearman, kendall in [-1, 1]; accuracy and
        tie_threshold, soft_accuracy, in [0, 1], or pairwise_difference, in [-1, 1], if chosen; rows; groups, over
        which the headline is a mean. With several raters: raters; alpha, ordinal_alpha and nominal_alpha
        (Krippendorff's), kappa and weighted_kappa (Cohen's, mean over pairs), at most 1; rater_correlation (of one with
        the mean of the others), reliability (of the mean of all) and noise_ceiling (the largest Pearson's r that a
        metric can be expected to reach), at most 1; with confidence also the interval of each of these eight.
        With judge: judge_bias, judge_spread, judge_alpha, judge_kappa, judge_correlation, judge_advantage,
        judge_correlations (with each person); with confidence intervals, and judge, their meaning in words.
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
@inproceedings{diianni-deutsch-2025-small,
    title = "Don't Sweat the Small Stuff: Segment-Level Meta-Evaluation Based on Pairwise Difference Correlation",
    author = "DiIanni, Colten and Deutsch, Daniel",
    booktitle = "Proceedings of the 2025 Conference on Empirical Methods in Natural Language Processing",
    year = "2025",
    pages = "25073--25081",
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
        "references": RATINGS._replace(
            help="one number per row, the score by people; or one list per row, with a number for each rater, in the "
            "same order in all rows, and None where a rater gave none; higher is better."
        ),
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
    USUAL_RANGE = (-1, 1)
    OPTIONS = {
        "coefficient": choice(
            "pearson",
            "coef",
            "the headline: `pearson`, `spearman`, `kendall` (tau-b), `accuracy` (of pairs, with calibrated ties; time "
            "and memory grow with the square of the rows of a group), `soft_accuracy` (of pairs of systems) or "
            "`pairwise_difference` (Pearson's r of the differences between the rows of an item).",
            (*COEFFICIENTS, "accuracy", "soft_accuracy", "pairwise_difference"),
        ),
        "averaging": choice(
            None,
            "avg",
            "None (over all rows at once), or the mean of the coefficients per `item` or per `system`.",
            (None, "item", "system"),
        ),
        "standardize": choice(
            None,
            "std",
            "None (the score by people is the mean of the raters' scores), or `rater`: each rater's scores are "
            "standardised first (minus their mean, divided by their deviation).",
            (None, "rater"),
        ),
        "alternative": choice(
            "greater",
            "alt",
            "alternative hypothesis of the tests: `greater` (the metric is better than the baseline) or `two-sided`.",
            ("greater", "two-sided"),
        ),
        "judge": flag(
            "",
            "predictions are a judge's scores (such as a language model's) on people's scale: compare it with each of "
            "them as one more rater.",
        ),
        "permutations": count(
            1000,
            "perm",
            "number of permutations for the permutation test and soft accuracy, and of splits of the raters; all, "
            "if there are fewer.",
            high=MOST_RESAMPLES,
        ),
        "seed": BOOTSTRAP["seed"]._replace(
            help="seed of permutations and bootstrap; no global random state is used.", needs=""
        ),
    }

    def statistics(self, *_, **__):
        """Raises NotImplementedError: ranks depend on all rows."""
        raise NotImplementedError("ranks depend on all rows: human_correlation has no rows that add up; call compute")

    score = statistics_with_phrases = statistics

    def human_scores(self, references: Sequence[Any], **options: Any) -> list[float]:
        """Returns the scores by people that the metric is compared with: the mean of the raters of each row.

        Args:
            references: as for `compute`.
            **options: as for `compute`, of which `standardize` counts.
        """
        checked = self.COLUMNS["references"].check("references", references)
        return mean_ratings(_ratings(checked, self._resolved_options(options)["standardize"])).tolist()

    def _check_columns(self, columns):
        """Raises InputError for a row with another number of raters than the first."""
        rating_matrix(columns["references"])

    def _feature_option(self, columns):
        """Returns 1 for a column of raters, else 0."""
        references = columns["references"]
        if not references:
            return 0
        return int(isinstance(references[0], list))

    def _check_needed(self, columns, options):
        """Raises InputError for an optional column with gaps, and where the options need a column that is missing."""
        missing = {name: np.array(columns[name]) == "" for name in ("systems", "items")}
        missing["baselines"] = np.isnan(columns["baselines"])
        for name, rows in missing.items():
            if rows.any() and not rows.all():
                raise InputError(f"{name}[{rows.argmax()}] is missing, but other rows have it; pass it for all or none")
        needed = [("averaging", name) for name in ("system", "item") if options["averaging"] == name]
        needed += [("coefficient", name) for name in _NEEDED.get(options["coefficient"], ())]
        for option, name in needed:
            if missing[f"{name}s"].any():
                raise InputError(f"{option}={options[option]!r:.200} needs the column {name}s")
        if options["coefficient"] == "soft_accuracy":
            _check_grid(columns["systems"], columns["items"])

    def _result(self, columns, options):
        """Returns the result of `compute`."""
        self._check_needed(columns, options)
        ratings = _ratings(columns["references"], options["standardize"])
        sample, signs = sample_of(columns, ratings, options["averaging"]), None
        if options["coefficient"] == "soft_accuracy":
            signs = sign_changes(sample.n_units, options["permutations"], options["seed"])
        result = coefficients(sample, options["coefficient"], signs)
        if isinstance(columns["references"][0], list) or options["judge"]:
            result |= rater_values(sample, options)
        if options["judge"]:
            result |= judge_values(sample, options)
        return {**result, **interval(sample, signs, options), **comparison(sample, signs, options)}


def _ratings(references: Sequence[Any], standardize: str | None) -> np.ndarray:
    """Returns the ratings that are averaged, (n_rows, n_raters)."""
    ratings = rating_matrix(references)
    return standardized(ratings) if standardize == "rater" else ratings


def _check_grid(systems: Sequence[str], items: Sequence[str]) -> None:
    """Raises InputError unless there is one row for each system and each item."""
    seen = set()
    for row, cell in enumerate(zip(systems, items, strict=True)):
        if cell in seen:
            raise InputError(
                f"row {row} is the second row of system {cell[0]!r:.200} and item {cell[1]!r:.200}; "
                "soft accuracy takes one"
            )
        seen.add(cell)
    for system in sorted(set(systems)):
        for item in sorted(set(items)):
            if (system, item) not in seen:
                raise InputError(
                    f"system {system!r:.200} has no item {item!r:.200}; soft accuracy needs every system on every item"
                )
