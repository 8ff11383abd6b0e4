"""Compares systems by metrics: everything comes from their rows, for all pairs and all metrics at once."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.bootstrap import (
    LEAST_UNITS,
    interval_values,
    jackknife_error,
    percentile_interval,
    resample,
)

from ..reading.corpus import HUMAN, Corpus
from ..scoring.outputs import Results, by_headline
from ..scoring.specs import Scorer
from .draws import enough_trials, is_exact, swap
from .records import Comparison, Group, Outcome, Settings
from .rows import Rows, compute_rows
from .significance import benjamini_hochberg, bootstrap_p, count_wins, holm, is_at_least, minimum_detectable_effect


class Drawn(NamedTuple):
    """All scores of all systems."""

    n_units: int
    scores: np.ndarray  # (systems, scores)
    resampled: np.ndarray  # of each resample, (resamples, systems, scores)
    errors: np.ndarray  # standard errors, (systems, scores)
    pair_errors: np.ndarray  # of the differences, (pairs, scores)


def compare(
    corpus: Corpus, scorers: Sequence[Scorer], settings: Settings, with_partial: bool = False
) -> Outcome | None:
    """Returns scores, intervals and comparisons of all pairs by all metrics, of all segments and of each group.

    None where metrics are left out and none remains.

    Args:
        corpus: what is scored.
        scorers: the metrics.
        settings: how to compare.
        with_partial: leave out metrics whose rows do not add up, instead of raising ValueError.
    """
    rows = compute_rows(corpus, scorers, with_partial)
    if rows is None:
        return None
    if settings.trials is None:
        tests = len(_pairs(rows.systems, settings)) * len(rows.headlines())
        n_groups = len(set(zip(*corpus.groups.values(), strict=True))) if corpus.groups else 1
        settings = settings._replace(trials=enough_trials(tests * n_groups, settings.level))
    columns, results, found = _part(corpus, rows, settings)
    comparisons = _named(rows, columns, _adjusted(found, columns), settings)
    return Outcome(corpus, settings, columns, results, comparisons, _groups(corpus, rows, settings))


def _part(corpus: Corpus, rows: Rows, settings: Settings) -> tuple[list[Scorer], Results, dict[str, np.ndarray]]:
    """Returns the scores, their results, and the numbers of all comparisons of some segments, not adjusted."""
    pairs = _pairs(rows.systems, settings)
    drawn = _draw(rows, pairs, settings)
    columns, results = by_headline(rows.scorers, _results(corpus, rows, drawn, settings))
    return columns, results, _compare_pairs(rows, pairs, drawn, settings) if len(pairs) else {}


def _draw(rows: Rows, pairs: np.ndarray, settings: Settings) -> Drawn:
    """Scores all segments, the resamples, and all units but one."""
    units, (against, system) = rows.units, pairs.T

    def score(sums: np.ndarray) -> np.ndarray:
        return rows.scores(sums.reshape(-1, *rows.values.shape[1:]))

    def score_all(sums: np.ndarray) -> np.ndarray:
        scores = score(sums)
        with np.errstate(invalid="ignore"):  # inf - inf
            return np.concatenate([scores, scores[:, system] - scores[:, against]], axis=1)

    resampled = score(resample(units, settings.resamples, settings.seed))
    errors = np.split(jackknife_error(units, score_all), [len(rows.systems)])
    return Drawn(len(units), rows.scores(rows.values.sum(0)), resampled, *errors)


def _groups(corpus: Corpus, rows: Rows, settings: Settings) -> list[Group]:
    """Returns what is found in each group; p-values are adjusted over all groups."""
    of_segments = list(zip(*corpus.groups.values(), strict=True)) if corpus.groups else []
    parts = []
    for values in sorted(set(of_segments)):
        members = np.array([value == values for value in of_segments])
        clusters = None if rows.clusters is None else rows.clusters[members]
        own = rows._replace(values=rows.values[members], clusters=clusters)
        parts.append((values, int(members.sum()), _part(corpus, own, settings)))
    names = parts[0][2][2] if parts else {}
    columns = parts[0][2][0] if parts else []
    together = _adjusted({name: np.stack([part[2][2][name] for part in parts]) for name in names}, columns)
    found = [{name: values[index] for name, values in together.items()} for index in range(len(parts))]
    return [
        Group(dict(zip(corpus.groups, values, strict=True)), size, results, _named(rows, columns, own, settings))
        for (values, size, (columns, results, _)), own in zip(parts, found, strict=True)
    ]


def _named(rows: Rows, columns: Sequence[Scorer], found: dict[str, np.ndarray], settings: Settings) -> list[Comparison]:
    """Returns the comparisons one by one, by score and pair."""
    pairs = _pairs(rows.systems, settings)
    return [
        Comparison(
            column.label,
            rows.systems[system],
            rows.systems[against],
            **{name: values[pair, number].tolist() for name, values in found.items()},
        )
        for number, column in enumerate(columns)
        for pair, (against, system) in enumerate(pairs)
    ]


def _adjusted(found: dict[str, np.ndarray], columns: Sequence[Scorer]) -> dict[str, np.ndarray]:
    """Returns the numbers of comparisons with p-values adjusted over all that is compared at once.

    That is all pairs by all scores of metrics, (groups,) pairs, scores; what people say is another question.
    """
    result = dict(found)
    is_human = np.array([column.label == HUMAN for column in columns])
    for name in ("p_randomization", "p_bootstrap"):
        for key, adjust in (("holm", holm), ("bh", benjamini_hochberg)) if name in found else ():
            values = result[f"{name}_{key}"] = found[name].copy()
            for family in (is_human, ~is_human):
                values[..., family] = adjust(values[..., family].ravel()).reshape(values[..., family].shape)
    return result


def _pairs(systems: Sequence[str], settings: Settings) -> np.ndarray:
    """Returns the pairs to compare, (pairs, 2), each the one that is compared with and the one that is compared."""
    if settings.baseline is None:
        pairs = list(itertools.combinations(range(len(systems)), 2)) if settings.confidence else []
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
    first = list(systems).index(settings.baseline)
    return np.array([(first, other) for other in range(len(systems)) if other != first])


def _results(corpus: Corpus, rows: Rows, drawn: Drawn, settings: Settings) -> Results:
    """Returns what `compute` would of each system and metric: scores, intervals, signature."""
    references = corpus.column("references") if "references" in corpus.columns else None
    signatures = {s.label: s.metric.signature(references=references, **s.options) for s in rows.scorers}
    results: Results = {system: {label: {} for label in signatures} for system in rows.systems}
    for number, system in enumerate(rows.systems):
        for index, (scorer, name, prefix) in enumerate(rows.headlines()):
            own: dict[str, Any] = {name: float(drawn.scores[number, index])}
            if settings.confidence:
                values, error = drawn.resampled[:, number, index], drawn.errors[number, index]
                own.update(interval_values(values, settings.confidence, drawn.n_units, prefix, error))
                own["units"] = drawn.n_units
            results[system][scorer.label].update(own, signature=signatures[scorer.label])
    return results


def _compare_pairs(rows: Rows, pairs: np.ndarray, drawn: Drawn, settings: Settings) -> dict[str, np.ndarray]:
    """Returns the numbers of all comparisons under the names of their fields, each (pairs, scores, ...)."""
    against, system = pairs.T
    with np.errstate(invalid="ignore"):  # inf - inf
        observed = drawn.scores[system] - drawn.scores[against]
        differences = drawn.resampled[:, system] - drawn.resampled[:, against]
    sizes = np.abs(drawn.scores[system]) + np.abs(drawn.scores[against])
    bootstrap = bootstrap_p(differences, observed, sizes)
    if drawn.n_units == 1:  # one segment, drawn again and again, says nothing of others
        bootstrap = np.full_like(bootstrap, np.nan)
    errors = drawn.pair_errors
    is_enough = drawn.n_units >= LEAST_UNITS
    ends = [
        [percentile_interval(values, settings.confidence, drawn.n_units) for values in of_pair.T]
        for of_pair in differences.swapaxes(0, 1)
    ]
    return {
        "difference": observed,
        "confidence_interval": np.array(ends),
        "standard_error": errors,
        "units": np.full(errors.shape, drawn.n_units),
        "p_randomization": _randomization_p(rows, pairs, observed, sizes, settings),
        "p_bootstrap": bootstrap,
        "detectable": minimum_detectable_effect(errors if is_enough else np.full_like(errors, np.nan), settings.level),
        **_wins(rows, pairs),
    }


def _wins(rows: Rows, pairs: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the numbers of segments where a system is better, equal, worse, or undefined, each (pairs, scores)."""
    segments = rows.scores(rows.values)
    is_lower_better = np.array([scorer.metric.LOWER_IS_BETTER for scorer, *_ in rows.headlines()])
    counts = [count_wins(segments[:, system], segments[:, against], is_lower_better) for against, system in pairs]
    return dict(zip(("wins", "ties", "losses", "undefined"), np.stack(counts, axis=1), strict=True))


def _randomization_p(
    rows: Rows, pairs: np.ndarray, observed: np.ndarray, sizes: np.ndarray, settings: Settings
) -> np.ndarray:
    """Returns the two-sided p-values of approximate randomisation, (pairs, n); exact where there are few units."""
    _, systems, width = rows.values.shape
    units = rows.units
    against, system = pairs.T
    count, trials = np.zeros(observed.shape), 0
    for stays, swapped in swap(units, settings.trials, settings.seed):
        stays, swapped = (sums.reshape(-1, systems, width) for sums in (stays, swapped))
        with np.errstate(invalid="ignore"):
            trial = rows.scores(stays[:, system] + swapped[:, against]) - rows.scores(
                stays[:, against] + swapped[:, system]
            )
        count += is_at_least(np.abs(trial), np.abs(observed), sizes).sum(0)
        trials += len(trial)
    # all ways include what is observed, random ones need not (Phipson and Smyth 2010)
    known = 0 if is_exact(len(units)) else 1
    return np.where(np.isnan(observed), np.nan, (count + known) / (trials + known))
