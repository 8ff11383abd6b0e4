"""Results that were kept as JSON, side by side: whether they can be compared, and what differs where they cannot."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from ..errors import InputError
from ..reading.results import Scores, read_results
from ..saying.values import number_text
from ..scoring.tables import make_console, make_table, visible_text

_OF_INTERVALS = ("ci", "bs", "seed")  # fields of a signature that change no score


def compare_results(paths: Sequence[Path]) -> None:
    """Prints the scores of several results, and before them why some cannot be compared; then exit code 1.

    No difference is tested, since results keep no rows.

    Raises:
        InputError: a file that score.py or compare.py did not write, or scores that only one has.
    """
    if len(set(paths)) < len(paths):
        raise InputError(f"--results {max(paths, key=paths.count)} is given twice")
    results = {system: scores for path in paths for system, scores in _systems(path, len(paths) > 1).items()}
    if len(results) < 2:
        raise InputError(f"{paths[0]} has one system; a comparison needs two, and --results may be repeated")
    if all(len(scores) == 1 for scores in results.values()):  # whatever their options, and so their labels
        results = {system: {"score": result} for system, [result] in ((s, of.values()) for s, of in results.items())}
    labels = list(dict.fromkeys(label for scores in results.values() for label in scores))
    common = [label for label in labels if all(label in scores for scores in results.values())]
    if not common:
        raise InputError(f"the results have no score in common: {', '.join(labels)}")
    apart = {label: lines for label in common if (lines := _differences(label, results))}
    console = make_console()
    for line in itertools.chain.from_iterable(apart.values()):
        console.print(visible_text(line), soft_wrap=True)
    table = make_table("system", *common)
    for system, scores in results.items():
        cells = (f"{_text(scores[label])}{' !' if label in apart else ''}" for label in common)
        table.add_row(*map(visible_text, (system, *cells)))
    console.print(table)
    console.print(visible_text(_conclusion(common, apart, set(labels) - set(common))), soft_wrap=True)
    if apart:
        raise typer.Exit(1)


def _systems(path: Path, is_one_of_many: bool) -> dict[str, Scores]:
    """Returns the results of each system of a file; of several files under the name of the file too."""
    systems = read_results(path)
    return {f"{path}: {system}" if is_one_of_many else system: scores for system, scores in systems.items()}


def _differences(label: str, results: dict[str, dict[str, Any]]) -> list[str]:
    """Returns a line for each field of a score's signature in which systems differ, or for the number of units."""
    fields_of = {system: _fields(scores[label]["signature"]) for system, scores in results.items()}
    if all("units" in scores[label] for scores in results.values()):
        for system, scores in results.items():
            fields_of[system]["units"] = str(scores[label]["units"])
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
    return {"metric": metric, **{name: value for name, value in pairs if name not in _OF_INTERVALS}}


def _text(result: dict[str, Any]) -> str:
    value = next(iter(result.values()))
    return "undefined" if value is None else number_text(value)


def _conclusion(common: Sequence[str], apart: dict[str, Any], others: set[str]) -> str:
    alike = [label for label in common if label not in apart]
    said = [
        f"Of one definition, and so comparable: {', '.join(alike)}." if alike else "",
        "!: of several definitions, or of other data." if apart else "",
        f"Only some have {', '.join(sorted(others))}." if others else "",
        "Results keep no rows: whether a difference is more than chance, compare.py says of the outputs themselves.",
    ]
    return " ".join(filter(None, said))
