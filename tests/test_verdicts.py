"""Whole verdicts, sentence by sentence: three systems by two scores of which one is better where it is lower."""

import math
import re

from hypothesis import given
from hypothesis import strategies as st
from test_compare_script import outcome_of
from test_report_parts import Rate

from textgauge.programs.comparing import verdict
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
    "shown", "mean_of_groups", "sampled_rows", "verdict_groups_sure", "app_many_rows",
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


def of_groups(whole, *groups, sure=(), **fields):
    """Returns the first sentence of a verdict, and the one about groups, which are x, y, z in their order."""
    named = [(name, scores, certain) for name, (scores, certain) in zip("xyz", groups, strict=False)]
    said = verdict.verdict(outcome(whole, sure, named)._replace(**fields))
    return said.headline, said.details[-1]


def test_groups_of_systems_that_tie_in_all_segments():
    tie, ours, theirs = ({"bleu": {"a": a, "b": b}} for a, b in ((0.5, 0.5), (0.9, 0.1), (0.1, 0.9)))
    is_sure = [("bleu", "a", "b")]
    headline, groups = of_groups(tie, (ours, is_sure), (theirs, is_sure))
    assert headline == (
        "a and b have the same scores. But in x a is surely better than b by bleu (0.8000). "
        "But in y b is surely better than a by bleu (0.8000)."
    )
    assert groups == (
        "By domain (2 groups): in x a is best by bleu; in y b is best by bleu. "
        "2 of 2 differences are sure after Holm over all 2."
    )
    headline, groups = of_groups(tie, (tie, []), (tie, []))
    assert headline == "a and b have the same scores."
    assert groups.startswith("By domain (2 groups): a and b share the best score in each group. 0 of 2")


def test_groups_where_scores_disagree_on_the_best_system():
    same = {"bleu": SCORES["bleu"], "chrf": SCORES["bleu"], "cer": SCORES["cer"]}
    _, groups = of_groups(same, (same, []), (same, []))
    assert groups.startswith("By domain (2 groups): a is best by bleu and chrf in each group; b is best by cer in each")
    same["cer"] = {"a": 0.1, "b": 0.2, "c": 0.3}
    _, groups = of_groups(same, (same, []), (same, []))
    assert "): a is best by bleu, chrf and cer in each group. 0 of 18" in groups
    _, groups = of_groups({"cer": same["cer"]}, ({"cer": same["cer"]}, []))
    assert "(1 group): a is best in each group. 0 of 3" in groups


def test_groups_where_a_score_is_undefined():
    """Not to be compared is not to agree, and what is not tested is not in Holm's number."""
    whole, gone = {"bleu": {"a": 0.5, "b": 0.4}}, {"bleu": {"a": math.nan, "b": 0.4}}
    headline, groups = of_groups(whole, (gone, []), (whole, [("bleu", "a", "b")]))
    assert groups == ("By domain (2 groups): in x bleu is undefined for a. The one difference is sure.")
    assert "But" not in headline
    three = {"bleu": {**gone["bleu"], "c": 0.6}}
    _, groups = of_groups({"bleu": {**whole["bleu"], "c": 0.1}}, (three, []))
    assert "in x bleu is undefined for a; in x c is best by bleu. The one difference is not sure" in groups
    _, groups = of_groups({"bleu": {**gone["bleu"], "c": 0.1}}, ({"bleu": {**gone["bleu"], "c": 0.1}}, []))
    assert "(1 group): b is best in each group. The one difference is not sure" in groups
    none = {"bleu": {"a": math.nan, "b": math.nan}}
    _, groups = of_groups(whole, (none, []))
    assert groups == "By domain (1 group): in x bleu is undefined for a and b."


def test_groups_of_systems_that_cannot_be_compared_in_all_segments():
    gone, found = {"bleu": {"a": math.nan, "b": 0.4}}, {"bleu": {"a": 0.5, "b": 0.4}}
    said = verdict.verdict(outcome(gone, groups=[("x", found, [("bleu", "a", "b")]), ("y", gone, [])]))
    assert said.lines == [
        "The systems cannot be compared: their scores are undefined. "
        "But in x a is surely better than b by bleu (0.1000).",
        "By domain (2 groups): in x a is best by bleu. The one difference is sure.",
    ]
    said = verdict.verdict(outcome(gone, groups=[("y", gone, [])]))
    assert said.lines == ["The systems cannot be compared: their scores are undefined."]


def test_more_than_six_sentences_about_groups():
    whole, other = {"bleu": {"a": 0.5, "b": 0.4}}, {"bleu": {"a": 0.4, "b": 0.5}}
    for count, end in ((6, "in g5 b is best by bleu. 0"), (8, "in g5 b is best by bleu; the tables have 2 more. 0")):
        groups = [(f"g{number}", other, []) for number in range(count)]
        assert end in verdict.verdict(outcome(whole, groups=groups)).details[-1]


def test_people_are_counted_by_themselves_in_groups():
    scores = {"bleu": {"a": 0.5, "b": 0.4}, "human": {"a": 5, "b": 4}}
    _, groups = of_groups(scores, (scores, [("human", "a", "b")]), (scores, []))
    assert groups.endswith(
        "0 of 2 differences are sure after Holm over all 2. By people 1 of 2 is sure after Holm over these 2."
    )


NUMBERS = st.sampled_from([0.1, 0.2, 0.3, 0.1 + 0.2, math.nan])
OF_SYSTEMS = st.fixed_dictionaries(dict.fromkeys("abc", NUMBERS))
OF_SCORES = st.fixed_dictionaries({"bleu": OF_SYSTEMS, "cer": OF_SYSTEMS})


def best_of(label, scores):
    """Slow and obvious: those that no other one is better than, of those that have a score."""
    sign = -1 if label == "cer" else 1
    rounded = {name: sign * round(value, 9) for name, value in scored(label, scores).items()}
    return sorted(name for name, value in rounded.items() if value >= max(rounded.values()))


def scored(label, scores):
    return {name: value for name, value in scores[label].items() if not math.isnan(value)}


def said_names(text):
    return sorted(re.findall(r"\b[abc]\b", text))


@given(OF_SCORES, st.lists(OF_SCORES, min_size=1, max_size=3))
def test_each_sentence_about_groups_is_true(whole, groups):
    named = dict(zip(["g1", "g2", "g3"], groups, strict=False))
    found = verdict.verdict(outcome(whole, groups=[(name, scores, []) for name, scores in named.items()]))
    for line in (line for line in found.lines if line.startswith("By domain")):
        [sentences] = re.findall(r"groups?\): (.*?)\. ?(?:\d|The one|$)", line)
        parts = [part for part in sentences.split("; ") if not part.startswith("the tables")]
        for part in parts:
            if undefined := re.fullmatch(r"in (g\d) (\w+) is undefined for (.*)", part):
                scores = named[undefined[1]][undefined[2]]
                assert all(math.isnan(scores[name]) for name in said_names(undefined[3]))
            elif best := re.fullmatch(r"in (g\d) (.*) (?:is best|share the best score) by (\w+)", part):
                assert said_names(best[2]) == best_of(best[3], named[best[1]]) != best_of(best[3], whole)
            else:
                best = re.fullmatch(r"(.*) (?:is best|share the best score) by (.*) in each group", part)
                for label in best[2].split(" and "):
                    for scores in (whole, *groups):
                        assert best_of(label, scores) == said_names(best[1])
        of_best = {tuple(re.findall(r"in (g\d) .* by (\w+)$", part)) for part in parts if " by " in part}
        differing = {
            ((name, label),)
            for label in whole
            for name, scores in named.items()
            if best_of(label, scores) != best_of(label, whole) and len(scored(label, scores)) > 1
        }
        assert len(parts) == 6 or differing == of_best - {()}
