"""Synonyms: words that are in the same group, which is a synset of WordNet or a line of the user's own table."""

import base64
import functools
import os
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from textgauge.core.errors import InputError
from textgauge.core.tables import read_text

Groups = Callable[[str], Iterable[Any]]  # word -> the groups that it is in; words that share one are synonyms

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
# WordNet's rules of regular inflection, morphy(7WN): ending -> ending of the base
_ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
             ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
_WORD_CACHE = 2**17


class WordNet(NamedTuple):
    """Synsets and irregular forms of each part of speech."""

    synsets: dict[str, dict[str, tuple[int, ...]]]  # part of speech -> word -> numbers, never those of another part
    bases: dict[str, dict[str, tuple[str, ...]]]  # part of speech -> irregular form -> words


def read_wordnet(data: str) -> WordNet:
    """Returns the tables that lab/build_wordnet_synonyms.py has packed into a string."""
    text = zlib.decompress(base64.b85decode(data.replace("\n", ""))).decode("utf-8")
    paragraphs = [paragraph.splitlines() for paragraph in text.split("\n\n")]
    synsets: dict[str, dict[str, tuple[int, ...]]] = {}
    number = 0
    for name, lines in zip(_PARTS_OF_SPEECH, paragraphs, strict=False):
        table = synsets.setdefault(name, {})
        for line in lines:
            number += 1
            for word in line.split(" "):
                table[word] = (*table.get(word, ()), number)
    bases: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, lines in zip(_PARTS_OF_SPEECH, paragraphs[4:], strict=True):
        bases[name] = {}
        for line in lines:
            form, *words = line.split()
            bases[name][form] = tuple(words)
    return WordNet(synsets, bases)


def wordnet_groups(data: str) -> Groups:
    """Returns a function from a word, inflected or not, to the numbers of its synsets of all parts of speech."""
    wordnet = functools.cache(functools.partial(read_wordnet, data))  # read when the first word is asked for
    return functools.lru_cache(_WORD_CACHE)(lambda word: synsets_of(wordnet(), word))


def synsets_of(wordnet: WordNet, word: str) -> tuple[int, ...]:
    """Returns the synsets of a word and of its bases, of any part of speech.

    Where several rules fit, all bases that are words count, as in nltk: scared comes from scare and from scar. The
    library of WordNet stops at the first.
    """
    synsets: dict[int, None] = {}
    for name in _PARTS_OF_SPEECH:
        table = wordnet.synsets[name]
        bases = wordnet.bases[name].get(word)
        if bases is None:
            bases = _regular_bases(name, word)
        for base in (word, *bases):
            synsets.update(dict.fromkeys(table.get(base, ())))
    return tuple(synsets)


def _regular_bases(name: str, word: str) -> list[str]:
    """Returns what a word may be the regular inflection of, by each rule for this part of speech, used once."""
    full = "ful" if name == "noun" and word.endswith("ful") else ""  # boxesful: boxful
    # from the library's source, morph.c; the manual does not mention it, and nltk lacks it
    if name == "noun" and not full and (word.endswith("ss") or len(word) <= 2):
        return []
    stem = word.removesuffix(full)
    return [stem[: -len(end)] + base + full for end, base in _ENDINGS[name] if stem.endswith(end)]


def read_groups(synonyms: Any, clean: Callable[[list[str]], list[str]]) -> list[list[str]]:
    """Returns the groups of words of a user's table.

    Args:
        synonyms: a mapping from a word to its synonym or synonyms, a list of groups, or the path of a file with one
            group per line and tabs between the words. No iterator, because it is read more than once.
        clean: puts words into the form in which texts are compared.

    Raises:
        InputError: it is none of these, or a word is no string; names the group.
    """
    if isinstance(synonyms, (str, os.PathLike)):
        synonyms = [line.split("\t") for line in read_text("synonyms", synonyms).splitlines()]
    elif isinstance(synonyms, Mapping):
        groups_of_words = []
        for word, others in synonyms.items():
            is_list = isinstance(others, Collection) and not isinstance(others, str)
            groups_of_words.append([word, *others] if is_list else [word, others])
        synonyms = groups_of_words
    if not isinstance(synonyms, Collection):
        raise InputError(f"synonyms is {synonyms!r:.60}; pass a mapping, a list of groups, a path or a callable")
    groups = []
    for index, group in enumerate(synonyms):
        is_group = isinstance(group, Collection) and not isinstance(group, (str, bytes))
        words = list(group) if is_group else [None]
        if not all(isinstance(word, str) for word in words):
            raise InputError(f"synonyms: group {index} is {group!r:.60}; pass a list of words")
        words = dict.fromkeys(word.strip() for word in clean(words))
        groups.append([word for word in words if word])
    return groups


def table_groups(groups: Iterable[Iterable[str]]) -> Groups:
    """Returns a function from a word to the numbers of its groups."""
    table: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        for word in group:
            table.setdefault(word, []).append(number)
    return lambda word: table.get(word, ())


def own_groups(function: Callable[[str], Any]) -> Groups:
    """Returns the user's own function, with a check of what it returns for a word."""

    def groups(word: str) -> list[Any]:
        returned = function(word)
        # a string would be a group for each of its letters
        if isinstance(returned, (str, bytes)) or not isinstance(returned, Iterable):
            raise InputError(f"synonyms returned {returned!r:.60} for {word!r:.40}; it must return a list of groups")
        return list(returned)

    return groups
