"""The kinds of errors in programs: counts, shares and rates, and verdicts that turn round once a kind is forgiven."""

import json
import math

import pytest
from conftest import load, write, write_jsonl
from test_verdicts import outcome
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score
from textgauge.programs.comparing.forgiven import with_kinds
from textgauge.programs.comparing.records import Forgiven
from textgauge.programs.comparing.verdict import verdict
from textgauge.programs.drawing.kinds import ERRORS, errors_of, kind_cells, kinds_html
from textgauge.programs.saying.texts import speaking

SEGMENTS = ("looping_segments", "inserted_segments", "heaviest_segment")
TEXTS = {"predictions": ["음 닥 네 잔", "삼 퍼센트"], "references": ["닭 4잔", "5%"]}


def test_kinds_shares_and_rates():
    """The rate without notation is that of the readings, which has a length of its own; others lose their share."""
    read = load("cer").compute(**TEXTS, readings="ko", detailed=True)
    assert (read["edits"], read["reference_length"], read["literal_edits"], read["literal_cer"]) == (3, 7, 7, 7 / 4)
    rows = errors_of(load("cer"), TEXTS, {})["kinds"]
    assert rows == errors_of(load("cer"), TEXTS, {"readings": "ko", "confidence": 0.95, "alignments": "kaldi"})["kinds"]
    assert [row[:3] for row in rows] == [
        ["notation", 4, 4 / 7], ["filler", 1, 1 / 7], ["number", 1, 1 / 7], ["one_jamo", 1, 1 / 7],
    ]  # fmt: skip
    assert [row[3] for row in rows] == pytest.approx([3 / 7, 6 / 4, 6 / 4, 6 / 4])


@pytest.mark.parametrize(
    ("metric", "options", "kinds"),
    [
        ("cer", {"normalization": "NFD"}, {"latin", "ending", "other"}),  # no readings
        ("cer", {"weights": {"엘지": 2}}, {"notation"}),
        ("wer", {"tokenizer": "char"}, {"latin"}),
        ("wer", {"compounds": "merge"}, {"latin"}),
        ("wer", {}, {"notation"}),
    ],
)
def test_where_texts_cannot_be_read_notation_is_no_kind(metric, options, kinds):
    texts = {"predictions": ["엘지"], "references": ["LG"]}
    assert {row[0] for row in errors_of(load(metric), texts, options)["kinds"]} == kinds


def test_rates_that_are_no_shares_of_edits():
    """Of the mean of segments' rates and of an infinite rate no edits can be taken away."""
    for texts, options in ((TEXTS, {"aggregate": "mean"}), ({"predictions": ["닭"], "references": [""]}, {})):
        rows = errors_of(load("cer"), texts, options)["kinds"]
        assert all(math.isnan(row[3]) for row in rows if row[0] != "notation")


def test_no_errors_and_no_error_rate():
    same = {"predictions": ["닭"], "references": ["닭"]}
    assert errors_of(load("cer"), same, {}) == errors_of(load("bleu"), same, {}) == {}


def test_kinds_are_drawn():
    rows = [["notation", 1234, 0.994, 0.25], ["filler", 7, 0.006, math.nan], ["other", 0, 0.0, 0.5]]
    assert [kind_cells(row) for row in rows[:2]] == [["1,234", "99%", "0.2500"], ["7", "1%", "nan"]]
    one = kinds_html({"<a>": rows})
    assert one.count("<tr>") == 3 and "<caption" not in one  # no row without edits
    with speaking("ko"):
        both = kinds_html({"<a>": rows, "b": rows[:1], "c": []})
    assert both.count("<table") == 2 and "&lt;a&gt;</caption>" in both and ">추임새<" in both
    assert kinds_html({"a": []}) == ""


def results_of(**systems):
    """Returns results by cer: of each system its rate, and [kind, edits, share, rate without]."""
    return {name: {"cer": {"cer": rate, ERRORS: {"kinds": kinds}}} for name, (rate, kinds) in systems.items()}


def turned(p_value=math.nan, label="cer", kind="spacing"):
    return Forgiven(label, kind, "b", "a", (0.1, 0.2), 0.756, p_value)


def turned_round(found, results):
    return with_kinds(found, results).forgiven


def test_the_first_kind_that_turns_the_ranking_round():
    two = outcome({"cer": {"a": 0.3, "b": 0.4}}, [])
    spacing, filler = ["spacing", 3, 0.75, 0.1], ["filler", 4, 1.0, 0.05]
    found = turned_round(two, results_of(a=(0.3, [["spacing", 1, 0.25, 0.2]]), b=(0.4, [spacing])))
    assert found == [turned()._replace(share=0.75)]
    found = turned_round(two, results_of(a=(0.3, []), b=(0.4, [filler, spacing])))
    assert [(of.kind, of.rates) for of in found] == [("filler", (0.05, 0.3))]
    # neither where it is as good then, nor where it was the best before, nor by an error that is one
    equal = ["spacing", 1, 0.25, 0.3]
    for kinds in ([equal], [["other", 3, 0.75, 0.1]], []):
        assert turned_round(two, results_of(a=(0.3, []), b=(0.4, kinds))) == []
    tied = outcome({"cer": {"a": 0.4, "b": 0.4}}, [])
    assert turned_round(tied, results_of(a=(0.4, []), b=(0.4, [spacing]))) == []
    # rounding makes no system the best, neither before nor after
    tied = outcome({"cer": {"a": 0.3, "b": 0.1 + 0.2}}, [])
    assert turned_round(tied, results_of(a=(0.3, []), b=(0.1 + 0.2, [spacing]))) == []
    two = outcome({"cer": {"a": 0.1 + 0.2, "b": 0.4}}, [])
    assert turned_round(two, results_of(a=(0.1 + 0.2, []), b=(0.4, [equal]))) == []


def test_verdict_once_a_kind_is_forgiven():
    two = outcome({"bleu": {"a": 0.3, "b": 0.4}, "cer": {"a": 0.3, "b": 0.4}}, [])
    both = [turned(0.01), turned(0.03, "wer")._replace(share=0.5)]
    said = verdict(two._replace(forgiven=both)).headline
    assert said.endswith(
        " But with spacing forgiven, b is better than a, and that is sure (cer 0.1000 < 0.2000 and "
        "wer 0.1000 < 0.2000; p 0.0300): 50% of its edits are of that kind."
    )
    for p_value, part in (
        (0.0501, "though that is not sure (cer 0.1000 < 0.2000; p 0.0501)"),
        (math.nan, "than a (cer"),
    ):
        assert part in verdict(two._replace(forgiven=[turned(p_value)])).headline
    assert ", and that is sure" in verdict(two._replace(forgiven=[turned(0.05)])).headline


ROWS = [  # reference, what A writes, what B hears
    ("금리가 3% 올랐다", "금리가 삼 퍼센트 올랐다", "금리가 5% 올랐다"),
    ("회의는 3시에 끝난다", "회의는 세 시에 끝난다", "회의는 3시에 끝난다"),
    ("LG 폰 4대", "엘지 폰 네 대", "LG 폰 5대"),
    ("약은 2번 드세요", "약은 두 번 드세요", "약은 3번 드세요"),
]


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(*row, n) for n in range(3) for row in ROWS]
    write_jsonl("d.jsonl", *({"ref": ref, "A": a, "B": b} for ref, a, b, _ in rows))
    return ["-d", "d.jsonl", "--reference-column", "ref", "--prediction-column", "A", "--prediction-column", "B"]


SURE = "But with notation forgiven, A is better than B, and that is sure (cer 0.0000 < "


@pytest.mark.parametrize("program", [score, compare])
def test_notation_that_turns_the_ranking_round(program, data):
    """B scores better as the texts are written, and A as they are read."""
    shown = CliRunner().invoke(program.app, [*data, "-m", "cer", "-m", "wer"])
    assert "B scores better than A by both scores. That is sure" in " ".join(shown.stdout.split())
    assert SURE in " ".join(shown.stdout.split())
    assert "A       notation" in shown.stdout and "B       numbers and units" in shown.stdout
    kept = json.loads(CliRunner().invoke(program.app, [*data, "-m", "cer", "--json", "-"]).stdout)
    rows = kept["systems"]["A"]["cer"][ERRORS]["kinds"]
    assert [row[0] for row in rows] == ["notation"] and rows[0][1:] == [kept_edits(rows), 1.0, 0.0]
    page = CliRunner().invoke(program.app, [*data, "-m", "cer", "--html", "-"]).stdout
    assert page.count('id="kinds"') == 1 and "다만 표기 오류를 세지 않으면" in page  # in two languages


def kept_edits(rows):
    columns = {"predictions": [a for _, a, _ in ROWS] * 3, "references": [ref for ref, *_ in ROWS] * 3}
    return load("cer").compute(**columns)["edits"]


def test_several_scores_are_asked_together(data):
    """The p-value is that of one test times the number of error rates, as either may turn round."""
    one, two = (
        json.loads(CliRunner().invoke(compare.app, [*data, *metrics, "--json", "-"]).stdout)["verdict"][0]
        for metrics in (["-m", "cer"], ["-m", "cer", "-m", "wer"])
    )
    p_values = [float(said.rpartition("; p ")[2].split(")")[0]) for said in (one, two)]
    assert p_values[1] == pytest.approx(2 * p_values[0], abs=2e-4) and p_values[0] > 0


def test_a_stream_says_how_to_ask(data):
    shown = CliRunner().invoke(score.app, [*data, "-m", "cer", "--stream"])
    assert "kinds of errors need all texts at once; -m cer:detailed=true counts them" in shown.stderr
    assert "kinds of errors" not in shown.stdout
    assert "kinds of errors" not in CliRunner().invoke(score.app, [*data, "-m", "chrf", "--stream"]).stderr


def test_kinds_of_several_runs_are_those_of_all_of_them(data):
    for name, column in (("ref", 0), ("a1", 1), ("a2", 2), ("b1", 2), ("b2", 0)):
        write(name, *(row[column] for row in ROWS))
    asked = ["-p", "a=a1", "-p", "a=a2", "-p", "b=b1", "-p", "b=b2", "-r", "ref", "-m", "cer", "--json", "-"]
    rows = json.loads(CliRunner().invoke(compare.app, asked).stdout)["systems"]["a"]["cer"][ERRORS]["kinds"]
    columns = {
        "predictions": [row[1] for row in ROWS] + [row[2] for row in ROWS],
        "references": [row[0] for row in ROWS] * 2,
    }
    assert rows == errors_of(load("cer"), columns, {})["kinds"]


@pytest.fixture
def looping(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("ref", *["가나 다라 마바"] * 9, "")
    write("a", *["가나 다라 마바"] * 8, "감사합니다 " * 60, "")
    write("b", *["가나 다리 마바"] * 9, "헛것")
    return ["-p", "a=a", "-p", "b=b", "-r", "ref", "-m", "cer", "-m", "chrf"]


def test_loops_are_said(looping):
    """In the verdict, which turns round without them, below the scores, and in JSON."""
    shown = CliRunner().invoke(compare.app, looping, env={"COLUMNS": "200"})
    text = " ".join(shown.stdout.split())
    assert "But with loops forgiven, a is better than b (cer 0.0000 < 0.2037): 100% of its edits" in text
    assert "a loops in 1 segment, which has 100% of its edits (cer)." in text
    assert "cer, a: 1 segment loops, with 100% of the edits; 0.0000 without it" in text
    assert "cer, a: segment 9 alone has 100% of the edits" in text and "cer, b: segment" not in text
    assert "cer, b: 1 segment is all insertion, as its reference is empty" in text
    kept = json.loads(CliRunner().invoke(score.app, [*looping, "--json", "-"]).stdout)["systems"]
    assert [kept["a"]["cer"][ERRORS][key] for key in SEGMENTS] == [1, 0, [9, 1.0]]
    assert [kept["b"]["cer"][ERRORS][key] for key in SEGMENTS] == [0, 1, []]


@pytest.mark.parametrize(
    ("gates", "code", "message"),
    [
        (["loops=0"], 1, "failed: a: 1 segment loops, above 0\n"),
        (["loops=1"], 0, ""),
        (["loops=0", "cer=9"], 2, "error: --fail-below cer=9: cer is usually from 0 to 2"),
        (["loops=-1"], 2, "error: --fail-below loops=...: write how many segments may loop, such as loops=0"),
    ],
)
def test_loops_as_a_gate(gates, code, message, looping):
    asked = [part for gate in gates for part in ("--fail-below", gate)]
    run = CliRunner().invoke(compare.app, [*looping, *asked])
    assert run.exit_code == code and message in run.stderr and ("failed" in run.stderr) == (code == 1)
    # the baseline is under no test
    assert CliRunner().invoke(compare.app, [*looping, "--fail-below", "loops=0", "--baseline", "a"]).exit_code == 0


def test_a_gate_of_loops_needs_an_error_rate(looping):
    run = CliRunner().invoke(compare.app, [*looping[:-4], "-m", "chrf", "--fail-below", "loops=0"])
    assert "error: --fail-below loops=...: error rates tell loops; add --metric cer" in run.stderr


@pytest.mark.parametrize(("edits", "found"), [([4, 1, 1, 1, 1, 0], []), ([5, 1, 1, 1, 1, 0], [1, 5 / 9]), ([1, 9], [])])
def test_the_heaviest_segment_has_more_than_half(edits, found):
    """Of six segments or more."""
    texts = {"predictions": ["나" * n + "가" for n in edits], "references": ["가"] * len(edits)}
    assert errors_of(load("cer"), texts, {})["heaviest_segment"] == found


@pytest.mark.parametrize("texts", [["3 cats"], [["3 cats", "drei Katzen"]]])
def test_texts_without_korean_are_not_read_in_korean(texts):
    """1,000 and 1.000 are one number in Korean; notation is a kind where some text has Hangul, in whatever form."""
    cer, columns = load("cer"), {"predictions": ["3 cat"], "references": texts}
    kinds = {row[0] for row in errors_of(cer, columns, {})["kinds"]}
    assert "notation" not in kinds
    for korean in ("\ud55c", "\u1112\u1161\u11ab"):
        columns = {"predictions": ["3 cat", korean], "references": [*texts, "a"]}
        assert "notation" in {row[0] for row in errors_of(cer, columns, {})["kinds"]}
