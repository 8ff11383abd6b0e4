"""Where the ranking turns round once one kind of error is forgiven, and whether that is sure."""

import math
from typing import Any

from ..drawing.kinds import ERRORS, kinds_of
from ..scoring.outputs import Results
from ..scoring.specs import Scorer, headline
from .cases import case_of
from .engine import compare
from .records import Forgiven, Outcome

_ASKED = ("loop", "notation", "filler", "spacing", "punctuation")  # what a reader may not call an error at all


def with_kinds(outcome: Outcome, results: Results) -> Outcome:
    """Returns an outcome with what is said of the errors of each system, and where forgiving a kind changes the best.

    Args:
        outcome: the comparison.
        results: of all systems, with the kinds of their errors.
    """
    told = {
        system: {label: {**own, **_told(results[system].get(label, {}))} for label, own in of_system.items()}
        for system, of_system in outcome.results.items()
    }
    outcome = outcome._replace(results=told)
    return outcome._replace(forgiven=_forgiven(outcome))


def _told(result: dict[str, Any]) -> dict[str, Any]:
    return {ERRORS: result[ERRORS]} if ERRORS in result else {}


def _forgiven(outcome: Outcome) -> list[Forgiven]:
    """Returns for each score the first kind that turns the ranking round, if one does."""
    results = outcome.results
    forgiven = []
    columns = [
        column for column in outcome.columns if any(ERRORS in of.get(column.label, {}) for of in results.values())
    ]
    for column in columns:
        kinds = {system: kinds_of(of[column.label]) for system, of in results.items()}
        rates = {system: headline(results[system][column.label]) for system in results}
        best = min(rates, key=rates.get)
        for kind in _ASKED:
            without = {system: _without(rows, kind, rates[system]) for system, rows in kinds.items()}
            better = min(without, key=without.get)
            if rates[better] > rates[best] and without[better] < without[best]:
                share = next(row[2] for row in kinds[better] if row[0] == kind)
                p_value = _p_value(outcome, column, better, best) if kind == "notation" else math.nan
                p_value = min(1.0, len(columns) * p_value) if p_value == p_value else p_value  # Bonferroni's
                values = (without[better], without[best])
                forgiven.append(Forgiven(column.label, kind, better, best, values, share, p_value))
                break
    return forgiven


def _without(rows: list[list[Any]], kind: str, rate: float) -> float:
    """Returns the rate without a kind of error."""
    return next((row[3] for row in rows if row[0] == kind), rate)


def _p_value(outcome: Outcome, column: Scorer, better: str, best: str) -> float:
    """Returns the p-value of the difference of two systems where notations are read."""
    scorer = column._replace(options={**column.options, "readings": "ko"})
    systems, runs = (
        {name: of[name] for name in (better, best) if name in of}
        for of in (outcome.corpus.systems, outcome.corpus.runs)
    )
    corpus = outcome.corpus._replace(systems=systems, runs=runs, human={}, groups={})
    read = compare(corpus, [scorer], outcome.settings._replace(baseline=None))
    cases = [case_of(read, comparison) for comparison in read.comparisons]
    return next((case.comparison.p_randomization for case in cases if case and case.better == better), math.nan)
