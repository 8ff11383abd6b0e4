"""Made sentences in Korean and English: as many as asked, always the same ones for a seed, without any download.

Words follow a power law without end, so that new ones keep appearing as the corpus grows, as they do in real text; with
a closed vocabulary every cache of words would look better than it is. The shares below (sentence lengths, punctuation,
numbers, distinct words among the first 30,000) were set by eye against real Korean and English news.
"""

import functools
import json
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from textgauge.programs.reading.corpora import SAMPLE

_BLOCK = 2000  # segments made at once, from their own random numbers: a shorter corpus is the start of a longer one
_RANKS = 2**31 - 1
_EDIT_RATE = 0.53  # as in translations: it leads to a BLEU of 0.3 or so
_COMMON_TEXT = """
the of and to in a is that for it was on as with he be by at his I from this are not but have an had they you
which one were her all she there would their we him been has when who will more no if out so said what up its
about into than them can only other new some could time these two may then do first any my now such like our
"""
_COMMON = _COMMON_TEXT.split()
_SYLLABLES = [a + b for a in (*"rtnlmpdscbhk", "st", "tr", "gr", "f") for b in (*"eaiou", "er", "in", "on")]
_ENDINGS = ("", "s", "", "ed", "", "ing", "", "ly", "", "'s", "", "ion")


class Corpus(NamedTuple):
    """Segments with one prediction and one or more references each."""

    predictions: list[str]
    references: list[list[str]]


class Language(NamedTuple):
    """How the words of a language are drawn and written."""

    word: Callable[[int], str]  # rank -> word
    words_per_sentence: float
    common: int  # so many first ranks are function words,
    common_share: float  # and are drawn with this probability
    head: float  # the larger, the flatter the top of the frequency list
    tail: float  # the smaller, the faster new words appear
    decorations: dict[str, float]  # how a word is written -> probability; the first one is the bare word


def make_corpus(
    language: str, segments: int, references: int = 1, seed: int = 12345, edit_rate: float = _EDIT_RATE
) -> Corpus:
    """Returns a made corpus; the same arguments give the same texts.

    The first reference is a sentence as drawn, the others and the prediction are edited copies of it, in which this
    share of the words is another one, on average.
    """
    corpus = Corpus([], [])
    for block in range(-(-segments // _BLOCK)):
        rng = np.random.default_rng([seed, block, *language.encode()])
        texts = _make_block(LANGUAGES[language], _BLOCK, references + 1, edit_rate, rng)
        corpus.predictions.extend(texts[0])
        corpus.references.extend(list(row) for row in zip(*texts[1:], strict=True))
    return Corpus(corpus.predictions[:segments], corpus.references[:segments])


def _make_block(
    language: Language, size: int, n_texts: int, edit_rate: float, rng: np.random.Generator
) -> list[list[str]]:
    """Returns the predictions, then each set of references, of one block."""
    spread = 3.0  # gamma: as many short and long sentences as in news
    lengths = 3 + rng.gamma(spread, (language.words_per_sentence - 3) / spread, size).astype(np.int64)
    base = _draw(language, int(lengths.sum()), rng)
    ends = np.cumsum(lengths) - 1
    full_stop = list(language.decorations).index("{}.")
    to_full_stop = full_stop - base[ends] % len(language.decorations)
    base[ends] += to_full_stop * (rng.random(size) < 0.9)
    rates = rng.beta(1.5, 1.5 / edit_rate - 1.5, size)  # some predictions are almost right, some hopeless
    edited = []
    for _ in range(n_texts - 1):
        words, edited_lengths = _edit(language, base, lengths, rates, rng)
        edited.append(_write(language, words, edited_lengths))
    prediction, *further_references = edited
    return [prediction, _write(language, base, lengths), *further_references]


def _draw(language: Language, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draws words: rank and decoration in one integer."""
    # the Lomax law: P(rank >= r) = (1 + r / head) ** -tail, which has no largest rank
    rank = language.head * (rng.random(size) ** (-1 / language.tail) - 1)
    rank = np.fmod(rank, _RANKS).astype(np.int64) + language.common
    if language.common:
        weights = 1 / np.arange(2.5, language.common + 2)
        weights = weights[: language.common] / weights[: language.common].sum()
        is_common = rng.random(size) < language.common_share
        rank = np.where(is_common, rng.choice(language.common, size, p=weights), rank)
    probabilities = np.array(list(language.decorations.values()))
    decoration = rng.choice(len(probabilities), size, p=probabilities)
    return rank * len(probabilities) + decoration


def _edit(
    language: Language, words: np.ndarray, lengths: np.ndarray, rates: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Returns an edited copy (words, lengths): words replaced, swapped with the next one, dropped, inserted."""
    row_of = np.repeat(np.arange(len(lengths)), lengths)
    is_first = np.diff(row_of, prepend=-1) > 0
    is_last = np.diff(row_of, append=len(lengths)) > 0
    is_edited = rng.random(len(words)) < rates[row_of]
    edit = np.where(is_edited, rng.integers(5, size=len(words)), -1)

    is_replaced = (edit == 0) | (edit == 4)  # replacing is commonest
    words = np.where(is_replaced, _draw(language, len(words), rng), words)

    is_swapped = (edit == 1) & ~is_last
    order = np.argsort(np.arange(len(words)) + 1.5 * is_swapped, kind="stable")
    words = words[order]

    # a word without a copy is dropped, and the second copy of one becomes another word, which is thereby inserted; the
    # first word stays: no text becomes empty
    copies = np.where(edit == 2, is_first, 1) + (edit == 3)
    words = np.repeat(words, copies)
    row_of = np.repeat(row_of, copies)
    last_copies = np.repeat(np.cumsum(copies), copies) - 1
    is_last_copy = np.arange(len(words)) == last_copies
    is_inserted = np.repeat(copies == 2, copies) & is_last_copy
    words[is_inserted] = _draw(language, int(is_inserted.sum()), rng)
    return words, np.bincount(row_of, minlength=len(lengths))


def _write(language: Language, words: np.ndarray, lengths: np.ndarray) -> list[str]:
    """Writes drawn words as texts with a capital at the start."""
    distinct, index = np.unique(words, return_inverse=True)
    templates = list(language.decorations)
    texts_of_words = []
    for word in distinct.tolist():
        rank, decoration = divmod(word, len(templates))
        texts_of_words.append(templates[decoration].format(language.word(rank)))
    written = np.array(texts_of_words, dtype=object)[index].tolist()
    ends = np.cumsum(lengths).tolist()
    texts = [" ".join(written[end - size : end]) for end, size in zip(ends, lengths.tolist(), strict=True)]
    return [text[0].upper() + text[1:] for text in texts]


def _number(rank: int) -> str:
    forms = (f"{rank % 2100}", f"{rank:,}", f"{rank % 1000 / 10}", f"{rank % 90 + 10}%")
    return forms[rank // 41 % 4]


def _english_word(rank: int) -> str:
    """Returns a function word, a number, or a word made of syllables, another one for each rank."""
    if rank < len(_COMMON):
        return _COMMON[rank]
    if rank % 41 == 0:
        return _number(rank)
    left = rank
    syllables = []
    while left:
        left, syllable = divmod(left - 1, len(_SYLLABLES))
        syllables.append(_SYLLABLES[syllable * 37 % len(_SYLLABLES)])
    word = "".join(syllables) + _ENDINGS[rank % len(_ENDINGS)]
    return word.capitalize() if rank % 6 == 0 else word


@functools.cache
def _korean_words() -> list[str]:
    """Returns the distinct words of the bundled sample, frequent ones first."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    counts: Counter[str] = Counter()
    for row in rows:
        for name in ("reference", "GoogleTranslate", "KakaoI"):
            counts.update([word.strip(".,\"'“”‘’()[]?!") for word in row[name].split()])
    return [word for word, _ in counts.most_common() if word]


def _korean_word(rank: int) -> str:
    """Returns a word of the sample, or the head of one with the tail of another."""
    words = _korean_words()
    if rank < len(words):
        return words[rank]
    first = rank * 7919 % len(words)
    second = (rank // len(words) + 31 * first) % len(words)
    head = words[first]
    tail = words[second]
    return head[: (len(head) + 1) // 2] + tail[len(tail) // 2 :]


def _with_bare_word(decorations: dict[str, float]) -> dict[str, float]:
    return {"{}": 1 - sum(decorations.values()), **decorations}


_ENGLISH_DECORATIONS = {"{},": 0.045, "{}.": 0.02, '"{}': 0.007, '{}"': 0.006, "({})": 0.002, "{}-old": 0.004}
_KOREAN_DECORATIONS = {"{},": 0.03, "{}.": 0.03, "“{}": 0.006, "{}”고": 0.006, "({})": 0.003, "{}(AP)": 0.002}
LANGUAGES = {
    "ko": Language(_korean_word, 23, 0, 0.0, 200, 0.36, _with_bare_word(_KOREAN_DECORATIONS)),
    "en": Language(_english_word, 28, len(_COMMON), 0.42, 250, 0.5, _with_bare_word(_ENGLISH_DECORATIONS)),
}
