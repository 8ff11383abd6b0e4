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
    subsets = [_subset(own, group, settings) for group, own in _rows_by_group(corpus, rows)]
    trials = _add_p_values(subsets, settings) if subsets[0].numbers else 0
    whole, *groups = subsets
    comparisons = _comparisons(rows, whole.columns, _with_adjusted(whole.numbers, whole.columns), settings)
    outcome = Outcome(
        corpus, settings, whole.columns, whole.results, comparisons, _groups(corpus, groups, settings), trials
    )
    ranks = ranks_of(outcome, whole.scores.observed, whole.scores.resampled, whole.scores.n_units)
    return outcome._replace(ranks=ranks, runs=run_scores(rows, whole.columns))


def _rows_by_group(corpus: Corpus, rows: Rows) -> Iterator[tuple[tuple[str, ...], Rows]]:
    """Yields () with the rows of all segments, and then the values of each group with its rows."""
    yield (), rows
    group_of = list(zip(*corpus.groups.values(), strict=True)) if corpus.groups else []
    for group in sorted(set(group_of)):
        members = np.array([own == group for own in group_of])
        clusters = None if rows.clusters is None else rows.clusters[members]
        yield group, rows._replace(values=rows.values[members], clusters=clusters)


def _subset(rows: Rows, group: tuple[str, ...], settings: Settings) -> Subset:
    """Returns what is computed from some segments, without the p-values of approximate randomisation."""
    pairs = _pairs(rows.systems, settings)
    scores = _system_scores(rows, pairs, settings)
    columns, results = by_headline(rows.scorers, _results(rows, scores, settings))
    numbers = _compare_pairs(rows, pairs, scores, settings) if len(pairs) else {}
    return Subset(group, rows, scores, columns, results, numbers)


def _add_p_values(subsets: Sequence[Subset], settings: Settings) -> int:
    """Adds the p-values of approximate randomisation to the numbers, and returns how many trials there were.

    Unless their number is given, there are more and more trials, up to a limit, until further ones would hardly change
    which differences are sure.
    """
    pairs = _pairs(subsets[0].rows.systems, settings)
    tests = len(pairs) * len(subsets[0].columns) * max(1, len(subsets) - 1)
    trials, most = settings.trials or TRIALS, enough_trials(tests, settings.level)
    while True:
        for subset in subsets:
            p_values = randomization_p(subset.rows, pairs, subset.scores.observed, trials, settings.seed)
            subset.numbers["p_randomization"] = p_values
        if settings.trials or trials >= most or _is_settled(subsets, trials, settings.level):
            return trials
        trials = min(4 * trials, most)


def _is_settled(subsets: Sequence[Subset], trials: int, level: float) -> bool:
    """Returns whether the same differences are sure by the lowest and by the highest p-values that `_p_range` gives.

    That must hold wherever p-values are adjusted together: over all scores, over each score alone, as a gate may test
    it, and over all groups.
    """
    columns, (whole, *groups) = subsets[0].columns, [_p_range(subset, trials) for subset in subsets]
    ranges = [(whole, columns), *((whole[..., [n]], [column]) for n, column in enumerate(columns))]
    ranges += [(np.stack(groups, axis=1), columns)] if groups else []
    sure = ((_adjust(holm, p_values, own) <= level for p_values in ends) for ends, own in ranges)
    return all(np.array_equal(by_lowest, by_highest) for by_lowest, by_highest in sure)


def _p_range(subset: Subset, trials: int) -> np.ndarray:
    """Returns p-values three standard errors of the trials below and above those that came out, (2, pairs, scores)."""
    p_values = subset.numbers["p_randomization"]
    errors = 0 if is_exact(subset.scores.n_units) else 3 * np.sqrt(p_values * (1 - p_values) / trials)
    return np.stack([p_values - errors, p_values + errors])


def _system_scores(rows: Rows, pairs: np.ndarray, settings: Settings) -> SystemScores:
    """Scores all units, each resample, and for the standard errors all units except one."""
    units, (against, system) = rows.units, pairs.T

    def score(sums: np.ndarray) -> np.ndarray:
        return rows.scores(sums.reshape(-1, *rows.values.shape[1:]))

    def score_all(sums: np.ndarray) -> np.ndarray:
        scores = score(sums)
        return np.concatenate([scores, difference(scores[:, system], scores[:, against])], axis=1)

    resampled = score(resample(units, settings.resamples, settings.seed))
    errors = np.split(jackknife_error(units, score_all), [len(rows.systems)])
    return SystemScores(len(units), rows.scores(rows.values.sum(0)), resampled, *errors)


def _groups(corpus: Corpus, subsets: Sequence[Subset], settings: Settings) -> list[Group]:
    """Returns the results and comparisons of each group; p-values are adjusted over all groups."""
    names = subsets[0].numbers if subsets else ()
    of_all_groups = {name: np.stack([subset.numbers[name] for subset in subsets]) for name in names}
    of_all_groups = _with_adjusted(of_all_groups, subsets[0].columns) if subsets else {}
    groups = []
    for index, subset in enumerate(subsets):
        numbers = {name: values[index] for name, values in of_all_groups.items()}
        group = dict(zip(corpus.groups, subset.group, strict=True))
        comparisons = _comparisons(subset.rows, subset.columns, numbers, settings)
        groups.append(Group(group, len(subset.rows.values), subset.results, comparisons))
    return groups


def _comparisons(
    rows: Rows, columns: Sequence[Scorer], numbers: dict[str, np.ndarray], settings: Settings
) -> list[Comparison]:
    """Returns the comparison of each pair by each score: all pairs by the first score, then by the next one."""
    pairs = _pairs(rows.systems, settings)
    return [
        Comparison(
            column.label,
            rows.systems[system],
            rows.systems[against],
            **{name: values[pair, score].tolist() for name, values in numbers.items()},
        )
        for score, column in enumerate(columns)
        for pair, (against, system) in enumerate(pairs)
    ]


def _with_adjusted(numbers: dict[str, np.ndarray], columns: Sequence[Scorer]) -> dict[str, np.ndarray]:
    """Returns the numbers of comparisons, each ((groups,) pairs, scores), and with them the adjusted p-values."""
    result = dict(numbers)
    for name in ("p_randomization", "p_bootstrap"):
        for key, method in (("holm", holm), ("bh", benjamini_hochberg)) if name in numbers else ():
            result[f"{name}_{key}"] = _adjust(method, numbers[name], columns)
    return result


def _adjust(method: Callable[[np.ndarray], np.ndarray], p_values: np.ndarray, columns: Sequence[Scorer]) -> np.ndarray:
    """Returns p-values (..., scores) adjusted together over all scores of metrics, and those of people by themselves.

    What people prefer is another question than what the metrics say.
    """
    adjusted, is_human = p_values.copy(), np.array([column.label == HUMAN for column in columns])
    for family in (is_human, ~is_human):
        adjusted[..., family] = method(p_values[..., family].ravel()).reshape(p_values[..., family].shape)
    return adjusted


def _pairs(systems: Sequence[str], settings: Settings) -> np.ndarray:
    """Returns the numbers of the systems of each pair, (pairs, 2): first the one that the second is compared with."""
    if settings.baseline is None:
        pairs = list(itertools.combinations(range(len(systems)), 2)) if settings.confidence else []
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
    first = list(systems).index(settings.baseline)
    return np.array([(first, system) for system in range(len(systems)) if system != first])


def _results(rows: Rows, scores: SystemScores, settings: Settings) -> Results:
    """Returns for each system and metric what `compute` returns: scores, intervals, signature."""
    results: Results = {system: {scorer.label: {} for scorer in rows.scorers} for system in rows.systems}
    for number, system in enumerate(rows.systems):
        for index, (scorer, name, prefix) in enumerate(rows.headlines()):
            own: dict[str, Any] = {name: float(scores.observed[number, index])}
            if settings.confidence:
                values, error = scores.resampled[:, number, index], scores.errors[number, index]
                own.update(interval_values(values, settings.confidence, scores.n_units, prefix, error))
                own["units"] = scores.n_units
            results[system][scorer.label].update(own, signature=rows.signatures[scorer.label])
    return results


def _compare_pairs(rows: Rows, pairs: np.ndarray, scores: SystemScores, settings: Settings) -> dict[str, np.ndarray]:
    """Returns the numbers of all comparisons under the names of their fields, each (pairs, scores, ...)."""
    against, system = pairs.T
    observed = difference(scores.observed[system], scores.observed[against])
    resampled = difference(scores.resampled[:, system], scores.resampled[:, against])
    sizes = np.abs(scores.observed[system]) + np.abs(scores.observed[against])
    bootstrap = bootstrap_p(resampled, observed, sizes)
    if scores.n_units == 1:  # one segment, drawn again and again, says nothing of others
        bootstrap = np.full_like(bootstrap, np.nan)
    errors = scores.pair_errors
    is_enough = scores.n_units >= LEAST_UNITS
    ends = [
        [percentile_interval(values, settings.confidence, scores.n_units) for values in of_pair.T]
        for of_pair in resampled.swapaxes(0, 1)
    ]
    return {
        "difference": observed,
        "confidence_interval": np.array(ends),
        "standard_error": errors,
        "units": np.full(errors.shape, scores.n_units),
        "p_bootstrap": bootstrap,
        "detectable": minimum_detectable_effect(errors if is_enough else np.full_like(errors, np.nan), settings.level),
        **_wins(rows, pairs),
    }


def _wins(rows: Rows, pairs: np.ndarray) -> dict[str, np.ndarray]:
    """Returns in how many segments a system is better, equal or worse, and in how many it is not known."""
    segments = rows.scores(rows.values)
    is_lower_better = np.array([scorer.metric.LOWER_IS_BETTER for scorer, *_ in rows.headlines()])
    counts = [count_wins(segments[:, system], segments[:, against], is_lower_better) for against, system in pairs]
    return dict(zip(("wins", "ties", "losses", "undefined"), np.stack(counts, axis=1), strict=True))
