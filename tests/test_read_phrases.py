"""Options `weights` and `readings` of cer and wer together: a slow version with all readings, where phrases are."""

import itertools
import math

import pytest
from conftest import examples, load
from hypothesis import assume, example, given
from hypothesis import strategies as st
from reading_paths import are_few, labelled, same_character, same_word

from textgauge.core.errors import InputError
from textgauge.error_rates.kinds.error_kinds import ERROR_KINDS, without_key
from textgauge.error_rates.nearest.read_pairs import ReadPair, by_characters, by_words
from textgauge.error_rates.phrases.keywords import compile_keywords
from textgauge.error_rates.phrases.marks import goes_on, is_particle, is_punctuation
from textgauge.error_rates.phrases.read_phrases import PhraseFinder
from textgauge.korean.reading_tables import read_readings
from textgauge.korean.reading_trees import BLANK, Notation, or_as_written
from textgauge.korean.reading_words import WORD_CLEANING
from textgauge.korean.readings import Cleaning, read_texts

KO = read_readings("ko")
CHARACTERS = Cleaning("remove", "keep", "syllable", "keep")
# no numeral is beside another one, which has tests of its own
FRAGMENTS = st.sampled_from([
    *("5mg", "오 밀리그램", "3%", "삼 프로", "3개", "세 개", "LG", "엘지", "김철", "철수", " ", "을 ", " ", "가", "."),
    *("5km", "개"),
])  # fmt: skip
TEXT = st.lists(FRAGMENTS, max_size=4).map("".join)
PHRASE = st.lists(FRAGMENTS, min_size=1, max_size=2).map("".join).filter(lambda text: text.strip(" ."))


def finder_of(table, are_words):
    keywords = compile_keywords(table, list, lambda texts: ["".join(text.split()) for text in texts])
    try:
        return PhraseFinder(keywords, KO, WORD_CLEANING if are_words else CHARACTERS, are_words)
    except InputError:  # two that are read alike
        assume(False)


def read(texts, are_words):
    return read_texts(texts, KO, WORD_CLEANING if are_words else CHARACTERS)


def units_of(text, are_words):
    """Yields the pieces of a text, characters or notations, with their unit."""
    unit, is_begun = 0, False
    for part in itertools.chain.from_iterable(piece if isinstance(piece, str) else [piece] for piece in text):
        unit += are_words and part == BLANK and is_begun
        is_begun = part != BLANK
        yield part, unit
        unit += not are_words


def paths_of(text, are_words):
    """Returns all readings of a text: lists of (label, unit), without the blanks that do not count."""
    choices = []
    for part, unit in units_of(text, are_words):
        paths = labelled(part.tree) if isinstance(part, Notation) else [[(part, "", False)]]
        choices.append([[(label, unit) for label in path] for path in paths])
    joined = (itertools.chain.from_iterable(choice) for choice in itertools.product(*choices))
    return list(dict.fromkeys(tuple(of for of in path if are_words or of[0][0] != BLANK) for path in joined))


def slow_places(phrase, text, are_words):
    """Returns (first unit, unit behind the last one) wherever any reading of a phrase is in any reading of a text."""
    ways = {tuple(label for label, _ in path if label[0] != BLANK) for path in paths_of(phrase, are_words)}
    found = set()
    for path, way in itertools.product(paths_of(text, are_words), ways):
        kept = [at for at, (label, _) in enumerate(path) if label[0] != BLANK]
        for start in range(len(kept) - len(way) + 1):
            places = kept[start : start + len(way)]
            if way and all(same_character(path[at][0], label) for at, label in zip(places, way, strict=True)):
                text_of = "".join(label[0] for label, _ in path)
                first, end = places[0], places[-1] + 1
                before, after = text_of[:first].split(BLANK)[-1], text_of[end:].split(BLANK)[0]
                fits = is_punctuation(before) and is_particle(after) if are_words else not goes_on(after[:1])
                if fits:
                    found.add((path[first][1], path[end - 1][1] + 1))
    return found


@pytest.mark.parametrize("are_words", [False, True])
@example("5mg", "오 밀리그램을 5mg")
@examples(2)
@given(PHRASE, TEXT)
def test_phrases_are_found_in_any_reading(are_words, phrase, text):
    own, other = ([or_as_written(piece) for piece in of] for of in read([phrase, text], are_words))
    assume(are_few([own, other]))
    marks = finder_of({phrase: 2}, are_words).of_read([text])[0]
    places = {place[1:] for place in marks.occurrences} if marks else set()
    expected = slow_places(own, other, are_words)
    assert places <= expected
    assert all(any(a < d and c < b for c, d in places) for a, b in expected)


def slow_weights(reference, prediction, marked, are_words):
    """Returns the fewest edits and the least that so many cost, among all readings and all alignments."""
    equal = same_word if are_words else lambda one, other: same_character(one[0], other[0])

    def side_of(path, marks):
        tokens = tokens_of(path, are_words)
        units = [unit for _, unit in tokens]
        if marks is None:
            return tokens, [1] * len(tokens), [0] * (len(tokens) + 1), [()] * len(tokens)
        borders = zip([-1, *units], [*units, len(marks.weights)], strict=True)
        inside = [
            marks.weights[a] * bool(marks.parts[a]) if a == b else max(marks.inside[a + 1 : b + 1]) for a, b in borders
        ]
        ends = [(n == 0 or units[n - 1] != u, n == len(units) - 1 or units[n + 1] != u) for n, u in enumerate(units)]
        parts = [
            [(p.phrase, p.has_start and (a or not are_words), p.has_end and (b or not are_words), p.characters)
             for p in marks.parts[unit]]
            for unit, (a, b) in zip(units, ends, strict=True)
        ]  # fmt: skip
        return tokens, [marks.weights[unit] for unit in units], inside, parts

    def alike(one, other):
        return one and len(one) == len(other) and all(
            a[:3] == b[:3] and (a[3] == b[3] or None in (a[3], b[3])) for a, b in zip(one, other, strict=True)
        )  # fmt: skip

    best = (math.inf, math.inf)
    sides = [[side_of(path, marks) for path in paths_of(text, are_words)]
             for text, marks in zip((reference, prediction), marked, strict=True)]  # fmt: skip
    for (u, heavy, gaps, parts), (v, others, other_gaps, other_parts) in itertools.product(*sides):
        table = {(0, 0): (0, 0)}
        for i, j in itertools.product(range(len(u) + 1), range(len(v) + 1)):
            ways = []
            if i:
                ways.append((table[i - 1, j], 1, max(heavy[i - 1], other_gaps[j])))
            if j:
                ways.append((table[i, j - 1], 1, max(others[j - 1], gaps[i])))
            if i and j and equal(u[i - 1][0], v[j - 1][0]):
                ways.append((table[i - 1, j - 1], 0, 0))
            elif i and j:
                price = 1 if alike(parts[i - 1], other_parts[j - 1]) else max(heavy[i - 1], others[j - 1])
                ways.append((table[i - 1, j - 1], 1, price))
            if ways:
                table[i, j] = min((a + edits, b + cost) for (a, b), edits, cost in ways)
        best = min(best, table[len(u), len(v)])
    return best


def tokens_of(path, are_words):
    """Returns the tokens of a reading: (labels, unit)."""
    if not are_words:
        return [((label,), unit) for label, unit in path]
    groups = itertools.groupby(path, lambda of: of[0][0] == BLANK)
    words = [list(group) for is_blank, group in groups if not is_blank]
    return [(tuple(label for label, _ in word), word[0][1]) for word in words]


SLOTS = [
    ["5mg", "오 밀리그램", "오밀리그램", "6mg", "5", "밀리그램"],
    ["을 ", "이 ", " ", ""],
    ["철수 ", "철수", "", "김 "],
    ["3개", "세 개", "네 개", "개"],
    ["를", "", " 김"],
]
SENTENCE = st.tuples(*map(st.sampled_from, SLOTS)).map("".join)
NAMES = st.sampled_from(["5mg", "오 밀리그램", "철수", "3개", "5mg 철수", "철수 3개", "밀리그램", "개", "김"])
WEIGHTS = st.dictionaries(NAMES, st.sampled_from([0.25, 1, 2, 7]), min_size=1, max_size=3)


@pytest.mark.parametrize("are_words", [False, True])
@example("5mg을 철수3개", "5mg철수 세 개를", {"철수": 1, "5mg 철수": 7})
@example("오밀리그램이 철수3개를", "5mg을 철수 3개 김", {"철수 3개": 2})
@example("5mg을 3개", "오밀리그램이 3개", {"5mg": 7})
@example("5mg을 3개", "오 밀리그램이 3개", {"5mg": 7})
@example("5mg 3개", "오 큰 밀리그램 3개", {"5mg": 7})
@given(SENTENCE, SENTENCE, WEIGHTS)
def test_the_cheapest_of_all_readings(are_words, reference, prediction, table):
    texts = [[or_as_written(piece) for piece in of] for of in read([reference, prediction], are_words)]
    assume(are_few(texts) and all(texts))
    marked = tuple(of[0] for of in map(finder_of(table, are_words).of_read, ([reference], [prediction])))
    comparison = by_words() if are_words else by_characters(CHARACTERS)
    pair = ReadPair(comparison, *texts, marked)
    edits, cost = slow_weights(*texts, marked, are_words)
    assert pair.cost() == pytest.approx(cost)
    assert sum(step[0] != "equal" for step in pair._cheapest[0]) == edits
    assert comparison.edits([texts], [edits]) == [edits]


def score(metric, prediction, reference, weights, **options):
    texts = {"predictions": [prediction], "references": [reference]}
    return load(metric).compute(**texts, weights=weights, **{"readings": "ko", **options})


@pytest.mark.parametrize(
    ("phrase", "text", "of_characters", "of_words"),
    [
        ("3%", "삼 퍼센트로", 1, 1),
        ("3%", "삼 프로요", 1, 1),
        ("삼 퍼센트", "3%를", 1, 1),
        ("오 밀리그램", "5mg씩 5mg", 2, 2),
        ("밀리그램", "5mg을", 1, 1),
        ("mg", "5mg을", 1, 0),  # what is written has no blank
        ("LG", "엘지가 LG는", 2, 2),
        ("엘지 5개", "LG 다섯 개", 1, 1),
        ("두 알", "2알씩 두알", 2, 2),
        ("3월 5일", "삼월 오 일에", 1, 1),
        ("타이레놀", "타이레놀 5mg", 1, 1),
        # a number is a whole one, with the same marks
        ("5mg", "15mg 1.5mg 십오 밀리그램 일 점 오 밀리그램", 0, 0),
        ("5mg", "3 5mg", 1, 1),
        ("5mg", "이것만 5mg", 1, 1),
        ("1.5mg", "1.5mg 일 점 오 밀리그램 15mg", 2, 2),
        ("15mg", "1.5mg", 0, 0),
        ("3", "3.5 30 3만", 0, 0),
        ("3", "3 세 삼", 1, 1),  # a digit alone may be a word
        ("-5도", "-5도 5도", 1, 1),
        ("5km", "오 킬로 5kg", 1, 1),
        ("김", "김치 5개", 1, 0),
        ("다", "닭 3개", 0, 0),
        # a word behind which a numeral goes on, and words of the same syllables
        ("3명", "백 세 명 이백 세 명 천 세 명 이만 세 명", 0, 0),
        ("3명", "간호사 세 명 의사 세 명 이사 세 명 조사 세 명 나의 세 명", 5, 5),
        ("3명", "이하 세 명 사이 세 명 하나만 세 명 오이 세 명", 3, 4),  # characters have no blank behind 만
        ("5mg", "십 오 밀리그램 일점 오 밀리그램 백 이십 오 밀리그램 만 오 밀리그램", 0, 0),
        ("3%", "이하 삼 퍼센트 이사 삼 퍼센트", 2, 2),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "plain"])
def test_where_phrases_are(phrase, text, of_characters, of_words, form):
    """Beside a notation of its own, too, with which a text becomes a network."""
    text = text if form == "NFC" else f"{text} 가 7개 나"
    for metric, count in (("cer", of_characters), ("wer", of_words)):
        result = score(metric, text, text, {phrase: 3})
        assert (result["keywords"], result[metric]) == (count, 0), metric


@pytest.mark.parametrize(
    ("reference", "prediction", "weights", "cost"),
    [
        ("5mg 먹다", "오 밀리그램 먹다", {"5mg": 7}, 0),
        ("5mg 먹다", "6mg 먹다", {"5mg": 7}, 7),
        ("5mg 먹다", "육 밀리그램 먹다", {"5mg": 7}, 7),
        ("오 밀리그램 먹다", "6mg 먹다", {"5mg": 7}, 7),
        ("오 밀리그램 먹다", "육 밀리그램 먹다", {"5mg": 7}, 7),
        ("5mg 먹다", "육 밀리그램 먹다", {"6mg": 7}, 7),  # of the prediction
        ("5mg을 먹다", "5mg이 먹다", {"5mg": 7}, 1),
        ("5mg을 먹다", "오 밀리그램이 먹다", {"5mg": 7}, 1),
        ("5mg 먹다", "오 큰 밀리그램 먹다", {"5mg": 7}, 7),  # inside
        ("5mg 먹다", "5mg 또 먹다", {"5mg": 7}, 1),
        ("5mg 먹다", "6mg 먹다", {"밀리그램": 7}, 1),  # both have it
    ],
)
def test_what_edits_cost(reference, prediction, weights, cost):
    for metric in ("cer", "wer"):
        result = score(metric, prediction, reference, weights, detailed=True)
        assert result["edits"] == cost, metric
        unweighted = load(metric).compute(predictions=[prediction], references=[reference], readings="ko")
        assert result["unweighted_edits"] == unweighted["edits"]
        assert sum(result[f"{kind}_edits"] for kind in ERROR_KINDS) == pytest.approx(result["edits"])
        assert (result[f"unweighted_{metric}"], result[f"literal_{metric}"], result["literal_edits"]) == (
            unweighted[metric], unweighted[f"literal_{metric}"], unweighted["literal_edits"]
        )  # fmt: skip
        assert result["notation_edits"] == 0


def test_the_length_is_that_of_the_canonical_reading():
    for metric, length in (("cer", 5 * 7 + 2), ("wer", 2 * 7 + 1)):
        for reference in ("5mg을", "오 밀리그램을"):
            result = score(metric, reference, f"{reference} 먹다" if metric == "wer" else f"{reference}먹", {"5mg": 7})
            assert result["reference_length"] == length


def test_what_is_explained_are_the_tokens_that_are_shown():
    weights = {"5mg": 5, "철수": 2}
    call = {"prediction": "철수 오 밀리그램", "reference": "철수 5mg을 6mg", "weights": weights, "readings": "ko"}
    for metric, places in (("wer", [[0, 1], [1, 3], [0, 1], [1, 3]]), ("cer", [[0, 2], [2, 7], [0, 2], [2, 7]])):
        found = load(metric).explain(**call)
        assert [entry[3:] for entry in found["keywords"]] == [[*place, True] for place in places]
        assert [entry[:3] for entry in found["keywords"]] == [
            [side, phrase, float(weights[phrase])] for side in ("reference", "prediction") for phrase in ("철수", "5mg")
        ]


# of the first pairs no reading is as near as what is written
WRITTEN = [("20% 20%", "20%"), ("½ 컵 ½", "½ 컵"), ("3개 3개", "3개")]
SENTENCES = st.one_of(st.tuples(SENTENCE, SENTENCE), st.sampled_from(WRITTEN))


@pytest.mark.parametrize("name", ["cer", "wer", "cpcer", "cpwer"])
@examples(0.5)
@example([WRITTEN[0]], False)
@example([WRITTEN[0]], True)
@given(st.lists(SENTENCES, min_size=1, max_size=3), st.booleans())
def test_phrases_that_are_nowhere_change_nothing(name, rows, bounded):
    if name.startswith("cp"):
        sides = [[[{"speaker": "가", "text": text}] for text in side] for side in zip(*rows, strict=True)]
        options = {"bounded": bounded}
    else:
        sides = list(zip(*rows, strict=True))
        options = {"bounded": bounded, "detailed": True}
    columns = {"predictions": list(sides[0]), "references": list(sides[1])}
    plain = load(name).compute(**columns, **options, readings="ko")
    result = load(name).compute(**columns, **options, readings="ko", weights={"전혀 없는 말": 2.0})
    assert {key: result[key] for key in plain} == plain
    assert (result["keywords"], result["unused_count"]) == (0, 1)


@pytest.mark.parametrize("name", ["cer", "wer"])
@examples(0.5)
@given(st.lists(SENTENCES, min_size=1, max_size=3), WEIGHTS, st.booleans())
def test_the_length_does_not_depend_on_the_prediction(name, rows, table, bounded):
    """Nor on whether the pair is compared as it is written: the weighted length of the canonical reading divides."""
    options = {"readings": "ko", "weights": table, "detailed": True, "bounded": bounded}
    for prediction, reference in rows:
        try:
            result = load(name).compute(predictions=[prediction], references=[reference], **options)
        except ValueError as error:
            assume("read alike" not in str(error))
            raise
        same = load(name).compute(predictions=[reference], references=[reference], **options)
        assert result["reference_length"] == same["reference_length"]


UNITS = [
    *(("g", "kg"), ("m", "km"), ("l", "ml"), ("B", "KB"), ("s", "ms"), ("m", "mm"), ("K", "SK"), ("kg", "5kg")),
    *(("LG", "LG는"), ("철수", "철수가")),
]


@pytest.mark.parametrize("pair", [*UNITS, *(pair[::-1] for pair in UNITS)], ids="-".join)
@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_a_phrase_in_the_notation_of_another_is_not_read_alike(metric, pair):
    """Each of them is found where it is written, alone or behind a number, where the other one is not the same."""
    weights = dict(zip(pair, (2, 5), strict=True))
    for phrase, weight in weights.items():
        for text in (phrase, f"{phrase} 가 {phrase}"):
            found = load(metric).explain(prediction=text, reference=text, weights=weights, readings="ko")["keywords"]
            places = [place for side, name, own, *place in found if (side, name, own) == ("reference", phrase, weight)]
            assert len(places) == text.count(phrase), text
            assert score(metric, text, text, weights)[metric] == 0


@pytest.mark.parametrize(
    ("weights", "text", "found"),
    [
        ({"g": 2, "kg": 5}, "케이지", ["kg"]),
        ({"s": 2, "ms": 5}, "엠에스", ["ms"]),
        ({"kg": 5, "g": 2}, "무게 g", ["g"]),
        ({"그램": 2, "킬로그램": 5}, "5kg", ["킬로그램"]),
        ({"그램": 2, "킬로그램": 5}, "5g", ["그램"]),
        ({"미터": 2, "센티미터": 5}, "오 센티미터 3m", ["센티미터", "미터"]),
        ({"5g": 2, "5kg": 5}, "오 킬로그램", ["5kg"]),
        ({"5g": 2, "5kg": 5}, "오 그램", ["5g"]),
        ({"K": 2, "SK": 5}, "에스케이가", ["SK"]),
    ],
)
@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_units_are_found_where_they_are_read(metric, weights, text, found):
    explained = load(metric).explain(prediction=text, reference=text, weights=weights, readings="ko")["keywords"]
    names = [name for side, name, *_ in explained if side == "reference"]
    if metric == "wer":
        assert names == found
    else:  # of characters 그램 is in 킬로그램, too
        assert set(found) <= set(names)


def test_two_phrases_that_are_read_alike():
    with pytest.raises(ValueError, match=r"weights: '3%' and '삼 퍼센트' are read alike.*3% \| 삼 퍼센트"):
        score("cer", "가", "가", {"3%": 5, "삼 퍼센트": 5})
    pairs = [("LG", "엘지"), ("3월", "삼월"), ("5kg", "오 킬로그램"), ("5kg 김", "오 킬로그램 김"), ("SK", "에스케이")]
    for one, two in pairs:
        for weights in ({one: 5, two: 2}, {two: 5, one: 2}):
            for metric in ("cer", "wer"):
                with pytest.raises(ValueError, match="are read alike; drop one"):
                    score(metric, "가", "가", weights)
    assert score("cer", "3%", "삼 프로", {"3% | 삼 퍼센트": 5})["keywords"] == 1
    assert score("wer", "3% 3%", "삼 프로", {("3%", "삼 퍼센트"): 5})["keyword_precision"] == 0.5


def test_readings_of_ones_own():
    own = {"나사": "NASA", "1.5T": "일점오 테슬라"}
    result = score("wer", "NASA는 15T", "나사는 1.5T", {"나사": 5, "1.5T": 3}, readings=own)
    assert (result["keywords"], result["keyword_recall"], result["missed_keywords"]) == (2, 0.5, [["1.5T", 1, 1]])
    marks = score("cer", "1.5T 15T", "1.5T", {"1.5T": 3}, readings={"나사": "NASA"})
    assert (marks["keywords"], marks["keyword_precision"]) == (1, 1.0)


@pytest.mark.parametrize("metric", ["cer", "wer"])
@examples(0.4)
@given(
    rows=st.lists(st.tuples(SENTENCE, st.lists(SENTENCE, min_size=1, max_size=2)), min_size=1, max_size=3),
    table=WEIGHTS,
    bounded=st.booleans(),
)
def test_sums_and_bounds(metric, rows, table, bounded):
    columns = {"predictions": [row[0] for row in rows], "references": [row[1] for row in rows]}
    options = {"readings": "ko", "bounded": bounded, "detailed": True}
    try:
        result = load(metric).compute(**columns, **options, weights=table)
    except ValueError as error:
        assume("read alike" not in str(error))
        raise
    plain = load(metric).compute(**columns, **options)
    for key in (metric, "edits"):
        assert result[f"unweighted_{key}"] == plain[key]
    for key in (f"literal_{metric}", "literal_edits"):
        assert result[key] == plain[key]
    assert sum(result[f"{kind}_edits"] for kind in ERROR_KINDS) == pytest.approx(result["edits"])
    assert result["notation_edits"] == 0
    assert not bounded or 0 <= result[metric] <= 1
    ones = load(metric).compute(**columns, **options, weights=dict.fromkeys(table, 1))
    of_kinds = {f"{kind}_edits" for kind in ERROR_KINDS} | {without_key(metric, kind) for kind in ERROR_KINDS}
    same = plain.keys() - of_kinds
    assert {key: ones[key] for key in same} == {key: plain[key] for key in same}


@pytest.mark.parametrize("metric", ["cer", "wer"])
@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("g", "5kg"),
        ("그램", "5kg"),
        ("k", "5kg"),
        ("m", "3km"),
        ("G", "LG"),
        ("TV", "CCTV"),
        ("미터", "3㎢"),
        ("B", "4KB"),
    ],
)
def test_a_part_of_a_unit_or_name_is_no_phrase(metric, phrase, text):
    """A phrase is where it is written or read as a whole: g is not in 5kg, nor 그램 in 오 킬로그램 as 5kg is read."""
    texts = {"references": [text], "predictions": [""]}
    weighted = load(metric).compute(**texts, weights={phrase: 2.0}, readings="ko")
    plain = load(metric).compute(**texts, readings="ko")
    assert (weighted["edits"], weighted["reference_length"]) == (plain["edits"], plain["reference_length"])
    assert weighted["keywords"] == 0


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("kg", "5kg"),
        ("킬로그램", "5kg"),
        ("g", "5g"),
        ("5", "5kg"),
        ("퍼센트", "3%"),
        ("5월", "2024-05-01"),
        ("LG", "LG는"),
    ],
)
def test_numbers_and_units_of_notations_are_whole(phrase, text):
    result = load("cer").compute(references=[text], predictions=[text], weights={phrase: 2.0}, readings="ko")
    assert result["keywords"] == 1


@pytest.mark.parametrize("readings", [None, "ko"])
@pytest.mark.parametrize(
    ("text", "count"), [("마라마라마", 1), ("마라마마라마", 2), ("마라마라마라마", 2), ("마라마 3개", 1)]
)
def test_occurrences_of_one_phrase_do_not_overlap(readings, text, count):
    """From the left each one begins behind the end of the one before."""
    result = load("cer").compute(references=[text], predictions=[text], weights={"마라마": 2.0}, readings=readings)
    assert result["keywords"] == count
