"""What a browser's Python lacks of libraries that metrics use: the beginnings of nltk, and lzma."""

import re
import sys
from pathlib import Path
from types import ModuleType


class Stopwords:
    """A corpus that is not there; only stemmers with `ignore_stopwords` read it."""


_MODULES = {
    # the stemmers alone: the beginnings of nltk and nltk.stem import all of it, and its regular expressions are guarded
    # by a library that is not there
    "nltk": {"redos": re},
    "nltk.stem": {},
    "nltk.termsec": {"safe_print": print},
    "nltk.corpus": {"stopwords": Stopwords()},
    "lzma": {"open": None, "LZMAError": OSError},  # no upload is compressed
}


def install(packages: Path) -> None:
    """Makes these modules what later imports find; parts of nltk are looked for in a folder of packages."""
    for name, content in _MODULES.items():
        module = ModuleType(name, f"A stand-in for {name}.")
        module.__path__ = [str(packages.joinpath(*name.split(".")))]
        vars(module).update(content)
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
