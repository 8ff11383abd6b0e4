"""Whole verdicts, sentence by sentence: three systems by two scores of which one is better where it is lower."""

import math
import re

from test_compare_script import outcome_of
from test_report_parts import Rate

from textgauge.programs.comparing import verdict
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import CLUSTERS
from textgauge.programs.saying.texts import TEXTS, say

SCORES = {"bleu": {"a": 0.5, "b": 0.4, "c": 0.1}, "cer": {"a": 0.2, "b": 0.1, "c": 0.3}}
SURE = [("bleu", "a", "c"), ("bleu", "b", "c"), ("cer", "b", "c")]


def outcome(scores=SCORES, sure=SURE, groups=()):
    found = outcome_of(scores, sure, groups=groups)
    columns = [column._replace(metric=Rate()) if column.label == "cer" else column for column in found.columns]
    return found._replace(columns=columns)


BEST = [
    "a is best on bleu, but not significantly better than b (Holm-corrected, α = 0.05).",
    "b is best on cer, but not significantly better than a (Holm-corrected, α = 0.05).",
]


def opened(label, better, worse, needed):
    """Says what a difference of .1 takes that a test of 40 segments would find alone, among several tests."""
    size = f"about {needed} segments would be needed to detect the difference; there are 40."
    return f"{label}, {better} and {worse}: {size}"


def test_three_systems():
    asked = [("bleu", "a", "b"), ("cer", "b", "a"), ("cer", "a", "c")]
    assert verdict.verdict(outcome()).lines == [*BEST, *(opened(*case, 62) for case in asked)]


def test_groups():
    talk = {"bleu": {"a": 0.3, "b": 0.6, "c": 0.1}, "cer": {"a": 0.4, "b": 0.5, "c": 0.2}}
    groups = [("news", SCORES, SURE), ("talk", talk, [("bleu", "a", "b"), ("cer", "b", "c")])]
    assert verdict.verdict(outcome(groups=groups)).short == [
        *BEST,
        "But in talk b is significantly better than a on bleu (0.3000).",
        "But in talk c is significantly better than b on cer (0.3000).",
    ]


# more than one by what they say, or a constant
NEVER_ONE = {
    "verdict_too_few_trials", "verdict_too_few_trials_in_groups", "verdict_needed", "verdict_needed_or_fewer",
    "note_too_few", "note_too_few_groups", "legend_few_runs", "shown",
    "mean_of_groups", "sampled_rows", "app_many_rows",
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
    said = (
        say("verdict_too_few_trials", family="", n=1, needs=19, has=18),
        say("gate_loops", system="a", n=1, limit="0"),
    )
    assert said == (
        "For 1 comparison, a difference can be significant with 19 trials or more, but --trials is 18.",
        "a: 1 segment loops, above 0",
    )
    assert say("in_clusters", segments="3 segments", n=1).startswith("3 segments in 1 cluster, drawn")


def test_groups_of_systems_that_cannot_be_compared_in_all_segments():
    gone, found = {"bleu": {"a": math.nan, "b": 0.4}}, {"bleu": {"a": 0.5, "b": 0.4}}
    said = verdict.verdict(outcome(gone, groups=[("x", found, [("bleu", "a", "b")]), ("y", gone, [])]))
    assert said.lines == [
        "The systems cannot be compared: their scores are undefined.",
        "But in x a is significantly better than b on bleu (0.1000).",
    ]
    said = verdict.verdict(outcome(gone, groups=[("y", gone, [])]))
    assert said.lines == ["The systems cannot be compared: their scores are undefined."]


def lines_of(found):
    """Returns the sentences that must not be left out, and the others, as texts."""
    said = verdict.verdict(found)
    return " ".join(said.short), "\n".join([*said.details, *said.open_cases])


def with_units(found, units, of_groups=None):
    """Returns an outcome whose comparisons are of so many segments."""

    def changed(comparisons, count):
        return [comparison._replace(units=count) for comparison in comparisons]

    groups = [group._replace(comparisons=changed(group.comparisons, of_groups)) for group in found.groups]
    return found._replace(comparisons=changed(found.comparisons, units), groups=groups)


def test_groups_that_are_clusters():
    """With one unit in each, all p-values are 1."""
    whole = {"bleu": {"a": 0.5, "b": 0.4}}
    found = with_units(outcome(whole, groups=[("x", whole, []), ("y", whole, [])]), 40, 1)
    labels = FileColumn("", ["x", "y"] * 20, "", "line", range(40))
    clustered = found.corpus._replace(columns={CLUSTERS: [labels]})
    found = found._replace(corpus=clustered)
    assert "the largest has 1 cluster; at least 7 clusters are needed." in lines_of(found)[1]


def test_the_best_of_those_that_have_a_score():
    scores = {"bleu": {"a": 0.5, "b": 0.4, "c": math.nan}}
    headline, _ = lines_of(outcome({**scores, "cer": SCORES["cer"]}, [("bleu", "a", "b"), *SURE]))
    assert "a is best on bleu, significantly better than b (p" in headline
    scores = {"bleu": {"a": 0.5, "b": math.nan, "c": math.nan}, "cer": SCORES["cer"]}
    headline, said = lines_of(outcome(scores, SURE))
    assert "Only a can be scored on bleu." in headline and "nan" not in said


def test_many_undefined_scores():
    names = "abcdef"
    scores = {"bleu": dict.fromkeys(names, math.nan), "cer": {name: 0.1 * place for place, name in enumerate(names)}}
    said = lines_of(outcome(scores))[1]
    assert "bleu: c, b and 9 more." in said and "..." not in said


def test_an_infinite_end_of_an_interval():
    found = outcome({"bleu": {"a": 0.5, "b": 0.4}})
    compared = found.comparisons[0]._replace(confidence_interval=[-math.inf, 0.0])
    assert "bleu −0.1000 [−∞, 0.0000]." in lines_of(found._replace(comparisons=[compared]))[1]
