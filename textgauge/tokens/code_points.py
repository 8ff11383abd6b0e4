"""A value for each Unicode character, looked up for whole arrays of code points."""

from collections.abc import Callable

import numpy as np

CODE_POINTS = 0x110000


def lookup(codes: np.ndarray, table: np.ndarray, value_of: Callable[[str], int]) -> np.ndarray:
    """Returns the value of each code point, (n_codes,); each distinct one is asked for once, and remembered.

    >>> table = np.zeros(CODE_POINTS, dtype=np.uint8)
    >>> lookup(np.array([ord("a"), ord("가")]), table, lambda character: 1 + character.isascii()).tolist()
    [2, 1]

    Args:
        codes: (n_codes,) code points.
        table: (CODE_POINTS,) the values known so far, 0 for none.
        value_of: from a character to its value, above 0.
    """
    codes = codes.astype(np.intp, copy=False)
    values = table.take(codes)
    if values.all():
        return values
    for code in set(codes[values == 0].tolist()):  # np.unique imports numpy.ma, which takes longer than a short text
        table[code] = value_of(chr(code))
    return table.take(codes)
