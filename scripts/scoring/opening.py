"""Files of text, compressed or not: opened with messages that name the line, and counted."""

import bz2
import contextlib
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_OPEN = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
# what these libraries raise for a file that is something else, or cut off
_NOT_COMPRESSED = (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError)
_BYTES = 2**20  # read at once to count lines


def count_rows(source: str) -> int | None:
    """Returns the number of rows of a file, for text that of its lines; None for a dataset."""
    path = Path(source)
    if path.suffix.lower() == ".parquet":
        import pyarrow.parquet as pq

        return pq.read_metadata(path).num_rows
    if not path.is_file():
        return None
    with _binary(source) as file:
        count, last = 0, b"\n"
        while block := file.read(_BYTES):
            count, last = count + block.count(b"\n"), block[-1:]
        return count + (last != b"\n")


@contextlib.contextmanager
def _binary(path: str) -> Iterator[IO[bytes]]:
    """Opens a file, compressed or not; ValueError for one that is not what its name says."""
    suffix = Path(path).suffix.lower()
    try:
        if suffix == ".zst":
            import pyarrow as pa

            with pa.input_stream(path, compression="zstd") as file:
                yield io.BufferedReader(file)
        else:
            with _OPEN.get(suffix, open)(path, "rb") as file:
                yield file
    except (*_NOT_COMPRESSED, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise ValueError(f"{path} is no {suffix} file, or not all of one: {error}") from None


@contextlib.contextmanager
def opened(path: str, newline: str) -> Iterator[IO[str]]:
    """Opens a text file in UTF-8, compressed or not; ValueError names the line of a byte that is something else."""
    try:
        with _binary(path) as file:
            yield io.TextIOWrapper(file, encoding="utf-8-sig", newline=newline)
    except UnicodeDecodeError:
        raise ValueError(f"{path}, {_bad_byte(path)}") from None


def _bad_byte(path: str) -> str:
    """Returns where a file is not UTF-8; the decoder reads ahead, and knows no lines."""
    with _binary(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return f"line {number}: byte 0x{line[error.start]:02x} is not UTF-8 ({error.reason})"
    raise AssertionError("only called where a decoder has failed")
