"""Distinct strings of a chunk of texts: a list where there are few, an array of pyarrow where there are many.

The idea: the words of a large chunk are slices of its bytes, and pyarrow numbers the distinct ones without making a
string of each, in a quarter of the time or less. Importing it takes as long as numbering half a million words in
Python. So few words are numbered by a dict, and so are all where pyarrow is missing; numbers and strings are the same.

Arrays are made from memory, and numbers are read from it: pyarrow imports pandas for a list, an array of numpy, and one
for numpy.
"""

import functools
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Strings = Any  # list[str], or pyarrow.LargeStringArray
MANY = 2**14  # strings from which on pyarrow is imported
_INT32_BYTES = 4


def number_slices(raw: bytes, bounds: np.ndarray) -> tuple[np.ndarray, Strings]:
    """Returns the numbers of slices of UTF-8, (n_slices,) int64, and the distinct ones, in the order of their numbers.

    >>> numbers, strings = number_slices("개 고양이 개".encode(), np.array([0, 3, 4, 13, 14, 17]))
    >>> numbers.tolist(), as_list(strings)
    ([0, 1, 0], ['개', '고양이'])

    Args:
        raw: the bytes.
        bounds: (2 * n_slices,) where the first slice begins and ends, where the second one does, and so on.
    """
    arrow = _arrow_for(len(bounds) // 2)
    if arrow is None:
        slices = zip(bounds[::2].tolist(), bounds[1::2].tolist(), strict=True)
        numbers, distinct = number_strings(raw[start:end] for start, end in slices)
        return numbers, [string.decode() for string in distinct]
    # for Arrow, slices that follow one another are an array; what lies between them is made missing values of it
    offsets = np.append(bounds, len(raw)).astype(np.int64, copy=False)
    is_there = arrow.py_buffer(b"\x55" * (len(bounds) // 8 + 1))  # every other bit
    buffers = (arrow.py_buffer(offsets), arrow.py_buffer(raw), is_there)
    found = arrow.LargeStringArray.from_buffers(len(bounds), *buffers, len(bounds) // 2).dictionary_encode()
    return _numbers_of(found.indices)[::2].astype(np.int64), found.dictionary


def number_strings(strings: Iterable[Any]) -> tuple[np.ndarray, list[Any]]:
    """Returns the number of each string, (n_strings,) int64, and the distinct ones, in the order of their numbers.

    >>> numbers, distinct = number_strings(["개", "고양이", "개"])
    >>> numbers.tolist(), distinct
    ([0, 1, 0], ['개', '고양이'])
    """
    index: dict[Any, int] = {}
    numbers = [index.setdefault(string, len(index)) for string in strings]
    return np.array(numbers, dtype=np.int64), list(index)


def number_parts(parts: Sequence[tuple[np.ndarray, Strings]]) -> tuple[np.ndarray, Strings]:
    """Returns numbers for the strings of several parts, where equal strings have equal ones, and the distinct strings.

    >>> parts = [(np.array([0, 1]), ["개", "고양이"]), (np.array([0]), ["고양이"])]
    >>> numbers, distinct = number_parts(parts)
    >>> numbers.tolist(), distinct
    ([0, 1, 1], ['개', '고양이'])

    Args:
        parts: of each the numbers of its strings (n_strings,), and its distinct strings.
    """
    if all(isinstance(strings, list) for _, strings in parts):
        index: dict[str, int] = {}
        renumbered = []
        for numbers, strings in parts:
            number_of = np.array([index.setdefault(string, len(index)) for string in strings], dtype=np.int32)
            renumbered.append(number_of[numbers])
        return np.concatenate(renumbered), list(index)
    import pyarrow as arrow

    coded = []
    for numbers, strings in parts:
        memory = arrow.py_buffer(np.ascontiguousarray(numbers, dtype=np.int32))
        indices = arrow.Int32Array.from_buffers(arrow.int32(), len(numbers), [None, memory])
        coded.append(arrow.DictionaryArray.from_arrays(indices, _array(strings)))
    coded = arrow.chunked_array(coded).unify_dictionaries().chunks
    joined = np.concatenate([_numbers_of(part.indices) for part in coded])
    distinct = coded[0].dictionary
    del coded
    arrow.default_memory_pool().release_unused()  # else Arrow would keep what the parts needed
    return joined, distinct


def number_words(texts: Sequence[str], separator: str) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Returns how many words each text has, (n_texts,), the numbers of all words, (n_words,), and the distinct words.

    >>> lengths, numbers, distinct = number_words(["고양이가 잔다", "잔다"], " ")
    >>> lengths.tolist(), numbers.tolist(), distinct
    ([2, 1], [0, 1, 1], ['고양이가', '잔다'])
    """
    if _arrow_for(len(texts)) is None:
        lengths = np.array([text.count(separator) + 1 for text in texts], dtype=np.intp)
        return lengths, *number_strings(word for text in texts for word in text.split(separator))
    import pyarrow.compute

    words = pyarrow.compute.split_pattern(_array(texts), separator)
    coded = words.values.dictionary_encode()
    return (
        np.diff(_numbers_of(words.offsets)),
        _numbers_of(coded.indices).astype(np.int64),
        coded.dictionary.to_pylist(),
    )


def places_among(strings: Strings, distinct: Strings) -> np.ndarray:
    """Returns the place of each string among distinct ones, (n_strings,) int64, -1 for one that is not there.

    >>> places_among(["잔다", "잔다", "간다"], ["고양이가", "잔다"]).tolist()
    [1, 1, -1]
    """
    if isinstance(strings, list) and isinstance(distinct, list):
        place_of = {string: place for place, string in enumerate(distinct)}
        return np.fromiter((place_of.get(string, -1) for string in strings), dtype=np.int64, count=len(strings))
    import pyarrow.compute

    found = pyarrow.compute.index_in(_array(strings), _array(distinct))
    places = _numbers_of(found).astype(np.int64)
    if found.null_count:
        is_there = np.unpackbits(np.frombuffer(found.buffers()[0], np.uint8), bitorder="little")
        places[is_there[: len(places)] == 0] = -1
    return places


def pick_strings(strings: Strings, places: np.ndarray) -> list[str]:
    """Returns the strings at these places (n,).

    >>> pick_strings(["고양이가", "잔다"], np.array([1, 0, 1]))
    ['잔다', '고양이가', '잔다']
    """
    if isinstance(strings, list):
        return [strings[place] for place in places.tolist()]
    import pyarrow as arrow

    memory = arrow.py_buffer(np.ascontiguousarray(places, dtype=np.int64))
    return strings.take(arrow.Int64Array.from_buffers(arrow.int64(), len(places), [None, memory])).to_pylist()


def as_list(strings: Strings) -> list[str]:
    """Returns the strings as a list.

    >>> as_list(["고양이가", "잔다"])
    ['고양이가', '잔다']
    """
    return strings if isinstance(strings, list) else strings.to_pylist()


def compact(strings: Strings) -> Strings:
    """Returns strings as an array of pyarrow where they are many: it takes less memory, and is looked up faster.

    >>> as_list(compact(["고양이가"] * MANY))[-1]
    '고양이가'
    """
    return _array(strings) if _arrow_for(len(strings)) else strings


def is_alphanumeric(character: str) -> bool:
    """Returns whether a character is a letter or number for pyarrow, which may know a later Unicode than Python.

    False where pyarrow is missing.

    >>> is_alphanumeric("가")
    True
    """
    try:
        import pyarrow.compute
    except ImportError:
        return False
    return pyarrow.compute.utf8_is_alnum(_array([character])).to_pylist()[0]


def _arrow_for(size: int) -> Any:
    """Returns pyarrow if so many strings are worth its import, or another has imported it; None where it is missing."""
    return _imported_arrow() if size >= MANY or "pyarrow" in sys.modules else None


@functools.cache
def _imported_arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        return None
    return pyarrow


def _array(strings: Strings) -> Any:
    """Returns strings as an array of pyarrow."""
    if not isinstance(strings, list):
        return strings
    import pyarrow as arrow

    encoded = list(map(str.encode, strings))
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(list(map(len, encoded)), out=offsets[1:])
    buffers = (arrow.py_buffer(offsets), arrow.py_buffer(b"".join(encoded)))
    return arrow.LargeStringArray.from_buffers(len(encoded), *buffers)


def _numbers_of(array: Any) -> np.ndarray:
    """Returns an array of pyarrow with 32 bits a number, in the same memory."""
    start = array.offset * _INT32_BYTES
    return np.frombuffer(array.buffers()[1], np.int32, len(array), start) if len(array) else np.zeros(0, np.int32)
