"""Which of several versions of a sentence has the wanted persona: BLEU against weighted BLEU, on held-out sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from evaluate.utils.logging import tqdm

from scoring.inputs import read_column_batches
from scoring.specs import load_metric

from .phrases import phrase_texts
from .phrases import tokenized
from .suggestions import strongest
from .suggestions import suggest_persona

_SEED = 12345
PICKERS: dict[str, dict[str, Any]] = {  # what is compared -> options of weighted_bleu
    "bleu": {},
    "weighted_bleu, negative=literal": {"negative": "literal"},
    "weighted_bleu, negative=penalty": {"negative": "penalty"},
}
Styles = list[dict[str, str]]  # for each sentence its versions by name


def read_styles(data: str, split: str | None, names: Sequence[str]) -> Styles:
    """Returns the versions of each sentence, the plain one first; ValueError names the line of one that is no text."""
    if len(set(names)) < len(names):
        raise ValueError(f"{max(names, key=names.count)} is named twice; pass columns that differ")
    table = next(read_column_batches(data, names, split, None))
    styles: Styles = [{} for _ in table[names[0]].values]
    for name, column in table.items():
        for row, text in enumerate(column.values):
            if text is not None and not isinstance(text, str) or (name == names[0] and not text):
                raise ValueError(f"{column.place(row)}: {column.what} is {text!r:.40}; pass a text")
            if text:
                styles[row][name] = text
    if len(names) < 3:
        raise ValueError("there is nothing to pick from; pass at least two personas")
    return styles


def picked(
    styles: Styles, tokenizer: str, *, max_order: int, max_tokens: int, n_examples: int, n_rows: int
) -> np.ndarray:
    """Returns whether the best version has the wanted persona: (pickers, sentences, personas).

    Ties share the point; nan where a sentence lacks the persona, or has no other.
    """
    train, test = styles[: len(styles) // 2], styles[len(styles) // 2 :][:n_rows]
    if not any(len(row) > 2 for row in test):
        raise ValueError("no row of the second half has two personas to pick from")
    plain, *personas = dict.fromkeys(name for row in styles for name in row)
    metric = load_metric("weighted_bleu")
    options = {"tokenizer": tokenizer, "max_order": max_order, "smooth": "exp" if max_order > 1 else False}
    hits = np.full((len(PICKERS), len(test), len(personas)), np.nan)
    rng = np.random.default_rng(_SEED)
    for index, persona in enumerate(tqdm(personas, desc="personas", delay=2, leave=False)):
        pairs = [row for row in train if persona in row]
        weights = _weights(pairs, plain, persona, tokenizer, max_tokens)
        examples = [pairs[row][persona] for row in rng.permutation(len(pairs))[:n_examples]]
        versions = [(row, name) for row, texts in enumerate(test) for name in texts if name != plain]
        columns = {
            "predictions": [test[row][name] for row, name in versions],
            "references": [[test[row][plain], *examples] for row, _ in versions],
        }
        for picker, more in enumerate(PICKERS.values()):
            given = {**options, **more, "weights": weights if more else None}
            segments = metric.compute(**columns, **given, per_segment=True)["segments"]
            hits[picker, :, index] = _hits(versions, segments, persona, len(test))
    return hits


def _weights(pairs: Styles, plain: str, persona: str, tokenizer: str, max_tokens: int) -> dict[str, float]:
    """Returns the weights that `suggest_weights.py persona` suggests with its defaults."""
    sides = [tokenized([row[name] for row in pairs], tokenizer, False) for name in (persona, plain)]
    found = suggest_persona(*sides, max_tokens=max_tokens, min_count=5, min_z=1.96, prior=100.0)
    texts = phrase_texts([suggestion.phrase for suggestion in found], tokenizer, False)
    found, texts = strongest(found, texts, 200)
    return {text: suggestion.weight for text, suggestion in zip(texts, found, strict=True) if text is not None}


def _hits(versions: Sequence[tuple[int, str]], scores: Sequence[float], persona: str, n_rows: int) -> list[float]:
    """Returns for each row the share of the wanted persona among the versions with the best score."""
    by_row: list[dict[str, float]] = [{} for _ in range(n_rows)]
    for (row, name), score in zip(versions, scores, strict=True):
        by_row[row][name] = score
    hits = []
    for of_row in by_row:
        if persona not in of_row or len(of_row) < 2:
            hits.append(np.nan)
            continue
        best = [name for name, score in of_row.items() if score >= max(of_row.values()) - 1e-12]
        hits.append((persona in best) / len(best))
    return hits
