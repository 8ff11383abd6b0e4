"""The card of a metric, as its page shows it."""

import re
from pathlib import Path
from typing import Any

import yaml


def read_card(folder: Path) -> tuple[dict[str, Any], str]:
    """Returns the front matter of README.md, and the text without its title and links to cards that are not there."""
    _, front, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    text = re.sub(r"\A\s*# .*\n", "", text)
    return yaml.safe_load(front), re.sub(r"\[([^]]*)\]\(\.\.?/[^)]*\)", r"\1", text)
