"""All peers. Each is loaded on demand, so that one that is not installed only leaves a line in the report."""

import importlib
from pathlib import Path

from . import bleu_peers, error_rate_peers
from .sides import Peer, Side, Unavailable


def found_in_modules(pattern: str, name: str) -> dict:
    """Returns the entries of the dicts of this name in modules of this folder, those whose file's name is like this."""
    stems = sorted(path.stem for path in Path(__file__).parent.glob(pattern))
    modules = [importlib.import_module(f".{stem}", __package__) for stem in stems]
    return {key: value for module in modules for key, value in getattr(module, name, {}).items()}


PEERS = {
    **found_in_modules("*_peers.py", "PEERS"),
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
