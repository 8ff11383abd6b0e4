"""The files of one corpus side by side: what to read of each, and which row belongs to which."""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from ..saying.texts import say
from .columns import (
    column_names,
    first_records,
    is_table,
    read_column_batches,
    read_line_batches,
    text_column,
)
from .compressed import shown_path, suffix_of
from .fairseq import KINDS, check_counted, ids_of_lines, is_fairseq, read_fairseq
from .folders import read_recordings
from .headers import are_nearly_equal, could_be_text, looks_like_text
from .logs import EPOCH, ID
from .matching import FilePart, check_ids, check_no_ids, grouped_references, ids_of, is_no_id, matched
from .meetings import read_sessions
from .recognisers import AUDIO, IMAGE, OF_MANIFESTS, OFFSET, are_captions, is_manifest
from .records import is_of_epochs
from .transcripts import TIMED, is_kaldi, is_transcript, read_documents, read_timed_words, read_utterances


class Source(NamedTuple):
    """A file, and which of its columns to read; of lines and utterances there is one."""

    path: str
    names: list[str]
    is_guessed: bool = False  # whether the first name was not given
    id_column: str | None = None
    has_epochs: bool = False
    unused: str = ""  # a column that looks like one of ids
    id_further: str = ""  # a column that an id is not whole without
    has_sessions: bool = False  # whether its utterances are those of meetings
    is_cut: bool = False  # whether predictions are segmented again, so that times are read and not matched
    document_column: str | None = None  # within whose values they are
    of_fairseq: str = ""  # which of fairseq's lines it may be read from, in the order of preference
    is_doubted: bool = False  # whether the name of the column that is scored looks like a text
    is_like_cells: bool = False  # whether it could be one of the texts below it
    of_recordings: bool = False  # whether it is a folder with a file for each recording
    has_empty_ids: bool = False  # whether its first rows have nothing in their column of ids, and so all must
    references: tuple[str, ...] = ()  # the columns whose rows of one id are several references

    @property
    def has_ids(self) -> bool:
        """Returns whether its rows have ids."""
        is_by_itself = is_transcript(self.path) or self.has_sessions or self.of_recordings or bool(self.of_fairseq)
        return is_by_itself or self.id_column is not None

    def cut_anew(self, is_predictions: bool, has_documents: bool) -> "Source":
        """Returns the source for predictions that are segmented again: without ids, except for ids of documents."""
        if not is_predictions and not has_documents:
            return self._replace(is_cut=True)
        documents = self.id_column if has_documents else None
        return self._replace(is_cut=True, document_column=documents, id_column=None, id_further="")

    def parts(self, reference: str, size: int | None, encoding: str) -> Iterator[FilePart]:
        """Yields `size` rows at once, or all for None; words with times belong to the segments of a reference."""
        if self.is_cut and is_transcript(self.path):
            column, documents, starts = read_documents(self.path, encoding)
            yield FilePart({"": column}, list(map(str, column.numbers)), documents=documents, starts=starts)
        elif is_transcript(self.path) or self.has_sessions:
            if size is not None:
                raise InputError("matching utterances by their ids needs whole files; leave out --stream")
            if self.has_sessions:
                column = read_sessions(self.path, reference, encoding)
            elif suffix_of(self.path) in TIMED:
                column = read_timed_words(self.path, reference, encoding)
            else:
                column = read_utterances(self.path, reference, encoding)
            yield FilePart({"": column}, list(map(str, column.numbers)))
        elif self.of_recordings:
            if size is not None:
                raise InputError("matching recordings by their names needs whole folders; leave out --stream")
            column = read_recordings(self.path, encoding)
            names = list(map(str, column.numbers))
            yield FilePart({"": column}, names, documents=names if self.is_cut else None, of_recordings=True)
        elif self.of_fairseq:
            if size is not None:
                raise InputError("matching fairseq's lines by their numbers needs whole files; leave out --stream")
            kind, column = read_fairseq(self.path, self.of_fairseq, encoding)
            note = say("note_fairseq", path=self.path, kind=kind)
            yield FilePart({"": column}, ids_of_lines(column), notes=(note,))
        elif not is_table(self.path):
            for column in read_line_batches(self.path, size, encoding):
                yield FilePart({"": column}, None)
        else:
            yield from self._table_parts(size, encoding)

    def _table_parts(self, size: int | None, encoding: str) -> Iterator[FilePart]:
        """Yields `size` rows of a table at once."""
        further = [self.id_column, self.document_column, self.id_further]
        further.append(ID if self.has_epochs or self.has_empty_ids else "")
        names = dict.fromkeys([*self.names, *filter(None, further)])
        for table in read_column_batches(self.path, list(names), None, size, encoding):
            if self.has_empty_ids:
                check_no_ids(table[ID])
            ids = ids_of(table[self.id_column]) if self.id_column else None
            documents = ids_of(table[self.document_column]) if self.document_column else None
            clusters = table[ID].texts() if self.has_epochs else None
            if ids and self.id_further:
                pairs = zip(ids, table[self.id_further].values, strict=True)
                ids = [f"{key}, {self.id_further} {_number_text(value)}" for key, value in pairs]
            part = FilePart({name: table[name] for name in self.names}, ids, clusters, documents)
            part = part._replace(of_recordings=self.id_column == AUDIO)
            yield grouped_references(part, self.references) if self.references and size is None else part


def _number_text(value: Any) -> str:
    """Returns a number as text, the same for 0, 0.0 and "0"; anything else as it is."""
    try:
        return f"{float(value):.12g}"
    except (TypeError, ValueError):
        return str(value)


def source_of(
    path: str, scored: Sequence[str], further: Sequence[str], id_column: str | None, flag: str, encoding: str
) -> Source:
    """Returns the source for a file.

    Args:
        path: of the file.
        scored: the named columns of a table; without a name, its one text column.
        further: other columns of a table.
        id_column: with ids; None for "id" where there is one, "" for none.
        flag: option that names the scored column.
        encoding: of a file of text.
    """
    if Path(path).is_dir():
        return Source(path, [], of_recordings=True)
    if not is_table(path):
        if id_column and not is_transcript(path):
            raise InputError(f"--id-column {id_column}: {shown_path(path)} is a text file, whose lines have no ids")
        is_line_file = not is_transcript(path) and flag in KINDS
        return Source(path, [], of_fairseq=KINDS[flag] if is_line_file and is_fairseq(path, encoding) else "")
    records = first_records(path, encoding)
    alike = [name for name in column_names(records) if name.strip().lower() == ID]
    has_empty_ids = False
    if id_column is None and ID in alike:
        has_empty_ids = all(ID in record and is_no_id(record[ID]) for record in records)
        if not all(is_no_id(record.get(ID)) for record in records):
            id_column = ID  # of all rows: one without is an error
    has_epochs = is_of_epochs(path, encoding)
    id_further = EPOCH if has_epochs else ""
    if id_column is None and are_captions(records):
        id_column = IMAGE
    if id_column is None and is_manifest(records):
        id_column = AUDIO
        id_further = OFFSET if all(OFFSET in record for record in records) else ""
    names = list(scored) or [_scored_column(path, records, [*further, *alike, id_column], flag)]
    unused = alike[0] if alike and id_column is None else ""
    source = Source(path, [*names, *further], not scored, id_column or None, has_epochs, unused, id_further)
    of_references = tuple(names) if flag == "--reference-column" and id_column else ()
    source = source._replace(references=of_references, has_empty_ids=has_empty_ids)
    if scored:
        return source
    cells = [record.get(names[0]) for record in records]
    is_doubted = looks_like_text(path, names[0], cells)
    return source._replace(is_doubted=is_doubted, is_like_cells=could_be_text(path, names[0], cells))


def _scored_column(path: str, records: Sequence[dict[str, Any]], taken: Sequence[str | None], flag: str) -> str:
    """Returns the column to score of a table: as the table is a manifest or not."""
    role = OF_MANIFESTS.get(flag)
    return role if role and is_manifest(records) else text_column(path, records, taken, flag)


def read_side_by_side(
    sources: Sequence[Source], reference: str, size: int | None, encoding: str
) -> Iterator[list[FilePart]]:
    """Yields the same rows of all files: matched by id where all files have ids, else by place.

    Args:
        sources: the files; the order of rows is that of the first.
        reference: the file with the segments that words with times belong to.
        size: rows at once; None for all.
        encoding: of files of text.

    Raises:
        InputError: files of different lengths, ids without a partner or there twice; names file and line.
    """
    readers = [source.parts(reference, size, encoding) for source in sources]
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
        if source.of_fairseq and part:
            check_counted(part.scored, _without_ids(sources))
    if any(part.ids != having[0].ids for part in having):
        raise _no_ids_to_match(sources, having)


def _without_ids(sources: Sequence[Source]) -> str:
    """Returns the first file that has no ids."""
    return shown_path(next(source.path for source in sources if not source.has_ids))


def check_kaldi(sources: Sequence[Source]) -> None:
    """Raises InputError for a file that is called `text` beside one without ids: its lines may be texts alone."""
    kaldi = [source.path for source in sources if is_kaldi(source.path)]
    without = [shown_path(source.path) for source in sources if not source.has_ids]
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
        f'and {_without_ids(sources)} has no ids; add ids there, or pass --id-column "" to match rows by order'
    )


def _different_lengths(
    sources: Sequence[Source], seen: int, parts: Sequence[FilePart | None], readers: Sequence[Iterator[FilePart]]
) -> InputError:
    """Returns an error with the lengths of two files, which an empty last line may explain."""
    sizes, last = [], []
    for part, reader in zip(parts, readers, strict=True):
        left = [part, *reader] if part else []
        sizes.append(seen + sum(of_file.size for of_file in left))
        last.append(left[-1].scored.values[-1] if left else None)
    differing = next(index for index, size in enumerate(sizes) if size != sizes[0])
    longer = 0 if sizes[0] > sizes[differing] else differing
    first_path = shown_path(sources[0].path)
    path = shown_path(sources[differing].path)
    unit = "row" if any(is_table(source.path) for source in sources) else "line"
    hint = f"the last line of {shown_path(sources[longer].path)} is empty; " if last[longer] == "" else ""
    for folder in (source.path for source in sources if source.of_recordings):
        hint += f"{folder} is a folder, which is read as one system with a file for each recording; "
    return InputError(
        f"{first_path} has {sizes[0]} {unit}s and {path} {sizes[differing]}; {hint}{unit} 1 of each belongs to "
        "segment 1, and so on"
    )


def reading_notes(sources: Sequence[Source], id_column: str | None) -> list[str]:
    """Returns notes on decisions of the program: which columns are read, and that rows are matched by order."""
    guessed = [source for source in sources if source.is_guessed]
    columns = say("comma").join(say("note_of_file", column=source.names[0], path=source.path) for source in guessed)
    notes = [say("note_column", columns=columns)] if columns else []
    without = [shown_path(source.path) for source in sources if not source.has_ids]
    # lines of fairseq belong to those of such a file by their numbers
    are_numbered = any(source.of_fairseq for source in sources)
    if without and len(without) < len(sources) and id_column is None and not are_numbered:
        notes.append(say("note_no_ids", path=without[0]))
    unused = [source for source in sources if source.unused]
    notes += [say("note_unused_ids", column=source.unused, path=source.path) for source in unused[:1]]
    notes += _header_notes(guessed)
    logs = [source.path for source in sources if source.has_epochs]
    return [*notes, *map(epochs_note, logs[:1])]


def _header_notes(guessed: Sequence[Source]) -> list[str]:
    """Returns notes on names of columns that look like texts, or that are nearly equal in two files."""
    doubted = {source.path: source.names[0] for source in guessed if source.is_doubted}
    for first, second in itertools.combinations([source for source in guessed if source.is_like_cells], 2):
        if are_nearly_equal(first.names[0], second.names[0]):
            doubted = {first.path: first.names[0], second.path: second.names[0], **doubted}
    return [say("note_header", path=path, name=f"{name:.40}") for path, name in doubted.items()]


def epochs_note(path: str) -> str:
    """Returns notes on a log whose samples were answered more than once."""
    return say("note_epochs", path=path)
