"""The command line before a command does its work: options that it does not have, and files that it would destroy."""

import dataclasses

import typer

import textgauge

from ..comparing.options import CompareOptions
from ..reporting.origin import RecordingCommand
from ..saying.texts import speaking
from ..scoring.console import messages
from ..scoring.options import ENGLISH, Languages, ScoreOptions

# options of earlier versions, and what to pass now
_REPLACED = {
    "segment_file": "pass --rows FOLDER, whose column `score METRIC` has the scores of segments",
    "checkpoint": "pass --rows FOLDER, with which the same command goes on",
}
# what other programs call an option, and what to pass here
_ELSEWHERE = {
    **dict.fromkeys(("i", "input"), "pass outputs with --predictions"),
    **dict.fromkeys(("o", "output", "out"), "results are written with --json, --csv, --markdown, --latex or --html"),
    **dict.fromkeys(("a", "alpha", "level"), "tests have the level 0.05, corrected for their number"),
    "fail_above": "for error rates --fail-below is a limit above which a system fails",
}
_OPTIONS = {"textgauge score": ScoreOptions, "textgauge compare": CompareOptions}


class Command(typer.core.TyperCommand):
    """A command that answers options that it does not have, and never writes over a file that it reads."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Parses the words of the command line."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if type(error).__name__ != "NoSuchOption":  # of click, which newer releases of typer hold as a part
                raise
            known = {option for parameter in self.params for option in parameter.opts}
            advice = _advice(error.option_name, known)
            if advice:
                ctx.fail(f"No such option: {error.option_name}; {advice}")
            raise

    def invoke(self, ctx: typer.Context) -> None:
        """Checks the files that the options name, and calls the command."""
        from .named_files import check_named_files  # what it imports takes a while to load, which --help does without

        language = Languages(ctx.params.get("language", ENGLISH))  # older releases of typer leave it a text here
        with speaking(language.value), messages():
            check_named_files(self.params, ctx.params)
        super().invoke(ctx)


class FileCommand(Command, RecordingCommand):
    """Such a command that remembers how it was called, and whose files are passed by options."""


def _advice(option: str, known: set[str]) -> str:
    """Returns which option is meant, or which commands have it; nothing where neither is known."""
    from textgauge.core.options import CALLED_ELSEWHERE  # here, as --help does without numpy

    name = option.lstrip("-").replace("-", "_")
    if name in _REPLACED and "--stream" in known:
        return _REPLACED[name]
    if "--metric" in known:
        found = [_ELSEWHERE.get(name, ""), _of_metrics(CALLED_ELSEWHERE.get(name, name))]
        if any(found):
            return "; ".join(filter(None, found))
    meant = f"--{CALLED_ELSEWHERE.get(name, '')}"
    if meant in known:
        return f"did you mean {meant}?"
    having = []
    for command, options in _OPTIONS.items():
        if name in [field.name for field in dataclasses.fields(options)]:
            having.append(command)
    return f"it is an option of {' and '.join(having)}" if having else ""


def _of_metrics(name: str) -> str:
    """Returns how an option of metrics is passed, by the first metric that has it; nothing where none has it."""
    having = [metric for metric in textgauge.metric_names() if name in textgauge.load(metric).OPTIONS]
    if not having:
        return ""
    return f"{name} is an option of {', '.join(having)}: write it behind the metric, -m {having[0]}:{name}=..."
