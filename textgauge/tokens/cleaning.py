"""What a character error rate counts: texts without spaces, special characters or transcription marks, or in jamo.

The idea: decide for each character whether it is kept. The trick: all texts of a block are one array of code points,
and each distinct one is looked up in Unicode once. The plain version, character by character, is `slow_clean` of
tests/test_cer.py. `PRESETS` holds the conventions of published rates.
"""

import functools
import itertools
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np

from textgauge.core.reserved import is_reserved

from .code_points import CODE_POINTS, lookup

_BLOCK = 512  # texts; with arrays larger than some 100 kB, memory access takes more time than the work
_KEPT, _SPACE, _DROPPED = range(1, 4)
_FIRST_SYLLABLE, _SYLLABLES = 0xAC00, 11172
_INITIALS, _MEDIALS, _FINALS = 0x1100, 0x1161, 0x11A7  # first code points; for finals, the one before the first
_PER_INITIAL, _PER_MEDIAL = 588, 28

# KsponSpeech's marks: unclear (*), breath, laugh, other speaker, noise, unknown word; (70%)/(칠십 퍼센트); repeated (+)
_NOISES = ("*", "o/", "l/", "b/", "n/", "u/")  # one after the other, as the script does: b*/ and bo// leave nothing
_SPELLING_AND_SOUND = re.compile(r"\(([^)]+)\)\s*/\s*\(([^)]+)\)")
_MARKS = re.compile(r"[+/#]")
_EVERY_MARK = "*+/#"
# what Whisper's basic normaliser takes away: what is between < or [ and the next > or ], then what is in round brackets
_IN_BRACKETS = (re.compile(r"[<\[][^>\]]*[>\]]"), ">]"), (re.compile(r"\([^)]+\)"), ")")

_DOCUMENT = {
    "spaces": "remove",
    "special": "remove",
    "unit": "syllable",
    "bounded": False,
    "marks": "keep",
    "ties": "jiwer",
}
PRESETS: dict[str | None, dict[str, Any]] = {
    None: _DOCUMENT,
    # jiwer.cer, and Hugging Face's script with jiwer 4
    "jiwer": {**_DOCUMENT, "spaces": "keep", "special": "keep"},
    # clovaai/ClovaCall, las.pytorch/main.py, char_distance
    "clovacall": {**_DOCUMENT, "special": "keep"},
    # Vu et al. (2012): mixed error rate
    "mixed": {**_DOCUMENT, "unit": "mixed"},
    # espnet/espnet, egs/ksponspeech/asr1/local: get_transcriptions.py (df, char), remove_punctuation.pl
    "ksponspeech": {**_DOCUMENT, "special": "posix", "marks": "ksponspeech"},
    # openai/whisper, whisper/normalizers/basic.py, BasicTextNormalizer with its defaults, then as jiwer
    "whisper": {**_DOCUMENT, "spaces": "collapse", "special": "keep", "marks": "whisper"},
    # hyeonsangjeon/computing-Korean-STT-error-rates, nlptutti/asr_metrics.py, get_cer
    "nlptutti": {**_DOCUMENT, "special": "punctuation", "bounded": True, "ties": "nlptutti"},
}
# of words: all is kept, as in jiwer and Hugging Face's script, unless a preset says otherwise
_WORDS = {"special": "keep", "bounded": False, "marks": "keep", "ties": "jiwer"}
# options of words that remove nothing
PLAIN_WORDS = {"preset": None, "special": _WORDS["special"], "bounded": _WORDS["bounded"]}
WORD_PRESETS: dict[str | None, dict[str, Any]] = {
    None: _WORDS,
    # espnet/espnet, as above
    "ksponspeech": {**_WORDS, "special": "posix", "marks": "ksponspeech"},
    # openai/whisper, as above
    "whisper": {**_WORDS, "marks": "whisper"},
    # nlptutti/asr_metrics.py, get_wer
    "nlptutti": {**_WORDS, "special": "punctuation", "bounded": True, "ties": "nlptutti"},
}


def clean_characters(texts: Sequence[str], spaces: str, special: str, unit: str, marks: str) -> list[str]:
    """Returns the texts with only the characters that count.

    >>> clean_characters(["네, 3시 닭!"], "remove", "remove", "syllable", "keep")
    ['네3시닭']
    >>> [len(text) for text in clean_characters(["네, 3시 닭!"], "remove", "remove", "jamo", "keep")]
    [8]

    Args:
        texts: strings in one Unicode form.
        spaces: "remove"; "keep", except at the ends; or "collapse": several in a row become one, none at the ends.
        special: "remove" keeps only letters, marks and numbers of every script; "punctuation" removes the categories
            P*; "posix" removes those and the ASCII symbols $+<=>^`|~, except for the apostrophe; "keep".
        unit: "syllable", or "jamo", for which each Hangul syllable becomes its two or three jamo.
        marks: "keep"; "ksponspeech", see `_read_transcript`; or "whisper", see `normalize_whisper`.
    """
    if marks != "keep":
        read = _read_transcript if marks == "ksponspeech" else normalize_whisper
        texts = list(map(read, texts))
    if (special, unit) != ("keep", "syllable") or spaces == "remove":
        blocks = (texts[start : start + _BLOCK] for start in range(0, len(texts), _BLOCK))
        texts = [text for block in blocks for text in _filter(block, spaces == "remove", special, unit == "jamo")]
    return _trimmed(texts, spaces)


def _trimmed(texts: Sequence[str], spaces: str) -> list[str]:
    if spaces == "keep":
        return list(map(str.strip, texts))
    return [" ".join(text.split()) for text in texts] if spaces == "collapse" else list(texts)


class _Blanks(dict):
    """From the code point of a mark, symbol or punctuation to a blank; each is looked up once."""

    def __missing__(self, code: int) -> int:
        return self.setdefault(code, 32 if unicodedata.category(chr(code))[0] in "MSP" else code)


_MARKS_TO_BLANKS = _Blanks()


def normalize_whisper(text: str) -> str:
    """Returns a text as Whisper's basic normaliser has it: in lower case, without what is in brackets, and in NFKC.

    All marks, symbols and punctuation become blanks, also vowel signs of Devanagari and other scripts.

    >>> normalize_whisper("네, (웃음) ２５℃ OK!")
    '네 25 c ok'
    """
    return without_symbols(without_brackets(text.lower()))


def without_brackets(text: str) -> str:
    """Returns a text without what is in brackets.

    >>> without_brackets("네 (웃음) [음악] 좋아요")
    '네   좋아요'
    """
    for pattern, closing in _IN_BRACKETS:
        end = 1 + max(map(text.rfind, closing))  # behind it the search would go to the end from each opening bracket
        text = pattern.sub("", text[:end]) + text[end:]
    return text


def without_symbols(text: str) -> str:
    """Returns a text in NFKC and lower case, with a blank for each mark, symbol and punctuation.

    >>> without_symbols("ＯＫ, 25℃!")
    'ok 25 c'
    """
    return " ".join(unicodedata.normalize("NFKC", text).translate(_MARKS_TO_BLANKS).lower().split())


def _read_transcript(text: str) -> str:
    """Returns the text of a transcript of KsponSpeech, in its spelling and in lower case.

    "b/ 아/ 모+ 몬 소리야 (70%)/(칠 십 퍼센트) 확률" is " 아 모 몬 소리야 70% 확률": noises go with their letter,
    fillers (/) and repeated words (+) lose their mark and stay.
    """
    if any(mark in text for mark in _EVERY_MARK):  # most texts have none
        text = _without_noises(text)
        if ")" in text:  # else the search would begin again at each "("
            text = _SPELLING_AND_SOUND.sub(r"\1", text)
        text = _MARKS.sub("", text)
    return text.lower()


def _without_noises(text: str) -> str:
    for noise in _NOISES:
        text = text.replace(noise, "")
    return text


def split_transcript(text: str) -> list[str | tuple[str, str]]:
    """Returns the parts of a transcript of KsponSpeech: texts, and pairs of spelling and sound.

    >>> split_transcript("b/ 아/ (70%)/(칠십 퍼센트)")
    [' 아 ', ('70%', '칠십 퍼센트'), '']
    """
    text = _without_noises(text)
    if ")" not in text:  # the search would begin again at each "("
        return [_MARKS.sub("", text)]
    parts: list[str | tuple[str, str]] = []
    position = 0
    for match in _SPELLING_AND_SOUND.finditer(text):
        parts.append(_MARKS.sub("", text[position : match.start()]))
        spelling = _MARKS.sub("", match[1])
        sound = _MARKS.sub("", match[2])
        parts.append((spelling, sound))
        position = match.end()
    parts.append(_MARKS.sub("", text[position:]))
    return parts


@functools.cache
def _dropped_ascii(without_spaces: bool, special: str) -> bytes:
    """Returns the ASCII characters that are dropped."""
    kinds = _kinds_of(np.arange(128), special)
    return bytes(np.flatnonzero((kinds == _DROPPED) | (kinds == _SPACE) & without_spaces).tolist())


def _filter(texts: Sequence[str], without_spaces: bool, special: str, is_jamo: bool) -> list[str]:
    """Returns the texts without the characters that are dropped, and with `is_jamo` with decomposed syllables."""
    together = "".join(texts)
    if together.isascii():  # no character is "\xff" then
        kept = "\xff".join(texts).encode("latin-1").translate(None, _dropped_ascii(without_spaces, special))
        return kept.decode("latin-1").split("\xff")
    codes = np.frombuffer(together.encode("utf-32-le"), dtype=np.int32)
    bounds = list(itertools.accumulate(map(len, texts), initial=0))
    kinds = _kinds_of(codes, special)
    kept = np.flatnonzero(kinds == _KEPT if without_spaces else kinds != _DROPPED)
    codes = codes[kept]
    bounds = np.searchsorted(kept, bounds)
    if is_jamo:
        codes, bounds = _decompose(codes, bounds)
    text = codes.tobytes().decode("utf-32-le")
    return [text[start:end] for start, end in itertools.pairwise(bounds.tolist())]


def _kinds_of(codes: np.ndarray, special: str) -> np.ndarray:
    """Returns the kind of each code point."""

    def kind(character: str) -> int:
        if character.isspace():
            return _SPACE
        return _DROPPED if _is_special(character, special) else _KEPT

    return lookup(codes, _kind_table(special), kind)


@functools.cache
def _kind_table(special: str) -> np.ndarray:
    """Returns the kinds known so far, one per code point; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _is_special(character: str, special: str) -> bool:
    """Returns whether the option `special` removes a character that is not whitespace."""
    if is_reserved(character):
        return False
    category = unicodedata.category(character)
    if special == "remove":
        return category[0] not in "LMN"
    if special == "posix":
        return character != "'" and (category[0] == "P" or category[0] == "S" and character.isascii())
    return special == "punctuation" and category[0] == "P"


def _decompose(codes: np.ndarray, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns code points and bounds of texts with each Hangul syllable as two or three jamo."""
    is_syllable = (codes >= _FIRST_SYLLABLE) & (codes < _FIRST_SYLLABLE + _SYLLABLES)
    syllables = codes[is_syllable] - _FIRST_SYLLABLE
    finals = syllables % _PER_MEDIAL
    has_final = finals > 0
    counts = np.ones(len(codes), dtype=np.intp)
    counts[is_syllable] = 2 + has_final
    result = np.repeat(codes, counts)
    ends = np.concatenate([[0], np.cumsum(counts)])
    starts = ends[:-1][is_syllable]
    result[starts] = _INITIALS + syllables // _PER_INITIAL
    result[starts + 1] = _MEDIALS + syllables % _PER_INITIAL // _PER_MEDIAL
    result[starts[has_final] + 2] = _FINALS + finals[has_final]
    return result, ends[bounds]
