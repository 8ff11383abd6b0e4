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


class Drawn(NamedTuple):
    """All scores of all systems."""

    n_units: int
    scores: np.ndarray  # (systems, scores)
    resampled: np.ndarray  # of each resample, (resamples, systems, scores)
    errors: np.ndarray  # standard errors, (systems, scores)
    pair_errors: np.ndarray  # of the differences, (pairs, scores)


class Part(NamedTuple):
    """What is found of some segments: of all, or of a group."""

    values: tuple[str, ...]  # of the columns that are grouped by
    rows: Rows
    drawn: Drawn
    columns: list[Scorer]  # one per score
    results: Results
    found: dict[str, np.ndarray]  # the numbers of all comparisons, (pairs, scores, ...)


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
    parts = [_part(corpus, own, settings, values) for values, own in _divided(corpus, rows)]
    trials = _add_p_values(parts, settings) if parts[0].found else 0
    whole, *groups = parts
    comparisons = _named(rows, whole.columns, _adjusted(whole.found, whole.columns), settings)
    outcome = Outcome(
        corpus, settings, whole.columns, whole.results, comparisons, _groups(corpus, groups, settings), trials
    )
    drawn = whole.drawn
    ranks = ranks_of(outcome, drawn.scores, drawn.resampled, drawn.n_units)
    return outcome._replace(ranks=ranks, runs=run_scores(rows, whole.columns))


def _divided(corpus: Corpus, rows: Rows) -> Iterator[tuple[tuple[str, ...], Rows]]:
    """Yields the rows of all segments, and then of each group with its values."""
    yield (), rows
    of_segments = list(zip(*corpus.groups.values(), strict=True)) if corpus.groups else []
    for values in sorted(set(of_segments)):
        members = np.array([value == values for value in of_segments])
        clusters = None if rows.clusters is None else rows.clusters[members]
        yield values, rows._replace(values=rows.values[members], clusters=clusters)


def _part(corpus: Corpus, rows: Rows, settings: Settings, values: tuple[str, ...]) -> Part:
    """Returns the scores, their results, and the numbers of all comparisons of some segments but for p-values."""
    pairs = _pairs(rows.systems, settings)
    drawn = _draw(rows, pairs, settings)
    columns, results = by_headline(rows.scorers, _results(corpus, rows, drawn, settings))
    found = _compare_pairs(rows, pairs, drawn, settings) if len(pairs) else {}
    return Part(values, rows, drawn, columns, results, found)


def _add_p_values(parts: Sequence[Part], settings: Settings) -> int:
    """Adds the p-values of approximate randomisation to what is found, and returns the number of trials.

    Unless it is given, that number grows until more of them would hardly change what is sure, up to a limit.
    """
    pairs = _pairs(parts[0].rows.systems, settings)
    tests = len(pairs) * len(parts[0].columns) * max(1, len(parts) - 1)
    trials, most = settings.trials or TRIALS, enough_trials(tests, settings.level)
    while True:
        for part in parts:
            part.found["p_randomization"] = randomization_p(part.rows, pairs, part.drawn.scores, trials, settings.seed)
        if settings.trials or trials >= most or _is_settled(parts, trials, settings.level):
            return trials
        trials = min(4 * trials, most)


def _is_settled(parts: Sequence[Part], trials: int, level: float) -> bool:
    """Returns whether the same differences are sure at both ends of what the p-values may be, given the trials.

    In all families: all scores together, each score alone, as a gate may ask, and all groups.
    """
    columns, (whole, *groups) = parts[0].columns, [_p_range(part, trials) for part in parts]
    families = [(whole, columns), *((whole[..., [n]], [column]) for n, column in enumerate(columns))]
    families += [(np.stack(groups, axis=1), columns)] if groups else []
    sure = ((_of_families(holm, values, own) <= level for values in ends) for ends, own in families)
    return all(np.array_equal(*both) for both in sure)


def _p_range(part: Part, trials: int) -> np.ndarray:
    """Returns both ends of what p-values may be, (2, pairs, scores): three standard errors of the trials away."""
    p_values = part.found["p_randomization"]
    errors = 0 if is_exact(part.drawn.n_units) else 3 * np.sqrt(p_values * (1 - p_values) / trials)
    return np.stack([p_values - errors, p_values + errors])


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


def _groups(corpus: Corpus, parts: Sequence[Part], settings: Settings) -> list[Group]:
    """Returns what is found in each group; p-values are adjusted over all groups."""
    together = {name: np.stack([part.found[name] for part in parts]) for name in (parts[0].found if parts else ())}
    together = _adjusted(together, parts[0].columns) if parts else {}
    groups = []
    for index, part in enumerate(parts):
        own = {name: values[index] for name, values in together.items()}
        values = dict(zip(corpus.groups, part.values, strict=True))
        comparisons = _named(part.rows, part.columns, own, settings)
        groups.append(Group(values, len(part.rows.values), part.results, comparisons))
    return groups


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
    for name in ("p_randomization", "p_bootstrap"):
        for key, adjust in (("holm", holm), ("bh", benjamini_hochberg)) if name in found else ():
            result[f"{name}_{key}"] = _of_families(adjust, found[name], columns)
    return result


def _of_families(
    adjust: Callable[[np.ndarray], np.ndarray], p_values: np.ndarray, columns: Sequence[Scorer]
) -> np.ndarray:
    """Returns p-values (..., scores) adjusted together, those of people apart."""
    adjusted, is_human = p_values.copy(), np.array([column.label == HUMAN for column in columns])
    for family in (is_human, ~is_human):
        adjusted[..., family] = adjust(p_values[..., family].ravel()).reshape(p_values[..., family].shape)
    return adjusted


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
