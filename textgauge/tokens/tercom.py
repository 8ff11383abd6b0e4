"""Tercom's optional rules for texts, after which words are what whitespace separates; as sacreBLEU has them.

What Tercom also says of kana at the start of a text never applies: by then a blank stands before it.
"""

import re

from .words import MTEVAL_ENTITIES

_PUNCTUATION = re.compile(r'[.,?:;!"()]')
# the rules of mteval-v13a, in order: punctuation except for ' , - . is a word of its own; so is a period or comma next
# to a non-digit, and a dash after a digit
_MTEVAL_RULES = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ASIAN_MARKS = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
_FULL_WIDTH_MARKS = "\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
_ASIAN_PUNCTUATION = re.compile(f"[{_ASIAN_MARKS}{_FULL_WIDTH_MARKS}]")
# ideographs, their radicals, strokes and compatibility forms, enclosed letters; Hangul and kana are not among them
_IDEOGRAPHS = "\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
_STANDS_ALONE = re.compile(f"([{_IDEOGRAPHS}{_ASIAN_MARKS}{_FULL_WIDTH_MARKS}])")


def clean_words(text: str, normalized: bool, no_punct: bool, asian_support: bool) -> str:
    """Returns the text as Tercom compares it, except for its case.

    >>> clean_words("It's 1,000, 네.", normalized=True, no_punct=False, asian_support=False)
    "It 's 1,000 , 네 ."
    >>> clean_words("It's 1,000, 네.", normalized=False, no_punct=True, asian_support=False)
    "It's 1000 네"

    Args:
        text: any text.
        normalized: mteval's rules for punctuation, and an 's apart.
        no_punct: remove punctuation.
        asian_support: the same for East Asian punctuation, and with `normalized` each ideograph is a word.
    """
    if normalized:
        text = _normalized(text)
        if asian_support:
            text = _STANDS_ALONE.sub(r" \1 ", text)
    if no_punct:
        text = _PUNCTUATION.sub("", text)
        if asian_support:
            text = _ASIAN_PUNCTUATION.sub("", text)
    return " ".join(text.split())


def _normalized(text: str) -> str:
    text = text.rstrip().replace("\n-", "").replace("\n", " ")
    for entity, character in MTEVAL_ENTITIES:
        text = text.replace(entity, character)
    symbols, *others = _MTEVAL_RULES
    text = symbols[0].sub(symbols[1], f" {text} ").replace("'s ", " 's ")
    for pattern, replacement in others:
        text = pattern.sub(replacement, text)
    return text
