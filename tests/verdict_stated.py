"""What the sentences of a verdict state: the tuples of `verdict_due`, in which who is better comes from the words."""

import re
from collections.abc import Iterator

from verdict_due import Statement, p_text
from verdict_facts import HUMAN, Facts
from verdict_reading import Read, Reader

_SYSTEMS = ("better", "worse", "leader", "leaders", "system", "against", "best", "second", "baseline", "one", "other")
_SIZE = re.compile(r"(\S[^,]*?) ([+−]?)(\d+\.\d{4}|∞)(?: \[.*?\])?(?:, | and |$)")


class Statements:
    """Reads a verdict in one language."""

    def __init__(self, facts: Facts, reader: Reader, lines: list[str]) -> None:
        """Takes what the verdict is of, and its lines."""
        self.facts = facts
        self.reader = reader
        self.defects: list[str] = []
        self.by_kind: dict[str, list[Statement]] = {}
        self.of_kinds: list[Read] = []  # sentences on kinds of errors
        self.found: list[Statement] = []
        for line in lines:
            sentences = reader.read(line)
            if sentences is None:
                self.defects.append(f"{line!r} is not understood")
            self._of: Statement | str = ""  # what "it" is
            for sentence in sentences or []:
                found = list(self._stated(sentence))
                self.by_kind.setdefault(sentence.key, []).extend(found)
                self.found += found

    def _labels(self, text: str) -> list[str]:
        return self.reader.labels(text, self.facts.labels)

    def _stated(self, said: Read) -> Iterator[Statement]:
        """Yields what a sentence states."""
        slots, parts = said.slots, said.parts
        who, than = parts.get("who", ""), parts.get("than", "")
        match said.key.removeprefix("verdict_"):
            case "alone":
                yield from self._alone(slots)
            case "pair_sure" | "pair_open":
                yield from (
                    ("better", label, who, than, said.is_significant)
                    for label in self._with_p(slots["scores"], slots["p"], who, than)
                )
            case "pair_mixed":
                for part in ("sure", "not sure"):
                    for names, p in re.findall(r"(.+?) \((p [^)]*)\)(?:, | and |$)", parts[part]):
                        for label in self._with_p(names, p, who, than):
                            yield "better", label, who, than, part == "sure"
            case "equal":
                yield from (("equal", label) for label in self.facts.labels if self.facts.cell(label, *"ab"))
            case "equal_by":
                yield from (("equal", label) for label in self._labels(slots["labels"]))
            case "no_difference" | "none_differ" | "none_differ_from":
                p_values = [self.facts.p_value(cell) for cell in self.facts.different()]
                self._check_p(slots["p"], min(p_values), "≥" if len(set(p_values)) > 1 else "=")
                yield "nothing", parts.get("from"), frozenset(self._labels(slots["scores"]))
            case "tied" | "all_tied":
                leaders = self.reader.names(slots["leaders"]) if "leaders" in slots else self.facts.systems
                yield from (("tied", label, frozenset(leaders)) for label in self._labels(slots["scores"]))
            case "best_sure" | "best_of_defined" | "best_open" | "best_alone":
                yield from self._best(said, who, than)
            case "above" | "below" | "neither":
                yield from self._of_baseline(said)
            case "undefined":
                yield ("not compared",)
            case _:
                yield from self._details(said, who, than)

    def _alone(self, slots: dict[str, str]) -> Iterator[Statement]:
        lower = self.reader.lower
        for label, score, _, is_lower in re.findall(
            rf"(\S[^,]*?) (\d+\.\d{{4}}|nan|inf)( \[.*?\])?({re.escape(lower)})?(?:, | and |$)", slots["scores"]
        ):
            is_said = bool(is_lower) or all(self.facts.lower_is_better[label] for label in self.facts.labels)
            is_lower_better = is_said and slots["scores"].count(lower) > 0
            yield "alone", slots["system"], label, score.replace("inf", "∞"), is_lower_better

    def _with_p(self, names: str, p: str, who: str, than: str) -> list[str]:
        """Returns the scores that are named, and checks the largest p-value of theirs."""
        labels = self._labels(names)
        p_values = [self.facts.p_value(self.facts.cell(label, who, than)) for label in labels]
        self._check_p(p, max(p_values), "≤" if len(set(p_values)) > 1 else "=")
        return labels

    def _check_p(self, text: str, p_value: float, sign: str) -> None:
        right = p_text(p_value).replace("=", sign)
        if text != right:
            self.defects.append(f"{text!r}, and {right!r} is right")

    def _best(self, said: Read, who: str, than: str) -> Iterator[Statement]:
        labels = self._labels(said.slots["scores"])
        rivals = self.reader.by_scores(than) if than else []
        if said.is_significant:
            reach = "defined" if "defined" in said.words else "every"
        else:
            reach = "not all" if "significant" in said.words else "no other"
        for label in labels:
            behind = set()
            for system, names in rivals:
                is_named = not names or label in self._labels(names)
                if is_named and self.facts.cell(label, who, system):
                    behind.add(system)
            yield "best", label, who, reach, frozenset(behind)
        if "p" in said.slots:
            pairs = [self.facts.cell(label, who, other) for label in labels for other in self.facts.systems]
            p_values = [self.facts.p_value(cell) for cell in pairs if cell is not None]
            self._check_p(said.slots["p"], max(p_values), "≤" if len(set(p_values)) > 1 else "=")

    def _of_baseline(self, said: Read) -> Iterator[Statement]:
        side = "neither" if "not" in said.words else "better" if "better" in said.words else "worse"
        baseline = said.parts["from" if side == "neither" else "than"]
        for system, names in self.reader.by_scores(said.slots["systems"]):
            labels = self._labels(names) if names else self.facts.labels if side != "neither" else [None]
            yield from (("of baseline", side, system, baseline, label) for label in labels)

    def _details(self, said: Read, who: str, than: str) -> Iterator[Statement]:
        slots, parts = said.slots, said.parts
        match said.key.removeprefix("verdict_"):
            case "sizes":
                for label, sign, size in _SIZE.findall(slots["sizes"]):
                    yield "size", label, who, than, sign == "−", size
            case "segments":
                counts = (_count(parts[part]) for part in ("better in", "worse in", "equal in"))
                yield "wins", slots["label"], who, *counts
            case "margins":
                for lead in map(self.reader.read_one, slots["leads"].split("; ")):
                    pair = (lead.parts["who"], lead.parts["than"])
                    yield from (("lead", label, *pair, size) for label, _, size in _SIZE.findall(lead.slots["sizes"]))
            case "test_decides":
                yield "test decides", frozenset(self._labels(slots["labels"]))
            case "interval_of_one":
                yield "not corrected", int(parts["of all"])
            case "undefined_by":
                named, _, more = slots["pairs"].partition(self.reader.more)
                pairs = [re.fullmatch(r"(.+): (\w), (\w)", pair).groups() for pair in named.split("; ")]
                yield "undefined", frozenset(pairs), int(re.sub(r"\D", "", more) or 0)
            case "open":
                self._of = (slots["label"], who, than)
                yield "open", *self._of, slots["difference"], slots["p"]
            case "more_open":
                yield "more open", int(slots["n"])
            case "open_of_pair":
                self._of = slots["label"]
                yield from (statement for sentence in said.within for statement in self._stated(sentence))
            case "needed" | "needed_or":
                counts = (_count(parts.get(part)) for part in ("about", "fewest", "has"))
                yield "needed", self._of, *counts
            case "of_metrics" | "of_people":
                of = "people" if "people" in said.words else "metrics"
                for sentence in said.within:
                    yield from (("never", of, *rest) for _, _, *rest in self._stated(sentence))
            case "never" | "never_trials":
                what = "units" if said.key == "verdict_never" else "trials"
                yield "never", "all", what, _count(parts["has"]), _count(parts["needs"])
            case "never_groups" | "never_groups_people":
                of = "people" if "people" in said.words else "metrics"
                n_tests = _count(slots.get("n")) or 1
                yield "never in groups", of, n_tests, _count(parts["has"]), _count(parts["needs"])
            case _:
                yield from self._people_and_groups(said, who, than)

    def _people_and_groups(self, said: Read, who: str, than: str) -> Iterator[Statement]:
        slots, parts = said.slots, said.parts
        match said.key.removeprefix("verdict_"):
            case "people_tied":
                yield "people tied", frozenset(self.reader.names(slots["leader"]))
                yield self._means(slots["means"])
            case "people_sure" | "people_sure_of" | "people_open":
                reach = "not" if "not" in said.words else "every" if "every" in said.words else "some"
                yield "people", who, reach, frozenset(self.reader.names(than) if than else [])
                yield self._means(slots["means"])
                self._of = HUMAN
            case "people_against":
                yield "people disagree", who, than
            case "people_unconfirmed":
                yield from (("people unconfirmed", who, other) for other in self.reader.names(than))
            case "people_alone":
                yield from self._preferred(slots["pairs"])
            case "group_against":
                yield "in group", slots["group"], slots["label"], who, than, slots["difference"]
            case "groups_against_more":
                yield "more in groups", int(parts["how many"])
            case "groups":
                yield from self._groups(said)
            case "groups_sure" | "groups_people":
                of = "people" if "people" in said.words else "metrics"
                yield "sure in groups", of, int(parts["how many"]), int(parts["of all"])
            case "groups_one":
                yield "sure in groups", "metrics", int(said.is_significant), 1
            case "forgiven_sure" | "forgiven_open" | "forgiven_untested" | "loops" | "exact":
                self.of_kinds.append(said)
                self.by_kind[said.key] = [("kinds",)]
            case _:
                self.defects.append(f"{said} is no sentence by itself")

    def _preferred(self, text: str) -> Iterator[Statement]:
        """Yields the pairs that people significantly prefer."""
        pattern = r"(\w) significantly better than (.+?)(?=(?:, | and )\w signif|$)"
        if self.reader.language == "ko":
            pattern = r"(\w) 쪽이 (.+?)보다 유의하게 좋음"
        for better, others in re.findall(pattern, text):
            yield from (("people alone", better, worse) for worse in self.reader.names(others))

    def _means(self, text: str) -> Statement:
        means = tuple(sorted(re.findall(r"(\w) (-?[\d.e+]+)(?=[,;]| and |$)", text)))
        return "means", means, self.reader.lower.strip(" ()") in text

    def _groups(self, said: Read) -> Iterator[Statement]:
        n_more = 0
        for part in said.within:
            slots = part.slots
            match part.key.removeprefix("verdict_"):
                case "groups_more":
                    n_more = int(slots["n"])
                case "group_other" | "group_tied":
                    leaders = part.parts.get("who") or slots["leader"]
                    yield "best in", slots["group"], _score(slots["label"]), frozenset(self.reader.names(leaders))
                case "group_undefined":
                    systems = frozenset(self.reader.names(slots["systems"]))
                    yield "undefined in", slots["group"], _score(slots["label"]), systems
                case _:
                    names = frozenset(self.reader.names(slots["leader"]))
                    labels = self.reader.names(slots["labels"]) if "labels" in slots else self.facts.lower_is_better
                    yield from (("best in each", _score(label), names) for label in labels)
        yield "groups", _count(re.search(r"\d+", said.slots["groups"])[0]), n_more


def _score(label: str) -> str:
    return HUMAN if label in ("human", "사람 평가") else label


def _count(text: str | None) -> int | None:
    return None if text is None else int(re.sub(r"\D", "", text))


def is_allowed(facts: Facts, name: str, text: str) -> bool:
    """Returns whether a slot may hold a text: a system, or a score, that there is."""
    if name == "label":
        return text in facts.lower_is_better or _score(text) == HUMAN
    if name == "scores":
        return ": " not in text
    return name not in _SYSTEMS or all(len(part) == 1 for part in re.split(r", | and ", text))
