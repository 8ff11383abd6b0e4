"""The Python that runs in the browser: Pyodide, one version of it, each file with its size and SHA-256.

The files are on the public network that Pyodide's own site names. The tests use the same ones, byte by byte.
"""

import hashlib
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError

VERSION = "0.27.7"
URL = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
BESIDE = "../runtime/"  # where a page looks for the files that were published with it
_INFO = {"abi_version": "2024_0", "arch": "wasm32", "platform": "emscripten_3_1_58", "python": "3.12.7"}


class File(NamedTuple):
    """A file of the runtime."""

    name: str
    size: int
    sha256: str


_CORE = (
    File("pyodide.js", 14913, "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98"),
    File("pyodide.asm.js", 1255688, "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51"),
    File("pyodide.asm.wasm", 10105545, "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f"),
    File("python_stdlib.zip", 2360737, "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16"),
)
_NUMPY = File(
    "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
    3061133,
    "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
)
FILES = (*_CORE, _NUMPY)


def described(url: str) -> dict[str, Any]:
    """Returns the runtime at an address: its files, and what Pyodide reads of them."""
    numpy = {
        "name": "numpy",
        "version": _NUMPY.name.split("-")[1],
        "file_name": _NUMPY.name,
        "install_dir": "site",
        "sha256": _NUMPY.sha256,
        "package_type": "package",
        "imports": ["numpy"],
        "depends": [],
    }
    lock = {"info": {**_INFO, "version": VERSION}, "packages": {"numpy": numpy}}
    return {"url": url, "files": [file._asdict() for file in FILES], "lock": lock}


def copy_runtime(source: Path, target: Path) -> None:
    """Copies the files of the runtime from a folder to another; InputError names what is missing, or another file."""
    wrong = [file.name for file in FILES if not _is_right(source / file.name, file)]
    if wrong:
        raise InputError(f"{source}: {', '.join(wrong)} missing, or not of Pyodide {VERSION}; they are at {URL}")
    target.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        if not _is_right(target / file.name, file):
            shutil.copyfile(source / file.name, target / file.name)


def _is_right(path: Path, file: File) -> bool:
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
