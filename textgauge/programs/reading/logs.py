"""Logs of inspect_ai: their samples, of which none may have failed."""

from collections.abc import Mapping
from typing import Any

_SHOWN = 3  # failed samples
ID, EPOCH = "id", "epoch"  # fields of a sample, which may be answered more than once


def is_log(content: Any) -> bool:
    """Returns whether a JSON file is a log of a run."""
    return isinstance(content, dict) and isinstance(content.get("eval"), dict)


def samples_of(log: Mapping[str, Any], path: str) -> list[Any]:
    """Returns the samples of a log.

    Raises:
        ValueError: the run did not end well, or samples failed, whose answers are empty and would be scored as such.
    """
    status, samples = log.get("status", "success"), log.get("samples")
    advice = "`inspect eval-retry` runs what is missing"
    if status != "success":
        reason = (log.get("error") or {}).get("message", "")
        raise ValueError(
            f"{path}: the status of this run is {status!r}{f' ({reason:.80})' if reason else ''}; {advice}"
        )
    if not isinstance(samples, list):
        raise ValueError(f"{path}: this log has no samples; leave out --no-log-samples")
    failed = [sample for sample in samples if isinstance(sample, dict) and sample.get("error")]
    if failed:
        error = failed[0]["error"]
        reason = error.get("message", "") if isinstance(error, dict) else str(error)
        shown = ", ".join(str(sample.get(ID)) for sample in failed[:_SHOWN])
        raise ValueError(
            f"{path}: {len(failed)} of {len(samples)} samples failed, first {shown} ({reason:.80}); they have no "
            f"answers to score: {advice}"
        )
    return samples
