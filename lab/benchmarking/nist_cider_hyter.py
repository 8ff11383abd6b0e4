"""NIST, CIDEr and HyTER and their peers."""

import tempfile
from pathlib import Path

from .corpus import write_corpus
from .measure import peak_megabytes
from .session import Memory, Report, Setting, compare, compare_calls, with_peers
from .sides import Side, ours

_WORDS = {"tokenizer": "whitespace"}
_FEW = 2_000  # segments for what walks through graphs in Python


def nist(report: Report, setting: Setting, language: str) -> None:
    """Compares NIST of words with one reference, with which nltk computes the same."""
    corpus = setting.corpus(language, setting.segments, 1)
    compare(report, setting, "nist", language, corpus, with_peers(report, "nist", "nist", **_WORDS))


def nist_calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call of NIST costs: 100 calls with one segment each."""
    compare_calls(report, setting, "nist", language, **_WORDS)


def cider(report: Report, setting: Setting, language: str) -> None:
    """Compares CIDEr-D of words, with one reference and with four."""
    for references in (1, 4):
        corpus = setting.corpus(language, setting.segments, references)
        sides = with_peers(report, "cider", "cider", **_WORDS)
        compare(report, setting, f"cider, {references} reference{'s'[: references - 1]}", language, corpus, sides)


def cider_memory(report: Report, setting: Setting, language: str) -> None:
    """Measures the peak memory of CIDEr-D."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.jsonl"
        write_corpus(setting.corpus(language, setting.segments, 1), file)
        for side in with_peers(report, "cider", "cider"):
            arguments = {"name": "cider", **_WORDS} if side == "ours" else _WORDS
            megabytes = peak_megabytes(side, file, arguments, "cider")
            name = "our cider" if side == "ours" else side
            report.memory.append(Memory(name, language, setting.segments, megabytes))


def hyter(report: Report, setting: Setting, language: str) -> None:
    """Compares HyTER of plain sentences with our own wer, and one with windows of 3 with one without."""
    corpus = setting.corpus(language, setting.segments, 1)
    sides = {"ours": ours("hyter"), "our wer": ours("wer")}
    compare(report, setting, "hyter, plain sentences", language, corpus, sides)
    corpus = setting.corpus(language, min(_FEW, setting.segments), 4)
    networks = corpus._replace(references=[[f"({'|'.join(map(_escaped, row))})"] for row in corpus.references])
    as_networks = ours("hyter", ("mean_hyter",), notation="compact")
    as_sentences = ours("hyter", ("mean_hyter",))
    sides = {"ours": Side(lambda _: as_networks.bind(networks)), "ours, sentences": as_sentences}
    compare(report, setting, "hyter, networks of 4 sentences", language, corpus, sides)


def _escaped(text: str) -> str:
    return "".join("\\" * (character in "()|\\") + character for character in text)


COMPARISONS = {
    "nist": nist,
    "nist-calls": nist_calls,
    "cider": cider,
    "cider-memory": cider_memory,
    "hyter": hyter,
}
