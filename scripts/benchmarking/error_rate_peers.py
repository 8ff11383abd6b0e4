"""The other implementations of CER and WER, called as their users call them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from .corpus import Corpus
from .sides import Peer, Side, hugging_face, mean, module_of, pairs

_EDITS = ("substitutions", "deletions", "insertions")


def _hugging_face(hf_metrics: Path | None, name: str) -> Side:
    metric = hugging_face(name, hf_metrics)
    return lambda corpus: metric.compute(**pairs(corpus))


def _jiwer(_: Path | None, name: str) -> Side:
    import jiwer

    function = getattr(jiwer, name)

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return function(texts["references"], texts["predictions"])

    return run


def torchmetrics_cer(_: Path | None) -> Side:
    """Returns torchmetrics' CER."""
    from torchmetrics.functional.text import char_error_rate

    return _of_pairs(char_error_rate)


def torchmetrics_wer(_: Path | None) -> Side:
    """Returns torchmetrics' WER."""
    from torchmetrics.functional.text import word_error_rate

    return _of_pairs(word_error_rate)


def _of_pairs(function: Callable[..., Any]) -> Side:
    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return float(function(texts["predictions"], texts["references"]))

    return run


def _lev_rs(_: Path | None) -> Side:
    """Returns the distances of all pairs by the characters of all references; lev-rs has distances only."""
    distance = module_of("lev-rs", "lev").distance

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return sum(map(distance, texts["references"], texts["predictions"])) / sum(map(len, texts["references"]))

    return run


def _universal_edit_distance(_: Path | None, name: str) -> Side:
    function = getattr(module_of("universal-edit-distance", "universal_edit_distance"), name)
    return _of_pairs(function)


def _fastwer(_: Path | None, char_level: bool) -> Side:
    import fastwer

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return fastwer.score(texts["predictions"], texts["references"], char_level) / 100

    return run


def _werpy(_: Path | None) -> Side:
    import werpy

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return float(werpy.wer(texts["references"], texts["predictions"]))

    return run


def _nlptutti_cer(_: Path | None) -> Side:
    """Returns the mean of the pairs' rates, for nlptutti scores one pair at a time."""
    from nlptutti import get_cer

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return mean(get_cer(*pair)["cer"] for pair in zip(texts["references"], texts["predictions"], strict=True))

    return run


def _nlptutti_wer(_: Path | None) -> Side:
    """Returns the edits of all pairs by the words of all references."""
    from nlptutti import get_wer

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        together = zip(texts["references"], texts["predictions"], strict=True)
        results = [get_wer(*pair, rm_punctuation=False) for pair in together]
        edits = sum(result[name] for result in results for name in _EDITS)
        return edits / sum(len(text.split()) for text in texts["references"])

    return run


def _kocer(_: Path | None) -> Side:
    """Returns the share of pairs with CER 0, by kocer's readings of numbers."""
    from kocer import cer

    return _alike(cer)


def _nlptutti_alike(_: Path | None) -> Side:
    """Returns the share of pairs with CER 0, by nlptutti."""
    from nlptutti import get_cer

    return _alike(lambda reference, prediction: get_cer(reference, prediction)["cer"])


def _alike(cer: Callable[[str, str], float]) -> Side:
    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        return mean(cer(*pair) == 0 for pair in zip(texts["references"], texts["predictions"], strict=True))

    return run


_READS_OTHERWISE = {"differs": "share of pairs with CER 0", "differs_for": lambda corpus: True}
PEERS = {
    "kocer": Peer({"readings": _kocer}, **_READS_OTHERWISE),
    "nlptutti get_cer": Peer({"readings": _nlptutti_alike}, **_READS_OTHERWISE),
    "HF cer": Peer({"cer": partial(_hugging_face, name="cer")}),
    "HF wer": Peer({"wer": partial(_hugging_face, name="wer")}),
    "jiwer": Peer({"cer": partial(_jiwer, name="cer"), "wer": partial(_jiwer, name="wer")}),
    "lev-rs": Peer({"cer": _lev_rs}),
    "universal-edit-distance": Peer(
        {
            "cer": partial(_universal_edit_distance, name="character_error_rate"),
            "wer": partial(_universal_edit_distance, name="word_error_rate"),
        }
    ),
    "fastwer": Peer(
        {"cer": partial(_fastwer, char_level=True), "wer": partial(_fastwer, char_level=False)},
        tolerance=1e-4,  # it rounds a percentage
    ),
    "werpy": Peer({"wer": _werpy}),
    "nlptutti": Peer({"cer, nlptutti's": _nlptutti_cer, "wer": _nlptutti_wer}),
}
