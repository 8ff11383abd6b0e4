"""The HTML report: scores, distributions, and the worst and best segments with what they have in common."""

import math
from collections.abc import Sequence
from typing import Any

from drawing import legend
from drawing.plots import finite
from drawing.plots import histograms
from drawing.scatter import compares_scores
from drawing.scatter import scatter_html
from drawing.segments import draw_segment
from drawing.segments import explaining_options
from reading.corpus import Corpus
from scoring.outputs import Results
from scoring.outputs import human_means
from scoring.specs import Scorer
from scoring.specs import headline
from scoring.tables import notes

from .pages import page_html


def report_html(corpus: Corpus, scorers: Sequence[Scorer], results: Results, shown: int) -> str:
    """Returns the report, one page that needs nothing else; `shown` is the number of worst and of best segments."""
    first = next(iter(results.values()))
    shown_by = [scorer for scorer in scorers if shown and first[scorer.label].get("segments")]
    examples = [_examples(corpus, scorer, scorers, results, shown) for scorer in shown_by]
    groups = [group for example in examples for system in example["systems"] for _, group in system["groups"]]
    return page_html(
        "report.html",
        corpus=corpus,
        human=human_means(corpus),
        scorers=scorers,
        results=results,
        notes=notes(scorers, results),
        plots={scorer.label: _plots(scorer, results) for scorer in scorers},
        scatters={scorer.label: _scatters(corpus, scorer, results) for scorer in scorers},
        examples=examples,
        legend=legend(mark for group in groups for segment in group for mark in segment["marks"]),
    )


def _plots(scorer: Scorer, results: Results) -> list[dict[str, Any]]:
    """Returns for each system its histogram and what to say about it; nothing for a metric without segment scores."""
    of_systems = {system: of_system[scorer.label] for system, of_system in results.items()}
    if not all(result.get("segments") for result in of_systems.values()):
        return []
    values = [finite(result["segments"]) for result in of_systems.values()]
    scores = [headline(result) for result in of_systems.values()]
    intervals = [result.get("confidence_interval") or [] for result in of_systems.values()]
    return [
        {
            "system": system,
            "svg": svg,
            "mean": float(numbers.mean()) if len(numbers) else math.nan,
            "left_out": len(result["segments"]) - len(numbers),
        }
        for (system, result), numbers, svg in zip(
            of_systems.items(), values, histograms(values, scores, intervals), strict=True
        )
    ]


def _scatters(corpus: Corpus, scorer: Scorer, results: Results) -> list[tuple[str, str]]:
    """Returns each system with its scores drawn against those of people, for a metric that compares the two."""
    if not compares_scores(scorer.metric):
        return []
    return [
        (system, scatter_html(corpus.columns_of(scorer.metric, system), scorer.options, of_system[scorer.label]))
        for system, of_system in results.items()
    ]


def _examples(
    corpus: Corpus, scorer: Scorer, scorers: Sequence[Scorer], results: Results, shown: int
) -> dict[str, Any]:
    """Returns the worst and the best segments of each system by one metric; ties go by the other metrics."""
    systems, reason = [], ""
    options = explaining_options(scorer.metric, scorer.options, corpus.columns_of(scorer.metric, next(iter(results))))
    for system, of_system in results.items():
        columns = corpus.columns_of(scorer.metric, system)
        order = [
            scorer,
            *(other for other in scorers if other is not scorer and of_system[other.label].get("segments")),
        ]
        ranked = _ranked(order, of_system)
        worst = ranked[: min(shown, (len(ranked) + 1) // 2)]
        best = ranked[::-1][: min(shown, len(ranked) // 2)]
        groups = []
        for title, rows in (("Worst", worst), ("Best", best)):
            segments = [_segment(scorer.metric, options, columns, row) for row in rows]
            reason = next((segment["reason"] for segment in segments if segment["reason"]), reason)
            groups.append((title, segments))
        systems.append({"system": system, "groups": groups})
    return {"label": scorer.label, "order": [other.label for other in order], "systems": systems, "reason": reason}


def _ranked(order: Sequence[Scorer], of_system: dict[str, dict[str, Any]]) -> list[int]:
    """Returns the segments from worst to best by the first metric; those without a score are left out."""
    keys = []
    for scorer in order:
        values = of_system[scorer.label].get("segments") or []
        sign = -1 if scorer.metric.LOWER_IS_BETTER else 1
        keys.append([-math.inf if math.isnan(value) else sign * value for value in values])
    first = of_system[order[0].label].get("segments") or []
    rows = [row for row, value in enumerate(first) if not math.isnan(value)]
    return sorted(rows, key=lambda row: [key[row] for key in keys])


def _segment(metric: Any, options: dict[str, Any], columns: dict[str, list[Any]], row: int) -> dict[str, Any]:
    """Returns one segment drawn, or its plain texts and the reason why they are plain."""
    drawing, reason = draw_segment(metric, options, columns, row)
    return {"row": row, "html": drawing.html, "marks": drawing.marks, "reason": reason}
