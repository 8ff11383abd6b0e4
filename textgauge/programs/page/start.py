"""The beginning of Python in a browser: the metric, then what answers the page."""

import importlib
import os
import sys
from collections.abc import Callable


def start(name: str, packages: str) -> Callable[[str], str]:
    """Returns the session that answers a page's requests about the metric of this name; `packages` is a folder."""
    os.environ["RAPIDFUZZ_IMPLEMENTATION"] = "python"
    sys.path.append(packages)
    module = importlib.import_module(f"metrics.{name}")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    metric_class = getattr(module, class_name)
    from .session import Session

    return Session(metric_class()).answer
