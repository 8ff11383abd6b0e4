"""The verdict in words: which system is better, is that significant, by how much, what would it take to detect it.

Every sentence is made from the numbers of an outcome, here and nowhere else: for the report, the page, the terminal and
Markdown.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..reading.corpus import HUMAN
from ..saying.texts import joined, say
from ..saying.values import (
    difference_text,
    in_sentence,
    interval_text,
    number_text,
    p_equation,
    p_least_text,
    p_range_text,
)
from ..scoring.specs import Scorer, headline
from .cases import Case, case_of, leader_of, leaders_of
from .forgiven import loops, once_forgiven
from .groups_said import against_the_whole, by_group
from .people_said import people_against_metrics, said_of_people
from .power import missing_of_families, remedy
from .records import Outcome

_MOST = 6  # open cases that are said one by one


class Verdict(NamedTuple):
    """What is said first of all, the sentences below it, and what it takes to detect each difference that is open."""

    headline: str
    details: list[str]
    open_cases: list[str] = []

    @property
    def lines(self) -> list[str]:
        """All sentences."""
        return [self.headline, *self.details, *self.open_cases]


def verdict(outcome: Outcome) -> Verdict:
    """Returns the verdict on an outcome, which has comparisons; of one system alone, its scores."""
    labels = [column.label for column in outcome.columns if column.label != HUMAN]
    cannot_tell = [f"{blind.sentence()}." for blind in outcome.blind.values()]
    cases = [case for comparison in outcome.comparisons if (case := case_of(outcome, comparison))]
    ours = [case for case in cases if case.label not in (HUMAN, *outcome.blind)]
    people = [case for case in cases if case.label == HUMAN]
    if len(outcome.results) == 1:
        return Verdict(_alone(outcome), cannot_tell)
    if len(cannot_tell) == len(labels):
        return Verdict(cannot_tell[0], [*cannot_tell[1:], *said_of_people(outcome, people)])
    if not ours:
        first = " ".join([say("verdict_undefined"), *against_the_whole(outcome, [])])
        return Verdict(first, [*said_of_people(outcome, people), *by_group(outcome)])
    first, sizes = _first_sentences(outcome, ours, labels)
    further = [*people_against_metrics(outcome, ours, people), *against_the_whole(outcome, ours)]
    details = [*missing_of_families(outcome), *sizes, *_where_tests_decide(outcome, ours), *cannot_tell]
    details += [*loops(outcome), *_undefined(outcome)]
    details += [*said_of_people(outcome, people), *by_group(outcome)]
    return Verdict(" ".join([first, *further, *once_forgiven(outcome)]), details, _open_cases(outcome, ours))


def _first_sentences(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the sentences on all metrics together, and those on how large the differences are."""
    level, baseline = f"{outcome.settings.level:g}", outcome.settings.baseline
    is_pair = len({frozenset((case.better, case.worse)) for case in cases}) == 1
    sizes = _sizes(cases) if is_pair else [] if baseline is not None else _margins(outcome, cases)
    nothing = _nothing_significant(outcome, cases, labels, is_pair)
    if nothing:
        return nothing, sizes
    if is_pair:
        return _of_pair(cases, labels, level), sizes
    if baseline is not None:
        return _of_baseline(cases, baseline, labels, level), sizes
    return _of_leaders(outcome, cases, labels), sizes


def _nothing_significant(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str], is_pair: bool) -> str:
    """Says in one sentence that no difference is significant; nothing where one is, or a pair has a better system."""
    different = [case for case in cases if not case.comparison.is_tie]
    if not different or any(case.is_sure for case in cases):
        return ""
    if is_pair and len({case.better for case in different}) == 1:
        return ""
    by_metrics = [column for column in outcome.columns if column.label in labels]
    if not is_pair and any(len(leaders_of(column, outcome.results)) > 1 for column in by_metrics):
        return ""
    systems = list(dict.fromkeys(name for case in cases for name in (case.worse, case.better)))
    systems.sort(key=list(outcome.results).index)
    values = {
        "systems": joined(systems),
        "n": len(systems),
        "scores": labels[0] if len(labels) == 1 else say("verdict_any_metric", n=len(labels)),
    }
    values["p"] = p_least_text(case.comparison.p_randomization_holm for case in different)
    values["level"] = f"{outcome.settings.level:g}"
    values["baseline"] = outcome.settings.baseline
    if is_pair:
        return say("verdict_no_difference", **values)
    return say("verdict_none_differ" if outcome.settings.baseline is None else "verdict_none_differ_from", **values)


def _where_tests_decide(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says by which scores an interval and the test of the same difference disagree."""
    labels = dict.fromkeys(case.label for case in cases if _is_against_its_interval(case))
    return [say("verdict_test_decides", labels=joined(labels))] if labels else []


def _is_against_its_interval(case: Case) -> bool:
    low, high = case.comparison.confidence_interval
    if case.comparison.is_tie or math.isnan(low) or math.isnan(high):
        return False
    return (low > 0 or high < 0) != case.is_sure


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
    return f"{column.label} {number_text(headline(result))}{in_sentence(interval_text(result))}"


def _undefined(outcome: Outcome) -> list[str]:
    """Says by which scores the difference of some pair is undefined."""
    undefined = [c for c in outcome.comparisons if c.is_undefined and c.metric != HUMAN]
    if not undefined:
        return []
    pairs = [f"{c.metric}: {c.system}, {c.against}" for c in undefined]
    further = say("note_more", n=len(pairs) - _MOST) if len(pairs) > _MOST else ""
    return [say("verdict_undefined_by", pairs="; ".join(pairs[:_MOST]) + further)]


def _of_pair(cases: Sequence[Case], labels: Sequence[str], level: str) -> str:
    """Says which of two systems is better by which scores, and whether that is significant."""
    equal = [case for case in cases if case.comparison.is_tie]
    different = [case for case in cases if not case.comparison.is_tie]
    if not different and len(equal) < len(labels):
        return say("verdict_equal_by", labels=joined(case.label for case in equal))
    if not different:
        return say("verdict_equal", one=cases[0].worse, other=cases[0].better)
    names = list(dict.fromkeys(case.better for case in sorted(different, key=lambda case: not case.is_sure)))
    sides = [[case for case in different if case.better == name] for name in names]
    first, *others = sorted(sides, key=len, reverse=True)
    said = [_side(first, _scores_text([case.label for case in first], len(labels)), level)]
    said += [_side(further, joined(case.label for case in further), level) for further in others]
    said += [say("verdict_equal_by", labels=joined(case.label for case in equal))] if equal else []
    return " ".join(said)


def _side(cases: Sequence[Case], scores: str, level: str) -> str:
    """Says that one system is better by some scores, and whether that is significant."""
    sure = [case for case in cases if case.is_sure]
    not_sure = [case for case in cases if not case.is_sure]
    values = {"better": cases[0].better, "worse": cases[0].worse, "scores": scores, "level": level}
    if sure and not_sure:
        return say("verdict_pair_mixed", **values, sure=_with_p(sure), open=_with_p(not_sure))
    return say("verdict_pair_sure" if sure else "verdict_pair_open", **values, p=_p_range(cases))


def _scores_text(labels: Sequence[str], n_scores: int) -> str:
    """Names some of all scores, or says that they are both or all."""
    if len(labels) < n_scores:
        return say("verdict_some", some=len(labels), all=n_scores, labels=joined(labels))
    return labels[0] if n_scores == 1 else say("verdict_both" if n_scores == 2 else "verdict_all", all=n_scores)


def _all_or_named(labels: Sequence[str], n_scores: int) -> str:
    """Names some of all scores without their number, or says that they are both or all."""
    return joined(labels) if len(labels) < n_scores else _scores_text(labels, n_scores)


def _with_p(cases: Sequence[Case]) -> str:
    """Names scores with their p-value, or the largest of these."""
    return f"{joined(case.label for case in cases)} ({_p_range(cases)})"


def _p_range(cases: Iterable[Case]) -> str:
    return p_range_text(case.comparison.p_randomization_holm for case in cases)


def _sizes(cases: Sequence[Case]) -> list[str]:
    """Says by how much, and in how many segments, one of two systems is better than the other."""
    cases = [case for case in cases if not case.comparison.is_tie]
    if not cases:
        return []
    sizes = []
    for case in cases:
        interval = in_sentence(interval_text(case.comparison._asdict()))
        sizes.append(f"{case.label} {difference_text(case.comparison.difference)}{interval}")
    fewest_ties = min((case.comparison for case in cases), key=lambda comparison: comparison.ties)
    if fewest_ties.wins + fewest_ties.losses + fewest_ties.ties < 2:  # one segment says no more than the difference
        return [say("verdict_sizes", sizes=joined(sizes), system=fewest_ties.system, against=fewest_ties.against)]
    values = {"wins": fewest_ties.wins, "losses": fewest_ties.losses, "ties": fewest_ties.ties}
    names = {"system": fewest_ties.system, "against": fewest_ties.against}
    segments = say("verdict_segments", label=fewest_ties.metric, **values, **names)
    return [say("verdict_sizes", sizes=joined(sizes), **names), segments]


def _of_baseline(cases: Sequence[Case], baseline: str, labels: Sequence[str], level: str) -> str:
    """Says which systems are significantly better than the baseline, which are worse, and which are neither."""
    others = dict.fromkeys(case.better if case.worse == baseline else case.worse for case in cases)
    above = {name: [case.label for case in cases if case.is_sure and case.better == name] for name in others}
    below = {name: [case.label for case in cases if case.is_sure and case.worse == name] for name in others}
    said = []
    for key, scores_of in (("verdict_above", above), ("verdict_below", below)):
        systems = [
            say("verdict_by", system=system, scores=_all_or_named(scores, len(labels)))
            for system, scores in scores_of.items()
            if scores
        ]
        said += [say(key, baseline=baseline, systems=joined(systems), level=level)] if systems else []
    rest = [name for name in others if not above[name] and not below[name]]
    said += [say("verdict_neither", baseline=baseline, systems=joined(rest), level=level)] if rest else []
    return " ".join(said)


def _of_leaders(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str]) -> str:
    """Says which system is best by which scores, and than which other systems it is not significantly better."""
    leaders: dict[tuple[str, ...], list[str]] = {}
    for column in outcome.columns:
        if column.label in labels and (best := leaders_of(column, outcome.results)):
            leaders.setdefault(tuple(best), []).append(column.label)
    said = []
    for names, best in sorted(leaders.items(), key=lambda item: -len(item[1])):
        scores = _all_or_named(best, len(labels))
        if len(names) > 1:
            key = "verdict_all_tied" if len(names) == len(outcome.results) else "verdict_tied"
            said.append(say(key, leaders=joined(names), scores=scores))
            continue
        said.append(_of_leader(outcome, cases, names[0], best, scores))
    return " ".join(said)


def _of_leader(outcome: Outcome, cases: Sequence[Case], leader: str, labels: Sequence[str], scores: str) -> str:
    """Says that one system is best by some scores, and than which systems it is not significantly better."""
    led = [case for case in cases if case.label in labels and case.better == leader]
    values = {"leader": leader, "scores": scores, "level": f"{outcome.settings.level:g}"}
    if not led:
        return say("verdict_best_alone", **values)
    if rivals := _not_surely_behind(led, labels):
        return say("verdict_best_open", **values, others=joined(rivals))
    is_complete = len(led) == len(labels) * (len(outcome.results) - 1)
    return say("verdict_best_sure" if is_complete else "verdict_best_of_defined", **values, p=_p_range(led))


def _not_surely_behind(led: Sequence[Case], best: Sequence[str]) -> list[str]:
    """Returns the systems that a leader is not significantly better than; names the scores, where these are not all."""
    rivals = []
    for rival in dict.fromkeys(case.worse for case in led):
        open_by = [case.label for case in led if case.worse == rival and not case.is_sure]
        compared = [case for case in led if case.worse == rival]
        if len(open_by) == len(compared):
            rivals.append(rival)
        elif open_by:
            rivals.append(say("verdict_by", system=rival, scores=joined(open_by)))
    return rivals


def _margins(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says by how much the best system of each score is better than the next one; the same two are named once."""
    sizes_of: dict[tuple[str, str], list[str]] = {}
    for column in outcome.columns:
        best = leaders_of(column, outcome.results)
        others = {system: results for system, results in outcome.results.items() if system not in best}
        second = leader_of(column, others)
        for case in cases:
            if case.label == column.label and len(best) == 1 and (case.better, case.worse) == (best[0], second):
                size = difference_text(abs(case.comparison.difference), "")
                sizes_of.setdefault((best[0], second), []).append(f"{case.label} {size}")
    leads = [
        say("verdict_margin", sizes=joined(sizes), best=best, second=second)
        for (best, second), sizes in sizes_of.items()
    ]
    return [say("verdict_margins", leads="; ".join(leads))] if leads else []


def _open_cases(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says what it takes to detect the open cases, up to `_MOST`; of several systems only cases of the best ones."""
    leaders = {leader for column in outcome.columns for leader in leaders_of(column, outcome.results)}
    is_many = outcome.settings.baseline is None and len(outcome.results) > 2
    if len(outcome.results) == 2:
        return [said for case in cases if case.is_open and (said := _open_case_of_pair(outcome, case))]
    told = [case for case in cases if case.is_open and (not is_many or leaders & {case.better, case.worse})]
    said = [_open_case(outcome, case) for case in told[:_MOST]]
    return [*said, say("verdict_more_open", n=len(told) - _MOST)] if len(told) > _MOST else said


def _open_case_of_pair(outcome: Outcome, case: Case) -> str:
    """Says what it takes to detect a difference of two systems, whose size and p-value are in the sentences above."""
    found = remedy(outcome, case.comparison)
    return say("verdict_open_of_pair", label=case.label, remedy=found) if found else ""


def _open_case(outcome: Outcome, case: Case) -> str:
    values = {"label": case.label, "better": case.better, "worse": case.worse}
    size = difference_text(abs(case.comparison.difference), "")
    said = say("verdict_open", **values, p=p_equation(case.comparison.p_randomization_holm), difference=size)
    return f"{said} {remedy(outcome, case.comparison)}".strip()
