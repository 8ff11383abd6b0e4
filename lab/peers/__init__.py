"""The registry of peers: how other libraries that compute what our metrics compute are called, each written once.

`agreement.py` tries whether both sides give the same values, and `benchmark.py` takes their times. Start with peer.py.
"""

from . import bleu, error_rates, hugging_face, meetings, meteor, ngrams, rouge, scores
from .peer import Peer

_MODULES = (hugging_face, bleu, rouge, meteor, ngrams, error_rates, meetings, scores)
PEERS = [value for module in _MODULES for value in vars(module).values() if isinstance(value, Peer)]
