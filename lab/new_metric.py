"""Makes the skeleton of a new metric: script, card, examples, tests, a case, Korean help, a row in README.md.

The skeleton is a whole metric, the ratio of lengths, and passes its tests; TODO marks what to replace.
"""

import json
import keyword
import re
from pathlib import Path
from typing import Annotated

import evaluate
import typer

from lab.update_cards import english_digest, updated, updated_korean, updated_readme
from textgauge.core.errors import InputError

ROOT = Path(__file__).resolve().parents[1]

SKELETON = Path(__file__).with_name("skeleton")
_ROW = "| [`skeleton_metric`](spaces/skeleton_metric/README.md) | TODO |\n"
_KOREAN_ROW = "| [`skeleton_metric`](spaces/skeleton_metric/README.ko.md) | TODO |\n"
_CASE = '    "skeleton_metric": (TEXTS, [{}, {"unit": "word", "confidence": 0.9, "resamples": 50}], []),  # TODO\n'
_HELP = {"unit": "`character`(글자) 또는 `word`(단어). TODO"}


def main(
    name: Annotated[str, typer.Argument(help="What evaluate.load will call it: lower-case words, joined by _.")],
    title: Annotated[str | None, typer.Option(help="Its name in prose, for the card.")] = None,
) -> None:
    """Make the skeleton of a new metric in this clone."""
    try:
        paths = make(ROOT, name, title or name.replace("_", " ").capitalize())
    except InputError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    for path in paths:
        typer.echo(path.relative_to(ROOT).as_posix())
    typer.echo("now replace every TODO; the end of metrics/README.md says what is not made")


def make(root: Path, name: str, title: str) -> list[Path]:
    """Writes all files of the skeleton, and returns them.

    Raises:
        InputError: the name is none, or taken, or the title breaks a file; nothing is written.
    """
    _check_names(name, title)
    class_name = "".join(part.capitalize() for part in name.split("_"))
    values = {"skeleton_metric": name, "SkeletonMetric": class_name, "Skeleton metric": title}
    space = root / "spaces" / name
    new = {
        root / "metrics" / f"{name}.py": "skeleton_metric.py",
        space / "README.md": "card.md",
        space / "README.ko.md": "card.ko.md",
        space / "examples.json": "examples.json",
        root / "tests" / f"test_{name}.py": "skeleton_metric_tests.py",
    }
    taken = [path.relative_to(root).as_posix() for path in new if path.exists()]
    if taken:
        raise InputError(f"{', '.join(taken)} exists")
    texts = {}
    for path, file in new.items():
        texts[path] = _renamed((SKELETON / file).read_text(encoding="utf-8"), values)
    texts.update(_with_lines(root, values))
    help_table = root / "textgauge" / "programs" / "page" / "help_ko.json"
    texts[help_table] = _with_help(help_table.read_text(encoding="utf-8"), name)
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    script, card, korean, *_ = new
    metric = evaluate.load(str(script), keep_in_memory=True)
    card.write_text(updated(texts[card], metric), encoding="utf-8", newline="\n")
    korean_text = texts[korean].replace("000000000000", english_digest(texts[card]))
    korean.write_text(updated_korean(korean_text, metric), encoding="utf-8", newline="\n")
    readme = root / "README.md"
    readme.write_text(updated_readme(texts[readme]), encoding="utf-8", newline="\n")
    return list(texts)


def _check_names(name: str, title: str) -> None:
    """Raises InputError for what cannot be the name of a metric, or its title."""
    # evaluate derives the name from the class again, where toy_2 would become toy2
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", name) or keyword.iskeyword(name):
        raise InputError(f"{name} is no name of a metric; pass words like bleu4, joined by _, like human_score")
    if not re.fullmatch(r"\w[\w .,()+/-]*", title):
        raise InputError(f"the title is {title!r}; pass letters, digits, blanks and . , ( ) + - /")


def _with_lines(root: Path, values: dict[str, str]) -> dict[Path, str]:
    """Returns README.md and the cases of the tests with a line of the metric, behind the last one of their table."""
    texts = {}
    for path, pattern, line in (
        (root / "README.md", r"(?:^\| \[`\w+`\]\(spaces/.*\n)+", _ROW),
        (root / "README.ko.md", r"(?:^\| \[`\w+`\]\(spaces/.*\n)+", _KOREAN_ROW),
        (root / "tests" / "cases.py", r"^CASES = \{\n(?:[ #].*\n)+", _CASE),
    ):
        text = path.read_text(encoding="utf-8")
        end = re.search(pattern, text, flags=re.M).end()
        texts[path] = text[:end] + _renamed(line, values) + text[end:]
    return texts


def _with_help(text: str, name: str) -> str:
    """Returns the table of Korean help with that of the skeleton's option."""
    return json.dumps({**json.loads(text), name: _HELP}, ensure_ascii=False, indent=2) + "\n"


def _renamed(text: str, values: dict[str, str]) -> str:
    """Returns a text of the skeleton with other names."""
    for name, value in values.items():
        text = text.replace(name, value)
    return text


if __name__ == "__main__":
    typer.run(main)
