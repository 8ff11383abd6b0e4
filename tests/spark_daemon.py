"""The process that Spark forks its workers from: it loads the package once, and not each worker anew.

That workers have the package from the archive that they are sent is seen without it, in `test_by_itself`.
"""

import pyspark.worker  # noqa: F401
import scipy.stats  # noqa: F401
from pyspark.daemon import manager

import textgauge.programs.spark.worker  # noqa: F401

if __name__ == "__main__":
    manager()
