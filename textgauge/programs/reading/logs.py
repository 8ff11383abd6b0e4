"""Logs of inspect_ai: their samples, of which none may have failed."""

from collections.abc import Mapping
from typing import Any

from ..errors import InputError

_SHOWN = 3  # failed samples
_ADVICE = "`inspect eval-retry` runs what is missing"
ID, EPOCH = "id", "epoch"  # fields of a sample, which may be answered more than once


def is_log(content: Any) -> bool:
    """Returns whether a JSON file is a log of a run."""
    return isinstance(content, dict) and isinstance(content.get("eval"), dict)


def samples_of(log: Mapping[str, Any], path: str) -> list[Any]:
    """Returns the samples of a log.

    Raises:
        InputError: the run did not end well, or samples failed, whose answers are empty and would be scored as such.
    """
    status = log.get("status", "success")
    samples = log.get("samples")
    if status != "success":
        raise InputError(f"{path}: the status of this run is {status!r:.200}{_reason(log.get('error'))}; {_ADVICE}")
    if not isinstance(samples, list):
        raise InputError(f"{path}: this log has no samples; leave out --no-log-samples")
    failed = [sample for sample in samples if isinstance(sample, dict) and sample.get("error")]
    if failed:
        shown = ", ".join(str(sample.get(ID)) for sample in failed[:_SHOWN])
        raise InputError(
            f"{path}: {len(failed)} of {len(samples)} samples failed, first {shown}{_reason(failed[0]['error'])}; they "
            f"have no answers to score: {_ADVICE}"
        )
    results = log.get("results")
    planned = results.get("total_samples") if isinstance(results, dict) else None
    if isinstance(planned, int) and planned > len(samples):
        raise InputError(f"{path}: there are {len(samples)} samples, and the run had {planned}; {_ADVICE}")
    return samples


def has_epochs(content: Any) -> bool:
    """Returns whether a JSON file is a log whose samples were answered more than once."""
    samples = content.get("samples") if is_log(content) else None
    epochs = {str(sample.get(EPOCH)) for sample in samples or () if isinstance(sample, dict)}
    return len(epochs) > 1


def _reason(error: Any) -> str:
    """Returns a log's text about a failure, in brackets."""
    message = error.get("message") if isinstance(error, dict) else error
    return f" ({message!s:.80})" if message else ""
