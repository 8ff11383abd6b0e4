"""The verdict in words: which system is better, is that significant, how large is the difference, what would detect it.

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
from .records import Outcome, tested

_MOST = 6  # open cases that get a sentence each


class Verdict(NamedTuple):
    """The first sentence, the sentences below it, and the sizes that would detect each open difference."""

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
    turned = (case_of(outcome, comparison) for comparison in outcome.comparisons)
    cases = [case for case in turned if case is not None]
    by_metrics = [case for case in cases if case.label not in (HUMAN, *outcome.blind)]
    by_people = [case for case in cases if case.label == HUMAN]

    if len(outcome.results) == 1:
        return Verdict(_alone(outcome), cannot_tell)
    if len(cannot_tell) == len(labels):
        return Verdict(cannot_tell[0], [*cannot_tell[1:], *said_of_people(outcome, by_people)])
    if not by_metrics:
        first = " ".join([say("verdict_undefined"), *against_the_whole(outcome, [])])
        return Verdict(first, [*said_of_people(outcome, by_people), *by_group(outcome)])

    first, sizes = _first_sentences(outcome, by_metrics, labels)
    sentences = [first, *people_against_metrics(outcome, by_metrics, by_people)]
    sentences += against_the_whole(outcome, by_metrics)
    sentences += once_forgiven(outcome)

    details = [*missing_of_families(outcome), *sizes]
    details += _where_tests_decide(outcome, by_metrics)
    details += cannot_tell
    details += loops(outcome)
    details += _undefined(outcome)
    details += said_of_people(outcome, by_people)
    details += by_group(outcome)
    return Verdict(" ".join(sentences), details, _open_cases(outcome, by_metrics))


def _first_sentences(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the sentences on all metrics together, and those on how large the differences are."""
    level = f"{outcome.settings.level:g}"
    baseline = outcome.settings.baseline
    pairs = {frozenset((case.better, case.worse)) for case in cases}
    is_pair = len(pairs) == 1
    nothing = _nothing_significant(outcome, cases, labels, is_pair)
    if is_pair:
        return nothing or _of_pair(cases, labels, level), _sizes(cases)
    if baseline is not None:
        return nothing or _of_baseline(cases, baseline, labels, level), []
    return nothing or _of_leaders(outcome, cases, labels), _margins(outcome, cases)


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
    compared = {name for case in cases for name in (case.worse, case.better)}
    systems = [system for system in outcome.results if system in compared]
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
    if outcome.settings.baseline is None:
        return say("verdict_none_differ", **values)
    return say("verdict_none_differ_from", **values)


def _where_tests_decide(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says by which scores an interval and the uncorrected test of the same difference disagree.

    Also says, once, that intervals are not corrected, if the correction alone makes a test disagree with its interval.
    """
    level = outcome.settings.level
    labels = []
    differs_by_correction = False
    for case in cases:
        if _is_against_its_interval(case, case.comparison.p_randomization <= level):
            labels.append(case.label)
        elif _is_against_its_interval(case, case.is_sure):
            differs_by_correction = True
    sentences = []
    if labels:
        sentences.append(say("verdict_test_decides", labels=joined(dict.fromkeys(labels))))
    if differs_by_correction:
        sentences.append(say("verdict_interval_of_one", n=len(tested(outcome.comparisons))))
    return sentences


def _is_against_its_interval(case: Case, is_significant: bool) -> bool:
    low, high = case.comparison.confidence_interval
    if case.comparison.is_tie or math.isnan(low) or math.isnan(high):
        return False
    return (low > 0 or high < 0) != is_significant


def _alone(outcome: Outcome) -> str:
    """Says the scores of the only system."""
    [(system, results)] = outcome.results.items()
    columns = [column for column in outcome.columns if column.label != HUMAN]
    are_all_lower = all(column.metric.LOWER_IS_BETTER for column in columns)
    scores = []
    for column in columns:
        score = _score_text(column, results[column.label])
        if column.metric.LOWER_IS_BETTER and not are_all_lower:
            score += say("verdict_lower")
        scores.append(score)
    scores_text = joined(scores)
    if are_all_lower:
        scores_text += say("verdict_lower")
    return say("verdict_alone", system=system, scores=scores_text)


def _score_text(column: Scorer, result: dict) -> str:
    return f"{column.label} {number_text(headline(result))}{in_sentence(interval_text(result))}"


def _undefined(outcome: Outcome) -> list[str]:
    """Says by which scores the difference of some pair is undefined."""
    pairs = []
    for comparison in outcome.comparisons:
        if comparison.is_undefined and comparison.metric != HUMAN:
            pairs.append(f"{comparison.metric}: {comparison.system}, {comparison.against}")
    if not pairs:
        return []
    shown = "; ".join(pairs[:_MOST])
    if len(pairs) > _MOST:
        shown += say("note_more", n=len(pairs) - _MOST)
    return [say("verdict_undefined_by", pairs=shown)]


def _of_pair(cases: Sequence[Case], labels: Sequence[str], level: str) -> str:
    """Says which of two systems is better by which scores, and whether that is significant."""
    equal = [case for case in cases if case.comparison.is_tie]
    different = [case for case in cases if not case.comparison.is_tie]
    if not different and len(equal) < len(labels):
        return say("verdict_equal_by", labels=joined(case.label for case in equal))
    if not different:
        return say("verdict_equal", one=cases[0].worse, other=cases[0].better)

    by_better: dict[str, list[Case]] = {}
    for name in dict.fromkeys(case.better for case in sorted(different, key=lambda case: not case.is_sure)):
        by_better[name] = [case for case in different if case.better == name]
    first, *others = sorted(by_better.values(), key=len, reverse=True)
    first_labels = [case.label for case in first]
    sentences = [_side(first, _scores_text(first_labels, len(labels)), level)]
    for side in others:
        sentences.append(_side(side, joined(case.label for case in side), level))
    if equal:
        sentences.append(say("verdict_equal_by", labels=joined(case.label for case in equal)))
    return " ".join(sentences)


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
    if n_scores == 1:
        return labels[0]
    return say("verdict_both" if n_scores == 2 else "verdict_all", all=n_scores)


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
    above = []
    below = []
    neither = []
    for name in others:
        better_by = [case.label for case in cases if case.is_sure and case.better == name]
        worse_by = [case.label for case in cases if case.is_sure and case.worse == name]
        if better_by:
            above.append(say("verdict_by", system=name, scores=_all_or_named(better_by, len(labels))))
        if worse_by:
            below.append(say("verdict_by", system=name, scores=_all_or_named(worse_by, len(labels))))
        if not better_by and not worse_by:
            neither.append(name)
    sentences = []
    for key, systems in (("verdict_above", above), ("verdict_below", below), ("verdict_neither", neither)):
        if systems:
            sentences.append(say(key, baseline=baseline, systems=joined(systems), level=level))
    return " ".join(sentences)


def _of_leaders(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str]) -> str:
    """Says which system is best by which scores, and than which other systems it is not significantly better."""
    leaders: dict[tuple[str, ...], list[str]] = {}
    for column in outcome.columns:
        best = tuple(leaders_of(column, outcome.results))
        if best and column.label in labels:
            leaders.setdefault(best, []).append(column.label)
    sentences = []
    for names, led_labels in sorted(leaders.items(), key=lambda item: -len(item[1])):
        scores = _all_or_named(led_labels, len(labels))
        if len(names) > 1:
            key = "verdict_all_tied" if len(names) == len(outcome.results) else "verdict_tied"
            sentences.append(say(key, leaders=joined(names), scores=scores))
        else:
            sentences.append(_of_leader(outcome, cases, names[0], led_labels, scores))
    return " ".join(sentences)


def _of_leader(outcome: Outcome, cases: Sequence[Case], leader: str, labels: Sequence[str], scores: str) -> str:
    """Says that one system is best by some scores, and than which systems it is not significantly better."""
    led = [case for case in cases if case.label in labels and case.better == leader]
    values = {"leader": leader, "scores": scores, "level": f"{outcome.settings.level:g}"}
    if not led:
        return say("verdict_best_alone", **values)
    rivals = _not_surely_behind(led)
    if rivals:
        return say("verdict_best_open", **values, others=joined(rivals))
    is_complete = len(led) == len(labels) * (len(outcome.results) - 1)
    return say("verdict_best_sure" if is_complete else "verdict_best_of_defined", **values, p=_p_range(led))


def _not_surely_behind(led: Sequence[Case]) -> list[str]:
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
        if len(best) != 1:
            continue
        others = {system: results for system, results in outcome.results.items() if system not in best}
        first_two = (best[0], leader_of(column, others))
        for case in cases:
            if case.label == column.label and (case.better, case.worse) == first_two:
                size = difference_text(abs(case.comparison.difference), "")
                sizes_of.setdefault(first_two, []).append(f"{case.label} {size}")
    leads = [
        say("verdict_margin", sizes=joined(sizes), best=best, second=second)
        for (best, second), sizes in sizes_of.items()
    ]
    return [say("verdict_margins", leads="; ".join(leads))] if leads else []


def _open_cases(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says how many segments would detect the open cases, up to `_MOST`; of several systems only those of the best."""
    open_cases = [case for case in cases if case.is_open]
    if len(outcome.results) == 2:
        remedies = [_open_case_of_pair(outcome, case) for case in open_cases]
        return [sentence for sentence in remedies if sentence]
    if outcome.settings.baseline is None:
        leaders = {leader for column in outcome.columns for leader in leaders_of(column, outcome.results)}
        open_cases = [case for case in open_cases if leaders & {case.better, case.worse}]
    sentences = [_open_case(outcome, case) for case in open_cases[:_MOST]]
    if len(open_cases) > _MOST:
        sentences.append(say("verdict_more_open", n=len(open_cases) - _MOST))
    return sentences


def _open_case_of_pair(outcome: Outcome, case: Case) -> str:
    """Says how many segments would detect a difference of two systems; the sentences above have size and p-value."""
    found = remedy(outcome, case.comparison)
    return say("verdict_open_of_pair", label=case.label, remedy=found) if found else ""


def _open_case(outcome: Outcome, case: Case) -> str:
    values = {"label": case.label, "better": case.better, "worse": case.worse}
    size = difference_text(abs(case.comparison.difference), "")
    p_value = p_equation(case.comparison.p_randomization_holm)
    sentence = say("verdict_open", **values, p=p_value, difference=size)
    return f"{sentence} {remedy(outcome, case.comparison)}".strip()
