"""All comparisons: each function adds its rows to the report for one language."""

import importlib
from pathlib import Path

_STEMS = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py") if path.stem != "comparisons")
_MODULES = [importlib.import_module(f".{stem}", __package__) for stem in _STEMS]
COMPARISONS = {name: add for module in _MODULES for name, add in getattr(module, "COMPARISONS", {}).items()}
