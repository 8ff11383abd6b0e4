"""Which data a score is of: digests of each system's outputs, and of the references and other columns of a metric.

A digest is 12 hexadecimal digits. Each row has a number below a prime of 48 bits, from the texts of the row. The
digest in any order is the sum of these numbers, and that in order is a polynomial in which they are the coefficients:
so both can be added up batch by batch, and a cluster, whose rows have no order, has the first. Texts count in Unicode's
form NFC. A digest detects data that were mixed up; it is not a seal, because anybody can write any digest.
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
SAME, OTHER_ORDER, OTHER = "same", "in another order", "other"
_HEX = re.compile("[0-9a-f]{12}")
_IN_NOTES = re.compile(r" \| data: ([a-z_]+ [0-9a-f/-]+(?:, [a-z_]+ [0-9a-f/-]+)*)$")
_OUTPUTS = "outputs"
_WORST_LAST = (SAME, OTHER_ORDER, OTHER)
_LARGEST_EXACT = 2**53  # of whole numbers that are also floats
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
        in_order = None
        if self.in_order is not None and further.in_order is not None:
            in_order = (self.in_order * pow(_STEP, further.size, PRIME) + further.in_order) % PRIME
        return Digest((self.any_order + further.any_order) % PRIME, in_order, self.size + further.size)

    @property
    def text(self) -> str:
        """The digests as a line has them: in order, and in any order."""
        return f"{_hex(self.in_order)}/{_hex(self.any_order)}"


class Data(NamedTuple):
    """Which data scores are of."""

    inputs: dict[str, Digest]  # of each column beside the outputs that metrics take, such as references
    outputs: dict[str, Digest]  # of each system, of all its runs one after the other

    @property
    def has_order(self) -> bool:
        """Whether the rows have one, which they have not on a cluster."""
        digests = [*self.inputs.values(), *self.outputs.values()]
        return all(digest.in_order is not None for digest in digests)


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
    """Writes values other than texts: 3 and 3.0 alike, and fields of a record in the order of their names."""
    return json.dumps(_plain_value(value), ensure_ascii=False, sort_keys=True)


def _plain_value(value: Any) -> Any:
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): _plain_value(entry) for name, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [_plain_value(entry) for entry in value]
    if isinstance(value, int):
        return str(value) if abs(value) > _LARGEST_EXACT else float(value)
    if isinstance(value, Real):
        return float(value)
    return value and str(value)


def joined_data(first: Data, further: Data) -> Data:
    """Returns which data two batches are together, one behind the other."""
    inputs = {name: digest.then(further.inputs[name]) for name, digest in first.inputs.items()}
    outputs = {system: digest.then(further.outputs[system]) for system, digest in first.outputs.items()}
    return Data(inputs, outputs)


def relation(one: Digest, other: Digest) -> str:
    """Returns SAME, OTHER_ORDER or OTHER; where one side has no order, that of the other side does not matter."""
    if one.any_order != other.any_order:
        return OTHER
    if one.in_order is None or other.in_order is None or one.in_order == other.in_order:
        return SAME
    return OTHER_ORDER


def differing_input(one: Data, other: Data) -> tuple[str, str]:
    """Returns how the columns beside the outputs differ, SAME, OTHER_ORDER or OTHER, and the one that differs most.

    References on one side alone are other ones. Another column on one side alone is not compared: the scores that both
    sides have do without it.

    >>> differing_input(Data({"references": digest_of(["가"])}, {}), Data({"references": digest_of(["나"])}, {}))
    ('other', 'references')
    """
    if ("references" in one.inputs) != ("references" in other.inputs):
        return OTHER, "references"
    common = [name for name in one.inputs if name in other.inputs]
    worst, of_column = SAME, common[0] if common else ""
    for name in common:
        found = relation(one.inputs[name], other.inputs[name])
        if _WORST_LAST.index(found) > _WORST_LAST.index(worst):
            worst, of_column = found, name
    return worst, of_column


def data_fields(data: Data) -> dict[str, Any]:
    """Returns the data's fields for JSON and for the metadata of files of rows."""
    inputs = {name: _fields(digest) for name, digest in data.inputs.items()}
    return {**inputs, _OUTPUTS: {system: _fields(digest) for system, digest in data.outputs.items()}}


def read_data(fields: Any) -> Data | None:
    """Reads the fields of `data_fields`; None for anything else, such as fields of older versions."""
    if not isinstance(fields, dict) or not isinstance(fields.get(_OUTPUTS), dict):
        return None
    outputs = {system: _read_fields(of_system) for system, of_system in fields[_OUTPUTS].items()}
    inputs = {name: _read_fields(of_column) for name, of_column in fields.items() if name != _OUTPUTS}
    is_bad = None in outputs.values() or None in inputs.values()
    return None if is_bad else Data(inputs, outputs)


def _fields(digest: Digest) -> dict[str, str]:
    in_order = {} if digest.in_order is None else {"in_order": _hex(digest.in_order)}
    return {**in_order, "any_order": _hex(digest.any_order)}


def _read_fields(fields: Any) -> Digest | None:
    values = fields if isinstance(fields, dict) else {}
    any_order = _number(values.get("any_order"))
    return None if any_order is None else Digest(any_order, _number(values.get("in_order")))


def with_data(line: str, data: Data | None, system: str) -> str:
    """Returns a signature with the program and the digests of the data, as in the notes of a result."""
    if data is None or system not in data.outputs:
        return line
    digests = {**data.inputs, _OUTPUTS: data.outputs[system]}
    parts = [f"{name} {digest.text}" for name, digest in digests.items()]
    return f"{line} | data: {', '.join(parts)}"


def split_data(line: str) -> tuple[str, Data | None]:
    """Returns the arguments of `with_data`: the line, and the data, with the system "".

    >>> line, data = split_data("cer|v1.0 | data: references 00000000000a/00000000000b, outputs -/00000000000c")
    >>> line, data.inputs["references"], data.outputs[""].in_order
    ('cer|v1.0', Digest(any_order=11, in_order=10, size=0), None)
    """
    found = _IN_NOTES.search(line)
    if found is None:
        return line, None
    digests = {}
    for part in found[1].split(", "):
        name, _, text = part.partition(" ")
        digests[name] = _read_text(text)
    if None in digests.values() or _OUTPUTS not in digests:
        return line[: found.start()], None
    outputs = digests.pop(_OUTPUTS)
    return line[: found.start()], Data(inputs=digests, outputs={"": outputs})


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
