"""Every output of every command against every input and other output: nothing that is read is written over.

The options are found in the commands themselves, by their metavars.
"""

import importlib
import itertools
import os
import re
import subprocess
import sys

import pytest
import typer
from conftest import write
from typer.testing import CliRunner

import textgauge
from textgauge.__main__ import COMMANDS
from textgauge.programs.commands.named_files import is_read, is_written

# of options that name no file
OTHER_METAVARS = {
    None, "NAME", "UNIT", "NAME[,NAME]", "[SYSTEM=]NAME", "LEVEL", "URL", "METRIC=NUMBER", "METRIC=WHAT", "N",
    "SEGMENT", "SYSTEM", "ORG/NAME", "ID", "LABEL", "SHA",
}  # fmt: skip
TEXT = "가나다\n라마바\n"


def _commands():
    """Returns each command by its words."""
    found = {}
    for module in COMMANDS.values():
        app = importlib.import_module(f"textgauge.programs.commands.{module}").app
        command = typer.main.get_command(app)
        for name, part in getattr(command, "commands", {"": command}).items():
            found[f"{module} {name}".strip()] = (app, [name] if name else [], part)
    return found


FOUND = _commands()
WRITING = {name: found for name, found in FOUND.items() if any(map(is_written, found[2].params))}


def option(parameter, path):
    """Returns the words that pass a file as a parameter, in the way in which its metavar says it."""
    value = {
        "[NAME=]FILE": f"name={path}",
        "COLUMN=NAME": f"sources={path}",
        "SPEC": f"weighted_bleu:weights={path},max_order=1",
    }.get(parameter.metavar, path)
    return [parameter.opts[-1], str(value)] if parameter.opts[-1].startswith("-") else [str(value)]


def call(name, *parameters_and_paths):
    """Runs a command with these parameters, and with words for the others that it requires."""
    app, words, command = WRITING[name]
    given = dict(parameters_and_paths)
    for parameter in command.params:
        if parameter in given:
            words = [*words, *option(parameter, given[parameter])]
        elif parameter.required:
            words = [*words, *option(parameter, "unnamed")]
    return CliRunner().invoke(app, words)


def pairs():
    """Returns a command, an option that writes, and another one that writes, or one that reads."""
    for name, (_, _, command) in WRITING.items():
        written = [parameter for parameter in command.params if is_written(parameter)]
        read = [parameter for parameter in command.params if is_read(parameter)]
        for output, other in (*itertools.combinations(written, 2), *itertools.product(written, read)):
            yield pytest.param(name, output, other, id=f"{name} {output.name} {other.name}")


def test_each_option_is_known_to_name_a_file_or_none():
    for name, (_, _, command) in FOUND.items():
        for parameter in command.params:
            names_a_file = is_written(parameter) or is_read(parameter)
            assert names_a_file != (parameter.metavar in OTHER_METAVARS), (name, parameter.name)
            says_so = re.match("Write |File to write|Save |Leave out rows", parameter.help or "") is not None
            assert is_written(parameter) == says_so, (name, parameter.name)


def other_names(folder):
    """Returns names of the file f.parquet, which is made."""
    path = folder / "f.parquet"
    path.write_text(TEXT, encoding="utf-8")
    (folder / "sub").mkdir()
    (folder / "link.parquet").symlink_to(path)
    (folder / "to_folder").symlink_to(folder)
    os.link(path, folder / "hard.parquet")
    return ["f.parquet", "sub/../f.parquet", str(path), "link.parquet", "to_folder/f.parquet", "hard.parquet"]


@pytest.mark.parametrize(("name", "output", "other"), list(pairs()))
def test_one_file_is_refused_before_anything_is_done(name, output, other, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = other_names(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    for one, another in [*itertools.product(names, names[:1]), *itertools.product(names[:1], names)]:
        result = call(name, (output, one), (other, another))
        assert result.exit_code == 2, (one, another, result.output)
        assert "named by two options" in result.stderr or "are one file" in result.stderr, (one, another, result.stderr)
        for parameter in (output, other):
            longest = max(parameter.opts, key=len)
            assert (longest if longest.startswith("-") else parameter.metavar) in result.stderr
        assert sorted(tmp_path.rglob("*")) == before
        assert (tmp_path / "f.parquet").read_text(encoding="utf-8") == TEXT


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


FOLDERS = {
    "rows beside rows that are read": ("compare", "--rows rows --json rows/new.parquet", True),
    "a report beside rows that are read": ("compare", "--rows rows --json rows/new.json", False),
    "a link to rows that are read": ("compare", "--rows rows --json link", True),
    "texts in a folder of recordings": ("score", "-p rows -r r.txt --json rows/a.json", True),
    "a table in a folder of a dataset": ("score", "-d rows --html rows/sub/a.html", True),
    "rows over a table": ("score", "-p rows/a.parquet -r r.txt --rows rows", True),
    "rows beside a text": ("score", "-p rows/p.txt -r r.txt --rows rows", False),
    "rows beside a report": ("score", "-p p.txt -r r.txt --rows rows --json rows/a.json", False),
    "a result among rows": ("score", "-p p.txt -r r.txt --rows rows --json rows/p.parquet", True),
    "a result for a part": ("score", "-p p.txt -r r.txt --stream --rows rows --json rows/sub/p.parquet", True),
    "a score beside a model": ("publish_result", "m/s.json --dataset a/b --task c --to m", False),
    "a score among those of a model": ("publish_result", "m/.eval_results/s --dataset a/b --task c --to m", True),
    "the file beside it with speakers": ("score", "-p m.ctm -r r.txt -m cpwer --json m.rttm", True),
    "the sample": ("score", "--json link_to_sample", True),
    "standard output twice": ("score", "--json - --csv -", True),
    "a device": ("score", "-p /dev/null -r r.txt --json /dev/null", True),
    "a table of an option": ("compare", "-p p.txt -p r.txt -r r.txt -m wer:weights=r.txt --latex r.txt", True),
    "a table in a list of an option": ("score", "-p p.txt -r p.txt -m cer:readings=ko,r.txt --latex r.txt", True),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_folders_and_files_that_nobody_names(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("rows", "rows/sub", "m", "m/.eval_results"):
        os.mkdir(folder)
    for path in ("rows/a.parquet", "rows/p.txt", "p.txt", "r.txt", "m.ctm", "m.rttm", "m/s.json", "m/.eval_results/s"):
        write(path, TEXT)
    os.symlink("rows/a.parquet", "link")
    os.symlink(textgauge.SAMPLES / "es_ko_sample.jsonl", "link_to_sample")
    before = contents(tmp_path)
    command, arguments, is_refused = FOLDERS[name]
    app, words, _ = WRITING[command]
    result = CliRunner().invoke(app, [*words, *arguments.split()])
    said = "named by two options" in result.stderr or "in the folder of the other" in result.stderr
    assert said == is_refused, result.output
    if is_refused:
        assert result.exit_code == 2 and contents(tmp_path) == before


def test_standard_input_from_a_file(tmp_path):
    path = tmp_path / "p.txt"
    path.write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-m", "textgauge", "score", "-p", "-", "-r", "r.txt", "--json", "p.txt"]
    with path.open() as texts:
        result = subprocess.run(command, stdin=texts, capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 2 and "are one file" in result.stderr
    assert path.read_text(encoding="utf-8") == TEXT
