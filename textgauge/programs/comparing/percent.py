"""An outcome in percent, as papers print it."""

from collections.abc import Sequence

from ..scoring.percent import is_fraction, results_in_percent, times_100
from .records import Comparison, Outcome

_SIZES = ("difference", "confidence_interval", "standard_error", "detectable")


def outcome_in_percent(outcome: Outcome) -> Outcome:
    """Returns an outcome with the scores, differences and intervals of fractions times 100."""
    fractions = {column.label for column in outcome.columns if is_fraction(column.metric)}
    groups = []
    for group in outcome.groups:
        results = results_in_percent(outcome.columns, group.results)
        comparisons = _in_percent(group.comparisons, fractions)
        groups.append(group._replace(results=results, comparisons=comparisons))
    runs: dict[str, dict[str, list[float]]] = {}
    for system, of_system in outcome.runs.items():
        runs[system] = {
            label: times_100(scores) if label in fractions else scores for label, scores in of_system.items()
        }
    forgiven = [case._replace(rates=tuple(times_100(case.rates))) for case in outcome.forgiven]
    return outcome._replace(
        results=results_in_percent(outcome.columns, outcome.results),
        comparisons=_in_percent(outcome.comparisons, fractions),
        groups=groups,
        runs=runs,
        forgiven=forgiven,
    )


def _in_percent(comparisons: Sequence[Comparison], fractions: set[str]) -> list[Comparison]:
    """Returns comparisons with the differences of fractions times 100."""
    shown = []
    for comparison in comparisons:
        if comparison.metric in fractions:
            sizes = {name: times_100(getattr(comparison, name)) for name in _SIZES}
            comparison = comparison._replace(**sizes)
        shown.append(comparison)
    return shown
