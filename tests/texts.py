"""Random texts that are hard to split: marks and blanks of every kind, all scripts, joiners, decomposed Hangul.

And the columns of a corpus.
"""

from hypothesis import strategies as st

SPACES = " \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u1680\u2000\u2028\u2029\u202f\u205f\u3000"
MARKS = ".,-'\"&;<>#$%()[]{}|~`^_/\\:@0123456789ab가"
# joiners, variation selectors, controls, letters and marks of two, three and four bytes, jamo, emoji
OTHERS = (
    "\u200b\u200c\u200d\ufeff\ufe0f\x00\x7f\x9f\u00d7Éжש\u05b8\u0301ไहिन्ㄱᄀ\u1161漢、“”…ａ"
    "\U0001f1f0\U0001f44d\U0001f3fd\U0001d54f\U0002000b"
)
HOSTILE = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from(MARKS + SPACES + OTHERS)), max_size=30)
PIECES = st.sampled_from(
    ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "<skip-\nped>", "&-\namp;", "-\n", "\n"]
    + ["3.5", "a,b", "1-2", "don't", " ", "가.", ".", "1..5", "1...5", "a..5", "1.,.5", "5--3"]
)
TEXT = st.one_of(HOSTILE, st.lists(PIECES, max_size=8).map("".join))


def columns(corpus):
    """Returns pairs of a prediction and its references as columns."""
    return {"predictions": [row[0] for row in corpus], "references": [row[1] for row in corpus]}


def split(texts):
    """Returns the words of such columns."""
    return [text.split() for text in texts["predictions"]], [[t.split() for t in row] for row in texts["references"]]
