"""The one renderer of claims: each is a text with a slot for each fact, and a fact is written by its name."""

from collections.abc import Callable, Sequence
from typing import Any

from ..drawing.kinds import kind_title
from ..reading.corpus import HUMAN
from ..saying.texts import joined, say
from ..saying.values import (
    difference_text,
    human_text,
    in_sentence,
    interval_text,
    number_text,
    p_equation,
    p_least_text,
    p_range_text,
)
from ..saying.widths import text_width
from ..scoring.blind_scores import Blind
from .cases import metric_labels
from .claims import Claim
from .records import Outcome

_MOST = 6  # pairs in a row
_WIDEST = 60  # places of the names in a row: so the first sentence has at most six lines on a telephone


def sentence(outcome: Outcome, claim: Claim) -> str:
    """Returns what a claim on an outcome says."""
    if claim.kind == "cannot_tell":
        return f"{Blind(**claim.facts).sentence()}."
    slots = {"level": f"{outcome.settings.level:g}", "baseline": outcome.settings.baseline}
    slots["segments"] = outcome.corpus.size
    for name, value in claim.facts.items():
        slots[name] = _WRITERS[name](outcome, value) if name in _WRITERS else value
    if "p_values" in claim.facts:
        slots["p"] = p_range_text(claim.facts["p_values"])
        slots["p_least"] = p_least_text(claim.facts["p_values"])
    return say(f"verdict_{claim.kind}", **slots)


def _systems(outcome: Outcome, systems: Sequence[str]) -> str:
    """Names systems, or counts them where their names are long."""
    return joined(systems) if _are_short(systems) else say("count_systems", n=len(systems))


def _are_short(names: Sequence[str]) -> bool:
    return len(names) == 1 or text_width(", ".join(names)) <= _WIDEST


def _metrics(outcome: Outcome, labels: Sequence[str]) -> str:
    """Names metrics, or says that they are both or all, or counts them where their names are long."""
    n_metrics = len(metric_labels(outcome))
    if n_metrics == 1 or len(labels) < n_metrics:
        return joined(labels) if _are_short(labels) else say("verdict_some", n=len(labels), all=n_metrics)
    return say("verdict_both" if n_metrics == 2 else "verdict_all", n=n_metrics)


def _any_metric(outcome: Outcome, labels: Sequence[str]) -> str:
    """Names the only metric, or says that a denial holds of each."""
    return labels[0] if len(labels) == 1 else say("verdict_any", n=len(labels))


def _by_metrics(outcome: Outcome, systems: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Names systems, each with the metrics by which something holds of it, or counts them where that is long."""
    if not _are_short([name for system, labels in systems for name in (system, *labels)]):
        return say("count_systems", n=len(systems))
    shown = []
    for system, labels in systems:
        shown.append(say("verdict_by", system=system, metrics=_metrics(outcome, labels)) if labels else system)
    return joined(shown)


def _others(outcome: Outcome, systems: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Names those that a system is better than, or says that they are all others."""
    is_every = 1 < len(systems) == len(outcome.results) - 1 and not any(labels for _, labels in systems)
    return say("verdict_every_other") if is_every else _by_metrics(outcome, systems)


def _means(outcome: Outcome, means: Sequence[tuple[str, float]]) -> str:
    """Writes means of people's scores, and whether lower is better."""
    [column] = [column for column in outcome.columns if column.label == HUMAN]
    shown = joined(f"{system} {human_text(mean)}" for system, mean in means)
    return say("verdict_means_lower" if column.metric.LOWER_IS_BETTER else "verdict_means", means=shown)


def _scores(outcome: Outcome, scores: Sequence[tuple[str, float, Sequence[float]]]) -> str:
    """Writes scores with their intervals, and of which of them lower is better: once, where that holds of all."""
    lower = {column.label for column in outcome.columns if column.metric.LOWER_IS_BETTER}
    are_all_lower = lower.issuperset(metric_labels(outcome))
    shown = []
    for label, score, interval in scores:
        text = f"{label} {number_text(score)}{_interval(interval)}"
        shown.append(text + say("verdict_lower") if label in lower and not are_all_lower else text)
    return joined(shown) + (say("verdict_lower") if are_all_lower else "")


def _sizes(outcome: Outcome, sizes: Sequence[tuple[str, float, Sequence[float]]]) -> str:
    return joined(f"{label} {difference_text(size)}{_interval(interval)}" for label, size, interval in sizes)


def _interval(ends: Sequence[float]) -> str:
    return in_sentence(interval_text({"confidence_interval": ends}))


def _rates(outcome: Outcome, rates: Sequence[tuple[str, float, float]]) -> str:
    return joined(f"{label} {number_text(rate)} < {number_text(other)}" for label, rate, other in rates)


def _pairs(outcome: Outcome, pairs: Sequence[Sequence[str]]) -> str:
    """Names a metric and two systems of each pair, up to `_MOST`."""
    shown = "; ".join(f"{label}: {system}, {against}" for label, system, against in pairs[:_MOST])
    return shown + say("note_more", n=len(pairs) - _MOST) if len(pairs) > _MOST else shown


def _units(outcome: Outcome, count: int) -> str:
    """Writes a number of segments, or of clusters where these are drawn."""
    return say("count_segments" if outcome.corpus.clusters is None else "count_clusters", n=count)


def _family(outcome: Outcome, family: str) -> str:
    """Says which tests something holds of, where it does not hold of all."""
    return say(f"verdict_by_{family}") if family else ""


_WRITERS: dict[str, Callable[[Outcome, Any], str]] = {
    "systems": _systems,
    "metric": lambda outcome, label: say("verdict_people") if label == HUMAN else label,
    "metrics": _metrics,
    "any_metric": _any_metric,
    "by_metrics": _by_metrics,
    "rivals": _by_metrics,
    "others": _others,
    "means": _means,
    "scores": _scores,
    "sizes": _sizes,
    "rates": _rates,
    "pairs": _pairs,
    "difference": lambda outcome, size: difference_text(size, ""),
    "p_value": lambda outcome, p_value: p_equation(p_value),
    "share": lambda outcome, share: f"{share:.0%}",
    "error": lambda outcome, kind: kind_title(kind),
    "specs": lambda outcome, specs: joined(f"-m {spec}" for spec in specs),
    "has_units": _units,
    "needs_units": _units,
    "family": _family,
}
