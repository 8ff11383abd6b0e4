"""The checks that an assembled folder must pass before it is published."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ..errors import InputError, input_errors_of
from .cards import check_front_matter

_PROBE = Path(__file__).with_name("probe.py")
_LARGEST = 10_000_000  # the Hub takes larger files by Git LFS or Xet alone
_TIMEOUT = 300
# a path with a machine's own beginning; slashes in addresses, fractions and markup do not count
_ABSOLUTE = r"(?<![\w.:/~-])(?:/(?:home|Users|root|tmp|mnt|var|opt|srv|work)/\w|[A-Z]:\\+\w|%s\b)"


def check_folder(root: Path, folder: Path, sdk: str) -> None:
    """Raises InputError, which says what is wrong, unless the folder of a metric can be published."""
    with input_errors_of(folder.name):
        check_front_matter((folder / "README.md").read_text(encoding="utf-8"), sdk)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            check_file(root, path)
        check_loading(root, folder)


def check_file(root: Path, path: Path) -> None:
    """Raises InputError for a file that is too large, names a path of this machine, or cannot be read as what it is."""
    content = path.read_bytes()
    if len(content) > _LARGEST:
        raise InputError(f"{path.name} has {len(content):,} bytes; the largest size is {_LARGEST:,}")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not UTF-8: {error}") from None
    absolute = re.compile(_ABSOLUTE % re.escape(str(root)))
    for number, line in enumerate(text.splitlines(), start=1):
        if absolute.search(line):
            raise InputError(f"{path.name}, line {number} holds an absolute path: {line.strip()[:120]}")
    if path.suffix == ".py":
        try:
            compile(text, path.name, "exec")
        except (SyntaxError, ValueError) as error:
            raise InputError(f"{path.name} is not valid Python: {error}") from None
    elif path.suffix == ".json":
        try:
            json.loads(text)
        except ValueError as error:
            raise InputError(f"{path.name} is not JSON: {error}") from None


def check_loading(root: Path, folder: Path) -> None:
    """Raises InputError unless a fresh process can load the folder, offline and without any file of the repository."""
    forbidden = [str(root / name) for name in ("lab", "metrics", "scripts", "spaces", "tests", "textgauge")]
    with tempfile.TemporaryDirectory(prefix="publish-check-") as home:
        empty = Path(home, "empty")
        empty.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "PYTHON"))}
        environment = {
            **kept,
            **dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"), "1"),
            "HF_HOME": home,
            "HF_MODULES_CACHE": str(Path(home, "modules")),
        }
        command = [sys.executable, "-I", "-X", "utf8", str(_PROBE), str(folder.resolve()), *forbidden]
        try:
            run = subprocess.run(
                command, cwd=empty, env=environment, capture_output=True, encoding="utf-8", timeout=_TIMEOUT
            )
        except subprocess.TimeoutExpired:
            raise InputError(f"loading it takes more than {_TIMEOUT} s") from None
    if run.returncode:
        raise InputError(f"it cannot be used from its folder alone:\n{(run.stdout + run.stderr).strip()[-3000:]}")
