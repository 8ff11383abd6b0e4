"""METEOR: words that match exactly, by stem or by meaning, less a penalty for their order (Banerjee and Lavie 2005).

The formula and the stages are the paper's, and the alignment is a best one. nltk, and with it Hugging Face's `meteor`,
aligns greedily and looks synonyms up by stems. `preset="1.5"` has the parameters of METEOR 1.5 (Denkowski and Lavie
2014), without its paraphrases.
"""

import functools
import operator
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, lengths_of  # From: -e .
from textgauge.core.metric import check_width, divide  # From: -e .
from textgauge.core.references import best_references  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.meteor.alignment import best_alignment, count_chunks, match_in_order  # From: -e .
from textgauge.meteor.components import Component  # From: -e .
from textgauge.meteor.greedy_alignment import greedy_alignment  # From: -e .
from textgauge.meteor.matching import EXACT, matchable  # From: -e .
from textgauge.meteor.options import OPTIONS as METEOR_OPTIONS  # From: -e .
from textgauge.meteor.options import STAGES, Content, check_options, compile_options, resolve  # From: -e .
from textgauge.meteor.synonyms import Groups  # From: -e .
from textgauge.tokens.chunks import Chunk, split_texts  # From: -e .
from textgauge.tokens.stems import Stem  # From: -e .
from textgauge.tokens.tokenizers import encode_chunk  # From: -e .

_REFERENCES = REFERENCES._replace(help=f"{REFERENCES.help} The best one counts.")
check = check_options


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

    def described_links(self) -> list[list[Any]]:
        """Returns [position in the prediction, position in the reference, stage, number of the chunk] of each link."""
        described = []
        chunk = 0
        for (position, reference_position), stage in zip(self.links, self.stages, strict=True):
            if described:
                last_position, last_reference_position, _, _ = described[-1]
                is_next = position - last_position == 1 == reference_position - last_reference_position
                chunk += not is_next
            described.append([position, reference_position, STAGES[stage], chunk])
        return described


class Matching(NamedTuple):
    """The options that say which words match, and which of several alignments is the best one."""

    stages: Sequence[str]
    stem: Stem
    groups: Groups
    objective: str


class Weighing(NamedTuple):
    """The options that make a score of an alignment."""

    content: Content
    stage_weights: Sequence[float]
    perfect_is_one: bool
    alpha: float
    beta: float
    gamma: float


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokenizer: Any,
    matching: Matching,
    weighing: Weighing,
    detailed: bool,
) -> np.ndarray:
    """Returns rows [score, 1], (n_segments, 2), of the best reference, the first one of equally good ones.

    With `detailed` there follow: weight of matches and of words of the prediction, the same of the reference, chunks,
    matches by stage (three numbers), 1 if the alignments with all references are certainly the best.

    >>> texts = {"predictions": ["A cat sleeps"], "references": [["The dog barks", "The cat is sleeping"]]}
    >>> Meteor().statistics(**texts).round(4).tolist()
    [[0.2564, 1.0]]
    """
    encoded = encode_chunk(predictions, references, tokenizer)
    counts = _counts(_aligned(encoded, matching), encoded.tokens.words(), weighing)
    scores = formula(counts, weighing.alpha, weighing.beta, weighing.gamma)["score"]
    n_references = lengths_of(references)
    best = best_references(scores, n_references)
    rows = np.column_stack([scores[best], np.ones(len(best))])
    if not detailed:
        return rows
    # which reference is the best one is certain only where all scores are
    is_exact = np.minimum.reduceat(counts[:, -1], np.cumsum(n_references) - n_references)
    return np.column_stack([rows, counts[best, :-1], is_exact])


def _aligned(encoded: Chunk, matching: Matching) -> list[_Alignment]:
    """Aligns each prediction with each of its references."""
    words = encoded.tokens.words()
    stems: Sequence[int] = range(len(words))
    if "stem" in matching.stages:
        numbers: dict[str, int] = {}
        stems = [numbers.setdefault(stem, len(numbers)) for stem in matching.stem(words)]
    synonyms: Sequence[Any] = [()] * len(words)
    if "synonym" in matching.stages:
        synonyms = [matching.groups(word) for word in words]

    texts = split_texts(encoded.tokens.ids.tolist(), encoded.tokens.lengths)
    references = texts[encoded.n_rows :]
    rows = encoded.rows[encoded.n_rows :].tolist()
    alignments = []
    for row, reference in zip(rows, references, strict=True):
        alignments.append(_align_pair(texts[row], reference, stems, synonyms, matching.objective))
    return alignments


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
    component_of: dict[int, Component] = {}  # by positions of the prediction
    for component in components:
        if not component.is_plain:  # a plain one matches equal words alone
            component_of.update(dict.fromkeys(component.partners, component))
    if not component_of and not fixed_stages:
        return _Alignment(prediction, reference, links, [EXACT] * len(links), is_exact)
    stages = []
    for position, reference_position in links:
        if position in component_of:
            stages.append(component_of[position].stage(position, reference_position))
        else:
            stages.append(fixed_stages.get(position, EXACT))
    return _Alignment(prediction, reference, links, stages, is_exact)


def _counts(aligned: Sequence[_Alignment], vocabulary: list[str], weighing: Weighing) -> np.ndarray:
    """Returns the last nine columns of rows of `statistics`, (n_pairs, 9); no chunk where a perfect match is 1."""
    weights = weighing.content(vocabulary)
    counts = [_counts_of_pair(alignment, weights, weighing) for alignment in aligned]
    return np.array(counts, dtype=np.float64).reshape(len(counts), 9)


def _counts_of_pair(alignment: _Alignment, weights: Sequence[float], weighing: Weighing) -> list[float]:
    """Returns the nine numbers of one pair; `weights` has the weight of each type of words."""
    prediction, reference, links, stages, is_exact = alignment
    matched = reference_matched = 0.0
    by_stage = [0] * len(STAGES)
    for (position, reference_position), stage in zip(links, stages, strict=True):
        weight = weighing.stage_weights[stage]
        matched += weights[prediction[position]] * weight
        reference_matched += weights[reference[reference_position]] * weight
        by_stage[stage] += 1

    chunks = alignment.chunks
    if weighing.perfect_is_one and chunks == 1 and len(prediction) == len(links) == len(reference):
        chunks = 0
    words = _total(weights, prediction)
    reference_words = _total(weights, reference)
    return [matched, words, reference_matched, reference_words, chunks, *by_stage, is_exact]


def _total(weights: Sequence[float], types: Iterable[int]) -> float:
    """Returns the sum of the weights of words, rounded after each word: `sum` rounds once from Python 3.12 on."""
    return functools.reduce(operator.add, map(weights.__getitem__, types), 0.0)


def formula(counts: np.ndarray, alpha: float, beta: float, gamma: float) -> dict[str, np.ndarray]:
    """Returns score, precision, recall, fmean and penalty for counts (..., 9), the last columns of `statistics`.

    Section 2.2 of the paper with its numbers as parameters, and the weights of Denkowski and Lavie (2014), section 2.
    All are 0 where nothing matches.

    >>> counts = np.array([2, 3, 2, 4, 1, 2, 0, 0, 1])
    >>> {key: round(value.item(), 4) for key, value in formula(counts, alpha=0.9, beta=3.0, gamma=0.5).items()}
    {'score': 0.4808, 'precision': 0.6667, 'recall': 0.5, 'fmean': 0.5128, 'penalty': 0.0625}
    """
    precision = divide(counts[..., 0], counts[..., 1])
    recall = divide(counts[..., 2], counts[..., 3])
    chunks = counts[..., 4]
    n_matches = counts[..., 5:8].sum(-1)
    fmean = divide(precision * recall, alpha * precision + (1 - alpha) * recall)
    fragmentation = divide(chunks, n_matches)
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

    >>> rows = np.array([[0.5, 1.0], [1.0, 1.0]])
    >>> [Meteor().score(sums)["meteor"].tolist() for sums in (rows, rows.sum(0))]
    [[0.5, 1.0], 0.75]
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
    matching: Matching,
    weighing: Weighing,
) -> dict[str, Any]:
    """Returns the tokens of one segment, and how the prediction is aligned with the best reference.

    Keys: `prediction`, tokens; `references`, a list of tokens each; `reference_index`, which one is the best; `links`,
    [position in the prediction, position in the reference, stage, chunk] of each match; `chunks`; `exact`, whether the
    alignments with all references are certainly the best; score, precision, recall, fmean, penalty.

    >>> explained = Meteor().explain(prediction="The cat sleeps", reference="A cat is sleeping")
    >>> explained["links"], explained["chunks"]
    ([[1, 1, 'exact', 0], [2, 3, 'stem', 1]], 2)
    """
    encoded = encode_chunk(predictions, references, tokenizer)
    vocabulary = encoded.tokens.words()
    alignments = _aligned(encoded, matching)
    counts = _counts(alignments, vocabulary, weighing)
    values = formula(counts, weighing.alpha, weighing.beta, weighing.gamma)
    best = int(best_references(values["score"], lengths_of(references))[0])
    alignment = alignments[best]

    def words_of(numbers: list[int]) -> list[str]:
        return [vocabulary[number] for number in numbers]

    explained: dict[str, Any] = {
        "prediction": words_of(alignment.prediction),
        "references": [words_of(each.reference) for each in alignments],
        "reference_index": best,
    }
    explained["links"] = alignment.described_links()
    explained["chunks"] = alignment.chunks
    explained["exact"] = all(each.is_exact for each in alignments)
    for name, value in values.items():
        explained[name] = float(value[best])
    return explained


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
    USUAL_RANGE = (0, 1)
    OPTIONS = METEOR_OPTIONS

    def _resolve(self, options):
        """Returns all options; what is not given is the preset's and the language's, and a signature spells it out."""
        return resolve(options)

    def _prepare(self, columns, options):
        """Adds the functions from words to stems, to groups of synonyms, and to weights."""
        return columns, compile_options(options)
