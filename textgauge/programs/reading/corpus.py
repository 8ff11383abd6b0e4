"""The corpus to score, and what every metric asks of it."""

import itertools
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ..errors import InputError
from .columns import FileColumn, check_column, texts_as_numbers
from .data_digests import Data, digest_of
from .references import WORDS, is_gap, joined_references, without_gaps

BATCH = 2**13  # segments that are read at once, where not all are
HUMAN = "human"  # what the scores by people are called
CLUSTERS, IDS = "clusters", "ids"
REFERENCE_WEIGHTS = "reference_weights"
# file, column, and the key of the note on it -> place of the first gap, and the number of gaps
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
    left_out: Empty = {}  # gaps that do not count as references
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
        of_runs = list(itertools.chain(*self.runs.values()))
        return of_runs or list(self.systems.values())

    @property
    def clusters(self) -> list[str] | None:
        """Returns the cluster of each segment (`--column clusters=NAME`), if it is known."""
        return self.columns[CLUSTERS][0].texts() if CLUSTERS in self.columns else None

    @property
    def units(self) -> int:
        """Number of what the bootstrap draws: clusters if they are known, else segments."""
        return self.size if self.clusters is None else len(set(self.clusters))

    def with_data(self) -> "Corpus":
        """Returns the corpus with the digests of its outputs, and of the columns that metrics take beside them."""
        inputs = {}
        references_first = sorted(self.columns, key=lambda name: (name != "references", name))
        for name in references_first:
            if name not in (CLUSTERS, IDS, *self.groups):
                inputs[name] = digest_of(self.column(name))
        outputs = {}
        for system, column in self.systems.items():
            outputs[system] = digest_of(())
            for run in self.runs.get(system, [column]):
                outputs[system] = outputs[system].then(digest_of(run.values))
        return self._replace(data=Data(inputs, outputs))

    def with_numbers(self, names: Collection[str]) -> "Corpus":
        """Returns the corpus with numbers for texts in these columns; InputError as `texts_as_numbers` raises it."""
        columns = dict(self.columns)
        for name in columns.keys() & names:
            columns[name] = [texts_as_numbers(column) for column in columns[name]]
        if "predictions" not in names:
            return self._replace(columns=columns)
        systems = {system: texts_as_numbers(column) for system, column in self.systems.items()}
        runs = {}
        for system, of_runs in self.runs.items():
            runs[system] = [texts_as_numbers(column) for column in of_runs]
        return self._replace(columns=columns, systems=systems, runs=runs)

    def column(self, name: str) -> list[Any]:
        """Returns the values of a column, the sets of references together: one value per segment."""
        return joined_references([column.values for column in self.columns[name]])

    def columns_of(self, metric: Any, system: str, run: int = 0) -> dict[str, list[Any]]:
        """Returns those columns that a metric takes and that are there, with the predictions of a run of a system."""
        runs = self.runs.get(system, [self.systems[system]])
        columns = {"predictions": runs[run].values}
        for name in metric.COLUMNS:
            if name in self.columns:
                columns[name] = self.column(name)
        if HUMAN in metric.COLUMNS:
            columns[HUMAN] = self.human[system]
        return columns


def check_corpus(corpus: Corpus, scorers: Sequence[Any]) -> None:
    """Raises InputError, with file and line where it can, unless the corpus is one that every metric takes."""
    checked = set()  # each metric has loaded its own copy of the kinds, which are the same by their names
    for scorer in scorers:
        for name, kind in scorer.metric.COLUMNS.items():
            is_given = name == "predictions" or name in corpus.columns
            if not is_given and not kind.is_optional:
                flag = "-r FILE or --reference-column NAME" if name == "references" else f"--column {name}=NAME"
                raise InputError(f"{scorer.label} needs {name}; add {flag}")
            check = (name, kind.check.__name__)
            if check in checked:
                continue
            checked.add(check)
            columns = corpus.outputs if name == "predictions" else _with_text(corpus.columns.get(name, []))
            for column in columns:
                check_column(column, kind)


def _with_text(columns: Sequence[FileColumn]) -> list[FileColumn]:
    """Returns columns without the rows in which they have nothing, and another column has something."""
    if len(columns) < 2:
        return list(columns)
    has_text = [False] * len(columns[0].values)
    for column in columns:
        for row, cell in enumerate(column.values):
            has_text[row] |= cell != []
    with_text = []
    for column in columns:
        if [] in column.values:
            rows = [row for row, cell in enumerate(column.values) if cell != [] or not has_text[row]]
            column = column.ordered(rows)
        with_text.append(column)
    return with_text


def without_reference_gaps(corpus: Corpus) -> Corpus:
    """Returns a corpus without the gaps, and their weights, of segments that have a reference."""
    references = corpus.columns.get("references")
    if not references:
        return corpus
    weights = corpus.columns.get(REFERENCE_WEIGHTS, [])
    found = without_gaps([column.values for column in references], weights[0].values if weights else None)
    if not any(found.rows):
        return corpus
    kept = []
    left_out = {}
    for column, values, rows in zip(references, found.columns, found.rows, strict=True):
        kept.append(column._replace(values=values))
        if rows:
            left_out[column.path, column.what, "gap_reference"] = (column.said_place(rows[0]), len(rows))
    columns = {**corpus.columns, "references": kept}
    if weights:
        columns[REFERENCE_WEIGHTS] = [weights[0]._replace(values=found.weights)]
    return corpus._replace(columns=columns, left_out=left_out)


def count_empty(corpus: Corpus, before: Empty) -> Empty:
    """Returns the empty texts of each column, added to those of earlier batches: they may be gaps by mistake."""
    counts = dict(before)
    columns = {}
    for column in [*corpus.outputs, *itertools.chain(*corpus.columns.values())]:
        columns[column.path, column.what] = column  # a file may be several systems
    for column in columns.values():
        rows = [row for row, value in enumerate(column.values) if _is_written_gap(value)]
        _count_rows(counts, column, "gap", rows)
    references = corpus.columns.get("references", [])
    if len(references) > 1:
        for column in references:
            rows = [row for row, value in enumerate(column.values) if value in WORDS]
            _count_rows(counts, column, "gap_word", rows)
    for key, (place, count) in corpus.left_out.items():
        first_place, earlier = counts.get(key, (place, 0))
        counts[key] = (first_place, earlier + count)
    return counts


def _count_rows(counts: Empty, column: FileColumn, kind: str, rows: Sequence[int]) -> None:
    """Adds the rows of a column with a kind of gap to the counts."""
    if rows:
        key = (column.path, column.what, kind)
        first_place, earlier = counts.get(key, (column.said_place(rows[0]), 0))
        counts[key] = (first_place, earlier + len(rows))


def _is_written_gap(value: Any) -> bool:
    """Returns whether a text is one that programs write for an empty cell; a metric refuses other values."""
    return isinstance(value, str) and is_gap(value)


def check_rows(corpus: Corpus, numbers: Sequence[int]) -> None:
    """Raises InputError for the number of a segment that does not exist."""
    for number in numbers:
        if number > corpus.size:
            raise InputError(f"--explain {number}: the last segment is {corpus.size}")
