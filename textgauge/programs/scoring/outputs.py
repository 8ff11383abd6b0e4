"""Scores to JSON and CSV, and files written whole or not at all."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..reading.corpus import HUMAN, Corpus
from ..reading.data_digests import data_fields
from ..saying.texts import say
from ..saying.values import dump_csv, dump_json
from .segment_scores import column_labels
from .specs import Scorer, headline

STDOUT = Path("-")
Results = dict[str, dict[str, dict[str, Any]]]  # system -> label of the metric -> what compute returns, and "signature"


def by_headline(scorers: Sequence[Scorer], results: Results) -> tuple[list[Scorer], Results]:
    """Gives each score of a metric that has several, such as rouge1 and rougeL, a column and a result of its own."""
    columns: list[Scorer] = []
    shown: Results = {system: {} for system in results}
    for scorer in scorers:
        of_first_system = next(iter(results.values()))
        prefixes = scorer.metric.headlines(of_first_system[scorer.label])
        labels = column_labels(scorer.label, scorer.metric.name, prefixes)
        for label, (key, prefix) in zip(labels, prefixes.items(), strict=True):
            columns.append(scorer._replace(label=label))
            for system, of_system in results.items():
                result = of_system[scorer.label]
                shown[system][label] = _of_headline(result, key, prefix) if prefix else result
    return columns, shown


def signatures(results: Results) -> list[str]:
    """Returns each signature once; all systems have the same."""
    of_first_system = next(iter(results.values()))
    found = dict.fromkeys(result["signature"] for result in of_first_system.values())
    return list(found)


def _of_headline(result: Mapping[str, Any], key: str, prefix: str) -> dict[str, Any]:
    """Returns the part of a result that is about one of its scores."""
    part = {key: result[key]}
    for name, value in result.items():
        if name.startswith(prefix):
            part[name.removeprefix(prefix)] = value
    for name in ("units", "signature"):
        if name in result:
            part[name] = result[name]
    return part


def program() -> str:
    """Returns the program that computes the scores: "textgauge" and its version."""
    import textgauge  # here, since a Space has no package of this name

    return f"textgauge {textgauge.__version__}"


def with_program(signature: str, computed_by: str) -> str:
    """Returns a signature, followed by the program, which is not a part of it because it changes no definition.

    >>> with_program("cer|v1.0", "textgauge 0.1.0")
    'cer|v1.0 | textgauge 0.1.0'
    """
    return f"{signature} | {computed_by}"


def human_means(corpus: Corpus) -> dict[str, float]:
    """Returns the mean human score of each system that has one."""
    return {system: sum(values) / len(values) for system, values in corpus.human.items()}


def json_text(
    corpus: Corpus,
    results: Results,
    per_segment: bool,
    groups: Sequence[Any] = (),
    failures: Sequence[str] | None = None,
) -> str:
    """Writes all that `compute` returned as JSON; nan is null, and an infinite score is "inf" or "-inf".

    Of groups there are the scores with their intervals. `failures` is None where there is no gate.
    """
    systems = {}
    for system, of_system in results.items():
        systems[system] = {}
        for label, result in of_system.items():
            systems[system][label] = result if per_segment else _without_segments(result)
    content: dict[str, Any] = {"program": program(), **data_of_json(corpus), "systems": systems}
    if corpus.human:
        content["human"] = {}
        for system, mean in human_means(corpus).items():
            content["human"][system] = {"mean": mean}
            if per_segment:
                content["human"][system]["segments"] = corpus.human[system]
    if groups:
        content["groups"] = []
        for group in groups:
            of_group = {"group": group.values, "segments": group.segments, "systems": group.results}
            content["groups"].append(of_group)
    if failures is not None:
        content["failures"] = list(failures)
    return dump_json(content)


def _without_segments(result: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a result without lists with a number for each segment; the number of segments stays."""
    kept = {}
    for name, value in result.items():
        if isinstance(value, int) or not name.endswith("segments"):
            kept[name] = value
    return kept


def data_of_json(corpus: Corpus) -> dict[str, Any]:
    """Returns the fields of a corpus' data for JSON."""
    return {"data": data_fields(corpus.data)} if corpus.data else {}


def data_lines(corpus: Corpus) -> list[str]:
    """Names the scored data for people: the references, other columns, and the outputs of each system."""
    if corpus.data is None:
        return []
    lines = []
    for name, digest in corpus.data.inputs.items():
        column = say("data_references") if name == "references" else say("data_column", name=name)
        lines.append(say("data_input", what=column, digest=digest.text))
    for system, digest in corpus.data.outputs.items():
        lines.append(say("data_outputs", system=system, digest=digest.text))
    return lines


def csv_text(corpus: Corpus, results: Results, per_segment: bool, groups: Sequence[Any] = ()) -> str:
    """Writes one row per system and metric, or with `per_segment` one per system, metric and segment.

    Rows of groups follow, with a column for each that is grouped by, which is empty in the rows of all segments.
    """
    if per_segment:
        rows: list[Sequence[Any]] = [["system", "metric", "segment", "score"]]
        for system, of_system in results.items():
            scores = {label: _segments(result) for label, result in of_system.items()}
            for label, values in {**scores, HUMAN: corpus.human.get(system, [])}.items():
                rows += ((system, label, number, value) for number, value in enumerate(values, start=1))
        return dump_csv(rows)
    rows = [["system", "metric", "score", "low", "high", "signature", *corpus.groups]]
    nothing = [""] * len(corpus.groups)
    rows += ([*row, *nothing] for row in _score_rows(results))
    rows += ((system, HUMAN, mean, "", "", "", *nothing) for system, mean in human_means(corpus).items())
    for group in groups:
        rows += ([*row, *group.values.values()] for row in _score_rows(group.results))
    return dump_csv(rows)


def _score_rows(results: Results) -> Iterator[list[Any]]:
    """Yields system, metric, score, ends of the interval and signature."""
    for system, of_system in results.items():
        for label, result in of_system.items():
            ends = result.get("confidence_interval") or ["", ""]
            yield [system, label, headline(result), *ends, result["signature"]]


def check_writable(paths: Sequence[Path]) -> None:
    """Raises InputError for a file that cannot be written, before the work and not after it."""
    for path in paths:
        if path == STDOUT:
            continue
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent}")
        if path.is_dir():
            raise InputError(f"{path} is a folder; pass the name of a file")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise InputError(f"{path} is not writable")


def write_files(texts: Mapping[Path, str]) -> None:
    """Writes all files beside their targets first and then renames them: none is ever there in part."""
    texts = {path: text for path, text in texts.items() if path != STDOUT}
    parts = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in texts}
    try:
        for path, text in texts.items():
            # a device such as /dev/null must not be replaced
            is_device = path.exists() and not path.is_file()
            (path if is_device else parts[path]).write_text(text, encoding="utf-8", newline="\n")
        for path, part in parts.items():
            if part.exists():
                part.replace(path)
    except OSError as error:  # it names the file beside
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _segments(result: Mapping[str, Any]) -> Sequence[Any]:
    return result.get("segments") or []
