"""Segments that belong together: documents, speakers, dialogues."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from textgauge.core.columns import label_codes

from ..reading.corpus import Corpus
from ..saying.texts import say
from ..saying.values import number_text
from ..scoring.outputs import Results
from ..scoring.specs import Scorer

_ALIKE = 0.05  # with clusters of ten, an interval by segments is a fifth too narrow


def cluster_notes(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> list[str]:
    """Returns a warning for each metric by which the segments of a cluster are alike; needs scores of segments."""
    notes = []
    for scorer in scorers if corpus.clusters else ():
        of_systems = [result[scorer.label].get("segments") for result in results.values()]
        correlations = [intraclass_correlation(scores, corpus.clusters) for scores in of_systems if scores]
        # equal scores have no correlation; nan, if it is the first, would be the largest
        known = [correlation for correlation in correlations if not math.isnan(correlation)]
        if known and max(known) > _ALIKE:
            notes.append(say("clusters_alike", label=scorer.label, value=number_text(max(known))))
    return notes


def intraclass_correlation(scores: Sequence[float], clusters: Sequence[str]) -> float:
    """Returns how alike the scores of one cluster are: 1 if they are equal, about 0 if no more alike than others.

    The estimator of the analysis of variance, for clusters of different sizes (Donner and Koval 1980). Segments without
    a score are left out; nan where no cluster has two, or there is one cluster.
    """
    values = np.asarray(scores, dtype=np.float64)
    has_score = np.isfinite(values)
    values = values[has_score]
    cluster_of = label_codes(list(itertools.compress(clusters, has_score)))
    sizes = np.bincount(cluster_of)
    n_segments = len(values)
    n_clusters = len(sizes)
    if n_clusters < 2 or n_segments == n_clusters:
        return np.nan
    means = np.bincount(cluster_of, weights=values) / sizes
    between = (sizes * (means - values.mean()) ** 2).sum() / (n_clusters - 1)
    within = ((values - means[cluster_of]) ** 2).sum() / (n_segments - n_clusters)
    # of clusters of one size it is that size
    size = (n_segments - (sizes**2).sum() / n_segments) / (n_clusters - 1)
    with np.errstate(invalid="ignore"):
        return float((between - within) / (between + (size - 1) * within))
