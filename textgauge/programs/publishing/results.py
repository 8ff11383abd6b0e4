"""A score that score.py wrote, as an evaluation result of a model in the form that the Hub reads."""

import hashlib
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

import textgauge

from ..errors import InputError
from ..reading.further_packages import needed_by
from ..reading.results import read_results
from ..scoring.percent import is_fraction

IN_PERCENT = "in percent"  # ends what the notes have before a signature
FOLDER = ".eval_results"  # of the repository of a model


def read_score(path: Path, system: str | None, score: str | None) -> tuple[str, str, dict[str, Any]]:
    """Returns a system, the label of a score and its result, from the JSON of score.py or compare.py.

    Args:
        path: of the file.
        system: its name; not needed if there is one only.
        score: its label, such as "bleu char"; likewise.

    Raises:
        InputError: another file, or there is no such system or score.
    """
    systems = read_results(path)
    name = _chosen("--system", system, systems)
    label = _chosen("--score", score, systems[name])
    return name, label, systems[name][label]


def number_of(label: str, result: dict[str, Any], key: str | None) -> float:
    """Returns a number of a result, the score itself by default; an undefined one is an InputError."""
    key = key or next(iter(result))
    value = result.get(key)
    if not _is_number(value):
        known = ", ".join(name for name, number in result.items() if _is_number(number))
        raise InputError(f"{label} has no number {key}; it has {known or 'none'}")
    return float(value)


def value_in_percent(label: str, result: dict[str, Any], key: str | None, value: float) -> float:
    """Returns a score times 100, to the last decimal; InputError for a number that is not a fraction.

    Args:
        label: of the score.
        result: that it is in, with its signature.
        key: of the number, if it is not the score itself.
        value: of the number.
    """
    name = result["signature"].partition("|")[0]
    number = key or next(iter(result))
    metric = textgauge.load(name) if name in textgauge.metric_names() else None
    if metric is None or number not in metric.headlines(result) or not is_fraction(metric):
        raise InputError(f"--percent: {key or label} is not a fraction; leave out --percent")
    return float(100 * Decimal(repr(value)))


def file_name(*words: str) -> str:
    """Returns the path of a file in the repository of a model, made of what it holds: dataset, task, label and key.

    Where these cannot be read back from it, as those of "news en", "news-en" and "ニュース", a hash tells them apart.

    >>> file_name("suite/news", "default", "bleu char"), file_name("suite/news", "news-en", "cer")
    ('.eval_results/suite-news-default-bleu-char.yaml', '.eval_results/suite-news-news-en-cer--57d7c209.yaml')
    """
    name = re.sub(r"[^0-9A-Za-z가-힣._-]+", "-", "-".join(words))
    organisation, dataset, task, label = [*name.split("-", 3), "", "", ""][:4]
    if words != (f"{organisation}/{dataset}", task, label.replace("-", " ")):
        digest = hashlib.sha256("\0".join(words).encode()).hexdigest()
        name += f"--{digest[:8]}"
    return f"{FOLDER}/{name}.yaml"


def result_text(**fields: Any) -> str:
    """Returns the content of a file with one result, as YAML; the fields are those of the Hub's `EvalResultEntry`."""
    with needed_by("publish-result"):
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml
    entries = eval_result_entries_to_yaml([EvalResultEntry(**fields)])
    return yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=1000)


def upload_result(api: Any, repo_id: str, path: str, text: str, pull_request: bool) -> str:
    """Puts a file into the repository of a model, or proposes it; returns where it is to be seen."""
    commit = api.upload_file(
        path_or_fileobj=text.encode(),
        path_in_repo=path,
        repo_id=repo_id,
        commit_message="Add an evaluation result",
        create_pr=pull_request,
    )
    return commit.pr_url if pull_request else f"{api.endpoint}/{repo_id}/blob/main/{path}"


def _chosen(option: str, name: str | None, known: Iterable[str]) -> str:
    """Returns the name that was asked for, or the only one that there is."""
    known = list(known)
    if name in known or (name is None and len(known) == 1):
        return name or known[0]
    missing = f"there is no {name}; " if name else ""
    raise InputError(f"{missing}say which with {option}: {', '.join(known)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
