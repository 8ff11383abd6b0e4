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
# what was said in all languages: in an attribute, as all that an element holds, and as a part of that
_SAID = f"[^<>]*{START}[^<>]*"
_ATTRIBUTE = re.compile(f' ([\\w-]+)="([^"<>]*{START}[^"<>]*)"')
_WHOLE = re.compile(f"<(\\w+)([^<>]*)>({_SAID})</\\1>")
_PART = re.compile(f"(?<=>)({_SAID})(?=<)")


def bilingual(make: Callable[[], str]) -> str:
    """Returns a page in English that holds the Korean texts too, for the switch of report.js."""
    with speaking(*LANGUAGES):
        return two_languages(make())


def two_languages(page: str) -> str:
    """Returns what was said in all languages in English, with Korean in attributes beside it."""
    page = _ATTRIBUTE.sub(lambda said: f' {said[1]}="{_english(said[2])}"{_korean(said[2], f"-{said[1]}")}', page)
    page = _WHOLE.sub(lambda said: f"<{said[1]}{said[2]}{_korean(said[3])}>{_english(said[3])}</{said[1]}>", page)
    return _PART.sub(lambda said: f"<span{_korean(said[1])}>{_english(said[1])}</span>", page)


def _english(said: str) -> str:
    return in_language(said, "en")


def _korean(said: str, place: str = "") -> str:
    """Returns the attribute that has what is said in Korean, where that is something else."""
    korean = in_language(said, "ko")
    return f' data-other{place}="{korean}"' if korean != _english(said) else ""


def _title(corpus: Corpus) -> str:
    """Returns the title of a page."""
    return say("sample_title") if corpus.title == SAMPLE_TITLE else corpus.title


def _breakable(text: str) -> Markup:
    """Returns the name of a score that a narrow page breaks between its parts and not within them."""
    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(label_text(text)))))


def _name(text: str) -> Markup:
    """Returns the name of a system that a narrow column breaks between its parts."""
    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(text))))


def _minus(text: str) -> str:
    """Returns a text with the minus signs of typesetters before its numbers."""
    return _MINUS.sub("−", text)


def _soft(text: str) -> str:
    """Returns the same for an attribute, which holds no elements."""
    return _BREAKS.sub("\\1\u200b", label_text(text))


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
_ENVIRONMENT.filters.update(system_name=_name, breakable=_breakable, soft=_soft, title_text=_title, minus=_minus)
_ENVIRONMENT.globals.update(say=say, joined=joined)


def part_html(template: str, **values: Any) -> str:
    """Returns what a template of this folder makes of some values."""
    return _ENVIRONMENT.get_template(template).render(**values)


def page_html(template: str, **values: Any) -> str:
    """Returns the page that a template of this folder makes of some values."""
    return part_html(template, style=STYLE, **values)
