"""What compare.py does, for the options that it was given."""

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields

import typer

from textgauge.core import progress

from ..comparing.engine import compare, compare_rows
from ..comparing.files_of_rows import KeptRows, read_kept_rows
from ..comparing.forgiven import with_kinds
from ..comparing.gates import failures, parse_gates
from ..comparing.options import CompareOptions
from ..comparing.percent import outcome_in_percent
from ..comparing.records import Outcome, Settings
from ..comparing.tables import print_comparisons, print_table, print_verdict
from ..comparing.texts import json_text, latex_text, markdown_text
from ..errors import InputError
from ..reading.corpus import Corpus, count_empty
from ..reporting.app_links import check_app
from ..reporting.comparison import report_html
from ..reporting.origin import command_line, versions
from ..reporting.pages import bilingual
from ..saying.texts import counting_sessions, say
from ..saying.values import in_percent
from ..scoring.blind_scores import Blind, blind_of_rows, blind_scores
from ..scoring.commands import (
    add_errors,
    add_kinds,
    choose_scorers,
    end_by_gates,
    find_corpora,
    group_names,
    hidden_signs,
    messages,
    print_notes,
    scores_sessions,
)
from ..scoring.console import note
from ..scoring.options import InputOptions
from ..scoring.outputs import STDOUT, write_files
from ..scoring.specs import Scorer
from ..scoring.tables import print_kinds, print_score_notes

_OF_TEXTS = ("metric", "app", *(field.name for field in fields(InputOptions)))  # options that rows leave no choice of


def compare_files(options: CompareOptions, context: typer.Context) -> None:
    """Compares, prints and writes.

    Args:
        options: of the call.
        context: how it was called, for the report, and which options were given.
    """
    progress.hide_off_terminals()
    if options.rows:
        given = [name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"]
        with messages():
            _check_rows_alone([name for name in given if name in _OF_TEXTS])
    _compare(options, command_line(context, "compare.py"))


def _check_rows_alone(others: Sequence[str]) -> None:
    """Raises InputError for options that do not fit rows, which replace outputs."""
    if others:
        shown = ", ".join(f"--{name.replace('_', '-')}" for name in others)
        raise InputError(f"--rows takes no option for outputs or metrics, which the file names; leave out {shown}")


def _compare(options: CompareOptions, command: str) -> None:
    with messages():
        check_app(options.app, options.html)
        gates = parse_gates(options.fail_below or [], options.baseline)
        settings = Settings(options.baseline, options.confidence, options.resamples, options.trials, options.seed)
        kept = read_kept_rows(options.rows, group_names(options.group_by), settings) if options.rows else None
        has_sessions = scores_sessions(options.metric) if kept is None else kept.has_sessions
    with counting_sessions(has_sessions):
        with messages():
            outcome, say_notes = _of_outputs(options, settings) if kept is None else _of_rows(kept, settings)
            failed = failures(gates, outcome)
            shown = outcome_in_percent(outcome) if options.percent else outcome
            printed = _write(options, outcome, shown, failed, command)
        say_notes(() if printed is None else outcome.blind.values())  # the verdict says them, where it is printed
        if printed is not None:
            typer.echo(printed, nl=False)
        else:
            with in_percent(options.percent):
                _print(shown)
        end_by_gates(failed, [say("gate_again")] if any(gate.limit is None for gate in gates) else [])


def _of_outputs(options: CompareOptions, settings: Settings) -> tuple[Outcome, Callable[[Iterable[Blind]], None]]:
    """Compares outputs; also returns a function that prints notes on them and on scores that cannot tell."""
    corpus = next(find_corpora(options, options.metric)(None))
    if options.json or options.html or options.markdown or options.latex:
        corpus = corpus.with_data()
    scorers = _load_scorers(corpus, options.metric, settings)
    outcome = compare(corpus, scorers, settings)
    _add_signs(corpus, scorers, outcome)
    kinds = add_kinds(corpus, scorers, outcome.results)
    outcome = with_kinds(outcome, outcome.results, kinds)
    outcome = outcome._replace(blind=blind_scores(corpus, outcome.columns, outcome.results))
    return outcome, functools.partial(print_notes, corpus, scorers, count_empty(corpus, {}))


def _of_rows(kept: KeptRows, settings: Settings) -> tuple[Outcome, Callable[[Iterable[Blind]], None]]:
    """Returns the same of files of rows."""
    _check_baseline(kept.corpus, settings)
    outcome = compare_rows(kept.corpus, kept.rows, settings)
    add_errors(kept.kinds, outcome.results, kept.corpus.size)
    outcome = with_kinds(outcome, outcome.results, kept.kinds)
    blind = blind_of_rows(outcome.columns, outcome.results, kept.rows.scores(kept.rows.values))
    # people's scores are a column of the outcome
    outcome = outcome._replace(blind=blind, corpus=kept.corpus._replace(human={}))

    def say_notes(blind: Iterable[Blind]) -> None:
        if kept.left_out:
            note(say("note_line", text=say("rows_left_out", labels=", ".join(kept.left_out))))
        for score in blind:
            note(say("note_line", text=score.sentence()))

    return outcome, say_notes


def _print(outcome: Outcome) -> None:
    """Prints the table of scores, the verdict and all other tables."""
    print_table(outcome, outcome.columns, outcome.results)
    print_verdict(outcome)
    print_score_notes(outcome.corpus, outcome.columns, outcome.results)
    print_kinds(outcome.columns, outcome.results)
    print_comparisons(outcome)


def _add_signs(corpus: Corpus, scorers: Sequence[Scorer], outcome: Outcome) -> None:
    """Adds to results of error rates how many segments differ only in marks inside numbers, in the worst run."""
    for scorer, system in itertools.product(scorers, corpus.systems):
        runs = (corpus.columns_of(scorer.metric, system, run) for run in range(corpus.n_runs))
        signs = (hidden_signs(scorer, columns) for columns in runs)
        if worst := max(signs, key=lambda of_run: of_run.get("hidden_signs", {}).get("segments", 0)):
            outcome.results[system][scorer.label].update(worst)


def _check_baseline(corpus: Corpus, settings: Settings) -> None:
    if settings.baseline is not None and settings.baseline not in corpus.systems:
        raise InputError(f"--baseline {settings.baseline}: the systems are {', '.join(corpus.systems)}")


def _load_scorers(corpus: Corpus, specs: Sequence[str] | None, settings: Settings) -> list[Scorer]:
    """Returns the metrics, checked against the corpus, which must have two systems and the baseline."""
    _check_baseline(corpus, settings)
    if len(corpus.systems) < 2:
        raise InputError(f"there is one system, {next(iter(corpus.systems))}; a comparison needs two")
    scorers = []
    for scorer in choose_scorers(corpus, specs, settings.confidence):
        own = {name for name in ("resamples", "seed", "per_segment") if name in scorer.options}
        if own or scorer.options["confidence"] != settings.confidence:
            name = next(iter(sorted(own)), "confidence")
            raise InputError(f"--metric {scorer.label}: {name} is the same for all metrics here; pass --{name}")
        options = {"resamples": settings.resamples, "seed": settings.seed}
        scorers.append(scorer._replace(options={**scorer.options, **options}))
    return scorers


def _write(
    options: CompareOptions, outcome: Outcome, shown: Outcome, failed: Sequence[str], command: str
) -> str | None:
    """Writes all files that are asked for, and returns the text for the terminal if one of them is "-".

    `shown` is the outcome as tables have it, maybe in percent; JSON has fractions.
    """
    texts = {}
    if options.json:
        texts[options.json] = json_text(outcome, failed)
    with in_percent(options.percent):
        if options.markdown:
            texts[options.markdown] = markdown_text(shown)
        if options.latex:
            texts[options.latex] = latex_text(shown)
        if options.html:
            origin = {"command": command, "versions": versions()}
            texts[options.html] = bilingual(lambda: report_html(shown, failed, origin, options.app))
    write_files(texts)
    return texts.get(STDOUT)
