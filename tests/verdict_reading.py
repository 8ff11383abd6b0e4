"""What the sentences of a verdict state, read as a reader does: by the words that say who is better than whom."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from textgauge.programs.saying.texts import TEXTS

_SLOT = r"\{(\w+)(?::,)?\}"
# words that give the slot beside them its part, by language
_PARTS = {
    "who": {
        "en": rf"(?:^|[ (]){_SLOT} (?:is (?:significantly )?be(?:st|tter)|significantly better|over|minus|loops)|"
        rf"rate {_SLOT} (?:best|signif)|Only {_SLOT}",
        "ko": rf"{_SLOT}의 (?:{_SLOT} )?점수가 (?:{_SLOT}보다|가장|더)|{_SLOT}(?: 쪽이|뿐| −)|"
        rf"(?<!공동 )1위(?:는|:)? {_SLOT}(?:[.,)]|$)|^{_SLOT}: 같은 말",
    },
    "than": {
        "en": rf"(?:than|over|minus) {_SLOT}",
        "ko": rf"{_SLOT}보다|2위 {_SLOT}|− {_SLOT}|다음 시스템보다[^:]*: {_SLOT}",
    },
    "from": {"en": rf"from {_SLOT}", "ko": rf"{_SLOT}와\(과\) 유의"},
    "needs": {"en": rf"[Aa]t least {_SLOT}|with {_SLOT} trials", "ko": rf"최소 {_SLOT}|시행이 {_SLOT}"},
    "has": {
        "en": rf"there are {_SLOT}|With {_SLOT}|largest has {_SLOT}|--trials is {_SLOT}",
        "ko": rf"현재 (?:자료\()?{_SLOT}|그룹이 {_SLOT}",
    },
    "about": {"en": rf"about {_SLOT}", "ko": rf"약 {_SLOT}"},
    "fewest": {"en": rf"or {_SLOT} if it is as large as its interval", "ko": rf"신뢰구간에서 가장 클 때는 {_SLOT}"},
    "pair": {"en": rf", {_SLOT} and {_SLOT}: about", "ko": rf", {_SLOT}와\(과\) {_SLOT}: 이 차이"},
}
# words that both languages have, or neither
_WORDS = {
    "not": {"en": r"(?i)\b(?:not?|none|cannot)\b", "ko": r"(?<!정의되지 )(?<!세지 )않|없(?:습|는)|못함"},
    "significant": {"en": r"ignificant", "ko": r"유의(?!수준)"},
    "better": {"en": r"better", "ko": r"보다[^.]*?좋|더 좋은|수록 좋"},
    "worse": {"en": r"worse", "ko": r"나쁜"},
    "lower": {"en": r"lower", "ko": r"낮을수록"},
    "best": {"en": r"\bbest\b", "ko": r"1위|가장 좋"},
    "alike": {"en": r"share the|alike, and", "ko": r"공동"},
    "the same": {"en": r"\bsame\b(?! diff)", "ko": r"점수가 같습"},
    "undefined": {"en": r"undefined", "ko": r"정의되지"},
    "people": {"en": r"[Pp]eople", "ko": r"사람"},
    "Holm": {"en": r"Holm", "ko": r"Holm"},
    "every": {"en": r"every", "ko": r"다른 모든"},
    "in groups": {"en": r"[Ii]n (?:a group|groups)", "ko": r"그룹 안"},
    "disagree": {"en": r"disagree;", "ko": r"서로 달라"},
    "other way": {"en": r"^People disagree", "ko": r"반대로"},
}


class Read(NamedTuple):
    """A sentence that a template fits: what its slots hold, by name and by part, and which words it has."""

    key: str
    slots: dict[str, str]
    parts: dict[str, str]
    words: set[str]

    @property
    def is_significant(self) -> bool:
        """Whether it says that something is significant."""
        return "significant" in self.words and "not" not in self.words


def texts_of(prefix: str) -> Iterator[str]:
    """Yields the names of texts."""
    return (key for key in TEXTS if key.startswith(prefix))


def forms(key: str, language: str) -> list[str]:
    """Returns the forms of a text: one, or that for one thing and that for several."""
    found = TEXTS[key][language]
    return found if isinstance(found, list) else [found]


def parts_of(form: str, language: str) -> dict[str, str]:
    """Returns which slot has which part in a template."""
    found = {}
    for part, by_language in _PARTS.items():
        for match in re.finditer(by_language[language], form):
            slots = [slot for slot in match.groups() if slot]
            if slots:
                found[part] = slots[0]
    return found


def words_of(form: str, language: str) -> set[str]:
    """Returns which of the words that matter a template has."""
    text = re.sub(_SLOT, "_", form)
    return {word for word, by_language in _WORDS.items() if re.search(by_language[language], text)}


def meaning(key: str, language: str) -> set[Any]:
    """Returns the slots, parts and words of a template; those of its forms together."""
    found: set[Any] = set()
    for form in forms(key, language):
        found |= {("slot", slot) for slot in re.findall(_SLOT, form)}
        found |= set(parts_of(form, language).items()) | words_of(form, language)
    return found


class Reader:
    """Reads the sentences of verdicts in one language."""

    def __init__(self, language: str, is_allowed: Callable[[str, str], bool]) -> None:
        """Takes a language, and which texts a slot may hold."""
        self.language = language
        self.lower, self.more = (forms(key, language)[0] for key in ("verdict_lower", "note_more"))
        self.more = self.more.split("{")[0]
        self._is_allowed = is_allowed
        templates = [(key, form) for key in texts_of("verdict_") for form in forms(key, language)]
        templates.sort(key=lambda item: -len(re.sub(_SLOT, "", item[1])))  # the longest text fits best
        self._templates = [(key, form, _pattern(form)) for key, form in templates]

    def read(self, text: str) -> Read | None:
        """Returns a sentence, or a part of one; None where it is not understood."""
        for key, form, pattern in self._templates:
            found = pattern.fullmatch(text)
            if found is not None and all(self._is_allowed(name, value) for name, value in found.groupdict().items()):
                slots = found.groupdict()
                parts = {part: slots[slot] for part, slot in parts_of(form, self.language).items()}
                return Read(key, slots, parts, words_of(form, self.language))
        return None

    def names(self, text: str) -> list[str]:
        """Returns the names in a row."""
        return re.split(r", | and ", text)

    def by_scores(self, text: str) -> list[tuple[str, str]]:
        """Returns systems, each with the scores that are named with it, or ""."""
        if self.language == "en":
            return re.findall(r"([a-f])(?: on ((?:(?!, [a-f]\b| and [a-f]\b).)+))?(?:, | and |$)", text)
        return re.findall(r"([a-f])(?:\(((?:[^()]|\([^()]*\))*)\))?(?:, |$)", text)

    def labels(self, text: str, labels: list[str]) -> list[str]:
        """Returns the scores that are named: "both metrics", "all 3 metrics", "cer and wer"."""
        phrase = self.read(text)
        if phrase is not None and phrase.key in ("verdict_both", "verdict_all", "verdict_any"):
            counts = [int(count) for count in re.findall(r"\d+", text)] or [2]
            return labels if counts == [len(labels)] else []
        return self.names(text)


def _pattern(form: str) -> re.Pattern[str]:
    pattern = ""
    seen: set[str] = set()
    place = 0
    for slot in re.finditer(_SLOT, form):
        pattern += re.escape(form[place : slot.start()])
        wanted = ".*?" if slot[1] == "family" else "p [^;,)]+" if slot[1] in ("p", "p_least", "p_value") else ".+?"
        pattern += f"(?P={slot[1]})" if slot[1] in seen else f"(?P<{slot[1]}>{wanted})"
        seen.add(slot[1])
        place = slot.end()
    return re.compile(pattern + re.escape(form[place:]))
