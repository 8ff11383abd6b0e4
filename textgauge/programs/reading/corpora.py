"""The bundled sample, and one file or dataset with columns, to corpora."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import textgauge

from ..errors import InputError
from ..saying.texts import say
from .columns import FileColumn, check_readable, column_names, first_records, is_table, numbers_of, read_column_batches
from .compressed import UTF8
from .corpus import CLUSTERS, Corpus, without_reference_gaps
from .file_parts import epochs_note
from .logs import ID
from .matching import FilePart, ids_of
from .named_columns import NamedColumns, others_of, pair_of, pairs_of
from .recognisers import PREDICTED, SAID, is_manifest
from .records import is_of_epochs
from .segments import check_whole, cut_at_references, cut_note

SAMPLE = textgauge.SAMPLES / "es_ko_sample.jsonl"
SAMPLE_TITLE = say("sample_title")
_SAMPLE_SYSTEMS = ["GoogleTranslate", "KakaoI"]


def read_sample() -> Corpus:
    """Returns the bundled sample."""
    human = [f"{system}=rank_{system}" for system in _SAMPLE_SYSTEMS]
    named = NamedColumns(_SAMPLE_SYSTEMS, ["reference"], human, ["ids=segment"])
    corpus = next(table_corpora(str(SAMPLE), None, named, None))
    return corpus._replace(title=SAMPLE_TITLE, note=say("sample_note"), is_human_lower_better=True)


def table_corpora(
    source: str, split: str | None, named: NamedColumns, size: int | None, encoding: str = UTF8
) -> Iterator[Corpus]:
    """Yields a corpus of one file or dataset with columns, `size` segments at once; all of them for None.

    Args:
        source, split, encoding: as `read_column_batches` takes them.
        named: its columns.
        size: segments of a batch.
    """
    if named.has_ratings and not named.references:
        # the scores by people are what a judge's are compared with
        scores = [pair_of(name, "")[1] for name in named.human]
        named = named._replace(references=list(dict.fromkeys(scores)), human=())
    named, notes = _of_manifest(source, named, encoding)
    human = _human_columns(named)
    further = others_of(named)
    if CLUSTERS not in further and is_of_epochs(source, encoding):
        notes.append(epochs_note(source))
        further[CLUSTERS] = ID
    names = [*named.predictions, *named.references, *human.values()]
    names += [*further.values(), *named.groups]
    if named.cut_by:
        check_whole(size)
        names += filter(None, [named.ids])
    names = list(dict.fromkeys(names))
    for table in read_column_batches(source, names, split, size, encoding):
        systems = {name: table[name] for name in named.predictions}
        columns = {}
        if named.references:
            columns["references"] = [table[name] for name in named.references]
        for kind, name in further.items():
            columns[kind] = [table[name]]
        scores = {system: numbers_of(table[name]) for system, name in human.items()}
        groups = {name: table[name].texts() for name in named.groups}
        title = Path(source).name
        corpus = Corpus(title, systems, columns, scores, note="", groups=groups, notes=notes)
        if named.cut_by:
            corpus = _cut(corpus, table.get(named.ids), named.cut_by)
        corpus = corpus.with_numbers(named.numbers)
        # where a rater's score is missing, the metric says what that means
        yield corpus if named.has_ratings else without_reference_gaps(corpus)


def _human_columns(named: NamedColumns) -> dict[str, str]:
    """Returns the column with people's scores of each system; InputError for a system that there is not."""
    only = named.predictions[0] if len(named.predictions) == 1 else None
    human = pairs_of("--human-column", named.human, only)
    unknown = [system for system in human if system not in named.predictions]
    if unknown:
        raise InputError(f"--human-column {unknown[0]}=...: the systems are {', '.join(named.predictions)}")
    return human


def _cut(corpus: Corpus, documents: FileColumn | None, unit: str) -> Corpus:
    """Returns a corpus whose predictions are cut where its first references are."""
    ids = documents and ids_of(documents)
    n_systems = len(corpus.systems)
    references = corpus.columns.get("references", [])[:1]
    columns = [*corpus.systems.values(), *references]
    parts = [FilePart({"": column}, None, documents=ids) for column in columns]
    cut_parts = cut_at_references(parts, n_systems, None, unit)[:n_systems]
    systems = {name: part.scored for name, part in zip(corpus.systems, cut_parts, strict=True)}
    note = cut_note(systems, columns[-1], unit)
    return corpus._replace(systems=systems, notes=[*corpus.notes, note])


def _of_manifest(source: str, named: NamedColumns, encoding: str) -> tuple[NamedColumns, list[str]]:
    """Returns the columns of a file, or of a manifest if none are named, and a note on that."""
    if named.predictions:
        return named, []
    check_readable(source)
    if not are_manifests([source], encoding):
        has = f"; it has {', '.join(column_names(first_records(source, encoding)))}" if is_table(source) else ""
        raise InputError(f"--data {source} needs --prediction-column NAME{has}")
    references = named.references or [SAID]
    note = say("note_manifest", prediction=PREDICTED, references=", ".join(references), path=source)
    return named._replace(predictions=[PREDICTED], references=references), [note]


def are_manifests(paths: Sequence[str], encoding: str) -> bool:
    """Returns whether all files are manifests of recordings."""
    for path in paths:
        if not is_table(path) or not Path(path).is_file():
            return False
        if not is_manifest(first_records(path, encoding)):
            return False
    return True
