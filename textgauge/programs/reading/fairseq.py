"""Lines of fairseq: `H-12<TAB>-0.30<TAB>text`, where 12 is the number of the segment, from 0, and not of the line."""

import re
from collections.abc import Iterator, Sequence

from ..errors import InputError
from .columns import FileColumn
from .compressed import numbered_lines
from .rows import ID, PREDICTIONS, REFERENCES, TEXT, Request, Rows

# besides texts fairseq writes constraints (C), alignments (A), steps (I, E) and times (W)
_LINE = re.compile(
    r"(?P<kind>[STHDPCAIEW])-(?P<number>\d+)(?:_\d+)?\t(?:(?P<score>-?[\d.]+(?:e-?\d+)?|-?inf|nan)\t)?(?P<text>.*)"
)
_SUMMARY = re.compile(r"Generate \S+ with beam=.*")  # the last line of fairseq-generate
_LOG = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \| |Namespace\(|\| ")
# a hypothesis without subwords, a hypothesis; the target, and what may be taken for one
_KINDS = {PREDICTIONS: "DH", REFERENCES: "TDH"}


def is_fairseq(lines: Sequence[str]) -> bool:
    """Returns whether a file that begins with these lines is one that fairseq writes, maybe behind lines of a log."""
    are_its = [_LINE.fullmatch(line) is not None for line in lines if line.strip() and not _LOG.match(line)]
    return bool(are_its) and are_its[0]


def read_fairseq(request: Request) -> Rows:
    """Yields the texts of one kind of line, the first of those that are read, in the order of their numbers.

    Raises:
        InputError: a line of another format, a number that occurs twice; names file and line.
    """
    path, kinds = request.path, _KINDS[request.role]
    by_kind: dict[str, dict[int, str]] = {}
    for line_number, line in _lines(path, request.encoding):
        match = _LINE.fullmatch(line)
        if not match:
            raise InputError(f"{path}, line {line_number}: {line!r:.40} is not a line of fairseq, as line 1 is")
        kind = match["kind"]
        texts = by_kind.setdefault(kind, {})
        number = int(match["number"])
        if kind in kinds and number in texts:
            raise InputError(f"{path}, line {line_number}: {kind}-{number} occurs twice; keep one line for each number")
        texts[number] = match["text"]
    kind = next((kind for kind in kinds if kind in by_kind), None)
    if kind is None:
        raise InputError(
            f"{path}: the lines of fairseq are {', '.join(by_kind)}-..., but {'-, '.join(kinds)}- are needed"
        )
    for number, text in sorted(by_kind[kind].items()):
        yield f"{kind}-{number}", {ID: str(number), TEXT: text}


def check_counted(column: FileColumn, ids: Sequence[str], without_ids: str) -> None:
    """Raises InputError unless the numbers are 0, 1, 2, ..., as lines without ids are counted."""
    for row, number in enumerate(ids):
        if number != str(row):
            raise InputError(
                f"{column.place(row)}: number {row} is missing; {without_ids} has no ids, so its line 1 belongs to "
                "number 0, and so on; pass a line for every number from 0"
            )


def _lines(path: str, encoding: str) -> Iterator[tuple[int, str]]:
    """Yields place and text of each line, except for blank ones, those of a log, and the summary."""
    for number, line in numbered_lines(path, encoding):
        text = line.rstrip("\r\n")
        if text.strip() and not _SUMMARY.fullmatch(text) and not _LOG.match(text):
            yield number, text
