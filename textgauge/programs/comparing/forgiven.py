"""Where another system is best once one kind of error is forgiven, and whether that is sure."""

import math
from typing import Any

from textgauge.core.rounding import difference

from ..drawing.kinds import ERRORS, kinds_of
from ..scoring.outputs import Results
from ..scoring.specs import Scorer, headline
from .cases import case_of
from .engine import compare
from .records import Forgiven, Outcome

_FORGIVABLE = ("loop", "notation", "filler", "spacing", "punctuation")  # what a reader may not call an error at all


def with_kinds(outcome: Outcome, results: Results) -> Outcome:
    """Returns an outcome with the kinds of errors of each system, and the kinds that decide which system is best.

    Args:
        outcome: the comparison.
        results: of all systems, with the kinds of their errors.
    """
    with_errors = {
        system: {label: {**own, **_errors(results[system].get(label, {}))} for label, own in of_system.items()}
        for system, of_system in outcome.results.items()
    }
    outcome = outcome._replace(results=with_errors)
    return outcome._replace(forgiven=_forgiven(outcome))


def _errors(result: dict[str, Any]) -> dict[str, Any]:
    return {ERRORS: result[ERRORS]} if ERRORS in result else {}


def _forgiven(outcome: Outcome) -> list[Forgiven]:
    """Returns for each score the first kind without which another system is best, if there is one."""
    systems = outcome.results
    forgiven = []
    columns = [
        column
        for column in outcome.columns
        if any(ERRORS in results.get(column.label, {}) for results in systems.values())
    ]
    for column in columns:
        kinds = {system: kinds_of(results[column.label]) for system, results in systems.items()}
        rates = {system: headline(results[column.label]) for system, results in systems.items()}
        best = min(rates, key=rates.get)
        for kind in _FORGIVABLE:
            without = {system: _rate_without(kind, rows, rates[system]) for system, rows in kinds.items()}
            better = min(without, key=without.get)
            is_worse = difference(rates[better], rates[best]) > 0
            if is_worse and difference(without[better], without[best]) < 0:
                share = _share(kind, kinds[better])
                p_value = _p_value(outcome, column, better, best) if kind == "notation" else math.nan
                if not math.isnan(p_value):
                    p_value = min(1.0, len(columns) * p_value)  # Bonferroni's
                rates_without = (without[better], without[best])
                forgiven.append(Forgiven(column.label, kind, better, best, rates_without, share, p_value))
                break
    return forgiven


def _rate_without(kind: str, rows: list[list[Any]], rate: float) -> float:
    """Returns the rate without a kind of error; `rows` as `kinds_of` returns them, and `rate` with all errors."""
    return next((rate_without for name, _, _, rate_without in rows if name == kind), rate)


def _share(kind: str, rows: list[list[Any]]) -> float:
    """Returns the share of a kind in all errors; `kinds_of` leaves out a kind of which there is none."""
    return next((share for name, _, share, _ in rows if name == kind), 0.0)


def _p_value(outcome: Outcome, column: Scorer, better: str, best: str) -> float:
    """Returns the p-value of the difference of two systems where notations are read."""
    scorer = column._replace(options={**column.options, "readings": "ko"})
    systems, runs = (
        {name: outputs[name] for name in (better, best) if name in outputs}
        for outputs in (outcome.corpus.systems, outcome.corpus.runs)
    )
    corpus = outcome.corpus._replace(systems=systems, runs=runs, human={}, groups={})
    as_read = compare(corpus, [scorer], outcome.settings._replace(baseline=None))
    cases = [case_of(as_read, comparison) for comparison in as_read.comparisons]
    return next((case.comparison.p_randomization for case in cases if case and case.better == better), math.nan)
