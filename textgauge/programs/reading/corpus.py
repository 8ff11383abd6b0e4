"""The corpus to score, and what every metric asks of it."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import InputError
from .columns import FileColumn, check_column
from .references import joined_references

BATCH = 2**13  # segments that are read at once, where not all are
HUMAN = "human"  # what the scores by people are called
CLUSTERS, IDS = "clusters", "ids"
_GAPS = ("", "NaN", "nan")  # what spreadsheets and pandas write for a missing value
Empty = dict[tuple[str, str], tuple[str, int]]  # file and column -> place of the first empty text, and how many


class Corpus(NamedTuple):
    """What is scored."""

    title: str
    systems: dict[str, FileColumn]
    columns: dict[str, list[FileColumn]]  # "references" (one per set of references), and what else a metric takes
    human: dict[str, list[float]]  # system -> a person's score of each segment
    note: str  # what the human scores mean
    groups: dict[str, list[str]] = {}  # column to group by -> the group of each segment
    is_human_lower_better: bool = False  # as in ranks
    notes: Sequence[str] = ()  # what reading decided without being asked
    runs: dict[str, list[FileColumn]] = {}  # system -> predictions of its runs, where there are several

    @property
    def size(self) -> int:
        """Number of segments."""
        return len(next(iter(self.systems.values())).values)

    @property
    def n_runs(self) -> int:
        """Number of runs of each system."""
        return len(next(iter(self.runs.values()), [None]))

    @property
    def outputs(self) -> list[FileColumn]:
        """The predictions of all runs of all systems."""
        return [*itertools.chain(*self.runs.values())] or [*self.systems.values()]

    @property
    def clusters(self) -> list[str] | None:
        """Returns what each segment belongs to (`--column clusters=NAME`), if that is known."""
        return self.columns[CLUSTERS][0].texts() if CLUSTERS in self.columns else None

    @property
    def units(self) -> int:
        """Number of what the bootstrap draws: clusters if they are known, else segments."""
        return self.size if self.clusters is None else len(set(self.clusters))

    def column(self, name: str) -> list[Any]:
        """Returns the values of a column, the sets of references together: one value per segment."""
        return joined_references([column.values for column in self.columns[name]])

    def columns_of(self, metric: Any, system: str, run: int = 0) -> dict[str, list[Any]]:
        """Returns those columns that a metric takes and that are there, with the predictions of a run of a system."""
        given = {name: self.column(name) for name in metric.COLUMNS if name in self.columns}
        if HUMAN in metric.COLUMNS:
            given[HUMAN] = self.human[system]
        return {"predictions": self.runs.get(system, [self.systems[system]])[run].values, **given}


def check_corpus(corpus: Corpus, scorers: Sequence[Any]) -> None:
    """Raises InputError, with file and line where it can, unless the corpus is one that every metric takes."""
    checked = set()  # each metric has loaded its own copy of the kinds, which are the same by their names
    for scorer in scorers:
        for name, kind in scorer.metric.COLUMNS.items():
            is_given = name == "predictions" or name in corpus.columns
            if not is_given and not kind.is_optional:
                flag = "-r FILE or --reference-column NAME" if name == "references" else f"--column {name}=NAME"
                raise InputError(f"{scorer.label} needs {name}; add {flag}")
            if (name, kind.check.__name__) in checked:
                continue
            checked.add((name, kind.check.__name__))
            for column in corpus.outputs if name == "predictions" else corpus.columns.get(name, []):
                check_column(column, kind)


def count_empty(corpus: Corpus, before: Empty) -> Empty:
    """Returns the empty texts of each column, added to those of earlier batches: they may be gaps by mistake."""
    counts = dict(before)
    columns = {(c.path, c.what): c for c in [*corpus.outputs, *itertools.chain(*corpus.columns.values())]}
    for key, column in columns.items():
        gaps = [gap for gap in _GAPS if gap in column.values]
        if gaps:
            place, known = counts.get(key, (column.place(min(map(column.values.index, gaps))), 0))
            counts[key] = (place, known + sum(map(column.values.count, gaps)))
    return counts


def check_rows(corpus: Corpus, numbers: Sequence[int]) -> None:
    """Raises InputError for the number of a segment that does not exist."""
    for number in numbers:
        if number > corpus.size:
            raise InputError(f"--explain {number}: the last segment is {corpus.size}")
