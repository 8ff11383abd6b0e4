"""Compares systems by the metrics of this repository, with tests of significance; `compare.py --help` says how."""

import typer

from ..comparing.options import CompareOptions
from ..saying.texts import speaking
from .dataclass_options import takes_options
from .unknown_options import FileCommand

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=FileCommand)
@takes_options
def main(context: typer.Context, options: CompareOptions) -> None:
    """Compare two or more systems with one or several metrics: is the difference more than chance?

    Without files, the command compares the two systems of the bundled Spanish-Korean sample.

    \b
    textgauge compare -p old=old.txt -p new=new.txt -r reference.txt -m bleu -m cer --html report.html
    textgauge compare -p old=old.txt -p new=new.txt -r reference.txt --baseline old --fail-below bleu=baseline

    Test a comparison only once: equal systems differ significantly in .05 of single tests at 0.05, but in .24 of
    comparisons that are tested 20 times on growing data. Fix the number of segments beforehand.

    JSON: {"program", "settings", "systems": {system: {score: result}}, "comparisons": [one per score and pair],
    "verdict": [sentences], "claims": [the same as data], "failures"}; with --group-by also "groups": [{"group",
    "segments", "systems", "comparisons"}], with three or more systems "ranks": [{"metric", "system", "rank",
    "confidence_interval", "probability_first", "tier"}], and with several runs "runs": {system: {score: {"scores",
    "confidence_interval"}}}. Undefined values are null. Exit codes: 1 if --fail-below fails (files are written), 2 for
    bad input or options (the command prints a message, and writes or changes no file).
    """
    from .compare_job import compare_files  # what it imports takes a second to load, which --help does without

    with speaking(options.language.value):
        compare_files(options, context)
