"""Of which kind an edit of an error rate is: in a phrase of the user's, a filler, spacing, a number, an ending.

An edit is of the first kind that fits it. It changes one token, or two where it substitutes.

1. loop: of a segment whose prediction loops, see `loops.py`.
2. phrase: of a phrase of the user's.
3. filler: of a word that is a filler ("음", "어어", "uh"), see `fillers.py`.
4. spacing: of whitespace; of words that are the same without blanks between them.
5. punctuation: of a character that is not a letter, mark or number; of words with the same letters and numbers.
6. number: of a digit, or of what is read of a number, date or unit. Of characters also of a syllable of a numeral,
   where one text has a digit and the other such a syllable ("삼" or "세" for "3", "이십일" for "21").
7. latin: of a Latin letter, or of what is read of one, where one of the two texts has Hangul.
8. ending: of particles and endings alone: the longest entry of `ENDINGS` at the end of an eojeol, without its first
   syllable ("가" and "는" of "날씨가", "날씨는").
9. one_jamo: it replaces a syllable with one that differs in one jamo ("닭", "닥").
10. other.

There is no morphological analyser: an edit is assigned by the characters that it changes and by their places.
"""

ERROR_KINDS = ("loop", "phrase", "filler", "spacing", "punctuation", "number", "latin", "ending", "one_jamo", "other")

FIRST_SYLLABLE, SYLLABLES = 0xAC00, 11172
FINALS, MEDIALS = 28, 21  # syllables with one medial; medials
# Sino-Korean, then native
NUMERALS = frozenset(
    "영공일이삼사오육륙칠팔구십백천만억조한하나두둘세셋석서네넷넉너다섯여일곱덟아홉열스물무서른마흔쉰예순든"
)
# particles, then endings of verbs and adjectives
_ENDINGS_TEXT = """
은 는 이 가 을 를 의 에 에는 에도 에서 에서는 에서도 에게 에게서 에게는 께 께서 한테 로 으로 로서 으로서 로써 으로써
로는 으로는 로도 으로도 와 과 와는 과는 랑 이랑 하고 도 만 만은 만을 까지 부터 보다 처럼 같이 마다 조차 마저 밖에 나
이나 든 이든 라도 이라도 라고 이라고 라는 이라는 며 이며 고 이고 요 이요 야 이야 들 들은 들이 들을 들의 다 니다
습니다 입니다 까 니까 습니까 입니까 는다 었다 았다 였다 했다 어 아 여 어요 아요 여요 해요 예요 이에요 에요 죠 지요
네 네요 군요 는데 은데 인데 데요 는데요 은데요 인데요 거든요 잖아요 지 지만 서 어서 아서 해서 면 으면 면서 으면서
으며 고서 고는 려 려고 으려고 러 으러 도록 게 던 는지 은지 을지 니 으니 자 자고 라 냐 냐고 다고 다는 다며 기 기에
기를 음 음을 던데 더라
"""
ENDINGS = frozenset(_ENDINGS_TEXT.split())
MOST_ENDING_SYLLABLES = max(map(len, ENDINGS))
NUMBER_NOTATIONS = ("number", "date", "unit")  # kinds of notations that are numbers
