"""The tokens of a whole corpus, in memory that stays bounded while they are made."""

import itertools
from collections.abc import Callable, Iterable

import numpy as np

from textgauge.core.strings import compact, number_parts

from .chunks import Tokens

CORPUS_PART = 1024  # texts


def encode_corpus(texts: Iterable[str], encode_part: Callable[[list[str]], Tokens]) -> Tokens:
    """Returns the tokens of a whole corpus, tokenized part by part, so that memory stays bounded; ids are int32.

    >>> encoded = Tokens(np.array([0, 0, 1]), np.array([2, 1]), ["네", "좋아요"])
    >>> tokens = encode_corpus(["네 네", "좋아요"], lambda part: encoded)
    >>> tokens.ids.tolist(), tokens.lengths.tolist()
    ([0, 0, 1], [2, 1])
    """
    left = iter(texts)
    parts = []
    lengths = [np.zeros(0, np.intp)]
    while part := list(itertools.islice(left, CORPUS_PART)):
        tokens = encode_part(part)
        if not parts and len(part) < CORPUS_PART:
            return tokens._replace(ids=tokens.ids.astype(np.int32))
        parts.append((tokens.ids.astype(np.int32), compact(tokens.vocabulary)))
        lengths.append(tokens.lengths)
    if not parts:
        return Tokens(np.zeros(0, np.int32), lengths[0], [])
    ids, vocabulary = number_parts(parts)
    return Tokens(ids, np.concatenate(lengths), vocabulary)
