"""What looks as if it was not meant as it is read: packed texts and ids, each side of each condition."""

import pytest

from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.reading.doubts import doubts

IDS = ["u1 가", "u2 나", "u3 다"]
DOUBTFUL = {
    "a list of JSON": (["[null]"], ["x"], "p is a list"),
    "a list of Python": ([" ('a', ) "], ["['a']"], "r is a list"),
    "an object": (['{"text": "a"}'], ["x"], "p is a list or an object"),
    "a network of hyter": (["x"], ['{"alt": ["a", "b"]}'], ""),
    "another in it": (["x"], ['{"seq": [], "text": ""}'], "r is a list or an object"),
    "an object of Python": (["x"], ["{'a': 'b'}"], "r is a list"),
    "no list": (["[a", "['b']"], ["x", "y"], ""),
    "half a list of Python": (["['a'"], ["x"], ""),
    # nothing is evaluated: CPython 3.10 ends in a segmentation fault where it parses these
    "a long sum": (["[" + "1+" * 150_000 + "1]"], ["[" * 200_000], ""),
    "attributes and calls": (["[a" + ".a" * 150_000], ["[a" + "()" * 150_000], ""),
    "words in brackets": (["[가 나]"], ["{다}"], ""),
    "ids": (IDS, [*IDS], "each line begins"),
    "ids behind": (["가 a/1", "나 a/2", "다 a/3"], ["가 a/1", "라 a/2", "다 a/3"], "each line ends"),
    "ids in brackets behind": (["가 (1)", "나 (2)", "다 (3)"], ["가 (1)", "라 (2)", "다 (3)"], "each line ends"),
    "replies that end in numbers": (["가 1", "나 2", "다 3"], ["가 1", "라 2", "다 3"], ""),
    "replies that end in counters": (["네 1번", "네 2번", "네 3번"], ["네 1번", "네 2번", "네 3번"], ""),
    "numbers of lines": (["1 가", "2 나", "3 다"], ["1 가", "2 라", "3 다"], "each line begins"),
    "numbers from 0": (["0 가", "1 나", "2 다"], ["0 가", "1 라", "2 다"], "each line begins"),
    "other numbers": (["10 가", "20 나", "35 다"], ["10 가", "20 라", "35 다"], ""),
    "ids in another order": (IDS, IDS[::-1], "begin with the same words in different orders"),
    "names in another order": (["a 가", "b 나", "c 다"], ["c 다", "a 라", "b 나"], "begin with the same words in diff"),
    "names behind in another order": (["가 a", "나 b", "다 c"], ["다 c", "라 a", "나 b"], "end with the same words"),
    "labels in another order": (["a", "b", "c", "d 1"], ["c", "a", "b", "d 1"], ""),
    "two lines": (IDS[:2], IDS[:2], ""),
    "another id": (IDS, [*IDS[:2], "u4 다"], ""),
    "an id twice": ([*IDS, "u3 라"], [*IDS, "u3 라"], ""),
    "no digit": ([*IDS, "u 라"], [*IDS, "u 라"], ""),
    "an empty line": ([*IDS, " "], [*IDS, " "], ""),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubts(name):
    wanted = DOUBTFUL[name][2]
    column = FileColumn("p", DOUBTFUL[name][0], "p.txt", "line", range(1, 9))
    other = FileColumn("r", DOUBTFUL[name][1], "r.txt", "line", range(1, 9))
    found = doubts(Corpus("", {"p": column}, {"references": [other]}, {}, ""))
    assert len(found) == bool(wanted) and wanted in "".join(found)
    place = "r.txt, line 1: " if wanted[:2] == "r " else "p.txt, line 1: "
    ends = ("; .jsonl, .csv and .trn have ids and columns", "Kaldi's file text are matched by ids")
    assert all(note.startswith(place) and note.endswith(ends) for note in found)
