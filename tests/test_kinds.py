"""The kinds of errors in programs: counts, shares and rates, and verdicts that turn round once a kind is forgiven."""

import itertools
import json
import math
import re

import pytest
from conftest import load, write, write_jsonl
from test_verdicts import outcome
from typer.testing import CliRunner

from textgauge.error_rates.kinds.error_kinds import ERROR_KINDS
from textgauge.programs.commands import compare, score
from textgauge.programs.comparing.engine import compare as compare_systems
from textgauge.programs.comparing.forgiven import with_kinds
from textgauge.programs.comparing.records import Forgiven, Settings
from textgauge.programs.comparing.verdict import verdict
from textgauge.programs.drawing.kinds import ERRORS, errors_of, kind_cells, kind_rows, kinds_html
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.saying.texts import speaking
from textgauge.programs.scoring.commands import add_kinds, choose_scorers

SEGMENTS = ("looping_segments", "inserted_segments", "heaviest_segment")
TEXTS = {"predictions": ["음 닥 네 잔", "삼 퍼센트"], "references": ["닭 4잔", "5%"]}


def test_kinds_shares_and_rates():
    """Shares of the edits of the rate, and what is left without them, divided by its denominator."""
    rows = errors_of(load("cer"), TEXTS, {"confidence": 0.95, "alignments": "kaldi"})["kinds"]
    assert rows == [
        ["notation", 4, 4 / 7, 3 / 4], ["filler", 1, 1 / 7, 6 / 4], ["number", 1, 1 / 7, 6 / 4],
        ["one_jamo", 1, 1 / 7, 6 / 4],
    ]  # fmt: skip
    rows = errors_of(load("cer"), TEXTS, {"readings": "ko"})["kinds"]
    assert rows == [["filler", 1, 1 / 3, 2 / 7], ["number", 1, 1 / 3, 2 / 7], ["one_jamo", 1, 1 / 3, 2 / 7]]


@pytest.mark.parametrize(
    ("metric", "options", "kinds"),
    [
        ("cer", {"normalization": "NFD"}, {"latin", "ending", "other"}),  # no syllable is read
        ("cer", {"weights": {"엘지": 2}}, {"notation"}),
        ("cer", {"readings": {"SF": "에스에프"}}, {"notation"}),
        ("wer", {"tokenizer": "char"}, {"notation"}),
        ("wer", {"compounds": "merge"}, {"notation"}),
        ("wer", {}, {"notation"}),
    ],
)
def test_notation_is_a_kind_unless_korean_is_read(metric, options, kinds):
    texts = {"predictions": ["엘지"], "references": ["LG"]}
    assert {row[0] for row in errors_of(load(metric), texts, options)["kinds"]} == kinds


def test_rates_without_a_kind():
    """Of the mean of segments' rates it is the mean, and of an infinite rate infinite while an edit is left."""
    rows = errors_of(load("cer"), TEXTS, {"aggregate": "mean"})["kinds"]
    assert {kind: rate for kind, *_, rate in rows} == pytest.approx(
        {"notation": (2 / 3 + 1) / 2, "filler": (2 / 3 + 4) / 2, "number": (1 + 3) / 2, "one_jamo": (2 / 3 + 4) / 2}
    )
    rows = errors_of(load("cer"), {"predictions": ["음 닭"], "references": [""]}, {})["kinds"]
    assert {kind: rate for kind, *_, rate in rows} == {"filler": math.inf, "other": math.inf}
    rows = errors_of(load("cer"), {"predictions": ["음"], "references": [""]}, {})["kinds"]
    assert {kind: rate for kind, *_, rate in rows} == {"filler": 0.0}


OF_EACH_KIND = [  # prediction and reference
    ("3% 올랐어요", "삼 퍼센트 올랐어요"),
    ("감사합니다 " * 9, "감사합니다"),
    ("음 네 갑니다", "네 갑니다"),
    ("좋은 날 입니다", "좋은 날입니다"),
    ("네, 좋아요", "네 좋아요"),
    ("5개 샀다", "3개 샀다"),
    ("에러가 nlp 났다", "에러가 nlq 났다"),
    ("빨리 가여", "빨리 가요"),
    ("닥을 먹다", "닭을 먹다"),
    ("전혀 다른 말", "이것은 맞는 것"),
    ("타이레늘", "타이레놀"),
]


@pytest.mark.parametrize(("name", "options"), [("cer", {"preset": "jiwer"}), ("wer", {})])
def test_the_rate_without_each_kind(name, options):
    """Its edits are left out, and what the rate is divided by stays."""
    predictions, references = map(list, zip(*OF_EACH_KIND, strict=True))
    options = {**options, "weights": {"타이레놀": 2}, "detailed": True}
    found = load(name).compute(predictions=predictions, references=references, **options)
    kinds = {kind: found[f"{kind}_edits"] for kind in ERROR_KINDS}
    assert min(kinds.values()) > 0 and sum(kinds.values()) == found["edits"]
    rates = {
        f"{name}_without_{'loops' if kind == 'loop' else kind}": (found["edits"] - edits) / found["reference_length"]
        for kind, edits in kinds.items()
    }
    assert {key: found[key] for key in rates} == pytest.approx(rates)


def test_no_errors_and_no_error_rate():
    same = {"predictions": ["닭"], "references": ["닭"]}
    assert errors_of(load("cer"), same, {}) == errors_of(load("bleu"), same, {}) == {}


def test_kinds_are_drawn():
    rows = [["notation", 1234, 0.994, 0.25], ["filler", 7, 0.006, math.nan], ["other", 0, 0.0, 0.5]]
    assert [kind_cells(row) for row in rows[:2]] == [["1,234", "99%", "0.2500"], ["7", "1%", "nan"]]
    one = kinds_html({"": {"<a>": rows}})
    assert one.count("<tr>") == 3 and "<caption" not in one  # no row without edits
    with speaking("ko"):
        both = kinds_html({"<a>": {"s": rows}, "b": {"s": rows[:1]}, "c": {"s": []}})
    assert both.count("<table") == 2 and "&lt;a&gt;</caption>" in both and ">추임새<" in both
    assert kinds_html({"a": {}}) == ""


def test_kinds_of_several_systems_are_one_table():
    """With a group of columns for each, empty where it has no error of the kind."""
    html = kinds_html(
        {"CER": {"a": [["other", 2, 1.0, 0.5]], "<b>": [["spacing", 3, 0.75, 0.2], ["other", 1, 0.25, 0.6]]}}
    )
    assert html.count("<table") == 1
    assert re.findall(r'colgroup" colspan="3" lang="">(.*?)<', html) == ["a", "&lt;b&gt;"]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', html)
    assert [(kind, re.findall("<td>(.*?)</td>", cells)) for kind, cells in rows] == [
        ("other", ["2", "100%", "0.5000", "1", "25%", "0.6000"]),
        ("spacing", ["", "", "", "3", "75%", "0.2000"]),
    ]


def turned(p_value=math.nan, label="cer", kind="spacing", exact=""):
    return Forgiven(label, kind, "b", "a", (0.1, 0.2), 0.756, p_value, exact)


def compared(references, metric="cer", runs=None, clusters=None, confidence=0.95, **systems):
    """Returns the outcome of a comparison of systems by metrics, which blanks separate."""
    files = {name: FileColumn("", texts, "", "line", range(len(texts))) for name, texts in systems.items()}
    columns = {"references": [FileColumn("", references, "", "line", range(len(references)))]}
    if clusters:
        columns["clusters"] = [FileColumn("", clusters, "", "line", range(len(clusters)))]
    of_runs = {
        name: [files[name], FileColumn("", texts, "", "line", range(len(texts)))]
        for name, texts in (runs or {}).items()
    }
    corpus = Corpus("", files, columns, {}, "", runs=of_runs)
    scorers = choose_scorers(corpus, metric.split(), confidence)
    found = compare_systems(corpus, scorers, Settings(None, confidence, 100, None, 1))
    return with_kinds(found, found.results, add_kinds(corpus, scorers, found.results))


PLAIN = ["가나다라마바사아자차"] * 4  # 10 characters each


def test_the_first_kind_that_turns_the_ranking_round():
    """By the rates without it, all divided by the same denominators; a kind that a system has none of is 0."""
    a, spaced = ["가나다라마바사아자카", *PLAIN[1:]], ["가나 다라 마바사아자차", *PLAIN[1:]]
    keep = "cer:preset=jiwer"
    [found] = compared(PLAIN, keep, a=a, b=spaced).forgiven
    assert found[:6] == ("cer preset=jiwer", "spacing", "b", "a", (0.0, 1 / 40), 1.0)
    # neither where it is as good then, nor where it was the best before, nor by an error that is one
    as_good = ["가나 다라 마바사아자타", *PLAIN[1:]]
    worse = ["가나카타마바사아자차", *PLAIN[1:]]
    for b in (as_good, a, PLAIN, worse):
        assert compared(PLAIN, keep, a=a, b=b).forgiven == []
        assert compared(PLAIN, keep, b=b, a=a).forgiven == []
    # the first of them: fillers before spacing
    both = ["음 가나 다라마바사아자차", *PLAIN[1:]]
    [found] = compared(
        PLAIN, keep, a=["가나다라마바사아자카 ", "가나다라마바사아카타", *PLAIN[2:]], b=both[:1] + both[:1] + PLAIN[2:]
    ).forgiven
    assert (found.kind, found.better) == ("filler", "b")


def test_weights_and_means_are_compared_as_the_rates_are():
    """An error in a phrase counts its weight, and the mean is that of the segments' rates without the kind."""
    references = ["타이레놀 주세요"] * 3 + ["네"]
    a, b = ["타이레늘 주세요", *references[1:]], ["음 타이레놀 주세요"] * 3 + ["네"]
    assert [of.kind for of in compared(references, "cer:aggregate=mean", a=a, b=b).forgiven] == ["filler"]
    [found] = compared(references, "cer", a=a, b=b).forgiven
    assert found.rates == (0.0, 1 / 22)


def test_the_p_value_of_a_score_is_its_own():
    """However many metrics are asked."""
    references = ["삼 퍼센트 올랐어요"] * 6
    wrong, sign = "삼 퍼센트 올랐어오", "3% 올랐어요"
    for n_differing, expected in ((6, 0.03125), (1, 1.0)):
        a = [wrong] * n_differing + references[n_differing:]
        b = [sign] * n_differing + references[n_differing:]
        for metrics in ("cer", "wer", "cer wer"):
            assert {of.p_value for of in compared(references, metrics, a=a, b=b).forgiven} == {expected}


def exact_p(one, other, denominators):
    """Returns the share of all ways to swap segments in which rates differ at least as much."""

    def rate(edits):
        return sum(edits) / sum(denominators)

    wanted = abs(rate(one) - rate(other))
    ways = list(itertools.product([False, True], repeat=len(one)))
    reached = 0
    for way in ways:
        pairs = [(b, a) if swapped else (a, b) for a, b, swapped in zip(one, other, way, strict=True)]
        reached += abs(rate([a for a, _ in pairs]) - rate([b for _, b in pairs])) >= wanted - 1e-12
    return reached / len(ways)


def test_p_is_of_the_rows_that_are_left():
    """By randomisation of the edits without the kind, segment by segment, of all runs together, or by cluster."""
    references = ["가나다라"] * 8
    a = ["가나다카", "가나타카", "가나다라", "가파타카", "가나다카", "가나다라", "가나다카", "가나다라"]
    b = ["음 가나다라", "음 가나다카", "음 가나다라", *["음 가나다라"] * 5]
    fillerless = [0, 1, 0, 0, 0, 0, 0, 0]
    [found] = compared(references, a=a, b=b).forgiven
    assert found.kind == "filler" and found.p_value == exact_p([1, 2, 0, 3, 1, 0, 1, 0], fillerless, [4] * 8)
    [found] = compared(references, a=a, b=b, clusters=list("xxyyzzww")).forgiven
    assert found.p_value == exact_p([3, 3, 1, 1], [1, 0, 0, 0], [8] * 4)
    [found] = compared(references, a=a, b=b, runs={"a": a[::-1], "b": b}).forgiven
    assert found.p_value == exact_p([1, 3, 0, 4, 4, 0, 3, 1], [2 * n for n in fillerless], [8] * 8)
    # nothing is tested without a level
    assert math.isnan(with_kinds_of_one_level(references, a, b).p_value)


def with_kinds_of_one_level(references, a, b):
    """Returns what is forgiven where no test is asked for."""
    found = compared(references, a=a, b=b)
    rows = {}
    for system, texts in (("a", a), ("b", b)):
        rows[system, "cer"] = kind_rows(load("cer"), {"predictions": texts, "references": references}, {})
    settings = found.settings._replace(confidence=None)
    [forgiven] = with_kinds(found._replace(settings=settings), found.results, rows).forgiven
    return forgiven


def test_notation_names_the_exact_way():
    references = ["금리가 3% 올랐다"] * 7
    a, b = ["금리가 5% 올랐다"] * 7, ["금리가 삼 퍼센트 올랐다"] * 7
    for metric, exact in (
        ("cer", "cer:readings=ko"),
        ("cer:preset=jiwer", "cer:preset=jiwer,readings=ko"),
        ("own=wer", "wer:readings=ko"),
        ("wer:compounds=merge", "wer:compounds=merge,readings=ko"),
    ):
        [found] = compared(references, metric, a=a, b=b).forgiven
        assert (found.kind, found.exact) == ("notation", exact)
    assert compared(references, "cer:readings=ko", a=a, b=b).forgiven == []


def test_a_kind_never_compares_rates_of_other_segments():
    """Each system's loops are taken out of its own edits, and all its segments still count."""
    references = ["가나 다라 마바사"] * 10
    loop = "감사합니다 " * 30
    a = ["가나 다라 마바카", *references[1:9], loop]
    b = [loop, loop, "가나 다라 마카타", *references[3:]]
    found = compared(references, a=a, b=b)
    result = {system: of["cer"]["errors"]["kinds"] for system, of in found.results.items()}
    assert {kind for kind, *_ in result["a"]} >= {"loop"} and found.forgiven == []


def test_verdict_once_a_kind_is_forgiven():
    two = outcome({"bleu": {"a": 0.3, "b": 0.4}, "cer": {"a": 0.3, "b": 0.4}}, [])
    exact = [turned(0.01, exact="cer:readings=ko", kind="notation"), turned(0.01, "wer", "notation", "wer:readings=ko")]
    found = verdict(two._replace(forgiven=exact))
    assert found.qualified[-1].endswith("76% of its edits are of that kind.")
    assert found.details[-1] == "To forgive all that reads alike exactly: -m cer:readings=ko and -m wer:readings=ko."
    both = [turned(0.01), turned(0.03, "wer")._replace(share=0.5)]
    assert verdict(two._replace(forgiven=both)).qualified[-1] == (
        "But with spacing forgiven, b is significantly better than a (cer 0.1000 < 0.2000 and "
        "wer 0.1000 < 0.2000; p = 0.0300): 50% of its edits are of that kind."
    )
    assert "b is significantly better than a" in verdict(two._replace(forgiven=[turned(0.05)])).qualified[-1]


def test_a_forgiven_kind_is_told_where_one_of_the_two_differences_is_significant():
    """That another system is best by chance says nothing of one that is best by chance."""
    scores = {"cer": {"a": 0.3, "b": 0.4}}
    for sure, p_value, part in (
        ([], 0.0501, ""),
        ([], math.nan, ""),
        ([("cer", "a", "b")], 0.0501, "but not significantly (cer 0.1000 < 0.2000; p = 0.0501)"),
        ([("cer", "a", "b")], math.nan, ""),
        ([], 0.01, "significantly better than a (cer 0.1000 < 0.2000; p = 0.0100)"),
    ):
        said = " ".join(verdict(outcome(scores, sure)._replace(forgiven=[turned(p_value)])).lines)
        assert part in said and ("forgiven" in said) == bool(part), (sure, p_value)


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


SURE = "But with notation forgiven, A is significantly better than B (cer 0.0000 < "


@pytest.mark.parametrize("program", [score, compare])
def test_notation_that_turns_the_ranking_round(program, data):
    """B scores better as the texts are written, and A as they are read."""
    shown = CliRunner().invoke(program.app, [*data, "-m", "cer", "-m", "wer"])
    assert "B is significantly better than A on both metrics" in " ".join(shown.stdout.split())
    assert SURE in " ".join(shown.stdout.split())
    is_said = "exactly: -m cer:readings=ko and -m wer:readings=ko." in " ".join(shown.stdout.split())
    assert is_said == (program is compare)  # score.py prints no details
    heading, _, *rows = kinds_table(shown.stdout)
    assert heading.split() == ["kind", "A", "B"]
    assert {"notation", "numbers and units"} <= {re.split(r"\s{2,}", row)[0] for row in rows}
    kept = json.loads(CliRunner().invoke(program.app, [*data, "-m", "cer", "--json", "-"]).stdout)
    rows = kept["systems"]["A"]["cer"][ERRORS]["kinds"]
    assert [row[0] for row in rows] == ["notation"] and rows[0][1:] == [kept_edits(rows), 1.0, 0.0]
    page = CliRunner().invoke(program.app, [*data, "-m", "cer", "--html", "-"]).stdout
    assert page.count('id="kinds"') == 1 and "다만 표기 오류를 세지 않으면" in page  # in two languages


def kept_edits(rows):
    columns = {"predictions": [a for _, a, _ in ROWS] * 3, "references": [ref for ref, *_ in ROWS] * 3}
    return load("cer").compute(**columns)["edits"]


def test_one_p_value_whatever_else_is_asked(data):
    """Also if a metric is asked twice, and by both commands."""
    said = []
    for program, metrics in itertools.product((score, compare), (["cer"], ["cer", "chrf"], ["cer", "twice=cer"])):
        asked = [text for metric in metrics for text in ("-m", metric)]
        printed = CliRunner().invoke(program.app, [*data, *asked]).stdout
        said += re.findall(r"with notation forgiven, .*?; (p = [\d.]+)\)", " ".join(printed.split()))
    assert len(said) == 6 and len(set(said)) == 1
    kept = json.loads(CliRunner().invoke(compare.app, [*data, "-m", "cer", "--json", "-"]).stdout)
    [p_value] = [claim["p_value"] for claim in kept["claims"] if claim["claim"] == "forgiven"]
    assert said[0] == f"p = {p_value:.4f}"


def test_a_stream_says_how_to_ask(data):
    """The command that it names counts what a call without --stream does."""
    shown = CliRunner().invoke(score.app, [*data, "-m", "cer:preset=jiwer", "--stream"])
    assert "to count the kinds of errors with --stream: -m cer:preset=jiwer,detailed=true" in shown.stderr
    assert "kinds of errors" not in shown.stdout
    for metric in ("cer:preset=jiwer,detailed=true", "wer:detailed=true"):
        streamed = CliRunner().invoke(score.app, [*data, "-m", metric, "--stream"])
        whole = CliRunner().invoke(score.app, [*data, "-m", metric.replace("detailed=true", "detailed=false")])
        assert "with --stream" not in streamed.stderr
        assert kinds_table(streamed.stdout) == kinds_table(whole.stdout) != []
    assert "kinds of errors" not in CliRunner().invoke(score.app, [*data, "-m", "chrf", "--stream"]).stderr


def test_kinds_are_counted_once(data, monkeypatch):
    """The segments of a report have theirs from the same rows as the table."""
    counted = []

    def count(metric, columns, options):
        counted.append(metric.name)
        return kind_rows(metric, columns, options)

    for module in ("drawing.kinds", "scoring.commands"):
        monkeypatch.setattr(f"textgauge.programs.{module}.kind_rows", count)
    page = CliRunner().invoke(score.app, [*data, "-m", "cer", "-m", "wer", "--html", "-"]).stdout
    assert page.count('id="kinds"') == 1
    assert sorted(counted) == ["cer", "cer", "wer", "wer"]


def kinds_table(printed):
    """Returns the rows of the printed table of kinds."""
    return printed.partition("and the rate without them\n")[2].splitlines()


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
    """In the verdict, below the scores, and in JSON."""
    shown = CliRunner().invoke(compare.app, looping, env={"COLUMNS": "200"})
    text = " ".join(shown.stdout.split())
    assert "forgiven" not in text  # neither difference is significant
    assert "a loops in 1 segment; surplus repeats are 98% of its edits (cer)." in text
    assert "cer, a: 1 segment loops: surplus repeats are 98% of the edits; 0.1111 without them" in text
    assert "cer, a: segment 9 alone has 100% of the edits" in text and "cer, b: segment" not in text
    assert "cer, b: 1 segment is all insertion, because its reference is empty" in text
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
    assert "error: --fail-below loops=...: only error rates count loops; add --metric cer" in run.stderr


@pytest.mark.parametrize(("edits", "found"), [([4, 1, 1, 1, 1, 0], []), ([5, 1, 1, 1, 1, 0], [1, 5 / 9]), ([1, 9], [])])
def test_the_heaviest_segment_has_more_than_half(edits, found):
    """Of six segments or more."""
    texts = {"predictions": ["나" * n + "가" for n in edits], "references": ["가"] * len(edits)}
    assert errors_of(load("cer"), texts, {})["heaviest_segment"] == found


@pytest.mark.parametrize("texts", [["3 cats"], [["3 cats", "drei Katzen"]]])
def test_texts_without_korean_are_not_read(texts):
    """1,000 and 1.000 are one number in Korean; a segment without Hangul has no notation, whatever others have."""
    cer, columns = load("cer"), {"predictions": ["3 cat"], "references": texts}
    rows = errors_of(cer, columns, {})["kinds"]
    assert "notation" not in {row[0] for row in rows}
    columns = {"predictions": ["3 cat", "네"], "references": [*texts, "네"]}
    assert [row[:3] for row in errors_of(cer, columns, {})["kinds"]] == [row[:3] for row in rows]


def test_segments_that_are_not_read_are_noted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("ref", "3~4명 " * 300, "세 개", "")
    write("a", "3~5명 " * 300, "3개", "")
    shown = CliRunner().invoke(score.app, ["-p", "a=a", "-r", "ref", "-m", "cer"], env={"COLUMNS": "200"})
    assert "cer, a: 1 segment has more readings than can be tried" in " ".join(shown.stdout.split())
    kept = CliRunner().invoke(score.app, ["-p", "a=a", "-r", "ref", "-m", "cer", "--json", "-"]).stdout
    assert json.loads(kept)["systems"]["a"]["cer"][ERRORS]["unread_segments"] == 1
