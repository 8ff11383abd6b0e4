"""What builds on BLEU: iBLEU and deltaBLEU."""

from .corpus import Corpus
from .session import Report, Setting, available, compare
from .sides import Side, metric_of, ours


def ibleu(report: Report, setting: Setting, language: str) -> None:
    """Compares iBLEU; of two references, the second is the source."""
    corpus = setting.corpus(language, setting.segments, 2)
    compare(report, setting, "ibleu", language, corpus, {"ours": _ibleu(), **available(report, setting, "ibleu")})


def delta_bleu(report: Report, setting: Setting, language: str) -> None:
    """Compares deltaBLEU with our own bleu, 4 references with weights of 1, where the two are equal."""
    corpus = setting.corpus(language, setting.segments, 4)
    weights = [[1.0] * len(row) for row in corpus.references]
    sides = {"ours": ours("delta_bleu", ("delta_bleu",), reference_weights=weights), "our bleu": ours()}
    compare(report, setting, "delta_bleu, 4 references", language, corpus, sides)


def _ibleu() -> Side:
    metric = metric_of("ibleu")

    def run(corpus: Corpus) -> float:
        references, sources = zip(*corpus.references, strict=True)
        return metric.compute(predictions=corpus.predictions, references=references, sources=sources)["ibleu"]

    return run


COMPARISONS = {"ibleu": ibleu, "delta-bleu": delta_bleu}
