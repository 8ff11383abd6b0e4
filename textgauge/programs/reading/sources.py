"""The files of one corpus side by side: what to read of each, and which row belongs to which."""

import contextlib
import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import InputError
from ..saying.texts import say
from .columns import FileColumn
from .compressed import shown_path
from .fairseq import check_counted
from .formats import FAIRSEQ, FOLDER, LINES, Reader, first_rows, read_batches, reader_of
from .headers import are_nearly_equal, could_be_text, looks_like_text
from .logs import EPOCH, ID
from .matching import FilePart, check_ids, check_no_ids, grouped_references, ids_of, is_no_id, matched
from .recognisers import AUDIO, IMAGE, OF_MANIFESTS, OFFSET, are_captions, is_manifest
from .records import is_of_epochs
from .rows import PREDICTIONS, RECORDING, REFERENCES, START, TEXT, Request, column_names, no_column, value_at
from .transcripts import is_kaldi

_FLAGS = {PREDICTIONS: "--prediction-column", REFERENCES: "--reference-column", "": "a file of one column"}


class Source(NamedTuple):
    """A file, and which of its columns are read; a file without named columns has one of texts."""

    request: Request  # what is scored is the first of its names
    reader: Reader
    ids: tuple[str, ...] = ()  # the columns that an id is made of
    clusters: str = ""  # the column of what rows belong to, of a log with several answers to one question
    documents: str = ""  # the column within whose values predictions are segmented again
    starts: str = ""  # the column of times, likewise
    references: Sequence[str] = ()  # the columns whose rows of one id are several references
    first_cells: Sequence[Any] | None = None  # of the column that is scored, where it was not named
    keys: Mapping[str, Sequence[Any]] = {}  # columns that could be ids, and their first values
    unused_ids: str = ""  # a column that looks like one of ids
    empty_ids: str = ""  # a column of ids whose first rows have none, and so all must

    @property
    def path(self) -> str:
        """The file, as messages name it."""
        return shown_path(self.request.path)

    @property
    def scored(self) -> str:
        """The column that is scored."""
        return self.request.names[0]

    def cut_anew(self, has_documents: bool) -> "Source":
        """Returns the source for predictions that are segmented again: without ids, except for ids of documents."""
        source = self._replace(request=self.request._replace(is_cut=True))
        if self.reader.is_transcript:
            return source._replace(documents=RECORDING, starts=START)
        if self.reader is FOLDER:
            return source._replace(documents=ID)
        if not self.reader.is_table or (self.request.role != PREDICTIONS and not has_documents):
            return source
        return source._replace(documents=self.ids[0] if has_documents and self.ids else "", ids=())

    def parts(self, size: int | None) -> Iterator[FilePart]:
        """Yields `size` rows at once, or all for None."""
        if size is not None and self.reader.whole:
            raise InputError(f"matching {self.reader.whole}; leave out --stream")
        further = [*self.ids, self.clusters, self.documents, self.starts, self.empty_ids]
        names = list(dict.fromkeys([*self.request.names, *filter(None, further)]))
        for table in read_batches(self.reader, self.request._replace(names=names), size):
            if self.empty_ids:
                check_no_ids(table[self.empty_ids])
            part = FilePart({name: table[name] for name in self.request.names}, self._ids(table))
            part = part._replace(of_recordings=self.reader is FOLDER or self.ids[:1] == (AUDIO,))
            if self.clusters:
                part = part._replace(clusters=table[self.clusters].texts())
            if self.documents:
                starts = table[self.starts].values if self.starts else None
                part = part._replace(documents=self._documents(table), starts=starts)
            if self.reader is FAIRSEQ:
                kind = part.scored.numbers[0].partition("-")[0]
                part = part._replace(notes=(say("note_fairseq", path=self.path, kind=kind),))
            yield grouped_references(part, self.references) if self.references and size is None else part

    def _ids(self, table: Mapping[str, FileColumn]) -> list[str] | None:
        if not self.ids:
            return None
        ids = ids_of(table[self.ids[0]])
        for name in self.ids[1:]:
            pairs = zip(ids, table[name].values, strict=True)
            ids = [f"{key}, {name} {_number_text(value)}" for key, value in pairs]
        return ids

    def _documents(self, table: Mapping[str, FileColumn]) -> list[str] | None:
        if self.reader.is_table:
            return ids_of(table[self.documents])
        names = table[self.documents].values
        return names if any(names) else None


def _number_text(value: Any) -> str:
    """Returns a number as text, the same for 0, 0.0 and "0"; anything else as it is."""
    try:
        return f"{float(value):.12g}"
    except (TypeError, ValueError):
        return str(value)


def source_of(request: Request, scored: Sequence[str], further: Sequence[str], id_column: str | None) -> Source:
    """Returns the source for a file of one side, or of another column.

    Args:
        request: with the file and what it is read for.
        scored: the named columns of a table; without a name, its one text column.
        further: other columns of a table.
        id_column: with ids; None for "id" where there is one, "" for none.
    """
    reader = reader_of(request.path, request.encoding)
    if reader is FAIRSEQ and not request.role:
        reader = LINES
    if not reader.is_table:
        if id_column and reader in (LINES, FAIRSEQ):
            path = shown_path(request.path)
            raise InputError(f"--id-column {id_column}: {path} is a text file, whose lines have no ids")
        source = Source(request._replace(names=(TEXT,)), reader, ids=() if reader is LINES else (ID,))
        is_set = reader is FOLDER and request.role == REFERENCES
        return source._replace(references=(TEXT,)) if is_set else source
    records = first_rows(reader, request)
    with_ids = [name for name in column_names(records) if name.strip().lower() == ID]
    has_epochs = is_of_epochs(request.path, request.encoding)
    ids, empty_ids = _id_columns(records, with_ids, _named_ids(records, id_column), has_epochs)
    names = scored or [_scored_column(reader, request, records, [*further, *with_ids, *ids])]
    source = Source(request._replace(names=(*names, *further)), reader, ids, empty_ids=empty_ids)
    if has_epochs:
        source = source._replace(clusters=ID)
    if ids and request.role == REFERENCES:
        source = source._replace(references=names)
    if with_ids and not ids:
        source = source._replace(unused_ids=with_ids[0])
    if not ids:
        source = source._replace(keys=_keys(records))
    if not scored:
        source = source._replace(first_cells=[record.get(names[0]) for record in records])
    return source


def _named_ids(records: Sequence[Mapping[str, Any]], named: str | None) -> str | None:
    """Returns the column of ids that a file has of those that are named: "a,b" where files call it differently.

    A file without the named one is matched by its column id, if another file has it.
    """
    if not named or not records:
        return named
    for name in (named, *named.split(","), ID):
        with contextlib.suppress(KeyError):
            value_at(records[0], name)
            return name
    return named


def check_named_ids(sources: Sequence[Source], named: str) -> None:
    """Raises InputError if no file has a column of ids that is named."""
    tables = [source for source in sources if source.reader.is_table]
    found = [source.ids[:1] or (source.documents,) for source in tables]
    if tables and not any(name in (named, *named.split(",")) for (name,) in found):
        first = tables[0]
        columns = column_names(first_rows(first.reader, first.request))
        raise no_column(f"{first.path}, {first.reader.unit} 1", named, columns)


def _keys(records: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Returns the columns whose names end in id, and whose values in the first rows are all different."""
    keys = {}
    for name in column_names(records):
        values = [str(record.get(name)) for record in records]
        if name.lower().endswith(ID) and len(set(values)) == len(values) > 1:
            keys[name] = values
    return keys


def _id_columns(
    records: Sequence[Mapping[str, Any]], with_ids: Collection[str], named: str | None, has_epochs: bool
) -> tuple[tuple[str, ...], str]:
    """Returns the columns that an id is made of, and a column of ids whose first rows have none."""
    empty_ids = ""
    if named is None and ID in with_ids:
        if all(ID in record and is_no_id(record[ID]) for record in records):
            empty_ids = ID
        if not all(is_no_id(record.get(ID)) for record in records):
            named = ID  # of all rows: one without is an error
    if named is None and are_captions(records):
        named = IMAGE
    if named is None and is_manifest(records):
        has_offsets = all(OFFSET in record for record in records)
        return ((AUDIO, OFFSET) if has_offsets else (AUDIO,)), empty_ids
    if not named:
        return (), empty_ids
    return ((named, EPOCH) if has_epochs else (named,)), empty_ids


def _scored_column(
    reader: Reader, request: Request, records: Sequence[Mapping[str, Any]], taken: Collection[str]
) -> str:
    """Returns the column to score of a table: of a manifest that for its role, else the one that holds text.

    Raises:
        InputError: no column, or more than one; names all columns.
    """
    role = OF_MANIFESTS.get(request.role)
    if role and is_manifest(records):
        return role
    if not records:
        raise InputError(f"{request.path}: nothing to score: it has no {reader.unit}")
    names = [name for name in column_names(records) if name not in taken]
    texts = []
    for name in names:
        if len(names) == 1 or any(_is_text(record.get(name)) for record in records):
            texts.append(name)
    if len(texts) != 1 or (TEXT in names and texts != [TEXT]):
        columns = ", ".join(column_names(records))
        raise InputError(f"{request.path} has the columns {columns}; choose one with {_FLAGS[request.role]}")
    return texts[0]


def _is_text(value: Any) -> bool:
    """Returns whether a cell holds text, maybe inside: neither a number, also as CSV has it, nor nothing."""
    if isinstance(value, dict):
        return any(map(_is_text, value.values()))
    if isinstance(value, list):
        return any(map(_is_text, value))
    if not isinstance(value, str) or not value.strip():
        return False
    try:
        return math.isnan(float(value))
    except ValueError:
        return True


def read_side_by_side(sources: Sequence[Source], size: int | None) -> Iterator[list[FilePart]]:
    """Yields the same rows of all files: matched by id where all files have ids, else by place.

    Args:
        sources: the files; the order of rows is that of the first.
        size: rows at once; None for all.

    Raises:
        InputError: files of different lengths, ids without a partner or there twice; names file and line.
    """
    readers = [source.parts(size) for source in sources]
    seen = 0
    for parts in itertools.zip_longest(*readers):
        having = [part for part in parts if part and part.ids is not None]
        for source, part in zip(sources, parts, strict=True):
            if part and part.ids is not None:
                check_ids(part, bool(source.references) and size is not None)
        if len(having) == len(parts):
            first, *further = parts
            parts = [first, *[matched(first, part, is_whole=size is None) for part in further]]
        else:
            _check_places(sources, parts, having)
            if len({part.size if part else 0 for part in parts}) > 1:
                raise _different_lengths(sources, seen, parts, readers)
        seen += parts[0].size
        yield list(parts)


def _check_places(sources: Sequence[Source], parts: Sequence[FilePart | None], having: Sequence[FilePart]) -> None:
    """Raises InputError for ids in another order than the lines of files without ids."""
    for source, part in zip(sources, parts, strict=True):
        if source.reader is FAIRSEQ and part:
            check_counted(part.scored, part.ids, _without_ids(sources)[0])
    if any(part.ids != having[0].ids for part in having):
        raise _no_ids_to_match(sources, having)


def _without_ids(sources: Sequence[Source]) -> list[str]:
    """Returns the files that have no ids."""
    return [source.path for source in sources if not source.ids]


def check_kaldi(sources: Sequence[Source]) -> None:
    """Raises InputError for a file that is called `text` beside one without ids: its lines may be texts alone."""
    kaldi = [source.path for source in sources if is_kaldi(source.path)]
    without = _without_ids(sources)
    if kaldi and without:
        raise InputError(
            f"{kaldi[0]}: in a file called text, each line is an id and words, but {without[0]} has no ids; "
            f"add ids there, or rename {kaldi[0]} if its lines have none"
        )


def _no_ids_to_match(sources: Sequence[Source], having: Sequence[FilePart]) -> InputError:
    """Returns an error for files with ids in different orders, and one without ids, which could be in either."""
    first = having[0]
    differing = next(part for part in having if part.ids != first.ids)
    return InputError(
        f"{first.scored.path} and {differing.scored.path} have different ids, or the same ids in another order, "
        f'and {_without_ids(sources)[0]} has no ids; add ids there, or pass --id-column "" to match rows by order'
    )


def _different_lengths(
    sources: Sequence[Source], seen: int, parts: Sequence[FilePart | None], readers: Sequence[Iterator[FilePart]]
) -> InputError:
    """Returns an error with the lengths of two files, which an empty last line may explain."""
    sizes, texts = [], []
    for part, reader in zip(parts, readers, strict=True):
        left = [part, *reader] if part else []
        sizes.append(seen + sum(of_file.size for of_file in left))
        texts.append(list(itertools.chain(*[of_file.scored.values for of_file in left])))
    differing = next(index for index, size in enumerate(sizes) if size != sizes[0])
    longer = 0 if sizes[0] > sizes[differing] else differing
    unit = "row" if any(source.reader.is_table for source in sources) else "line"
    hint = f"the last line of {sources[longer].path} is empty; " if texts[longer][-1] == "" else ""
    n_groups = len(list(filter(None, "\n".join(map(str, texts[longer])).split("\n\n"))))
    if sources[longer].reader is LINES and "" in texts[longer] and n_groups == min(sizes):
        hint += f'between blank lines it has {n_groups} groups: write each as a line of .jsonl, ["a", "b"]; '
    if any(source.reader.is_transcript for source in sources):
        hint += "if they are segmented differently, pass --align-segments words; "
    for folder in (source.path for source in sources if source.reader is FOLDER):
        hint += f"{folder} is a folder, which is read as one system with a file for each recording; "
    return InputError(
        f"{sources[0].path} has {sizes[0]} {unit}s and {sources[differing].path} {sizes[differing]}; {hint}{unit} 1 "
        "of each belongs to segment 1, and so on"
    )


def reading_notes(sources: Sequence[Source], id_column: str | None) -> list[str]:
    """Returns notes on decisions of the program: which columns are read, and that rows are matched by order."""
    guessed = [source for source in sources if source.first_cells is not None]
    columns = say("comma").join(say("note_of_file", column=source.scored, path=source.path) for source in guessed)
    notes = [say("note_column", columns=columns)] if columns else []
    without = _without_ids(sources)
    # lines of fairseq belong to those of such a file by their numbers
    are_numbered = any(source.reader is FAIRSEQ for source in sources)
    if without and len(without) < len(sources) and id_column is None and not are_numbered:
        notes.append(say("note_no_ids", path=without[0]))
    unused = [source for source in sources if source.unused_ids]
    notes += [say("note_unused_ids", column=source.unused_ids, path=source.path) for source in unused[:1]]
    if id_column is None:
        notes += _key_notes(sources)
    notes += _header_notes(guessed)
    logs = [source.path for source in sources if source.clusters]
    return [*notes, *[say("note_epochs", path=path) for path in logs[:1]]]


def _key_notes(sources: Sequence[Source]) -> list[str]:
    """Returns a note on a column that two files have, with the same values in another order."""
    for first, second in itertools.combinations(sources, 2):
        for name in first.keys.keys() & second.keys.keys():
            values = first.keys[name]
            if values != second.keys[name] and set(values) == set(second.keys[name]):
                return [say("note_keys", column=name, first=first.path, second=second.path)]
    return []


def _header_notes(guessed: Sequence[Source]) -> list[str]:
    """Returns notes on names of columns that look like texts, or that are nearly equal in two files."""
    doubted = {}
    for source in guessed:
        if looks_like_text(source.path, source.scored, source.first_cells):
            doubted[source.path] = source.scored
    like_cells = [source for source in guessed if could_be_text(source.path, source.scored, source.first_cells)]
    for first, second in itertools.combinations(like_cells, 2):
        if are_nearly_equal(first.scored, second.scored):
            doubted = {first.path: first.scored, second.path: second.scored, **doubted}
    return [say("note_header", path=path, name=f"{name:.40}") for path, name in doubted.items()]
