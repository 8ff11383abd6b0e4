"""Phrases of a table that segments have: counts beside the rows of a metric, which would need a column for each."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .columns import ranges
from .errors import InputError


class PhraseCounts(NamedTuple):
    """Which phrases of a table each segment has, in entries, segment by segment.

    Entries add up, and a segment may have several of one phrase. As lists of Arrow, for Parquet: the offsets are
    `np.append(0, np.cumsum(sizes))`, and the values those of the last three arrays.
    """

    table: Sequence[str]  # all phrases
    sizes: np.ndarray  # (n_segments,) how many entries each segment has
    phrases: np.ndarray  # (n_entries,) places in the table; a text of the segment has the phrase
    wanted: np.ndarray  # (n_entries,) how often the reference that counts has it
    missed: np.ndarray  # (n_entries,) how many of these the prediction misses

    def of_segments(self, segments: Sequence[int]) -> "PhraseCounts":
        """Returns the counts of some segments, in this order.

        >>> counts = phrase_counts(["책", "네"], {1: {0: (2, 1)}, 2: {1: (1, 0)}}, n_segments=3)
        >>> counts.of_segments([2, 0]).sizes.tolist(), counts.of_segments([2, 0]).phrases.tolist()
        ([1, 0], [1])
        """
        sizes = self.sizes[segments]
        starts = np.cumsum(self.sizes) - self.sizes
        entries = ranges(starts[segments], sizes)
        return PhraseCounts(self.table, sizes, self.phrases[entries], self.wanted[entries], self.missed[entries])

    def grouped(self, groups: np.ndarray, n_groups: int) -> "PhraseCounts":
        """Returns the counts of groups of neighbours, such as the streams of sessions.

        `groups` has the group of each segment, (n_segments,), which does not fall.

        >>> counts = phrase_counts(["책"], {0: {0: (2, 1)}, 2: {0: (1, 1)}}, n_segments=3)
        >>> counts.grouped(np.array([0, 0, 1]), 2).sizes.tolist()
        [1, 1]
        """
        sizes = np.bincount(groups.astype(np.intp), self.sizes, n_groups)
        return self._replace(sizes=sizes.astype(np.int64))

    def total(self) -> "PhraseCounts":
        """Returns the counts of all segments together, as if of one: an entry for each phrase.

        >>> counts = phrase_counts(["책", "네"], {0: {0: (2, 1)}, 1: {0: (1, 1)}}, n_segments=2)
        >>> counts.total().sizes.tolist(), counts.total().wanted.tolist(), counts.total().missed.tolist()
        ([1], [3], [2])
        """
        size = len(self.table)
        indices = self.phrases.astype(np.intp)  # a browser has indices of 32 bits
        phrases = np.flatnonzero(np.bincount(indices, minlength=size))
        wanted = np.bincount(indices, self.wanted, size).astype(np.int64)
        missed = np.bincount(indices, self.missed, size).astype(np.int64)
        return PhraseCounts(self.table, np.array([len(phrases)]), phrases, wanted[phrases], missed[phrases])

    def unused(self) -> list[str]:
        """Returns the phrases that no segment has.

        >>> phrase_counts(["책", "네"], {0: {1: (0, 0)}}, n_segments=1).unused()
        ['책']
        """
        is_used = np.zeros(len(self.table), dtype=bool)
        is_used[self.phrases] = True
        unused = np.flatnonzero(~is_used)
        return [self.table[index] for index in unused.tolist()]

    def most_missed(self) -> list[list]:
        """Returns [phrase, how often it is missed, how often references have it], the most often missed ones first.

        >>> phrase_counts(["책", "네"], {0: {0: (2, 1)}, 1: {1: (3, 2)}}, n_segments=2).most_missed()
        [['네', 2, 3], ['책', 1, 2]]
        """
        total = self.total()
        counts = [total.phrases.tolist(), total.missed.tolist(), total.wanted.tolist()]
        listed = []
        for index, missed, wanted in zip(*counts, strict=True):
            if missed:
                listed.append([self.table[index], missed, wanted])
        return sorted(listed, key=lambda entry: (-entry[1], entry[0]))


def phrase_counts(
    table: Sequence[str], found: Mapping[int, Mapping[int, tuple[int, int]]], n_segments: int
) -> PhraseCounts:
    """Returns counts of phrases.

    >>> counts = phrase_counts(["책", "네"], {1: {0: (2, 1)}}, n_segments=2)
    >>> counts.sizes.tolist(), counts.phrases.tolist(), counts.wanted.tolist(), counts.missed.tolist()
    ([0, 1], [0], [2], [1])

    Args:
        table: all phrases.
        found: by segment and by place in the table, how often the reference has the phrase, and how many are missed.
        n_segments: how many there are.
    """
    sizes = np.zeros(n_segments, dtype=np.int64)
    entries = []
    for segment, counts_by_phrase in sorted(found.items()):
        sizes[segment] = len(counts_by_phrase)
        for phrase, (wanted, missed) in counts_by_phrase.items():
            entries.append((phrase, wanted, missed))
    phrases, wanted, missed = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    return PhraseCounts(table, sizes, phrases, wanted, missed)


def join_phrase_counts(parts: Sequence[PhraseCounts]) -> PhraseCounts:
    """Returns the counts of all segments of several parts, one part after the other; their tables may differ.

    >>> parts = [phrase_counts(["책"], {0: {0: (2, 1)}}, 1), phrase_counts(["네", "책"], {0: {1: (1, 0)}}, 2)]
    >>> joined = join_phrase_counts(parts)
    >>> joined.table, joined.sizes.tolist(), joined.phrases.tolist(), joined.wanted.tolist()
    (['책', '네'], [1, 1, 0], [0, 0], [2, 1])
    """
    table = parts[0].table
    if any(part.table != table for part in parts[1:]):
        texts = itertools.chain.from_iterable(part.table for part in parts)
        table = list(dict.fromkeys(texts))
        parts = [_of_table(part, table) for part in parts]
    columns = {}
    for name in ("sizes", "phrases", "wanted", "missed"):
        columns[name] = np.concatenate([getattr(part, name) for part in parts])
    return PhraseCounts(table, **columns)


def _of_table(counts: PhraseCounts, table: Sequence[str]) -> PhraseCounts:
    """Returns the same counts with the places of a longer table."""
    index_of = {phrase: index for index, phrase in enumerate(table)}
    indices = np.array([index_of[phrase] for phrase in counts.table], dtype=np.int64)
    return counts._replace(table=table, phrases=indices[counts.phrases])


def check_phrases(counts: PhraseCounts, known: Iterable[str]) -> None:
    """Raises InputError for counts of phrases that are not in the table of the options."""
    in_table = {*known}
    unknown = [phrase for phrase in counts.table if phrase not in in_table]
    if unknown:
        raise InputError(
            f"phrases has {unknown[0]!r:.200}, which is not in weights; pass the weights that it was counted with"
        )


class RowsWithPhrases(NamedTuple):
    """The rows of segments, and beside them the phrases that these have; None for a metric without a table."""

    rows: np.ndarray
    phrases: PhraseCounts | None
