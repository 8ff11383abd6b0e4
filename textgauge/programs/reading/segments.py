"""Predictions that are segmented differently from the references, document by document: `--align-segments`."""

from collections.abc import Collection, Sequence

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS
from textgauge.meetings.resegmenting import align_segments

from ..errors import InputError
from ..saying.texts import say
from .columns import FileColumn, check_column
from .matching import FilePart, check_ids, matched

_SHOWN = 3  # documents


def cut_at_references(
    parts: Sequence[FilePart], systems: Sequence[tuple[int, str]], references: tuple[int, str], unit: str
) -> list[FilePart]:
    """Returns the files of a corpus, the predictions with the segments of the references.

    Args:
        parts: of whole files.
        systems: place and column of each system among them.
        references: place and column of the first references.
        unit: of `align_segments`.

    Raises:
        InputError: a document that one side does not have, references that are not of the same segments.
    """
    base = parts[references[0]]
    column = base.columns[references[1]]
    check_column(column, REFERENCES)
    of_systems = [place for place, _ in systems]
    cut_parts = []
    for place, part in enumerate(parts):
        if place not in of_systems and part is not base:
            part = _beside(base, part)
        elif references[0] in of_systems:
            _check_size(base, part)
        cut_parts.append(part._replace(ids=None))
    texts = [value if isinstance(value, str) else value[0] for value in column.values]
    for place, name in systems:
        cut_column = _cut(parts[place], name, base, column._replace(values=texts), unit)
        cut_parts[place] = cut_parts[place]._replace(columns={**cut_parts[place].columns, name: cut_column})
    return cut_parts


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
            f"{part.scored.path} has {part.size} rows, but {base.scored.path}, whose segments the predictions get, "
            f"has {base.size}; row 1 of each belongs to segment 1, and so on"
        )


def _cut(part: FilePart, name: str, base: FilePart, references: FileColumn, unit: str) -> FileColumn:
    """Returns the predictions of a file with the segments of the references."""
    predictions = part.columns[name]
    check_column(predictions, TEXTS)
    prediction_rows = _rows_in_time(part)
    reference_rows = _rows_in_time(base)
    # a file that names no document is one
    have_names = part.documents and base.documents
    if not have_names and len(prediction_rows) == len(reference_rows) == 1:
        prediction_rows = dict.fromkeys(reference_rows, *prediction_rows.values())
    _check_documents(predictions.path, prediction_rows, reference_rows)
    _check_documents(references.path, reference_rows, prediction_rows)

    cut_texts = [""] * len(references.values)
    for document, rows in reference_rows.items():
        spoken = [predictions.values[row] for row in prediction_rows[document]]
        segments = align_segments(spoken, [references.values[row] for row in rows], unit)
        for row, text in zip(rows, segments, strict=True):
            cut_texts[row] = text
    return FileColumn(predictions.what, cut_texts, predictions.path, "segment", range(1, len(cut_texts) + 1))


def _check_documents(path: str, documents: Collection[str], wanted: Collection[str]) -> None:
    """Raises InputError for a file without a document that the other side has."""
    missing = [document for document in wanted if document not in documents]
    if missing:
        has = ", ".join(filter(None, list(documents)[:_SHOWN])) or "no names of documents"
        raise InputError(
            f"{path}: there is no document {missing[0] or 'without a name'}, unlike on the other side; it has "
            f"{has}; a document is a recording, or a value of --id-column"
        )


def _rows_in_time(part: FilePart) -> dict[str, list[int]]:
    """Returns the rows of each document in the order of their starts; of a file that names none, all are one."""
    rows = range(part.size) if part.starts is None else np.argsort(part.starts, kind="stable").tolist()
    by_document: dict[str, list[int]] = {}
    for row in rows:
        document = part.documents[row] if part.documents else ""
        by_document.setdefault(document, []).append(row)
    return by_document


def cut_note(systems: Collection[str], references: FileColumn, unit: str) -> str:
    """Returns notes on predictions that were segmented again."""
    n = len(references.values)
    return say("note_cut", systems=", ".join(systems), n=n, path=references.path, unit=unit)


def check_whole(size: int | None) -> None:
    """Raises InputError for predictions in parts, because segmenting them needs all of them."""
    if size is not None:
        raise InputError("--align-segments needs whole files; leave out --stream")
