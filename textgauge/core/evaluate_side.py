"""What evaluate asks of a metric: features and help, rows that are added over several calls, copies.

A metric says what it takes in `COLUMNS` and `OPTIONS`; from these follow the features, `_compute` and its help.
"""

import abc
import inspect
import itertools
import math
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import datasets
import evaluate

from .columns import Column, check_columns
from .errors import InputError, UnknownArgumentError
from .options import BOOTSTRAP, FLAT, Option, default_values, is_number, read_signature, write_signature

_OPEN = ("writer", "buf_writer", "data", "cache_file_name", "filelock", "rendez_vous_lock", "file_paths", "filelocks")
_FUNCTIONS = ("statistics", "score", "explain", "check")


class EvaluateMetric(evaluate.Metric, abc.ABC):
    """Base of all metrics: the side that evaluate sees.

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

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Makes `_compute` and its help from the tables, and takes over the functions of the module."""
        super().__init_subclass__(**kwargs)
        if "OPTIONS" not in vars(cls):
            return  # another base
        if "LOWER_IS_BETTER" not in vars(cls):
            raise TypeError(f"{cls.__name__} does not say LOWER_IS_BETTER: True for an error rate, else False")
        cls.OPTIONS = {**cls.OPTIONS, **{name: o for name, o in cls.COMMON_OPTIONS.items() if name not in cls.OPTIONS}}
        for name in _FUNCTIONS:
            function = getattr(sys.modules[cls.__module__], name, None)
            if function is not None:
                setattr(cls, f"_{name}", staticmethod(function))
        cls._compute = _compute_method(cls)

    @abc.abstractmethod
    def _scored(self, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
        """Returns what `compute` returns, for checked columns and resolved options."""

    def _feature_option(self, columns: dict[str, Any]) -> int:
        """Returns which of `features` checked columns have: perplexity, human_correlation."""
        return 0

    def add_batch(self, *unnamed, predictions=None, references=None, **kwargs) -> None:
        """Adds segments, to be scored by `compute`; they may be none, as in an empty share of a distributed run.

        Args:
            *unnamed: nothing; columns are passed by name.
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings.
            **kwargs: further columns, where the metric has them.
        """
        if unnamed:
            raise self._unnamed("add_batch")
        self._write(self._checked({"predictions": predictions, "references": references, **kwargs}))

    def add(self, *unnamed, prediction=None, reference=None, **kwargs) -> None:
        """Adds one segment, to be scored by `compute`.

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
        self._write(self._checked(self._single(prediction, reference, kwargs)))

    def signature(self, references: Iterable[Any] | None = None, **options: Any) -> str:
        """Returns one line that says what is computed, in sacreBLEU's grammar.

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

    def options_of(self, signature: str) -> dict[str, Any]:
        """Returns the options that a signature states, to be passed to `compute`.

        Raises:
            ValueError: another metric or version, or an option that a line cannot hold (a custom tokenizer, a table).
        """
        options = read_signature(self.name, self.OPTIONS, signature)
        ours = self.signature(**options)
        given = "|".join(field for field in signature.split("|") if not field.startswith("nrefs:"))
        if ours.replace("|nrefs:var", "") != given:
            raise InputError(f"{signature!r} cannot be met here; the same options give {ours!r}")
        return options

    def corpus_option(self, **options: Any) -> str | None:
        """Returns the option that takes `corpus_counts`; None where a row depends on nothing but its own segment."""
        return None

    def corpus_counts(self, **kwargs: Any) -> dict[str, int]:
        """Returns what the metric must know of a whole corpus; see `CorpusMetric`."""
        raise InputError(f"{self.name} needs no counts of the corpus with these options")

    def compile_options(self, batches: Iterable[Any] | None = None, **options: Any) -> dict[str, Any]:
        """Returns all options, for many calls of `statistics` and `score` with parts of a corpus.

        A table of n-gram counts is read once then, and not in each call. The result can be sent to other processes.

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

    def _info(self) -> evaluate.MetricInfo:
        options = itertools.zip_longest(*(kind.features for kind in self.COLUMNS.values()))
        first = [kind.features[0] for kind in self.COLUMNS.values()]
        return evaluate.MetricInfo(
            description=inspect.getdoc(type(self)).partition("\n\n")[0],
            citation=self.CITATION,
            inputs_description=inspect.getdoc(self._compute),
            features=[
                datasets.Features({name: a or b for name, a, b in zip(self.COLUMNS, option, first, strict=True)})
                for option in options
            ],
        )

    def _checked(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        """Checks raw columns and returns them as lists of equal length."""
        checked = check_columns(self.name, self.COLUMNS, columns)
        self._check_columns(checked)
        return checked

    def _unnamed(self, method: str) -> UnknownArgumentError:
        """Returns an error for columns without a name, whose order differs from library to library."""
        names = [name for name in self.COLUMNS if self._needs(name)]
        shown = ", ".join(f"{name if method != 'add' else name[:-1]}=..." for name in names)
        return UnknownArgumentError(f"pass columns by name: {self.name}.{method}({shown})")

    def _needs(self, name: str) -> bool:
        return name in self.COLUMNS and not self.COLUMNS[name].is_optional

    def _single(self, prediction: Any, reference: Any, others: dict[str, Any]) -> dict[str, list[Any]]:
        """Returns columns of one row, without those that may be missing and are."""
        plural = [name for name in ("predictions", "references") if name in others]
        if plural:
            raise UnknownArgumentError(
                f"{plural[0]} is for several segments; pass {plural[0][:-1]} for the one that is meant"
            )
        row = {"predictions": prediction, "references": reference, **others}
        return {name: [value] for name, value in row.items() if value is not None or self._needs(name)}

    def _write(self, columns: dict[str, list[Any]]) -> None:
        """Hands checked columns to evaluate, always with lists of references, so that batches may differ in kind."""
        rows, features = columns["predictions"], self.features[self._feature_option(columns)]
        if len(self) and rows and features != self.selected_feature_format:
            name = next(name for name in features if features[name] != self.selected_feature_format[name])
            raise InputError(
                f"{name}[0] is {columns[name][0]!r:.40}, of another kind than what was added; add one kind"
            )
        # an empty share of a distributed run has no kind yet
        is_new = self.writer is None or features != self.selected_feature_format
        if not len(self) and is_new and (rows or self.num_process > 1):
            self.selected_feature_format = features
            self._init_writer()
        if self.writer is not None:
            super().add_batch(**columns)

    def _create_cache_file(self, timeout=1):
        """Returns a new file and its lock; a single process takes another name at once where one is in use."""
        return super()._create_cache_file(timeout if self.num_process > 1 else 0)

    def _take_back(self) -> dict[str, list[Any]] | None:
        """Undoes evaluate's half of a `compute` that raised: what was added is there again, and no lock is left.

        Returns what was added.
        """
        columns = None if self.data is None else {name: self.data[name][:] for name in self.COLUMNS}
        for lock in self.filelocks or []:
            lock.release()
        vars(self).update(dict.fromkeys(_OPEN))
        if columns is not None and self.num_process == 1:
            self._write(columns)
        return columns

    def __getstate__(self) -> dict[str, Any]:
        """Returns the metric without its open file, but with what was added: for copies and other processes.

        Raises:
            TypeError: a share of a distributed run, which the other processes wait for, and not for its copy.
        """
        added = None
        if len(self):
            if self.num_process > 1:
                raise TypeError(f"{self.name} holds a share of a distributed run; copy it before add or after compute")
            self._finalize()
            added = self._take_back()
        return {**vars(self), **dict.fromkeys(_OPEN), "added": added}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if added := vars(self).pop("added"):
            self._write(added)


def flat_result(result: Mapping[str, Any], in_percent: str | None) -> dict[str, Any]:
    """Returns the finite numbers of a result: `precisions` as `precision_1`, ..., intervals as their two ends.

    Args:
        result: what a metric returns.
        in_percent: the key whose value is there in percent too, as `score`.
    """
    numbers = {}
    for key, value in result.items():
        if key.endswith("confidence_interval"):
            numbers.update({f"{key}_{end}": bound for end, bound in zip(("low", "high"), value, strict=True)})
        elif isinstance(value, list):
            stem = re.sub("(?<!e)s$", "", key)
            numbers.update({f"{stem}_{order}": entry for order, entry in enumerate(value, start=1)})
        else:
            numbers[key] = value
    numbers = {key: value for key, value in numbers.items() if is_number(value) and math.isfinite(value)}
    if in_percent in numbers:
        numbers.setdefault("score", 100 * numbers[in_percent])
    return numbers


def _compute_method(of_class: type[EvaluateMetric]) -> Callable:
    """Returns the method `_compute`, whose parameters and help name all columns and options."""

    def _compute(self, **arguments):
        return self._scored({name: arguments.pop(name) for name in self.COLUMNS}, arguments)

    columns, options = of_class.COLUMNS, of_class.OPTIONS
    defaults = {name: None if kind.is_optional else inspect.Parameter.empty for name, kind in columns.items()}
    defaults.update(default_values(options))
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind, default=default) for name, default in defaults.items()]
    _compute.__signature__ = inspect.Signature([inspect.Parameter("self", kind), *parameters])
    texts = {name: said.help for name, said in columns.items()}
    texts.update((name, said.full_help) for name, said in options.items())
    entries = [
        textwrap.fill(f"{name}: {text}", 112, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, text in texts.items()
    ]
    rest = inspect.getdoc(of_class).partition("\n\n")[2]
    _compute.__doc__ = "\n".join(["Scores predictions.", "", "Args:", *entries, "", rest])
    return _compute
