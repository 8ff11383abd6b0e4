"""How much it takes for a difference to be significant: segments, clusters, trials."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from ..reading.corpus import HUMAN
from ..saying.texts import say
from .draws import is_exact, least_p, least_trials, least_units
from .records import Comparison, Outcome, tested, tested_in_groups
from .significance import POWER


def what_is_missing(outcome: Outcome, comparisons: Sequence[Comparison]) -> str:
    """Says why none of these comparisons can be significant, whatever the systems; nothing where one can.

    Args:
        outcome: what is found.
        comparisons: those that are adjusted together, of all segments.
    """
    if not comparisons or _can_be_significant(outcome, comparisons):
        return ""
    if _is_for_want_of_trials(comparisons):
        return _trials_missing(outcome, len(comparisons))
    needs = least_units(outcome.settings.level / len(comparisons))
    return say("verdict_never", has=_counted(outcome, comparisons[0].units), needs=_counted(outcome, needs))


def missing_of_families(outcome: Outcome) -> list[str]:
    """Says, for metrics and for people, how much is missing for a difference to be significant."""
    families = {is_human: tested(outcome.comparisons, is_human) for is_human in (False, True)}
    missing = {is_human: what_is_missing(outcome, family) for is_human, family in families.items() if family}
    distinct = set(missing.values())
    if len(distinct) == 1:
        return [text for text in distinct if text]
    sentences = []
    for is_human, text in missing.items():
        if text:
            key = "verdict_of_people" if is_human else "verdict_of_metrics"
            sentences.append(say(key, said=text))
    return sentences


def missing_in_groups(outcome: Outcome, is_human: bool) -> str:
    """Says why no difference within a group can be significant, by metrics or by people; nothing where one can."""
    cells = tested_in_groups(outcome.groups, is_human)
    if not cells or _can_be_significant(outcome, cells):
        return ""
    if _is_for_want_of_trials(cells):
        return _trials_missing(outcome, len(cells))
    needs = least_units(outcome.settings.level / len(cells))
    largest = max(cell.units for cell in cells)
    key = "verdict_never_groups_people" if is_human else "verdict_never_groups"
    return say(key, has=_counted(outcome, largest), needs=_counted(outcome, needs), n=len(cells))


def _can_be_significant(outcome: Outcome, comparisons: Sequence[Comparison]) -> bool:
    """Returns whether the least p-value that one of these could have is significant after Holm's first step."""
    trials = outcome.settings.trials
    if trials is None and not all(is_exact(comparison.units) for comparison in comparisons):
        return True  # there are as many trials as it takes
    least = min(least_p(comparison.units, trials or 0) for comparison in comparisons)
    return len(comparisons) * least <= outcome.settings.level


def _is_for_want_of_trials(comparisons: Sequence[Comparison]) -> bool:
    return not all(is_exact(comparison.units) for comparison in comparisons)


def _trials_missing(outcome: Outcome, n_tests: int) -> str:
    settings = outcome.settings
    return say("verdict_never_trials", n=n_tests, needs=least_trials(n_tests, settings.level), has=settings.trials)


def _counted(outcome: Outcome, count: int) -> str:
    """Writes a number of segments, or of clusters where these are drawn."""
    return say("count_segments" if outcome.corpus.clusters is None else "count_clusters", n=count)


def needed_segments(comparison: Comparison, segments: int, level: float, tests: int) -> float:
    """Returns how many segments a test needs to find a difference of this size with probability .8; inf for none.

    The standard error shrinks with the root of the number of segments. Among several tests the difference has to reach
    the strictest level of Holm's method, level / tests.

    Args:
        comparison: whose `detectable` is the difference that a single test of this number of segments finds.
        segments: how many there are.
        level: of the tests together.
        tests: how many.
    """
    normal = NormalDist()
    power = normal.inv_cdf(POWER)
    if comparison.is_tie or not math.isfinite(comparison.detectable):
        return math.inf
    errors_of_one = normal.inv_cdf(1 - level / 2) + power
    errors_of_many = normal.inv_cdf(1 - level / (2 * tests)) + power
    detectable_of_many = comparison.detectable * errors_of_many / errors_of_one
    return segments * (detectable_of_many / comparison.difference) ** 2


def remedy(outcome: Outcome, comparison: Comparison) -> str:
    """Says how many segments it takes to detect a difference of this size, and one as large as its interval allows."""
    segments = outcome.corpus.size
    level = outcome.settings.level
    tests = len(tested(outcome.comparisons, comparison.metric == HUMAN))
    needed = needed_segments(comparison, segments, level, tests)
    if not math.isfinite(needed) or needed <= segments:
        return ""
    least = least_units(level / tests) if outcome.corpus.clusters is None else 0
    values = {"needed": _rounded(max(needed, least)), "segments": f"{segments:,}"}
    largest = comparison._replace(difference=_end_of_its_sign(comparison))
    fewest = needed_segments(largest, segments, level, tests)
    fewest_text = _rounded(max(fewest, least)) if math.isfinite(fewest) else ""
    if not segments < fewest < needed or fewest_text == values["needed"]:
        return say("verdict_needed", **values)
    return say("verdict_needed_or", **values, fewest=fewest_text)


def _end_of_its_sign(comparison: Comparison) -> float:
    """Returns the end of the interval on the side of the difference: the largest that it may be."""
    low, high = comparison.confidence_interval
    return max(high, 0.0) if comparison.difference > 0 else min(low, 0.0)


def _rounded(count: float) -> str:
    """Writes a number with two digits that count."""
    return f"{round(math.ceil(count), 1 - math.floor(math.log10(count))):,}"
