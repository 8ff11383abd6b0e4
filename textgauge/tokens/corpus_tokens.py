"""The tokens of a whole corpus, in memory that stays bounded while they are made."""

import itertools
from collections.abc import Callable, Iterable

import numpy as np

from textgauge.core.arrow import pa

from .chunks import Tokens

CORPUS_PART = 1024  # texts


def encode_corpus(texts: Iterable[str], encode_part: Callable[[list[str]], Tokens]) -> Tokens:
    """Returns the tokens of a whole corpus, tokenized part by part, so that memory stays bounded; ids are int32.

    >>> words = pa().array(["네", "좋아요"])
    >>> tokens = encode_corpus(["네 네", "좋아요"], lambda part: Tokens(np.array([0, 0, 1]), np.array([2, 1]), words))
    >>> tokens.ids.tolist(), tokens.lengths.tolist()
    ([0, 0, 1], [2, 1])
    """
    texts, parts, lengths = iter(texts), [], [np.zeros(0, np.intp)]
    while part := list(itertools.islice(texts, CORPUS_PART)):
        tokens = encode_part(part)
        if not parts and len(part) < CORPUS_PART:
            return tokens._replace(ids=tokens.ids.astype(np.int32))
        parts.append(pa().DictionaryArray.from_arrays(pa().array(tokens.ids.astype(np.int32)), tokens.vocabulary))
        lengths.append(tokens.lengths)
    if not parts:
        return Tokens(np.zeros(0, np.int32), lengths[0], pa().array([], pa().large_string()))
    parts = pa().chunked_array(parts).unify_dictionaries().chunks
    tokens = Tokens(np.concatenate([part.indices for part in parts]), np.concatenate(lengths), parts[0].dictionary)
    if len(parts) > 1:
        del parts
        pa().default_memory_pool().release_unused()  # else Arrow would keep what the parts needed
    return tokens
