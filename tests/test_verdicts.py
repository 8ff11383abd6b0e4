"""Whole verdicts, sentence by sentence: three systems by two scores of which one is better where it is lower."""

import re

from test_compare_script import outcome_of
from test_report_parts import Rate

from textgauge.programs.comparing import verdict
from textgauge.programs.drawing.texts import TEXTS, say

SCORES = {"bleu": {"a": 0.5, "b": 0.4, "c": 0.1}, "cer": {"a": 0.2, "b": 0.1, "c": 0.3}}
SURE = [("bleu", "a", "c"), ("bleu", "b", "c"), ("cer", "b", "c")]


def outcome(scores=SCORES, sure=SURE, groups=(), baseline=None):
    found = outcome_of(scores, sure, groups=groups)
    columns = [column._replace(metric=Rate()) if column.label == "cer" else column for column in found.columns]
    pairs = (
        found.comparisons if baseline is None else [c for c in found.comparisons if baseline in (c.system, c.against)]
    )
    return found._replace(columns=columns, comparisons=pairs, settings=found.settings._replace(baseline=baseline))


BEST = (
    "a scores best by bleu, but at the level 0.05 not surely better than b. "
    "b scores best by cer, but at the level 0.05 not surely better than a."
)
MARGINS = "By how much the best is better than the next one: bleu 0.1000 (b) and cer 0.1000 (a)."


def opened(label, better, worse, needed):
    """Says what a difference of .1 takes that a test of 40 segments would find alone, among several tests."""
    end = f"(p 0.4000 after Holm). About {needed} segments would settle it; there are 40."
    return f"Open by {label}: {better} is better than {worse} by 0.1000 {end}"


def test_three_systems():
    asked = [("bleu", "a", "b"), ("cer", "b", "a"), ("cer", "a", "c")]
    assert verdict.verdict(outcome()).lines == [BEST, MARGINS, *(opened(*case, 62) for case in asked)]


def test_three_systems_and_a_baseline():
    asked = [("bleu", "a", "b"), ("cer", "b", "a"), ("cer", "a", "c")]
    assert verdict.verdict(outcome(baseline="a")).lines == [
        "Surely worse than a (level 0.05): c by 1 of 2 scores (bleu). Neither for sure (level 0.05): b.",
        *(opened(*case, 57) for case in asked),
    ]


def test_two_systems():
    two = {label: {name: of[name] for name in "ab"} for label, of in SCORES.items()}
    assert verdict.verdict(outcome(two, [("cer", "a", "b")])).lines == [
        "b scores better than a by 1 of 2 scores (cer). That is sure at the level 0.05 (p 0.0010 after Holm). "
        "a scores better than b by bleu, but that is not sure at the level 0.05 (p 0.4000 after Holm).",
        "By how much, b minus a: bleu −0.1000 [−1.0000, 1.0000] and cer −0.1000 [−1.0000, 1.0000].",
        "Segment by segment, b is better in 1, worse in 1 and equal in 0 (bleu).",
        opened("bleu", "a", "b", 49),
    ]


def test_groups():
    talk = {"bleu": {"a": 0.3, "b": 0.6, "c": 0.1}, "cer": {"a": 0.4, "b": 0.5, "c": 0.2}}
    groups = [("news", SCORES, SURE), ("talk", talk, [("bleu", "a", "b"), ("cer", "b", "c")])]
    headline, [margins, *_, last], _ = verdict.verdict(outcome(groups=groups))
    assert headline == (
        f"{BEST} But in talk b is surely better than a by bleu (0.3000). "
        "But in talk c is surely better than b by cer (0.3000)."
    )
    assert margins == MARGINS
    assert last == (
        "By domain (2 groups): in talk b is best by bleu; in talk c is best by cer. "
        "5 of 12 differences are sure after Holm over all 12."
    )


# more than one by what they say, or a constant
NEVER_ONE = {
    "verdict_never_trials", "verdict_needed", "verdict_needed_or", "verdict_some", "verdict_all", "note_too_few",
    "shown", "mean_of_groups", "sampled_rows", "verdict_groups_sure",
}  # fmt: skip


def test_one_of_a_kind_has_the_singular():
    """A number before a plural is `n`, by which `say` chooses the form."""
    counted = re.compile(
        r"\{(\w+)(?::,)?\} (?:segments|clusters|groups|trials|comparisons|resamples|cells|runs|systems|rows)\b"
    )
    for key, languages in TEXTS.items():
        forms = languages["en"] if isinstance(languages["en"], list) else [languages["en"]]
        names = [name for form in forms for name in counted.findall(form)]
        if key not in NEVER_ONE:
            assert not names or (len(forms) == 2 and set(names) == {"n"} and not counted.search(forms[0])), key
    said = say("verdict_never_trials", n=1, needs=19, has=18), say("gate_loops", system="a", n=1, limit="0")
    assert said == (
        "1 comparison needs 19 trials for a difference to be sure, and --trials is 18.",
        "a: 1 segment loops, above 0",
    )
    assert say("in_clusters", segments="3 segments", n=1).startswith("3 segments in 1 cluster, which is drawn")
