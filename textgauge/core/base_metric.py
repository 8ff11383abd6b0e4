"""A metric before it scores: its tables, its help and signature, and the rows that are added to it.

A metric says what it takes in `COLUMNS` and `OPTIONS`; from these follow `_compute` and its help. Nothing here needs
evaluate. Where evaluate's loader executes a script, its class gets two more bases: see `MetricType`.
"""

import abc
import inspect
import math
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from .columns import Column, check_columns
from .errors import InputError, UnknownArgumentError
from .help import compute_method, with_help
from .options import (
    BOOTSTRAP,
    FLAT,
    Option,
    check_names,
    default_values,
    is_number,
    plain_values,
    read_options,
    signature_of,
    without_reference_counts,
    write_signature,
)
from .threads import ProcessLock

LOADER = "evaluate_modules."  # how evaluate's loader begins the names of the modules that it executes
_FUNCTIONS = ("statistics", "score", "explain", "check")


class MetricType(abc.ABCMeta):
    """The type of all metrics: makes an `evaluate.Metric` of a class whose script evaluate's loader executes.

    The loader gives the module a name that begins with `LOADER`. So the kind of a class depends on who imports its
    script, never on earlier imports.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any) -> type:
        """Returns the class, with evaluate's two bases where its loader executes the script."""
        has_options = "OPTIONS" in namespace or any(hasattr(base, "OPTIONS") for base in bases)  # else it is a base
        if has_options and namespace["__module__"].startswith(LOADER):
            import evaluate

            from .evaluate_side import EvaluateSide

            # a metric whose base class came from the loader has them already
            if not any(issubclass(base, EvaluateSide) for base in bases):
                bases = (EvaluateSide, *bases, evaluate.Metric)
        return super().__new__(mcs, name, bases, namespace, **kwargs)


class BaseMetric(metaclass=MetricType):
    """Base of all metrics: columns, options, and the rows that are added before `compute`.

    A subclass sets CITATION, COLUMNS, LOWER_IS_BETTER, USUAL_RANGE and OPTIONS; its docstring is the description, and,
    from the section Returns on, the end of the help. Functions of its module named `statistics`, `score`, `explain` and
    `check` (raises ValueError for options that contradict one another) are the metric.
    """

    CITATION: ClassVar[str]
    COLUMNS: ClassVar[dict[str, Column]]
    LOWER_IS_BETTER: ClassVar[bool]
    # of a corpus's score, ends included; a limit outside is a mistake, such as a percentage
    USUAL_RANGE: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    IS_PERCENT: ClassVar[bool] = False  # sacreBLEU has it, in percent: a flat result has its key `score` too
    OPTIONS: ClassVar[dict[str, Option]]
    COMMON_OPTIONS: ClassVar[dict[str, Option]] = {"flat": FLAT, **BOOTSTRAP}  # what metrics of this kind have besides

    _added: dict[str, list[Any]] | None = None  # the rows of `add` and `add_batch`
    _added_kind = 0  # what `_feature_option` says of them

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Makes `_compute` and its help from the tables, and takes over the functions of the module."""
        super().__init_subclass__(**kwargs)
        cls.name = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
        cls.description, _, _ = inspect.getdoc(cls).partition("\n\n")
        if "OPTIONS" not in vars(cls):
            return  # another base
        if "LOWER_IS_BETTER" not in vars(cls):
            raise TypeError(f"{cls.__name__} does not set LOWER_IS_BETTER: True for an error rate, else False")
        further_options = {name: option for name, option in cls.COMMON_OPTIONS.items() if name not in cls.OPTIONS}
        cls.OPTIONS = {**cls.OPTIONS, **further_options}
        for name in _FUNCTIONS:
            function = getattr(sys.modules[cls.__module__], name, None)
            if function is not None:
                setattr(cls, f"_{name}", staticmethod(function))
        cls._compute = compute_method(cls)
        cls.citation = cls.CITATION
        cls.inputs_description = inspect.getdoc(cls._compute)
        for name in ("compute", "add", "add_batch"):
            setattr(cls, name, with_help(getattr(cls, name), cls.inputs_description))

    def __init__(self, **options: Any) -> None:
        """Takes options: they are the defaults of this object.

        Raises:
            TypeError: an unknown option.
            ValueError: a bad value of one.
        """
        check_names(self.name, self.OPTIONS, self.COLUMNS, options)
        self._lock = ProcessLock()  # of the rows that are added
        self._given: dict[str, Any] = {}
        self._resolved: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._resolved_options(options)
        self._given = plain_values(options)
        self._resolved.clear()

    @abc.abstractmethod
    def _scored(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        """Returns the result of `compute`, for checked columns and resolved options."""

    def _feature_option(self, columns: dict[str, Any]) -> int:
        """Returns which of `features` checked columns have: perplexity, human_correlation."""
        return 0

    def add_batch(self, *unnamed, predictions=None, references=None, **kwargs) -> None:
        """Adds segments, which `compute` scores; there may be no segment, as in an empty share of a distributed run.

        Args:
            *unnamed: nothing; columns are passed by name.
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings.
            **kwargs: further columns, where the metric has them.
        """
        if unnamed:
            raise self._unnamed("add_batch")
        columns = self._checked({"predictions": predictions, "references": references, **kwargs})
        with self._lock:
            self._write(columns)

    def add(self, *unnamed, prediction=None, reference=None, **kwargs) -> None:
        """Adds one segment, which `compute` scores.

        Args:
            *unnamed: nothing; the segment is passed by name.
            prediction: a string.
            reference: a string or a non-empty list of strings.
            **kwargs: its entry of further columns, where the metric has them. `evaluate.combine` passes the segment as
                predictions and references, as evaluate's own class takes it too.
        """
        if unnamed:
            raise self._unnamed("add")
        prediction = kwargs.pop("predictions", None) if prediction is None else prediction
        reference = kwargs.pop("references", None) if reference is None else reference
        columns = self._checked(self._single(prediction, reference, kwargs))
        with self._lock:
            self._write(columns)

    def signature(self, references: Iterable[Any] | None = None, **options: Any) -> str:
        """Returns one line that identifies the computation, in sacreBLEU's grammar.

        Args:
            references: the references that are scored, for their number per segment; without them it is "var".
            **options: as for `compute`.
        """
        _, values = self._split(options)
        kind = self.COLUMNS.get("references")
        counted = None
        if kind is not None and kind.is_list:
            counted = [] if references is None else kind.check("references", references)
        defaults = self._resolve(default_values(self.OPTIONS))
        return write_signature(self.name, self._signed(values), values, defaults, counted)

    def options_of(self, signature: str, allow_models: bool = False) -> dict[str, Any]:
        """Returns the options that a signature states, to be passed to `compute`; " | textgauge 0.1.0" may follow it.

        Args:
            signature: the line, of anybody: none of the options is a file.
            allow_models: whether it may name a language model, which `compute` loads from a folder or the Hub.

        Raises:
            ValueError: another metric or version, or an option that a line cannot hold (a custom tokenizer, a table)
                or may not name (a file, a model).
        """
        signature = signature_of(signature)
        options = read_options(self.name, self.OPTIONS, signature, allow_models=allow_models)
        ours = self.signature(**options)
        if without_reference_counts(ours) != without_reference_counts(signature):
            raise InputError(f"{signature!r:.200} cannot be reproduced here; the same options give {ours!r:.200}")
        return options

    def corpus_option(self, **options: Any) -> str | None:
        """Returns the option that takes `corpus_counts`; None if each row depends only on its own segment."""
        return None

    def corpus_counts(self, **kwargs: Any) -> dict[str, int]:
        """Returns the counts of a whole corpus that the metric needs; see `CorpusMetric`."""
        raise InputError(f"{self.name} needs no counts of the corpus with these options")

    def compile_options(self, batches: Iterable[Any] | None = None, **options: Any) -> dict[str, Any]:
        """Returns all options, for many calls of `statistics` and `score` with parts of a corpus.

        A table of n-gram counts is then read once, not in each call. The result can be sent to other processes.

        Args:
            batches: the references of the whole corpus, part by part, for metrics that learn from it. They are read
                once; some 20 bytes per token, and the distinct tokens, are in memory meanwhile.
            **options: as for `compute`.
        """
        return self._split(options)[1]

    def segment_options(self, row: int, **options: Any) -> dict[str, Any]:
        """Returns options for a corpus as `explain` takes them for one segment of it: weighted_bleu."""
        return options

    def _signed(self, options: dict[str, Any]) -> dict[str, Option]:
        """Returns the options that a signature names: perplexity leaves out what does not matter."""
        return self.OPTIONS

    def _checked(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        """Checks raw columns and returns them as lists of equal length."""
        checked = check_columns(self.name, self.COLUMNS, columns)
        self._check_columns(checked)
        return checked

    def _unnamed(self, method: str) -> UnknownArgumentError:
        """Returns an error for columns without a name, whose order differs from library to library."""
        names = [name for name in self.COLUMNS if self._needs(name)]
        if method == "add":
            names = [name[:-1] for name in names]  # singular
        arguments = ", ".join(f"{name}=..." for name in names)
        return UnknownArgumentError(f"pass columns by name: {self.name}.{method}({arguments})")

    def _needs(self, name: str) -> bool:
        return name in self.COLUMNS and not self.COLUMNS[name].is_optional

    def _single(self, prediction: Any, reference: Any, others: dict[str, Any]) -> dict[str, list[Any]]:
        """Returns columns of one row, without those that may be missing and are."""
        plural = [name for name in ("predictions", "references") if name in others]
        if plural:
            raise UnknownArgumentError(f"{plural[0]} is for several segments; pass {plural[0][:-1]} for one segment")
        columns = {}
        for name, value in {"predictions": prediction, "references": reference, **others}.items():
            if value is not None or self._needs(name):
                columns[name] = [value]
        return columns

    def __len__(self) -> int:
        """Returns how many rows were added since the last `compute`."""
        return 0 if self._added is None else len(self._added["predictions"])

    def _write(self, columns: dict[str, list[Any]]) -> None:
        """Keeps checked columns for `compute`."""
        kind = self._feature_option(columns)
        if not len(self):  # no row, no kind
            self._added = {name: list(column) for name, column in columns.items()}
            self._added_kind = kind
        elif columns["predictions"]:
            self._check_kind(columns, kind)
            for name, column in columns.items():
                self._added[name] += column

    def _check_kind(self, columns: dict[str, list[Any]], kind: int) -> None:
        """Raises ValueError for rows of another kind than those that were added: numbers after texts."""
        for name in self.COLUMNS:
            if self._entry(name, kind) != self._entry(name, self._added_kind):
                raise self._other_kind(name, columns)

    def _entry(self, name: str, option: int) -> Any:
        """Returns the type of a column's entries under a feature option, or the first type if there is no other."""
        entries = self.COLUMNS[name].features
        return entries[option] if option < len(entries) else entries[0]

    def _other_kind(self, name: str, columns: dict[str, list[Any]]) -> InputError:
        """Returns an error for a column whose rows are of another kind than those that were added."""
        return InputError(
            f"{name}[0] is {columns[name][0]!r:.40}, of another kind than the rows added before; add one kind"
        )

    def _score_added(self, options: dict[str, Any]) -> dict[str, Any] | None:
        """Scores the rows that were added, and forgets them; where that fails, they are kept."""
        if self._added is None:
            raise InputError("nothing to score: pass predictions and references, or add some first")
        result = self._scored(self._added, options)
        self._added = None
        return result


def json_value(value: Any) -> Any:
    """Returns a value of a result as strict JSON holds it: nan as None, and an infinite number as "inf" or "-inf".

    >>> json_value({"cer": math.inf, "segments": [0.5, math.nan]})
    {'cer': 'inf', 'segments': [0.5, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): json_value(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def flat_result(result: Mapping[str, Any], in_percent: str | None) -> dict[str, Any]:
    """Returns the finite numbers of a result: `precisions` as `precision_1`, ..., intervals as their two ends.

    Args:
        result: what a metric returns.
        in_percent: the key whose value is there in percent too, as `score`.
    """
    values = {}
    for key, value in result.items():
        if key.endswith("confidence_interval"):
            values[f"{key}_low"], values[f"{key}_high"] = value
        elif isinstance(value, list):
            stem = re.sub("(?<!e)s$", "", key)
            for order, entry in enumerate(value, start=1):
                values[f"{stem}_{order}"] = entry
        else:
            values[key] = value
    numbers = {key: value for key, value in values.items() if is_number(value) and math.isfinite(value)}
    if in_percent in numbers:
        numbers.setdefault("score", 100 * numbers[in_percent])
    return numbers
