"""Phrases with weights, looked up in all texts of a chunk at once."""

import itertools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.errors import InputError
from textgauge.core.phrase_counts import PhraseCounts
from textgauge.core.strings import Strings, compact, number_strings, places_among
from textgauge.tokens.chunks import Tokens
from textgauge.tokens.tokenizers import encode

from .counts import remaining_tokens

_FEW_WORDS = 1024  # of phrases: these are looked up one by one


class Phrases(NamedTuple):
    """The phrases of all tables, table by table."""

    texts: list[str]  # as the user wrote them
    tables: np.ndarray  # (n_phrases,) number of the phrase's table
    lengths: np.ndarray  # (n_phrases,) in tokens
    tokens: np.ndarray  # (n_phrases, longest) indices into the vocabulary, -1 after the end of a phrase
    vocabulary: Strings
    classes: np.ndarray  # (n_phrases,) number of the phrase's weight; larger numbers are larger weights
    weights: np.ndarray  # the weight of each class; class 0 means "no phrase" and weighs 1
    table: list[str]  # the texts, each once
    places: np.ndarray  # (n_phrases,) where each text is there
    copies: list[tuple[int, int]]  # phrases with the tokens of an earlier one of their table, which follows


def compile_phrases(tables: Sequence[Mapping[str, float]], tokenize: Callable[[list[str]], list[list[str]]]) -> Phrases:
    """Returns the phrases of all tables, tokenized.

    >>> phrases = compile_phrases([{"방에서": 1.5, "잠을 잔다": 0.5}], lambda texts: list(map(str.split, texts)))
    >>> phrases.lengths.tolist(), phrases.tokens.tolist(), phrases.classes.tolist(), phrases.weights.tolist()
    ([1, 2], [[0, -1], [1, 2]], [2, 1], [1.0, 0.5, 1.5])

    Raises:
        InputError: a phrase without tokens, or two phrases of a table with the same tokens and different weights.
    """
    texts = list(itertools.chain.from_iterable(tables))
    values = [weight for table in tables for weight in table.values()]
    owners = np.repeat(np.arange(len(tables)), lengths_of(tables))
    token_lists = tokenize(texts)
    copies = _copies(texts, values, owners, token_lists)
    index_of = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    distinct = sorted(set(values))
    class_of = {weight: number for number, weight in enumerate(distinct, start=1)}
    numbers, vocabulary = number_strings(itertools.chain.from_iterable(token_lists))
    lengths = lengths_of(token_lists)
    matrix = np.full((len(texts), lengths.max(initial=0)), -1, dtype=np.int64)
    matrix[np.arange(matrix.shape[1]) < lengths[:, None]] = numbers
    classes = np.array([class_of[weight] for weight in values], dtype=np.int64)
    places = np.array([index_of[text] for text in texts], dtype=np.int64)
    if len(vocabulary) >= _FEW_WORDS:
        vocabulary = compact(vocabulary)
    return Phrases(
        texts=texts,
        tables=owners,
        lengths=lengths,
        tokens=matrix,
        vocabulary=vocabulary,
        classes=classes,
        weights=np.array([1.0, *distinct]),
        table=list(index_of),
        places=places,
        copies=copies,
    )


def _copies(
    texts: Sequence[str], values: Sequence[float], owners: np.ndarray, token_lists: Sequence[list[str]]
) -> list[tuple[int, int]]:
    """Returns the phrases with the tokens of an earlier one of their table, and that one; raises InputError."""
    seen: dict[tuple[int, tuple[str, ...]], int] = {}
    copies = []
    for index, (owner, tokens) in enumerate(zip(owners.tolist(), token_lists, strict=True)):
        if not tokens:
            raise InputError(f"weights[{texts[index]!r:.200}]: the tokenizer finds no token in this phrase")
        first = seen.setdefault((owner, tuple(tokens)), index)
        if first != index:
            copies.append((index, first))
        if values[first] != values[index]:
            raise InputError(
                f"weights: {texts[first]!r:.200} and {texts[index]!r:.200} are the same tokens; give them one weight"
            )
    return copies


class Occurrences(NamedTuple):
    """Where phrases are in the texts of a chunk; arrays are (n_occurrences,)."""

    tokens: np.ndarray  # the first token of each
    phrases: np.ndarray  # of several with the same tokens the first one


def phrase_classes(
    tokens: Tokens, table_of: np.ndarray, phrases: Phrases, max_order: int
) -> tuple[np.ndarray, Occurrences]:
    """Returns for each order the class of the n-gram at each token: the largest class of the phrases in it.

    The classes are (max_order, n_tokens). Also returns where phrases of at most `max_order` tokens are.

    The idea: an n-gram contains the phrases that begin at its first token and fit into it, and those in the n-gram of
    order n - 1 at the next token. The phrases that begin at a token are found in a trie. The trick: the trie is walked
    from all tokens at once, one level for each order. A level is the sorted array of its branches, each one an integer:
    node of the level above x size of the vocabulary + token. The plain version, which compares the phrases with each
    n-gram, is `phrase_weight` of tests/oracles.py.

    Where a text ends before the n-gram does, its class has no meaning.

    >>> phrases = compile_phrases([{"방에서": 1.5, "잠을 잔다": 0.5}], lambda texts: list(map(str.split, texts)))
    >>> tokens = encode(["방에서 잠을 잔다"], "whitespace")
    >>> classes, found = phrase_classes(tokens, np.array([0]), phrases, max_order=2)
    >>> phrases.weights[classes].tolist()
    [[1.5, 1.0, 1.0], [1.5, 0.5, 1.0]]
    >>> found.tokens.tolist(), found.phrases.tolist()
    ([0, 1], [0, 1])

    Args:
        tokens: of a chunk.
        table_of: (n_texts,) number of each text's table.
        phrases: as `compile_phrases` returns them.
        max_order: highest n.
    """
    if not len(tokens.ids):
        return np.zeros((max_order, 0), dtype=np.int64), _joined([])
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
    classes, occurrences = [], []
    for depth in range(1, max_order + 1):
        if depth > 1:  # an n-gram contains the phrases of the two n-grams of order n - 1 in it
            largest = np.maximum(largest, np.append(largest[1:], 0))
        if depth <= phrases.tokens.shape[1]:
            live = live[phrases.lengths[live] >= depth]
            next_tokens = in_chunk[phrases.tokens[live, depth - 1]]
            live = live[next_tokens >= 0]
            steps = node_of[live] * size + next_tokens[next_tokens >= 0]
            branches, node_of[live] = np.unique(steps, return_inverse=True)

            fits = remaining[positions] >= depth
            positions = positions[fits]
            steps = nodes[fits].astype(np.int64) * size + tokens.ids[positions + depth - 1]
            nodes, is_found = _index_in(branches, steps)
            positions = positions[is_found]
            nodes = nodes[is_found]

            ending = live[phrases.lengths[live] == depth]
            found = _ending_at(positions, nodes, ending, node_of[ending], len(branches))
            largest[found.tokens] = np.maximum(largest[found.tokens], phrases.classes[found.phrases])
            occurrences.append(found)
        classes.append(largest)
    return np.stack(classes), _joined(occurrences)


def _ending_at(
    positions: np.ndarray, nodes: np.ndarray, ending: np.ndarray, ends: np.ndarray, n_nodes: int
) -> Occurrences:
    """Returns which phrases end on a level of the trie in texts; of several with the same tokens it is the first one.

    Args:
        positions: of tokens from which a text goes on as a phrase does.
        nodes: that it has reached from there.
        ending: phrases that end on the level.
        ends: their nodes.
        n_nodes: of the level.
    """
    phrase_at = np.full(n_nodes, -1)
    phrase_at[ends[::-1]] = ending[::-1]  # what is assigned last stays
    found = phrase_at[nodes]
    is_phrase = found >= 0
    return Occurrences(positions[is_phrase], found[is_phrase])


def _joined(parts: Sequence[Occurrences]) -> Occurrences:
    nothing = np.zeros(0, dtype=np.int64)
    tokens = [part.tokens for part in parts]
    phrases = [part.phrases for part in parts]
    return Occurrences(np.concatenate([nothing, *tokens]), np.concatenate([nothing, *phrases]))


def count_occurrences(found: Occurrences, segment_of: np.ndarray, n_segments: int, phrases: Phrases) -> PhraseCounts:
    """Returns which phrases each segment has, an entry each time; none is wanted, since none has to be in a reference.

    `segment_of` has the segment of each token, (n_tokens,).

    >>> phrases = compile_phrases([{"방에서": 1.5, "잠을": 0.5}], lambda texts: list(map(str.split, texts)))
    >>> found = Occurrences(tokens=np.array([0, 5, 3]), phrases=np.array([0, 1, 1]))
    >>> counts = count_occurrences(found, np.array([0, 0, 0, 1, 1, 1]), 2, phrases)
    >>> counts.sizes.tolist(), counts.phrases.tolist()
    ([1, 2], [0, 1, 1])
    """
    for copy, first in phrases.copies:
        again = found.tokens[found.phrases == first]
        found = _joined([found, Occurrences(again, np.full(len(again), copy))])
    segments = segment_of[found.tokens]
    sizes = np.bincount(segments.astype(np.intp), minlength=n_segments)  # a browser has indices of 32 bits
    order = np.argsort(segments, kind="stable")
    nothing = np.zeros(len(order), dtype=np.int64)
    return PhraseCounts(
        table=phrases.table,
        sizes=sizes,
        phrases=phrases.places[found.phrases[order]],
        wanted=nothing,
        missed=nothing,
    )


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
    classes, _ = phrase_classes(encode([text], tokenizer), tables, phrases, max_order)
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
            f"have no effect, such as {phrases.texts[longest]!r} with {phrases.lengths[longest]}",
            stacklevel=3,
        )
