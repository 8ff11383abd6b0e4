"""The one way in which a page of HTML is made of a template; a page needs no other file and nothing from elsewhere."""

import re
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from markupsafe import escape

from drawing import STYLE
from drawing import language
from drawing.texts import joined
from drawing.texts import say
from drawing.values import human_text
from drawing.values import interval_text
from drawing.values import number_text
from scoring.specs import headline

_BREAKS = re.compile(r"([_=,./|-]+)")  # a name may break behind these


def _breakable(text: str) -> Markup:
    """Returns a name that a narrow page breaks between its parts and not within them."""
    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(text))))


def _soft(text: str) -> str:
    """Returns the same for an attribute, which holds no elements."""
    return _BREAKS.sub("\\1\u200b", text)


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
_ENVIRONMENT.filters.update(breakable=_breakable, soft=_soft)
_ENVIRONMENT.globals.update(say=say, joined=joined)


def page_html(template: str, **values: Any) -> str:
    """Returns the page that a template of this folder makes of some values."""
    return _ENVIRONMENT.get_template(template).render(style=STYLE, **values)
