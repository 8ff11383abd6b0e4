"""Explanations as HTML and as text: every kind, with the geometry of METEOR's alignment."""

import json
import math
import re

import numpy as np
import pytest
from conftest import METRICS, ROOT, load
from hypothesis import given
from hypothesis import strategies as st
from score_files import in_english
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.drawing import links, scatter
from textgauge.programs.drawing.confusions import aligns, confusions, confusions_html
from textgauge.programs.drawing.draw import STYLE, draw, legend
from textgauge.programs.drawing.scatter import compares_scores, scatter_html, systems_scatter
from textgauge.programs.drawing.terminal import text_lines
from textgauge.programs.drawing.zeros import has_remedy, zero_reason
from textgauge.programs.page.session import Session
from textgauge.programs.reading.card import read_card
from textgauge.programs.reporting.static_page import card_html, metric_page
from textgauge.programs.saying.values import direction_text, dump_json, interval_text
from textgauge.programs.saying.widths import padded, text_width

LINKS = {
    "prediction": ["the", "cat", "is", "sleeping", "<b>"],
    "references": [["no"], ["cat", "the", "sleeps", "<b>"]],
    "reference_index": 1,
    "links": [[0, 1, "exact", 0], [1, 0, "synonym", 1], [3, 2, "stem", 2], [4, 3, "exact", 2]],
}
REFERENCES = ["no", "cat the sleeps <b>"]
HEAT = {"tokens": ["<s>", " a", "나", "\n"], "log_probabilities": [math.nan, -1.25, -math.inf, -20.0]}
EDITS = {
    "alignment": [["equal", "가 ", "가 "], ["substitute", "3", "세"], ["insert", "", " "], ["delete", ".", ""]],
    "prediction": "가 세 ", "reference": "가 3.", "reference_index": 0,
}  # fmt: skip


def picture(html, name):
    """Returns one of the two pictures of an alignment."""
    return re.search(rf'<svg class="{name}".*?</svg>', html, re.S)[0]


def numbers(svg, tag, *names):
    return [
        [float(re.search(rf' {n}="([^"]*)"', found)[1]) for n in names] for found in re.findall(f"<{tag} [^>]*>", svg)
    ]


def words(svg):
    """Returns the middle of each word, but not of the numbers of the chunks."""
    found = re.findall(r'<text(?: class="quiet")? x="([^"]*)" y="([^"]*)">([^<]*)</text>', svg)
    return [(float(x), float(y), text) for x, y, text in found]


@pytest.mark.parametrize("name", ["across", "down"])
def test_lines_join_the_matched_words(name):
    svg = picture(draw(LINKS, "", REFERENCES).html, name)
    places = words(svg)
    left, right = places[:5], places[5:]
    assert [text for *_, text in places] == [
        "the",
        "cat",
        "is",
        "sleeping",
        "&lt;b&gt;",
        "cat",
        "the",
        "sleeps",
        "&lt;b&gt;",
    ]
    ends = numbers(svg, "line", "x1", "y1", "x2", "y2")
    assert len(ends) == len(LINKS["links"])
    for (x1, y1, x2, y2), (i, j, *_) in zip(ends, LINKS["links"], strict=True):
        if name == "across":
            assert (x1, x2) == pytest.approx((left[i][0], right[j][0])) and left[i][1] < y1 < y2 < right[j][1]
        else:
            assert (y1 + 5, y2 + 5) == pytest.approx((left[i][1], right[j][1])) and left[i][0] < x1 < x2 < right[j][0]
    classes = re.findall(r'<line class="(\w+)"', svg)
    assert classes == ["exact", "synonym", "stem", "exact"]


@pytest.mark.parametrize("name", ["across", "down"])
def test_chunks_are_framed_on_both_sides(name):
    """A frame holds the words of its chunk and no other; its number stands outside."""
    svg = picture(draw(LINKS, "", REFERENCES).html, name)
    frames = numbers(svg, "rect", "x", "y", "width", "height")
    assert len(frames) == 6 and re.findall(r'class="chunk"[^>]*>(\d+)<', svg) == ["1", "2", "3"] * 2
    places = words(svg)
    for side, offset in ((0, 0), (1, 5)):
        for chunk in range(3):
            x, y, width, height = frames[3 * side + chunk]
            inside = {k for k, (px, py, _) in enumerate(places) if x < px < x + width and y < py < y + height}
            assert inside == {offset + link[side] for link in LINKS["links"] if link[3] == chunk}
    labels = re.findall(r'<text class="chunk" x="([^"]*)" y="([^"]*)"', svg)
    for (x, y, width, height), label in zip(frames, labels, strict=True):
        across, down = map(float, label)
        assert not (x <= across <= x + width and y <= down <= y + height)
        assert x - 30 < across < x + width + 30 and y - 30 < down < y + height + 30
    extent = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert all(x + w <= float(extent[1]) and y + h <= float(extent[2]) for x, y, w, h in frames)


def test_unmatched_words_are_quiet_and_said():
    svg = picture(draw(LINKS, "", REFERENCES).html, "across")
    assert re.findall(r'class="quiet"[^>]*>([^<]*)<', svg) == ["is"]
    label = re.search('aria-label="([^"]*)"', svg)[1]
    assert label.startswith("4 matched, 3 chunks: the – the (same word, chunk 1); cat – cat (synonym, chunk 2)")
    html = draw({**LINKS, "links": []}, "", REFERENCES).html
    assert "no word is matched" in html and "<line" not in html
    assert "<b>" not in html and ">no</dd>" in html  # the other reference
    assert '<line class="other"' in draw({**LINKS, "links": [[0, 0, "paraphrase", 0]]}, "", REFERENCES).html


def test_long_sentences_go_down():
    many = {**LINKS, "prediction": ["낱말"] * 60, "references": [["no"], ["낱말"]], "links": [[59, 0, "exact", 0]]}
    html = draw(many, "", ["no", "낱말"]).html
    assert 'class="down"' in html and 'class="across"' not in html and "fits-" not in html
    assert draw({**LINKS, "prediction": [], "links": []}, "", REFERENCES).html.count("<svg") == 2


def test_heat():
    html = draw(HEAT, "", []).html
    assert re.findall(r"--heat: (\d+)%", html) == ["0", "11", "90", "90"]
    assert re.findall("<b>(.*?)</b><i>(.*?)</i>", html) == [
        ("&lt;s&gt;", "–"), ("␣a", "−1.25"), ("나", "−∞"), ("↵", "−20.00"),
    ]  # fmt: skip
    shorter = {**HEAT, "log_probabilities": HEAT["log_probabilities"][1:]}
    assert draw(shorter, "", []).html == html  # the first token has no context and no probability
    unknown = draw({**HEAT, "tokens": []}, "", []).html
    assert re.findall("<b>(.*?)</b>", unknown) == ["1", "2", "3", "4"]


def test_anything_else_is_a_table():
    drawing = draw({"alpha": 0.12345, "terms": [{"n": "<i>", "w": 1.5}, {"n": "b"}], "of": {"k": [1.0, 2]}}, "p", ["r"])
    assert "0.1235" in drawing.html or "0.1234" in drawing.html
    assert "<td>&lt;i&gt;</td><td>1.5000</td>" in drawing.html and "1.0000, 2" in drawing.html
    assert ">p</dd>" in drawing.html and not drawing.marks


def test_legends_say_what_is_drawn():
    for explanation, marks in ((LINKS, {"links"}), (HEAT, {"heat"}), (EDITS, {"edits", "blanks"})):
        drawing = draw(explanation, "가 세 ", REFERENCES)
        assert drawing.marks == marks and legend(drawing.marks)
    assert legend([]) == "" and "synonym" in legend(["links"]) and "inserted" not in legend(["links"])
    words = load("wer").explain(prediction="가 나", reference="가 다")
    assert draw(words, "가 나", ["가 다"]).marks == {"edits"} and "blank" not in legend(["edits"])


def test_matches_with_the_source():
    """Below what matches the references stands what matches the source, in both texts."""
    texts = {"prediction": "가 나 <다>", "references": ["나 <다> 라"], "source": "가 나, 마"}
    explanation = load("ibleu").explain(
        prediction=texts["prediction"], reference=texts["references"], sources=texts["source"], tokenizer="whitespace"
    )
    drawing = draw(explanation, **texts)
    against_references, against_source = re.findall("<dl.*?</dl>", drawing.html)
    assert '<mark class="n2">나 &lt;다&gt;</mark>' in against_references and 'class="drawing copied"' in against_source
    assert re.findall("<mark.*?>(.*?)</mark>", against_source) == ["가", "가"]
    assert re.findall("<dt>(.*?)</dt>", drawing.html) == ["prediction", "reference", "prediction", "source"]
    assert drawing.marks == {"matches", "copies"} and "source" in legend(drawing.marks)
    assert text_of(explanation, texts)[-4:] == [
        "copied      가 나 <다>",
        "            11",
        "source      가 나, 마",
        "            11",
    ]
    other = load("ibleu").explain(prediction="가", reference="가", sources="나")
    assert draw(other, "가", ["가"], "나").marks == {"matches"}


def test_worth_of_ngrams_with_rated_references():
    texts = {
        "prediction": "밥은 맛이 <없었어요> 밥은",
        "references": ["밥은 맛이 있었어요", "별로 맛이 <없었어요> 밥은"],
    }
    explanation = load("delta_bleu").explain(
        prediction=texts["prediction"], reference=texts["references"], reference_weights=[1.0, -0.5], max_order=2,
        tokenizer="whitespace",
    )  # fmt: skip
    html = draw(explanation, **texts).html
    assert re.findall("<dt>(.*?)</dt>", html) == ["prediction", "reference +1", "reference −0.5"]
    rows = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", html)]
    assert rows[0] == ["n", "sum", "n-grams, each with its credit"]
    assert [row[:2] for row in rows[1:]] == [["1", "1.50"], ["2", "0.00"]]
    cells = re.findall(r'<span class="token( minus)?" style="--heat: (\d+)%"><b>(.*?)</b><i>(.*?)</i>', html)
    assert cells == [
        ("", "90", "밥은 ×2", "1.00"), ("", "90", "맛이", "1.00"), (" minus", "45", "&lt;없었어요&gt;", "−0.50"),
        ("", "90", "밥은 맛이", "1.00"), (" minus", "45", "맛이 &lt;없었어요&gt;", "−0.50"),
        (" minus", "45", "&lt;없었어요&gt; 밥은", "−0.50"),
    ]  # fmt: skip
    assert text_of(explanation, texts)[-5:] == [
        "n-grams, each with its credit:",
        "1-grams   밥은 ×2  맛이  <없었어요>",
        "sum 1.50  1.00     1.00  −0.50",
        "2-grams   밥은 맛이  맛이 <없었어요>  <없었어요> 밥은",
        "sum 0.00  1.00       −0.50            −0.50",
    ]


def test_worth_of_ngrams_in_nist_and_cider():
    """Equal n-grams are one; CIDEr's sums are its own, for it lists the best n-grams only."""
    texts = ("가 나 가", ["가 다 가"])
    nist = {"prediction": ["가", "나", "가"], "references": [["가", "다", "가"]], "matches": [[0, 2], []],
            "information": [[1.5, 1.5], []]}  # fmt: skip
    html = draw(nist, *texts).html
    assert "<b>가 ×2</b><i>3.00</i>" in html and '<th scope="row">2</th><td>0.00</td><td>–</td>' in html
    assert lines(nist, *texts)[-3:] == [
        "n-grams, each with its information in bits:",
        "1-grams   가 ×2",
        "sum 3.00  3.00",
    ]
    cider = {"per_order": [2.0, 0.0], "ngrams": [[["가", 1.25]], []]}
    html = draw(cider, *texts).html
    assert "<td>2.00</td>" in html and "<b>가</b><i>1.25</i>" in html and ">가 나 가</dd>" in html
    assert lines(cider, *texts) == ["n-grams, each with its share of the sum:", "1-grams   가", "sum 2.00  1.25"]
    nothing = {"per_order": [0.0], "ngrams": [[]]}
    assert "<table" not in draw(nothing, "가", ["나"]).html and lines(nothing, "가", ["나"]) == []


def lines(explanation, *texts, width=80):
    return ["".join(text for text, _ in line) for line in text_lines(explanation, *texts, width)]


SCORES = {"predictions": [0.1, 0.2, 0.4], "references": [1, 3, 2], "systems": ["<a>", "나", "<a>"]}
AGREEMENT = {"human_correlation": 0.5, "groups": 1}


def places(html, series):
    """Returns x and y of the points of a series, y up."""
    path = "".join(re.findall(rf'<path style="fill: var\(--series-{series}\)" d="([^"]*)"', html))
    return [(float(x), -float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)", path)]


def test_scores_against_those_of_people():
    """Each point stands where its scores are, in the colour of its system, whose name stands in the page."""
    html = scatter_html(load("human_correlation"), SCORES, {}, AGREEMENT)
    (x1, y1), (x3, y3) = places(html, 1)
    [(x2, y2)] = places(html, 2)
    assert (x3 - x1, y3 - y1) == pytest.approx((3 * (x2 - x1), (y2 - y1) / 2), abs=0.05) and x2 > x1 and y2 > y1
    assert "Pearson&#x27;s r 0.5000</figcaption>" in html and "score by the metric<" in html
    assert "score by people<" in html and "</span> &lt;a&gt;</span>" in html and "</span> 나</span>" in html
    assert html.count("<svg") == 1 and "baseline" not in html
    alone = scatter_html(load("human_correlation"), {**SCORES, "systems": None}, {}, AGREEMENT)
    assert len(places(alone, 1)) == 3 and "legend" not in alone


def test_a_baseline_has_its_own_picture():
    options = {"coefficient": "soft_accuracy"}
    result = {**AGREEMENT, "groups": 3, "baseline_correlation": 0.25}
    html = scatter_html(load("human_correlation"), {**SCORES, "baselines": [0.3, 0.2, 0.1]}, options, result)
    captions = re.findall("<figcaption>(.*?)</figcaption>", html)
    assert captions == [f"the {name}, mean of 3 groups" for name in (
        "metric: soft accuracy 0.5000", "baseline: soft accuracy 0.2500")]  # fmt: skip
    assert len(places(html, 1)) == 4 and "score by the baseline<" in html


def test_no_more_points_than_can_be_seen():
    many = {"predictions": list(range(5000)), "references": list(range(5000))}
    html = scatter_html(load("human_correlation"), many, {}, AGREEMENT)
    assert len(set(places(html, 1))) == 2000 and "2000 of 5000 rows" in html
    assert html == scatter_html(load("human_correlation"), many, {}, AGREEMENT)


def test_two_systems_against_each_other():
    """Equal scores are on the line; a point leads to its segment; what is undefined or infinite has none."""
    values = [[0.5, 0.25, float("nan"), 1.0, 0.0], [0.5, 0.75, 0.5, float("inf"), 0.25]]
    links = ["#segment-1", None, "#segment-3", "#segment-4", "#segment-5"]
    html = systems_scatter(values, links, {"<a>": [0, 2, 3], "b": [1, 4]})
    x1, y1, x2, y2 = map(float, re.search(r'class="equal" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', html).groups())
    [(x, y)] = places(html, 1)
    assert (x - x1) / (x2 - x1) == pytest.approx((-y - y1) / (y2 - y1), abs=1e-3) and x1 < x < x2 and y2 < -y < y1
    [(x3, y3), (x4, y4)] = places(html, 2)
    assert (x3 - x, y3 - y) == pytest.approx((y3 - y4) / 2 * np.array([-1, 1]), abs=0.05)
    assert (x4 - x, y4 - y) == pytest.approx((y3 - y4) / 2 * np.array([-2, -1]), abs=0.05)
    assert re.findall(r'<a tabindex="-1" href="([^"]*)"><path', html) == ["#segment-1", "#segment-5"]
    assert "</span> &lt;a&gt;</span>" in html and "legend" not in systems_scatter(values, links, {"": range(5)})


def test_who_compares_scores():
    assert [name for name in METRICS if compares_scores(load(name))] == ["human_correlation"]


def test_report_of_scores_against_those_of_people(tmp_path):
    """Two metrics are two systems; what may be missing is missing, and there are no segments to show."""
    rows = [{"a": 0.1, "b": 0.3, "human": 1}, {"a": 0.2, "b": 0.2, "human": 3}, {"a": 0.4, "b": 0.1, "human": 2}]
    (tmp_path / "h.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    columns = ["--prediction-column", "a", "--prediction-column", "b", "--reference-column", "human"]
    arguments = ["-d", str(tmp_path / "h.jsonl"), *columns, "-m", "human_correlation", "--explain", "1"]
    run = CliRunner().invoke(score.app, [*arguments, "--html", str(tmp_path / "h.html")])
    assert run.exit_code == 0, run.output
    assert "no explanation: this metric has no explanation" in run.stdout
    page = in_english((tmp_path / "h.html").read_text(encoding="utf-8"))
    assert page.count("<figcaption>") == 2 and "Against the scores by people" in page
    assert "Distributions" not in page and "<h2>Segments</h2>" not in page


def text_of(explanation, texts):
    return ["".join(text for text, _ in line) for line in text_lines(explanation, **texts, width=80)]


def test_text_of_links():
    """A word per line, the prediction's to the left; what is on one height is a level line, crossings are dots."""
    shown = lines(LINKS, "", REFERENCES)
    assert [line.split()[0] for line in shown] == ["1", "2", "is", "3", "3"]
    assert shown[0].endswith("cat    2 synonym") and shown[2].endswith("sleeps 3 stem")
    level = text_lines({**LINKS, "links": [[0, 0, "stem", 0]]}, "", REFERENCES, 80)[0]
    assert level[1][1] == "stem" and len(set(level[1][0])) == 1 and len(level[1][0]) == 24
    assert all(text_width(line) <= 80 for line in shown)
    kinds = {kind for line in text_lines(LINKS, "", REFERENCES, 80) for _, kind in line}
    assert kinds == {"", "exact", "stem", "synonym"}


KEYWORDS = {"타이레놀": 5, "김 철수": 3, "두 알": 2}
NAMES = {"prediction": "타이레늘을 두 알 김철수 김철수", "reference": "타이레놀을 두 알 김 철수가"}


def test_keywords_among_words():
    """Where phrases are, what they weigh, and which ones only one of the texts has."""
    explanation = load("wer").explain(**NAMES, weights=KEYWORDS)
    drawing = draw(explanation, NAMES["prediction"], [NAMES["reference"]])
    marked = re.findall('<mark class="(.*?)">(.*?)</mark>(?:<sup>(.*?)</sup>)?', drawing.html)
    assert marked == [
        ("substitute", "타이레늘을", ""), ("plus", "두 알", "+2"), ("substitute plus", "김철수", "+3"),
        ("substitute missed plus", "김철수", "surplus +3"), ("substitute missed plus", "타이레놀을", "missed +5"),
        ("plus", "두 알", "+2"), ("substitute plus", "김 철수가", "+3"),
    ]  # fmt: skip
    assert drawing.marks == {"edits", "weights", "missed", "surplus"}
    assert {"missed +1.8", "surplus +1.8"} <= {*re.findall("<sup>(.*?)</sup>", legend(drawing.marks))}
    assert lines(explanation, *NAMES.values())[3:] == ["missed      타이레놀 (+5)", "surplus     김 철수 (+3)"]


def test_keywords_among_characters():
    """A phrase of several edits has one weight; of those that overlap the heavier one is drawn."""
    explanation = load("cer").explain(**NAMES, weights={**KEYWORDS, "을두": 1}, preset="jiwer", spaces="remove")
    html = draw(explanation, NAMES["prediction"], [NAMES["reference"]]).html.split("<dt>reference")[1]
    marked = re.findall('<mark class="(.*?)">(.*?)</mark>(?:<sup>(.*?)</sup>)?', html)
    assert marked == [
        ("missed plus", "타이레", ""), ("substitute missed plus", "놀", "missed +5"), ("plus", "을", ""),
        ("plus", "두 알", "+2"), ("plus", "김 철수", "+3"), ("substitute", "가", ""),
    ]  # fmt: skip
    words = load("wer").explain(**NAMES, weights={"타이": 2}, tokenizer=lambda text: text.split(" 두 "))
    assert "surplus" not in draw(words, NAMES["prediction"], [NAMES["reference"]]).html


def test_text_of_edits():
    assert lines(EDITS, "가 세 ", ["가 3."]) == [
        "prediction  가 세␣",
        "reference   가 3  .",
        "               S ID",
    ]


def test_text_of_ngrams():
    explanation = load("bleu").explain(prediction="나 다 라", reference=["가 나 다 바"], tokenizer="whitespace")
    assert lines(explanation, "나 다 라", ["가 나 다 바"]) == [
        "prediction  나 다 라", "            22222", "reference   가 나 다 바", "               22222",
    ]  # fmt: skip


def test_text_of_heat_and_of_the_rest():
    assert lines(HEAT, "", [])[1].split() == ["ln", "p", "–", "−1.25", "−∞", "−20.00"]
    assert lines({"a": 0.5, "b": [1, 2]}, "", []) == ["a: 0.5000", "b: 1, 2"]


def test_long_texts_are_wrapped():
    text = "낱말 " * 60
    explanation = load("bleu").explain(prediction=text, reference=text[:9])
    shown = lines(explanation, text, [text[:9]], width=40)
    assert len(shown) > 8 and all(text_width(line) <= 40 for line in shown)


@given(st.text())
def test_padding_reaches_the_width(text):
    assert text_width(padded(text, text_width(text) + 3)) == text_width(text) + 3


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("한글", 4), ("한", 2), ("é", 1), ("e\u0301", 1), ("漢", 2)])
def test_widths(text, width):
    assert text_width(text) == width


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.txt").write_text("커피 한잔 주세요\n가 나\n", encoding="utf-8")
    (tmp_path / "r.txt").write_text("커피 한 잔 주세요\n가 나\n", encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(score.app, ["-p", "p.txt", "-r", "r.txt", *arguments])


def test_score_explains_a_segment(run):
    shown = run("-m", "wer", "-m", "cer:preset=jiwer", "--explain", "1")
    assert shown.exit_code == 0, shown.stderr
    assert "segment 1, p, wer\nprediction  커피 한잔   주세요\nreference   커피 한  잔 주세요\n" in shown.stdout
    assert "segment 1, p, cer preset=jiwer" in shown.stdout and "segment 2" not in shown.stdout
    refused = run("-m", "wer", "--explain", "3")
    assert refused.exit_code == 2 and "--explain 3: the last segment is 2" in refused.stderr
    assert "--explain" in run("-m", "wer", "--explain", "1", "--stream").stderr
    shown = run("-m", "ibleu:tokenizer=char", "-c", "sources=p.txt", "--explain", "1")
    assert "copied      커피 한잔 주세요\n            4444444444444444\nsource      커피 한잔 주세요\n" in shown.stdout


def test_a_segment_is_explained_with_its_own_weights(run, tmp_path):
    (tmp_path / "w.json").write_text('[{"커피": 0.5}, {"가": 1.5}]', encoding="utf-8")
    shown = run("-m", "weighted_bleu:max_order=1,weights=w.json", "--explain", "2", "--html", "x.html")
    assert shown.exit_code == 0, shown.stderr
    assert "no explanation" not in shown.stdout and "1.5" in shown.stdout.partition("segment 2")[2]
    assert "no highlights" not in (tmp_path / "x.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in METRICS if (ROOT / "spaces" / name / "README.md").exists()])
def test_static_page(name, tmp_path):
    """It needs nothing from elsewhere but Python, and its examples say what `compute` says."""
    folder, session = ROOT / "spaces" / name, Session(load(name))
    page = metric_page(session, folder, f"org/{name}", "page.js", {"worker": "worker.js", "start": {"metric": name}})
    assert not re.search(r"<(iframe|img)\b|@import|url\((?!#)", page)
    addresses = re.findall(r'<(?:script|link)\b[^>]* (?:src|href)="([^"]*)"', page)
    assert [address.partition("?")[0] for address in addresses] == ["data:,", "page.js"]
    assert f"evaluate.load(&#34;org/{name}&#34;)" in page or f'evaluate.load("org/{name}")' in page
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    assert data["start"] == {"metric": name} and data["worker"] == "worker.js"
    for example, shown in zip(json.loads((folder / "examples.json").read_text("utf-8")), data["examples"], strict=True):
        options = {"confidence": 0.95, **example.get("options", {})}
        result = load(name).compute(**example["columns"], **options)
        for key in load(name).headlines(result):
            assert all(f"{key}<br><b>{result[key]:.4f}</b>" in html for html in shown["scored"]["html"].values())
        signature = load(name).signature(references=example["columns"].get("references"), **options)
        assert f"<code>{signature}</code>" in shown["scored"]["html"]["en"]
        assert "no highlights" not in str(shown).replace("no highlights: this metric has no explanation", "")
    assert "<h2>Limits and bias</h2>" in page and "](.." not in page


def test_cards_become_html(tmp_path):
    card = "---\nemoji: 📏\n---\n\n# Title\n\nSee [BLEU](../bleu/README.md) <b>.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    (tmp_path / "README.md").write_text(card, encoding="utf-8")
    front, text = read_card(tmp_path)
    assert front == {"emoji": "📏"}
    html = card_html(text)
    assert "Title" not in html and "See BLEU" in html and '<div class="wide" tabindex="0"><table>' in html


def test_moved_words():
    """What TER moved is marked where it stands then, on both sides, and is no edit of its kind."""
    texts = {"prediction": "오늘 나는 <집>에 갔다", "references": ["나는 <집>에 오늘 또 갔다"]}
    explanation = load("ter").explain(prediction=texts["prediction"], reference=texts["references"])
    drawing = draw(explanation, **texts)
    assert re.findall('<mark class="(.*?)">(.*?)</mark>', drawing.html) == [
        ("shift", "오늘"), ("shift", "오늘"), ("delete", "또"),
    ]  # fmt: skip
    assert drawing.marks == {"edits", "shifts"} and "moved" in legend(["shifts"]) and "moved" not in legend(["edits"])
    assert text_of(explanation, texts) == [
        "prediction  나는 <집>에 오늘    갔다",
        "reference   나는 <집>에 오늘 또 갔다",
        "                        M    D",
    ]
    only_moved = load("ter").explain(prediction="가 나 다", reference="다 가 나")
    assert draw(only_moved, "가 나 다", ["다 가 나"]).marks == {"shifts"}


def test_texts_are_as_they_were_written():
    """Whatever is compared: what a tokenizer drops is grey, and jamo of which some are matched stand above."""
    prediction, reference = 'ABC,  "세 개" 3.5%', "abc 세 개 3"
    explanation = load("rouge").explain(prediction=prediction, reference=reference)
    html = draw(explanation, prediction, [reference]).html
    assert [re.sub("<[^>]*>", "", row) for row in re.findall("<dd.*?</dd>", html)] == [
        "ABC,  &quot;세 개&quot; 3.5%",
        reference,
    ]
    assert re.findall('<mark class="(.*?)">(.*?)</mark>', html) == [
        ("n2", "ABC"), ("removed", ","), ("removed", "&quot;"), ("n2", "세 개"), ("removed", "&quot;"), ("n2", "3"),
        ("removed", "."), ("removed", "%"), ("n2", "abc 세 개 3"),
    ]  # fmt: skip
    lines = ["".join(text for text, _ in line) for line in text_lines(explanation, prediction, [reference], 80)]
    assert lines[:2] == [f"prediction  {prediction}", "            222·  ·22222· 2· ·"]
    explanation = load("bleu").explain(prediction="각", reference="간", tokenizer="jamo")
    drawing = draw(explanation, "각", ["간"])
    above = '<ruby>{}<rt><mark class="n2">ᄀ</mark><mark class="n2">ᅡ</mark>{}</rt></ruby>'
    assert above.format("각", "ᆨ") in drawing.html and above.format("간", "ᆫ") in drawing.html
    assert drawing.marks == {"matches", "read"}


def test_characters_and_words():
    """chrF++ has both: the words stand below the characters."""
    texts = {"prediction": "가나 <다>", "references": ["가나 라"]}
    explanation = load("chrf").explain(prediction=texts["prediction"], reference=texts["references"], word_order=1)
    characters, words = re.findall("<dl.*?</dl>", draw(explanation, **texts).html)
    assert '<mark class="n2">가나</mark>' in characters and '<mark class="n1">가나</mark>' in words
    assert text_of(explanation, texts) == [
        "prediction  가나 <다>", "            2222", "reference   가나 라", "            2222",
        "prediction  가나 <다>", "            1111", "reference   가나 라", "            1111",
    ]  # fmt: skip


def test_phrases_that_were_missed():
    """They are marked in the reference that has them, with their weight, on the page and in the terminal."""
    weights = {"다 라": 1.5, "나": -1.0, "가": 2.0}
    texts = {"prediction": "가 나", "references": ["가 다 라 마", "가 나"]}
    options = {"weights": weights, "tokenizer": "whitespace", "max_order": 2}
    why = load("weighted_bleu").explain(prediction=texts["prediction"], reference=texts["references"], **options)
    drawing = draw(why, **texts)
    assert '<mark class="missed plus">다 라</mark><sup>missed +1.5</sup>' in drawing.html
    assert drawing.html.count("missed") == 2 and {"missed", "weights", "matches"} == drawing.marks
    assert "in the reference and not in the prediction" in legend(drawing.marks)
    assert text_of(why, texts)[2] == "reference   가 다 라(missed +1.5) 마"


def test_meteor_says_how_its_score_comes_about():
    metric = load("meteor")
    example = json.loads((ROOT / "spaces/meteor/examples.json").read_text(encoding="utf-8"))[0]["columns"]
    texts = {"prediction": example["predictions"][0], "references": example["references"][0]}
    why = metric.explain(prediction=texts["prediction"], reference=texts["references"])
    assert {stage for _, _, stage, _ in why["links"]} == {"exact", "stem", "synonym"}  # the first one shows all stages
    shown = draw(why, **texts).html
    for name in ("precision", "recall", "fmean", "penalty", "score"):
        assert f"{why[name]:.4f}" in shown and f"{why[name]:.4f}" in text_of(why, texts)[-1]
    assert f"{why['chunks']} chunks, so that" in shown


@pytest.mark.parametrize(
    ("prediction", "said"),
    [
        ("나 다 하 마", "0: no 3-gram matches; 2-grams do"),
        ("가 나", "0: the prediction has no 3-gram"),
        ("하", "0: no token matches"),
        ("가 나 다 라", ""),
    ],
)
def test_why_a_score_is_zero(prediction, said):
    bleu = load("bleu")
    options = {"tokenizer": "whitespace"}
    texts = {"prediction": prediction, "reference": "가 나 다 라 바"}
    assert zero_reason(bleu.explain(**texts, **options)) == said
    score = bleu.compute(predictions=[prediction], references=[texts["reference"]], **options)["bleu"]
    assert (score == 0) == bool(said)


def test_who_can_smooth_zeros():
    assert has_remedy(load("bleu"), {}) and has_remedy(load("bleu"), {"smooth": "none"})
    assert not has_remedy(load("bleu"), {"smooth": "exp"}) and not has_remedy(load("cer"), {})


@pytest.mark.parametrize(("ends", "shown"), [([0.25, 0.5], "[0.2500, 0.5000]"), ([0.5, 0.5], ""), (None, "")])
def test_intervals_without_width_say_nothing(ends, shown):
    assert interval_text({"confidence_interval": ends}) == shown


@pytest.mark.parametrize("name", METRICS)
def test_direction(name):
    assert ("lower is better" in direction_text(load(name))) == load(name).LOWER_IS_BETTER


def test_most_frequent_confusions():
    """Of characters those that `cer` itself lists; of words, which `wer` does not list, by hand."""
    columns = {"predictions": ["가나 다 라", "가너 다", "하 <b>"], "references": ["가너 더 라 마", "가나 다", "하"]}
    cer, wer = load("cer"), load("wer")
    for options in ({}, {"preset": "jiwer"}, {"unit": "jamo"}):
        wanted = cer.compute(**columns, **options, detailed=True)["confusions"]
        assert confusions(cer, columns, options) == [tuple(found) for found in wanted]
    found = confusions(wer, columns, {})
    words = [("", "<b>", 1), ("가나", "가너", 1), ("가너", "가나", 1), ("더", "다", 1), ("마", "", 1)]
    assert sorted(found) == sorted(words)
    html = confusions_html(confusions(wer, columns, {}))
    assert '+ <span lang="">&lt;b&gt;</span> <b>1</b>' in html and "− <span" in html and "→" in html
    assert confusions_html([]) == "" and {name for name in METRICS if aligns(load(name))} == {"cer", "wer"}


def test_json_of_plain_values():
    wanted = '{\n  "가": null,\n  "b": [\n    "-inf",\n    0.5\n  ]\n}\n'
    assert dump_json({"가": math.nan, "b": (-math.inf, 0.5)}) == wanted


def test_each_sign_has_a_colour():
    assert set(re.findall(r"--(series-\d+):", STYLE)) == {f"series-{n + 1}" for n in range(len(scatter._SIGNS))}


def test_each_width_of_links_is_in_the_style():
    assert re.findall(r"min-width: (\d+)px\) { \.fits-\1 ", STYLE) == list(map(str, links._WIDTHS))


def test_an_interval_belongs_to_its_own_score():
    result = {"first": 0.5, "confidence_interval": [math.nan, math.nan], "other_confidence_interval": [0.25, 0.5]}
    assert interval_text(result) == "" and interval_text(result, "other_") == "[0.2500, 0.5000]"
