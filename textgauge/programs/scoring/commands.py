"""What the scripts that score files have in common: corpus and metrics from their options, and messages."""

import glob
import itertools
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import typer

from textgauge.core.number_columns import NUMBERS, RATINGS
from textgauge.core.other_names import close_text
from textgauge.meetings.resegmenting import UNITS

from ..drawing.kinds import ERRORS, RowsOfKinds, errors_in_result, errors_in_rows, has_kinds, kind_rows
from ..errors import InputError
from ..reading.columns import said_what
from ..reading.compressed import known_encoding
from ..reading.corpora import SAMPLE, SAMPLE_TITLE, file_corpora, read_sample, table_corpora
from ..reading.corpus import CLUSTERS, IDS, Corpus, Empty, check_corpus
from ..reading.doubts import doubts
from ..reading.named_columns import NamedColumns
from ..saying.session_text import takes_sessions
from ..saying.texts import say
from .blind_scores import Blind
from .console import messages as messages
from .console import note
from .options import InputOptions
from .outputs import Results
from .specs import Scorer, load_metric, load_scorers, metric_of

_SHOWN = ("sources", IDS, CLUSTERS)  # columns that reports show, or that the bootstrap draws
_ADDRESS = re.compile(r"(?:[^=/]*=)?\s*(?:https?|ftp|s3|gs)://")  # with a name before it, or without
_SHOWN_FILES = 5  # of a pattern
_SYSTEM = "system"  # as data with a row for each segment and system call it
_WEIGHTS = SAMPLE.with_name("es_ko_weights.tsv")
_SAMPLE_METRICS = ["bleu", "bleu:tokenizer=char", f"weighted_bleu:tokenizer=char,weights={_WEIGHTS}"]


def find_corpora(options: InputOptions, specs: Sequence[str] | None) -> Callable[[int | None], Iterator[Corpus]]:
    """Returns a function that reads the input of the options, or the sample, this number of segments at once or all.

    Args:
        options: of a call of score.py, compare.py or verify.py.
        specs: the metrics, which say what a column holds.

    Raises:
        InputError: options that contradict one another.
    """
    predictions = options.predictions or []
    references = options.references or []
    data, split = options.data, options.split
    named = _named_columns(options, specs or [])
    encoding = known_encoding(options.encoding)
    for path in filter(_ADDRESS.match, [*predictions, *references, *([data] if data else [])]):
        raise InputError(f"{path} is an address; download it, and pass the file")
    _check_alone("--predictions", predictions)
    _check_alone("--references", references)
    if data:
        if predictions or references:
            raise InputError("pass either --data or --predictions and --references")
        if named.ids is not None and not named.cut_by:
            raise InputError(f"--id-column {named.ids}: it matches the rows of several files, but --data is one file")
        return lambda size: table_corpora(data, split, named, size, encoding)
    if named.human or split:
        raise InputError("--human-column and --split need --data FILE")
    if predictions and len(named.predictions) > 1:
        raise InputError("the tables of several systems share one --prediction-column; several need --data FILE")
    if predictions:
        return lambda size: file_corpora(predictions, references, named, size, encoding)
    if references or any(named):
        raise InputError("there are no predictions; add --predictions FILE, or --data FILE")
    return lambda size: iter([read_sample()])


def _check_alone(flag: str, paths: Sequence[str]) -> None:
    """Raises InputError for the names of several files in place of one, as a list or as a pattern of the shell."""
    for path in paths:
        if os.path.exists(path):
            continue
        listed = re.split(r"[\s,]+", path)
        several = listed if all(map(os.path.isfile, listed)) else sorted(glob.glob(path))
        if several:
            repeated = shlex.join(part for file in several[:_SHOWN_FILES] for part in (flag, file))
            raise InputError(f"{flag} {path:.200}: an option takes one file; repeat it: {repeated}")


def _named_columns(options: InputOptions, specs: Sequence[str]) -> NamedColumns:
    """Returns the columns that the options name and the metrics take."""
    metrics = {spec: load_metric(metric_of(spec)) for spec in specs}
    has_sessions = _are_of_sessions(metrics)
    n_systems = max(len(options.predictions or []), len(options.prediction_column or []))
    groups = _groups(options, is_several=n_systems > 1)
    unit = _unit(options.align_segments, has_sessions)
    numbers = _columns_of_numbers(metrics.values())
    return NamedColumns(
        predictions=options.prediction_column or [],
        references=options.reference_column or [],
        human=options.human_column or [],
        others=options.column or [],
        groups=groups,
        ids=options.id_column,
        has_sessions=has_sessions,
        cut_by=unit,
        numbers=numbers,
    )


def _columns_of_numbers(metrics: Iterable[Any]) -> set[str]:
    """Returns the columns of these metrics that hold numbers; a script by path has its own copy of the kinds."""
    checks = {NUMBERS.check.__name__, RATINGS.check.__name__}
    names = set()
    for metric in metrics:
        for name, kind in metric.COLUMNS.items():
            if kind.check.__name__ in checks:
                names.add(name)
    return names


def scores_sessions(specs: Sequence[str] | None) -> bool:
    """Returns whether these metrics score sessions; InputError as `_are_of_sessions` raises it."""
    return _are_of_sessions({spec: load_metric(metric_of(spec)) for spec in specs or []})


def _are_of_sessions(metrics: Mapping[str, Any]) -> bool:
    """Returns whether metrics score sessions; InputError where some do, and others score segments."""
    takes = {spec: takes_sessions(metric.COLUMNS["predictions"]) for spec, metric in metrics.items()}
    if len({*takes.values()}) > 1:
        of_sessions = next(spec for spec in takes if takes[spec])
        of_segments = next(spec for spec in takes if not takes[spec])
        raise InputError(f"--metric {of_sessions} scores sessions, and --metric {of_segments} segments; use two calls")
    return any(takes.values())


def _unit(unit: str | None, has_sessions: bool) -> str | None:
    """Returns the unit by which predictions are segmented again; InputError for an unknown unit, and for sessions."""
    if unit is not None and has_sessions:
        raise InputError("--align-segments does not apply to sessions: the texts of each speaker are joined anyway")
    if unit is not None and unit not in UNITS:
        raise InputError(f"--align-segments {unit}: pass one of {', '.join(UNITS)}")
    return unit


def group_names(given: Sequence[str] | None) -> list[str]:
    """Returns the names in --group-by, each once."""
    names = (name.strip() for several in given or [] for name in several.split(","))
    return list(dict.fromkeys(filter(None, names)))


def _groups(options: InputOptions, is_several: bool) -> list[str]:
    """Returns the columns to group by; of several systems, which are apart anyway, "system" names none."""
    names = group_names(options.group_by)
    is_column = any(given.startswith(f"{_SYSTEM}=") for given in options.column or [])
    return [name for name in names if name != _SYSTEM or is_column or not is_several]


def choose_scorers(corpus: Corpus, specs: Sequence[str] | None, confidence: float | None) -> list[Scorer]:
    """Returns the metrics, checked against the corpus: BLEU by default, three metrics for the sample."""
    scorers = load_scorers(specs or (_SAMPLE_METRICS if corpus.title == SAMPLE_TITLE else ["bleu"]), confidence)
    check_corpus(corpus, scorers)
    taken = {*_SHOWN, *corpus.groups, *(name for scorer in scorers for name in scorer.metric.COLUMNS)}
    for name in corpus.columns:
        if name not in taken:
            if name == "references":
                alone = ", ".join(scorer.label for scorer in scorers)
                raise InputError(f"--references: no metric takes it: {alone} scores predictions alone; leave it out")
            raise InputError(f"--column {name}=...: no metric takes it{close_text(name, taken)}")
    if corpus.clusters is None:
        return scorers
    takes = {scorer.label for scorer in scorers if "clusters" in scorer.metric.OPTIONS}
    return [
        scorer._replace(options={**scorer.options, "clusters": corpus.clusters}) if scorer.label in takes else scorer
        for scorer in scorers
    ]


def hidden_signs(scorer: Scorer, columns: dict[str, Any]) -> dict[str, Any]:
    """Returns `hidden_signs` of a result: segments that an error rate says are equal, and whose numbers are not."""
    find = getattr(scorer.metric, "hidden_signs", None)
    signs = find(**columns, **scorer.options) if find else {}
    return {"hidden_signs": signs} if signs else {}


def add_kinds(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> RowsOfKinds:
    """Adds the kinds of errors to the results of error rates, of all runs of a system together; returns their rows.

    These are those of all runs, one after the other.
    """
    rows: RowsOfKinds = {}
    told = [scorer for scorer in scorers if has_kinds(scorer.metric)]
    for scorer, system in itertools.product(told, corpus.systems):
        runs = [corpus.columns_of(scorer.metric, system, run) for run in range(corpus.n_runs)]
        columns: dict[str, list[Any]] = {}
        for name in runs[0]:
            columns[name] = list(itertools.chain(*[run[name] for run in runs]))
        rows[system, scorer.label] = kind_rows(scorer.metric, columns, scorer.options)
    add_errors(rows, results, corpus.size)
    return rows


def add_errors(rows: RowsOfKinds, results: Results, size: int) -> None:
    """Adds to results what rows with the kinds of errors say; `size` is the number of segments."""
    for (system, label), own in rows.items():
        if errors := errors_in_rows(own):
            if heaviest := errors["heaviest_segment"]:  # of one run
                heaviest[0] = (heaviest[0] - 1) % size + 1
            results[system][label][ERRORS] = errors


def add_kinds_of_rows(scorers: Sequence[Scorer], results: Results) -> None:
    """Adds the kinds of errors to those results of error rates that come from rows with them."""
    told = [scorer for scorer in scorers if has_kinds(scorer.metric) and scorer.options.get("detailed")]
    for scorer, of_system in itertools.product(told, results.values()):
        if errors := errors_in_result(scorer.metric, of_system[scorer.label]):
            of_system[scorer.label][ERRORS] = errors


def print_notes(corpus: Corpus, scorers: Sequence[Scorer], empty: Empty, blind: Iterable[Blind]) -> None:
    """Says on standard error what reading decided, what looks wrong, what is empty, and which scores cannot tell."""
    gaps = []
    for (_, what, key), (place, count) in empty.items():
        gaps.append(say(key, place=place, what=said_what(what), n=count))
    is_sclite = any(scorer.options.get("sclite") for scorer in scorers)
    weighted = [scorer for scorer in scorers if scorer.metric.name == "weighted_bleu"]
    plain = [say("note_no_weights", label=scorer.label) for scorer in weighted if not scorer.options.get("weights")]
    for text in (*corpus.notes, *doubts(corpus, is_sclite), *gaps, *plain, *(score.sentence() for score in blind)):
        note(say("note_line", text=text))


def end_by_gates(failed: Sequence[str], remarks: Sequence[str] = ()) -> None:
    """Says on standard error which gates failed, with remarks, and ends with exit code 1 where one did."""
    if not failed:
        return
    for message in failed:
        note(say("failed_line", text=message))
    for remark in remarks:
        note(say("note_line", text=remark))
    raise typer.Exit(1)
