"""Scores and comparisons as cells of text, for every kind of table."""

import math
from typing import NamedTuple

from scoring.specs import headline
from scoring.tables import interval_text
from scoring.tables import number_text

from .draws import is_exact
from .engine import Comparison
from .engine import Outcome
from .significance import POWER

HEADINGS = (
    "system",
    "against",
    "difference",
    "interval",
    "p AR",
    "Holm",
    "BH",
    "p BS",
    "detectable",
    "better/equal/worse",
)


GROUP_HEADINGS = ("group", *HEADINGS)


class Section(NamedTuple):
    """All comparisons by one score."""

    title: str
    comparisons: list[Comparison]
    rows: list[tuple[str, ...]]  # cells below HEADINGS
    group_rows: list[tuple[str, ...]]  # cells below GROUP_HEADINGS


def sections(outcome: Outcome) -> list[Section]:
    """Returns a section for each score."""
    found, level = [], outcome.settings.level
    for scorer in outcome.columns:
        own = [comparison for comparison in outcome.comparisons if comparison.metric == scorer.label]
        title = scorer.label + (" (lower is better)" if scorer.metric.LOWER_IS_BETTER else "")
        of_groups = [
            (group.title, *_cells(comparison, level))
            for group in outcome.groups
            for comparison in group.comparisons
            if comparison.metric == scorer.label
        ]
        found.append(Section(title, own, [_cells(comparison, level) for comparison in own], of_groups))
    return found


def score_rows(outcome: Outcome) -> list[list[str]]:
    """Returns a row of cells for each system: its name, then each score with its interval."""
    labels = [scorer.label for scorer in outcome.columns]
    return [
        [system, *(f"{number_text(headline(of[label]))} {interval_text(of[label])}" for label in labels)]
        for system, of in outcome.results.items()
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
    segments, settings = outcome.corpus.size, outcome.settings
    pairs = len(outcome.comparisons) // len(outcome.columns)
    percent = f"{100 * settings.confidence:g} %"
    trials = f"all {2**segments:,} ways" if is_exact(segments) else f"{settings.trials:,} trials"
    level = f"{settings.level:g}"
    return [
        f"{segments:,} segment{'' if segments == 1 else 's'}; seed {settings.seed}; the same draws for all scores",
        f"difference: system minus against, with its {percent} interval (bootstrap, {settings.resamples:,} resamples)",
        f"p AR: approximate randomisation, two-sided, {trials}",
        f"Holm, BH: p AR adjusted for {pairs} pair{'' if pairs == 1 else 's'}, by Holm and by Benjamini and Hochberg; "
        f"*: significant after Holm, at most {level}",
        *_group_legend(outcome),
        "p BS: paired bootstrap test as in sacreBLEU, in effect one-sided: about half of p AR",
        f"detectable: minimum detectable effect, which a test at {level} finds with probability {POWER}",
        "better/equal/worse: segments where the system is that; + n where a score is undefined",
    ]


def _group_legend(outcome: Outcome) -> list[str]:
    cells = sum(len(group.comparisons) for group in outcome.groups)
    names = ", ".join(outcome.corpus.groups)
    said = f"groups by {names}: there Holm and BH are adjusted for all {cells} cells (groups, pairs and scores)"
    return [said] if cells else []


def p_text(value: float) -> str:
    """Writes a p-value with four decimals."""
    return "<0.0001" if value < 0.00005 else number_text(value)


def _cells(comparison: Comparison, level: float) -> tuple[str, ...]:
    counts = f"{comparison.wins}/{comparison.ties}/{comparison.losses}"
    is_undefined = math.isnan(comparison.difference)
    return (
        comparison.system,
        comparison.against,
        "nan" if is_undefined else f"{comparison.difference:+.4f}",
        interval_text({"confidence_interval": comparison.confidence_interval}),
        p_text(comparison.p_randomization),
        p_text(comparison.p_randomization_holm) + ("*" if comparison.p_randomization_holm <= level else ""),
        p_text(comparison.p_randomization_bh),
        p_text(comparison.p_bootstrap),
        number_text(comparison.detectable),
        counts + (f" + {comparison.undefined}" if comparison.undefined else ""),
    )
