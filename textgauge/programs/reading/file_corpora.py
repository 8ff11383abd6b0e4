"""Text files, transcripts and tables in any mix to corpora, a file or more for each system."""

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from .columns import FileColumn, first_records, is_table
from .compressed import STDIN, UTF8, is_pipe, shown_path
from .corpora import are_manifests
from .corpus import CLUSTERS, IDS, Corpus, without_reference_gaps
from .file_parts import Source, check_kaldi, read_side_by_side, reading_notes, source_of
from .matching import FilePart
from .meetings import check_sessions
from .named_columns import NamedColumns, others_of, pair_of
from .recognisers import SAID
from .records import value_at
from .segments import check_whole, cut_at_references, cut_note
from .transcripts import is_transcript

_PREDICTIONS, _REFERENCES = "predictions", "references"


class _Use(NamedTuple):
    """What a file is read for: a run of a system, a set of references, or another column of the corpus."""

    column: str  # _PREDICTIONS, _REFERENCES, or the kind of another column
    system: str = ""
    index: int = 0  # of the run, or of the set


class _Files(NamedTuple):
    """What is read from where, for a corpus of several files."""

    systems: dict[str, list[str]]  # system -> the files of its runs
    references: Sequence[str]  # files
    reference_columns: Sequence[str]  # of the tables, if they are named
    others: dict[str, str]  # kind -> column of the first table with references, or file
    inside: Sequence[str]  # the columns among them, and those of groups
    groups: Sequence[str]

    def uses(self) -> dict[_Use, str]:
        """Returns the file of each use: systems, references, then others."""
        paths = {}
        for system, of_runs in self.systems.items():
            for run, path in enumerate(of_runs):
                paths[_Use(_PREDICTIONS, system, run)] = path
        for index, path in enumerate(self.references):
            paths[_Use(_REFERENCES, index=index)] = path
        for kind, name in self.others.items():
            if name not in self.inside:
                paths[_Use(kind)] = name
        return paths

    def sources(self, named: NamedColumns, encoding: str) -> dict[_Use, Source]:
        """Returns the source for the file of each use."""
        sources = {}
        for use, path in self.uses().items():
            if named.has_sessions:
                sources[use] = Source(path, [], has_sessions=True)
                continue
            source = self._source_for(use, path, named, encoding)
            if named.cut_by:
                source = source.cut_anew(use.column == _PREDICTIONS, bool(named.ids))
            sources[use] = source
        return sources

    def _source_for(self, use: _Use, path: str, named: NamedColumns, encoding: str) -> Source:
        if use.column == _PREDICTIONS:
            further = [] if self.references else [*named.references, *self.inside]
            return source_of(path, named.predictions, further, named.ids, "--prediction-column", encoding)
        if use.column == _REFERENCES:
            further = self.inside if path == self.references[0] else []
            return source_of(path, named.references, further, named.ids, "--reference-column", encoding)
        return source_of(path, [], [], named.ids, "a file of one column", encoding)

    def cut(self, parts: Sequence[FilePart], unit: str) -> list[FilePart]:
        """Returns the files that were read with predictions that have the segments of the references."""
        column = None if self.references else next(iter(self.reference_columns), None)
        n_systems = sum(map(len, self.systems.values()))
        return cut_at_references(parts, n_systems, column, unit)

    def corpus(self, parts: Mapping[_Use, FilePart]) -> Corpus:
        """Returns the corpus of the files, each of which was read for its use."""
        runs: dict[str, list[FileColumn]] = {system: [] for system in self.systems}
        for use, part in parts.items():
            if use.column == _PREDICTIONS:
                runs[use.system].append(part.scored)
        columns = {}
        references = self._sets_of_references(parts)
        if references:
            columns[_REFERENCES] = references
        base = parts[self._base()]
        for kind, name in self.others.items():
            columns[kind] = [base.columns[name] if name in self.inside else parts[_Use(kind)].scored]
        groups = {}
        for name in self.groups:
            column = columns[name][0] if name in self.others else base.columns[name]
            groups[name] = column.texts()
        title = ", ".join(self.systems)
        systems = {system: of_runs[0] for system, of_runs in runs.items()}
        several_runs = {system: of_runs for system, of_runs in runs.items() if len(of_runs) > 1}
        return Corpus(title, systems, columns, human={}, note="", groups=groups, runs=several_runs)

    def _base(self) -> _Use:
        """Returns the file in which the columns are that have none of their own."""
        if self.references:
            return _Use(_REFERENCES)
        return _Use(_PREDICTIONS, next(iter(self.systems)))

    def _sets_of_references(self, parts: Mapping[_Use, FilePart]) -> list[FileColumn]:
        """Returns the sets of references: of their files, or else of the tables of systems, which have the same."""
        sets = []
        for use, part in parts.items():
            if use.column == _REFERENCES:
                named = [part.columns[name] for name in self.reference_columns if name in part.columns]
                sets += named or [part.scored]
        if self.references:
            return sets
        base = parts[self._base()]
        for use, part in parts.items():
            if use.column == _PREDICTIONS and part is not base:
                _check_common(base, part, [*self.reference_columns, *self.inside])
        return [base.columns[name] for name in self.reference_columns]


def file_corpora(
    predictions: Sequence[str], references: Sequence[str], named: NamedColumns, size: int | None, encoding: str = UTF8
) -> Iterator[Corpus]:
    """Yields a corpus of text files, transcripts and tables in any mix, `size` segments at once; all for None.

    Args:
        predictions: one "FILE" or "NAME=FILE" per system; the same NAME again for another run of it.
        references: one file per set of references; without any, they are columns of each system's table.
        named: columns of these tables.
        size: segments of a batch.
        encoding: of the files; "-" is standard input.

    Raises:
        InputError: files that differ where they should agree; names the row.
    """
    systems = _systems(predictions)
    predictions = [*itertools.chain(*systems.values())]
    _check_pipes([*predictions, *references], size)
    if named.has_sessions:
        check_sessions(references, named)
    elif not references and not named.references and are_manifests(predictions, encoding):
        named = named._replace(references=[SAID])
    files = _files(systems, references, named, encoding)
    _check_pipes(list(files.uses().values()), size)
    source_of_use = files.sources(named, encoding)
    sources = list(source_of_use.values())
    if named.cut_by:
        check_whole(size)
        notes = reading_notes(sources, "")
        whole = [next(source.parts("", None, encoding)) for source in sources]
        batches = iter([files.cut(whole, named.cut_by)])
    else:
        check_kaldi(sources)
        notes = reading_notes(sources, named.ids)
        batches = read_side_by_side(sources, next(iter(references), ""), size, encoding)
    for parts in batches:
        corpus = files.corpus(dict(zip(source_of_use, parts, strict=True))).with_numbers(named.numbers)
        if named.cut_by:
            notes.append(cut_note(corpus.systems, corpus.columns[_REFERENCES][0], named.cut_by))
        if not named.has_sessions and not named.has_ratings:
            corpus = without_reference_gaps(corpus)
        of_parts = [note for part in parts for note in part.notes]
        yield corpus._replace(
            notes=list(dict.fromkeys([*notes, *of_parts])),  # a file may be several systems
            columns={**_found_columns(parts, named.has_sessions), **corpus.columns},
        )


def _found_columns(parts: Sequence[FilePart], has_sessions: bool) -> dict[str, list[FileColumn]]:
    """Returns columns that nobody named: the samples of a log with several answers to each, the names of sessions."""
    columns = {}
    if has_sessions:
        columns[IDS] = [parts[0].scored._replace(values=parts[0].ids)]
    if of_log := next((part for part in parts if part.clusters), None):
        columns[CLUSTERS] = [of_log.scored._replace(what="the id", values=of_log.clusters)]
    return columns


def _files(systems: dict[str, list[str]], references: Sequence[str], named: NamedColumns, encoding: str) -> _Files:
    """Returns which columns to read from which files; InputError for a column of files without columns."""
    predictions = [*itertools.chain(*systems.values())]
    bases = list(references) or predictions
    for flag, names, paths in (
        ("--prediction-column", named.predictions, predictions),
        ("--reference-column", named.references, bases),
    ):
        if names and not any(map(is_table, paths)):
            first = shown_path(next(iter(paths)))
            raise InputError(f"{flag} {names[0]}: {first} is not a table; pass one, or use --data FILE")
    further = others_of(named)
    has_columns = is_table(bases[0])
    inside = [name for name in further.values() if has_columns and _is_column(bases[0], name, encoding)]
    lines = [shown_path(path) for path in predictions if not is_table(path)]
    columns = [*named.references, *inside, *(named.groups if has_columns else ())]
    if not references and lines and columns:
        raise InputError(f"{lines[0]} is not a table, so it has no column {columns[0]}")
    groups = [name for name in named.groups if name not in further]
    if groups and not has_columns:
        raise InputError(f"--group-by {groups[0]} needs the group of each line; add --column {groups[0]}=FILE")
    return _Files(systems, references, named.references, further, [*inside, *groups], named.groups)


def _systems(predictions: Sequence[str]) -> dict[str, list[str]]:
    """Returns the files of each system, from "FILE" or "NAME=FILE"; of several runs where a NAME is there again.

    Tests swap the outputs of two systems, which is fair only where both have as many; so all have the same number.
    """
    systems: dict[str, list[str]] = {}
    unnamed = set()
    for named_file in predictions:
        if "=" in named_file and not Path(named_file).exists():
            name, path = _named(named_file)
        else:
            name, path = _stem(named_file), named_file
            unnamed.add(name)
        if name in systems and name in unnamed:
            raise InputError(f"--predictions {named_file}: two systems are called {name!r}; name this one: NAME={path}")
        if path in systems.setdefault(name, []):
            raise InputError(f"--predictions {named_file} is given twice; pass a different file for each run")
        systems[name].append(path)
    if len(set(map(len, systems.values()))) > 1:
        counts = ", ".join(f"{name} has {len(paths)}" for name, paths in systems.items())
        raise InputError(f"--predictions: all systems need the same number of runs; {counts}")
    return systems


def _named(named_file: str) -> tuple[str, str]:
    """Splits "NAME=FILE", or "NAME = FILE" where no file's name begins with a blank."""
    name, path = pair_of(named_file)
    return (name, path) if Path(path).exists() else (name.strip(), path.strip())


def _check_pipes(paths: Sequence[str], size: int | None) -> None:
    """Raises InputError for input that can be read only once but would be read twice."""
    pipes = [path for path in paths if is_pipe(path)]
    whole = pipes if size is not None else [path for path in pipes if is_table(path) or is_transcript(path)]
    if whole:
        kind = "batches" if size is not None else "tables"
        raise InputError(f"{shown_path(whole[0])} is a pipe, and {kind} are read more than once; pass a file")
    if paths.count(STDIN) > 1:
        raise InputError("- is standard input, which can be read only once; pass the name of a file")


def _check_common(first: FilePart, part: FilePart, names: Sequence[str]) -> None:
    """Raises InputError where the tables of two systems do not have the same references and other columns."""
    for name in names:
        first_column = first.columns[name]
        column = part.columns[name]
        pairs = zip(first_column.values, column.values, strict=True)
        for row, (first_value, value) in enumerate(pairs):
            if first_value == value or str(first_value) == str(value):  # 1 and "1", and nan
                continue
            raise InputError(
                f"{column.place(row)}: {column.what} is {value!r:.40}, and in {first_column.place(row)} "
                f"{first_value!r:.40}; the tables of all systems have the same segments, in one order or with ids "
                "(--id-column)"
            )


def _is_column(path: str, name: str, encoding: str) -> bool:
    """Returns whether a name is a column, or a field inside one, not a file."""
    for record in first_records(path, encoding)[:1]:
        with contextlib.suppress(KeyError):
            value_at(record, name)
            return True
    return name != STDIN and not Path(name).exists()


def _stem(path: str) -> str:
    if path == STDIN:
        return "stdin"
    return Path(path).stem or Path(path).resolve().name  # of the folder .
