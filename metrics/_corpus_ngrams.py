"""How often n-grams occur in a whole corpus: counted with integer arrays, or read from the user's own table.

The idea: an n-gram is one integer, made of the place of its first n - 1 tokens in the table of order n - 1 and of its
last token. Sorting brings equal n-grams together.

The trick: n-grams that occur once are left out, which most of a corpus do. Nothing is lost: what is not in the table
counts as seen once, and an n-gram that occurs twice contains only n-grams that do so too. And the n-grams of an order
are sorted in blocks, each for a range of the first n - 1 tokens, so that memory stays bounded.

The plain version, with `Counter`, is `counted` of tests/test_corpus_ngrams.py.

In a user's table the tokens of an n-gram are joined by a space. A space within a token, as Kiwi returns some, is a
no-break space there, and a no-break space has an escape (U+001B) before it. One key says how texts became tokens, such
as " tok:char|case:lc|norm:NFC"; it begins with a space, as no n-gram does. Its count is that of the empty n-gram, so
that tables of parts add up with it.
"""

import warnings
from array import array
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._columns import has_lone_surrogate
from ._ngrams import is_new
from ._ngrams import remaining_tokens
from ._tables import read_table
from ._tables import table_text
from ._tokens import Tokens

TOTAL = ""  # the key of the empty n-gram, whose count is the size of the corpus: its segments or its words
_SPACE, _NO_BREAK_SPACE, _ESCAPE = " ", "\u00a0", "\x1b"
BLOCK = 2**18  # positions that are sorted at once
_TEXTS = 2**14  # whose lengths are looked at together
_LARGEST = 2**62  # sums stay within 64 bits
_LONGEST = 1000  # digits
_END = np.iinfo(np.int64).max  # a key above all others


class NgramTable(NamedTuple):
    """The n-grams of a corpus, order by order."""

    vocabulary: dict[str, int]  # the id of each token in the table
    size: int  # larger than each id
    keys: list[np.ndarray]  # for orders 1..N: place of the first n - 1 tokens x size + last token; sorted, then `_END`
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

    Args:
        tokens: of the whole corpus.
        max_order: highest n.
        total: count of the empty n-gram.
        documents: (n_texts,) the document of each text, ascending; an n-gram then counts once per document.
        smallest: n-grams with a smaller count are left out.
    """
    ids, size = tokens.ids, len(tokens.vocabulary)
    remaining = _remaining(tokens.lengths, max_order)
    document_of = None if documents is None else np.repeat(documents.astype(np.int32), tokens.lengths)
    places = np.zeros(len(ids), dtype=np.int32)  # of the n-gram at each token in the table of its order, -1 for none
    table = NgramTable({}, size, [], [np.array([total])])
    for order in range(1, max_order + 1):
        is_open = (places >= 0) & (remaining >= order)
        is_open[:-1] &= places[order > 1 :][: len(places) - 1] >= 0
        keys, counts, longer = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], np.full_like(places, -1)
        for chosen in _blocks(is_open, ids if order == 1 else places):
            ngrams = sorted_keys(places[chosen].astype(np.int64) * size + ids[chosen + order - 1])
            chosen = chosen[ngrams.order]
            found = _count_distinct(ngrams, None if document_of is None else document_of[chosen])
            kept = found >= smallest
            place_of = np.where(kept, np.cumsum(kept) - 1 + sum(map(len, counts)), -1)
            longer[chosen] = np.repeat(place_of, np.diff(ngrams.starts, append=len(chosen)))
            keys.append(ngrams.distinct[kept])
            counts.append(found[kept])
        places = longer
        table.keys.append(np.append(np.concatenate(keys), _END))
        table.counts.append(np.concatenate(counts))
    words = _words(tokens).take(pa.array(table.keys[0][:-1])).to_pylist()
    table.vocabulary.update(zip(words, table.keys[0].tolist(), strict=False))
    return table


def count_documents(
    documents: Iterable[list[str]], encode_corpus: Callable[[Iterable[str]], Any], max_order: int, smallest: int = 2
) -> NgramTable:
    """Returns in how many documents each n-gram occurs.

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


def _words(tokens: Tokens) -> pa.Array:
    """Returns the vocabulary as a user's table has it; different tokens stay different."""
    words = tokens.vocabulary
    held = bytes(words.buffers()[2] or b"")
    written = {_ESCAPE: _ESCAPE + _ESCAPE, _NO_BREAK_SPACE: _ESCAPE + _NO_BREAK_SPACE, _SPACE: _NO_BREAK_SPACE}
    for special, replacement in written.items():
        if special.encode() in held:  # rare: most tokenizers split at blanks
            words = pc.replace_substring(words, special, replacement)
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
    parts = [np.zeros(0, dtype=np.min_scalar_type(most))]
    for start in range(0, len(lengths), _TEXTS):
        parts.append(np.minimum(remaining_tokens(lengths[start : start + _TEXTS]), most).astype(parts[0].dtype))
    return np.concatenate(parts)


def _blocks(is_open: np.ndarray, leads: np.ndarray) -> Iterator[np.ndarray]:
    """Yields the open positions in blocks of about `BLOCK`, each with the positions of a range of leads."""
    parts = [slice(start, start + BLOCK) for start in range(0, len(leads), BLOCK)]
    counts = np.zeros(int(leads.max(initial=0)) + 1, dtype=np.int64)
    for part in parts:
        counts += np.bincount(leads[part][is_open[part]], minlength=len(counts))
    ends = np.cumsum(counts)
    start = done = 0
    while done < ends[-1]:
        end = max(int(np.searchsorted(ends, done + BLOCK, side="right")), start + 1)
        inside = [
            part.start + np.flatnonzero(is_open[part] & (leads[part] >= start) & (leads[part] < end)) for part in parts
        ]
        yield np.concatenate(inside)
        start, done = end, int(ends[end - 1])


def sorted_keys(keys: np.ndarray) -> SortedKeys:
    """Returns numbers of at least 0 in ascending order, as `numpy.unique` would, but faster."""
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)).bit_length() + bits < 64:
        # number and index in one integer: numpy sorts integers much faster than it finds the order that sorts them
        packed = np.sort(keys << bits | np.arange(len(keys)))
        order, keys = packed & ((1 << bits) - 1), packed >> bits
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    differs = is_new(keys)
    starts = np.flatnonzero(differs)
    return SortedKeys(order, differs, starts, keys[starts])


def find_tokens(table: NgramTable, tokens: Tokens) -> np.ndarray:
    """Returns the table's id of each token of a chunk, -1 for tokens that are not in the table."""
    get = table.vocabulary.get
    words = _words(tokens).to_pylist()
    return np.fromiter((get(word, -1) for word in words), dtype=np.int64, count=len(words))[tokens.ids]


def find_ngrams(table: NgramTable, order: int, prefixes: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Returns the place of each n-gram among those of its order in the table, -1 for n-grams that are not there.

    Args:
        table: as counted or compiled.
        order: n.
        prefixes: (n_ngrams,) place of the first n - 1 tokens, 0 for order 1, -1 where they are not in the table.
        last: (n_ngrams,) the table's id of the last token, -1 where it is not in the table.
    """
    keys, places = table.keys[order - 1], np.full(len(prefixes), -1)
    known = np.flatnonzero((prefixes >= 0) & (last >= 0))
    wanted = prefixes[known] * table.size + last[known]
    found = np.searchsorted(keys, wanted)
    places[known] = np.where(keys[found] == wanted, found, -1)
    return places


def counts_at(table: NgramTable, order: int, places: np.ndarray) -> np.ndarray:
    """Returns the counts of the n-grams at these places of the table, 1 for the place -1."""
    return np.append(table.counts[order], 1)[places]


def counts_in_texts(tokens: Tokens, table: NgramTable, max_order: int) -> list[np.ndarray]:
    """Returns for each order the count of the n-gram at each token of a chunk.

    It is 1 where the table lacks the n-gram, or where the text ends before it does.
    """
    remaining = remaining_tokens(tokens.lengths)
    words, places = find_tokens(table, tokens), np.zeros(len(tokens.ids), dtype=np.int64)
    found = []
    for order in range(1, max_order + 1):
        positions = np.flatnonzero(remaining >= order)
        next_places = np.full_like(places, -1)
        next_places[positions] = find_ngrams(table, order, places[positions], words[positions + order - 1])
        places = next_places
        found.append(counts_at(table, order, places))
    return found


def as_dict(table: NgramTable, tokenization: str | None = None) -> dict[str, int]:
    """Returns the count of each n-gram as a user's table has it; `TOTAL` is the empty n-gram.

    Args:
        table: as counted.
        tokenization: how texts became tokens, if the table is to say it.

    Raises:
        ValueError: there is an empty token, with which an n-gram would look like a shorter one.
    """
    words = {index: word for word, index in table.vocabulary.items()}
    if "" in table.vocabulary:
        raise ValueError("the tokenizer returns an empty token, which cannot be counted; leave out such tokens")
    total = int(table.counts[0][0])
    result, begins = {TOTAL: total, **({} if tokenization is None else {_SPACE + tokenization: total})}, [""]
    for keys, counts in zip(table.keys, table.counts[1:], strict=True):
        prefixes, last = np.divmod(keys[:-1], table.size or 1)
        names = [begins[prefix] + words[word] for prefix, word in zip(prefixes.tolist(), last.tolist(), strict=True)]
        result.update(zip(names, counts.tolist(), strict=True))
        begins = [name + _SPACE for name in names]
    return result


def read_counts(option: str, counts: Any) -> dict[str, int]:
    """Returns an option that holds counts of n-grams as a dict n-gram -> count.

    Args:
        option: its name.
        counts: a dict, or the path of a file: JSON, or TSV with an n-gram and a count per line.

    Raises:
        ValueError: names the n-gram, or the file and the line, and what is wrong with it.
    """
    name = option
    if isinstance(counts, (str, Path)):
        wanted, advice = "a dict n-gram -> count", "give each n-gram one count"
        counts, name = read_table(option, Path(counts), _read_lines, wanted, advice, _integer), str(counts)
    if not isinstance(counts, Mapping):
        raise ValueError(f"{name} is {counts!r:.60}; pass a dict n-gram -> count, or a file's path")
    for ngram, count in counts.items():
        if not isinstance(ngram, str) or has_lone_surrogate(ngram):
            raise ValueError(f"{name} has the key {ngram!r}; an n-gram is a string of tokens with a blank between")
        is_integer = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
        if not is_integer or not 0 <= count < _LARGEST:
            raise ValueError(f"{name}[{ngram!r}] is {count!r}; pass an integer of at least 0 and below 2**62")
    if TOTAL not in counts:
        raise ValueError(f'{name} has no count for ""; pass the result of corpus_counts, or sums of such results')
    return {ngram: int(count) for ngram, count in counts.items()}


def _split_table(counts: Mapping[str, int]) -> tuple[dict[str, int], list[str]]:
    """Returns the counts of n-grams, and what the table says about how texts became tokens."""
    says = [key for key in counts if key.startswith(_SPACE)]
    return {ngram: count for ngram, count in counts.items() if ngram not in says}, [key[1:] for key in says]


def _check_tokenization(option: str, says: list[str], tokenization: str) -> None:
    """Raises ValueError for counts of other tokens; warns where the table does not say of which."""
    if not says:
        warnings.warn(
            f"{option} does not say how its texts became tokens, here {tokenization}; if they did so otherwise, the "
            "scores are wrong: count again with corpus_counts, which says it",
            stacklevel=3,
        )
    elif says != [tokenization]:
        raise ValueError(
            f"{option} was counted with {' and '.join(sorted(says))}, but the texts are read with {tokenization}; "
            "pass the same options, or count again"
        )


def check_counts(option: str, counts: Any, smallest_total: int = 0) -> None:
    """Raises ValueError unless this is a table of counts, see `read_counts`; a compiled one has been checked."""
    if not is_compiled(counts) and read_counts(option, counts)[TOTAL] < smallest_total:
        raise ValueError(f'{option}[""] is 0: it counts an empty corpus; pass the counts of one with segments')


def is_compiled(counts: Any) -> bool:
    """Returns whether this is an `NgramTable` as a plain tuple, which `compile_options` makes of one."""
    return isinstance(counts, tuple) and len(counts) == len(NgramTable._fields) and isinstance(counts[0], dict)


def _read_lines(path: Path, text: str) -> Iterator[tuple[str, float]]:
    """Yields the n-gram and the count on each line of TSV."""
    seen = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        ngram, tab, count = line.rpartition("\t")
        if not tab or not count.isascii() or not count.isdigit() or ngram in seen:
            raise ValueError(f"{path}, line {number}: {line!r}; a line is an n-gram that is new, a tab and its count")
        seen.add(ngram)
        yield ngram, _integer(count)


def _integer(digits: str) -> float:
    """Returns an integer, or inf if it has more digits than any count; `int` raises an error for thousands of them."""
    return int(digits) if len(digits) < _LONGEST else float(digits)


def compile_counts(option: str, counts: Any, max_order: int, tokenization: str | None = None) -> NgramTable:
    """Returns a user's counts as a table of arrays; they may be such a table as a plain tuple already.

    Args:
        option: its name.
        counts: as `read_counts` accepts them.
        max_order: the longest n-gram that is looked up.
        tokenization: how the texts that are scored become tokens, if the table is to be held against it.

    Raises:
        ValueError: an n-gram has a larger count than its first n - 1 tokens, which is impossible; or the table says
            that its texts became tokens in another way.
    """
    if is_compiled(counts):
        return NgramTable(*counts)
    counts, says = _split_table(read_counts(option, counts))
    repeated = {ngram: count for ngram, count in counts.items() if count > 1 and ngram != TOTAL}
    names, values = list(repeated), np.fromiter(repeated.values(), dtype=np.int64, count=len(repeated))
    split = pc.split_pattern(pa.array(names, pa.large_string()), _SPACE)
    starts, orders = split.offsets.to_numpy()[:-1], np.diff(split.offsets.to_numpy())
    words = split.values.dictionary_encode()
    ids = words.indices.to_numpy().astype(np.int64)
    vocabulary = {word: index for index, word in enumerate(words.dictionary.to_pylist())}
    table = NgramTable(vocabulary, len(vocabulary), [], [np.array([counts[TOTAL]])])
    for order in range(1, max_order + 1):
        chosen = np.flatnonzero(orders == order)
        places = np.zeros(len(chosen), dtype=np.int64)
        for n in range(1, order):
            places = find_ngrams(table, n, places, ids[starts[chosen] + n - 1])
        wrong = chosen[values[chosen] > counts_at(table, order - 1, places)]
        if len(wrong):
            ngram = names[wrong[0]]
            first = ngram.rpartition(_SPACE)[0]
            found = f"{first!r} only {counts[first]} times" if first in counts else f"it lacks {first!r}"
            raise ValueError(f"{option} counts {ngram!r} {repeated[ngram]} times, but {found}")
        ngrams = sorted_keys(places * table.size + ids[starts[chosen] + order - 1])
        table.keys.append(np.append(ngrams.distinct, _END))
        table.counts.append(values[chosen[ngrams.order]])
    if tokenization is not None:
        _check_tokenization(option, says, tokenization)
    return table


def counts_text(option: str, counts: Any) -> str:
    """Returns counts as a signature has them: how many n-grams there are, and a digest of the table."""
    if counts is None:
        return "none"
    counts, _ = _split_table(read_counts(option, counts))  # the signature has the tokenizer anyway
    return table_text(len(counts) - 1, counts)
