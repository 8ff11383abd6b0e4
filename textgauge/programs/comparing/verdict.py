"""The verdict in words: which system is better, is that sure, by how much, what would settle it.

Every sentence is made from the numbers of an outcome, here and nowhere else: for the report, the page, the terminal and
Markdown.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..reading.corpus import HUMAN
from ..saying.texts import joined, say
from ..saying.values import difference_text, in_sentence, interval_text, number_text, p_text
from ..scoring.specs import Scorer, headline
from .cases import Case, case_of, leader_of, leaders_of
from .forgiven import loops, once_forgiven
from .groups_said import against_the_whole, by_group
from .power import remedy, what_is_missing
from .records import Outcome

_MOST = 6  # open cases that are said one by one


class Verdict(NamedTuple):
    """What is said first of all, the sentences below it, and what would settle each case that is open."""

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
    level = f"{outcome.settings.level:g}"
    cases = [case for comparison in outcome.comparisons if (case := case_of(outcome, comparison))]
    ours = [case for case in cases if case.label not in (HUMAN, *outcome.blind)]
    if len(outcome.results) == 1:
        return Verdict(_alone(outcome), cannot_tell)
    if len(cannot_tell) == len(labels):
        people = _by_people(outcome, [case for case in cases if case.label == HUMAN])
        return Verdict(cannot_tell[0], [*cannot_tell[1:], *people])
    if not ours:
        return Verdict(" ".join([say("verdict_undefined"), *against_the_whole(outcome, [])]), by_group(outcome))
    if len({frozenset((case.better, case.worse)) for case in ours}) == 1:
        first, details = _of_pair(ours, labels, level), _sizes(ours)
    elif outcome.settings.baseline is not None:
        first, details = _of_baseline(ours, outcome.settings.baseline, labels, level), []
    else:
        first, details = _of_leaders(outcome, ours, labels), _margins(outcome, ours)
    first = " ".join([first, *against_the_whole(outcome, ours), *once_forgiven(outcome)])
    people = [case for case in cases if case.label == HUMAN]
    missing = what_is_missing(outcome, sum(comparison.metric != HUMAN for comparison in outcome.comparisons))
    details = [missing, *details] if missing else details
    details += [
        *cannot_tell,
        *loops(outcome),
        *_undefined(outcome),
        *_by_people(outcome, people),
        *by_group(outcome),
    ]
    return Verdict(first, details, _open_cases(outcome, ours))


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
    pairs = dict.fromkeys(f"{c.metric}: {c.system}, {c.against}" for c in undefined)
    return [say("verdict_undefined_by", pairs="; ".join(list(pairs)[:_MOST]) + (" ..." if len(pairs) > _MOST else ""))]


def _of_pair(cases: Sequence[Case], labels: Sequence[str], level: str) -> str:
    """Says which of two systems is better by which scores, and whether that is sure."""
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
    """Says that one system is better by some scores, and how sure that is."""
    sure, not_sure = [case for case in cases if case.is_sure], [case for case in cases if not case.is_sure]
    values = {"better": cases[0].better, "worse": cases[0].worse, "scores": scores}
    values.update(sure=_with_p(sure), open=_with_p(not_sure), p=_p_range(cases), level=level)
    return say("verdict_pair_sure" if not not_sure else "verdict_pair_mixed" if sure else "verdict_pair_open", **values)


def _scores_text(labels: Sequence[str], n_scores: int) -> str:
    """Names some of all scores, or says that they are both or all."""
    if len(labels) < n_scores:
        return say("verdict_some", some=len(labels), all=n_scores, labels=joined(labels))
    return labels[0] if n_scores == 1 else say("verdict_both" if n_scores == 2 else "verdict_all", all=n_scores)


def _with_p(cases: Sequence[Case]) -> str:
    """Names scores with their p-value, or the largest of these."""
    if not cases:
        return ""
    return f"{joined(case.label for case in cases)} (p {_p_range(cases)})"


def _p_range(cases: Sequence[Case]) -> str:
    values = {case.comparison.p_randomization_holm for case in cases}
    return p_text(*values) if len(values) == 1 else say("verdict_at_most", p=p_text(max(values)))


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
    values = {"wins": fewest_ties.wins, "losses": fewest_ties.losses, "ties": fewest_ties.ties}
    names = {"system": fewest_ties.system, "against": fewest_ties.against}
    segments = say("verdict_segments", label=fewest_ties.metric, **values, **names)
    return [say("verdict_sizes", sizes=joined(sizes), **names), segments]


def _of_baseline(cases: Sequence[Case], baseline: str, labels: Sequence[str], level: str) -> str:
    """Says which systems are surely better than the baseline, which are surely worse, and which are neither."""
    others = dict.fromkeys(case.better if case.worse == baseline else case.worse for case in cases)
    above = {name: [case.label for case in cases if case.is_sure and case.better == name] for name in others}
    below = {name: [case.label for case in cases if case.is_sure and case.worse == name] for name in others}
    said = []
    for key, scores_of in (("verdict_above", above), ("verdict_below", below)):
        systems = [
            say("verdict_by", system=system, scores=_scores_text(scores, len(labels)))
            for system, scores in scores_of.items()
            if scores
        ]
        said += [say(key, baseline=baseline, systems=joined(systems), level=level)] if systems else []
    rest = [name for name in others if not above[name] and not below[name]]
    said += [say("verdict_neither", baseline=baseline, systems=joined(rest), level=level)] if rest else []
    return " ".join(said)


def _of_leaders(outcome: Outcome, cases: Sequence[Case], labels: Sequence[str]) -> str:
    """Says which system is best by which scores, and than which other systems it is not surely better."""
    leaders: dict[tuple[str, ...], list[str]] = {}
    for column in outcome.columns:
        if column.label in labels and (best := leaders_of(column, outcome.results)):
            leaders.setdefault(tuple(best), []).append(column.label)
    said = []
    for names, best in sorted(leaders.items(), key=lambda item: -len(item[1])):
        scores = joined(best) if len(best) < len(labels) else _scores_text(best, len(labels))
        if len(names) > 1:
            key = "verdict_all_tied" if len(names) == len(outcome.results) else "verdict_tied"
            said.append(say(key, leaders=joined(names), scores=scores))
            continue
        led = [case for case in cases if case.label in best and case.better == names[0]]
        values = {"leader": names[0], "scores": scores, "level": f"{outcome.settings.level:g}"}
        if rivals := _not_surely_behind(led, best):
            said.append(say("verdict_best_open", **values, others=joined(rivals)))
        else:
            said.append(say("verdict_best_sure", **values, p=_with_p_range(led)))
    return " ".join(said)


def _not_surely_behind(led: Sequence[Case], best: Sequence[str]) -> list[str]:
    """Returns the systems that the leader is not surely better than; names the scores, where these are not all."""
    rivals = []
    for rival in dict.fromkeys(case.worse for case in led):
        open_by = [case.label for case in led if case.worse == rival and not case.is_sure]
        if len(open_by) == len(best):
            rivals.append(rival)
        elif open_by:
            rivals.append(say("verdict_by", system=rival, scores=joined(open_by)))
    return rivals


def _margins(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says by how much the best system of each score is better than the next one."""
    sizes = []
    for column in outcome.columns:
        best = leaders_of(column, outcome.results)
        others = {system: results for system, results in outcome.results.items() if system not in best}
        second = leader_of(column, others)
        for case in cases:
            if case.label == column.label and len(best) == 1 and (case.better, case.worse) == (best[0], second):
                size = difference_text(abs(case.comparison.difference), "")
                sizes.append(say("verdict_margin", label=case.label, difference=size, second=second))
    return [say("verdict_margins", sizes=joined(sizes))] if sizes else []


def _with_p_range(cases: Iterable[Case]) -> str:
    return p_text(max((case.comparison.p_randomization_holm for case in cases if case.is_sure), default=math.nan))


def _open_cases(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says what would settle the open cases, up to `_MOST`; of three systems or more, only cases of the best ones."""
    leaders = {leader for column in outcome.columns for leader in leaders_of(column, outcome.results)}
    is_many = outcome.settings.baseline is None and len(outcome.results) > 2
    told = [case for case in cases if case.is_open and (not is_many or leaders & {case.better, case.worse})]
    said = [_open_case(outcome, case) for case in told[:_MOST]]
    return [*said, say("verdict_more_open", n=len(told) - _MOST)] if len(told) > _MOST else said


def _open_case(outcome: Outcome, case: Case) -> str:
    p, size = p_text(case.comparison.p_randomization_holm), difference_text(abs(case.comparison.difference), "")
    said = say("verdict_open", label=case.label, better=case.better, worse=case.worse, p=p, difference=size)
    return f"{said} {remedy(outcome, case.comparison)}".strip()


def _by_people(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says which system people rate best, whether that is sure, and whether metrics say the same."""
    column = next((column for column in outcome.columns if column.label == HUMAN), None)
    if column is None or not cases:
        return []
    leaders = leaders_of(column, outcome.results)
    means = {system: headline(of_system[HUMAN]) for system, of_system in outcome.results.items()}
    ranked = sorted(means, key=lambda system: means[system], reverse=not column.metric.LOWER_IS_BETTER)
    values = {"scores": joined(f"{system} {means[system]:.4g}" for system in ranked), "leader": joined(leaders)}
    if len(leaders) > 1:
        return [say("verdict_people_tied", **values)]
    led = [case for case in cases if case.better == leaders[0]]
    not_sure = [case for case in led if not case.is_sure]
    values.update(p=_with_p_range(led), others=joined(c.worse for c in not_sure) if not_sure else "")
    said = say("verdict_people_open" if not_sure else "verdict_people_sure", **values)
    best_by_metrics = {s for c in outcome.columns if c.label != HUMAN for s in leaders_of(c, outcome.results)}
    sentences = [said]
    if best_by_metrics and leaders[0] not in best_by_metrics:
        sentences.append(say("verdict_people_other"))
    if not_sure:
        closest = max(not_sure, key=lambda case: case.comparison.p_randomization_holm)
        sentences.append(remedy(outcome, closest.comparison))
    return [" ".join(filter(None, sentences))]
