"""What needs more packages than scoring does, and says what to install for it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

# a clone has it; a wheel holds no lists of requirements
_CORE_LIST = Path(__file__).resolve().parent / "../../../requirements-core.txt"


def install_text(extra: str) -> str:
    """Returns what brings the packages of an extra: a file of the clone, or the extra of the wheel, without an index.

    >>> install_text("excel")
    'pip install -r requirements-excel.txt'
    """
    if _CORE_LIST.is_file():
        file = "requirements.txt" if extra == "evaluate" else f"requirements-{extra}.txt"
        return f"pip install -r {file}"
    return f"install the wheel with its extra, textgauge[{extra}]"


@contextlib.contextmanager
def needed_by(what: str, *, extra: str = "evaluate") -> Iterator[None]:
    """Names the package to install if an import inside fails.

    >>> with needed_by("a table of Excel", extra="excel"):
    ...     import no_such_package
    Traceback (most recent call last):
    ImportError: a table of Excel needs no_such_package: pip install -r requirements-excel.txt

    Raises:
        ImportError: as above.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "a package").partition(".")[0]
        raise ImportError(f"{what} needs {package}: {install_text(extra)}") from error
