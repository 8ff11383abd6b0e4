"""Files and datasets to corpora, from what the command line says of them."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import textgauge

from ..drawing.texts import say
from .columns import FileColumn, first_records, is_table, numbers_of, read_column_batches
from .compressed import STDIN, UTF8, is_pipe, shown_path
from .corpus import CLUSTERS, HUMAN, Corpus
from .file_parts import FilePart, Source, check_kaldi, epochs_note, read_side_by_side, reading_notes, source_of
from .logs import ID
from .meetings import check_sessions
from .recognisers import PREDICTED, SAID, is_manifest
from .records import is_of_epochs, value_at
from .segments import cut_at_references, cut_note
from .transcripts import is_transcript

SAMPLE = textgauge.SAMPLES / "es_ko_sample.jsonl"
SAMPLE_TITLE = say("sample_title")
_SAMPLE_SYSTEMS = ["GoogleTranslate", "KakaoI"]


class Named(NamedTuple):
    """What the options say of columns."""

    predictions: Sequence[str] = ()  # of --data one per system, of a table of each system one
    references: Sequence[str] = ()
    human: Sequence[str] = ()  # "SYSTEM=NAME", or "NAME" for an only system
    others: Sequence[str] = ()  # "COLUMN=NAME" for what else a metric takes: a column of a table, or a file
    groups: Sequence[str] = ()  # whose values are scored apart
    ids: str | None = None  # the column that rows are matched by; "" for none, None for "id" where there is one
    has_sessions: bool = False  # whether files are transcripts of meetings
    cut_by: str | None = None  # the unit by which predictions are cut anew, where they were cut elsewhere


def read_sample() -> Corpus:
    """Returns the bundled sample."""
    human = [f"{system}=rank_{system}" for system in _SAMPLE_SYSTEMS]
    named = Named(_SAMPLE_SYSTEMS, ["reference"], human, ["ids=segment"])
    corpus = next(table_corpora(str(SAMPLE), None, named, None))
    return corpus._replace(title=SAMPLE_TITLE, note=say("sample_note"), is_human_lower_better=True)


def table_corpora(
    source: str, split: str | None, named: Named, size: int | None, encoding: str = UTF8
) -> Iterator[Corpus]:
    """Yields a corpus of one file or dataset with columns, so many segments at once; all of them for None.

    Args:
        source, split, encoding: as `read_column_batches` takes them.
        named: its columns.
        size: segments of a batch.
    """
    named, notes = _of_manifest(source, named, encoding)
    only = named.predictions[0] if len(named.predictions) == 1 else None
    human = _pairs("--human-column", named.human, only)
    unknown = [system for system in human if system not in named.predictions]
    if unknown:
        raise ValueError(f"--human-column {unknown[0]}=...: the systems are {', '.join(named.predictions)}")
    others = _others(named)
    if CLUSTERS not in others and is_of_epochs(source, encoding):
        notes.append(epochs_note(source))
        others[CLUSTERS] = ID
    names = [*named.predictions, *named.references, *human.values(), *others.values(), *named.groups]
    if named.cut_by:
        _check_whole(size)
        names += filter(None, [named.ids])
    for table in read_column_batches(source, list(dict.fromkeys(names)), split, size, encoding):
        columns = {"references": [table[name] for name in named.references]} if named.references else {}
        columns.update((kind, [table[name]]) for kind, name in others.items())
        systems = {name: table[name] for name in named.predictions}
        if named.cut_by:
            systems = _cut_columns(systems, columns.get("references", []), table.get(named.ids), named.cut_by)
            notes.append(cut_note(systems, columns["references"], named.cut_by))
        yield Corpus(
            title=Path(source).name,
            systems=systems,
            columns=columns,
            human={system: numbers_of(table[name]) for system, name in human.items()},
            note="",
            groups={name: table[name].texts() for name in named.groups},
            notes=notes,
        )


def _cut_columns(
    systems: dict[str, FileColumn], references: Sequence[FileColumn], documents: FileColumn | None, unit: str
) -> dict[str, FileColumn]:
    """Returns the predictions of a table, cut where its first references are."""
    ids = documents and documents.texts()
    parts = [FilePart({"": column}, ids) for column in (*systems.values(), *references[:1])]
    cut = cut_at_references(parts, len(systems), None, unit)[: len(systems)]
    return {name: part.scored for name, part in zip(systems, cut, strict=True)}


def _of_manifest(source: str, named: Named, encoding: str) -> tuple[Named, list[str]]:
    """Returns the columns of a file, those of a manifest where none are named, and what is said of that."""
    if named.predictions:
        return named, []
    if not _are_manifests([source], encoding):
        raise ValueError(f"--data {source} needs --prediction-column NAME")
    references = named.references or [SAID]
    note = f"read columns {PREDICTED} and {', '.join(references)} of {source}"
    return named._replace(predictions=[PREDICTED], references=references), [note]


def _are_manifests(paths: Sequence[str], encoding: str) -> bool:
    """Returns whether all files are manifests of recordings."""
    return all(is_table(path) and Path(path).is_file() and is_manifest(first_records(path, encoding)) for path in paths)


class _Files(NamedTuple):
    """What is read from where, for a corpus of several files."""

    systems: dict[str, list[str]]  # system -> the files of its runs
    references: Sequence[str]  # files
    reference_columns: Sequence[str]  # of the tables, if they are named
    others: dict[str, str]  # kind -> column of the first table with references, or file
    inside: Sequence[str]  # the columns among them, and those of groups
    groups: Sequence[str]

    def sources(self, named: Named, encoding: str) -> list[Source]:
        """Returns the files in the order that `corpus` takes them up: systems, references, others."""
        if named.has_sessions:
            paths = [*itertools.chain(*self.systems.values()), *self.references]
            return [Source(path, [], has_sessions=True) for path in paths]
        ids = "" if named.cut_by and named.ids is None else named.ids  # a column "id" is none of documents
        of_systems = [] if self.references else [*named.references, *self.inside]
        found = [
            source_of(path, named.predictions, of_systems, ids, "--prediction-column", encoding)
            for path in itertools.chain(*self.systems.values())
        ]
        for path in self.references:
            further = self.inside if path == self.references[0] else []
            found.append(source_of(path, named.references, further, ids, "--reference-column", encoding))
        files = [name for name in self.others.values() if name not in self.inside]
        found += [source_of(path, [], [], ids, "a file of one column", encoding) for path in files]
        return [source._replace(has_documents=True) for source in found] if named.cut_by else found

    def cut(self, parts: Sequence[FilePart], unit: str) -> list[FilePart]:
        """Returns the files that were read with predictions that have the segments of the references."""
        column = None if self.references else next(iter(self.reference_columns), None)
        return cut_at_references(parts, sum(map(len, self.systems.values())), column, unit)

    def corpus(self, parts: Sequence[FilePart]) -> Corpus:
        """Returns the corpus of the files that were read side by side."""
        left = iter(parts)
        runs = {name: [next(left) for _ in paths] for name, paths in self.systems.items()}
        of_systems = [*itertools.chain(*runs.values())]
        of_references = [next(left) for _ in self.references]
        base = (of_references or of_systems)[0]
        if of_references:
            sets = []
            for part in of_references:
                named = [part.columns[name] for name in self.reference_columns if name in part.columns]
                sets += named or [part.scored]
        else:
            sets = [base.columns[name] for name in self.reference_columns]
            for other in of_systems[1:]:
                _check_common(base, other, [*self.reference_columns, *self.inside])
        columns = {"references": sets} if sets else {}
        for kind, name in self.others.items():
            columns[kind] = [base.columns[name] if name in self.inside else next(left).scored]
        groups = {n: columns[n][0] if n in self.others else base.columns[n] for n in self.groups}
        return Corpus(
            title=", ".join(self.systems),
            systems={name: of_runs[0].scored for name, of_runs in runs.items()},
            columns=columns,
            human={},
            note="",
            groups={name: column.texts() for name, column in groups.items()},
            runs={name: [part.scored for part in of] for name, of in runs.items() if len(of) > 1},
        )


def file_corpora(
    predictions: Sequence[str], references: Sequence[str], named: Named, size: int | None, encoding: str = UTF8
) -> Iterator[Corpus]:
    """Yields a corpus of text files, transcripts and tables in any mix, so many segments at once; all for None.

    Args:
        predictions: one "FILE" or "NAME=FILE" per system; the same NAME again for another run of it.
        references: one file per set of references; without any, they are columns of each system's table.
        named: columns of these tables.
        size: segments of a batch.
        encoding: of the files; "-" is standard input.

    Raises:
        ValueError: files that differ in what they should have in common; names the row.
    """
    systems = _systems(predictions)
    predictions = [*itertools.chain(*systems.values())]
    given = [*predictions, *references]
    _check_pipes(given, size)
    if named.has_sessions:
        check_sessions(references, [*named.predictions, *named.references, *named.others, *named.groups, named.ids])
    elif not references and not named.references and _are_manifests(predictions, encoding):
        named = named._replace(references=[SAID])
    files = _files(systems, references, named, encoding)
    _check_pipes([*given, *(path for path in files.others.values() if path not in files.inside)], size)
    sources = files.sources(named, encoding)
    if named.cut_by:
        _check_whole(size)
        notes = reading_notes(sources, "")
        corpora = iter([files.cut([next(source.parts("", None, encoding)) for source in sources], named.cut_by)])
    else:
        check_kaldi(sources)
        notes = reading_notes(sources, named.ids)
        corpora = read_side_by_side(sources, next(iter(references), ""), size, encoding)
    for parts in corpora:
        corpus = files.corpus(parts)
        of_log = next((part for part in parts if part.clusters), None)
        if of_log and CLUSTERS not in corpus.columns:
            corpus.columns[CLUSTERS] = [of_log.scored._replace(what="the id", values=of_log.clusters)]
        if named.cut_by:
            notes.append(cut_note(corpus.systems, corpus.columns["references"], named.cut_by))
        yield corpus._replace(notes=notes)


def _files(systems: dict[str, list[str]], references: Sequence[str], named: Named, encoding: str) -> _Files:
    """Returns what to read from where; ValueError for a column of files that have none."""
    predictions = [*itertools.chain(*systems.values())]
    bases = list(references) or predictions
    for flag, names, paths in (
        ("--prediction-column", named.predictions, predictions),
        ("--reference-column", named.references, bases),
    ):
        if names and not any(map(is_table, paths)):
            first = shown_path(next(iter(paths)))
            raise ValueError(f"{flag} {names[0]}: {first} is no table; name its columns, or pass it with --data FILE")
    others = _others(named)
    has_columns = is_table(bases[0])
    inside = [name for name in others.values() if has_columns and _is_column(bases[0], name, encoding)]
    lines = [shown_path(path) for path in predictions if not is_table(path)]
    if not references and has_columns and lines and (named.references or inside or named.groups):
        raise ValueError(
            f"{lines[0]} is no table, and has no column for {(*named.references, *inside, *named.groups)[0]}"
        )
    groups = [name for name in named.groups if name not in others]
    if groups and not has_columns:
        raise ValueError(f"--group-by {groups[0]} needs the group of each line; add --column {groups[0]}=FILE")
    return _Files(systems, references, named.references, others, [*inside, *groups], named.groups)


def _systems(predictions: Sequence[str]) -> dict[str, list[str]]:
    """Returns the files of each system, from "FILE" or "NAME=FILE"; of several runs where a NAME is there again.

    Tests swap the outputs of two systems, which is fair only where both have as many; so all have the same number.
    """
    systems: dict[str, list[str]] = {}
    unnamed = set()
    for given in predictions:
        is_named = "=" in given and not Path(given).exists()
        name, path = _named(given) if is_named else (_stem(given), given)
        unnamed.update([] if is_named else [name])
        if name in systems and name in unnamed:
            raise ValueError(f"--predictions {given}: there are two systems {name!r}; write NAME={path}")
        if path in systems.setdefault(name, []):
            raise ValueError(f"--predictions {given} is given twice; runs of one system are different files")
        systems[name].append(path)
    if len(set(map(len, systems.values()))) > 1:
        counts = ", ".join(f"{name} has {len(paths)}" for name, paths in systems.items())
        raise ValueError(f"--predictions: all systems need the same number of runs to be compared; {counts}")
    return systems


def _check_pipes(paths: Sequence[str], size: int | None) -> None:
    """Raises ValueError for what can be read only once, and would be read twice."""
    pipes = [path for path in paths if is_pipe(path)]
    whole = pipes if size is not None else [path for path in pipes if is_table(path) or is_transcript(path)]
    if whole:
        what = "batches" if size is not None else "tables"
        raise ValueError(f"{shown_path(whole[0])} is a pipe, and {what} are read more than once; pass a file")
    if paths.count(STDIN) > 1:
        raise ValueError("- is standard input, which can be read only once; pass the name of a file")


def _check_whole(size: int | None) -> None:
    """Raises ValueError for predictions that are to be cut anew, which takes all of them."""
    if size is not None:
        raise ValueError("--align-segments needs whole files; leave out --stream")


def _check_common(first: FilePart, other: FilePart, names: Sequence[str]) -> None:
    """Raises ValueError where the tables of two systems do not have the same references and other columns."""
    for name in names:
        one, two = first.columns[name], other.columns[name]
        for row, (a, b) in enumerate(zip(one.values, two.values, strict=True)):
            if a != b and str(a) != str(b):  # 1 and "1", and nan
                raise ValueError(
                    f"{two.place(row)}: {two.what} is {b!r:.40}, and in {one.place(row)} {a!r:.40}; the tables of all "
                    "systems have the same segments, in one order or with ids (--id-column)"
                )


def _others(named: Named) -> dict[str, str]:
    """Returns what else a metric takes; ValueError for what has an option of its own."""
    others = _pairs("--column", named.others)
    for name, option in (("predictions", "--predictions"), ("references", "--references"), (HUMAN, "--human-column")):
        if name in others:
            raise ValueError(f"--column {name}={others[name]}: {name} have an option of their own, {option}")
    return others


def _pairs(option: str, given: Sequence[str], default: str | None = None) -> dict[str, str]:
    """Returns what is given as NAME=VALUE; ValueError for a name that is given twice."""
    pairs = [_named(text, default) for text in given]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{option} {name}=... is given twice")
    return dict(pairs)


def _is_column(path: str, name: str, encoding: str) -> bool:
    """Returns whether a name is that of a column, or of what is inside one, and not of a file."""
    for record in first_records(path, encoding)[:1]:
        with contextlib.suppress(KeyError):
            value_at(record, name)
            return True
    return name != STDIN and not Path(name).exists()


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
