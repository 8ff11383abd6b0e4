"""The links of reports to the published pages of their metrics: which there are, and what they hold."""

import base64
import json
import zlib

import pytest
from conftest import load
from score_files import Page, write
from test_report import report as report
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score
from textgauge.programs.page.session import Session
from textgauge.programs.reporting.app_links import page_address, segment_address


def unpacked(link):
    """Returns what is behind the # of a link."""
    letters = link.partition("#")[2]
    packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    return json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))


@pytest.mark.parametrize(
    "spec",
    [
        "cer:preset=jiwer",
        "bleu:tokenizer=char,smooth=exp,max_order=2,order_weights=0.5,0.5",
        "rouge:rouge_types=rougeL,",
        "chrf:normalization=none",
        "chrf:char_order=2,word_order=0,whitespace=true",
    ],
)
def test_links_open_segments_in_the_page_of_the_metric(report, spec):
    """What a link holds has the score of the report; the heading leads to the page itself."""
    predictions, references = ["가 나 다 라", "", "가 <b>&#"], ["가 나 다 마", "가", "가 나"]
    write("out.txt", *predictions)
    write("ref.txt", *references)
    given = ["-p", "out.txt", "-r", "ref.txt", "-m", spec]
    page, _, _ = report(*given, "--app", "https://my.host/metrics/")
    name = spec.partition(":")[0]
    assert page.addresses.count(f"https://my.host/metrics/{name}/") == 1
    links = [address for address in page.addresses if address.startswith(f"https://my.host/metrics/{name}/#")]
    asked = sorted(map(unpacked, links), key=lambda content: predictions.index(content["rows"][0][0]))
    assert [content["rows"] for content in asked] == [
        [list(pair)] for pair in zip(predictions, references, strict=True)
    ]
    scored = [Session(load(name)).score(rows=content["rows"], values=content["values"]) for content in asked]
    result = CliRunner().invoke(score.app, [*given, "--per-segment", "--json", "-"])
    [wanted] = json.loads(result.stdout)["systems"]["out"].values()
    key = next(key for key in wanted if key.endswith("segments"))
    assert [json.loads(one["json"])[key] for one in scored] == [[value] for value in wanted[key]]


@pytest.mark.parametrize(
    "spec",
    [
        "cider",
        "weighted_bleu:weights=weights.tsv",
        "rouge:rouge_types=rouge1,,idf=references",
        "nist",
    ],
)
def test_what_a_page_would_score_otherwise_has_no_link(report, spec):
    """It would learn from one segment what the report learnt from all, or cannot read the file."""
    write("out.txt", "가 나", "다 라")
    write("ref.txt", "가 나", "다")
    write("weights.tsv", "가\t2")
    page, _, _ = report("-p", "out.txt", "-r", "ref.txt", "-m", spec, "--app", "https://my.host")
    name = spec.partition(":")[0]
    assert [link for link in page.addresses if "my.host" in link] == [f"https://my.host/{name}/"]


@pytest.mark.parametrize(
    ("name", "options"),
    [("bleu", {"tokenizer": "content"}), ("meteor", {"lang": "ko"}), ("perplexity", {"model_id": "gpt2"})],
)
def test_what_a_browser_lacks_has_no_link(name, options):
    columns = {"predictions": ["가"], "references": [["나"]]}
    assert segment_address("https://my.host", load(name), options, columns, 0) == ""


def test_an_empty_segment_has_no_link(report):
    write("out.txt", "가", "")
    write("ref.txt", "가", "")
    page, _, _ = report("-p", "out.txt", "-r", "ref.txt", "-m", "cer", "--app", "https://a-{metric}.my.host")
    [to_page, to_segment] = [link for link in page.addresses if "my.host" in link]
    assert to_page == "https://a-cer.my.host/" and unpacked(to_segment)["rows"] == [["가", "가"]]
    assert page_address("https://a-{metric}.my.host/x/{metric}", load("weighted_bleu")) == (
        "https://a-weighted-bleu.my.host/x/weighted_bleu"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--app", "https://my.host"], "--app puts links into a report; pass --html FILE too"),
        (["--app", "my.host", "--html", "r.html"], "--app my.host: pass the address of the published pages, such as"),
    ],
)
@pytest.mark.parametrize("script", [score, compare])
def test_bad_addresses_of_pages(script, given, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(script.app, given)
    assert result.exit_code == 2 and message in result.stderr and not list(tmp_path.iterdir())


def test_a_comparison_links_the_pages_of_its_metrics(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(compare.app, ["--html", "r.html", "--app", "http://my.host", "--trials", "20"])
    assert result.exit_code == 0, result.output
    assert "http://my.host/bleu/" in Page((tmp_path / "r.html").read_text(encoding="utf-8")).addresses
