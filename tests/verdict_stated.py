"""What the sentences of a verdict state: the tuples of `verdict_due`, in which who is better comes from the words."""

import re
from collections.abc import Iterator

from verdict_due import Statement, against_baseline, p_text
from verdict_facts import HUMAN, Facts
from verdict_reading import Read, Reader, forms

_SYSTEMS = ("system", "systems", "against", "baseline")
_COUNTED = re.compile(r"(\d+) systems|시스템 (\d+)개")
_SIZE = re.compile(r"(\S[^,]*?) ([+−]?)(\d+\.\d{4}|∞)(?: \[.*?\])?(?:, | and |$)")


class Statements:
    """What the lines of a verdict state in one language."""

    def __init__(self, facts: Facts, language: str, lines: list[str]) -> None:
        """Takes what the verdict is of, and its lines."""
        self.facts = facts
        self.reader = Reader(language, self._is_allowed)
        self.defects: list[str] = []
        self.found: list[Statement] = []
        self.of_kinds: list[Read] = []  # sentences on kinds of errors
        self.by_kind: dict[str, list[Statement]] = {}
        for line in lines:
            sentence = self.reader.read(line)
            if sentence is None:
                self.defects.append(f"{line!r} is not understood")
                continue
            found = list(self._stated(sentence))
            self.found += found
            self.by_kind.setdefault(sentence.key.removeprefix("verdict_"), []).extend(found)

    def _is_allowed(self, name: str, text: str) -> bool:
        """Returns whether a slot may hold a text: a system, or a score, that there is."""
        if name == "metric":
            return text in self.facts.lower_is_better or self._label(text) == HUMAN
        return name not in _SYSTEMS or all(len(part) == 1 for part in self.reader.names(text))

    def _label(self, text: str) -> str:
        return HUMAN if text in forms("verdict_people", self.reader.language) else text

    def _labels(self, text: str) -> list[str]:
        return self.reader.labels(text, self.facts.labels)

    def _stated(self, said: Read) -> Iterator[Statement]:
        """Yields what a sentence states."""
        slots, who, than = said.slots, said.parts.get("who", ""), said.parts.get("than", "")
        match said.key.removeprefix("verdict_"):
            case "alone":
                yield from self._alone(slots["system"], slots["scores"])
            case "better" | "better_not_sure":
                labels = self._labels(slots["metrics"])
                self._check_p(slots["p"], [(label, who, than) for label in labels])
                yield from (("better", label, who, than, said.is_significant) for label in labels)
            case "equal" | "tied":
                kind = "equal" if "the same" in said.words else "tied"
                systems = frozenset(self.reader.names(slots["systems"]))
                yield from ((kind, label, systems) for label in self._labels(slots["metrics"]))
            case "no_difference" | "no_difference_from":
                pairs = [(cell.metric, cell.system, cell.against) for cell in self.facts.different()]
                self._check_p(slots["p_least"], pairs, is_least=True)
                yield "nothing", said.parts.get("from"), frozenset(self._labels(slots["any_metric"]))
            case "best" | "best_not_sure" | "best_alone":
                yield from self._best(said, who, than)
            case "baseline_better" | "baseline_worse" | "baseline_neither":
                yield from self._of_baseline(said)
            case "undefined_all":
                yield ("not compared",)
            case _:
                yield from self._details(said, who, than)

    def _alone(self, system: str, scores: str) -> Iterator[Statement]:
        lower = re.escape(self.reader.lower)
        pattern = rf"(\S[^,]*?) (\d+\.\d{{4}}|nan|inf)(?: \[.*?\])?({lower})?(?:, | and |$)"
        found = re.findall(pattern, scores)
        is_all = len(found) > 1 and not found[0][2] and bool(found[-1][2]) and scores.count(self.reader.lower) == 1
        is_all &= all(self.facts.lower_is_better[label] for label in self.facts.labels)  # said once, at the end
        for label, score, is_lower in found:
            yield "alone", system, label, score.replace("inf", "∞"), bool(is_lower) or is_all

    def _check_p(self, text: str, pairs: list[tuple[str, str, str]], is_least: bool = False) -> None:
        """Checks a p-value: the largest of several, or the smallest of those of which none is significant."""
        cells = [self.facts.cell(*pair) for pair in pairs]
        p_values = {self.facts.p_value(cell) for cell in cells if cell is not None}
        sign = "=" if len(p_values) == 1 else "≥" if is_least else "≤"
        right = p_text(min(p_values) if is_least else max(p_values)).replace("=", sign)
        if text != right:
            self.defects.append(f"{text!r}, and {right!r} is right")

    def _others(self, text: str, leader: str) -> list[tuple[str, str]]:
        """Returns the systems that are named, each with the scores that are named with it, or ""."""
        if text in forms("verdict_every_other", self.reader.language):
            return [(system, "") for system in self.facts.systems if system != leader]
        return self.reader.by_scores(text)

    def _best(self, said: Read, who: str, than: str) -> Iterator[Statement]:
        labels = self._labels(said.slots["metrics"])
        reach = "no other"
        if than:
            reach = "significant" if said.is_significant else "not all"
        if "p" in said.slots:
            self._check_p(said.slots["p"], [(label, who, other) for label in labels for other in self.facts.systems])
        named = self._others(than, who) if than else []
        for label in labels:
            others = set()
            for system, names in named:
                is_of_score = not names or label in self._labels(names)
                if is_of_score and (said.is_significant or self.facts.cell(label, who, system)):
                    others.add(system)
            yield "best", label, who, reach, frozenset(others)

    def _of_baseline(self, said: Read) -> Iterator[Statement]:
        side = "neither" if "not" in said.words else "better" if "better" in said.words else "worse"
        baseline = said.parts["from" if side == "neither" else "than"]
        counted = _COUNTED.fullmatch(said.slots["by_metrics"])
        if counted:  # as long names are: it states what is due where the number is right
            due = [statement for statement in against_baseline(self.facts) if statement[1] == side]
            yield from due if len({system for _, _, system, *_ in due}) == int(counted[1] or counted[2]) else ()
            return
        for system, names in self.reader.by_scores(said.slots["by_metrics"]):
            labels = self._labels(names) if names else self.facts.labels if side != "neither" else [None]
            yield from (("of baseline", side, system, baseline, label) for label in labels)

    def _details(self, said: Read, who: str, than: str) -> Iterator[Statement]:
        slots, parts = said.slots, said.parts
        match said.key.removeprefix("verdict_"):
            case "sizes":
                for label, sign, size in _SIZE.findall(slots["sizes"]):
                    yield "size", label, who, than, sign == "−", size
            case "test_decides":
                yield "test decides", frozenset(self._labels(slots["metrics"]))
            case "not_corrected":
                yield "not corrected", int(slots["n"])
            case "undefined":
                named, _, more = slots["pairs"].partition(self.reader.more)
                pairs = [re.fullmatch(r"(.+): (\w), (\w)", pair).groups() for pair in named.split("; ")]
                yield "undefined", frozenset(pairs), int(re.sub(r"\D", "", more) or 0)
            case "needed" | "needed_or_fewer":
                counts = (_count(parts.get(part)) for part in ("about", "fewest", "has"))
                yield "needed", self._label(slots["metric"]), frozenset((slots["system"], slots["against"])), *counts
            case "too_few" | "too_few_trials" | "too_few_in_groups" | "too_few_trials_in_groups":
                yield from self._too_few(said)
            case "people_tied":
                yield "people tied", frozenset(self.reader.names(slots["systems"]))
                yield self._means(slots["means"])
            case "people_best" | "people_best_not_sure":
                if "p" in slots:
                    self._check_p(slots["p"], [(HUMAN, who, other) for other in self.facts.systems])
                others = frozenset(system for system, _ in self._others(than, who))
                yield "people", who, "significant" if said.is_significant else "not", others
                yield self._means(slots["means"])
            case "people_disagree":
                yield "people disagree", who, than
            case "people_unconfirmed" | "people_alone":
                kind = "people alone" if said.is_significant else "people unconfirmed"
                yield from ((kind, who, other) for other in self.reader.names(than))
            case "in_group":
                yield "in group", slots["group"], slots["metric"], who, than, slots["difference"]
            case "forgiven" | "forgiven_not_sure" | "loops" | "exactly":
                self.of_kinds.append(said)
                yield from ()
            case _:
                self.defects.append(f"{said} is no sentence by itself")

    def _too_few(self, said: Read) -> Iterator[Statement]:
        family = "all"
        for name in ("metrics", "people"):
            if said.slots["family"] in forms(f"verdict_by_{name}", self.reader.language):
                family = name
        where = "in groups" if "in groups" in said.words else ""
        what = "trials" if "n" in said.slots else "units"
        tests = len(self.facts.family(family == "people", bool(where)))
        is_counted = _count(said.slots.get("n")) in (None, tests)
        yield (
            "never",
            family,
            where,
            what,
            tests if is_counted else -1,
            *map(_count, map(said.parts.get, ("has", "needs"))),
        )

    def _means(self, text: str) -> Statement:
        means = tuple(sorted(re.findall(r"(\w) (-?[\d.e+]+)(?=[,;]| and |$)", text)))
        return "means", means, self.reader.lower.strip(" ()") in text


def _count(text: str | None) -> int | None:
    return None if text is None else int(re.sub(r"\D", "", text))
