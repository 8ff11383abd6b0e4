"""The verdict in words: which system is better, is that sure, by how much, what would settle it.

Every sentence is made from the numbers of an outcome, here and nowhere else: for the report, the page, the terminal and
Markdown.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..drawing.texts import joined, say
from ..drawing.values import interval_text, number_text, p_text
from ..reading.corpus import HUMAN
from ..scoring.specs import Scorer, headline
from .people import label_text
from .power import needed_segments, what_is_missing
from .records import Comparison, Outcome

_MOST = 6  # open cases that are said one by one


class Verdict(NamedTuple):
    """What is said first of all, and the sentences below it."""

    headline: str
    details: list[str]

    @property
    def lines(self) -> list[str]:
        """All sentences."""
        return [self.headline, *self.details]


class Case(NamedTuple):
    """One comparison, turned so that `better` has the better score."""

    label: str
    better: str
    worse: str
    comparison: Comparison
    is_sure: bool

    @property
    def is_open(self) -> bool:
        """Whether there is a difference that may be chance."""
        return not self.is_sure and self.comparison.difference != 0


def verdict(outcome: Outcome) -> Verdict:
    """Returns the verdict on an outcome, which has comparisons; of one system alone, its scores."""
    labels = [column.label for column in outcome.columns if column.label != HUMAN]
    cases = [case for comparison in outcome.comparisons if (case := _case(outcome, comparison))]
    ours = [case for case in cases if case.label != HUMAN]
    if len(outcome.results) == 1:
        return Verdict(_alone(outcome), [])
    if not ours:
        return Verdict(say("verdict_undefined"), [])
    if len({frozenset((case.better, case.worse)) for case in ours}) == 1:
        first, details = _of_pair(ours, labels), _sizes(ours)
    elif outcome.settings.baseline is not None:
        first, details = _of_baseline(ours, outcome.settings.baseline, labels), []
    else:
        first, details = _of_leaders(outcome, ours, labels), _margins(outcome, ours)
    people = [case for case in cases if case.label == HUMAN]
    missing = what_is_missing(outcome, sum(comparison.metric != HUMAN for comparison in outcome.comparisons))
    details = [missing, *details] if missing else details
    return Verdict(first, [*details, *_open_cases(outcome, ours), *_by_people(outcome, people), *_by_group(outcome)])


def _case(outcome: Outcome, comparison: Comparison) -> Case | None:
    """Turns a comparison so that its first system is the better one; None without a difference to speak of."""
    if math.isnan(comparison.difference):
        return None
    [column] = [column for column in outcome.columns if column.label == comparison.metric]
    is_better = (comparison.difference < 0) == column.metric.LOWER_IS_BETTER or comparison.difference == 0
    names = (comparison.system, comparison.against)
    better, worse = names if is_better else names[::-1]
    is_sure = comparison.difference != 0 and comparison.p_randomization_holm <= outcome.settings.level
    return Case(comparison.metric, better, worse, comparison, is_sure)


def _alone(outcome: Outcome) -> str:
    """Says the scores of the only system."""
    [(system, results)] = outcome.results.items()
    columns = [column for column in outcome.columns if column.label != HUMAN]
    is_lower = [column.metric.LOWER_IS_BETTER for column in columns]
    said = [say("verdict_lower") if lower and not all(is_lower) else "" for lower in is_lower]
    scores = [_score_text(column, results[column.label]) + end for column, end in zip(columns, said, strict=True)]
    end = say("verdict_lower") if all(is_lower) else ""
    return say("verdict_alone", system=system, scores=joined(scores) + end)


def _score_text(column: Scorer, result: dict) -> str:
    interval = interval_text(result)
    return f"{column.label} {number_text(headline(result))}{f' {interval}' if interval else ''}"


def _of_pair(cases: Sequence[Case], labels: Sequence[str]) -> str:
    """Says which of two systems is better by which scores, and whether that is sure."""
    equal = [case for case in cases if not case.comparison.difference]
    different = [case for case in cases if case.comparison.difference]
    if not different:
        return say("verdict_equal", one=cases[0].worse, other=cases[0].better)
    names = list(dict.fromkeys(case.better for case in sorted(different, key=lambda case: not case.is_sure)))
    sides = [[case for case in different if case.better == name] for name in names]
    first, *others = sorted(sides, key=len, reverse=True)
    said = [_side(first, _count(len(first), len(labels), first))]
    said += [_side(other, joined(case.label for case in other)) for other in others]
    said += [say("verdict_equal_by", labels=joined(case.label for case in equal))] if equal else []
    return " ".join(said)


def _side(cases: Sequence[Case], scores: str) -> str:
    """Says that one system is better by some scores, and how sure that is."""
    sure, not_sure = [case for case in cases if case.is_sure], [case for case in cases if not case.is_sure]
    values = {"better": cases[0].better, "worse": cases[0].worse, "scores": scores}
    values.update(sure=_with_p(sure), open=_with_p(not_sure), p=_p_range(cases))
    return say("verdict_pair_sure" if not not_sure else "verdict_pair_mixed" if sure else "verdict_pair_open", **values)


def _count(some: int, count: int, cases: Sequence[Case]) -> str:
    if some < count:
        return say("verdict_some", some=some, all=count, labels=joined(case.label for case in cases))
    return cases[0].label if count == 1 else say("verdict_both" if count == 2 else "verdict_all", all=count)


def _with_p(cases: Sequence[Case]) -> str:
    """Names scores with their p-value, or the largest of these."""
    if not cases:
        return ""
    return f"{joined(case.label for case in cases)} (p {_p_range(cases)})"


def _p_range(cases: Sequence[Case]) -> str:
    values = {case.comparison.p_randomization_holm for case in cases}
    return p_text(*values) if len(values) == 1 else say("verdict_at_most", p=p_text(max(values)))


def _sizes(cases: Sequence[Case]) -> list[str]:
    """Says by how much, and in how many segments, the one system is better."""
    sizes = []
    for case in cases:
        found = case.comparison
        interval = interval_text({"confidence_interval": found.confidence_interval})
        sizes.append(f"{case.label} {found.difference:+.4f}{f' {interval}' if interval else ''}")
    told = min(cases, key=lambda case: case.comparison.ties)
    found = told.comparison
    values = {"wins": found.wins, "losses": found.losses, "ties": found.ties, "label": told.label}
    names = {"system": found.system, "against": found.against}
    return [say("verdict_sizes", sizes=joined(sizes), **names), say("verdict_segments", **values, **names)]


def _of_baseline(cases: Sequence[Case], baseline: str, labels: Sequence[str]) -> str:
    """Says which systems are better than the baseline, worse, or neither for sure."""
    said = []
    systems = list(dict.fromkeys(case.better if case.worse == baseline else case.worse for case in cases))
    for key, is_better in (("verdict_above", True), ("verdict_below", False)):
        found = []
        for system in systems:
            sure = [
                c for c in cases if c.is_sure and system in (c.better, c.worse) and (c.better == system) == is_better
            ]
            if sure:
                found.append(say("verdict_by", system=system, scores=_count(len(sure), len(labels), sure)))
        said += [say(key, baseline=baseline, systems=joined(found))] if found else []
    rest = [s for s in systems if not any(case.is_sure and s in (case.better, case.worse) for case in cases)]
    said += [say("verdict_neither", baseline=baseline, systems=joined(rest))] if rest else []
    return " ".join(said)


def _of_leaders(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str]) -> str:
    """Says which system has the best score by which metrics, and against which others that is sure."""
    leaders: dict[str, list[str]] = {}
    for column in outcome.columns:
        if column.label in labels and (leader := leader_of(column, outcome.results)):
            leaders.setdefault(leader, []).append(column.label)
    said = []
    for leader, best in sorted(leaders.items(), key=lambda item: -len(item[1])):
        led = [case for case in cases if case.label in best and leader in (case.better, case.worse)]
        doubtful = list(dict.fromkeys(c.worse if c.better == leader else c.better for c in led if not c.is_sure))
        scores = joined(best) if len(best) < len(labels) else _count(len(best), len(labels), led)
        key = "verdict_best_open" if doubtful else "verdict_best_sure"
        values = {"leader": leader, "scores": scores, "others": joined(doubtful) if doubtful else ""}
        said.append(say(key, **values, p=_with_p_range(led)))
    return " ".join(said)


def _margins(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says by how much the best system of each score is better than the next one."""
    sizes = []
    for column in outcome.columns:
        best = leader_of(column, outcome.results)
        second = leader_of(column, {system: of for system, of in outcome.results.items() if system != best})
        for case in cases:
            if case.label == column.label and {case.better, case.worse} == {best, second}:
                size = f"{abs(case.comparison.difference):.4f}"
                sizes.append(say("verdict_margin", label=case.label, difference=size, second=second))
    return [say("verdict_margins", sizes=joined(sizes))] if sizes else []


def _with_p_range(cases: Iterable[Case]) -> str:
    return p_text(max((case.comparison.p_randomization_holm for case in cases if case.is_sure), default=math.nan))


def leader_of(column: Scorer, results: dict) -> str | None:
    """Returns the system with the best score; None where no score is defined."""
    sign = -1 if column.metric.LOWER_IS_BETTER else 1
    scores = {system: sign * headline(of_system[column.label]) for system, of_system in results.items()}
    scores = {system: score for system, score in scores.items() if not math.isnan(score)}
    return max(scores, key=scores.__getitem__) if scores else None


def _open_cases(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says what would settle each case that is open: of many those against the best systems, up to a number."""
    leaders = {leader_of(column, outcome.results) for column in outcome.columns}
    is_many = outcome.settings.baseline is None and len(outcome.results) > 2
    asked = [case for case in cases if case.is_open and (not is_many or leaders & {case.better, case.worse})]
    said = [_open_case(outcome, case) for case in asked[:_MOST]]
    return [*said, say("verdict_more_open", n=len(asked) - _MOST)] if len(asked) > _MOST else said


def _open_case(outcome: Outcome, case: Case) -> str:
    found = case.comparison
    size = {"label": case.label, "better": case.better, "worse": case.worse, "p": p_text(found.p_randomization_holm)}
    return f"{say('verdict_open', **size, difference=f'{abs(found.difference):.4f}')} {_remedy(outcome, found)}".strip()


def _remedy(outcome: Outcome, comparison: Comparison) -> str:
    """Says how many segments would settle a difference of this size."""
    is_human = comparison.metric == HUMAN
    tests = sum((other.metric == HUMAN) == is_human for other in outcome.comparisons)
    segments = outcome.corpus.size
    needed = needed_segments(comparison, segments, outcome.settings.level, tests)
    if not math.isfinite(needed) or needed <= segments:
        return ""
    digits = 1 - math.floor(math.log10(needed))  # two that count
    return say("verdict_needed", needed=f"{round(math.ceil(needed), digits):,}", segments=f"{segments:,}")


def _by_people(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says whether people see a difference where metrics do."""
    column = next((column for column in outcome.columns if column.label == HUMAN), None)
    if column is None or not cases:
        return []
    leader = leader_of(column, outcome.results)
    led = [case for case in cases if case.better == leader] or list(cases)
    scores = sorted(
        ((system, headline(of_system[HUMAN])) for system, of_system in outcome.results.items()),
        key=lambda item: item[0] != leader,
    )
    shown = joined(f"{system} {score:.4g}" for system, score in scores)
    if all(case.is_sure for case in led):
        return [say("verdict_people_sure", leader=leader, scores=shown, p=_with_p_range(led))]
    closest = max(led, key=lambda case: case.comparison.p_randomization_holm)
    said = say("verdict_people_open", scores=shown, p=p_text(closest.comparison.p_randomization_holm))
    return [f"{said} {_remedy(outcome, closest.comparison)}".strip()]


def _by_group(outcome: Outcome) -> list[str]:
    """Says in which groups another system is best, and how many differences are sure there."""
    if not outcome.groups or not outcome.comparisons:
        return []
    names = joined(outcome.corpus.groups)
    found = []
    for column in outcome.columns:
        leader = leader_of(column, outcome.results)
        own = {group.title: leader_of(column, group.results) for group in outcome.groups}
        found += [
            say("verdict_group_other", group=title, label=label_text(column.label), leader=other)
            for title, other in own.items()
            if other != leader
        ]
    cells = [cell for group in outcome.groups for cell in group.comparisons]
    sure = sum(cell.p_randomization_holm <= outcome.settings.level for cell in cells)
    values = {"names": names, "sure": sure, "cells": len(cells), "groups": len(outcome.groups)}
    first = say("verdict_groups", **values, other="; ".join(found[:_MOST]) or say("verdict_groups_same"))
    return [first]
