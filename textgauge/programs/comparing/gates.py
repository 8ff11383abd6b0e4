"""--fail-below: what a run must not fall below, for continuous integration."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.other_names import close_text
from textgauge.core.rounding import difference

from ..drawing.kinds import ERRORS, has_kinds
from ..errors import InputError
from ..saying.texts import say, speaking
from ..saying.values import p_equation
from ..scoring.specs import Scorer, headline
from ..scoring.tables import number_text
from .power import too_few
from .records import Comparison, Outcome
from .sentences import sentence
from .significance import holm

_BASELINE = "baseline"
_LOOPS = "loops"  # segments that loop, by any error rate


class Gate(NamedTuple):
    """The worst score that a system may have."""

    metric: str  # a column of the table, or the key of its score, such as rouge1
    limit: float | None  # None: not significantly worse than the baseline


def parse_limits(given: Sequence[str]) -> list[Gate]:
    """Returns the gates of a program without a baseline; InputError for anything but METRIC=NUMBER."""
    for text in given:
        if text.endswith(f"={_BASELINE}"):
            raise InputError(f"--fail-below {text}: score.py has no baseline; compare.py has, with --baseline SYSTEM")
    return _parsed(given, "METRIC=NUMBER, such as bleu=0.3")


def parse_gates(given: Sequence[str], baseline: str | None) -> list[Gate]:
    """Returns the gates; InputError for anything but METRIC=NUMBER and METRIC=baseline."""
    gates = _parsed(given, f"METRIC=NUMBER, such as bleu=0.3, or METRIC={_BASELINE}")
    for text, gate in zip(given, gates, strict=True):
        if gate.limit is None and baseline is None:
            raise InputError(f"--fail-below {text} needs --baseline SYSTEM")
    return gates


def _parsed(given: Sequence[str], forms: str) -> list[Gate]:
    """Returns the gates; InputError for a text in none of the forms."""
    gates = []
    for text in given:
        metric, _, value = text.rpartition("=")
        try:
            limit = None if value == _BASELINE else float(value)
        except ValueError:
            limit = math.nan
        if not metric or (limit is not None and not math.isfinite(limit)):
            raise InputError(f"--fail-below {text}: write {forms}")
        gates.append(Gate(metric, limit))
    return gates


def failures(gates: Sequence[Gate], outcome: Outcome) -> list[str]:
    """Returns a message for each system that fails a gate; an undefined score fails, and the baseline never does.

    Raises:
        InputError: a gate whose metric has no column, or several, or a limit that no usual score reaches.
    """
    metrics = {scorer.label: scorer.metric for scorer in outcome.columns}
    of_loops = [gate for gate in gates if gate.metric == _LOOPS and gate.metric not in metrics]
    gates = [gate for gate in gates if gate not in of_loops]
    for gate in gates:
        _check_tells(gate, outcome)
    gates = [gate._replace(metric=_column(gate.metric, outcome)) for gate in gates]
    messages = [message for gate in of_loops for message in _loops_above(gate, outcome)]
    for gate in gates:
        if gate.limit is not None:
            _check_limit(gate, metrics[gate.metric])
            messages += _below_limit(gate, outcome, metrics[gate.metric].LOWER_IS_BETTER)
    # adjusted for these tests only: with the other comparisons of the table a gate would be more lenient
    labels = {gate.metric for gate in gates if gate.limit is None}
    tested = [comparison for comparison in outcome.comparisons if comparison.metric in labels]
    _check_can_fail([comparison for comparison in tested if not comparison.is_undefined], outcome)
    adjusted = holm(np.array([comparison.p_randomization for comparison in tested]))
    for comparison, p_value in zip(tested, adjusted, strict=True):
        is_lower_better = metrics[comparison.metric].LOWER_IS_BETTER
        messages += _below_baseline(comparison, float(p_value), outcome.settings.level, is_lower_better)
    return messages


def check_loops_of_stream(gates: Sequence[Gate], scorers: Sequence[Scorer]) -> None:
    """Raises InputError for a gate on loops that no score of a stream tells."""
    are_told = any(has_kinds(scorer.metric) and scorer.options.get("detailed") for scorer in scorers)
    labels = {scorer.label for scorer in scorers}
    if not are_told and any(gate.metric == _LOOPS and gate.metric not in labels for gate in gates):
        raise InputError(
            f"--fail-below {_LOOPS}=... needs all texts at once; leave out --stream, or ask for an error rate with "
            "detailed=true"
        )


def _loops_above(gate: Gate, outcome: Outcome) -> Iterator[str]:
    """Yields a message for each system with more segments that loop than the limit."""
    if gate.limit is None or gate.limit < 0:
        raise InputError(f"--fail-below {_LOOPS}=...: write how many segments may loop, such as {_LOOPS}=0")
    if not any(has_kinds(column.metric) for column in outcome.columns):
        raise InputError(f"--fail-below {_LOOPS}=...: only error rates count loops; add --metric cer")
    for system, of_system in outcome.results.items():
        loops = max(result.get(ERRORS, {}).get("looping_segments", 0) for result in of_system.values())
        if system != outcome.settings.baseline and loops > gate.limit:
            yield say("gate_loops", system=system, n=loops, limit=f"{gate.limit:g}")


def _check_can_fail(tested: Sequence[Comparison], outcome: Outcome) -> None:
    """Raises InputError where no difference from the baseline could be significant, whatever the systems."""
    missing = too_few(outcome, tested)
    if missing is not None:
        raise InputError(f"--fail-below ...={_BASELINE} could never fail: {sentence(outcome, missing)}")


def _check_tells(gate: Gate, outcome: Outcome) -> None:
    """Raises InputError for a gate on a score that cannot tell."""
    blind = outcome.blind.get(_column(gate.metric, outcome))
    if blind is not None:
        with speaking("en"):
            raise InputError(f"--fail-below {gate.metric}=...: {blind.sentence()}")


def _check_limit(gate: Gate, metric: Any) -> None:
    """Raises InputError for a limit outside the usual range, with which all systems would pass, or none."""
    low, high = metric.USUAL_RANGE
    if gate.limit == low and not metric.LOWER_IS_BETTER:
        raise InputError(
            f"--fail-below {gate.metric}={gate.limit:g}: a score of {gate.metric} is usually {low:g} or more, "
            "so that every system would pass; write a higher limit"
        )
    if not low <= gate.limit <= high:
        hint = f" (did you mean {gate.limit / 100:g}?)" if low <= gate.limit / 100 <= high else ""
        raise InputError(
            f"--fail-below {gate.metric}={gate.limit:g}: {gate.metric} is usually from {low:g} to {high:g}{hint}"
        )


def _column(name: str, outcome: Outcome) -> str:
    """Returns the column with this name, or the only one whose score has this key."""
    labels = [scorer.label for scorer in outcome.columns]
    if name in labels:
        return name
    results_of_one = next(iter(outcome.results.values()))  # those of all systems have the same keys
    keys = {label: next(iter(result)) for label, result in results_of_one.items()}
    with_key = [label for label in labels if keys[label] == name]
    if len(with_key) > 1:
        raise InputError(f"--fail-below {name}=...: write which of {', '.join(with_key)}")
    if not with_key:
        hint = close_text(name, [*labels, *keys.values()])
        raise InputError(f"--fail-below {name}=...: there is no such score{hint}; pass one of {', '.join(labels)}")
    return with_key[0]


def _below_limit(gate: Gate, outcome: Outcome, is_lower_better: bool) -> Iterator[str]:
    """Yields a message for each system that does not reach the limit."""
    side = "above" if is_lower_better else "below"
    for system, of_system in outcome.results.items():
        score = headline(of_system[gate.metric])
        lead = difference(gate.limit, score) if is_lower_better else difference(score, gate.limit)
        if system != outcome.settings.baseline and not lead >= 0:  # also if the lead is undefined
            key = "gate_undefined" if math.isnan(score) else f"gate_{side}"
            limit = f"{gate.limit:g}"
            yield say(key, system=system, label=gate.metric, score=number_text(score), limit=limit)


def _below_baseline(comparison: Comparison, p_value: float, level: float, is_lower_better: bool) -> Iterator[str]:
    """Yields a message for a system that is significantly worse, or whose difference is undefined."""
    names = {"system": comparison.system, "label": comparison.metric, "against": comparison.against}
    is_worse = comparison.difference > 0 if is_lower_better else comparison.difference < 0
    if comparison.is_undefined:
        yield say("gate_incomparable", **names)
    elif is_worse and p_value <= level:
        yield say("gate_worse", **names, difference=f"{comparison.difference:+.4f}", p=p_equation(p_value))
