"""The card of a metric as the README of a Space, and what the Hub wants of its front matter."""

import posixpath
import re
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import yaml

from ..errors import InputError
from ..saying.texts import say, speaking

COLOURS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
_TEXTS = ("title", "emoji", "colorFrom", "colorTo", "sdk", "license", "short_description", "description")
_SHORT = 60
_LINK = re.compile(r"\[([^]]*)\]\((\.\./[^)\s]*)\)")  # to files outside the folder of the card
_OF_EVALUATE = "numpy"  # the library that evaluate brings


class Destination(NamedTuple):
    """Where a metric is published, and what its card says of that."""

    name: str
    sdk: str
    org: str | None  # who owns the Space; None for a folder
    metrics: Collection[str]  # of the repository
    beside: Collection[str]  # metrics whose folders or Spaces are or will be beside this one
    n_files: int  # of Python that evaluate's loader fetches
    libraries: Collection[str]  # without which the metric does not load
    repository: str | None  # its address


def repository_address(root: Path) -> str | None:
    """Returns the address of a repository, if its CITATION.cff gives one."""
    path = root / "CITATION.cff"
    if not path.is_file():
        return None
    return yaml.safe_load(path.read_text(encoding="utf-8")).get("repository-code")


def card_text(card: str, destination: Destination) -> str:
    """Returns the README of a Space from the card of a metric.

    Where the card loads a metric from the clone, the README loads it by its name on the Hub, or without an owner from
    the file in this folder or the folder beside it. It says what to install, and how often a load by name asks the
    Hub. A static Space needs no version and no file of an app.
    """
    for metric in destination.metrics:
        file = f"./{metric}.py" if metric == destination.name else f"../{metric}/{metric}.py"
        loaded = f"{destination.org}/{metric}" if destination.org else file
        card = card.replace(f'"./metrics/{metric}.py"', f'"{loaded}"')
    card = _LINK.sub(lambda link: _published_link(link[1], link[2], destination), card)
    card = card.replace("\n## How to use\n", f"\n## How to use\n\n{_how_to_load(destination)}\n", 1)
    with speaking("ko"):
        card = card.replace("\n## 정의\n", f"\n## 불러오기\n\n{_how_to_load(destination)}\n\n## 정의\n", 1)
    if destination.sdk == "static":
        start, front, body = card.split("---\n", 2)
        front = re.sub(r"^(sdk_version|app_file):.*\n", "", front, flags=re.M)
        front = re.sub(r"^sdk:.*", "sdk: static", front, flags=re.M)
        card = "---\n".join((start, front, body))
    return card


def _how_to_load(destination: Destination) -> str:
    """Returns a passage that says what to install, and what a load by name takes."""
    libraries = " ".join(["evaluate", *(name for name in sorted(destination.libraries) if name != _OF_EVALUATE)])
    parts = [f"```sh\npip install {libraries}\n```"]
    if destination.org:
        # evaluate's loader looks for a tag and for each file, and fetches the files that it lacks
        later = 1 + destination.n_files
        first = later + destination.n_files
        parts.append(say("card_requests", files=destination.n_files, first=first, later=later))
    if destination.repository:
        parts.append(say("card_repository", address=f"{destination.repository}/tree/HEAD/spaces/{destination.name}"))
    return "\n\n".join(parts)


def _published_link(text: str, target: str, destination: Destination) -> str:
    """Returns a link of a card that leads out of the card's folder as one that leads somewhere, or else its text."""
    path, hash_sign, heading = target.partition("#")
    path = posixpath.normpath(f"spaces/{destination.name}/{path}")
    card = re.fullmatch(r"spaces/(\w+)/README(\.ko)?\.md", path)
    if card is not None and card[1] in destination.beside:
        there = f"https://huggingface.co/spaces/{destination.org}/{card[1]}"
        return f"[{text}]({there if destination.org else target})"
    if destination.repository:
        return f"[{text}]({destination.repository}/blob/HEAD/{path}{hash_sign}{heading})"
    return text


def check_front_matter(card: str, sdk: str) -> None:
    """Raises InputError that says what is wrong with a card's front matter, as the Hub would."""
    match = re.match(r"---\n(.*?\n)---\n", card, flags=re.S)
    if match is None:
        raise InputError("README.md does not begin with front matter between two lines of ---")
    try:
        front = yaml.safe_load(match.group(1))
    except (yaml.YAMLError, ValueError) as error:  # the second for a date such as 2026-13-01
        raise InputError(f"the front matter of README.md is not YAML: {error}") from None
    if not isinstance(front, dict):
        raise InputError("the front matter of README.md holds no keys")
    wanted = [*_TEXTS, *(("sdk_version", "app_file") if sdk == "gradio" else ())]
    missing = [key for key in wanted if not isinstance(front.get(key), str) or not front[key].strip()]
    if missing:
        raise InputError(f"the front matter of README.md lacks {', '.join(missing)}, or they are not text")
    if len(front["short_description"]) > _SHORT:
        raise InputError(f"short_description has {len(front['short_description'])} characters; the Hub takes {_SHORT}")
    for key, choices in (("colorFrom", COLOURS), ("colorTo", COLOURS), ("sdk", (sdk,))):
        if front[key] not in choices:
            raise InputError(f"{key} is {front[key]!r}; pass one of {', '.join(choices)}")
    if not {"evaluate", "metric"} <= set(front.get("tags") or ()):
        raise InputError(f"tags are {front.get('tags')!r}; a metric has evaluate and metric among them")
