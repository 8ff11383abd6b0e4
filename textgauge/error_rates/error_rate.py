"""What error rates have in common: the rule of a comparison, rows whose columns have names, and base classes."""

import abc
import functools
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from textgauge.core.columns import clean_texts
from textgauge.core.metric import check_width, pick
from textgauge.core.phrase_tables import unused_entries
from textgauge.core.text_metric import TextMetric
from textgauge.korean.reading_networks import Alignment
from textgauge.korean.reading_tables import read_readings

from .choice import Choice
from .conventions import Presets, all_conventions, with_preset
from .details import COUNTS, DETAILS, edits_without
from .edit_alignments import alignment_text, confusions, pieces, summary_line
from .fillers import compile_fillers
from .keywords import compile_keywords, missed_keywords, unused_keywords
from .number_marks import differing_numbers, has_mark
from .phrase_counts import count_keywords, keyword_rates
from .read_phrases import PhraseFinder
from .rule import Rule

_PHRASES = ("keywords", "predicted keywords", "found keywords")
_TOP_CONFUSIONS = 20
_UNSAID_FLAGS = ("drop_fillers", "sclite")  # a signature names them where they are True


def column_names(
    *,
    bounded: bool,
    detailed: bool,
    readings: Any,
    weights: Any,
    own: Sequence[str] = (),
    own_details: Sequence[str] = (),
    own_bare: Sequence[str] = (),
) -> list[str]:
    """Returns the names of the columns of a row, in their order.

    `own` are columns that one of the two metrics has always, `own_details` those that it has with `detailed`,
    `own_bare` those that it has with readings or weights, of each rate without them.

    >>> column_names(bounded=True, detailed=False, readings="ko", weights=None)
    ['edits', 'length', 'denominator', 'literal edits', 'literal denominator']
    """
    names = ["edits", "length", *own]
    if bounded:
        names.append("denominator")
    if detailed:
        names += [*DETAILS, *own_details]
    for which in bare_rates(readings, weights):
        names += [f"{which} {name}" for name in ("edits", "denominator", *own_bare)]
    return [*names, *_PHRASES] if weights else names


def bare_rates(readings: Any, weights: Any) -> list[str]:
    """Returns what a rate is called without weights, and without both readings and weights, where there are some.

    >>> bare_rates(readings="ko", weights={"책": 2.0}), bare_rates(readings=None, weights=None)
    (['unweighted', 'literal'], [])
    """
    return [name for name, option in (("unweighted", weights), ("literal", readings)) if option]


def columns_of(choice: Choice, rule: Rule, detailed: bool) -> dict[str, np.ndarray]:
    """Returns the columns that both metrics have alike, each of shape (n_segments,)."""
    pairs = choice.pairs
    columns = {"edits": pairs.edits, "length": pairs.lengths, "denominator": pairs.denominators}
    if detailed:
        columns.update(zip(COUNTS, pairs.steps.T, strict=True))
    for which, bare in choice.bare.items():
        columns[f"{which} edits"] = bare.edits
        columns[f"{which} denominator"] = bare.denominators
    if rule.keywords is not None:
        counts = count_keywords(choice.marked, len(pairs.edits), rule.keywords)
        columns.update(zip(_PHRASES, counts.T, strict=True))
    return columns


def nearest_texts(references: Sequence[Sequence[str]], choice: Choice) -> list[str]:
    """Returns the nearest reference of each segment."""
    return [row[index] for row, index in zip(references, choice.indices, strict=True)]


def rows_of(columns: Mapping[str, np.ndarray], names: Iterable[str]) -> np.ndarray:
    """Returns rows with these columns, (n_segments, n_names) float64.

    >>> rows_of({"edits": np.array([1, 0]), "length": np.array([4, 2])}, ["edits", "length"]).tolist()
    [[1.0, 4.0], [0.0, 2.0]]
    """
    return np.array([columns[name] for name in names], dtype=np.float64).T


def named_columns(rows: np.ndarray, names: list[str]) -> dict[str, np.ndarray]:
    """Returns the columns of rows (..., n_names) by name; InputError unless there are so many.

    >>> columns = named_columns(np.array([[1, 4], [0, 2]]), ["edits", "length"])
    >>> {name: column.tolist() for name, column in columns.items()}
    {'edits': [1, 0], 'length': [4, 2]}
    """
    check_width(rows, len(names))
    return {name: rows[..., index] for index, name in enumerate(names)}


def values_of(
    columns: Mapping[str, np.ndarray], name: str, bare: Mapping[str, np.ndarray], weights: Any
) -> dict[str, np.ndarray]:
    """Returns what follows the rate in a result: edits and length, what they are without options, rates of phrases.

    Arrays have the shape of each column, (...). `bare` has the rates that `bare_rates` names.

    >>> columns = {"edits": np.array(1), "length": np.array(4), "literal edits": np.array(2)}
    >>> {key: value.item() for key, value in values_of(columns, "cer", {"literal": np.array(0.5)}, None).items()}
    {'edits': 1, 'reference_length': 4, 'literal_cer': 0.5, 'literal_edits': 2}
    """
    values = {"edits": columns["edits"], "reference_length": columns["length"]}
    if not weights:
        values = {key: value.astype(np.int64) for key, value in values.items()}
    for which, rate in bare.items():
        values[f"{which}_{name}"] = rate
        values[f"{which}_edits"] = columns[f"{which} edits"].astype(np.int64)
    if weights:
        values.update(keyword_rates(*(columns[phrase] for phrase in _PHRASES)))
    return values


class RuleMetric(TextMetric):
    """Base of metrics whose `statistics` takes the option `rule`."""

    PRESETS: ClassVar[Presets]
    UNSAID: ClassVar[Mapping[str, Any]] = {}  # values of options that a signature leaves out where all are these

    @staticmethod
    @abc.abstractmethod
    def _rule(options: Mapping[str, Any], preset: Mapping[str, Any]) -> Rule:
        """Returns the rule of options, without readings and phrases."""

    def _signed(self, options):
        """Returns the options that a signature names; that nothing is removed, dropped or marked needs no word."""
        hidden = {name for name in _UNSAID_FLAGS if not options.get(name)}
        if all(options[name] == value for name, value in self.UNSAID.items()):
            hidden |= self.UNSAID.keys()
        return {name: option for name, option in self.OPTIONS.items() if name not in hidden}

    def _resolve(self, options):
        """Returns all options; what is not given has the preset's value, so that a signature states it."""
        return with_preset(options, self.PRESETS)

    def _prepare(self, columns, options):
        """Adds the rule of the comparison, with what only the preset decides."""
        rule = self._rule(options, self.PRESETS[options["preset"]])
        own = None if options["fillers"] is None else tuple(options["fillers"])
        fillers = compile_fillers(own, options["drop_fillers"])
        rule = rule._replace(fillers=fillers, normalization=options["normalization"])
        if options["readings"] is not None:
            rule = rule._replace(readings=read_readings(options["readings"]))
        if not options["weights"]:
            return columns, {**options, "rule": rule}

        cleaning = {name: options[name] for name in ("lowercase", "normalization")}
        clean = functools.partial(clean_texts, **cleaning)
        keywords = compile_keywords(options["weights"], clean, lambda texts: list(map("".join, rule.tokens(texts))))
        rule = rule._replace(keywords=keywords)
        if rule.readings is not None:
            rule = rule._replace(finder=PhraseFinder(keywords, rule.readings, rule.cleaning, bool(rule.joint)))
        return columns, {**options, "rule": rule}

    def _extras(self, result, columns, options):
        """Returns the phrases that are missed, and those that are in no text."""
        keywords = options["rule"].keywords
        if keywords is None:
            return {}
        return {"missed_keywords": missed_keywords(keywords), **unused_entries(unused_keywords(keywords))}


class ErrorRateMetric(RuleMetric):
    """Base of CER and WER."""

    CITATION = """\
@inproceedings{morris-etal-2004-wer,
    title = "From {WER} and {RIL} to {MER} and {WIL}: improved evaluation measures for connected speech recognition",
    author = "Morris, Andrew Cameron and Maier, Viktoria and Green, Phil",
    booktitle = "Interspeech 2004",
    year = "2004",
    pages = "2765--2768",
}
"""
    OF_ALL_CONVENTIONS: ClassVar[tuple[str, ...]]  # the options that do not change with the convention
    HAS_CONFUSIONS: ClassVar[bool] = False  # whether details have the most frequent ones

    @staticmethod
    @abc.abstractmethod
    def _align(
        predictions: list[str], references: list[list[str]], rule: Rule, with_counts: bool
    ) -> tuple[Choice, Iterable[Alignment]]:
        """Returns the nearest reference of each segment, and its alignment."""

    @staticmethod
    @abc.abstractmethod
    def _names(**options: Any) -> list[str]:
        """Returns the names of the columns of a row."""

    def without_kind(self, rows: np.ndarray, kind: str, **options: Any) -> np.ndarray:
        """Returns rows (n_segments, 2) of which the sums, divided, are the rate without a kind of edits.

        Args:
            rows: of `statistics` with `detailed`, (n_segments, n_statistics).
            kind: one of ERROR_KINDS.
            **options: as for `compute`.
        """
        _, options = self._split(options)
        columns = named_columns(rows, self._names(**pick(self._names, options)))
        if options.get("aggregate") == "mean":
            rates = columns[f"without {kind} rate"]
            pair = np.where(columns[f"without {kind} infinite"] > 0, np.inf, rates), columns["segments"]
        else:
            pair = edits_without(columns, kind), columns["denominator" if options["bounded"] else "length"]
        return np.stack(pair, axis=-1)

    def _extras(self, result, columns, options):
        """Returns missed phrases, confusions, alignments and the rates of other conventions."""
        extras = super()._extras(result, columns, options)
        if options["alignments"] or (options["detailed"] and self.HAS_CONFUSIONS):
            extras.update(self._alignments(columns, options))
        if options["conventions"]:
            rate = next(iter(result.values()))
            extras["conventions"] = all_conventions(self, self.PRESETS, columns, options, self.OF_ALL_CONVENTIONS, rate)
        return extras

    def hidden_signs(self, *, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        """Returns how many segments are equal but for marks inside numbers, which the convention removes.

        Keys: `segments`, and `example`, two numbers that differ; nothing where there is no such segment. Takes the
        arguments of `compute`.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `compute` has said what may be misread
            columns = self._checked({"predictions": predictions, "references": references})
        rows = [
            row
            for row, (text, others) in enumerate(zip(*columns.values(), strict=True))
            if any(map(has_mark, (text, *others)))
        ]
        if not rows:
            return {}
        columns = {name: [column[row] for row in rows] for name, column in columns.items()}
        options = self._resolved_options({**options, "weights": None, "detailed": True})
        prepared = self._prepare(columns, options)
        counts = self._score(self._rows(*prepared), **pick(self._score, options))
        hidden = np.flatnonzero((counts["edits"] == 0) & (counts["sign_edits"] > 0)).tolist()
        if not hidden:
            return {}
        text, others = (column[hidden[0]] for column in columns.values())
        examples = [differing_numbers(other, text) for other in others]
        return {"segments": len(hidden), "example": list(next(filter(any, examples), ("", "")))}

    def _alignments(self, columns, options):
        """Returns the most frequent confusions, and the alignments in the form that is asked for."""
        rule, form = options["rule"], options["alignments"]
        with_counts = form in ("sclite", "kaldi") or rule.readings is not None
        chosen, aligned = self._align(**self._cleaned(columns, options), rule=rule, with_counts=with_counts)
        segments = (alignment[:3] for alignment in aligned)
        segments = list(segments) if form else segments
        has_confusions = options["detailed"] and self.HAS_CONFUSIONS
        result = {"confusions": confusions(segments, _TOP_CONFUSIONS)} if has_confusions else {}
        if form == "pieces":
            result["alignments"] = [pieces(*segment, rule.joint) for segment in segments]
        elif form:
            result["alignments"] = [alignment_text(form, row, *segment) for row, segment in enumerate(segments)]
            counts = chosen.pairs.steps.sum(0).tolist()
            is_wrong = chosen.pairs.edits > 0
            result["summary"] = summary_line(form, self.name.upper(), counts, len(is_wrong), int(is_wrong.sum()))
        return result
