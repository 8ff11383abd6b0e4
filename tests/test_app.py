"""The app of a Space without a browser: its page for every metric, its handlers, uploads and downloads."""

import asyncio
import contextlib
import csv
import functools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import evaluate
import pytest
from conftest import METRICS, ROOT, load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core.errors import InputError
from textgauge.programs.app import grid
from textgauge.programs.page.runtime import URL
from textgauge.programs.publishing.assembling import assemble
from textgauge.programs.saying.option_values import per_segment
from textgauge.programs.saying.values import dump_json

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
gradio = pytest.importorskip("gradio", reason="pip install -r requirements-app.txt")
from textgauge.programs.app import controls, form, limits, server

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of gradio itself

SPACES = ROOT / "spaces"
CARDS = [name for name in METRICS if (SPACES / name / "README.md").exists()]  # test_cards.py wants one of each
PLACES = server.Outputs._fields

# a column of numbers, one of lists of numbers, one more of texts, a table of options, and nothing explained
TOY = '''
"""A metric that this repository does not have."""
import numpy as np
from textgauge.core.columns import TEXTS
from textgauge.core.number_columns import NUMBERS
from textgauge.core.number_columns import NUMBER_LISTS
from textgauge.core.options import LOWERCASE
from textgauge.core.options import NORMALIZATION
from textgauge.core.options import mapping
from textgauge.core.phrase_counts import RowsWithPhrases
from textgauge.core.text_metric import TextMetric


def statistics(predictions, targets, weights, sources, factors):
    rows = zip(predictions, targets, weights, strict=True)
    return np.array([[factors.get("a", 1.0) * abs(p - r) * sum(w), 1.0] for p, r, w in rows])


def score(rows):
    return {"toy": rows[..., 0] / rows[..., 1]}


class Toy(TextMetric):
    """Weighted distances of numbers."""

    CITATION = ""
    COLUMNS = {"predictions": NUMBERS, "targets": NUMBERS, "weights": NUMBER_LISTS,
               "sources": TEXTS._replace(is_optional=True)}
    LOWER_IS_BETTER = False
    OPTIONS = {
        "factors": mapping(None, "", "a dict name -> factor of the distances.", ("name", "factor"), lambda *_: None),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
    }

    def _rows_with_phrases(self, columns, options, by_segment=True):
        return RowsWithPhrases(self._statistics(**columns, factors=options["factors"] or {}), None)
'''


@pytest.fixture(scope="module")
def apps():
    return functools.cache(lambda name: server.MetricApp(load(name), SPACES / name))


@pytest.fixture(params=CARDS)
def app(request, apps):
    return apps(request.param)


@pytest.fixture
def bleu(apps):
    return apps("bleu")


def blocks(app):
    """Builds a page; inside an event loop, for gradio makes its own where none runs, and leaves them open."""

    async def build():
        return list(app.blocks().blocks.values())

    return asyncio.run(build())


def value(update):
    return update["value"] if isinstance(update, dict) else update


def inputs(app, title=None):
    """Returns what the controls hold after an example was chosen: the table, then the options."""
    table, *options = app.choose(title or app.examples[0]["title"])
    return [value(table), *map(value, options)]


def compute(app, *arguments):
    return app.compute(*arguments)._asdict()


def with_option(app, name, entered):
    arguments = inputs(app)
    arguments[1 + [*app.options].index(name)] = entered
    return compute(app, *arguments)


def message(result):
    """Returns the message of a refused input, which must leave nothing else on the page."""
    assert result["problem"]["visible"] and result["scored"] is None
    assert not any(result[place]["visible"] for place in PLACES[1:-1])
    assert "Traceback" not in result["problem"]["value"] and 'role="alert"' in result["problem"]["value"]
    return result["problem"]["value"]


def test_page_is_built(app):
    page = blocks(app)
    kinds = [type(block).__name__ for block in page]
    labelled = ["Radio", "Dropdown", "Number", "Textbox", "Checkbox", "Dataframe", "File"]
    labels = [block.label for block in page if type(block).__name__ in labelled]
    assert kinds.count("DownloadButton") == 2 and "Radio" in kinds and kinds.count("Tab") == 2
    assert all(labels) and len(labels) >= len(app.options)
    shown = " ".join(str(block.value) for block in page if type(block).__name__ == "Markdown")
    texts = controls.labels(app.name, app.options, app.cards).translations_dict
    assert app.front["title"] in shown and all("## Limits and bias" in said["card"] for said in texts.values())
    assert "## 한계와 편향" in texts["ko"]["card"] and re.search("[가-힣]", texts["ko"]["description"])
    assert "](../" not in shown + str(texts)
    marked = set(re.findall(r'"key": "(\w+)"', " ".join(str(vars(block)) for block in page)))
    for said in texts.values():
        assert marked <= said.keys() and {"app_score", "app_column", "app_download"} <= marked


class Request:
    """What gradio tells a handler of a reader."""

    def __init__(self, languages):
        self.headers = {"accept-language": languages} if languages else {}


@pytest.mark.parametrize(
    ("languages", "said"),
    [("ko-KR,ko;q=0.9,en;q=0.8", "낮을수록"), ("de,en;q=0.9,ko;q=0.8", "lower"), ("fr", "lower"), ("", "lower")],
)
def test_answers_are_in_the_language_of_the_reader(apps, languages, said):
    app = apps("cer")
    answer = server._heard(app.compute)(Request(languages), *inputs(app))
    result = answer._asdict()
    assert said in result["scores"]["value"]
    heading = {"낮을수록": "예측문", "lower": "prediction"}[said]
    assert result["table"]["headers"] == ["cer ↓", heading]
    assert ("설명할 문장" if heading == "예측문" else "Explain segment, 1 to 3") in result["segment"]["label"]
    table, *_ = server._heard(app.choose)(Request(languages), app.examples[0]["title"])
    assert table["headers"][0] == heading


def test_examples_score_as_compute_does(app):
    for example in app.examples:
        result = compute(app, *inputs(app, example["title"]))
        assert not result["problem"]["visible"], result["problem"]
        options = {"confidence": 0.95, **example.get("options", {})}
        assert result["scored"]["options"] == options
        asked = per_segment(app.metric)
        wanted = load(app.name).compute(**example["columns"], **options, **asked)
        found = result["scored"]["result"]
        signature = found.pop("signature")
        assert json.dumps(found) == json.dumps(wanted)  # nan is not equal to itself
        assert signature in result["scores"]["value"]
        for key in app.metric.headlines(wanted):
            assert f"{key}<br><b>{wanted[key]:.4f}" in result["scores"]["value"]
        is_several = len(example["columns"]["predictions"]) > 1  # one sentence alone has no distribution
        plots = is_several * len(app.metric.headlines(wanted)) if asked else 1 + ("baselines" in example["columns"])
        assert result["scores"]["value"].count("<svg") == plots
        assert len(result["table"]["value"]) == len(example["columns"]["predictions"])
        assert {result[place]["visible"] for place in ("csv", "table", "segment", "explanation")} == {bool(asked)}


def test_without_optional_packages(only_required):
    """Every example can be chosen and scored; a choice that needs a package says which."""
    app = server.MetricApp(load("meteor"), SPACES / "meteor")
    for example in app.examples:
        options = example.get("options", {})
        for name, option in app.options.items():
            value = options.get(name, option.default)
            assert option.kind != "choice" or value in form.choice_texts(option).values()
        assert not compute(app, *inputs(app, example["title"]))["problem"]["visible"]
    shown = message(with_option(app, "lang", "ko"))
    assert "which lang=&quot;ko&quot; takes, needs a package: pip install kiwi" in shown


def test_every_segment_of_the_examples_is_explained(app):
    for example in app.examples:
        scored = compute(app, *inputs(app, example["title"]))["scored"]
        for number in range(1, len(example["columns"]["predictions"]) + 1):
            html = app.explain(scored, number)
            assert 'class="drawing' in html or 'class="links' in html
            assert "no highlights" not in html.replace("no highlights: this metric has no explanation", "")
    assert app.explain(scored, None) == app.explain(None, 1) == ""
    assert "There is no segment 999: the last is" in app.explain(scored, 999)
    assert "There is no segment 0:" in app.explain(scored, 0)


def test_explanations_are_those_of_the_segment(apps):
    app = apps("weighted_bleu")
    scored = compute(app, *inputs(app))["scored"]
    assert (
        "주때요</mark><sup>+1.3</sup>" in app.explain(scored, 3)
        and "주때요" not in app.explain(scored, 1).split("<dd")[1]
    )
    assert '<mark class="substitute">' in compute(apps("cer"), *inputs(apps("cer")))["explanation"]["value"]


def test_controls_show_defaults_and_give_them_back(app):
    for name, option in app.options.items():
        assert form.entered_value(name, option, form.shown_value(option, option.default)) == option.default, option
    shown = [form.shown_value(option, option.default) for option in app.options.values()]
    assert form.given_options(app.options, shown) == {}


def test_choices_are_what_the_metric_takes(app):
    """Each choice alone is accepted, and each option of the signature has a control, but for those of calls."""
    for name, option in app.options.items():
        for choice in form.choice_texts(option).values():
            option.check(name, choice)
    in_calls = {"per_segment", "flat", "clusters", "use_aggregator", "model_id", "model", "model_tokenizer"}
    assert set(app.metric.OPTIONS) - set(app.options) <= in_calls


def test_what_no_field_can_give_has_no_control(apps):
    """A model is an object, or the owner's; a device or a tokenizer can be named."""
    names = set(apps("perplexity").options)
    assert {"device", "dtype", "stride"} <= names and not {"model_id", "model", "model_tokenizer"} & names
    assert {"tokenizer", "stemmer", "synonyms"} <= set(apps("meteor").options)


def test_a_change_of_words_changes_no_control():
    """Nothing is read out of the help, nor out of what a check says; a whole number is no integer."""
    app = server.MetricApp(load("meteor"), SPACES / "meteor")
    kinds = [type(controls.control(name, option, None)) for name, option in app.options.items()]
    reworded = [option._replace(help="Pass one of 1, 2 or a dict a -> b.") for option in app.options.values()]
    assert kinds == [
        type(controls.control(name, option, None)) for name, option in zip(app.options, reworded, strict=True)
    ]
    beta = app.options["beta"]
    for text, value in (("2", 2.0), ("0.5", 0.5), ("", None), (None, None), ("x", "x")):
        entered = form.entered_value("beta", beta, text)
        assert type(entered) is type(value) and entered == value
    field = controls.control("beta", server.MetricApp(load("rouge"), SPACES / "rouge").options["beta"], 1.0)
    assert type(field).__name__ == "Number" and field.precision is None


def test_help_is_shown_as_it_is(app):
    """Nothing in it is a mark for gradio, which knows neither escapes nor words with underscores."""
    marked = {block.info.key for block in blocks(app) if getattr(block, "info", None)}
    for said in controls.labels(app.name, app.options, app.cards).translations_dict.values():
        assert marked <= said.keys() and len(marked) > 3
        assert not [key for key in marked if "*" in said[key] or "\\_" in said[key]]
        assert not [
            said[f"help_{name}"] for name, o in app.options.items() if o.kind == "table" and "`" in said[f"help_{name}"]
        ]


def test_no_value_by_default_is_not_none(apps):
    options = apps("meteor").options
    assert form.shown_value(options["stemmer"], None) == "not set"
    assert form.entered_value("stemmer", options["stemmer"], "not set") is None
    assert form.shown_value(options["normalization"], None) == "none"
    fields = {getattr(block, "elem_id", ""): block for block in blocks(apps("meteor"))}
    assert fields["option-stage_weights"].placeholder.key == "app_not_set"
    assert fields["option-stages"].placeholder == "exact,stem,synonym"


def test_long_lists_are_cut_on_the_page_alone(apps):
    perplexity = apps("perplexity")
    result = compute(perplexity, [["-1", "a", ""]] * 40, *inputs(perplexity)[1:])
    assert f">{', '.join(['2.7183'] * 30)} and 10 more<" in result["scores"]["value"]
    assert len(json.loads(Path(value(result["json"])).read_text(encoding="utf-8"))["perplexities"]) == 40


def test_long_keys_can_break(apps):
    shown = compute(apps("human_correlation"), *inputs(apps("human_correlation")))["scores"]["value"]
    assert "difference_<wbr>confidence_<wbr>interval</th>" in shown


def test_kinds_of_options(apps):
    options = apps("weighted_bleu").options
    assert next(iter(options)) == "weights" and options["weights"].headings == ("phrase", "weight")
    assert [*form.choice_texts(options["negative"])] == ["literal", "penalty"]
    assert [*form.choice_texts(options["normalization"])] == ["NFC", "none", "NFD", "NFKC", "NFKD"]
    assert [*form.choice_texts(options["smooth"])][:4] == ["false", "none", "true", "add-one"]
    assert form.choice_texts(options["smooth"])["none"] is None
    assert "use_aggregator" not in apps("rouge").options


def test_options_change_the_score(bleu):
    before = compute(bleu, *inputs(bleu))["scored"]
    after = with_option(bleu, "tokenizer", "whitespace")["scored"]
    assert after["options"] == {"tokenizer": "whitespace", "confidence": 0.95}
    assert after["result"]["bleu"] < before["result"]["bleu"]
    weights = with_option(bleu, "order_weights", "0.1, 0.2,0.3,0.4")["scored"]["options"]["order_weights"]
    assert weights == [0.1, 0.2, 0.3, 0.4]
    assert "confidence_interval" not in with_option(bleu, "confidence", None)["scored"]["result"]


def test_table_of_weights(apps):
    app = apps("weighted_bleu")
    options = with_option(app, "weights", [["시폰지", "2"], ["", ""], [None, None]])["scored"]["options"]
    assert options["weights"] == {"시폰지": 2}
    assert "weights" not in with_option(app, "weights", [["", ""]])["scored"]["options"]
    assert "5" in message(with_option(app, "weights", [["시폰지", "5"]]))
    for half in (["시폰지", ""], ["", "2"]):  # is refused, and not left out
        assert message(with_option(app, "weights", [["가", "1.5"], half]))
    assert "heavy" in message(with_option(app, "weights", [["시폰지", "heavy"]]))


def test_bad_input_shows_the_message_of_the_metric(bleu):
    assert "nothing to score" in message(compute(bleu, [["", ""]], *inputs(bleu)[1:]))
    assert "nothing to score" in message(compute(bleu, [], *inputs(bleu)[1:]))
    assert "confidence is 7" in message(with_option(bleu, "confidence", "7"))
    assert "order_weights is [&#x27;x&#x27;]" in message(with_option(bleu, "order_weights", "x"))
    assert "max_order is 2.5" in message(with_option(bleu, "max_order", 2.5))
    rows = [["a", "b"], ["\ud800", "c"]]
    assert "predictions[1] (row 2) holds a lone surrogate" in message(compute(bleu, rows, *inputs(bleu)[1:]))


def test_messages_are_escaped(bleu):
    assert "&lt;script&gt;" in message(with_option(bleu, "order_weights", "<script>"))
    result = compute(bleu, [["<script>alert(1)</script>", "<b>"]], *inputs(bleu)[1:])
    assert "<script>" not in result["explanation"]["value"] + result["scores"]["value"]


def test_downloads(bleu, apps):
    result = compute(bleu, *inputs(bleu))
    content = json.loads(Path(value(result["json"])).read_text(encoding="utf-8"))
    assert content == json.loads(dump_json(result["scored"]["result"]))
    rows = list(csv.reader(Path(value(result["csv"])).read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["segment", "bleu", "prediction"]
    assert [float(row[1]) for row in rows[1:]] == result["scored"]["result"]["segments"]
    assert rows[1][2] == bleu.examples[0]["columns"]["predictions"][0]
    other = compute(apps("wer"), [["a b", ""]], *inputs(apps("wer"))[1:])
    assert json.loads(Path(value(other["json"])).read_text(encoding="utf-8"))["wer"] == "inf"
    assert value(other["json"]) != value(result["json"])


# what the table looks like after a file was dropped on it, for BLEU
FILES = {
    "a.csv": ("reference,prediction\n가 나,가\n\"다,\n라\",다\n", [["가", "가 나"], ["다", "다,\n라"]]),
    "a.tsv": ("Predictions\tReferences\tReference 2\n가\t나\t다\n라\t마\t\n", [["가", "나", "다"], ["라", "마", ""]]),
    "a.jsonl": ('{"predictions": "가", "references": ["나", "다"]}\n{"predictions": "라", "references": "마"}\n',
                [["가", "나", "다"], ["라", "마", ""]]),
    "a.txt": ("새 줄\n둘째\n", [["새 줄", "옛 참조"], ["둘째", ""]]),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_uploads(bleu, tmp_path, name):
    text, rows = FILES[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    table, problem = bleu.upload(str(path), "prediction", [["옛 예측", "옛 참조"]])
    assert table["value"] == rows and not problem["visible"]
    assert table["headers"] == ["prediction", "reference", "reference 2"][: len(rows[0])]


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        ("b.csv", b"prediction,other\na,b\n", "b.csv has no column &#x27;references&#x27;; it has prediction, other"),
        ("b.csv", b"prediction,reference\na\n", "b.csv, line 2"),
        ("b.jsonl", b"{]\n", "b.jsonl, line 1: bad JSON"),
        ("b.jsonl", b"", "b.jsonl has no column"),
        ("b.txt", b"a\n\xff\n", "b.txt, line 2: byte 0xff is not UTF-8"),
        ("b.txt", b"", "b.txt: nothing to score"),
    ],
)
def test_bad_uploads(bleu, tmp_path, name, data, wanted):
    (tmp_path / name).write_bytes(data)
    _, problem = bleu.upload(str(tmp_path / name), "prediction", [["a", "b"]])
    assert wanted in problem["value"] and str(tmp_path) not in problem["value"]


def test_columns_of_references(bleu):
    """An empty cell among several is no reference, and a new column changes no score."""
    rows = [["a", "b", ""], ["c", "", "d"], ["e", "", ""], ["", "", ""]]
    wider = bleu.widen(rows)
    assert wider["headers"] == ["prediction", "reference", "reference 2", "reference 3"]
    assert grid.from_cells(bleu.metric, rows) == grid.from_cells(bleu.metric, wider["value"])
    assert grid.from_cells(bleu.metric, rows)["references"] == [["b"], ["d"], [""]]


def test_gaps_among_references_of_a_table_are_none(bleu, tmp_path):
    """However a file says that a cell is empty, as for the commands."""
    lines = ["prediction,reference,reference 2", "a,b,NaN", "c, ,d", "e,#N/A,NaN", "f,g,h"]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    found = grid.read_table(bleu.metric, str(tmp_path / "a.csv"))
    assert found["references"] == [["b"], ["d"], ["#N/A"], ["g", "h"]]


def test_a_button_adds_references_where_there_may_be_several(app):
    clicked = [block.value for block in blocks(app) if type(block).__name__ == "Button"]
    is_list = any(kind.is_list for kind in app.metric.COLUMNS.values())
    assert len(clicked) == 1 + is_list


def test_a_column_that_may_be_left_out_is_read_where_it_is(apps, tmp_path):
    (tmp_path / "a.csv").write_text("prediction,reference,source\na,b,c\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("prediction,reference,baseline\n1,2,3\n2,3,4\n", encoding="utf-8")
    (tmp_path / "c.csv").write_text("prediction,reference\n1,2\n2,3\n", encoding="utf-8")
    assert grid.read_table(apps("ibleu").metric, str(tmp_path / "a.csv"))["sources"] == ["c"]
    metric = apps("human_correlation").metric
    assert list(map(float, grid.read_table(metric, str(tmp_path / "b.csv"))["baselines"])) == [3, 4]
    assert "baselines" not in grid.read_table(metric, str(tmp_path / "c.csv"))


@pytest.mark.parametrize(("names", "width"), [(2, "42%"), (4, "21%"), (5, 92)])
def test_widths_of_columns(names, width):
    assert server._table([f"reference {n}" for n in range(names)], [])["column_widths"] == [width] * names


def test_the_row_that_is_selected():
    assert server._selected(types.SimpleNamespace(index=[4, 1])) == 5


def test_columns_can_be_neither_inserted_nor_deleted(app):
    """They are known by their position."""
    tables = [block for block in blocks(app) if type(block).__name__ == "Dataframe" and block.interactive]
    counts = [list(table.column_count) for table in tables]
    assert tables and counts == [[len(table.headers), "fixed"] for table in tables]
    rows = inputs(app)[0]
    for update in (app.choose(app.examples[-1]["title"])[0], app.widen(rows)):
        assert list(update["column_count"]) == [len(update["headers"]), "fixed"]


@given(
    st.lists(st.tuples(st.text(min_size=1), st.lists(st.text().filter(str.strip), min_size=1, max_size=3)), min_size=1)
)
def test_cells_hold_columns(rows):
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    assert grid.from_cells(load("bleu"), grid.to_cells(load("bleu"), columns)[1]) == columns


def test_runs_in_the_folder_of_a_space(tmp_path):
    """In a process that has nothing of the clone."""
    assemble(ROOT, "weighted_bleu", tmp_path, "gradio", None, URL)
    code = """
import sys
sys.modules["textgauge"] = None
import app
served = []
app.launch = served.append
exec(compile(open("app.py").read().partition("if __name__")[2].partition(":")[2].strip(), "app.py", "exec"), vars(app))
[made] = served
made.blocks()
table, *options = made.choose(made.examples[0]["title"])
values = [option["value"] for option in options]
print(made.name, made.compute(table["value"], *values).scored["result"]["weighted_bleu"])
"""
    env = {**os.environ, "HF_MODULES_CACHE": str(tmp_path / "modules")}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=env)
    assert run.returncode == 0, run.stderr
    example = json.loads((tmp_path / "examples.json").read_text(encoding="utf-8"))[0]
    wanted = load("weighted_bleu").compute(**example["columns"], **example["options"])["weighted_bleu"]
    assert run.stdout.split() == ["weighted_bleu", str(wanted)]


@pytest.fixture
def toy(tmp_path):
    """A metric with columns and options that none of ours has."""
    shutil.copy(SPACES / "bleu" / "README.md", tmp_path)
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    columns = {"predictions": [1.0, 3], "targets": [2.0, 5.5], "weights": [[1.0, 0.5], [2]]}
    example = [{"title": "t", "columns": columns, "options": {"factors": {"a": 2}}}]
    (tmp_path / "examples.json").write_text(json.dumps(example), encoding="utf-8")
    return server.MetricApp(evaluate.load(str(tmp_path / "toy.py"), keep_in_memory=True), tmp_path)


def test_a_metric_that_is_not_known(toy):
    choices = [block.choices for block in blocks(toy) if type(block).__name__ == "Dropdown"]
    assert ("target", "target") in choices[0] and "app_column_prediction" in str(choices[0][0])
    table, *_ = toy.choose("t")
    assert table["headers"] == ["prediction", "target", "weight", "source"]
    assert table["value"] == [["1.0", "2.0", "1.0, 0.5", ""], ["3", "5.5", "2", ""]]
    result = compute(toy, *inputs(toy))
    assert not result["problem"]["visible"], result["problem"]
    assert result["scored"]["result"]["toy"] == (2 * 1.5 + 2 * 2.5 * 2) / 2
    assert "no highlights: this metric has no explanation" in result["explanation"]["value"]
    rows = [["1", "2", "1", "a"], ["x", "2", "1", "b"]]
    assert "predictions[1] (row 2) is a string, &#x27;x&#x27;; pass a finite number" in message(
        compute(toy, rows, *inputs(toy)[1:])
    )
    rows = [["1", "2", "heavy", "a"]]
    assert "weights[0] (row 1) is a string, &#x27;heavy&#x27;; pass a list of numbers" in message(
        compute(toy, rows, *inputs(toy)[1:])
    )
    assert [option.kind for option in toy.options.values()][:2] == ["table", "flag"]
    assert "Add a column of references" not in [getattr(block, "value", "") for block in blocks(toy)]


def test_undefined_scores_are_shown(apps):
    wer = apps("wer")
    result = compute(wer, [["a b", ""], ["a", "a"]], *inputs(wer)[1:])
    assert math.isinf(result["scored"]["result"]["segments"][0]) and "inf" in result["table"]["value"][0][0]


def test_an_upload_has_limits(apps, tmp_path, monkeypatch):
    """The message names the file, its size and the limit; what unpacks into more is counted unpacked."""
    cer = apps("cer")
    rows = inputs(cer)[0]

    def refused(path):
        skipped, problem = cer.upload(str(path), "prediction", rows)
        assert problem["visible"] and "value" not in skipped
        return problem["value"]

    monkeypatch.setattr(limits, "MOST_BYTES", 1000)
    monkeypatch.setattr(limits, "MOST_ROWS", 20)
    (tmp_path / "new.txt").write_text("가" * 400)
    assert "new.txt has 1,200 bytes, unpacked; the app takes at most 1,000" in refused(tmp_path / "new.txt")
    (tmp_path / "new.txt").write_text("a\n" * 21)
    assert "there are 21 rows; the app scores at most 20" in refused(tmp_path / "new.txt")
    (tmp_path / "new.txt").write_text("a\n" * 20)
    assert not cer.upload(str(tmp_path / "new.txt"), "prediction", rows)[1]["visible"]
    with zipfile.ZipFile(tmp_path / "new.xlsx", "w", zipfile.ZIP_DEFLATED) as sheets:
        sheets.writestr("xl/worksheets/sheet1.xml", "a" * 1001)
    assert (tmp_path / "new.xlsx").stat().st_size < 1000
    assert "new.xlsx has 1,001 bytes, unpacked" in refused(tmp_path / "new.xlsx")
    for name in ("new.jsonl.gz", "new.parquet", "new.csv.zst", "new.zip"):
        (tmp_path / name).write_bytes(b"")
        assert f"{name}: the app takes uncompressed files that end in .txt, .jsonl, " in refused(tmp_path / name)


def test_a_table_has_limits(apps, monkeypatch):
    cer = apps("cer")
    _, *values = inputs(cer)
    monkeypatch.setattr(limits, "MOST_ROWS", 20)
    monkeypatch.setattr(limits, "MOST_CHARACTERS", 100)
    assert not compute(cer, [["가", "가"]] * 20, *values)["problem"]["visible"]
    assert "there are 21 rows; the app scores at most 20" in message(compute(cer, [["가", "가"]] * 21, *values))
    assert not compute(cer, [["가" * 50, "가" * 50]], *values)["problem"]["visible"]
    assert "the texts have 101 characters; the app scores at most 100" in message(
        compute(cer, [["가" * 51, "가" * 50]], *values)
    )


RAGGED = [
    ([["가", "나"], ["다"]], "row 2 has 1 cell; give each of the 2 columns one"),
    ([["가", "나"], ["다", "라", "마"]], "row 2 has 3 cells; give each of the 2 columns one"),
    ([["가"], ["다", "라"]], "row 1 has 1 cell; give each of the 2 columns one"),
    ([["가", "나", "다"], ["라", "마", "바"], ["사"], []], "row 3 has 1 cell; give each of the 3 columns one"),
]


@pytest.mark.parametrize(("rows", "wanted"), RAGGED)
def test_a_table_that_a_program_sends_has_all_cells(apps, tmp_path, rows, wanted):
    """Whoever calls the app by its API reads which row is wrong, with every button."""
    cer = apps("cer")
    _, *values = inputs(cer)
    request = types.SimpleNamespace(headers={})
    assert wanted in server._heard(cer.compute)(request, rows, *values).problem["value"]
    with pytest.raises(gradio.Error, match=wanted):
        server._heard(apps("bleu").widen)(request, rows)
    (tmp_path / "new.txt").write_text("가", encoding="utf-8")
    assert wanted in cer.upload(str(tmp_path / "new.txt"), "prediction", rows)[1]["value"]


def test_a_table_without_a_column_of_references_has_its_width(apps):
    metric = apps("human_correlation").metric
    width = len(metric.COLUMNS)
    with pytest.raises(InputError, match=f"row 1 has {width + 1} cells; give each of the {width} columns one"):
        grid.from_cells(metric, [["1"] * (width + 1)] * 2)


@pytest.mark.parametrize("row", [["가"], ["가", "2", "3"], []])
def test_a_table_of_an_option_has_all_cells(apps, row):
    cer = apps("cer")
    rows, *values = inputs(cer)
    values[[*cer.options].index("weights")] = [["나", "2"], row]
    wanted = rf"weights: row 2 has {len(row)} cells?; give each of the 2 columns one"
    assert re.search(wanted, message(compute(cer, rows, *values)))


def test_time_has_a_limit(apps, monkeypatch):
    """What takes too long ends between two steps of Python; what ends in time is not disturbed later."""
    cer = apps("cer")

    def endless(*_, **__):
        while True:
            with contextlib.suppress(Exception):
                pass

    monkeypatch.setattr(server, "in_time", functools.partial(limits.in_time, seconds=0.2))
    monkeypatch.setattr(server, "score_cells", endless)
    assert "this takes more than 0.2 seconds, the limit of the app" in message(compute(cer, *inputs(cer)))
    monkeypatch.setattr(server, "explanation_html", endless)
    assert "this takes more than 0.2 seconds" in cer.explain({}, 1)
    for _ in range(50):
        with contextlib.suppress(ValueError):
            limits.in_time(len, "", seconds=0.001)
    assert sum(range(10**5)) == 4999950000


def test_no_memory_is_said(apps, monkeypatch):
    """An order of 999 takes memory that a small machine may not have; the page says so and goes on."""

    def starved(*_, **__):
        raise MemoryError

    monkeypatch.setattr(server, "score_cells", starved)
    assert "not enough memory" in message(compute(apps("bleu"), *inputs(apps("bleu"))))


def test_counts_are_a_table_in_the_app(apps):
    """As `corpus_counts` gives them: the empty n-gram is the number of segments, and a blank begins the tokenizer."""
    cider = apps("cider")
    references = [["the cat"], ["the dog"], ["a dog"]]
    counts = cider.metric.corpus_counts(references=references, **cider.examples[0]["options"])
    arguments = inputs(cider)
    arguments[1 + [*cider.options].index("document_frequencies")] = [[key, str(count)] for key, count in counts.items()]
    shown = compute(cider, *arguments)
    assert not shown["problem"]["visible"], shown["problem"]
    assert shown["scored"]["options"]["document_frequencies"] == counts
    kinds = {block.elem_id: type(block).__name__ for block in blocks(cider) if getattr(block, "elem_id", None)}
    assert kinds["option-document_frequencies"] == "Dataframe"
    kinds = {block.elem_id: type(block).__name__ for block in blocks(apps("wer")) if getattr(block, "elem_id", None)}
    assert kinds["option-readings"] == "Dropdown"


def test_the_owner_says_which_model(apps):
    """Nobody else does: the visitor chooses it, or log-probabilities."""
    app = server.MetricApp(load("perplexity"), SPACES / "perplexity", "my/model")
    assert form.control_of("model_id", app.options["model_id"])["choices"] == ["not set", "my/model"]
    assert form.entered_value("model_id", app.options["model_id"], "my/model") == "my/model"
    assert not compute(app, *inputs(app))["problem"]["visible"]
    with pytest.raises(ValueError, match="cer takes no language model; leave out my/model"):
        server.MetricApp(load("cer"), SPACES / "cer", "my/model")


def test_a_model_of_the_owner_scores_texts(apps, tmp_path):
    pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")
    from tiny_models import make_gpt2, make_tokenizer

    make_gpt2().save_pretrained(tmp_path)
    make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>").save_pretrained(tmp_path)
    app = server.MetricApp(load("perplexity"), SPACES / "perplexity", str(tmp_path))
    _, *values = inputs(app)
    values[[*app.options].index("model_id")] = str(tmp_path)
    assert compute(app, [["the cat", "", ""]], *values)["scored"]["result"]["tokens"] > 0


def test_a_spreadsheet_computes_nothing_of_a_download(bleu):
    rows = [["=1+1", "a"], ["-1", "a"], ["@b, c", "a"]]
    shown = compute(bleu, rows, *inputs(bleu)[1:])
    with open(value(shown["csv"]), encoding="utf-8", newline="") as file:
        assert [row[-1] for row in csv.reader(file)] == ["prediction", "'=1+1", "-1", "'@b, c"]
