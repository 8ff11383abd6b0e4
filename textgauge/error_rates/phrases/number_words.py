"""What numerals of Korean look like, and which kinds of notations are numbers."""

import re

_SINO = "영공일이삼사오육륙칠팔구십백천만억조"
_NATIVE_TEXT = (
    "하나 한 두 둘 세 셋 석 서 네 넷 넉 너 다섯 여섯 일곱 여덟 아홉 열 스물 스무 서른 마흔 쉰 예순 일흔 여든 아흔"
)
_NATIVE = _NATIVE_TEXT.split()
NUMERALS = frozenset(_SINO).union(*_NATIVE)  # their syllables
# numerals of one syllable, and a pattern of the others, whose syllables alone are none (나 of 하나)
NUMERAL_SYLLABLES = frozenset(_SINO).union(word for word in _NATIVE if len(word) == 1)
NUMERAL_WORDS = re.compile("|".join(word for word in _NATIVE if len(word) > 1))
NUMBER_NOTATIONS = ("number", "date", "unit")  # kinds of notations that are numbers
