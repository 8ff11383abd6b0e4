"""The corpus to score, and what every metric asks of it."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import InputError
from .columns import FileColumn, check_column
from .data_digests import Data, digest_of
from .references import WORDS, is_gap, joined_references, without_gaps

BATCH = 2**13  # segments that are read at once, where not all are
HUMAN = "human"  # what the scores by people are called
CLUSTERS, IDS = "clusters", "ids"
REFERENCE_WEIGHTS = "reference_weights"
# file, column, and the key of what is said of it -> place of the first gap, and how many there are
Empty = dict[tuple[str, str, str], tuple[str, int]]


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
    left_out: Empty = {}  # gaps that are no references
    data: Data | None = None  # which data this is, where that was asked for

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

    def with_data(self) -> "Corpus":
        """Returns the corpus with the digests of its outputs, and of the columns that metrics take beside them."""
        inputs = {}
        for name in sorted(self.columns, key=lambda name: (name != "references", name)):
            if name not in (CLUSTERS, IDS, *self.groups):
                inputs[name] = digest_of(self.column(name))
        outputs = {}
        for system, column in self.systems.items():
            outputs[system] = digest_of(())
            for run in self.runs.get(system, [column]):
                outputs[system] = outputs[system].then(digest_of(run.values))
        return self._replace(data=Data(inputs, outputs))

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
            for column in corpus.outputs if name == "predictions" else _with_text(corpus.columns.get(name, [])):
                check_column(column, kind)


def _with_text(columns: Sequence[FileColumn]) -> list[FileColumn]:
    """Returns columns without the rows in which they have nothing, and another column has something."""
    if len(columns) < 2:
        return list(columns)
    is_given = [any(cell != [] for cell in row) for row in zip(*(column.values for column in columns), strict=True)]
    return [
        column.ordered([row for row, cell in enumerate(column.values) if cell != [] or not is_given[row]])
        if [] in column.values
        else column
        for column in columns
    ]


def without_reference_gaps(corpus: Corpus) -> Corpus:
    """Returns a corpus in which a gap is no reference where the segment has another one, nor has it a weight."""
    references = corpus.columns.get("references")
    if not references:
        return corpus
    weights = corpus.columns.get(REFERENCE_WEIGHTS, [])
    found = without_gaps([c.values for c in references], weights[0].values if weights else None)
    if not any(found.rows):
        return corpus
    columns = [c._replace(values=values) for c, values in zip(references, found.columns, strict=True)]
    columns_by_name = {**corpus.columns, "references": columns}
    if weights:
        columns_by_name[REFERENCE_WEIGHTS] = [weights[0]._replace(values=found.weights)]
    left_out = {
        (column.path, column.what, "gap_reference"): (column.place(rows[0]), len(rows))
        for column, rows in zip(references, found.rows, strict=True)
        if rows
    }
    return corpus._replace(columns=columns_by_name, left_out=left_out)


def count_empty(corpus: Corpus, before: Empty) -> Empty:
    """Returns the empty texts of each column, added to those of earlier batches: they may be gaps by mistake."""
    counts = dict(before)
    columns = {(c.path, c.what): c for c in [*corpus.outputs, *itertools.chain(*corpus.columns.values())]}
    found = [(*key, "gap", column, _is_written_gap) for key, column in columns.items()]
    references = corpus.columns.get("references", [])
    if len(references) > 1:
        found += [(c.path, c.what, "gap_word", c, _is_gap_word) for c in references]
    for path, what, key, column, is_found in found:
        rows = [row for row, value in enumerate(column.values) if is_found(value)]
        if rows:
            place, known = counts.get((path, what, key), (column.place(rows[0]), 0))
            counts[path, what, key] = (place, known + len(rows))
    for place_of, (place, n) in corpus.left_out.items():
        first, known = counts.get(place_of, (place, 0))
        counts[place_of] = (first, known + n)
    return counts


def _is_written_gap(value: Any) -> bool:
    """Returns whether a text is one that is written for an empty cell; what is no text, a metric refuses."""
    return isinstance(value, str) and is_gap(value)


def _is_gap_word(value: Any) -> bool:
    return value in WORDS


def check_rows(corpus: Corpus, numbers: Sequence[int]) -> None:
    """Raises InputError for the number of a segment that does not exist."""
    for number in numbers:
        if number > corpus.size:
            raise InputError(f"--explain {number}: the last segment is {corpus.size}")
