"""ROUGE and its peers; the other sides' score is the mean F over types and segments too."""

from lab.peers.peer import Unavailable
from lab.peers.rouge import TYPES

from .corpus import Corpus
from .session import Report, Setting, compare, with_peers
from .sides import of_another_score, one_thread_or_two, ours

_SENTENCES = 5  # of a summary
_OPTIONS = {
    "rouge": {},
    # rouge_score keeps only a-z and 0-9, so that other languages need a tokenizer, which gets the texts as they are
    "rouge whitespace": {"tokenizer": "whitespace", "lowercase": False},
    "rouge unicode": {},
    "rouge stemmer": {"use_stemmer": True},
    "rouge 1, 2, L": {"rouge_types": TYPES[:3]},
}


def rouge_sentences(report: Report, setting: Setting, language: str) -> None:
    """Compares the four usual types on sentences."""
    corpus = setting.corpus(language, setting.segments, 1)
    for computation, suffix in _usual(language).items():
        _compare(report, setting, f"rouge, sentences{suffix}", computation, language, corpus)


def rouge_summaries(report: Report, setting: Setting, language: str) -> None:
    """Compares the four usual types on texts of five lines, a fifth as many."""
    corpus = _summaries(setting.corpus(language, setting.segments, 1))
    for computation, suffix in _usual(language).items():
        _compare(report, setting, f"rouge, summaries{suffix}", computation, language, corpus)


def rouge_stemmer(report: Report, setting: Setting, language: str) -> None:
    """Compares the four usual types on English sentences with a stemmer."""
    _english_only("rouge stemmer", language)
    corpus = setting.corpus(language, setting.segments, 1)
    _compare(report, setting, "rouge, stemmer", "rouge stemmer", language, corpus)


def rouge_rust(report: Report, setting: Setting, language: str) -> None:
    """Compares the three types of rouge-rust on English sentences."""
    _english_only("rouge-rust", language)
    corpus = setting.corpus(language, setting.segments, 1)
    _compare(report, setting, "rouge 1, 2, L", "rouge 1, 2, L", language, corpus)


def rouge_threads(report: Report, setting: Setting, language: str) -> None:
    """Compares one thread with two, on sentences."""
    corpus = setting.corpus(language, setting.segments, 1)
    compare(report, setting, "rouge, one thread or two", language, corpus, one_thread_or_two(ours("rouge", TYPES)))


def rouge_idf(report: Report, setting: Setting, language: str) -> None:
    """Compares ROUGE-1 of characters with weights by document frequency, which no peer has, and without."""
    corpus = setting.corpus(language, setting.segments, 1)
    options = {"rouge_types": ["rouge1"], "tokenizer": "char"}
    plain = ours("rouge", ("rouge1",), **options)
    sides = {
        "ours": ours("rouge", ("rouge1",), idf="references", **options),
        "ours, unweighted": of_another_score(plain),
    }
    compare(report, setting, "rouge1 of characters, idf", language, corpus, sides)


def _compare(
    report: Report, setting: Setting, comparison: str, computation: str, language: str, corpus: Corpus
) -> None:
    options = _OPTIONS[computation]
    sides = with_peers(report, computation, "rouge", options.get("rouge_types", TYPES), **options)
    compare(report, setting, comparison, language, corpus, sides)


def _usual(language: str) -> dict[str, str]:
    """Returns what to compare in this language, and what the name of the comparison ends with."""
    return {"rouge": ""} if language == "en" else {"rouge whitespace": "", "rouge unicode": ", unicode"}


def _english_only(comparison: str, language: str) -> None:
    if language != "en":
        raise Unavailable(f"{comparison} ({language}): for English only")


def _summaries(corpus: Corpus) -> Corpus:
    """Returns texts of five segments each, a line per segment."""
    predictions = []
    references = []
    for start in range(0, len(corpus.predictions), _SENTENCES):
        end = start + _SENTENCES
        predictions.append("\n".join(corpus.predictions[start:end]))
        sets = zip(*corpus.references[start:end], strict=True)
        references.append(["\n".join(texts) for texts in sets])
    return Corpus(predictions, references)


COMPARISONS = {
    "rouge-sentences": rouge_sentences,
    "rouge-summaries": rouge_summaries,
    "rouge-stemmer": rouge_stemmer,
    "rouge-rust": rouge_rust,
    "rouge-threads": rouge_threads,
    "rouge-idf": rouge_idf,
}
