"""A Python as small as that of a browser, on this machine: for tests/test_browser_app.py.

    RAPIDFUZZ_IMPLEMENTATION=python python browser_python.py FOLDER < calls.json > results.json

FOLDER holds the modules of the app, in pages a folder of each metric, as its page has it, and in packages the
parts of libraries.

evaluate, datasets, pyarrow, lzma and the beginning of nltk are missing, rapidfuzz has no C code, and numpy counts with
32 bits where nothing else is said. A call is [metric, columns, options]; its result is what
`compute` returns and the signature.
"""

import functools
import importlib
import json
import sys
import warnings
from pathlib import Path

import numpy as np

_INDICES = {"flatnonzero", "nonzero", "argsort", "lexsort", "searchsorted", "bincount", "argmax", "triu_indices"}
_OTHERS = {"arange", "array", "asarray", "concatenate", "append", "cumsum", "full", "tile", "diff", "column_stack"}


def count_with_32_bits() -> None:
    """Makes numpy what it is where a pointer has 32 bits, as far as the metrics can tell.

    An integer array has 64 bits only if that was asked for, or if it was made from such an array; and counts and
    indices of `repeat`, `bincount` and `reduceat` must not have 64.
    """
    for name in _INDICES | _OTHERS:
        setattr(np, name, _narrowing(getattr(np, name), name in _INDICES))
    np.unique = _narrowing_unique(np.unique)
    np.repeat = _strict(np.repeat, 1)
    np.bincount = _strict(np.bincount, 0)
    np.take = _strict(np.take, 1)
    for name in ("add", "minimum", "maximum", "logical_or"):
        setattr(np, name, _Ufunc(getattr(np, name)))
    np.intp = np.int32


def _is_wide(value):
    if isinstance(value, (list, tuple)):
        return any(map(_is_wide, value))
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "iu" and value.dtype.itemsize == 8


def _narrow(value):
    if isinstance(value, tuple):
        return tuple(map(_narrow, value))
    return value.astype(np.int32) if isinstance(value, np.ndarray) and _is_wide(value) else value


def _narrowing(function, is_index):
    @functools.wraps(function)
    def call(*arguments, **options):
        result = function(*arguments, **options)
        is_said = "dtype" in options or "out" in options or any(isinstance(value, type) for value in arguments)
        return result if not is_index and (is_said or _is_wide(arguments)) else _narrow(result)

    return call


def _narrowing_unique(function):
    def call(*arguments, **options):
        result = function(*arguments, **options)
        return (result[0], *_narrow(result[1:])) if isinstance(result, tuple) else result

    return call


def _strict(function, position):
    @functools.wraps(function)
    def call(*arguments, **options):
        if isinstance(arguments[position], np.ndarray) and not np.can_cast(arguments[position].dtype, np.int32):
            raise TypeError(f"Cannot cast array data from {arguments[position].dtype} to int32: use np.intp")
        return function(*arguments, **options)

    return call


class _Ufunc:
    def __init__(self, ufunc):
        self._ufunc = ufunc
        self.reduceat = _narrowing(_strict(ufunc.reduceat, 1), is_index=False)

    def __call__(self, *arguments, **options):
        return self._ufunc(*arguments, **options)

    def __getattr__(self, name):
        return getattr(self._ufunc, name)


def main(folder: str) -> None:
    """Answers the calls on standard input."""
    sys.path[:0] = [folder, str(Path(folder, "packages"))]
    for name in ("textgauge", "evaluate", "datasets", "pyarrow", "lzma"):
        sys.modules[name] = None
    importlib.import_module("programs.page.session")
    count_with_32_bits()
    warnings.simplefilter("ignore")
    results = []
    for name, columns, options in json.load(sys.stdin):
        module = importlib.import_module(f"pages.{name}.{name}")
        metric = getattr(module, "".join(part.capitalize() for part in name.split("_")))()
        try:
            results.append([metric.compute(**columns, **options), metric.signature(**options)])
        except (TypeError, ValueError) as error:
            results.append([f"{type(error).__name__}: {error}", ""])
    heavy = ("metrics_cpp", "process_cpp", "dataset.", "pyarrow.lib")
    foreign = [name for name in sys.modules if any(part in name for part in heavy)]
    json.dump({"results": results, "foreign": foreign}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
