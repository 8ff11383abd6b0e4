"""Which phrases of a metric's table the rows of a cluster have, and which are missed: summed by Spark."""

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from textgauge.core.phrase_counts import PhraseCounts, join_phrase_counts, phrase_counts

from ..scoring.specs import Scorer
from . import worker
from .worker import GROUP


def phrases_by_group(
    good: DataFrame, index: int, scorer: Scorer, groups: Sequence[str]
) -> dict[str, PhraseCounts | None]:
    """Returns which phrases of a metric's table the rows of each GROUP have; None for a metric without a table."""
    nothing = worker.counted_nothing(scorer.metric, scorer.options).phrases
    if nothing is None:
        return dict.fromkeys(groups)
    phrase, wanted, missed = worker.phrase_columns(index)
    entries = good.select(GROUP, F.inline(F.arrays_zip(phrase, wanted, missed)))
    sums = [F.sum(wanted).alias(wanted), F.sum(missed).alias(missed)]
    found: dict[str, dict[int, tuple[int, int]]] = {group: {} for group in groups}
    for row in entries.groupBy(GROUP, phrase).agg(*sums).collect():
        found[row[GROUP]][row[phrase]] = row[wanted], row[missed]
    counts = {}
    for group, phrases in found.items():
        counts[group] = phrase_counts(nothing.table, {0: phrases}, n_segments=1)
    return counts


def joined_phrases(by_group: Sequence[Sequence[PhraseCounts | None]]) -> list[PhraseCounts | None]:
    """Returns the phrases of each metric in all groups together; None for one without a table."""
    joined = []
    for of_groups in zip(*by_group, strict=True):
        joined.append(None if of_groups[0] is None else join_phrase_counts(of_groups))
    return joined
