"""METEOR: words that match exactly, by stem or by meaning, less a penalty for their order (Banerjee and Lavie 2005).

The formula and the stages are the paper's, and the alignment is a best one. nltk, and with it Hugging Face's `meteor`,
aligns greedily and looks synonyms up by stems. `preset="1.5"` has the parameters of METEOR 1.5 (Denkowski and Lavie
2014), without its paraphrases.
"""

import itertools
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
from ._bootstrap import resample as resample
from ._code_points import lookup as lookup
from ._columns import REFERENCES
from ._columns import TEXTS
from ._columns import clean_texts
from ._columns import lengths_of
from ._common_blocks import match_blocks as match_blocks
from ._components import Component
from ._greedy_alignment import greedy_alignment
from ._matching import EXACT
from ._matching import matchable
from ._metric import Metric as Metric
from ._morphemes import kiwi_analyser
from ._options import LOWERCASE
from ._options import NORMALIZATION
from ._options import choice
from ._options import flag
from ._options import is_number
from ._options import mapping
from ._options import number
from ._options import own
from ._references import best_references
from ._signature import VERSION as VERSION
from ._stems import SNOWBALL
from ._stems import Stem
from ._stems import korean_stemmer
from ._stems import nltk_stemmer
from ._stems import own_stemmer
from ._synonyms import Groups
from ._synonyms import own_groups
from ._synonyms import read_groups
from ._synonyms import table_groups
from ._synonyms import wordnet_groups
from ._tables import digest
from ._text_metric import TextMetric
from ._text_metric import check_width
from ._text_metric import divide
from ._threads import thread_count as thread_count
from ._tokens import TOKENIZER
from ._tokens import Chunk
from ._tokens import encode_chunk
from ._tokens import split_texts
from ._tokens import tokenizer_version
from ._wordnet_synonyms import DATA
from ._words import MTEVAL as MTEVAL

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
# A list of our own, nearly half of the words of English news, because that of METEOR 1.5 is under the LGPL. With it the
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
_REFERENCES = REFERENCES._replace(
    help="for each segment a string or a non-empty list of strings, of which the best counts; their number may differ."
)
Content = Callable[[list[str]], list[float]]  # words -> their weights
_wordnet = wordnet_groups(DATA)


class _Alignment(NamedTuple):
    """A prediction and one of its references, with the best alignment that was found."""

    prediction: list[int]  # types of words
    reference: list[int]
    links: list[tuple[int, int]]  # matched positions
    stages: list[int]  # of each link
    is_exact: bool  # no alignment is better, for certain

    @property
    def chunks(self) -> int:
        """Groups of links that are neighbours in both texts."""
        return count_chunks(self.links)


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
    matches by stage (three numbers), 1 if the alignments with all references are certainly the best.
    """
    encoded = encode_chunk(predictions, references, tokenizer)
    aligned = _aligned(encoded, stages, stem, groups, objective)
    weights = content(encoded.tokens.vocabulary.to_pylist())
    counts = _counts(aligned, weights, stage_weights, perfect_is_one)
    scores = formula(counts, alpha, beta, gamma)["score"]
    n_references = lengths_of(references)
    best = best_references(scores, n_references)
    rows = np.column_stack([scores[best], np.ones(len(best))])
    if not detailed:
        return rows
    # which reference is the best one is certain only where all scores are
    is_exact = np.minimum.reduceat(counts[:, -1], np.cumsum(n_references) - n_references)
    return np.column_stack([rows, counts[best, :-1], is_exact])


def _aligned(encoded: Chunk, stages: Sequence[str], stem: Stem, groups: Groups, objective: str) -> list[_Alignment]:
    """Aligns each prediction with each of its references."""
    words = encoded.tokens.vocabulary.to_pylist()
    numbers_of: dict[str, int] = {}
    stems: Sequence[int] = range(len(words))
    if "stem" in stages:
        stems = [numbers_of.setdefault(found, len(numbers_of)) for found in stem(words)]
    synonyms = [groups(word) for word in words] if "synonym" in stages else [()] * len(words)
    texts = split_texts(encoded.tokens.ids.tolist(), encoded.tokens.lengths)
    return [
        _align_pair(texts[row], reference, stems, synonyms, objective)
        for row, reference in zip(encoded.rows[encoded.n_rows :].tolist(), texts[encoded.n_rows :], strict=True)
    ]


def _align_pair(
    prediction: list[int], reference: list[int], stems: Sequence[int], synonyms: Sequence[Any], objective: str
) -> _Alignment:
    """Returns the best alignment if the search finds it in time, else a good one."""
    fixed_links, fixed_stages, groups = matchable(prediction, reference, stems, synonyms)
    components = [Component(*group) for group in groups]
    in_question = match_in_order(fixed_links, components) if objective == "crossings" else components
    links, fewest = best_alignment(len(prediction), fixed_links, in_question, objective)
    is_exact = links is not None
    if links is None:
        links = greedy_alignment(len(prediction), fixed_links, in_question, objective)
        is_exact = count_chunks(links) == fewest
    # a plain component matches equal words alone
    owners = {p: component for component in components if not component.is_plain for p in component.partners}
    if not owners and not fixed_stages:
        return _Alignment(prediction, reference, links, [EXACT] * len(links), is_exact)
    stages = [owners[i].stage(i, j) if i in owners else fixed_stages.get(i, EXACT) for i, j in links]
    return _Alignment(prediction, reference, links, stages, is_exact)


def _counts(
    aligned: Sequence[_Alignment], weights: Sequence[float], stage_weights: Sequence[float], perfect_is_one: bool
) -> np.ndarray:
    """Returns the last nine columns of rows of `statistics`, all pairs at once; no chunk where a perfect match is 1."""
    n_links = np.array([len(alignment.links) for alignment in aligned], dtype=np.intp)
    pairs = np.repeat(np.arange(len(aligned)), n_links)
    links = _flat(itertools.chain.from_iterable(alignment.links) for alignment in aligned).reshape(-1, 2)
    stages = _flat(alignment.stages for alignment in aligned)
    columns, is_perfect = [], np.full(len(aligned), perfect_is_one)
    for side, texts in enumerate(zip(*(alignment[:2] for alignment in aligned), strict=True)):
        lengths = lengths_of(texts)
        words = np.asarray(weights, dtype=np.float64)[_flat(texts)]
        matched = words[(np.cumsum(lengths) - lengths)[pairs] + links[:, side]] * np.asarray(stage_weights)[stages]
        columns.append(np.bincount(pairs, matched, len(aligned)))
        columns.append(np.bincount(np.repeat(np.arange(len(aligned)), lengths), words, len(aligned)))
        is_perfect &= lengths == n_links
    is_joined = (np.diff(links, axis=0) == 1).all(1) & (np.diff(pairs) == 0)
    chunks = n_links - np.bincount(pairs[1:][is_joined], minlength=len(aligned))
    by_stage = np.bincount(3 * pairs + stages, minlength=3 * len(aligned)).reshape(-1, 3)
    is_exact = [alignment.is_exact for alignment in aligned]
    return np.column_stack([*columns, np.where(is_perfect & (chunks == 1), 0, chunks), by_stage, is_exact])


def _flat(lists: Iterable[Iterable[int]]) -> np.ndarray:
    """Returns the numbers of all lists, one list after the other."""
    return np.fromiter(itertools.chain.from_iterable(lists), dtype=np.intp)


def formula(counts: np.ndarray, alpha: float, beta: float, gamma: float) -> dict[str, np.ndarray]:
    """Returns score, precision, recall, fmean and penalty for counts (..., 9), the last columns of `statistics`.

    Section 2.2 of the paper with its numbers as parameters, and the weights of Denkowski and Lavie (2014), section 2.
    All are 0 where nothing matches.
    """
    matched, words, reference_matched, reference_words, chunks = (counts[..., index] for index in range(5))
    precision, recall = divide(matched, words), divide(reference_matched, reference_words)
    fmean = divide(precision * recall, alpha * precision + (1 - alpha) * recall)
    fragmentation = divide(chunks, counts[..., 5:8].sum(-1))
    penalty = np.where(chunks > 0, gamma * fragmentation**beta, 0.0)
    return {
        "score": fmean * (1 - penalty),
        "precision": precision,
        "recall": recall,
        "fmean": fmean,
        "penalty": penalty,
    }


def score(rows: np.ndarray, *, alpha: float, beta: float, gamma: float, detailed: bool) -> dict[str, np.ndarray]:
    """Returns meteor, the mean over segments in [0, 1], for rows of shape (..., 2).

    With `detailed`, rows (..., 11), also the score of the pooled counts, as the METEOR programs give it for a corpus,
    with its parts; chunks, matches of each stage, and the share of segments whose alignments are certainly the best.
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
    alignments with all references are certainly the best; score, precision, recall, fmean, penalty.
    """
    encoded = encode_chunk(predictions, references, tokenizer)
    words = encoded.tokens.vocabulary.to_pylist()
    aligned, weights = _aligned(encoded, stages, stem, groups, objective), content(words)
    counts = _counts(aligned, weights, stage_weights, perfect_is_one)
    values = formula(counts, alpha, beta, gamma)
    best = int(best_references(values["score"], lengths_of(references))[0])
    chosen = aligned[best]
    starts = [not (b[0] - a[0] == 1 == b[1] - a[1]) for a, b in itertools.pairwise(chosen.links)]
    chunks = [0, *itertools.accumulate(starts)]
    return {
        "prediction": [words[word] for word in chosen.prediction],
        "references": [[words[word] for word in each.reference] for each in aligned],
        "reference_index": best,
        "links": [
            [i, j, STAGES[stage], int(chunk)]
            for (i, j), stage, chunk in zip(chosen.links, chosen.stages, chunks[: len(chosen.links)], strict=True)
        ],
        "chunks": chosen.chunks,
        "exact": all(each.is_exact for each in aligned),
        **{name: float(value[best]) for name, value in values.items()},
    }


def check(*, stages: Any, stemmer: Any, lang: str) -> None:
    """Raises ValueError for options that contradict one another, ImportError for what is not installed."""
    if isinstance(stemmer, str) and stemmer == "snowball" and lang not in SNOWBALL:
        raise ValueError(f"stemmer is 'snowball', which has no lang={lang!r}; it has {', '.join(SNOWBALL)}")
    if "stem" in stages:
        _stem_function(stemmer, lang)


def _check_stages(name: str, stages: Any) -> None:
    is_list = isinstance(stages, (list, tuple)) and list(stages[:1]) == ["exact"]
    if not is_list or list(stages) != [stage for stage in STAGES if stage in stages]:
        raise ValueError(f'{name} is {stages!r}; pass "exact" and then "stem" or "synonym" or both, in this order')


def _check_stemmer(name: str, stemmer: Any) -> None:
    is_own = not isinstance(stemmer, (str, type)) and callable(getattr(stemmer, "stem", stemmer))
    if not is_own and stemmer not in (None, *_STEMMERS):
        raise ValueError(
            f"{name} is {stemmer!r:.60}; pass one of {', '.join(_STEMMERS)}, a callable, or an object with .stem"
        )


def _check_stage_weights(name: str, weights: Any) -> None:
    is_list = isinstance(weights, (list, tuple)) and len(weights) == len(STAGES)
    if weights is not None and not (is_list and all(is_number(weight) and 0 <= weight <= 1 for weight in weights)):
        raise ValueError(f"{name} is {weights!r}; pass a list of three numbers from 0 to 1")


def _check_synonyms(name: str, synonyms: Any) -> None:
    if not (isinstance(synonyms, str) and synonyms == "auto"):
        _group_function(synonyms, list)


def _check_function_words(name: str, words: Any) -> None:
    if words not in (None, "english"):
        is_list = isinstance(words, Collection) and not isinstance(words, (str, bytes))
        if not is_list or not all(isinstance(word, str) for word in words):
            raise ValueError(f"{name} is {words!r:.60}; pass a list of words")


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


def _by_preset(option: str) -> str:
    """Says in the help of an option what the presets make of it."""
    return "by preset " + " or ".join(f"`{values[option]}`" for values in PRESETS.values()) + "."


def _float_text(value: float) -> str:
    return repr(float(value))


class Meteor(TextMetric):
    """METEOR measures how many words of prediction and reference match, by form, stem or meaning, and in what order.

    Returns:
        meteor, the mean of the segments' scores, from 0 to 1. With `detailed` meteor_corpus, precision, recall,
        fmean and penalty of the pooled counts, chunks, matches (exact, stem, synonym), and exact_alignments, the
        share of segments whose alignments, with all references, are certainly the best.

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
    COLUMNS = {"predictions": TEXTS, "references": _REFERENCES}
    LOWER_IS_BETTER = False
    OPTIONS = {
        "preset": choice(
            "2005",
            "preset",
            "`2005` (the paper), or `1.5` (the program of that version for English without paraphrases); other values "
            "of alpha, beta, gamma, delta, stage_weights, objective and perfect_is_one override it.",
            tuple(PRESETS),
        ),
        "lang": choice(
            "en",
            "lang",
            "`en`, `ko` (stems are dictionary forms by Kiwi: pip install kiwipiepy), or one of nltk's Snowball "
            f"stemmers: {', '.join(SNOWBALL)}.",
            (*SNOWBALL, "ko"),
        ),
        "stages": own(
            STAGES, "stages", "`exact`, then `stem` and `synonym`, or one or none of these.", _check_stages, kind="list"
        ),
        "stemmer": own(
            None,
            "stem",
            "`porter` (English, preset 2005), `snowball` or `kiwi`; by preset and language.",
            _check_stemmer,
            kind="choice",
            choices=(None, *_STEMMERS),
            text=_stemmer_text,
            in_code="Or a callable str -> str, or an object with `.stem`.",
        ),
        "synonyms": mapping(
            "auto",
            "syn",
            "`auto` (`wordnet` for English, else none), `wordnet` (WordNet 3.0, built in), None, or words with "
            "their synonyms: a table, or a file with a group of words in each line and tabs between them.",
            ("word", "synonyms"),
            _check_synonyms,
            text=_synonyms_text,
            in_code="Or a dict from a word to its synonyms, a list of groups of words, or a callable from a word to "
            "the names of its groups.",
        ),
        "tokenizer": TOKENIZER._replace(default="unicode"),
        "lowercase": LOWERCASE._replace(default=True),
        "normalization": NORMALIZATION,
        "alpha": number(
            None, "alpha", f"weight of precision against recall; {_by_preset('alpha')}", high=1, text=_float_text
        ),
        "beta": number(None, "beta", f"exponent of the penalty; {_by_preset('beta')}", text=_float_text),
        "gamma": number(None, "gamma", f"largest penalty; {_by_preset('gamma')}", high=1, text=_float_text),
        "delta": number(
            None,
            "delta",
            "weight of a content word, that of a function word is 1 - delta, so that `0.5` treats them alike; "
            f"{_by_preset('delta')}",
            high=1,
            text=_float_text,
        ),
        "stage_weights": own(
            None,
            "sw",
            f"what a match of each stage counts in precision and recall; {_by_preset('stage_weights')}",
            _check_stage_weights,
            kind="list",
        ),
        "function_words": own(
            None,
            "fw",
            "list of words; for English a built-in one, else none.",
            _check_function_words,
            text=_function_words_text,
        ),
        "objective": choice(
            None,
            "obj",
            "of all alignments with the most matches, the one with fewest `crossings` (and then chunks), or with "
            f"fewest `chunks`; {_by_preset('objective')}",
            (None, "crossings", "chunks"),
        ),
        "perfect_is_one": choice(
            None,
            "perfect",
            f"a text that is matched completely and in one chunk has no penalty; {_by_preset('perfect_is_one')}",
            (None, False, True),
        ),
        "detailed": flag("", "add the score of the corpus as a whole and its parts."),
    }

    def _resolve(self, options):
        """Returns all options; what is not given is the preset's and the language's, and a signature spells it out."""
        preset, is_english = options["preset"], options["lang"] == "en"
        stemmer = "porter" if is_english and preset == "2005" else "kiwi" if options["lang"] == "ko" else "snowball"
        values = {
            **PRESETS[preset],
            "stemmer": stemmer,
            "function_words": "english" if is_english else None,
        }
        options = {name: values.get(name) if value is None else value for name, value in options.items()}
        if "stem" not in options["stages"] and isinstance(options["stemmer"], str):
            options["stemmer"] = None  # so that nobody asks for its package
        if isinstance(options["synonyms"], str) and options["synonyms"] == "auto":
            options["synonyms"] = "wordnet" if is_english else None
        return options

    def _prepare(self, columns, options):
        """Adds the functions from words to stems, to groups of synonyms, and to weights."""

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
