"""Stems: words without their inflection, by the stemmers of nltk and by Kiwi's analysis of Korean."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from textgauge.core.errors import InputError

from .nltk_stemmers import stemmers

Stem = Callable[[list[str]], list[str]]  # words -> their stems

# languages that nltk's Snowball stemmers know, by their code of two letters
SNOWBALL = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sv": "swedish",
}  # fmt: skip
_WORD_CACHE = 2**17
_DROPPED_TAGS = ("J", "E", "SF", "SP", "SS", "SE", "SO")  # Kiwi's tags of particles, endings, and punctuation


@functools.cache
def nltk_stemmer(name: str, language: str) -> Stem:
    """Returns a stemmer that remembers words.

    >>> nltk_stemmer("porter", "en")(["sleeping", "cats"]), nltk_stemmer("snowball", "de")(["Häuser"])
    (['sleep', 'cat'], ['haus'])

    Args:
        name: "porter", the algorithm of 1980 without nltk's own changes, or "snowball".
        language: a code of `SNOWBALL`; Porter's is for English.
    """
    module = stemmers(name, f'stemmer="{name}"')
    if name == "porter":
        porter = module.PorterStemmer
        stemmer = functools.partial(porter(mode=porter.ORIGINAL_ALGORITHM).stem, to_lowercase=False)
    else:
        stemmer = module.SnowballStemmer(SNOWBALL[language]).stem
    stem = functools.lru_cache(_WORD_CACHE)(stemmer)
    return lambda words: list(map(stem, words))


def own_stemmer(stemmer: Any) -> Stem:
    """Returns the user's own stemmer: a function from a word to a string, or an object with such a method `stem`.

    >>> own_stemmer(lambda word: word.removesuffix("에서"))(["방에서", "잔다"])
    ['방', '잔다']
    """
    function = getattr(stemmer, "stem", stemmer)

    def stem(words: Sequence[str]) -> list[str]:
        stems = list(map(function, words))
        for word, found in zip(words, stems, strict=True):
            if not isinstance(found, str):
                raise InputError(f"stemmer returned {found!r:.60} for {word!r:.40}; it must return a string")
        return stems

    return stem


def korean_stemmer(analyser: Any) -> Stem:
    """Returns a stemmer that joins the dictionary forms of the content morphemes of a word: 학교에 and 학교는 are 학교.

    A word without any, such as a particle by itself, is its own stem.

    Args:
        analyser: kiwipiepy's `Kiwi`.
    """

    def stem(words: Sequence[str]) -> list[str]:
        stems = []
        for word, tokens in zip(words, analyser.tokenize(list(words)), strict=True):
            lemmas = [token.lemma for token in tokens if not token.tag.startswith(_DROPPED_TAGS)]
            stems.append("".join(lemmas) or word)
        return stems

    return stem
