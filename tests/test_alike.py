"""What two texts write differently and read alike, against a version that tries every stretch of a text."""

import itertools

import pytest
from conftest import examples
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from texts import TEXT

from textgauge.error_rates.kinds.alike import (
    Budget,
    alike_stretches,
    find_alike,
    may_be_read,
    places_in_text,
    write_alike,
)
from textgauge.error_rates.kinds.spelled import readings_of, spell_wrong
from textgauge.error_rates.kinds.windows import equal_blocks, windows_of
from textgauge.korean.notations import find_notations
from textgauge.korean.reading_networks import fewest_edits
from textgauge.korean.reading_trees import Notation, or_as_written
from textgauge.korean.readings import Cleaning
from textgauge.korean.written_forms import in_usual_form

FORMS = [
    ("3%", "삼 퍼센트"), ("3.5kg", "삼점오 킬로그램"), ("10,000원", "만 원"), ("2024년", "이천이십사년"),
    ("8·15", "팔일오"), ("10:30", "열 시 삼십 분"), ("LG", "엘지"), ("3개", "세 개"), ("KF94", "케이에프 구십사"),
    ("1:1", "일대일"), ("3~4명", "서너 명"), ("½", "이분의 일"), ("ＡＩ", "AI"),
]  # fmt: skip
PIECES = [*itertools.chain.from_iterable(FORMS), "가", "나", " ", "책 ", "십", "오", "-", "만", "\n"]
SENTENCE = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
ANY_TEXT = SENTENCE | TEXT


def borders(text):
    """Yields where a stretch of a text may begin or end: not inside a notation."""
    place = 0
    yield 0
    for piece in find_notations(text):
        steps = [1] * len(piece) if isinstance(piece, str) else [len(piece.written)]
        for step in steps:
            place += step
            yield place


def slow_pairs(texts, skips_blanks):
    """Returns all places of a notation of one text and a stretch of the other that read alike."""
    cleaning = Cleaning("remove" if skips_blanks else "keep", "keep", "syllable", "keep")
    found, blocks = set(), equal_blocks(*texts)
    for own, other in ((0, 1), (1, 0)):
        windows = windows_of(blocks, own, len(texts[own]), len(texts[other]))
        place = 0
        for piece in find_notations(texts[own]):
            start, place = place, place + len(piece if isinstance(piece, str) else piece.written)
            if isinstance(piece, str) or windows.is_same(start, place):
                continue
            for begin, end in itertools.combinations(borders(texts[other]), 2):
                stretch = pieces_between(texts[other], begin, end)
                stretch = [part for part in stretch if part != " " or not skips_blanks]
                if stretch and isinstance(stretch[0], Notation) and stretch[0].written == piece.written:
                    continue
                if fewest_edits([([or_as_written(piece)], stretch)], [0], cleaning=cleaning) == [0]:
                    places = (start, place), (begin, end)
                    found.add((*places[own], *places[other]))
    return found


def pieces_between(text, begin, end):
    """Returns the pieces of a stretch of a text, as these are read in the text."""
    pieces, place = [], 0
    for piece in find_notations(text):
        if isinstance(piece, Notation):
            pieces += [or_as_written(piece)] if begin <= place < end else []
            place += len(piece.written)
            continue
        for character in piece:
            pieces += [" " if character.isspace() else character] if begin <= place < end else []
            place += 1
    return pieces


def has_blank_ends(texts, places):
    a, b, c, d = places
    return any(text != text.strip() or not text for text in (texts[0][a:b], texts[1][c:d]))


@pytest.mark.parametrize("skips_blanks", [True, False])
@examples(0.7)
@given(SENTENCE, SENTENCE)
def test_all_stretches_that_read_alike(skips_blanks, first, second):
    texts = in_usual_form(first), in_usual_form(second)
    found = alike_stretches(texts, True, skips_blanks, Budget(["가" * 10_000]))
    found = {places for places in found if not has_blank_ends(texts, places)}
    assert found == {places for places in slow_pairs(texts, skips_blanks) if not has_blank_ends(texts, places)}


@given(ANY_TEXT, ANY_TEXT, st.booleans())
def test_pairs(first, second, skips_blanks):
    """They follow one another, change places with the texts, and never leave more edits between letters."""
    pairs = find_alike(first, second, skips_blanks)
    turned = find_alike(second, first, skips_blanks)
    assert [(c, d, a, b) for a, b, c, d in turned] == pairs
    ends = (0, 0)
    for a, b, c, d in pairs:
        assert ends[0] <= a < b <= len(first) and ends[1] <= c < d <= len(second)
        assert first[a:b] != second[c:d]
        ends = b, d
    written = write_alike(first, second, pairs)
    assert bool(pairs) == (written != second)
    if not skips_blanks:
        assert Levenshtein.distance(first, written) <= Levenshtein.distance(first, second)


@given(st.lists(st.tuples(st.sampled_from(FORMS), st.booleans(), st.booleans()), max_size=4, unique_by=lambda p: p[0]))
def test_right_notations_become_the_same(places):
    """Except for blanks: KF94 is two notations, and so 케이에프 구십사 becomes KF 94.

    Each notation is there once: of several equal ones, the alignment may pair others.
    """
    first, second = (" 그리고 ".join(["책", *(forms[own[side]] for forms, *own in places)]) for side in (0, 1))
    for skips_blanks in (True, False):
        written = write_alike(first, second, find_alike(first, second, skips_blanks))
        assert written.replace(" ", "") == first.replace(" ", "")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("3 cats", "세 cats", True),
        ("3 cats", "three cats", False),  # no Hangul
        ("삼 개", "세 개", False),  # no sign of a notation
        ("3개", "3개", False),
        ("3개", "", False),
    ],
)
def test_nothing_is_read_that_cannot_matter(first, second, expected, monkeypatch):
    assert may_be_read(first, second) == expected
    if not expected:
        monkeypatch.setattr("textgauge.error_rates.kinds.alike.pieces_of", None)
        assert find_alike(first, second, True) == []
        assert [side.text for side in spell_wrong(first, second)] == [first, second]


@pytest.mark.parametrize("unit", ["<a", "1:", "3 "])
def test_loops_of_notations_are_read(unit):
    """They are the same, and nothing is walked through."""
    assert find_alike("가 " + unit * 900, "나 " + unit * 1800, True) == []


def test_dense_texts_are_not_read():
    """The steps are in proportion to the texts; beyond, no pair is returned."""
    assert find_alike("3~4명 " * 300, "3~5명 " * 300, True) is None
    assert find_alike("가 " + "1-" * 900, "나 " + "1-" * 1800, True) is None  # a hyphen may be unread: 1 is -1 and 1-
    assert find_alike("3~4명 그리고 서너 명", "서너 명 그리고 3~4명", True)
    assert find_alike("가 " + "세 개 " * 900, "나 " + "3개 " * 900, True) is not None


def test_a_budget_grows_with_the_texts():
    assert Budget(["가" * 2000]).steps - Budget(["가" * 1000]).steps == 1000 * (Budget(["가"]).steps - Budget([]).steps)


@example("0️⃣")
@example("¼0️⃣")
@example("3️⃣½")
@given(TEXT | st.text(st.sampled_from("3½㎏ＡＩ가 ⃣️5"), max_size=9))
def test_places_of_the_usual_form(text):
    usual = in_usual_form(text)
    places = places_in_text(text, usual)
    assert len(places) == len(usual) + 1 and places == sorted(places) and places[-1] == len(text)
    for place, character in zip(places, usual, strict=False):
        assert (
            text[place] == character
            or in_usual_form(text[max(place - 1, 0) : place + 2]) != text[max(place - 1, 0) : place + 2]
        )


@pytest.mark.parametrize(
    ("reference", "prediction", "spelled"),
    [
        ("2024년", "이천이십삼년", ("이천이십사년", "이천이십삼년")),
        ("5%", "삼 퍼센트", ("오 퍼센트", "삼 퍼센트")),
        ("삼 퍼센트", "5%", ("삼 퍼센트", "오 퍼센트")),
        ("LG 가", "에이치지 가", ("엘지 가", "에이치지 가")),
        ("3시", "5시", ("3시", "5시")),  # as near as they are written
        ("책 3권", "책 가", ("책 3권", "책 가")),
        ("3개 둘", "세 개 5개", ("세 개 둘", "세 개 5개")),
    ],
)
def test_wrong_notations_are_spelled(reference, prediction, spelled):
    found = spell_wrong(reference, prediction)
    assert tuple(side.text for side in found) == spelled
    for side, text in zip(found, (reference, prediction), strict=True):
        assert bool(side.spans) == (side.text != text)


@given(ANY_TEXT, ANY_TEXT)
def test_spelling(reference, prediction):
    """A text is as it was but for the words that stand for notations, and these are readings."""
    for side, text in zip(spell_wrong(reference, prediction), (reference, prediction), strict=True):
        readings = {
            reading
            for piece in find_notations(text)
            if isinstance(piece, Notation)
            for reading in readings_of(piece.tree)
        }
        end = behind = 0
        for start, stop, _ in side.spans:
            assert side.text[start:stop] in readings
            kept = side.text[end:start]
            assert text.startswith(kept, behind) or kept in text[behind:]
            behind = text.index(kept, behind) + len(kept)
            end = stop
        assert text.endswith(side.text[end:])
