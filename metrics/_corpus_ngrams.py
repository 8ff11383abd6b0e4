"""How often n-grams occur in a whole corpus: counted on integer arrays, or read from the user's own table.

An n-gram is one integer: the place of its first n - 1 tokens in the table of that order, and its last token. What
occurs once is left out: most n-grams of a corpus do, none of them begins or ends with one that does not, and what is
not in the table counts as seen once. In a user's table the tokens of an n-gram are joined by a space; a space within a
token, as Kiwi has some, is a no-break space there, and a no-break space has an escape (U+001B) before it.
"""

import functools
import hashlib
import json
import os
from array import array
from collections import Counter
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

TOTAL = ""  # the key of what counts the corpus: its segments or its words
_SPACE, _NO_BREAK_SPACE, _ESCAPE = " ", "\u00a0", "\x1b"
BLOCK = 2**20  # positions that are sorted at once
_LARGEST = 2**62  # sums stay within 64 bits
_LONGEST = 1000  # digits
_END = np.iinfo(np.int64).max


class NgramTable(NamedTuple):
    """The n-grams of a corpus, order by order."""

    vocabulary: dict[str, int]  # the tokens of the table
    size: int  # above all ids
    keys: list[np.ndarray]  # for orders 1..N: place of the first n - 1 tokens x size + last token; sorted, then a guard
    counts: list[np.ndarray]  # for orders 0..N; the empty n-gram counts as often as the caller says


class Runs(NamedTuple):
    """Numbers in order."""

    order: np.ndarray  # (n,) what sorts them; equal ones stay in their order
    is_new: np.ndarray  # (n,) whether one differs from the one before
    starts: np.ndarray  # (n_distinct,) where that is
    keys: np.ndarray  # (n_distinct,) distinct numbers


def count_corpus(
    tokens: Any, max_order: int, total: int, documents: np.ndarray | None = None, smallest: int = 2
) -> NgramTable:
    """Counts the n-grams of a corpus.

    Args:
        tokens: `Tokens` of the whole corpus.
        max_order: highest n.
        total: count of the empty n-gram.
        documents: (n_texts,) the document of each text, ascending; n-grams then count once per document.
        smallest: what occurs less often is left out.
    """
    ids, size = tokens.ids, len(tokens.vocabulary)
    text_of = np.repeat(np.arange(len(tokens.lengths), dtype=np.int32), tokens.lengths)
    remaining = (np.cumsum(tokens.lengths)[text_of] - np.arange(len(ids))).astype(np.int32)
    document_of = None if documents is None else documents.astype(np.int32)[text_of]
    places = np.zeros(len(ids), dtype=np.int32)  # of the n-gram that starts here
    table = NgramTable({}, size, [], [np.array([total])])
    for order in range(1, max_order + 1):
        positions = np.flatnonzero((places >= 0) & (remaining >= order))
        positions = positions[places[positions + (order > 1)] >= 0]
        keys, counts, longer = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], np.full_like(places, -1)
        for chosen in _blocks(positions, ids[positions] if order == 1 else places[positions]):
            runs = group(places[chosen].astype(np.int64) * size + ids[chosen + order - 1])
            chosen = chosen[runs.order]
            found = _count_runs(runs, None if document_of is None else document_of[chosen])
            kept = found >= smallest
            place_of = np.where(kept, np.cumsum(kept) - 1 + sum(map(len, counts)), -1)
            longer[chosen] = np.repeat(place_of, np.diff(runs.starts, append=len(chosen)))
            keys.append(runs.keys[kept])
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
    """Counts in how many documents, of any number of texts each, an n-gram stands; goes through them once."""
    sizes = array("q")

    def texts() -> Iterator[str]:
        for document in documents:
            sizes.append(len(document))
            yield from document

    tokens = encode_corpus(texts())
    return count_corpus(tokens, max_order, len(sizes), np.repeat(np.arange(len(sizes)), sizes), smallest)


def _words(tokens: Any) -> pa.Array:
    """Returns the vocabulary as it is written in a user's table, different words differently."""
    words = tokens.vocabulary
    for special in (_ESCAPE, _NO_BREAK_SPACE):
        words = pc.replace_substring(words, special, _ESCAPE + special)
    return pc.replace_substring(words, _SPACE, _NO_BREAK_SPACE)


def _count_runs(runs: Runs, documents: np.ndarray | None) -> np.ndarray:
    """Counts each distinct number, once per document if there are any; these stand in the order of the runs."""
    is_counted = np.ones(len(runs.order), dtype=np.int64)
    if documents is not None:
        # equal n-grams stand in the order of their texts, and those in that of their documents
        is_counted[1:] = runs.is_new[1:] | (documents[1:] != documents[:-1])
    return np.add.reduceat(is_counted, runs.starts)


def _blocks(positions: np.ndarray, leads: np.ndarray) -> Iterator[np.ndarray]:
    """Splits positions by ranges of their leads, so that few are at work at a time."""
    ends = np.cumsum(np.bincount(leads))
    start = done = 0
    while done < len(positions):
        end = max(int(np.searchsorted(ends, done + BLOCK, side="right")), start + 1)
        yield positions[(leads >= start) & (leads < end)]
        start, done = end, int(ends[end - 1])


def group(keys: np.ndarray) -> Runs:
    """Sorts numbers of at least 0, as `numpy.unique` would, but faster."""
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)).bit_length() + bits < 64:
        # number and index as one: numpy sorts numbers much faster than it finds their order
        packed = np.sort(keys << bits | np.arange(len(keys)))
        order, keys = packed & ((1 << bits) - 1), packed >> bits
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    is_new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    starts = np.flatnonzero(is_new)
    return Runs(order, is_new, starts, keys[starts])


def find_tokens(table: NgramTable, tokens: Any) -> np.ndarray:
    """Returns the table's id of each token of a chunk, -1 for what is not in the table."""
    get = table.vocabulary.get
    words = _words(tokens).to_pylist()
    return np.fromiter((get(word, -1) for word in words), dtype=np.int64, count=len(words))[tokens.ids]


def find_ngrams(table: NgramTable, order: int, prefixes: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Returns the place of each n-gram in the table, -1 for what is not there.

    Args:
        table: as counted or compiled.
        order: n.
        prefixes: (n_ngrams,) place of the first n - 1 tokens, 0 for order 1, or -1.
        last: (n_ngrams,) the table's id of the last token, or -1.
    """
    keys, places = table.keys[order - 1], np.full(len(prefixes), -1)
    known = np.flatnonzero((prefixes >= 0) & (last >= 0))
    wanted = prefixes[known] * table.size + last[known]
    found = np.searchsorted(keys, wanted)
    places[known] = np.where(keys[found] == wanted, found, -1)
    return places


def counts_at(table: NgramTable, order: int, places: np.ndarray) -> np.ndarray:
    """Returns the counts of the n-grams at these places, 1 for -1."""
    return np.append(table.counts[order], 1)[places]


def counts_in_texts(tokens: Any, table: NgramTable, max_order: int) -> list[np.ndarray]:
    """Returns for each order the count of the n-gram at each position of a chunk, 1 if it is unknown or none fits."""
    remaining = np.repeat(np.cumsum(tokens.lengths), tokens.lengths) - np.arange(len(tokens.ids))
    words, places = find_tokens(table, tokens), np.zeros(len(tokens.ids), dtype=np.int64)
    found = []
    for order in range(1, max_order + 1):
        positions = np.flatnonzero(remaining >= order)
        next_places = np.full_like(places, -1)
        next_places[positions] = find_ngrams(table, order, places[positions], words[positions + order - 1])
        places = next_places
        found.append(counts_at(table, order, places))
    return found


def as_dict(table: NgramTable) -> dict[str, int]:
    """Returns the counts by n-gram; TOTAL is the empty one.

    Raises:
        ValueError: an empty token, which cannot be told from nothing.
    """
    words = {index: word for word, index in table.vocabulary.items()}
    if "" in table.vocabulary:
        raise ValueError("the tokenizer returns an empty token, which cannot be counted; leave out such tokens")
    result, begins = {TOTAL: int(table.counts[0][0])}, [""]
    for keys, counts in zip(table.keys, table.counts[1:], strict=True):
        prefixes, last = np.divmod(keys[:-1], table.size or 1)
        names = [begins[prefix] + words[word] for prefix, word in zip(prefixes.tolist(), last.tolist(), strict=True)]
        result.update(zip(names, counts.tolist(), strict=True))
        begins = [name + _SPACE for name in names]
    return result


def read_counts(option: str, counts: Any) -> dict[str, int]:
    """Returns an option that counts n-grams as a dict n-gram -> count.

    Args:
        option: its name.
        counts: a dict, or the path of a file: JSON, or TSV with an n-gram and a count per line.

    Raises:
        ValueError: names the n-gram (or file and line) and what is wrong with it.
    """
    name = option
    if isinstance(counts, (str, Path)):
        counts, name = _read_file(option, Path(counts)), str(counts)
    if not isinstance(counts, Mapping):
        raise ValueError(f"{name} is {counts!r:.60}; pass a dict n-gram -> count, or a file's path")
    for ngram, count in counts.items():
        if not isinstance(ngram, str) or any("\ud800" <= character <= "\udfff" for character in ngram):
            raise ValueError(f"{name} has the key {ngram!r}; an n-gram is a string of tokens with a blank between")
        is_integer = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
        if not is_integer or not 0 <= count < _LARGEST:
            raise ValueError(f"{name}[{ngram!r}] is {count!r}; pass an integer of at least 0 and below 2**62")
    if TOTAL not in counts:
        raise ValueError(f'{name} has no count for ""; pass the result of corpus_counts, or sums of such results')
    return {ngram: int(count) for ngram, count in counts.items()}


def check_counts(option: str, counts: Any, smallest_total: int = 0) -> None:
    """Raises ValueError for what is no table of counts, see `read_counts`; a compiled one has been checked."""
    if not is_compiled(counts) and read_counts(option, counts)[TOTAL] < smallest_total:
        raise ValueError(f'{option}[""] is 0: it counts an empty corpus; pass the counts of one with segments')


def is_compiled(counts: Any) -> bool:
    """Returns whether this is a table that was compiled, and has become a plain tuple since."""
    return isinstance(counts, tuple) and len(counts) == len(NgramTable._fields) and isinstance(counts[0], dict)


def _read_file(option: str, path: Path) -> Any:
    if not os.path.isfile(path):  # pathlib's fails for a name that is too long
        raise ValueError(f"{option} is {str(path)!r}, and there is no such file")
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".json":
            hook = functools.partial(_without_repetition, path)
            return json.loads(text, object_pairs_hook=hook, parse_int=_integer)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    except RecursionError:
        raise ValueError(f"{path} is nested too deep; pass a dict n-gram -> count") from None
    counts: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        ngram, tab, count = line.rpartition("\t")
        if not tab or not count.isascii() or not count.isdigit() or ngram in counts:
            raise ValueError(f"{path}, line {number}: {line!r}; a line is an n-gram that is new, a tab and its count")
        counts[ngram] = _integer(count)
    return counts


def _integer(digits: str) -> float:
    """Returns an integer; inf where it has too many digits for any count, of which `int` fails to read thousands."""
    return int(digits) if len(digits) < _LONGEST else float(digits)


def _without_repetition(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the pairs of a JSON object as a dict; ValueError for an n-gram that stands there twice."""
    counts = dict(pairs)
    if len(counts) < len(pairs):
        (ngram, _), *_ = Counter(ngram for ngram, _ in pairs).most_common(1)
        raise ValueError(f"{path}: {ngram!r} stands there twice; give each n-gram one count")
    return counts


def compile_counts(option: str, counts: Any, max_order: int) -> NgramTable:
    """Returns a user's counts as a table, or one that was compiled earlier and has become a plain tuple since.

    Raises:
        ValueError: an n-gram counts more often than its first tokens, which cannot be.
    """
    if is_compiled(counts):
        return NgramTable(*counts)
    counts = read_counts(option, counts)
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
            begin = ngram.rpartition(_SPACE)[0]
            found = f"{begin!r} only {counts[begin]} times" if begin in counts else f"it lacks {begin!r}"
            raise ValueError(f"{option} counts {ngram!r} {repeated[ngram]} times, but {found}")
        runs = group(places * table.size + ids[starts[chosen] + order - 1])
        table.keys.append(np.append(runs.keys, _END))
        table.counts.append(values[chosen[runs.order]])
    return table


def counts_text(option: str, counts: Any) -> str:
    """Writes counts into a signature: how many n-grams, and a digest."""
    if counts is None:
        return "none"
    counts = read_counts(option, counts)
    digest = hashlib.sha256(json.dumps(counts, sort_keys=True).encode()).hexdigest()[:8]
    return f"table({len(counts) - 1},{digest})"
