"""The corpus to score, from the options of the command line."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import textgauge

from ..drawing.texts import say
from .columns import FileColumn, check_column, numbers_of, read_column_batches, read_line_batches
from .compressed import STDIN, UTF8, count_rows, is_pipe, shown_path
from .references import joined_references
from .transcripts import is_transcript, read_transcripts

SAMPLE = textgauge.SAMPLES / "es_ko_sample.jsonl"
HUMAN = "human"  # what the scores by people are called
SAMPLE_TITLE = say("sample_title")
_SAMPLE_SYSTEMS = ["GoogleTranslate", "KakaoI"]

_ALIKE = "all tables must have the same segments in one order"
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

    @property
    def size(self) -> int:
        """Number of segments."""
        return len(next(iter(self.systems.values())).values)

    @property
    def clusters(self) -> list[str] | None:
        """Returns what each segment belongs to (`--column clusters=NAME`), if that is known."""
        return list(map(str, self.column("clusters"))) if "clusters" in self.columns else None

    @property
    def units(self) -> int:
        """Number of what the bootstrap draws: clusters if they are known, else segments."""
        return self.size if self.clusters is None else len(set(self.clusters))

    def column(self, name: str) -> list[Any]:
        """Returns the values of a column, the sets of references together: one value per segment."""
        return joined_references([column.values for column in self.columns[name]])

    def columns_of(self, metric: Any, system: str) -> dict[str, list[Any]]:
        """Returns those columns that a metric takes and that are there, with the predictions of a system."""
        given = {name: self.column(name) for name in metric.COLUMNS if name in self.columns}
        if HUMAN in metric.COLUMNS:
            given[HUMAN] = self.human[system]
        return {"predictions": self.systems[system].values, **given}


def read_sample() -> Corpus:
    """Returns the bundled sample."""
    human = [f"{system}=rank_{system}" for system in _SAMPLE_SYSTEMS]
    corpus = next(table_corpora(str(SAMPLE), None, _SAMPLE_SYSTEMS, ["reference"], human, ["ids=segment"], None))
    return corpus._replace(title=SAMPLE_TITLE, note=say("sample_note"), is_human_lower_better=True)


def line_corpora(
    predictions: Sequence[str],
    references: Sequence[str],
    others: Sequence[str],
    size: int | None,
    encoding: str = UTF8,
    groups: Sequence[str] = (),
) -> Iterator[Corpus]:
    """Yields a corpus of text files with one segment per line, so many segments at once; all of them for None.

    Args:
        predictions: one "FILE" or "NAME=FILE" per system.
        references: one file per set of references.
        others: "COLUMN=FILE" for what else a metric takes.
        size: segments of a batch.
        encoding: of the files; "-" is standard input.
        groups: names among the others, whose values are scored apart.
    """
    systems = _systems(predictions)
    paths = {"references": list(references)} if references else {}
    paths.update((name, [path]) for name, path in map(_named, others))
    missing = [name for name in groups if name not in paths]
    if missing:
        raise ValueError(f"--group-by {missing[0]} needs the group of each line; add --column {missing[0]}=FILE")
    sources = [*systems.values(), *itertools.chain(*paths.values())]
    pipes = [path for path in sources if is_pipe(path)]
    if pipes and size is not None:
        raise ValueError(f"{shown_path(pipes[0])} is a pipe, and batches are read more than once; pass a file")
    if sources.count(STDIN) > 1:
        raise ValueError("- is standard input, which can be read only once; pass the name of a file")
    for batches in _batches(sources, size, encoding):
        if len({len(batch.values) if batch else 0 for batch in batches}) > 1:
            whole = [len(batch.values) for batch in batches if batch]
            raise _different_lengths(sources, [count_rows(p, encoding) for p in sources] if size else whole)
        left = iter(batches)
        read = {name: next(left) for name in systems}
        columns = {name: [next(left) for _ in of] for name, of in paths.items()}
        yield Corpus(", ".join(systems), read, columns, {}, "", {name: columns[name][0].values for name in groups})


def _systems(predictions: Sequence[str]) -> dict[str, str]:
    """Returns the file of each system, from "FILE" or "NAME=FILE"."""
    systems: dict[str, str] = {}
    for given in predictions:
        name, path = _named(given) if "=" in given and not Path(given).exists() else (_stem(given), given)
        if name in systems:
            raise ValueError(f"--predictions {given}: there are two systems {name!r}; write NAME={path}")
        systems[name] = path
    return systems


def _batches(sources: Sequence[str], size: int | None, encoding: str) -> Iterator[Sequence[FileColumn | None]]:
    """Returns an iterator over the same segments of all files: line by line, so many at once, or by their ids."""
    if not any(map(is_transcript, sources)):
        return itertools.zip_longest(*(read_line_batches(path, size, encoding) for path in sources))
    if size is not None:
        raise ValueError("utterances are matched by their ids, which needs whole files; leave out --stream")
    return iter([read_transcripts(sources, encoding)])


def table_corpora(
    source: str,
    split: str | None,
    predictions: Sequence[str],
    references: Sequence[str],
    human: Sequence[str],
    others: Sequence[str],
    size: int | None,
    encoding: str = UTF8,
    groups: Sequence[str] = (),
) -> Iterator[Corpus]:
    """Yields a corpus of one file or dataset with columns, so many segments at once; all of them for None.

    Args:
        source, split, encoding: as `read_column_batches` takes them.
        predictions: the column of each system.
        references: columns with references.
        human: "SYSTEM=NAME", or "NAME" for an only system.
        others: "COLUMN=NAME" for what else a metric takes.
        size: segments of a batch.
        groups: columns whose values are scored apart.
    """
    human_names = dict(_named(given, predictions[0] if len(predictions) == 1 else None) for given in human)
    other_names = dict(map(_named, others))
    unknown = [system for system in human_names if system not in predictions]
    if unknown:
        raise ValueError(f"--human-column {unknown[0]}=...: the systems are {', '.join(predictions)}")
    names = list(dict.fromkeys([*predictions, *references, *human_names.values(), *other_names.values(), *groups]))
    for table in read_column_batches(source, names, split, size, encoding):
        columns = {"references": [table[name] for name in references]} if references else {}
        columns.update((kind, [table[name]]) for kind, name in other_names.items())
        yield Corpus(
            title=Path(source).name,
            systems={name: table[name] for name in predictions},
            columns=columns,
            human={system: numbers_of(table[name]) for system, name in human_names.items()},
            note="",
            groups={name: list(map(str, table[name].values)) for name in groups},
        )


def output_corpora(
    predictions: Sequence[str],
    column: str,
    references: Sequence[str],
    others: Sequence[str],
    size: int | None,
    encoding: str = UTF8,
    groups: Sequence[str] = (),
) -> Iterator[Corpus]:
    """Yields a corpus of one table per system, such as the samples that an evaluation harness writes of each model.

    Args:
        predictions: one "FILE" or "NAME=FILE" per system.
        column: the column with the predictions.
        references: columns with references, the same in each table.
        others: "COLUMN=NAME" for what else a metric takes, the same in each table.
        size: segments of a batch.
        encoding: of the files.
        groups: columns whose values are scored apart.

    Raises:
        ValueError: tables that differ in what they should have in common; names the row.
    """
    systems = _systems(predictions)
    parts = [
        table_corpora(path, None, [column], references, [], others, size, encoding, groups) for path in systems.values()
    ]
    for corpora in itertools.zip_longest(*parts):
        sizes = {path: corpus.size if corpus else 0 for path, corpus in zip(systems.values(), corpora, strict=True)}
        shortest, longest = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        if sizes[shortest] < sizes[longest]:
            raise ValueError(f"{shortest} has fewer rows than {longest}; {_ALIKE}")
        first = corpora[0]
        for other in corpora[1:]:
            _check_common(first, other)
        read = {name: corpus.systems[column] for name, corpus in zip(systems, corpora, strict=True)}
        yield first._replace(title=", ".join(systems), systems=read)


def _check_common(first: Corpus, other: Corpus) -> None:
    """Raises ValueError where two tables do not have the same references and other columns, row by row."""
    for name, columns in first.columns.items():
        for one, two in zip(columns, other.columns[name], strict=True):
            for row, (a, b) in enumerate(zip(one.values, two.values, strict=True)):
                if a != b:
                    raise ValueError(
                        f"{two.place(row)}: {two.what} is {b!r:.40}, and in {one.place(row)} {a!r:.40}; {_ALIKE}"
                    )


def check_corpus(corpus: Corpus, scorers: Sequence[Any]) -> None:
    """Raises ValueError, with file and line where it can, unless the corpus is one that every metric takes."""
    checked = set()  # each metric has loaded its own copy of the kinds, which are the same by their names
    for scorer in scorers:
        for name, kind in scorer.metric.COLUMNS.items():
            is_given = name == "predictions" or name in corpus.columns
            if not is_given and not kind.is_optional:
                flag = "-r FILE or --reference-column NAME" if name == "references" else f"--column {name}=NAME"
                raise ValueError(f"{scorer.label} needs {name}; add {flag}")
            if (name, kind.check.__name__) in checked:
                continue
            checked.add((name, kind.check.__name__))
            for column in corpus.systems.values() if name == "predictions" else corpus.columns.get(name, []):
                check_column(column, kind)


def count_empty(corpus: Corpus, before: Empty) -> Empty:
    """Returns the empty texts of each column, added to those of earlier batches: they may be gaps by mistake."""
    found = dict(before)
    columns = {(c.path, c.what): c for c in [*corpus.systems.values(), *itertools.chain(*corpus.columns.values())]}
    for key, column in columns.items():
        gaps = [gap for gap in _GAPS if gap in column.values]
        if gaps:
            place, known = found.get(key, (column.place(min(map(column.values.index, gaps))), 0))
            found[key] = (place, known + sum(map(column.values.count, gaps)))
    return found


def check_rows(corpus: Corpus, numbers: Sequence[int]) -> None:
    """Raises ValueError for the number of a segment that does not exist."""
    for number in numbers:
        if number > corpus.size:
            raise ValueError(f"--explain {number}: the last segment is {corpus.size}")


def _different_lengths(paths: Sequence[str], counts: Sequence[int | None]) -> ValueError:
    first, *others = zip(map(shown_path, paths), counts, strict=True)
    other, count = next((path, count) for path, count in others if count != first[1])
    return ValueError(
        f"{first[0]} has {first[1]} lines and {other} {count}; line 1 of each belongs to segment 1, and so on"
    )


def _stem(path: str) -> str:
    return "stdin" if path == STDIN else Path(path).stem


def _named(given: str, default: str | None = None) -> tuple[str, str]:
    """Splits "NAME=VALUE"; `default` is the name where there is none."""
    name, equals, value = given.partition("=")
    if equals and name and value:
        return name, value
    if equals or default is None:
        raise ValueError(f"{given!r}: write it as NAME=VALUE")
    return default, given
