"""What a verdict says of the kinds of errors: where forgiving one changes the best system, and which systems loop.

All numbers are columns of rows with the kinds of errors: those of the table that is printed, and no second score.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.bootstrap import cluster_sums
from textgauge.core.metric import error_rate
from textgauge.core.rounding import difference
from textgauge.error_rates.kinds.error_kinds import FORGIVEN

from ..drawing.kinds import ERRORS, KindRows, RowsOfKinds, kind_title, kinds_of
from ..errors import is_input_error
from ..saying.texts import joined, say
from ..saying.values import number_text, p_equation
from ..scoring.outputs import Results
from ..scoring.specs import Scorer, headline, spec_with
from .draws import TRIALS
from .randomization import randomization_p
from .records import Forgiven, Outcome

_FORGIVABLE = (*FORGIVEN, "spacing", "punctuation")  # what a reader may not call an error at all
_READ = {"readings": "ko"}  # which forgives notations exactly


def with_kinds(outcome: Outcome, results: Results, rows: RowsOfKinds) -> Outcome:
    """Returns an outcome with the kinds of errors of each system, and the kinds that decide which system is best.

    Args:
        outcome: the comparison.
        results: of all systems, with the kinds of their errors.
        rows: with these kinds, of all runs of a system one after the other.
    """
    with_errors = {
        system: {label: {**own, **_errors(results[system].get(label, {}))} for label, own in of_system.items()}
        for system, of_system in outcome.results.items()
    }
    outcome = outcome._replace(results=with_errors)
    columns = [column for column in outcome.columns if all((system, column.label) in rows for system in with_errors)]
    forgiven = []
    for column in columns:
        of_systems = {system: rows[system, column.label] for system in with_errors}
        found = _first_that_turns(outcome, column, of_systems)
        if found is not None:
            p_value = min(1.0, len(columns) * found.p_value)  # Bonferroni's
            forgiven.append(found._replace(p_value=math.nan if math.isnan(found.p_value) else p_value))
    return outcome._replace(forgiven=forgiven)


def _errors(result: dict[str, Any]) -> dict[str, Any]:
    return {ERRORS: result[ERRORS]} if ERRORS in result else {}


def _first_that_turns(outcome: Outcome, column: Scorer, rows: Mapping[str, KindRows]) -> Forgiven | None:
    """Returns the first kind without which another system is best by a score; None without one."""
    scored = {system: own.metric.score(own.values.sum(axis=0), **own.options) for system, own in rows.items()}
    rates = {system: float(headline(values)) for system, values in scored.items()}
    best = min(rates, key=rates.get)
    for kind in _FORGIVABLE:
        key = column.metric.without_key(kind)
        without = {system: float(values[key]) for system, values in scored.items()}
        better = min(without, key=without.get)
        is_worse = difference(rates[better], rates[best]) > 0
        if is_worse and difference(without[better], without[best]) < 0:
            share = float(scored[better][f"{kind}_edits"] / scored[better]["edits"])
            p_value = _p_value(outcome, [rows[better], rows[best]], kind)
            exact = _exact_spec(column) if kind == "notation" else ""
            return Forgiven(column.label, kind, better, best, (without[better], without[best]), share, p_value, exact)
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
    of_systems = []
    for own in systems:
        rows = own.metric.without_kind(own.values, kind, **own.options)
        of_systems.append(rows.reshape(-1, size, 2).sum(axis=0))  # a segment has one row of all runs
    clusters = np.array(outcome.corpus.clusters, dtype=object) if outcome.corpus.clusters else None
    ratios = _RatioRows(np.stack(of_systems, axis=1), clusters)
    rates = ratios.scores(ratios.values.sum(axis=0))
    if not np.isfinite(rates).all():
        return math.nan
    trials = outcome.trials or TRIALS
    return float(randomization_p(ratios, np.array([[1, 0]]), rates, trials, outcome.settings.seed)[0, 0])


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


def once_forgiven(outcome: Outcome) -> list[str]:
    """Says where another system is best once a kind of error is forgiven."""
    alike: dict[tuple[str, ...], list[Forgiven]] = {}  # those that one sentence says
    for case in outcome.forgiven:
        end = "untested" if math.isnan(case.p_value) else "open"
        end = "sure" if case.p_value <= outcome.settings.level else end
        alike.setdefault((case.kind, case.better, case.best, end), []).append(case)
    sentences = []
    for number, ((kind, better, best, end), cases) in enumerate(alike.items()):
        rates = [f"{case.label} {number_text(case.rates[0])} < {number_text(case.rates[1])}" for case in cases]
        values = {"kind": kind_title(kind), "better": better, "best": best, "rates": joined(rates)}
        p_value = p_equation(max(case.p_value for case in cases))
        but = say("verdict_but_next" if number else "verdict_but_first")
        share = f"{min(case.share for case in cases):.0%}"
        sentences.append(say(f"verdict_forgiven_{end}", **values, but=but, p=p_value, share=share))
        if specs := [f"-m {case.exact}" for case in cases if case.exact]:
            sentences.append(say("verdict_exact", specs=joined(specs)))
    return sentences


def loops(outcome: Outcome) -> list[str]:
    """Says which systems loop, by the first error rate that tells it."""
    said = {}
    for system, results in outcome.results.items():
        for label in [column.label for column in outcome.columns]:
            shares = [share for kind, _, share, _ in kinds_of(results[label]) if kind == "loop"]
            if shares and system not in said:
                n_segments = results[label][ERRORS]["looping_segments"]
                said[system] = say("verdict_loops", n=n_segments, system=system, label=label, share=f"{shares[0]:.0%}")
    return [*said.values()]
