"""Tables of edits of many pairs of networks at once: against the table of each pair."""

import random

import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st
from test_network_rows import TREE, network

from textgauge.edits import network_batches, network_edits
from textgauge.edits.network_batches import count_fewest_of_batches
from textgauge.edits.network_edits import CHARACTERS, count_fewest_of_pairs
from textgauge.edits.network_rows import DistanceTable
from textgauge.edits.networks import Network

# labels with tags, in place of characters; those with "!" are guarded
TAGGED = {"A": "a number", "B": "a!number", "C": "a unit", "D": "a!unit", "E": "b number"}


def tagged(labels):
    return [(), *(tuple((source, TAGGED.get(label, label)) for source, label in arcs) for arcs in labels.arcs[1:])]


NETWORKS = st.tuples(TREE, st.text("aABCDEb", max_size=4)).map(
    lambda parts: Network(tagged(network(("seq", [parts[1], parts[0], parts[1][::-1]]))))
)
PAIRS = st.lists(st.tuples(NETWORKS, NETWORKS), min_size=1, max_size=6)


@pytest.mark.parametrize("most_cells, most_pairs", [(2**23, 512), (2**23, 2), (300, 512)])
def test_each_pair_has_what_its_table_has(most_cells, most_pairs, monkeypatch):
    monkeypatch.setattr(network_batches, "FEWEST_PAIRS", 1)
    monkeypatch.setattr(network_batches, "_BATCH_CELLS", most_cells)
    monkeypatch.setattr(network_batches, "_BATCH_PAIRS", most_pairs)

    @examples(1)
    @given(PAIRS)
    def check(pairs):
        counts = count_fewest_of_batches(*map(list, zip(*pairs, strict=True)))
        for pair, edits in zip(pairs, counts, strict=True):
            is_too_large = len(pair[0].arcs) * len(pair[1].arcs) > most_cells
            assert edits == DistanceTable(*pair, CHARACTERS).total or (edits is None and most_cells == 300)
            assert edits is None or not is_too_large

    check()


def test_many_and_few_edits_of_all_sizes():
    """Few edits are found one by one, and so are those of pairs of a size that few others have."""
    chance = random.Random(5)
    texts = ["".join(chance.choices("abc가", k=chance.randint(0, 40))) for _ in range(150)] + ["a" * 5000]
    references = [network(text) for text in texts]
    predictions = [network(text[::-1]) for text in texts]
    counts = count_fewest_of_pairs(references, predictions, [16] * len(texts))
    pairs = zip(references, predictions, strict=True)
    assert counts == [DistanceTable(*pair, CHARACTERS).total for pair in pairs]
    assert len([edits for edits in counts if edits >= network_edits._FEW_EDITS]) > network_batches.FEWEST_PAIRS
