"""Modules of `agreement.py`; the registry of who computes the same is with the tests, which read it too."""

import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[2] / "tests"
sys.path.extend(str(folder) for folder in (_TESTS / "agreement", _TESTS) if str(folder) not in sys.path)
