"""Whether published scores are those of files: computed again from their signatures."""

import dataclasses
import math
from pathlib import Path
from typing import NamedTuple

import yaml

import textgauge

from ..errors import InputError
from ..reading.corpus import check_corpus
from ..scoring.commands import find_corpora
from ..scoring.options import InputOptions
from ..scoring.specs import Scorer, load_metric
from .results import number_of

NOT_EQUAL = "not equal"
_FEWEST, _MOST = 3, 8  # decimals of a value that somebody may have rounded; of fewer, other values would be equal too


class Published(NamedTuple):
    """A score as publish_result.py writes it."""

    value: float
    signature: str
    key: str | None  # of another number than the headline

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.signature.partition("|")[0]


def read_published(path: Path) -> list[Published]:
    """Returns the scores of a file of the folder .eval_results; InputError for one without value and signature."""
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError):  # the second for bytes that are not UTF-8, and for a date such as 2026-13-01
        entries = None
    scores = []
    for number, entry in enumerate(entries if isinstance(entries, list) else [], start=1):
        value, notes = (entry.get(name) if isinstance(entry, dict) else None for name in ("value", "notes"))
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InputError(f"{path}, result {number} has no number as its value")
        *key, signature = str(notes or "").split(": ", 1)
        if "|" not in signature:
            raise InputError(
                f"{path}, result {number} has no signature in its notes; without one nobody can compute it"
            )
        scores.append(Published(float(value), signature, *(key or [None])))
    if not scores:
        raise InputError(f"{path} is not what publish_result.py writes: a list of results in YAML")
    return scores


def computed_again(published: Published, files: InputOptions) -> float:
    """Returns the score of files under the options of a signature.

    Args:
        published: the score.
        files: the options that name them.

    Raises:
        InputError: what a signature names and does not hold (a table, a function, a model), another version, other
            numbers of references, several systems, files that cannot be read.
    """
    if published.metric not in textgauge.metric_names():  # no script that a file of somebody else names
        raise InputError(
            f"{published.signature!r} is of no metric here; there are {', '.join(textgauge.metric_names())}"
        )
    metric = load_metric(published.metric)
    options = metric.options_of(published.signature)
    corpus = next(find_corpora(dataclasses.replace(files, metric=[published.metric]))(None))
    if len(corpus.systems) != 1:
        raise InputError(f"a score is of one system, and there are {len(corpus.systems)}: {', '.join(corpus.systems)}")
    check_corpus(corpus, [Scorer(published.metric, metric, options, published.metric)])
    columns = corpus.columns_of(metric, next(iter(corpus.systems)))
    ours = metric.signature(references=columns.get("references"), **options)
    if ours != published.signature:
        raise InputError(f"{published.signature!r} is of other references; that of these files is {ours!r}")
    return number_of(published.metric, metric.compute(**columns, **options), published.key)


def sameness(published: float, ours: float) -> str:
    """Says whether two values are equal: apart from the rounding of processors, or to three decimals or more.

    >>> sameness(0.3207, 0.32069740744804), sameness(0.3206974074480498, 0.3207)
    ('equal to 4 decimals', 'not equal')
    """
    if math.isclose(published, ours, rel_tol=1e-9, abs_tol=1e-12):
        return "equal"
    digits = len(repr(published).partition(".")[2])
    is_rounded = "e" not in repr(published) and _FEWEST <= digits <= _MOST
    if is_rounded and abs(published - ours) <= 0.5 * 10.0**-digits:
        return f"equal to {digits} decimals"
    return NOT_EQUAL
