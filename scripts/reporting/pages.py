"""The one way in which a page of HTML is made of a template; a page needs no other file and nothing from elsewhere."""

from pathlib import Path
from typing import Any

import jinja2

from drawing import STYLE
from drawing import language
from drawing.values import human_text
from drawing.values import interval_text
from drawing.values import number_text
from scoring.specs import headline

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).resolve().parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
_ENVIRONMENT.filters.update(
    number=number_text, interval=interval_text, human=human_text, headline=headline, language=language
)


def page_html(template: str, **values: Any) -> str:
    """Returns the page that a template of this folder makes of some values."""
    return _ENVIRONMENT.get_template(template).render(style=STYLE, **values)
