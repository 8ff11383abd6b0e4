"""Compares systems by metrics: everything comes from their rows, for all pairs and all metrics at once."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.bootstrap import (
    LEAST_UNITS,
    interval_values,
    jackknife_error,
    percentile_interval,
    resample,
)
from textgauge.core.rounding import difference

from ..reading.corpus import HUMAN, Corpus
from ..scoring.outputs import Results, by_headline
from ..scoring.specs import Scorer
from .draws import TRIALS, enough_trials, is_exact
from .randomization import randomization_p
from .ranks import ranks_of
from .records import Comparison, Group, Outcome, Settings
from .rows import Rows, compute_rows
from .runs import run_scores
from .significance import benjamini_hochberg, bootstrap_p, count_wins, holm, minimum_detectable_effect


class SystemScores(NamedTuple):
    """The scores of all systems, as they are and in each resample, with their standard errors."""

    n_units: int  # how many segments, or clusters, are drawn
    observed: np.ndarray  # (systems, scores)
    resampled: np.ndarray  # (resamples, systems, scores)
    errors: np.ndarray  # (systems, scores)
    pair_errors: np.ndarray  # of the differences, (pairs, scores)


class Subset(NamedTuple):
    """All segments or those of a group, and what is computed from them."""

    group: tuple[str, ...]  # values of the columns that are grouped by; () for all segments
    rows: Rows
    scores: SystemScores
    columns: list[Scorer]  # one per score
    results: Results
    numbers: dict[str, np.ndarray]  # field of `Comparison` -> its numbers, (pairs, scores, ...)


def compare(
    corpus: Corpus, scorers: Sequence[Scorer], settings: Settings, with_partial: bool = False
) -> Outcome | None:
    """Returns scores, intervals and comparisons of all pairs by all metrics, of all segments and of each group.

    None where metrics are left out and none remains.

    Args:
        corpus: what is scored.
        scorers: the metrics.
        settings: how to compare.
        with_partial: leave out metrics whose rows do not add up, instead of raising InputError.
    """
    rows = compute_rows(corpus, scorers, with_partial)
    return None if rows is None else compare_rows(corpus, rows, settings)


def compare_rows(corpus: Corpus, rows: Rows, settings: Settings) -> Outcome:
    """Returns the same of rows; the corpus has no texts to have, but systems, groups and clusters."""
    subsets = [_subset(members, group, settings) for group, members in _rows_by_group(corpus, rows)]
    trials = _add_p_values(subsets, settings) if subsets[0].numbers else 0
    whole, *of_groups = subsets
    numbers = _with_adjusted(whole.numbers, whole.columns)
    comparisons = _comparisons(rows, whole.columns, numbers, settings)
    groups = _groups(corpus, of_groups, settings)
    outcome = Outcome(corpus, settings, whole.columns, whole.results, comparisons, groups, trials)
    ranks = ranks_of(outcome, whole.scores.observed, whole.scores.resampled, whole.scores.n_units)
    return outcome._replace(ranks=ranks, runs=run_scores(rows, whole.columns))


def _rows_by_group(corpus: Corpus, rows: Rows) -> Iterator[tuple[tuple[str, ...], Rows]]:
    """Yields () with the rows of all segments, and then the values of each group with its rows."""
    yield (), rows
    if not corpus.groups:
        return
    group_of = list(zip(*corpus.groups.values(), strict=True))  # of each segment
    for group in sorted(set(group_of)):
        is_member = np.array([segment_group == group for segment_group in group_of])
        clusters = None if rows.clusters is None else rows.clusters[is_member]
        yield group, rows._replace(values=rows.values[is_member], clusters=clusters)


def _subset(rows: Rows, group: tuple[str, ...], settings: Settings) -> Subset:
    """Returns the results of some segments, without the p-values of approximate randomisation."""
    pairs = _pairs(rows.systems, settings)
    scores = _system_scores(rows, pairs, settings)
    columns, results = by_headline(rows.scorers, _results(rows, scores, settings))
    numbers = _compare_pairs(rows, pairs, scores, settings) if len(pairs) else {}
    return Subset(group, rows, scores, columns, results, numbers)


def _add_p_values(subsets: Sequence[Subset], settings: Settings) -> int:
    """Adds the p-values of approximate randomisation to the numbers, and returns how many trials there were.

    Unless their number is given, there are more and more trials, up to a limit, until further ones would hardly change
    which differences are significant.
    """
    pairs = _pairs(subsets[0].rows.systems, settings)
    n_groups = len(subsets) - 1
    tests = len(pairs) * len(subsets[0].columns) * max(1, n_groups)
    trials = settings.trials or TRIALS
    most_trials = enough_trials(tests, settings.level)
    while True:
        for subset in subsets:
            p_values = randomization_p(subset.rows, pairs, subset.scores.observed, trials, settings.seed)
            subset.numbers["p_randomization"] = p_values
        if settings.trials or trials >= most_trials or _is_settled(subsets, trials, settings.level):
            return trials
        trials = min(4 * trials, most_trials)


def _is_settled(subsets: Sequence[Subset], trials: int, level: float) -> bool:
    """Returns whether the same differences are significant by the lowest and the highest p-values of `_p_range`.

    That must hold wherever p-values are adjusted together: over all scores, over each score alone, as a gate may test
    it, and over all groups.
    """
    columns = subsets[0].columns
    whole, *groups = [_p_range(subset, trials) for subset in subsets]
    families = [(whole, columns)]  # the lowest and the highest p-values that are adjusted together, with their columns
    for number, column in enumerate(columns):
        families.append((whole[..., [number]], [column]))
    if groups:
        families.append((np.stack(groups, axis=1), columns))
    for (lowest, highest), family_columns in families:
        sure_by_lowest = _adjust(holm, lowest, family_columns) <= level
        sure_by_highest = _adjust(holm, highest, family_columns) <= level
        if not np.array_equal(sure_by_lowest, sure_by_highest):
            return False
    return True


def _p_range(subset: Subset, trials: int) -> np.ndarray:
    """Returns p-values three standard errors of the trials below and above those that came out, (2, pairs, scores)."""
    p_values = subset.numbers["p_randomization"]
    if is_exact(subset.scores.n_units):
        return np.stack([p_values, p_values])
    margins = 3 * np.sqrt(p_values * (1 - p_values) / trials)
    return np.stack([p_values - margins, p_values + margins])


def _system_scores(rows: Rows, pairs: np.ndarray, settings: Settings) -> SystemScores:
    """Scores all units, each resample, and for the standard errors all units except one."""
    units = rows.units
    against, system = pairs.T

    def score(sums: np.ndarray) -> np.ndarray:
        return rows.scores(sums.reshape(-1, *rows.values.shape[1:]))

    def score_all(sums: np.ndarray) -> np.ndarray:
        scores = score(sums)
        differences = difference(scores[:, system], scores[:, against])
        return np.concatenate([scores, differences], axis=1)

    observed = rows.scores(rows.values.sum(0))
    resampled = score(resample(units, settings.resamples, settings.seed))
    errors, pair_errors = np.split(jackknife_error(units, score_all), [len(rows.systems)])
    return SystemScores(len(units), observed, resampled, errors, pair_errors)


def _groups(corpus: Corpus, subsets: Sequence[Subset], settings: Settings) -> list[Group]:
    """Returns the results and comparisons of each group; p-values are adjusted over all groups."""
    if not subsets:
        return []
    stacked = {}
    for name in subsets[0].numbers:
        stacked[name] = np.stack([subset.numbers[name] for subset in subsets])
    of_all_groups = _with_adjusted(stacked, subsets[0].columns)
    groups = []
    for index, subset in enumerate(subsets):
        numbers = {name: values[index] for name, values in of_all_groups.items()}
        group_values = dict(zip(corpus.groups, subset.group, strict=True))
        comparisons = _comparisons(subset.rows, subset.columns, numbers, settings)
        groups.append(Group(group_values, len(subset.rows.values), subset.results, comparisons))
    return groups


def _comparisons(
    rows: Rows, columns: Sequence[Scorer], numbers: dict[str, np.ndarray], settings: Settings
) -> list[Comparison]:
    """Returns the comparison of each pair by each score: all pairs by the first score, then by the next one."""
    pairs = _pairs(rows.systems, settings)
    comparisons = []
    for score, column in enumerate(columns):
        for pair, (against, system) in enumerate(pairs):
            of_pair = {name: values[pair, score].tolist() for name, values in numbers.items()}
            comparisons.append(Comparison(column.label, rows.systems[system], rows.systems[against], **of_pair))
    return comparisons


def _with_adjusted(numbers: dict[str, np.ndarray], columns: Sequence[Scorer]) -> dict[str, np.ndarray]:
    """Returns the numbers of comparisons, each ((groups,) pairs, scores), and with them the adjusted p-values."""
    with_adjusted = dict(numbers)
    for name in ("p_randomization", "p_bootstrap"):
        if name in numbers:
            with_adjusted[f"{name}_holm"] = _adjust(holm, numbers[name], columns)
            with_adjusted[f"{name}_bh"] = _adjust(benjamini_hochberg, numbers[name], columns)
    return with_adjusted


def _adjust(method: Callable[[np.ndarray], np.ndarray], p_values: np.ndarray, columns: Sequence[Scorer]) -> np.ndarray:
    """Returns p-values (..., scores) adjusted together over all scores of metrics, and those of people by themselves.

    The preference of people is another question than the scores of metrics.
    """
    adjusted = p_values.copy()
    is_human = np.array([column.label == HUMAN for column in columns])
    for is_in_family in (is_human, ~is_human):
        family = p_values[..., is_in_family]
        adjusted[..., is_in_family] = method(family.ravel()).reshape(family.shape)
    return adjusted


def _pairs(systems: Sequence[str], settings: Settings) -> np.ndarray:
    """Returns the numbers of the systems of each pair, (pairs, 2): first the one that the second is compared with."""
    if settings.baseline is not None:
        baseline = list(systems).index(settings.baseline)
        return np.array([(baseline, system) for system in range(len(systems)) if system != baseline])
    pairs = list(itertools.combinations(range(len(systems)), 2)) if settings.confidence else []
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _results(rows: Rows, scores: SystemScores, settings: Settings) -> Results:
    """Returns for each system and metric what `compute` returns: scores, intervals, signature."""
    results: Results = {}
    for number, system in enumerate(rows.systems):
        of_system: dict[str, dict[str, Any]] = {scorer.label: {} for scorer in rows.scorers}
        for index, (scorer, name, prefix) in enumerate(rows.headlines()):
            result = of_system[scorer.label]
            result[name] = float(scores.observed[number, index])
            if settings.confidence:
                resampled = scores.resampled[:, number, index]
                error = scores.errors[number, index]
                result.update(interval_values(resampled, settings.confidence, scores.n_units, prefix, error))
                result["units"] = scores.n_units
            result["signature"] = rows.signatures[scorer.label]
        results[system] = of_system
    return results


def _compare_pairs(rows: Rows, pairs: np.ndarray, scores: SystemScores, settings: Settings) -> dict[str, np.ndarray]:
    """Returns the numbers of all comparisons under the names of their fields, each (pairs, scores, ...)."""
    against, system = pairs.T
    observed = difference(scores.observed[system], scores.observed[against])
    resampled = difference(scores.resampled[:, system], scores.resampled[:, against])
    sizes = np.abs(scores.observed[system]) + np.abs(scores.observed[against])
    bootstrap = bootstrap_p(resampled, observed, sizes)
    detectable = minimum_detectable_effect(scores.pair_errors, settings.level)
    if scores.n_units < LEAST_UNITS:  # which are often resampled to differences of one sign
        bootstrap = np.full_like(bootstrap, np.nan)
        detectable = np.full_like(detectable, np.nan)

    intervals = np.full((*observed.shape, 2), np.nan)
    for pair, score in np.argwhere(~np.isnan(observed)):
        ends = percentile_interval(resampled[:, pair, score], settings.confidence, scores.n_units)
        intervals[pair, score] = ends
    return {
        "difference": observed,
        "confidence_interval": intervals,
        "standard_error": scores.pair_errors,
        "units": np.full(observed.shape, scores.n_units),
        "p_bootstrap": bootstrap,
        "detectable": detectable,
        **_wins(rows, pairs),
    }


def _wins(rows: Rows, pairs: np.ndarray) -> dict[str, np.ndarray]:
    """Returns in how many segments a system is better, equal or worse, and in how many it is not known."""
    segments = rows.scores(rows.values)
    is_lower_better = np.array([scorer.metric.LOWER_IS_BETTER for scorer, *_ in rows.headlines()])
    counts = [count_wins(segments[:, system], segments[:, against], is_lower_better) for against, system in pairs]
    return dict(zip(("wins", "ties", "losses", "undefined"), np.stack(counts, axis=1), strict=True))
