"""scipy's correlation coefficients, called as their users call them."""

from pathlib import Path

from .corpus import Corpus
from .sides import Peer, Side, mean


def _scipy(_: Path | None) -> Side:
    from scipy import stats

    def run(corpus: Corpus) -> float:
        functions = (stats.pearsonr, stats.spearmanr, stats.kendalltau)
        return mean(float(function(corpus.predictions, corpus.references)[0]) for function in functions)

    return run


PEERS = {"scipy": Peer({"human correlation": _scipy})}
