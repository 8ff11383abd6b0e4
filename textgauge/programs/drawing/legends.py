"""What marks mean, by their names: pieces of HTML."""

from collections.abc import Callable

from ..saying.texts import say
from .links import STAGES

_PLUS, _MINUS = "+1.8", "−1.2"


def _levels(title: str, kind: str) -> str:
    marks = ((1, say("legend_tokens_1")), (2, "2"), (3, "3"), (4, say("legend_tokens_4")))
    shown = "".join(f'<mark class="{kind}n{level}">{text}</mark>' for level, text in marks)
    return f"<span{' class=copied' if kind else ''}>{say(title)}</span>{shown}"


def _edit(kind: str) -> str:
    return f'<span><mark class="{kind}">{say(f"legend_example_{kind}")}</mark> {say(f"legend_{kind}")}</span>'


def _weight(kind: str, weight: str, meaning: str) -> str:
    return f'<span><mark class="{kind}">{say("legend_phrase")}</mark><sup>{weight}</sup> {say(meaning)}</span>'


def _links() -> str:
    lines = (
        f'<span><svg class="key" width="34" height="10" aria-hidden="true"><line class="{stage}" x1="1" y1="5" x2="33" '
        f'y2="5"/></svg> {say(f"legend_{stage}")}</span>'
        for stage in STAGES
    )
    return f"{''.join(lines)}<span>{say('legend_chunk')}</span>"


def _heat() -> str:
    tokens = ((0, say("legend_likely")), (45, ""), (90, say("legend_unlikely")))
    shown = "".join(f'<span class="token" style="--heat: {heat}%">{text}</span>' for heat, text in tokens)
    return f"<span>{say('legend_heat')}</span>{shown}"


LEGENDS: dict[str, Callable[[], str]] = {
    "matches": lambda: _levels("legend_matches", ""),
    "edits": lambda: "".join(map(_edit, ("substitute", "insert", "delete"))),
    "shifts": lambda: _edit("shift"),
    "removed": lambda: _edit("removed"),
    "read": lambda: f"<span><ruby>3<rt>{say('legend_example_read')}</rt></ruby> {say('legend_read')}</span>",
    "blanks": lambda: f"<span>{say('legend_blank')}</span>",
    "copies": lambda: _levels("legend_copies", "copied "),
    "weights": lambda: _weight("plus", _PLUS, "legend_plus") + _weight("minus", _MINUS, "legend_minus"),
    "missed": lambda: _weight("missed plus", say("missed", weight=_PLUS), "legend_missed"),
    "surplus": lambda: _weight("missed plus", say("surplus", weight=_PLUS), "legend_surplus"),
    "links": _links,
    "heat": _heat,
}
