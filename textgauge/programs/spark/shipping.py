"""What is sent to the workers: the package with its metrics, scripts of one's own, and the files that options name."""

import atexit
import functools
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import textgauge

from ..scoring.specs import Scorer
from .worker import Shipped


def name_of(scorer: Scorer) -> str:
    """Returns the name of a metric on the workers: its name in the package, or that of the user's script."""
    return Path(scorer.source).name


def _files(options: dict[str, Any]) -> dict[str, Path]:
    """Returns the options that name a file."""
    files = {}
    for name, value in options.items():
        if isinstance(value, str) and Path(value).is_file():
            files[name] = Path(value)
    return files


def shipped_options(options: dict[str, Any]) -> dict[str, Any]:
    """Returns options whose files have the names that the workers know."""
    shipped = dict(options)
    for name, path in _files(options).items():
        shipped[name] = Shipped(path.name)
    return shipped


def ship(spark: SparkSession, scorers: Sequence[Scorer]) -> None:
    """Sends the workers the package, the user's scripts with the files beside them, and the files of options."""
    spark.sparkContext.addPyFile(_archive())
    scripts = [Path(scorer.source) for scorer in scorers if scorer.source.endswith(".py")]
    files: set[Path] = set()
    for script in scripts:
        files.update(script.parent.glob("*.py"))
    for scorer in scorers:
        files.update(_files(scorer.options).values())
    for path in sorted(files):
        spark.sparkContext.addFile(str(path.resolve()))


@functools.cache
def _archive() -> str:
    """Returns a file with the package, as it is where it is installed; Spark reads it for each worker that starts."""
    folder = tempfile.mkdtemp(prefix="metrics-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "textgauge.zip")
    package = Path(textgauge.__file__).parent
    with zipfile.ZipFile(path, "w") as archive:
        for source in sorted(package.rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                archive.write(source, source.relative_to(package.parent))
        if not textgauge.METRICS.is_relative_to(package):
            for source in sorted(textgauge.METRICS.glob("*.py")):
                archive.write(source, Path("textgauge", "metrics", source.name))
        archive.writestr("textgauge/metrics/__init__.py", "")  # Python finds no folder without one in an archive
    return str(path)
