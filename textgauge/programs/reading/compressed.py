"""Files of text, compressed or not: opened with messages that name the line, and counted."""

import bz2
import codecs
import contextlib
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ..errors import InputError
from .further_packages import needed_by

try:
    import lzma
except ImportError:  # a browser's Python lacks it, and so does one that was built without the library
    lzma = None

_OPEN = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma and lzma.open}
COMPRESSED = (*_OPEN, ".zst")
# what these libraries raise for a file that is something else, or cut off
_NOT_COMPRESSED = (gzip.BadGzipFile, zlib.error, EOFError, *([lzma.LZMAError] if lzma else []))
_BYTES = 2**20  # read at once to count lines
_LONGEST_LINE = 2**26  # characters; a small compressed file may unpack into one line without end
STDIN = "-"
UTF8 = "utf-8"
_UTF16_STARTS = (b"\xff\xfe", b"\xfe\xff")


def known_encoding(name: str) -> str:
    """Returns Python's own name of an encoding of text; InputError where it knows none."""
    try:
        "".encode(name)
        return codecs.lookup(name).name
    except (LookupError, UnicodeError):  # the second for the one that is called undefined
        raise InputError(f"--encoding {name}: Python has no such encoding; pass utf-8, utf-16, cp949 ...") from None


def shown_path(path: str) -> str:
    """Returns the name of a file in messages."""
    return "standard input" if path == STDIN else path


def suffix_of(source: str) -> str:
    """Returns the ending of a file's name in lower case, without that of its compression."""
    path = Path(source)
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    return path.suffix.lower()


def is_pipe(path: str) -> bool:
    """Returns whether a file can be read only once: standard input, or what `<(command)` is in a shell."""
    return path == STDIN or Path(path).is_fifo()


def count_rows(source: str) -> int | None:
    """Returns the number of rows of a file, for text that of its lines (in UTF-16 about); None for a dataset."""
    path = Path(source)
    if path.suffix.lower() == ".parquet":
        with needed_by(f"{source}, a Parquet file,"):
            import pyarrow.parquet as pq
        return pq.read_metadata(path).num_rows
    if not path.is_file():
        return None
    with _binary(source) as file:
        count = 0
        last_byte = b"\n"
        while block := file.read(_BYTES):
            count += block.count(b"\n")
            last_byte = block[-1:]
        return count + (last_byte != b"\n")


def start_of(path: str) -> bytes:
    """Returns the first bytes of a file, unpacked."""
    with _binary(path) as file:
        return file.read(8)


class _Watched(io.FileIO):
    """A file that knows whether it was read to its end: bz2 and lzma stop silently at what is of another format."""

    is_at_end = False

    def read(self, size: int = -1) -> bytes:
        """Reads at most this number of bytes."""
        data = super().read(size)
        self.is_at_end = not data
        return data


@contextlib.contextmanager
def _binary(path: str) -> Iterator[IO[bytes]]:
    """Opens a file, compressed or not; InputError for one that is not what its name says."""
    suffix = Path(path).suffix.lower()
    try:
        if suffix == ".zst":
            with needed_by(f"{path}, compressed by zstd,"):
                import pyarrow as pa
            with pa.input_stream(path, compression="zstd") as file:
                yield io.BufferedReader(file)
        elif path == STDIN:
            yield io.BytesIO(sys.stdin.buffer.read())
        elif suffix == ".xz" and lzma is None:
            raise ImportError(f"{path}: this Python cannot read .xz files, because it was built without lzma")
        elif suffix in _OPEN:
            with _Watched(path) as raw, _OPEN[suffix](raw) as file:
                yield file
                if not raw.is_at_end and not file.read(1):
                    raise EOFError("the file goes on with other data")
        else:
            with open(path, "rb") as file:
                yield file
    except (*_NOT_COMPRESSED, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise InputError(f"{path} is not a {suffix} file, or is incomplete: {error}") from None


@contextlib.contextmanager
def opened(path: str, encoding: str = UTF8) -> Iterator[IO[str]]:
    """Opens a text file, compressed or not; InputError names the line of a byte that is not of the encoding."""
    try:
        with _binary(path) as file:
            yield io.TextIOWrapper(file, encoding=encoding, newline="\n")
    except UnicodeError as error:
        raise InputError(_bad_byte(path, encoding, error)) from None


def numbered_lines(path: str, encoding: str = UTF8) -> Iterator[tuple[int, str]]:
    """Yields number and text of each line, with its end.

    Raises:
        InputError: a line that is longer than any text, lines that end at CR alone, which are one here, or NUL, as
            UTF-16 has it.
    """
    shown = shown_path(path)
    with opened(path, encoding) as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), ""), start=1):
            if len(line) == _LONGEST_LINE:
                raise InputError(f"{shown}, line {number}: longer than {_LONGEST_LINE:,} characters, so it is not text")
            if "\0" in line:
                advice = ", or pass --encoding utf-16-le" if number == 1 else ""
                raise InputError(f"{shown}, line {number}: a NUL character; this is not text{advice}")
            if number == 1 and not line.endswith("\n") and "\r" in line[:-1]:
                raise InputError(f"{shown}: its lines end in CR (\\r) alone, as on old Macs; save it with LF (\\n)")
            yield number, line.removeprefix("\ufeff") if number == 1 else line


def _bad_byte(path: str, encoding: str, error: UnicodeError) -> str:
    """Returns where a file is not of the encoding; the decoder reads ahead, and knows no lines."""
    if is_pipe(path) or not _ends_lines_with_a_byte(encoding):
        advice = "; --encoding is of all files: save all in one encoding, such as UTF-8"
        if encoding == UTF8:
            advice = "; where all files are so, pass --encoding with the name of theirs"
        return f"{shown_path(path)}: {_reason(encoding, error)}{advice}"
    start = b""
    with _binary(path) as file:
        for number, line in enumerate(file, start=1):
            start = start or line[:2]
            try:
                line.decode(encoding)
            except UnicodeDecodeError as found:
                advice = _advice(start, line) if encoding == UTF8 else _advice_for(line)
                return f"{path}, line {number}: {_reason(encoding, found)}{advice}"
    return f"{path}: {_reason(encoding, error)}"


def _reason(encoding: str, error: UnicodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte 0x{error.object[error.start]:02x} is not {encoding.upper()} ({error.reason})"
    return f"this is not {encoding.upper()}: {error}"


def _advice(start: bytes, line: bytes) -> str:
    """Returns advice on a file that is not UTF-8: Windows writes UTF-16, and in Korea CP949."""
    name = "utf-16" if start in _UTF16_STARTS else "cp949"
    try:
        text = line.decode(name).strip() if name == "cp949" else ""
    except UnicodeDecodeError:
        return "; save the file as UTF-8, or, where all files are so, pass --encoding"
    shown = f", which reads {text!r:.40}" if text else ""
    return f"; it may be {name.upper()}{shown}: save it as UTF-8 (or, where all files are so, pass --encoding {name})"


def _advice_for(line: bytes) -> str:
    """Returns advice on a file that is not of the named encoding."""
    try:
        text = line.decode(UTF8).strip()
    except UnicodeDecodeError:
        return ""
    return f"; as UTF-8 it reads {text!r:.40}: leave out --encoding, and save the other files as UTF-8"


def _ends_lines_with_a_byte(encoding: str) -> bool:
    return "\n".encode(encoding) == b"\n"
