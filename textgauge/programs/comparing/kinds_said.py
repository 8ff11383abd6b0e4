"""What the verdict says of the kinds of errors: where forgiving one changes the best system, and which systems loop."""

import math

from ..drawing.kinds import ERRORS, kind_title, kinds_of
from ..saying.texts import joined, say
from ..saying.values import number_text, p_text
from .records import Forgiven, Outcome


def once_forgiven(outcome: Outcome) -> list[str]:
    """Says where another system is best once a kind of error is forgiven."""
    alike: dict[tuple[str, ...], list[Forgiven]] = {}  # those that one sentence says
    for case in outcome.forgiven:
        end = "untested" if math.isnan(case.p_value) else "open"
        end = "sure" if case.p_value <= outcome.settings.level else end
        alike.setdefault((case.kind, case.better, case.best, end), []).append(case)
    return [
        say(
            f"verdict_forgiven_{end}",
            kind=kind_title(kind),
            better=better,
            best=best,
            rates=joined(f"{case.label} {number_text(case.rates[0])} < {number_text(case.rates[1])}" for case in cases),
            p=p_text(max(case.p_value for case in cases)),
            share=f"{min(case.share for case in cases):.0%}",
        )
        for (kind, better, best, end), cases in alike.items()
    ]


def loops(outcome: Outcome) -> list[str]:
    """Says which systems loop, by the first error rate that tells it."""
    said = {}
    for system, results in outcome.results.items():
        for label in [column.label for column in outcome.columns]:
            shares = [share for kind, _, share, _ in kinds_of(results[label]) if kind == "loop"]
            if shares and system not in said:
                n_segments = results[label][ERRORS]["looping_segments"]
                said[system] = say("verdict_loops", n=n_segments, system=system, label=label, share=f"{shares[0]:.0%}")
    return [*said.values()]
