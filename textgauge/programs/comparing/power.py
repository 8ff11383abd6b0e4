"""How much it takes for a difference to be sure: segments, clusters, trials."""

import math
from statistics import NormalDist

from ..reading.corpus import HUMAN
from ..saying.texts import say
from .draws import is_exact, least_p, least_trials, least_units
from .records import Comparison, Outcome
from .significance import POWER


def what_is_missing(outcome: Outcome, tests: int) -> str:
    """Says why no difference can be sure among so many tests, whatever the systems; nothing where one can."""
    units, trials, level = outcome.corpus.units, outcome.settings.trials, outcome.settings.level
    # where no number of trials is given, there are as many as it takes
    if not tests or (trials is None and not is_exact(units)) or tests * least_p(units, trials or 0) <= level:
        return ""
    if is_exact(units):
        counted = "count_segments" if outcome.corpus.clusters is None else "count_clusters"
        return say("verdict_never", has=say(counted, n=units), needs=say(counted, n=least_units(level / tests)))
    return say("verdict_never_trials", n=tests, needs=least_trials(tests, level), has=trials)


def needed_segments(comparison: Comparison, segments: int, level: float, tests: int) -> float:
    """Returns how many segments a test needs to find a difference of this size with probability .8; inf for none.

    The standard error shrinks with the root of the number of segments. Among several tests the difference has to reach
    the strictest level of Holm's method, level / tests.

    Args:
        comparison: whose `detectable` is the difference that a single test of so many segments finds.
        segments: how many there are.
        level: of the tests together.
        tests: how many.
    """
    normal = NormalDist()
    power = normal.inv_cdf(POWER)
    errors_of_one, errors_of_many = (normal.inv_cdf(1 - level / (2 * count)) + power for count in (1, tests))
    if comparison.is_tie or not math.isfinite(comparison.detectable):
        return math.inf
    detectable_of_many = comparison.detectable * errors_of_many / errors_of_one
    return segments * (detectable_of_many / comparison.difference) ** 2


def remedy(outcome: Outcome, comparison: Comparison) -> str:
    """Says how many segments would make a difference of this size sure, and how many the largest of its interval."""
    is_human, segments = comparison.metric == HUMAN, outcome.corpus.size
    tests = sum((own.metric == HUMAN) == is_human for own in outcome.comparisons)
    largest = max(comparison.confidence_interval, key=abs)
    needed, fewest = (
        needed_segments(comparison._replace(difference=difference), segments, outcome.settings.level, tests)
        for difference in (comparison.difference, largest)
    )
    if not math.isfinite(needed) or needed <= segments:
        return ""
    least = least_units(outcome.settings.level / tests) if outcome.corpus.clusters is None else 0
    values = {"needed": _rounded(max(needed, least)), "segments": f"{segments:,}"}
    if fewest <= segments:
        return say("verdict_needed", **values)
    return say("verdict_needed_or", **values, fewest=_rounded(max(fewest, least)))


def _rounded(count: float) -> str:
    """Writes a number with two digits that count."""
    return f"{round(math.ceil(count), 1 - math.floor(math.log10(count))):,}"
