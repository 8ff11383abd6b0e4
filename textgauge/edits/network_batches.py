"""The fewest edits between two networks of characters, for many pairs of networks at once.

The idea: the table of edits between two networks is filled row by row, and a row cell by cell, as for one pair. The
trick: all pairs of a batch are filled together, so that a step is one operation on an array with a number for each
pair. Most nodes follow the node before them; where one does not, it is looked up for the pairs that have it. A batch
has pairs of about one size; what a pair has less than the largest one is filled, and never read.

The plain version is `DistanceTable`, which fills the table of one pair, leaves out what is beyond a limit, and knows
the way back.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of

from .networks import NO_WORD, Network

FEWEST_PAIRS = 64  # of a batch; fewer are faster one by one
_BATCH_PAIRS = 512  # of a batch
_BATCH_CELLS = 2**23  # of a batch
_LARGEST_NETWORK = 2**12  # of a network, so that costs are small integers
_UNREACHED = 2**14  # more than any cost


class _Nodes(NamedTuple):
    """The nodes of one network of each pair; arrays are (n_nodes, n_pairs).

    Attributes:
        characters: of the label that leads to a node.
        tags: number of what the label may equal, 0 for anything.
        are_guarded: whether it equals nothing that has no tag.
        are_joins: whether paths join in a node, so that no label leads there.
        sources: for each node the nodes before it, (n_sources, n_pairs); where these are fewer, one stands again.
        last: (n_pairs,) the last node.
    """

    characters: np.ndarray
    tags: np.ndarray
    are_guarded: np.ndarray
    are_joins: np.ndarray
    sources: list[np.ndarray]
    last: np.ndarray


def count_fewest_of_batches(references: Sequence[Network], predictions: Sequence[Network]) -> list[int | None]:
    """Returns for each pair the fewest edits between any path of one network and any path of the other.

    The networks are of characters. A pair has None where too few others are of its size: it is faster alone.

    >>> either = Network([(), ((0, "삼"),), ((0, "세"),), ((1, NO_WORD), (2, NO_WORD)), ((3, "개"),)])
    >>> three = Network([(), ((0, "세"),)])
    >>> set(count_fewest_of_batches([either] * 64, [three] * 64)), count_fewest_of_batches([either], [three])
    ({1}, [None])
    """
    sizes = lengths_of([network.arcs for network in references])
    predicted_sizes = lengths_of([network.arcs for network in predictions])
    fewest: list[int | None] = [None] * len(references)
    order = np.argsort(sizes + predicted_sizes, kind="stable")
    order = order[np.maximum(sizes, predicted_sizes)[order] <= _LARGEST_NETWORK]
    while len(order) >= FEWEST_PAIRS:
        # as many pairs as fit if all have as many nodes as the largest ones
        most_rows = np.maximum.accumulate(sizes[order])
        most_columns = np.maximum.accumulate(predicted_sizes[order])
        cells = most_rows * most_columns * np.arange(1, len(order) + 1, dtype=np.int64)
        n_pairs = min(_BATCH_PAIRS, int(np.count_nonzero(cells <= _BATCH_CELLS)))
        if n_pairs < FEWEST_PAIRS:
            break  # all that follow are as large
        batch = order[:n_pairs].tolist()
        order = order[n_pairs:]
        counts = _fewest_of_batch([references[pair] for pair in batch], [predictions[pair] for pair in batch])
        for pair, edits in zip(batch, counts.tolist(), strict=True):
            fewest[pair] = edits
    return fewest


def _fewest_of_batch(references: Sequence[Network], predictions: Sequence[Network]) -> np.ndarray:
    """Returns the fewest edits of each pair, (n_pairs,)."""
    tag_numbers = {"": 0}
    rows = _nodes_of(references, tag_numbers)
    columns = _nodes_of(predictions, tag_numbers)
    n_rows, n_pairs = rows.characters.shape
    n_columns = len(columns.characters)
    pairs = np.arange(n_pairs)
    places = [sources * n_pairs + pairs for sources in columns.sources]  # in a row, as one array
    steps = (~columns.are_joins).astype(np.int16)
    diagonal_places = np.array([of_column[0] for of_column in places])

    table = np.empty((n_rows, n_columns, n_pairs), dtype=np.int16)
    table[0] = _UNREACHED
    table[0, 0] = 0
    _lower_by_insertions(table[0], places, steps)
    for row in range(1, n_rows):
        sources = rows.sources[row]
        above = table[row - 1]
        turning = np.flatnonzero((sources != row - 1).any(axis=0))  # pairs in which other rows lead to this one
        if len(turning):
            above = above.copy()
            above[:, turning] = table[sources[:, turning], :, turning].min(axis=0).T

        diagonal = above.ravel()[diagonal_places]
        diagonal += ~_labels_equal(rows, row, columns)
        diagonal[0] = _UNREACHED
        cells = table[row]
        np.minimum(above + 1, diagonal, out=cells)
        cells[columns.are_joins] = _UNREACHED
        _lower_by_insertions(cells, places, steps)
        joins = np.flatnonzero(rows.are_joins[row])
        cells[:, joins] = above[:, joins]
    return table[rows.last, columns.last, pairs]


def _lower_by_insertions(cells: np.ndarray, places: list[np.ndarray], steps: np.ndarray) -> None:
    """Lowers the cells of a row to what they cost behind the cells before them in the same row.

    Args:
        cells: (n_columns, n_pairs).
        places: for each column those of the cells before it, (n_sources, n_pairs).
        steps: (n_columns, n_pairs) 1 where a label leads to the column, 0 where paths join.
    """
    flat = cells.reshape(-1)
    for column in range(1, len(cells)):
        before = flat.take(places[column])
        fewest = before[0] if len(before) == 1 else np.minimum.reduce(before)
        np.minimum(cells[column], fewest + steps[column], out=cells[column])


def _labels_equal(rows: _Nodes, row: int, columns: _Nodes) -> np.ndarray:
    """Returns whether the label of each pair in a row equals that of each column, as `are_equal` of labels says."""
    tags = rows.tags[row]
    have_tags = (tags > 0) & (columns.tags > 0)
    may_be_equal = np.where(have_tags, tags == columns.tags, ~(rows.are_guarded[row] | columns.are_guarded))
    return may_be_equal & (rows.characters[row] == columns.characters)


def _nodes_of(networks: Sequence[Network], tag_numbers: dict[str, int]) -> _Nodes:
    """Returns the nodes of networks; a new tag gets the next number."""
    sizes = lengths_of([network.arcs for network in networks])
    arcs = list(itertools.chain.from_iterable(network.arcs for network in networks))
    firsts = [node_arcs[0] if node_arcs else (-1, NO_WORD) for node_arcs in arcs]
    pairs = np.repeat(np.arange(len(networks)), sizes)
    nodes = np.arange(len(arcs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    shape = int(sizes.max()), len(networks)

    def by_node(values: np.ndarray) -> np.ndarray:
        cells = np.zeros(shape, dtype=values.dtype)
        cells[nodes, pairs] = values
        return cells

    label_numbers: dict[str | int, int] = {}
    numbers = np.array([label_numbers.setdefault(label, len(label_numbers)) for _, label in firsts], dtype=np.intp)
    labels = ["\0" if label == NO_WORD else label for label in label_numbers]
    characters = np.array([ord(label[0]) for label in labels], dtype=np.int32)
    tags = np.array([tag_numbers.setdefault(label[2:], len(tag_numbers)) for label in labels], dtype=np.int16)
    are_guarded = np.array([label[1:2] == "!" for label in labels])

    first_sources = np.repeat(np.arange(-1, shape[0] - 1)[:, None], shape[1], axis=1)
    first_sources[nodes, pairs] = [source for source, _ in firsts]
    sources = [of_node[None] for of_node in first_sources]
    are_joins = (numbers == label_numbers[NO_WORD]) & (nodes > 0)
    for place in np.flatnonzero(are_joins).tolist():
        node = int(nodes[place])
        joined = [source for source, _ in arcs[place]]
        while len(sources[node]) < len(joined):
            sources[node] = np.concatenate([sources[node], first_sources[node][None]])
        sources[node][: len(joined), pairs[place]] = joined
    return _Nodes(
        characters=by_node(characters[numbers]),
        tags=by_node(tags[numbers]),
        are_guarded=by_node(are_guarded[numbers]),
        are_joins=by_node(are_joins),
        sources=sources,
        last=sizes - 1,
    )
