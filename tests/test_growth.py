"""Texts that mean harm, or come from a recogniser that loops: time grows at most with the square of their length."""

import time

import pytest
from conftest import load

from textgauge.korean.reading_tables import read_readings
from textgauge.korean.reading_words import WORD_CLEANING, word_network
from textgauge.korean.readings import read_texts

# each is repeated: beginnings of notations and tags, numbers in all forms, letters, blanks, marks, emoji
UNITS = [
    *("<a", "[a]", "((a)", "(a)/(", "&amp;", "<skipped>", "1-", "10-", "-1 ", "1/", "1.", "1:", "1+", "1~", "3~4"),
    "1 ",
    *("1,000", "1,000 ", "1만", "3만 5천", "1~2만", "½", "７", "㎏", "5kg", "$1", "1%", "제1", "No.1", "2-0(6-36-2)"),
    *("010-1234-5678", "2024-06-25T10:20", "LG ", "LG", "A+", "B2", "C#", "a.b@", "https://a.b/", "(주)", "a", "a "),
    *("ab ab ", "가", "가 ", "만 ", "네 아니 ", "음 ", " ", "\t", "\u3000", "!", "'", ". ", "-", "·", "~", "😀"),
    *("👩‍👩‍👧", "e\u0301"),
    *("\u0301", "ᄀ", "각", "שלום ", "\u200b", "\ufdd0", "日本", "ก"),
]
CALLS = [
    ("cer", {"readings": "ko", "detailed": True}),
    ("cer", {"preset": "ksponspeech", "readings": "ko"}),
    ("cer", {"preset": "whisper", "unit": "jamo"}),
    ("cer", {"readings": "ko", "weights": {"엘지": 2.0, "퍼센트": 3.0}}),
    ("wer", {"readings": "ko", "detailed": True}),
    ("wer", {"compounds": "merge"}),
    ("wer", {"space_normalized": True, "weights": {"엘지": 2.0, "1%": 3.0}}),
    *((name, {}) for name in ("bleu", "rouge", "chrf", "meteor", "ter", "nist", "cider", "hyter")),
    ("weighted_bleu", {"weights": {"엘지": 2.0, "1%": 1.5}}),
]
SHORT = 250  # characters
# seconds; the first use of a table and the noise of a slow machine take as much, so that what takes less says nothing
# about growth, and growth to less than 2 * SQUARE times this is not seen
NOTHING = 0.3
SQUARE = 4


def seconds(metric, unit, size, options):
    """Returns the processor's time for a text of a unit over and over, with an error at both ends."""
    text = unit * (size // len(unit))
    start = time.process_time()
    metric.compute(predictions=[f"나{text}가"], references=[[f"{text}나{unit}"]], **options)
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # some texts are odd enough for one
@pytest.mark.parametrize(("name", "options"), CALLS)
def test_time_grows_at_most_with_the_square(name, options):
    metric = load(name)
    for unit in UNITS:
        of_two = seconds(metric, unit, 2 * SHORT, options)
        if of_two > NOTHING:
            of_one = seconds(metric, unit, SHORT, options)
            assert of_two < 2 * SQUARE * max(of_one, NOTHING), unit


@pytest.mark.slow
@pytest.mark.parametrize("readings", [None, "ko"])
@pytest.mark.parametrize("name", ["cer", "wer"])
def test_time_grows_with_the_number_of_phrases(name, readings):
    """All begin alike, so that one character of a text does not tell them apart."""
    metric = load(name)
    texts = [f"가{chr(0xAC00 + number)} 나" for number in range(100)]

    def seconds_with(size):
        weights = {f"가{chr(0xAC00 + number % 10_000)}{chr(0xAC01 + number // 10_000)}": 2.0 for number in range(size)}
        start = time.process_time()
        metric.compute(predictions=texts, references=texts, weights=weights, readings=readings)
        return time.process_time() - start

    assert seconds_with(8000) < 8 * max(seconds_with(2000), NOTHING)


@pytest.mark.parametrize("unit", ["1-", "10-", "2-0(6-36-2)"])
def test_words_of_a_loop_are_not_looked_for(unit):
    """Its readings have far more words than those that people write."""
    [pieces] = read_texts([unit * 200], read_readings("ko"), WORD_CLEANING)
    assert word_network(pieces) is None


def test_readings_that_people_write_stay():
    [pieces] = read_texts(["2-0(6-36-2)으로"], read_readings("ko"), WORD_CLEANING)
    assert len(word_network(pieces).arcs) == 794
