"""The one way in which a page of HTML is made of a template; a page needs no other file and nothing from elsewhere."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from ..comparing.people import label_text
from ..drawing.draw import STYLE, language
from ..reading.corpora import SAMPLE_TITLE
from ..reading.corpus import Corpus
from ..saying.texts import LANGUAGES, START, in_language, joined, say, speaking
from ..saying.values import human_text, interval_text, number_text
from ..scoring.specs import headline

_MINUS = re.compile(r"(?<![\w.-])-(?=\d|∞|inf)")
_BREAKS = re.compile(r"([_=,/|.-]+)")  # a name may break behind these
# texts in all languages: in an attribute, as the whole content of an element, and as a part of it
_SAID = f"[^<>]*{START}[^<>]*"
_ATTRIBUTE = re.compile(f' ([\\w-]+)="([^"<>]*{START}[^"<>]*)"')
_WHOLE = re.compile(f"<(\\w+)([^<>]*)>({_SAID})</\\1>")
_PART = re.compile(f"(?<=>)({_SAID})(?=<)")


def bilingual(make: Callable[[], str]) -> str:
    """Returns a page in English that holds the Korean texts too, for the switch of report.js."""
    with speaking(*LANGUAGES):
        return two_languages(make())


def two_languages(page: str) -> str:
    """Returns a page in English, with Korean in attributes beside it."""
    page = _ATTRIBUTE.sub(_attribute_in_both, page)
    page = _WHOLE.sub(_element_in_both, page)
    return _PART.sub(_part_in_both, page)


def _attribute_in_both(match: re.Match[str]) -> str:
    name, text = match.groups()
    return f' {name}="{_english(text)}"{_korean(text, f"-{name}")}'


def _element_in_both(match: re.Match[str]) -> str:
    tag, attributes, text = match.groups()
    return f"<{tag}{attributes}{_korean(text)}>{_english(text)}</{tag}>"


def _part_in_both(match: re.Match[str]) -> str:
    text = match[1]
    return f"<span{_korean(text)}>{_english(text)}</span>"


def _english(text: str) -> str:
    return in_language(text, "en")


def _korean(text: str, suffix: str = "") -> str:
    """Returns the attribute that has a text in Korean, where that is something else."""
    korean = in_language(text, "ko")
    return f' data-other{suffix}="{korean}"' if korean != _english(text) else ""


def _title(corpus: Corpus) -> str:
    """Returns the title of a page."""
    return say("sample_title") if corpus.title == SAMPLE_TITLE else corpus.title


def _breakable(text: str) -> Markup:
    """Returns the name of a score that a narrow page breaks between its parts and not within them."""
    return _name(label_text(text))


def _name(text: str) -> Markup:
    """Returns the name of a system that a narrow column breaks between its parts."""
    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(text))))


def _minus(text: str) -> str:
    """Returns a text with the minus signs of typesetters before its numbers."""
    return _MINUS.sub("−", text)


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
_ENVIRONMENT.filters.update(system_name=_name, breakable=_breakable, title_text=_title, minus=_minus)
_ENVIRONMENT.globals.update(say=say, joined=joined)


def part_html(template: str, **values: Any) -> str:
    """Renders a template of this folder with some values."""
    return _ENVIRONMENT.get_template(template).render(**values)


def page_html(template: str, **values: Any) -> str:
    """Returns the page that a template of this folder makes of some values."""
    return part_html(template, style=STYLE, **values)
