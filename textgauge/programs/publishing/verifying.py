"""Whether published scores are those of files: computed again from their signatures."""

import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

import textgauge
from textgauge.core.bootstrap import without_interval
from textgauge.core.options import signature_of

from ..errors import InputError
from ..reading.corpus import check_corpus
from ..reading.data_digests import OTHER, SAME, Data, differing_input, relation, split_data
from ..scoring.commands import find_corpora
from ..scoring.options import InputOptions
from ..scoring.row_files import SystemRows, read_row_files
from ..scoring.specs import Scorer, load_metric
from .results import IN_PERCENT, number_of

NOT_EQUAL = "not equal"
# with exponents that Python's decimals can compute with
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,4})?%?")
_LONGEST_NUMBER = 10_000  # characters
# by how much two processors may differ, which add up in another order: the part of a score, and the least
_RELATIVE_ERROR = Decimal("1e-14")
_ABSOLUTE_ERROR = Decimal("1e-15")


class _Written(str):
    """A word as a file has it, maybe a number: a float would forget how many decimals somebody wrote."""


class _Loader(yaml.BaseLoader):
    """Reads lists, mappings and texts; no tag makes anything else of them, and nothing is there twice."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Returns the next node; an alias is an error, since a few lines of aliases can be a text without end."""
        if self.check_event(yaml.AliasEvent):
            alias = self.peek_event()
            line = alias.start_mark.line + 1
            raise InputError(f"line {line}: *{alias.anchor} is an alias; write out what it stands for")
        return super().compose_node(parent, index)

    def construct_scalar(self, node: Any) -> str:
        """Returns the text of a node; without quotes it may be a number."""
        text = super().construct_scalar(node)
        return text if node.style else _Written(text)


class Published(NamedTuple):
    """A score as publish_result.py writes it."""

    written: str  # the value, as the file has it
    is_percent: bool
    signature: str
    key: str | None  # of another number than the headline
    data: Data | None = None  # that it says it is of

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.signature.partition("|")[0]


def read_published(path: Path) -> list[Published]:
    """Returns the scores of a file of the folder .eval_results; InputError for one without value and signature."""
    entries, scores = _entries(path), []
    for number, entry in enumerate(entries if isinstance(entries, list) else [], start=1):
        value, notes = (entry.get(name) if isinstance(entry, dict) else None for name in ("value", "notes"))
        is_number = isinstance(value, _Written) and len(value) <= _LONGEST_NUMBER and _NUMBER.fullmatch(value)
        if not is_number:
            raise InputError(f"{path}, result {number} has no number as its value")
        line, data = split_data(notes if isinstance(notes, str) else "")
        *before, signature = line.split(": ", 1)
        signature = signature_of(signature)
        if "|" not in signature:
            raise InputError(
                f"{path}, result {number} has no signature in its notes; without one nobody can compute it"
            )
        name = "".join(before)
        key = name.removesuffix(IN_PERCENT).strip()
        is_percent = value.endswith("%") or name.endswith(IN_PERCENT)
        scores.append(Published(value.removesuffix("%"), is_percent, signature, key or None, data))
    if not scores:
        raise InputError(f"{path} is not what publish_result.py writes: a list of results in YAML")
    return scores


def _entries(path: Path) -> Any:
    """Returns the content of a YAML file; None if it is empty."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except InputError as error:
        raise InputError(f"{path}, {error}") from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(
            f"{path}: byte 0x{byte:02x} is not UTF-8; publish_result.py --to writes it so (--encoding is of outputs "
            "and references alone)"
        ) from None
    except (yaml.YAMLError, RecursionError):  # the second for lists in lists
        return None


class Again(NamedTuple):
    """A score that was computed again."""

    score: float
    data: Data  # of one system


def computed_again(published: Published, files: InputOptions, allow_models: bool = False) -> Again:
    """Returns the score of files under the options of a signature.

    Args:
        published: the score.
        files: the options that name them.
        allow_models: whether a model that the signature names is loaded.

    Raises:
        InputError: what a signature names and does not hold (a table, a function, a model), another version, other
            numbers of references, several systems, files that cannot be read.
    """
    if published.metric not in textgauge.metric_names():  # no script that a file of somebody else names
        raise InputError(
            f"{published.signature!r:.200} names no metric of this version; there are "
            f"{', '.join(textgauge.metric_names())}"
        )
    metric = load_metric(published.metric)
    options = metric.options_of(published.signature, allow_models)
    corpus = next(find_corpora(files, [published.metric])(None)).with_data()
    if len(corpus.systems) != 1:
        raise InputError(
            f"a published score belongs to one system, but there are {len(corpus.systems)}: {', '.join(corpus.systems)}"
        )
    check_corpus(corpus, [Scorer(published.metric, metric, options, published.metric)])
    columns = corpus.columns_of(metric, next(iter(corpus.systems)))
    ours = metric.signature(references=columns.get("references"), **options)
    if ours != published.signature:
        raise InputError(f"{published.signature!r:.200} does not fit these references; theirs is {ours!r}")
    return Again(number_of(published.metric, metric.compute(**columns, **options), published.key), corpus.data)


def computed_of_rows(scores: Sequence[Published], path: Path) -> list[Again]:
    """Returns the same of a file of rows; InputError for several systems, or without rows of a signature."""
    systems = read_row_files(path)
    if len(systems) > 1:
        raise InputError(f"a published score belongs to one system, but {path} has {len(systems)}; pass one file")
    return [_of_rows(published, systems[0]) for published in scores]


def _of_rows(published: Published, rows: SystemRows) -> Again:
    """Returns a score of the rows of a system; InputError where it has none of the signature."""
    wanted = without_interval(published.signature)
    of_metric = next((labelled for labelled in rows.by_label.values() if labelled.signature == wanted), None)
    if of_metric is None:
        has = ", ".join(labelled.signature for labelled in rows.by_label.values())
        raise InputError(f"{rows.path} has no rows of {wanted!r}; it has rows of {has}")
    result = of_metric.metric.result(np.asarray(of_metric.values), **of_metric.options)
    return Again(number_of(published.metric, result, published.key), rows.data)


def data_lines(published: Published, ours: Data, is_equal: bool) -> tuple[list[str], bool]:
    """Says how the data of a score differ from ours, and whether more than their order differs.

    Digests do not tell how much of a text differs. Where the score `is_equal`, it may be a blank at the end of a line,
    and nothing speaks for another system.
    """
    if published.data is None:
        return ["data unknown: the notes do not name the references and outputs of the published score"], False
    [our_outputs] = ours.outputs.values()
    [their_outputs] = published.data.outputs.values()
    of_inputs, column = differing_input(published.data, ours)
    of_outputs = relation(their_outputs, our_outputs)
    lines = []
    if of_inputs == OTHER:
        lines.append(f"other {column} than the published score")
    if of_outputs == OTHER:
        another = "" if is_equal else "outputs of another system than the published one, or "
        lines.append(f"{another}changed outputs")
    if lines:
        return lines, True
    if of_inputs == of_outputs == SAME:
        return [], False
    if of_inputs != of_outputs and ours.inputs:
        # if it is equal nonetheless, texts occur twice and are swapped: the score decides
        return [f"the same outputs and {column}, but one of the two is in another order"], False
    return ["the same data in another order"], False


def sameness(published: Published, ours: float) -> str:
    """Says whether a score is equal, apart from the rounding of processors, or rounds to the decimals that are written.

    Of a score in the middle between two roundings both are equal to it. A value without decimals, such as 0
    or 1, is equal to no other score, since nearly all fractions round to it; 32 percent has the decimals of 0.32.

    >>> scores = [Published(written, False, "cer|v1.0", None) for written in ("0.3207", "0.32070", "0.3206974074481")]
    >>> [sameness(score, 0.32069740744804) for score in scores]
    ['equal to 4 decimals', 'equal to 5 decimals', 'not equal']
    """
    written = Decimal(published.written)
    score = Decimal(ours) * (100 if published.is_percent else 1)
    difference = abs(written - score)
    error = _RELATIVE_ERROR * abs(score) + _ABSOLUTE_ERROR
    if difference <= error:
        return "equal"
    decimals = max(-written.as_tuple().exponent, 0)
    half_a_unit = Decimal(5).scaleb(-decimals - 1)
    has_decimals = decimals > 0 or published.is_percent
    if has_decimals and difference <= half_a_unit + error:
        return f"equal to {decimals} decimal{'' if decimals == 1 else 's'}"
    return NOT_EQUAL
