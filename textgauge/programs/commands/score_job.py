"""What score.py does, for the options that it was given.

What only some calls need is imported where it is used: most calls score a few files, and last as long as the imports.
"""

import functools
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import typer

from textgauge.core import progress

from ..comparing.records import Outcome, Settings
from ..drawing.kinds import RowsOfKinds, has_kinds
from ..errors import InputError, input_errors_of
from ..reading.corpus import BATCH, Corpus, Empty, check_rows, count_empty
from ..reading.data_digests import Data
from ..reporting.origin import versions
from ..saying.option_values import per_segment as per_segment_option
from ..saying.texts import counting_sessions, say
from ..saying.values import in_percent
from ..scoring.blind_scores import blind_scores
from ..scoring.commands import (
    add_kinds,
    add_kinds_of_rows,
    choose_scorers,
    end_by_gates,
    find_corpora,
    hidden_signs,
    messages,
    print_notes,
    scores_sessions,
)
from ..scoring.console import note
from ..scoring.options import ScoreOptions
from ..scoring.outputs import STDOUT, Results, by_headline, csv_text, json_text, write_files
from ..scoring.row_writing import row_targets, write_rows
from ..scoring.specs import Scorer, load_metric, with_option
from ..scoring.tables import print_help, print_judges, print_kinds, print_score_notes, print_scores, print_segments

_RESAMPLES, _SEED = 1000, 12345  # of the comparison, as compare.py has them by default


def score_files(options: ScoreOptions, command: str) -> None:
    """Scores, prints and writes.

    Args:
        options: of the call.
        command: how it was called, for the report.
    """
    progress.hide_off_terminals()
    with messages():
        if options.help_metric is not None:
            print_help(load_metric(options.help_metric))
            raise typer.Exit
        has_sessions = scores_sessions(options.metric)
    with counting_sessions(has_sessions):
        _score_files(options, command)


def _score_files(options: ScoreOptions, command: str) -> None:
    """Does the same for options that name metrics of one kind."""
    with messages():
        _check_files(options)
        gates = _gates(options)
        corpora = find_corpora(options, options.metric)
        is_stream = _is_stream(options)
        corpus = _first(corpora, is_stream, options)
        confidence = None if options.no_confidence else options.confidence
        scorers = choose_scorers(corpus, options.metric, confidence)
        check_rows(corpus, options.explain or [])
        targets = row_targets(options.rows, list(corpus.systems), scorers, is_stream)
        if is_stream:
            results, empty, kinds, data = _score_batches(corpora, scorers, options, targets)
            corpus = corpus._replace(data=data)
        else:
            results, empty, kinds = _score_at_once(corpus, scorers, options)
        outcome = None if is_stream else _compare(options, corpus, scorers, results, kinds, confidence)
        columns = by_headline(scorers, results)
        is_whole = not is_stream or corpus.size < BATCH
        blind = blind_scores(corpus, *columns, is_whole)
        outcome = outcome and outcome._replace(blind=blind)
        failed = _failures(gates, Outcome(corpus, _settings(confidence), *columns, [], blind=blind))
        shown, shown_outcome = _shown(options, columns, outcome)
        of_paper = shown_outcome or Outcome(corpus, _settings(confidence), *shown, [])
        paper = functools.partial(_paper, options, of_paper)
        report = functools.partial(_report, options, corpus, *shown, kinds, shown_outcome, command, failed)
        if not is_stream and targets:
            write_rows(targets, corpus, scorers, _rows_of(corpus, scorers), kinds)
        printed = _write(options, corpus, results, columns, outcome, report, paper, failed)
    unsaid = () if outcome and printed is None else blind.values()  # a verdict says them, where it is printed
    print_notes(corpus, scorers, empty, unsaid)
    if is_stream:
        _note_kinds(options.metric or [], scorers)
    _print(options, corpus, scorers, shown, shown_outcome, printed)
    end_by_gates(failed)


def _rows_of(corpus: Corpus, scorers: Sequence[Scorer]) -> dict[tuple[str, str], np.ndarray]:
    """Returns the rows of each system by each metric, by system and label."""
    from ..comparing.rows import compute_rows

    rows = compute_rows(corpus, scorers)
    return {(system, label): own for system in corpus.systems for label, own in rows.of_system(system).items()}


def _shown(
    options: ScoreOptions, columns: tuple[list[Scorer], Results], outcome: Outcome | None
) -> tuple[tuple[list[Scorer], Results], Outcome | None]:
    """Returns columns and outcome as they are printed: in percent where that is asked for."""
    if not options.percent:
        return columns, outcome
    from ..comparing.percent import outcome_in_percent
    from ..scoring.percent import results_in_percent

    scorers, results = columns
    return (scorers, results_in_percent(scorers, results)), outcome and outcome_in_percent(outcome)


def _note_kinds(specs: Sequence[str], scorers: Sequence[Scorer]) -> None:
    """Says how the kinds of errors are counted without all texts at once, for the first error rate that can."""
    for spec, scorer in zip(specs, scorers, strict=False):  # without specs BLEU is scored
        if has_kinds(scorer.metric) and not scorer.options.get("detailed"):
            spec = shlex.quote(with_option(spec, "detailed=true"))
            note(say("note_line", text=say("kinds_stream", spec=spec)))
            return


def _first(corpora: Callable[[int | None], Iterator[Corpus]], is_stream: bool, options: ScoreOptions) -> Corpus:
    """Returns the corpus, with its digests where a file has them, or its first batch."""
    corpus = next(corpora(BATCH if is_stream else None))
    if corpus.runs:
        name = next(iter(corpus.runs))
        raise InputError(
            f"--predictions {name}=... is given twice; compare.py takes runs of a system, score.py does not"
        )
    if is_stream and corpus.clusters:
        raise InputError("clusters need all texts at once; leave out --stream")
    if not is_stream and any((options.rows, options.json, options.html)):
        corpus = corpus.with_data()
    return corpus._replace(is_human_lower_better=options.human_lower_is_better or corpus.is_human_lower_better)


def _score_at_once(corpus: Corpus, scorers: list[Scorer], options: ScoreOptions) -> tuple[Results, Empty, RowsOfKinds]:
    """Returns the scores of a corpus, how many of its texts are empty, and rows with the kinds of errors."""
    results = score_corpus(corpus, scorers, per_segment=options.per_segment or options.html is not None)
    kinds = add_kinds(corpus, scorers, results)
    return results, count_empty(corpus, {}), kinds


def _score_batches(
    corpora: Callable[[int | None], Iterator[Corpus]],
    scorers: list[Scorer],
    options: ScoreOptions,
    folders: Mapping[str, Path],
) -> tuple[Results, Empty, RowsOfKinds, Data]:
    """Returns the same of a corpus that is read batch by batch, but no rows, and which data it is."""
    from ..scoring.streams import score_stream

    if gates := _gates(options):
        from ..comparing.gates import check_loops_of_stream

        check_loops_of_stream(gates, scorers)
    results, empty, data = score_stream(lambda: corpora(BATCH), scorers, options.workers, folders)
    add_kinds_of_rows(scorers, results)
    return results, empty, {}, data


def _gates(options: ScoreOptions) -> list[Any]:
    """Returns the limits of --fail-below."""
    if not options.fail_below:
        return []
    from ..comparing.gates import parse_limits

    return parse_limits(options.fail_below)


def _failures(gates: Sequence[Any], outcome: Outcome) -> list[str]:
    """Returns a message for each system that fails a gate."""
    if not gates:
        return []
    from ..comparing.gates import failures

    return failures(gates, outcome)


def _is_stream(options: ScoreOptions) -> bool:
    """Returns whether to read batch by batch; InputError for what needs all texts at once."""
    is_stream = options.stream or options.workers > 1
    if is_stream:
        _check_stream(options)
    return is_stream


def _check_files(options: ScoreOptions) -> None:
    """Raises InputError for options of files that contradict one another."""
    if options.app is not None:
        from ..reporting.app_links import check_app

        check_app(options.app, options.html)


def _check_stream(options: ScoreOptions) -> None:
    """Raises InputError for what needs all texts at once."""
    if options.html or options.per_segment or options.human_column or options.explain or options.group_by:
        needing = "--html, --per-segment, --human-column, --group-by and --explain need"
        raise InputError(f"{needing} all texts at once; leave out --stream")


def _print(
    options: ScoreOptions,
    corpus: Corpus,
    scorers: Sequence[Scorer],
    columns: tuple[list[Scorer], Results],
    outcome: Outcome | None,
    printed: str | None,
) -> None:
    """Prints the results, or the file that is asked for instead."""
    if printed is not None:
        typer.echo(printed, nl=False)
        return
    with in_percent(options.percent):
        _print_tables(options, corpus, scorers, columns, outcome)


def _print_tables(
    options: ScoreOptions,
    corpus: Corpus,
    scorers: Sequence[Scorer],
    columns: tuple[list[Scorer], Results],
    outcome: Outcome | None,
) -> None:
    if outcome:
        from ..comparing.tables import print_groups, print_table, print_verdict
    if outcome and outcome.comparisons:
        print_table(outcome, *columns)
        print_verdict(outcome, is_short=not options.html)
    else:
        print_scores(corpus, *columns)
    print_score_notes(corpus, *columns)
    if options.per_segment and not options.json and not options.csv:
        print_segments(corpus, *columns)
    print_kinds(*columns)
    print_judges(*columns)
    if outcome and outcome.groups:
        print_groups(outcome)
    if options.explain:
        from ..scoring.printed_explanations import print_explanations

        print_explanations(corpus, scorers, [number - 1 for number in options.explain])


def score_corpus(corpus: Corpus, scorers: Sequence[Scorer], per_segment: bool) -> Results:
    """Returns the result of each metric for each system, with its signature."""
    work = [(system, scorer) for system in corpus.systems for scorer in scorers]
    results: Results = {system: {} for system in corpus.systems}
    for system, scorer in progress.tqdm(work, desc="scoring", unit="score", delay=2, leave=False):
        given = corpus.columns_of(scorer.metric, system)
        extra = per_segment_option(scorer.metric) if per_segment else {}
        with input_errors_of(f"{scorer.label}, {system}"):
            result = scorer.metric.compute(**given, **{**scorer.options, **extra})
        result.update(hidden_signs(scorer, given))
        signature = scorer.metric.signature(references=given.get("references"), **scorer.options)
        results[system][scorer.label] = {**result, "signature": signature}
    return results


def _compare(
    options: ScoreOptions,
    corpus: Corpus,
    scorers: Sequence[Scorer],
    results: Results,
    kinds: RowsOfKinds,
    confidence: float | None,
) -> Outcome | None:
    """Returns the results of groups and the differences of systems; None without both."""
    # without references a model scores, which takes too long to do it twice unasked
    has_pairs = len(corpus.systems) > 1 and "references" in corpus.columns
    if not options.group_by and (confidence is None or not (options.html or has_pairs)):
        return None
    from ..comparing.engine import compare
    from ..comparing.forgiven import with_kinds
    from ..comparing.people import people_of

    people = people_of(corpus)
    outcome = compare(corpus, [*scorers, *people], _settings(confidence), with_partial=not options.group_by)
    if not outcome or len(outcome.columns) == len(people):
        return None
    return with_kinds(outcome, by_headline(scorers, results)[1], kinds)


def _settings(confidence: float | None) -> Settings:
    return Settings(None, confidence, _RESAMPLES, None, _SEED)


def _write(
    options: ScoreOptions,
    corpus: Corpus,
    results: Results,
    columns: tuple[list[Scorer], Results],
    outcome: Outcome | None,
    report: Callable[[], str],
    paper: Callable[[], dict[Path, str]],
    failed: Sequence[str],
) -> str | None:
    """Writes all files that are asked for, and returns the text for the terminal if one of them is "-"."""
    texts, groups = {}, outcome.groups if outcome else []
    if options.json:
        failures = failed if options.fail_below else None
        texts[options.json] = json_text(corpus, results, options.per_segment, groups, failures)
    if options.csv:
        texts[options.csv] = csv_text(corpus, columns[1], options.per_segment, groups)
    if options.html:
        texts[options.html] = report()
    texts.update(paper())
    write_files(texts)
    return texts.get(STDOUT)


def _paper(options: ScoreOptions, outcome: Outcome) -> dict[Path, str]:
    """Returns the files that have the table as papers print it."""
    if not options.markdown and not options.latex:
        return {}
    from ..comparing.paper import paper_latex, paper_markdown

    texts = {}
    with in_percent(options.percent):
        if options.markdown:
            texts[options.markdown] = paper_markdown(outcome)
        if options.latex:
            texts[options.latex] = paper_latex(outcome)
    return texts


def _report(
    options: ScoreOptions,
    corpus: Corpus,
    columns: Sequence[Scorer],
    results: Results,
    kinds: RowsOfKinds,
    outcome: Outcome | None,
    command: str,
    failed: Sequence[str],
) -> str:
    """Returns the report as HTML."""
    from ..reporting.pages import bilingual
    from ..reporting.report import report_html

    origin = {"command": command, "versions": versions()}
    with in_percent(options.percent):
        return bilingual(
            lambda: report_html(corpus, columns, results, kinds, options.segments, outcome, origin, options.app, failed)
        )
