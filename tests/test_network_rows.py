"""The table of edits between two networks without what costs too much: against the whole table, and its memory."""

import functools
import tracemalloc

import oracles
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

from textgauge.edits import network_rows
from textgauge.edits.network_edits import CHARACTERS, are_equal, nearest_paths
from textgauge.edits.networks import NO_WORD, Network, append_network, extend_network
from textgauge.korean.reading_networks import read_network
from textgauge.korean.reading_tables import read_readings
from textgauge.korean.reading_words import WORD_CLEANING, WORD_EQUALITY, word_network
from textgauge.korean.readings import Cleaning, read_texts

TREE = st.recursive(
    st.text("ab가", max_size=8),
    lambda parts: st.one_of(
        st.lists(parts, max_size=4).map(lambda found: ("seq", found)),
        st.lists(parts, min_size=1, max_size=3).map(lambda found: ("alt", found)),
    ),
    max_leaves=8,
)
CLEANING = Cleaning("remove", "keep", "syllable", "keep")


def network(tree):
    arcs = [()]
    end = extend_network(arcs, 0, tree, list)
    if end < len(arcs) - 1:  # an empty alternative is last
        arcs.append(((end, NO_WORD),))
    return Network(arcs)


def whole_table(first, second):
    """Returns the fewest edits for all pairs of nodes, by their definition."""

    @functools.cache
    def cost(u, v):
        ways = [] if u or v else [0]
        above, left = first.arcs[u], second.arcs[v]
        for source, word in above:
            ways.append(cost(source, v) + (word != NO_WORD))
            for other_source, other in left:
                if NO_WORD not in (word, other):
                    ways.append(cost(source, other_source) + (not are_equal(word, other)))
        ways += [cost(u, source) + (word != NO_WORD) for source, word in left]
        return min(ways)

    return [[cost(u, v) for v in range(len(second.arcs))] for u in range(len(first.arcs))]


@pytest.mark.parametrize("long, limit, block, at_once", [(64, 16, 256, 16), (1, 1, 1, 1), (3, 2, 4, 2), (0, 5, 2, 3)])
def test_rows_within_a_limit(long, limit, block, at_once, monkeypatch):
    for name, value in {"_LONG": long, "_BLOCK": block, "_AT_ONCE": at_once}.items():
        monkeypatch.setattr(network_rows, name, value)

    @examples(1)
    @given(TREE, TREE)
    def check(first, second):
        networks = network(first), network(second)
        whole = whole_table(*networks)
        table = network_rows.DistanceTable(*networks, CHARACTERS, limit)
        assert table.total == whole[-1][-1]
        for likely in (0, limit):
            check_steps(nearest_paths(*networks, likely=likely), networks, table.total)
        for u, row in reversed(list(enumerate(whole))):
            for v, cost in enumerate(row):
                assert table.cost(u, v) == cost or min(table.cost(u, v), cost) > table.total
        check_steps(nearest_paths(*networks), networks, table.total)

    check()


@given(st.text("ab가", max_size=9), st.text("ab가", max_size=9))
def test_of_several_nearest_paths_the_one_of_espnet(first, second):
    """It takes words of both wherever that is cheapest, else it deletes."""
    steps = nearest_paths(network(first), network(second))
    assert [kind for kind, _, _ in steps] == oracles.steps(first, second, "espnet")


def sentences(arcs, end):
    """Returns the sentences that end in a node, sorted."""
    found = [()] if end == 0 else []
    for source, word in arcs[end]:
        found += [(*words, word) if word != NO_WORD else words for words in sentences(arcs, source)]
    return sorted(found)


@given(st.lists(TREE, max_size=4))
def test_networks_behind_one_another(trees):
    """Those that are added to a graph continue each of its sentences, also where what is added is nothing."""
    arcs, node, expected = [()], 0, [()]
    for tree in trees:
        added = [()]
        end = extend_network(added, 0, tree, list)
        node = append_network(arcs, node, added, end)
        expected = [(*words, *more) for words in expected for more in sentences(added, end)]
        assert sentences(arcs, node) == sorted(expected)


def check_steps(steps, networks, total):
    """Asserts that steps are paths through both networks, with so many edits."""
    assert sum(kind != "equal" for kind, _, _ in steps) == total
    for place, arcs in enumerate(side.arcs for side in networks):
        node = 0
        for step in [*steps, ("end", len(arcs) - 1, len(arcs) - 1)]:
            if step[1 + place] >= 0:
                reached, source = {node}, step[1 + place] if step[0] == "end" else arcs[step[1 + place]][0][0]
                for behind in range(node + 1, len(arcs)):
                    reached |= {behind for before, word in arcs[behind] if word == NO_WORD and before in reached}
                assert source in reached
                node = step[1 + place]
    for kind, u, v in steps:
        assert (u < 0, v < 0) == (kind == "insert", kind == "delete")
        if kind in ("equal", "substitute"):
            assert are_equal(networks[0].arcs[u][0][1], networks[1].arcs[v][0][1]) == (kind == "equal")


def long_texts(n_words, cleaning):
    """Returns two texts with a number in each fifth word and an error in each twentieth."""
    words = [f"{n}개" if n % 5 == 0 else "가나다라마바사아"[n % 7 :][:3] for n in range(n_words)]
    others = [f"{n + 1}명" if n % 20 == 0 else "세" if n % 20 == 7 else word for n, word in enumerate(words)]
    return read_texts([" ".join(words), " ".join(others)], read_readings("ko"), cleaning)


@pytest.mark.parametrize("by_words", [False, True])
def test_memory_of_a_long_text(by_words):
    peaks = []
    for n_words in (50, 200):
        texts = long_texts(n_words, WORD_CLEANING if by_words else CLEANING)
        tracemalloc.start()
        try:
            if by_words:
                nearest_paths(*map(word_network, texts), WORD_EQUALITY)
            else:
                nearest_paths(*[read_network(text, CLEANING)[0] for text in texts])
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 10 * peaks[0], peaks  # 16 where whole tables are kept
