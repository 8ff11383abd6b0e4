"""The verdict: which system is better, is that significant, how large is the difference, what would detect it."""

import math
from collections.abc import Iterable, Sequence

from ..reading.corpus import HUMAN
from ..saying.values import interval_text
from ..scoring.specs import headline
from .cases import Case, case_of, leaders_of, metric_columns, metric_labels
from .claims import Claim, Verdict, claim
from .forgiven import exactly, loops, once_forgiven
from .people_claims import people_against_metrics, rated_by_people
from .power import needed_of, too_few_for_any
from .records import Comparison, Outcome, tested
from .sentences import sentence

_MOST = 6  # claims of one kind


def verdict(outcome: Outcome) -> Verdict:
    """Returns the sentences of the verdict on an outcome."""
    found = claims_of(outcome)

    def told(claims: Sequence[Claim]) -> list[str]:
        return [sentence(outcome, one) for one in claims]

    return Verdict(sentence(outcome, found.first), told(found.qualified), told(found.details), told(found.open_cases))


def claims_of(outcome: Outcome) -> Verdict:
    """Returns the claims of the verdict on an outcome, which has comparisons; of one system alone, its scores."""
    turned = (case_of(outcome, comparison) for comparison in outcome.comparisons)
    cases = [case for case in turned if case is not None]
    by_metrics = [case for case in cases if case.label not in (HUMAN, *outcome.blind)]
    by_people = [case for case in cases if case.label == HUMAN]
    cannot_tell = [claim("cannot_tell", **blind._asdict()) for blind in outcome.blind.values()]

    if len(outcome.results) == 1:
        return Verdict(_alone(outcome), [], cannot_tell)
    if len(cannot_tell) == len(metric_labels(outcome)):
        return Verdict(cannot_tell[0], cannot_tell[1:], rated_by_people(outcome, by_people))
    if not by_metrics:
        against_whole = _against_the_whole(outcome, [])
        return Verdict(claim("undefined_all"), against_whole, rated_by_people(outcome, by_people))

    first, *qualified = _first_claims(outcome, by_metrics)
    forgiven = once_forgiven(outcome)
    qualified += people_against_metrics(outcome, by_metrics, by_people)
    qualified += _against_the_whole(outcome, by_metrics)
    qualified += forgiven

    details = [*too_few_for_any(outcome), *_sizes(by_metrics)]
    details += _where_tests_decide(outcome, by_metrics)
    details += cannot_tell
    details += loops(outcome)
    details += _undefined(outcome)
    details += rated_by_people(outcome, by_people)
    details += exactly(outcome, forgiven)
    return Verdict(first, qualified, details, _open_cases(outcome, by_metrics))


def _alone(outcome: Outcome) -> Claim:
    [(system, results)] = outcome.results.items()
    scores = []
    for label in metric_labels(outcome):
        scores.append((label, headline(results[label]), results[label].get("confidence_interval") or []))
    return claim("alone", system=system, scores=scores)


def _first_claims(outcome: Outcome, cases: Sequence[Case]) -> list[Claim]:
    """Returns the claims that answer which system is better, the first of them what holds of most scores."""
    is_pair = _is_pair(cases)
    if _is_nothing_significant(outcome, cases, is_pair):
        return [_no_difference(outcome, cases, is_pair)]
    if is_pair:
        return _of_pair(cases)
    if outcome.settings.baseline is not None:
        return _of_baseline(outcome, cases, outcome.settings.baseline)
    return _of_leaders(outcome, cases)


def _is_pair(cases: Sequence[Case]) -> bool:
    return len({frozenset((case.better, case.worse)) for case in cases}) == 1


def _is_nothing_significant(outcome: Outcome, cases: Sequence[Case], is_pair: bool) -> bool:
    """Returns whether one claim says it all: no difference is significant, and no pair has one better system."""
    different = [case for case in cases if not case.comparison.is_tie]
    if not different or any(case.is_sure for case in cases):
        return False
    if is_pair:
        return len({case.better for case in different}) > 1
    return all(len(leaders_of(column, outcome.results)) < 2 for column in metric_columns(outcome))


def _no_difference(outcome: Outcome, cases: Sequence[Case], is_pair: bool) -> Claim:
    p_values = _p_values(case for case in cases if not case.comparison.is_tie)
    facts = {"any_metric": metric_labels(outcome), "p_values": p_values}
    if outcome.settings.baseline is not None and not is_pair:
        return claim("no_difference_from", **facts)
    compared = {name for case in cases for name in (case.worse, case.better)}
    systems = [system for system in outcome.results if system in compared]
    return claim("no_difference", systems=systems, **facts)


def _p_values(cases: Iterable[Case]) -> list[float]:
    return [case.comparison.p_randomization_holm for case in cases]


def _of_pair(cases: Sequence[Case]) -> list[Claim]:
    """Claims which of two systems is better by which scores: what is significant first, then what more scores say."""
    sides: dict[tuple[str, bool], list[Case]] = {}
    for case in cases:
        if not case.comparison.is_tie:
            sides.setdefault((case.better, case.is_sure), []).append(case)
    found = []
    for (better, is_sure), side in sorted(sides.items(), key=lambda item: (not item[0][1], -len(item[1]))):
        names = {"system": better, "against": side[0].worse, "metrics": [case.label for case in side]}
        found.append(claim("better" if is_sure else "better_not_sure", **names, p_values=_p_values(side)))
    equal = [case.label for case in cases if case.comparison.is_tie]
    if equal:
        names = sorted((cases[0].better, cases[0].worse))
        found.append(claim("equal", systems=names, metrics=equal))
    return found


def _of_baseline(outcome: Outcome, cases: Sequence[Case], baseline: str) -> list[Claim]:
    """Claims which systems are significantly better than the baseline, which are worse, and which are neither."""
    sides: dict[str, list[tuple[str, list[str]]]] = {"better": [], "worse": [], "neither": []}
    has_one_metric = len(metric_labels(outcome)) == 1
    for name in dict.fromkeys(case.better if case.worse == baseline else case.worse for case in cases):
        better_by = [case.label for case in cases if case.is_sure and case.better == name]
        worse_by = [case.label for case in cases if case.is_sure and case.worse == name]
        if better_by:
            sides["better"].append((name, [] if has_one_metric else better_by))
        if worse_by:
            sides["worse"].append((name, [] if has_one_metric else worse_by))
        if not better_by and not worse_by:
            sides["neither"].append((name, []))
    return [claim(f"baseline_{side}", by_metrics=systems) for side, systems in sides.items() if systems]


def _of_leaders(outcome: Outcome, cases: Sequence[Case]) -> list[Claim]:
    """Claims which system is best by which scores, and than which other systems it is not significantly better."""
    leaders: dict[tuple[str, ...], list[str]] = {}
    for column in metric_columns(outcome):
        best = tuple(leaders_of(column, outcome.results))
        if best:
            leaders.setdefault(best, []).append(column.label)
    found = []
    for names, labels in sorted(leaders.items(), key=lambda item: -len(item[1])):
        if len(names) == 1:
            led = [case for case in cases if case.label in labels and case.better == names[0]]
            found.append(_of_leader(names[0], labels, led))
        else:
            kind = "equal" if len(names) == len(outcome.results) else "tied"
            found.append(claim(kind, systems=list(names), metrics=labels))
    return found


def _of_leader(leader: str, labels: list[str], led: Sequence[Case]) -> Claim:
    """Claims that one system is best by some scores, and than which systems it is, or is not, significantly better."""
    names = {"system": leader, "metrics": labels}
    if not led:
        return claim("best_alone", **names)
    rivals = []
    others = []
    for rival in dict.fromkeys(case.worse for case in led):
        compared = [case.label for case in led if case.worse == rival]
        open_by = [case.label for case in led if case.worse == rival and not case.is_sure]
        others.append((rival, compared if len(compared) < len(labels) else []))
        if open_by:
            rivals.append((rival, open_by if len(open_by) < len(compared) else []))
    if rivals:
        return claim("best_not_sure", **names, rivals=rivals)
    return claim("best", **names, others=others, p_values=_p_values(led))


def _sizes(cases: Sequence[Case]) -> list[Claim]:
    """Claims by how much two systems differ, where there are two."""
    different = [case.comparison for case in cases if not case.comparison.is_tie]
    if not _is_pair(cases) or not different:
        return []
    sizes = []
    for found in different:
        interval = found.confidence_interval if interval_text(found._asdict()) else []
        sizes.append((found.metric, found.difference, interval))
    return [claim("sizes", system=different[0].system, against=different[0].against, sizes=sizes)]


def _where_tests_decide(outcome: Outcome, cases: Sequence[Case]) -> list[Claim]:
    """Claims by which scores an interval and the uncorrected test of the same difference disagree.

    Claims once that intervals are not corrected, where the correction alone makes a test disagree with its interval.
    """
    labels = []
    differs_by_correction = False
    for case in cases:
        if _is_against_its_interval(case.comparison, case.comparison.p_randomization <= outcome.settings.level):
            labels.append(case.label)
        elif _is_against_its_interval(case.comparison, case.is_sure):
            differs_by_correction = True
    found = []
    if labels:
        found.append(claim("test_decides", metrics=list(dict.fromkeys(labels))))
    if differs_by_correction:
        found.append(claim("not_corrected", n=len(tested(outcome.comparisons))))
    return found


def _is_against_its_interval(comparison: Comparison, is_significant: bool) -> bool:
    low, high = comparison.confidence_interval
    if comparison.is_tie or math.isnan(low) or math.isnan(high):
        return False
    return (low > 0 or high < 0) != is_significant


def _undefined(outcome: Outcome) -> list[Claim]:
    """Claims by which scores the difference of some pair is undefined."""
    pairs = []
    for comparison in outcome.comparisons:
        if comparison.is_undefined and comparison.metric != HUMAN:
            pairs.append((comparison.metric, comparison.system, comparison.against))
    return [claim("undefined", pairs=pairs)] if pairs else []


def _against_the_whole(outcome: Outcome, cases: Sequence[Case]) -> list[Claim]:
    """Claims where a system is significantly better in a group, and in all segments worse, equal or not to be compared.

    Args:
        outcome: what is found.
        cases: of all segments, by metrics.
    """
    better = {(case.label, case.better, case.worse) for case in cases if not case.comparison.is_tie}
    found = []
    for group in outcome.groups:
        for comparison in group.comparisons:
            case = case_of(outcome, comparison)
            if case is None or case.label == HUMAN or not case.is_sure:
                continue
            if (case.label, case.better, case.worse) not in better:
                names = {"group": group.title, "metric": case.label, "system": case.better, "against": case.worse}
                found.append(claim("in_group", **names, difference=abs(comparison.difference)))
    return found[:_MOST]


def _open_cases(outcome: Outcome, cases: Sequence[Case]) -> list[Claim]:
    """Claims what would detect differences that are not significant, up to `_MOST`; of several systems the best's."""
    not_sure = [case for case in cases if case.is_open]
    if len(outcome.results) > 2 and outcome.settings.baseline is None:
        leaders = {leader for column in outcome.columns for leader in leaders_of(column, outcome.results)}
        not_sure = [case for case in not_sure if leaders & {case.better, case.worse}]
    found = [needed_of(outcome, case) for case in not_sure]
    return [needed for needed in found if needed is not None][:_MOST]
