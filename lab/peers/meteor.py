"""METEOR: nltk, and METEOR 1.5 in Java, which pycocoevalcap ships."""

import atexit
import functools
import shutil
import subprocess
from types import SimpleNamespace
from typing import Any

from .peer import UNICODE_FORMS, Case, Difference, Peer, Unavailable, Values, module

_NO_WORDNET = SimpleNamespace(synsets=lambda word: [])
_NO_STEMMER = SimpleNamespace(stem=lambda word: word)
# exact matches alone, all words alike, no tokenizer
_EXACTLY = ("-l", "other", "-m", "exact", "-p", "0.9 3.0 0.5 0.5", "-w", "1.0")
# as `-p` and `-w` of METEOR 1.5 for English; its paraphrases are left out, as ours has none
_ENGLISH = ("-l", "en", "-norm", "-m", "exact stem synonym")


def _nltk(meteor_score: Any, case: Case, wordnet: Any = _NO_WORDNET) -> Values:
    """Splits at blanks, where ours may take runs of letters: it costs nltk nothing."""
    porter = meteor_score.PorterStemmer
    stemmer = porter(porter.ORIGINAL_ALGORITHM) if "stem" in case.options["stages"] else _NO_STEMMER
    pairs = zip(*case.words(), strict=True)
    return {"segments": [meteor_score.meteor_score(*pair, stemmer=stemmer, wordnet=wordnet) for pair in pairs]}


def _nltk_with_wordnet(meteor_score: Any, case: Case) -> Values:
    return _nltk(meteor_score, case, meteor_score.wordnet)


def _load_wordnet() -> Any:
    meteor_score = module("nltk.translate.meteor_score")()
    try:
        meteor_score.wordnet.ensure_loaded()
    except (LookupError, OSError):
        raise Unavailable('nltk meteor_score: no WordNet; run nltk.download("wordnet") once online') from None
    return meteor_score


def _load_java() -> Any:
    if not shutil.which("java"):
        raise Unavailable("METEOR 1.5: no java here")
    return module("pycocoevalcap.meteor")()


@functools.cache
def _process(folder: str, settings: tuple[str, ...]) -> subprocess.Popen:
    """Returns METEOR 1.5 that waits for lines."""
    process = subprocess.Popen(
        ["java", "-Xmx2G", "-jar", f"{folder}/meteor-1.5.jar", "-", "-", "-stdio", *settings],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip
    atexit.register(process.kill)
    return process


def _java(meteor: Any, case: Case) -> Values:
    process = _process(*meteor.__path__, _ENGLISH if case.options.get("preset") == "1.5" else _EXACTLY)

    def ask(line: str) -> str:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    segments = []
    for references, prediction in zip(*case.words(), strict=True):
        texts = [*map(" ".join, references), " ".join(prediction)]
        statistics = ask(" ||| ".join(["SCORE", *texts]))
        segments.append(float(ask(f"EVAL ||| {statistics}")))
        process.stdout.readline()  # the score of all segments, here the same one
    return {"segments": segments}


def _repeats_a_word(case: Case) -> bool:
    """In lower case, and by its stem, for a stem is matched like a word."""
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM).stem if "stem" in case.options["stages"] else str.lower
    for text in case.texts():
        stems = list(map(stem, text.split()))
        if len(set(stems)) < len(stems):
            return True
    return False


NLTK = Peer(
    "meteor",
    "nltk meteor_score",
    "nltk",
    module("nltk.translate.meteor_score"),
    _nltk,
    timed=("meteor, exact",),
    differences=(
        UNICODE_FORMS,
        Difference("its alignment is greedy from the end of the texts, where a word occurs twice", _repeats_a_word),
        Difference("it looks up synonyms by stems", lambda case: "synonym" in case.options["stages"]),
    ),
)
NLTK_WORDNET = NLTK._replace(load=_load_wordnet, call=_nltk_with_wordnet, timed=("meteor",))
JAVA = Peer(
    "meteor",
    "METEOR 1.5",
    "pycocoevalcap",
    _load_java,
    _java,
    timed=("meteor 1.5",),
    differences=(
        UNICODE_FORMS,
        Difference(
            "where a word occurs twice its beam search may miss the alignment with the fewest chunks", _repeats_a_word
        ),
        Difference(
            "its beam search counts no stem or synonym that could be matched otherwise; other tokens",
            lambda case: case.options.get("preset") == "1.5",
        ),
    ),
)
