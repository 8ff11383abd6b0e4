"""Publishes a score of score.py as an evaluation result of a model on the Hub; see --help."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError
from ..reading.further_packages import needed_by
from ..scoring.console import messages
from .unknown_options import Command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=Command)
def main(
    scores: Annotated[Path, typer.Argument(metavar="FILE", help="A result saved with score.py or compare.py --json.")],
    dataset: Annotated[str, typer.Option(metavar="ORG/NAME", help="The benchmark: a dataset on the Hub.")],
    task: Annotated[str, typer.Option(metavar="ID", help="The task in the benchmark's eval.yaml.")],
    system: Annotated[str | None, typer.Option(metavar="NAME", help="The system, if FILE has several.")] = None,
    score: Annotated[str | None, typer.Option(metavar="LABEL", help="The score, if FILE has several.")] = None,
    key: Annotated[str | None, typer.Option(help="Publish another number of the score, such as rougeL.")] = None,
    percent: Annotated[bool, typer.Option("--percent", help="Publish a fraction times 100, and note it.")] = False,
    to: Annotated[Path | None, typer.Option(metavar="OUTPUT_FOLDER", help="Write to this clone of the model.")] = None,
    model: Annotated[str | None, typer.Option(metavar="ORG/NAME", help="Upload to this model.")] = None,
    pull_request: Annotated[bool, typer.Option("--pull-request", help="Upload as a pull request.")] = False,
    revision: Annotated[str | None, typer.Option(metavar="SHA", help="The commit of the dataset.")] = None,
    date: Annotated[str | None, typer.Option(help="Date of the score; by default the commit's.")] = None,
    source_url: Annotated[str | None, typer.Option(help="A page about the run, such as its outputs.")] = None,
    source_name: Annotated[str | None, typer.Option(help="Title of that page.")] = None,
    source_user: Annotated[str | None, typer.Option(help="Owner of that page on the Hub.")] = None,
) -> None:
    """Write a score as an evaluation result of a model, to the terminal, a clone, or the Hub.

    \b
    textgauge score -d news.jsonl --prediction-column out --reference-column ko -m cer --json scores.json
    textgauge publish-result scores.json --dataset my-team/news --task default
    textgauge publish-result scores.json --dataset my-team/news --task default --model my-team/my-model

    The Hub shows the files of a model's folder .eval_results on the model's page and on the leaderboard of the
    benchmark. A file holds one score. Its notes have the signature, the version that computed the score, and digests of
    the references and outputs, each in order and in any order. Publishing the same score again replaces its file; other
    files stay. The token comes from HF_TOKEN or the login. After an error: a message, and exit code 2.
    """
    from ..publishing.results import IN_PERCENT, file_name, number_of, read_score, result_text, value_in_percent
    from ..reading.data_digests import with_data
    from ..reading.results import read_data_of, read_program
    from ..scoring.outputs import with_program

    with messages():
        if to is not None and model is not None:
            raise InputError("pass either --to DIR or --model ORG/NAME, not both")
        if pull_request and model is None:
            raise InputError("--pull-request needs --model ORG/NAME")
        if source_url is None and (source_name is not None or source_user is not None):
            raise InputError("--source-name and --source-user describe a page; pass its address with --source-url")
        for option, repo_id in (("--dataset", dataset), ("--model", model)):
            _check_repository(option, repo_id)
        _check_date(date)
        name, label, result = read_score(scores, system, score)
        further = [key] if key and key != next(iter(result)) else []
        value = number_of(label, result, key)
        if percent:
            value = value_in_percent(label, result, key, value)
        before_signature = " ".join([*further, IN_PERCENT] if percent else further)
        program = read_program(scores)
        signature = with_program(result["signature"], program) if program else result["signature"]
        signature = with_data(signature, read_data_of(scores), name)
        text = result_text(
            dataset_id=dataset,
            task_id=task,
            value=value,
            dataset_revision=revision,
            date=date,
            source_url=source_url,
            source_name=source_name,
            source_user=source_user,
            notes=": ".join(filter(None, [before_signature, signature])),
        )
        path = file_name(dataset, task, label, *further)
        typer.echo(_put(text, path, to, model, pull_request), nl=False)


def _put(text: str, path: str, clone: Path | None, model: str | None, pull_request: bool) -> str:
    """Writes or uploads a file; returns the lines for the terminal: where it is, or what is in it."""
    if clone is not None:
        if not clone.is_dir():
            raise InputError(f"there is no folder {clone}; clone the model first")
        target = clone / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        return f"{target}\n"
    if model is None:
        return text
    from huggingface_hub import HfApi

    from ..publishing.hub import check_token, hub_messages
    from ..publishing.results import upload_result

    check_token()
    api = HfApi()
    with hub_messages(api, model):
        return f"{upload_result(api, model, path, text, pull_request)}\n"


def _check_repository(option: str, repo_id: str | None) -> None:
    if repo_id is None:
        return
    if "/" not in repo_id:
        raise InputError(f"{option} {repo_id}: pass ORG/NAME")
    with needed_by("publish-result"):
        from ..publishing.hub import check_repository
    check_repository(option, repo_id)


def _check_date(text: str | None) -> None:
    if text is None:
        return
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))  # Python 3.10 knows no Z
    except ValueError:
        raise InputError(f"--date {text}: pass a date such as 2026-01-15, or a date and time") from None
