"""What a verdict has to claim, found from the numbers in a plain way: statements as tuples, no more and no fewer."""

import math
from collections.abc import Iterator

from verdict_facts import HUMAN, Facts

from textgauge.programs.comparing.records import Comparison

MOST = 6
Statement = tuple


def statements_due(facts: Facts) -> list[Statement]:
    """Returns all that a verdict has to state, except for the kinds of errors."""
    if len(facts.systems) == 1:
        return [*_alone(facts)]
    due = [*_of_people(facts), *_against_the_whole(facts)]
    if not facts.family(is_human=False):
        return [("not compared",), *due]
    due += [*_first(facts), *_sizes(facts), *_intervals(facts), *_undefined(facts), *_open(facts), *_missing(facts)]
    return due


def number(value: float) -> str:
    """Writes a number as a verdict does, without a sign."""
    return "∞" if math.isinf(value) else f"{abs(value):.4f}"


def p_text(p_value: float) -> str:
    """Writes a p-value as a verdict does."""
    return "p < 0.0001" if p_value < 0.00005 else f"p = {p_value:.4f}"


def _alone(facts: Facts) -> Iterator[Statement]:
    [system] = facts.systems
    for label in facts.labels:
        yield "alone", system, label, number(facts.score(label, system)), facts.lower_is_better[label]


def _first(facts: Facts) -> Iterator[Statement]:
    if _is_nothing_significant(facts):
        yield "nothing", None if facts.is_pair else facts.baseline, frozenset(facts.labels)
    elif facts.is_pair:
        for cell in facts.family(is_human=False):
            if facts.is_tie(cell):
                yield "equal", cell.metric, frozenset((cell.system, cell.against))
            else:
                yield "better", cell.metric, *facts.turned(cell), facts.is_sure(cell)
    elif facts.baseline is not None:
        yield from against_baseline(facts)
    else:
        yield from _leaders(facts)


def _is_nothing_significant(facts: Facts) -> bool:
    """Returns whether one sentence says it all: no difference is significant, and no system is ahead by all scores."""
    different = facts.different()
    if not different or any(facts.is_sure(cell) for cell in different):
        return False
    if facts.is_pair:
        return len({facts.turned(cell) for cell in different}) == 2
    return all(len(facts.leaders(label)) < 2 for label in facts.labels)


def against_baseline(facts: Facts) -> Iterator[Statement]:
    """Yields which systems are better or worse than the baseline, by which metrics, or neither."""
    for system in facts.systems:
        cells = [c for c in facts.family(is_human=False) if {c.system, c.against} == {system, facts.baseline}]
        sure = [cell for cell in cells if facts.is_sure(cell)]
        for cell in sure:
            side = "better" if facts.turned(cell)[0] == system else "worse"
            yield "of baseline", side, system, facts.baseline, cell.metric
        if cells and not sure:
            yield "of baseline", "neither", system, facts.baseline, None


def _leaders(facts: Facts) -> Iterator[Statement]:
    led: dict[tuple[str, ...], list[str]] = {}
    for label in facts.labels:
        leaders = facts.leaders(label)
        if len(leaders) > 1:
            yield "equal" if leaders == facts.systems else "tied", label, frozenset(leaders)
        elif leaders:
            led.setdefault(tuple(leaders), []).append(label)
    for (leader,), labels in led.items():
        compared = [(label, other) for label in labels for other in facts.systems if facts.cell(label, leader, other)]
        rivals = [(label, other) for label, other in compared if not facts.is_sure(facts.cell(label, leader, other))]
        reach = "not all" if rivals else "significant" if compared else "no other"
        for label in labels:
            others = [other for metric, other in rivals or compared if metric == label]
            yield "best", label, leader, reach, frozenset(others)


def _sizes(facts: Facts) -> Iterator[Statement]:
    if facts.is_pair:
        for cell in facts.different():
            yield "size", cell.metric, cell.system, cell.against, cell.difference < 0, number(cell.difference)


def _intervals(facts: Facts) -> Iterator[Statement]:
    is_of_correction = False
    labels = {}
    for cell in facts.different():
        low, high = cell.confidence_interval
        if math.isnan(low) or math.isnan(high):
            continue
        excludes_zero = low > 0 or high < 0
        if excludes_zero != (cell.p_randomization <= 0.05):
            labels[cell.metric] = True
        elif excludes_zero and not facts.is_sure(cell):
            is_of_correction = True
    if labels:
        yield "test decides", frozenset(labels)
    if is_of_correction:
        yield "not corrected", len(facts.family(is_human=False))


def _undefined(facts: Facts) -> Iterator[Statement]:
    cells = [cell for cell in facts.outcome.comparisons if math.isnan(cell.difference) and cell.metric != HUMAN]
    if cells:
        pairs = [(cell.metric, cell.system, cell.against) for cell in cells]
        yield "undefined", frozenset(pairs[:MOST]), max(0, len(pairs) - MOST)


def _open(facts: Facts) -> Iterator[Statement]:
    cells = [cell for cell in facts.different() if not facts.is_sure(cell)]
    if len(facts.systems) > 2 and facts.baseline is None:
        leaders = {leader for label in facts.lower_is_better for leader in facts.leaders(label)}
        cells = [cell for cell in cells if leaders & {cell.system, cell.against}]
    found = [needed for cell in cells for needed in _needed(facts, cell)]
    yield from found[:MOST]


def _needed(facts: Facts, cell: Comparison) -> Iterator[Statement]:
    """Yields how many segments would detect a difference, and one as large as the end of its interval."""
    low, high = cell.confidence_interval
    largest = max(high, 0.0) if cell.difference > 0 else min(low, 0.0)
    needed, fewest = (facts.needed(cell, size) for size in (cell.difference, largest))
    if math.isfinite(needed):
        is_range = math.isfinite(fewest) and fewest < needed and two_digits(fewest) != two_digits(needed)
        counts = (two_digits(needed), two_digits(fewest) if is_range else None)
        yield "needed", cell.metric, frozenset(facts.turned(cell)), *counts, facts.outcome.corpus.size


def two_digits(count: float) -> int:
    """Returns a count, rounded up, with two digits that count."""
    return int(round(math.ceil(count), 2 - len(str(int(count)))))


def _missing(facts: Facts) -> Iterator[Statement]:
    found = {}
    for name, is_human in (("metrics", False), ("people", True)):
        if facts.family(is_human):
            found[name] = facts.missing(facts.family(is_human))
        in_groups = facts.missing(facts.family(is_human, is_in_groups=True))
        if in_groups and not found.get(name):
            yield "never", "people" if is_human else "all", "in groups", *in_groups
    has_one = len({missing and (missing[0], *missing[2:]) for missing in found.values()}) == 1
    for name, missing in list(found.items())[: 1 if has_one else None]:
        if missing:
            yield "never", "all" if has_one else name, "", *missing


def _of_people(facts: Facts) -> Iterator[Statement]:
    if not facts.family(is_human=True):
        return
    leaders = facts.leaders(HUMAN)
    means = tuple(sorted((system, f"{facts.score(HUMAN, system):.4g}") for system in facts.systems))
    yield "means", means, facts.lower_is_better[HUMAN]
    if len(leaders) > 1:
        yield "people tied", frozenset(leaders)
    else:
        led = {other: facts.cell(HUMAN, leaders[0], other) for other in facts.systems}
        led = {other: cell for other, cell in led.items() if cell is not None}
        not_sure = {other: cell for other, cell in led.items() if not facts.is_sure(cell)}
        if not_sure:
            yield "people", leaders[0], "not", frozenset(not_sure)
            closest = max(not_sure.values(), key=facts.p_value)
            yield from _needed(facts, closest)
        else:
            yield "people", leaders[0], "significant", frozenset(led)
    if facts.family(is_human=False):
        yield from _people_and_metrics(facts)


def _people_and_metrics(facts: Facts) -> Iterator[Statement]:
    by_people = {facts.turned(cell) for cell in facts.different(is_human=True) if facts.is_sure(cell)}
    sure = [facts.turned(cell) for cell in facts.different() if facts.is_sure(cell)]
    against = [pair[::-1] for pair in sure if pair[::-1] in by_people]
    if against:
        yield "people disagree", *against[0]
    elif by_people and not sure:
        yield from (("people alone", *pair) for pair in by_people)
    else:
        leaders = {leader for label in facts.labels for leader in facts.leaders(label)}
        for better, worse in set(sure) - by_people:
            if better in leaders and facts.cell(HUMAN, better, worse) is not None:
                yield "people unconfirmed", better, worse


def _against_the_whole(facts: Facts) -> list[Statement]:
    found: list[Statement] = []
    for group in facts.outcome.groups:
        for cell in group.comparisons:
            if cell.metric == HUMAN or math.isnan(cell.difference) or not facts.is_sure(cell, group):
                continue
            pair = facts.turned(cell, group)
            if facts.cell(cell.metric, *pair) is None or not facts.is_better(cell.metric, *pair):
                found.append(("in group", group.title, cell.metric, *pair, number(cell.difference)))
    return found[:MOST]
