"""The columns of a metric: the type of their entries, and the checks of input.

Columns are checked before Arrow sees them, because it silently turns a string into a list of characters and a list into
its repr. A message names the column, the row, the value found there, and the value to pass.
"""

import itertools
import math
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .errors import InputError
from .reserved import FIRST_BYTE, FIRST_BYTES, REPLACEMENTS

TEXT = "string"  # what an entry is: "string", "float64", a list of one of them, or a list of records
_BLOCK = 1024
_SAMPLE = 16  # rows that are checked for a likely mistake
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
        # tuples of strings are not tracked by the garbage collector; lists would be
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
        row_of_text = np.repeat(np.arange(len(rows)), lengths_of(rows))
        row = row_of_text[bad]
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
    """Returns (n_labels,) the number of each among the distinct ones in order; numpy's own strings end before a NUL."""
    numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
    return np.array([numbers[label] for label in labels], dtype=np.intp)


def _reference_list(name: str, value: Any) -> list[Any]:
    """Returns the references of one segment as a non-empty list; `name` is that of the entry, for messages."""
    if isinstance(value, str):
        return [value]
    # an array without dimensions has no length, and a masked value is such an array
    is_list = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    if is_list or hasattr(value, "to_list"):
        if len(value):
            return list(value)
        raise InputError(f"{name} is an empty list; pass a string or a non-empty list of strings")
    raise InputError(f"{name} is {described(value)}; pass a string or a non-empty list of strings")


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
    """Returns whether references[i][j] is clearly more like predictions[j] than like predictions[i], for most i, j.

    The idea: two square tables say how alike references[i][j] is to either prediction, in their character pairs. They
    have one diagonal, i = j. References that are transposed are far more alike in the second table beside it, and then
    nearly as alike as on the diagonal.
    """
    size = len(references)
    if any(len(row) != size for row in references):
        return False
    pairs_of_predictions = list(map(_character_pairs, predictions[:_SAMPLE]))
    pairs_of_references = []
    for row in references[:_SAMPLE]:
        pairs_of_references.append(list(map(_character_pairs, row[:_SAMPLE])))
    if min(map(len, itertools.chain(pairs_of_predictions, *pairs_of_references))) < _PAIRS:
        return False

    n_rows = len(pairs_of_references)
    to_prediction_of_row = np.zeros((n_rows, n_rows))
    to_prediction_of_column = np.zeros((n_rows, n_rows))
    for row, texts in enumerate(pairs_of_references):
        for column, pairs in enumerate(texts):
            to_prediction_of_row[row, column] = _likeness(pairs, pairs_of_predictions[row])
            to_prediction_of_column[row, column] = _likeness(pairs, pairs_of_predictions[column])

    n_beside_diagonal = to_prediction_of_row.size - n_rows
    gains = to_prediction_of_column - to_prediction_of_row
    is_better_everywhere = (gains.sum(axis=0) > 0).all()
    is_better = is_better_everywhere and gains.sum() >= _CLEARLY * n_beside_diagonal
    # where the diagonal is no better than the rest, the predictions are bad
    on_diagonal = to_prediction_of_row.trace()
    beside_diagonal = to_prediction_of_row.sum() - on_diagonal
    is_clear = beside_diagonal / n_beside_diagonal <= on_diagonal / n_rows - _CLEARLY
    return bool(is_better and is_clear)


def _character_pairs(text: str) -> set[str]:
    text = text.casefold()
    return set(map("".join, itertools.pairwise(text)))


def _likeness(first: set[str], second: set[str]) -> float:
    """Returns the share of character pairs that two texts have in common, in [0, 1]."""
    return 2 * len(first & second) / max(len(first) + len(second), 1)


def _look_like_tokens(predictions: list[str], rows: list[list[str]]) -> bool:
    """Returns whether all references are single words, in most rows with a mark, or neighbours in a prediction."""
    references = list(itertools.chain.from_iterable(rows))
    has_few = len(references) < _TOKENS * len(rows)
    if has_few or any(len(reference.split()) != 1 for reference in references):
        return False
    n_like_tokens = 0
    for text, row in zip(predictions, rows, strict=False):
        has_mark = any(word and not any(map(str.isalnum, word)) for word in row)
        n_like_tokens += has_mark or _has_neighbours(text, row)
    return 2 * n_like_tokens >= len(rows)


def _has_neighbours(text: str, words: list[str]) -> bool:
    """Returns whether two words in a row follow one another in a text, with a blank between them or none."""
    neighbours = itertools.pairwise(words)
    return any(f"{first} {second}" in text or f"{first}{second}" in text for first, second in neighbours)


def list_of_rows(name: str, column: Any) -> list[Any]:
    """Returns a list, tuple, array, pandas Series or datasets column as a list."""
    if hasattr(column, "to_pylist"):
        return column.to_pylist()
    # a table is iterable too, over the names of its columns
    is_other = isinstance(column, (str, bytes, Mapping, set, frozenset)) or hasattr(column, "columns")
    is_one_number = isinstance(column, np.ndarray) and column.ndim == 0
    if is_other or is_one_number or not isinstance(column, Iterable):
        raise InputError(f"{name} is {described(column)}; pass a list with one entry per segment")
    return list(column)


def _lone_surrogate(texts: Sequence[str]) -> int | None:
    """Returns the index of the first text that holds half a surrogate pair, which no encoding can write."""
    for start in range(0, len(texts), _BLOCK):
        block = texts[start : start + _BLOCK]
        try:
            "".join(block).encode("utf-16")  # much faster than UTF-8 for Korean
        except UnicodeEncodeError:
            return start + list(map(has_lone_surrogate, block)).index(True)
    return None


def has_lone_surrogate(text: str) -> bool:
    """Returns whether a text holds half a surrogate pair, so that it is not valid Unicode."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def described(value: Any) -> str:
    """Returns a wrong value as an error message names it."""
    if value is None:
        return "None"
    if isinstance(value, float) and not math.isfinite(value):
        return str(float(value))
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
    # all texts are checked together, because a line feed does not combine with any character
    together = "\n".join(texts)
    if together.isascii():  # it is in every Unicode form
        return texts
    if normalization is not None and not unicodedata.is_normalized(normalization, together):
        texts = _normalized(texts, normalization)
    # a Unicode form neither makes nor takes a reserved one; to look for one byte first takes next to no time
    encoded = together.encode()
    if FIRST_BYTE in encoded and FIRST_BYTES in encoded:
        return [text.translate(REPLACEMENTS) for text in texts]
    return texts


def _normalized(texts: list[str], normalization: str) -> list[str]:
    return [unicodedata.normalize(normalization, _with_sorted_marks(text, normalization)) for text in texts]


def _with_sorted_marks(text: str, normalization: str) -> str:
    """Returns an equivalent text; if it has many combining marks in a row, it is decomposed and they are sorted.

    CPython's time for unsorted marks grows with the square of their number: 14 s for 80,000.
    """
    if not any(map(unicodedata.combining, text[::MARKS])):
        return text
    form = normalization.replace("C", "D")
    decomposed = "".join(unicodedata.normalize(form, character) for character in text)
    sorted_text = []
    # marks in a row are a group, and what is between them is one: all its characters have the class 0, and stay
    for _, group in itertools.groupby(decomposed, key=lambda character: unicodedata.combining(character) > 0):
        sorted_text += sorted(group, key=unicodedata.combining)
    return "".join(sorted_text)


def clean_references(
    rows: list[list[str]], *, lowercase: bool = False, normalization: str | None = None
) -> list[list[str]]:
    """Returns lists of texts in one Unicode normal form, in lower case if asked."""
    texts = list(itertools.chain.from_iterable(rows))
    cleaned = clean_texts(texts, lowercase=lowercase, normalization=normalization)
    if cleaned is texts:
        return rows
    clean_rows = []
    start = 0
    for row in rows:
        end = start + len(row)
        clean_rows.append(cleaned[start:end])
        start = end
    return clean_rows


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
    texts = list(itertools.chain.from_iterable(rows))
    lengths = lengths_of(texts)
    if len(texts) == len(rows):
        return lengths
    counts = lengths_of(rows)
    return np.add.reduceat(lengths, np.cumsum(counts) - counts)


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
    checked = {}
    for name, kind in kinds.items():
        if name in given or not kind.is_optional:
            checked[name] = kind.check(name, given.get(name))
    first = next(iter(checked))
    n_rows = len(checked[first])
    for name, column in checked.items():
        if len(column) != n_rows:
            hint = _length_hint(column, n_rows)
            raise InputError(f"{first} has {n_rows} rows and {name} {len(column)}{hint}")

    checked = {name: checked.get(name, [kind.missing] * n_rows) for name, kind in kinds.items()}
    for name, kind in kinds.items():
        kind.compare(checked["predictions"], checked[name])
    return checked


def _length_hint(column: list[Any], n_rows: int) -> str:
    """Returns the likely fault of a column that should have `n_rows`, for the end of a message."""
    were_texts = all(isinstance(row, tuple) for row in column)
    if were_texts and len(column) > n_rows:
        return "; several references of one segment go in one list"
    look_transposed = all(isinstance(row, (list, tuple)) and len(row) == n_rows for row in column)
    if look_transposed and column:
        return "; they look transposed: pass one list per segment, not one per set of references"
    return ""


def clean_columns(kinds: Mapping[str, Column], columns: Mapping[str, Any], **cleaning: Any) -> dict[str, list[Any]]:
    """Returns those of the kinds that are there, with their texts in one Unicode form and case."""
    cleaned = {}
    for name, kind in kinds.items():
        if name in columns:
            cleaned[name] = kind.clean(columns[name], **cleaning)
    return cleaned


def row_sizes(kinds: Mapping[str, Column], columns: Mapping[str, Any]) -> np.ndarray:
    """Returns the characters, or numbers, in each row of all columns together: (n_rows,)."""
    return sum(kind.sizes(columns[name]) for name, kind in kinds.items())
