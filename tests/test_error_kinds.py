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
from textgauge.error_rates.character_kinds import blocks_of, count_kinds, equal_blocks
from textgauge.error_rates.details import COUNTS
from textgauge.error_rates.error_kinds import ENDINGS, ERROR_KINDS, NUMERALS
from textgauge.error_rates.fillers import FILLERS, compile_fillers
from textgauge.error_rates.word_ends import Side
from textgauge.korean.readings import WORD_END, mark_word_ends

PIECES = [
    "가 3시에", "세 개를", "삼백", "3", "이십일", "21", "에서", "는", "가", "닭", "닥", "_", ".", " ", "½", "\u0301",
    " 음 ", "어어", "LG", "uh ",
]  # fmt: skip
SENTENCE = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
ANY_TEXT = SENTENCE | TEXT
SEGMENTS = st.lists(st.tuples(ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)
OPTIONS = [{}, {"readings": "ko"}, {"preset": "nlptutti", "bounded": False}, {"weights": {"가": 3}}]


def compute(name, prediction, reference, **options):
    """Returns {kind: edits} of one segment without those of which there are none, and what is removed with `-`."""
    result = load(name).compute(predictions=[prediction], references=[reference], detailed=True, **options)
    kinds = {kind: result[f"{kind}_edits"] for kind in ("notation", *ERROR_KINDS) if f"{kind}_edits" in result}
    for kind in ("spacing", "punctuation"):
        kinds[f"-{kind}"] = result.get(f"removed_{kind}_edits", 0)
    return {kind: edits for kind, edits in kinds.items() if edits}


def slow_kinds(runs, reference, prediction, phrases=((), ())):
    """Returns how many edits of two texts with WORD_END in them are of each kind."""
    texts = [side.replace(WORD_END, "") for side in (reference, prediction)]
    endings, fillers = ([*map(find, (reference, prediction))] for find in (ending_positions, filler_positions))
    is_korean = any("가" <= character <= "힣" for text in texts for character in text)
    counts = dict.fromkeys(ERROR_KINDS, 0)
    for group in split(runs, lambda run: run[0] == "equal" and not all(map(is_numeral, texts[0][run[1] : run[2]]))):
        a, b, c, d = bounds(group)
        both = texts[0][a:b], texts[1][c:d]
        is_number = has_both_forms(*both) or has_both_forms(*both[::-1])
        for block in split(group, lambda run: run[0] == "equal"):
            a, b, c, d = bounds(block)
            own = [{at - first for at in of} for of, first in zip(fillers, (a, c), strict=True)]
            for pair in partners(texts[0][a:b], texts[1][c:d], own):
                places = [None if at is None else first + at for first, at in zip((a, c), pair, strict=True)]
                found = [(side, at) for side, at in enumerate(places) if at is not None]
                characters = [texts[side][at] for side, at in found]
                if any(at in phrases[side] for side, at in found):
                    counts["phrase"] += 1
                elif any(at in fillers[side] for side, at in found):
                    counts["filler"] += 1
                else:
                    is_ending = all(at in endings[side] for side, at in found)
                    counts[kind_of(characters, is_number, is_korean, is_ending)] += 1
    return [*counts.values()]


def kind_of(characters, is_number, is_korean, is_ending):
    if any(character.isspace() for character in characters):
        return "spacing"
    if any(unicodedata.category(character)[0] not in "LMN" for character in characters):
        return "punctuation"
    if any(map(is_figure, characters)) or is_number and any(map(is_numeral, characters)):
        return "number"
    if is_korean and any("LATIN" in unicodedata.name(character, "").split()[:1] for character in characters):
        return "latin"
    if is_ending:
        return "ending"
    return "one_jamo" if len(characters) == 2 and differ_in_one_jamo(*characters) else "other"


def split(runs, is_between):
    return [list(group) for between, group in itertools.groupby(runs, is_between) if not between]


def bounds(runs):
    return runs[0][1], runs[-1][2], runs[0][3], runs[-1][4]


def partners(left, right, fillers):
    longer, shorter, of_longer = (left, right, fillers[0]) if len(left) >= len(right) else (right, left, fillers[1])
    order = ["spacing", "punctuation", "filler"]
    kinds = [kind_of([character], False, False, False) for character in longer]
    kinds = [kind if kind in order else "filler" if at in of_longer else kind for at, kind in enumerate(kinds)]
    ranks = [[*order, kind].index(kind) for kind in kinds]
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


def filler_positions(text):
    is_filler = re.compile(rf"({'|'.join(FILLERS)})\1*", re.I).fullmatch
    words = [(word, start) for word, start, is_marked in words_of(text) if is_marked and is_filler(word)]
    return {at for word, start in words for at in range(start, start + len(word))}


def has_both_forms(with_digits, with_words):
    return any(map(is_figure, with_digits)) and not NUMERALS.isdisjoint(with_words)


def is_numeral(character):
    return is_figure(character) or character in NUMERALS


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
        counts = count_kinds(*([Side(side)] for side in sides), [[(1, 1, 0)]], compile_fillers()).tolist()
        assert counts == [[int(name == kind) for name in ERROR_KINDS]]


@pytest.mark.parametrize("from_runs", [False, True])
@given(
    st.lists(st.tuples(SENTENCE, SENTENCE) | st.tuples(TEXT, TEXT), max_size=5),
    st.booleans(),
    st.sets(st.integers(0, 4)),
)
def test_characters(from_runs, pairs, has_blanks, phrase):
    pairs = [tuple(mark_word_ends(text.replace(WORD_END, "")) for text in pair) for pair in pairs]
    pairs = pairs if has_blanks else [tuple(text.replace(" ", "") for text in pair) for pair in pairs]
    compared = [tuple(text.replace(WORD_END, "") for text in pair) for pair in pairs]
    runs = [align(*pair) for pair in compared]
    blocks = map(blocks_of, runs) if from_runs else itertools.starmap(equal_blocks, compared)
    phrases = [[{at for at in phrase if at < len(text)} for text in pair] for pair in compared]
    sides = (
        [Side(pair[place], False, own[place]) for pair, own in zip(pairs, phrases, strict=True)] for place in (0, 1)
    )
    found = count_kinds(*sides, blocks, compile_fillers())
    assert found.shape == (len(pairs), len(ERROR_KINDS))
    assert found.tolist() == [slow_kinds(of, *pair, own) for of, pair, own in zip(runs, pairs, phrases, strict=True)]


CHARACTERS = [  # prediction, reference, edits of each kind; the others are 0
    ("나는학교에 갔다", "나는 학교에 갔다", {"spacing": 1}),
    ("나는 학교에 갔다.", "나는 학교에 갔다", {"punctuation": 1}),
    ("나는,학교에", "나는 학교에", {"spacing": 1}),  # a blank and a comma: the first kind that fits
    ("삼개", "3개", {"number": 1}),
    ("이십일 일", "21일", {"number": 3, "spacing": 1}),
    ("21일", "이십일일", {"number": 3}),  # the numeral that happens to be equal stands not between
    ("4월 사촌", "3월 삼촌", {"number": 1, "one_jamo": 1}),  # a numeral elsewhere
    ("닥이오", "닭", {"one_jamo": 1, "other": 2}),  # what comes last has no partner
    ("5개", "3개", {"number": 1}),
    ("삼개", "사개", {"one_jamo": 1}),  # two numerals are no figure
    ("LG가", "엘지가", {"latin": 2}),
    ("home", "hole", {"other": 1}),  # no Hangul
    ("날씨가 맑다", "날씨는 맑다", {"ending": 1}),
    ("학교에서 갔어요", "학교에 갔다", {"ending": 3}),
    ("가 봤다", "는 봤다", {"other": 1}),  # a whole eojeol is no ending
    ("AI가", "AI는", {"ending": 1}),
    ("음 나는", "나는", {"filler": 1, "spacing": 1}),
    ("어어 음", "아아", {"filler": 3, "spacing": 1}),
    ("음악", "악", {"other": 1}),
    ("어 닥", "닭", {"filler": 1, "spacing": 1, "one_jamo": 1}),
    ("Uh home", "home", {"filler": 2, "spacing": 1}),
    ("닥", "닭", {"one_jamo": 1}),
    ("수박", "수밖", {"one_jamo": 1}),
    ("감", "곰", {"one_jamo": 1}),
    ("강", "감", {"one_jamo": 1}),
    ("강", "곰", {"other": 1}),
    ("가", "각", {"one_jamo": 1}),
    ("a", "b", {"other": 1}),
    ("고양이가잠을 잔다", "고양이가 담을 잔다.", {"spacing": 1, "punctuation": 1, "one_jamo": 1}),
    ("가라나", "가다 나", {"spacing": 1, "one_jamo": 1}),  # not "라" for the blank
    ("가 다나", "가라나", {"spacing": 1, "one_jamo": 1}),
    ("가강, 다", "가감다", {"spacing": 1, "punctuation": 1, "one_jamo": 1}),
    ("", "", {}),
]


@pytest.mark.parametrize(("prediction", "reference", "expected"), CHARACTERS)
def test_kinds_of_characters(prediction, reference, expected):
    """Where blanks and punctuation are kept, and where they are removed; then they are listed apart."""
    assert compute("cer", prediction, reference, preset="jiwer") == expected
    removed = {f"-{kind}" if kind in ("spacing", "punctuation") else kind: count for kind, count in expected.items()}
    if "," not in prediction:
        assert compute("cer", prediction, reference) == removed


WORDS = [
    ("나는학교에 갔다", "나는 학교에 갔다", {"spacing": 2}),
    ("나는 학교에 갔다.", "나는 학교에 갔다", {"punctuation": 1}),
    ("나는 , 갔다", "나는 갔다", {"punctuation": 1}),
    ("삼개", "3개", {"number": 1}),
    ("½ 컵", "컵", {"number": 1}),
    ("엘지가", "LG가", {"latin": 1}),
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
    assert compute(metric, prediction, reference, readings="ko") == expected


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
    assert compute(metric, "타이래놀 5mg", "타이레놀 6mg", **options) == {"phrase": 1, "number": 1}
    assert compute(metric, "타이레놀 5mg", "타이래놀 5mg", **options) == {"phrase": 1}  # in the prediction


@pytest.mark.parametrize("metric", ["cer", "wer"])
@given(SEGMENTS, st.sampled_from(OPTIONS))
def test_kinds_add_up(metric, segments, options):
    """To the edits of the readings, and with notations to those as they are written."""
    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    result = load(metric).compute(**columns, **options, detailed=True)
    kinds = [result[f"{kind}_edits"] for kind in ERROR_KINDS]
    assert min(kinds) >= 0
    assert sum(kinds) == sum(result[step] for step in ("substitutions", "deletions", "insertions"))
    if "weights" not in options:
        assert sum(kinds) == result["edits"]
    if "readings" in options:
        assert sum(kinds) + result["notation_edits"] == result["literal_edits"]


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
    assert substitutions + deletions + insertions == result["edits"]
    if name == "cer" or "readings" not in options:  # the nearest reading may have more words than the canonical one
        assert substitutions + deletions + hits == result["reference_length"]
    assert str(json.loads(json.dumps(result))) == str(result)
    if name == "cer":
        assert sum(count for _, _, count in result["confusions"]) <= result["edits"]
    else:
        assert result["wil"] == pytest.approx(1 - result["wip"])
