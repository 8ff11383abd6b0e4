"""The words of texts that are compared, and the nearest reference by them.

For WER, and for CER with the unit "mixed".
"""

import itertools
from collections.abc import Callable

import numpy as np

from textgauge.edits.distances import Alignment
from textgauge.tokens.chunks import Chunk, as_strings, split_texts
from textgauge.tokens.tokenizers import chunk_of, tokenize

from .choice import Choice, choose
from .pairs import ComparedTexts, Texts, pair_texts
from .rule import Rule, Sides
from .spacing import take_spacing


def choose_words(compared: ComparedTexts, rule: Rule, with_counts: bool = False) -> tuple[Choice, Sides]:
    """Returns for each segment the closest reference, the prediction and their edits, and what they come from.

    Both are strings with one character for each word, or lists of words. What they come from is the text of every
    reference, and that of its prediction, with the reference's spacing if asked.
    """
    words, sides = _words_of_pairs(compared.predictions, compared.references, rule)
    canonical = None
    if compared.canonical is not None:
        canonical, _ = _words_of_pairs(compared.canonical, [[text] for text in compared.canonical], rule)
    return choose(words, rule, with_counts, canonical), sides


def _words_of_pairs(predictions: list[str], references: list[list[str]], rule: Rule) -> tuple[Texts, Sides]:
    """Returns the words of all pairs, and the texts that they come from."""
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    repeated, flat, counts = _paired(texts, references, rule, rule.clean)
    chunk = chunk_of([*repeated, *flat], [1] * len(flat), rule.tokenizer)
    compares_lists = rule.compares_lists and chunk.lists is not None
    sequences = chunk.lists if compares_lists else as_strings(chunk)
    compared = Texts(sequences[len(flat) :], sequences[: len(flat)], counts)
    if rule.keywords is not None:
        words = _words(chunk, len(flat))
        written_predictions, written_references, _ = _paired(texts, references, rule)
        compared = compared._replace(words=words, written=(written_references, written_predictions))
    elif rule.compounds is not None:
        compared = compared._replace(words=_words(chunk, len(flat)))
    return compared, (flat, repeated)


def align_nearest(compared: ComparedTexts, rule: Rule, with_counts: bool = False) -> tuple[Choice, list[Alignment]]:
    """Returns the closest reference of each segment, and its alignment; see `choose_words`."""
    choice, texts = choose_words(compared, rule, with_counts)
    all_references, repeated_predictions = texts
    nearest = [all_references[pair] for pair in choice.chosen]
    tokens = tokenize(nearest, rule.tokenizer)
    prediction_tokens = tokenize([repeated_predictions[pair] for pair in choice.chosen], rule.tokenizer)
    alignments = []
    for row, pair in enumerate(zip(tokens, prediction_tokens, strict=True)):
        alignments.append(choice.alignment(row, rule.ties, pair))
    return choice, alignments


def _paired(
    texts: list[str], references: list[list[str]], rule: Rule, clean: Callable[[list[str]], list[str]] = list
) -> tuple[list[str], list[str], np.ndarray]:
    """Returns what `pair_texts` does of cleaned texts; predictions have their reference's spacing if asked."""
    repeated, flat, counts = pair_texts(clean(texts), references)
    if rule.space_normalized == "fewest":
        repeated = _with_nearest_spacing(repeated, flat, rule)
    elif rule.space_normalized:
        repeated = take_spacing(repeated, flat)
    return repeated, flat, counts


def _with_nearest_spacing(predictions: list[str], references: list[str], rule: Rule) -> list[str]:
    """Returns each prediction with its reference's spacing, or with its own where that costs fewer edits.

    나가나 would become 나 가나 where the reference is 가, two errors for one.
    """
    respaced = take_spacing(predictions, references)
    changed = [row for row, text in enumerate(respaced) if text != predictions[row]]
    new_edits = dict(zip(changed, _word_edits(respaced, references, changed, rule), strict=True))
    unsure = [row for row in changed if new_edits[row]]  # nothing has fewer edits than none
    for row, edits_before in zip(unsure, _word_edits(predictions, references, unsure, rule), strict=True):
        if edits_before < new_edits[row]:
            respaced[row] = predictions[row]
    return respaced


def _word_edits(predictions: list[str], references: list[str], rows: list[int], rule: Rule) -> list[int]:
    """Returns the word edits of some pairs."""
    rule = rule._replace(keywords=None, space_normalized=False)
    predictions_of_rows = [predictions[row] for row in rows]
    references_of_rows = [[references[row]] for row in rows]
    choice, _ = choose_words(ComparedTexts(predictions_of_rows, references_of_rows), rule)
    return choice.pairs.edits.tolist()


def _words(chunk: Chunk, size: int) -> list[tuple[list[str], list[str]]]:
    """Returns the words of each reference and of its prediction."""
    vocabulary = np.array(chunk.tokens.words(), dtype=object)
    texts = split_texts(vocabulary[chunk.tokens.ids].tolist(), chunk.tokens.lengths)
    return list(zip(texts[size:], texts[:size], strict=True))
