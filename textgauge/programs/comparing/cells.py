"""Scores and comparisons as cells of text, for every kind of table."""

import itertools
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
    """Returns a section for each score."""
    result, level = [], outcome.settings.level
    for scorer in outcome.columns:
        own = [comparison for comparison in outcome.comparisons if comparison.metric == scorer.label]
        title = label_text(scorer.label) + (say("verdict_lower") if scorer.metric.LOWER_IS_BETTER else "")
        of_groups = [
            (group.title, *_cells(comparison, level))
            for group in outcome.groups
            for comparison in group.comparisons
            if comparison.metric == scorer.label
        ]
        result.append(Section(title, own, [_cells(comparison, level) for comparison in own], of_groups))
    return result


class Table(NamedTuple):
    """A table that shows all scores together, below its own title."""

    title: str
    headings: list[str]
    rows: list[list[str]]  # cells; the first two are names


def runs_line(outcome: Outcome) -> str:
    """Says how many runs each system has, where there are several; nothing where each has one."""
    runs = outcome.corpus.runs
    return say("comma").join(say("runs_of", system=system, n=len(of_system)) for system, of_system in runs.items())


def further_tables(outcome: Outcome) -> list[Table]:
    """Returns the tables of runs and of ranks, where there are any."""
    return [*_runs_table(outcome), *_ranks_table(outcome)]


def _runs_table(outcome: Outcome) -> list[Table]:
    """Returns the table of how far the runs spread; from LEAST_RUNS runs on with the interval of their mean."""
    if not outcome.runs:
        return []
    is_enough = outcome.corpus.n_runs >= LEAST_RUNS
    names = ["score", "system", "lowest", "highest", *(["mean", "interval"] if is_enough else [])]
    rows = [
        [label_text(label), system, *_run_cells(scores[label], outcome.settings.confidence)[: len(names) - 2]]
        for label in [column.label for column in outcome.columns]
        for system, scores in outcome.runs.items()
    ]
    return [Table(say("runs"), [say(f"column_{name}") for name in names], rows)]


def _run_cells(scores: list[float], confidence: float) -> list[str]:
    ends = [in_unit_of(scores[0], end) for end in interval_of_runs(scores, confidence)]
    interval = "" if math.isnan(ends[0]) else interval_text({"confidence_interval": ends})
    lowest, highest, mean = (in_unit_of(scores[0], statistic(scores)) for statistic in (np.min, np.max, np.mean))
    return [number_text(lowest), number_text(highest), number_text(mean), interval]


def _ranks_table(outcome: Outcome) -> list[Table]:
    names = ["score", "system", "rank", "first", *(["tier"] if outcome.settings.baseline is None else [])]
    headings = [say(f"column_{name}") for name in names]
    rows = [_rank_cells(rank)[: len(names)] for rank in outcome.ranks]
    return [Table(say("ranks"), headings, rows)] if rows else []


def _rank_cells(rank: Rank) -> list[str]:
    label, is_undefined = label_text(rank.metric), math.isnan(rank.rank)
    if is_undefined or math.isnan(rank.probability_first):
        shown = "nan" if is_undefined else f"{rank.rank}"
        return [label, rank.system, shown, "", "" if is_undefined else f"{rank.tier}"]
    low, high = rank.confidence_interval
    return [label, rank.system, f"{rank.rank} [{low}, {high}]", f"{rank.probability_first:.2f}", f"{rank.tier}"]


def score_rows(outcome: Outcome) -> list[list[str]]:
    """Returns a row of cells for each system: its name, then each score with its interval."""
    labels = [scorer.label for scorer in outcome.columns]
    return [
        [system, *(f"{number_text(headline(results[label]))} {interval_text(results[label])}" for label in labels)]
        for system, results in outcome.results.items()
    ]


def group_score_rows(outcome: Outcome) -> list[list[str]]:
    """Returns a row of cells for each group and system: group, number of segments, system, scores."""
    return [
        [group.title, f"{group.segments:,}", *row]
        for group in outcome.groups
        for row in score_rows(outcome._replace(results=group.results))
    ]


def signatures(outcome: Outcome) -> list[str]:
    """Returns each signature once."""
    return list(dict.fromkeys(result["signature"] for result in next(iter(outcome.results.values())).values()))


def legend(outcome: Outcome) -> list[str]:
    """Returns what the columns mean, line by line."""
    units, settings, level = outcome.corpus.units, outcome.settings, f"{outcome.settings.level:g}"
    tests = len(tested(outcome.comparisons))
    ways = say("trials_all", n=2**units) if is_exact(units) else say("trials", n=outcome.trials)
    cells = len(tested_in_groups(outcome.groups))
    names = joined(outcome.corpus.groups) if cells else ""
    return [
        *percent_lines(outcome.columns),
        say("legend_segments", segments=_drawn(outcome.corpus), seed=settings.seed),
        _difference_legend(outcome),
        say("legend_randomization", trials=ways),
        say("legend_adjusted", tests=say("count_tests", n=tests), level=level),
        *([say("legend_groups", names=names, n=cells)] if cells else []),
        *_small_groups(outcome),
        *_bootstrap_legend(outcome),
        *([say("legend_detectable", level=level, power=POWER)] if _has_detectable(outcome) else []),
        say("legend_counts"),
        *([_ranks_legend(outcome)] if outcome.ranks else []),
        _runs_legend(outcome),
    ]


def _difference_legend(outcome: Outcome) -> str:
    """Says what a difference is, and how its interval is made, where one is shown."""
    if not any(interval_text(comparison._asdict()) for comparison in _all_comparisons(outcome)):
        return say("legend_difference_alone")
    settings = outcome.settings
    resamples = say("count_resamples", n=settings.resamples)
    return say("legend_difference", percent=f"{100 * settings.confidence:g}%", resamples=resamples)


def _bootstrap_legend(outcome: Outcome) -> list[str]:
    """Says what p BS is, where one is shown."""
    if not any(map(_bootstrap_cell, _all_comparisons(outcome))):
        return []
    return [say("legend_bootstrap", least=LEAST_UNITS, units=_unit_name(outcome))]


def _has_detectable(outcome: Outcome) -> bool:
    return any(not math.isnan(comparison.detectable) for comparison in _all_comparisons(outcome))


def _all_comparisons(outcome: Outcome) -> list[Comparison]:
    """Returns the comparisons over all segments, and those in groups."""
    of_groups = (group.comparisons for group in outcome.groups)
    return [*outcome.comparisons, *itertools.chain.from_iterable(of_groups)]


def _unit_name(outcome: Outcome) -> str:
    return say("unit_segments" if outcome.corpus.clusters is None else "unit_clusters")


def _small_groups(outcome: Outcome) -> list[str]:
    """Says that groups with too few segments, or clusters, have no intervals, where there are such groups."""
    cells = tested_in_groups(outcome.groups)
    if not any(cell.units < LEAST_UNITS for cell in cells):
        return []
    return [say("note_too_few_groups", least=LEAST_UNITS, units=_unit_name(outcome))]


def _runs_legend(outcome: Outcome) -> str:
    """Says what is known of runs with other seeds."""
    if not outcome.runs:
        return say("legend_one_run")
    percent = f"{100 * outcome.settings.confidence:g}%"
    is_enough = outcome.corpus.n_runs >= LEAST_RUNS
    seeds = say("legend_seeds", percent=percent) if is_enough else say("legend_few_runs", least=LEAST_RUNS)
    return f"{say('legend_runs')}; {seeds}"


def _ranks_legend(outcome: Outcome) -> str:
    """Says what ranks are, and tiers where all pairs are compared."""
    has_intervals = any(not math.isnan(rank.probability_first) for rank in outcome.ranks)
    percent = f"{100 * outcome.settings.confidence:g}%"
    ranks = say("legend_ranks", percent=percent) if has_intervals else say("legend_ranks_alone")
    tiers = say("legend_tiers", level=f"{outcome.settings.level:g}")
    return ranks if outcome.settings.baseline is not None else f"{ranks}; {tiers}"


def _drawn(corpus: Corpus) -> str:
    """Says how many segments there are, and in how many clusters."""
    segments = say("count_segments", n=corpus.size)
    return segments if corpus.clusters is None else say("in_clusters", segments=segments, n=corpus.units)


def _bootstrap_cell(comparison: Comparison) -> str:
    """Writes the p-value of the bootstrap; nothing for few units, which it resamples to differences of one sign."""
    return p_text(comparison.p_bootstrap) if comparison.units >= LEAST_UNITS else ""


def _cells(comparison: Comparison, level: float) -> tuple[str, ...]:
    counts = f"{comparison.wins}/{comparison.ties}/{comparison.losses}"
    return (
        comparison.system,
        comparison.against,
        "nan" if comparison.is_undefined else signed_text(comparison.difference),
        interval_text(comparison._asdict()),
        p_text(comparison.p_randomization),
        p_text(comparison.p_randomization_holm) + ("*" if comparison.is_sure(level) else ""),
        p_text(comparison.p_randomization_bh),
        _bootstrap_cell(comparison),
        "" if math.isnan(comparison.detectable) else number_text(comparison.detectable),
        counts + (f" + {comparison.undefined}" if comparison.undefined else ""),
    )
