"""What is wrong with what a verdict and its tables say of kinds of errors."""

import math
import re
from collections.abc import Mapping
from typing import Any

from textgauge.programs.comparing.forgiven import loops, once_forgiven
from textgauge.programs.drawing.kinds import ERRORS, has_kinds
from textgauge.programs.scoring.specs import Scorer

from .comparisons import MadeComparison

Results = Mapping[str, Mapping[str, Any]]  # of each system, what `compute` returns
_KINDS = {
    "notation": "notation",
    "loops": "loop",
    "fillers": "filler",
    "spacing": "spacing",
    "punctuation": "punctuation",
}
_FORGIVEN = re.compile(
    r"(?:But|And) with (?P<kind>[a-z]+) forgiven, (?P<better>\w) is "
    r"(?:significantly better than (?P<beaten>\w)|better than (?P<best>\w), but not significantly) "
    r"\((?P<rates>.*); p [=<] (?P<p>\d\.\d{4})\): (?P<share>\d+)% of its edits are of that kind\."
)
_RATES = re.compile(r"(?P<label>\S.*?) (?P<better>\d+\.\d{4}) < (?P<best>\d+\.\d{4})(?:, | and |$)")
_LOOPS = re.compile(r"(\w) loops in (\d+) segments?; surplus repeats are (\d+)% of its edits \((.*)\)\.")
_NEARLY = 1e-9  # relative; rates that differ by less are the same


def kind_defects(comparison: MadeComparison) -> list[str]:
    """Returns what is wrong with the sentences and tables about kinds of errors."""
    computed = {s.label: (s, comparison.computed(s)) for s in comparison.scorers if has_kinds(s.metric)}
    defects: list[str] = []
    for scorer, results in computed.values():
        defects += _table_defects(comparison, scorer, results)
    defects += _loop_defects(comparison, computed)
    return defects + _forgiven_defects(comparison, computed)


def _table_defects(comparison: MadeComparison, scorer: Scorer, results: Results) -> list[str]:
    """Returns what is wrong with the table of one error rate: edits that do not add up, shares, rates."""
    defects = []
    for system, result in results.items():
        rows = comparison.outcome.results[system][scorer.label].get(ERRORS, {}).get("kinds", [])
        if not math.isclose(sum(edits for _, edits, *_ in rows), result["edits"], rel_tol=_NEARLY):
            defects.append(f"{system}: kinds add up to another number than {result['edits']} edits")
        for kind, edits, share, rate in rows:
            without = result[_key(scorer, kind)]
            is_right = edits == result[f"{kind}_edits"] > 0 and share == edits / result["edits"]
            if not is_right or not _is_same(rate, without) or _is_below(result[scorer.metric.name], without):
                defects.append(f"{system}: {kind} has {edits} edits, {share:.0%}, {rate} without")
    return defects


def _loop_defects(comparison: MadeComparison, computed: Mapping[str, tuple[Scorer, Results]]) -> list[str]:
    """Returns what is wrong with the sentences about loops, of which each system has one at most."""
    expected = {}
    for label, (_, results) in computed.items():
        for system, result in results.items():
            if result["loop_edits"] and system not in expected:
                share = f"{result['loop_edits'] / result['edits']:.0%}".removesuffix("%")
                expected[system] = (system, str(result["looping_segments"]), share, label)
    sentences = loops(comparison.outcome)
    found = [match.groups() for match in map(_LOOPS.fullmatch, sentences) if match]
    return (
        []
        if sorted(found) == sorted(expected.values())
        else [f"loops are {expected}, and the verdict says {sentences}"]
    )


def _forgiven_defects(comparison: MadeComparison, computed: Mapping[str, tuple[Scorer, Results]]) -> list[str]:
    """Returns which kinds that turn a ranking round a verdict leaves out, and which it names wrongly."""
    turned = {}
    for label, (scorer, results) in computed.items():
        expected = _first_that_turns(scorer, results)
        if expected is not None:
            turned[label] = expected
    sentences = [sentence for sentence in once_forgiven(comparison.outcome) if " forgiven, " in sentence]
    defects = []
    told = set()
    for sentence in sentences:
        found = _FORGIVEN.fullmatch(sentence)
        if found is None:
            defects.append(f"{sentence!r} is not understood")
            continue
        for rates in _RATES.finditer(found["rates"]):
            told.add(rates["label"])
            defects += _said_wrongly(found, rates, *computed[rates["label"]], turned.get(rates["label"]))
    return defects + [f"{expected} by {label} is not said" for label, expected in turned.items() if label not in told]


def _said_wrongly(
    found: re.Match[str], rates: re.Match[str], scorer: Scorer, results: Results, expected: tuple[str, str, str] | None
) -> list[str]:
    """Returns what is wrong with one rate of a sentence on a kind that is forgiven."""
    kind = _KINDS[found["kind"]]
    better = found["better"]
    best = found["beaten"] or found["best"]
    if (kind, better, best) != expected:
        return [f"{found[0]!r}, and expected is {expected}"]
    wanted = [f"{results[system][_key(scorer, kind)]:.4f}" for system in (better, best)]
    edits = results[better]
    share = edits[f"{kind}_edits"] / edits["edits"] if edits["edits"] else 0.0
    is_right = wanted == [rates["better"], rates["best"]] and float(found["share"]) <= 100 * share + 0.5
    return [] if is_right else [f"{found[0]!r}, and the rates are {wanted}, the share {share}"]


def _first_that_turns(scorer: Scorer, results: Results) -> tuple[str, str, str] | None:
    """Returns the first kind without which another system is best, that system, and the best one; None without."""
    name = scorer.metric.name
    rates = {system: result[name] for system, result in results.items()}
    if any(math.isnan(rate) for rate in rates.values()):
        return None
    best = min(rates, key=rates.get)
    for kind in _KINDS.values():
        without = {system: result[_key(scorer, kind)] for system, result in results.items()}
        better = min(without, key=without.get)
        if _is_below(rates[best], rates[better]) and _is_below(without[better], without[best]):
            return kind, better, best
    return None


def _key(scorer: Scorer, kind: str) -> str:
    return f"{scorer.metric.name}_without_{'loops' if kind == 'loop' else kind}"


def _is_same(first: float, second: float) -> bool:
    return first == second or (math.isnan(first) and math.isnan(second))


def _is_below(first: float, second: float) -> bool:
    if math.isinf(second):
        return first < second
    return first < second - _NEARLY * max(abs(first), abs(second))
