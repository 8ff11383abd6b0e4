"""What the metrics use of evaluate, datasets, pyarrow and nltk, for a Python that has none of them: a browser's.

There a metric computes what one call is given. Nothing is added batch by batch, and nothing is loaded from the Hub.
"""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from .strings import COMPUTE, PYARROW


class Value:
    """A feature of one value."""

    def __init__(self, dtype: str, id: str | None = None):
        self.dtype, self.id = dtype, id


class Sequence:
    """A feature of a list."""

    def __init__(self, feature: Any, length: int = -1, id: str | None = None):
        self.feature, self.length, self.id = feature, length, id


class MetricInfo:
    """What a metric says of itself."""

    def __init__(self, **said: Any):
        vars(self).update(said)


class Metric:
    """The part of `evaluate.Metric` that one call of `compute` needs."""

    def __init__(self, config_name: str | None = None, keep_in_memory: bool = True, seed: int | None = None):
        self.writer, self.data, self.num_process, self.process_id = None, None, 1, 0
        self.info = self._info()
        self.features = self.info.features
        # "WeightedBleu" is weighted_bleu
        self.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(self).__name__).lower()

    def __len__(self) -> int:
        return 0


class Stopwords:
    """A corpus that is not there; only stemmers with `ignore_stopwords` read it."""


def tqdm(rows: Any, **_: Any) -> Any:
    """Returns what is counted, without a bar."""
    return rows


_MODULES = {
    "evaluate": {"Metric": Metric, "MetricInfo": MetricInfo},
    "evaluate.utils": {},
    "evaluate.utils.logging": {"tqdm": tqdm},
    "datasets": {"Value": Value, "Sequence": Sequence, "Features": dict},
    # the stemmers alone: the beginnings of nltk and nltk.stem import all of it, and its regular expressions are guarded
    # by a library that is not there
    "nltk": {"redos": re},
    "nltk.stem": {},
    "nltk.termsec": {"safe_print": print},
    "nltk.corpus": {"stopwords": Stopwords()},
    "lzma": {"open": None, "LZMAError": OSError},  # no upload is compressed
    "pyarrow": PYARROW,
    "pyarrow.compute": COMPUTE,
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
