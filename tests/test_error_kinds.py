"""Of which kind the edits of CER and WER are, against a slow version that looks at one edit after the other."""

import itertools
import json
import re
import unicodedata

import cases
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from texts import TEXT

from textgauge.edits.distances import align
from textgauge.error_rates.details import COUNTS
from textgauge.error_rates.kinds.characters import count_kinds
from textgauge.error_rates.kinds.error_kinds import ERROR_KINDS
from textgauge.error_rates.kinds.tables import ENDINGS, NUMERALS, UNIT_WORDS
from textgauge.error_rates.kinds.word_ends import Side
from textgauge.error_rates.nearest.spelling import Span
from textgauge.korean.readings import WORD_END, mark_word_ends

PIECES = [
    "가 3시에", "세 개를", "삼백", "3", "이십일", "21", "에서", "는", "가", "닭", "닥", "_", ".", " ", "½", "\u0301",
    " 음 ", "하나", "나", "LG", "uh ", "퍼센트", "삼 퍼센트", "오킬로",
]  # fmt: skip
SENTENCE = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


def compute(name, prediction, reference, **options):
    """Returns {kind: edits} of one segment without those of which there are none, and what is removed with `-`."""
    result = load(name).compute(predictions=[prediction], references=[reference], detailed=True, **options)
    kinds = {kind: result[f"{kind}_edits"] for kind in ERROR_KINDS}
    for kind in ("spacing", "punctuation"):
        kinds[f"-{kind}"] = result.get(f"removed_{kind}_edits", 0)
    return {kind: edits for kind, edits in kinds.items() if edits}


def slow_kinds(runs, reference, prediction, phrases=((), ()), spelled=((), ())):
    """Returns how many edits of two texts with WORD_END in them are of each kind."""
    sides = reference, prediction
    texts = [side.replace(WORD_END, "") for side in sides]
    endings, units, numerals = ([*map(find, sides)] for find in (ending_positions, unit_positions, numeral_positions))
    letters = [[at for at, character in enumerate(text) if character.isalnum()] for text in texts]
    figures = [{at for at, character in enumerate(text) if is_figure(character)} for text in texts]
    latin = [{at for at, character in enumerate(text) if is_latin(character)} for text in texts]
    for side, of_side in enumerate(spelled):
        for start, end, kind, _ in of_side:
            (latin if kind == "letter" else figures)[side].update(letters[side][start:end])
    is_korean = any("가" <= character <= "힣" for text in texts for character in text)
    counts = dict.fromkeys(ERROR_KINDS, 0)

    def is_of_number(run):
        return all(at in numerals[0] | figures[0] for at in range(*run[1:3])) if run[0] == "equal" else True

    for group in split(runs, lambda run: not is_of_number(run)):
        a, b, c, d = bounds(group)
        has = [[any(at in own for at in range(*span)) for own, span in zip(of, ((a, b), (c, d)), strict=True)]
               for of in (figures, numerals)]  # fmt: skip
        is_number = has[0][0] and has[1][1] or has[0][1] and has[1][0]
        for block in split(group, lambda run: run[0] == "equal"):
            a, b, c, d = bounds(block)
            own = [{at - first for at in of} for of, first in zip(units, (a, c), strict=True)]
            for pair in partners(texts[0][a:b], texts[1][c:d], own):
                places = [None if at is None else first + at for first, at in zip((a, c), pair, strict=True)]
                found = [(side, at) for side, at in enumerate(places) if at is not None]
                characters = [texts[side][at] for side, at in found]

                def any_in(positions, found=found):
                    return any(at in positions[side] for side, at in found)

                def all_in(positions, found=found):
                    return all(at in positions[side] for side, at in found)

                if any_in(phrases):
                    kind = "phrase"
                elif all(map(str.isspace, characters)):
                    kind = "spacing"
                elif all(character.isspace() or is_mark(character) for character in characters):
                    kind = "punctuation"
                elif any_in(figures) or is_number and any_in(numerals) or all_in(units):
                    kind = "number"
                elif is_korean and any_in(latin):
                    kind = "latin"
                elif all_in(endings):
                    kind = "ending"
                else:
                    kind = "one_jamo" if len(characters) == 2 and differ_in_one_jamo(*characters) else "other"
                counts[kind] += 1
    return [*counts.values()]


def is_mark(character):
    return unicodedata.category(character)[0] not in "LMN"


def is_latin(character):
    return "LATIN" in unicodedata.name(character, "").split()[:1]


def split(runs, is_between):
    return [list(group) for between, group in itertools.groupby(runs, is_between) if not between]


def bounds(runs):
    return runs[0][1], runs[-1][2], runs[0][3], runs[-1][4]


def partners(left, right, units):
    longer, shorter, of_longer = (left, right, units[0]) if len(left) >= len(right) else (right, left, units[1])
    ranks = [
        0 if character.isspace() else 1 if is_mark(character) else 2 if at in of_longer else 3
        for at, character in enumerate(longer)
    ]
    by_rank = sorted(range(len(longer)), key=lambda at: (ranks[at], -at))
    alone = set(by_rank[: len(longer) - len(shorter)])
    numbers = itertools.count()
    pairs = [(at, None if at in alone else next(numbers)) for at in range(len(longer))]
    return pairs if longer is left else [(j, i) for i, j in pairs]


def words_of(text):
    """Yields each word, where it begins, and whether its end is marked."""
    for match in re.finditer(rf"[^\W{WORD_END}]+", text):
        yield match[0], match.start() - text[: match.start()].count(WORD_END), text[match.end() :][:1] == WORD_END


def ending_positions(text):
    positions = set()
    for word, start, _ in words_of(text):
        for first in range(1, len(word)):
            if word[first:] in ENDINGS:
                positions.update(range(start + first, start + len(word)))
                break
    return positions


def unit_positions(text):
    """The longest unit behind a numeral, or behind the end of a word and a blank that follow one."""
    positions, at = set(), 0
    while at < len(text):
        before = re.sub(f"{WORD_END}? ?$", "", text[:at])[-1:]
        unit = max((word for word in UNIT_WORDS if text.startswith(word, at)), key=len, default="")
        if unit and before in NUMERALS:
            start = at - text[:at].count(WORD_END)
            positions.update(range(start, start + len(unit)))
        at += len(unit) if unit and before in NUMERALS else 1
    return positions


def numeral_positions(text):
    """Syllables of numerals; those that are none alone only where the rest of the numeral is there, too."""
    positions, at = set(), 0
    long = ["하나", "다섯", "여섯", "일곱", "여덟", "아홉", "스물", "스무"]
    long += ["서른", "마흔", "예순", "일흔", "여든", "아흔"]
    while at < len(text):
        numeral = next((word for word in long if text.startswith(word, at)), "")
        if not numeral and text[at] in "영공일이삼사오육륙칠팔구십백천만억조한두둘세셋석서네넷넉너열쉰":
            numeral = text[at]
        start = at - text[:at].count(WORD_END)
        positions.update(range(start, start + len(numeral)))
        at += len(numeral) or 1
    return positions


def is_figure(character):
    return unicodedata.category(character)[0] == "N"


def differ_in_one_jamo(first, second):
    if not all("가" <= character <= "힣" for character in (first, second)):
        return False
    jamo = [unicodedata.normalize("NFD", character).ljust(3) for character in (first, second)]
    return sum(a != b for a, b in zip(*jamo, strict=True)) == 1


@pytest.mark.parametrize(
    ("pair", "kind"),
    [("가각", "one_jamo"), ("힢힣", "one_jamo"), ("힣힟", "one_jamo"), ("\uabe2가", "other"), ("힣\ud7b0", "other"),
     ("가힣", "other"), ("가갸", "one_jamo")],
)  # fmt: skip
def test_the_first_and_the_last_syllable(pair, kind):
    for sides in (pair, pair[::-1]):
        counts = count_kinds(*([Side(side)] for side in sides), [[("substitute", 0, 1, 0, 1)]], [None]).tolist()
        assert counts == [[int(name == kind) for name in ERROR_KINDS]]


SPANS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 3), st.sampled_from(["number", "unit", "letter"])), max_size=2
)


@given(
    st.lists(st.tuples(SENTENCE, SENTENCE) | st.tuples(TEXT, TEXT), max_size=5),
    st.booleans(),
    st.sets(st.integers(0, 4)),
    SPANS,
)
def test_characters(pairs, has_blanks, phrase, spans):
    pairs = [tuple(mark_word_ends(text.replace(WORD_END, "")) for text in pair) for pair in pairs]
    pairs = pairs if has_blanks else [tuple(text.replace(" ", "") for text in pair) for pair in pairs]
    compared = [tuple(text.replace(WORD_END, "") for text in pair) for pair in pairs]
    runs = [align(*pair) for pair in compared]
    phrases = [[{at for at in phrase if at < len(text)} for text in pair] for pair in compared]
    spelled = [Span(start, start + size, kind) for start, size, kind in spans]
    sides = (
        [Side(pair[place], False, own[place], spelled) for pair, own in zip(pairs, phrases, strict=True)]
        for place in (0, 1)
    )
    found = count_kinds(*sides, runs, [None] * len(pairs))
    assert found.shape == (len(pairs), len(ERROR_KINDS))
    assert found.tolist() == [
        slow_kinds(of, *pair, own, (spelled, spelled)) for of, pair, own in zip(runs, pairs, phrases, strict=True)
    ]


def test_edits_that_cost_more_are_paired_as_aligned():
    """Else the first character of the longer text has the partner, wherever its costs are."""
    sides = [Side("닭책")], [Side("닥")]
    runs = [("delete", 0, 1, 0, 0), ("substitute", 1, 2, 0, 1)]
    for costs, expected in (
        (None, {"one_jamo": 1, "other": 1}),
        ([2.0, 2.0], {"one_jamo": 2, "other": 2}),
        ([1.0, 3.0], {"other": 4}),
    ):
        [counts] = count_kinds(*sides, [runs], [costs]).tolist()
        assert {kind: count for kind, count in zip(ERROR_KINDS, counts, strict=True) if count} == expected


WORDS = [
    ("나는학교에 갔다", "나는 학교에 갔다", {"spacing": 2}),
    ("나는 학교에 갔다.", "나는 학교에 갔다", {"punctuation": 1}),
    ("나는 , 갔다", "나는 갔다", {"punctuation": 1}),
    ("삼개", "3개", {"number": 1}),
    ("½ 컵", "컵", {"number": 1}),
    ("엘지가", "LG가", {"notation": 1}),
    ("케이지가", "LG가", {"latin": 1}),
    ("삼 퍼센트", "삼", {"number": 1}),
    ("퍼센트 삼", "삼", {"other": 1}),
    ("home run", "hole run", {"other": 1}),
    ("날씨가 맑다", "날씨는 맑다", {"ending": 1}),
    ("학교 앞", "학교에 앞", {"ending": 1}),
    ("음 나는 간다", "나는 간다", {"filler": 1}),
    ("음, 나는 간다", "나는 간다", {"filler": 1}),
    ("닥이 운다", "닭이 운다", {"one_jamo": 1}),
    ("닥발 운다", "닭밥 운다", {"other": 1}),
    ("책을 샀다", "방을 샀다", {"other": 1}),
    ("오늘 책을 샀다", "샀다", {"other": 2}),
    ("", "", {}),
]


@pytest.mark.parametrize(("prediction", "reference", "expected"), WORDS)
def test_kinds_of_words(prediction, reference, expected):
    assert compute("wer", prediction, reference) == expected


# nouns of which some end like an ending, and with a particle like a longer one: 냉장고는 in 고는, 카메라고 in 라고
NOUNS = [
    "냉장고", "창고", "바지", "편지", "비행기", "전화기", "카메라", "나라", "학교", "고양이", "의자", "포도", "토요일",
    "책상",
]  # fmt: skip
PARTICLES = [
    *("은", "는", "이", "가", "을", "를", "의", "에", "에서", "에는", "와", "과", "로", "도", "만", "까지", "부터"),
    "라고",
    "보다",
]


@pytest.mark.parametrize("noun", NOUNS)
def test_errors_in_particles_are_endings(noun):
    """Behind every noun, whichever its last syllable is; a noun without a particle too."""
    words = [noun + particle for particle in ["", *PARTICLES]]
    wanted, predicted = zip(*itertools.permutations(words, 2), strict=True)
    result = load("wer").compute(predictions=predicted, references=wanted, detailed=True)
    assert result["ending_edits"] == result["edits"] == len(wanted)


def test_errors_in_nouns_are_not_endings():
    """Whether their particles are equal or not."""
    ends = list(itertools.product(["", "는", "고", "라고"], repeat=2))
    pairs = itertools.product(itertools.permutations(NOUNS, 2), ends)
    texts = [(noun + particle, other + other_particle) for (noun, other), (particle, other_particle) in pairs]
    wanted, predicted = zip(*texts, strict=True)
    result = load("wer").compute(predictions=predicted, references=wanted, detailed=True)
    assert result["edits"] == len(texts)
    assert result["ending_edits"] == 0


def test_words_that_convention_removes():
    assert compute("wer", "나는, 학교에 갔다.", "나는 학교에 갔다", preset="nlptutti") == {"-punctuation": 2}


READ = [  # metric, prediction, reference, kinds
    ("cer", "커피 네 잔 오 킬로 엘지가 주새요", "커피 4잔 5km LG가 주세요.",
     {"notation": 6, "one_jamo": 1, "-spacing": 2, "-punctuation": 1}),
    ("cer", "엘지를 육 미리", "LG가 5mm", {"notation": 4, "number": 1, "ending": 1, "-spacing": 1}),
    ("cer", "케이지 볼펜", "LG 볼펜", {"notation": 1, "latin": 1, "other": 1}),
    ("cer", "음 세 시요", "3시에요", {"notation": 1, "filler": 1, "ending": 1, "-spacing": 2}),
    ("wer", "커피 네 잔 오 킬로 엘지 가 왔다", "커피 4잔 5km LG 가 갔다", {"notation": 5, "other": 1}),
    ("wer", "여섯 시 케이지 볼펜", "5시 LG 볼펜", {"notation": 1, "number": 1, "latin": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "prediction", "reference", "expected"), READ)
def test_kinds_of_what_is_read(metric, prediction, reference, expected):
    """With readings nothing is notation, and the rest is of the same kinds."""
    assert compute(metric, prediction, reference) == expected
    expected = {kind: count for kind, count in expected.items() if kind != "notation"}
    assert compute(metric, prediction, reference, readings="ko") == expected


FILLERS = [  # prediction, reference, fillers where blanks are kept, and where they are removed
    ("음 나는", "나는", 2, 1),
    ("어어 음", "아아", 4, 3),
    ("어, 나는", "나는", 3, 1),
    ("Uh home", "home", 3, 2),
    ("나는", "음 나는", 2, 1),
    ("음 책", "책 음", 2, 2),
    ("음", "책", 0, 0),
]


@pytest.mark.parametrize(("prediction", "reference", "kept", "removed"), FILLERS)
def test_fillers_are_what_their_absence_saves(prediction, reference, kept, removed):
    """With the blanks and marks that go with them."""
    for options, count in (({"preset": "jiwer"}, kept), ({}, removed)):
        texts = {"predictions": [prediction], "references": [reference], **options}
        found = load("cer").compute(**texts, detailed=True)
        dropped = load("cer").compute(**texts, drop_fillers=True)
        assert found["filler_edits"] == count
        assert count == max(found["edits"] - dropped["edits"], 0)


@pytest.mark.parametrize("normalization", ["NFC", "NFD", None])
def test_jamo_have_the_kinds_of_their_syllables(normalization):
    """Whether they are compared by an option or by their form."""
    options = {"normalization": normalization} if normalization != "NFC" else {"unit": "jamo"}
    texts = ("음 학교를 닥이", "학교는 닭이 3")
    prediction, reference = (unicodedata.normalize("NFD", text) if normalization is None else text for text in texts)
    found = compute("cer", prediction, reference, **options)
    assert {kind for kind in found if kind[0] != "-"} == {"filler", "ending", "one_jamo", "number"}
    assert found["filler"] == 3 and found["number"] == 1


@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_phrases_come_first(metric):
    options = {"weights": {"타이레놀": 5}}
    assert compute(metric, "타이래놀 5mg", "타이레놀 6mg", **options) == {"phrase": 5, "number": 1}
    assert compute(metric, "타이레놀 5mg", "타이래놀 5mg", **options) == {"phrase": 5}  # in the prediction


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in ("cer", "wer") for options in cases.CASES[name][1]]
)
def test_details_add_up(name, options):
    """As the common laws have it, and with details the rest stays as it was."""
    metric, columns = load(name), cases.TEXTS
    rows = metric.statistics(**columns, **options, detailed=True)
    result = metric.compute(**columns, **options, detailed=True)
    for key, value in metric.score(rows.sum(0), **options, detailed=True).items():
        assert value.tolist() == result[key]
    plain = metric.compute(**columns, **options)
    assert {key: result[key] for key in plain} == plain
    substitutions, deletions, insertions, hits = (result[count] for count in COUNTS)
    assert sum(result[f"{kind}_edits"] for kind in ERROR_KINDS) == pytest.approx(result["edits"])
    assert substitutions + deletions + insertions == result["edits"]
    if name == "cer" or "readings" not in options:  # the nearest reading may have more words than the canonical one
        assert substitutions + deletions + hits == result["reference_length"]
    assert str(json.loads(json.dumps(result))) == str(result)
    if name == "cer":
        assert sum(count for _, _, count in result["confusions"]) <= result["edits"]
    else:
        assert result["wil"] == pytest.approx(1 - result["wip"])
