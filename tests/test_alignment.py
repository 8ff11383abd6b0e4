"""METEOR's aligner: a slow aligner that tries everything, scipy's assignment, long and repetitive texts."""

import functools
import itertools
import random
import tracemalloc

import numpy as np
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from textgauge.metrics.meteor import _align_pair

from textgauge.meteor import alignment, greedy_alignment
from textgauge.meteor.alignment import count_chunks
from textgauge.meteor.components import Component
from textgauge.meteor.matching import matchable

OBJECTIVES = ("crossings", "chunks")


def stage_of(word, other, stems, synonyms):
    """The first stage that matches two word types; None if none does."""
    if word == other:
        return 0
    if stems[word] == stems[other]:
        return 1
    return 2 if set(synonyms[word]) & set(synonyms[other]) else None


def slow_chunks(links):
    return sum(not (k and (i - 1, j - 1) == links[k - 1]) for k, (i, j) in enumerate(links))


def slow_crossings(links):
    return sum((i - k) * (j - n) < 0 for (i, j), (k, n) in itertools.combinations(links, 2))


def slow_best(prediction, reference, stems, synonyms):
    """Matches by stage, fewest chunks, and fewest crossings with the fewest chunks, over all alignments there are."""
    alignments = []

    def extend(position, used, links, matches):
        if position == len(prediction):
            alignments.append((tuple(matches), links))
            return
        extend(position + 1, used, links, matches)
        for other in set(range(len(reference))) - used:
            stage = stage_of(prediction[position], reference[other], stems, synonyms)
            if stage is not None:
                more = [count + (k == stage) for k, count in enumerate(matches)]
                extend(position + 1, used | {other}, [*links, (position, other)], more)

    extend(0, frozenset(), [], [0, 0, 0])
    most = max(matches for matches, _ in alignments)
    best = [links for matches, links in alignments if matches == most]
    return most, min(map(slow_chunks, best)), min((slow_crossings(links), slow_chunks(links)) for links in best)


def aligned(prediction, reference, stems, synonyms, objective):
    """Our alignment, and its matches by stage."""
    result = _align_pair(prediction, reference, stems, synonyms, objective)
    stages = [stage_of(prediction[i], reference[j], stems, synonyms) for i, j in result.links]
    assert stages == result.stages
    assert result.links == sorted(result.links)
    assert len({i for i, _ in result.links}) == len({j for _, j in result.links}) == len(result.links)
    return result, tuple(stages.count(stage) for stage in range(3))


def random_case(rng, longest=6):
    """Two texts of few words, some of which share stems and groups of synonyms."""
    n_types = rng.randint(1, 7)
    stems = [rng.randrange(n_types) if rng.random() < 0.5 else 100 + k for k in range(n_types)]
    synonyms = [tuple(rng.sample(range(4), rng.randint(0, 2))) for _ in range(n_types)]
    if rng.random() < 0.2:
        stems = list(range(n_types))
    if rng.random() < 0.3:
        synonyms = [()] * n_types
    texts = [[rng.randrange(n_types) for _ in range(rng.randint(0, longest))] for _ in "pr"]
    return *texts, stems, synonyms


@functools.cache
def solved_cases(seed, count):
    """Returns so many cases, each with what the slow aligner finds."""
    rng = random.Random(seed)
    return [(case, slow_best(*case)) for case in (random_case(rng) for _ in range(count))]


@pytest.mark.parametrize("seed", range(10))
def test_best_of_all_alignments(seed):
    for case, (most, chunks, crossings) in solved_cases(seed, examples(2).max_examples):
        for objective in OBJECTIVES:
            result, matches = aligned(*case, objective)
            assert matches == most, case
            assert result.chunks == slow_chunks(result.links)
            assert result.is_exact, case
            found = result.chunks if objective == "chunks" else (slow_crossings(result.links), result.chunks)
            assert found == (chunks if objective == "chunks" else crossings), (objective, case)


@pytest.mark.parametrize("limit", ["EFFORT", "_SEARCHED_LINKS", "_MOST_LINKS"])
def test_without_a_search(limit, monkeypatch):
    """As many matches all the same; and whatever is called exact is."""
    monkeypatch.setattr(alignment, limit, -1)
    n_exact = 0
    for case, (most, chunks, crossings) in solved_cases(9, 500):
        for objective in OBJECTIVES:
            result, matches = aligned(*case, objective)
            assert matches == most, case
            found = result.chunks if objective == "chunks" else (slow_crossings(result.links), result.chunks)
            best = chunks if objective == "chunks" else crossings
            assert found >= best
            n_exact += result.is_exact
            assert not result.is_exact or found == best, (objective, case)
    assert 100 < n_exact < 1000


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_the_bound_calls_exact_is_so(objective, monkeypatch):
    """On texts that repeat words, without a search; with one we know the best."""
    rng = random.Random(11)
    n_exact = 0
    for _ in range(300):
        words = [rng.randrange(rng.randint(4, 20)) for _ in range(28)]
        pair = words[:14], rng.sample(words[:14], 5) + words[6:14] + words[14 : rng.randint(14, 18)]
        best = plain(*pair, objective)
        with monkeypatch.context() as patch:
            patch.setattr(alignment, "EFFORT", -1)
            other = plain(*pair, objective)
        found = [(slow_crossings(result.links) * (objective == "crossings"), result.chunks) for result in (best, other)]
        assert best.is_exact and found[0] <= found[1]
        assert not other.is_exact or found[0] == found[1], pair
        n_exact += other.is_exact
    assert n_exact > (220 if objective == "chunks" else 0)


def test_what_the_bound_calls_exact_is_so_where_the_longest_block_is_wrong(monkeypatch):
    """On texts of few words, where the greedy alignment often has a chunk too many."""
    rng = random.Random(13)
    n_better = 0
    for _ in range(300):
        pair = [[rng.randrange(3) for _ in range(9)] for _ in "pr"]
        best = plain(*pair, "chunks")
        with monkeypatch.context() as patch:
            patch.setattr(alignment, "EFFORT", -1)
            other = plain(*pair, "chunks")
        assert best.is_exact and (not other.is_exact or other.chunks == best.chunks), pair
        n_better += best.chunks < other.chunks
    assert n_better > 20


def test_the_search_comes_to_an_end():
    """As often as when this was written: the bound, and that no state is met twice, change how long it takes alone."""
    rng = random.Random(3)
    n_exact = 0
    for _ in range(60):
        words = [rng.randrange(15) for _ in range(40)]
        reference = sorted(set(words))
        rng.shuffle(reference)
        n_exact += plain(words, reference, "crossings").is_exact
    assert n_exact >= 19


@pytest.mark.parametrize("limit", [None, "EFFORT", "_MOST_LINKS"])
def test_matches_by_stage_as_scipy_assigns_them(limit, monkeypatch):
    """On longer texts: a match of a stage weighs more than all of later stages."""
    if limit:
        monkeypatch.setattr(alignment, limit, -1)
    rng = random.Random(10)
    for _ in range(60):
        prediction, reference, stems, synonyms = random_case(rng, longest=60)
        weights = np.zeros((len(prediction), len(reference)))
        for (i, word), (j, other) in itertools.product(enumerate(prediction), enumerate(reference)):
            stage = stage_of(word, other, stems, synonyms)
            weights[i, j] = 0 if stage is None else 100.0 ** (2 - stage)
        rows, columns = linear_sum_assignment(weights, maximize=True)
        for objective in OBJECTIVES:
            _, matches = aligned(prediction, reference, stems, synonyms, objective)
            assert (
                sum(count * 100 ** (2 - stage) for stage, count in enumerate(matches)) == weights[rows, columns].sum()
            )


def test_synonyms_are_rearranged_for_one_match_more():
    """The longest block takes b for a, and c could not be matched then; stems keep their number meanwhile."""
    synonyms = [(1,), (1, 2), (2,), ()]
    result, matches = aligned([3, 0, 2], [3, 1], [0, 1, 2, 3], synonyms, "chunks")
    assert matches == (1, 0, 1) and result.chunks == 1
    result, matches = aligned([0, 2], [1, 3], [0, 1, 0, 3], [(1,), (1,), (1, 2), (2,)], "chunks")
    assert matches == (0, 0, 2)


def test_a_synonym_gives_way_where_both_words_also_match_by_stem(monkeypatch):
    """0 has the stem of 1 and 3 that of 2; 0 is matched with 2, which is the only synonym of 4, and must take 5."""
    monkeypatch.setattr(alignment, "EFFORT", -1)
    stems, synonyms = [0, 0, 1, 1, 2, 3], [(0, 1), (), (0,), (), (0,), (1,)]
    for prediction, reference in itertools.product(
        itertools.permutations([0, 0, 3, 4]), itertools.permutations([1, 2, 2, 5])
    ):
        for objective in OBJECTIVES:
            assert aligned(prediction, reference, stems, synonyms, objective)[1] == (0, 2, 2)


@pytest.mark.parametrize("limit", [None, "EFFORT"])
def test_a_word_that_gives_its_stem_partner_up_for_a_synonym(limit, monkeypatch):
    """0, 1 and 2 have the stem of 3; 1 alone has synonyms, 4 and 5, so it leaves 3 to one of the two that wait."""
    if limit:
        monkeypatch.setattr(alignment, limit, -1)
    stems, synonyms = [0, 0, 0, 0, 4, 5], [(), (0,), (), (), (0,), (0,)]
    for prediction, reference in itertools.product(
        itertools.permutations([0, 1, 2]), itertools.permutations([3, 4, 5])
    ):
        for objective in OBJECTIVES:
            assert aligned(prediction, reference, stems, synonyms, objective)[1] == (0, 1, 1)


LINKS = st.permutations(range(9)).flatmap(
    lambda partners: st.sets(st.integers(0, 8)).map(lambda kept: [(i, partners[i]) for i in sorted(kept)])
)


@given(LINKS)
def test_chunks_are_counted(links):
    assert count_chunks(links) == slow_chunks(links)


def test_a_swap_of_equal_words_is_no_crossing():
    result, _ = aligned([0, 1, 0], [0, 0, 1], [0, 1], [(), ()], "crossings")
    assert (result.links, result.is_exact) == ([(0, 0), (1, 2), (2, 1)], True)


def plain(prediction, reference, objective):
    return aligned(prediction, reference, range(max(*prediction, *reference) + 1), [()] * 20_000, objective)[0]


@pytest.mark.parametrize(("objective", "links"), [("crossings", [0, 2, 1]), ("chunks", [2, 0, 1])])
def test_objectives_differ(objective, links):
    """a a b against a b a: one crossing and three chunks, or two of each."""
    result = plain([0, 0, 1], [0, 1, 0], objective)
    assert result.links == list(enumerate(links)) and result.is_exact


def test_better_matches_of_long_texts():
    """Each word type is matched best as long as the others stay, so never worse than by the longest blocks."""
    rng = random.Random(3)
    gains = 0
    for _ in range(40):
        prediction, reference = ([rng.randrange(8) for _ in range(24)] for _ in "pr")
        certain, _, groups = matchable(prediction, reference, range(8), [()] * 8)
        others = [Component(*group) for group in groups]
        greedy = greedy_alignment.longest_first(24, certain, others)
        better = greedy_alignment.with_fewer_crossings(greedy, others, 1000, 20)
        assert len(better) == len(greedy)
        assert slow_crossings(better) <= slow_crossings(greedy)
        gains += slow_crossings(better) < slow_crossings(greedy)
        for component in others:
            rest = [link for link in better if link[0] not in component.partners]
            masks = component.prediction, component.reference
            words, partners = ([k for k in range(24) if mask >> k & 1] for mask in masks)
            choices = (itertools.combinations(side, component.size) for side in (words, partners))
            least = min(slow_crossings([*rest, *zip(*choice, strict=True)]) for choice in itertools.product(*choices))
            assert slow_crossings(better) == least
    assert gains > 20


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("n_types", [1, 2, 50, 5000])
def test_ten_thousand_words(n_types, objective):
    rng = random.Random(n_types)
    prediction, reference = ([rng.randrange(n_types) for _ in range(10_000)] for _ in "pr")
    counts = [np.bincount(text, minlength=n_types) for text in (prediction, reference)]
    result = plain(prediction, reference, objective)
    assert len(result.links) == np.minimum(*counts).sum()
    assert result.is_exact or n_types > 1
    assert (result.chunks == 1) == (n_types == 1)


@given(*[st.lists(st.integers(0, 3), max_size=20)] * 2)
def test_blocks_by_numbers(prediction, reference):
    """The same alignment as by rows of bits, to the last link."""
    fixed_links, _, groups = matchable(prediction, reference, range(4), [()] * 4)
    components = [Component(*group) for group in groups]
    by_bits = greedy_alignment.longest_first(len(prediction), fixed_links, components)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy_alignment, "_MASKED_WORDS", -1)
        assert greedy_alignment.longest_first(len(prediction), fixed_links, components) == by_bits


def test_blocks_of_equal_words_first(monkeypatch):
    """As the longest texts are aligned: stems and synonyms are matched after that, and as many as there can be."""
    rng = random.Random(12)
    monkeypatch.setattr(alignment, "EFFORT", -1)
    for _ in range(300):
        case = random_case(rng, longest=30)
        for objective in OBJECTIVES:
            expected = aligned(*case, objective)[1]
            with monkeypatch.context() as patch:
                patch.setattr(greedy_alignment, "_MASKED_WORDS", -1)
                patch.setattr(greedy_alignment, "_MOST_MASKED_WORDS", -1)
                assert aligned(*case, objective)[1] == expected


def peak_memory(*case):
    """Megabytes beyond what is there, and the alignment."""
    tracemalloc.start()
    try:
        result = _align_pair(*case)
        return tracemalloc.get_traced_memory()[1] / 2**20, result
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n_types", [1, 20, 100])
def test_memory_of_ten_thousand_words(n_types):
    """A bit for each pair of positions, not a number, at most once for each power of 2 up to the longest block."""
    prediction, reference = ([word % n_types for word in range(n_words)] for n_words in (10_000, 9999))
    peak, result = peak_memory(prediction, reference, range(n_types), [()] * n_types, "chunks")
    assert peak < 250 and result.chunks == 1 and result.is_exact


def test_memory_grows_like_the_text(monkeypatch):
    """Rows of bits grow like its square: texts four times as long took sixteen times the memory."""
    monkeypatch.setattr(greedy_alignment, "_MASKED_WORDS", 1000)
    rng = random.Random(7)
    peaks = []
    for n_words in (2000, 8000):
        prediction, reference = ([rng.randrange(40) for _ in range(n_words)] for _ in "pr")
        peaks.append(peak_memory(prediction, reference, range(40), [()] * 40, "crossings")[0])
    assert peaks[1] < 8 * peaks[0], peaks


def test_memory_of_a_large_group_of_synonyms():
    """A thousand words each of which has a thousand synonyms: a million pairs, which took 123 megabytes."""
    synonyms = [(0,)] * 2000
    peak, result = peak_memory(range(1000), range(1000, 2000), range(2000), synonyms, "chunks")
    assert peak < 10 and result.links == [(k, k) for k in range(1000)] and result.stages == [2] * 1000


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_equal_long_texts_are_one_chunk(objective):
    rng = random.Random(1)
    text = [rng.choice((0, 0, 1, 2, rng.randrange(3, 500))) for _ in range(2000)]
    result = plain(text, text, objective)
    assert result.chunks == 1 and result.is_exact


def test_a_chain_of_synonyms():
    """Each word has two synonyms: greedy matching makes too few, and the flow has long ways to go."""
    rng = random.Random(4)
    evens, odds = ([2 * k + side for k in rng.sample(range(300), 300)] for side in (0, 1))
    synonyms = [(k, k + 1) for k in range(600)]
    for objective in OBJECTIVES:
        assert aligned(evens, odds, range(600), synonyms, objective)[1] == (0, 0, 300)


def test_a_stemmer_that_makes_all_words_alike():
    rng = random.Random(5)
    prediction, reference = ([rng.randrange(3000) for _ in range(1000)] for _ in "pr")
    exact = sum(min(prediction.count(word), reference.count(word)) for word in set(prediction))
    for objective in OBJECTIVES:
        assert aligned(prediction, reference, [0] * 3000, [()] * 3000, objective)[1] == (exact, 1000 - exact, 0)


def test_words_that_find_no_partner_are_not_looked_at_again_and_again(monkeypatch):
    """One word stands nearly everywhere, and all of its stem are soon taken: the work must not grow like a square."""
    looked_at, positions = [], Component.positions
    monkeypatch.setattr(
        Component, "positions", staticmethod(lambda mask: looked_at.append(mask.bit_count()) or positions(mask))
    )
    rng = random.Random(6)
    prediction = [0 if rng.random() < 0.95 else rng.randrange(60) for _ in range(500)]
    reference = [rng.randrange(60) for _ in range(500)]
    _align_pair(prediction, reference, [word // 20 for word in range(60)], [()] * 60, "chunks")
    assert sum(looked_at) < 5 * 500  # was 141,090
