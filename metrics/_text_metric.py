"""The abstract base of every metric: the one-call path, rows to corpus, segments and interval, options, signature.

A metric is two functions: `statistics` turns texts into one row of numbers per segment, and rows add up; `score` turns
a row, a sum of rows, or a stack of sums into named values. Everything else follows from them, here.
"""

import abc
import contextlib
import functools
import inspect
import itertools
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any
from typing import ClassVar

import datasets
import evaluate
import numpy as np
from evaluate.utils.logging import tqdm

VERSION = "1.0"
_CHUNK_ROWS, _CHUNK_CHARACTERS = 1024, 2**20
_RESAMPLE_BLOCK, _RESAMPLE_DRAWS = 64, 2**21
_INTERVAL_SIGNATURE = {"confidence": "ci", "resamples": "bs", "seed": "seed"}
_WORDS = {"yes": True, "no": False, "none": None, "lc": True, "mixed": False}


class TextMetric(evaluate.Metric, abc.ABC):
    """Base of all metrics; a subclass sets what stands below, and `_compute` with its options as keyword arguments."""

    CITATION: ClassVar[str]
    COLUMNS: ClassVar[dict[str, Any]]  # name -> kind of column, see _columns.py
    LOWER_IS_BETTER: ClassVar[bool] = False
    SIGNATURE: ClassVar[dict[str, str]]  # option -> its key in the signature, in that order
    SIGNATURE_TEXT: ClassVar[dict[str, Callable[[Any], str]]] = {}  # option -> function that writes its value
    _checks: ClassVar[tuple[Callable[..., None], ...]]  # functions of options, which raise for a bad value

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
        """Returns what made the score of one segment; a metric without an explanation leaves this as it is."""
        raise NotImplementedError("this metric has no explanation")

    def _prepare(self, columns: dict[str, Any], options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns columns and options for `_statistics`; for what must be known of the whole corpus first."""
        return columns, options

    def corpus_option(self, **options: Any) -> str | None:
        """Returns the option that takes `corpus_counts`; None where a row depends on nothing but its own segment."""
        return None

    def _corpus_counts(self, references: Iterable[list[str]], options: dict[str, Any]) -> dict[str, int]:
        """Returns the counts behind `corpus_option`, from clean references; for metrics that have one."""
        raise NotImplementedError

    def _corpus_table(self, references: Iterable[list[str]], options: dict[str, Any]) -> tuple[Any, ...]:
        """Returns the same in the form of `_compile`; goes through the references once."""
        raise NotImplementedError

    def _compile(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the options with what is slow to read as plain arrays, which `_prepare` takes too."""
        return options

    def segment_options(self, row: int, **options: Any) -> dict[str, Any]:
        """Returns options for a corpus as `explain` takes them for one segment of it."""
        return options

    def _check_columns(self, columns: dict[str, Any]) -> None:
        """Raises ValueError where checked columns do not fit one another."""

    def _feature_option(self, columns: dict[str, Any]) -> int:
        """Returns which of `features` checked columns have; references are always lists by then."""
        return 0

    def _extras(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns result values that rows cannot hold; `options` as `_prepare` returned them."""
        return {}

    def headlines(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Returns the scores of a result that get segments and an interval, with the prefix of those keys."""
        return {next(iter(values)): ""}

    def compute(self, *, predictions=None, references=None, **kwargs) -> dict[str, Any] | None:
        """Scores the predictions, together with what was added before.

        Args:
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings.
            **kwargs: the metric's options, see below.

        Returns:
            A flat dict of plain Python values, the headline under the metric's name; None on a process other than 0.

        Raises:
            ValueError: bad input, named by column and row; a bad value of an option; nothing to score.
            TypeError: an unknown option.
        """
        columns, options = self._split({"predictions": predictions, "references": references, **kwargs})
        self._check_options(options)
        has_input = any(column is not None for column in columns.values())
        columns = self._checked(columns) if has_input else {}
        if has_input and self.writer is None and self.num_process == 1:
            # nothing was added before: no need for evaluate's way through an Arrow file
            return self._compute(**columns, **options)
        if has_input:
            self._write(columns)
        if self.writer is None and self.process_id == 0:
            raise ValueError("nothing to score: pass predictions and references, or add some first")
        try:
            return super().compute(**options)
        except BaseException:
            self._take_back()
            raise

    def add_batch(self, *, predictions=None, references=None, **kwargs) -> None:
        """Adds segments, to be scored by `compute`; they may be none, as in an empty share of a distributed run.

        Args:
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings.
            **kwargs: further columns, where the metric has them.
        """
        self._write(self._checked({"predictions": predictions, "references": references, **kwargs}))

    def add(self, *, prediction=None, reference=None, **kwargs) -> None:
        """Adds one segment, to be scored by `compute`.

        Args:
            prediction: a string.
            reference: a string or a non-empty list of strings.
            **kwargs: its entry of further columns, where the metric has them.
        """
        self._write(self._checked(self._single({"predictions": prediction, "references": reference, **kwargs})))

    def statistics(self, *, predictions, references=None, **kwargs) -> np.ndarray:
        """Returns one row per segment, (n_segments, n_statistics) float64; rows of any segments may be added.

        Takes the arguments of `compute`; the layout of a row stands in the docstring of the metric's `statistics`.
        """
        columns, options = self._split({"predictions": predictions, "references": references, **kwargs})
        self._check_options(options)
        return self._rows(*self._prepare(self._checked(columns), self._options(options)))

    def score(self, rows: np.ndarray, **options: Any) -> dict[str, np.ndarray]:
        """Returns the named values of a row, a sum of rows or a stack of sums (..., n_statistics), as arrays (...)."""
        _, options = self._split(options)
        self._check_options(options)
        return self._score(np.asarray(rows, dtype=np.float64), **_pick(self._score, self._options(options)))

    def result(self, rows: np.ndarray, resampled: np.ndarray | None = None, **options: Any) -> dict[str, Any]:
        """Returns what `compute` returns, from rows that came from anywhere: parts of a corpus, other machines, a file.

        Keys that rows cannot hold, such as `unused_keys` of weighted_bleu, are missing.

        Args:
            rows: of `statistics` with the same options, (n_segments, n_statistics); `segments` has their order.
            resampled: sums of rows drawn elsewhere, (resamples, n_statistics), for the interval; here otherwise.
            **options: as for `compute`.
        """
        _, options = self._split(options)
        self._check_options(options)
        rows = np.asarray(rows, dtype=np.float64)
        if rows.ndim != 2 or not len(rows):
            raise ValueError(f"nothing to score: rows has the shape {rows.shape}; pass (n_segments, n_statistics)")
        return self._summary(rows, self._options(options), resampled)

    def corpus_counts(self, **kwargs: Any) -> dict[str, int]:
        """Returns what the metric must know of a whole corpus before it can score a part of it.

        The counts of parts add up, key by key. With the sum as the option that `corpus_option` names, parts are scored
        as in one call; what counts once may be left out. Takes the arguments of `compute`, of which it reads
        `references`.
        """
        columns, options = self._split(kwargs)
        self._check_options(options)
        if self.corpus_option(**options) is None:
            raise ValueError(f"{self.name} needs no counts of the corpus with these options")
        options = self._options(options)
        return self._corpus_counts(self._clean_references(columns.get("references"), options), options)

    def compile_options(self, batches: Iterable[Any] | None = None, **options: Any) -> dict[str, Any]:
        """Returns all options, for many calls of `statistics` and `score` with parts of a corpus.

        A table of n-gram counts is read once then, and not in each call. The result can be sent to other processes.

        Args:
            batches: the references of the whole corpus, part by part, for metrics that learn from it. They are read
                once; some 20 bytes per token, and the distinct tokens, are in memory meanwhile.
            **options: as for `compute`.
        """
        _, options = self._split(options)
        self._check_options(options)
        name, options = self.corpus_option(**options), self._options(options)
        if name is None or batches is None:
            return self._compile(options)
        rows = (row for batch in batches for row in self._clean_references(batch, options))
        return {**options, name: self._corpus_table(rows, options)}

    def explain(self, *, prediction, reference=None, **kwargs) -> dict[str, Any]:
        """Returns what made the score of one segment, in plain values; the keys stand in the metric's `explain`.

        Args:
            prediction: a string.
            reference: a string or a non-empty list of strings.
            **kwargs: the segment's entry of further columns, where the metric has them, and options, as for `compute`.
        """
        columns, options = self._split({"predictions": prediction, "references": reference, **kwargs})
        self._check_options(options)
        columns, options = self._prepare(self._checked(self._single(columns)), self._options(options))
        return self._explain(**self._cleaned(columns, options), **_pick(self._explain, options))

    def signature(self, references: Iterable[Any] | None = None, **options: Any) -> str:
        """Returns one line that says what is computed, in sacreBLEU's grammar.

        Args:
            references: the references that are scored, for their number per segment; without them it is "var".
            **options: as for `compute`.
        """
        _, options = self._split(options)
        self._check_options(options)
        values, defaults = self._options(options), self._options({})
        keys = {**self.SIGNATURE, **(_INTERVAL_SIGNATURE if values["confidence"] is not None else {})}
        fields = [self.name]
        if "references" in self.COLUMNS and self.COLUMNS["references"].is_list:
            if references is not None:
                references = self.COLUMNS["references"].check("references", references)
            fields.append(f"nrefs:{_reference_counts(references)}")
        for option, key in keys.items():
            text = self.SIGNATURE_TEXT.get(option, functools.partial(_value_text, option))(values[option])
            if text != "none" or defaults[option] is not None:
                fields.append(f"{key}:{text}")
        return "|".join([*fields, f"v{VERSION}"])

    def options_of(self, signature: str) -> dict[str, Any]:
        """Returns the options that a signature states, to be passed to `compute`.

        Raises:
            ValueError: another metric or version, or an option that a line cannot hold (a custom tokenizer, a table).
        """
        name, *fields = signature.split("|")
        given = [field for field in fields if not field.startswith("nrefs:")]
        pairs = [field.partition(":")[::2] for field in given[:-1]]
        names = {key: option for option, key in {**self.SIGNATURE, **_INTERVAL_SIGNATURE}.items()}
        is_ours = name == self.name and fields[-1:] == [f"v{VERSION}"]
        if not is_ours or any(key not in names for key, _ in pairs):
            raise ValueError(f"{signature!r} is not a signature of {self.name} v{VERSION}")
        options = {names[key]: _value_of(key, text) for key, text in pairs}
        if self.signature(**options).replace("|nrefs:var", "").split("|")[1:] != given:
            raise ValueError(f"{signature!r} cannot be met here; the same options give {self.signature(**options)!r}")
        return options

    def _info(self) -> evaluate.MetricInfo:
        options = itertools.zip_longest(*(kind.features for kind in self.COLUMNS.values()))
        first = [kind.features[0] for kind in self.COLUMNS.values()]
        return evaluate.MetricInfo(
            description=inspect.getdoc(type(self)),
            citation=self.CITATION,
            inputs_description=inspect.getdoc(self._compute),
            features=[
                datasets.Features({name: a or b for name, a, b in zip(self.COLUMNS, option, first, strict=True)})
                for option in options
            ],
        )

    def _checked(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        """Checks raw columns and returns them as lists of equal length."""
        unknown = [name for name, column in columns.items() if name not in self.COLUMNS and column is not None]
        if unknown:
            raise ValueError(f"{self.name} has no column {', '.join(unknown)}; it has {', '.join(self.COLUMNS)}")
        given = {name: columns.get(name) for name in self.COLUMNS if columns.get(name) is not None or self._needs(name)}
        checked = {name: self.COLUMNS[name].check(name, column) for name, column in given.items()}
        (first, rows), *others = checked.items()
        for name, column in others:
            if len(column) != len(rows):
                hint = ""
                if column and all(isinstance(row, list) and len(row) == len(rows) for row in column):
                    hint = "; they look transposed: pass one list per segment, not one per set of references"
                raise ValueError(f"{first} has {len(rows)} rows and {name} {len(column)}{hint}")
        checked = {name: checked.get(name, [kind.missing] * len(rows)) for name, kind in self.COLUMNS.items()}
        self._check_columns(checked)
        for name, kind in self.COLUMNS.items():
            kind.compare(checked["predictions"], checked[name])
        return checked

    def _needs(self, name: str) -> bool:
        return name in self.COLUMNS and not self.COLUMNS[name].is_optional

    def _single(self, row: dict[str, Any]) -> dict[str, list[Any]]:
        """Returns columns of one row, without those that may be missing and are."""
        return {name: [value] for name, value in row.items() if value is not None or self._needs(name)}

    def _write(self, columns: dict[str, list[Any]]) -> None:
        """Hands checked columns to evaluate, always with lists of references, so that batches may differ in kind."""
        rows, features = columns["predictions"], self.features[self._feature_option(columns)]
        if len(self) and rows and features != self.selected_feature_format:
            raise ValueError(f"predictions[0] is {rows[0]!r:.40}, of another kind than what was added; add one kind")
        # an empty share of a distributed run has no kind yet
        is_new = self.writer is None or features != self.selected_feature_format
        if not len(self) and is_new and (rows or self.num_process > 1):
            self.selected_feature_format = features
            self._init_writer()
        if self.writer is not None:
            super().add_batch(**columns)

    def _take_back(self) -> None:
        """Undoes evaluate's half of a `compute` that raised: what was added is there again, and no lock is left."""
        columns = None if self.data is None else {name: self.data[name][:] for name in self.COLUMNS}
        for lock in self.filelocks or []:
            lock.release()
        self.filelocks = self.data = self.buf_writer = None
        if columns is not None and self.num_process == 1:
            self._write(columns)

    def _split(self, arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Splits keyword arguments into columns and options, the latter as plain Python values."""
        names = {*self.COLUMNS, "predictions", "references"}
        columns = {name: value for name, value in arguments.items() if name in names}
        options = {name: value for name, value in arguments.items() if name not in names}
        # numpy and pandas values have it
        return columns, {name: v.tolist() if hasattr(v, "tolist") else v for name, v in options.items()}

    def _options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Returns all options: the defaults in `_compute`'s signature, overridden by the given ones."""
        parameters = inspect.signature(self._compute).parameters
        defaults = {name: p.default for name, p in parameters.items() if name not in self.COLUMNS}
        unknown = [name for name in given if name not in defaults]
        if unknown:
            raise TypeError(f"{self.name} has no option {', '.join(unknown)}; it has {', '.join(defaults)}")
        return {**defaults, **given}

    def _check_options(self, given: Mapping[str, Any]) -> None:
        options = self._options(given)
        if "normalization" in options:  # those that have texts have this pair
            check_choice("normalization", options["normalization"], (None, "NFC", "NFD", "NFKC", "NFKD"))
            check_choice("lowercase", options["lowercase"], (False, True))
        if "per_segment" in options:  # those that score a segment at a time
            check_choice("per_segment", options["per_segment"], (False, True))
        check_count("resamples", options["resamples"])
        check_count("seed", options["seed"], 0)
        confidence = options["confidence"]
        if confidence is not None and not (isinstance(confidence, float) and 0 < confidence < 1):
            raise ValueError(f"confidence is {confidence!r}; pass None or a number between 0 and 1, such as 0.95")
        for check in self._checks:
            check(**_pick(check, options))

    def _result(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Scores a corpus of checked columns; `_compute` passes its `locals()`."""
        columns, options = self._split({name: value for name, value in arguments.items() if name != "self"})
        if not columns["predictions"]:
            raise ValueError("nothing to score: there is no row")
        columns, options = self._prepare(columns, options)
        rows = self._rows(columns, options)
        return {**self._summary(rows, options), **self._extras(options)}

    def _summary(
        self, rows: np.ndarray, options: Mapping[str, Any], resampled: np.ndarray | None = None
    ) -> dict[str, Any]:
        """Returns the scores of all rows together, and what else the options ask for."""
        picked = _pick(self._score, options)
        result = {name: _plain(value) for name, value in self._score(rows.sum(0), **picked).items()}
        prefixes = self.headlines(result)
        if options["per_segment"]:
            values = self._score(rows, **picked)
            result.update({f"{prefix}segments": _plain(values[key]) for key, prefix in prefixes.items()})
        if options["confidence"] is not None:
            if resampled is None:
                resampled = resample(rows, options["resamples"], options["seed"])
            values = self._score(resampled, **picked)
            for key, prefix in prefixes.items():
                result[f"{prefix}confidence_interval"] = central(values[key], options["confidence"])
        return result

    def _rows(self, columns: Mapping[str, Any], options: Mapping[str, Any]) -> np.ndarray:
        """Runs `_statistics` chunk by chunk, so that memory stays bounded."""
        picked = _pick(self._statistics, options)
        rows = []
        sizes = sum(kind.sizes(columns[name]) for name, kind in self.COLUMNS.items())
        for start, end in tqdm(_chunk_bounds(sizes), desc=self.name, unit="chunk", delay=2, leave=False):
            chunk = {name: column[start:end] for name, column in columns.items()}
            rows.append(self._statistics(**self._cleaned(chunk, options), **picked))
        return np.concatenate(rows)

    def _clean_references(self, references: Any, options: dict[str, Any]) -> list[list[str]]:
        checked = self.COLUMNS["references"].check("references", references)
        return self._cleaned({"references": checked}, options)["references"]

    def _cleaned(self, columns: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the columns with their texts in one Unicode form and case."""
        cleaning = {name: options[name] for name in ("lowercase", "normalization") if name in options}
        cleaned = {
            name: self.COLUMNS[name].clean(columns[name], **cleaning) for name in self.COLUMNS if name in columns
        }
        return {**columns, **cleaned}


def check_choice(option: str, value: Any, choices: Sequence[Any]) -> None:
    """Raises ValueError that lists the choices."""
    # types too: 1 == True, but 1 is no answer to a yes-or-no question
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise ValueError(f"{option} is {value!r}; pass one of {', '.join(map(repr, choices))}")


def check_count(option: str, value: Any, smallest: int = 1) -> None:
    """Raises ValueError unless the value is an integer of at least `smallest`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < smallest:
        raise ValueError(f"{option} is {value!r}; pass an integer of at least {smallest}")


def check_width(rows: np.ndarray, width: int) -> None:
    """Raises ValueError unless rows have so many columns, which those of another metric or other options have not."""
    if rows.ndim == 0 or rows.shape[-1] != width:
        raise ValueError(f"rows has the shape {rows.shape}; with these options a row has {width} numbers")


def resample(rows: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Returns sums of rows drawn with replacement, (resamples, n_statistics).

    The draws depend on the number of rows, `resamples` and `seed` alone: two systems with the same number of segments
    are resampled alike, as a paired test wants it (Koehn 2004).
    """
    return np.concatenate([counts @ rows for counts in draw_counts(len(rows), resamples, seed)])


def draw_counts(n_rows: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yields how often each row is drawn in each resample, in blocks (some resamples, n_rows) float64."""
    rng = np.random.default_rng(seed)
    block = max(1, min(_RESAMPLE_BLOCK, _RESAMPLE_DRAWS // n_rows))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = rng.integers(n_rows, size=(size, n_rows)) + np.arange(size)[:, None] * n_rows
        counts = np.bincount(drawn.ravel(), minlength=size * n_rows).reshape(size, n_rows)
        yield counts.astype(np.float64)


def central(values: np.ndarray, confidence: float) -> list[float]:
    """Returns the ends of the central share of the defined values, themselves values: of [1, inf] no made-up middle."""
    values = values[~np.isnan(values)]
    if not len(values):
        return [np.nan, np.nan]
    tail = (1 - confidence) / 2
    return _plain(np.quantile(values, (tail, 1 - tail), method="inverted_cdf"))


def _chunk_bounds(sizes: np.ndarray) -> list[tuple[int, int]]:
    """Cuts the corpus into chunks of at most so many rows, and of at most so many characters if of several rows."""
    bounds, start, total = [] if len(sizes) else [(0, 0)], 0, np.concatenate([[0], np.cumsum(sizes)])
    while start < len(sizes):
        end = int(np.searchsorted(total, total[start] + _CHUNK_CHARACTERS, side="right")) - 1
        end = min(max(end, start + 1), start + _CHUNK_ROWS, len(sizes))
        bounds.append((start, end))
        start = end
    return bounds


def _pick(function: Callable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that the function names among its parameters."""
    return {name: options[name] for name in _parameters(function) if name in options}


@functools.cache
def _parameters(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def _plain(value: Any) -> Any:
    """Turns numpy values into plain Python ones, which json and Trainer checkpoints can hold."""
    return np.asarray(value).tolist()


def _reference_counts(references: list[list[str]] | None) -> str:
    """Writes the number of references per segment: "1", or "1-5" where it differs."""
    if not references:
        return "var"
    counts = set(map(len, references))
    return "-".join(map(str, sorted({min(counts), max(counts)})))


def _value_text(option: str, value: Any) -> str:
    """Writes the value of an option into a signature."""
    if option == "lowercase":
        return "lc" if value else "mixed"
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value)


def _value_of(key: str, text: str) -> Any:
    """Reads the value of an option from a signature; brackets hold versions."""
    if text.startswith(("custom(", "table(")):
        raise ValueError(f"the signature only names {key}:{text}; pass that option yourself")
    if text in _WORDS:
        return _WORDS[text]
    if text.endswith(","):
        return [_value_of(key, part) for part in text.split(",")[:-1]]
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    return text.split("[")[0]
