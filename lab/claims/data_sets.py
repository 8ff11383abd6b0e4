"""The excerpts that claims are measured on: rows of texts with people's scores, from `scripts/data`."""

import json
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).resolve().parents[2] / "scripts" / "data"


class DataSet(NamedTuple):
    """One excerpt, one entry of each column per output of a system."""

    title: str
    items: list[str]  # the source that an output is of; resamples draw items
    columns: dict[str, list[Any]]  # prediction, references, and scores: numbers, or one list of raters per output


# name -> file and title
FILES = {
    "korean translation": ("es_ko_ratings", "Spanish-Korean news"),
    "german translation": ("en_de_ratings", "English-German talks"),
    "dialogue": ("en_dialogue_ratings", "English dialogue"),
    "korean similarity": ("ko_similarity_ratings", "Korean sentence pairs"),
    "korean scores": ("en_ko_published_scores", "English-Korean news, published scores"),
    "paper": ("weighted_bleu_table_1", "the three systems of document 004's Table 1"),
}


def read_data_set(name: str) -> DataSet:
    """Returns an excerpt; a line with `outputs` holds those of several systems, and their scores likewise."""
    file, title = FILES[name]
    text = (_FOLDER / f"{file}.jsonl").read_text(encoding="utf-8")
    rows = []
    for line in text.splitlines():
        rows += _rows(json.loads(line))
    items, records = zip(*rows, strict=True)
    columns = {}
    for name in records[0]:
        if name != "reference":
            columns[name] = [record[name] for record in records]
    return DataSet(title, list(items), columns)


def _rows(line: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns item and columns for each output in a line."""
    item = str(line.pop("segment"))
    if "reference" in line:
        line["references"] = [line["reference"]]
    if "outputs" not in line:
        return [(item, line)]
    outputs = line.pop("outputs")
    rows = []
    for system, text in outputs.items():
        scores = {name: value[system] for name, value in line.items() if isinstance(value, dict)}
        rows.append((item, {"prediction": text, "references": line["references"], **scores}))
    return rows
