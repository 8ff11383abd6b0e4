"""The file of results: written with the versions of all peers, and read by the cards, the READMEs and the tests."""

import importlib.metadata
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tests" / "agreement" / "agreement.json"
_PINNED = [ROOT / "requirements-peers.txt", ROOT / "requirements-compiled.txt"]


def read_results() -> dict[str, Any]:
    """Returns the results that the repository holds."""
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def write_results(path: Path, results: dict[str, Any]) -> None:
    """Writes results, one cell a line, so that a change shows what changed."""
    text = json.dumps(results, ensure_ascii=False, indent=1)
    # what is four levels deep or deeper stays on one line
    text = re.sub(r"\n {5,}", " ", re.sub(r"\n {4}(?=[\]}])", "", text))
    path.write_text(f"{text}\n", encoding="utf-8")


def pinned_versions() -> dict[str, str]:
    """Returns the version of each peer that the files of requirements ask for."""
    texts = "".join(path.read_text(encoding="utf-8") for path in _PINNED)
    return dict(re.findall(r"^([\w.-]+)==(\S+)", texts, flags=re.M))


def wrong_versions(packages: Iterable[str]) -> list[str]:
    """Returns a line for each installed peer whose version is not the one asked for."""
    pinned, lines = pinned_versions(), []
    for package in sorted(set(packages)):
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue  # its rows say that they were not run
        if version != pinned.get(package):
            lines.append(f"{package} is {version}; {_PINNED[0].name} asks for {pinned.get(package, 'none')}")
    return lines
