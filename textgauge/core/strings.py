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
    n_slices = len(bounds) // 2
    arrow = _arrow_for(n_slices)
    if arrow is None:
        starts = bounds[::2].tolist()
        ends = bounds[1::2].tolist()
        numbers, distinct = number_strings(raw[start:end] for start, end in zip(starts, ends, strict=True))
        return numbers, [string.decode() for string in distinct]

    # for Arrow, slices that follow one another are an array; what lies between them is made missing values of it
    offsets = np.append(bounds, len(raw)).astype(np.int64, copy=False)
    every_other_bit = b"\x55" * (len(bounds) // 8 + 1)
    buffers = [arrow.py_buffer(memory) for memory in (offsets, raw, every_other_bit)]
    slices = arrow.LargeStringArray.from_buffers(len(bounds), *buffers, n_slices)
    coded = slices.dictionary_encode()
    numbers = _numbers_of(coded.indices)[::2]
    return numbers.astype(np.int64), coded.dictionary


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
            new_numbers = [index.setdefault(string, len(index)) for string in strings]
            renumbered.append(np.array(new_numbers, dtype=np.int32)[numbers])
        return np.concatenate(renumbered), list(index)
    import pyarrow as arrow

    arrays = []
    for numbers, strings in parts:
        memory = arrow.py_buffer(np.ascontiguousarray(numbers, dtype=np.int32))
        indices = arrow.Int32Array.from_buffers(arrow.int32(), len(numbers), [None, memory])
        arrays.append(arrow.DictionaryArray.from_arrays(indices, _array(strings)))
    arrays = arrow.chunked_array(arrays).unify_dictionaries().chunks
    joined = np.concatenate([_numbers_of(array.indices) for array in arrays])
    distinct = arrays[0].dictionary
    del arrays
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
        numbers, distinct = number_strings(word for text in texts for word in text.split(separator))
        return lengths, numbers, distinct
    import pyarrow.compute

    words = pyarrow.compute.split_pattern(_array(texts), separator)
    coded = words.values.dictionary_encode()
    lengths = np.diff(_numbers_of(words.offsets))
    numbers = _numbers_of(coded.indices).astype(np.int64)
    return lengths, numbers, coded.dictionary.to_pylist()


def places_among(strings: Strings, distinct: Strings) -> np.ndarray:
    """Returns the place of each string among distinct ones, (n_strings,) int64, -1 for one that is not there.

    >>> places_among(["잔다", "잔다", "간다"], ["고양이가", "잔다"]).tolist()
    [1, 1, -1]
    """
    if isinstance(strings, list) and isinstance(distinct, list):
        index_of = {string: index for index, string in enumerate(distinct)}
        indices = [index_of.get(string, -1) for string in strings]
        return np.array(indices, dtype=np.int64)
    import pyarrow.compute

    looked_up = pyarrow.compute.index_in(_array(strings), _array(distinct))
    indices = _numbers_of(looked_up).astype(np.int64)
    if looked_up.null_count:
        bits = np.frombuffer(looked_up.buffers()[0], np.uint8)
        is_there = np.unpackbits(bits, bitorder="little")[: len(indices)]
        indices[is_there == 0] = -1
    return indices


def pick_strings(strings: Strings, indices: np.ndarray) -> list[str]:
    """Returns the strings at these places (n,).

    >>> pick_strings(["고양이가", "잔다"], np.array([1, 0, 1]))
    ['잔다', '고양이가', '잔다']
    """
    if isinstance(strings, list):
        return [strings[index] for index in indices.tolist()]
    import pyarrow as arrow

    memory = arrow.py_buffer(np.ascontiguousarray(indices, dtype=np.int64))
    arrow_indices = arrow.Int64Array.from_buffers(arrow.int64(), len(indices), [None, memory])
    return strings.take(arrow_indices).to_pylist()


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
    """Returns pyarrow if it is imported, or worth its import for this number of strings; None if it is missing."""
    if size < MANY and "pyarrow" not in sys.modules:
        return None
    return _imported_arrow()


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

    encoded = [string.encode() for string in strings]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(list(map(len, encoded)), out=offsets[1:])
    memory = arrow.py_buffer(b"".join(encoded))
    return arrow.LargeStringArray.from_buffers(len(encoded), arrow.py_buffer(offsets), memory)


def _numbers_of(array: Any) -> np.ndarray:
    """Returns an array of pyarrow with 32 bits a number, in the same memory."""
    if not len(array):  # numpy takes no empty memory
        return np.zeros(0, np.int32)
    _, memory = array.buffers()
    start = array.offset * _INT32_BYTES
    return np.frombuffer(memory, np.int32, len(array), start)
