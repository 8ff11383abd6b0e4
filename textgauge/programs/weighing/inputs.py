"""The texts that weights come from: files of texts, or columns of a table."""

from collections.abc import Sequence

from textgauge.core.columns import REFERENCES, TEXTS

from ..errors import InputError
from ..reading.columns import FileColumn, check_column, read_column_batches
from ..reading.compressed import UTF8
from ..reading.file_parts import read_side_by_side, source_of


def texts_of(
    sources: Sequence[tuple[str, str | None, str | None]], data: str | None, split: str | None
) -> list[list[str]]:
    """Returns the texts of each source, as many of each; rows of tables and utterances are matched by their ids.

    Args:
        sources: (option, file, column) of each; all files, or all columns of `data`.
        data: the table.
        split: of a dataset.
    """
    columns = _columns(sources, data, split)
    for column in columns:
        check_column(column, TEXTS)
    return [column.values for column in columns]


def documents_of(path: str | None, data: str | None, split: str | None, name: str | None) -> list[list[str]]:
    """Returns a list of texts for each line, utterance or row, whose cell is a text or a list of texts."""
    (column,) = _columns([("--texts", path, name)], data, split, "--column")
    check_column(column, REFERENCES)
    if len(column.values) < 2:
        raise InputError(f"{column.path} has one text, so every phrase would weigh 0; pass at least two")
    return REFERENCES.check("texts", column.values)


def _columns(
    sources: Sequence[tuple[str, str | None, str | None]], data: str | None, split: str | None, flag: str | None = None
) -> list[FileColumn]:
    """Reads either files or columns; InputError for options that contradict one another, or that are missing."""
    wanted = " and ".join(flag or f"{option}-column" for option, _, _ in sources)
    options = " and ".join(option for option, _, _ in sources)
    if data is None:
        if split is not None or any(name is not None for _, _, name in sources):
            raise InputError(f"{wanted} and --split need --data FILE")
        if any(path is None for _, path, _ in sources):
            raise InputError(f"there are no texts; pass {options}, or --data with {wanted}")
        files = [source_of(path, [], [], None, "--data and a column", UTF8) for _, path, _ in sources]
        (parts,) = read_side_by_side(files, "", None, UTF8)
        return [part.scored for part in parts]
    if any(path is not None for _, path, _ in sources):
        raise InputError(f"pass either --data or {options}")
    if any(name is None for _, _, name in sources):
        raise InputError(f"--data {data} needs {wanted}")
    table = next(read_column_batches(data, [name for _, _, name in sources], split, None))
    return [table[name] for _, _, name in sources]
