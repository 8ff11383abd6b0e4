"""Spark itself: a session, its failures as messages, and its data."""

import builtins
import contextlib
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark import SparkConf
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from ..errors import InputError
from .lines import FILE, LINE

_TRACEBACK = "Traceback (most recent call last):"


class JobError(RuntimeError):
    """Spark could not start, or not end a job."""


def start_spark(master: str | None, with_log: bool = False) -> SparkSession:
    """Returns the session of spark-submit, or else one on this machine; it writes a log only if asked.

    Raises:
        JobError: there is no Java, or no such master.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # p and P are two columns of JSONL, as they are for score.py
    builder = SparkSession.builder.appName("metrics").config("spark.sql.caseSensitive", "true")
    if master or not SparkConf().contains("spark.master"):
        # a worker that dies is replaced four times; without the number the first one ends the job
        builder = builder.master(master or "local[*,4]")
    with failures(), contextlib.nullcontext() if with_log else _silence():
        spark = builder.getOrCreate()
    if not with_log:
        spark.sparkContext.setLogLevel("OFF")
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    return spark


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Leaves the processes that are started meanwhile nothing to write errors to: Spark's log comes from one."""
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextlib.contextmanager
def failures() -> Iterator[None]:
    """Turns the exceptions of Spark, whose messages are pages long, into a line: InputError if bad input is the reason.

    Raises:
        InputError: a row that cannot be scored, a folder that is there already.
        JobError: Spark, Java or a machine failed.
        RuntimeError: a defect of what the workers run, with their traceback.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        text = str(error)
        # the traceback quotes the line that raises, too: the message itself is the last
        if messages := re.findall("<bad row>(.*?)</bad row>", text, re.DOTALL):
            raise InputError(f"{messages[-1]}; --skip-bad-rows FILE leaves such rows out, and lists them") from None
        if "PATH_ALREADY_EXISTS" in text:
            raise InputError(
                "the folder of --segments or --rows is there already; pass another, or delete it"
            ) from None
        reason = _reason(text)
        kind, _, message = reason.partition(": ")
        if kind.rpartition(".")[2] == InputError.__name__:
            raise InputError(message) from None
        if _is_defect(text, kind):
            raise RuntimeError(f"a worker failed:\n{text[text.rfind(_TRACEBACK) :]}") from None
        raise JobError(f"Spark failed: {reason}; --spark-log shows more") from error


def _is_defect(text: str, kind: str) -> bool:
    """Returns whether Python code of a worker failed, by the name of the exception, and not the worker itself."""
    of_machine = getattr(builtins, kind, None) or RuntimeError
    is_of_machine = issubclass(of_machine, (OSError, ImportError, MemoryError, EOFError))
    return _TRACEBACK in text and not is_of_machine and not kind.startswith(("pyspark.", "py4j."))


def _reason(text: str) -> str:
    """Returns the one line of a message of Spark that says why: the end of Python's traceback, or else Java's own."""
    lines = [line for line in text.splitlines() if line.strip()]
    if (start := text.rfind(_TRACEBACK)) >= 0:
        lines = [line for line in text[start:].splitlines()[1:] if line[:1].strip()]
    java = [line for line in lines if line.startswith(": ")]  # below "An error occurred while calling o12.collect"
    line = (java or lines or ["no reason given"])[0]
    reason = re.sub(r"\b(?:org|java|py4j)\.[\w.$]+: ", "", line.removeprefix(": "))
    return reason.partition(". Consider setting")[0]


def read_data(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Returns the data of JSONL files, if names of files have .json or .ndjson in them, or else of Parquet.

    What is scored of JSONL is in the columns LINE and FILE; the others, as Spark reads them, are for groups and keys.
    """
    first = Path(paths[0])
    names = [path.name for path in first.iterdir()] if first.is_dir() else [first.name]
    is_json = any(ending in name for name in names for ending in (".json", ".ndjson"))
    try:
        return _read_lines(spark, paths) if is_json else spark.read.parquet(*paths)
    except (PySparkException, Py4JError) as error:
        raise InputError(f"--data {', '.join(paths)}: {_reason(str(error))}") from None


def _read_lines(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    known = spark.read.json(list(paths)).schema
    known = StructType([field for field in known if field.name != "_corrupt_record"])
    lines = spark.read.text(list(paths), lineSep="\n")
    records = F.from_json("value", known).alias("known")
    line_bytes = F.col("value").cast("binary").alias(LINE)
    paths_of_lines = F.col("_metadata.file_path").alias(FILE)
    parsed = lines.select(records, line_bytes, paths_of_lines)
    return parsed.select("known.*", LINE, FILE)
