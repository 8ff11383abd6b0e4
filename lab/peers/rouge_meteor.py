"""ROUGE and METEOR: rouge_score, torchmetrics, rouge-metric's port of ROUGE-1.5.5, pycocoevalcap, nltk, METEOR 1.5."""

import atexit
import functools
import shutil
import subprocess
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from .inputs import EITHER_FORM
from .peer import UNICODE_FORMS, Case, Difference, Peer, Unavailable, Values, any_text, has_several_references, module

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_PARTS = {"_precision": "precision", "_recall": "recall", "": "fmeasure"}  # our key of a segment's value: rouge_score's
# "s4" of rouge-metric is a skip-bigram with up to four words between
_TYPES_OF_PERL = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rougeLsum": "rouge-l", "rougeS4": "rouge-s4"}
_NO_WORDNET = SimpleNamespace(synsets=lambda word: [])
_NO_STEMMER = SimpleNamespace(stem=lambda word: word)
# of METEOR 1.5: exact matches alone, all words alike, no tokenizer
_EXACTLY = ("-l", "other", "-m", "exact", "-p", "0.9 3.0 0.5 0.5", "-w", "1.0")
# as `-p` and `-w` of METEOR 1.5 for English; its paraphrases are left out, as ours has none
_ENGLISH = ("-l", "en", "-norm", "-m", "exact stem synonym")


def _options(**fixed: Any) -> st.SearchStrategy:
    """Returns fixed options, with each score of each segment, with and without the stemmer."""
    fixed = {"detailed": True, "per_segment": True, **fixed}
    return st.builds(lambda options, stem: {**options, "use_stemmer": stem}, st.just(fixed), st.booleans())


def _with_form(**options: Any) -> st.SearchStrategy:
    """Returns these options of words between blanks, with our Unicode form and without."""
    return EITHER_FORM.map(
        lambda form: {"tokenizer": "whitespace", "normalization": form, "per_segment": True, **options}
    )


def f_values(scores: Iterable[Any], is_detailed: bool) -> Values:
    """Returns F of each type and segment, with precision and recall where they are asked for."""
    scores = list(scores)
    parts = _PARTS if is_detailed else {"": "fmeasure"}
    values = {}
    for name in TYPES:
        for ours, part in parts.items():
            values[f"{name}{ours}_segments"] = [getattr(score[name], part) for score in scores]
    return values


def _scorer(rouge_scorer: Any, options: dict[str, Any]) -> Any:
    words = SimpleNamespace(tokenize=str.split) if options.get("tokenizer") == "whitespace" else None
    return rouge_scorer.RougeScorer(list(TYPES), use_stemmer=options["use_stemmer"], tokenizer=words)


def _rouge_score(rouge_scorer: Any, case: Case) -> Values:
    return f_values(map(_scorer(rouge_scorer, case.options).score, *case.sides()), case.options["detailed"])


def _score_multi(rouge_scorer: Any, case: Case) -> Values:
    scorer = _scorer(rouge_scorer, case.options)
    return f_values([scorer.score_multi(references, prediction) for prediction, references in case.pairs()], False)


def _torchmetrics(text: Any, case: Case) -> Values:
    """Takes its means; its ROUGE-Lsum wants a download of nltk."""
    options = {"use_stemmer": case.options["use_stemmer"], "rouge_keys": TYPES[:3]}
    found = text.rouge_score(case.columns["predictions"], case.columns["references"], **options)
    return {name: float(found[f"{name}_fmeasure"]) for name in TYPES[:3]}


def _rouge_metric(rouge_metric: Any, case: Case) -> Values:
    """Takes tokens, one line a sentence, references averaged as `-f A` does."""
    scorer = rouge_metric.PyRouge(rouge_n=(1, 2), rouge_l=True, rouge_s=True, skip_gap=4)
    values: Values = {f"{key}{part}_segments": [] for key in _TYPES_OF_PERL for part in _PARTS}
    for prediction, references in case.pairs():
        found = scorer.evaluate_tokenized([_lines(prediction)], [list(map(_lines, references))])
        for ours, name in _TYPES_OF_PERL.items():
            for part, key in zip(_PARTS, "prf", strict=True):
                values[f"{ours}{part}_segments"].append(found[name][key])
    return values


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n")]


def _pycocoevalcap(rouge: Any, case: Case) -> Values:
    """Takes the ROUGE-L of image captions, with beta 1.2."""
    return {"rougeL_segments": [rouge.Rouge().calc_score([prediction], row) for prediction, row in case.pairs()]}


def _nltk(meteor_score: Any, case: Case) -> Values:
    """Splits at blanks, where ours may take runs of letters: it costs nltk nothing."""
    porter = meteor_score.PorterStemmer
    stemmer = porter(porter.ORIGINAL_ALGORITHM) if "stem" in case.options["stages"] else _NO_STEMMER
    pairs = zip(*case.words(), strict=True)
    return {"segments": [meteor_score.meteor_score(*pair, stemmer=stemmer, wordnet=_NO_WORDNET) for pair in pairs]}


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


def _is_not_ascii(case: Case) -> bool:
    is_unicode = case.options.get("tokenizer", "unicode") == "unicode"
    return is_unicode and not all(map(str.isascii, case.texts()))


def _repeats_a_word(case: Case) -> bool:
    """In lower case, and by its stem, for a stem is matched like a word."""
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM).stem if "stem" in case.options["stages"] else str.lower
    for text in case.texts():
        stems = list(map(stem, text.split()))
        if len(set(stems)) < len(stems):
            return True
    return False


_DROPS_LETTERS = Difference("it drops all letters that are not of ASCII", _is_not_ascii)
_BEST_OF_EACH = Difference(
    "it takes the best P and the best R of several references, though not of the same one", has_several_references
)
_SINGLE_BLANKS = Difference(
    "only single blanks separate its words, and an empty text is one word",
    any_text(lambda text: text.split() != text.split(" ")),
)
_GREEDY = Difference("its alignment is greedy from the end of the texts, where a word occurs twice", _repeats_a_word)
_SYNONYMS = Difference("it looks up synonyms by stems", lambda case: "synonym" in case.options["stages"])
_BEAM = Difference(
    "where a word occurs twice its beam search may miss the alignment with the fewest chunks", _repeats_a_word
)
_BEAM_OF_STAGES = Difference(
    "its beam search counts no stem or synonym that could be matched otherwise; other tokens",
    lambda case: case.options.get("preset") == "1.5",
)
_ANY_TEXT = _options(tokenizer="rouge_score", normalization=None)
_ROUGE_SCORE = {
    "metric": "rouge", "package": "rouge-score", "load": module("rouge_score.rouge_scorer"),
    "differences": (_DROPS_LETTERS,),
}  # fmt: skip
_NLTK = {
    "metric": "meteor", "package": "nltk", "load": module("nltk.translate.meteor_score"), "call": _nltk,
    "differences": (UNICODE_FORMS, _GREEDY, _SYNONYMS),
}  # fmt: skip
PEERS = [
    Peer(name="rouge_score", call=_rouge_score, options=_options(), one_reference=True, **_ROUGE_SCORE,
         settings="ROUGE-1, -2, -L and -Lsum: P, R and F of each segment; with and without the stemmer"),
    Peer(name="rouge_score, its tokenizer", call=_rouge_score, options=_ANY_TEXT, one_reference=True, **_ROUGE_SCORE,
         settings='the same with `tokenizer="rouge_score"` and `normalization=None`: any text'),
    Peer(name="rouge_score, score_multi", call=_score_multi, options=_ANY_TEXT, **_ROUGE_SCORE,
         settings='F with the best reference, `tokenizer="rouge_score"`'),
    Peer("rouge", "torchmetrics", "torchmetrics",
         'ROUGE-1, -2 and -L, the best reference; `tokenizer="rouge_score"`', module("torchmetrics.functional.text"),
         _torchmetrics, st.booleans().map(
             lambda stem: {"tokenizer": "rouge_score", "normalization": None, "use_stemmer": stem}
         ), tolerance=1e-6),
    Peer("rouge", "rouge-metric", "rouge-metric",
         'a port of ROUGE-1.5.5: ROUGE-1, -2, -Lsum and -S4; `multi_ref="average"`', module("rouge_metric"),
         _rouge_metric,
         _with_form(lowercase=False, multi_ref="average", rouge_types=list(_TYPES_OF_PERL), detailed=True),
         (UNICODE_FORMS,)),
    Peer("rouge", "pycocoevalcap ROUGE-L", "pycocoevalcap", "ROUGE-L of each segment, `beta=1.2`",
         module("pycocoevalcap.rouge.rouge"), _pycocoevalcap,
         _with_form(lowercase=False, beta=1.2, rouge_types=["rougeL"]),
         (UNICODE_FORMS, _BEST_OF_EACH, _SINGLE_BLANKS)),
    Peer(name="nltk", settings="`meteor_score`, words as they are", options=_with_form(stages=["exact"]), **_NLTK),
    Peer(name="nltk, stems", settings="`meteor_score`, words and Porter's stems",
         options=_with_form(stages=["exact", "stem"]), **_NLTK),
    Peer("meteor", "METEOR 1.5", "pycocoevalcap",
         'Java; words as they are, `objective="chunks"`, `perfect_is_one=True`, one weight for all words', _load_java,
         _java, _with_form(stages=["exact"], objective="chunks", lowercase=False, delta=0.5, perfect_is_one=True),
         (UNICODE_FORMS, _BEAM, _BEAM_OF_STAGES)),
]  # fmt: skip
