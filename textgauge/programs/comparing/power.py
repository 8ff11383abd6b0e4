"""How much it takes for a difference to be significant: segments, clusters, trials."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from ..reading.corpus import HUMAN
from .cases import Case
from .claims import Claim, claim
from .draws import is_exact, least_p, least_trials, least_units
from .records import Comparison, Outcome, tested, tested_in_groups
from .significance import POWER


def too_few(outcome: Outcome, comparisons: Sequence[Comparison]) -> Claim | None:
    """Claims that none of these comparisons can be significant, whatever the systems; None where one can.

    Args:
        outcome: what is found.
        comparisons: those that are adjusted together, of all segments or of all groups.
    """
    n_tests = len(comparisons)
    if not n_tests or _can_be_significant(outcome, comparisons):
        return None
    settings = outcome.settings
    if not all(is_exact(comparison.units) for comparison in comparisons):
        needs = least_trials(n_tests, settings.level)
        return claim("too_few_trials", family="", n=n_tests, needs=needs, has=settings.trials)
    largest = max(comparison.units for comparison in comparisons)
    return claim("too_few", family="", has_units=largest, needs_units=least_units(settings.level / n_tests))


def too_few_for_any(outcome: Outcome) -> list[Claim]:
    """Claims the same, and of which comparisons it holds: all, those by metrics, by people, or in groups."""
    found = []
    by_metrics = tested(outcome.comparisons)
    by_people = tested(outcome.comparisons, is_human=True)
    of_metrics = too_few(outcome, by_metrics)
    of_people = too_few(outcome, by_people)
    if of_metrics is not None and (of_metrics == of_people or not by_people):
        found.append(of_metrics)
    else:
        found += [_of_family(of_metrics, "metrics"), _of_family(of_people, "people")]
    for is_human, family, missing_of_all in ((False, "", of_metrics), (True, "people", of_people)):
        if missing_of_all is None:
            missing = too_few(outcome, tested_in_groups(outcome.groups, is_human))
            found.append(_of_family(missing, family, "_in_groups"))
    return [missing for missing in found if missing is not None]


def _of_family(missing: Claim | None, family: str, where: str = "") -> Claim | None:
    return missing and Claim(missing.kind + where, {**missing.facts, "family": family})


def _can_be_significant(outcome: Outcome, comparisons: Sequence[Comparison]) -> bool:
    """Returns whether the least p-value that one of these could have is significant after Holm's first step."""
    trials = outcome.settings.trials
    if trials is None and not all(is_exact(comparison.units) for comparison in comparisons):
        return True  # there are as many trials as it takes
    least = min(least_p(comparison.units, trials or 0) for comparison in comparisons)
    return len(comparisons) * least <= outcome.settings.level


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


def needed_of(outcome: Outcome, case: Case) -> Claim | None:
    """Claims how many segments it takes to detect a difference, and one as large as its interval allows.

    None where no number is known, or there are as many.
    """
    comparison = case.comparison
    segments = outcome.corpus.size
    level = outcome.settings.level
    tests = len(tested(outcome.comparisons, comparison.metric == HUMAN))
    needed = needed_segments(comparison, segments, level, tests)
    if not math.isfinite(needed) or needed <= segments:
        return None
    least = least_units(level / tests) if outcome.corpus.clusters is None else 0
    facts = {"metric": case.label, "system": case.better, "against": case.worse}
    facts["needed"] = _rounded(max(needed, least))
    largest = comparison._replace(difference=_end_of_its_sign(comparison))
    fewest = needed_segments(largest, segments, level, tests)
    fewest_rounded = _rounded(max(fewest, least)) if segments < fewest < needed else facts["needed"]
    if fewest_rounded == facts["needed"]:
        return claim("needed", **facts)
    return claim("needed_or_fewer", **facts, fewest=fewest_rounded)


def _end_of_its_sign(comparison: Comparison) -> float:
    """Returns the end of the interval on the side of the difference: the largest that it may be."""
    low, high = comparison.confidence_interval
    return max(high, 0.0) if comparison.difference > 0 else min(low, 0.0)


def _rounded(count: float) -> int:
    """Returns a number with two digits that count."""
    return round(math.ceil(count), 1 - math.floor(math.log10(count)))
