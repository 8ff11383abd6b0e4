"""Characters with a meaning of their own while texts are compared; the texts do not have them then.

Unicode sets U+FDD0 to U+FDEF aside for use inside programs: they are not characters, and texts that people exchange
should not have them. If a text has them all the same, other characters replace them before it is compared.
"""

_FIRST = 0xFDD0
_LAST = 0xFDEF
RESERVED = f"{chr(_FIRST)}-{chr(_LAST)}"  # for a class of a regular expression
FIRST_BYTE = b"\xef"  # of each of them in UTF-8, and of few other characters
FIRST_BYTES = b"\xef\xb7"  # and of some Arabic ligatures
# code points that Unicode has not assigned either, so that every convention treats them as it would treat these
REPLACEMENTS = {code: 0xE0000 + code for code in range(_FIRST, _LAST + 1)}

# a mark inside a number, by what it is, and the same where it was removed: see error_rates/phrases/number_marks.py
NUMBER_MARKS = [chr(_FIRST + number) for number in range(8)]
REMOVED_NUMBER_MARKS = [chr(_FIRST + 8 + number) for number in range(8)]
# see korean/readings.py, reading_trees.py
NOTATION = chr(_FIRST + 16)
WORD_END = chr(_FIRST + 17)
TAG = chr(_FIRST + 18)


def is_reserved(character: str) -> bool:
    """Returns whether a character is one of these.

    >>> is_reserved(WORD_END), is_reserved("가")
    (True, False)
    """
    return _FIRST <= ord(character) <= _LAST
