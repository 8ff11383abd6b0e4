"""The builder of a corpus: from one table, from files of any formats side by side, and from the bundled sample."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import textgauge

from ..errors import InputError
from ..saying.texts import say
from .columns import FileColumn, numbers_of
from .compressed import STDIN, UTF8, is_pipe, shown_path
from .corpus import CLUSTERS, IDS, Corpus, without_reference_gaps
from .formats import first_rows, is_table, is_transcript, reader_of, table_reader
from .logs import ID
from .matching import FilePart
from .meetings import OF_SESSIONS, check_sessions
from .named_columns import NamedColumns, others_of, pair_of, pairs_of
from .recognisers import PREDICTED, SAID, is_manifest
from .records import is_of_epochs
from .rows import PREDICTIONS, REFERENCES, TEXT, Request, paths_of, value_at
from .segments import check_whole, cut_at_references, cut_note
from .sources import Source, check_kaldi, check_named_ids, read_side_by_side, reading_notes, source_of

SAMPLE = textgauge.SAMPLES / "es_ko_sample.jsonl"
SAMPLE_TITLE = say("sample_title")
_SAMPLE_SYSTEMS = ["GoogleTranslate", "KakaoI"]


class _Use(NamedTuple):
    """What a column of a file is in the corpus."""

    kind: str  # PREDICTIONS, REFERENCES, or another column
    file: int  # its place among the files
    column: str
    system: str = ""


class _Plan(NamedTuple):
    """What is read from where for a corpus."""

    title: str
    sources: list[Source]
    uses: list[_Use]
    base: int  # the file whose columns are those that no other has
    groups: Sequence[str] = ()
    human: dict[str, str] = {}  # system -> column of people's scores
    shared: Sequence[str] = ()  # columns that the tables of all systems have, and in which they agree
    notes: Sequence[str] = ()

    def of_kind(self, kind: str) -> list[_Use]:
        """Returns the uses of one kind."""
        return [use for use in self.uses if use.kind == kind]

    def cut(self, parts: Sequence[FilePart], unit: str) -> list[FilePart]:
        """Returns the files with predictions that have the segments of the references."""
        systems = [(use.file, use.column) for use in self.of_kind(PREDICTIONS)]
        references = self.of_kind(REFERENCES)
        if not references:
            raise InputError("--align-segments needs references, because predictions are segmented like them")
        return cut_at_references(parts, systems, (references[0].file, references[0].column), unit)

    def corpus(self, parts: Sequence[FilePart]) -> Corpus:
        """Returns the corpus of these rows of the files."""
        runs: dict[str, list[FileColumn]] = {}
        columns: dict[str, list[FileColumn]] = {}
        for use in self.uses:
            column = parts[use.file].columns[use.column]
            if use.kind == PREDICTIONS:
                runs.setdefault(use.system, []).append(column)
            else:
                columns.setdefault(use.kind, []).append(column)
        base = parts[self.base]
        for use in self.of_kind(PREDICTIONS):
            if use.file != self.base:
                _check_common(base, parts[use.file], self.shared)
        groups = {}
        for name in self.groups:
            groups[name] = (columns[name][0] if name in columns else base.columns[name]).texts()
        human = {system: numbers_of(base.columns[name]) for system, name in self.human.items()}
        answers = next((part for part in parts if part.clusters), None)
        if answers and CLUSTERS not in columns:
            columns[CLUSTERS] = [answers.scored._replace(what="the id", values=answers.clusters)]
        if self.sources[0].reader is OF_SESSIONS:
            columns[IDS] = [parts[0].scored._replace(values=parts[0].ids)]
        systems = {system: of_runs[0] for system, of_runs in runs.items()}
        several_runs = {system: of_runs for system, of_runs in runs.items() if len(of_runs) > 1}
        return Corpus(self.title, systems, columns, human, note="", groups=groups, runs=several_runs)


def read_sample() -> Corpus:
    """Returns the bundled sample."""
    human = [f"{system}=rank_{system}" for system in _SAMPLE_SYSTEMS]
    named = NamedColumns(_SAMPLE_SYSTEMS, ["reference"], human, ["ids=segment"])
    corpus = next(table_corpora(str(SAMPLE), None, named, None))
    return corpus._replace(title=SAMPLE_TITLE, note=say("sample_note"), is_human_lower_better=True)


def table_corpora(
    path: str, split: str | None, named: NamedColumns, size: int | None, encoding: str = UTF8
) -> Iterator[Corpus]:
    """Yields a corpus of one file or dataset with columns, `size` segments at once; all of them for None.

    Args:
        path: a file with named columns, or what `datasets.load_dataset` takes.
        split: of a dataset.
        named: its columns.
        size: segments of a batch.
        encoding: of a file of text.

    Raises:
        InputError: a column that is missing, or a file that cannot be read; names file and line.
    """
    if named.has_ratings and not named.references:
        # the scores by people are what a judge's are compared with
        scores = [pair_of(name, "")[1] for name in named.human]
        named = named._replace(references=list(dict.fromkeys(scores)), human=())
    reader = table_reader(path, split, encoding)
    notes = []
    if not named.predictions:
        if not are_manifests([path], encoding):
            known = first_rows(reader, Request(path, encoding))[:1] if is_table(path) else []
            columns = f"; it has {', '.join(paths_of(known[0]))}" if known else ""
            raise InputError(f"--data {path} needs --prediction-column NAME{columns}")
        named = named._replace(predictions=[PREDICTED], references=named.references or [SAID])
        notes = [say("note_manifest", prediction=PREDICTED, references=", ".join(named.references), path=path)]
    human = _human_columns(named)
    further = others_of(named)
    has_epochs = CLUSTERS not in further and is_of_epochs(path, encoding)
    notes += [say("note_epochs", path=path)] if has_epochs else []
    uses = [_Use(PREDICTIONS, 0, name, name) for name in named.predictions]
    uses += [_Use(REFERENCES, 0, name) for name in named.references]
    uses += [_Use(kind, 0, name) for kind, name in further.items()]
    names = [*[use.column for use in uses], *human.values(), *named.groups]
    documents = named.ids if named.cut_by and named.ids else ""
    request = Request(path, encoding, list(dict.fromkeys(names)), split=split)
    source = Source(request, reader, clusters=ID if has_epochs else "", documents=documents)
    return _corpora(_Plan(Path(path).name, [source], uses, 0, named.groups, human, notes=notes), named, size)


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
    plan = _plan_of_files(systems, references, named, encoding)
    _check_pipes([source.request.path for source in plan.sources], size)
    if named.ids:
        check_named_ids(plan.sources, named.ids)
    if not named.cut_by:
        check_kaldi(plan.sources)
    notes = reading_notes(plan.sources, "" if named.cut_by else named.ids)
    return _corpora(plan._replace(notes=notes), named, size)


def _corpora(plan: _Plan, named: NamedColumns, size: int | None) -> Iterator[Corpus]:
    """Yields the corpus that is planned, `size` segments at once; all of them for None."""
    if named.cut_by:
        check_whole(size)
        whole = [next(source.parts(None)) for source in plan.sources]
        batches = iter([plan.cut(whole, named.cut_by)])
    else:
        batches = read_side_by_side(plan.sources, size)
    for parts in batches:
        corpus = plan.corpus(parts).with_numbers(named.numbers)
        notes = [*plan.notes, *itertools.chain(*[part.notes for part in parts])]
        if named.cut_by:
            notes.append(cut_note(corpus.systems, corpus.columns[REFERENCES][0], named.cut_by))
        # where a rater's score is missing, the metric says what that means
        if not named.has_sessions and not named.has_ratings:
            corpus = without_reference_gaps(corpus)
        yield corpus._replace(notes=list(dict.fromkeys(notes)))  # a file may be several systems


def _human_columns(named: NamedColumns) -> dict[str, str]:
    """Returns the column with people's scores of each system; InputError for a system that there is not."""
    only = named.predictions[0] if len(named.predictions) == 1 else None
    human = pairs_of("--human-column", named.human, only)
    unknown = [system for system in human if system not in named.predictions]
    if unknown:
        raise InputError(f"--human-column {unknown[0]}=...: the systems are {', '.join(named.predictions)}")
    return human


def are_manifests(paths: Sequence[str], encoding: str) -> bool:
    """Returns whether all files are manifests of recordings."""
    for path in paths:
        if not is_table(path) or not Path(path).is_file():
            return False
        if not is_manifest(first_rows(reader_of(path), Request(path, encoding))):
            return False
    return True


def _plan_of_files(
    systems: dict[str, list[str]], references: Sequence[str], named: NamedColumns, encoding: str
) -> _Plan:
    """Returns which columns to read from which files; InputError for a column of files without columns."""
    predictions = [*itertools.chain(*systems.values())]
    further = others_of(named)
    inside = _columns_inside(predictions, references, named, further, encoding)
    in_systems = () if references else (*named.references, *inside)
    base = len(predictions) if references else 0
    request = Request("", encoding, reference=next(iter(references), ""))
    sources: list[Source] = []
    uses = []
    for system, paths in systems.items():
        for path in paths:
            source = _opened(request._replace(path=path, role=PREDICTIONS), named.predictions, in_systems, named)
            uses.append(_Use(PREDICTIONS, len(sources), source.scored, system))
            sources.append(source)
    for path in references:
        beside = inside if len(sources) == base else ()
        source = _opened(request._replace(path=path, role=REFERENCES), named.references, beside, named)
        names = named.references if named.references and source.reader.is_table else [source.scored]
        uses += [_Use(REFERENCES, len(sources), name) for name in names]
        sources.append(source)
    if not references:
        uses += [_Use(REFERENCES, 0, name) for name in named.references]
    for kind, name in further.items():
        if name in inside:
            uses.append(_Use(kind, base, name))
            continue
        source = _opened(request._replace(path=name), (), (), named)
        uses.append(_Use(kind, len(sources), source.scored))
        sources.append(source)
    return _Plan(", ".join(systems), sources, uses, base, named.groups, shared=in_systems)


def _opened(request: Request, scored: Sequence[str], beside: Sequence[str], named: NamedColumns) -> Source:
    """Returns the source for a file, of which some columns are scored, and others are beside them."""
    if named.has_sessions:
        return Source(request._replace(names=(TEXT,)), OF_SESSIONS, ids=(ID,))
    source = source_of(request, scored, beside, named.ids)
    return source.cut_anew(bool(named.ids)) if named.cut_by else source


def _columns_inside(
    predictions: Sequence[str], references: Sequence[str], named: NamedColumns, further: dict[str, str], encoding: str
) -> list[str]:
    """Returns the further columns and those of groups that are in the table with the references.

    Raises:
        InputError: columns of files that are no tables.
    """
    bases = list(references) or list(predictions)
    for flag, names, paths in (
        ("--prediction-column", named.predictions, predictions),
        ("--reference-column", named.references, bases),
    ):
        if names and not any(map(is_table, paths)):
            first = shown_path(next(iter(paths)))
            raise InputError(f"{flag} {names[0]}: {first} is not a table; pass one, or use --data FILE")
    has_columns = is_table(bases[0])
    inside = [name for name in further.values() if has_columns and _is_column(bases[0], name, encoding)]
    lines = [shown_path(path) for path in predictions if not is_table(path)]
    columns = [*named.references, *inside, *(named.groups if has_columns else ())]
    if not references and lines and columns:
        raise InputError(f"{lines[0]} is not a table, so it has no column {columns[0]}")
    groups = [name for name in named.groups if name not in further]
    if groups and not has_columns:
        raise InputError(f"--group-by {groups[0]} needs the group of each line; add --column {groups[0]}=FILE")
    return [*inside, *groups]


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
    for record in first_rows(reader_of(path), Request(path, encoding))[:1]:
        with contextlib.suppress(KeyError):
            value_at(record, name)
            return True
    return name != STDIN and not Path(name).exists()


def _stem(path: str) -> str:
    if path == STDIN:
        return "stdin"
    return Path(path).stem or Path(path).resolve().name  # of the folder .
