"""What is claimed of people's scores: which system they rate best, and whether they confirm metrics."""

from collections.abc import Iterable, Sequence

from ..reading.corpus import HUMAN
from ..scoring.specs import Scorer, headline
from .cases import Case, leaders_of
from .claims import Claim, claim
from .power import needed_of
from .records import Outcome


def people_against_metrics(outcome: Outcome, by_metrics: Sequence[Case], by_people: Sequence[Case]) -> list[Claim]:
    """Claims where people and metrics disagree.

    They disagree where people significantly prefer the other system, or do not confirm that a system is better which
    is best by a metric, or find a difference where no metric does.

    Args:
        outcome: the comparison.
        by_metrics: the cases by metrics.
        by_people: the cases by people; empty if people rated no output, or not all systems.
    """
    preferred = dict.fromkeys((case.better, case.worse) for case in by_people if case.is_sure)
    found = dict.fromkeys((case.better, case.worse) for case in by_metrics if case.is_sure)
    for better, worse in found:
        if (worse, better) in preferred:
            return [claim("people_disagree", system=worse, against=better)]
    if preferred and not found:
        return [claim("people_alone", system=system, rivals=others) for system, others in _by_first(preferred)]
    columns = [column for column in outcome.columns if column.label not in (HUMAN, *outcome.blind)]
    leaders = {leader for column in columns for leader in leaders_of(column, outcome.results)}
    compared = {frozenset((case.better, case.worse)) for case in by_people}
    unconfirmed = []
    for better, worse in found:
        if better in leaders and (better, worse) not in preferred and frozenset((better, worse)) in compared:
            unconfirmed.append((better, worse))
    return [claim("people_unconfirmed", system=system, rivals=others) for system, others in _by_first(unconfirmed)]


def rated_by_people(outcome: Outcome, cases: Sequence[Case]) -> list[Claim]:
    """Claims which system people rate best, whether significantly, and how many segments would detect a difference."""
    if not cases:
        return []
    column = _people(outcome)
    leaders = leaders_of(column, outcome.results)
    means = [(system, headline(of_system[HUMAN])) for system, of_system in outcome.results.items()]
    means.sort(key=lambda mean: mean[1], reverse=not column.metric.LOWER_IS_BETTER)
    if len(leaders) > 1:
        return [claim("people_tied", systems=leaders, means=means)]
    led = [case for case in cases if case.better == leaders[0]]
    not_sure = [case for case in led if not case.is_sure]
    if not not_sure:
        p_values = [case.comparison.p_randomization_holm for case in led]
        others = [(case.worse, []) for case in led]
        return [claim("people_best", system=leaders[0], others=others, means=means, p_values=p_values)]
    rivals = [(case.worse, []) for case in not_sure]
    best = claim("people_best_not_sure", system=leaders[0], rivals=rivals, means=means)
    needed = needed_of(outcome, max(not_sure, key=lambda case: case.comparison.p_randomization_holm))
    return [best] if needed is None else [best, needed]


def _by_first(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Returns each first system with its second ones."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for better, worse in pairs:
        found.setdefault(better, []).append((worse, []))
    return list(found.items())


def _people(outcome: Outcome) -> Scorer:
    [column] = [column for column in outcome.columns if column.label == HUMAN]
    return column
