"""programs/page/strings.py, which stands in for pyarrow: the same as pyarrow, as far as the metrics use it."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core import strings

TEXTS = st.lists(st.text("가나 a", max_size=4))


class Library:
    """pyarrow, or what stands in for it."""

    def __init__(self, arrays, compute):
        self.arrays, self.compute = arrays, compute

    def array(self, texts):
        return self.arrays["array"](texts, self.arrays["large_string"]())

    def chunks(self, lists):
        """Returns codes and strings of several lists, with one dictionary for all."""
        coded = [self.array(texts).dictionary_encode() for texts in lists]
        ids = [self.arrays["array"](np.array(one.indices, np.int32)) for one in coded]
        made = map(self.arrays["DictionaryArray"].from_arrays, ids, (one.dictionary for one in coded))
        unified = self.arrays["chunked_array"](list(made)).unify_dictionaries().chunks
        return [(np.array(one.indices).tolist(), one.dictionary.to_pylist()) for one in (*coded, *unified)]

    def every_other(self, texts):
        """Returns codes and strings of every other slice of a text's bytes."""
        bounds = np.cumsum([0, *(len(text.encode()) for text in texts)])
        memory = (bounds, "".join(texts).encode(), b"\x55" * (len(texts) // 8 + 1))
        buffers = map(self.arrays["py_buffer"], memory)
        coded = self.arrays["LargeStringArray"].from_buffers(len(texts), *buffers, len(texts) // 2).dictionary_encode()
        return np.frombuffer(coded.indices.buffers()[1], np.int32, len(texts))[
            ::2
        ].tolist(), coded.dictionary.to_pylist()

    def places(self, texts, others):
        found = self.compute["index_in"](self.array(texts), self.array(dict.fromkeys(others)))
        return self.compute["fill_null"](found, -1).to_numpy().tolist()

    def changed(self, texts):
        """Returns strings in another order, changed, split, and as bytes."""
        array = self.array(texts)
        split = self.compute["split_pattern"](array, " ")
        return (
            array.take(self.arrays["array"](np.arange(len(texts))[::-1])).to_pylist(),
            self.compute["replace_substring"](array, "a", "나").to_pylist(),
            (np.array(split.offsets).tolist(), split.values.to_pylist()),
            bytes(array.buffers()[2] or b""),
        )


@given(st.lists(TEXTS, min_size=1), TEXTS)
def test_the_same_as_pyarrow(lists, texts):
    ours, theirs = Library(vars(strings.PYARROW), vars(strings.COMPUTE)), Library(vars(pa), vars(pc))
    assert ours.chunks(lists) == theirs.chunks(lists)
    assert ours.every_other(texts) == theirs.every_other(texts)
    assert ours.places(texts, lists[0]) == theirs.places(texts, lists[0])
    assert ours.changed(texts) == theirs.changed(texts)
