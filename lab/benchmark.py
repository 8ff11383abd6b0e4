"""Compares our metrics with every peer that is installed, and prints tables.

    python -m lab.benchmark --hf-metrics DIR --json result.json --markdown result.md

Both sides score the same texts in alternating rounds; a ratio is the median of the rounds' ratios, with the smallest
and largest behind it, and above 1 where ours is faster. Nothing is downloaded.
"""

import functools
import itertools
import json
import os
from pathlib import Path
from typing import Annotated

import evaluate
import typer
from rich.console import Console
from rich.table import Table

from lab.benchmarking.comparisons import COMPARISONS
from lab.benchmarking.corpus import LANGUAGES, Corpus, make_corpus, read_corpus
from lab.benchmarking.measure import Row
from lab.benchmarking.measured import keep, three_digits
from lab.benchmarking.session import Alike, Disagreement, Report, Setting
from lab.peers.peer import Unavailable

SIZES = (2_000, 20_000, 200_000)
NOTE = (
    "A ratio is a side's time by ours in the same round: the median, and the smallest and largest; above 1 ours is "
    "faster. CPU adds up all threads (ours and bleuscore use several). A side that takes 10 s is timed in one round. "
    "Rounds are warm: HF bleu and sacrebleu's interval keep the tokens of the last 65,536 sentences, as when a model "
    "is evaluated again and again, our rouge the stems of as many words. `first` is the run before, with empty caches. "
    "HF rouge is its mean (use_aggregator=False), equal to ours; its default is the median of a random bootstrap, the "
    "side HF rouge, bootstrap."
)
COLUMNS = ["language", "segments", "side", "us/segment", "segments/s", "first us", "ratio", "min-max", "CPU ratio"]


def main(
    segments: Annotated[int, typer.Option(min=2, help="Segments per comparison.")] = 20_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after one to warm up.")] = 5,
    languages: Annotated[str, typer.Option(help="Made corpora to use, with commas.")] = ",".join(LANGUAGES),
    only: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(COMPARISONS)}; repeatable.")] = None,
    data: Annotated[Path | None, typer.Option(help="JSON lines with prediction and references.", exists=True)] = None,
    hf_metrics: Annotated[
        Path | None, typer.Option(help="Folder with Hugging Face's bleu/bleu.py, rouge/rouge.py, ...")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the made corpora.")] = 12345,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the report as JSON.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown.")] = None,
    quick: Annotated[bool, typer.Option(help="Tiny sizes, to see that it runs.")] = False,
    million: Annotated[bool, typer.Option(help="Measure growth up to 1,000,000 segments.")] = False,
    keep_rows: Annotated[
        bool, typer.Option("--keep", help="Use one thread, and keep the results for the README.")
    ] = False,
    all_threads: Annotated[
        bool, typer.Option(help="With --keep: use the threads that each library takes by default.")
    ] = False,
) -> None:
    """Compares our metrics with their peers."""
    if keep_rows and not all_threads:  # what ours and libraries in Rust read
        os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
    if all_threads and not keep_rows:
        raise typer.BadParameter("--all-threads goes with --keep; without it all threads are used anyway")
    unknown = [name for name in only or () if name not in COMPARISONS]
    unknown += [name for name in languages.split(",") if name not in LANGUAGES]
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: pass some of {', '.join([*COMPARISONS, *LANGUAGES])}")
    if hf_metrics:  # what lab.peers.hugging_face reads, here and in the processes whose memory is measured
        os.environ["HF_METRICS"] = str(hf_metrics.resolve())
    evaluate.disable_progress_bar()
    corpus = _from_file(read_corpus(data)) if data else _made(seed)
    if quick:
        setting = Setting(corpus, segments=50, rounds=1, sizes=(20, 50))
    else:
        setting = Setting(corpus, segments, rounds, sizes=SIZES + (1_000_000,) * million)
    report = run(setting, ["data"] if data else languages.split(","), only or list(COMPARISONS))
    show(report)
    write(report, json_file, markdown)
    if keep_rows:
        keep(report)
    if report.failed:
        Console(stderr=True).print(*report.failed, sep="\n", style="red")
        raise typer.Exit(1)


def _made(seed: int):
    """Returns a source of made segments, which remembers the last two corpora."""
    return functools.lru_cache(2)(functools.partial(make_corpus, seed=seed))


def _from_file(corpus: Corpus):
    """Returns a source of segments that takes them from a file."""

    def source(language: str, segments: int, references: int) -> Corpus:
        if min(map(len, corpus.references)) < references:
            raise Unavailable(f"{references} references: not all rows of the file have as many")
        return Corpus(corpus.predictions[:segments], [row[:references] for row in corpus.references[:segments]])

    return source


def run(setting: Setting, languages: list[str], names: list[str]) -> Report:
    """Returns the report of these comparisons in these languages."""
    report = Report()
    console = Console(stderr=True)
    for name in names:
        for language in languages:
            with console.status(f"{name}, {language}"):
                try:
                    COMPARISONS[name](report, setting, language)
                except Unavailable as reason:
                    report.skipped[str(reason)] = None
                except Disagreement as error:
                    report.failed.append(str(error))
    return report


def as_json(report: Report) -> dict[str, list]:
    """Returns the report as plain data."""
    data: dict[str, list] = {}
    data["rows"] = [row._asdict() for row in report.rows]
    data["memory"] = [peak._asdict() for peak in report.memory]
    data["alike"] = [row._asdict() for row in report.alike]
    data["skipped"] = list(report.skipped)
    data["notes"] = list(report.notes)
    data["failed"] = report.failed
    return data


def tables(report: Report) -> list[tuple[str, list[str], list[list[str]]]]:
    """Returns title, columns and cells of each table that has rows."""
    speed: dict[str, list[list[str]]] = {}
    for row in report.rows:
        speed.setdefault(row.comparison, []).append(_cells(row))
    found = [(name, COLUMNS, cells) for name, cells in speed.items()]
    if report.alike:
        sides = list(dict.fromkeys(row.side for row in report.alike))
        found.append(("pairs with CER 0", ["kind", "category", "pairs", *sides], _alike_cells(report.alike)))
    if report.memory:
        peaks = [
            [peak.language, f"{peak.segments:,}", peak.side, three_digits(peak.megabytes)] for peak in report.memory
        ]
        found.append(("peak memory above the texts", ["language", "segments", "side", "MB"], peaks))
    return found


def _alike_cells(alike: list[Alike]) -> list[list[str]]:
    """Returns kind, category, number of pairs and what each side finds."""
    cells = []
    for category, rows in itertools.groupby(alike, lambda row: row[:3]):
        counts = [str(row.alike) for row in rows]
        cells.append([*map(str, category), *counts])
    return cells


def _cells(row: Row) -> list[str]:
    """Returns the cells of one side of a comparison."""
    times = [
        three_digits(row.us_per_segment),
        f"{row.segments_per_second:,.0f}",
        three_digits(row.first_us_per_segment),
    ]
    ratios = [
        three_digits(row.ratio),
        f"{three_digits(row.ratio_min)}-{three_digits(row.ratio_max)}",
        three_digits(row.cpu_ratio),
    ]
    return [row.language, f"{row.segments:,}", row.side, *times, *ratios]


def show(report: Report) -> None:
    """Prints the tables, what was skipped, and notes."""
    console = Console()
    for title, columns, rows in tables(report):
        table = Table(*columns, title=title)
        for cells in rows:
            table.add_row(*cells)
        console.print(table)
    for line in [*report.notes, *(f"skipped: {reason}" for reason in report.skipped), NOTE]:
        console.print(line, highlight=False, markup=False)
    largest: dict[str, float] = {}
    for row in report.rows:
        largest[row.side] = max(row.difference or 0.0, largest.get(row.side, 0.0))
    differences = ", ".join(f"{side} {difference:.0e}" for side, difference in largest.items() if difference)
    console.print(f"largest difference of a score from ours: {differences or 'none'}", highlight=False)


def write(report: Report, json_file: Path | None, markdown: Path | None) -> None:
    """Writes the files that were asked for."""
    if json_file:
        json_file.write_text(json.dumps(as_json(report), ensure_ascii=False, indent=1), encoding="utf-8")
    if markdown:
        markdown.write_text("\n\n".join(map(_markdown, tables(report))) + f"\n\n{NOTE}\n", encoding="utf-8")


def _markdown(table: tuple[str, list[str], list[list[str]]]) -> str:
    title, columns, rows = table
    lines = [columns, ["---"] * len(columns), *rows]
    table_text = "\n".join([f"| {' | '.join(cells)} |" for cells in lines])
    return f"**{title}**\n\n{table_text}"


if __name__ == "__main__":
    typer.run(main)
