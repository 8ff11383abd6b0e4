"""Measures what the documents claim about people, on the bundled excerpts; `--help` says how."""

from pathlib import Path
from typing import Annotated

import typer
from evaluate.utils.logging import tqdm

import clone_first  # noqa: F401
from claims.measuring import measured, rater_agreement
from claims.tables import json_text, markdown_text
from textgauge.programs.comparing.options import JsonFile, MarkdownFile
from textgauge.programs.scoring.commands import messages
from textgauge.programs.scoring.console import run
from textgauge.programs.scoring.outputs import STDOUT, check_targets, write_files
from update_cards import filled

FOLDER = Path(__file__).resolve().parent / "claims"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    json: JsonFile = None,
    markdown: MarkdownFile = None,
    update: Annotated[bool, typer.Option("--update", help="Write both into scripts/claims.")] = False,
) -> None:
    """Print each claim about people with its data, both figures, the interval of their difference and a verdict.

    A claim is supported where the interval is above 0, contradicted where it is below, and else not shown.
    """
    with messages():
        check_targets([path for path in (json, markdown) if path])
        findings, raters = list(tqdm(measured(), desc="claims", delay=2, leave=False)), rater_agreement()
        tables, numbers = markdown_text(findings, raters), json_text(findings, raters)
        texts = {path: text for path, text in ((json, numbers), (markdown, tables)) if path}
        if update:
            readme = FOLDER / "README.md"
            text = filled(readme.read_text(encoding="utf-8"), "findings", tables)
            texts |= {FOLDER / "claims.json": numbers, readme: text}
        write_files(texts)
    typer.echo(texts.get(STDOUT, tables), nl=False)


if __name__ == "__main__":
    run(app)
