"""The report of score.py: verdict, groups, which segments tell most, what is said beside them, how it was made."""

import csv
import json
import math
import re
import shlex

import numpy as np
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from score_files import Page, in_english, packed_in, unpacked, write, write_jsonl
from typer.testing import CliRunner

import textgauge
from textgauge.programs.commands import score
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpora import SAMPLE
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.reporting import choice
from textgauge.programs.reporting.report import _preferences as preferences
from textgauge.programs.reporting.report import _two_systems as two_systems_picture
from textgauge.programs.scoring.specs import Scorer


class Metric:
    """A metric whose direction is all that matters."""

    USUAL_RANGE = (0.0, 1.0)

    def __init__(self, lower):
        self.LOWER_IS_BETTER = lower


def scored(lower=False, human=None, human_lower=False, **segments):
    """Returns corpus, scorer and results with these scores of the segments."""
    size = len(next(iter(segments.values())))
    systems = {name: FileColumn("", [""] * size, "", "line", range(1, size + 1)) for name in segments}
    corpus = Corpus("", systems, {}, human or {}, "", is_human_lower_better=human_lower)
    scorer = Scorer("m", Metric(lower), {}, "m")
    return corpus, scorer, {name: {"m": {"m": 0.0, "segments": values}} for name, values in segments.items()}


def orders(*arguments, **segments):
    corpus, scorer, results = scored(*arguments, **segments)
    return {order.name: [row + 1 for row in order.rows] for order in choice.orders_of(corpus, scorer, results)}


def test_orders():
    """Most telling first: by the spread between systems, by people, the worst of each system; nan comes last."""
    found = orders(a=[0.1, 0.9, math.nan, 0.5], b=[0.2, 0.1, 0.3, 0.5])
    assert found == {
        "systems differ most": [2, 1, 3, 4],
        "largest loss of a against the best other system": [1, 4, 2, 3],
        "largest loss of b against the best other system": [2, 4, 1, 3],
        "worst of a": [1, 4, 2, 3],
        "worst of b": [2, 1, 3, 4],
        "as in the file": [1, 2, 3, 4],
    }
    found = orders(lower=True, a=[0.1, math.inf, math.nan, 0.5])
    assert found == {"worst first": [2, 4, 1, 3], "as in the file": [1, 2, 3, 4]}
    alone = orders(a=[math.nan, math.nan], b=[math.nan, math.nan])
    assert alone["systems differ most"] == [1, 2]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("human_lower", [False, True])
def test_where_people_disagree(lower, human_lower):
    """First where the metric clearly prefers the one system and people the other, whichever end is the good one."""
    sign, human_sign = (-1 if is_lower else 1 for is_lower in (lower, human_lower))
    a, b = [0.9, 0.9, 0.2, 0.5], [0.1, 0.1, 0.3, 0.5]
    people = {"a": [1, 3, 3, 2], "b": [3, 1, 1, 2]}
    given = {"human": {name: [human_sign * v for v in values] for name, values in people.items()}}
    segments = {"a": [sign * v for v in a], "b": [sign * v for v in b]}
    corpus, scorer, results = scored(lower, human_lower=human_lower, **given, **segments)
    assert choice.orders_of(corpus, scorer, results)[1][:2] == ("people disagree most", [0, 2, 3, 1])
    assert choice.agreement(corpus, scorer, results, ["a", "b"]) == (1, 3)
    assert choice.agreement(corpus, scorer, results, ["a", "c"]) is None


def test_rounding_is_no_preference():
    """0.1 + 0.2 is 0.3, for a metric, for people, and in the picture of what they prefer."""
    more = 0.1 + 0.2
    corpus, scorer, results = scored(human={"a": [more, 2, 2], "b": [0.3, 1, 1]}, a=[2, more, 2], b=[1, 0.3, 1])
    assert choice.agreement(corpus, scorer, results, ["a", "b"]) == (1, 1)
    assert [*preferences(corpus, ["a", "b"]).values()] == [[1, 2], [], [0]]
    found = orders(a=[0.3, more, 0.1, 0.3], b=[0.3, 0.3, 0.3, more])
    assert found["systems differ most"] == [3, 1, 2, 4]
    assert found["largest loss of a against the best other system"] == [3, 1, 2, 4]
    pictures = []
    for value in (0.3, more):
        corpus, scorer, results = scored(a=[0.3, 0.3], b=[0.3, value])
        pictures.append(two_systems_picture(corpus, [scorer], results, {"labels": ["m"], "numbers": set()}))
    assert pictures[0] == pictures[1]
    corpus, scorer, results = scored(human={"a": [1, 1, 2]}, a=[more, 0.3, 0.9])
    assert choice.disagreements(corpus, scorer, results).tolist() == [0, 0, 0]


def first_screen(*arguments, **segments):
    """Returns how many segments of each order show what it is about."""
    corpus, scorer, results = scored(*arguments, **segments)
    return {order.name: order.rows[: order.n_telling] for order in choice.orders_of(corpus, scorer, results)}


def test_lists_end_where_there_is_nothing_to_see():
    """A difference of 0 is none, as is an error of a text that has none; an undefined score comes nowhere."""
    found = first_screen(
        True, {"a": [1.0, 2.0, 3.0, 3.0], "b": [1.0, 1.0, 3.0, 3.0]}, a=[0.0, 0.5, 0.2, math.nan], b=[0.0] * 4
    )
    assert found == {
        "systems differ most": [1, 2],
        "people disagree most": [1],
        "largest loss of a against the best other system": [1, 2],
        "largest loss of b against the best other system": [],
        "worst of a": [1, 2],
        "worst of b": [],
        "as in the file": [],
    }
    assert first_screen(a=[1.0, 0.5])["worst first"] == [1]


def test_lists_that_are_empty_are_left_out(report):
    write("good.txt", "가나다라", "마바사아", "자차카타")
    write("bad.txt", "가나다라", "마바사아", "자차카하")
    page, *_ = report("-p", "good.txt", "-p", "bad.txt", "-r", "good.txt", "-m", "cer")
    looked_at = " ".join(page.text.partition("Segments to look at first, by cer:")[2].split())
    assert looked_at.startswith(
        "systems differ most 3 largest loss of bad against the best other system 3 worst of bad 3 Kinds of errors"
    )


@pytest.mark.parametrize("lower", [False, True])
def test_the_picture_is_of_the_two_best_systems(lower):
    """Of three, of which the second best is the last one."""
    corpus, scorer, results = scored(lower, worst=[0.1, 0.2], best=[0.8, 0.6], second=[0.5, 0.5])
    for system, value in {"worst": 0.15, "best": 0.7, "second": 0.5}.items():
        results[system]["m"]["m"] = -value if lower else value
    found = two_systems_picture(corpus, [scorer], results, {"labels": ["m"], "numbers": set()})
    named = found["notes"][0]
    assert "of second to the right, of best upwards" in named and "worst" not in named, named


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8))
def test_people_against_one_system(pairs):
    """The distance of the ranks, ties in the middle, as scipy ranks."""
    values, human = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    corpus, scorer, results = scored(human={"a": human.tolist()}, a=values.tolist())
    wanted = np.abs(stats.rankdata(values) - stats.rankdata(human)) / len(pairs)
    assert choice.disagreements(corpus, scorer, results) == pytest.approx(wanted)


def test_chosen_segments_come_from_each_order_in_turn():
    found = [choice.Order("differ", [4, 2, 0, 1, 3]), choice.Order("worst", [1, 4, 3, 0, 2])]
    assert choice.chosen_rows(found, 3) == [4, 2, 1] and choice.chosen_rows(found, 9) == [4, 2, 0, 1, 3]


def test_the_metric_that_tells_most_apart_comes_first():
    corpus, scorer, results = scored(a=[0.0, 0.0, 0.5, math.nan])
    results["a"]["n"] = {"segments": [0.1, 0.2, 0.3, 0.3]}
    assert choice.most_telling([scorer, scorer._replace(label="n")], results) == 1
    results["a"]["n"] = {"segments": [0.1, 0.1, 0.1, 0.3]}
    assert choice.most_telling([scorer, scorer._replace(label="n")], results) == 0
    results["a"]["n"] = {"segments": [0.1, 0.1, 0.3, math.nan]}
    assert choice.most_telling([scorer, scorer._replace(label="n")], results) == 0  # of equal ones the first


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Returns a function that runs the script and returns the page and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        result = CliRunner().invoke(score.app, [*map(str, arguments), "--html", "r.html"])
        assert result.exit_code == 0, result.output
        source = in_english(unpacked((tmp_path / "r.html").read_text(encoding="utf-8")))
        return Page(source), source, result.stdout

    return run


def test_report_of_the_sample(report):
    """The first sentence below the scores says who is better, and whether significantly; so does the terminal."""
    page, source, printed = report()
    said = "KakaoI is significantly better than GoogleTranslate on all 3 metrics (p ≤"
    assert f"\n{said}" in printed and page.text.index("Scores") < page.text.index(said)
    assert "People rate KakaoI best, but not significantly better than GoogleTranslate" in page.text
    assert "mean rank by six translators" in page.text
    assert "bleu is 0 for 173 of 200 segments" in page.text and "use smooth=exp to compare segments" in page.text
    assert "0: no 4-gram matches; 3-grams do" in page.text
    assert len(page.order) == 100 and "id 199" in page.text
    assert re.findall('<option value="0">(.*?)</option>', source) == ["bleu char", "systems differ most"]
    assert '<option value="1">people disagree most</option>' in source


def test_two_systems_have_their_difference_with_its_interval(report):
    """That of compare.py, and sure where its p-value after Holm is."""
    page, source, _ = report("-d", SAMPLE, *two_systems(), "-m", "cer", "-m", "bleu", "--segments", 3)
    row = re.search(r'<tr role="row" class="differences">.*?</tr>', source, re.S)[0]
    assert re.findall("<b>(.*?)</b>", row) == ["−0.1103", "+0.0208"] and row.count("<svg") == 2
    assert re.findall(r"\[.*?\]", row) == ["[−0.1551, −0.0670]", "[0.0037, 0.0403]"]
    assert re.findall('class="sure">(.*?)<', row) == ["significant, p 0.0002", "significant, p 0.0169"]
    assert "<h2" in source and 'id="groups"' not in source


def two_systems():
    names = ("GoogleTranslate", "KakaoI")
    return [*(word for name in names for word in ("--prediction-column", name)), "--reference-column", "reference"]


def test_each_metric_has_leaders_and_orders_of_its_own(report):
    """Two metrics, of which each is led by another system and differs most in another segment."""
    write("r.txt", "the cat sat down", "a dog ran home", "it is late")
    write("letters.txt", "the cay saw dowm", "a dog ran home", "it is later")
    write("words.txt", "the cat sat down", "a dog xxxxxxxxxxx home", "it is late")
    _, source, _ = report("-p", "letters.txt", "-p", "words.txt", "-r", "r.txt", "-m", "cer", "-m", "wer")
    found = {
        metric: {
            system: load(metric).compute(predictions=lines_of(f"{system}.txt"), references=lines_of("r.txt"))[metric]
            for system in ("letters", "words")
        }
        for metric in ("cer", "wer")
    }
    assert found["cer"]["letters"] < found["cer"]["words"] and found["wer"]["letters"] > found["wer"]["words"]
    best = re.findall(r'class="best"><b>(.*?)</b>', source)
    assert best == [f"{found['cer']['letters']:.4f}", f"{found['wer']['words']:.4f}"]
    cer, wer = packed_in(source)["places"]
    assert cer != wer


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def test_without_confidence_nothing_is_compared(report):
    page, source, printed = report("--no-confidence", "--segments", 3)
    assert 'class="verdict"' not in source and "better than" not in printed and len(page.order) == 3


def test_groups_of_segments(report, tmp_path):
    """Scores as the segments alone have them; the strongest colour is the largest difference."""
    rows = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()][:30]
    rows = [{**row, "domain": ["뉴스", "<web>"][n % 3 == 0]} for n, row in enumerate(rows)]
    write_jsonl("d.jsonl", *rows)
    asked = ["-d", "d.jsonl", *two_systems(), "-m", "bleu:tokenizer=char", "-m", "cer", "-g", "domain"]
    page, source, printed = report(*asked, "--json", "r.json", "--csv", "r.csv")
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["groups"]
    assert [(group["group"], group["segments"]) for group in found] == [
        ({"domain": "<web>"}, 10),
        ({"domain": "뉴스"}, 20),
    ]
    lines = list(csv.DictReader((tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()))
    assert [line["domain"] for line in lines] == [""] * 4 + ["<web>"] * 4 + ["뉴스"] * 4
    for group in found:
        write_jsonl("own.jsonl", *(row for row in rows if row["domain"] == group["group"]["domain"]))
        alone = CliRunner().invoke(score.app, ["-d", "own.jsonl", *asked[2:-2], "--json", "-"])
        for system, of_system in json.loads(alone.stdout)["systems"].items():
            for label, result in of_system.items():
                own = group["systems"][system][label]
                assert all(result[key] == own[key] for key in own if key != "standard_error")
                assert result["standard_error"] == pytest.approx(own["standard_error"], rel=1e-12)
                assert f"{next(iter(own.values())):.4f}" in page.text and f"{next(iter(own.values())):.4f}" in printed
    heats = [int(heat) for heat in re.findall(r'style="--heat: (\d+)%"', source)]
    assert len(heats) == 8 and sorted(heats[:4])[:2] == sorted(heats[4:])[:2] == [0, 0]
    assert max(heats[:4]) == max(heats[4:]) == 70
    links = re.findall(r'<a href="#segments" data-metric="(\d)" data-order="(\d)" data-group="(.*?)">', source)
    assert [link[0] for link in links] == ["0"] * 4 + ["1"] * 4 or [link[0] for link in links] == ["1"] * 4 + ["0"] * 4
    assert {link[1:] for link in links} == {(order, group) for order in "12" for group in ("&lt;web&gt;", "뉴스")}
    assert "<option>&lt;web&gt;</option>" in source


def test_what_the_page_looks_for_in_segments(tmp_path, monkeypatch):
    """The first 20 are elements, the others packed; texts are as they were written, lengths those of references."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {**json.loads(line), "domain": "가나"[n % 2]}
        for n, line in enumerate(SAMPLE.read_text("utf-8").splitlines()[:60])
    ]
    write_jsonl("d.jsonl", *rows)
    given = [
        "-d",
        "d.jsonl",
        *two_systems(),
        "-c",
        "ids=segment",
        "-g",
        "domain",
        "-m",
        "bleu:tokenizer=char",
        "-m",
        "cer",
    ]
    assert CliRunner().invoke(score.app, [*given, "--segments", "50", "--html", "r.html"]).exit_code == 0
    source = (tmp_path / "r.html").read_text(encoding="utf-8")
    content = packed_in(source)
    assert source.count("<article") == 20 and len(content["html"]) == 30 and len(content["known"]) == 50
    for known, article in zip(content["known"][20:], content["html"], strict=True):
        row = rows[known["number"] - 1]
        assert article.startswith(f'<article id="segment-{known["number"]}">') and 'data-other="예측문"' in article
        texts = [str(row["segment"]), row["GoogleTranslate"], row["KakaoI"], row["reference"]]
        assert known["text"].split("\n") == texts
        assert (known["group"], known["length"]) == (row["domain"], len(row["reference"]))
        for system, kinds in known["kinds"].items():
            result = load("cer").compute(predictions=[row[system]], references=[row["reference"]], detailed=True)
            assert kinds == [kind for kind in load("cer").KINDS if result.get(f"{kind}_edits", 0) > 0]
    orders = re.search('id="choose-order">(.*?)</select>', source)[1].count("<option")
    assert [len(of_metric) for of_metric in content["places"]] == [orders, orders]
    assert all(sorted(order) == list(range(50)) for of_metric in content["places"] for order in of_metric)
    assert content["places"][0][0] == list(range(50))  # as they stand in the page


def test_segments_of_every_group_are_in_the_page():
    corpus, scorer, results = scored(a=[0.1, 0.2, 0.3, 0.9, 0.95], b=[0.9, 0.9, 0.9, 0.9, 0.9])
    orders_of_all = choice.orders_of(corpus, scorer, results)
    assert choice.orders_in_groups(corpus, orders_of_all) == []
    corpus = corpus._replace(groups={"domain": ["x", "x", "x", "y", "y"]})
    in_groups = choice.orders_in_groups(corpus, orders_of_all)
    assert [order.name for order in in_groups[:2]] == ["systems differ most"] * 2
    assert [order.rows for order in in_groups[:2]] == [[0, 1, 2], [4, 3]]
    alike = [choice.Order("differ", [0, 1, 2, 3, 4])]
    assert choice.chosen_rows([*alike, *choice.orders_in_groups(corpus, alike)], 2) == [0, 3]


def test_groups_without_a_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("out.txt", "가 나", "다", "라")
    write("ref.txt", "가 나", "라", "라")
    write("year.txt", "1", "2", "2")
    lines = ["-p", "out.txt", "-r", "ref.txt", "-m", "cer", "-c", "year=year.txt", "-g", "year"]
    result = CliRunner().invoke(score.app, lines)
    assert result.exit_code == 0
    table = [line.split() for line in result.stdout.split("year\n")[1].splitlines()]
    assert [row[:4] for row in table[2:4]] == [["1", "1", "out", "0.0000"], ["2", "2", "out", "0.5000"]]
    plain = CliRunner().invoke(score.app, [*lines, "--no-confidence"])
    table = [line.split() for line in plain.stdout.split("year\n")[1].splitlines()]
    assert [row[:4] for row in table[2:4]] == [["1", "1", "out", "0.0000"], ["2", "2", "out", "0.5000"]]
    failed = CliRunner().invoke(score.app, [*lines, "--stream"])
    assert failed.exit_code == 2 and "--group-by and --explain need all texts at once" in failed.stderr


def test_names_and_sources_of_segments(report):
    write_jsonl("d.jsonl", {"id": "news-7<b>", "src": "¿Qué?", "out": "뭐", "ref": "무엇"})
    page, source, _ = report(
        *("-d", "d.jsonl", "--prediction-column", "out", "--reference-column", "ref"),
        *("-m", "bleu", "-c", "ids=id", "-c", "sources=src"),
    )
    assert "id news-7<b>" in page.text and "<dt>source</dt>" in source and "¿Qué?" in page.text
    assert page.ids.count("segment-1") == 1 and "#segment-1" in page.addresses


def test_one_sentence_alone_has_no_interval(report):
    write("out.txt", "가 나 다 라")
    write("ref.txt", "가 나 다 마")
    page, source, printed = report("-p", "out.txt", "-r", "ref.txt", "-m", "cer", "-m", "bleu:tokenizer=char")
    assert not re.search(r"\[\d", page.text) and not re.search(r"\[\d", printed)
    assert page.text.count("no interval: fewer than 6 segments") == 1 and "bootstrap" not in page.text
    assert "<svg" not in source and "One system, out: cer 0.2500 (lower is better)" in page.text


def test_one_system_alone_has_its_scores_said(report):
    write("out.txt", "가 나 다 라", *"가나다라마")
    write("ref.txt", "가 나 다 마", *"가나다라마")
    page, _, printed = report("-p", "out.txt", "-r", "ref.txt", "-m", "cer", "-m", "wer")
    assert re.search(r"One system, out: cer 0.1\d* \[.*?\] and wer 0.1\d* \[.*?\] \(lower is better\)\.", page.text)
    assert "One system" not in printed


def test_most_frequent_confusions_of_each_system(report):
    write("a.txt", "가나", "가나")
    write("b.txt", "가다", "가나")
    write("ref.txt", "가다", "가다")
    page, source, _ = report("-p", "a.txt", "-p", "b.txt", "-r", "ref.txt", "-m", "cer")
    pairs = re.findall(r'<li><span lang="">(.)</span> → <span lang="">(.)</span> <b>(\d)</b>', source)
    assert pairs == [("다", "나", "2"), ("다", "나", "1")]
    assert page.text.count("reference → prediction, and how often") == 1


def test_report_says_how_it_was_made(report):
    """The command is the one that was called, with the versions of what computed the scores."""
    write("내 시스템.txt", "가")
    write("ref.txt", "나")
    page, source, _ = report("-p", "내 시스템.txt", "-r", "ref.txt", "-m", "bleu:tokenizer=char,smooth=exp")
    command = "python scripts/score.py -p '내 시스템.txt' -r ref.txt -m bleu:tokenizer=char,smooth=exp --html r.html"
    assert command in page.text and shlex.split(command)[3] == "내 시스템.txt"
    assert f"numpy {np.__version__}" in page.text and f"textgauge {textgauge.__version__}, Python 3." in page.text
    assert "bleu|nrefs:1|tok:char|" in page.text and source.count("data-copy=") >= 3


def test_several_systems_have_all_their_differences(report):
    for name, text in (("a", "가 나 다 라"), ("b", "가 나 하 라"), ("c", "하 하 하 하")):
        write(f"{name}.txt", *[text] * 15)
    write("ref.txt", *["가 나 다 마"] * 15)
    systems = [word for name in "abc" for word in ("-p", f"{name}.txt")]
    page, source, _ = report(*systems, "-r", "ref.txt", "-m", "cer")
    assert "a is best on cer, significantly better than every other system (p" in page.text
    assert len(re.findall(r"\bagainst [abc]\b", page.text)) == 3 and 'class="differences"' not in source
    assert "p AR: approximate randomisation" in page.text
    assert re.findall('class="beats (.*?)"', source) == ["", "sure", "sure", "worse", "", "sure", "worse", "worse", ""]
    assert source.count('<tr class="tier">') == 2


def test_a_metric_whose_rows_do_not_add_up_has_no_verdict(report):
    """Not even where people scored the systems: their scores alone are no comparison of metrics."""
    write_jsonl("d.jsonl", *({"a": n / 7, "b": n % 3, "gold": n, "people": n} for n in range(7)))
    columns = ["--prediction-column", "a", "--prediction-column", "b", "--reference-column", "gold"]
    human = ["--human-column", "a=people", "--human-column", "b=people"]
    page, source, printed = report("-d", "d.jsonl", *columns, *human, "-m", "human_correlation")
    assert 'class="verdict"' not in source and page.text.count("score by people") == 2 and "better than" not in printed
