"""The columns of a metric: what an entry of each is, and the checks of what is passed.

Columns are checked before Arrow sees them, because it silently turns a string into a list of characters and a list into
its repr. A message names the column and the row, and says what is there and what to pass.
"""

import itertools
import math
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .errors import InputError
from .reserved import without_reserved

TEXT = "string"  # what an entry is: "string", "float64", a list of one of them, or a list of records
_BLOCK = 1024
_SAMPLE = 16  # rows that are looked at for a likely mistake
_CLEARLY = 0.2  # difference of two shares: captions of one image share some 0.4 of their character pairs, of two 0.2
_TOKENS, _PAIRS = 2, 8  # fewer tokens or character pairs say nothing about a text
MARKS = 64  # combining marks in a row; fewer are sorted fast


class Column(NamedTuple):
    """A kind of column."""

    features: tuple[Any, ...]  # what an entry may be, the preferred one first; evaluate makes features of them
    check: Callable[[str, Any], list[Any]]  # (name, raw column) -> list of valid rows, or ValueError
    clean: Callable[..., list[Any]]  # (list, lowercase=, normalization=) -> list in one Unicode form
    sizes: Callable[[list[Any]], np.ndarray]  # checked rows -> characters or numbers in each
    is_list: bool = False  # a row may hold several texts, and the signature says how many
    is_optional: bool = False  # may be left out
    missing: Any = ""  # the value of each row of a column that is left out
    help: str = ""  # what to pass
    compare: Callable[[list[Any], list[Any]], None] = lambda predictions, column: None  # may warn of a likely mistake


def check_texts(name: str, column: Any) -> list[str]:
    """Returns a column of texts as a list of strings."""
    texts = list_of_rows(name, column)
    if set(map(type, texts)) - {str}:
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                raise InputError(f"{name}[{row}] is {described(text)}; pass a string")
    bad = _lone_surrogate(texts)
    if bad is not None:
        raise InputError(f"{name}[{bad}] holds a lone surrogate, {texts[bad]!r:.60}; pass valid Unicode")
    return texts


def check_references(name: str, column: Any) -> list[Sequence[str]]:
    """Returns a column of references as a list of non-empty lists of strings; a text becomes a tuple of it."""
    rows = list_of_rows(name, column)
    types = set(map(type, rows))
    if types == {str}:
        # the garbage collector forgets tuples, and would go through so many lists
        rows = list(zip(rows, strict=True))
    elif not types <= {list, tuple} or not all(rows):
        rows = [_reference_list(f"{name}[{row}]", value) for row, value in enumerate(rows)]
    texts = list(itertools.chain.from_iterable(rows))
    if set(map(type, texts)) - {str}:
        for row, references in enumerate(rows):
            for index, text in enumerate(references):
                if not isinstance(text, str):
                    raise InputError(f"{name}[{row}][{index}] is {described(text)}; pass a string")
    bad = _lone_surrogate(texts)
    if bad is not None:
        row = np.repeat(np.arange(len(rows)), list(map(len, rows)))[bad]
        raise InputError(f"{name}[{row}] holds a lone surrogate, {texts[bad]!r:.60}; pass valid Unicode")
    return rows


def check_labels(name: str, column: Any) -> list[str]:
    """Returns a column of names or numbers of groups as a list of strings."""
    rows = list_of_rows(name, column)
    for row, value in enumerate(rows):
        if isinstance(value, bool) or not isinstance(value, (str, int, np.integer)):
            raise InputError(f"{name}[{row}] is {described(value)}; pass a string or an integer")
    return check_texts(name, list(map(str, rows)))


def label_codes(labels: Sequence[str]) -> np.ndarray:
    """Returns (n_labels,) the place of each among the distinct ones in order; numpy's own strings end before a NUL."""
    places = {label: place for place, label in enumerate(sorted(set(labels)))}
    return np.fromiter(map(places.__getitem__, labels), dtype=np.intp, count=len(labels))


def _reference_list(place: str, value: Any) -> list[Any]:
    """Returns the references of one segment as a non-empty list."""
    if isinstance(value, str):
        return [value]
    # an array without dimensions has no length, and a masked value is such an array
    is_list = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    if is_list or hasattr(value, "to_list"):
        if len(value):
            return list(value)
        raise InputError(f"{place} is an empty list; pass a string or a non-empty list of strings")
    raise InputError(f"{place} is {described(value)}; pass a string or a non-empty list of strings")


def warn_if_misread(predictions: list[str], references: list[list[str]]) -> None:
    """Warns of columns that look as if they were transposed, or as if a text was passed as a list of its tokens."""
    rows = references[:_SAMPLE]
    if rows and len(rows[0]) > 1:
        if len(rows[0]) == len(references) and _look_transposed(predictions, references):
            warnings.warn(
                "references[i] are the references of predictions[i], but here references[i][j] is like predictions[j]; "
                "if these are lists of one reference per prediction, pass references=list(zip(*references))",
                stacklevel=5,
            )
        elif _look_like_tokens(predictions, rows):
            warnings.warn(
                f"references[0] holds {len(rows[0])} references of one word each, which look like the tokens of one; "
                "pass texts, the metric tokenizes them",
                stacklevel=5,
            )


def _look_transposed(predictions: list[str], references: list[list[str]]) -> bool:
    """Returns whether references[i][j] is clearly more like predictions[j] than like predictions[i], for most i, j."""
    size = len(references)
    if any(len(row) != size for row in references) or len(set(map(tuple, references))) < size:
        return False
    predicted = list(map(_character_pairs, predictions[:_SAMPLE]))
    wanted = [list(map(_character_pairs, row[:_SAMPLE])) for row in references[:_SAMPLE]]
    if min(map(len, itertools.chain(predicted, *wanted))) < _PAIRS:
        return False
    direct = np.array([[_likeness(text, predicted[i]) for text in row] for i, row in enumerate(wanted)])
    transposed = np.array([[_likeness(text, predicted[j]) for j, text in enumerate(row)] for row in wanted])
    n_off_diagonal = direct.size - len(direct)
    # the diagonal is the same both ways: where it is no better than the rest, the predictions are bad
    most = direct.trace() / len(direct) - _CLEARLY
    gains = transposed - direct
    is_better = gains.sum() >= _CLEARLY * n_off_diagonal and (gains.sum(axis=0) > 0).all()
    return bool(is_better and (direct.sum() - direct.trace()) / n_off_diagonal <= most)


def _character_pairs(text: str) -> set[str]:
    text = text.casefold()
    return set(map("".join, itertools.pairwise(text)))


def _likeness(first: set[str], second: set[str]) -> float:
    """Returns the share of character pairs that two texts have in common, in [0, 1]."""
    return 2 * len(first & second) / max(len(first) + len(second), 1)


def _look_like_tokens(predictions: list[str], rows: list[list[str]]) -> bool:
    """Returns whether all references are single words, in most rows with a mark, or neighbours in a prediction."""
    if any(len(text.split()) != 1 for row in rows for text in row) or sum(map(len, rows)) < _TOKENS * len(rows):
        return False
    following = [
        any(f"{first} {second}" in text or first + second in text for first, second in itertools.pairwise(row))
        or any(word and not any(map(str.isalnum, word)) for word in row)
        for text, row in zip(predictions, rows, strict=False)
    ]
    return 2 * sum(following) >= len(rows)


def list_of_rows(name: str, column: Any) -> list[Any]:
    """Returns a list, tuple, array, pandas Series or datasets column as a list."""
    if hasattr(column, "to_pylist"):
        return column.to_pylist()
    # a table is iterable too, over the names of its columns
    is_other = isinstance(column, (str, bytes, Mapping, set, frozenset)) or hasattr(column, "columns")
    if is_other or not isinstance(column, Iterable) or (isinstance(column, np.ndarray) and column.ndim == 0):
        raise InputError(f"{name} is {described(column)}; pass a list with one entry per segment")
    return list(column)


def _lone_surrogate(texts: Sequence[str]) -> int | None:
    """Returns the index of the first text that holds half a surrogate pair, which no encoding can write."""
    for start in range(0, len(texts), _BLOCK):
        try:
            "".join(texts[start : start + _BLOCK]).encode("utf-16")  # much faster than UTF-8 for Korean
        except UnicodeEncodeError:
            return next(index for index in range(start, len(texts)) if has_lone_surrogate(texts[index]))
    return None


def has_lone_surrogate(text: str) -> bool:
    """Returns whether a text holds half a surrogate pair, so that it is not valid Unicode."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def described(value: Any) -> str:
    """Returns a wrong value as an error message names it."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return str(float(value)) if value is not None else "None"
    if isinstance(value, str):
        return f"a string, {value!r:.40}"
    return f"of type {type(value).__name__}, {value!r:.40}"


def clean_texts(texts: list[str], *, lowercase: bool = False, normalization: str | None = None) -> list[str]:
    """Returns the texts in one Unicode normal form, in lower case if asked, and without reserved characters.

    >>> clean_texts(["25℃ OK"], lowercase=True, normalization="NFKC")
    ['25°c ok']
    """
    if lowercase:
        if normalization in ("NFKC", "NFKD"):  # they turn some characters into capitals: ℃ into °C, ™ into TM
            texts = _normalized(texts, normalization)
        texts = [text.lower() for text in texts]
    return without_reserved(_normalized(texts, normalization))


def _normalized(texts: list[str], normalization: str | None) -> list[str]:
    # all texts are looked at together, because a line feed does not combine with any character
    if normalization is None or unicodedata.is_normalized(normalization, "\n".join(texts)):
        return texts
    return [unicodedata.normalize(normalization, _with_sorted_marks(text, normalization)) for text in texts]


def _with_sorted_marks(text: str, normalization: str) -> str:
    """Returns an equivalent text; if it has many combining marks in a row, it is decomposed and they are sorted.

    CPython's time for unsorted marks grows with the square of their number: 14 s for 80,000.
    """
    if not any(map(unicodedata.combining, text[::MARKS])):
        return text
    decomposed = "".join(unicodedata.normalize(normalization.replace("C", "D"), character) for character in text)
    groups = itertools.groupby(decomposed, key=lambda character: unicodedata.combining(character) > 0)
    return "".join(character for _, group in groups for character in sorted(group, key=unicodedata.combining))


def clean_references(
    rows: list[list[str]], *, lowercase: bool = False, normalization: str | None = None
) -> list[list[str]]:
    """Returns lists of texts in one Unicode normal form, in lower case if asked."""
    texts = list(itertools.chain.from_iterable(rows))
    cleaned = clean_texts(texts, lowercase=lowercase, normalization=normalization)
    if cleaned is texts:
        return rows
    left = iter(cleaned)
    return [[next(left) for _ in row] for row in rows]


def lengths_of(sequences: Sequence[Any]) -> np.ndarray:
    """Returns the length of each of several texts or lists: (n_sequences,) intp, as counts and indices are.

    >>> lengths_of(["네", "좋아요", ""]).tolist()
    [1, 3, 0]
    """
    return np.fromiter(map(len, sequences), dtype=np.intp, count=len(sequences))


def ranges(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns for each start the numbers start, start + 1, ..., as many as its count says: one array (n,).

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    counts = counts.astype(np.intp)  # a browser has indices of 32 bits
    begins = np.cumsum(counts) - counts  # of each range in the array
    return np.repeat(starts - begins, counts) + np.arange(counts.sum())


def _list_sizes(rows: list[list[str]]) -> np.ndarray:
    counts, lengths = lengths_of(rows), lengths_of(list(itertools.chain.from_iterable(rows)))
    return np.add.reduceat(lengths, np.cumsum(counts) - counts) if rows else counts


TEXTS = Column((TEXT,), check_texts, clean_texts, lengths_of, help="one string per segment.")
REFERENCES = Column(
    ([TEXT], TEXT),
    check_references,
    clean_references,
    _list_sizes,
    is_list=True,
    help="for each segment a string or a non-empty list of strings; their number may differ. "
    '`""` is a reference without words.',
    compare=warn_if_misread,
)


def check_columns(metric: str, kinds: Mapping[str, Column], columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Returns the columns of a metric as lists of equal length; one that may be left out, and is, as its `missing`.

    The name `metric` is for messages. A raw column that is None is as if it were left out.
    """
    given = {name: column for name, column in columns.items() if column is not None}
    unknown = [name for name in given if name not in kinds]
    if unknown:
        raise InputError(f"{metric} has no column {', '.join(unknown)}; it has {', '.join(kinds)}")
    wanted = [name for name, kind in kinds.items() if name in given or not kind.is_optional]
    checked = {name: kinds[name].check(name, given.get(name)) for name in wanted}
    (first, rows), *others = checked.items()
    for name, column in others:
        if len(column) != len(rows):
            hint = ""
            if len(column) > len(rows) and all(isinstance(row, tuple) for row in column):  # each was a text
                hint = "; several references of one segment go in one list"
            elif column and all(isinstance(row, (list, tuple)) and len(row) == len(rows) for row in column):
                hint = "; they look transposed: pass one list per segment, not one per set of references"
            raise InputError(f"{first} has {len(rows)} rows and {name} {len(column)}{hint}")
    checked = {name: checked.get(name, [kind.missing] * len(rows)) for name, kind in kinds.items()}
    for name, kind in kinds.items():
        kind.compare(checked["predictions"], checked[name])
    return checked


def clean_columns(kinds: Mapping[str, Column], columns: Mapping[str, Any], **cleaning: Any) -> dict[str, list[Any]]:
    """Returns those of the kinds that are there, with their texts in one Unicode form and case."""
    return {name: kind.clean(columns[name], **cleaning) for name, kind in kinds.items() if name in columns}


def row_sizes(kinds: Mapping[str, Column], columns: Mapping[str, Any]) -> np.ndarray:
    """Returns the characters, or numbers, in each row of all columns together: (n_rows,)."""
    return sum(kind.sizes(columns[name]) for name, kind in kinds.items())
