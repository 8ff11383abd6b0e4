"""Whole verdicts, sentence by sentence: three systems by two scores of which one is better where it is lower."""

import itertools
import math
import re

import pytest
from test_compare_script import outcome_of
from test_report_parts import Rate

from textgauge.programs.comparing import verdict
from textgauge.programs.comparing.people import People
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import CLUSTERS
from textgauge.programs.saying.texts import TEXTS, say

SCORES = {"bleu": {"a": 0.5, "b": 0.4, "c": 0.1}, "cer": {"a": 0.2, "b": 0.1, "c": 0.3}}
SURE = [("bleu", "a", "c"), ("bleu", "b", "c"), ("cer", "b", "c")]


def outcome(scores=SCORES, sure=SURE, groups=(), baseline=None):
    found = outcome_of(scores, sure, groups=groups)
    columns = [column._replace(metric=Rate()) if column.label == "cer" else column for column in found.columns]
    pairs = (
        found.comparisons if baseline is None else [c for c in found.comparisons if baseline in (c.system, c.against)]
    )
    return found._replace(columns=columns, comparisons=pairs, settings=found.settings._replace(baseline=baseline))


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


def test_three_systems_and_a_baseline():
    asked = [("bleu", "a", "b"), ("cer", "b", "a"), ("cer", "a", "c")]
    assert verdict.verdict(outcome(baseline="a")).lines == [
        "Significantly worse than a (Holm-corrected, α = 0.05): c on bleu.",
        "Not significantly different from a (α = 0.05): b.",
        *(opened(*case, 57) for case in asked),
    ]


def test_two_systems():
    two = {label: {name: of[name] for name in "ab"} for label, of in SCORES.items()}
    assert verdict.verdict(outcome(two, [("cer", "a", "b")])).lines == [
        "b is significantly better than a on cer (p = 0.0010, Holm-corrected, α = 0.05).",
        "a is better than b on bleu, but not significantly (p = 0.4000, Holm-corrected, α = 0.05).",
        "Difference, b minus a: bleu −0.1000 [−1.0000, 1.0000] and cer −0.1000 [−0.1500, −0.0500].",
        opened("bleu", "a", "b", 49),
    ]


def test_of_one_system_lower_is_said_of_the_score_where_it_is_so():
    [said] = verdict.verdict(outcome({"bleu": {"a": 0.5}, "cer": {"a": 0.2}}, [])).lines
    assert said == "One system, a: bleu 0.5000 and cer 0.2000 (lower is better)."
    [said] = verdict.verdict(outcome({"cer": {"a": 0.2}}, [])).lines
    assert said == "One system, a: cer 0.2000 (lower is better)."


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


def test_groups_in_which_nothing_can_be_significant():
    """Two of the 256 ways to swap eight segments are as far apart as can be; times eight groups that is 0.0625."""
    whole = {"bleu": {"a": 0.5, "b": 0.4}}
    groups = [(f"g{number}", whole, []) for number in range(8)]
    _, said = lines_of(with_units(outcome(whole, groups=groups), 64, 8))
    assert (
        "In a group, no difference can be significant: the largest has 8 segments; at least 9 segments are needed."
    ) in said
    for n_groups, units in ((6, 8), (8, 9)):
        _, said = lines_of(with_units(outcome(whole, groups=groups[:n_groups]), 64, units))
        assert "can be significant" not in said


def test_groups_that_are_clusters():
    """With one unit in each, all p-values are 1."""
    whole = {"bleu": {"a": 0.5, "b": 0.4}}
    found = with_units(outcome(whole, groups=[("x", whole, []), ("y", whole, [])]), 40, 1)
    labels = FileColumn("", ["x", "y"] * 20, "", "line", range(40))
    clustered = found.corpus._replace(columns={CLUSTERS: [labels]})
    found = found._replace(corpus=clustered)
    assert "the largest has 1 cluster; at least 7 clusters are needed." in lines_of(found)[1]


def test_groups_with_too_few_trials():
    whole = {"bleu": {"a": 0.5, "b": 0.4}}
    found = with_units(outcome(whole, groups=[("x", whole, []), ("y", whole, [])]), 100, 50)
    found = found._replace(settings=found.settings._replace(trials=30))
    assert (
        "For 2 comparisons in groups, a difference can be significant with 39 trials or more, but --trials is 30."
        in (lines_of(found)[1])
    )


def test_what_is_undefined_is_not_among_the_tests():
    """Six segments are enough for one test, and not for two."""
    scores = {"bleu": {"a": 0.5, "b": 0.4}, "cer": {"a": math.nan, "b": 0.1}}
    headline, said = lines_of(with_units(outcome(scores, [("bleu", "a", "b")]), 6))
    assert "significantly" in headline and "can be significant" not in said
    scores["cer"]["a"] = 0.2
    assert "at least 7 segments are needed" in lines_of(with_units(outcome(scores), 6))[1]


def test_metrics_that_can_never_be_significant_where_people_can():
    scores = {"human": {"a": 0.5, "b": 0.4}} | {f"m{n}": {"a": 0.5, "b": 0.4} for n in range(9)}
    found = with_units(outcome(scores, [("human", "a", "b")]), 8)
    assert (
        "With 8 segments, no difference by metrics can be significant; at least 9 segments are needed."
        in (lines_of(found)[1])
    )


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


def test_an_interval_and_a_test_that_disagree():
    """By p before and after Holm's method; an interval is of one difference, and has no correction."""
    by_test = "On bleu, an interval and the test of the same difference disagree; the test decides."
    by_correction = "Intervals are of one difference each; p is Holm-corrected for 1 test."
    for ends, p, corrected, wanted in (
        ([-0.2, 0.0], 0.01, 0.01, by_test),
        ([-0.2, -0.1], 0.3, 0.3, by_test),
        ([-0.2, -0.1], 0.3, 0.6, by_test),
        ([-0.2, -0.1], 0.03, 0.09, by_correction),
        ([-0.2, -0.1], 0.01, 0.03, ""),
        ([-0.2, 0.1], 0.3, 0.6, ""),
        ([math.nan, math.nan], 0.01, 0.01, ""),
    ):
        found = outcome({"bleu": {"a": 0.5, "b": 0.4}})
        p_values = {"p_randomization": p, "p_randomization_holm": corrected}
        compared = found.comparisons[0]._replace(confidence_interval=ends, **p_values)
        said = lines_of(found._replace(comparisons=[compared]))[1]
        assert [line for line in (by_test, by_correction) if line in said] == [wanted] * bool(wanted), (ends, p)


def test_that_intervals_are_not_corrected_is_said_once():
    """Six differences whose intervals exclude 0: a test of each alone finds them, and Holm's method finds none."""
    found = outcome(sure=[])
    comparisons = []
    for compared in found.comparisons:
        size = compared.difference
        ends = sorted([size / 2, 3 * size / 2])
        comparisons.append(compared._replace(confidence_interval=ends, p_randomization=0.03))
    said = lines_of(found._replace(comparisons=comparisons))[1]
    assert said.count("p is Holm-corrected for 6 tests.") == 1 and "disagree" not in said


def test_where_nothing_is_significant_the_headline_is_one_sentence():
    headline, _ = lines_of(outcome(sure=[]))
    assert headline == (
        "a, b and c do not differ significantly on any of the 2 metrics (p = 0.4000, Holm-corrected, α = 0.05)."
    )
    headline, _ = lines_of(outcome(sure=[], baseline="a"))
    assert headline == (
        "No system differs significantly from a on any of the 2 metrics (p = 0.4000, Holm-corrected, α = 0.05)."
    )
    two = {label: {name: of[name] for name in "ab"} for label, of in SCORES.items()}
    headline, _ = lines_of(outcome(two))
    assert headline == (
        "a and b do not differ significantly on any of the 2 metrics (p = 0.4000, Holm-corrected, α = 0.05)."
    )


METRICS_AND_PEOPLE = {
    "confirmed": ([("bleu", "a", "b"), ("human", "a", "b")], {"a": 5, "b": 4}, ""),
    "not confirmed": (
        [("bleu", "a", "b")],
        {"a": 4.1, "b": 4.2},
        " People do not confirm that: they do not rate a significantly better than b.",
    ),
    "a tie by people": (
        [("bleu", "a", "b")],
        {"a": 4, "b": 4},
        " People do not confirm that: they do not rate a significantly better than b.",
    ),
    "the other way round": (
        [("bleu", "a", "b"), ("human", "a", "b")],
        {"a": 4, "b": 5},
        " People disagree: they rate b significantly better than a.",
    ),
    "people alone": (
        [("human", "a", "b")],
        {"a": 5, "b": 4},
        " People see a difference: they rate a significantly better than b.",
    ),
    "nobody": ([], {"a": 4, "b": 5}, ""),
}


@pytest.mark.parametrize("case", METRICS_AND_PEOPLE)
def test_the_headline_says_where_people_and_metrics_disagree(case):
    sure, human, end = METRICS_AND_PEOPLE[case]
    headline, said = lines_of(outcome({"bleu": {"a": 0.5, "b": 0.4}, "human": human}, sure))
    assert headline.endswith(f"α = 0.05).{end}"), headline
    assert ("best" in said.split("People rate")[1]) and "otherwise" not in said


def test_ranks_by_people_say_that_lower_is_better():
    found = outcome({"bleu": {"a": 0.5, "b": 0.4}, "human": {"a": 1.2, "b": 1.7}})
    columns = [c._replace(metric=People(True)) if c.label == "human" else c for c in found.columns]
    said = lines_of(found._replace(columns=columns))[1]
    assert "People rate a best, but not significantly better than b (mean a 1.2 and b 1.7; lower is better)." in said


@pytest.mark.parametrize("baseline", [None, "a", "b", "c"])
def test_people_rate_best_what_was_compared(baseline):
    """With a baseline, a and c are compared with it and not with each other."""
    sure = [("human", *pair) for pair in itertools.combinations("abc", 2)]
    scores = {"bleu": SCORES["bleu"], "human": {"a": 5, "b": 3, "c": 1}}
    said = lines_of(outcome(scores, sure, baseline=baseline))[1]
    behind = "every other system" if baseline in (None, "a") else baseline
    assert f"People rate a best, significantly better than {behind} (mean a 5, b 3 and c 1; p = 0.0010" in said
