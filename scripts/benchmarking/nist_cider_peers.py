"""The other implementations of NIST and CIDEr, called as their users call them."""

from pathlib import Path

from .corpus import Corpus
from .sides import Peer, Side


def _nltk_nist(_: Path | None) -> Side:
    from nltk.translate.nist_score import corpus_nist

    def run(corpus: Corpus) -> float:
        references = [[text.split() for text in row] for row in corpus.references]
        return corpus_nist(references, [text.split() for text in corpus.predictions])

    return run


def _pycocoevalcap(_: Path | None) -> Side:
    from pycocoevalcap.cider.cider import Cider

    def run(corpus: Corpus) -> float:
        references = dict(enumerate(corpus.references))
        score, _ = Cider().compute_score(references, {row: [text] for row, text in enumerate(corpus.predictions)})
        return float(score)

    return run


PEERS = {
    "nltk corpus_nist": Peer({"nist": _nltk_nist}),
    "pycocoevalcap": Peer({"cider": _pycocoevalcap}),
}
