"""One call: columns and options checked, texts cleaned, rows, and what they score; the base classes of all metrics.

`Metric` is any metric. `RowMetric` is one whose rows add up, two functions: `statistics` turns texts into one row of
numbers per segment, and rows add up; `score` turns a row, a sum of rows, or a stack of sums into named values.
Everything else follows from them, here.
"""

import abc
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .base_metric import BaseMetric, flat_result, json_value
from .bootstrap import uncertainty
from .columns import check_columns, clean_columns, row_sizes
from .errors import InputError
from .options import check_options, default_values, plain_values
from .phrase_counts import PhraseCounts, RowsWithPhrases
from .threads import chunk_bounds, rows_of_chunks

_REMEMBERED = 256  # sets of options
_PLAIN_KINDS = ("flag", "choice", "count", "number")  # of options; a text of another kind may name a file
_IMMUTABLE_TYPES = {bool, int, float, str, type(None)}


class Metric(BaseMetric):
    """Base of all metrics: `compute`, its options, and the signature."""

    @abc.abstractmethod
    def _result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        """Returns the result of `compute`, for checked columns and resolved options."""

    @staticmethod
    def _check(**options: Any) -> None:
        """Raises ValueError for options that contradict one another; the module's `check`."""

    def _resolve(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the options with what follows from others, such as a preset's values: cer, meteor, rouge."""
        return options

    def _check_columns(self, columns: dict[str, Any]) -> None:
        """Raises ValueError where checked columns do not fit one another: delta_bleu, human_correlation."""

    def headlines(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Returns the scores of a result that get segments and an interval, with the prefix of those keys: rouge."""
        return {next(iter(values)): ""}

    def compute(self, *unnamed, predictions=None, references=None, **kwargs) -> dict[str, Any] | None:
        """Scores the predictions, together with the rows that were added before.

        Args:
            *unnamed: nothing; columns are passed by name.
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings.
            **kwargs: the metric's options, see below.

        Returns:
            A flat dict of plain Python values, the headline under the metric's name; None on a process other than 0.

        Raises:
            ValueError: bad input, named by column and row; a bad value of an option; nothing to score.
            TypeError: an unknown option.
        """
        if unnamed:
            raise self._unnamed("compute")
        columns, options = self._split({"predictions": predictions, "references": references, **kwargs})
        has_input = any(column is not None for column in columns.values())
        columns = self._checked(columns) if has_input else {}
        if has_input and self._takes_one_call():
            return self._scored(columns, options)
        with self._lock:
            if has_input:
                self._write(columns)
            return self._score_added(options)

    def _takes_one_call(self) -> bool:
        """Returns whether the input of `compute` is the whole corpus."""
        return self._added is None

    def explain(self, **kwargs: Any) -> dict[str, Any]:
        """Raises NotImplementedError; see `TextMetric`."""
        raise NotImplementedError("this metric has no explanation")

    def _split(self, arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Splits keyword arguments into raw columns and options; returns the columns, and all options, checked."""
        names = [name for name in arguments if name in self.COLUMNS or name in ("predictions", "references")]
        columns = {name: arguments.pop(name) for name in names}
        return columns, self._resolved_options(arguments)

    def _resolved_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Checks the given options and returns all options, as plain Python values.

        This is done once for the same values, except for tables, files and functions, which may change meanwhile.
        """
        key = self._cache_key(given)
        if key is not None and key in self._resolved:
            return dict(self._resolved[key])
        options = self._newly_resolved(given)
        if key is not None:
            if len(self._resolved) >= _REMEMBERED:
                self._resolved.clear()
            self._resolved[key] = options
        return dict(options)

    def _cache_key(self, given: Mapping[str, Any]) -> tuple[tuple[str, type, Any], ...] | None:
        """Returns a key for these values; None if one of this call, or of this object, may change between calls.

        The type of each value is part of the key, because 1, 1.0 and True are equal.
        """
        for name in self._given:
            if self.OPTIONS[name].kind not in _PLAIN_KINDS:
                return None
        key = []
        for name, value in given.items():
            if name not in self.OPTIONS or self.OPTIONS[name].kind not in _PLAIN_KINDS:
                return None
            if type(value) not in _IMMUTABLE_TYPES:
                return None
            key.append((name, type(value), value))
        return tuple(key)

    def _newly_resolved(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Checks the given options, and returns all options."""
        given = plain_values(given)
        check_options(self.name, self.OPTIONS, self.COLUMNS, given)
        values = {**default_values(self.OPTIONS), **self._given, **given}
        options = self._resolve(values)
        self._check(**pick(self._check, options))
        if options["flat"] is True and options.get("per_segment"):
            raise InputError("flat=True returns numbers of the corpus alone; pass per_segment=False, or flat=False")
        return options

    def _checked(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        """Checks raw columns and returns them as lists of equal length."""
        checked = check_columns(self.name, self.COLUMNS, columns)
        self._check_columns(checked)
        return checked

    def _scored(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        if not columns["predictions"]:
            raise InputError("nothing to score: there is no row")
        return self._shown(self._result(columns, options), options)

    def _shown(self, result: dict[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns a result as the options want it."""
        if options["flat"] == "json":
            return json_value(result)
        return flat_result(result, self.name if self.IS_PERCENT else None) if options["flat"] else result


class RowMetric(Metric):
    """Base of metrics whose rows add up; a method that some metrics override names them."""

    @staticmethod
    @abc.abstractmethod
    def _statistics(**columns_and_options: Any) -> np.ndarray | RowsWithPhrases:
        """Returns rows that add up, (n_segments, n_statistics) float64, for one chunk of clean texts.

        With the phrases of a table beside them: cer, cpcer, cpwer, weighted_bleu, wer.
        """

    @staticmethod
    @abc.abstractmethod
    def _score(rows: np.ndarray, **options: Any) -> dict[str, np.ndarray]:
        """Returns named values, the headline first, for rows of shape (..., n_statistics)."""

    def _prepare(self, columns: dict[str, Any], options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns columns and options for `_statistics`, with everything that is read once for the whole corpus.

        cer, hyter, meteor, perplexity, weighted_bleu, wer, and those that learn from references.
        """
        return columns, options

    def _extras(self, result: Mapping[str, Any], columns: Mapping[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        """Returns values that rows cannot hold, beside a result, for columns and options as `_prepare` returned them.

        cer, wer.
        """
        return {}

    def _phrase_values(self, phrases: PhraseCounts, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the entries of a result about the phrases that texts have and miss.

        cer, cpcer, cpwer, weighted_bleu, wer.
        """
        return {}

    def _result(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        columns, options = self._prepare(columns, options)
        rows, phrases = self._rows_with_phrases(columns, options, by_segment=False)
        result = self._summary(rows, options)
        if phrases is not None:
            result.update(self._phrase_values(phrases, options))
        return {**result, **self._extras(result, columns, options)}

    def _summary(
        self, rows: np.ndarray, options: Mapping[str, Any], resampled: tuple[np.ndarray, int] | None = None
    ) -> dict[str, Any]:
        """Returns the scores of all rows together, and what else the options ask for."""
        picked = pick(self._score, options)
        values_of_corpus = self._score(rows.sum(0), **picked)
        result = {name: np.asarray(value).tolist() for name, value in values_of_corpus.items()}
        prefixes = self.headlines(result)
        if options["per_segment"]:
            values_of_segments = self._score(rows, **picked)
            for key, prefix in prefixes.items():
                result[f"{prefix}segments"] = values_of_segments[key].tolist()
        if options["confidence"] is not None:

            def headlines(sums: np.ndarray) -> np.ndarray:
                values = self._score(sums, **picked)
                scores = np.broadcast_arrays(*[values[key] for key in prefixes])
                return np.stack(scores, axis=-1)

            result.update(uncertainty(rows, headlines, list(prefixes.values()), options, resampled))
        return result

    def _rows_with_phrases(
        self, columns: Mapping[str, Any], options: Mapping[str, Any], by_segment: bool = True
    ) -> RowsWithPhrases:
        """Runs `_statistics` chunk by chunk, so that memory stays bounded, in threads where that is faster.

        The phrases are those of each segment, or of each chunk.
        """
        picked = pick(self._statistics, options)

        def score_chunk(start: int, end: int) -> RowsWithPhrases:
            chunk = {name: column[start:end] for name, column in columns.items()}
            counted = self._statistics(**self._cleaned(chunk, options), **picked)
            if not isinstance(counted, RowsWithPhrases):
                return RowsWithPhrases(counted, None)
            if counted.phrases is None or by_segment:
                return counted
            return counted._replace(phrases=counted.phrases.total())

        n_rows = len(columns["predictions"])
        bounds = [(0, 1)] if n_rows == 1 else chunk_bounds(row_sizes(self.COLUMNS, columns))
        if len(bounds) == 1:
            rows, phrases = score_chunk(*bounds[0])
            return RowsWithPhrases(np.ascontiguousarray(rows, dtype=np.float64), phrases)
        return rows_of_chunks(score_chunk, bounds, self._threads(options, len(bounds)), self.name)

    def _cleaned(self, columns: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the columns with their texts in one Unicode form and case, if the metric has these options."""
        if "normalization" not in self.OPTIONS:
            return dict(columns)
        cleaning = {name: options[name] for name in ("lowercase", "normalization") if name in options}
        return {**columns, **clean_columns(self.COLUMNS, columns, **cleaning)}


def check_width(rows: np.ndarray, width: int) -> None:
    """Raises ValueError unless rows are (..., width); rows of another metric often have another width."""
    if rows.ndim == 0 or rows.shape[-1] != width:
        raise InputError(f"rows has the shape {rows.shape}; with these options a row has {width} numbers")


def divide(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Returns numerator / denominator, an array (...) like the numerator; 0 where the denominator is 0.

    >>> divide(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    quotients = np.zeros(np.shape(numerator))
    return np.divide(numerator, denominator, out=quotients, where=denominator != 0)


def error_rate(edits: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Returns edits (...) divided by lengths (...); where a length is 0, 0 without an edit and inf with one.

    >>> error_rate(np.array([1, 0, 2]), np.array([4, 0, 0])).tolist()
    [0.25, 0.0, inf]
    """
    if np.count_nonzero(lengths) == lengths.size:  # in a third of the time of `all`
        return edits / lengths
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(edits > 0, edits / lengths, 0.0)


def pick(function: Callable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that the function names among its parameters.

    A parameter whose type is a NamedTuple is a record of options: it is made of those that its fields name.

    >>> pick(divide, {"numerator": 1.0, "beta": 2.0})
    {'numerator': 1.0}
    """
    arguments = {}
    for name, record in _parameters(function).items():
        if name in options:
            arguments[name] = options[name]
        elif record is not None:
            values = [options[field] for field in record._fields if field in options]
            if len(values) == len(record._fields):
                arguments[name] = record(*values)
    return arguments


def option_names(function: Callable) -> list[str]:
    """Returns the names of the parameters of a function, and of the fields of its records.

    >>> option_names(divide)
    ['numerator', 'denominator']
    """
    names: list[str] = []
    for name, record in _parameters(function).items():
        names += [name] if record is None else record._fields
    return names


@functools.cache
def _parameters(function: Callable) -> dict[str, Any]:
    """Returns the parameters of a function by name: the type of a record, None for others."""
    records: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        is_record = hasattr(parameter.annotation, "_fields")
        records[name] = parameter.annotation if is_record else None
    return records
