"""What a verdict claims of the kinds of errors: where forgiving one changes the best system, and which systems loop.

All numbers are columns of rows with the kinds of errors: those of the table that is printed, and no second score.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.bootstrap import cluster_sums
from textgauge.core.metric import error_rate
from textgauge.core.rounding import difference

from ..drawing.kinds import ERRORS, KindRows, RowsOfKinds, kinds_of
from ..errors import is_input_error
from ..scoring.outputs import Results
from ..scoring.specs import Scorer, headline, spec_with
from .claims import Claim, claim
from .draws import TRIALS
from .randomization import randomization_p
from .records import Forgiven, Outcome

_FORGIVABLE = ("notation", "loop", "filler", "spacing", "punctuation")  # what a reader may not call an error at all
_READ = {"readings": "ko"}  # which forgives notations exactly


def with_kinds(outcome: Outcome, results: Results, rows: RowsOfKinds) -> Outcome:
    """Returns an outcome with the kinds of errors of each system, and the kinds that decide which system is best.

    Args:
        outcome: the comparison.
        results: of all systems, with the kinds of their errors.
        rows: with these kinds, of all runs of a system one after the other.
    """
    outcome = outcome._replace(results=_with_errors(outcome.results, results))
    rows_of_columns = []
    for column in outcome.columns:
        of_systems = {system: rows.get((system, column.label)) for system in outcome.results}
        if None not in of_systems.values():
            rows_of_columns.append((column, of_systems))

    forgiven = []
    for column, of_systems in rows_of_columns:
        found = _first_that_turns(outcome, column, of_systems)
        if found is not None:
            forgiven.append(found)
    return outcome._replace(forgiven=forgiven)


def _with_errors(results: Results, results_with_kinds: Results) -> Results:
    """Returns results, and with them the kinds of errors that others have."""
    with_errors: Results = {}
    for system, of_system in results.items():
        with_errors[system] = {}
        for label, result in of_system.items():
            with_errors[system][label] = dict(result)
            with_kinds = results_with_kinds[system].get(label, {})
            if ERRORS in with_kinds:
                with_errors[system][label][ERRORS] = with_kinds[ERRORS]
    return with_errors


def _first_that_turns(outcome: Outcome, column: Scorer, rows: Mapping[str, KindRows]) -> Forgiven | None:
    """Returns the first kind without which another system is best by a score; None without one."""
    scored = {}
    for system, of_system in rows.items():
        scored[system] = of_system.metric.score(of_system.values.sum(axis=0), **of_system.options)
    rates = {system: float(headline(values)) for system, values in scored.items()}
    best = min(rates, key=rates.get)
    for kind in _FORGIVABLE:
        key = column.metric.without_key(kind)
        without = {system: float(values[key]) for system, values in scored.items()}
        better = min(without, key=without.get)
        is_worse_with = difference(rates[better], rates[best]) > 0
        is_better_without = difference(without[better], without[best]) < 0
        if not (is_worse_with and is_better_without):
            continue
        rates_without = (without[better], without[best])
        share = float(scored[better][f"{kind}_edits"] / scored[better]["edits"])
        p_value = _p_value(outcome, [rows[better], rows[best]], kind)
        exact = _exact_spec(column) if kind == "notation" else ""
        return Forgiven(column.label, kind, better, best, rates_without, share, p_value, exact)
    return None


class _RatioRows(NamedTuple):
    """Rows of two systems whose sums, divided, are rates."""

    values: np.ndarray  # (n_segments, 2 systems, numerator and denominator)
    clusters: np.ndarray | None

    @property
    def units(self) -> np.ndarray:
        """Returns the row of each segment or cluster, (n_units, 4)."""
        return cluster_sums(self.values.reshape(len(self.values), -1), self.clusters)

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Returns the rates of sums of rows (..., 2), as (..., 1)."""
        return error_rate(sums[..., 0], sums[..., 1])[..., None]


def _p_value(outcome: Outcome, systems: list[KindRows], kind: str) -> float:
    """Returns the p-value of the difference of two rates without a kind; nan where nothing is tested."""
    if not outcome.settings.confidence:
        return math.nan
    size = outcome.corpus.size
    rows_of_systems = []
    for system in systems:
        rows = system.metric.without_kind(system.values, kind, **system.options)
        rows_of_systems.append(rows.reshape(-1, size, 2).sum(axis=0))  # a segment has one row of all runs
    clusters = np.array(outcome.corpus.clusters, dtype=object) if outcome.corpus.clusters else None
    ratios = _RatioRows(np.stack(rows_of_systems, axis=1), clusters)
    rates = ratios.scores(ratios.values.sum(axis=0))
    if not np.isfinite(rates).all():
        return math.nan
    pairs = np.array([[1, 0]])
    trials = outcome.trials or TRIALS
    p_values = randomization_p(ratios, pairs, rates, trials, outcome.settings.seed)
    return float(p_values[0, 0])


def _exact_spec(column: Scorer) -> str:
    """Returns how to score with readings, which forgives notations exactly; "" where they cannot be had."""
    if not column.source:  # rows, without texts to score again
        return ""
    try:
        column.metric.signature(**column.options | _READ)
    except ValueError as error:
        if not is_input_error(error):
            raise
        return ""
    return spec_with(column, _READ)


def once_forgiven(outcome: Outcome) -> list[Claim]:
    """Claims where another system is best once a kind of error is forgiven.

    Only where that difference, or the one with all errors, is significant: one chance result says no more than another.
    """
    alike: dict[tuple[str, str, str, bool], list[Forgiven]] = {}  # those of which one claim is made
    for case in outcome.forgiven:
        is_sure = case.p_value <= outcome.settings.level
        if is_sure or _is_best_sure(outcome, case):
            alike.setdefault((case.kind, case.better, case.best, is_sure), []).append(case)
    found = []
    for (kind, better, best, is_sure), cases in alike.items():
        rates = [(case.label, *case.rates) for case in cases]
        numbers = {"share": min(case.share for case in cases), "p_value": max(case.p_value for case in cases)}
        names = {"error": kind, "system": better, "against": best}
        found.append(claim("forgiven" if is_sure else "forgiven_not_sure", **names, rates=rates, **numbers))
    return found


def _is_best_sure(outcome: Outcome, case: Forgiven) -> bool:
    """Returns whether the system that is best with all errors is significantly better than the other."""
    for comparison in outcome.comparisons:
        pair = {comparison.system, comparison.against}
        if comparison.metric == case.label and pair == {case.better, case.best}:
            return comparison.is_sure(outcome.settings.level) and not math.isnan(case.p_value)
    return False


def exactly(outcome: Outcome, told: Sequence[Claim]) -> list[Claim]:
    """Claims how to forgive exactly what these claims forgive."""
    labels = {label for found in told for label, *_ in found.facts["rates"]}
    specs = [case.exact for case in outcome.forgiven if case.exact and case.label in labels]
    return [claim("exactly", specs=specs)] if specs else []


def loops(outcome: Outcome) -> list[Claim]:
    """Claims which systems loop, by the first error rate that tells it."""
    found = []
    for system, results in outcome.results.items():
        for column in outcome.columns:
            result = results[column.label]
            shares = [share for kind, _, share, _ in kinds_of(result) if kind == "loop"]
            if shares:
                n_segments = result[ERRORS]["looping_segments"]
                found.append(claim("loops", system=system, n=n_segments, share=shares[0], metric=column.label))
                break
    return found
