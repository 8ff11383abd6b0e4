"""The side of a metric that evaluate sees: features, rows that are added through its Arrow files, copies.

`MetricType` adds `EvaluateSide` and `evaluate.Metric` to the bases of a class whose script evaluate's loader executes.
evaluate and datasets are imported inside functions: whoever reads this file may have neither, as a browser.
"""

import inspect
from typing import Any

from .columns import TEXT
from .errors import InputError

_OPEN = ("writer", "buf_writer", "data", "cache_file_name", "filelock", "rendez_vous_lock", "file_paths", "filelocks")


def _evaluate_metric() -> Any:
    """Returns evaluate's own class, the last base of a metric of which `EvaluateSide` is the first."""
    import evaluate

    return evaluate.Metric


class EvaluateSide:
    """The first base of a metric that evaluate loads: what it does otherwise than a metric of `textgauge.load`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Takes what evaluate's own class takes, and options, which are the defaults of this object."""
        of_evaluate = inspect.signature(_evaluate_metric().__init__).parameters
        given_to_evaluate = {name: kwargs[name] for name in of_evaluate if name in kwargs}
        _evaluate_metric().__init__(self, *args, **given_to_evaluate)
        options = {}
        for name, value in kwargs.items():
            if name in self.OPTIONS or name not in of_evaluate:  # both have a seed
                options[name] = value
        super().__init__(**options)

    def _info(self) -> Any:
        import datasets
        import evaluate

        n_options = max(len(column.features) for column in self.COLUMNS.values())
        features = []
        for option in range(n_options):
            entries = {name: _feature(self._entry(name, option)) for name in self.COLUMNS}
            features.append(datasets.Features(entries))
        return evaluate.MetricInfo(
            description=self.description,
            citation=self.citation,
            inputs_description=self.inputs_description,
            features=features,
        )

    def __len__(self) -> int:
        return 0 if self.writer is None else len(self.writer)

    def _takes_one_call(self) -> bool:
        return self.writer is None and self.num_process == 1

    def _score_added(self, options: dict[str, Any]) -> dict[str, Any] | None:
        if self.writer is None and self.process_id == 0:
            raise InputError("nothing to score: pass predictions and references, or add some first")
        try:
            return _evaluate_metric().compute(self, **options)
        except BaseException:
            self._take_back()
            raise

    def _write(self, columns: dict[str, list[Any]]) -> None:
        """Hands checked columns to evaluate, always with lists of references, so that batches may differ in kind."""
        rows = columns["predictions"]
        features = self.features[self._feature_option(columns)]
        if len(self) and rows and features != self.selected_feature_format:
            name = next(name for name in features if features[name] != self.selected_feature_format[name])
            raise self._other_kind(name, columns)
        # an empty share of a distributed run has no kind yet
        is_new = self.writer is None or features != self.selected_feature_format
        if not len(self) and is_new and (rows or self.num_process > 1):
            self.selected_feature_format = features
            self._init_writer()
        if self.writer is not None:
            _evaluate_metric().add_batch(self, **columns)

    def _create_cache_file(self, timeout=1):
        """Returns a new file and its lock; a single process takes another name at once where one is in use."""
        return _evaluate_metric()._create_cache_file(self, timeout if self.num_process > 1 else 0)

    def _take_back(self) -> dict[str, list[Any]] | None:
        """Undoes evaluate's half of a `compute` that raised: the added rows are back, and no lock is left.

        Returns the added rows.
        """
        columns = None if self.data is None else {name: self.data[name][:] for name in self.COLUMNS}
        for lock in self.filelocks or []:
            lock.release()
        vars(self).update(dict.fromkeys(_OPEN))
        if columns is not None and self.num_process == 1:
            self._write(columns)
        return columns

    def __getstate__(self) -> dict[str, Any]:
        """Returns the metric without its open file, but with the added rows: for copies and other processes.

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


def _feature(entry: Any) -> Any:
    """Returns an entry's type as datasets has it: for "float64", ["string"], or [{"speaker": "string", ...}]."""
    import datasets

    if isinstance(entry, dict):
        return {name: datasets.Value(kind) for name, kind in entry.items()}
    if isinstance(entry, list):
        [item] = entry
        return [_feature(item)] if isinstance(item, dict) else datasets.Sequence(_feature(item))
    return datasets.Value(entry, id="sequence" if entry == TEXT else None)  # the name that Hugging Face gives texts
