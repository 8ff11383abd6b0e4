"""What error rates have in common: the base classes."""

import abc
import functools
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from textgauge.core.columns import clean_texts
from textgauge.core.metric import pick
from textgauge.core.phrase_counts import check_phrases
from textgauge.core.phrase_tables import unused_entries
from textgauge.core.text_metric import TextMetric
from textgauge.edits.distances import Alignment
from textgauge.korean.reading_tables import read_readings

from .conventions import Presets, all_conventions, with_preset
from .details import edits_without
from .edit_alignments import alignment_text, confusions, pieces, summary_line
from .explanations import shown_alignment
from .kinds.error_kinds import ERROR_KINDS, without_keys
from .nearest.choice import Choice
from .nearest.pairs import ComparedTexts
from .nearest.rule import Rule
from .nearest.spelled_texts import check_phrases_are_words, compared_texts, nearest_pairs
from .phrases.fillers import compile_fillers
from .phrases.keywords import compile_keywords, read_keywords
from .phrases.number_marks import differing_numbers, has_mark
from .rows import named_columns

_TOP_CONFUSIONS = 20
_UNSAID_FLAGS = ("drop_fillers", "sclite")  # a signature names them where they are True


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
        own_fillers = None if options["fillers"] is None else tuple(options["fillers"])
        fillers = compile_fillers(own_fillers, options["drop_fillers"])
        rule = rule._replace(fillers=fillers, normalization=options["normalization"])
        if options["readings"] is not None:
            rule = rule._replace(readings=read_readings(options["readings"]))
        if not options["weights"]:
            return columns, {**options, "rule": rule}

        if rule.readings is not None:
            check_phrases_are_words(read_keywords(options["weights"]), rule.readings)
        clean = functools.partial(clean_texts, lowercase=options["lowercase"], normalization=options["normalization"])
        compared = functools.partial(_compared_characters, rule)
        keywords = compile_keywords(options["weights"], clean, compared)
        return columns, {**options, "rule": rule._replace(keywords=keywords)}

    def _phrase_values(self, phrases, options):
        """Returns the phrases that are missed, and those that no reference has."""
        return {"missed_keywords": phrases.most_missed(), **unused_entries(phrases.unused())}

    def _check_phrases(self, phrases, options):
        """Raises InputError for phrases that are not in `weights`."""
        check_phrases(phrases, read_keywords(options["weights"]))


def _compared_characters(rule: Rule, texts: list[str]) -> list[str]:
    """Returns the characters of clean texts that are compared."""
    return list(map("".join, rule.tokens(texts)))


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
    PYTHON_OPTIONS = ("readings", "weights", "compounds", "detailed")
    HAS_CONFUSIONS: ClassVar[bool] = False  # whether details have the most frequent ones
    KINDS: ClassVar[tuple[str, ...]] = ERROR_KINDS  # of edits, which details count

    @staticmethod
    @abc.abstractmethod
    def _align(compared: ComparedTexts, rule: Rule, with_counts: bool) -> tuple[Choice, Iterable[Alignment]]:
        """Returns the nearest reference of each segment, and its alignment."""

    @staticmethod
    @abc.abstractmethod
    def _names(**options: Any) -> list[str]:
        """Returns the names of the columns of a row."""

    def without_key(self, kind: str) -> str:
        """Returns the key of the rate without a kind of edits in a result with `detailed`."""
        return without_keys(self.name)[kind]

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
            is_infinite = columns[f"without {kind} infinite"] > 0
            numerator = np.where(is_infinite, np.inf, columns[f"without {kind} rate"])
            denominator = columns["segments"]
        else:
            [numerator] = edits_without(columns, [kind])
            denominator = columns["denominator" if options["bounded"] else "length"]
        return np.stack([numerator, denominator], axis=-1)

    def _extras(self, result, columns, options):
        """Returns confusions, alignments and the rates of other conventions."""
        extras = {}
        if options["alignments"] or (options["detailed"] and self.HAS_CONFUSIONS):
            extras.update(self._alignments(columns, options))
        if options["conventions"]:
            rate = next(iter(result.values()))
            extras["conventions"] = all_conventions(self, self.PRESETS, columns, options, self.OF_ALL_CONVENTIONS, rate)
        return extras

    def hidden_signs(self, *, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        """Returns how many segments are equal up to marks inside numbers, which the convention removes.

        Keys: `segments`, and `example`, two numbers that differ; nothing where there is no such segment. Takes the
        arguments of `compute`.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `compute` has said what may be misread
            columns = self._checked({"predictions": predictions, "references": references})
        predictions = []
        references = []
        for text, row in zip(columns["predictions"], columns["references"], strict=True):
            if any(map(has_mark, (text, *row))):
                predictions.append(text)
                references.append(row)
        if not predictions:
            return {}

        options = self._resolved_options({**options, "weights": None})
        columns, options = self._prepare({"predictions": predictions, "references": references}, options)
        rule = options["rule"]
        if not rule.hides_signs:
            return {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            is_hidden = self._has_hidden_signs(self._cleaned(columns, options), rule)
        hidden = np.flatnonzero(is_hidden).tolist()
        if not hidden:
            return {}
        first = hidden[0]
        examples = [differing_numbers(reference, predictions[first]) for reference in references[first]]
        example = next(filter(any, examples), ("", ""))
        return {"segments": len(hidden), "example": list(example)}

    def _has_hidden_signs(self, columns: Mapping[str, Any], rule: Rule) -> np.ndarray:
        """Returns which segments are equal up to marks inside numbers, (n_segments,), of columns that are cleaned."""
        compared = compared_texts(**columns, rule=rule)
        choice, _ = self._align(compared, rule, False)
        pairs = nearest_pairs(compared, choice)
        signs = rule.sign_edits([pair.prediction.text for pair in pairs], [pair.reference.text for pair in pairs])
        return (choice.pairs.edits == 0) & (signs > 0)

    def _alignments(self, columns, options):
        """Returns the most frequent confusions, and the alignments in the form that is asked for."""
        rule = options["rule"]
        form = options["alignments"]
        with_counts = form in ("sclite", "kaldi")
        compared = compared_texts(**self._cleaned(columns, options), rule=rule)
        chosen, aligned = self._align(compared, rule, with_counts)
        segments = aligned
        if rule.readings is not None:
            segments = map(shown_alignment, aligned, nearest_pairs(compared, chosen))
        if form:
            segments = list(segments)
        result: dict[str, Any] = {}
        if options["detailed"] and self.HAS_CONFUSIONS:
            result["confusions"] = confusions(segments, _TOP_CONFUSIONS)
        if not form:
            return result

        if form == "pieces":
            result["alignments"] = [pieces(*segment, rule.joint) for segment in segments]
            return result
        result["alignments"] = [alignment_text(form, row, *segment) for row, segment in enumerate(segments)]
        counts = chosen.pairs.steps.sum(0).tolist()
        n_wrong = int((chosen.pairs.edits > 0).sum())
        result["summary"] = summary_line(form, self.name.upper(), counts, len(chosen.pairs.edits), n_wrong)
        return result
