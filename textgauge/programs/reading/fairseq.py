"""Lines of fairseq: `H-12<TAB>-0.30<TAB>text`, where 12 is the number of the segment, from 0, and not of the line."""

import re
from collections.abc import Iterator

from ..errors import InputError
from .compressed import is_pipe, numbered_lines

_LINE = re.compile(r"(?P<kind>[STHDP])-(?P<number>\d+)\t(?:(?P<score>-?[\d.]+(?:e-?\d+)?|-?inf|nan)\t)?(?P<text>.*)")
_PEEKED = 100  # lines that tell
# a hypothesis without subwords, a hypothesis; the target, and what may be taken for one
KINDS = {"--prediction-column": "DH", "--reference-column": "TDHS"}


def is_fairseq(path: str, encoding: str) -> bool:
    """Returns whether the lines of a text file are those that fairseq writes."""
    if is_pipe(path):
        return False
    found = 0
    for number, line in numbered_lines(path, encoding):
        if not _LINE.fullmatch(line.rstrip("\r\n")):
            return False
        found += 1
        if number >= _PEEKED:
            break
    return found > 0


def read_fairseq(path: str, kinds: str, encoding: str) -> tuple[str, dict[str, str]]:
    """Returns the kind of line that is read, the first of some that there is, and its texts by number, in order.

    Raises:
        InputError: a line that is none of fairseq's, a number that is there twice; names file and line.
    """
    by_kind: dict[str, dict[int, str]] = {}
    for place, match in _lines(path, encoding):
        texts = by_kind.setdefault(match["kind"], {})
        number = int(match["number"])
        if number in texts:
            raise InputError(f"{place}: {match['kind']}-{number} is there twice; keep the best of several hypotheses")
        texts[number] = match["text"]
    kind = next((kind for kind in kinds if kind in by_kind), None)
    if kind is None:
        raise InputError(
            f"{path}: of fairseq's lines it has {', '.join(by_kind)}-..., and none of {'-, '.join(kinds)}-"
        )
    return kind, {str(number): by_kind[kind][number] for number in sorted(by_kind[kind])}


def _lines(path: str, encoding: str) -> Iterator[tuple[str, re.Match[str]]]:
    for number, line in numbered_lines(path, encoding):
        if line.strip():
            place = f"{path}, line {number}"
            match = _LINE.fullmatch(line.rstrip("\r\n"))
            if not match:
                raise InputError(f"{place}: {line.strip()!r:.40} is no line of fairseq, as those before it are")
            yield place, match
