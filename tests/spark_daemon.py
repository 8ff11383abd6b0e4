"""The process that Spark forks its workers from: it loads the package and its metrics once, and not each worker anew.

That workers have the package from the archive that they are sent is seen without it, in `test_by_itself`.
"""

import pyspark.worker  # noqa: F401
from pyspark.daemon import manager

import textgauge
from textgauge.programs.spark.worker import load

if __name__ == "__main__":
    for name in textgauge.metric_names():
        load(name)
    manager()
