"""Predictions that were cut elsewhere than the references, document by document: `--align-segments`."""

from collections.abc import Collection, Sequence

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS
from textgauge.meetings.resegmenting import align_segments

from ..errors import InputError
from ..saying.texts import say
from .columns import FileColumn, check_column
from .matching import FilePart, check_ids, matched

_SHOWN = 3  # documents


def cut_at_references(parts: Sequence[FilePart], n_systems: int, column: str | None, unit: str) -> list[FilePart]:
    """Returns the files of a corpus, the predictions with the segments of the references.

    Args:
        parts: of whole files, first those of systems.
        n_systems: how many they are.
        column: with the references, in each system's table; None where they have a file, which is the next one.
        unit: of `align_segments`.

    Raises:
        InputError: no references, a document that one side does not have, references that are not of the same segments.
    """
    if column is None and len(parts) == n_systems:
        raise InputError("--align-segments cuts predictions where references are cut, and there are none")
    systems, others = parts[:n_systems], parts[n_systems:]
    base = parts[0] if column else others[0]
    said = base.columns[column] if column else base.scored
    check_column(said, REFERENCES)
    others = [*others[:1], *(_beside(others[0], part) for part in others[1:])]
    for part in systems if column else ():
        _check_size(base, part)
    firsts = [text if isinstance(text, str) else text[0] for text in said.values]
    said = said._replace(values=firsts)
    return [*(_cut(part, base, said, unit) for part in systems), *(part._replace(ids=None) for part in others)]


def _beside(base: FilePart, part: FilePart) -> FilePart:
    """Returns a further file of the same segments as the references, by id where both have ids, else by place."""
    if base.ids and part.ids:
        check_ids(part)
        return matched(base, part, is_whole=True)
    _check_size(base, part)
    return part


def _check_size(base: FilePart, part: FilePart) -> None:
    if part.size != base.size:
        raise InputError(
            f"{part.scored.path} has {part.size} rows, and {base.scored.path}, at whose segments predictions are cut, "
            f"has {base.size}; row 1 of each belongs to segment 1, and so on"
        )


def _cut(part: FilePart, base: FilePart, said: FileColumn, unit: str) -> FilePart:
    """Returns a file whose predictions have the segments of the references."""
    name, heard = next(iter(part.columns.items()))
    check_column(heard, TEXTS)
    texts, segments = _rows_in_time(part), _rows_in_time(base)
    if len(texts) == len(segments) == 1 and not (part.documents and base.documents):  # a file without names is one
        texts = dict.fromkeys(segments, *texts.values())
    for ours, theirs, column in ((texts, segments, heard), (segments, texts, said)):
        if alone := [document for document in theirs if document not in ours]:
            has = ", ".join(filter(None, list(ours)[:_SHOWN])) or "no names of documents"
            raise InputError(
                f"{column.path}: there is no document {alone[0] or 'without a name'}, as on the other side; it has "
                f"{has}; predictions are cut in each recording, or value of --id-column"
            )
    texts_anew = [""] * len(said.values)
    for document, rows in segments.items():
        cut = align_segments([heard.values[row] for row in texts[document]], [said.values[row] for row in rows], unit)
        for row, text in zip(rows, cut, strict=True):
            texts_anew[row] = text
    cut_anew = FileColumn(heard.what, texts_anew, heard.path, "segment", range(1, len(texts_anew) + 1))
    return FilePart({**part.columns, name: cut_anew}, None, notes=part.notes)


def _rows_in_time(part: FilePart) -> dict[str, list[int]]:
    """Returns the rows of each document in the order of their starts; of a file that names none, all are one."""
    rows = range(part.size) if part.starts is None else np.argsort(part.starts, kind="stable").tolist()
    by_document: dict[str, list[int]] = {}
    for row in rows:
        by_document.setdefault(part.documents[row] if part.documents else "", []).append(row)
    return by_document


def cut_note(systems: Collection[str], said: FileColumn, unit: str) -> str:
    """Returns what is said of predictions that were cut."""
    return say("note_cut", systems=", ".join(systems), n=len(said.values), path=said.path, unit=unit)


def check_whole(size: int | None) -> None:
    """Raises InputError for predictions that are to be cut anew, which takes all of them."""
    if size is not None:
        raise InputError("--align-segments needs whole files; leave out --stream")
