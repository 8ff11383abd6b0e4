"""What needs more packages than scoring does, and says which file of requirements names them."""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needed_by(what: str, *, requirements: str = "requirements.txt") -> Iterator[None]:
    """Names the package to install if an import inside fails.

    >>> with needed_by("a table of Excel", requirements="requirements-excel.txt"):
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
        raise ImportError(f"{what} needs {package}: pip install -r {requirements}") from error
