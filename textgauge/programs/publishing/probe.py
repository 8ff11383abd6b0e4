"""Loads one assembled folder as a stranger would, and applies the checks that Hugging Face has for its own metrics.

    python -I probe.py FOLDER FORBIDDEN...

No file below a forbidden folder may be opened, no connection made, and the package not be imported. Runs in a process
of its own, by itself.
"""

import doctest
import inspect
import os
import sys


def forbid(folders: list[str]) -> None:
    """Makes every later attempt to open a file below these folders, or to reach a network, an error."""
    prefixes = tuple(os.path.realpath(folder) + os.sep for folder in folders)

    def watch(event: str, arguments: tuple) -> None:
        if event in ("socket.connect", "socket.getaddrinfo"):
            raise OSError(f"it connects to {arguments[-1] if event == 'socket.connect' else arguments[0]}")
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path.startswith(prefixes):
                raise PermissionError(f"it opens {path}, which is not in its folder")

    sys.addaudithook(watch)
    sys.modules["textgauge"] = None  # as where it is not installed


def main(folder: str, forbidden: list[str]) -> None:
    """Exits with a message where the folder does not do."""
    forbid(forbidden)
    import evaluate

    metric = evaluate.load(folder)
    parameters = inspect.signature(metric._compute).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        sys.exit("_compute takes **kwargs, so that nobody can see its options")
    results = doctest.testmod(sys.modules[type(metric).__module__])
    if results.failed or results.attempted < 2:
        sys.exit(f"{results.attempted} lines of examples in its docstrings, at least 2 wanted; {results.failed} failed")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
