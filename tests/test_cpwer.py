"""cpWER, and what it shares with cpCER: all assignments tried one by one, edits by their definition, and tcpWER's."""

import itertools
import math

import numpy as np
import oracles
import pytest
from cases import said
from conftest import load
from hypothesis import assume, given
from hypothesis import strategies as st

from textgauge.meetings.assignment import cheapest_assignment
from textgauge.meetings.timed_edits import align_timed, count_timed_edits, timed_tokens

WORD = st.sampled_from(["가", "나는", "a", "b", "😀"])
TEXT = st.lists(WORD, max_size=4).map(" ".join)
NOTATIONS = st.lists(st.sampled_from(["가", "3%", "삼 퍼센트", "b"]), max_size=3).map(" ".join)
TIME = st.integers(0, 9)


def sessions(speakers, text=TEXT):
    """Returns sessions of so many speakers who say something at some time."""
    spoken = st.tuples(st.integers(1, speakers).map(str), text, TIME, st.sampled_from([0.25, 1, 3]))
    utterance = spoken.map(lambda of: {"speaker": of[0], "text": of[1], "start": of[2], "end": of[2] + of[3]})
    return st.lists(utterance, max_size=7)


def streams(session):
    """Returns what each speaker says, as a list of words with their times, in the order of starts."""
    found = {}
    for utterance in sorted(session, key=lambda utterance: utterance["start"]):
        words = utterance["text"].split()
        letters = sum(map(len, words))
        at, length = utterance["start"], utterance["end"] - utterance["start"]
        for word in words:
            part = length * len(word) / letters
            found.setdefault(utterance["speaker"], []).append((word, at, at + part))
            at += part
    return list(found.values())


def rate_of(prediction, reference, cost):
    """Returns the least edits of all assignments, tried one by one, and the words of the reference."""
    ours, theirs = streams(reference), streams(prediction)
    size = max(len(ours), len(theirs))
    ours, theirs = ([*side, *[[]] * (size - len(side))] for side in (ours, theirs))
    edits = (sum(map(cost, ours, order)) for order in itertools.permutations(theirs))
    return min(edits), sum(map(len, ours))


def edits(ours, theirs):
    return int(oracles.distances([word for word, *_ in ours], [word for word, *_ in theirs])[-1][-1])


def timed_edits(ours, theirs, collar):
    """Returns the edits where two words may be aligned only if they overlap; of the prediction, around its middle."""
    table = {(i, 0): i for i in range(len(ours) + 1)} | {(0, j): j for j in range(len(theirs) + 1)}
    for i, (word, start, end) in enumerate(ours, 1):
        for j, (other, first, last) in enumerate(theirs, 1):
            middle = (first + last) / 2
            assume(min(abs(start - middle - collar), abs(middle - collar - end)) > 1e-9)  # rounding says if they touch
            may_match = start < middle + collar and middle - collar < end
            aligned = table[i - 1, j - 1] + (word != other) if may_match else math.inf
            table[i, j] = min(aligned, table[i - 1, j] + 1, table[i, j - 1] + 1)
    return table[len(ours), len(theirs)]


@given(st.lists(st.tuples(sessions(3), sessions(4)), min_size=1, max_size=3))
def test_is_the_cheapest_of_all_assignments(rows):
    result = load("cpwer").compute(predictions=[row[0] for row in rows], references=[row[1] for row in rows])
    expected = np.sum([rate_of(*row, edits) for row in rows], axis=0)
    assert [result["edits"], result["reference_length"]] == expected.tolist()
    assert result["edits"] == result["substitutions"] + result["deletions"] + result["insertions"]


@given(sessions(3), sessions(3), st.sampled_from([0, 0.5, 2, 20]))
def test_collar_is_the_cheapest_of_what_overlaps(prediction, reference, collar):
    result = load("cpwer").compute(predictions=[prediction], references=[reference], collar=collar)
    expected = rate_of(prediction, reference, lambda ours, theirs: timed_edits(ours, theirs, collar))
    assert (result["edits"], result["reference_length"]) == expected
    explained = load("cpwer").explain(prediction=prediction, reference=reference, collar=collar)["streams"]
    assert sum(stream["edits"] for stream in explained) == result["edits"]
    kinds = [run[0] for stream in explained for run in stream["alignment"]]
    assert ("substitute" in kinds, "delete" in kinds, "insert" in kinds) == tuple(
        result[kind] > 0 for kind in ("substitutions", "deletions", "insertions")
    )


@given(sessions(3), sessions(3), st.randoms(use_true_random=False))
def test_names_and_cuts_do_not_matter(prediction, reference, draw):
    """Other names, other order of the lines, and utterances cut into words; without times alone."""
    untimed = [
        [{name: of[name] for name in ("speaker", "text")} for of in session] for session in (prediction, reference)
    ]
    names = ["x", "y", "z"]
    draw.shuffle(names)
    cut = [
        {"speaker": names[int(utterance["speaker"]) - 1], "text": word}
        for utterance in untimed[0]
        for word in utterance["text"].split() or [""]
    ]
    cut.sort(key=lambda utterance: utterance["speaker"])
    results = [load("cpwer").compute(predictions=[one], references=[untimed[1]]) for one in (untimed[0], cut)]
    keys = ("cpwer", "edits", "missed_speakers", "extra_speakers")
    assert [results[0][key] for key in keys] == [results[1][key] for key in keys]


@given(sessions(3, NOTATIONS), sessions(3, NOTATIONS))
def test_rates_without_options_have_assignments_of_their_own(prediction, reference):
    """Who is who may be another question for texts as they are written, and for words that all weigh the same."""
    columns = {"predictions": [prediction], "references": [reference]}
    written = load("cpwer").compute(**columns)
    weights = {"3%": 5, "b": 0.25}
    for options, name in (({"readings": "ko"}, "literal"), ({"weights": weights}, "unweighted")):
        result = load("cpwer").compute(**columns, **options)
        assert (result[f"{name}_cpwer"], result[f"{name}_edits"]) == (written["cpwer"], written["edits"])


@given(
    st.integers(0, 6).flatmap(
        lambda size: st.lists(st.lists(st.integers(0, 9), min_size=size, max_size=size), min_size=size, max_size=size)
    )
)
def test_assignment(costs):
    costs = np.array(costs, dtype=float).reshape(len(costs), len(costs))
    found = cheapest_assignment(costs)
    rows = range(len(costs))
    assert sorted(found) == list(rows)
    assert costs[rows, found].sum() == min(
        costs[rows, order].sum() for order in map(list, itertools.permutations(rows))
    )


def test_assignment_is_scipys():
    optimize = pytest.importorskip("scipy.optimize", reason="pip install -r requirements-tests.txt")
    rng = np.random.default_rng(1)
    for size in (1, 10, 12, 40):
        costs = rng.integers(0, 500, (size, size)).astype(float)
        assert (
            costs[range(size), cheapest_assignment(costs)].sum() == costs[optimize.linear_sum_assignment(costs)].sum()
        )


def test_alignment_of_words_whose_times_cross():
    """Utterances of a speaker overlap, so that words do not come in the order of their times."""
    ours = timed_tokens([["a", "b"], ["c"]], [(0, 8), (1, 2)], None)
    theirs = timed_tokens([["a"], ["c"], ["b"]], [(0, 4), (1, 2), (4, 8)], 0)
    assert count_timed_edits(ours, theirs) == (0, 1, 1, 2)
    assert [kind for kind, *_ in align_timed(ours, theirs)].count("equal") == 2


EXAMPLES = [  # words by hand
    ([said(("A", "b c"), ("B", "a"))], [said(("1", "a"), ("2", "b c"))], {}, 0),  # swapped
    # joined before they are aligned, the words are the same: 0 would be the classical mistake
    ([said(("A", "a"), ("B", "b c d"))], [said(("1", "a b"), ("2", "c d"))], {}, 0.5),
    (
        [said(("A", "a b"))],
        [said(("1", "a b"), ("2", "c d"))],
        {},
        {"cpwer": 0.5, "missed_speakers": 1, "deletions": 2},
    ),
    ([said(("A", "a b"), ("B", "c"))], [said(("1", "a b"))], {}, {"cpwer": 0.5, "extra_speakers": 1, "insertions": 1}),
    (  # the right words half a minute later
        [[{"speaker": "A", "text": "a b", "start": 30, "end": 31}]],
        [[{"speaker": "1", "text": "a b", "start": 0, "end": 1}]],
        {"collar": 5},
        {"cpwer": 2, "deletions": 2, "insertions": 2, "substitutions": 0},
    ),
    (  # one is read in the order of starts
        [[{"speaker": "A", "text": "b", "start": 2, "end": 3}, {"speaker": "A", "text": "a", "start": 0, "end": 1}]],
        [[{"speaker": "1", "text": "a b", "start": 0, "end": 3}]],
        {},
        0,
    ),
    (
        [said(("A", "3개"))],
        [said(("1", "세 개"))],
        {"readings": "ko"},
        {"cpwer": 0, "literal_cpwer": 1, "literal_edits": 2},
    ),
    ([said(("A", "a x"))], [said(("1", "a b"))], {"weights": {"b": 3}}, {"cpwer": 3 / 4, "unweighted_cpwer": 1 / 2}),
]
EDGES = [
    ([[]], [[]], {}, {"cpwer": 0, "edits": 0, "missed_speakers": 0, "extra_speakers": 0}),
    ([said(("A", "a"))], [[]], {}, {"cpwer": math.inf, "extra_speakers": 1}),
    ([[]], [said(("A", "a b"))], {}, {"cpwer": 1, "missed_speakers": 1}),
    ([[]], [said(("A", "a b"))], {"collar": 1}, {"cpwer": 1, "deletions": 2}),
    ([said(("A", "a b"))], [[]], {"collar": 1}, {"cpwer": math.inf, "edits": 2, "insertions": 2}),
    ([said(("A", ""))], [said(("A", " "))], {"collar": 0}, 0),
    ([said(("A", "a b")), []], [said(("1", "a")), said(("1", "c"))], {"per_segment": True}, {"segments": [1.0, 1.0]}),
    ([said(("A", "a b c"))], [said(("1", "a"))], {"bounded": True}, 2 / 3),
    ([said(("A", "a b c d"))], [said(("1", "a"))], {"bounded": True, "collar": 5}, 3 / 4),
    (  # the middle touches the end of the word, and does not overlap
        [[{"speaker": "A", "text": "a", "start": 1, "end": 3}]],
        [[{"speaker": "1", "text": "a", "start": 0, "end": 1}]],
        {"collar": 1},
        2,
    ),
    ([said(("A", " a"), ("A", "b "))], [said(("x", "a b"))], {}, 0),
    ([said((1, "a"), (2, "b"), times=False)], [said(("x", "b"), ("y", "a"), times=False)], {}, 0),  # numbers are names
]
SESSION_CALLS = [
    ({"references": [[], "a"]}, "references[1] is a string, 'a'; pass a list of utterances"),
    ({"references": [[], ["a"]]}, "references[1][0] is a string, 'a'; pass a list of utterances"),
    ({"references": [[], [{"speaker": "A"}]]}, "references[1][0], text is None; pass a string"),
    ({"references": [[], [{"text": "a"}]]}, "references[1][0] has the speaker None; pass a name or a number"),
    (
        {"references": [[], [{"text": "a", "speaker": ""}]]},
        "references[1][0] has the speaker a string, ''; pass a name",
    ),
    (
        {"references": [[], {"speaker": ["a", "b"], "text": ["c"]}]},
        "references[1] has fields of 1 and 2 values; pass a",
    ),
    ({"references": [[], [{"speaker": "A", "text": "a", "words": "a"}]]}, "references[1][0] has the field 'words'"),
    ({"references": [[], [{"speaker": "A", "text": "\ud800"}]]}, "holds a lone surrogate"),
    ({"references": [[], [{"speaker": "A", "text": "a", "end": 1}]]}, "references[1][0] ends at 1 and starts at None"),
    (
        {"references": [[], [{"speaker": "A", "text": "a", "start": 2, "end": 1}]]},
        "references[1][0] ends at 1 and starts at 2.0",
    ),
    ({"references": [[], [{"speaker": "A", "text": "a", "start": "x"}]]}, "references[1][0], start is a string, 'x'"),
    (
        {"references": [[], [{"speaker": "A", "text": "a", "start": 0, "end": math.inf}]]},
        "references[1][0], end is inf",
    ),
    ({"references": [[], np.array([said(("A", "a"))])]}, "references[1] is of type ndarray"),  # of two dimensions
    (
        {"references": [[], [*said(("A", "a")), *said(("A", "b"), ("A", "c"), times=False)]]},
        "references[1][1] has no start, but others of references[1] do; pass it for all or none",
    ),
    (
        {"references": [[], said(("A", "b"), times=False)], "collar": 1},
        "references[1] has utterances without start or end, which collar needs",
    ),
    ({"collar": 1, "readings": "ko"}, "collar compares words at their times, and readings is 'ko'; drop one"),
    ({"collar": 1, "weights": {"a": 2}}, "collar compares words at their times, and weights is"),
]
BAD_CALLS = [
    *SESSION_CALLS,
    ({"collar": 1, "compounds": "merge"}, "collar compares words at their times, and compounds is 'merge'; drop one"),
    ({"collar": 1, "space_normalized": True}, "collar compares words at their times, and space_normalized is True"),
    ({"fillers": [""]}, "fillers"),
    ({"fillers": ["음"]}, "fillers is ['음'], but drop_fillers is False; set it to True, or leave out fillers"),
    ({"tokenizer": "char", "readings": "ko"}, "readings needs tokenizer='whitespace', and tokenizer is 'char'"),
]


def test_what_the_wrong_speaker_said():
    reference = said(("민지", "안녕하세요 시작할까요"), ("준호", "네 좋아요 먼저 매출부터"))
    prediction = said(("A", "안녕하세요 시작할까요 네 좋아요"), ("B", "먼저 매출부터"))
    found = load("cpwer").explain(prediction=prediction, reference=reference)
    assert found["wrong_speaker"] == [["네 좋아요", "준호", "A"]]
    assert [stream["speakers"] for stream in found["streams"]] == [["민지", "A"], ["준호", "B"]]
    assert [(stream["edits"], stream["reference_length"]) for stream in found["streams"]] == [(2, 2), (2, 4)]
    assert found["streams"][1]["texts"] == ["네 좋아요 먼저 매출부터", "먼저 매출부터"]
    assert load("cpwer").explain(prediction=reference, reference=reference)["wrong_speaker"] == []


def test_several_stretches_that_the_wrong_speaker_said():
    """The longest is named first, and words that are surplus in two places are missed only once."""
    reference = said(("1", "a b c d m n o"), ("2", "p q r s t u"), ("3", "v w x y z k"))
    prediction = said(("A", "m n o"), ("B", "p q r s t u a b"), ("C", "v w x y z k b c d"))
    found = load("cpwer").explain(prediction=prediction, reference=reference)
    assert found["wrong_speaker"] == [["b c d", "1", "C"]]
    prediction = said(("A", "m n o"), ("B", "p q r s t u a b"), ("C", "v w x y z k c d"))
    found = load("cpwer").explain(prediction=prediction, reference=reference)
    assert found["wrong_speaker"] == [["a b", "1", "B"], ["c d", "1", "C"]]
    # two miss the same words, which are surplus in one place
    reference = said(("1", "a b m n o"), ("2", "a b p q r"), ("3", "v w x"))
    prediction = said(("A", "m n o"), ("B", "p q r"), ("C", "v w x a b"))
    found = load("cpwer").explain(prediction=prediction, reference=reference)
    assert found["wrong_speaker"] == [["a b", "1", "C"]]


def test_words_with_times_are_explained_as_words():
    reference = [{"speaker": "1", "text": "네 좋아요", "start": 0, "end": 2}]
    prediction = [{"speaker": "A", "text": "네 음 좋아요", "start": 0, "end": 2}]
    [stream] = load("cpwer").explain(prediction=prediction, reference=reference, collar=5)["streams"]
    assert stream["alignment"] == [["equal", "네", "네"], ["insert", "", "음"], ["equal", "좋아요", "좋아요"]]
    assert (stream["reference"], stream["prediction"]) == (["네", "좋아요"], ["네", "음", "좋아요"])


def test_batches_of_sessions_with_and_without_times():
    """Missing times are filled before Arrow sees them, whatever a first batch had."""
    metric = type(load("cpwer"))(keep_in_memory=True)
    timed, untimed = said(("A", "a b"), ("B", "c")), said(("A", "a b"), ("B", "c"), times=False)
    for session in (untimed, timed, []):
        metric.add_batch(predictions=[session], references=[session])
    metric.add(predictions=timed, references=untimed)
    assert metric.compute()["reference_length"] == 9


def random_sessions(seed, count):
    """Returns sessions of up to four speakers, drawn from few words."""
    rng = np.random.default_rng(seed)
    words = np.array(["가", "나는", "a", "b", "방에서"])

    def session():
        at = rng.integers(0, 20, rng.integers(1, 9)).tolist()
        return [
            {
                "speaker": str(rng.integers(4)),
                "text": " ".join(rng.choice(words, rng.integers(0, 6))),
                "start": start,
                "end": start + float(rng.choice([0.25, 1, 3.7])),
            }
            for start in at
        ]

    return [session() for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize(("collar", "count"), [(None, 10_000), (2, 2000)])
def test_many_sessions_are_meeteval_s(collar, count):
    pytest.importorskip("meeteval", reason="pip install -r requirements-compiled.txt")
    from lab.peers.error_rates import MEETINGS
    from lab.peers.peer import Case

    columns = {"predictions": random_sessions(1, count), "references": random_sessions(2, count)}
    options = {} if collar is None else {"collar": collar}
    theirs = MEETINGS[0].theirs()
    ours = load("cpwer").compute(**columns, **options, per_segment=True)
    expected = [
        theirs(Case({"predictions": [a], "references": [b]}, options))
        for a, b in zip(columns["predictions"], columns["references"], strict=True)
    ]
    for key in ("edits", "reference_length", "missed_speakers", "extra_speakers"):
        assert ours[key] == sum(one[key] for one in expected)
    rates = [one["edits"] / one["reference_length"] if one["reference_length"] else None for one in expected]
    assert all(rate is None or rate == mine for rate, mine in zip(rates, ours["segments"], strict=True))
