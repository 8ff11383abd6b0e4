"""The base of metrics whose rows add up, with the methods for tools: rows, their scores, explanations.

Such a metric is two functions: `statistics` turns texts into one row of numbers per segment, and rows add up; `score`
turns a row, a sum of rows, or a stack of sums into named values. `metric.py` makes one call of them.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .bootstrap import CLUSTERS, without_interval
from .errors import InputError
from .metric import RowMetric, option_names, pick
from .notebook import drawn
from .options import BOOTSTRAP, FLAT, PER_SEGMENT, Option, default_values, read_options, without_reference_counts
from .phrase_counts import PhraseCounts, RowsWithPhrases
from .threads import thread_count


class Explanation(dict):
    """What `explain` returns: a dict, which a notebook draws."""

    columns: Mapping[str, Any] = {}  # the segment, as `compute` takes it

    def _repr_html_(self) -> str | None:
        return drawn(self)


class TextMetric(RowMetric):
    """Base of metrics whose rows add up; a method that some metrics override names them.

    `textgauge.load` gives a plain object, and nothing of evaluate is imported. Where evaluate's loader executes the
    script, which shows in the name of its module, the class also is an `evaluate.Metric`: it has two more bases, see
    `MetricType`. Both kinds may be in one process, and give the same results.
    """

    HAS_NEGATIVE_ROWS: ClassVar[bool] = False  # numbers of a row may be below 0: delta_bleu, perplexity, weighted_bleu
    USES_THREADS: ClassVar[bool] = False  # `_statistics` works on arrays most of the time, and changes nothing shared
    PYTHON_OPTIONS: ClassVar[tuple[str, ...]] = ()  # options with which Python code does most of the work: cer, wer
    FEWEST_CHUNKS: ClassVar[int] = 2  # with fewer, threads cost more time than they save: rouge, wer
    COMMON_OPTIONS: ClassVar[dict[str, Option]] = {
        "per_segment": PER_SEGMENT,
        "flat": FLAT,
        **BOOTSTRAP,
        "clusters": CLUSTERS,
    }

    @staticmethod
    def _explain(**columns_and_options: Any) -> dict[str, Any]:
        """Explains the score of one segment, if the module has a function `explain`."""
        raise NotImplementedError("this metric has no explanation")

    def _threads(self, options: Mapping[str, Any], n_chunks: int) -> int:
        """Returns how many of the chunks to score at once: one where that is no faster, or not safe.

        The user's own tokenizer, Kiwi and MeCab are called from one thread.
        """
        if not self.USES_THREADS or n_chunks < self.FEWEST_CHUNKS:
            return 1
        if any(options.get(name) not in (None, False) for name in self.PYTHON_OPTIONS):
            return 1
        if "tokenizer" in self.OPTIONS:
            tokenizer = options["tokenizer"]
            if not isinstance(tokenizer, str) or tokenizer in self.OPTIONS["tokenizer"].packages:
                return 1
        return thread_count()

    def statistics(self, *, predictions, references=None, **kwargs) -> np.ndarray:
        """Returns one row per segment, (n_segments, n_statistics) float64; rows of any segments may be added.

        Takes the arguments of `compute`; the docstring of the metric's `statistics` names the numbers of a row.
        """
        given = {"predictions": predictions, "references": references, **kwargs}
        return self.statistics_with_phrases(**given).rows

    def statistics_with_phrases(self, *, predictions, references=None, **kwargs) -> RowsWithPhrases:
        """Returns the result of `statistics`, and the phrases of `weights` that each segment has.

        Both are for `result`; those of parts are joined by `join_phrase_counts`. The phrases are None for a metric, or
        options, without a table. Takes the arguments of `compute`.
        """
        columns, options = self._split({"predictions": predictions, "references": references, **kwargs})
        columns, options = self._prepare(self._checked(columns), options)
        return self._rows_with_phrases(columns, options)

    def score(self, rows: np.ndarray, **options: Any) -> dict[str, np.ndarray]:
        """Returns the named values of a row, a sum of rows or a stack of sums (..., n_statistics), as arrays (...)."""
        _, options = self._split(options)
        return self._score(np.asarray(rows, dtype=np.float64), **pick(self._score, options))

    def result(
        self,
        rows: np.ndarray,
        resampled: tuple[np.ndarray, int] | None = None,
        phrases: PhraseCounts | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Returns the result of `compute` for rows from anywhere: parts of a corpus, other machines, a file.

        Keys that need the texts, such as `confusions` of cer, are missing; without `phrases` so are `unused_count`,
        `unused_keys` and `missed_keywords`.

        Args:
            rows: of `statistics` with the same options, (n_segments, n_statistics); `segments` has their order. Where
                they have an attribute `signature`, as those of a file of rows, it must be that of the options.
            resampled: sums of rows drawn elsewhere, (resamples, n_statistics), and of how many, for the interval.
            phrases: of `statistics_with_phrases` with the same options, of these segments or of their sums.
            **options: as for `compute`.
        """
        self._check_signature(rows, options)
        _, options = self._split(options)
        rows = self._checked_rows("rows", rows)
        if resampled is not None:
            resampled = self._checked_rows("resampled", resampled[0]), resampled[1]
        if rows.ndim != 2 or not len(rows):
            raise InputError(f"nothing to score: rows has the shape {rows.shape}; pass (n_segments, n_statistics)")
        result = self._summary(rows, options, resampled)
        if phrases is not None:
            self._check_phrases(phrases, options)
            result.update(self._phrase_values(phrases, options))
        return self._shown(result, options)

    def _check_phrases(self, phrases: PhraseCounts, options: Mapping[str, Any]) -> None:
        """Raises InputError for phrases of another table than that of the options.

        cer, cpcer, cpwer, weighted_bleu, wer.
        """
        raise InputError(f"{self.name} counts no phrases; leave phrases out")

    def row_options(self, signature: str, unsigned: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options that `score` needs for rows of a signature, on any machine.

        It needs to know whether there was a table of weights, but not the tokenizer.

        Args:
            signature: of the rows.
            unsigned: what `unsigned_options` returned where the rows were computed.

        Raises:
            ValueError: another metric or version, or an option that the signature states among those it does not.
        """
        names = self._options_of_rows()
        stated = read_options(self.name, self.OPTIONS, signature, unsigned, names)
        values = {**default_values(self.OPTIONS), **stated}
        return {name: values[name] for name in names}

    def unsigned_options(self, **options: Any) -> dict[str, Any]:
        """Returns the options that decide the numbers of a row but are not in a signature: `detailed`."""
        values = self._split(options)[1]
        return {name: values[name] for name in self._options_of_rows() if not self.OPTIONS[name].key}

    def _options_of_rows(self) -> list[str]:
        """Returns the options that decide the numbers of a row and how they are scored."""
        names = option_names(self._score)
        if hasattr(self, "_names"):
            names += option_names(self._names)
        return [name for name in dict.fromkeys(names) if name in self.OPTIONS]

    def _check_signature(self, rows: Any, options: Mapping[str, Any]) -> None:
        """Raises InputError for rows that carry the signature of other options."""
        signature = getattr(rows, "signature", None)
        if signature is None:
            return
        theirs = without_reference_counts(without_interval(signature))
        ours = without_reference_counts(without_interval(self.signature(**options)))
        if theirs != ours:
            raise InputError(f"the rows were computed with {theirs!r:.200}; these options give {ours!r:.200}")

    def _checked_rows(self, name: str, rows: Any) -> np.ndarray:
        """Returns rows as an array; InputError for a number that a row of this metric cannot have."""
        try:
            rows = np.asarray(rows, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} is not an array of numbers ({error}); pass (n_segments, n_statistics)") from None
        is_wrong = np.isnan(rows) if self.HAS_NEGATIVE_ROWS else ~(rows >= 0)
        if is_wrong.any():
            index = tuple(np.argwhere(is_wrong)[0].tolist())
            index_text = ", ".join(map(str, index))
            valid = "a number" if self.HAS_NEGATIVE_ROWS else "a number of at least 0"
            raise InputError(f"{name}[{index_text}] is {rows[index]:g}; in a row of {self.name} it must be {valid}")
        return rows

    def explain(self, *, prediction, reference=None, **kwargs) -> dict[str, Any]:
        """Explains the score of one segment, in plain values; the metric's `explain` names the keys.

        Args:
            prediction: a string.
            reference: a string or a non-empty list of strings.
            **kwargs: the segment's entry of further columns, where the metric has them, and options, as for `compute`.
        """
        columns, options = self._split(kwargs)
        segment = self._checked(self._single(prediction, reference, columns))
        columns, options = self._prepare(segment, options)
        cleaned = self._cleaned(columns, options)
        explanation = Explanation(self._explain(**cleaned, **pick(self._explain, options)))
        explanation.columns = segment
        return explanation
