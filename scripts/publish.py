"""Publishes metrics as self-contained folders, or as Spaces that `evaluate.load("ORG/NAME")` loads; see --help."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from huggingface_hub import HfApi
from huggingface_hub.utils import disable_progress_bars

import clone_first  # noqa: F401
from textgauge.core.errors import InputError
from textgauge.programs.commands.unknown_options import Command
from textgauge.programs.page.runtime import BESIDE, URL, copy_runtime
from textgauge.programs.publishing.assembling import SDKS, assemble, metric_names
from textgauge.programs.publishing.checks import check_folder
from textgauge.programs.publishing.folders import compare_folder, write_folder
from textgauge.programs.publishing.hub import check_repository, check_token, compare, hub_messages, upload
from textgauge.programs.scoring.console import messages, run

ROOT = Path(__file__).resolve().parents[1]
Sdk = Enum("Sdk", {name: name for name in SDKS}, type=str)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=Command)
def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="[METRIC]...", help="All metrics by default.")] = None,
    to: Annotated[Path | None, typer.Option(metavar="OUTPUT_FOLDER", help="Write a folder of each metric.")] = None,
    org: Annotated[str | None, typer.Option(metavar="NAME", help="Upload to Spaces of this user or org.")] = None,
    sdk: Annotated[
        Sdk, typer.Option(help="A page that computes in the browser (free), or a Gradio app (paid plan).")
    ] = Sdk.static,
    runtime: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Copy Python for pages from here.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Assemble, check and compare, but write nothing.")] = False,
) -> None:
    """Assemble and check metrics, and write them to a folder or upload them to the Hub.

    \b
    publish.py --dry-run
    publish.py bleu cer --to build
    publish.py --org my-team

    A folder holds the script, a file for each room that it needs, card, page or app, examples, requirements and the
    SHA-256 of each file. A page loads Python from the public network of Pyodide, or, with --runtime, from the folder
    runtime beside the metrics. Nothing is written unless every metric loads from its folder alone, offline, in a fresh
    process. Only changed files are uploaded. Files that this script published earlier and no longer needs are deleted;
    files that others added stay. The token comes from HF_TOKEN or the login. Errors: a message, exit code 2.
    """
    with messages():
        for line in publish(ROOT, names or [], to, org, sdk.value, dry_run, runtime):
            typer.echo(line)


def publish(
    root: Path,
    names: Sequence[str],
    to: Path | None,
    org: str | None,
    sdk: str,
    dry_run: bool,
    runtime: Path | None = None,
) -> Iterator[str]:
    """Publishes metrics of a repository, and yields a line for each that says what was done and where it is."""
    known = metric_names(root)
    _check(known, names, to, org, sdk, dry_run, runtime)
    with tempfile.TemporaryDirectory(prefix="publish-") as assembled:
        folders = [Path(assembled, name) for name in dict.fromkeys(names or known)]
        beside = {folder.name for folder in folders}
        if to is not None:
            beside |= {name for name in known if (to / name / "README.md").is_file()}
        for folder in folders:
            folder.mkdir()
            assemble(root, folder.name, folder, sdk, org, URL if runtime is None else BESIDE, beside)
        # each check waits for a process of its own
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda folder: check_folder(root, folder, sdk), folders))
        if runtime is not None and not dry_run:
            copy_runtime(runtime, to / Path(BESIDE).name)
        for number, folder in enumerate(folders, start=1):
            files = [path for path in folder.rglob("*") if path.is_file()]
            size = sum(path.stat().st_size for path in files)
            try:
                done = _put(folder, to, org, sdk, dry_run)
            except InputError as error:
                left = ", ".join(untried.name for untried in folders[number:])
                raise InputError(f"{error}; not tried: {left}" if left else str(error)) from None
            yield f"{folder.name}: {len(files)} files, {size / 1000:,.0f} kB, {done}"


def _check(
    known: Sequence[str],
    names: Sequence[str],
    to: Path | None,
    org: str | None,
    sdk: str,
    dry_run: bool,
    runtime: Path | None,
) -> None:
    """Raises InputError for an unknown metric, options that contradict one another, and where no token is there."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"there is no metric {', '.join(unknown)}; there are {', '.join(known)}")
    if (to is None) == (org is None) and not (to is None and dry_run):
        raise InputError("say where to publish: either --to DIR or --org NAME; or --dry-run alone, to check")
    if runtime is not None and (to is None or sdk != "static"):
        raise InputError("--runtime puts Python beside pages in a folder; it goes with --to, and not with --sdk gradio")
    if org is not None:
        check_repository("--org", f"{org}/{known[0]}")
        if not dry_run:
            check_token()


def _put(folder: Path, to: Path | None, org: str | None, sdk: str, dry_run: bool) -> str:
    """Writes or uploads one folder, and says what became of it."""
    if to is not None:
        target = to / folder.name
        if dry_run:
            return f"would be {compare_folder(folder, target)}: {target}"
        return f"{write_folder(folder, target)}: {target}"
    if org is None:
        return "checked"
    api = HfApi()
    repo_id = f"{org}/{folder.name}"
    with hub_messages(api, repo_id, sdk):
        change = compare(api, folder, repo_id)
    if not dry_run:
        upload(api, folder, repo_id, sdk, change)
    state = f"{'would be ' if dry_run else ''}{change.state}"
    if change.state != "same":
        state += f" ({len(change.put)} files put, {len(change.delete)} deleted)"
    return f'{state}: {api.endpoint}/spaces/{repo_id}, evaluate.load("{repo_id}")'


if __name__ == "__main__":
    disable_progress_bars()
    run(app)
