"""Published folders of all metrics, without the package: they are what the clone is, also in other processes."""

import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from cases import CASES
from conftest import METRICS, ROOT
from fake_hub import fake_hub

from textgauge.programs.publishing.cards import Destination, card_text
from textgauge.programs.publishing.joining import joined_files, needed_libraries

pytestmark = pytest.mark.slow
TESTS = ROOT / "tests"
# scores the rows that were added in another process, and says where an error is from
RECEIVER = """
import pickle, sys, traceback, warnings
sys.modules["textgauge"] = None
warnings.simplefilter("ignore")
import evaluate
evaluate.loading.init_dynamic_modules()
sys.path.insert(0, {tests!r})
found = {{}}
for name in {names!r}:
    metric = pickle.load(open(f"{{name}}.pickle", "rb"))
    assert isinstance(metric, evaluate.Metric)
    found[name] = [repr(metric.compute())]
    try:
        metric.compute(predictions=[{{}}], references=["a"])
    except ValueError:
        found[name].append(traceback.format_exc())
sys.stdout.buffer.write(pickle.dumps(found))
"""
# what evaluate's loader says where nothing is installed besides evaluate
BARE = """
import pickle, sys
for package in ("textgauge", "nltk", "rapidfuzz"):
    sys.modules[package] = None
import evaluate
found = {{}}
for name in {names!r}:
    try:
        found[name] = type(evaluate.load(f"./{{name}}")).__name__
    except ImportError as error:
        found[name] = str(error)
sys.stdout.buffer.write(pickle.dumps(found))
"""
# loads by name
LOADING = """
import pickle, sys
sys.modules["textgauge"] = None
import evaluate
found = {{name: type(evaluate.load(f"suite/{{name}}")).__name__ for name in {names!r}}}
sys.stdout.buffer.write(pickle.dumps(found))
"""
# requests of a first load and of a later one
MOST = {"bleu": (12, 7), "cer": (18, 10), "cpcer": (22, 12)}
# two processes that share the rows of a corpus
SHARING = """
import pickle, sys
sys.modules["textgauge"] = None
import evaluate
names, columns = pickle.load(sys.stdin.buffer)
found = {}
for name in names:
    given = {"num_process": 2, "process_id": int(sys.argv[1]), "experiment_id": "folders", "cache_dir": sys.argv[2]}
    metric = evaluate.load(f"./{name}", **given)
    metric.add_batch(**{key: column[int(sys.argv[1]) :: 2] for key, column in columns.items()})
    found[name] = metric.compute()
sys.stdout.buffer.write(pickle.dumps(found))
"""


def run(command, folder, **options):
    """Returns what a process wrote as a pickle."""
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, **options)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Returns a folder with the published files of each metric."""
    folder = tmp_path_factory.mktemp("published")
    for name in METRICS:
        (folder / name).mkdir()
        for file, text in joined_files(ROOT, name).items():
            (folder / name / file).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def found(folder):
    """Returns what the clone and the folders say."""
    kinds = ("clone", "folders")
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda kind: run([TESTS / "published_folders.py", kind, folder], folder), kinds))


def test_folders_say_what_the_clone_says(name, found):
    """Values, signatures, explanations, help, and values of metrics that were pickled with rows."""
    clone, published = (of_kind[name] for of_kind in found)
    assert len(clone["texts"]) > 5
    assert published["texts"] == clone["texts"]
    assert published["attempted"] > 30 and not published["failed"], published["failed"]


def test_rows_go_to_another_process(found, folder):
    received = run(["-c", RECEIVER.format(tests=str(TESTS), names=list(CASES))], folder)
    for name, (value, *errors) in received.items():
        # without options, rows that were added have the value of one call
        assert value == found[1][name]["texts"][0], name
        places = re.findall(r'File ".*/(\w+\.py)", line \d+, in \w+', "".join(errors))
        assert places and places[-1] in joined_files(ROOT, name) and places[-1].startswith("_"), places


def test_what_evaluate_says_to_install(folder):
    said = run(["-c", BARE.format(names=METRICS)], folder)
    for name in METRICS:
        missing = [library for library in needed_libraries(ROOT, name) if library != "numpy"]
        if missing:
            listed = re.search("using 'pip install (.*)' for instance", said[name])[1].split()
            assert sorted(listed) == sorted(missing)  # evaluate lists a set
        else:
            assert said[name].lower() == name.replace("_", "")


def test_two_processes_share_a_corpus(folder, found, tmp_path):
    names = ["bleu", "cer", "rouge"]
    given = pickle.dumps((names, CASES["bleu"][0]))
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda rank: run(["-c", SHARING, rank, tmp_path], folder, input=given), "01"))
    assert results[1] == dict.fromkeys(names)
    assert {name: repr(result) for name, result in results[0].items()} == {
        name: found[1][name]["texts"][0] for name in names
    }


def test_a_load_by_name_asks_the_hub_as_often_as_the_card_says(folder, tmp_path):
    """The first one, a later one, and a later one of evaluate's offline mode."""
    counts = {name: [] for name in METRICS}
    with fake_hub() as hub:
        for name in METRICS:
            files = {path.name: path.read_bytes() for path in (folder / name).glob("*.py")}
            hub.repos[f"spaces/suite/{name}"] = [files]
        kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
        environment = {**kept, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1"}
        for further in ({}, {}, {"HF_EVALUATE_OFFLINE": "1"}):
            hub.requests.clear()
            run(["-c", LOADING.format(names=METRICS)], tmp_path, env={**environment, **further})
            for name in METRICS:
                counts[name].append(sum(f"/suite/{name}/" in f"{path}/" for _, path in hub.requests))
    for name, (first, later, offline) in counts.items():
        n_files = len(joined_files(ROOT, name))
        card = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
        said = card_text(card, Destination(name, "static", "suite", METRICS, (), n_files, (), None))
        numbers = re.search(
            r"makes (\d+) requests to the Hub and fetches (\d+) files. Each later one makes (\d+),", said
        )
        assert (first, n_files, later, offline) == (*map(int, numbers.groups()), 0)
    for name, most in MOST.items():
        assert counts[name][0] <= most[0] and counts[name][1] <= most[1]
