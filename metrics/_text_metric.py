"""The base of metrics whose rows add up: rows to the corpus' score, segments and an interval.

Such a metric is two functions: `statistics` turns texts into one row of numbers per segment, and rows add up; `score`
turns a row, a sum of rows, or a stack of sums into named values. Everything else follows from them, here.
"""

import abc
from collections.abc import Mapping
from typing import Any
from typing import ClassVar

import numpy as np
from evaluate.utils.logging import tqdm

from ._bootstrap import CLUSTERS
from ._bootstrap import cluster_sums
from ._bootstrap import percentile_interval
from ._bootstrap import resample
from ._columns import clean_columns
from ._columns import row_sizes
from ._metric import Metric
from ._options import BOOTSTRAP
from ._options import FLAT
from ._options import PER_SEGMENT
from ._options import Option
from ._options import pick
from ._threads import map_in_threads
from ._threads import thread_count

CHUNK_ROWS, CHUNK_CHARACTERS = 1024, 2**20
_KEPT_BYTES = 2**24  # for the arrays of a chunk, by glibc


class Explanation(dict):
    """What `explain` returns: a dict, which a notebook draws if the folder scripts is among the paths of Python."""

    columns: Mapping[str, Any] = {}  # the segment, as `compute` takes it

    def _repr_html_(self) -> str | None:
        try:
            from reporting.notebook import explanation_html
        except ImportError:  # a metric from the Hub comes without the drawings
            return None
        return explanation_html(self, self.columns)


class TextMetric(Metric):
    """Base of metrics whose rows add up; a method that some metrics override names them."""

    USES_THREADS: ClassVar[bool] = False  # `_statistics` works on arrays most of the time, and changes nothing shared
    COMMON_OPTIONS: ClassVar[dict[str, Option]] = {
        "per_segment": PER_SEGMENT,
        "flat": FLAT,
        **BOOTSTRAP,
        "clusters": CLUSTERS,
    }

    @staticmethod
    @abc.abstractmethod
    def _statistics(**columns_and_options: Any) -> np.ndarray:
        """Returns rows that add up, (n_segments, n_statistics) float64, for one chunk of clean texts."""

    @staticmethod
    @abc.abstractmethod
    def _score(rows: np.ndarray, **options: Any) -> dict[str, np.ndarray]:
        """Returns named values, the headline first, for rows of shape (..., n_statistics)."""

    @staticmethod
    def _explain(**columns_and_options: Any) -> dict[str, Any]:
        """Returns what made the score of one segment, where the module has a function `explain`."""
        raise NotImplementedError("this metric has no explanation")

    def _prepare(self, columns: dict[str, Any], options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns columns and options for `_statistics`, with what is read once for the whole corpus.

        cer, hyter, meteor, perplexity, weighted_bleu, wer, and those that learn from references.
        """
        return columns, options

    def _extras(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns result values that rows cannot hold, for options as `_prepare` returned them.

        cer, weighted_bleu, wer.
        """
        return {}

    def _threads(self, options: Mapping[str, Any]) -> int:
        """Returns how many chunks to score at once: one where that is no faster, or not safe.

        The user's own tokenizer, Kiwi and MeCab are called from one thread; readings are found by Python code.
        """
        tokenizer, said = options.get("tokenizer", ""), self.OPTIONS.get("tokenizer")
        is_named = isinstance(tokenizer, str) and not (said and tokenizer in said.packages)
        is_array = is_named and options.get("readings") is None
        return thread_count() if self.USES_THREADS and is_array else 1

    def statistics(self, *, predictions, references=None, **kwargs) -> np.ndarray:
        """Returns one row per segment, (n_segments, n_statistics) float64; rows of any segments may be added.

        Takes the arguments of `compute`; the docstring of the metric's `statistics` says what is in a row.
        """
        columns, options = self._split({"predictions": predictions, "references": references, **kwargs})
        options = self._resolved_options(options)
        return self._rows(*self._prepare(self._checked(columns), options))

    def score(self, rows: np.ndarray, **options: Any) -> dict[str, np.ndarray]:
        """Returns the named values of a row, a sum of rows or a stack of sums (..., n_statistics), as arrays (...)."""
        _, options = self._split(options)
        options = self._resolved_options(options)
        return self._score(np.asarray(rows, dtype=np.float64), **pick(self._score, options))

    def result(self, rows: np.ndarray, resampled: np.ndarray | None = None, **options: Any) -> dict[str, Any]:
        """Returns what `compute` returns, from rows that came from anywhere: parts of a corpus, other machines, a file.

        Keys that rows cannot hold, such as `unused_keys` of weighted_bleu, are missing.

        Args:
            rows: of `statistics` with the same options, (n_segments, n_statistics); `segments` has their order.
            resampled: sums of rows drawn elsewhere, (resamples, n_statistics), for the interval; here otherwise.
            **options: as for `compute`.
        """
        _, options = self._split(options)
        options = self._resolved_options(options)
        rows = np.asarray(rows, dtype=np.float64)
        if rows.ndim != 2 or not len(rows):
            raise ValueError(f"nothing to score: rows has the shape {rows.shape}; pass (n_segments, n_statistics)")
        return self._shown(self._summary(rows, options, resampled), options)

    def explain(self, *, prediction, reference=None, **kwargs) -> dict[str, Any]:
        """Returns what made the score of one segment, in plain values; the metric's `explain` names the keys.

        Args:
            prediction: a string.
            reference: a string or a non-empty list of strings.
            **kwargs: the segment's entry of further columns, where the metric has them, and options, as for `compute`.
        """
        columns, options = self._split(kwargs)
        options = self._resolved_options(options)
        segment = self._checked(self._single(prediction, reference, columns))
        columns, options = self._prepare(segment, options)
        explanation = Explanation(self._explain(**self._cleaned(columns, options), **pick(self._explain, options)))
        explanation.columns = segment
        return explanation

    def _result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        columns, options = self._prepare(columns, options)
        return {**self._summary(self._rows(columns, options), options), **self._extras(options)}

    def _summary(
        self, rows: np.ndarray, options: Mapping[str, Any], resampled: np.ndarray | None = None
    ) -> dict[str, Any]:
        """Returns the scores of all rows together, and what else the options ask for."""
        picked = pick(self._score, options)
        result = {name: np.asarray(value).tolist() for name, value in self._score(rows.sum(0), **picked).items()}
        prefixes = self.headlines(result)
        if options["per_segment"]:
            values = self._score(rows, **picked)
            result.update({f"{prefix}segments": values[key].tolist() for key, prefix in prefixes.items()})
        if options["confidence"] is not None:
            if resampled is None:
                units = cluster_sums(rows, options["clusters"])
                resampled = resample(units, options["resamples"], options["seed"])
            values = self._score(resampled, **picked)
            for key, prefix in prefixes.items():
                result[f"{prefix}confidence_interval"] = percentile_interval(values[key], options["confidence"])
        return result

    def _rows(self, columns: Mapping[str, Any], options: Mapping[str, Any]) -> np.ndarray:
        """Runs `_statistics` chunk by chunk, so that memory stays bounded, in threads where that is faster."""
        picked = pick(self._statistics, options)
        bounds = chunk_bounds(row_sizes(self.COLUMNS, columns))

        def score_chunk(bound: tuple[int, int]) -> np.ndarray:
            chunk = {name: column[slice(*bound)] for name, column in columns.items()}
            return self._statistics(**self._cleaned(chunk, options), **picked)

        if len(bounds) > 1:
            # once it has freed such a block, glibc keeps memory for the next chunk, instead of clearing it anew
            np.empty(_KEPT_BYTES, dtype=np.uint8)
        parts = map_in_threads(score_chunk, bounds, min(self._threads(options), len(bounds)))
        progress = tqdm(parts, desc=self.name, total=len(bounds), unit="chunk", delay=2, leave=False)
        rows = np.empty((bounds[-1][1], 0))
        for (start, end), part in zip(bounds, progress, strict=True):
            if not rows.size:  # now their width is known
                rows = np.empty((len(rows), part.shape[1]))
            rows[start:end] = part
        return rows

    def _cleaned(self, columns: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the columns with their texts in one Unicode form and case, where these are options."""
        cleaning = {name: options[name] for name in ("lowercase", "normalization") if name in options}
        return {**columns, **clean_columns(self.COLUMNS, columns, **cleaning)}


def check_width(rows: np.ndarray, width: int) -> None:
    """Raises ValueError unless rows have so many columns, which those of another metric or other options have not."""
    if rows.ndim == 0 or rows.shape[-1] != width:
        raise ValueError(f"rows has the shape {rows.shape}; with these options a row has {width} numbers")


def divide(numerator: np.ndarray, denominator: np.ndarray, otherwise: Any = 0.0) -> np.ndarray:
    """Returns numerator / denominator; `otherwise` where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator == 0, otherwise, np.divide(numerator, denominator))


def chunk_bounds(sizes: np.ndarray) -> list[tuple[int, int]]:
    """Cuts the corpus into chunks of at most so many rows, and of at most so many characters if of several rows."""
    bounds, start, total = [] if len(sizes) else [(0, 0)], 0, np.concatenate([[0], np.cumsum(sizes)])
    while start < len(sizes):
        end = int(np.searchsorted(total, total[start] + CHUNK_CHARACTERS, side="right")) - 1
        end = min(max(end, start + 1), start + CHUNK_ROWS, len(sizes))
        bounds.append((start, end))
        start = end
    return bounds
