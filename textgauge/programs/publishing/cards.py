"""The card of a metric as the README of a Space, and what the Hub wants of its front matter."""

import re
from collections.abc import Iterable

import yaml

from ..errors import InputError

COLOURS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
_TEXTS = ("title", "emoji", "colorFrom", "colorTo", "sdk", "license", "short_description", "description")
_SHORT = 60


def card_text(card: str, name: str, sdk: str, org: str | None, metrics: Iterable[str], n_files: int) -> str:
    """Returns the README of a Space from the card of a metric.

    Where the card loads a metric from the clone, the README loads it by its name on the Hub, or without an owner from
    the file in this folder or the folder beside it. A static Space needs no version and no file of an app. Loaded by
    name the first time, each of so many files is a request.
    """
    for other in metrics:
        file = f"./{other}.py" if other == name else f"../{other}/{other}.py"
        card = card.replace(f'"./metrics/{other}.py"', f'"{f"{org}/{other}" if org else file}"')
        if org:
            address = f"(https://huggingface.co/spaces/{org}/{other})"
            card = card.replace(f"(../{other}/README.md)", address).replace(f"(../{other}/README.ko.md)", address)
    if org:
        said = f"The first load by name fetches {n_files} files, one by one; later ones take them from the cache."
        card = card.replace("\n## How to use\n", f"\n## How to use\n\n{said}\n", 1)
    if sdk == "static":
        start, front, body = card.split("---\n", 2)
        front = re.sub(r"^(sdk_version|app_file):.*\n", "", front, flags=re.M)
        front = re.sub(r"^sdk:.*", "sdk: static", front, flags=re.M)
        card = "---\n".join((start, front, body))
    return card


def check_front_matter(card: str, sdk: str) -> None:
    """Raises InputError that says what is wrong with a card's front matter, as the Hub would."""
    match = re.match(r"---\n(.*?\n)---\n", card, flags=re.S)
    if match is None:
        raise InputError("README.md does not begin with front matter between two lines of ---")
    try:
        front = yaml.safe_load(match.group(1))
    except (yaml.YAMLError, ValueError) as error:  # the second for a date such as 2026-13-01
        raise InputError(f"the front matter of README.md is no YAML: {error}") from None
    if not isinstance(front, dict):
        raise InputError("the front matter of README.md holds no keys")
    wanted = [*_TEXTS, *(("sdk_version", "app_file") if sdk == "gradio" else ())]
    missing = [key for key in wanted if not isinstance(front.get(key), str) or not front[key].strip()]
    if missing:
        raise InputError(f"the front matter of README.md lacks {', '.join(missing)}, or they are no text")
    if len(front["short_description"]) > _SHORT:
        raise InputError(f"short_description has {len(front['short_description'])} characters; the Hub takes {_SHORT}")
    for key, choices in (("colorFrom", COLOURS), ("colorTo", COLOURS), ("sdk", (sdk,))):
        if front[key] not in choices:
            raise InputError(f"{key} is {front[key]!r}; pass one of {', '.join(choices)}")
    if not {"evaluate", "metric"} <= set(front.get("tags") or ()):
        raise InputError(f"tags are {front.get('tags')!r}; a metric has evaluate and metric among them")
