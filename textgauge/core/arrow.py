"""pyarrow, imported when it is first needed: few texts need none. Where it is missing, `strings` does its work."""

import functools
from typing import Any


@functools.cache
def pa() -> Any:
    """Returns pyarrow, or the few of its functions that metrics use."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        from .strings import PYARROW as pyarrow
    return pyarrow


@functools.cache
def pc() -> Any:
    """Returns pyarrow.compute, or the few of its functions that metrics use."""
    try:
        import pyarrow.compute as compute
    except ModuleNotFoundError:
        from .strings import COMPUTE as compute
    return compute
