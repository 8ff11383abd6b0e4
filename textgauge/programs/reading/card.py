"""The card of a metric, as its page shows it."""

import re
from pathlib import Path
from typing import Any

import yaml

KOREAN_CARD = "README.ko.md"
_LINK_OF_CARDS = re.compile(r"\[([^]]*)\]\((?:\.\.?/|README)[^)]*\)")


def read_card(folder: Path, name: str = "README.md") -> tuple[dict[str, Any], str]:
    """Returns the front matter of a card, and the text without its title and links to cards that are not there."""
    _, front, text = (folder / name).read_text(encoding="utf-8").split("---\n", 2)
    text = re.sub(r"\A\s*# .*\n+(\[.*\]\(README.*\.md\)\n)?", "", text)  # and the link to the other language
    return yaml.safe_load(front), _LINK_OF_CARDS.sub(r"\1", text)
