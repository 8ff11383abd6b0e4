"""What the options of metrics do, in each language: in English by the metric, in Korean by help_ko.json."""

import functools
import json
from pathlib import Path
from typing import Any

from ..saying.texts import TEXTS
from .form import may_be_file

_PATH = Path(__file__).with_name("help_ko.json")
COMMON = "common"  # options that mean the same in several metrics


@functools.cache
def korean_help() -> dict[str, dict[str, str]]:
    """Returns for each metric, and for COMMON, option -> what it does.

    In place of a text the file may have the name of a metric, or of a common option, that has the text.
    """
    table = json.loads(_PATH.read_text(encoding="utf-8"))
    texts: dict[str, dict[str, str]] = {}
    for metric, lines in table.items():
        texts[metric] = {}
        for name, text in lines.items():
            of_metric = table.get(text, {}).get(name)
            texts[metric][name] = of_metric or table[COMMON].get(text, text)
    return texts


def help_texts(metric: str, name: str, option: Any) -> dict[str, str]:
    """Returns the help of an option; in English if a user's metric has no Korean help."""
    table = korean_help()
    korean = table.get(metric, {}).get(name) or table[COMMON].get(name)
    return {"en": option.help, "ko": korean or option.help}


def form_texts(metric: str, name: str, option: Any) -> dict[str, str]:
    """Returns the help of an option in a form: the same, and that a form takes no file."""
    texts = help_texts(metric, name, option)
    if not may_be_file(option):
        return texts
    return {language: f"{text} {TEXTS['app_no_files'][language]}" for language, text in texts.items()}
