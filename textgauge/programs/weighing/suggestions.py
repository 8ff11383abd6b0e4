"""Weights from data: phrases that mark a persona or break it, and phrases that are rare or common."""

from collections import Counter
from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np

from .phrases import Phrase, count_phrases, phrases_of

DIGITS = 3  # of a weight: it is for a person to read and change


class Suggestion(NamedTuple):
    """A phrase with the weight that the data suggest."""

    phrase: Phrase
    weight: float
    counts: tuple[int, ...]  # persona and plain; or documents
    z: float


def log_odds(counts: np.ndarray, prior: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns the log-odds ratio of each phrase between two corpora and its z score, shrunk by a prior.

    Monroe, Colaresi and Quinn (2008), "Fightin' Words", with the informative Dirichlet prior: of `prior` imagined
    phrases each one has the share that it has in both corpora together. nan where there is only one phrase.

    Args:
        counts: (2, n_phrases) occurrences; the ratio is above 0 where the first corpus has more than its share.
        prior: how many phrases are imagined in each corpus.
    """
    imagined = prior * counts.sum(0) / counts.sum()
    of_phrase = counts + imagined
    of_other_phrases = counts.sum(1, keepdims=True) + prior - of_phrase
    if counts.shape[1] == 1:
        of_other_phrases = np.zeros_like(of_phrase)  # and no rounding error of that
    with np.errstate(divide="ignore", invalid="ignore"):
        log_odds_of_sides = np.log(of_phrase / of_other_phrases)
        delta = log_odds_of_sides[0] - log_odds_of_sides[1]
    variance = (1 / of_phrase).sum(0)
    return delta, delta / np.sqrt(variance)


def persona_weights(delta: np.ndarray) -> np.ndarray:
    """Returns weights in [-2, 2] for log-odds ratios, both (n_phrases,).

    With p = 1 / (1 + exp(-delta)), the share of the persona in the uses of a phrase had both corpora the same size:
    2 p from a half up, from 1, the weight of unknown phrases, to 2; and 6 p - 2 below, which is 0 for
    what plain text says twice as often, and -2 for what it alone says.
    """
    share = 1 / (1 + np.exp(-delta))
    return np.where(share >= 0.5, 2 * share, 6 * share - 2)


def suggest_persona(
    persona: Sequence[Sequence[str]],
    plain: Sequence[Sequence[str]],
    *,
    max_tokens: int,
    min_count: int,
    min_z: float,
    prior: float,
) -> list[Suggestion]:
    """Returns all phrases that mark the persona or break it, the strongest z first.

    Args:
        persona: tokens of each sentence of the persona.
        plain: tokens of the same sentences without it.
        max_tokens: longest phrase; those of each length are compared among themselves.
        min_count: occurrences in both together, at least.
        min_z: absolute z, at least.
        prior: as `log_odds` has it.
    """
    suggestions = []
    for order in range(1, max_tokens + 1):
        in_persona = count_phrases(persona, order)
        in_plain = count_phrases(plain, order)
        phrases = sorted(in_persona.keys() | in_plain.keys())
        persona_counts = [in_persona[phrase] for phrase in phrases]
        plain_counts = [in_plain[phrase] for phrase in phrases]
        counts = np.array([persona_counts, plain_counts])
        delta, z = log_odds(counts, prior)
        weights = np.round(persona_weights(delta), DIGITS)
        is_frequent = counts.sum(0) >= min_count
        for i in np.flatnonzero(is_frequent & (np.abs(z) >= min_z)):
            both_counts = (persona_counts[i], plain_counts[i])
            suggestions.append(Suggestion(phrases[i], float(weights[i]), both_counts, float(z[i])))
    return sorted(suggestions, key=lambda suggestion: (-abs(suggestion.z), suggestion.phrase))


def strongest(
    suggestions: Sequence[Suggestion], texts: Sequence[str | None], top: int
) -> tuple[list[Suggestion], list[str | None]]:
    """Returns the strongest suggestions of each direction, and their texts; what has no effect leaves its place.

    A phrase is left out only for a part that is among the result and has a text: one that is written to the file.

    Args:
        suggestions: the strongest first.
        texts: of each phrase; None for one that cannot be written.
        top: most phrases in each direction.
    """
    left = list(zip(suggestions, texts, strict=True))
    while True:
        up = [pair for pair in left if pair[0].z > 0][:top]
        down = [pair for pair in left if pair[0].z < 0][:top]
        chosen = up + down
        written = {suggestion.phrase for suggestion, text in chosen if text}
        effectless = _effectless([suggestion for suggestion, _ in chosen], written)
        if not effectless:
            return [suggestion for suggestion, _ in chosen], [text for _, text in chosen]
        left = [pair for pair in left if pair[0].phrase not in effectless]


def _effectless(suggestions: Sequence[Suggestion], written: Set[Phrase]) -> set[Phrase]:
    """Returns phrases with a written part that weighs as much or more: an n-gram weighs as its heaviest phrase."""
    weights = {suggestion.phrase: suggestion.weight for suggestion in suggestions if suggestion.phrase in written}
    effectless = set()
    for phrase, weight, *_ in suggestions:
        for order in range(1, len(phrase)):
            if any(weights.get(part, -np.inf) >= weight for part in phrases_of(phrase, order)):
                effectless.add(phrase)
    return effectless


def suggest_idf(
    documents: Sequence[Sequence[Sequence[str]]], *, max_tokens: int, min_count: int, top: int | None
) -> list[Suggestion]:
    """Returns phrases with log(documents / those that have it) / log(documents), the most frequent first.

    That is 0 for a phrase in all documents and 1 for a phrase in one document, like n-grams without a phrase.

    Args:
        documents: tokens of each text of each document.
        max_tokens: longest phrase.
        min_count: documents that have the phrase, at least.
        top: most phrases; None for all.
    """
    counts: Counter[Phrase] = Counter()
    for order in range(1, max_tokens + 1):
        for document in documents:
            counts.update({phrase for tokens in document for phrase in phrases_of(tokens, order)})
    frequent = [(count, phrase) for phrase, count in counts.items() if count >= min_count]
    frequent.sort(key=lambda pair: (-pair[0], pair[1]))
    scale = np.log(len(documents))
    suggestions = []
    for count, phrase in frequent[:top]:
        weight = float(1 - np.log(count) / scale)
        suggestions.append(Suggestion(phrase, round(weight, DIGITS), (count,), np.nan))
    return suggestions
