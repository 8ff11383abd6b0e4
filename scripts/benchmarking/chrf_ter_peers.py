"""The other implementation of chrF and TER, sacreBLEU, which Hugging Face calls too."""

from functools import partial
from pathlib import Path

from .bleu_peers import transposed
from .sides import Peer, Side


def _sacrebleu(_: Path | None, name: str, **options: int) -> Side:
    from sacrebleu import metrics

    metric = getattr(metrics, name)(**options)
    return lambda corpus: metric.corpus_score(corpus.predictions, transposed(corpus.references)).score / 100


PEERS = {
    "sacrebleu CHRF, TER": Peer(
        {
            "chrf": partial(_sacrebleu, name="CHRF"),
            "chrf++": partial(_sacrebleu, name="CHRF", word_order=2),
            "ter": partial(_sacrebleu, name="TER"),
        }
    )
}
