"""The files that the options of a command name: none that is written is also read, or written twice.

The metavar of an option, which --help shows, tells what it names: OUTPUT_FILE, OUTPUT_FOLDER or OUTPUT_PATH is
written, and any other FILE or FOLDER is read.
"""

import fnmatch
import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import textgauge

from ..errors import InputError
from ..reading.compressed import STDIN
from ..reading.meetings import turns_files
from ..scoring.outputs import STDOUT, check_writable
from ..scoring.specs import files_of_spec

_READ = re.compile("FILE|FOLDER|COLUMN=NAME")
_STDIN_FILE = "/dev/stdin"
# which files of a folder an option reads or writes; all, unless it is here
_INSIDE = {"--rows": "*.parquet", "--to": ".eval_results/*"}


class _Named(NamedTuple):
    """A file or folder, and the option that names it."""

    option: str
    path: str

    def __str__(self) -> str:
        return f"{self.option} {self.path}"

    def holds(self, path: str) -> bool:
        """Returns whether this is a folder, of which the option reads or writes this file."""
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(self.path))
        is_inside = inside != os.curdir and inside.split(os.sep)[0] != os.pardir
        return is_inside and fnmatch.fnmatch(inside, _INSIDE.get(self.option, "*"))

    def identities(self) -> set[Any]:
        """Returns what tells the file, or those of a folder, from others; nothing for devices such as /dev/null."""
        paths = [self.path]
        for folder, _, names in os.walk(self.path):
            inside = [os.path.join(folder, name) for name in names]
            paths += filter(self.holds, inside)
        return {_identity(path) for path in paths if not _is_device(path)}


def check_named_files(parameters: Sequence[Any], values: Mapping[str, Any]) -> None:
    """Raises InputError if a file that a command writes is also read or written twice, or cannot be written.

    Args:
        parameters: of the command, as click has them.
        values: of the parameters, by their names.
    """
    read, written = [], []
    for parameter in parameters:
        value = values.get(parameter.name)
        texts = value if isinstance(value, (list, tuple)) else [value]  # by the release of typer
        for text in map(str, filter(None, texts)):
            if is_written(parameter):
                written.append(_written_by(parameter, text))
            else:
                read += [_Named(_shown(parameter), path) for path in _read_by(parameter, text)]
    if not written:
        return
    read += [_Named("the sample", str(path)) for path in textgauge.SAMPLES.glob("es_ko_*")]
    identities = {named: named.identities() for named in (*read, *written)}
    for output, other in (*itertools.combinations(written, 2), *itertools.product(written, read)):
        if output.path == other.path:
            raise InputError(f"{output.path} is named by two options, {other.option} and {output.option}")
        if str(STDOUT) in (output.path, other.path):
            continue
        if identities[output] & identities[other] or output.holds(other.path) or other.holds(output.path):
            raise InputError(f"{output} and {other} are one file, or one is in the folder of the other")


def is_written(parameter: Any) -> bool:
    """Returns whether a parameter names what the command writes."""
    return str(parameter.metavar).startswith("OUTPUT_")


def is_read(parameter: Any) -> bool:
    """Returns whether a parameter names what the command reads, maybe behind a name, or in the options of a metric."""
    return not is_written(parameter) and (parameter.metavar == "SPEC" or bool(_READ.search(str(parameter.metavar))))


def _shown(parameter: Any) -> str:
    """Returns an option with its long name, and an argument as --help shows it."""
    longest = max(parameter.opts, key=len)
    return longest if longest.startswith("-") else parameter.metavar


def _written_by(parameter: Any, text: str) -> _Named:
    """Returns what an option writes, a file or folder."""
    if parameter.metavar == "OUTPUT_FILE":
        check_writable([Path(text)])
    return _Named(_shown(parameter), text)


def _read_by(parameter: Any, text: str) -> Iterator[str]:
    """Yields the files and folders that an option reads; a text that names none is something else, such as a column."""
    if not is_read(parameter):
        return
    if parameter.metavar == "SPEC":
        yield from files_of_spec(text)
        return
    candidates = [_STDIN_FILE if text == STDIN else text]
    if "=" in parameter.metavar:
        candidates.append(text.partition("=")[2].strip())
    for path in candidates:
        if os.path.exists(path):
            yield path
            yield from map(str, turns_files(path))


def _identity(path: str) -> Any:
    """Returns the same for two names of one file, by way of links too."""
    if not os.path.exists(path):
        return os.path.realpath(path)
    status = os.stat(path)
    return status.st_dev, status.st_ino


def _is_device(path: str) -> bool:
    """Returns whether a path is there, and neither a file nor a folder: what is written there replaces nothing."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
