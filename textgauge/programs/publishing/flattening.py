"""A metric that stands alone: its script, and beside it the modules of the package that it needs, directly or not.

`textgauge.core.options` becomes `_core_options.py`, so that a traceback names the room of a line.
"""

import re
from pathlib import Path

from ..errors import InputError

# an import from the package or from a sibling; what stands behind "# From:" is for those who lack the package
_IMPORT = re.compile(r"^( *)from (textgauge)?\.([\w.]+) import (.*?)( *# From:.*)?$", re.MULTILINE)
_METRICS = "metrics"


def flattened(root: Path, name: str) -> dict[str, str]:
    """Returns the text of each file that a metric of a clone consists of, by its name.

    The metric's script names all others, since evaluate's loader copies what the script names, and nothing else.
    """
    top = f"{_METRICS}.{name}"
    texts, named, left = {}, {}, {top}
    while left:
        module = left.pop()
        text = _path(root, module).read_text(encoding="utf-8")
        named[module] = {_module(match, module) for match in _IMPORT.finditer(text)}
        texts[module] = _IMPORT.sub(
            lambda match, here=module: f"{match[1]}from .{_flat(_module(match, here))} import {match[4]}", text
        )
        left |= named[module] - texts.keys()
    others = sorted(map(_flat, texts.keys() - {top} - named[top]))
    lines = "".join(f"from .{stem} import __name__ as {stem}\n" for stem in others)
    texts[top] = re.sub(r"^(?=from \.)", lines, texts[top], count=1, flags=re.MULTILINE)
    return {f"{_flat(module)}.py": text for module, text in texts.items()}


def _module(match: re.Match, here: str) -> str:
    """Returns what an import of a module imports from: such as core.options, or metrics.bleu."""
    module = match[3] if match[2] else f"{here.partition('.')[0]}.{match[3]}"
    if module.count(".") != 1:
        raise InputError(
            f"{here}: {match[0].strip()}; import from a module, as `from textgauge.core.options import choice`"
        )
    return module


def _path(root: Path, module: str) -> Path:
    room, stem = module.split(".")
    return root / (room if room == _METRICS else f"textgauge/{room}") / f"{stem}.py"


def _flat(module: str) -> str:
    room, stem = module.split(".")
    return stem if room == _METRICS else f"_{room}_{stem}"
