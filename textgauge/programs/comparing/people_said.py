"""The sentences of the verdict on people's scores: which system they rate best, and whether they confirm metrics."""

from collections.abc import Sequence

from ..reading.corpus import HUMAN
from ..saying.texts import joined, say
from ..saying.values import p_range_text
from ..scoring.specs import Scorer, headline
from .cases import Case, leaders_of
from .power import remedy
from .records import Outcome


def people_against_metrics(outcome: Outcome, by_metrics: Sequence[Case], by_people: Sequence[Case]) -> list[str]:
    """Says where people and metrics disagree: a sentence for the headline, or nothing.

    They disagree where people significantly prefer the other system, or do not confirm that a system is better which
    is best by a metric, or find a difference where no metric does.

    Args:
        outcome: the comparison.
        by_metrics: the cases by metrics.
        by_people: the cases by people; empty if people rated no output, or not all systems.
    """
    if not by_people:
        return []
    preferred = {(case.better, case.worse) for case in by_people if case.is_sure}
    found = dict.fromkeys((case.better, case.worse) for case in by_metrics if case.is_sure)
    against = [(worse, better) for better, worse in found if (worse, better) in preferred]
    if against:
        better, worse = against[0]
        return [say("verdict_people_against", better=better, worse=worse)]
    if preferred and not found:
        return [say("verdict_people_alone", pairs=_pairs(by_people))]
    leaders = {leader for column in _metrics(outcome) for leader in leaders_of(column, outcome.results)}
    compared = {frozenset((case.better, case.worse)) for case in by_people}
    unconfirmed: dict[str, list[str]] = {}
    for better, worse in found:
        if better in leaders and (better, worse) not in preferred and frozenset((better, worse)) in compared:
            unconfirmed.setdefault(better, []).append(worse)
    return [
        say("verdict_people_unconfirmed", leader=leader, others=joined(others), means=_means(outcome))
        for leader, others in unconfirmed.items()
    ]


def _pairs(by_people: Sequence[Case]) -> str:
    """Names the systems that people significantly prefer, each with those that it is better than."""
    worse_of: dict[str, list[str]] = {}
    for case in by_people:
        if case.is_sure:
            worse_of.setdefault(case.better, []).append(case.worse)
    return joined(say("verdict_better_than", better=better, worse=joined(worse)) for better, worse in worse_of.items())


def said_of_people(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says which system people rate best, whether significantly, and how many segments would detect a difference."""
    if not cases:
        return []
    column = _people(outcome)
    leaders = leaders_of(column, outcome.results)
    values = {"leader": joined(leaders), "means": _means(outcome)}
    if len(leaders) > 1:
        return [say("verdict_people_tied", **values)]
    led = [case for case in cases if case.better == leaders[0]]
    not_sure = [case for case in led if not case.is_sure]
    if not not_sure:
        values["p"] = p_range_text(case.comparison.p_randomization_holm for case in led)
        if len(led) < len(outcome.results) - 1:  # with a baseline, only that is compared with the best system
            return [say("verdict_people_sure_of", **values, others=joined(case.worse for case in led))]
        return [say("verdict_people_sure", **values)]
    sentence = say("verdict_people_open", **values, others=joined(case.worse for case in not_sure))
    closest = max(not_sure, key=lambda case: case.comparison.p_randomization_holm)
    return [f"{sentence} {remedy(outcome, closest.comparison)}".strip()]


def _metrics(outcome: Outcome) -> list[Scorer]:
    return [column for column in outcome.columns if column.label != HUMAN and column.label not in outcome.blind]


def _people(outcome: Outcome) -> Scorer:
    [column] = [column for column in outcome.columns if column.label == HUMAN]
    return column


def _means(outcome: Outcome) -> str:
    """Writes the mean of each system, the best first, and whether lower is better."""
    column = _people(outcome)
    is_lower_better = column.metric.LOWER_IS_BETTER
    means = {system: headline(of_system[HUMAN]) for system, of_system in outcome.results.items()}
    ranked = sorted(means, key=lambda system: means[system], reverse=not is_lower_better)
    shown = joined(f"{system} {means[system]:.4g}" for system in ranked)
    return say("verdict_means_lower" if is_lower_better else "verdict_means", means=shown)
