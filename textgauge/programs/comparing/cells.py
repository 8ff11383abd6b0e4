"""Scores and comparisons as cells of text, for every kind of table."""

import math
from typing import NamedTuple

import numpy as np

from textgauge.core.bootstrap import LEAST_UNITS

from ..reading.corpus import Corpus
from ..saying.texts import joined, say
from ..saying.values import in_unit_of, interval_text, number_text, p_text, signed_text
from ..scoring.percent import percent_lines
from ..scoring.specs import headline
from .draws import is_exact
from .people import label_text
from .records import Comparison, Outcome, Rank, tested, tested_in_groups
from .runs import LEAST_RUNS, interval_of_runs
from .significance import POWER

_COLUMNS = ("system", "against", "difference", "interval", "p_ar", "holm", "bh", "p_bs", "detectable", "counts")


def headings() -> tuple[str, ...]:
    """Returns the headings of comparisons."""
    return tuple(say(f"column_{name}") for name in _COLUMNS)


def group_headings() -> tuple[str, ...]:
    """Returns the headings of comparisons in groups."""
    return (say("group"), *headings())


class Section(NamedTuple):
    """All comparisons by one score."""

    title: str
    comparisons: list[Comparison]
    rows: list[tuple[str, ...]]  # cells below `headings`
    group_rows: list[tuple[str, ...]]  # cells below `group_headings`


def sections(outcome: Outcome) -> list[Section]:
    """Returns a section for each score; none of one segment, of which no test says anything."""
    if outcome.corpus.size == 1:
        return []
    level = outcome.settings.level
    found = []
    for scorer in outcome.columns:
        title = label_text(scorer.label)
        if scorer.metric.LOWER_IS_BETTER:
            title += say("verdict_lower")
        comparisons = [comparison for comparison in outcome.comparisons if comparison.metric == scorer.label]
        rows = [_cells(comparison, level) for comparison in comparisons]
        group_rows = [
            (group.title, *_cells(comparison, level))
            for group in outcome.groups
            for comparison in group.comparisons
            if comparison.metric == scorer.label
        ]
        found.append(Section(title, comparisons, rows, group_rows))
    return found


class Table(NamedTuple):
    """A table that shows all scores together, below its own title."""

    title: str
    headings: list[str]
    rows: list[list[str]]  # cells; the first two are names


def runs_line(outcome: Outcome) -> str:
    """Says how many runs each system has, where there are several; nothing where each has one."""
    counts = [say("runs_of", system=system, n=len(runs)) for system, runs in outcome.corpus.runs.items()]
    return say("comma").join(counts)


def further_tables(outcome: Outcome) -> list[Table]:
    """Returns the tables of runs and of ranks, where there are any."""
    return [*_runs_table(outcome), *_ranks_table(outcome)]


def _runs_table(outcome: Outcome) -> list[Table]:
    """Returns the table of how far the runs spread; from LEAST_RUNS runs on with the interval of their mean."""
    if not outcome.runs:
        return []
    names = ["score", "system", "lowest", "highest"]
    if outcome.corpus.n_runs >= LEAST_RUNS:
        names += ["mean", "interval"]
    rows = []
    for column in outcome.columns:
        for system, scores in outcome.runs.items():
            cells = _run_cells(scores[column.label], outcome.settings.confidence)
            row = [label_text(column.label), system, *cells]
            rows.append(row[: len(names)])
    headings = [say(f"column_{name}") for name in names]
    return [Table(say("runs"), headings, rows)]


def _run_cells(scores: list[float], confidence: float) -> list[str]:
    """Writes the lowest, the highest and the mean of the scores of runs, and the interval of the mean."""
    ends = [in_unit_of(scores[0], end) for end in interval_of_runs(scores, confidence)]
    interval = "" if math.isnan(ends[0]) else interval_text({"confidence_interval": ends})
    cells = []
    for statistic in (np.min, np.max, np.mean):
        score = in_unit_of(scores[0], statistic(scores))
        cells.append(number_text(score))
    return [*cells, interval]


def _ranks_table(outcome: Outcome) -> list[Table]:
    """Returns the table of ranks; with tiers where all pairs are compared."""
    if not outcome.ranks:
        return []
    names = ["score", "system", "rank", "first"]
    if outcome.settings.baseline is None:
        names.append("tier")
    headings = [say(f"column_{name}") for name in names]
    rows = [_rank_cells(rank)[: len(names)] for rank in outcome.ranks]
    return [Table(say("ranks"), headings, rows)]


def _rank_cells(rank: Rank) -> list[str]:
    """Writes score, system, rank with its interval, the probability to be first, and tier."""
    label = label_text(rank.metric)
    if math.isnan(rank.rank):
        return [label, rank.system, "nan", "", ""]
    if math.isnan(rank.probability_first):
        return [label, rank.system, f"{rank.rank}", "", f"{rank.tier}"]
    low, high = rank.confidence_interval
    return [label, rank.system, f"{rank.rank} [{low}, {high}]", f"{rank.probability_first:.2f}", f"{rank.tier}"]


def score_rows(outcome: Outcome) -> list[list[str]]:
    """Returns a row of cells for each system: its name, then each score with its interval."""
    rows = []
    for system, results in outcome.results.items():
        row = [system]
        for scorer in outcome.columns:
            result = results[scorer.label]
            row.append(f"{number_text(headline(result))} {interval_text(result)}")
        rows.append(row)
    return rows


def group_score_rows(outcome: Outcome) -> list[list[str]]:
    """Returns a row of cells for each group and system: group, number of segments, system, scores."""
    return [
        [group.title, f"{group.segments:,}", *row]
        for group in outcome.groups
        for row in score_rows(outcome._replace(results=group.results))
    ]


def legend(outcome: Outcome) -> list[str]:
    """Returns the meaning of the columns, line by line."""
    units = outcome.corpus.units
    level = f"{outcome.settings.level:g}"
    trials = say("trials_all", n=2**units) if is_exact(units) else say("trials", n=outcome.trials)
    tests = say("count_tests", n=len(tested(outcome.comparisons)))
    tests_in_groups = len(tested_in_groups(outcome.groups))

    lines = percent_lines(outcome.columns)
    if outcome.corpus.size == 1:
        return lines
    lines.append(say("legend_segments", segments=_drawn(outcome.corpus), seed=outcome.settings.seed))
    lines.append(_difference_legend(outcome))
    lines.append(say("legend_randomization", trials=trials))
    lines.append(say("legend_adjusted", tests=tests, level=level))
    if tests_in_groups:
        lines.append(say("legend_groups", names=joined(outcome.corpus.groups), n=tests_in_groups))
    lines += _small_groups(outcome)
    lines += _bootstrap_legend(outcome)
    if _has_detectable(outcome):
        lines.append(say("legend_detectable", level=level, power=POWER))
    lines.append(say("legend_counts"))
    if outcome.ranks:
        lines.append(_ranks_legend(outcome))
    lines.append(_runs_legend(outcome))
    return lines


def _difference_legend(outcome: Outcome) -> str:
    """Explains a difference, and its interval where one is shown."""
    if not any(interval_text(comparison._asdict()) for comparison in _all_comparisons(outcome)):
        return say("legend_difference_alone")
    settings = outcome.settings
    resamples = say("count_resamples", n=settings.resamples)
    return say("legend_difference", percent=f"{100 * settings.confidence:g}%", resamples=resamples)


def _bootstrap_legend(outcome: Outcome) -> list[str]:
    """Explains p BS, where one is shown."""
    if not any(map(_bootstrap_cell, _all_comparisons(outcome))):
        return []
    return [say("legend_bootstrap", least=LEAST_UNITS, units=_unit_name(outcome))]


def _has_detectable(outcome: Outcome) -> bool:
    return any(not math.isnan(comparison.detectable) for comparison in _all_comparisons(outcome))


def _all_comparisons(outcome: Outcome) -> list[Comparison]:
    """Returns the comparisons over all segments, and those in groups."""
    comparisons = list(outcome.comparisons)
    for group in outcome.groups:
        comparisons += group.comparisons
    return comparisons


def _unit_name(outcome: Outcome) -> str:
    return say("unit_segments" if outcome.corpus.clusters is None else "unit_clusters")


def _small_groups(outcome: Outcome) -> list[str]:
    """Says that groups with too few segments, or clusters, have no intervals, where there are such groups."""
    cells = tested_in_groups(outcome.groups)
    if not any(cell.units < LEAST_UNITS for cell in cells):
        return []
    return [say("note_too_few_groups", least=LEAST_UNITS, units=_unit_name(outcome))]


def _runs_legend(outcome: Outcome) -> str:
    """Explains how runs with other seeds are counted."""
    if not outcome.runs:
        return say("legend_one_run")
    if outcome.corpus.n_runs >= LEAST_RUNS:
        seeds = say("legend_seeds", percent=f"{100 * outcome.settings.confidence:g}%")
    else:
        seeds = say("legend_few_runs", least=LEAST_RUNS)
    return f"{say('legend_runs')}; {seeds}"


def _ranks_legend(outcome: Outcome) -> str:
    """Explains ranks, and tiers where all pairs are compared."""
    has_intervals = any(not math.isnan(rank.probability_first) for rank in outcome.ranks)
    percent = f"{100 * outcome.settings.confidence:g}%"
    ranks = say("legend_ranks", percent=percent) if has_intervals else say("legend_ranks_alone")
    if outcome.settings.baseline is not None:
        return ranks
    tiers = say("legend_tiers", level=f"{outcome.settings.level:g}")
    return f"{ranks}; {tiers}"


def _drawn(corpus: Corpus) -> str:
    """Says how many segments there are, and in how many clusters."""
    segments = say("count_segments", n=corpus.size)
    if corpus.clusters is None:
        return segments
    return say("in_clusters", segments=segments, n=corpus.units)


def _bootstrap_cell(comparison: Comparison) -> str:
    """Writes the p-value of the bootstrap; nothing for few units, which it resamples to differences of one sign."""
    return p_text(comparison.p_bootstrap) if comparison.units >= LEAST_UNITS else ""


def _cells(comparison: Comparison, level: float) -> tuple[str, ...]:
    """Returns a cell for each of `headings`."""
    difference = "nan" if comparison.is_undefined else signed_text(comparison.difference)
    interval = interval_text(comparison._asdict())
    p_randomization = p_text(comparison.p_randomization)
    p_holm = p_text(comparison.p_randomization_holm)
    if comparison.is_sure(level):
        p_holm += "*"
    p_bh = p_text(comparison.p_randomization_bh)
    p_bootstrap = _bootstrap_cell(comparison)
    detectable = "" if math.isnan(comparison.detectable) else number_text(comparison.detectable)
    counts = f"{comparison.wins}/{comparison.ties}/{comparison.losses}"
    if comparison.undefined:
        counts += f" + {comparison.undefined}"
    names = (comparison.system, comparison.against)
    return (*names, difference, interval, p_randomization, p_holm, p_bh, p_bootstrap, detectable, counts)
