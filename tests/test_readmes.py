"""The READMEs of the repository: every link, code block, shell command, path and list of files in them holds."""

import ast
import importlib
import itertools
import re
import shlex
import subprocess
from pathlib import Path

import cases
import pytest
import typer
from conftest import METRICS, ROOT, load
from test_cards import run_blocks
from typer.testing import CliRunner

from lab.agreeing.documents import claims, lines_of, worked_examples
from lab.claims.statements import CLAIMS
from textgauge.programs.commands import compare
from textgauge.programs.scoring.specs import load_scorers

CARDS = [f"spaces/{name}/README.md" for name in METRICS]
DOCS = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))]
PAGES = DOCS.copy()
DOCS += ["CONTRIBUTING.md", "RELEASING.md"]
KOREAN = ["README.ko.md", *(f"spaces/{name}/README.ko.md" for name in METRICS)]
FOLDERS = ["", "metrics/", "textgauge/", "scripts/", "scripts/*/", "lab/", "lab/*/", "spaces/", "tests/", "tests/*/"]
READMES = sorted(path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in ROOT.glob(f"{folder}README.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", flags=re.M | re.S)
# in tables: a call of a metric; a metric with options, as the commands take it
CALL = r'load\("\w+"\)[^`]*'
SPEC = rf"(?:{'|'.join(METRICS)}):\w+=[^`]*"
COMMANDS = ROOT / "textgauge" / "programs" / "commands"
RUN = {
    *(f"scripts/{name}.py" for name in ("score", "compare", "publish_result", "verify")),
}
# options that name a file which a command writes
WRITTEN = {"--html", "--csv", "--json", "--latex", "--markdown", "--output", "-o", "--rows"}
# they install, serve, upload, are the tests themselves, or need what is optional; our other scripts are only parsed
NOT_RUN = {"python3", "pip", "hf", "pytest", "http.server", "ruff", "scripts/app.py", "lab.mutate"}


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def blocks(path, *languages):
    return [body for language, body in BLOCK.findall(text_of(path)) if language in languages]


def commands(path):
    """Returns the shell commands of a document, each on one line."""
    lines = "".join(blocks(path, "", "sh")).replace("\\\n", " ").splitlines()
    return [command.strip() for line in lines for command in line.split(" && ")]


def anchors(path):
    """Returns the anchors that GitHub gives the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text_of(path)), flags=re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def cells(path):
    """Returns the names in backquotes in the first columns of all tables."""
    rows = re.findall(r"^\| (\[?`.*?) \|", text_of(path).partition("\n## Speed\n")[0], flags=re.M)
    return sorted(name for row in rows for name in re.findall("`(.*?)`", row))


@pytest.mark.parametrize("path", [*READMES, *DOCS, *CARDS, *KOREAN])
def test_links(path):
    for link in LINK.findall(BLOCK.sub("", text_of(path))):
        if link.startswith("http"):
            continue
        file, _, anchor = link.partition("#")
        target = ((ROOT / path).parent / file).resolve() if file else ROOT / path
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.relative_to(ROOT)), link


@pytest.mark.parametrize("path", [*READMES, *DOCS, *KOREAN])
def test_paths(path):
    """What the prose names is there, or is what the skeleton of my_metric makes."""
    for name in re.findall(r"`((?:scripts|lab|docs|metrics|spaces|tests|textgauge|\.ci)/[^` ]*)`", text_of(path)):
        assert "my_metric" in name or (ROOT / name).exists(), name


@pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order")
@pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")
@pytest.mark.parametrize("path", [path for path in [*READMES, *DOCS] if ">>> " in text_of(path)])
def test_code_runs(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    run_blocks(ROOT / path)


@pytest.mark.parametrize("path", [path for path in [*READMES, *PAGES] if commands(path)])
def test_commands_run(path, tmp_path, monkeypatch):
    """One after the other in an empty folder that has what a clone has; a document makes the other files it needs.

    They print what the document shows.
    """
    folders = ("lab", "metrics", "scripts", "spaces", "tests", "textgauge")
    for file in ROOT.iterdir():
        if file.name in folders or file.name.startswith("requirements"):
            (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    printed = "".join(run_command(command, tmp_path) for command in commands(path))
    for shown in blocks(path, "output"):
        assert shown in printed


def run_command(command, folder):
    """Runs a command of our scripts here, and returns what it prints; of others, only the files are looked for."""
    before, _, command = command.rpartition(" | ")
    given = subprocess.run(["bash", "-c", before], check=True, capture_output=True, text=True).stdout if before else ""
    words = [word.removeprefix(".venv/bin/") for word in shlex.split(command, comments=True)]
    if words[0] == "printf":
        subprocess.run(["bash", "-c", command], check=True)
        return ""
    if words[0] == "textgauge":
        words = ["python", f"scripts/{words[1].replace('-', '_')}.py", *words[2:]]
    program, *arguments = words[1:] if words[0] == "python" else words
    if program == "-m":
        program, *arguments = arguments
    for word in [program, *arguments]:
        assert not re.match(r"(scripts|spaces|tests)/|requirements", word) or (folder / word).is_file(), command
    if program in NOT_RUN:
        return ""
    stem = program.removeprefix("scripts/").removesuffix(".py")
    is_command = (COMMANDS / f"{stem}.py").is_file()
    module = importlib.import_module(f"textgauge.programs.commands.{stem}" if is_command else stem)
    if program in RUN:
        result = CliRunner().invoke(module.app, arguments, input=given)
        assert result.exit_code == 0, f"{command}\n{result.output}"
        check_written(command, arguments, folder, result.stdout)
        return result.stdout
    app = typer.Typer()
    app.command()(module.main)
    typer.main.get_command(app).make_context(program, arguments)
    return ""


def check_written(command, arguments, folder, printed):
    """Asserts that a command has printed something, and has written each file that it was asked for."""
    assert printed.strip(), command
    for option, name in itertools.pairwise(arguments):
        if option in WRITTEN and name != "-":
            path = folder / name
            assert path.exists() and path.stat().st_size > 0, f"{command} has not written {name}"
        if option in ("-m", "--metric"):
            label = Path(re.split("[:=]", name)[0]).stem
            assert label in printed, f"{command} has not printed {label}"


def test_korean_readme():
    """It has the commands and the code of README.md, which run there, as many sections, its links, no other number."""
    korean, english = text_of("README.ko.md"), text_of("README.md")
    assert BLOCK.findall(korean) == BLOCK.findall(english)
    assert len(re.findall("^## ", korean, flags=re.M)) == len(re.findall("^## ", english, flags=re.M))
    prose = [BLOCK.sub("", re.sub("<!-- peers -->.*?<!-- end -->", "", text, flags=re.S)) for text in (korean, english)]
    links = [[link.partition("#")[0].replace(".ko.md", ".md") for link in LINK.findall(text)] for text in prose]
    ours, theirs = (sorted(link for link in of_text if link != "README.md") for of_text in links)  # each other's
    assert ours == theirs
    numbers, known = (set(re.findall(r"(?<![\w/-])\d+(?:\.\d+)?", text)) for text in prose)
    assert numbers <= known, numbers - known
    assert cells("README.ko.md") == METRICS


def code_in_tables(path, pattern):
    rows = re.findall(r"^\|.*", BLOCK.sub("", text_of(path)), flags=re.M)
    return re.findall(f"`({pattern})`", "\n".join(rows))


def run_with_tokenizer(run, code):
    """Runs code, with characters for tokens if the package for its tokenizer is missing."""
    try:
        return run(code)
    except ImportError:
        return run(re.sub(r"(tokenizer=\"?)[\w-]+", r"\1char", code))


def compute_as_written(code):
    name = code.split('"')[1]
    columns = cases.CASES[name][0]
    return eval(code, {"load": load, "p": columns["predictions"], "r": columns["references"]})


def compute_as_commands_do(spec):
    [scorer] = load_scorers([spec], None)
    return scorer.metric.compute(**cases.CASES[scorer.metric.name][0], **scorer.options)


@pytest.mark.parametrize("path", [*READMES, *DOCS, *CARDS, *KOREAN])
def test_code_in_tables_runs(path):
    """Calls of metrics, and metrics with options as the commands take them."""
    for code in code_in_tables(path, CALL):
        if "model_id" in code:  # it gets as far as the model
            with pytest.raises((ImportError, OSError, ValueError), match="torch|my-model"):
                eval(code, {"load": load, "p": ["가"]})
        else:
            assert run_with_tokenizer(compute_as_written, code), code
    for spec in code_in_tables(path, SPEC):
        assert run_with_tokenizer(compute_as_commands_do, spec), spec


def test_tables_with_code_are_found():
    """One line for each of the six tasks of the README, in both languages."""
    tasks = [code_in_tables(path, CALL) for path in ("README.md", "README.ko.md")]
    assert tasks[0] == tasks[1] and len(tasks[0]) == 6
    assert code_in_tables("docs/score.md", SPEC)


@pytest.mark.parametrize("segments", range(2, 7))
def test_fewer_than_six_segments_have_no_interval_and_no_significant_difference(segments, tmp_path, monkeypatch):
    """As the README says, even if one system is better in all of them."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("old", "가"), ("new", "나"), ("gold", "나")):
        Path(f"{name}.txt").write_text(f"{text}\n" * segments, encoding="utf-8")
    words = ["-p", "old=old.txt", "-p", "new=new.txt", "-r", "gold.txt", "-m", "cer"]
    printed = CliRunner().invoke(compare.app, words).stdout
    assert ("no interval: fewer than 6 segments" in printed) == (segments < 6)
    assert ("no difference can be significant" in printed) == (segments < 6)
    assert ("new is significantly better" in printed) == (segments == 6)


def test_every_metric_is_listed_once():
    assert cells("README.md") == METRICS


@pytest.mark.parametrize("place", ["scripts", "lab"])
def test_every_command_and_folder_is_listed_once(place):
    programs = [path.name for path in (ROOT / place).glob("*.py") if path.stem != "__init__"]
    folders = [f"{path.name}/" for path in (ROOT / place).iterdir() if path.is_dir() and path.name[0] not in "._"]
    assert cells(f"{place}/README.md") == sorted([*programs, *folders])


def test_conventions_for_speech_are_all_named():
    """The presets of cer in their order, of which wer has the last ones; the options that answer the questions work."""
    section = text_of("docs/speech.md").partition("\n## Which convention for speech\n")[2].partition("\n## ")[0]
    first, second, third = re.findall(r"^\d\. (.*(?:\n   .*)*)", section, flags=re.M)
    named = re.findall(r"`(\w+)`", first.partition("`preset`")[2].partition("`wer`")[0])
    texts = {"predictions": ["가나 다"], "references": ["가 나다."]}
    presets = {
        name: [row[0] for row in load(name).compute(**texts, conventions="all")["conventions"]]
        for name in ("cer", "wer")
    }
    assert presets["cer"] == ["none", *named] and presets["wer"] == ["none", *named[-3:]]
    assert [load("cer").compute(**texts)["edits"], load("cer").compute(**texts, preset="jiwer")["edits"]] == [0, 3]
    options = dict(re.findall(r"(\w+)=\"?(\w+)", first.partition("`wer` with")[2].partition("If ")[0]))
    assert options == {"space_normalized": "True", "special": "remove"}
    assert [load("wer").compute(**texts, **options | {"space_normalized": True})["edits"]] == [0]
    assert load("wer").compute(**texts)["edits"] == 2 and 'readings="ko"' in second
    weights = ast.literal_eval(re.search(r"\{.*?\}", third)[0])
    missed = load("cer").compute(predictions=["나사"], references=["NASA 아스피린"], weights=weights)["missed_keywords"]
    assert missed == [["아스피린", 1, 1]] and "나사 | NASA" in third


def test_worked_examples_say_where_they_are_from():
    """As tests/README.md says: document and lines, and where it states a result, whether we agree, or how not."""
    documents = {claim["document"] for claim in claims()}
    cases = [case for _, case in worked_examples().values() if "document" in case]
    assert {case["document"] for case in cases} == documents
    for case in cases:
        assert re.fullmatch(r"\d+(-\d+)?(, \d+(-\d+)?)*", case["lines"]), case["id"]
        assert (case["agrees"] is None) == (case["stated"] is None), case["id"]
        assert case["agrees"] is not False or case["note"], case["id"]


def test_every_worked_example_of_a_document_is_in_the_table_of_claims():
    """And each claim has an example that we compute, a test that is there, or needs people."""
    of_documents = {name for name, (_, case) in worked_examples().items() if "document" in case}
    named = {name for claim in claims() for name in claim["cases"]}
    assert {name for name in of_documents if name.removesuffix("-whitespace") not in named} == set()
    for claim in claims():
        assert claim["note"] or claim["agrees"], claim["says"]
        assert claim["cases"] or "test" in claim or "measured" in claim or "undecided" in claim, claim["says"]
        file, _, function = claim.get("test", "").partition("::")
        assert not file or f"def {function}" in text_of(file), claim["says"]
        if claim["agrees"]:
            stated = [worked_examples()[name][1].get("agrees") for name in claim["cases"]]
            assert False not in stated, claim["says"]


# what the five documents state, by line
STATED = {
    "000": [24, 28, 34, 38, 58, 76, 84, 92, 121, 125, 136, 142, 168, 180, 189, 211, 213, 218, 222, 226, 242],
    "001": [4, 9, 28, 34, 35, 36, 39, 41, *range(42, 50), 53, 56, *range(58, 62)],
    "002": [57, 58, 59, 60, 61, 72, 77, 82, 86, 87, 91, 96, 98, 102, 104, 106, 107, 109, 110, 111, 113, 114, 115],
    "003": [14, 16, 18, 22, 24, 30, 32, 40, 46, 54, 56, 60, 62, 68, 70, 72, 84, 88, 94, 99, 103, 115, 127, 129, 139,
            145, 147, 153, 155, 157],
    "004": [23, 25, 29, 40, 42, 46, 52, 56, 60, 62, 64, 68, 72, 86, 90],
}  # fmt: skip


def test_every_statement_of_the_documents_has_a_row():
    """Or more: what is computed, what people's scores say, or why no number decides it."""
    covered = {document: set() for document in STATED}
    for claim in claims():
        covered[claim["document"]] |= lines_of(claim["lines"])
    missing = {document: sorted({*lines} - covered[document]) for document, lines in STATED.items()}
    assert not any(missing.values()), missing


def test_claims_about_people_are_those_of_the_documents():
    """What is measured in lab/claims has its row, and what the rows name is measured."""
    named = [(place, claim) for claim in claims() for place in claim.get("measured", [])]
    assert {place for place, _ in named} == {claim.place for claim in CLAIMS}
    for place, claim in named:
        document, line = re.match(r"(\d+), line (\d+)", place).groups()
        assert document == claim["document"] and int(line) in lines_of(claim["lines"])
