"""Makes the skeleton of a new metric: script, card, examples, tests, a case, a row in README.md; see --help.

The skeleton is a whole metric, the ratio of lengths, and passes its tests; TODO marks what to replace.
"""

import keyword
import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from scoring.specs import load_metric
from update_cards import updated

ROOT = Path(__file__).resolve().parents[1]

_CITATION = """\
@article{todo,
    title = "TODO",
}"""

_SCRIPT = '''\
"""$title: TODO which definition this is, from which paper and section, and who else computes it."""

import numpy as np

from ._bootstrap import resample as resample
from ._columns import REFERENCES
from ._columns import TEXTS
from ._metric import Metric as Metric
from ._options import LOWERCASE
from ._options import NORMALIZATION
from ._options import choice
from ._signature import VERSION as VERSION
from ._text_metric import TextMetric


def statistics(predictions: list[str], references: list[list[str]], *, unit: str) -> np.ndarray:
    """Returns rows [units of the prediction, mean units of its references], (n_segments, 2)."""
    split = str.split if unit == "word" else list
    lengths = [len(split(text)) for text in predictions]
    means = [sum(len(split(text)) for text in row) / len(row) for row in references]
    return np.column_stack([lengths, means]).astype(np.float64).reshape(-1, 2)


def score(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the ratio, nan without any unit of a reference; rows have the shape (..., 2)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"$name": np.where(rows[..., 1] > 0, rows[..., 0] / rows[..., 1], np.nan)}


class $class_name(TextMetric):
    """$title tells TODO.

    Returns:
        $name, a ratio of 0 or more; nan if it is undefined.

    Examples:
        >>> $name = $class_name()  # or evaluate.load("./metrics/$name.py")
        >>> $name.compute(predictions=["고양이가 잔다"], references=["고양이가 잔다"])
        {'$name': 1.0}
    """

    CITATION = """\\
$citation
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    OPTIONS = {
        "unit": choice("character", "unit", "`character` or `word`.", ("character", "word")),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
    }
'''

_CARD = """\
---
title: $title
emoji: 📏
colorFrom: gray
colorTo: blue
sdk: gradio
sdk_version: 6.31.0
app_file: app.py
pinned: false
license: apache-2.0
short_description: TODO in at most 60 characters
tags:
  - evaluate
  - metric
description: >-
  TODO what it measures, and what is better here than elsewhere, in one or two sentences.
---

# $title

TODO what it tells, for which texts, and whether higher or lower is better.

## Definition

TODO the formula, with paper and section. For now: characters of all predictions by characters of all references.

## How to use

```python
>>> import evaluate
>>> $name = evaluate.load("./metrics/$name.py")
>>> $name.compute(predictions=["고양이가 방에서 잔다"], references=["고양이가 방에서 잔다"])
{'$name': 1.0}
>>> $name.compute(predictions=["The cat sat"], references=[["The cat sat", "The cat sat"]])
{'$name': 1.0}
>>> $name.signature()
'$name|nrefs:var|unit:character|case:mixed|norm:NFC|v1.0'

```

## Inputs

- **predictions**: one string per segment.
- **references**: for each segment a string or a non-empty list of strings; their number may differ.

## Options

| option | default | meaning |
|---|---|---|

## Outputs

| key | range | meaning |
|---|---|---|
| `$name` | 0 to ∞ | the score |
| `segments` | 0 to ∞ each | with `per_segment`: the score of each segment alone |
| `confidence_interval` | `[low, high]` | with `confidence` |

**Undefined.** TODO. Without any character of a reference the score is `nan`.

```python
>>> $name.compute(predictions=["가"], references=[""])
{'$name': nan}

```

## Parity

Each row is a test of the suite on random texts (`tests/test_$name.py`).

| compared with | settings | largest difference |
|---|---|---|
| TODO | TODO | TODO |

## Limits and bias

TODO what it cannot see, and when not to use it.

## Citation

```bibtex
$citation
```
"""

_EXAMPLES = """\
[
  {
    "title": "TODO",
    "columns": {
      "predictions": ["고양이가 방에서 잔다", "The cat sat"],
      "references": [["고양이가 방에서 잠을 잔다"], ["The cat sat down", "A cat sat"]]
    },
    "options": {"unit": "word"}
  }
]
"""

_TESTS = '''\
"""$title: TODO worked examples, and a comparison with an independent implementation on random texts."""

import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

# predictions, references, score, where the number is from
EXAMPLES = [(["가 나"], [["가 나 다", "가"]], 1.0, "TODO")]


@pytest.mark.parametrize(("predictions", "references", "expected", "source"), EXAMPLES)
def test_examples(predictions, references, expected, source):
    result = load("$name").compute(predictions=predictions, references=references)
    assert result["$name"] == pytest.approx(expected, rel=1e-12), source


@given(st.lists(st.tuples(st.text("가나 ab"), st.text("가나 ab", min_size=1)), min_size=1))
def test_like_a_slow_version(pairs):
    predictions, references = map(list, zip(*pairs, strict=True))
    result = load("$name").compute(predictions=predictions, references=references)
    expected = len("".join(predictions)) / len("".join(references))
    assert result["$name"] == pytest.approx(expected, rel=1e-12)
'''

_ROW = "| [`$name`](spaces/$name/README.md) | TODO | TODO |\n"
_CASE = '    "$name": (TEXTS, [{}, {"unit": "word", "confidence": 0.9, "resamples": 50, "seed": 7}], []),\n'


def main(
    name: Annotated[str, typer.Argument(help="What evaluate.load will call it: lower-case words, joined by _.")],
    title: Annotated[str | None, typer.Option(help="Its name in prose, for the card.")] = None,
) -> None:
    """Make the skeleton of a new metric in this clone."""
    try:
        paths = make(ROOT, name, title or name.replace("_", " ").capitalize())
    except ValueError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    for path in paths:
        typer.echo(path.relative_to(ROOT).as_posix())
    typer.echo("now replace every TODO; the end of metrics/README.md says what is not made")


def make(root: Path, name: str, title: str) -> list[Path]:
    """Writes all files of the skeleton, and returns them.

    Raises:
        ValueError: the name is none, or taken, or the title breaks a file; nothing is written.
    """
    # evaluate derives the name from the class again, where toy_2 would become toy2
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", name) or keyword.iskeyword(name):
        raise ValueError(f"{name} is no name of a metric; pass words like bleu4, joined by _, like human_score")
    if not re.fullmatch(r"\w[\w .,()+/-]*", title):
        raise ValueError(f"the title is {title!r}; pass letters, digits, blanks and . , ( ) + - /")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    values = {"name": name, "title": title, "class_name": class_name, "citation": _CITATION}
    new = {
        root / "metrics" / f"{name}.py": _SCRIPT,
        root / "spaces" / name / "README.md": _CARD,
        root / "spaces" / name / "examples.json": _EXAMPLES,
        root / "tests" / f"test_{name}.py": _TESTS,
    }
    taken = [path.relative_to(root).as_posix() for path in new if path.exists()]
    if taken:
        raise ValueError(f"{', '.join(taken)} exists")
    texts = {path: Template(text).substitute(values) for path, text in new.items()}
    # behind the last row of the table, and the last entry of the dict
    for path, pattern, line in (
        (root / "README.md", r"(?:^\| \[`\w+`\]\(spaces/.*\n)+", _ROW),
        (root / "tests" / "cases.py", r"^CASES = \{\n(?:[ #].*\n)+", _CASE),
    ):
        text = path.read_text(encoding="utf-8")
        end = re.search(pattern, text, flags=re.M).end()
        texts[path] = text[:end] + Template(line).substitute(values) + text[end:]
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    script, card, *_ = new
    card.write_text(updated(texts[card], load_metric(str(script))), encoding="utf-8", newline="\n")
    return list(texts)


if __name__ == "__main__":
    typer.run(main)
