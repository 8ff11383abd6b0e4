"""What the verdict says of groups: who is best where, who wins there alone, and how much of it is significant."""

import math
from collections.abc import Sequence

from ..reading.corpus import HUMAN
from ..saying.texts import joined, say
from ..saying.values import difference_text
from ..scoring.specs import Scorer, headline
from .cases import Case, case_of, leaders_of
from .people import label_text
from .power import missing_in_groups
from .records import Outcome, tested_in_groups

_MOST = 6  # groups that get a sentence each


def against_the_whole(outcome: Outcome, cases: Sequence[Case]) -> list[str]:
    """Says where a system is significantly better in a group, and in all segments worse, equal or not to be compared.

    Args:
        outcome: what is found.
        cases: of all segments, by metrics.
    """
    better = {(case.label, case.better, case.worse) for case in cases if not case.comparison.is_tie}
    sentences = []
    for group in outcome.groups:
        for comparison in group.comparisons:
            case = case_of(outcome, comparison)
            if case is None or case.label == HUMAN or not case.is_sure:
                continue
            if (case.label, case.better, case.worse) not in better:
                values = {"group": group.title, "label": case.label, "better": case.better, "worse": case.worse}
                size = difference_text(abs(case.comparison.difference), "")
                sentences.append(say("verdict_group_against", **values, difference=size))
    n_more = len(sentences) - _MOST
    if n_more <= 0:
        return sentences
    return [*sentences[:_MOST], say("verdict_groups_against_more", n=n_more)]


def by_group(outcome: Outcome) -> list[str]:
    """Says in which groups other systems are best than in all segments, and how many differences are significant."""
    if not outcome.groups or not outcome.comparisons:
        return []
    others = [sentence for column in outcome.columns for sentence in _others_by(outcome, column)]
    shown = others[:_MOST] or _same_in_each_group(outcome)
    if len(others) > _MOST:
        shown.append(say("verdict_groups_more", n=len(others) - _MOST))
    sentences = _how_many_are_sure(outcome)
    if shown:
        names = joined(outcome.corpus.groups)
        groups = say("count_groups", n=len(outcome.groups))
        sentences.insert(0, say("verdict_groups", names=names, groups=groups, said="; ".join(shown)))
    return [" ".join(sentences)] if sentences else []


def _others_by(outcome: Outcome, column: Scorer) -> list[str]:
    """Says in which groups the systems with the best score are not those of all segments, or have no score."""
    scored = _scored(column, outcome.results)
    leaders = leaders_of(column, outcome.results)
    sentences = []
    for group in outcome.groups:
        in_group = _scored(column, group.results)
        values = {"group": group.title, "label": label_text(column.label)}
        without_score = [system for system in scored if system not in in_group]
        if without_score:
            sentences.append(say("verdict_group_undefined", **values, systems=joined(without_score)))
        leaders_in_group = leaders_of(column, group.results)
        if len(in_group) > 1 and set(leaders_in_group) != set(leaders):
            key = "verdict_group_other" if len(leaders_in_group) == 1 else "verdict_group_tied"
            sentences.append(say(key, **values, leader=joined(leaders_in_group)))
    return sentences


def _scored(column: Scorer, results: dict) -> list[str]:
    """Returns the systems whose score is defined."""
    return [system for system, of_system in results.items() if not math.isnan(headline(of_system[column.label]))]


def _same_in_each_group(outcome: Outcome) -> list[str]:
    """Says which systems are best in each group as in all segments; scores with the same best systems together."""
    labels_of: dict[tuple[str, ...], list[str]] = {}
    for column in outcome.columns:
        if len(_scored(column, outcome.results)) > 1:
            leaders = leaders_of(column, outcome.results)
            labels_of.setdefault(tuple(leaders), []).append(label_text(column.label))
    sentences = []
    for leaders, labels in labels_of.items():
        has_one_score = len(outcome.columns) == 1
        if len(leaders) == 1:
            key = "verdict_groups_same" if has_one_score else "verdict_groups_same_by"
        else:
            key = "verdict_groups_tied" if has_one_score else "verdict_groups_tied_by"
        sentences.append(say(key, leader=joined(leaders), labels=joined(labels)))
    return sentences


def _how_many_are_sure(outcome: Outcome) -> list[str]:
    """Counts the differences that are significant in groups, by metrics and by people, or says why none can be."""
    sentences = []
    for key, is_human in (("verdict_groups_sure", False), ("verdict_groups_people", True)):
        missing = missing_in_groups(outcome, is_human)
        if missing:
            sentences.append(missing)
            continue
        cells = tested_in_groups(outcome.groups, is_human)
        sure = sum(cell.is_sure(outcome.settings.level) for cell in cells)
        if len(cells) == 1 and not is_human:
            sentences.append(say("verdict_groups_one", n=sure))
        elif cells:
            sentences.append(say(key, n=sure, cells=len(cells)))
    return sentences
