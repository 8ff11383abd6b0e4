"""What pages, tables and verdicts say: texts.json has it all in each language, as does a Space's copy of this folder.

A text has its values in braces. One that depends on a number `n` may have two forms, for one and for more. English is
the default. A page asks for all languages at once: then each text holds them, between characters
of Unicode that are not characters, until `in_language` picks one or a page is written that can switch.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "ko")
HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
TEXTS: dict[str, dict[str, str | list[str]]] = json.loads(
    Path(__file__).with_name("texts.json").read_text(encoding="utf-8")
)
# A text in all languages is START, the English one, NEXT, the Korean one, END. Unicode keeps these characters free, so
# no text has them: such a text goes through templates as any other, and the page that they make still tells its parts.
START, NEXT, END = "\ufdd0", "\ufdd1", "\ufdd2"
_ALL = re.compile(START + NEXT.join([f"([^{START}{NEXT}{END}]*)"] * len(LANGUAGES)) + END)
_spoken: ContextVar[tuple[str, ...]] = ContextVar("spoken", default=LANGUAGES[:1])
_are_sessions: ContextVar[bool] = ContextVar("are_sessions", default=False)
# what is called a session where it is one, by language: no {segments}, no --segments, no punctuation (문장 부호)
_SEGMENTS = {"en": re.compile(r"(?<![-{])\b([Ss])egment"), "ko": re.compile("()문장(?! 부호)")}
_SESSIONS = {"en": r"\1ession", "ko": "세션"}


@contextmanager
def speaking(*languages: str) -> Iterator[None]:
    """Lets `say` speak a language, or all of LANGUAGES at once."""
    token = _spoken.set(languages)
    try:
        yield
    finally:
        _spoken.reset(token)


@contextmanager
def counting_sessions(are_sessions: bool) -> Iterator[None]:
    """Lets `say` speak of sessions where texts of the table have segments: of meetings each is one."""
    token = _are_sessions.set(are_sessions)
    try:
        yield
    finally:
        _are_sessions.reset(token)


def say(key: str, **values: Any) -> str:
    """Returns a text of the table with its values.

    >>> say("chunks", n=2)
    '2 chunks'
    >>> with speaking("ko"):
    ...     say("chunks", n=2)
    '청크 2개'
    """
    return one_text({language: _text(key, language, values) for language in _spoken.get()})


def one_text(by_language: dict[str, str]) -> str:
    """Returns the text of the language that is spoken; where several are, one text that holds them all."""
    texts = [by_language[language] for language in _spoken.get()]
    if len(texts) == 1:
        return texts[0]
    return START + NEXT.join(texts) + END


def in_language(text: str, language: str) -> str:
    """Returns a text of all languages in one of them."""
    return _ALL.sub(rf"\{1 + LANGUAGES.index(language)}", text)


def in_languages(text: str) -> dict[str, str]:
    """Returns a text of all languages in each of them."""
    return {language: in_language(text, language) for language in LANGUAGES}


def joined(names: Iterable[str]) -> str:
    """Returns names in a row: "a", "a and b", "a, b and c"."""
    *others, last = names
    return say("and", first=say("comma").join(others), last=last) if others else last


def joined_by_or(names: Iterable[str]) -> str:
    """Returns choices in a row: "a", "a or b", "a, b or c"."""
    *others, last = names
    return say("or", first=say("comma").join(others), last=last) if others else last


def _text(key: str, language: str, values: dict[str, Any]) -> str:
    form = TEXTS[key][language]
    if isinstance(form, list):
        form = form[values["n"] != 1]
    if _are_sessions.get():
        form = _SEGMENTS[language].sub(_SESSIONS[language], form)
    # a value in all languages is a part of this text in one
    in_this_language = {}
    for name, value in values.items():
        in_this_language[name] = in_language(value, language) if isinstance(value, str) else value
    return form.format(**in_this_language)
