"""What a page that computes loads: the files of its folder, and the parts of libraries that are Python."""

import hashlib
import importlib.metadata
import json
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

PACKAGES = "packages.json"
_TEXTS = "texts.json"  # what pages say
# of each library the files that no compiler made, with its licence and its version; nltk for its stemmers alone
_PARTS = {
    "nltk": ("nltk/stem/api.py", "nltk/stem/porter.py", "nltk/stem/snowball.py", "nltk/stem/util.py"),
    "rapidfuzz": ("rapidfuzz/[!_]*.py", "rapidfuzz/_[!_]*.py", "rapidfuzz/__init__.py"),
}
_LEGAL = ("*.dist-info/METADATA", "*.dist-info/*LICEN[CS]E*", "*.dist-info/AUTHORS*")


def packages_text(imported: Iterable[str]) -> str:
    """Returns as JSON the text of each file that the browser needs of these libraries; others have none."""
    texts = {}
    for name in sorted(_PARTS.keys() & set(imported)):
        patterns = (*_PARTS[name], *_LEGAL)
        for path in importlib.metadata.files(name) or ():
            if any(fnmatch(path.as_posix(), pattern) for pattern in patterns):
                texts[path.as_posix()] = path.read_text(encoding="utf-8")
    return json.dumps(texts, ensure_ascii=False, indent=0) + "\n"


def loaded_files(folder: Path, name: str) -> list[dict[str, Any]]:
    """Returns the files that the worker loads from a metric's folder, each with its place there, size and SHA-256."""
    paths = [folder / PACKAGES]
    for path in folder.rglob("*"):
        is_loaded = path.suffix in (".py", ".css") or path.name == _TEXTS
        if is_loaded and path.is_file():
            paths.append(path)
    files = []
    for path in sorted(paths):
        name_there = path.relative_to(folder).as_posix()
        # scripts beside one another, as a module that no folder holds cannot import its siblings
        is_script = path.parent == folder and path.suffix == ".py"
        loaded_to = f"metrics/{name_there}" if is_script else name_there
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        files.append({"name": name_there, "place": loaded_to, "size": len(content), "sha256": digest})
    return files
