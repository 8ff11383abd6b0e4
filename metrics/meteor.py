"""METEOR: matched words, exact, by stem or by meaning, less a penalty for their order (Banerjee and Lavie 2005).

The formula and the stages are the paper's; the alignment is the best one, where nltk (and with it Hugging Face's
`meteor`) takes a greedy one and looks synonyms up by stems. `preset="1.5"` has the parameters of METEOR 1.5 (Denkowski
and Lavie 2014), without its paraphrases.
"""

import itertools
import math
import numbers
import operator
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any
from typing import NamedTuple

import numpy as np

from ._alignment import best_alignment
from ._alignment import count_chunks
from ._alignment import match_in_order
from ._columns import REFERENCES
from ._columns import TEXTS
from ._columns import clean_texts
from ._components import Component
from ._greedy_alignment import greedy_alignment
from ._matching import matchable
from ._stems import SNOWBALL
from ._stems import Stem
from ._stems import korean_stemmer
from ._stems import nltk_stemmer
from ._stems import own_stemmer
from ._synonyms import Groups
from ._synonyms import digest
from ._synonyms import own_groups
from ._synonyms import read_groups
from ._synonyms import table_groups
from ._synonyms import wordnet_groups
from ._text_metric import TextMetric
from ._text_metric import check_choice
from ._text_metric import check_width
from ._tokens import Pairs
from ._tokens import check_tokenizer
from ._tokens import encode_pairs
from ._tokens import kiwi_analyser
from ._tokens import tokenizer_version
from ._wordnet_synonyms import DATA

STAGES = ("exact", "stem", "synonym")
_STEMMERS = {"porter": "nltk", "snowball": "nltk", "kiwi": "kiwipiepy"}  # and the package of each
PRESETS = {
    # section 2.2 of the paper: 10PR / (R + 9P) is alpha = 0.9; a delta of 0.5 gives all words the same weight
    "2005": {
        "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.5, "stage_weights": [1.0, 1.0, 1.0],
        "objective": "crossings", "perfect_is_one": False,
    },
    # English, tuned to rankings; and its rule that a perfect match is 1
    "1.5": {
        "alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75, "stage_weights": [1.0, 0.6, 0.8],
        "objective": "chunks", "perfect_is_one": True,
    },
}  # fmt: skip
# A list of our own, for that of METEOR 1.5 is under the LGPL: nearly half of the words of English news. With it the
# scores of preset "1.5" correlate with METEOR's own at .984 and .972 on two sets of 1,000 pairs; without one at .981
# and .966.
_FUNCTION_WORD_TEXT = """
a an the this that these those some any no each every either neither both all such other another
i me my mine myself you your yours yourself he him his himself she her hers herself it its itself
we us our ours ourselves they them their theirs themselves who whom whose which what one
and or but nor so yet if than as because while although though whether when where how
of to in for on with at by from into about over after before between through during against under without within
be am is are was were been being have has had having do does did doing done
will would shall should can could may might must not n't 's s t there here then also very just up out
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_TEXT.split())
Content = Callable[[list[str]], list[float]]  # words -> their weights
_wordnet = wordnet_groups(DATA)


class _Pair(NamedTuple):
    """A prediction and one of its references, aligned."""

    prediction: list[int]  # types of words
    reference: list[int]
    links: list[tuple[int, int]]
    stages: list[int]  # of each link
    chunks: int
    is_exact: bool


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokenizer: Any,
    stages: Sequence[str],
    stem: Stem,
    groups: Groups,
    content: Content,
    objective: str,
    stage_weights: Sequence[float],
    perfect_is_one: bool,
    alpha: float,
    beta: float,
    gamma: float,
    detailed: bool,
) -> np.ndarray:
    """Returns rows [score, 1], (n_segments, 2), of the best reference, the first one of equally good ones.

    With `detailed` there follow: weight of matches and of words of the prediction, the same of the reference, chunks,
    matches by stage (three numbers), 1 if the alignment is certainly the best.
    """
    pairs = encode_pairs(predictions, references, tokenizer)
    aligned, weights = _aligned(pairs, stages, stem, groups, objective), content(pairs.tokens.vocabulary.to_pylist())
    counts = np.array([_counts(pair, weights, stage_weights, perfect_is_one) for pair in aligned]).reshape(-1, 9)
    scores = formula(counts, alpha, beta, gamma)["score"]
    ends = np.cumsum(np.fromiter(map(len, references), dtype=np.int64, count=len(references)))
    best = [start + int(np.argmax(scores[start:end])) for start, end in itertools.pairwise([0, *ends.tolist()])]
    rows = np.column_stack([scores[best], np.ones(len(best))])
    return np.column_stack([rows, counts[best]]) if detailed else rows


def _aligned(pairs: Pairs, stages: Sequence[str], stem: Stem, groups: Groups, objective: str) -> list[_Pair]:
    """Aligns each prediction with each of its references."""
    words = pairs.tokens.vocabulary.to_pylist()
    numbers_of: dict[str, int] = {}
    stems: Sequence[int] = range(len(words))
    if "stem" in stages:
        stems = [numbers_of.setdefault(found, len(numbers_of)) for found in stem(words)]
    synonyms = [groups(word) for word in words] if "synonym" in stages else [()] * len(words)
    ids, bounds = pairs.tokens.ids.tolist(), [0, *np.cumsum(pairs.tokens.lengths).tolist()]
    texts = [ids[start:end] for start, end in itertools.pairwise(bounds)]
    return [
        _align_pair(texts[row], reference, stems, synonyms, objective)
        for row, reference in zip(pairs.rows[pairs.n_rows :].tolist(), texts[pairs.n_rows :], strict=True)
    ]


def _align_pair(
    prediction: list[int], reference: list[int], stems: Sequence[int], synonyms: Sequence[Any], objective: str
) -> _Pair:
    certain, groups = matchable(prediction, reference, stems, synonyms)
    every = [Component(*group) for group in groups]
    made = {i: j for i, (j, _) in certain.items()}
    open_ones = match_in_order(made, every) if objective == "crossings" else every
    links, fewest = best_alignment(len(prediction), made, open_ones, objective)
    is_exact = links is not None
    if links is None:
        links = greedy_alignment(len(prediction), made, open_ones, objective)
        is_exact = count_chunks(links) == fewest
    owners = {position: component for component in every for position in component.partners}
    stages = [certain[i][1] if i in certain else owners[i].stage(i, j) for i, j in links]
    return _Pair(prediction, reference, links, stages, count_chunks(links), is_exact)


def _counts(pair: _Pair, weights: Sequence[float], stage_weights: Sequence[float], perfect_is_one: bool) -> list[float]:
    """Returns what a row holds of a pair; a perfect match has no chunk, where that is to be 1."""
    sums = []
    for side, words in enumerate((pair.prediction, pair.reference)):
        matched = [weights[words[link[side]]] for link in pair.links]
        sums.append(sum(map(operator.mul, matched, map(stage_weights.__getitem__, pair.stages))))
        sums.append(sum(map(weights.__getitem__, words)))
    is_perfect = pair.chunks == 1 and len(pair.prediction) == len(pair.links) == len(pair.reference)
    chunks = 0 if is_perfect and perfect_is_one else pair.chunks
    return [*sums, chunks, *(pair.stages.count(stage) for stage in range(3)), pair.is_exact]


def formula(counts: np.ndarray, alpha: float, beta: float, gamma: float) -> dict[str, np.ndarray]:
    """Returns score, precision, recall, fmean and penalty for counts (..., 9) as a row of `statistics` ends with.

    Section 2.2 of the paper with its numbers as parameters, and the weights of Denkowski and Lavie (2014), section 2.
    All are 0 where nothing matches.
    """
    matched, words, other_matched, other_words, chunks = (counts[..., index] for index in range(5))
    precision, recall = _divide(matched, words), _divide(other_matched, other_words)
    fmean = _divide(precision * recall, alpha * precision + (1 - alpha) * recall)
    fragmentation = _divide(chunks, counts[..., 5:8].sum(-1))
    penalty = np.where(chunks > 0, gamma * fragmentation**beta, 0.0)
    return {
        "score": fmean * (1 - penalty),
        "precision": precision,
        "recall": recall,
        "fmean": fmean,
        "penalty": penalty,
    }


def _divide(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Divides; 0 where the denominator is 0."""
    return np.where(denominator > 0, numerator, 0.0) / np.where(denominator > 0, denominator, 1.0)


def score(rows: np.ndarray, *, alpha: float, beta: float, gamma: float, detailed: bool) -> dict[str, np.ndarray]:
    """Returns meteor, the mean over segments in [0, 1], for rows of shape (..., 2).

    With `detailed`, rows (..., 11), also the score of the pooled counts, as the METEOR programs give it for a corpus,
    with its parts; chunks, matches of each stage, and the share of alignments that are certainly the best.
    """
    check_width(rows, 11 if detailed else 2)
    result = {"meteor": rows[..., 0] / rows[..., 1]}
    if detailed:
        counts = rows[..., 2:]
        pooled = formula(counts, alpha, beta, gamma)
        result["meteor_corpus"] = pooled.pop("score")
        result.update(pooled)
        result["chunks"] = counts[..., 4].astype(np.int64)
        result["matches"] = counts[..., 5:8].astype(np.int64)
        result["exact_alignments"] = counts[..., 8] / rows[..., 1]
    return result


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokenizer: Any,
    stages: Sequence[str],
    stem: Stem,
    groups: Groups,
    content: Content,
    objective: str,
    stage_weights: Sequence[float],
    perfect_is_one: bool,
    alpha: float,
    beta: float,
    gamma: float,
) -> dict[str, Any]:
    """Returns the tokens of one segment, and how the prediction is aligned with the best reference.

    Keys: `prediction`, tokens; `references`, a list of tokens each; `reference_index`, which one is the best; `links`,
    [position in the prediction, position in the reference, stage, chunk] of each match; `chunks`; `exact`, whether the
    alignment is certainly the best; score, precision, recall, fmean, penalty.
    """
    pairs = encode_pairs(predictions, references, tokenizer)
    words = pairs.tokens.vocabulary.to_pylist()
    aligned, weights = _aligned(pairs, stages, stem, groups, objective), content(words)
    counts = np.array([_counts(pair, weights, stage_weights, perfect_is_one) for pair in aligned], dtype=np.float64)
    values = formula(counts, alpha, beta, gamma)
    best = int(np.argmax(values["score"]))
    pair = aligned[best]
    starts = [not (b[0] - a[0] == 1 == b[1] - a[1]) for a, b in itertools.pairwise(pair.links)]
    chunks = [0, *itertools.accumulate(starts)]
    return {
        "prediction": [words[word] for word in pair.prediction],
        "references": [[words[word] for word in other.reference] for other in aligned],
        "reference_index": best,
        "links": [
            [i, j, STAGES[stage], int(chunk)]
            for (i, j), stage, chunk in zip(pair.links, pair.stages, chunks[: len(pair.links)], strict=True)
        ],
        "chunks": pair.chunks,
        "exact": pair.is_exact,
        **{name: float(value[best]) for name, value in values.items()},
    }


def check(*, tokenizer: Any, preset: Any, lang: Any, stages: Any, stemmer: Any, objective: Any, detailed: Any) -> None:
    """Raises ValueError for a bad value of an option, ImportError for what is not installed."""
    check_tokenizer(tokenizer)
    check_choice("preset", preset, tuple(PRESETS))
    check_choice("lang", lang, (*SNOWBALL, "ko"))
    check_choice("objective", objective, ("crossings", "chunks"))
    check_choice("detailed", detailed, (False, True))
    is_list = isinstance(stages, (list, tuple)) and list(stages[:1]) == ["exact"]
    if not is_list or list(stages) != [stage for stage in STAGES if stage in stages]:
        raise ValueError(f'stages is {stages!r}; pass "exact" and then "stem" or "synonym" or both, in this order')
    if isinstance(stemmer, str) and stemmer == "snowball" and lang not in SNOWBALL:
        raise ValueError(f"stemmer is 'snowball', which has no lang={lang!r}; it has {', '.join(SNOWBALL)}")
    is_own = not isinstance(stemmer, (str, type)) and callable(getattr(stemmer, "stem", stemmer))
    if not is_own and stemmer not in (None, *_STEMMERS):
        raise ValueError(
            f"stemmer is {stemmer!r:.60}; pass one of {', '.join(_STEMMERS)}, a callable, or an object with .stem"
        )
    if "stem" in stages:
        _stem_function(stemmer, lang)


def check_numbers(*, alpha: Any, beta: Any, gamma: Any, delta: Any, stage_weights: Any, perfect_is_one: Any) -> None:
    """Raises ValueError for a bad value of an option."""
    for name, value in {"alpha": alpha, "gamma": gamma, "delta": delta}.items():
        if not _is_number(value) or not 0 <= value <= 1:
            raise ValueError(f"{name} is {value!r}; pass a number from 0 to 1")
    if not _is_number(beta) or not 0 <= beta < math.inf:
        raise ValueError(f"beta is {beta!r}; pass a number of at least 0")
    is_list = isinstance(stage_weights, (list, tuple)) and len(stage_weights) == len(STAGES)
    if not is_list or not all(_is_number(weight) and 0 <= weight <= 1 for weight in stage_weights):
        raise ValueError(f"stage_weights is {stage_weights!r}; pass a list of three numbers from 0 to 1")
    check_choice("perfect_is_one", perfect_is_one, (False, True))


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_words(*, synonyms: Any, function_words: Any) -> None:
    """Raises ValueError for a bad table of words."""
    _group_function(synonyms, list)
    if function_words not in (None, "english"):
        is_list = isinstance(function_words, Collection) and not isinstance(function_words, (str, bytes))
        if not is_list or not all(isinstance(word, str) for word in function_words):
            raise ValueError(f"function_words is {function_words!r:.60}; pass a list of words")


def _stem_function(stemmer: Any, lang: str) -> Stem:
    """Returns the function from words to stems."""
    if isinstance(stemmer, str) and stemmer != "kiwi":
        return nltk_stemmer(stemmer, lang)
    if isinstance(stemmer, str):
        return korean_stemmer(kiwi_analyser('stemmer="kiwi", which lang="ko" takes,'))
    return own_stemmer(stemmer)


def _group_function(synonyms: Any, clean: Callable[[list[str]], list[str]]) -> Groups:
    """Returns the function from a word to its groups of synonyms."""
    if synonyms is None:
        return lambda word: ()
    if isinstance(synonyms, str) and synonyms == "wordnet":
        return _wordnet
    return own_groups(synonyms) if callable(synonyms) else table_groups(read_groups(synonyms, clean))


def _stemmer_text(stemmer: Any) -> str:
    """Writes the stemmer into the signature, with the version of its package."""
    if stemmer is None:
        return "none"
    return f"{stemmer}[{version(_STEMMERS[stemmer])}]" if isinstance(stemmer, str) else tokenizer_version(stemmer)


def _synonyms_text(synonyms: Any) -> str:
    """Writes the synonyms into the signature, a table by what it holds."""
    if isinstance(synonyms, str) and synonyms == "wordnet":
        return f"wordnet[{digest(DATA)}]"
    if synonyms is None or callable(synonyms):
        return "none" if synonyms is None else tokenizer_version(synonyms)
    return f"table({digest(repr(read_groups(synonyms, list)))})"


def _function_words_text(function_words: Any) -> str:
    """Writes the function words into the signature by what they are."""
    if function_words is None:
        return "none"
    if function_words == "english":
        return f"english[{digest(_FUNCTION_WORD_TEXT)}]"
    return f"table({digest(repr(sorted(function_words)))})"


def _list_text(values: Iterable[Any]) -> str:
    """Writes a list into the signature, with a comma behind each entry."""
    return "".join(f"{value}," for value in values)


class Meteor(TextMetric):
    """METEOR measures how many words of prediction and reference match, by form, stem or meaning, and in what order."""

    CITATION = """\
@inproceedings{banerjee-lavie-2005-meteor,
    title = "{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with Human Judgments",
    author = "Banerjee, Satanjeev and Lavie, Alon",
    booktitle = "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine
        Translation and/or Summarization",
    year = "2005",
    pages = "65--72",
    url = "https://aclanthology.org/W05-0909",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    SIGNATURE = {
        "preset": "preset",
        "lang": "lang",
        "stages": "stages",
        "stemmer": "stem",
        "synonyms": "syn",
        "tokenizer": "tok",
        "lowercase": "case",
        "normalization": "norm",
        "alpha": "alpha",
        "beta": "beta",
        "gamma": "gamma",
        "delta": "delta",
        "stage_weights": "sw",
        "function_words": "fw",
        "objective": "obj",
        "perfect_is_one": "perfect",
    }
    SIGNATURE_TEXT = {
        "tokenizer": tokenizer_version,
        "stages": _list_text,
        "stemmer": _stemmer_text,
        "synonyms": _synonyms_text,
        "stage_weights": _list_text,
        "function_words": _function_words_text,
        **dict.fromkeys(("alpha", "beta", "gamma", "delta"), lambda value: repr(float(value))),
    }

    _statistics = staticmethod(statistics)
    _score = staticmethod(score)
    _explain = staticmethod(explain)
    _checks = (check, check_numbers, check_words)

    def _options(self, given):
        """Returns all options; what is not given is the preset's and the language's, and a signature spells it out."""
        options = super()._options(given)
        if isinstance(options["preset"], numbers.Real):
            options["preset"] = str(options["preset"])  # as a signature is read
        preset, is_english = options["preset"], options["lang"] == "en"
        stemmer = "porter" if is_english and preset == "2005" else "kiwi" if options["lang"] == "ko" else "snowball"
        values = {
            **PRESETS.get(preset if isinstance(preset, str) else None, {}),
            "stemmer": stemmer,
            "function_words": "english" if is_english else None,
        }
        options = {name: values.get(name) if value is None else value for name, value in options.items()}
        is_unused = isinstance(options["stages"], (list, tuple)) and "stem" not in options["stages"]
        if is_unused and isinstance(options["stemmer"], str) and options["stemmer"] in _STEMMERS:
            options["stemmer"] = None  # so that nobody asks for its package
        if isinstance(options["synonyms"], str) and options["synonyms"] == "auto":
            options["synonyms"] = "wordnet" if is_english else None
        return options

    def _prepare(self, columns, options):
        """Adds the functions from words to stems, to groups of synonyms, and to weights."""
        options = self._options(options)

        def clean(words):
            return clean_texts(words, lowercase=options["lowercase"], normalization=options["normalization"])

        words = options["function_words"] or ()
        words = _FUNCTION_WORDS if words == "english" else frozenset(clean(list(words)))
        weights = 2 * (1 - options["delta"]), 2 * options["delta"]
        needs_stems = "stem" in options["stages"]
        return columns, {
            **options,
            "stem": _stem_function(options["stemmer"], options["lang"]) if needs_stems else list,
            "groups": _group_function(options["synonyms"], clean),
            "content": lambda vocabulary: [weights[word not in words] for word in vocabulary],
        }

    def _compute(
        self,
        predictions,
        references,
        alpha=None,
        beta=None,
        gamma=None,
        preset="2005",
        lang="en",
        stages=STAGES,
        stemmer=None,
        synonyms="auto",
        tokenizer="unicode",
        lowercase=True,
        normalization="NFC",
        objective=None,
        delta=None,
        function_words=None,
        stage_weights=None,
        perfect_is_one=None,
        detailed=False,
        per_segment=False,
        confidence=None,
        resamples=1000,
        seed=12345,
    ):
        """Scores predictions against references.

        Args:
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings, of which the best counts.
            alpha: weight of precision against recall, 0.9 counts recall nine times; from 0 to 1.
            beta: exponent of the penalty, 3; at least 0.
            gamma: largest penalty, 0.5; from 0 to 1.
            preset: "2005" (the paper), or "1.5" (METEOR 1.5 for English without paraphrases); other values of alpha,
                beta, gamma, delta, stage_weights, objective and perfect_is_one override it.
            lang: "en", "ko" (stems are dictionary forms by Kiwi: pip install kiwipiepy), or one of nltk's Snowball
                stemmers: ar, da, de, es, fi, fr, hu, it, nl, no, pt, ro, ru, sv.
            stages: "exact", then "stem" and "synonym", or one or none of these.
            stemmer: "porter" (English, preset 2005), "snowball", "kiwi", a callable str -> str, or an object with
                `.stem`; by preset and language.
            synonyms: "auto" ("wordnet" for English, else none), "wordnet" (WordNet 3.0, built in), None, a dict from a
                word to its synonyms, a list of groups of words, the path of a file with a group in each line and tabs
                between its words, or a callable from a word to the names of its groups.
            tokenizer: "unicode" (letters, marks and numbers of any script, the default: punctuation does not count),
                "whitespace", "13a", "char", "jamo", "mecab", "kiwi", a callable str -> list of str, or an object with
                `.tokenize`.
            lowercase: compare in lower case.
            normalization: Unicode form of all texts, "NFC" by default; None leaves them as they are.
            objective: of all alignments with the most matches, the one with fewest "crossings" (and then chunks), or
                with fewest "chunks".
            delta: weight of a content word, that of a function word is 1 - delta; 0.5 treats them alike.
            function_words: list of words; for English a built-in one, else none.
            stage_weights: what a match of each stage counts in precision and recall.
            perfect_is_one: a text that is matched completely and in one chunk has no penalty.
            detailed: add the score of the corpus as a whole and its parts.
            per_segment: add `segments`, the score of each segment.
            confidence: such as 0.95 adds `confidence_interval` [low, high] from a bootstrap over segments.
            resamples, seed: of the bootstrap.

        Returns:
            meteor, the mean of the segments' scores, from 0 to 1. With `detailed` meteor_corpus, precision, recall,
            fmean and penalty of the pooled counts, chunks, matches (exact, stem, synonym), and exact_alignments, the
            share of alignments that are certainly the best.

        Examples:
            >>> meteor = Meteor()  # or evaluate.load("./metrics/meteor.py")
            >>> texts = {
            ...     "predictions": ["The cat is sleeping on the mat."],
            ...     "references": ["The feline sleeps on that mat."],
            ... }
            >>> round(meteor.compute(**texts)["meteor"], 6)
            0.517418
            >>> round(meteor.compute(**texts, synonyms={"cat": "feline"})["meteor"], 6)
            0.731148
        """
        return self._result(locals())
