"""Puts the package of this clone before one that is installed, perhaps from another clone; each script imports it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
