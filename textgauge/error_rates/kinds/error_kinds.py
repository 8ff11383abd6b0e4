"""Of which kind the edits of an error rate are: the definition.

The base is what the rate counts: of each segment the edits between the prediction and the nearest reference; with
weights each counts what it costs. The edits of all kinds add up to these, and no kind has fewer than 0.

What may be forgiven is a chain. Each link changes the texts of a segment, and the edits that the same metric then finds
fewer are of the link's kind; the next link goes on from there. Where a link would make the segment dearer, it is left
out. So each number can be checked by scoring the changed texts.

1. filler: fillers leave both texts, as `drop_fillers` does (`phrases/fillers.py`).
2. notation: notations are spelled as words, as `readings` does (`nearest/spelling.py`).
3. loop: the surplus repeats of loops are cut out of the prediction (`loops.py`).

The rest is of the first kind that fits, by what an edit changes: one token, or two where it substitutes.

4. phrase: of a phrase of the user's.
5. spacing: of whitespace alone; of words that are the same without blanks between them.
6. punctuation: of characters that are no letters, marks or numbers, or whitespace; of words with the same letters.
7. number: of a digit, of what is read of a number, date or unit, or of a unit behind a numeral ("삼 퍼센트"). Of
   characters also of a numeral, where one text has a digit and the other such a word ("삼" or "세" for "3").
8. latin: of a Latin letter, or of what is read of one, where one of the two texts has Hangul.
9. ending: of particles and endings alone: the longest entry of `ENDINGS` (`tables.py`) at the end of an eojeol,
   without its first syllable ("가" and "는" of "날씨가", "날씨는").
10. one_jamo: it replaces a syllable with one that differs in one jamo ("닭", "닥").
11. other.

There is no morphological analyser: an edit is assigned by the characters that it changes and by their places.
"""

FORGIVEN = ("filler", "notation", "loop")  # by the chain
ERROR_KINDS = (
    *("notation", "loop", "phrase", "filler", "spacing", "punctuation"),
    *("number", "latin", "ending", "one_jamo", "other"),
)
SIGNS = "sign edits"  # those that the removal of marks inside numbers hides
SEGMENTS = LOOPING, INSERTED, UNREAD = ("looping segments", "inserted segments", "unread segments")


def without_keys(name: str) -> dict[str, str]:
    """Returns the keys of the rates without each kind of edits in the result of a metric, by kind.

    >>> without_keys("cer")["notation"], without_keys("wer")["loop"]
    ('cer_without_notation', 'wer_without_loops')
    """
    return {**{kind: f"{name}_without_{kind}" for kind in ERROR_KINDS}, "loop": f"{name}_without_loops"}
