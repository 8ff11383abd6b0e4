"""Predictions that were cut elsewhere than the references, document by document: `--align-segments`."""

from collections.abc import Collection, Sequence

from textgauge.core.columns import REFERENCES, TEXTS
from textgauge.meetings.resegmenting import align_segments

from .columns import FileColumn, check_column
from .file_parts import FilePart

_SHOWN = 3  # documents


def cut_at_references(parts: Sequence[FilePart], n_systems: int, column: str | None, unit: str) -> list[FilePart]:
    """Returns the files of a corpus, the predictions with the segments of the references.

    Args:
        parts: of whole files, first those of systems; `ids` are the documents that rows belong to.
        n_systems: how many they are.
        column: with the references, in the first system's table; None where they have a file, which is the next one.
        unit: of `align_segments`.

    Raises:
        ValueError: no references, a document that one side does not have, files of other lengths beside them.
    """
    if column is None and len(parts) == n_systems:
        raise ValueError("--align-segments cuts predictions where references are cut, and there are none")
    base = parts[n_systems] if column is None else parts[0]
    said = base.scored if column is None else base.columns[column]
    check_column(said, REFERENCES)
    first = [text if isinstance(text, str) else text[0] for text in said.values]
    for part in parts[n_systems:]:
        if part.size != len(first):
            raise ValueError(
                f"{part.scored.path} has {part.size} rows, and {said.path}, at whose segments predictions are cut, has "
                f"{len(first)}; row 1 of each belongs to segment 1, and so on"
            )
    return [
        *(_cut(part, said._replace(values=first), base.ids, unit) for part in parts[:n_systems]),
        *(part._replace(ids=None) for part in parts[n_systems:]),
    ]


def _cut(part: FilePart, said: FileColumn, documents: list[str] | None, unit: str) -> FilePart:
    """Returns a file whose predictions have the segments of the references."""
    name, heard = next(iter(part.columns.items()))
    check_column(heard, TEXTS)
    texts, segments = _rows_of(heard, part.ids), _rows_of(said, documents)
    if len(texts) == len(segments) == 1:  # a file without documents is one
        texts = dict.fromkeys(segments, *texts.values())
    for ours, theirs, column in ((texts, segments, heard), (segments, texts, said)):
        if alone := [document for document in theirs if document not in ours]:
            has = ", ".join(filter(None, list(ours)[:_SHOWN])) or "no names of documents"
            raise ValueError(
                f"{column.path}: there is no document {alone[0] or 'without a name'}, as on the other side; it has "
                f"{has}; predictions are cut in each recording, or value of --id-column"
            )
    found = [""] * len(said.values)
    for document, rows in segments.items():
        cut = align_segments([heard.values[row] for row in texts[document]], [said.values[row] for row in rows], unit)
        for row, text in zip(rows, cut, strict=True):
            found[row] = text
    cut_anew = FileColumn(heard.what, found, heard.path, "segment", range(1, len(found) + 1))
    return FilePart({**part.columns, name: cut_anew}, None)


def _rows_of(column: FileColumn, documents: list[str] | None) -> dict[str, list[int]]:
    """Returns the rows of each document; of a file that names none, all are one."""
    found: dict[str, list[int]] = {}
    for row in range(len(column.values)):
        found.setdefault(documents[row] if documents else "", []).append(row)
    return found


def cut_note(systems: Collection[str], said: FileColumn, unit: str) -> str:
    """Returns what is said of predictions that were cut."""
    return f"{', '.join(systems)}: cut anew at the {len(said.values)} segments of {said.path}, by {unit}"


def check_whole(size: int | None) -> None:
    """Raises ValueError for predictions that are to be cut anew, which takes all of them."""
    if size is not None:
        raise ValueError("--align-segments needs whole files; leave out --stream")
