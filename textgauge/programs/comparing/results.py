"""Results that were kept as JSON, side by side: whether they can be compared, and what differs where they cannot."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer

from textgauge.core.bootstrap import INTERVAL_KEYS

from ..errors import InputError
from ..reading.data_digests import OTHER, OTHER_ORDER, SAME, UNKNOWN, Data, differing_input
from ..reading.results import Scores, read_data_of, read_results
from ..saying.values import number_text
from ..scoring.tables import make_console, make_table, visible_text


class _Kept(NamedTuple):
    """What a file says of one system."""

    name: str  # in that file
    scores: Scores
    data: Data | None


def compare_results(paths: Sequence[Path]) -> None:
    """Prints the scores of several results, and before them why some cannot be compared; then exit code 1.

    No difference is tested, since results keep no rows.

    Raises:
        InputError: a file that score.py or compare.py did not write, or scores that only one has.
    """
    kept = _read(paths)
    results = {shown: own.scores for shown, own in kept.items()}
    if all(len(scores) == 1 for scores in results.values()):  # whatever their options, and so their labels
        results = {system: {"score": result} for system, [result] in ((s, of.values()) for s, of in results.items())}
    labels = list(dict.fromkeys(label for scores in results.values() for label in scores))
    common = [label for label in labels if all(label in scores for scores in results.values())]
    if not common:
        raise InputError(f"the results have no score in common: {', '.join(labels)}")
    of_data, column = _relation_of_all(kept)
    differing = {label: _differences(label, results) for label in common}
    apart = {label: lines for label, lines in differing.items() if lines or of_data == OTHER}
    console = make_console()
    for line in (*_data_lines(kept, of_data, column), *itertools.chain.from_iterable(apart.values())):
        console.print(visible_text(line), soft_wrap=True)
    table = make_table("system", *common)
    for system, scores in results.items():
        cells = (f"{_text(scores[label])}{' !' if label in apart else ''}" for label in common)
        table.add_row(*map(visible_text, (system, *cells)))
    console.print(table)
    others = set(labels) - set(common)
    console.print(visible_text(_conclusion(common, apart, others, of_data, column)), soft_wrap=True)
    if apart:
        raise typer.Exit(1)


def _read(paths: Sequence[Path]) -> dict[str, _Kept]:
    """Returns what files say of their systems; InputError for a file that is given twice, and for one system alone."""
    if len(set(paths)) < len(paths):
        raise InputError(f"--results {max(paths, key=paths.count)} is given twice")
    kept = {shown: own for path in paths for shown, own in _systems(path, len(paths) > 1).items()}
    if len(kept) < 2:
        raise InputError(f"{paths[0]} has one system; a comparison needs two, and --results may be repeated")
    return kept


def _systems(path: Path, is_one_of_many: bool) -> dict[str, _Kept]:
    """Returns what a file says of each system; of several files under the name of the file too."""
    data = read_data_of(path)
    return {
        f"{path}: {system}" if is_one_of_many else system: _Kept(system, scores, data)
        for system, scores in read_results(path).items()
    }


def _relation_of_all(kept: dict[str, _Kept]) -> tuple[str, str]:
    """Returns how the columns beside outputs differ between any two systems, or that it is unknown; and which one."""
    known = [own.data for own in kept.values() if own.data is not None]
    relations = dict(differing_input(one, other) for one, other in itertools.combinations(known, 2))
    if OTHER in relations:
        return OTHER, relations[OTHER]
    if len(known) < len(kept):
        return UNKNOWN, "references"
    if OTHER_ORDER in relations:
        return OTHER_ORDER, relations[OTHER_ORDER]
    return SAME, "references" if "references" in known[0].inputs else "data"


def _data_lines(kept: dict[str, _Kept], of_data: str, column: str) -> list[str]:
    """Returns lines that say what in the data of systems differs."""
    lines = []
    if of_data in (OTHER, OTHER_ORDER):
        listed = ", ".join(f"{_digest_text(own.data, of_data, column)} in {shown}" for shown, own in kept.items())
        what = f"other {column}" if of_data == OTHER else f"the same {column} in another order"
        lines.append(f"{what}: {listed}")
    unknown = [shown for shown, own in kept.items() if own.data is None]
    if unknown:
        lines.append(f"data unknown: an older version wrote {', '.join(unknown)}, and does not say of which data")
    for name in dict.fromkeys(own.name for own in kept.values()):
        lines += _line_of_outputs({shown: own.data for shown, own in kept.items() if own.name == name}, name)
    return lines


def _line_of_outputs(of_files: dict[str, Data | None], name: str) -> list[str]:
    """Returns a line where a system that several files call alike has other outputs in each."""
    known = {shown: data.outputs[name] for shown, data in of_files.items() if data and name in data.outputs}
    if len({digest.any_order for digest in known.values()}) < 2:
        return []
    return [f"outputs of another system: {' and '.join(known)} have one name, and other outputs"]


def _digest_text(data: Data | None, of_data: str, column: str) -> str:
    """Returns the digest of a column that differs."""
    if data is None:
        return "unknown"
    if column not in data.inputs:
        return "none"
    in_order, any_order = data.inputs[column].text.split("/")
    return any_order if of_data == OTHER else in_order


def _differences(label: str, results: dict[str, dict[str, Any]]) -> list[str]:
    """Returns a line for each field of a score's signature in which systems differ."""
    fields_of = {system: _fields(scores[label]["signature"]) for system, scores in results.items()}
    lines = []
    for name in dict.fromkeys(name for fields in fields_of.values() for name in fields):
        values = {system: fields.get(name, "none") for system, fields in fields_of.items()}
        if len(set(values.values())) > 1:
            listed = ", ".join(f"{value} in {system}" for system, value in values.items())
            lines.append(f"{label} cannot be compared: {name} is {listed}")
    return lines


def _fields(signature: str) -> dict[str, str]:
    """Returns what a signature says, without what changes no score; its ends are "metric" and "version".

    >>> _fields("cer|nrefs:1|norm:NFC|seed:1|v1.0")
    {'metric': 'cer', 'nrefs': '1', 'norm': 'NFC', 'version': 'v1.0'}
    """
    metric, *fields = signature.split("|")
    pairs = [field.partition(":")[::2] if ":" in field else ("version", field) for field in fields]
    return {"metric": metric, **{name: value for name, value in pairs if name not in INTERVAL_KEYS}}


def _text(result: dict[str, Any]) -> str:
    value = next(iter(result.values()))
    return "undefined" if value is None else number_text(value)


def _conclusion(common: Sequence[str], apart: dict[str, Any], others: set[str], of_data: str, column: str) -> str:
    alike = ", ".join(label for label in common if label not in apart)
    is_known = of_data != UNKNOWN
    one = f"Of one definition and the same {column}, and so comparable" if is_known else "Of one definition"
    said = [
        f"{one}: {alike}." if alike else "",
        "Whether they are of the same references is unknown." if alike and not is_known else "",
        f"!: of several definitions, or of other {column}." if apart else "",
        f"Only some have {', '.join(sorted(others))}." if others else "",
        "Whether a difference is more than chance, compare.py says of the outputs, or of their rows (--rows).",
    ]
    return " ".join(filter(None, said))
