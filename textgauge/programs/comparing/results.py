"""Results that were saved as JSON, side by side: whether they can be compared, and the differences if they cannot."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.table import Table

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
    results = {shown: system.scores for shown, system in kept.items()}
    if all(len(scores) == 1 for scores in results.values()):  # whatever their options, and so their labels
        results = {shown: {"score": next(iter(scores.values()))} for shown, scores in results.items()}
    labels = list(dict.fromkeys(label for scores in results.values() for label in scores))
    had_by_all = set(labels).intersection(*results.values())
    common = [label for label in labels if label in had_by_all]
    if not common:
        raise InputError(f"the results have no score in common: {', '.join(labels)}")

    relation, column = _relation_of_all(kept)
    lines = _data_lines(kept, relation, column)
    apart = set()  # labels of scores that cannot be compared
    for label in common:
        differences = _differences(label, results)
        lines += differences
        if differences or relation == OTHER:
            apart.add(label)
    others = set(labels) - had_by_all

    console = make_console()
    for line in lines:
        console.print(visible_text(line), soft_wrap=True)
    console.print(_table(results, common, apart))
    console.print(visible_text(_conclusion(common, apart, others, relation, column)), soft_wrap=True)
    if apart:
        raise typer.Exit(1)


def _table(results: dict[str, Scores], labels: Sequence[str], apart: set[str]) -> Table:
    """Returns the scores of each system, of which those that cannot be compared are marked."""
    table = make_table("system", *labels)
    for system, scores in results.items():
        cells = [system]
        for label in labels:
            mark = " !" if label in apart else ""
            cells.append(_text(scores[label]) + mark)
        table.add_row(*map(visible_text, cells))
    return table


def _read(paths: Sequence[Path]) -> dict[str, _Kept]:
    """Returns the systems of files; InputError for a file that is given twice, and for one system alone."""
    if len(set(paths)) < len(paths):
        raise InputError(f"--results {max(paths, key=paths.count)} is given twice")
    kept: dict[str, _Kept] = {}
    for path in paths:
        kept.update(_systems(path, is_one_of_many=len(paths) > 1))
    if len(kept) < 2:
        raise InputError(f"{paths[0]} has one system; a comparison needs two: repeat --results")
    return kept


def _systems(path: Path, is_one_of_many: bool) -> dict[str, _Kept]:
    """Returns the systems of a file; with several files their names include the file."""
    data = read_data_of(path)
    kept = {}
    for system, scores in read_results(path).items():
        shown = f"{path}: {system}" if is_one_of_many else system
        kept[shown] = _Kept(system, scores, data)
    return kept


def _relation_of_all(kept: dict[str, _Kept]) -> tuple[str, str]:
    """Returns how the columns beside outputs differ between any two systems, or that it is unknown; and which one."""
    known = [system.data for system in kept.values() if system.data is not None]
    relations = dict(differing_input(one, other) for one, other in itertools.combinations(known, 2))
    if OTHER in relations:
        return OTHER, relations[OTHER]
    if len(known) < len(kept):
        return UNKNOWN, "references"
    if OTHER_ORDER in relations:
        return OTHER_ORDER, relations[OTHER_ORDER]
    return SAME, "references" if "references" in known[0].inputs else "data"


def _data_lines(kept: dict[str, _Kept], relation: str, column: str) -> list[str]:
    """Returns lines about the differences between the data of systems."""
    lines = []
    if relation in (OTHER, OTHER_ORDER):
        digests = [f"{_digest_text(system.data, relation, column)} in {shown}" for shown, system in kept.items()]
        what = f"other {column}" if relation == OTHER else f"the same {column} in another order"
        lines.append(f"{what}: {', '.join(digests)}")
    unknown = [shown for shown, system in kept.items() if system.data is None]
    if unknown:
        lines.append(f"data unknown: an older version wrote {', '.join(unknown)}, without digests of the data")
    for name in dict.fromkeys(system.name for system in kept.values()):
        of_files = {shown: system.data for shown, system in kept.items() if system.name == name}
        lines += _line_of_outputs(of_files, name)
    return lines


def _line_of_outputs(of_files: dict[str, Data | None], name: str) -> list[str]:
    """Returns a line where a system that several files call alike has other outputs in each."""
    known = {shown: data.outputs[name] for shown, data in of_files.items() if data and name in data.outputs}
    if len({digest.any_order for digest in known.values()}) < 2:
        return []
    return [f"outputs of another system: {' and '.join(known)} have the same system name and different outputs"]


def _digest_text(data: Data | None, relation: str, column: str) -> str:
    """Returns the digest of a column that differs."""
    if data is None:
        return "unknown"
    if column not in data.inputs:
        return "none"
    in_order, any_order = data.inputs[column].text.split("/")
    return any_order if relation == OTHER else in_order


def _differences(label: str, results: dict[str, dict[str, Any]]) -> list[str]:
    """Returns a line for each field of a score's signature in which systems differ."""
    fields_of = {system: _fields(scores[label]["signature"]) for system, scores in results.items()}
    lines = []
    for name in dict.fromkeys(name for fields in fields_of.values() for name in fields):
        values = {system: fields.get(name, "none") for system, fields in fields_of.items()}
        if len(set(values.values())) > 1:
            found = [f"{value} in {system}" for system, value in values.items()]
            lines.append(f"{label} cannot be compared: {name} is {', '.join(found)}")
    return lines


def _fields(signature: str) -> dict[str, str]:
    """Returns the fields of a signature that can change a score; its ends are "metric" and "version".

    >>> _fields("cer|nrefs:1|norm:NFC|seed:1|v1.0")
    {'metric': 'cer', 'nrefs': '1', 'norm': 'NFC', 'version': 'v1.0'}
    """
    metric, *fields = signature.split("|")
    values = {"metric": metric}
    for field in fields:
        name, colon, value = field.partition(":")
        if not colon:
            values["version"] = field
        elif name not in INTERVAL_KEYS:
            values[name] = value
    return values


def _text(result: dict[str, Any]) -> str:
    value = next(iter(result.values()))
    return "undefined" if value is None else number_text(value)


def _conclusion(common: Sequence[str], apart: set[str], others: set[str], relation: str, column: str) -> str:
    """Says which scores are comparable, which are not, and which only some systems have."""
    sentences = []
    alike = ", ".join(label for label in common if label not in apart)
    if alike and relation == UNKNOWN:
        sentences.append(f"Of one definition: {alike}.")
        sentences.append("Whether they are of the same references is unknown.")
    elif alike:
        sentences.append(f"Of one definition and the same {column}, and so comparable: {alike}.")
    if apart:
        sentences.append(f"!: of several definitions, or of other {column}.")
    if others:
        sentences.append(f"Only some have {', '.join(sorted(others))}.")
    sentences.append(
        "Whether a difference is more than chance, compare.py says of the outputs, or of their rows (--rows)."
    )
    return " ".join(sentences)
