"""What a long run keeps on disk, to go on after it was killed, and the scores of the segments as Parquet."""

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

_SECONDS = 30  # between two savings
_GROUP = 2**17  # rows of a group in the finished file


class Checkpoint:
    """A folder with the state of a run and the scores of its segments so far, around a `with` block.

    Without an exception, the block ends with one file of all segments, and without the folder. Nor does the folder
    outlive bad input, since the run of other input starts anew.
    """

    def __init__(self, folder: Path, run: Mapping[str, Any], segment_file: Path | None) -> None:
        """Makes the folder, or takes it up if it is of the same run.

        Args:
            folder: of the checkpoint; gone when the run is done.
            run: plain data that tells one run from another: files, metrics, options.
            segment_file: where the scores of the segments are written, if anywhere.

        Raises:
            InputError: the folder belongs to another run, or is no checkpoint.
        """
        self.folder, self.segment_file = folder, segment_file
        self.parts = 0  # that are complete
        self.writer: Any = None
        self.saved_at = time.monotonic()
        known, text = folder / "run.json", json.dumps(run, ensure_ascii=False, indent=1)
        # one that is empty is of a run whose disk was full at its start
        is_taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
        if is_taken and (not known.is_file() or known.read_text(encoding="utf-8", errors="replace") != text):
            raise InputError(f"{folder} is the checkpoint of another run; delete it, or pass another --checkpoint")
        folder.mkdir(exist_ok=True)
        _replace(known, lambda part: part.write_text(text, encoding="utf-8"))

    def load(self) -> dict[str, np.ndarray] | None:
        """Returns the state that was saved last; None at the start of a run."""
        path = self.folder / "state.npz"
        state = None
        if path.is_file():
            state = _saved_arrays(path)
            self.parts = int(state.pop("parts"))
        for part in self.folder.glob("segments-*.parquet"):
            if part not in [self._part_path(index) for index in range(self.parts)]:
                part.unlink()
        return state

    def add(self, segments: int, scores: Mapping[str, np.ndarray], state: Callable[[], dict[str, np.ndarray]]) -> None:
        """Takes the scores of a batch, which ends with segment number `segments`, and saves the state now and then."""
        if self.segment_file:
            numbers = np.arange(segments - len(next(iter(scores.values()))), segments) + 1
            with needed_by("--segment-file"):
                import pyarrow as pa
                import pyarrow.parquet as pq
            table = pa.table({"segment": numbers, **scores})
            path = self._part_path(self.parts)
            with _naming(path):
                if self.writer is None:
                    self.writer = pq.ParquetWriter(path, table.schema)
                self.writer.write_table(table)
        if time.monotonic() - self.saved_at >= _SECONDS:
            self._close()
            arrays = {**state(), "parts": np.array(self.parts)}
            _replace(self.folder / "state.npz", lambda part: _save(part, arrays))
            self.saved_at = time.monotonic()

    def __enter__(self) -> "Checkpoint":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: Any) -> None:
        self._close()
        if kind is None and self.segment_file:
            _replace(self.segment_file, self._join)
        if error is None or is_input_error(error):
            shutil.rmtree(self.folder)
        elif issubclass(kind, KeyboardInterrupt):
            is_saved = (self.folder / "state.npz").exists()
            goes_on = f"goes on where it was saved last, in {self.folder}" if is_saved else "starts anew"
            note(f"stopped; the same command {goes_on}")

    def _join(self, path: Path) -> None:
        import pyarrow.parquet as pq

        schema = pq.read_schema(self._part_path(0))
        with pq.ParquetWriter(path, schema) as writer:
            for index in range(self.parts):
                with pq.ParquetFile(self._part_path(index)) as part:
                    for batch in part.iter_batches(_GROUP):
                        writer.write_batch(batch)

    def _close(self) -> None:
        if self.writer is not None:
            with _naming(self._part_path(self.parts)):
                self.writer.close()
            self.writer, self.parts = None, self.parts + 1

    def _part_path(self, index: int) -> Path:
        return self.folder / f"segments-{index:06}.parquet"


def _saved_arrays(path: Path) -> dict[str, np.ndarray]:
    """Returns what `_save` has written; InputError for another file in its place."""
    try:
        with np.load(path) as arrays:
            return dict(arrays)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is not what was saved: {error}; the same command starts anew") from None


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
