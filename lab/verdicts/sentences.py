"""Reads the sentences of a verdict one by one, and says which of them the numbers do not bear out."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from textgauge.programs.comparing.records import Outcome
from textgauge.programs.comparing.verdict import verdict
from textgauge.programs.saying.texts import speaking

from . import claims
from .facts import Facts

_NAME = "[a-d]"
_NAMES = f"{_NAME}(?:, {_NAME})*(?: and {_NAME})?"
_P = r"p [=≤≥<] \d\.\d{4}"
_TEST = rf"\((?P<p>{_P}), Holm-corrected, α = 0\.05\)\."
_COUNT = r"[\d,]+"
_NUMBER = re.compile(r"\d+\.\d{4}|∞")

Claim = Callable[[Facts, re.Match[str]], bool]


def _pair(text: str) -> str:
    return rf"(?P<better>{_NAME}) is {text}"


# each kind of sentence, and what it claims; the first that fits is taken
_SENTENCES: dict[str, tuple[str, Claim]] = {
    "pair significant": (
        _pair(rf"significantly better than (?P<worse>{_NAME}) on (?P<scores>.+?) {_TEST}"),
        claims.pair_is_significant,
    ),
    "pair mixed": (
        _pair(
            rf"better than (?P<worse>{_NAME}) on (?P<scores>.+?)\. Significant \(Holm-corrected, α = 0\.05\): "
            rf"(?P<sure>.+?) \({_P}\)\. Not significant: (?P<open>.+?) \({_P}\)\."
        ),
        claims.pair_is_mixed,
    ),
    "pair open": (
        _pair(rf"better than (?P<worse>{_NAME}) on (?P<scores>[^.]+?), but not significantly {_TEST}"),
        claims.pair_is_open,
    ),
    "nothing significant": (
        rf"(?:{_NAMES} do not differ significantly|None of the \d+ systems is significantly better than another|"
        rf"No system differs significantly from {_NAME}) on (?P<scores>.+?) {_TEST}",
        claims.nothing_is_significant,
    ),
    "best significant": (
        rf"(?P<leader>{_NAME}) is best on (?P<scores>[^.]+?), significantly better than every "
        rf"(?P<which>other system|system whose score is defined) {_TEST}",
        claims.best_is_significant,
    ),
    "best open": (
        rf"(?P<leader>{_NAME}) is best on (?P<scores>[^.]+?), but not significantly better than (?P<others>.+?) "
        r"\(Holm-corrected, α = 0\.05\)\.",
        claims.best_is_open,
    ),
    "best alone": (rf"Only (?P<leader>{_NAME}) can be scored on (?P<scores>.+?)\.", claims.is_alone),
    "tied": (
        rf"(?P<names>{_NAMES}|All systems) (?:share the best|have the same) score on (?P<scores>.+?)\.(?= |$)",
        claims.are_tied,
    ),
    "equal": (rf"(?:(?P<names>{_NAMES}) have the same scores|No difference on (?P<scores>.+?))\.", claims.are_equal),
    "against a baseline": (
        rf"Significantly (?P<side>better|worse) than (?P<baseline>{_NAME}) \(Holm-corrected, α = 0\.05\): "
        r"(?P<systems>.+?)\.(?= |$)",
        claims.differ_from_baseline,
    ),
    "like a baseline": (
        rf"Not significantly different from (?P<baseline>{_NAME}) \(α = 0\.05\): (?P<names>{_NAMES})\.",
        claims.do_not_differ_from_baseline,
    ),
    "undefined": (
        r"(?:The systems cannot be compared: their scores are undefined|"
        r"Not compared, as a score is undefined: (?P<pairs>.+?))\.",
        claims.are_undefined,
    ),
    "too few": (
        r"(?:(?P<which>Metrics|People): )?With (?P<has>\d+) \w+, no difference can be significant; "
        r"at least (?P<needs>\d+) \w+ are needed\.",
        claims.are_too_few,
    ),
    "too few in groups": (
        r"(?P<people>By people, )?[Nn]o difference in a group can be significant: (?:it|(?P<n>\d+) comparisons) would "
        r"need at least (?P<needs>\d+) \w+(?: in a group)?, and the largest (?:group )?has (?P<has>\d+) \w+\.",
        claims.are_too_few_in_groups,
    ),
    "too few trials": (
        r"(?:Metrics: |People: )?For (?P<n>\d+) comparisons?, a difference can be significant with "
        rf"(?P<needs>{_COUNT}) trials or more, but --trials is (?P<has>{_COUNT})\.",
        claims.are_too_few_trials,
    ),
    "difference": (
        rf"Difference, (?P<system>{_NAME}) minus (?P<against>{_NAME}): (?P<sizes>.+?)\.(?= |$)",
        claims.is_difference,
    ),
    "lead": (r"Lead over the runner-up: (?P<leads>.+?)\.(?= |$)", claims.is_lead),
    "by segment": (
        rf"Segment by segment, (?P<system>{_NAME}) is better in (?P<wins>{_COUNT}), worse in (?P<losses>{_COUNT}) and "
        rf"equal in (?P<ties>{_COUNT}) \((?P<label>.+?)\)\.",
        claims.is_count_of_segments,
    ),
    "interval and test": (
        r"On (?P<scores>.+?), an interval and the test of the same difference disagree; the test decides\.",
        claims.interval_disagrees,
    ),
    "interval of one": (
        r"An interval is of one difference; p-values are corrected for all (?P<n>\d+)\.",
        claims.correction_disagrees,
    ),
    "people rate": (
        rf"People rate (?P<names>{_NAMES}) (?P<how>alike, and best|best, but not significantly better than "
        rf"(?P<others>{_NAMES})|best, significantly better than (?:every other system|(?P<behind>{_NAMES}))) "
        rf"\(mean (?P<means>[^;)]+)(?P<lower>; lower is better)?(?:; {_P}, Holm-corrected)?\)\.",
        claims.people_rate,
    ),
    "people disagree": (
        rf"People disagree: they rate (?P<better>{_NAME}) significantly better than (?P<worse>{_NAME})\.",
        claims.people_prefer,
    ),
    "people do not confirm": (
        rf"People do not confirm that: they do not rate (?P<leader>{_NAME}) significantly better than "
        rf"(?P<others>{_NAMES}) \(mean [^)]+\)\.",
        claims.people_do_not_confirm,
    ),
    "people see a difference": (
        r"People see a difference: they rate (?P<pairs>.+?)\.(?= |$)",
        claims.people_see_differences,
    ),
    "groups": (
        r"By domain \((?P<n>\d+) groups?\): (?P<said>.+?)\.(?= \d| The one| By people| No difference| For \d|$)",
        claims.is_by_group,
    ),
    "significant in groups": (
        r"(?P<people>By people, )?(?P<sure>\d+) of (?P<cells>\d+) (?:differences )?(?:is|are) significant "
        r"\(Holm-corrected over these (?P<family>\d+)\)\.",
        claims.is_count_in_groups,
    ),
    "one difference in groups": (
        r"The one difference is (?P<not>not )?significant\.",
        claims.is_the_one_difference,
    ),
    "group against the whole": (
        rf"But in (?P<group>\w+) (?P<better>{_NAME}) is significantly better than (?P<worse>{_NAME}) on "
        r"(?P<label>.+?) \((?P<size>\d+\.\d{4}|∞)\)\.",
        claims.group_is_against_the_whole,
    ),
    "more groups": (r"There (?:is|are) \d+ more such cases? in the groups\.", claims.is_not_checked),
    "needed": (
        rf"(?:[^:.]+: )?About (?P<needed>{_COUNT}) segments would be needed to detect it"
        rf"(?:, or (?P<fewest>{_COUNT}) if it is as large as its interval allows)?; there are (?P<segments>{_COUNT})\.",
        claims.are_needed,
    ),
    "open": (
        rf"(?P<label>[^:]+): (?P<better>{_NAME}) is better than (?P<worse>{_NAME}) by (?P<size>\d+\.\d{{4}}|∞), "
        rf"not significantly \((?P<p>{_P}), Holm-corrected\)\.",
        claims.is_open,
    ),
    "more open": (r"\d+ more differences? (?:is|are) not significant; see the tables\.", claims.is_not_checked),
    "forgiven": (r"(?:But|And) with [a-z]+ forgiven, .+? of its edits are of that kind\.", claims.is_not_checked),
    "forgiven exactly": (r"To forgive all that reads alike exactly: .+?\.(?= |$)", claims.is_not_checked),
    "loops": (r"\w loops in \d+ segments?; surplus repeats are \d+% of its edits \(.+?\)\.", claims.is_not_checked),
}
_PATTERNS = {kind: (re.compile(pattern), claim) for kind, (pattern, claim) in _SENTENCES.items()}


def sentence_defects(outcome: Outcome, lines: Sequence[str], kinds: Counter[str]) -> list[str]:
    """Returns what is wrong with the sentences of a verdict in English, and with those in Korean beside them.

    Args:
        outcome: of the comparison.
        lines: of its verdict.
        kinds: how often each kind of sentence has occurred, which is counted on.
    """
    facts = Facts(outcome)
    defects = []
    for line in lines:
        defects += _line_defects(facts, line, kinds)
    with speaking("ko"):
        korean = verdict(outcome).lines
    return defects + _language_defects(lines, korean)


def _line_defects(facts: Facts, line: str, kinds: Counter[str]) -> list[str]:
    """Reads a line from sentence to sentence; what no pattern fits is a defect."""
    defects = []
    place = 0
    while place < len(line):
        kind, found = _sentence_at(line, place)
        if found is None:
            return [*defects, f"{line[place:]!r} is not understood"]
        kinds[kind] += 1
        if not _PATTERNS[kind][1](facts, found):
            defects.append(f"{found[0]!r} is not true")
        place = found.end() + 1
    return defects


def _sentence_at(line: str, place: int) -> tuple[str, re.Match[str] | None]:
    for kind, (pattern, _) in _PATTERNS.items():
        found = pattern.match(line, place)
        if found is not None:
            return kind, found
    return "", None


def _language_defects(english: Sequence[str], korean: Sequence[str]) -> list[str]:
    """Returns where the two languages do not have the same lines with the same numbers."""
    if len(english) != len(korean):
        return [f"{len(english)} lines in English, and {len(korean)} in Korean"]
    return [
        f"other numbers in Korean: {one!r}, {other!r}"
        for one, other in zip(english, korean, strict=True)
        if sorted(_NUMBER.findall(one)) != sorted(_NUMBER.findall(other))
    ]
