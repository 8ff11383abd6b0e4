"""What error rates have in common: the rule of a comparison, rows whose columns have names, and base classes."""

import abc
import functools
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from textgauge.core.columns import clean_texts
from textgauge.core.metric import check_width, error_rate, pick
from textgauge.core.phrase_tables import unused_entries
from textgauge.core.text_metric import TextMetric
from textgauge.korean.reading_networks import Alignment
from textgauge.korean.reading_tables import Readings, read_readings
from textgauge.korean.readings import Cleaning
from textgauge.tokens.cleaning import clean_characters
from textgauge.tokens.tokenizers import tokenize

from .conventions import Presets, all_conventions, with_preset
from .details import COUNTS, DETAILS, edits_without
from .edit_alignments import alignment_text, confusions, pieces, summary_line
from .error_kinds import CHOICES, ERROR_KINDS, without_key
from .fillers import Fillers, compile_fillers
from .keywords import Keywords, compile_keywords, missed_keywords, unused_keywords
from .number_marks import differing_numbers, has_mark, sign_edits
from .pair_choice import Choice
from .phrase_counts import count_keywords, keyword_rates
from .read_phrases import PhraseFinder

Sides = tuple[list[str], list[str]]  # predictions and references
_PHRASES = ("keywords", "predicted keywords", "found keywords")
_TOP_CONFUSIONS = 20
_UNSAID_FLAGS = ("drop_fillers", "sclite")  # a signature names them where they are True
RATES = ("rate", "infinite")  # columns of a segment, beside "segments", that a mean of rates is made of
RATES_WITHOUT = tuple(f"without {kind} {column}" for kind in ERROR_KINDS for column in RATES)


class Rule(NamedTuple):
    """How two texts are compared."""

    cleaning: Cleaning  # what of a text counts
    bounded: bool
    ties: str
    readings: Readings | None
    keywords: Keywords | None = None
    finder: PhraseFinder | None = None  # with readings
    tokenizer: Any = None  # of words; None where characters are compared
    space_normalized: bool = False
    compounds: str | None = None
    fillers: Fillers = compile_fillers()
    normalization: str | None = None  # Unicode form of all texts

    @property
    def joint(self) -> str:
        """What is between the pieces of an alignment."""
        return "" if self.tokenizer is None else " "

    @property
    def skips_blanks(self) -> bool:
        """Whether blanks are removed before characters are compared."""
        return self.tokenizer is None and self.cleaning.spaces == "remove"

    def uncounted(self) -> "Rule":
        """Returns the rule for texts whose phrases are not to be noted as used: those that nobody wrote."""
        if self.keywords is None:
            return self
        keywords = self.keywords._replace(used=self.keywords.used.copy())
        return self._replace(keywords=keywords, finder=self.finder and self.finder.uncounted(keywords))

    def clean(self, texts: list[str]) -> list[str]:
        """Returns the texts without what the convention removes; where words are compared, blanks stay."""
        if self.tokenizer is None:
            return clean_characters(texts, *self.cleaning)
        if (self.cleaning.special, self.cleaning.marks) == ("keep", "keep"):
            return texts
        return clean_characters(texts, *self.cleaning._replace(spaces="keep"))

    def tokens(self, texts: list[str]) -> list[Sequence[str]]:
        """Returns what of each text is compared: a string of characters, or a list of words."""
        cleaned = self.clean(texts)
        return cleaned if self.tokenizer is None else tokenize(cleaned, self.tokenizer)

    def sign_edits(self, predictions: Sequence[str], references: Sequence[str]) -> np.ndarray:
        """Returns the edits that the removal of marks inside numbers hides, (n_segments,), see `sign_edits`.

        With Korean readings it hides none: numbers are compared as they are read, 1.5 and 15 too.
        """
        is_read = self.readings is not None and self.readings.is_korean
        if is_read or (self.cleaning.special, self.cleaning.marks) == ("keep", "keep"):
            return np.zeros(len(references), dtype=np.int64)
        return sign_edits(predictions, references, self.tokens)


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
    columns = {"edits": choice.edits, "length": choice.lengths, "denominator": choice.denominators}
    if detailed:
        columns.update(zip(COUNTS, choice.counts.T, strict=True))
    for which in bare_rates(rule.readings, rule.keywords):
        columns[f"{which} edits"], columns[f"{which} denominator"] = getattr(choice, which)
    if rule.keywords is not None:
        columns.update(zip(_PHRASES, count_keywords(choice.marked, rule.keywords).T, strict=True))
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


def segment_rates(edits: np.ndarray, denominators: np.ndarray, which: str = "") -> dict[str, np.ndarray]:
    """Returns the rate of each segment, 0 where it is infinite, and 1 where it is; each (n_segments,).

    >>> rates = segment_rates(np.array([1, 2]), np.array([4, 0]), "literal ")
    >>> {name: column.tolist() for name, column in rates.items()}
    {'literal rate': [0.25, 0.0], 'literal infinite': [False, True]}
    """
    rates = error_rate(edits, denominators)
    is_infinite = np.isinf(rates)
    return {f"{which}rate": np.where(is_infinite, 0.0, rates), f"{which}infinite": is_infinite}


def segment_rates_without(columns: Mapping[str, np.ndarray], denominators: np.ndarray) -> dict[str, np.ndarray]:
    """Returns what `segment_rates` does without each kind of edits, by RATES_WITHOUT, each (n_segments,).

    >>> columns = {"edits": np.array([3]), **dict.fromkeys(ERROR_KINDS, np.array([1]))}
    >>> segment_rates_without(columns, np.array([4]))["without loop rate"].tolist()
    [0.5]
    """
    rates = {}
    for kind in ERROR_KINDS:
        rates |= segment_rates(edits_without(columns, kind), denominators, f"without {kind} ")
    return rates


def rate_of(columns: Mapping[str, np.ndarray], which: str, denominator: str, aggregate: str) -> np.ndarray:
    """Returns the pooled rate, or the mean of the segments', from sums of columns, each (...).

    >>> sums = {"edits": 3, "length": 6, "rate": 1.25, "infinite": 0, "segments": 2}
    >>> columns = {name: np.array(value) for name, value in sums.items()}
    >>> [rate_of(columns, "", "length", aggregate).item() for aggregate in ("pooled", "mean")]
    [0.5, 0.625]
    """
    if aggregate == "pooled":
        return error_rate(columns[f"{which}edits"], columns[denominator])
    # a segment without reference text but with edits makes the mean infinite, as it is alone
    mean = error_rate(columns[f"{which}rate"], columns["segments"])
    return np.where(columns[f"{which}infinite"] > 0, np.inf, mean)


def rates_without(columns: Mapping[str, np.ndarray], denominator: str, aggregate: str) -> dict[str, np.ndarray]:
    """Returns what `rate_of` does without each kind of edits, by ERROR_KINDS, each (...).

    >>> columns = {"edits": np.array(3), "length": np.array(4), **dict.fromkeys(ERROR_KINDS, np.array(1))}
    >>> rates_without(columns, "length", "pooled")["loop"].item()
    0.5
    """
    if aggregate == "mean":
        return {kind: rate_of(columns, f"without {kind} ", denominator, aggregate) for kind in ERROR_KINDS}
    return {kind: error_rate(edits_without(columns, kind), columns[denominator]) for kind in ERROR_KINDS}


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
    KINDS: ClassVar[tuple[str, ...]] = ERROR_KINDS  # of edits, which details count
    NOTATION_CHOICES: ClassVar[tuple[str, ...]] = CHOICES  # that details count

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

    def without_key(self, kind: str) -> str:
        """Returns the key of the rate without a kind of edits in a result with `detailed`."""
        return without_key(self.name, kind)

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
            counts, edits = chosen.counts.sum(0).tolist(), chosen.edits
            result["summary"] = summary_line(form, self.name.upper(), counts, len(edits), int((edits > 0).sum()))
        return result
