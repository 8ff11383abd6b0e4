"""The HTML report of score.py: verdict, scores, groups, where systems differ, all segments, and how it was made."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from textgauge.core.rounding import difference, merged

from ..comparing.cases import leader_of
from ..comparing.paper import column_title
from ..comparing.records import Outcome
from ..drawing.confusions import aligns, confusions, confusions_html
from ..drawing.draw import legend
from ..drawing.kinds import RowsOfKinds
from ..drawing.plots import finite, histogram_legend, histograms
from ..drawing.scatter import compares_scores, scatter_html, systems_scatter
from ..reading.corpus import Corpus
from ..saying.texts import say
from ..saying.values import direction_text, in_unit_of
from ..scoring.outputs import Results, data_lines, human_means, signatures
from ..scoring.specs import Scorer, headline
from ..scoring.tables import notes
from .choice import agreement, human_scores
from .clusters import cluster_notes
from .compared import compared_parts, how_made
from .pages import page_html
from .scores import difference_row, kind_tables, score_table
from .segments import segment_list, zero_notes

_FEWEST = 3  # different scores of segments that a histogram is drawn of


def report_html(
    corpus: Corpus,
    scorers: Sequence[Scorer],
    results: Results,
    rows_of_kinds: RowsOfKinds,
    shown: int,
    outcome: Outcome | None = None,
    origin: dict[str, Any] | None = None,
    app: str | None = None,
    failures: Sequence[str] = (),
) -> str:
    """Returns the report, one page that needs nothing else.

    Args:
        corpus: what was scored.
        scorers: one per score.
        results: of each system, with the scores of the segments.
        rows_of_kinds: of the error rates.
        shown: the largest number of segments.
        outcome: the comparison of the systems, and what is found in groups.
        origin: command and versions.
        app: address of the published pages of the metrics, for links to them.
        failures: messages of gates.
    """
    segments = segment_list(corpus, scorers, results, rows_of_kinds, shown, app)
    parts = compared_parts(outcome, app, with_pairs=len(results) != 2)
    parts |= _parts(corpus, scorers, results, segments)
    table = score_table(scorers, results, human_means(corpus), corpus.is_human_lower_better, app, outcome)
    labels = [head["label"] for head in table["heads"]]
    human_note = say("sample_note" if corpus.note else "human_mean") if corpus.human else ""
    made = how_made(origin, signatures(results), data_lines(corpus))
    return page_html(
        "report.html",
        corpus=corpus,
        results=results,
        baseline=None,
        runs="",
        failures=failures,
        is_open=False,
        contents=_contents(corpus, parts),
        table=table,
        differences=difference_row(outcome, labels),
        human_note=human_note,
        fails=_fails(segments),
        notes=_notes(corpus, scorers, results),
        legend=legend(segments["marks"]) if segments else "",
        made=made,
        **parts,
    )


def _parts(
    corpus: Corpus, scorers: Sequence[Scorer], results: Results, segments: dict[str, Any] | None
) -> dict[str, Any]:
    """Returns a section below the scores, if there is anything to show."""
    distributions = []
    pictures: list[str] = []
    scatters = []
    for scorer in scorers:
        plots = _plots(scorer, results)
        if plots:
            distributions.append((column_title(scorer, results), direction_text(scorer.metric), plots))
            pictures += [plot["svg"] for plot in plots]
        if compares_scores(scorer.metric):
            scatters.append((scorer.label, _scatters(corpus, scorer, results)))
    return {
        "kinds": kind_tables(scorers, results),
        "two": _two_systems(corpus, scorers, results, segments),
        "confusions": _confusions(corpus, scorers, results),
        "segments": segments,
        "distributions": distributions,
        "histogram_note": histogram_legend(pictures),
        "scatters": scatters,
    }


def _notes(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> list[str]:
    """Returns notes on the scores for readers."""
    of_scores = notes(scorers, results, corpus.clusters is not None, with_direction=False)
    return [*of_scores, *zero_notes(corpus, scorers, results), *cluster_notes(corpus, scorers, results)]


def _contents(corpus: Corpus, parts: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns the anchors and titles of the sections that there are."""
    # the scores against those of people take the place of missing distributions
    has_distributions = bool(parts["distributions"])
    shown = parts if has_distributions else {**parts, "distributions": parts["scatters"]}
    titles = {
        "groups": say("groups", names=", ".join(corpus.groups)),
        "kinds": say("kinds"),
        "two": say("two_systems"),
        "confusions": say("confusions"),
        "distributions": say("distributions" if has_distributions else "against_people"),
        "segments": say("segment_title"),
    }
    contents = [(name, title) for name, title in titles.items() if shown[name]]
    return [*contents, ("made", say("made"))]


def _fails(segments: dict[str, Any] | None) -> list[tuple[str, list[int]]]:
    """Returns the segments where most is to be seen: where systems, or people, differ most, or the worst ones."""
    if segments is None:
        return []
    fails = []
    for name, rows in segments["fails"]:
        on_page = [row for row in rows if row + 1 in segments["numbers"]]
        if on_page:
            fails.append((name, on_page))
    return fails


def _plots(scorer: Scorer, results: Results) -> list[dict[str, Any]]:
    """Returns for each system its histogram and what to say about it; nothing where segments hardly differ."""
    by_system = {system: of_system[scorer.label] for system, of_system in results.items()}
    if not all(result.get("segments") for result in by_system.values()):
        return []
    values = [finite(result["segments"]) for result in by_system.values()]
    if len(np.unique(merged(np.concatenate(values)))) < _FEWEST:
        return []
    scores = [headline(result) for result in by_system.values()]
    intervals = [result.get("confidence_interval") or [] for result in by_system.values()]
    pictures = histograms(values, scores, intervals)
    plots = []
    for (system, result), numbers, svg in zip(by_system.items(), values, pictures, strict=True):
        mean = in_unit_of(headline(result), numbers.mean()) if len(numbers) else math.nan
        n_left_out = len(result["segments"]) - len(numbers)
        plots.append({"system": system, "svg": svg, "mean": mean, "left_out": n_left_out})
    return plots


def _scatters(corpus: Corpus, scorer: Scorer, results: Results) -> list[tuple[str, str]]:
    """Returns each system with its scores drawn against those of people, for a metric that compares the two."""
    scatters = []
    for system, of_system in results.items():
        columns = corpus.columns_of(scorer.metric, system)
        html = scatter_html(scorer.metric, columns, scorer.options, of_system[scorer.label])
        scatters.append((system, html))
    return scatters


def _confusions(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the most frequent edits of each system by each metric that aligns texts."""
    by_score = []
    for scorer in scorers:
        if not aligns(scorer.metric):
            continue
        by_system = []
        for system in corpus.systems:
            columns = corpus.columns_of(scorer.metric, system)
            html = confusions_html(confusions(scorer.metric, columns, scorer.options))
            if html:
                by_system.append((system, html))
        if by_system:
            by_score.append((column_title(scorer, results), by_system))
    return by_score


def _two_systems(
    corpus: Corpus, scorers: Sequence[Scorer], results: Results, segments: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Returns the picture of two systems, the best one and the one after it, by the metric that tells most apart."""
    if segments is None or len(results) < 2 or corpus.size < 2:
        return None
    main_label = segments["labels"][0]
    [scorer] = [scorer for scorer in scorers if scorer.label == main_label]
    best = leader_of(scorer, results) or next(iter(results))
    rest = {system: of_system for system, of_system in results.items() if system != best}
    second = leader_of(scorer, rest) or next(iter(rest))
    values = [results[system][scorer.label]["segments"] for system in (second, best)]
    on_page = segments["numbers"]
    links = [f"#segment-{number}" if number in on_page else None for number in range(1, corpus.size + 1)]
    names = {"one": second, "other": best, "label": scorer.label}
    notes_below = [say("two_systems_note", **names)]
    if scorer.metric.LOWER_IS_BETTER:
        notes_below.append(say("two_systems_lower", **names))
    n_same, n_preferred = agreement(corpus, scorer, results, (second, best)) or (0, 0)
    if n_preferred:
        notes_below.append(say("agreement", label=scorer.label, same=n_same, n=n_preferred))
    points = merged(np.array(values, dtype=np.float64)).tolist()  # an axis would spread rounding
    html = systems_scatter(points, links, _preferences(corpus, [second, best]))
    return {"html": html, "notes": notes_below}


def _preferences(corpus: Corpus, names: Sequence[str]) -> dict[str, list[int]]:
    """Returns the rows in which people prefer each of two systems, or neither; all rows without a name otherwise."""
    human = human_scores(corpus)
    if not set(names) <= set(human):
        return {"": list(range(corpus.size))}
    lead = difference(human[names[0]], human[names[1]])
    is_preferred = {
        say("people_prefer", system=names[0]): lead > 0,
        say("people_prefer", system=names[1]): lead < 0,
        say("people_neither"): lead == 0,
    }
    return {title: rows.nonzero()[0].tolist() for title, rows in is_preferred.items()}
