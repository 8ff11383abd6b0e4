"""The questions of a page to Python, and their answers: forms, tables, files, explanations, limits of a server."""

import csv
import json
import re

import evaluate
import pytest
from conftest import METRICS, ROOT, load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core.errors import InputError
from textgauge.programs.page import form, grid, session
from textgauge.programs.page.limits import Limits
from textgauge.programs.page.session import Session
from textgauge.programs.saying.option_values import per_segment

SPACES = ROOT / "spaces"
EXAMPLES = {name: json.loads((SPACES / name / "examples.json").read_text("utf-8")) for name in METRICS}

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


def ask(of, **question):
    """Returns the answer of a session, or of that of a metric."""
    of = Session(load(of)) if isinstance(of, str) else of
    return json.loads(of.answer(json.dumps(question)))


def asked(name, example=0):
    """Returns rows and values of an example."""
    shown = Session(load(name)).example(EXAMPLES[name][example])
    return {"rows": shown["rows"], "values": shown["values"]}


def options_of(name, model=None):
    return form.entered_options(load(name), model)


def with_option(name, option, entered):
    question = asked(name)
    question["values"][[*options_of(name)].index(option)] = entered
    return ask(name, do="score", **question)


def result_of(answer):
    assert "error" not in answer, answer
    return json.loads(answer["json"])


def test_examples_score_as_compute_does(name):
    for number, example in enumerate(EXAMPLES[name]):
        answer = ask(name, do="score", **asked(name, number))
        asked_segments = per_segment(load(name))
        options = {"confidence": 0.95, **example.get("options", {})}
        wanted = load(name).compute(**example["columns"], **options, **asked_segments)
        shown = answer["html"]["en"]
        for key in load(name).headlines(wanted):
            assert f"{key}<br><b>{wanted[key]:.4f}" in shown
        is_several = len(example["columns"]["predictions"]) > 1  # one sentence alone has no distribution
        headlines = load(name).headlines(wanted)
        plots = is_several * len(headlines) if asked_segments else 1 + ("baselines" in example["columns"])
        assert shown.count("<svg") == plots
        assert len(answer["segments"]) == (len(example["columns"]["predictions"]) if asked_segments else 0)


def test_without_optional_packages(only_required):
    """Every example can be chosen and scored; a choice that needs a package says which."""
    for number, example in enumerate(EXAMPLES["meteor"]):
        for name, option in options_of("meteor").items():
            value = example.get("options", {}).get(name, option.default)
            assert option.kind != "choice" or value in form.choice_texts(option).values()
        assert "error" not in ask("meteor", do="score", **asked("meteor", number))
    wanted = 'which lang="ko" takes, needs a package: pip install kiwi'
    assert wanted in with_option("meteor", "lang", "ko")["error"]


def test_every_segment_of_the_examples_is_explained(name):
    for number, example in enumerate(EXAMPLES[name]):
        question = asked(name, number)
        count = len(example["columns"]["predictions"])
        for segment in range(1, count + 1):
            html = ask(name, do="explain", number=segment, **question)["html"]["en"]
            assert 'class="drawing' in html or 'class="links' in html
            assert "no highlights" not in html.replace("no highlights: this metric has no explanation", "")
        for segment in (0, count + 1):
            html = ask(name, do="explain", number=segment, **question)["html"]["en"]
            assert f"There is no segment {segment}: the last is" in html


def test_explanations_are_those_of_the_segment():
    question = asked("weighted_bleu")
    first, third = (ask("weighted_bleu", do="explain", number=n, **question)["html"]["en"] for n in (1, 3))
    assert "주때요</mark><sup>+1.3</sup>" in third and "주때요" not in first.split("<dd")[1]


def test_controls_show_defaults_and_give_them_back(name):
    options = options_of(name)
    for key, option in options.items():
        assert form.entered_value(key, option, form.shown_value(option, option.default)) == option.default, option
    shown = [form.shown_value(option, option.default) for option in options.values()]
    assert form.given_options(options, shown) == {}


def test_choices_are_what_the_metric_takes(name):
    """Each choice alone is accepted, and each option of the signature has a control, but for those of calls.

    Where the packages of a choice are missing, it names them.
    """
    for key, option in options_of(name).items():
        for choice in form.choice_texts(option).values():
            try:
                option.check(key, choice)
            except ImportError:
                assert choice in option.packages
    in_calls = {"per_segment", "flat", "clusters", "use_aggregator", "model_id", "model", "model_tokenizer"}
    assert set(load(name).OPTIONS) - set(options_of(name)) <= in_calls


def test_what_no_field_can_give_has_no_control():
    """A model is an object, or the owner's; a device or a tokenizer can be named."""
    names = set(options_of("perplexity"))
    assert {"device", "dtype", "stride"} <= names and not {"model_id", "model", "model_tokenizer"} & names
    assert {"tokenizer", "stemmer", "synonyms"} <= set(options_of("meteor"))


def test_a_change_of_words_changes_no_control():
    """Nothing is read out of the help, nor out of what a check says; a whole number is no integer."""
    options = options_of("meteor")
    for name, option in options.items():
        reworded = option._replace(help="Pass one of 1, 2 or a dict a -> b.")
        assert form.control_of(name, option) == form.control_of(name, reworded)
    for text, value in (("2", 2.0), ("0.5", 0.5), ("", None), (None, None), ("x", "x")):
        entered = form.entered_value("beta", options["beta"], text)
        assert type(entered) is type(value) and entered == value
    described = form.control_of("beta", options_of("rouge")["beta"])
    assert described["kind"] == "number" and not described["is_integer"]


def test_no_value_by_default_is_not_none():
    options = options_of("meteor")
    assert form.shown_value(options["stemmer"], None) == "not set"
    assert form.entered_value("stemmer", options["stemmer"], "not set") is None
    assert form.shown_value(options["normalization"], None) == "none"
    assert form.control_of("stage_weights", options["stage_weights"])["placeholder"] == "not set"
    assert form.control_of("stages", options["stages"])["placeholder"] == "exact,stem,synonym"


def test_long_lists_are_cut_on_the_page_alone():
    question = {**asked("perplexity"), "rows": [["-1", "a", ""]] * 40}
    answer = ask("perplexity", do="score", **question)
    assert f">{', '.join(['2.7183'] * 30)} and 10 more<" in answer["html"]["en"]
    assert len(result_of(answer)["perplexities"]) == 40


def test_long_keys_can_break():
    answer = ask("human_correlation", do="score", **asked("human_correlation"))
    assert "difference_<wbr>confidence_<wbr>interval</th>" in answer["html"]["en"]


def test_kinds_of_options():
    options = options_of("weighted_bleu")
    assert next(iter(options)) == "weights" and options["weights"].headings == ("phrase", "weight")
    assert [*form.choice_texts(options["negative"])] == ["literal", "penalty"]
    assert [*form.choice_texts(options["normalization"])] == ["NFC", "none", "NFD", "NFKC", "NFKD"]
    assert [*form.choice_texts(options["smooth"])][:4] == ["false", "none", "true", "add-one"]
    assert form.choice_texts(options["smooth"])["none"] is None
    assert "use_aggregator" not in options_of("rouge")


def test_options_change_the_score():
    before = result_of(ask("bleu", do="score", **asked("bleu")))
    after = result_of(with_option("bleu", "tokenizer", "whitespace"))
    assert after["bleu"] < before["bleu"] and "|tok:whitespace|" in after["signature"]
    options = options_of("bleu")
    weights = form.entered_value("order_weights", options["order_weights"], "0.1, 0.2,0.3,0.4")
    assert weights == [0.1, 0.2, 0.3, 0.4]
    assert "confidence_interval" not in result_of(with_option("bleu", "confidence", None))


def test_table_of_weights():
    option = options_of("weighted_bleu")["weights"]
    assert form.entered_value("weights", option, [["시폰지", "2"], ["", ""], [None, None]]) == {"시폰지": 2}
    assert form.entered_value("weights", option, [["", ""]]) is None
    assert "5" in with_option("weighted_bleu", "weights", [["시폰지", "5"]])["error"]


@pytest.mark.parametrize("entered", ["w.tsv", ["w.tsv"], [["a", "1", "2"]], {"a": 1}, 3])
def test_what_is_no_table_of_an_option_is_refused(entered):
    assert "weights has " in with_option("weighted_bleu", "weights", entered)["error"]


def test_bad_input_has_the_message_of_the_metric():
    assert "confidence is 7" in with_option("bleu", "confidence", "7")["error"]
    assert "order_weights is ['x']" in with_option("bleu", "order_weights", "x")["error"]
    assert "max_order is 2.5" in with_option("bleu", "max_order", 2.5)["error"]
    assert "tokenizer is ['13a']" in with_option("bleu", "tokenizer", ["13a"])["error"]
    question = {**asked("bleu"), "rows": [["a", "b"], ["\ud800", "c"]]}
    assert "predictions[1] (row 2) holds a lone surrogate" in ask("bleu", do="score", **question)["error"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "b"], ["c"]], "row 2 has 1 cells; the columns are prediction, reference"),
        ([["a", "b"], ["c", "d", "e"], ["f", "g"]], "row 2 has 3 cells, and row 1 has 2; pass as many in each"),
        ([["a", "b"], "cd"], "row 2 is 'cd'; pass a list of cells"),
        ([None], "row 1 is None; pass a list of cells"),
        ("ab", "rows are 'ab'; pass a list of rows, each a list of cells"),
        ({"a": 1}, "rows are {'a': 1}; pass a list of rows, each a list of cells"),
    ],
)
@pytest.mark.parametrize("do", ["score", "explain", "widen"])
def test_a_ragged_table_names_its_row(rows, message, do):
    question = {"score": {"values": []}, "explain": {"values": [], "number": 1}, "widen": {}}[do]
    assert ask("bleu", do=do, rows=rows, **question)["error"] == message


def test_a_column_too_many_is_refused_where_none_may_be_added():
    columns = "; the columns are prediction, text, context"
    assert ask("perplexity", do="score", rows=[["-1", "a", "b", "c"]], values=[])["error"].endswith(columns)


def test_texts_are_escaped():
    question = {**asked("bleu"), "rows": [["<script>alert(1)</script>", "<b>"]]}
    answers = [ask("bleu", do="score", **question), ask("bleu", do="explain", number=1, **question)]
    assert all("<script>" not in html for answer in answers for html in answer["html"].values())


def test_downloads():
    answer = ask("bleu", do="score", **asked("bleu"))
    rows = list(csv.reader(answer["csv"].splitlines()))
    assert rows[0] == ["segment", "bleu", "prediction"]
    assert [float(row[1]) for row in rows[1:]] == result_of(answer)["segments"]
    assert rows[1][2] == EXAMPLES["bleu"][0]["columns"]["predictions"][0]
    other = ask("wer", do="score", **{**asked("wer"), "rows": [["a b", ""]]})
    assert result_of(other)["wer"] == "inf"


def test_a_spreadsheet_computes_nothing_of_a_download():
    rows = [["=1+1", "a"], ["-1", "a"], ["@b, c", "a"]]
    shown = ask("bleu", do="score", **{**asked("bleu"), "rows": rows})
    assert [row[-1] for row in csv.reader(shown["csv"].splitlines())] == ["prediction", "'=1+1", "-1", "'@b, c"]


# what the table looks like after a file was dropped on it, for BLEU
FILES = {
    "a.csv": ("reference,prediction\n가 나,가\n\"다,\n라\",다\n", [["가", "가 나"], ["다", "다,\n라"]]),
    "a.tsv": ("Predictions\tReferences\tReference 2\n가\t나\t다\n라\t마\t\n", [["가", "나", "다"], ["라", "마", ""]]),
    "a.jsonl": ('{"predictions": "가", "references": ["나", "다"]}\n{"predictions": "라", "references": "마"}\n',
                [["가", "나", "다"], ["라", "마", ""]]),
    "a.txt": ("새 줄\n둘째\n", [["새 줄", "옛 참조"], ["둘째", ""]]),
}  # fmt: skip


def upload(name, data, rows=(("a", "b"),), limits=None):
    question = {"name": name, "content": data.decode("latin-1"), "column": "prediction", "rows": list(map(list, rows))}
    return ask(Session(load("bleu"), limits=limits), do="upload", **question)


@pytest.mark.parametrize("name", FILES)
def test_uploads(name):
    text, rows = FILES[name]
    table = upload(name, text.encode(), [["옛 예측", "옛 참조"]], Limits())
    assert table == upload(name, text.encode(), [["옛 예측", "옛 참조"]])
    assert table == {"headings": ["prediction", "reference", "reference 2"][: len(rows[0])], "rows": rows}


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        ("b.csv", b"prediction,other\na,b\n", "b.csv has no column 'references'; it has prediction, other"),
        ("b.csv", b"prediction,reference\na\n", "b.csv, line 2"),
        ("b.jsonl", b"{]\n", "b.jsonl, line 1: bad JSON"),
        ("b.jsonl", b"", "b.jsonl has no column"),
        ("b.txt", b"a\n\xff\n", "b.txt, line 2: byte 0xff is not UTF-8"),
        ("b.txt", b"", "b.txt: nothing to score"),
    ],
)
def test_bad_uploads(name, data, wanted):
    assert upload(name, data)["error"].startswith(wanted)


def test_columns_of_references():
    """An empty cell among several is no reference, and a new column changes no score."""
    rows = [["a", "b", ""], ["c", "", "d"], ["e", "", ""], ["", "", ""]]
    wider = ask("bleu", do="widen", rows=rows)
    assert wider["headings"] == ["prediction", "reference", "reference 2", "reference 3"]
    assert grid.from_cells(load("bleu"), rows) == grid.from_cells(load("bleu"), wider["rows"])
    assert grid.from_cells(load("bleu"), rows)["references"] == [["b"], ["d"], [""]]


def test_gaps_among_references_of_a_table_are_none(tmp_path):
    """However a file says that a cell is empty, as for the commands."""
    lines = ["prediction,reference,reference 2", "a,b,NaN", "c, ,d", "e,#N/A,NaN", "f,g,h"]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8")
    found = grid.read_table(load("bleu"), str(tmp_path / "a.csv"))
    assert found["references"] == [["b"], ["d"], ["#N/A"], ["g", "h"]]


def test_a_column_that_may_be_left_out_is_read_where_it_is(tmp_path):
    (tmp_path / "a.csv").write_text("prediction,reference,source\na,b,c\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("prediction,reference,baseline\n1,2,3\n2,3,4\n", encoding="utf-8")
    (tmp_path / "c.csv").write_text("prediction,reference\n1,2\n2,3\n", encoding="utf-8")
    assert grid.read_table(load("ibleu"), str(tmp_path / "a.csv"))["sources"] == ["c"]
    metric = load("human_correlation")
    assert list(map(float, grid.read_table(metric, str(tmp_path / "b.csv"))["baselines"])) == [3, 4]
    assert "baselines" not in grid.read_table(metric, str(tmp_path / "c.csv"))


@given(
    st.lists(st.tuples(st.text(min_size=1), st.lists(st.text().filter(str.strip), min_size=1, max_size=3)), min_size=1)
)
def test_cells_hold_columns(rows):
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    assert grid.from_cells(load("bleu"), grid.to_cells(load("bleu"), columns)[1]) == columns


def test_a_metric_that_is_not_known(tmp_path):
    """A metric with columns and options that none of ours has."""
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    toy = Session(evaluate.load(str(tmp_path / "toy.py"), keep_in_memory=True))
    columns = {"predictions": [1.0, 3], "targets": [2.0, 5.5], "weights": [[1.0, 0.5], [2]]}
    shown = toy.example({"title": "t", "columns": columns, "options": {"factors": {"a": 2}}})
    assert shown["headings"] == ["prediction", "target", "weight", "source"]
    assert shown["rows"] == [["1.0", "2.0", "1.0, 0.5", ""], ["3", "5.5", "2", ""]]
    assert json.loads(shown["scored"]["json"])["toy"] == (2 * 1.5 + 2 * 2.5 * 2) / 2
    assert "no highlights: this metric has no explanation" in shown["explanations"][0]["en"]
    rows = [["1", "2", "1", "a"], ["x", "2", "1", "b"]]
    wanted = "predictions[1] (row 2) is a string, 'x'; pass a finite number"
    assert wanted in ask(toy, do="score", rows=rows, values=shown["values"])["error"]
    rows = [["1", "2", "heavy", "a"]]
    wanted = "weights[0] (row 1) is a string, 'heavy'; pass a list of numbers"
    assert wanted in ask(toy, do="score", rows=rows, values=shown["values"])["error"]
    assert [control["kind"] for control in toy.form([])["controls"]][:2] == ["table", "checkbox"]
    assert not toy.form([])["can_widen"]


def test_undefined_scores_are_shown():
    answer = ask("wer", do="score", **{**asked("wer"), "rows": [["a b", ""], ["a", "a"]]})
    assert result_of(answer)["segments"][0] == "inf" and "inf" in answer["segments"][0][0]


def test_counts_are_a_table():
    """As `corpus_counts` gives them: the empty n-gram is the number of segments, and a blank begins the tokenizer."""
    references = [["the cat"], ["the dog"], ["a dog"]]
    counts = load("cider").corpus_counts(references=references, **EXAMPLES["cider"][0]["options"])
    option = options_of("cider")["document_frequencies"]
    rows = [[key, str(count)] for key, count in counts.items()]
    assert form.entered_value("document_frequencies", option, rows) == counts
    assert "error" not in with_option("cider", "document_frequencies", rows)
    assert form.control_of("document_frequencies", option)["kind"] == "table"
    assert form.control_of("readings", options_of("wer")["readings"])["kind"] == "choice"


def test_the_owner_says_which_model():
    """Nobody else does: the visitor chooses it, or log-probabilities."""
    option = options_of("perplexity", "my/model")["model_id"]
    assert form.control_of("model_id", option)["choices"] == ["not set", "my/model"]
    assert form.entered_value("model_id", option, "my/model") == "my/model"
    with pytest.raises(InputError, match="choose one of not set, my/model"):
        form.entered_value("model_id", option, "other/model")


def test_a_model_of_the_owner_scores_texts(tmp_path):
    pytest.importorskip("transformers", reason="pip install -r requirements-models.txt")
    from tiny_models import make_gpt2, make_tokenizer

    make_gpt2().save_pretrained(tmp_path)
    make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>").save_pretrained(tmp_path)
    of_model = Session(load("perplexity"), str(tmp_path))
    values = of_model.example(EXAMPLES["perplexity"][0])["values"]
    values[[*options_of("perplexity", str(tmp_path))].index("model_id")] = str(tmp_path)
    assert result_of(ask(of_model, do="score", rows=[["the cat", "", ""]], values=values))["tokens"] > 0


def test_a_server_has_what_a_browser_lacks():
    """Its packages may be installed, or the metric names them."""
    for name in ("bleu", "perplexity"):
        in_browser, on_server = Session(load(name)).form([]), Session(load(name), limits=Limits()).form([])
        assert in_browser["is_limited"] and not on_server["is_limited"]
        assert not any(control["missing"] for control in on_server["controls"])


def test_an_upload_has_limits():
    """The message names the file, its size and the limit; a browser has none."""
    few = Limits(upload_bytes=1000, rows=20)
    assert "new.txt has 1,200 bytes; the app takes at most 1,000" in upload("new.txt", b"abc\n" * 300, (), few)["error"]
    assert "rows" in upload("new.txt", b"abc\n" * 250, (), few._replace(rows=250))
    for name, line in (("new.txt", b"a\n"), ("new.csv", b"a,b\n"), ("new.tsv", b"a\tb\n")):
        head = b"" if name == "new.txt" else line.replace(b"a", b"prediction").replace(b"b", b"reference")
        assert "there are more than 20 rows" in upload(name, head + line * 21, (), few)["error"]
        assert len(upload(name, head + line * 20, (), few)["rows"]) == 20
        assert len(upload(name, head + line * 21, ())["rows"]) == 21
    for name in ("new.jsonl.gz", "new.parquet", "new.csv.zst", "new.zip", "new.xlsx"):
        wanted = f"{name}: the app takes uncompressed files that end in .txt, .csv, .tsv, .jsonl"
        assert upload(name, b"", (), few)["error"] == wanted


def test_of_a_long_upload_no_more_is_read_than_is_taken(monkeypatch):
    """4.9 MB of empty lines are no table of 4.9 million rows."""
    lengths = []

    def noted(*arguments):
        filled = grid.fill_column(*arguments)
        lengths.append(len(filled))
        return filled

    monkeypatch.setattr(session, "fill_column", noted)
    assert "there are more than 2,000 rows" in upload("new.txt", b"\n" * 4_900_000, (), Limits())["error"]
    assert lengths == [2001]


def test_a_table_has_limits():
    few = Session(load("cer"), limits=Limits(rows=20, characters=100))
    values = asked("cer")["values"]

    def error(rows, do="score", **further):
        return ask(few, do=do, rows=rows, values=values, **further).get("error", "")

    assert not error([["가", "가"]] * 20)
    assert "there are more than 20 rows" in error([["가", "가"]] * 21)
    assert not error([["가" * 50, "가" * 50]])
    for question in ({}, {"do": "explain", "number": 1}):
        wanted = "the texts have 101 characters; the app scores at most 100"
        assert wanted in error([["가" * 51, "가" * 50]], **question)


def test_messages_are_in_the_language_of_the_question():
    few = Session(load("cer"), limits=Limits(rows=1))
    question = {"do": "score", "rows": [["a", "b"]] * 2, "values": []}
    assert re.search("[가-힣]", ask(few, language="ko", **question)["error"])
    assert not re.search("[가-힣]", ask(few, language="en", **question)["error"])


def test_no_memory_is_said(monkeypatch):
    """An order of 999 takes memory that a small machine may not have."""

    def starved(*_, **__):
        raise MemoryError

    question = asked("bleu")
    monkeypatch.setattr(session, "score_columns", starved)
    assert "not enough memory" in ask("bleu", do="score", **question)["error"]
