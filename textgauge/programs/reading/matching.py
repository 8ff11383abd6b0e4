"""Rows of files that belong together: by ids, by names of recordings, and several rows of one id as references."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ..errors import InputError
from ..saying.texts import say
from .columns import FileColumn
from .folders import KINDS
from .recognisers import SOUNDS
from .rows import UNNAMED

_SHOWN = 3  # ids without a partner
_NO_OFFSET = ", offset 0"


class FilePart(NamedTuple):
    """What is read of one file at once."""

    columns: dict[str, FileColumn]  # by name; what is scored comes first
    ids: list[str] | None  # of the rows, where the file has them; each once
    clusters: list[str] | None = None  # what rows belong to, of a log with several answers to one question
    documents: list[str] | None = None  # within which predictions are segmented again, where rows name them
    starts: list[float] | None = None  # of utterances, likewise
    notes: tuple[str, ...] = ()  # what was decided when it was read and matched
    of_recordings: bool = False  # whether its ids are those of recordings: of a folder or a manifest

    @property
    def scored(self) -> FileColumn:
        """The predictions, references or whatever the file was named for."""
        return next(iter(self.columns.values()))

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.scored.values)

    def ordered(self, rows: Sequence[int]) -> "FilePart":
        """Returns these rows of a file that has ids."""
        columns = {name: column.ordered(rows) for name, column in self.columns.items()}
        return self._replace(
            columns=columns,
            ids=_rows_of(self.ids, rows),
            clusters=_rows_of(self.clusters, rows),
            documents=_rows_of(self.documents, rows),
            starts=_rows_of(self.starts, rows),
        )


def _rows_of(values: Any, rows: Sequence[int]) -> Any:
    """Returns these rows of what a file has for each; a file without it stays without."""
    return values and [values[row] for row in rows]


def is_no_id(value: Any) -> bool:
    """Returns whether a cell for an id is empty: null, an empty text, or nan, which pandas writes for a gap."""
    return value is None or value == "" or value != value


def check_no_ids(column: FileColumn) -> None:
    """Raises InputError for an id in a column of ids whose first rows have none: all rows have one, or none has."""
    for row, value in enumerate(column.values):
        if not is_no_id(value):
            raise InputError(
                f"{column.place(row)}: {column.what} is {value!r:.40}, but the first rows have no id; fill in all, or "
                'pass --id-column "", which matches rows by order'
            )


def ids_of(column: FileColumn) -> list[str]:
    """Returns ids as text in one Unicode form; InputError for a row that has none."""
    for row, value in enumerate(column.values):
        if is_no_id(value):
            raise InputError(
                f'{column.place(row)}: {column.what} is {value!r:.200}, not an id; --id-column "" matches rows by order'
            )
    return [unicodedata.normalize("NFC", text) for text in column.texts()]


def matched(first: FilePart, part: FilePart, is_whole: bool) -> FilePart:
    """Returns the rows of a file in the order of the first, by their ids, or by the names of recordings in them."""
    if part.ids == first.ids:
        return part
    ids = [*part.ids, *first.ids]
    if part.scored.unit == "session" and part.size == first.size == 1 and UNNAMED in ids:
        return part
    if not is_whole:
        raise InputError(
            f"{part.scored.path} and {first.scored.path} have different ids, or the same ids in another order; "
            "matching by id needs whole files: leave out --stream"
        )
    if set(first.ids) != set(part.ids):
        have_recordings = _have_recordings(first) or _have_recordings(part)
        if have_recordings and (by_recording := _matched_by_recording(first, part)):
            return by_recording
        _check_partners(first, part, have_recordings)
        _check_partners(part, first, have_recordings)
    rows = {key: row for row, key in enumerate(part.ids)}
    return part.ordered([rows[key] for key in first.ids])


def _check_partners(part: FilePart, counterpart: FilePart, have_recordings: bool) -> None:
    """Raises InputError for ids that the other file does not have."""
    known = set(counterpart.ids)
    alone = [row for row, key in enumerate(part.ids) if key not in known]
    if not alone:
        return
    shown = ", ".join(repr(part.ids[row]) for row in alone[:_SHOWN])
    shown += " ..." if len(alone) > _SHOWN else ""
    hint = ""
    if part.scored.unit == "utterance":
        hint = "; if predictions are segmented differently, pass --align-segments words"
    elif len(alone) == part.size and part.scored.unit in ("line", "row", "recording"):
        name = _recording(part.ids[alone[0]])
        of_recordings = f"; no recording has the same name either, such as {name!r}" if have_recordings else ""
        hint = f'{of_recordings}; --id-column "" matches rows by order'
    place = part.scored.place(alone[0])
    missing = f"{len(alone)} of {part.size} ids are missing: {shown}{hint}"
    raise InputError(f"{place}: {counterpart.scored.path} has no row with this id; {missing}")


def check_ids(part: FilePart, may_be_references: bool = False) -> None:
    """Raises InputError for an id that occurs twice.

    Args:
        part: a file, or some of its rows.
        may_be_references: whether several rows of one id were several references if the whole file were read.
    """
    key, count = Counter(part.ids).most_common(1)[0]
    if count == 1:
        return
    column = part.scored
    row = part.ids.index(key)
    place = column.place(part.ids.index(key, row + 1))
    whole = ""
    if may_be_references:
        whole = "leave out --stream, so that rows with the same id are several references, or "
    raise InputError(
        f"{place}: the id {key!r:.200} is also in {column.unit} {column.numbers[row]}; {whole}pass --id-column with a "
        'column of unique ids, or --id-column "" to match rows by order'
    )


def _recording(key: str) -> str:
    """Returns the name of the recording in an id: "call01" of "/data/wav/call01.wav"."""
    path = _path_of(key)
    return path.stem if path.suffix.lower() in (*SOUNDS, *KINDS) else path.name


def _path_of(key: str) -> PurePosixPath:
    return PurePosixPath(key.removesuffix(_NO_OFFSET).replace("\\", "/"))


def _have_recordings(part: FilePart) -> bool:
    """Returns whether the ids of a file are recordings: train/1 and test/1 are different ids."""
    endings = {_path_of(key).suffix.lower() for key in part.ids}
    return part.of_recordings or endings <= set(SOUNDS)


def _matched_by_recording(first: FilePart, part: FilePart) -> FilePart | None:
    """Returns the rows of a file in the order of the first by their recordings' names; None where these differ."""
    first_names = list(map(_recording, first.ids))
    names = list(map(_recording, part.ids))
    is_one_to_one = len(first_names) == len(names) == len(set(names))
    if set(first_names) != set(names) or not is_one_to_one:
        return None
    row_of = {name: row for row, name in enumerate(names)}
    rows = [row_of[name] for name in first_names]
    note = say("note_recordings", path=part.scored.path, own=part.ids[rows[0]], other=first.ids[0])
    ordered = part.ordered(rows)
    return ordered._replace(ids=first.ids, notes=(*part.notes, note))


def grouped_references(part: FilePart, scored: Sequence[str]) -> FilePart:
    """Returns one row for each id of a file of references: several rows of one id are several references.

    Args:
        part: of a whole file.
        scored: the columns with references; of others the first row of an id counts.
    """
    rows: dict[str, list[int]] = {}
    for row, key in enumerate(part.ids or ()):
        rows.setdefault(key, []).append(row)
    if part.ids is None or len(rows) == part.size:
        return part
    first = part.ordered([of_id[0] for of_id in rows.values()])
    columns = dict(first.columns)
    for name in columns.keys() & scored:
        values = _together(part.columns[name].values, rows.values())
        columns[name] = columns[name]._replace(values=values)
    note = say("note_rows_of_one_id", path=part.scored.path, ids=len(rows), n=part.size)
    return first._replace(columns=columns, notes=(*part.notes, note))


def _together(values: Sequence[Any], rows: Any) -> list[list[Any]]:
    """Returns for each id the texts of its rows."""
    return [_texts_of(values, of_id) for of_id in rows]


def _texts_of(values: Sequence[Any], rows: Sequence[int]) -> list[Any]:
    """Returns the texts of some rows; a cell is a text, or a list of texts."""
    texts: list[Any] = []
    for row in rows:
        cell = values[row]
        texts += cell if isinstance(cell, list) else [cell]
    return texts
