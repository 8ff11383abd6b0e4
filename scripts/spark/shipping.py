"""What is sent to the workers: the metrics, the modules that compute there, and the files that options name."""

import atexit
import functools
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from scoring.specs import METRICS, Scorer

from .worker import Shipped

_SCRIPTS = Path(__file__).resolve().parents[1]
# the modules of the workers, each behind its folder: a package in an archive is not found without
_SHIPPED = ("reading", "reading/references.py", "scoring", "scoring/segment_scores.py", "spark", "spark/worker.py")


def script_of(scorer: Scorer) -> Path:
    """Returns the script of a metric."""
    path = Path(scorer.source)
    return path if path.suffix == ".py" else METRICS / f"{scorer.source}.py"


def _files(options: dict[str, Any]) -> dict[str, Path]:
    """Returns the options that name a file."""
    return {name: Path(v) for name, v in options.items() if isinstance(v, str) and Path(v).is_file()}


def shipped_options(options: dict[str, Any]) -> dict[str, Any]:
    """Returns options whose files have the names that the workers know."""
    return {**options, **{name: Shipped(path.name) for name, path in _files(options).items()}}


def ship(spark: SparkSession, scorers: Sequence[Scorer]) -> None:
    """Sends the metrics, the modules beside them, and the files that options name to the workers."""
    spark.sparkContext.addPyFile(_archive())
    files = {path for scorer in scorers for path in script_of(scorer).parent.glob("*.py")}
    files |= {path for scorer in scorers for path in _files(scorer.options).values()}
    for path in sorted(files):
        spark.sparkContext.addFile(str(path.resolve()))


@functools.cache
def _archive() -> str:
    """Returns a file with the modules of the workers; Spark reads it again for each worker that starts."""
    folder = tempfile.mkdtemp(prefix="metrics-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "workers.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for name in _SHIPPED:
            archive.write(_SCRIPTS / name, name)
    return str(path)
