"""The base of metrics that learn from all references of a corpus how often n-grams occur: cider, nist, rouge."""

import abc
from collections.abc import Iterable
from typing import Any, ClassVar

from textgauge.core.options import Option, own
from textgauge.core.text_metric import TextMetric

from .corpus import NgramTable
from .count_tables import as_dict, check_counts, compile_counts, counts_text

_GIVEN_COUNTS = (
    ", if not counted in the references that are scored: a JSON or TSV file. N-grams missing there count once."
)


def ngram_counts(
    default: Any, key: str, help: str, from_references: str | None = None, smallest_total: int = 0
) -> Option:
    """Returns the option that holds counts: None, a table or file, or the word for the counts in the references."""
    if from_references is None:
        help = f"{help}{_GIVEN_COUNTS}"

    def check(name: str, value: Any) -> None:
        if value is not None and not _is_word(value, from_references):
            check_counts(name, value, smallest_total)

    def text(value: Any) -> str:
        return value or "none" if value is None or _is_word(value, from_references) else counts_text(key, value)

    words = () if from_references is None else (default, from_references)
    in_code = "Or a dict from `corpus_counts`."
    headings = ("n-gram", "count") if from_references is None else ()  # else a form offers the words
    return own(default, key, help, check, kind="counts", choices=words, headings=headings, text=text, in_code=in_code)


def _is_word(value: Any, word: str | None) -> bool:
    return word is not None and isinstance(value, str) and value == word


class CorpusMetric(TextMetric):
    """Base of metrics that learn counts of n-grams; a subclass says below which option holds them, and how it counts.

    Its `statistics` takes the counts as the option `table`, None where there are none.
    """

    COUNTS_OPTION: ClassVar[str]
    FROM_REFERENCES: ClassVar[str | None] = None  # the value of that option for which the counts are learnt

    @abc.abstractmethod
    def _count(self, references: Iterable[list[str]], options: dict[str, Any], smallest: int) -> NgramTable:
        """Returns the counts in clean references, read once; n-grams that occur less often than `smallest` are out."""

    @abc.abstractmethod
    def _max_order(self, options: dict[str, Any]) -> int:
        """Returns the longest n-gram that is looked up."""

    def _tokenization(self, options: dict[str, Any]) -> str:
        """Returns how texts become tokens, as a signature has it.

        nist, rouge.
        """
        entries = []
        for name in ("tokenizer", "lowercase", "normalization"):
            option = self.OPTIONS[name]
            entries.append(f"{option.key}:{option.text(options[name])}")
        return "|".join(entries)

    def corpus_option(self, **options: Any) -> str | None:
        """Returns the option that takes `corpus_counts`; None where the counts are given, or not needed."""
        _, options = self._split(options)
        return self.COUNTS_OPTION if self._learns(self._resolved_options(options)) else None

    def corpus_counts(self, **kwargs: Any) -> dict[str, int]:
        """Returns what the metric must know of a whole corpus before it can score a part of it.

        The counts of parts add up, key by key. With the sum as the option that `corpus_option` names, parts are scored
        as in one call; what counts once may be left out. A key that begins with a space says how texts became tokens,
        so that the counts are not taken for those of another tokenizer. Takes the arguments of `compute`, of which it
        reads `references`.
        """
        columns, options = self._split(kwargs)
        options = self._resolved_options(options)
        if not self._learns(options):
            return super().corpus_counts()
        table = self._count(self._clean_references(columns.get("references"), options), options, smallest=1)
        return as_dict(table, self._tokenization(options))

    def compile_options(self, batches: Iterable[Any] | None = None, **options: Any) -> dict[str, Any]:
        """Returns all options with the counts as plain arrays, which `statistics` takes too; see `TextMetric`.

        Args:
            batches: the references of the whole corpus, part by part.
            **options: as for `compute`.
        """
        options = super().compile_options(**options)
        if not self._learns(options):
            table = self._given_table(options)
        elif batches is None:
            return options
        else:
            rows = (row for batch in batches for row in self._clean_references(batch, options))
            table = self._learnt_table(rows, options)
        if table is None:
            return options
        name = self.COUNTS_OPTION
        text = self.OPTIONS[name].text(options[name])
        return {**options, name: (*table, text)}

    def _prepare(self, columns: dict[str, Any], options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Adds the option `table`: the counts in all references, or the given ones."""
        if self._learns(options):
            references = self._cleaned({"references": columns["references"]}, options)["references"]
            table = self._learnt_table(references, options)
        else:
            table = self._given_table(options)
        return columns, {**options, "table": table}

    def _learns(self, options: dict[str, Any]) -> bool:
        value = options[self.COUNTS_OPTION]
        return value is None if self.FROM_REFERENCES is None else _is_word(value, self.FROM_REFERENCES)

    def _given_table(self, options: dict[str, Any]) -> NgramTable | None:
        value = options[self.COUNTS_OPTION]
        if value is None:
            return None
        return compile_counts(self.COUNTS_OPTION, value, self._max_order(options), self._tokenization(options))

    def _learnt_table(self, references: Iterable[list[str]], options: dict[str, Any]) -> NgramTable:
        """Returns the counts in clean references that are then scored: what occurs once counts as if unknown."""
        return self._count(references, options, smallest=2)

    def _clean_references(self, references: Any, options: dict[str, Any]) -> list[list[str]]:
        checked = self.COLUMNS["references"].check("references", references)
        return self._cleaned({"references": checked}, options)["references"]
