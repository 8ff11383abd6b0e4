"""METEOR: nltk, and METEOR 1.5 in Java, which pycocoevalcap ships."""

import atexit
import functools
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace

from hypothesis import strategies as st

from .agreements import EITHER_FORM, UNICODE_FORMS, Agreement, Case, Difference, Missing, Values
from .bleu import split

NO_WORDNET = SimpleNamespace(synsets=lambda word: [])
NO_STEMMER = SimpleNamespace(stem=lambda word: word)


def load_nltk(is_stemmed: bool) -> Callable[[], Callable[[Case], Values]]:
    """Returns what loads nltk's `meteor_score` of each segment, without WordNet, which it would download."""

    def load() -> Callable[[Case], Values]:
        from nltk.stem.porter import PorterStemmer
        from nltk.translate.meteor_score import meteor_score

        stemmer = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM) if is_stemmed else NO_STEMMER

        def theirs(case: Case) -> Values:
            pairs = zip(*split(case), strict=True)
            return {"segments": [meteor_score(*pair, stemmer=stemmer, wordnet=NO_WORDNET) for pair in pairs]}

        return theirs

    return load


@functools.cache
def _java() -> subprocess.Popen:
    """Returns METEOR 1.5 that waits for lines; exact matches alone, all words alike, no tokenizer."""
    import pycocoevalcap.meteor

    if not shutil.which("java"):
        raise Missing("it needs Java")
    [folder] = pycocoevalcap.meteor.__path__
    settings = ["-l", "other", "-m", "exact", "-p", "0.9 3.0 0.5 0.5", "-w", "1.0"]
    process = subprocess.Popen(
        ["java", "-Xmx1G", "-jar", f"{folder}/meteor-1.5.jar", "-", "-", "-stdio", *settings],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip
    atexit.register(process.kill)
    return process


def load_java() -> Callable[[Case], Values]:
    """Returns the score of each segment by the program in Java."""
    process = _java()

    def ask(line: str) -> str:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    def theirs(case: Case) -> Values:
        segments = []
        for prediction, references in zip(*reversed(split(case)), strict=True):
            texts = [*map(" ".join, references), " ".join(prediction)]
            segments.append(float(ask(f"EVAL ||| {ask(' ||| '.join(['SCORE', *texts]))}")))
            process.stdout.readline()  # the score of all segments, here the same one
        return {"segments": segments}

    return theirs


def _repeats_a_word(case: Case) -> bool:
    """In lower case, and by its stem, for a stem is matched like a word."""
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM).stem if "stem" in case.options["stages"] else str.lower
    return any(max(Counter(map(stem, text.split())).values(), default=0) > 1 for text in case.texts())


def exactly(**options) -> st.SearchStrategy:
    """Returns options that leave only words as they are to match."""
    return EITHER_FORM.map(
        lambda form: {"tokenizer": "whitespace", "normalization": form, "per_segment": True, **options}
    )


GREEDY = Difference("its alignment is greedy from the end of the texts, where a word occurs twice", _repeats_a_word)

BEAM = Difference(
    "where a word occurs twice its beam search may miss the alignment with the fewest chunks", _repeats_a_word
)

AGREEMENTS = [
    Agreement(
        "meteor",
        "nltk",
        "nltk",
        "`meteor_score`, words as they are",
        load_nltk(is_stemmed=False),
        exactly(stages=["exact"]),
        (UNICODE_FORMS, GREEDY),
    ),
    Agreement(
        "meteor",
        "nltk, stems",
        "nltk",
        "`meteor_score`, words and Porter's stems",
        load_nltk(is_stemmed=True),
        exactly(stages=["exact", "stem"]),
        (UNICODE_FORMS, GREEDY),
    ),
    Agreement(
        "meteor",
        "METEOR 1.5",
        "pycocoevalcap",
        'Java; words as they are, `objective="chunks"`, `perfect_is_one=True`, one weight for all words',
        load_java,
        exactly(stages=["exact"], objective="chunks", lowercase=False, delta=0.5, perfect_is_one=True),
        (UNICODE_FORMS, BEAM),
    ),
]
