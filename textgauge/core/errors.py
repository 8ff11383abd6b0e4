"""The errors for bad input: their class tells a program bad input from a defect of the suite.

A ValueError of another class that leaves a metric or a program is a defect; so is a TypeError.
"""

import contextlib
from collections.abc import Iterator


class InputError(ValueError):
    """Bad input: the message names the place, the value that came, and the value that is wanted."""


class UnknownArgumentError(InputError, TypeError):
    """An unknown argument, such as an option of another metric; a TypeError, like Python's own."""


def is_input_error(error: BaseException) -> bool:
    """Returns whether an exception says what is wrong with the input, or asks a metric for what it does not have.

    The class is known by its name, since a metric in a folder of its own brings a copy of it.

    >>> is_input_error(InputError("predictions[0] is None; pass a string")), is_input_error(ValueError("no such axis"))
    (True, False)
    """
    names = [kind.__name__ for kind in type(error).__mro__]
    return InputError.__name__ in names or isinstance(error, NotImplementedError)


def is_bad_input(error: BaseException) -> bool:
    """Returns whether an exception is not a defect: bad input, a missing file or package, no memory left.

    >>> is_bad_input(FileNotFoundError("out.txt")), is_bad_input(ValueError("no such axis"))
    (True, False)
    """
    return is_input_error(error) or isinstance(error, (ImportError, OSError, MemoryError))


@contextlib.contextmanager
def input_errors_of(what: str) -> Iterator[None]:
    """Puts what an input error is about before its message.

    >>> with input_errors_of("cer, kakao"):
    ...     raise InputError("predictions[0] is None; pass a string")
    Traceback (most recent call last):
    textgauge.core.errors.InputError: cer, kakao: predictions[0] is None; pass a string
    """
    try:
        yield
    except Exception as error:
        if not is_input_error(error):
            raise
        raise InputError(f"{what}: {error}") from None
