"""Checks what verdicts say of kinds of errors, on comparisons that are made at random; `--help` says how.

Each sentence is read as a reader does, and each of its numbers is computed anew from what `compute` returns for the
texts of a system.
"""

import random
import re
import warnings
from collections import Counter
from typing import Annotated, Any, NamedTuple

import typer

from textgauge.core import progress
from textgauge.programs.comparing.engine import compare
from textgauge.programs.comparing.forgiven import loops, once_forgiven, with_kinds
from textgauge.programs.comparing.records import Outcome, Settings
from textgauge.programs.drawing.kinds import ERRORS
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.scoring.commands import add_kinds, choose_scorers
from textgauge.programs.scoring.console import run

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

_PIECES = (
    "가나",
    "책 ",
    "닭이 ",
    "닥이 ",
    "는 ",
    "학교에서 ",
    " ",
    ".",
    ", ",
    "음 ",
    "어 ",
    "네 " * 10,
    "감사합니다 " * 4,
)
_FORMS = (("3%", "삼 퍼센트"), ("10,000원", "만 원"), ("2024년", "이천이십사년"), ("LG", "엘지"), ("3개", "세 개"))
_SPECS = (
    *("cer", "cer", "cer:preset=jiwer", "cer:readings=ko", "cer:aggregate=mean", "cer:bounded=true", "cer:unit=jamo"),
    *("wer", "wer", "wer:readings=ko", "wer:compounds=merge", "wer:bounded=true"),
)
_KINDS = {
    "notation": "notation",
    "loops": "loop",
    "fillers": "filler",
    "spacing": "spacing",
    "punctuation": "punctuation",
}
_FORGIVEN = re.compile(
    r"But with ([a-z]+) forgiven, (\w) is (?:significantly better than (\w)|better than (\w), but not significantly) "
    r"\(.* (\d+\.\d{4}) < (\d+\.\d{4}); p [=<] (\d\.\d{4})\): (\d+)% of its edits are of that kind\."
)
_LOOPS = re.compile(r"(\w) loops in (\d+) segments?; surplus repeats are (\d+)% of its edits \(.*\)\.")
_NEARLY = 1e-9  # relative; rates that differ by less are the same


class Made(NamedTuple):
    """A comparison of two systems by one metric."""

    outcome: Outcome
    results: dict[str, dict[str, Any]]  # what `compute` returns for each system


def _make(generator: random.Random) -> Made:
    """Returns a comparison of texts that are put together at random."""
    references, systems = [], {"a": [], "b": []}
    for _ in range(generator.randrange(1, 9)):
        parts = [
            generator.choice(_PIECES if generator.random() < 0.7 else _FORMS) for _ in range(generator.randrange(7))
        ]
        references.append("".join(part if isinstance(part, str) else generator.choice(part) for part in parts))
        for texts in systems.values():
            texts.append("".join(_said(part, generator) for part in parts))
    files = {name: FileColumn("", texts, "", "line", range(len(texts))) for name, texts in systems.items()}
    corpus = Corpus("", files, {"references": [FileColumn("", references, "", "line", range(len(references)))]}, {}, "")
    [scorer] = choose_scorers(corpus, [generator.choice(_SPECS)], 0.95)
    outcome = compare(corpus, [scorer], Settings(None, 0.95, 10, 100, 1))
    outcome = with_kinds(outcome, outcome.results, add_kinds(corpus, [scorer], outcome.results))
    options = {name: value for name, value in scorer.options.items() if name != "confidence"} | {"detailed": True}
    results = {
        name: scorer.metric.compute(predictions=texts, references=references, **options)
        for name, texts in systems.items()
    }
    return Made(outcome, results)


def _said(part: str | tuple[str, str], generator: random.Random) -> str:
    """Returns what a system says for a part of a reference."""
    chance = generator.random()
    if chance < 0.1:
        return generator.choice(_PIECES)
    if chance < 0.15:
        return ""
    said = part if isinstance(part, str) else generator.choice(part)
    return f"음 {said}" if chance < 0.2 else said


def _defects(made: Made) -> list[str]:
    """Returns what is wrong with the sentences and numbers of a comparison."""
    name = made.outcome.columns[0].metric.name
    defects = _defects_of_kinds(made, name) + _defects_of_loops(made)
    sentences = [sentence for sentence in once_forgiven(made.outcome) if sentence.startswith("But")]
    expected = _first_that_turns(made, name)
    if not sentences:
        return defects + [f"{expected} is not said"] * (expected is not None)
    found = _FORGIVEN.fullmatch(sentences[0])
    if found is None or expected is None:
        return [*defects, f"{sentences[0]!r}, and expected is {expected}"]
    kind, better, *names, first, second, p_value, percent = found.groups()
    numbers = [first, second, p_value, percent]
    best = names[0] or names[1]
    if (_KINDS[kind], better, best) != expected:
        defects.append(f"{sentences[0]!r}, and expected is {expected}")
    rates = [made.results[system][_key(name, _KINDS[kind])] for system in (better, best)]
    edits = made.results[better]
    share = edits[f"{_KINDS[kind]}_edits"] / edits["edits"] if edits["edits"] else 0.0
    if numbers[:2] != [f"{rate:.4f}" for rate in rates] or numbers[3] != f"{share:.0%}"[:-1]:
        defects.append(f"{sentences[0]!r}, and the rates are {rates}, the share {share}")
    return defects


def _key(name: str, kind: str) -> str:
    return f"{name}_without_{'loops' if kind == 'loop' else kind}"


def _is_below(first: float, second: float) -> bool:
    return first < second - _NEARLY * max(abs(first), abs(second)) if second < float("inf") else first < second


def _first_that_turns(made: Made, name: str) -> tuple[str, str, str] | None:
    """Returns the first kind without which the other system is best, that system, and the best one; None without."""
    rates = {system: result[name] for system, result in made.results.items()}
    if not (_is_below(rates["a"], rates["b"]) or _is_below(rates["b"], rates["a"])):
        return None
    best = min(rates, key=rates.get)
    other = "b" if best == "a" else "a"
    for kind in _KINDS.values():
        if _is_below(*(made.results[system][_key(name, kind)] for system in (other, best))):
            return kind, other, best
    return None


def _defects_of_kinds(made: Made, name: str) -> list[str]:
    """Returns what is wrong with the tables of kinds."""
    defects = []
    for system, result in made.results.items():
        errors = made.outcome.results[system][made.outcome.columns[0].label].get(ERRORS, {})
        rows = errors.get("kinds", [])
        if sum(edits for _, edits, *_ in rows) != result["edits"]:
            defects.append(f"{system}: kinds add up to another number than {result['edits']} edits")
        for kind, edits, share, rate in rows:
            is_right = edits == result[f"{kind}_edits"] > 0 and share == edits / result["edits"]
            if not is_right or rate != result[_key(name, kind)] or _is_below(result[name], rate):
                defects.append(f"{system}: {kind} has {edits} edits, {share:.0%}, {rate} without")
    return defects


def _defects_of_loops(made: Made) -> list[str]:
    """Returns what is wrong with the sentences about loops."""
    expected = []
    for system, result in made.results.items():
        if result["loop_edits"]:
            share = result["loop_edits"] / result["edits"]
            percent = f"{share:.0%}".removesuffix("%")
            expected.append((system, str(result["looping_segments"]), percent))
    found = [match.groups() for match in map(_LOOPS.fullmatch, loops(made.outcome)) if match]
    return [] if found == expected else [f"loops are {expected}, and said is {loops(made.outcome)}"]


@app.command()
def main(
    count: Annotated[int, typer.Option(min=1, help="How many comparisons.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Of the texts.")] = 1,
) -> None:
    """Make comparisons of two systems, and check each sentence and number about kinds of errors.

    Prints how often each kind turned a ranking round, and each defect; ends with code 1 where there is one.
    """
    warnings.simplefilter("ignore")  # made texts are odd on purpose
    progress.hide_off_terminals()
    generator = random.Random(seed)
    said: Counter[str] = Counter()
    n_defects = 0
    for number in progress.tqdm(range(count), delay=2, leave=False):
        made = _make(generator)
        said.update(f"{forgiven.kind} forgiven" for forgiven in made.outcome.forgiven)
        said.update(["loops"] * len(loops(made.outcome)))
        for defect in _defects(made):
            n_defects += 1
            typer.echo(f"comparison {number}, {made.outcome.columns[0].label}: {defect}")
    said_text = ", ".join(f"{what} {times}" for what, times in sorted(said.items()))
    typer.echo(f"{count} comparisons; sentences: {said_text or 'none'}; {n_defects} defects")
    if n_defects:
        raise typer.Exit(1)


if __name__ == "__main__":
    run(app)
