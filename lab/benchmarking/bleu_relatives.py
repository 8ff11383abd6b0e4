"""What builds on BLEU: iBLEU and deltaBLEU."""

from lab.peers.peer import Columns

from .corpus import Corpus
from .session import Report, Setting, compare, with_peers
from .sides import ours


def ibleu(report: Report, setting: Setting, language: str) -> None:
    """Compares iBLEU; of two references, the second is the source."""
    corpus = setting.corpus(language, setting.segments, 2)
    compare(report, setting, "ibleu", language, corpus, with_peers(report, "ibleu", "ibleu", columns=_with_sources))


def delta_bleu(report: Report, setting: Setting, language: str) -> None:
    """Compares deltaBLEU with our own bleu, 4 references with weights of 1, where the two are equal."""
    corpus = setting.corpus(language, setting.segments, 4)
    weights = [[1.0] * len(row) for row in corpus.references]
    sides = {"ours": ours("delta_bleu", reference_weights=weights), "our bleu": ours()}
    compare(report, setting, "delta_bleu, 4 references", language, corpus, sides)


def _with_sources(corpus: Corpus) -> Columns:
    references = [row[:1] for row in corpus.references]
    return {
        "predictions": corpus.predictions,
        "references": references,
        "sources": [row[1] for row in corpus.references],
    }


COMPARISONS = {"ibleu": ibleu, "delta-bleu": delta_bleu}
