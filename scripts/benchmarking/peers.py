"""All peers. Each is loaded on demand, so that one that is not installed only leaves a line in the report."""

from pathlib import Path

from . import bleu_peers
from . import chrf_ter_peers
from . import error_rate_peers
from . import human_correlation_peers
from . import meteor_peers
from . import nist_cider_peers
from . import perplexity_peers
from . import rouge_peers
from .sides import Peer
from .sides import Side
from .sides import Unavailable

PEERS = {
    **bleu_peers.PEERS,
    **rouge_peers.PEERS,
    **chrf_ter_peers.PEERS,
    **error_rate_peers.PEERS,
    **human_correlation_peers.PEERS,
    **nist_cider_peers.PEERS,
    **perplexity_peers.PEERS,
    **meteor_peers.PEERS,
    "torchmetrics": Peer(
        {
            "bleu 13a": bleu_peers.torchmetrics_sacrebleu,
            "bleu whitespace": bleu_peers.torchmetrics_bleu,
            "cer, few segments": error_rate_peers.torchmetrics_cer,
            "wer": error_rate_peers.torchmetrics_wer,
        },
        tolerance=1e-6,  # it computes in float32
        differs="of two references equally close it takes the first, not the shorter",
        differs_for=lambda corpus: any(len(row) > 1 for row in corpus.references),
    ),
}


def load_peer(name: str, computation: str, hf_metrics: Path | None) -> Side:
    """Returns a peer ready to run.

    Raises:
        Unavailable: it is not installed, or does not compute this.
    """
    if computation not in PEERS[name].loads:
        raise Unavailable(f"{name} does not compute {computation}")
    try:
        return PEERS[name].loads[computation](hf_metrics)
    except ImportError as error:
        raise Unavailable(f"{name}: pip install {error.name or name}") from None
