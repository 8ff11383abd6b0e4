"""Tries a peer on inputs of each kind, and shrinks an input on which both sides part."""

import contextlib
import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import hypothesis

from lab.peers.peer import Case, Compared, Peer, Unavailable, compare
from textgauge.programs.scoring.specs import load_metric

_CALLS = 200  # while an input is shrunk, after which the smallest so far is taken
UNKNOWN = "not known"  # in place of a reason
_SETTINGS = {
    "database": None,
    "deadline": None,
    "suppress_health_check": list(hypothesis.HealthCheck),
    "verbosity": hypothesis.Verbosity.quiet,
}
_SHRINKING = hypothesis.settings(
    max_examples=_CALLS, phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink], **_SETTINGS
)


class _Enough(BaseException):
    """Ends a search: hypothesis lets through what is no Exception."""


class Tried(NamedTuple):
    """One call of both sides."""

    case: Case
    reasons: list[str]
    compared: Compared


def try_peer(peer: Peer, inputs: int, seed: int) -> dict[str, Any]:
    """Returns what came of one peer, as plain data: its cells by kind of input, or why it was not run."""
    try:
        theirs = peer.theirs()
    except (ImportError, Unavailable) as error:
        return {**peer.facts(), "not_run": str(error), "cells": {}}
    metric = load_metric(peer.metric)

    def call(case: Case) -> Tried:
        return Tried(case, peer.reasons(case), compare(metric, theirs, case))

    cells = {kind: _cell(peer, call, kind, inputs, seed) for kind in peer.kinds()}
    return {**peer.facts(), "not_run": None, "cells": cells}


def _cell(peer: Peer, call: Callable[[Case], Tried], kind: str, inputs: int, seed: int) -> dict[str, Any]:
    """Returns how many inputs of a kind were tried, the largest difference, and for each reason where they part.

    An input that several reasons concern shows none of them: it counts as tried, and maybe as parted, and that is all.
    """
    cases = peer.cases(kind)
    tried: list[Tried] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(max_examples=peer.share(inputs, kind), phases=[hypothesis.Phase.generate], **_SETTINGS)
    @hypothesis.given(cases)
    def look(case: Case) -> None:
        tried.append(call(case))

    look()
    tolerance = peer.tolerance
    alike = [one for one in tried if not one.reasons]
    by_reason = defaultdict(list)
    for one in tried:
        if len(one.reasons) == 1:
            by_reason[one.reasons[0]].append(one)
    by_reason[UNKNOWN] = [one for one in alike if one.compared.gap > tolerance]
    parts = [_part(peer, call, cases, reason, of_reason, seed) for reason, of_reason in by_reason.items()]
    n_parted = sum(one.compared.gap > tolerance for one in tried)
    largest = max([one.compared.gap for one in alike if one.compared.gap <= tolerance], default=0.0)
    return {
        "tried": len(tried),
        "alike": len(alike),
        "parted": n_parted,
        "largest_difference": float(f"{largest:.2g}"),
        "parts": [part for part in parts if part["parted"]],
    }


def _part(
    peer: Peer, call: Callable[[Case], Tried], cases: Any, reason: str, tried: list[Tried], seed: int
) -> dict[str, Any]:
    """Returns on how many inputs with a reason both sides part, and the smallest such input."""
    parted = [one for one in tried if one.compared.gap > peer.tolerance]
    if not parted:
        return {"reason": reason, "tried": len(tried), "parted": 0}
    smallest = min(parted, key=_size)
    calls = itertools.count()

    def parts(case: Case) -> bool:
        nonlocal smallest
        if peer.reasons(case) != ([] if reason == UNKNOWN else [reason]):
            return False
        if next(calls) == _CALLS:
            raise _Enough
        one = call(case)
        found = one.compared.gap > peer.tolerance
        if found:
            smallest = min(smallest, one, key=_size)
        return found

    # among so many inputs there may be none that parts again
    with contextlib.suppress(hypothesis.errors.NoSuchExample, _Enough):
        hypothesis.find(cases, parts, settings=_SHRINKING, random=random.Random(seed))
    return {"reason": reason, "tried": len(tried), "parted": len(parted), "smallest": as_data(smallest)}


def _size(tried: Tried) -> int:
    return len(str(tried.case.columns)) + len(str(tried.case.options))


def as_data(tried: Tried) -> dict[str, Any]:
    """Returns one call as plain data that JSON can hold."""
    columns, options = tried.case
    return {
        "columns": columns,
        "options": options,
        "ours": plain(tried.compared.ours),
        "theirs": plain(tried.compared.theirs),
    }


def plain(value: Any) -> Any:
    """Returns values with twelve digits; nan and inf as text, which JSON lacks."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else str(value)
    return value
