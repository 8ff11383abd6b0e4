"""What the metrics use of pyarrow, whose 11 MB a browser need not load: strings, and the distinct ones among them."""

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np


class Array:
    """Strings or numbers; None where one is missing."""

    def __init__(self, values: Iterable[Any]):
        self._values = list(values)

    def __len__(self) -> int:
        return len(self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._values, np.int32 if dtype is None else dtype)

    def to_numpy(self) -> np.ndarray:
        """Returns numbers."""
        return np.asarray(self)

    def to_pylist(self) -> list[Any]:
        """Returns the values."""
        return self._values

    def take(self, indices: "Array") -> "Array":
        """Returns the values at these places."""
        return Array(map(self._values.__getitem__, indices.to_pylist()))

    def buffers(self) -> list[Any]:
        """Returns the memory of numbers as the second, that of strings as the third."""
        is_text = bool(self._values) and isinstance(self._values[0], str)
        return [None, None, "".join(self._values).encode()] if is_text else [None, self.to_numpy(), b""]

    def dictionary_encode(self) -> "Coded":
        """Returns the distinct values, in the order of their first occurrence, and which one is where."""
        index: dict[Any, int] = {}
        return Coded(Array(0 if v is None else index.setdefault(v, len(index)) for v in self._values), Array(index))


class Coded(NamedTuple):
    """An array that holds each distinct value once."""

    indices: Array
    dictionary: Array


def from_buffers(length: int, offsets: np.ndarray, data: bytes, is_there: bytes, _: int) -> Array:
    """Returns slices of UTF-8 from offsets (length + 1,) on, and None where the bit of a slice is not set."""
    bits = np.unpackbits(np.frombuffer(is_there, np.uint8), bitorder="little")[:length].tolist()
    ends = offsets.tolist()
    return Array(data[ends[n] : ends[n + 1]].decode() if bit else None for n, bit in enumerate(bits))


class Chunks(NamedTuple):
    """Arrays that follow one another."""

    chunks: Sequence[Coded]

    def unify_dictionaries(self) -> "Chunks":
        """Returns the same arrays with one dictionary for all."""
        index: dict[Any, int] = {}
        places = [
            np.array([index.setdefault(value, len(index)) for value in chunk.dictionary.to_pylist()], np.int32)
            for chunk in self.chunks
        ]
        values = Array(index)
        return Chunks(
            [Coded(Array(place[chunk.indices]), values) for place, chunk in zip(places, self.chunks, strict=True)]
        )


def index_in(values: Array, among: Array) -> Array:
    """Returns the place of each value among distinct others, None for one that is not there."""
    place = {value: index for index, value in enumerate(among.to_pylist())}
    return Array(map(place.get, values.to_pylist()))


def fill_null(values: Array, value: int) -> Array:
    """Returns the values with one for those that are missing."""
    return Array(value if item is None else item for item in values.to_pylist())


def replace_substring(values: Array, old: str, new: str) -> Array:
    """Returns the strings with one part replaced by another."""
    return Array(value.replace(old, new) for value in values.to_pylist())


def split_pattern(values: Array, separator: str) -> SimpleNamespace:
    """Returns the parts of all strings, and where those of each begin, and the last ones end."""
    parts = [value.split(separator) for value in values.to_pylist()]
    offsets = np.cumsum([0, *map(len, parts)])
    return SimpleNamespace(offsets=Array(offsets.tolist()), values=Array(part for row in parts for part in row))


_ARRAYS = {
    "Array": Array,
    "array": lambda values, type=None: Array(values),
    "chunked_array": Chunks,
    "default_memory_pool": lambda: SimpleNamespace(release_unused=lambda: None),
    "DictionaryArray": SimpleNamespace(from_arrays=Coded),
    "large_string": str,
    "LargeStringArray": SimpleNamespace(from_buffers=from_buffers),
    "py_buffer": lambda memory: memory,
    "scalar": str,
}
_FUNCTIONS = {
    "fill_null": fill_null,
    "index_in": index_in,
    "replace_substring": replace_substring,
    "split_pattern": split_pattern,
    # asked where Python does not know a character; pyarrow may know a later version of Unicode
    "utf8_is_alnum": lambda character: SimpleNamespace(as_py=lambda: False),
}
PYARROW, COMPUTE = SimpleNamespace(**_ARRAYS), SimpleNamespace(**_FUNCTIONS)
