"""What a long run keeps on disk, to go on after it was killed, and the scores of the segments and rows as Parquet."""

import contextlib
import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, is_input_error
from ..reading.further_packages import needed_by
from .console import note
from .row_files import metadata

_SECONDS = 30  # between two savings
_GROUP = 2**17  # rows of a group in the finished file


class _Parts:
    """A Parquet file that is written in parts, which are joined at the end."""

    def __init__(self, folder: Path, name: str, target: Path, what: str) -> None:
        """Takes the folder of the parts, how their names begin, the file in the end, and the option that wants it."""
        self.folder, self.name, self.target, self.what = folder, name, target, what
        self.writer: Any = None

    def add(self, part: int, columns: Mapping[str, Any]) -> None:
        """Adds rows to a part."""
        with needed_by(self.what):
            import pyarrow as pa
            import pyarrow.parquet as pq
        table = pa.table(dict(columns))
        path = self.path(part)
        with _naming(path):
            if self.writer is None:
                self.writer = pq.ParquetWriter(path, table.schema, compression="zstd")
            self.writer.write_table(table)

    def close(self, part: int) -> None:
        """Ends a part, if it has begun."""
        if self.writer is not None:
            with _naming(self.path(part)):
                self.writer.close()
            self.writer = None

    def keep(self, n_parts: int) -> None:
        """Deletes files that are not complete parts."""
        complete = [self.path(index) for index in range(n_parts)]
        for part in self.folder.glob(f"{self.name}-*.parquet"):
            if part not in complete:
                part.unlink()

    def join(self, n_parts: int, metadata: Mapping[str, str]) -> None:
        """Writes the file of all parts."""
        self.target.parent.mkdir(exist_ok=True)
        _replace(self.target, lambda path: self._join(path, n_parts, metadata))

    def _join(self, path: Path, n_parts: int, metadata: Mapping[str, str]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = pq.read_schema(self.path(0)).with_metadata(dict(metadata))
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            for index in range(n_parts):
                with pq.ParquetFile(self.path(index)) as part:
                    for batch in part.iter_batches(_GROUP):
                        writer.write_batch(pa.record_batch(batch.columns, schema=schema))

    def path(self, index: int) -> Path:
        """Returns the file of a part."""
        return self.folder / f"{self.name}-{index:06}.parquet"


class Checkpoint:
    """A folder with the state of a run and the scores and rows of its segments so far, around a `with` block.

    Without an exception, the block ends with one file of all segments for each target, and without the folder. Nor
    does the folder outlive bad input, since a run with other input starts again.
    """

    def __init__(
        self, folder: Path, run: Mapping[str, Any], segment_file: Path | None, row_files: Mapping[str, Path]
    ) -> None:
        """Makes the folder, or takes it up if it is of the same run.

        Args:
            folder: of the checkpoint; gone when the run is done.
            run: plain data that tells one run from another: files, metrics, options.
            segment_file: where the scores of the segments are written, if anywhere.
            row_files: where the rows of the systems are written, if anywhere.

        Raises:
            InputError: the folder belongs to another run, or is not a checkpoint.
        """
        self.folder = folder
        self.row_files = row_files
        self.parts = 0  # that are complete
        self.about: dict[str, dict[str, Any]] = {}  # of the rows of each system, in the end
        self.of_scores = _Parts(folder, "segments", segment_file, "--segment-file") if segment_file else None
        self.of_rows = {}
        for number, (system, path) in enumerate(row_files.items()):
            self.of_rows[system] = _Parts(folder, f"rows-{number:04}", path, "--rows")
        self.saved_at = time.monotonic()
        run_file = folder / "run.json"
        text = json.dumps(run, ensure_ascii=False, indent=1)
        # one that is empty is of a run whose disk was full at its start
        is_taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
        is_same_run = run_file.is_file() and run_file.read_text(encoding="utf-8", errors="replace") == text
        if is_taken and not is_same_run:
            raise InputError(f"{folder} is the checkpoint of another run; delete it, or pass another --checkpoint")
        folder.mkdir(exist_ok=True)
        _replace(run_file, lambda part: part.write_text(text, encoding="utf-8"))

    def load(self) -> dict[str, np.ndarray] | None:
        """Returns the state that was saved last; None at the start of a run."""
        path = self.folder / "state.npz"
        state = None
        if path.is_file():
            state = _saved_arrays(path)
            self.parts = int(state.pop("parts"))
        for file in self._files():
            file.keep(self.parts)
        return state

    def add(
        self,
        segments: int,
        scores: Mapping[str, np.ndarray],
        rows: Mapping[str, Mapping[str, Any]],
        state: Callable[[], dict[str, np.ndarray]],
    ) -> None:
        """Takes scores and rows of a batch, which ends with segment number `segments`; saves the state now and then.

        `rows` are the columns of each system's file of rows.
        """
        if self.of_scores:
            size = len(next(iter(scores.values())))
            numbers = np.arange(segments - size, segments) + 1
            self.of_scores.add(self.parts, {"segment": numbers, **scores})
        for system, columns in rows.items():
            self.of_rows[system].add(self.parts, columns)
        if time.monotonic() - self.saved_at >= _SECONDS:
            self._close()
            arrays = {**state(), "parts": np.array(self.parts)}
            _replace(self.folder / "state.npz", lambda part: _save(part, arrays))
            self.saved_at = time.monotonic()

    def __enter__(self) -> "Checkpoint":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: Any) -> None:
        self._close()
        if kind is None:
            if self.of_scores:
                self.of_scores.join(self.parts, {})
            for system, file in self.of_rows.items():
                file.join(self.parts, metadata(self.about[system]))
        if error is None or is_input_error(error):
            shutil.rmtree(self.folder)
        elif issubclass(kind, KeyboardInterrupt):
            is_saved = (self.folder / "state.npz").exists()
            goes_on = f"goes on where it was saved last, in {self.folder}" if is_saved else "starts again"
            note(f"stopped; the same command {goes_on}")

    def _files(self) -> list[_Parts]:
        return [*filter(None, [self.of_scores]), *self.of_rows.values()]

    def _close(self) -> None:
        if any(file.writer for file in self._files()):
            for file in self._files():
                file.close(self.parts)
            self.parts += 1


def _saved_arrays(path: Path) -> dict[str, np.ndarray]:
    """Reads a file of `_save`; InputError for another file in its place."""
    try:
        with np.load(path) as arrays:
            return dict(arrays)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is damaged: {error}; the same command starts again") from None


def _save(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    with open(path, "wb") as file:  # a name would get ".npz" behind it
        np.savez(file, **arrays)


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Writes a file under another name and then renames it, so that it is never there in part."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _naming(path):
            write(part)
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Has an error of the disk name the file; those of Arrow and numpy name none."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, reason, str(path)) from None
