"""Perplexity: the geometric mean of 1/p over the tokens of a corpus, and the log-likelihood that it comes from.

PPL = exp(-(sum of log p) / N) = 2^H over all N scored tokens of the corpus (Jelinek et al. 1977). Hugging Face's
`perplexity` is the mean of the texts' values, here `mean_perplexity`. `word_perplexity`, `byte_perplexity` and
`bits_per_byte` are those of lm-eval-harness.
"""

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from textgauge.core.columns import TEXTS, lengths_of  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.number_columns import TEXTS_OR_NUMBER_LISTS  # From: -e .
from textgauge.core.options import Option, choice  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.models.language_models import LanguageModel, ModelOptions, load_language_model  # From: -e .
from textgauge.models.log_probabilities import log_probabilities  # From: -e .
from textgauge.models.model_options import MODEL_OPTIONS, check_models  # From: -e .
from textgauge.models.token_sequences import tokens  # From: -e .

_BASES = ("e", 2, 10, "probability")
_WIDTH = 11

_PREDICTIONS = TEXTS_OR_NUMBER_LISTS._replace(
    help="one string per text, and a model; or one list per text with the log-probabilities of its tokens from any "
    "program, for which neither torch nor transformers is needed."
)
_TEXTS = TEXTS._replace(
    is_optional=True,
    help="the texts of lists of log-probabilities, for the values per word, character and byte; may be left out.",
)
_CONTEXTS = TEXTS._replace(
    is_optional=True,
    help="the text that each prediction continues or answers. The model reads it without scoring it, so that the score "
    "is that of the prediction given its context; may be left out. Log-probabilities already depend on it.",
)


def statistics(
    predictions: list[Any],
    texts: list[str],
    contexts: list[str],
    *,
    base: str | int,
    language_model: LanguageModel | None = None,
) -> np.ndarray:
    """Returns rows in three parts, (n_segments, 11).

    First: log-likelihood, impossible tokens, tokens. Second, the segment's own perplexity: its value, or 0 if it is
    infinite; 1 if it is infinite; 1 if it has one. Third, if the text is known: log-likelihood, impossible tokens,
    words, characters, bytes.

    An impossible token has probability 0. A log-likelihood leaves it out, because a resample without its row would
    multiply -inf by 0.

    >>> statistics([[-1.0, -3.0]], ["네 좋아요"], [""], base=2).round(4).tolist()
    [[-2.7726, 0.0, 2.0, 4.0, 0.0, 1.0, -2.7726, 0.0, 2.0, 5.0, 13.0]]
    """
    values = predictions
    if language_model is not None:
        texts = predictions
        values = log_probabilities(language_model, texts, contexts)
    counts = lengths_of(values)
    n_segments = len(counts)
    logs = np.fromiter(itertools.chain.from_iterable(values), np.float64, counts.sum())
    logs = _natural(logs, base)
    segment_of_tokens = np.repeat(np.arange(n_segments), counts)
    is_impossible = np.isneginf(logs)
    likelihoods = np.bincount(segment_of_tokens, np.where(is_impossible, 0.0, logs), minlength=n_segments)
    impossible = np.bincount(segment_of_tokens, is_impossible, minlength=n_segments)

    is_scored = counts > 0
    with np.errstate(over="ignore"):
        perplexities = np.exp(-_mean(likelihoods, impossible, counts))
    is_infinite = np.isinf(perplexities)
    is_finite = is_scored & ~is_infinite

    # a text that is empty or has no scored token adds nothing to the values per word
    is_known = is_scored & np.array([bool(text) for text in texts], dtype=bool)
    sizes = [(len(text.split()), len(text), len(text.encode())) for text in texts]
    sizes_of_known = np.array(sizes, np.float64).reshape(-1, 3) * is_known[:, None]

    of_all = [likelihoods, impossible, counts]
    of_own_perplexity = [np.where(is_finite, perplexities, 0.0), is_infinite, is_scored]
    of_known = [likelihoods * is_known, impossible * is_known, sizes_of_known]
    return np.column_stack([*of_all, *of_own_perplexity, *of_known])


def _natural(values: np.ndarray, base: str | int) -> np.ndarray:
    """Returns the natural logarithms of probabilities, which come as logarithms to some base or as they are."""
    if base == "probability":
        with np.errstate(divide="ignore"):
            return np.log(values)
    return values if base == "e" else values * math.log(base)


def _mean(likelihood: np.ndarray, impossible: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Returns log-likelihood / count in [-inf, 0]; nan for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(impossible > 0, -np.inf, likelihood) / count


def score(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Returns perplexities and log-likelihoods for rows of shape (..., 11); `Perplexity` explains each key.

    >>> rows = Perplexity().statistics(predictions=[[0.5, 0.25], [0.0625]], base="probability")
    >>> values = score(rows.sum(0))
    >>> round(values["perplexity"].item(), 4), round(values["mean_perplexity"].item(), 4), values["tokens"].item()
    (5.0397, 9.4142, 3)
    """
    check_width(rows, _WIDTH)
    likelihood, impossible, n_tokens = np.moveaxis(rows[..., :3], -1, 0)
    total, infinite, scored = np.moveaxis(rows[..., 3:6], -1, 0)
    known_likelihood, known_impossible, n_words, n_characters, n_bytes = np.moveaxis(rows[..., 6:], -1, 0)
    per_token = _mean(likelihood, impossible, n_tokens)
    per_word = _mean(known_likelihood, known_impossible, n_words)
    per_character = _mean(known_likelihood, known_impossible, n_characters)
    per_byte = _mean(known_likelihood, known_impossible, n_bytes)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        mean_perplexity = np.where(infinite > 0, np.inf, total) / scored
        perplexity = np.exp(-per_token)
        word_perplexity = np.exp(-per_word)
        byte_perplexity = np.exp(-per_byte)
        cross_entropy_bits = 0.0 - per_token / math.log(2)
        bits_per_byte = 0.0 - per_byte / math.log(2)
    values = {
        "perplexity": perplexity,
        "mean_perplexity": mean_perplexity,
        "log_likelihood": np.where(impossible > 0, -np.inf, likelihood),
        "log_likelihood_per_token": per_token,
        "log_likelihood_per_word": per_word,
        "log_likelihood_per_character": per_character,
        "log_likelihood_per_byte": per_byte,
        "cross_entropy_bits": cross_entropy_bits,
        "word_perplexity": word_perplexity,
        "byte_perplexity": byte_perplexity,
        "bits_per_byte": bits_per_byte,
    }
    counts = {"tokens": n_tokens, "words": n_words, "characters": n_characters, "bytes": n_bytes}
    return values | {name: count.astype(np.int64) for name, count in counts.items()}


def explain(
    predictions: list[Any],
    texts: list[str],
    contexts: list[str],
    *,
    base: str | int,
    language_model: LanguageModel | None = None,
) -> dict[str, Any]:
    """Returns the tokens of one segment that are scored, their natural log-probabilities, and the perplexity.

    Where log-probabilities are passed, `tokens` is empty.

    >>> explained = explain([[0.5, 0.125]], [""], [""], base="probability")
    >>> [round(value, 4) for value in explained["log_probabilities"]], round(explained["perplexity"], 4)
    ([-0.6931, -2.0794], 4.0)
    """
    scored_tokens = []
    [values] = predictions
    if language_model is not None:
        [values] = log_probabilities(language_model, predictions, contexts)
        all_tokens = tokens(language_model, predictions[0], contexts[0])
        scored_tokens = all_tokens[len(all_tokens) - len(values) :]
    logs = _natural(np.array(values), base)
    [row] = statistics([logs], texts, contexts, base="e")
    perplexity = score(row)["perplexity"].item()
    return {"tokens": scored_tokens, "log_probabilities": logs.tolist(), "perplexity": perplexity}


check = check_models


def check_values(predictions: list[list[float]], base: str | int) -> None:
    """Raises InputError for the first value that is not a probability, or not the logarithm of one."""
    lowest, highest, wanted = -np.inf, 0.0, "the logarithm of a probability is at most 0, see the option base"
    if base == "probability":
        lowest, highest, wanted = 0.0, 1.0, "a probability is from 0 to 1, see the option base"
    for row, values in enumerate(predictions):
        if values and not (lowest <= min(values) and max(values) <= highest):
            index = next(index for index, value in enumerate(values) if not lowest <= value <= highest)
            raise InputError(f"predictions[{row}][{index}] is {values[index]!r:.200}; {wanted}")


class Perplexity(TextMetric):
    """Perplexity is the number of equally likely tokens among which a language model would choose at each token.

    Returns:
        perplexity (of the corpus, in [1, inf]), mean_perplexity (mean of the texts' values), log_likelihood
        (natural, the sum over all tokens), log_likelihood_per_token, _per_word, _per_character and _per_byte,
        cross_entropy_bits (per token; 2 to its power is the perplexity), word_perplexity, byte_perplexity,
        bits_per_byte; the numbers of tokens, words, characters and bytes; perplexities (one per text; nan for one
        without a scored token). Without texts the values per word, character and byte are nan.

    Examples:
        >>> perplexity = Perplexity()  # or evaluate.load("./metrics/perplexity.py")
        >>> result = perplexity.compute(predictions=[[0.5] * 8, [0.125]], base="probability")
        >>> round(result["perplexity"], 4), round(result["mean_perplexity"], 4), result["tokens"]
        (2.3331, 5.0, 9)
        >>> perplexity.signature(model_id="gpt2")
        'perplexity|model:gpt2|dtype:auto|start:yes|v1.0'
    """

    CITATION = """\
@article{jelinek-etal-1977-perplexity,
    title = "Perplexity---a measure of the difficulty of speech recognition tasks",
    author = "Jelinek, Fred and Mercer, Robert L. and Bahl, Lalit R. and Baker, James K.",
    journal = "The Journal of the Acoustical Society of America",
    volume = "62",
    number = "S1",
    pages = "S63--S63",
    year = "1977",
}
"""
    COLUMNS = {"predictions": _PREDICTIONS, "texts": _TEXTS, "contexts": _CONTEXTS}
    LOWER_IS_BETTER = True
    HAS_NEGATIVE_ROWS = True  # sums of log-probabilities
    USUAL_RANGE = (1, np.inf)
    OPTIONS = {
        **MODEL_OPTIONS,
        "base": choice(
            "e", "base", "base of the log-probabilities in predictions: `e`, 2, 10; or `probability`.", _BASES
        ),
    }

    def _feature_option(self, columns: dict[str, Any]) -> int:
        """Returns 1 for log-probabilities, 0 for texts and for no rows."""
        return int(not all(isinstance(value, str) for value in columns["predictions"][:1]))

    def _prepare(self, columns: dict[str, Any], options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Loads the model for texts, and checks log-probabilities."""
        has_model = options["model_id"] is not None or options["model"] is not None
        if self._feature_option(columns):
            if has_model:
                raise InputError("predictions are log-probabilities; leave out the model, or pass texts")
            check_values(columns["predictions"], options["base"])
        elif columns["predictions"]:
            if not has_model:
                raise InputError(
                    "predictions are texts; pass model_id, or model and model_tokenizer, to score them, "
                    "or pass the log-probabilities of their tokens"
                )
            if options["base"] != "e" or any(columns["texts"]):
                raise InputError("predictions are texts; base and texts are for log-probabilities")
            model_options = ModelOptions(*[options[name] for name in ModelOptions._fields])
            language_model = load_language_model(model_options)
            if language_model.has_encoder and not any(columns["contexts"]):
                raise InputError(
                    "the model has an encoder and a decoder; pass contexts, which the encoder reads, or a causal "
                    "language model"
                )
            options = {**options, "language_model": language_model}
        return columns, options

    def _finalize(self) -> None:
        """Reads the rows of all processes. Process 0 may have an empty share, without texts or numbers."""
        if not len(self):
            self.selected_feature_format = None
        try:
            super()._finalize()
        except ValueError as error:
            if "empty table" in str(error):  # all shares are empty
                raise InputError("nothing to score: there is no row") from None
            raise

    def _summary(
        self, rows: np.ndarray, options: Mapping[str, Any], resampled: tuple[np.ndarray, int] | None = None
    ) -> dict[str, Any]:
        """Adds the texts' own values under Hugging Face's name."""
        result = super()._summary(rows, options, resampled)
        if not result["tokens"]:
            raise InputError("nothing to score: no text has a token with a probability")
        if options["flat"] is True:
            return result
        return {**result, "perplexities": score(rows)["perplexity"].tolist()}

    def _signed(self, options: dict[str, Any]) -> dict[str, Option]:
        """Returns the options that concern a model, or those that concern log-probabilities."""
        unsaid = {"dtype", "add_start_token", "boundary", "max_length", "stride"}
        if options["model_id"] or options["model"]:
            unsaid = {"base"}
            if options["model"]:
                unsaid.add("dtype")
            if options["boundary"] == self.OPTIONS["boundary"].default:
                unsaid.add("boundary")
        return {name: option for name, option in self.OPTIONS.items() if name not in unsaid}
