"""What a notebook shows: the one place where a room reaches into a later one, by its name and when it is asked."""

import importlib
from typing import Any


def drawn(thing: Any) -> str | None:
    """Returns a thing as HTML, as the programs draw it; None where they are missing, as for a metric from the Hub."""
    try:
        notebook = importlib.import_module("textgauge.programs.reporting.notebook")
    except ImportError:
        return None
    return notebook.html(thing)
