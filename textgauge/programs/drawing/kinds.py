"""The kinds of errors of a corpus, for error rates, and which of two right notations its systems write."""

import math
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from ..errors import is_input_error
from ..saying.texts import HANGUL, TEXTS, say
from ..saying.values import number_text

ERRORS = "errors"  # the key in results
Kind = Sequence[Any]  # kind, edits, share, rate without them
Choice = Sequence[Any]  # of a notation, how often the prediction has signs, and how often words
CHOICE_HEADS = ("system", "choices_one", "choices_n", "choices_prediction", "choices_reference")  # of `choice_cells`
_LEAST_SEGMENTS = 6  # of which one may be called the heaviest
_OF_SCORES = ("confidence", "clusters", "conventions", "alignments", "per_segment")


def has_kinds(metric: Any) -> bool:
    """Returns whether a metric tells the kinds of errors."""
    return {"detailed", "readings"} <= metric.OPTIONS.keys()


def errors_of(metric: Any, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Returns what is said of the errors of texts; nothing where there is none, or the metric tells no kinds.

    What Korean readings forgive is a kind of its own where there is Korean and the other options allow readings. Keys:
    `kinds`, a list of [kind, edits, share, rate without them], most edits first; `looping_segments` and
    `inserted_segments`, how many there are; `heaviest_segment`, the number of one that has more than half of all edits,
    and its share; `notations`, a list of [choice, how often the prediction has signs and the reference words, how often
    it is the other way round].
    """
    rows, detailed = _detailed(metric, columns, options)
    if rows is None:
        return {}
    result = metric.score(rows.sum(0), **detailed)
    kinds = _rows(metric.name, result, options.get("aggregate") == "mean")
    counts = {key: int(result[key]) for key in ("looping_segments", "inserted_segments")}
    heaviest = _heaviest(rows[:, 0])
    notations = _choices(result)
    return {"kinds": kinds, **counts, "heaviest_segment": heaviest, "notations": notations} if kinds else {}


def kinds_by_segment(metric: Any, columns: dict[str, Any], options: dict[str, Any]) -> list[list[str]]:
    """Returns which kinds of errors each segment has; [] where the metric tells none."""
    rows, detailed = _detailed(metric, columns, options)
    if rows is None:
        return []
    with np.errstate(divide="ignore", invalid="ignore"):  # rates of segments without a reference
        result = metric.score(rows, **detailed)
    counts = {kind: result[key] for kind in _names("kind_") if (key := f"{kind}_edits") in result}
    return [[kind for kind, of_rows in counts.items() if of_rows[row] > 0] for row in range(len(rows))]


def _detailed(
    metric: Any, columns: dict[str, Any], options: dict[str, Any]
) -> tuple[np.ndarray | None, dict[str, Any]]:
    """Returns rows that tell kinds of errors, read in Korean where that is possible, or None, and their options."""
    detailed = {name: value for name, value in options.items() if name not in _OF_SCORES} | {"detailed": True}
    given = options.get("readings")
    if not has_kinds(metric):
        return None, detailed
    for readings in (given or "ko", given) if _has_korean(columns) else (given,):
        detailed["readings"] = readings
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the score itself has said what may be misread
                return metric.statistics(**columns, **detailed), detailed
        except ValueError as error:  # joined words, or a tokenizer of its own, and readings
            if not is_input_error(error):
                raise
    return None, detailed


def _has_korean(columns: Mapping[str, Sequence[Any]]) -> bool:
    """Returns whether any prediction or reference, of whatever shape, has Hangul."""
    return any(HANGUL.search(str(text)) for name in ("predictions", "references") for text in columns[name])


def _heaviest(edits: np.ndarray) -> list[Any]:
    """Returns the number of a segment with more than half of all edits, and its share; [] without one."""
    row = int(edits.argmax())
    is_most = len(edits) >= _LEAST_SEGMENTS and edits[row] > edits.sum() / 2
    return [row + 1, float(edits[row] / edits.sum())] if is_most else []


def _rows(name: str, result: Mapping[str, Any], is_mean: bool) -> list[list[Any]]:
    """Returns the kinds that there are; notation also if none is forgiven, as its rate has a length of its own.

    Rates are those without weights of phrases.
    """
    counts = {kind: int(result[key]) for kind in _names("kind_") if (key := f"{kind}_edits") in result}
    whole = sum(counts.values())
    rate = next((result[key] for key in (f"literal_{name}", f"unweighted_{name}") if key in result), result[name])
    unweighted = f"unweighted_{name}"
    without_loops = math.nan if unweighted in result else result[f"{name}_without_loops"]
    own = {"notation": result.get(unweighted, result[name]), "loop": without_loops}

    def without(kind: str, count: int) -> float:
        if kind in own:
            return float(own[kind])
        return math.nan if is_mean or not math.isfinite(rate) else float(rate * (whole - count) / whole)

    kept = {kind: count for kind, count in counts.items() if count or kind == "notation"} if whole else {}
    rows = [[kind, count, count / whole, without(kind, count)] for kind, count in kept.items()]
    return sorted(rows, key=lambda row: -row[1])


def _choices(result: Mapping[str, Any]) -> list[Choice]:
    """Returns the choices of notations that there were."""
    counts = [
        [choice, *(int(result.get(f"{choice}_as_{form}", 0)) for form in ("signs", "words"))]
        for choice in _names("choice_")
    ]
    return [row for row in counts if any(row[1:])]


def _names(prefix: str) -> list[str]:
    """Returns all kinds or choices, as there are names for people."""
    return [key.removeprefix(prefix) for key in TEXTS if key.startswith(prefix)]


def kinds_of(result: Mapping[str, Any]) -> list[Kind]:
    """Returns the kinds of errors of a result; [] where it has none."""
    return result.get(ERRORS, {}).get("kinds", [])


def kind_title(kind: str) -> str:
    """Returns the name of a kind for people."""
    return say(f"kind_{kind}")


def kind_titles() -> dict[str, str]:
    """Returns the names of all kinds for people."""
    return {kind: kind_title(kind) for kind in _names("kind_")}


def kind_cells(row: Kind) -> list[str]:
    """Returns edits, share, and the rate without them."""
    _, edits, share, rate = row
    return [f"{edits:,}", f"{share:.0%}", number_text(rate)]


def choice_cells(results: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Returns which of two right notations systems write: system, choice, how often, and who has signs how often.

    Args:
        results: of the systems, by the labels of metrics; the first error rate is enough, as all count the same.
    """
    notations = {
        system: next((result[ERRORS]["notations"] for result in of_system.values() if ERRORS in result), [])
        for system, of_system in results.items()
    }
    choices = dict.fromkeys(choice for rows in notations.values() for choice, *_ in rows)
    counts = {(system, choice): of for system, rows in notations.items() for choice, *of in rows}
    return [
        [system, say(f"choice_{choice}"), *_choice_cells(*counts.get((system, choice), (0, 0)))]
        for choice in choices
        for system in notations
    ]


def _choice_cells(signs: int, words: int) -> list[str]:
    """Returns how often there was a choice, and the shares of signs in the prediction and in the reference."""
    count = signs + words
    return [f"{count:,}", *(f"{part / count:.0%}" if count else "–" for part in (signs, words))]


def choices_html(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Shows the same as HTML; nothing where there was no choice."""
    rows = choice_cells(results)
    first = int(len(results) < 2)  # without the only system
    heads = "".join(f'<th scope="col" class="{key}">{say(key)}</th>' for key in CHOICE_HEADS[first:])
    body = "".join(f"<tr>{_cells_html(row[first:2], row[2:])}</tr>" for row in rows)
    table = f'<table class="kinds"><caption>{say("choices")}</caption><tr>{heads}</tr>{body}</table>'
    note = f'<p class="quiet">{say("choices_note")}</p>'
    return f'<div class="drawing kinds wide" tabindex="0">{table}</div>{note}' if rows else ""


def kinds_html(of_systems: Mapping[str, Sequence[Kind]]) -> str:
    """Shows the kinds of errors of systems; nothing where there are none."""
    heads = "".join(
        f'<th scope="col">{say(key)}</th>' for key in ("kinds_one", "kinds_edits", "kinds_share", "kinds_without")
    )
    tables = []
    for system, rows in of_systems.items():
        caption = f'<caption lang="">{escape(system)}</caption>' if len(of_systems) > 1 else ""
        body = "".join(f"<tr>{_cells_html([kind_title(row[0])], kind_cells(row))}</tr>" for row in rows if row[1])
        tables += [f'<table class="kinds">{caption}<tr>{heads}</tr>{body}</table>'] if rows else []
    return f'<div class="drawing kinds">{"".join(tables)}</div>' if tables else ""


def _cells_html(heads: Sequence[str], cells: Sequence[str]) -> str:
    return "".join(f'<th scope="row">{escape(head)}</th>' for head in heads) + "".join(f"<td>{c}</td>" for c in cells)
