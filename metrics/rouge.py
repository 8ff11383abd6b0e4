"""ROUGE: the n-grams, subsequences and skip-bigrams that a prediction shares with a reference (Lin 2004).

ROUGE-N, -L and -Lsum are those of rouge_score, which Hugging Face's `rouge` uses, but they work for every script;
ROUGE-W, -S and -SU are the paper's. The corpus score is the mean over segments; Hugging Face's is the median of a
random bootstrap. With `idf` rare n-grams count more, with the weights of CIDEr: a combination that no other library
has.
"""

import itertools
import re
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, lengths_of  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag, number, own  # From: -e .
from textgauge.core.references import best_references  # From: -e .
from textgauge.ngrams.corpus import NgramTable, count_documents  # From: -e .
from textgauge.ngrams.corpus_metric import CorpusMetric, ngram_counts  # From: -e .
from textgauge.ngrams.f_scores import f_scores, rank_values, segment_scores  # From: -e .
from textgauge.ngrams.rouge_checks import check_idf_types, check_stemmed, check_types  # From: -e .
from textgauge.ngrams.rouge_counts import (  # From: -e .
    TYPE,
    count_types,
    idf_counts,
    paired_chunk,
    with_sentences,
)
from textgauge.ngrams.rouge_tokens import (  # From: -e .
    has_tokens_of_sentences,
    rouge_tokens,
    sentence_splitter,
    stemmer,
)
from textgauge.ngrams.subsequences import lcs_positions  # From: -e .
from textgauge.ngrams.text_ngrams import matched_positions  # From: -e .
from textgauge.tokens.chunks import Chunk, Tokens, as_strings, split_texts  # From: -e .
from textgauge.tokens.corpus_tokens import encode_corpus  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER, TOKENIZERS, check_tokenizer  # From: -e .

_DEFAULT_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_TOKENIZERS = (*TOKENIZERS, "rouge_score")
_W_EXPONENT = 1.2
_FROM_REFERENCES = "references"  # the value of `idf` for which it is learnt

_SUMMARIES = TEXTS._replace(help="one string per segment; for `rougeLsum` with a line feed between sentences.")


class TokenOptions(NamedTuple):
    """The options that say what the tokens of a text are."""

    tokenizer: Any
    use_stemmer: bool

    def encode(self, texts: list[str]) -> Tokens:
        """Returns the tokens of several texts."""
        return rouge_tokens(texts, tokenizer=self.tokenizer, use_stemmer=self.use_stemmer)


class ScoreOptions(NamedTuple):
    """The options that say what is scored, and how the references of a segment count."""

    rouge_types: Sequence[str] | None
    beta: float
    multi_ref: str
    w_exponent: float

    @property
    def types(self) -> Sequence[str]:
        """The types that are asked for, or those by default."""
        return self.rouge_types or _DEFAULT_TYPES


class OutputOptions(NamedTuple):
    """The options that say what a result has besides the scores of the corpus."""

    per_segment: bool
    flat: bool | str
    confidence: float | None


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokens: TokenOptions,
    scoring: ScoreOptions,
    split_summaries: bool,
    table: NgramTable | None,
) -> np.ndarray:
    """Returns rows [precision, recall and F of each of the T types, 1], (n_segments, 3 T + 1).

    >>> texts = {"predictions": ["고양이가 잔다"], "references": ["고양이가 방에서 잔다"]}
    >>> Rouge().statistics(**texts, rouge_types=["rouge1"]).round(4).tolist()
    [[1.0, 0.6667, 0.8, 1.0]]
    """
    n_references = lengths_of(references)
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    sentences = None
    has_sentences = split_summaries or any("\n" in text for text in texts)
    if has_sentences and "rougeLsum" in scoring.types:
        split = sentence_splitter(split_summaries)
        keeps_tokens = has_tokens_of_sentences(tokens.tokenizer, split_summaries)
        chunk, sentences = with_sentences(texts, split, tokens.encode, keeps_tokens, n_references)
    else:
        chunk = paired_chunk(tokens.encode(texts), n_references)

    counts = count_types(chunk, scoring.types, scoring.w_exponent, table, sentences)
    scores = []
    for name in scoring.types:
        exponent = scoring.w_exponent if name == "rougeW" else 1.0
        scores.append(segment_scores(counts[name], n_references, scoring.beta, scoring.multi_ref, exponent))
    return np.column_stack([*scores, np.ones(len(predictions))])


def score(rows: np.ndarray, *, rouge_types: Sequence[str] | None, detailed: bool) -> dict[str, np.ndarray]:
    """Returns the mean F of each type, with `detailed` also precision and recall, for rows of shape (..., 3 T + 1).

    >>> Rouge().score([[1, 0.5, 0.75, 1], [1, 1, 1, 1]], rouge_types=["rougeL"])["rougeL"].tolist()
    [0.75, 1.0]
    """
    names = rouge_types or _DEFAULT_TYPES
    check_width(rows, 3 * len(names) + 1)
    means = rows[..., :-1] / rows[..., -1:]
    values = {name: means[..., 3 * index + 2] for index, name in enumerate(names)}
    if detailed:
        for index, name in enumerate(names):
            values[f"{name}_precision"] = means[..., 3 * index]
            values[f"{name}_recall"] = means[..., 3 * index + 1]
    return values


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    tokens: TokenOptions,
    rouge_types: Sequence[str] | None,
    beta: float,
    table: NgramTable | None,
) -> dict[str, Any]:
    """Returns the tokens of one segment, and what matches in the best reference of each type.

    Keys: `prediction` and `references`; `matches`, for each order where matched n-grams start in the prediction; `lcs`,
    pairs of positions in prediction and best reference for ROUGE-L; `best_references`, its index for each type.

    >>> Rouge().explain(prediction="고양이가 잔다", reference=["개가 짖는다", "고양이가 방에서 잔다"])["lcs"]
    [[0, 0], [1, 2]]
    """
    chunk = paired_chunk(tokens.encode([*predictions, *references[0]]), lengths_of(references))
    prediction, *texts = _words(chunk)
    reference_tokens = texts[chunk.n_rows - 1 :]  # the prediction is there for each of them
    max_order = _longest_ngram(rouge_types or _DEFAULT_TYPES)
    names = [*(f"rouge{order}" for order in range(1, max_order + 1)), "rougeL"]
    counts = count_types(chunk, names, 1.0, None)
    if table is not None:
        counts.update(idf_counts(chunk, max_order, table))
    best = {name: _best_reference(counts[name], beta) for name in names}

    matches = []
    for order in range(1, max_order + 1):
        nearest = reference_tokens[best[f"rouge{order}"]]
        matches.append(matched_positions(prediction, [nearest], order)[-1])
    strings = as_strings(chunk)  # of the predictions, one for each reference, and of the references
    lcs = lcs_positions(strings[best["rougeL"]], strings[chunk.n_rows + best["rougeL"]])
    return {
        "prediction": prediction,
        "references": reference_tokens,
        "matches": matches,
        "lcs": lcs,
        "best_references": best,
    }


def _words(chunk: Chunk) -> list[list[str]]:
    """Returns the tokens of each text, those of the predictions first."""
    words = chunk.tokens.words()
    tokens = [words[number] for number in chunk.tokens.ids.tolist()]
    return split_texts(tokens, chunk.tokens.lengths)


def _longest_ngram(types: Sequence[str]) -> int:
    """Returns the longest n-gram that types name; 1 where they name none."""
    orders = [TYPE.fullmatch(name)["order"] for name in types]
    return max(int(order or 1) for order in orders)


def _best_reference(counts: np.ndarray, beta: float) -> int:
    """Returns the index of the reference with the best F; counts are those of one segment, (n_references, 3)."""
    return int(best_references(rank_values(f_scores(counts, beta)), np.array([len(counts)]))[0])


def check(
    *,
    tokens: TokenOptions,
    scoring: ScoreOptions,
    output: OutputOptions,
    split_summaries: bool,
    use_aggregator: bool,
    idf: Any,
) -> None:
    """Raises InputError for options that contradict one another, ImportError for a package that is not installed."""
    if tokens.use_stemmer:
        check_stemmed(tokens.tokenizer)
        stemmer()
    if split_summaries and "rougeLsum" not in scoring.types:
        raise InputError("split_summaries is True, but rouge_types has no rougeLsum; add it, or leave one of them out")
    if scoring.w_exponent != _W_EXPONENT and "rougeW" not in scoring.types:
        raise InputError(
            f"w_exponent is {scoring.w_exponent!r}, but rouge_types has no rougeW; add it, or leave w_exponent out"
        )
    if not use_aggregator and (output.per_segment or output.flat is True or output.confidence is not None):
        raise InputError("use_aggregator=False returns segments only; leave out per_segment and confidence")
    if idf is not None:
        check_idf_types(scoring.types)


class Rouge(CorpusMetric):
    """ROUGE measures how much of a reference a summary covers, in n-grams and common subsequences, for every script.

    Returns:
        rouge1, rouge2, rougeL, rougeLsum, or the types asked for: the mean of the segments' F, in [0, 1].

    Examples:
        >>> rouge = Rouge()  # or evaluate.load("./metrics/rouge.py")
        >>> predictions, references = ["고양이가 침대에서 잠을 자고 있다."], [["고양이가 방에서 잠을 자고 있다."]]
        >>> result = rouge.compute(predictions=predictions, references=references)
        >>> {name: round(value, 4) for name, value in result.items()}
        {'rouge1': 0.8, 'rouge2': 0.5, 'rougeL': 0.8, 'rougeLsum': 0.8}
        >>> rouge.signature()
        'rouge|nrefs:var|stem:no|tok:unicode|case:lc|norm:NFC|beta:1.0|mref:best|split:no|w:1.2|v1.0'
    """

    CITATION = """\
@inproceedings{lin-2004-rouge,
    title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author = "Lin, Chin-Yew",
    booktitle = "Text Summarization Branches Out",
    year = "2004",
    pages = "74--81",
    url = "https://aclanthology.org/W04-1013",
}
"""
    COLUMNS = {"predictions": _SUMMARIES, "references": REFERENCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (0, 1)
    USES_THREADS = True
    FEWEST_CHUNKS = 8
    OPTIONS = {
        "rouge_types": own(
            None,
            "types",
            "a type, or a list of types, each once: rouge1, rouge2, ... (any order), rougeL, rougeLsum (these four by "
            "default), rougeW, rougeS*, rougeS4 (at most 4 words between), rougeSU*, rougeSU4 (with unigrams).",
            check_types,
            kind="list",
        ),
        "use_stemmer": flag("stem", "Porter's stemmer, for English."),
        "tokenizer": TOKENIZER._replace(
            default="unicode",
            help=f"{TOKENIZER.help} `rouge_score` is Hugging Face's: only a-z and 0-9.",
            choices=_TOKENIZERS,
            check=lambda name, value: check_tokenizer(value, ["rouge_score"]),
        ),
        "lowercase": LOWERCASE._replace(default=True),
        "normalization": NORMALIZATION,
        "beta": number(1.0, "beta", "of F; above 1 recall counts more.", high=1e9),
        "multi_ref": choice(
            "best",
            "mref",
            "`best`: the reference with the best F, for each type; `average`: the counts of the references added up; "
            "`jackknife`: leave out each reference in turn, and take the mean of the best of the others.",
            ("best", "average", "jackknife"),
        ),
        "split_summaries": flag("split", "for rougeLsum, end sentences at full stops too, not only at line feeds."),
        "w_exponent": number(_W_EXPONENT, "w", "of rougeW: k matches in a row count k ** w_exponent.", low=1, high=10),
        "idf": ngram_counts(
            None,
            "idf",
            "rare n-grams count more: log(segments / segments in whose references the n-gram occurs). `references` "
            "learns this from the references that are scored; or a JSON or TSV file of counts, and n-grams that it "
            "lacks count once. Only for rouge1, rouge2 and so on.",
            _FROM_REFERENCES,
            smallest_total=1,
        ),
        "detailed": flag("", "add `rouge1_precision`, `rouge1_recall`, and so on."),
        "use_aggregator": flag(
            "", "False returns a list of segment scores for each type, as Hugging Face does.", default=True
        )._replace(kind="call"),
    }
    COUNTS_OPTION, FROM_REFERENCES = "idf", _FROM_REFERENCES

    def _resolve(self, options):
        types = options["rouge_types"]
        return {**options, "rouge_types": [types] if isinstance(types, str) else types}

    def _count(self, references, options, smallest):
        """Returns in the references of how many segments each n-gram occurs."""
        tokens = TokenOptions(options["tokenizer"], options["use_stemmer"])
        encode_texts = partial(encode_corpus, encode_part=tokens.encode)
        return count_documents(references, encode_texts, self._max_order(options), smallest)

    def _tokenization(self, options):
        return f"{super()._tokenization(options)}{'|stem:yes' if options['use_stemmer'] else ''}"

    def _max_order(self, options):
        return _longest_ngram(options["rouge_types"])

    def _learnt_table(self, references, options):
        table = super()._learnt_table(references, options)
        if table.counts[0][0] == 1:
            raise InputError(
                "idf='references' needs more than one segment: in a corpus of one, every n-gram weighs log(1 / 1) = 0; "
                "pass the table that `corpus_counts` makes of a larger corpus"
            )
        return table

    def headlines(self, values):
        """Returns the scores that have segments and an interval, and the prefix of their keys."""
        scores = re.compile(rf"{TYPE.pattern}(_precision|_recall)?")
        return {key: f"{key}_" for key in values if scores.fullmatch(key)}

    def _result(self, columns, options):
        if options["use_aggregator"]:
            return super()._result(columns, options)
        result = super()._result(columns, {**options, "per_segment": True})
        return {key: result[f"{key}_segments"] for key in result if f"{key}_segments" in result}
