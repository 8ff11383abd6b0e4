"""The words of texts that are compared, and the nearest reference by them.

For WER, and for CER with the unit "mixed".
"""

import itertools

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.korean.reading_networks import Alignment
from textgauge.korean.readings import has_notation, read_texts
from textgauge.tokens.chunks import Chunk, as_strings, split_texts
from textgauge.tokens.tokenizers import chunk_of, tokenize

from .choice import Choice, choose
from .pairs import Texts, repeat
from .rule import Rule, Sides
from .spacing import take_read_spacing, take_spacing


def choose_words(
    predictions: list[str], references: list[list[str]], rule: Rule, with_counts: bool = False
) -> tuple[Choice, Sides]:
    """Returns for each segment the closest reference, the prediction and their edits, and what they come from.

    Both are strings with one character for each word, or lists of words. What they come from is the text of every
    reference, and that of its prediction, with the reference's spacing if asked.
    """
    counts = lengths_of(references)
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    if rule.readings is None:
        repeated, flat = _paired(rule.clean(texts), counts, rule)
    else:
        written = _paired(texts, counts, rule)
        repeated, flat = map(rule.clean, written)
    chunk = chunk_of([*repeated, *flat], [1] * len(flat), rule.tokenizer)
    compares_lists = rule.compares_lists and chunk.lists is not None
    sequences = chunk.lists if compares_lists else as_strings(chunk)
    compared = Texts(sequences[len(flat) :], sequences[: len(flat)], counts)
    if rule.readings is not None:
        compared = compared._replace(written=written[::-1])
    elif rule.keywords is not None:
        words = _words(chunk, len(flat))
        compared = compared._replace(words=words, written=_paired(texts, counts, rule)[::-1])
    elif rule.compounds is not None:
        compared = compared._replace(words=_words(chunk, len(flat)))
    choice = choose(compared, rule, with_counts)
    if rule.readings is not None and rule.space_normalized:  # without readings predictions are spaced otherwise
        as_written = rule._replace(readings=None, keywords=None, finder=None)
        literal, _ = choose_words(predictions, references, as_written, with_counts)
        choice = choice._replace(bare={**choice.bare, "literal": literal.pairs})
    return choice, (flat, repeated)


def align_nearest(
    predictions: list[str], references: list[list[str]], rule: Rule, with_counts: bool = False
) -> tuple[Choice, list[Alignment]]:
    """Returns the closest reference of each segment, and its alignment."""
    if rule.fillers.are_dropped:
        predictions, references = rule.fillers.drop_from(predictions, references)
    choice, texts = choose_words(predictions, references, rule, with_counts)
    all_references, repeated_predictions = texts
    nearest = [all_references[pair] for pair in choice.chosen]
    tokens = tokenize(nearest, rule.tokenizer)
    prediction_tokens = tokenize([repeated_predictions[pair] for pair in choice.chosen], rule.tokenizer)
    alignments = []
    for row, pair in enumerate(zip(tokens, prediction_tokens, strict=True)):
        alignments.append(choice.alignment(row, rule.ties, pair))
    return choice, alignments


def _paired(texts: list[str], counts: np.ndarray, rule: Rule) -> tuple[list[str], list[str]]:
    """Returns for each reference the prediction of its segment, with the reference's spacing if asked, and it."""
    repeated = texts[: len(counts)]
    flat = texts[len(counts) :]
    if len(flat) > len(counts):
        repeated = repeat(repeated, counts)
    if rule.space_normalized:
        repeated = _respaced(repeated, flat, rule)
    return repeated, flat


def _respaced(predictions: list[str], references: list[str], rule: Rule) -> list[str]:
    """Returns each prediction with its reference's spacing, or with its own where that costs fewer edits.

    ESPnet's script always takes the reference's: 나가나 becomes 나 가나 where the reference is 가, two errors for one.
    """
    respaced = take_spacing(predictions, references)
    if rule.readings is not None:
        is_read = has_notation(predictions, rule.readings, rule.cleaning.marks)
        is_reference_read = has_notation(references, rule.readings, rule.cleaning.marks)
        for row in np.flatnonzero(np.logical_or(is_read, is_reference_read)).tolist():
            prediction, reference = read_texts([predictions[row], references[row]], rule.readings, rule.cleaning)
            respaced[row] = take_read_spacing(prediction, reference)

    changed = [row for row, text in enumerate(respaced) if text != predictions[row]]
    new_edits = dict(zip(changed, _word_edits(respaced, references, changed, rule), strict=True))
    unsure = [row for row in changed if new_edits[row]]  # nothing has fewer edits than none
    for row, edits_before in zip(unsure, _word_edits(predictions, references, unsure, rule), strict=True):
        if edits_before < new_edits[row]:
            respaced[row] = predictions[row]
    return respaced


def _word_edits(predictions: list[str], references: list[str], rows: list[int], rule: Rule) -> list[int]:
    """Returns the word edits of some pairs, with readings if these are asked for."""
    rule = rule._replace(keywords=None, finder=None, space_normalized=False)
    predictions_of_rows = [predictions[row] for row in rows]
    references_of_rows = [[references[row]] for row in rows]
    choice, _ = choose_words(predictions_of_rows, references_of_rows, rule)
    return choice.pairs.edits.tolist()


def _words(chunk: Chunk, size: int) -> list[tuple[list[str], list[str]]]:
    """Returns the words of each reference and of its prediction."""
    vocabulary = np.array(chunk.tokens.words(), dtype=object)
    texts = split_texts(vocabulary[chunk.tokens.ids].tolist(), chunk.tokens.lengths)
    return list(zip(texts[size:], texts[:size], strict=True))
