"""The functions beside the metrics that scripts use too; a metric itself comes from `scoring.specs.load_metric`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the folder of the package `metrics`

from metrics._bootstrap import cluster_sums as cluster_sums
from metrics._bootstrap import percentile_interval as percentile_interval
from metrics._bootstrap import resample as resample
from metrics._columns import REFERENCES as REFERENCES
from metrics._columns import TEXTS as TEXTS
from metrics._columns import clean_texts as clean_texts
from metrics._tokens import check_tokenizer as check_tokenizer
from metrics._tokens import tokenize as tokenize
