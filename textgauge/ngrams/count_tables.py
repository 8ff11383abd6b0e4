"""Counts of n-grams as a user has them: a dict, or a file of JSON or TSV, and the arrays that are made of it.

The tokens of an n-gram are joined by a space. A space within a token, as Kiwi returns some, is a
no-break space there, and a no-break space has an escape (U+001B) before it. One key says how texts became tokens, such
as " tok:char|case:lc|norm:NFC"; it begins with a space, as no n-gram does. Its count is that of the empty n-gram, so
that tables of parts add up with it.
"""

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from textgauge.core.columns import has_lone_surrogate
from textgauge.core.errors import InputError
from textgauge.core.strings import number_words
from textgauge.core.tables import read_table, table_text

from .corpus import END, SPACE, NgramTable, counts_at, find_ngrams, sorted_keys

TOTAL = ""  # the key of the empty n-gram, whose count is the size of the corpus: its segments or its words
_LARGEST = 2**62  # sums stay within 64 bits
_PICKLES = (".p", ".pkl", ".pickle")  # as pycocoevalcap's coco-val-df.p
_FEW_DIGITS = 1000  # digits


def as_dict(table: NgramTable, tokenization: str | None = None) -> dict[str, int]:
    """Returns the count of each n-gram as a user's table has it; `TOTAL` is the empty n-gram.

    Args:
        table: as counted.
        tokenization: how texts became tokens, if the table is to say it.

    Raises:
        InputError: there is an empty token, with which an n-gram would look like a shorter one.
    """
    words = {index: word for word, index in table.vocabulary.items()}
    if "" in table.vocabulary:
        raise InputError("the tokenizer returns an empty token, which cannot be counted; leave out such tokens")
    total = int(table.counts[0][0])
    result = {TOTAL: total}
    if tokenization is not None:
        result[SPACE + tokenization] = total
    begins = [""]
    for keys, counts in zip(table.keys, table.counts[1:], strict=True):
        prefixes, last = np.divmod(keys[:-1], table.size or 1)
        names = []
        for prefix, word in zip(prefixes.tolist(), last.tolist(), strict=True):
            names.append(begins[prefix] + words[word])
        result.update(zip(names, counts.tolist(), strict=True))
        begins = [name + SPACE for name in names]
    return result


def read_counts(option: str, counts: Any) -> dict[str, int]:
    """Returns an option that holds counts of n-grams as a dict n-gram -> count.

    Args:
        option: its name.
        counts: a dict, or the path of a file: JSON, or TSV with an n-gram and a count per line.

    Raises:
        InputError: names the n-gram, or the file and the line, and what is wrong with it.
    """
    name = option
    if isinstance(counts, (str, Path)):
        if Path(counts).suffix.lower() in _PICKLES:
            raise InputError(f"{counts} is a pickle, and {option} takes JSON or TSV; the card of cider converts one")
        name = str(counts)
        wanted = "a dict n-gram -> count"
        advice = "give each n-gram one count"
        counts = read_table(option, Path(counts), _read_count_lines, wanted, advice, _integer)
    if not isinstance(counts, Mapping):
        raise InputError(f"{name} is {counts!r:.60}; pass a dict n-gram -> count, or a file's path")
    for ngram, count in counts.items():
        if not isinstance(ngram, str) or has_lone_surrogate(ngram):
            raise InputError(f"{name} has the key {ngram!r:.200}; an n-gram is a string of tokens with a blank between")
        is_integer = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
        if not is_integer or not 0 <= count < _LARGEST:
            raise InputError(f"{name}[{ngram!r:.200}] is {count!r:.200}; pass an integer of at least 0 and below 2**62")
    if TOTAL not in counts:
        raise InputError(f'{name} has no count for ""; pass the result of corpus_counts, or sums of such results')
    if not counts[TOTAL] and any(counts.values()):
        ngram = next(ngram for ngram, count in counts.items() if count)
        raise InputError(
            f'{name}[""] is 0, but {name}[{ngram!r:.200}] is {counts[ngram]}; "" has the size of the corpus'
        )
    return {ngram: int(count) for ngram, count in counts.items()}


def _split_table(counts: Mapping[str, int]) -> tuple[dict[str, int], list[str]]:
    """Returns the counts of n-grams, and what the table says about how texts became tokens."""
    notes = [key for key in counts if key.startswith(SPACE)]
    ngrams = {ngram: count for ngram, count in counts.items() if ngram not in notes}
    return ngrams, [note[1:] for note in notes]


def _check_tokenization(option: str, notes: list[str], tokenization: str) -> None:
    """Raises InputError for counts of other tokens; warns where the table does not say of which."""
    if not notes:
        warnings.warn(
            f"{option} does not say how its texts became tokens, here {tokenization}; if they did so otherwise, the "
            "scores are wrong: count again with corpus_counts, which says it",
            stacklevel=3,
        )
    elif notes != [tokenization]:
        raise InputError(
            f"{option} was counted with {' and '.join(sorted(notes))}, but the texts are read with {tokenization}; "
            "pass the same options, or count again"
        )


def check_counts(option: str, counts: Any, smallest_total: int = 0) -> None:
    """Raises InputError unless this is a table of counts, see `read_counts`; a compiled one has been checked."""
    if not is_compiled(counts) and read_counts(option, counts)[TOTAL] < smallest_total:
        raise InputError(f'{option}[""] is 0: it was counted on an empty corpus; pass counts of one with segments')


def is_compiled(counts: Any) -> bool:
    """Returns whether this is an `NgramTable` and its text in a signature as a plain tuple, from `compile_options`."""
    return isinstance(counts, tuple) and len(counts) == len(NgramTable._fields) + 1 and isinstance(counts[0], dict)


def _read_count_lines(path: Path, text: str) -> Iterator[tuple[str, float]]:
    """Yields the n-gram and the count on each line of TSV."""
    seen = set()
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        ngram, tab, count = line.rpartition("\t")
        if not tab or not count.isascii() or not count.isdigit() or ngram in seen:
            raise InputError(f"{path}, line {number}: {line!r:.200}; write a new n-gram, a tab and its count")
        seen.add(ngram)
        yield ngram, _integer(count)


def _integer(digits: str) -> float:
    """Returns an integer, or inf if it has more digits than any count; `int` raises an error for thousands of them."""
    return int(digits) if len(digits) < _FEW_DIGITS else float(digits)


def compile_counts(option: str, counts: Any, max_order: int, tokenization: str | None = None) -> NgramTable:
    """Returns a user's counts as a table of arrays; they may be such a table as a plain tuple already.

    Args:
        option: its name.
        counts: as `read_counts` accepts them.
        max_order: the longest n-gram that is looked up.
        tokenization: how the texts that are scored become tokens, if the table is to be held against it.

    Raises:
        InputError: an n-gram has a larger count than its first n - 1 tokens, which is impossible; or the table says
            that its texts became tokens in another way; or it was compiled for shorter n-grams.
    """
    if is_compiled(counts):
        return _compiled_table(option, counts, max_order)
    counts, notes = _split_table(read_counts(option, counts))
    repeated = {ngram: count for ngram, count in counts.items() if count > 1 and ngram != TOTAL}
    names = list(repeated)
    values = np.fromiter(repeated.values(), dtype=np.int64, count=len(repeated))
    orders, ids, words = number_words(names, SPACE)
    starts = np.cumsum(orders) - orders
    vocabulary = {word: index for index, word in enumerate(words)}
    table = NgramTable(vocabulary, len(vocabulary), [], [np.array([counts[TOTAL]])])
    for order in range(1, max_order + 1):
        chosen = np.flatnonzero(orders == order)
        places = np.zeros(len(chosen), dtype=np.int64)
        for n in range(1, order):
            places = find_ngrams(table, n, places, ids[starts[chosen] + n - 1])
        wrong = chosen[values[chosen] > counts_at(table, order - 1, places)]
        if len(wrong):
            ngram = names[wrong[0]]
            first = ngram.rpartition(SPACE)[0]
            found = f"it lacks {first!r}"
            if first in counts:
                found = f"{first!r} only {counts[first]} times"
            raise InputError(f"{option} counts {ngram!r:.200} {repeated[ngram]} times, but {found}")
        ngrams = sorted_keys(places * table.size + ids[starts[chosen] + order - 1])
        table.keys.append(np.append(ngrams.distinct, END))
        table.counts.append(values[chosen[ngrams.order]])
    if tokenization is not None:
        _check_tokenization(option, notes, tokenization)
    return table


def _compiled_table(option: str, compiled: tuple[Any, ...], max_order: int) -> NgramTable:
    vocabulary, size, keys, counts, _ = compiled
    if len(keys) < max_order:
        raise InputError(
            f"{option} was compiled for n-grams of up to {len(keys)} tokens, and here they have up to {max_order}; "
            "compile it with the options of this call"
        )
    return NgramTable(vocabulary, size, keys[:max_order], counts[: max_order + 1])


def counts_text(option: str, counts: Any) -> str:
    """Returns counts as a signature has them: how many n-grams there are, and a digest of the table."""
    if counts is None:
        return "none"
    if is_compiled(counts):
        return counts[-1]
    counts, _ = _split_table(read_counts(option, counts))  # the signature has the tokenizer anyway
    return table_text(len(counts) - 1, counts)
