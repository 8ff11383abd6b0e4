"""What verdicts claim, held against a plain second program, in both languages; and faults planted in them are seen."""

import itertools
import random
import re
import warnings
from collections import Counter

import numpy as np
import pytest
from conftest import ROOT
from made_comparisons import made_comparison
from verdict_due import statements_due
from verdict_facts import LEVEL, Facts
from verdict_reading import forms, meaning, parts_of, texts_of
from verdict_stated import Statements

from textgauge.programs.comparing import verdict
from textgauge.programs.drawing.kinds import kind_rows
from textgauge.programs.saying import texts

SEED = 12
KINDS = ("notation", "loop", "filler", "spacing", "punctuation")


def made(count, seed):
    generator = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # made texts are odd on purpose
        return [made_comparison(generator) for _ in range(count)]


@pytest.fixture(scope="module")
def comparisons():
    return [Checked(comparison) for comparison in made(80, SEED)]


class Checked:
    """A comparison with what its verdict has to claim."""

    def __init__(self, comparison):
        self.comparison = comparison
        self.facts = Facts(comparison.outcome)
        self.due = Counter(statements_due(self.facts)) + Counter(kinds_due(comparison, self.facts))

    def read(self, language):
        """Returns what the verdict states in a language."""
        with texts.speaking(language):
            lines = verdict.verdict(self.comparison.outcome).lines
        return Statements(self.facts, language, lines)

    def defects(self, language):
        """Returns what is wrong with the verdict in a language."""
        read = self.read(language)
        said = Counter(read.found)
        for sentence in read.of_kinds:
            said.update(kinds_said(self.comparison, sentence))
        wrong = [f"{statement} is not true, or not due" for statement in said - self.due]
        return [*read.defects, *wrong, *(f"{statement} is missing" for statement in self.due - said)]


def defects(comparisons):
    """Yields what is wrong with texts and verdicts, in either language."""
    yield from (f"{key}: {unlike(key)}" for key in texts_of("verdict_") if unlike(key))
    for (number, checked), language in itertools.product(enumerate(comparisons), texts.LANGUAGES):
        yield from (f"comparison {number}, {language}: {defect}" for defect in checked.defects(language))


def unlike(key):
    """Returns what a text has in one language and not in the other."""
    english, korean = (meaning(key, language) for language in ("en", "ko"))
    return english ^ korean


def kinds_due(comparison, facts):
    """Yields what has to be said of kinds of errors, which are computed anew from the texts."""
    if len(facts.systems) == 1 or not facts.family(is_human=False):
        return
    computed = {scorer.label: (scorer, comparison.computed(scorer)) for scorer in comparison.error_rates}
    for system in facts.systems:
        for label, (_, results) in computed.items():
            result = results[system]
            if result["loop_edits"]:
                share = f"{result['loop_edits'] / result['edits']:.0%}"
                yield "loops", system, label, str(int(result["looping_segments"])), share
                break
    exact = set()
    for label, (scorer, results) in computed.items():
        found = first_that_turns(scorer, results)
        if found is not None and is_worth_saying(comparison, facts, scorer, *found):
            yield "forgiven", label, *found
            if found[0] == "notation":
                exact.add(spec_of(label))
    yield from (("exactly", spec) for spec in exact)


def is_worth_saying(comparison, facts, scorer, kind, better, best):
    """Returns whether one of the two differences is significant: with the kind, or without it."""
    is_sure = facts.is_sure(facts.cell(scorer.label, best, better))
    return is_sure or p_without(comparison, scorer, kind, better, best) <= LEVEL


def spec_of(label):
    """Returns how to score by a metric with readings, as a command has it."""
    name, *options = label.split(" ")
    return f"-m {name}:{','.join(dict.fromkeys([*options, 'readings=ko']))}"


def kinds_said(comparison, sentence):
    """Yields what a sentence on kinds of errors says of each score; its numbers only where they are wrong."""
    slots, who, than = sentence.slots, sentence.parts.get("who"), sentence.parts.get("than")
    if sentence.key == "verdict_loops":
        yield "loops", who, slots["metric"], slots["n"], slots["share"]
        return
    if sentence.key == "verdict_exactly":
        yield from (("exactly", spec) for spec in slots["specs"].replace(" and ", ", ").split(", "))
        return
    [kind] = [kind for kind in KINDS if slots["error"] in texts.TEXTS[f"kind_{kind}"].values()]
    scorers = {scorer.label: scorer for scorer in comparison.error_rates}
    p_values, shares = [], []
    is_right = True
    rates = [part.rsplit(" ", 3) for part in slots["rates"].replace(" and ", ", ").split(", ")]
    for label, *written in rates:
        results = comparison.computed(scorers[label])
        wanted = [f"{results[system][key_without(scorers[label], kind)]:.4f}" for system in (who, than)]
        is_right &= written[::2] == wanted
        p_values.append(p_without(comparison, scorers[label], kind, who, than))
        shares.append(results[who][f"{kind}_edits"] / results[who]["edits"])
    p_value = float(slots["p_value"].split()[-1])
    is_right &= abs(p_value - max(p_values)) < 0.02 and slots["share"] == f"{min(shares):.0%}"
    is_right &= sentence.is_significant == (p_value <= LEVEL)
    for label, *_ in rates:
        yield (
            ("forgiven", label, kind, who, than)
            if is_right
            else ("forgiven wrongly", str(sentence), *p_values, *shares)
        )


def key_without(scorer, kind):
    return f"{scorer.metric.name}_without_{'loops' if kind == 'loop' else kind}"


def first_that_turns(scorer, results):
    """Returns the first kind without which another system is best, that system, and the best one; None without."""
    rates = {system: result[scorer.metric.name] for system, result in results.items()}
    best = min(rates, key=rates.get)
    for kind in KINDS:
        without = {system: result[key_without(scorer, kind)] for system, result in results.items()}
        better = min(without, key=without.get)
        if rates[best] < rates[better] * (1 - 1e-9) and without[better] < without[best] * (1 - 1e-9):
            return kind, better, best
    return None


def p_without(comparison, scorer, kind, better, best):
    """Returns the p-value of the difference without a kind: of all ways to swap, or many."""
    pair = []
    for system in (better, best):
        columns = {"predictions": comparison.predictions[system], "references": comparison.references}
        rows = kind_rows(scorer.metric, columns, scorer.options)
        pair.append(rows.metric.without_kind(rows.values, kind, **rows.options))
    units = np.stack(pair, axis=1)
    clusters = comparison.outcome.corpus.clusters
    if clusters is not None:
        members = [np.array(clusters) == name for name in dict.fromkeys(clusters)]
        units = np.stack([units[is_of_cluster].sum(axis=0) for is_of_cluster in members])
    ways = np.random.default_rng(7).random((20_000, len(units))) < 0.5
    if len(units) <= 12:
        ways = np.array(list(itertools.product([False, True], repeat=len(units))))
    sums = np.einsum("wu,uij->wij", ~ways, units) + np.einsum("wu,uij->wij", ways, units[:, ::-1])
    whole = units.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = np.abs(np.subtract(*(sums[..., 0] / sums[..., 1]).T))
        observed = abs(np.subtract(*(whole[:, 0] / whole[:, 1])))
    return float((~(sizes < observed * (1 - 1e-9))).mean())


def test_verdicts_claim_what_is_due_and_nothing_else(comparisons):
    assert not list(defects(comparisons))


@pytest.mark.slow
def test_more_verdicts_claim_what_is_due():
    assert not list(defects(map(Checked, made(1000, SEED + 1))))


def test_each_kind_of_sentence_that_is_left_out_is_missed(comparisons):
    """What it states is not stated by others."""
    kinds = set()
    for checked, language in itertools.product(comparisons, texts.LANGUAGES):
        read = checked.read(language)
        kinds |= read.by_kind.keys() | {sentence.key.removeprefix("verdict_") for sentence in read.of_kinds}
        for kind, found in read.by_kind.items():
            rest = Counter(read.found) - Counter(found)
            assert not found or checked.due - rest, kind
    assert len(kinds) >= 25, kinds


def turned_texts():
    """Yields texts with a fault: two names exchanged, a denial dropped, better for worse."""
    for key, language in itertools.product(texts_of("verdict_"), texts.LANGUAGES):
        for form in forms(key, language):
            parts = parts_of(form, language)
            if {"who", "than"} <= parts.keys():
                names = {parts["who"]: parts["than"], parts["than"]: parts["who"]}
                yield (
                    key,
                    language,
                    re.sub(r"\{(\w+)\}", lambda slot, names=names: f"{{{names.get(slot[1], slot[1])}}}", form),
                )
            for right, wrong in WRONG_WORDS[language]:
                if re.search(right, form):
                    yield key, language, re.sub(right, wrong, form, count=1)


WRONG_WORDS = {
    "en": [
        (r"(but )?not significantly", "significantly"),
        (" better than", " worse than"),
        ("worse", "better"),
        ("(No|Not|cannot) ", "All "),
        ("best", "worst"),
    ],
    "ko": [
        ("하지는 않습니다|하지 않습니다|하지 않음", "합니다"),
        ("없습니다", "있습니다"),
        ("보다 (유의하게 |통계적으로 유의하게 )?좋", r"보다 \1나쁘"),
        ("나쁜", "좋은"),
        ("가장 좋", "가장 나쁘"),
    ],
}


def test_each_text_that_is_turned_round_is_found():
    turned = list(turned_texts())
    assert len(turned) > 60
    for key, language, text in turned:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(texts.TEXTS[key], language, text)
            assert unlike(key), (key, language, text)


def test_claims_are_documented(comparisons):
    """Each kind in the table of docs/compare.md, with each of its facts."""
    text = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    rows = [re.findall(r"`(\w+)`", line) for line in text.splitlines() if line.startswith("| `")]
    documented = [set(row) for row in rows]
    for checked in comparisons:
        for claim in verdict.claims_of(checked.comparison.outcome).lines:
            kind = claim.kind.removesuffix("_in_groups")
            assert any({kind, *claim.facts} <= row for row in documented), claim
