"""Which data a score is of: a digest of the references, and one of the outputs of each system.

A digest is 12 hexadecimal digits. Each row has a number below a prime of 48 bits, from the texts of the row. The
digest in any order is the sum of these numbers, and that in order is a polynomial in which they are the coefficients:
so both can be added up batch by batch, and a cluster, whose rows have no order, has the first. Texts count in Unicode's
form NFC. A digest tells data apart that were mixed up; it is no seal, since whoever wants to can write any digest.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from numbers import Real
from typing import Any, NamedTuple

PRIME = 2**48 - 59  # the largest one of 48 bits
_STEP = 0x9E3779B97F4A  # where the polynomial is evaluated
SAME, OTHER_ORDER, OTHER, UNKNOWN = "same", "in another order", "other", "unknown"
_HEX = re.compile("[0-9a-f]{12}")
_IN_NOTES = re.compile(r" \| data: (?:references ([0-9a-f/-]+), )?outputs ([0-9a-f/-]+)$")
_NONE = "-"  # the digest in order of rows that have none


class Digest(NamedTuple):
    """The digests of rows."""

    any_order: int
    in_order: int | None  # None where the rows have no order, as on a cluster
    size: int = 0  # number of rows; 0 where it is not known, as of digests that are read

    def then(self, further: "Digest") -> "Digest":
        """Returns the digest of these rows with further ones behind them.

        >>> digest_of(["가"]).then(digest_of(["나", "다"])) == digest_of(["가", "나", "다"])
        True
        """
        in_order = (self.in_order * pow(_STEP, further.size, PRIME) + further.in_order) % PRIME
        return Digest((self.any_order + further.any_order) % PRIME, in_order, self.size + further.size)

    @property
    def text(self) -> str:
        """The digests as a line has them: in order, and in any order."""
        return f"{_hex(self.in_order)}/{_hex(self.any_order)}"


class Data(NamedTuple):
    """Which data scores are of."""

    references: Digest | None  # None where there are no references
    outputs: dict[str, Digest]  # of each system, of all its runs one after the other


def digest_of(rows: Iterable[Any]) -> Digest:
    """Returns the digests of rows; a row is a text, or a list of texts, whose order does not matter."""
    any_order = in_order = size = 0
    for row in rows:
        number = row_number(row)
        any_order += number
        in_order = (in_order * _STEP + number) % PRIME
        size += 1
    return Digest(any_order % PRIME, in_order, size)


def row_number(row: Any) -> int:
    """Returns the number of a row: of a text, a list of texts, or what else a metric scores.

    >>> row_number("가") == row_number(["가"]), row_number(["가", "나"]) == row_number(["나", "가"])
    (True, True)
    """
    if isinstance(row, str):
        return _as_number(_short_digest(row))
    if not isinstance(row, Iterable) or isinstance(row, (bytes, Mapping)):
        return _as_number(_short_digest(_plain_text(row)))
    parts = [_short_digest(part if isinstance(part, str) else _plain_text(part)) for part in row]
    if len(parts) == 1:
        return _as_number(parts[0])
    has_texts = all(isinstance(part, str) for part in row)  # numbers of raters, or turns of speakers, have an order
    joined = b"".join(sorted(parts) if has_texts else parts)
    return _as_number(blake2b(joined, digest_size=6).digest())


def _as_number(digest: bytes) -> int:
    return int.from_bytes(digest, "big") % PRIME


def _short_digest(text: str) -> bytes:
    return blake2b(unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass"), digest_size=6).digest()


def _plain_text(value: Any) -> str:
    """Writes what is no text: 3 and 3.0 alike, and fields of a record in the order of their names."""
    return json.dumps(_plain_value(value), ensure_ascii=False, sort_keys=True)


def _plain_value(value: Any) -> Any:
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): _plain_value(entry) for name, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [_plain_value(entry) for entry in value]
    return float(value) if isinstance(value, Real) else value and str(value)


def joined_data(first: Data, further: Data) -> Data:
    """Returns which data two batches are together, one behind the other."""
    references = None if first.references is None else first.references.then(further.references)
    return Data(references, {system: digest.then(further.outputs[system]) for system, digest in first.outputs.items()})


def relation(one: Digest | None, other: Digest | None) -> str:
    """Returns SAME, OTHER_ORDER or OTHER; None is of data without references.

    Where one side has no order, that of the other side does not matter.
    """
    if one is None or other is None:
        return SAME if one is other else OTHER
    if one.any_order != other.any_order:
        return OTHER
    return SAME if None in (one.in_order, other.in_order) or one.in_order == other.in_order else OTHER_ORDER


def data_fields(data: Data) -> dict[str, Any]:
    """Returns what JSON, and the metadata of files of rows, say of data."""
    references = {} if data.references is None else {"references": _fields(data.references)}
    return {**references, "outputs": {system: _fields(digest) for system, digest in data.outputs.items()}}


def read_data(fields: Any) -> Data | None:
    """Returns what `data_fields` wrote; None for anything else, such as what older versions wrote."""
    if not isinstance(fields, dict) or not isinstance(fields.get("outputs"), dict):
        return None
    outputs = {system: _read_fields(of_system) for system, of_system in fields["outputs"].items()}
    references = _read_fields(fields["references"]) if "references" in fields else None
    is_bad = None in outputs.values() or ("references" in fields and references is None)
    return None if is_bad else Data(references, outputs)


def _fields(digest: Digest) -> dict[str, str]:
    in_order = {} if digest.in_order is None else {"in_order": _hex(digest.in_order)}
    return {**in_order, "any_order": _hex(digest.any_order)}


def _read_fields(fields: Any) -> Digest | None:
    values = fields if isinstance(fields, dict) else {}
    any_order = _number(values.get("any_order"))
    return None if any_order is None else Digest(any_order, _number(values.get("in_order")))


def with_data(line: str, data: Data | None, system: str) -> str:
    """Returns a signature with what computed it, and behind it of which data it is, as notes of a result have it."""
    if data is None or system not in data.outputs:
        return line
    references = "" if data.references is None else f"references {data.references.text}, "
    return f"{line} | data: {references}outputs {data.outputs[system].text}"


def split_data(line: str) -> tuple[str, Data | None]:
    """Returns what `with_data` was given: the line, and of which data it is, with the system "".

    >>> line, data = split_data("cer|v1.0 | data: references 00000000000a/00000000000b, outputs -/00000000000c")
    >>> line, data.references, data.outputs[""].in_order
    ('cer|v1.0', Digest(any_order=11, in_order=10, size=0), None)
    """
    found = _IN_NOTES.search(line)
    if found is None:
        return line, None
    references, outputs = (None if text is None else _read_text(text) for text in found.groups())
    is_bad = outputs is None or (found[1] is not None and references is None)
    return line[: found.start()], None if is_bad else Data(references, {"": outputs})


def _read_text(text: str) -> Digest | None:
    in_order, _, any_order = text.partition("/")
    number = _number(any_order)
    if number is None or (in_order != _NONE and _number(in_order) is None):
        return None
    return Digest(number, _number(in_order))


def _number(text: Any) -> int | None:
    return int(text, 16) if isinstance(text, str) and _HEX.fullmatch(text) else None


def _hex(number: int | None) -> str:
    return _NONE if number is None else f"{number:012x}"
