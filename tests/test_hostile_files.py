"""Results and visitors that mean harm: no file that they name is opened, no host is asked, and each gets a message."""

import copy
import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from audited import CANARY
from conftest import METRICS, load, write
from typer.testing import CliRunner

from textgauge.core.options import FILE_KINDS
from textgauge.programs.commands import publish_result, score, verify
from textgauge.programs.scoring.specs import load_metric

SECRET = "the first line of the canary"
PREDICTIONS, REFERENCES = ["고양이가 잔다.", "네"], ["고양이가 잠을 잔다.", "네."]
FILES = ["-p", "new.txt", "-r", "gold.txt"]


def answers(folder, calls):
    """Returns what came of calls in a process of its own, where models could be looked for on the Hub."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_OFFLINE")}
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("audited.py")], cwd=folder, env=environment, text=True,
        input="".join(json.dumps(call) + "\n" for call in calls), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return list(map(json.loads, done.stdout.splitlines()))


def write_inputs(folder):
    (folder / CANARY).write_text(f"{SECRET}\n", encoding="utf-8")
    (folder / "new.txt").write_text("\n".join(PREDICTIONS) + "\n", encoding="utf-8")
    (folder / "gold.txt").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")


def signature(metric, **options):
    return load(metric).signature(references=REFERENCES, **options)


def result(notes, value="0.5"):
    return f"- value: {value}\n  notes: {json.dumps(notes, ensure_ascii=False)}\n"


ALIASES = "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "cer weights": (
        result(f"cer|nrefs:1|weights:{CANARY}|v1.0"),
        f"cannot name a file, but this one has weights:{CANARY}",
    ),
    "wer weights": (result(f"wer|nrefs:1|weights:./{CANARY}|v1.0"), "weights:./canary.txt"),
    "weighted_bleu weights": (result(f"weighted_bleu|weights:{CANARY}|v1.0"), "cannot name a file"),
    "readings": (result(f"cer|nrefs:1|readings:{CANARY}|v1.0"), f"readings:{CANARY}"),
    "list of readings": (result(f"wer|nrefs:1|readings:ko,{CANARY},|v1.0"), f"readings:ko,{CANARY},"),
    "readings in brackets": (result(f"wer|nrefs:1|readings:{CANARY}[1]|v1.0"), f"readings:{CANARY}[1]"),
    "idf": (result(f"rouge|nrefs:1|idf:{CANARY}|v1.0"), f"idf:{CANARY}"),
    "document frequencies": (result(f"cider|nrefs:1|df:{CANARY}|v1.0"), f"df:{CANARY}"),
    "information": (result(f"nist|nrefs:1|info:{CANARY}|v1.0"), f"info:{CANARY}"),
    "synonyms": (result(f"meteor|nrefs:1|syn:{CANARY}|v1.0"), f"syn:{CANARY}"),
    "tokenizer": (result(f"bleu|nrefs:1|tok:{CANARY}|v1.0"), "pass one of 13a"),
    "model": (result("perplexity|model:somebody/repo|dtype:auto|start:yes|v1.0"), "pass --allow-models"),
    "model in a folder": (result(f"perplexity|model:./{CANARY}|dtype:auto|start:yes|v1.0"), "pass --allow-models"),
    "metric": (result(f"./{CANARY}|v1.0"), "names no metric of this version"),
    "object": (f"- !!python/object/apply:os.open [{CANARY}, 0]\n", "has no number as its value"),
    "aliases": (f"a: &a [x, x]\n{ALIASES}", "r.yaml, line 2: *a is an alias"),
    "merged": ("- &a {value: 0.5, notes: x}\n- {<<: *a}\n", "r.yaml, line 2: *a is an alias"),
    "lists in lists": ("[" * 3000, "is not what publish_result.py writes"),
    "exponent": (result(None, "1e999999999"), "has no number as its value"),
    "small exponent": (result(None, "1e-999999999"), "has no number as its value"),
    "digits": (result("x", "9" * 20_000), "has no number as its value"),
    "tagged": (result("x", "!!timestamp x"), "has no number as its value"),
    "truth": (result("x", "!!bool x"), "has no number as its value"),
    "notes": ("- value: 0.5\n  notes: [cer|v1.0, '|: |']\n", "has no signature in its notes"),
    "order": (result("bleu|nrefs:1|order:999999999|v1.0"), "pass an integer from 1 to 999"),
    "resamples": (result("cer|nrefs:1|ci:0.95[widened]|bs:999999999999|v1.0"), "from 1 to 1000000"),
    "long number": (result(f"bleu|nrefs:1|order:{'9' * 5000}|v1.0"), "pass an integer from 1 to 999"),
}


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verified")
    write_inputs(folder)
    calls = []
    for number, (content, _) in enumerate(HOSTILE.values()):
        (folder / str(number)).mkdir()
        (folder / str(number) / "r.yaml").write_text(content, encoding="utf-8")
        calls.append({"do": "command", "name": "verify", "arguments": [f"{number}/r.yaml", *FILES]})
    return dict(zip(HOSTILE, answers(folder, calls), strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_result_names_no_file_and_no_host(name, verified):
    found = verified[name]
    assert found["code"] == 2 and HOSTILE[name][1] in found["said"], found
    assert found["said"].startswith("error: ") and found["said"].count("\n") == 1
    assert (found["opened"], found["hosts"]) == ([], []) and SECRET not in found["said"]


def test_the_hook_sees_files_and_hosts(tmp_path):
    """With the leave of the user a model is looked for; and a file that the user names is opened."""
    pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")
    write_inputs(tmp_path)
    (tmp_path / "r.yaml").write_text(HOSTILE["model"][0])
    [found] = answers(
        tmp_path, [{"do": "command", "name": "verify", "arguments": ["r.yaml", "-p", "new.txt", "--allow-models"]}]
    )
    assert found["hosts"]


def test_the_hook_sees_a_file(tmp_path):
    write_inputs(tmp_path)
    (tmp_path / "r.yaml").write_text(result(signature("cer")), encoding="utf-8")
    [found] = answers(
        tmp_path, [{"do": "command", "name": "verify", "arguments": ["r.yaml", "-p", CANARY, "-r", "gold.txt"]}]
    )
    assert set(found["opened"]) == {CANARY}


def test_a_number_of_many_digits_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    for value in ("1" * 400, f"0.{'1' * 4000}", "1e9999", "1e-9999"):
        write("r.yaml", result(signature("cer"), value))
        found = CliRunner().invoke(verify.app, ["r.yaml", *FILES])
        assert found.exit_code == 1 and found.stdout.startswith(f"not equal: cer is {value} in r.yaml")


def test_signatures_of_words_and_tables_are_read_as_before(tmp_path):
    for name, options in (
        ("wer", {"readings": "ko"}), ("meteor", {"synonyms": None}), ("meteor", {"synonyms": "wordnet"}),
        ("rouge", {"idf": "references", "rouge_types": ["rouge1"]}), ("cer", {"fillers": ["음"]}),
    ):  # fmt: skip
        found = load(name).options_of(load(name).signature(**options))
        assert {key: found.get(key) for key in options} == options
    for name, options in (("wer", {"readings": {"LG": "엘지"}}), ("cer", {"weights": {"가": 2}})):
        with pytest.raises(ValueError, match="only names"):
            load(name).options_of(load(name).signature(**options))


OPTIONS = {name: load(name).OPTIONS for name in METRICS}
EVERY_OPTION = {option: CANARY for options in OPTIONS.values() for option in options}
# those that may be a file, a model or an object, and some that may not
FILE_OPTIONS = {name for options in OPTIONS.values() for name, option in options.items() if option.kind in FILE_KINDS}
FILE_OPTIONS |= {"model_id", "model", "tokenizer", "fillers", "function_words", "detailed", "aggregate"}


def places(content, place=()):
    """Yields where each value of nested dicts and lists is, the inner ones too."""
    entries = content.items() if isinstance(content, dict) else enumerate(content if isinstance(content, list) else ())
    for key, value in entries:
        yield (*place, key)
        yield from places(value, (*place, key))


def value_at(content, place):
    return functools.reduce(lambda value, key: value[key], place, content)


def replaced(content, place, value):
    changed = copy.deepcopy(content)
    value_at(changed, place[:-1])[place[-1]] = value
    return changed


def changed_signatures(line):
    """Returns a signature with each option, also one that it leaves out, said to be a file."""
    name, *fields, version = line.split("|")
    lines = []
    for option in OPTIONS[name].values():
        others = [field for field in fields if field.partition(":")[0] != option.key]
        lines.append("|".join([name, *others, f"{option.key}:{CANARY}", version]))
    return lines


def harmful(content):
    """Yields a content with each of its values, one at a time, replaced by what names a file, and by all options."""
    for place in places(content):
        values = [CANARY, EVERY_OPTION]
        value = value_at(content, place)
        metric = value.partition("|")[0] if isinstance(value, str) else ""
        if "|" in str(value) and metric in METRICS:
            values += changed_signatures(value)
        if place[-1] == "options":
            values += [{option: CANARY} for option in sorted(FILE_OPTIONS)]
        for new in values:
            yield replaced(content, place, new)


def assert_harmless(folder, calls):
    """Runs commands: whatever a file says, nothing that it names is opened or asked, and no command fails itself."""
    assert len(calls) > 50
    found = answers(folder, [{"do": "command", **call} for call in calls])
    for call, answer in zip(calls, found, strict=True):
        assert (answer["opened"], answer["hosts"]) == ([], []) and SECRET not in answer["said"], (call, answer)
        assert answer["code"] in (0, 1, 2), (call, answer)
    assert {answer["code"] for answer in found} >= {2}


def test_no_field_of_rows_names_a_file(tmp_path, monkeypatch):
    """For those who compare rows, and for those who verify a score by them."""
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    specs = [word for name in ("cer", "weighted_bleu", "rouge") for word in ("-m", name)]
    for system in ("a", "b"):
        given = ["-p", f"{system}=new.txt", "-r", "gold.txt", *specs, "--rows", f"{system}.parquet"]
        assert CliRunner().invoke(score.app, given).exit_code == 0
    write("r.yaml", result(load("cer").signature(references=REFERENCES)))
    table = pq.read_table("b.parquet")
    about = json.loads(table.schema.metadata[b"textgauge"])
    calls = []
    for number, content in enumerate(harmful(about)):
        pq.write_table(table.replace_schema_metadata({"textgauge": json.dumps(content)}), f"{number}.parquet")
        calls.append({"name": "compare", "arguments": ["--rows", "a.parquet", "--rows", f"{number}.parquet"]})
        calls.append({"name": "verify", "arguments": ["r.yaml", "--rows", f"{number}.parquet"]})
    assert_harmless(tmp_path, calls)


def test_no_field_of_a_published_result_names_a_file(tmp_path):
    write_inputs(tmp_path)
    calls = []
    for name in METRICS:
        references = {"references": REFERENCES} if "references" in OPTIONS[name] else {}
        entry = {
            "value": 0.5,
            "notes": load(name).signature(**references),
            "date": "2026-01-02",
            "dataset": {"id": "a/b", "task_id": "t", "revision": "main"},
            "source": {"url": "https://somebody.example", "name": "x", "user": "y"},
        }
        for number, content in enumerate(harmful([entry])):
            path = tmp_path / f"{name}{number}.yaml"
            path.write_text(yaml.safe_dump(content), encoding="utf-8")
            calls.append({"name": "verify", "arguments": [path.name, *FILES]})
    assert_harmless(tmp_path, calls)


def test_no_field_of_results_names_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    given = ["-p", "a=new.txt", "-r", "gold.txt", "-m", "cer", "-m", "bleu", "--json", "r.json"]
    assert CliRunner().invoke(score.app, given).exit_code == 0
    about = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    calls = []
    for number, content in enumerate(harmful(about)):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        calls.append({"name": "compare", "arguments": ["--results", "r.json", "--results", path.name]})
        of_hub = ["--dataset", "a/b", "--task", "t", "--score", "cer"]
        calls.append({"name": "publish_result", "arguments": [path.name, *of_hub]})
    assert_harmless(tmp_path, calls)


BAD_JSON = [
    '{"systems": {"a": {"cer": {"cer": 0.5, "signature": 5}}}}',
    '{"systems": {"a": {"cer": {"cer": 0.5}}}}',
    '{"systems": {"a": {"cer": {"cer": [0.5], "signature": "cer|v1.0"}}}}',
    '{"systems": {"a": {"cer": {"cer": ' + "9" * 400 + ', "signature": "cer|v1.0"}}}}',
    '{"systems": {"a": {"cer": {"cer": ' + "9" * 5000 + ', "signature": "cer|v1.0"}}}}',
    '{"systems": {"a": {"cer": 1}}}',
    '{"systems": {"a": 1}}',
    '{"systems": {"a": {}}}',
    '{"systems": {}}',
    '{"systems": [1]}',
    "[1]",
    "[" * 200_000,
    "\x00",
]


@pytest.mark.parametrize("content", BAD_JSON, ids=[content[:60] for content in BAD_JSON])
def test_results_that_nobody_wrote(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("r.json", content)
    found = CliRunner().invoke(publish_result.app, ["r.json", "--dataset", "a/b", "--task", "t"])
    assert found.exit_code == 2
    assert found.stderr == "error: r.json is not what score.py or compare.py writes with --json\n"


VISITORS = [
    *((name, "readings", value) for name in ("cer", "wer") for value in (CANARY, f"./{CANARY}", f"ko,{CANARY}")),
    *(("rouge", "idf", value) for value in (CANARY, f"{CANARY},")),
    ("perplexity", "model_id", "somebody/repo"),
    ("perplexity", "model_id", f"./{CANARY}"),
    ("cpcer", "readings", CANARY),
    ("cpwer", "readings", CANARY),
    ("bleu", "tokenizer", CANARY),
    ("meteor", "stemmer", CANARY),
    ("meteor", "function_words", CANARY),
    ("cer", "fillers", CANARY),
    *((name, "weights", [[CANARY, CANARY]]) for name in ("cer", "wer", "weighted_bleu")),
    ("meteor", "synonyms", [[CANARY, CANARY]]),
    ("cider", "document_frequencies", [[CANARY, CANARY]]),
    ("nist", "information", [["", CANARY]]),
]


@pytest.fixture(scope="module")
def visited(tmp_path_factory):
    folder = tmp_path_factory.mktemp("visited")
    write_inputs(folder)
    calls = [{"do": "app", "metric": name, "option": option, "value": value} for name, option, value in VISITORS]
    calls.append({**calls[0], "metric": "perplexity", "option": "model_id", "value": "other/repo", "model": "my/repo"})
    return answers(folder, calls)


@pytest.mark.parametrize("number", range(len(VISITORS)), ids=["-".join(map(str, call)) for call in VISITORS])
def test_a_visitor_names_no_file_and_no_model(number, visited):
    found = visited[number]
    assert (found["opened"], found["hosts"]) == ([], []) and SECRET not in found["said"]
    takes_words = VISITORS[number][1] in ("synonyms",)
    assert found["code"] == (0 if takes_words else 2), found["said"]


def test_a_visitor_chooses_the_model_of_the_owner_alone(visited):
    found = visited[-1]
    assert found["code"] == 2 and "choose one of not set, my/repo" in found["said"] and found["hosts"] == []


def test_yaml_as_the_hub_writes_it_is_read(tmp_path, monkeypatch):
    """Plain or in blocks, with quotes or without."""
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    value = load("cer").compute(predictions=PREDICTIONS, references=REFERENCES)["cer"]
    entries = [{"value": value, "notes": signature("cer"), "date": "2026-01-02", "dataset": {"id": "a/b"}}]
    for style in (None, True, False):
        write("r.yaml", yaml.safe_dump(entries, default_flow_style=style))
        found = CliRunner().invoke(verify.app, ["r.yaml", *FILES])
        assert found.exit_code == 0 and found.stdout.startswith("equal: "), found.output


def test_a_model_is_loaded_with_leave_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    write("r.yaml", HOSTILE["model"][0])
    asked = []

    def loaded(options):
        asked.append(options.model_id)
        raise OSError("nothing is loaded in this test")

    module = sys.modules[type(load_metric("perplexity")).__module__]
    monkeypatch.setattr(module, "load_language_model", loaded)
    for leave, expected in (([], []), (["--allow-models"], ["somebody/repo"])):
        found = CliRunner().invoke(verify.app, ["r.yaml", "-p", "new.txt", *leave])
        assert found.exit_code == 2 and asked == expected, found.output
