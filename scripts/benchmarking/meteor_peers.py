"""The other implementations of METEOR: nltk's, which Hugging Face's `meteor` calls, and METEOR 1.5 in Java."""

import atexit
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .corpus import Corpus
from .sides import Peer, Side, Unavailable, hugging_face, mean, pairs

# as `-p` and `-w` of METEOR 1.5 for English; its paraphrases are left out, as ours has none
_JAVA_OPTIONS = ("-", "-", "-stdio", "-l", "en", "-norm", "-m", "exact stem synonym")


class _NoWordNet:
    """Knows no synonyms."""

    def synsets(self, word: str) -> list[Any]:
        """Returns none."""
        return []


class _NoStemmer:
    """Leaves words as they are."""

    def stem(self, word: str) -> str:
        """Returns the word."""
        return word


def _hugging_face(hf_metrics: Path | None) -> Side:
    try:
        metric = hugging_face("meteor", hf_metrics)
        metric.compute(predictions=["a"], references=["a"])
    except LookupError as error:
        raise Unavailable(f"HF meteor: nltk's data are not here: {str(error).split()[1]}") from None
    return lambda corpus: metric.compute(**pairs(corpus))["meteor"]


def _nltk(_: Path | None) -> Side:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except (LookupError, OSError):
        raise Unavailable('nltk meteor_score: no WordNet; run nltk.download("wordnet") once online') from None
    return _scored_by_nltk(wordnet=wordnet)


def _nltk_exact(_: Path | None) -> Side:
    return _scored_by_nltk(wordnet=_NoWordNet(), stemmer=_NoStemmer())


def _scored_by_nltk(**options: Any) -> Side:
    """Returns nltk's function on words between blanks, where ours takes runs of letters: it costs nltk nothing."""
    from nltk.translate.meteor_score import single_meteor_score

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        sides = zip(texts["references"], texts["predictions"], strict=True)
        return mean(single_meteor_score(a.split(), b.split(), **options) for a, b in sides)

    return run


def _java(_: Path | None) -> Side:
    import pycocoevalcap.meteor

    if not shutil.which("java"):
        raise Unavailable("METEOR 1.5: no java here")
    [folder] = pycocoevalcap.meteor.__path__
    command = ["java", "-Xmx2G", "-jar", f"{folder}/meteor-1.5.jar", *_JAVA_OPTIONS]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    )
    atexit.register(process.kill)

    def ask(line: str) -> str:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    def run(corpus: Corpus) -> float:
        scores = []
        for prediction, [reference] in zip(*corpus, strict=True):
            statistics = ask(f"SCORE ||| {reference} ||| {prediction}")
            scores.append(float(ask(f"EVAL ||| {statistics}")))
            process.stdout.readline()  # the score of all segments, here the same one
        return mean(scores)

    return run


_GREEDY = "its alignment is greedy, and its synonyms are looked up by stems"
PEERS = {
    "HF meteor": Peer({"meteor": _hugging_face}, differs=_GREEDY, differs_for=lambda corpus: True),
    "nltk meteor_score": Peer(
        {"meteor": _nltk, "meteor, exact": _nltk_exact}, differs=_GREEDY, differs_for=lambda corpus: True
    ),
    "METEOR 1.5": Peer(
        {"meteor 1.5": _java},
        differs="its beam search counts no stem or synonym that could be matched otherwise; other tokens",
        differs_for=lambda corpus: True,
    ),
}
