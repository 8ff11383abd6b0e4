"""The page of agreements: a matrix whose cells open to what was tried, and where both sides part."""

from typing import Any

from textgauge.programs.reporting.pages import page_html

from .documents import rows
from .tables import Results, call_parts, difference_text, families, peer_name, sign, value_text


def page(results: Results) -> str:
    """Returns the page, which needs nothing else."""
    return page_html(
        "agreement.html",
        results=results,
        families=families(results),
        peer_name=lambda agreement: peer_name(agreement, results),
        sign=sign,
        difference=difference_text,
        call=call_parts,
        values=_values,
        documents=rows(),
    )


def _values(values: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns each key with its value as text."""
    return [(key, value_text(value)) for key, value in values.items()]
