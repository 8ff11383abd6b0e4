"""Writes what a program can say into the cards and the READMEs: what a metric takes, and who computes the same.

    .venv/bin/python -m lab.update_cards

A test fails while a file says anything else. What is written stands between a line `<!-- name -->` and `<!-- end -->`;
in a card also behind the headings Inputs, Options and Citation, and in the rows of Outputs that several cards share.
"""

import ast
import hashlib
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer
import yaml

import textgauge
from lab.agreeing.documents_page import documents_line, documents_page
from lab.agreeing.hugging_face import HUGGING_FACE, coming_from
from lab.agreeing.results import read_results
from lab.agreeing.shared_rows import SHARED_ROWS
from lab.agreeing.tables import markdown, parity_page, parity_table, peers_note
from lab.benchmarking.measured import read_measured, times_table, ways_table
from textgauge.programs.page.help import help_texts
from textgauge.programs.reading.formats import formats_page
from textgauge.programs.scoring.specs import load_metric

ROOT = textgauge.METRICS.parent
HEADER = "| option | default | meaning |\n|---|---|---|\n"
_KOREAN_HEADER = "| 옵션 | 기본값 | 뜻 |\n|---|---|---|\n"
# sections that have Korean
KOREAN = {"Definition": "정의", "Options": "옵션", "Limits and bias": "한계와 편향", "Citation": "인용"}
# what is written behind a heading, and where it begins and ends
_LIST = ("lists", r"(^## {heading}\n\n)(?:(?:- |  ).*\n)+()")
_TABLE = ("tables", r"(^## {heading}\n\n)(?:\|.*\n)+()")
_BIBTEX = ("blocks", r"(?s)(^## {heading}\n\n```bibtex\n).*?(^```$)")
_ENGLISH_TOP = re.compile(r"^(\[한국어\]\(README\.ko\.md\)).*$", re.MULTILINE)
_KOREAN_TOP = re.compile(r"^(\[English\]\(README\.md\)).*$", re.MULTILINE)


def options_table(metric: Any) -> str:
    """Returns the Markdown table of all options of a metric."""
    rows = [_option_row(name, option.default, option.full_help) for name, option in metric.OPTIONS.items()]
    return HEADER + "".join(rows)


def _option_row(name: str, default: Any, help_text: str) -> str:
    return f"| `{name}` | `{_default(default)}` | {help_text.rstrip('.').replace('|', chr(92) + '|')} |\n"


def inputs_list(metric: Any) -> str:
    """Returns the Markdown list of all columns of a metric."""
    return "".join(
        f"{textwrap.fill(f'- **{name}**: {column.help}', 120, subsequent_indent='  ', break_on_hyphens=False)}\n"
        for name, column in metric.COLUMNS.items()
    )


def updated(card: str, metric: Any) -> str:
    """Returns a card with the inputs, options and citation that its metric has now, and what was found of its peers.

    Raises:
        ValueError: the card lacks a place for one of them.
    """
    card = _behind_heading(card, "Inputs", _LIST, inputs_list(metric), metric.name)
    card = _behind_heading(card, "Options", _TABLE, options_table(metric), metric.name)
    card = _behind_heading(card, "Citation", _BIBTEX, citation(metric), metric.name)
    card = with_shared_rows(card, metric.name)
    from_documents = documents_line(metric.name, "from Korean documents")
    card = _with_top(card, _ENGLISH_TOP, from_documents, metric.name)
    if metric.name in HUGGING_FACE:
        card = filled(card, "hugging face", coming_from(metric.name))
    return filled(card, "agreement", parity_table(read_results(), metric.name))


def updated_korean(card: str, metric: Any) -> str:
    """Returns the Korean card of a metric with the options and the citation that it has now."""
    rows = []
    for name, option in metric.OPTIONS.items():
        korean = help_texts(metric.name, name, option)["ko"]
        rows.append(_option_row(name, option.default, korean))
    table = _KOREAN_HEADER + "".join(rows)
    from_documents = documents_line(metric.name, "한국어 문서")
    card = _with_top(card, _KOREAN_TOP, from_documents, metric.name)
    card = _behind_heading(card, KOREAN["Options"], _TABLE, table, metric.name)
    return _behind_heading(card, KOREAN["Citation"], _BIBTEX, citation(metric), metric.name)


def citation(metric: Any) -> str:
    """Returns the BibTeX of the paper, which cards of both languages have."""
    return f"{metric.CITATION.strip()}\n"


def _behind_heading(card: str, heading: str, place: tuple[str, str], text: str, name: str) -> str:
    """Returns a card with another text behind a heading; ValueError without a place of its kind there."""
    kind, pattern = place
    pattern = pattern.format(heading=heading)
    card, count = re.subn(pattern, lambda match: f"{match.group(1)}{text}{match.group(2)}", card, flags=re.MULTILINE)
    if count != 1:
        raise ValueError(f"the card of {name} has {count} {kind} behind the heading {heading}; it needs one")
    return card


def with_shared_rows(card: str, name: str) -> str:
    """Returns a card whose rows of outputs that other cards have too say what those say."""
    before, heading, outputs = card.partition("\n## Outputs\n")
    for keys, row in SHARED_ROWS.items():
        start = f"| {keys.format(name=name)} |"
        meaning = row.meaning.format(name=name)
        values = row.values.format(name=name) if row.values else r"\1"
        pattern = rf"^{re.escape(start)} (.*?) \| .* \|$"
        outputs = re.sub(pattern, rf"{start} {values} | {meaning} |", outputs, flags=re.MULTILINE)
    return f"{before}{heading}{outputs}"


def _with_top(card: str, top: re.Pattern[str], further: str, name: str) -> str:
    """Returns a card with further words behind the link in its top line; ValueError without that line."""
    card, count = top.subn(lambda match: f"{match.group(1)}{further}", card)
    if count != 1:
        raise ValueError(f"the card of {name} has {count} lines that are the link to its other language; it needs one")
    return card


def english_digest(card: str) -> str:
    """Returns a digest of what of an English card is said in Korean too: the Korean card names the one it says."""
    front, text = card.split("---\n", 2)[1:]
    start, *titles_and_texts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    sections = dict(zip(titles_and_texts[::2], titles_and_texts[1::2], strict=True))
    description = yaml.safe_load(front)["description"]
    below_options = re.sub(r"\A\n(\|.*\n)+", "", sections["Options"])
    parts = [description, start, sections["Definition"], below_options, sections["Limits and bias"]]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def updated_readme(text: str, language: str = "en") -> str:
    """Returns the README of the repository with how far other libraries agree."""
    return filled(text, "peers", peers_note(read_results(), language))


def updated_package(text: str) -> str:
    """Returns the description of the package, for an index, with the names of all metrics."""
    names = ", ".join(f"`{name}`" for name in textgauge.metric_names())
    return filled(text, "metrics", textwrap.fill(names, 120) + "\n")


def updated_matrix(text: str) -> str:
    """Returns the README of the agreements with the whole matrix."""
    return filled(text, "matrix", markdown(read_results()))


def updated_laboratory(text: str) -> str:
    """Returns the README of the laboratory with the speed that is kept."""
    kept = read_measured()
    text = filled(text, "machine", f"{kept['machine']}.\n")
    return filled(filled(text, "times", times_table(kept["rows"])), "ways", ways_table(kept["rows"]))


def updated_rooms(text: str) -> str:
    """Returns the README of the package with its rooms and their folders, as these say what they are."""
    package = Path(textgauge.__file__).parent
    return filled(text, "rooms", "\n".join(_room(package / room) for room in textgauge.ROOMS))


def _room(folder: Path) -> str:
    """Returns a heading, what the room is, and a table of its folders, if any."""
    content, place = _docstring(folder / "__init__.py")
    room = f"### `{folder.name}`\n\n{content} {place}\n"
    folders = {"programs": textgauge.ROOMS_OF_PROGRAMS, "error_rates": textgauge.FLOORS_OF_ERROR_RATES[::-1]}
    rows = [
        f"| `{name}/` | {_docstring(folder / name / '__init__.py')[0]} |\n" for name in folders.get(folder.name, ())
    ]
    return f"{room}\n| folder | what it holds |\n|---|---|\n{''.join(rows)}" if rows else room


def _docstring(path: Path) -> list[str]:
    """Returns the paragraphs of a module's docstring, each in one line."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return [" ".join(paragraph.split()) for paragraph in docstring.split("\n\n")]


def filled(text: str, name: str, content: str) -> str:
    """Returns a text with other lines between `<!-- name -->` and `<!-- end -->`."""
    pattern = rf"(^<!-- {name} -->\n).*?(^<!-- end -->$)"
    flags = re.MULTILINE | re.DOTALL
    text, count = re.subn(pattern, lambda match: f"{match.group(1)}{content}{match.group(2)}", text, flags=flags)
    if count != 1:
        raise ValueError(f"a text has {count} places <!-- {name} -->; it needs one")
    return text


def generated() -> dict[Path, Callable[[str], str]]:
    """Returns each file that has generated parts, and what returns its text with those parts as they should be."""
    files: dict[Path, Callable[[str], str]] = {}
    for name in textgauge.metric_names():
        folder = textgauge.CARDS / name
        files[folder / "README.md"] = lambda text, name=name: updated(text, load_metric(name))
    for name in textgauge.metric_names():
        folder = textgauge.CARDS / name
        files[folder / "README.ko.md"] = lambda text, name=name: updated_korean(text, load_metric(name))
    files[ROOT / "README.md"] = updated_readme
    files[ROOT / "README.ko.md"] = lambda text: updated_readme(text, "ko")
    files[ROOT / "textgauge" / "README.md"] = updated_rooms
    files[ROOT / "docs" / "documents.md"] = lambda _: documents_page()
    files[ROOT / "docs" / "package.md"] = updated_package
    files[ROOT / "docs" / "formats.md"] = lambda _: formats_page()
    files[ROOT / "docs" / "parity.md"] = lambda _: parity_page(read_results())
    files[ROOT / "lab" / "README.md"] = updated_laboratory
    files[ROOT / "tests" / "agreement" / "README.md"] = updated_matrix
    return files


def _default(value: Any) -> str:
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text.replace("'", '"')


def main() -> None:
    """Rewrites the files that are out of date."""
    for path, update in generated().items():
        before = path.read_text(encoding="utf-8")
        after = update(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            typer.echo(f"{path.relative_to(ROOT).as_posix()} is up to date now")


if __name__ == "__main__":
    typer.run(main)
