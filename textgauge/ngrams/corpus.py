"""How often n-grams occur in a whole corpus: counted with integer arrays, and looked up.

The idea: an n-gram is one integer, made of the place of its first n - 1 tokens in the table of order n - 1 and of its
last token. Sorting brings equal n-grams together.

The trick: n-grams that occur once are left out, which most of a corpus do. Nothing is lost: what is not in the table
counts as seen once, and an n-gram that occurs twice contains only n-grams that do so too. And the n-grams of an order
are sorted in blocks, each for a range of the first n - 1 tokens, so that memory stays bounded.

The plain version, with `Counter`, is `counted` of tests/test_corpus_ngrams.py.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.strings import pick_strings
from textgauge.tokens.chunks import Tokens

from .counts import remaining_tokens
from .sorted_ngrams import is_new

SPACE, _NO_BREAK_SPACE, _ESCAPE = " ", "\u00a0", "\x1b"  # `count_tables.py` says what they are for
BLOCK = 2**18  # positions that are sorted at once
_TEXTS = 2**14  # whose lengths are looked at together
END = np.iinfo(np.int64).max  # a key above all others


Counts = tuple[np.ndarray, np.ndarray]  # of an order: the keys of an `NgramTable`, and their counts


class NgramTable(NamedTuple):
    """The n-grams of a corpus, order by order."""

    vocabulary: dict[str, int]  # the id of each token in the table
    size: int  # larger than each id
    keys: list[np.ndarray]  # for orders 1..N: place of the first n - 1 tokens x size + last token; sorted, then `END`
    counts: list[np.ndarray]  # for orders 0..N; order 0 holds the count of the empty n-gram, `TOTAL`


class SortedKeys(NamedTuple):
    """Numbers in ascending order."""

    order: np.ndarray  # (n,) the indices that sort them; equal numbers stay in the order in which they were
    is_new: np.ndarray  # (n,) whether a number differs from the one before it
    starts: np.ndarray  # (n_distinct,) where each distinct number begins
    distinct: np.ndarray  # (n_distinct,)


def count_corpus(
    tokens: Tokens, max_order: int, total: int, documents: np.ndarray | None = None, smallest: int = 2
) -> NgramTable:
    """Returns the counts of the n-grams of a corpus.

    >>> tokens = Tokens(np.array([0, 1, 0, 1]), np.array([2, 2]), ["개가", "잔다"])
    >>> table = count_corpus(tokens, max_order=2, total=4)
    >>> table.vocabulary, [keys.tolist()[:-1] for keys in table.keys], [counts.tolist() for counts in table.counts]
    ({'개가': 0, '잔다': 1}, [[0, 1], [1]], [[4], [2, 2], [2]])

    Args:
        tokens: of the whole corpus.
        max_order: highest n.
        total: count of the empty n-gram.
        documents: (n_texts,) the document of each text, ascending; an n-gram then counts once per document.
        smallest: n-grams with a smaller count are left out.
    """
    table = NgramTable({}, len(tokens.vocabulary), [], [np.array([total])])
    for keys, counts in _count_orders(tokens, max_order, documents, smallest):
        table.keys.append(keys)
        table.counts.append(counts)
    kept = table.keys[0][:-1]
    words = _table_words(pick_strings(tokens.vocabulary, kept))
    table.vocabulary.update(zip(words, kept.tolist(), strict=True))
    return table


def _count_orders(tokens: Tokens, max_order: int, documents: np.ndarray | None, smallest: int) -> Iterator[Counts]:
    """Yields the keys and counts of each order."""
    ids = tokens.ids
    size = len(tokens.vocabulary)
    remaining = _remaining(tokens.lengths, max_order)
    document_of = None if documents is None else np.repeat(documents.astype(np.int32), tokens.lengths)
    places = np.zeros(len(ids), dtype=np.int32)  # of the n-gram at each token in the table of its order, -1 for none
    for order in range(1, max_order + 1):
        is_open = (places >= 0) & (remaining >= order)
        if order > 1:  # the last n - 1 tokens are in the table, too
            is_open[:-1] &= places[1:] >= 0
        places[~is_open] = -1
        keys = [np.zeros(0, dtype=np.int64)]
        counts = [np.zeros(0, dtype=np.int64)]
        n_kept = 0
        for chosen in _open_blocks(is_open, ids if order == 1 else places):
            is_open[chosen] = False
            last_tokens = ids[chosen + order - 1]
            block = sorted_keys(places[chosen].astype(np.int64) * size + last_tokens)
            chosen = chosen[block.order]
            found = _count_distinct(block, None if document_of is None else document_of[chosen])
            is_kept = found >= smallest

            block_places = np.where(is_kept, n_kept + np.cumsum(is_kept) - 1, -1)
            places[chosen] = np.repeat(block_places, np.diff(block.starts, append=len(chosen)))
            keys.append(block.distinct[is_kept])
            counts.append(found[is_kept])
            n_kept += len(counts[-1])
        yield np.concatenate([*keys, [END]]), np.concatenate(counts)


def count_documents(
    documents: Iterable[list[str]], encode_corpus: Callable[[Iterable[str]], Any], max_order: int, smallest: int = 2
) -> NgramTable:
    """Returns in how many documents each n-gram occurs.

    >>> tokens = Tokens(np.array([0, 0, 1, 0]), np.array([2, 1, 1]), ["개", "고양이"])
    >>> table = count_documents([["개 개", "고양이"], ["개"]], lambda texts: [*texts] and tokens, max_order=1)
    >>> table.vocabulary, [counts.tolist() for counts in table.counts]
    ({'개': 0}, [[2], [2]])

    Args:
        documents: each a list of texts; they are read once.
        encode_corpus: texts -> their tokens.
        max_order: highest n.
        smallest: n-grams with a smaller count are left out.
    """
    sizes = array("q")

    def texts() -> Iterator[str]:
        for document in documents:
            sizes.append(len(document))
            yield from document

    tokens = encode_corpus(texts())
    document_of = np.repeat(np.arange(len(sizes)), np.array(sizes, dtype=np.intp))
    return count_corpus(tokens, max_order, len(sizes), document_of, smallest)


def _table_words(words: list[str]) -> list[str]:
    """Returns words as a user's table has them, in which blanks separate words; different words stay different."""
    text = "".join(words)
    written = {_ESCAPE: _ESCAPE + _ESCAPE, _NO_BREAK_SPACE: _ESCAPE + _NO_BREAK_SPACE, SPACE: _NO_BREAK_SPACE}
    for special, replacement in written.items():
        if special in text:  # rare: most tokenizers split at blanks
            words = [word.replace(special, replacement) for word in words]
    return words


def _count_distinct(ngrams: SortedKeys, documents: np.ndarray | None) -> np.ndarray:
    """Returns how often each distinct n-gram occurs, or in how many of the documents.

    Args:
        ngrams: of a block.
        documents: the document of each n-gram of the block, in the order of `ngrams`; None to count each occurrence.
    """
    is_counted = np.ones(len(ngrams.order), dtype=np.int64)
    if documents is not None:
        # equal n-grams are in the order of the texts, and so in that of their documents
        is_counted[1:] = ngrams.is_new[1:] | (documents[1:] != documents[:-1])
    return np.add.reduceat(is_counted, ngrams.starts)


def _remaining(lengths: np.ndarray, most: int) -> np.ndarray:
    """Returns what `remaining_tokens` does, but at most so many, in as few bytes as that needs."""
    dtype = np.min_scalar_type(most)
    parts = [np.zeros(0, dtype=dtype)]
    for start in range(0, len(lengths), _TEXTS):
        remaining = remaining_tokens(lengths[start : start + _TEXTS])
        parts.append(np.minimum(remaining, most).astype(dtype))
    return np.concatenate(parts)


def _open_blocks(is_open: np.ndarray, leads: np.ndarray) -> Iterator[np.ndarray]:
    """Yields the open positions in blocks of about `BLOCK`, each with the positions of a range of leads.

    The caller may close the positions of a block, and give them other leads, before it takes the next one.
    """
    parts = [slice(start, start + BLOCK) for start in range(0, len(leads), BLOCK)]
    counts = np.zeros(int(leads.max(initial=0)) + 1, dtype=np.int64)
    for part in parts:
        counts += np.bincount(leads[part][is_open[part]], minlength=len(counts))
    ends = np.cumsum(counts)
    start = done = 0
    while done < ends[-1]:
        end = max(int(np.searchsorted(ends, done + BLOCK, side="right")), start + 1)
        inside = []
        for part in parts:
            is_inside = is_open[part] & (leads[part] >= start) & (leads[part] < end)
            inside.append(part.start + np.flatnonzero(is_inside))
        yield np.concatenate(inside)
        start = end
        done = int(ends[end - 1])


def sorted_keys(keys: np.ndarray) -> SortedKeys:
    """Returns numbers of at least 0, (n,), in ascending order, as `numpy.unique` would, but faster.

    >>> found = sorted_keys(np.array([7, 5, 7]))
    >>> found.order.tolist(), found.is_new.tolist(), found.starts.tolist(), found.distinct.tolist()
    ([1, 0, 2], [True, True, False], [0, 1], [5, 7])
    """
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)).bit_length() + bits < 64:
        # number and index in one integer: numpy sorts integers much faster than it finds the order that sorts them
        packed = np.sort(keys << bits | np.arange(len(keys)))
        order = packed & ((1 << bits) - 1)
        keys = packed >> bits
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    differs = is_new(keys)
    starts = np.flatnonzero(differs)
    return SortedKeys(order, differs, starts, keys[starts])


def find_tokens(table: NgramTable, tokens: Tokens) -> np.ndarray:
    """Returns the table's id of each token of a chunk, (n_tokens,), -1 for tokens that are not in the table.

    >>> table = NgramTable({"개가": 3}, 9, [], [])
    >>> find_tokens(table, Tokens(np.array([0, 1, 0]), np.array([3]), ["개가", "잔다"])).tolist()
    [3, -1, 3]
    """
    get = table.vocabulary.get
    words = _table_words(tokens.words())
    numbers = np.fromiter((get(word, -1) for word in words), dtype=np.int64, count=len(words))
    return numbers[tokens.ids]


def find_ngrams(table: NgramTable, order: int, prefixes: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Returns the place of each n-gram among those of its order in the table, (n_ngrams,), -1 for those not there.

    >>> table = NgramTable({"개가": 0, "잔다": 1}, 2, [np.array([0, 1, END]), np.array([1, END])], [])
    >>> find_ngrams(table, order=2, prefixes=np.array([0, 1, -1]), last=np.array([1, 0, 1])).tolist()
    [0, -1, -1]

    Args:
        table: as counted or compiled.
        order: n.
        prefixes: (n_ngrams,) place of the first n - 1 tokens, 0 for order 1, -1 where they are not in the table.
        last: (n_ngrams,) the table's id of the last token, -1 where it is not in the table.
    """
    keys = table.keys[order - 1]
    places = np.full(len(prefixes), -1)
    known = np.flatnonzero((prefixes >= 0) & (last >= 0))
    wanted = prefixes[known] * table.size + last[known]
    found = np.searchsorted(keys, wanted)
    places[known] = np.where(keys[found] == wanted, found, -1)
    return places


def counts_at(table: NgramTable, order: int, places: np.ndarray) -> np.ndarray:
    """Returns the counts of the n-grams at these places of the table, (n_ngrams,), 1 for the place -1.

    >>> table = NgramTable({}, 2, [], [np.array([9]), np.array([4, 2])])
    >>> counts_at(table, order=1, places=np.array([1, 0, -1])).tolist()
    [2, 4, 1]
    """
    return np.append(table.counts[order], 1)[places]


def counts_in_texts(tokens: Tokens, table: NgramTable, max_order: int) -> list[np.ndarray]:
    """Returns for each order the count of the n-gram at each token of a chunk, (n_tokens,).

    It is 1 where the table lacks the n-gram, or where the text ends before it does.
    """
    remaining = remaining_tokens(tokens.lengths)
    words = find_tokens(table, tokens)
    places = np.zeros(len(tokens.ids), dtype=np.int64)
    found = []
    for order in range(1, max_order + 1):
        positions = np.flatnonzero(remaining >= order)
        next_places = np.full_like(places, -1)
        next_places[positions] = find_ngrams(table, order, places[positions], words[positions + order - 1])
        places = next_places
        found.append(counts_at(table, order, places))
    return found
