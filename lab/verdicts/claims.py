"""Whether what a sentence claims holds: one function for each kind of sentence, with its named parts in `found`."""

import itertools
import math
import re

from textgauge.programs.comparing.draws import least_p

from .facts import HUMAN, LEVEL, Facts, is_same, named_systems

Found = re.Match[str]


def is_not_checked(facts: Facts, found: Found) -> bool:
    """Holds: another part of the program checks it, or it counts what is not named."""
    return True


# --- two systems


def _is_better_by_all(facts: Facts, found: Found, labels: list[str]) -> bool:
    better = found["better"]
    worse = found["worse"]
    return all(facts.is_better(label, better, worse) for label in labels)


def pair_is_significant(facts: Facts, found: Found) -> bool:
    """One system is better by these scores, significantly by each; the p-value is the largest."""
    labels = facts.named_labels(found["scores"])
    pairs = [(label, found["better"], found["worse"]) for label in labels]
    are_significant = all(facts.is_significant(*pair) for pair in pairs)
    return _is_better_by_all(facts, found, labels) and are_significant and _is_largest_p(facts, found["p"], pairs)


def pair_is_open(facts: Facts, found: Found) -> bool:
    """One system is better by these scores, significantly by none."""
    labels = facts.named_labels(found["scores"])
    pairs = [(label, found["better"], found["worse"]) for label in labels]
    is_any_significant = any(facts.is_significant(*pair) for pair in pairs)
    return (
        _is_better_by_all(facts, found, labels) and not is_any_significant and _is_largest_p(facts, found["p"], pairs)
    )


def pair_is_mixed(facts: Facts, found: Found) -> bool:
    """One system is better by these scores, significantly by the ones and not by the others, which are all."""
    labels = facts.named_labels(found["scores"])
    significant = {label for label in labels if facts.is_significant(label, found["better"], found["worse"])}
    named_as_significant = set(facts.named_labels(found["sure"]))
    others = set(facts.named_labels(found["open"]))
    are_split = named_as_significant == significant and others == set(labels) - significant
    return are_split and _is_better_by_all(facts, found, labels)


def are_equal(facts: Facts, found: Found) -> bool:
    """The systems have the same score by these metrics, or by all that are defined."""
    systems = named_systems(found["names"]) if found["names"] else facts.systems
    labels = facts.named_labels(found["scores"]) if found["scores"] else facts.labels
    pairs = [(label, *pair) for label in labels for pair in itertools.combinations(systems, 2)]
    return all(facts.is_tie(*pair) for pair in pairs if facts.is_compared(*pair))


def is_difference(facts: Facts, found: Found) -> bool:
    """The sizes and their intervals are those of the comparisons, in the direction that the sentence names."""
    sizes = re.findall(r"(\S[^,]*?) ([+−](?:\d+\.\d{4}|∞))(?: \[(.*?)\])?(?:, | and |$)", found["sizes"])
    for label, size, interval in sizes:
        comparison = facts.comparison(label, found["system"], found["against"])
        if (comparison.system, comparison.against) != (found["system"], found["against"]):
            return False
        ends = [_number(end) for end in interval.split(", ")] if interval else []
        if not _is_written(size, comparison.difference) or not all(map(_is_near, ends, comparison.confidence_interval)):
            return False
    return bool(sizes)


def is_count_of_segments(facts: Facts, found: Found) -> bool:
    """The counts are those of the comparison of this system by this score, which is the only one."""
    cells = facts.family(is_human=False)
    [comparison] = [cell for cell in cells if (cell.metric, cell.system) == (found["label"], found["system"])]
    counts = [int(found[name].replace(",", "")) for name in ("wins", "losses", "ties")]
    return counts == [comparison.wins, comparison.losses, comparison.ties]


# --- several systems


def nothing_is_significant(facts: Facts, found: Found) -> bool:
    """No difference by metrics is significant, and the p-value is the smallest."""
    facts.named_labels(found["scores"])
    family = facts.family(is_human=False)
    pairs = [(c.metric, c.system, c.against) for c in family]
    p_values = [facts.p_value(*pair) for pair in pairs if not facts.is_tie(*pair)]
    is_any_significant = any(facts.is_significant(*pair) for pair in pairs)
    return not is_any_significant and _is_p(found["p"], min(p_values), len(set(p_values)))


def best_is_significant(facts: Facts, found: Found) -> bool:
    """The leader is significantly better than all others; or than those that have a score, of which some have none."""
    labels = facts.named_labels(found["scores"])
    leader = found["leader"]
    others = [system for system in facts.systems if system != leader]
    pairs = [(label, leader, other) for label in labels for other in others]
    tested = [pair for pair in pairs if facts.is_compared(*pair)]
    is_complete = len(tested) == len(pairs)
    if is_complete != (found["which"] == "other system"):
        return False
    is_leader = all(facts.leaders(label) == [leader] for label in labels)
    return is_leader and all(facts.is_significant(*pair) for pair in tested)


def best_is_open(facts: Facts, found: Found) -> bool:
    """The leader is best, and these are all rivals, and scores, by which it is not significantly better."""
    labels = facts.named_labels(found["scores"])
    leader = found["leader"]
    named_pairs = set()
    for rival, named in re.findall(
        r"([a-d])(?: on ((?:(?!, [a-d]\b| and [a-d]\b).)+))?(?:, | and |$)", found["others"]
    ):
        labels_of_rivals = facts.named_labels(named) if named else labels
        named_pairs |= {(rival, label) for label in labels_of_rivals if facts.is_compared(label, leader, rival)}
    expected = set()
    for label in labels:
        for rival in facts.systems:
            is_tested = rival != leader and facts.is_compared(label, leader, rival)
            if is_tested and not facts.is_significant(label, leader, rival):
                expected.add((rival, label))
    return named_pairs == expected and all(facts.leaders(label) == [leader] for label in labels)


def is_alone(facts: Facts, found: Found) -> bool:
    """No other system has a defined score, or a difference that is."""
    labels = facts.named_labels(found["scores"])
    leader = found["leader"]
    others = [system for system in facts.systems if system != leader]
    is_any_compared = any(facts.is_compared(label, leader, other) for label in labels for other in others)
    return all(facts.leaders(label) == [leader] for label in labels) and not is_any_compared


def are_tied(facts: Facts, found: Found) -> bool:
    """These systems, and no others, have the best score; "all systems" are all."""
    systems = facts.systems if found["names"] == "All systems" else named_systems(found["names"])
    return all(facts.leaders(label) == systems for label in facts.named_labels(found["scores"]))


def is_lead(facts: Facts, found: Found) -> bool:
    """The best system of a score is ahead of the second by so much."""
    leads = []
    for sizes, best, second in re.findall(r"(.+?) \(([a-d]) over ([a-d])\)(?:; |$)", found["leads"]):
        of_pair = re.findall(r"(\S[^,]*?) (\d+\.\d{4}|∞)(?:, | and |$)", sizes)
        leads += [(label, size, best, second) for label, size in of_pair]
    for label, size, best, second in leads:
        comparison = facts.comparison(label, best, second)
        behind = [system for system in facts.scored(label) if system != best]
        is_second = all(not facts.is_better(label, system, second) for system in behind)
        if facts.leaders(label) != [best] or not is_second or not _is_written(size, abs(comparison.difference)):
            return False
    return bool(leads)


# --- a baseline


def differ_from_baseline(facts: Facts, found: Found) -> bool:
    """These systems are significantly better, or worse, by these scores and by no others."""
    baseline = found["baseline"]
    items = re.findall(r"([a-d]) on ((?:(?!, [a-d] on| and [a-d] on).)+)(?:, | and |$)", found["systems"])
    named_cells = {(system, label) for system, named in items for label in facts.named_labels(named)}
    expected = set()
    for system, label in itertools.product(facts.systems, facts.labels):
        if system != baseline and facts.is_significant(label, system, baseline):
            is_better = facts.is_better(label, system, baseline)
            if is_better == (found["side"] == "better"):
                expected.add((system, label))
    return named_cells == expected


def do_not_differ_from_baseline(facts: Facts, found: Found) -> bool:
    """These systems differ significantly by no score, and are all that are compared and do not."""
    baseline = found["baseline"]
    expected = []
    for system in facts.systems:
        compared = [
            label for label in facts.labels if system != baseline and facts.is_compared(label, system, baseline)
        ]
        if compared and not any(facts.is_significant(label, system, baseline) for label in compared):
            expected.append(system)
    return sorted(named_systems(found["names"])) == sorted(expected)


# --- what is missing


def are_undefined(facts: Facts, found: Found) -> bool:
    """The pairs that are named have no difference; where none is named, no pair has."""
    if found["pairs"] is None:
        return not facts.family(is_human=False)
    pairs = re.findall(r"([^;]+?): ([a-d]), ([a-d])(?:; | and \d+ more|$)", found["pairs"])
    compared = [facts.comparison(label.strip(), *two) for label, *two in pairs]
    return bool(compared) and all(math.isnan(comparison.difference) for comparison in compared)


def are_too_few(facts: Facts, found: Found) -> bool:
    """With the units that there are no difference of the family can be significant; with those needed one can."""
    families = {None: [False], "Metrics": [False], "People": [True]}[found["which"]]
    return all(_is_out_of_reach(len(facts.family(is_human)), found) for is_human in families)


def are_too_few_in_groups(facts: Facts, found: Found) -> bool:
    """The same of all groups together, of which the largest is named."""
    family = facts.family(is_human=bool(found["people"]), is_in_groups=True)
    is_counted = found["n"] is None or int(found["n"]) == len(family)
    is_largest = int(found["has"]) == max(cell.units for cell in family)
    return is_counted and is_largest and _is_out_of_reach(len(family), found)


def _is_out_of_reach(n_tests: int, found: Found) -> bool:
    has = int(found["has"])
    needs = int(found["needs"])
    is_least = n_tests * least_p(needs - 1, 10_000) > LEVEL >= n_tests * least_p(needs, 10_000_000)
    return n_tests * least_p(has, 10_000) > LEVEL and is_least


def are_too_few_trials(facts: Facts, found: Found) -> bool:
    """With these trials no difference of a family of this size can be significant, and with more one can."""
    tests = int(found["n"])
    has, needs = (int(found[name].replace(",", "")) for name in ("has", "needs"))
    families = [facts.family(is_human, is_in_groups) for is_human in (False, True) for is_in_groups in (False, True)]
    is_out_of_reach = tests / (has + 1) > LEVEL and tests * (1 / (needs + 1)) <= LEVEL
    return is_out_of_reach and has == facts.outcome.settings.trials and tests in map(len, families)


def interval_disagrees(facts: Facts, found: Found) -> bool:
    """By each of these scores, and by no other, some interval and its uncorrected test disagree."""
    by_test, _ = facts.scores_against_intervals()
    return set(facts.named_labels(found["scores"])) == by_test


def correction_disagrees(facts: Facts, found: Found) -> bool:
    """Some interval disagrees with its test because the p-value is corrected for this number of tests."""
    _, by_correction = facts.scores_against_intervals()
    return bool(by_correction) and int(found["n"]) == len(facts.family(is_human=False))


def is_open(facts: Facts, found: Found) -> bool:
    """One system is better by so much, and not significantly."""
    pair = (found["label"], found["better"], found["worse"])
    size = abs(facts.comparison(*pair).difference)
    is_right = facts.is_better(*pair) and not facts.is_significant(*pair) and _is_written(found["size"], size)
    return is_right and _is_p(found["p"], facts.p_value(*pair), 1)


def are_needed(facts: Facts, found: Found) -> bool:
    """More are needed than there are, fewer if the difference is larger; both numbers are different."""
    count = facts.outcome.corpus.size
    needed = int(found["needed"].replace(",", ""))
    fewest = int(found["fewest"].replace(",", "")) if found["fewest"] else None
    is_more = needed >= count and int(found["segments"].replace(",", "")) == count
    return is_more and (fewest is None or count <= fewest < needed)


# --- people


def people_rate(facts: Facts, found: Found) -> bool:
    """These are the leaders, with these means, and significantly better than the others or not."""
    names = named_systems(found["names"])
    means = re.findall(r"([a-d]) (-?[\d.]+)", found["means"])
    if facts.leaders(HUMAN) != names or bool(found["lower"]) != facts.lower_is_better[HUMAN]:
        return False
    if not all(_is_near(float(mean), abs(facts.score(HUMAN, name)), 5e-3) for name, mean in means):
        return False
    if found["how"].startswith("alike"):
        return len(names) > 1
    compared = [other for other in facts.systems if facts.comparison(HUMAN, names[0], other)]
    not_significant = [other for other in compared if not facts.is_significant(HUMAN, names[0], other)]
    if found["others"]:
        return sorted(named_systems(found["others"])) == sorted(not_significant)
    behind = named_systems(found["behind"] or " ".join({*facts.systems} - {*names}))
    return sorted(behind) == sorted(compared) and not not_significant


def people_prefer(facts: Facts, found: Found) -> bool:
    """People significantly prefer one system, and some metric significantly the other."""
    pair = (found["better"], found["worse"])
    by_metrics = [label for label in facts.labels if facts.is_significant(label, *pair)]
    is_other = any(facts.is_better(label, *pair[::-1]) for label in by_metrics)
    return facts.is_significant(HUMAN, *pair) and facts.is_better(HUMAN, *pair) and is_other


def people_do_not_confirm(facts: Facts, found: Found) -> bool:
    """A system is significantly better than these by some metric, and by people not."""
    leader = found["leader"]
    for other in named_systems(found["others"]):
        by_metrics = any(
            facts.is_significant(label, leader, other) and facts.is_better(label, leader, other)
            for label in facts.labels
        )
        by_people = facts.is_significant(HUMAN, leader, other) and facts.is_better(HUMAN, leader, other)
        if by_people or not by_metrics:
            return False
    return any(leader in facts.leaders(label) for label in facts.labels)


def people_see_differences(facts: Facts, found: Found) -> bool:
    """People find these differences significant, and no metric any."""
    text = re.sub(r" (?:and )?(?=[a-d] significantly)", "; ", found["pairs"])
    for item in filter(None, text.split("; ")):
        better, worse = item.split(" significantly better than ")
        for other in named_systems(worse):
            if not facts.is_significant(HUMAN, better, other) or not facts.is_better(HUMAN, better, other):
                return False
    by_metrics = facts.family(is_human=False)
    return not any(facts.is_significant(c.metric, c.system, c.against) for c in by_metrics)


# --- groups


def is_by_group(facts: Facts, found: Found) -> bool:
    """In these groups these systems are best, or have no score; where no group is named, all are as the whole."""
    groups = {group.title: group for group in facts.outcome.groups}
    if int(found["n"]) != len(groups):
        return False
    return all(_is_part_true(facts, groups, part) for part in found["said"].split("; "))


def _is_part_true(facts: Facts, groups: dict, part: str) -> bool:
    if re.fullmatch(r"the tables have \d+ more", part):
        return True
    if undefined := re.fullmatch(r"in (\w+) (.+) is undefined for (.+)", part):
        group = groups[undefined[1]]
        return not set(named_systems(undefined[3])) & set(facts.scored(undefined[2], group))
    if best := re.fullmatch(r"in (\w+) (.+?) (?:is best|share the best score) on (.+)", part):
        leaders = facts.leaders(best[3], groups[best[1]])
        return named_systems(best[2]) == leaders != facts.leaders(best[3])
    best = re.fullmatch(r"(.+?) (?:is best|share the best score)(?: on (.+))? in each group", part)
    labels = facts.named_labels(best[2]) if best[2] else list(facts.lower_is_better)
    names = named_systems(best[1])
    for label, group in itertools.product(labels, [None, *groups.values()]):
        if len(facts.scored(label, group)) > 1 and facts.leaders(label, group) != names:
            return False
    return True


def is_count_in_groups(facts: Facts, found: Found) -> bool:
    """Both counts are right: differences that are significant, and all, by metrics or by people."""
    is_human = found["people"] is not None
    family = facts.family(is_human, is_in_groups=True)
    significant = _significant_in_groups(facts, is_human)
    return [int(found[name]) for name in ("sure", "cells", "family")] == [significant, len(family), len(family)]


def is_the_one_difference(facts: Facts, found: Found) -> bool:
    """There is one difference by metrics, which is significant or not."""
    is_one = len(facts.family(is_human=False, is_in_groups=True)) == 1
    return is_one and _significant_in_groups(facts, is_human=False) == (found["not"] is None)


def _significant_in_groups(facts: Facts, is_human: bool) -> int:
    cells = [(group, cell) for group in facts.outcome.groups for cell in group.comparisons]
    cells_of_family = [(group, cell) for group, cell in cells if (cell.metric == HUMAN) == is_human]
    return sum(facts.is_significant(cell.metric, cell.system, cell.against, group) for group, cell in cells_of_family)


def group_is_against_the_whole(facts: Facts, found: Found) -> bool:
    """A system is significantly better in a group, and in all segments not better."""
    [group] = [group for group in facts.outcome.groups if group.title == found["group"]]
    pair = (found["label"], found["better"], found["worse"])
    size = abs(facts.comparison(*pair, group).difference)
    is_in_group = facts.is_better(*pair, group) and facts.is_significant(*pair, group)
    return is_in_group and not facts.is_better(*pair) and _is_written(found["size"], size)


# --- numbers


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def _is_near(first: float, second: float, error: float = 6e-5) -> bool:
    return first == second or abs(first - second) <= error * max(1.0, abs(second) / 1000)


def _is_written(text: str, value: float) -> bool:
    return _is_near(_number(text), value)


def _is_largest_p(facts: Facts, text: str, pairs: list[tuple[str, str, str]]) -> bool:
    p_values = [facts.p_value(*pair) for pair in pairs]
    return _is_p(text, max(p_values), len(set(p_values)))


def _is_p(text: str, p_value: float, n_distinct: int) -> bool:
    """Returns whether "p = 0.0312", "p ≤ 0.0312" or "p < 0.0001" is right; several different values have no "="."""
    relation, number = text.removeprefix("p ").split(" ")
    if relation == "<":
        return p_value < 0.0001
    return (relation == "=") == (n_distinct == 1) and is_same(float(number), round(p_value, 4))
