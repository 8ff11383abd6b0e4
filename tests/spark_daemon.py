"""The process that Spark forks its workers from: libraries are loaded once, and not by each worker.

The package itself is not: workers have it from the archive that they are sent.
"""

import datasets  # noqa: F401
import evaluate  # noqa: F401
import pandas  # noqa: F401
import pyspark.worker  # noqa: F401
import rapidfuzz  # noqa: F401
import scipy.stats  # noqa: F401
from pyspark.daemon import manager

if __name__ == "__main__":
    manager()
