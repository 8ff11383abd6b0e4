"""The stemmers of nltk, each module of them executed on its own.

The idea: `import nltk` imports every library of science that is installed, which takes a second, and a stemmer needs
none. The trick: a module of nltk.stem is executed with an import function of its own, which gives it the modules beside
it, executed in the same way, and stand-ins for the three names that it takes from elsewhere in nltk. No other code sees
these: `import nltk` is what it always was, before and after. The plain version is `from nltk.stem import porter`.
"""

import builtins
import functools
import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # this names the package for whoever lists what a published metric needs
    import nltk  # noqa: F401

_ELSEWHERE = {
    "nltk": SimpleNamespace(redos=re),  # regular expressions with a limit of time
    "nltk.corpus": SimpleNamespace(stopwords=None),  # for stemmers that ignore stop words; ours do not
    "nltk.termsec": SimpleNamespace(safe_print=print),  # for demonstrations
}


def stemmers(name: str, wanted_by: str) -> Any:
    """Returns a module of nltk.stem, "porter" or "snowball".

    >>> stemmers("porter", "use_stemmer=True").PorterStemmer().stem("sleeping")
    'sleep'

    Raises:
        ImportError: nltk is missing, and `wanted_by` says what needs it.
    """
    if importlib.util.find_spec("nltk") is None:
        raise ImportError(f"{wanted_by} needs a package: pip install nltk")
    return _module(name)


@functools.cache
def _module(name: str) -> ModuleType:
    """Returns a module of nltk.stem; Python keeps its bytecode as always."""
    [folder, *_] = importlib.util.find_spec("nltk").submodule_search_locations
    spec = importlib.util.spec_from_file_location(f"nltk.stem.{name}", Path(folder, "stem", f"{name}.py"))
    module = ModuleType(spec.name)
    vars(module).update(__file__=spec.origin, __builtins__={**vars(builtins), "__import__": _import})
    exec(spec.loader.get_code(spec.name), vars(module))
    return module


def _import(
    name: str, names: Any = None, variables: Any = None, imported: Sequence[str] | None = (), level: int = 0
) -> Any:
    """Imports for a module of nltk.stem, as the built-in function does for others."""
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    if name == "nltk.stem":
        return SimpleNamespace(**{module: _module(module) for module in imported})
    if name.startswith("nltk.stem."):
        return _module(name.removeprefix("nltk.stem."))
    return builtins.__import__(name, names, variables, imported, level)
