"""Rows on disk in parts, one for each batch: a run that was killed goes on with the parts that are there."""

import json
import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from textgauge.core.phrase_counts import PhraseCounts, RowsWithPhrases, phrase_counts

from ..errors import InputError
from ..reading.corpus import Corpus
from ..reading.data_digests import Data
from ..reading.stored_columns import opened_parquet
from .outputs import write_files
from .row_files import PART, UNFINISHED, WHOLE, metadata_of, rows_in
from .row_writing import (
    FORMAT,
    columns_of_segments,
    data_of_system,
    description,
    metadata,
    score_columns,
    statistic_columns,
    write_parquet,
)
from .specs import Scorer

_PHRASES = "phrases"  # by label [place in the table of the metric, wanted, missed]
_KEY_LENGTH = 64  # hexadecimal digits

BatchRows = dict[tuple[str, str], RowsWithPhrases]  # (system, label of the metric) -> rows of a batch


class RowStore:
    """A folder for each system, with a part for each batch.

    A part has the fingerprint of the texts, names and metrics that it is of, and is made again only if these have
    changed. The end deletes the key of the fingerprints, as the digest of a short part would give its texts away, and
    writes `_common_metadata`: what the parts are together. Until then the run has not ended.
    """

    def __init__(self, folders: Mapping[str, Path], first: Corpus, scorers: Sequence[Scorer], learned: str) -> None:
        """Takes the folder of each system, its first batch, and the metrics as their tables have been read.

        `learned` names the data that metrics have learned from, if any has: their rows depend on all of it.
        """
        self.folders = folders
        self.scorers = scorers
        self.learned = learned
        self.abouts: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, bytes] = {}
        data = first.with_data().data  # each part has its own
        for system, folder in folders.items():
            columns = columns_of_segments(first, system)
            self.abouts[system] = description(system, scorers, data, None, [*columns])
            folder.mkdir(parents=True, exist_ok=True)
            # first, so that no old end is ever beside parts of this run
            (folder / WHOLE).unlink(missing_ok=True)
            self.keys[system] = _key_of(folder)

    @property
    def folder(self) -> Path:
        """The folder of the system, or that of the folders of several."""
        first, *others = self.folders.values()
        return first.parent if others else first

    def read(self, number: int, batch: Corpus) -> BatchRows | None:
        """Returns the rows of a batch, which has its digests; None where a part is missing, or is of something else."""
        rows: BatchRows = {}
        for system, folder in self.folders.items():
            try:
                with opened_parquet(str(folder / _file(number))) as parquet:
                    stored = metadata_of(parquet.schema_arrow.metadata or {})
                    if not isinstance(stored, dict) or stored.get(PART) != self._fingerprint(system, batch):
                        return None
                    table = parquet.read()
            except (InputError, OSError):
                return None
            for scorer in self.scorers:
                phrases = _phrases(scorer, stored[_PHRASES])
                rows[system, scorer.label] = RowsWithPhrases(rows_in(table, scorer.label), phrases)
        return rows

    def write(self, number: int, batch: Corpus, rows: BatchRows) -> None:
        """Writes the part of each system."""
        for system, folder in self.folders.items():
            columns: dict[str, Any] = columns_of_segments(batch, system)
            phrases = {}
            for scorer in self.scorers:
                of_metric = rows[system, scorer.label]
                columns.update(score_columns(scorer, of_metric.rows))
                columns.update(statistic_columns(scorer.label, of_metric.rows))
                if of_metric.phrases is not None:
                    phrases[scorer.label] = _entries(of_metric.phrases)
            about = {"format": FORMAT, PART: self._fingerprint(system, batch), _PHRASES: phrases}
            write_parquet(folder / _file(number), columns, metadata(about))

    def finish(self, n_parts: int, scorers: Sequence[Scorer], size: int, data: Data, references: Any) -> None:
        """Says what all parts are together, without those of an earlier and longer run, and forgets the keys.

        Args:
            n_parts: how many there are.
            scorers: the metrics as they were asked for.
            size: number of segments.
            data: all of it.
            references: as `description` takes them.
        """
        for system, folder in self.folders.items():
            further = sorted(folder.glob(_file("*")))[n_parts:]
            halves = folder.glob(f".{_file('*')}.*.part")  # of runs that were killed while they wrote
            for file in (*further, *halves):
                file.unlink()
            columns = self.abouts[system]["columns"]
            about = description(system, scorers, data, references, columns)
            write_parquet(folder / WHOLE, {}, metadata({**about, "segments": size}))
            (folder / UNFINISHED).unlink()

    def _fingerprint(self, system: str, batch: Corpus) -> str:
        """Returns what tells the rows of a batch from those of others; it says nothing without the key."""
        about = {
            **self.abouts[system],
            "data": data_of_system(batch.data, system),
            "columns": columns_of_segments(batch, system),
            "learned": self.learned,
        }
        return blake2b(json.dumps(about).encode(), key=self.keys[system]).hexdigest()


def _key_of(folder: Path) -> bytes:
    """Returns the random key of the run that has not ended in a folder; a new one where the last run has ended."""
    path = folder / UNFINISHED
    key = path.read_bytes() if path.is_file() else b""
    if len(key) != _KEY_LENGTH:  # an empty one would be no key
        write_files({path: secrets.token_hex(_KEY_LENGTH // 2)})
    return path.read_bytes()


def _file(number: int | str) -> str:
    return f"part-{number:08}.parquet" if isinstance(number, int) else f"part-{number}.parquet"


def _entries(phrases: PhraseCounts) -> list[list[int]]:
    """Returns the phrases of a batch together, without their texts: place in the table, wanted, missed."""
    total = phrases.total()
    columns = [total.phrases.tolist(), total.wanted.tolist(), total.missed.tolist()]
    return [list(entry) for entry in zip(*columns, strict=True)]


def _phrases(scorer: Scorer, entries_by_label: Mapping[str, list[list[int]]]) -> PhraseCounts | None:
    """Returns the phrases of a part; None for a metric without a table."""
    if scorer.label not in entries_by_label:
        return None
    nothing = scorer.metric.statistics_with_phrases(**{name: [] for name in scorer.metric.COLUMNS}, **scorer.options)
    found = {place: (wanted, missed) for place, wanted, missed in entries_by_label[scorer.label]}
    return phrase_counts(nothing.phrases.table, {0: found}, n_segments=1)
