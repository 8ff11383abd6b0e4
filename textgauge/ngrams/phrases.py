"""Phrases with weights, looked up in all texts of a chunk at once."""

import itertools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.errors import InputError
from textgauge.core.strings import Strings, compact, number_strings, places_among
from textgauge.tokens.chunks import Tokens
from textgauge.tokens.tokenizers import encode

from .counts import remaining_tokens


class Phrases(NamedTuple):
    """The phrases of all tables, table by table."""

    texts: list[str]  # as the user wrote them
    tables: np.ndarray  # (n_phrases,) number of the phrase's table
    lengths: np.ndarray  # (n_phrases,) in tokens
    tokens: np.ndarray  # (n_phrases, longest) indices into the vocabulary, -1 after the end of a phrase
    vocabulary: Strings
    classes: np.ndarray  # (n_phrases,) number of the phrase's weight; larger numbers are larger weights
    weights: np.ndarray  # the weight of each class; class 0 means "no phrase" and weighs 1
    used: np.ndarray  # (n_phrases,) bool, set by `phrase_classes` for phrases that occur


def compile_phrases(tables: Sequence[Mapping[str, float]], tokenize: Callable[[list[str]], list[list[str]]]) -> Phrases:
    """Returns the phrases of all tables, tokenized.

    >>> phrases = compile_phrases([{"방에서": 1.5, "잠을 잔다": 0.5}], lambda texts: list(map(str.split, texts)))
    >>> phrases.lengths.tolist(), phrases.tokens.tolist(), phrases.classes.tolist(), phrases.weights.tolist()
    ([1, 2], [[0, -1], [1, 2]], [2, 1], [1.0, 0.5, 1.5])

    Raises:
        InputError: a phrase without tokens, or two phrases of a table with the same tokens and different weights.
    """
    texts = [phrase for table in tables for phrase in table]
    values = np.array([weight for table in tables for weight in table.values()], dtype=np.float64)
    owners = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    token_lists = tokenize(texts)
    seen: dict[tuple[int, tuple[str, ...]], int] = {}
    for index, (owner, tokens) in enumerate(zip(owners.tolist(), token_lists, strict=True)):
        if not tokens:
            raise InputError(f"weights[{texts[index]!r}]: the tokenizer finds no token in this phrase")
        first = seen.setdefault((owner, tuple(tokens)), index)
        if values[first] != values[index]:
            raise InputError(
                f"weights: {texts[first]!r} and {texts[index]!r} are the same tokens; give them one weight"
            )
    distinct, ranks = np.unique(values, return_inverse=True)
    numbers, vocabulary = number_strings(itertools.chain.from_iterable(token_lists))
    lengths = lengths_of(token_lists)
    matrix = np.full((len(texts), lengths.max(initial=0)), -1, dtype=np.int64)
    matrix[np.arange(matrix.shape[1]) < lengths[:, None]] = numbers
    return Phrases(
        texts=texts,
        tables=owners,
        lengths=lengths,
        tokens=matrix,
        vocabulary=compact(vocabulary),
        classes=ranks + 1,
        weights=np.concatenate([[1.0], distinct]),
        used=np.zeros(len(texts), dtype=bool),
    )


def phrase_classes(tokens: Tokens, table_of: np.ndarray, phrases: Phrases, max_order: int) -> list[np.ndarray]:
    """Returns for each order the class of the n-gram at each token: the largest class of the phrases in it.

    The idea: an n-gram contains the phrases that begin at its first token and fit into it, and those in the n-gram of
    order n - 1 at the next token. The phrases that begin at a token are found in a trie. The trick: the trie is walked
    from all tokens at once, one level for each order. A level is the sorted array of its branches, each one an integer:
    node of the level above x size of the vocabulary + token. The plain version, which compares the phrases with each
    n-gram, is `phrase_weight` of tests/oracles.py.

    Where a text ends before the n-gram does, its class has no meaning.

    >>> phrases = compile_phrases([{"방에서": 1.5, "잠을 잔다": 0.5}], lambda texts: list(map(str.split, texts)))
    >>> classes = phrase_classes(encode(["방에서 잠을 잔다"], "whitespace"), np.array([0]), phrases, max_order=2)
    >>> [phrases.weights[of_order].tolist() for of_order in classes]
    [[1.5, 1.0, 1.0], [1.5, 0.5, 1.0]]

    Args:
        tokens: of a chunk.
        table_of: (n_texts,) number of each text's table.
        phrases: as `compile_phrases` returns them; their `used` is set.
        max_order: highest n.
    """
    if not len(tokens.ids):
        return [np.zeros(0, dtype=np.int64)] * max_order
    size = len(tokens.vocabulary)
    remaining = remaining_tokens(tokens.lengths)
    in_chunk = places_among(phrases.vocabulary, tokens.vocabulary)
    # the phrases of a chunk's tables are neighbours; those with more tokens than the level, in the vocabulary, go on
    first, end = np.searchsorted(phrases.tables, [table_of.min(), table_of.max() + 1])
    live = np.arange(first, end)
    node_of = phrases.tables.astype(np.int64)  # the node that each phrase has reached; at first the root of its table
    # the tokens from which a text goes on as a phrase does, and the nodes that it has reached
    positions = np.arange(len(tokens.ids))
    nodes = np.repeat(table_of, tokens.lengths)
    largest = np.zeros(len(tokens.ids), dtype=np.int64)
    classes = []
    for depth in range(1, max_order + 1):
        if depth > 1:  # an n-gram contains the phrases of the two n-grams of order n - 1 in it
            largest = np.maximum(largest, np.append(largest[1:], 0))
        if depth <= phrases.tokens.shape[1]:
            live = live[phrases.lengths[live] >= depth]
            live = live[in_chunk[phrases.tokens[live, depth - 1]] >= 0]
            steps = node_of[live] * size + in_chunk[phrases.tokens[live, depth - 1]]
            branches, node_of[live] = np.unique(steps, return_inverse=True)

            fits = remaining[positions] >= depth
            positions = positions[fits]
            steps = nodes[fits].astype(np.int64) * size + tokens.ids[positions + depth - 1]
            nodes, is_found = _index_in(branches, steps)
            positions = positions[is_found]
            nodes = nodes[is_found]

            ending = live[phrases.lengths[live] == depth]
            node_classes = _classes_of_nodes(phrases, ending, node_of[ending], nodes, len(branches))
            largest[positions] = np.maximum(largest[positions], node_classes[nodes])
        classes.append(largest)
    return classes


def _classes_of_nodes(
    phrases: Phrases, ending: np.ndarray, ends: np.ndarray, reached: np.ndarray, n_nodes: int
) -> np.ndarray:
    """Returns for each node of a level the class of the phrase that ends there, 0 for none; sets `used` of phrases.

    Args:
        phrases: all of them.
        ending: those that end on this level.
        ends: their nodes.
        reached: nodes that texts have reached.
        n_nodes: of the level.
    """
    class_of = np.zeros(n_nodes, dtype=np.int64)
    class_of[ends] = phrases.classes[ending]
    is_reached = np.bincount(reached, minlength=n_nodes) > 0
    # sets what occurs and reads nothing: several threads do so at once
    phrases.used[ending[is_reached[ends]]] = True
    return class_of


def _index_in(branches: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns where each step is among the sorted branches, and whether it is there."""
    if not len(branches):
        return np.zeros(len(steps), dtype=np.intp), np.zeros(len(steps), dtype=bool)
    largest = max(branches[-1], steps.max(initial=0))
    if largest < len(steps):  # few possible numbers, as at the root of one table for all segments: faster than a search
        index_of = np.full(largest + 1, -1, dtype=np.intp)
        index_of[branches] = np.arange(len(branches))
        index = index_of[steps]
        return index, index >= 0
    index = np.minimum(np.searchsorted(branches, steps), len(branches) - 1)
    return index, branches[index] == steps


def ngram_weights(text: str, tables: np.ndarray, phrases: Phrases, tokenizer: Any, max_order: int) -> list[list[float]]:
    """Returns for each order the weight of the n-gram at each token of a text; `tables` is (1,), its table's number.

    >>> phrases = compile_phrases([{"잠을 잔다": 0.5}], lambda texts: list(map(str.split, texts)))
    >>> ngram_weights("방에서 잠을 잔다", np.array([0]), phrases, "whitespace", max_order=2)
    [[1.0, 1.0, 1.0], [1.0, 0.5]]
    """
    classes = phrase_classes(encode([text], tokenizer), tables, phrases, max_order)
    weights = []
    for n_behind, order_classes in enumerate(classes):
        n_ngrams = max(0, len(order_classes) - n_behind)
        weights.append(phrases.weights[order_classes[:n_ngrams]].tolist())
    return weights


def missed_phrases(tokens: list[str], prediction: list[str], weights: list[list[float]]) -> list[list]:
    """Returns the phrases of a reference that the prediction lacks, [start, number of tokens, weight].

    An n-gram weighs as much as the heaviest phrase in it: a phrase is where a weight comes up that neither of the two
    shorter n-grams inside has.

    >>> missed_phrases(["방에서", "잠을", "잔다"], ["방에서", "잔다"], [[1.0, 1.0, 1.0], [1.0, 0.5]])
    [[1, 2, 0.5]]
    """
    missed = []
    shorter_weights = [1.0] * (len(tokens) + 1)
    for order, order_weights in enumerate(weights, start=1):
        predicted = {tuple(prediction[start : start + order]) for start in range(len(prediction) - order + 1)}
        for start, weight in enumerate(order_weights):
            is_phrase = weight not in (1.0, shorter_weights[start], shorter_weights[start + 1])
            if is_phrase and tuple(tokens[start : start + order]) not in predicted:
                missed.append([start, order, weight])
        shorter_weights = order_weights
    return missed


def warn_of_long_phrases(phrases: Phrases, max_order: int) -> None:
    """Warns of phrases with more tokens than the longest n-gram has: no n-gram contains them."""
    too_long = np.flatnonzero(phrases.lengths > max_order)
    if len(too_long):
        longest = too_long[phrases.lengths[too_long].argmax()]
        warnings.warn(
            f"weights: {len(too_long)} of {len(phrases.texts)} phrases have more than max_order={max_order} tokens and "
            f"act on nothing, such as {phrases.texts[longest]!r} with {phrases.lengths[longest]}",
            stacklevel=3,
        )


def unused_phrases(phrases: Phrases) -> list[str]:
    """Returns the phrases that occur in no n-gram of any text, each once.

    >>> unused_phrases(compile_phrases([{"잠을 잔다": 0.5}], lambda texts: list(map(str.split, texts))))
    ['잠을 잔다']
    """
    used = {text for text, is_used in zip(phrases.texts, phrases.used.tolist(), strict=True) if is_used}
    return [text for text in dict.fromkeys(phrases.texts) if text not in used]
