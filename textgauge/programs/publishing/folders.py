"""Writes an assembled folder to a place where an earlier one, or something else, may lie."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from ..errors import InputError
from .assembling import SUMS, digests, read_sums


def write_folder(assembled: Path, target: Path) -> str:
    """Puts a copy of a folder in the place of `target`, at once or not at all; returns what `compare_folder` does."""
    state = compare_folder(assembled, target)
    if state == "same":
        return state
    target.parent.mkdir(parents=True, exist_ok=True)
    # beside the target, so that both are on one disk and the last step is a rename
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as beside:
        new = Path(beside, "new")
        old = Path(beside, "old")
        shutil.copytree(assembled, new)
        if state == "changed":
            os.rename(target, old)
        try:
            os.rename(new, target)
        except OSError:
            if state == "changed":
                os.rename(old, target)
            raise
    return state


def compare_folder(assembled: Path, target: Path) -> str:
    """Returns the effect of writing a folder to `target`: "new", "changed" or "same".

    Raises:
        InputError: the target holds files that are not as an earlier call wrote them.
    """
    if not target.exists() and not target.is_symlink():
        return "new"
    _check_ours(target)
    return "same" if digests(target) == digests(assembled) else "changed"


def _check_ours(target: Path) -> None:
    """Raises InputError unless a folder holds what an earlier call wrote, and nothing else."""
    sums, digest_of = {}, {}
    if target.is_dir() and not target.is_symlink():
        digest_of = digests(target)
        with contextlib.suppress(OSError, ValueError):
            sums = read_sums((target / SUMS).read_text(encoding="utf-8"))
    if not sums:
        raise InputError(f"{target} exists and was not written by this script; remove it or choose another folder")
    foreign = [path for path, digest in digest_of.items() if sums.get(path) != digest]
    if foreign:
        raise InputError(f"{target}: {', '.join(foreign)} would be lost; move what you added or changed elsewhere")
