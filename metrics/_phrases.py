"""Phrases with weights: read and checked, and found in token arrays for the whole chunk at once."""

import csv
import functools
import hashlib
import io
import json
import numbers
import os
from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._columns import lengths_of

_LIMIT = 2.0  # Oh et al., section 3: weights in [-2, 2]


class Phrases(NamedTuple):
    """The phrases of all tables, ordered by table."""

    texts: list[str]  # as the user wrote them
    tables: np.ndarray  # (n_phrases,) table that the phrase belongs to
    lengths: np.ndarray  # (n_phrases,) in tokens
    tokens: np.ndarray  # (n_phrases, longest) index into the vocabulary, -1 behind the end
    vocabulary: pa.Array
    classes: np.ndarray  # (n_phrases,) the larger the class, the larger the weight
    weights: np.ndarray  # weight of each class; class 0 is "no phrase" and weighs 1
    used: np.ndarray  # (n_phrases,) bool, set by `phrase_classes` once the phrase occurs


def read_weights(weights: Any) -> dict[str, float] | list[dict[str, float]]:
    """Returns an option `weights` as one table for the whole corpus, or a list of tables, one per segment.

    Args:
        weights: a dict phrase -> weight, a list of such dicts, or the path of a file: JSON with either of these, or TSV
            or CSV with a phrase and a weight per line. None is an empty table.

    Raises:
        ValueError: names the phrase (or file and line) and what is wrong with it.
    """
    name = "weights"
    if isinstance(weights, (str, Path)):
        weights, name = _read_file(Path(weights)), str(weights)
    if isinstance(weights, (list, tuple)) and all(isinstance(table, Mapping) for table in weights):
        places = {id(table): f"{name}[{row}]" for row, table in reversed(list(enumerate(weights)))}
        tables = {id(table): table for table in weights}
        checked = {key: _checked_table(tables[key], place) for key, place in places.items()}
        return [checked[id(table)] for table in weights]
    if weights is None or isinstance(weights, Mapping):
        return _checked_table(weights or {}, name)
    raise ValueError(f"{name} is {weights!r:.60}; pass a dict phrase -> weight, a list of dicts, or a file's path")


def _checked_table(table: Mapping[Any, Any], name: str) -> dict[str, float]:
    """Returns a table of weights; ValueError names the phrase that is wrong."""
    for phrase, weight in table.items():
        if not isinstance(phrase, str) or any("\ud800" <= character <= "\udfff" for character in phrase):
            raise ValueError(f"{name} has the key {phrase!r}; a phrase is a string of valid Unicode")
        is_number = isinstance(weight, numbers.Real) and not isinstance(weight, (bool, np.bool_))
        if not is_number or not -_LIMIT <= weight <= _LIMIT:
            raise ValueError(f"{name}[{phrase!r}] is {weight!r}; pass a number in [-{_LIMIT:g}, {_LIMIT:g}]")
    return {phrase: float(weight) for phrase, weight in table.items()}


def _read_file(path: Path) -> Any:
    """Reads weights from JSON, or from TSV or CSV with a phrase and a weight per line (a heading line is skipped)."""
    if not os.path.isfile(path):  # pathlib's fails for a name that is too long
        raise ValueError(f"weights is {str(path)!r}, and there is no such file")
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".json":
            # int fails for thousands of digits
            return json.loads(text, object_pairs_hook=functools.partial(_without_repetition, path), parse_int=float)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    except RecursionError:
        raise ValueError(f"{path} is nested too deep; pass a dict phrase -> weight, or a list of dicts") from None
    return _without_repetition(path, _read_lines(path, text))


def _read_lines(path: Path, text: str) -> list[tuple[str, float]]:
    """Returns the phrase and the weight on each line of TSV or CSV, without a heading."""
    is_csv = path.suffix.lower() == ".csv"
    lines = csv.reader(
        io.StringIO(text, newline=""),
        delimiter="," if is_csv else "\t",
        quoting=csv.QUOTE_MINIMAL if is_csv else csv.QUOTE_NONE,
    )
    pairs = []
    try:
        for line in lines:
            if not line or (lines.line_num == 1 and line[1:] == ["weight"]):
                continue
            phrase, weight = line
            pairs.append((phrase, float(weight)))
    except csv.Error as error:  # such as a phrase longer than a field may be
        raise ValueError(f"{path}, line {lines.line_num}: {error}") from None
    except ValueError:
        raise ValueError(f"{path}, line {lines.line_num}: {line!r}; a line is a phrase and its weight") from None
    return pairs


def _without_repetition(path: Path, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Returns pairs as a dict; ValueError for a phrase that stands there twice."""
    table = dict(pairs)
    if len(table) < len(pairs):
        (twice, _), *_ = Counter(phrase for phrase, _ in pairs).most_common(1)
        raise ValueError(f"{path}: {twice!r} stands there twice; give each phrase one weight")
    return table


def compile_phrases(tables: Sequence[Mapping[str, float]], tokenize: Callable[[list[str]], list[list[str]]]) -> Phrases:
    """Tokenizes the phrases of all tables.

    Raises:
        ValueError: a phrase without tokens, or two phrases of a table with the same tokens and different weights.
    """
    texts = [phrase for table in tables for phrase in table]
    values = np.array([weight for table in tables for weight in table.values()], dtype=np.float64)
    owners = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    token_lists = tokenize(texts)
    seen: dict[tuple[int, tuple[str, ...]], int] = {}
    for index, (owner, tokens) in enumerate(zip(owners.tolist(), token_lists, strict=True)):
        if not tokens:
            raise ValueError(f"weights[{texts[index]!r}]: the tokenizer finds no token in this phrase")
        first = seen.setdefault((owner, tuple(tokens)), index)
        if values[first] != values[index]:
            raise ValueError(
                f"weights: {texts[first]!r} and {texts[index]!r} are the same tokens; give them one weight"
            )
    distinct, ranks = np.unique(values, return_inverse=True)
    flat = pa.array([token for tokens in token_lists for token in tokens], pa.large_string()).dictionary_encode()
    lengths = lengths_of(token_lists)
    matrix = np.full((len(texts), lengths.max(initial=0)), -1, dtype=np.int64)
    matrix[np.arange(matrix.shape[1]) < lengths[:, None]] = flat.indices.to_numpy()
    return Phrases(
        texts=texts,
        tables=owners,
        lengths=lengths,
        tokens=matrix,
        vocabulary=flat.dictionary,
        classes=ranks + 1,
        weights=np.concatenate([[1.0], distinct]),
        used=np.zeros(len(texts), dtype=bool),
    )


def phrase_classes(tokens: Any, table_of: np.ndarray, phrases: Phrases, max_order: int) -> list[np.ndarray]:
    """Returns for each order the class of the n-gram at each position: the largest of any phrase that it contains.

    A trie of all phrases is walked from every position at once, one token deeper for each order. Where no n-gram of
    that order fits before the text ends, the class has no meaning.

    Args:
        tokens: `Tokens` of a chunk.
        table_of: (n_texts,) table of phrases for each text.
        phrases: as compiled; their `used` is set.
        max_order: highest n.
    """
    if not len(tokens.ids):
        return [np.zeros(0, dtype=np.int64)] * max_order
    size = len(tokens.vocabulary)
    remaining = np.repeat(np.cumsum(tokens.lengths), tokens.lengths) - np.arange(len(tokens.ids))
    in_chunk = pc.fill_null(pc.index_in(phrases.vocabulary, tokens.vocabulary), -1).to_numpy().astype(np.int64)
    # the phrases of a chunk's tables are neighbours
    live = np.arange(*np.searchsorted(phrases.tables, [table_of.min(), table_of.max() + 1]))
    node_of = phrases.tables.copy()  # node that each phrase has reached; first the root of its table
    positions, nodes = np.arange(len(tokens.ids)), np.repeat(table_of, tokens.lengths)  # where texts follow a phrase
    largest = np.zeros(len(tokens.ids), dtype=np.int64)
    classes = []
    for depth in range(1, max_order + 1):
        if depth > 1:  # an n-gram contains what its two shorter ones contain
            largest = np.maximum(largest, np.append(largest[1:], 0))
        if depth <= phrases.tokens.shape[1]:
            live = live[phrases.lengths[live] >= depth]
            live = live[in_chunk[phrases.tokens[live, depth - 1]] >= 0]
            steps = node_of[live] * size + in_chunk[phrases.tokens[live, depth - 1]]
            branches, node_of[live] = np.unique(steps, return_inverse=True)

            fits = remaining[positions] >= depth
            positions, nodes = positions[fits], nodes[fits]
            nodes, found = _index_in(branches, nodes * size + tokens.ids[positions + depth - 1])
            positions, nodes = positions[found], nodes[found]

            ending = live[phrases.lengths[live] == depth]
            class_of = np.zeros(len(branches), dtype=np.int64)
            class_of[node_of[ending]] = phrases.classes[ending]
            largest[positions] = np.maximum(largest[positions], class_of[nodes])
            is_reached = np.bincount(nodes, minlength=len(branches)) > 0
            phrases.used[ending] |= is_reached[node_of[ending]]
        classes.append(largest)
    return classes


def _index_in(branches: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the index of each step among the sorted branches, and whether it is there."""
    if not len(branches):
        return np.zeros_like(steps), np.zeros(len(steps), dtype=bool)
    largest = max(branches[-1], steps.max(initial=0))
    if largest < len(steps):  # as at the root of a table for all rows: faster than a search
        index_of = np.full(largest + 1, -1)
        index_of[branches] = np.arange(len(branches))
        index = index_of[steps]
        return index, index >= 0
    index = np.minimum(np.searchsorted(branches, steps), len(branches) - 1)
    return index, branches[index] == steps


def unused_phrases(phrases: Phrases) -> list[str]:
    """Returns the phrases that no n-gram of any text contained, each once."""
    used = {text for text, is_used in zip(phrases.texts, phrases.used.tolist(), strict=True) if is_used}
    return [text for text in dict.fromkeys(phrases.texts) if text not in used]


def weights_text(weights: Any) -> str:
    """Writes weights into a signature: how many phrases, and a digest of the tables."""
    tables = read_weights(weights)
    if not tables:
        return "none"
    count = len(tables) if isinstance(tables, dict) else sum(map(len, tables))
    digest = hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()[:8]
    return f"table({count},{digest})"
