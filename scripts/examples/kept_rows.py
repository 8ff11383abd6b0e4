"""Rows of metrics, kept while a model is evaluated batch by batch: in one process or in several, without texts."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import evaluate
import numpy as np

from textgauge.core.phrase_counts import RowsWithPhrases, join_phrase_counts

METRICS = Path(__file__).parents[2] / "metrics"


class KeptRows:
    """The rows of several metrics, each with the position of its segment in the data.

    A process adds what it has of each batch. The results are those of one process that has all, to the bit: rows are
    put in the order of their positions before they are added up. A position that several processes have, because a
    sampler fills up the last batch, counts once.
    """

    def __init__(self, names: Iterable[str], options: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        """Loads metrics.

        Args:
            names: such as ["bleu", "rouge"].
            options: options of metrics, such as {"bleu": {"tokenizer": "char"}}.
        """
        self.metrics = {}
        for name in names:
            of_metric = (options or {}).get(name, {})
            self.metrics[name] = (load_metric(name), dict(of_metric))
        self.clear()

    def clear(self) -> None:
        """Forgets all rows."""
        self._batches: list[tuple[np.ndarray, dict[str, RowsWithPhrases]]] = []

    def add(self, positions: Sequence[int], **columns: Any) -> None:
        """Computes and keeps rows.

        Args:
            positions: of the segments in the data. Where there are several predictions for each, one after another,
                their rows are added.
            **columns: predictions and references, and what else the metrics take.

        Raises:
            ValueError: positions do not fit, or a metric that learns from all references has only a part of them.
        """
        if self._batches or _processes() > 1:
            self._check_parts()
        rows = {}
        for name, (metric, options) in self.metrics.items():
            of_predictions, phrases = metric.statistics_with_phrases(**columns, **options)
            n_rows = len(of_predictions)
            n_positions = len(positions)
            if n_rows % max(n_positions, 1) or (n_rows and not n_positions):
                raise ValueError(
                    f"{n_positions} positions and {n_rows} rows; pass as many of each, or several rows a position"
                )
            several = n_rows // max(n_positions, 1)
            of_positions = of_predictions.reshape(n_positions, several, of_predictions.shape[1]).sum(axis=1)
            if phrases is not None:
                phrases = phrases.grouped(np.repeat(np.arange(n_positions), several), n_positions)
            rows[name] = RowsWithPhrases(of_positions, phrases)
        self._batches.append((np.asarray(positions, dtype=np.int64), rows))

    def results(self, from_all: bool = True) -> dict[str, dict[str, Any]]:
        """Returns what each metric's `compute` would return, and forgets all rows; all processes have to call this.

        Args:
            from_all: with the rows of the other processes.
        """
        batches = _gathered(self._batches) if from_all else self._batches
        self.clear()
        if not batches:
            raise ValueError("nothing to score: no process has added a row")
        positions = np.concatenate([of_batch for of_batch, _ in batches])
        _, order = np.unique(positions, return_index=True)
        results = {}
        for name, (metric, options) in self.metrics.items():
            parts = [rows[name] for _, rows in batches]
            rows = np.concatenate([part.rows for part in parts])[order]
            phrases = None
            if parts[0].phrases is not None:
                phrases = join_phrase_counts([part.phrases for part in parts]).of_segments(order)
            results[name] = metric.result(rows, phrases=phrases, **options)
        return results

    def _check_parts(self) -> None:
        for name, (metric, options) in self.metrics.items():
            option = metric.corpus_option(**options)
            if option is not None:
                raise ValueError(
                    f"{name} learns from all references, and here it has only a part of them; pass what "
                    f"metric.corpus_counts returns for all as its option {option}"
                )


def _processes() -> int:
    """Returns how many processes torch.distributed runs."""
    import torch.distributed

    is_running = torch.distributed.is_available() and torch.distributed.is_initialized()
    return torch.distributed.get_world_size() if is_running else 1


def share(count: int) -> range:
    """Returns the numbers of the segments, among those of all processes, that this process scores."""
    import torch.distributed

    processes = _processes()
    return range(torch.distributed.get_rank() if processes > 1 else 0, count, processes)


def _gathered(batches: list[Any]) -> list[Any]:
    """Returns the batches of all processes."""
    import torch.distributed

    if _processes() == 1:
        return batches
    shares: list[Any] = [None] * _processes()
    torch.distributed.all_gather_object(shares, batches)
    return [batch for share in shares for batch in share]


def load_metric(name: str) -> evaluate.Metric:
    """Returns a metric of this repository."""
    return evaluate.load(str(METRICS / f"{name}.py"))
