"""scripts/score.py: every kind of file gives the score of `compute`, and every bad one a message and nothing else."""

import base64
import csv
import gzip
import html.parser
import io
import json
import math
import os
import re
import subprocess
import sys

import datasets
import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import METRICS, ROOT, load, write, write_jsonl
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.commands import score_job as job
from textgauge.programs.reading import columns as inputs
from textgauge.programs.reading import corpora
from textgauge.programs.saying.option_values import option_text
from textgauge.programs.saying.values import dump_json
from textgauge.programs.scoring import outputs, specs, streams, tables

SCRIPT = ROOT / "scripts" / "score.py"
DATA = ROOT / "scripts" / "data"
WEIGHTS = DATA / "es_ko_weights.tsv"
PREDICTIONS = ["고양이가 침대에서 잠을 자고 있다.", "선이\u2028둘, 끝", 'the "cat", up', "  빈칸 "]
OTHERS = ["고양이가 방에서 잠을 자고 있다.", "선이 둘이다", "a dog", ""]
REFERENCES = ["고양이가 방에서 잠을 자고 있다.", "선이\u2028둘, 끝", 'the "cat" is up', "빈칸"]
MORE_REFERENCES = ["고양이가 침대에서 잔다.", "선이 둘", "the cat, up", "칸"]
BOTH = [list(pair) for pair in zip(REFERENCES, MORE_REFERENCES, strict=True)]

# a mean that is nan without words in the source, takes one more column, explains nothing, and is better when lower
TOY = '''
"""A metric of one's own."""
import numpy as np
from textgauge.core.columns import REFERENCES
from textgauge.core.columns import TEXTS
from textgauge.core.options import LOWERCASE
from textgauge.core.options import NORMALIZATION
from textgauge.core.text_metric import TextMetric


def statistics(predictions, references, sources):
    return np.array([[len(p.split()), len(s.split())] for p, s in zip(predictions, sources)], float)


def score(rows):
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"toy": rows[..., 0] / rows[..., 1]}


class Toy(TextMetric):
    """Words by words of the source."""

    CITATION = ""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES, "sources": TEXTS}
    LOWER_IS_BETTER = True
    OPTIONS = {"lowercase": LOWERCASE, "normalization": NORMALIZATION}
'''


def table(references=REFERENCES):
    return {"out": PREDICTIONS, "ref": references, "ref2": MORE_REFERENCES, "human": [1, 2.5, 3, 2]}


def rows(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def write_lines(end="\n", start=""):
    write("out.txt", start + PREDICTIONS[0], *PREDICTIONS[1:], end=end)
    write("other.txt", *OTHERS, end=end)
    write("ref.txt", *REFERENCES, end=end)  # no BOM: in both files it would match itself
    write("ref2.txt", *MORE_REFERENCES, end=end)


def write_delimited(name, delimiter):
    with open(name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(table())
        writer.writerows(zip(*table().values(), strict=True))


def write_gzip(name):
    with gzip.open(name, "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows(table())))


def write_nested():
    """As lm-evaluation-harness writes the samples of a model."""
    write_jsonl("d.jsonl", *({"doc": {"ref": r}, "resps": [[p]]} for p, r in zip(PREDICTIONS, REFERENCES, strict=True)))


def write_outputs():
    write_jsonl("d.jsonl", *rows(table()))
    write_jsonl("other.jsonl", *rows({**table(), "out": OTHERS}))


def write_trn():
    names = [f"spk{number % 2}-{number:03}" for number in range(len(PREDICTIONS))]
    hypotheses = [f"{text} ({name})" for text, name in zip(PREDICTIONS, names, strict=True)]
    write("out.trn", *hypotheses[::-1])
    write("ref.trn", ";; a comment", "", *(f"{text}  ({name}) " for text, name in zip(REFERENCES, names, strict=True)))


def write_stm():
    """Segments of ten seconds, one that is not scored, and words whose order in the file says nothing."""
    times = [(10 * number, 10 * number + 9.5) for number in range(len(PREDICTIONS))]
    segments = [f"a.wav 1 anna {b} {e} <o,f0> {text}" for (b, e), text in zip(times, REFERENCES, strict=True)]
    write("ref.stm", *segments, "a.wav 1 anna 90 99 ignore_time_segment_in_scoring", "b.wav 1 anna 0 9")
    words = [
        f"a.wav  1 {begin + 0.2 * place} 0.1 {word} 0.99"
        for (begin, _), text in zip(times, PREDICTIONS, strict=True)
        for place, word in enumerate(text.split())
    ]
    write("out.ctm", "a.wav 1 95 1 uh", *words[::-1])


def expected(name="bleu", predictions=PREDICTIONS, references=REFERENCES, **options):
    """Returns what `compute` does, as JSON has it."""
    result = load(name).compute(predictions=predictions, references=references, confidence=0.95, **options)
    return json.loads(dump_json(result))


def result_of(content, system="out", metric="bleu"):
    return {
        key: value for key, value in content["systems"][system][metric].items() if key not in ("signature", "errors")
    }


LINES = ["-p", "out.txt", "-r", "ref.txt"]
COLUMNS = ["--prediction-column", "out", "--reference-column", "ref"]
FORMATS = {
    "lines": (write_lines, LINES),
    "CRLF": (lambda: write_lines("\r\n"), LINES),
    "BOM": (lambda: write_lines(start="\ufeff"), LINES),
    "BOM in UTF8": (lambda: write_lines(start="\ufeff"), [*LINES, "--encoding", "UTF8"]),
    "jsonl": (lambda: write_jsonl("d.jsonl", *rows(table())), ["-d", "d.jsonl", *COLUMNS]),
    "jsonl.gz": (lambda: write_gzip("d.jsonl.gz"), ["-d", "d.jsonl.gz", *COLUMNS]),
    "csv": (lambda: write_delimited("d.csv", ","), ["-d", "d.csv", *COLUMNS]),
    "tsv": (lambda: write_delimited("d.tsv", "\t"), ["-d", "d.tsv", *COLUMNS]),
    "parquet": (lambda: pq.write_table(pa.table(table()), "d.parquet"), ["-d", "d.parquet", *COLUMNS]),
    "json": (lambda: write("d.json", json.dumps(rows(table()), indent=1)), ["-d", "d.json", *COLUMNS]),
    "json by columns": (lambda: write("d.json", json.dumps(table())), ["-d", "d.json", *COLUMNS]),
    "nested": (
        write_nested,
        ["-p", "out=d.jsonl", "--prediction-column", "resps.0.0", "--reference-column", "doc.ref"],
    ),
    "a table per system": (write_outputs, ["-p", "out=d.jsonl", "-p", "other.jsonl", *COLUMNS]),
    "trn": (write_trn, ["-p", "out.trn", "-r", "ref.trn"]),
    "saved": (lambda: datasets.Dataset.from_dict(table()).save_to_disk("saved"), ["-d", "saved", *COLUMNS]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_score_of_compute(name, scores):
    write_files, arguments = FORMATS[name]
    write_files()
    assert result_of(scores(*arguments)) == expected()


def test_words_with_times(scores):
    """The words of each segment; b.wav has a segment without words."""
    write_stm()
    result = result_of(scores("-p", "out.ctm", "-r", "ref.stm", "-m", "wer"), metric="wer")
    assert result == expected("wer", [*PREDICTIONS, ""], [*REFERENCES, ""])


def test_segments_that_the_reference_does_not_score(scores):
    write("ref.stm", "a 1 x 0 1 one", "a 1 x 4 5 IGNORE_TIME_SEGMENT_IN_SCORING")
    write("out.stm", "a 1 y 0 1 one", "a 1 y 4 5 two")
    assert scores("-p", "out.stm", "-r", "ref.stm", "-m", "wer")["systems"]["out"]["wer"]["reference_length"] == 1


def test_a_word_between_segments_belongs_to_the_nearest(scores):
    write("ref.stm", "a 1 x 0 1 one", "a 1 x 4 5 two")
    write("out.ctm", "a 1 0.5 0.1 one", "a 1 2.0 0.8 half", "a 1 2.2 0.8 and")
    result = scores("-p", "out.ctm", "-r", "ref.stm", "-m", "wer", "--per-segment")
    assert result["systems"]["out"]["wer"]["segments"] == [1.0, 1.0]  # "one half" and "and"


def test_tables_of_several_systems(scores):
    write_outputs()
    content = scores("-p", "out=d.jsonl", "-p", "other.jsonl", *COLUMNS)
    assert result_of(content, "other") == expected(predictions=OTHERS)


def test_lines_are_whole_and_clean(run):
    write_lines("\r\n", start="\ufeff")
    write("last.txt", "a\r\r", "", "b\x0b\x85c", end="\n")
    assert next(inputs.read_line_batches("out.txt", None)).values == PREDICTIONS
    assert next(inputs.read_line_batches("last.txt", None)).values == ["a\r", "", "b\x0b\x85c"]


def test_folder_and_split(scores, fails, tmp_path):
    (tmp_path / "d").mkdir()
    for split in ("train", "test"):
        write_jsonl(f"d/{split}.jsonl", *rows(table())[: 2 if split == "train" else 4])
    assert result_of(scores("-d", "d", "--split", "test", *COLUMNS)) == expected()
    assert "d has the splits train, test; choose one with --split" in fails("-d", "d", *COLUMNS)


def test_quoted_newline_is_part_of_a_cell(scores):
    write("d.csv", "out,ref", '"a\nb c d e",a b c d e')
    assert result_of(scores("-d", "d.csv", *COLUMNS))["bleu"] == 1


def test_several_systems_and_reference_files(scores):
    write_lines()
    content = scores("-p", "out.txt", "-p", "다른=other.txt", "-r", "ref.txt", "-r", "ref2.txt")
    assert list(content["systems"]) == ["out", "다른"]
    assert result_of(content) == expected(references=BOTH) != expected()
    assert result_of(content, "다른") == expected(predictions=OTHERS, references=BOTH)
    assert "|nrefs:2|" in content["systems"]["out"]["bleu"]["signature"]


def test_reference_columns_and_mixed_lists(scores):
    mixed = [BOTH[0], REFERENCES[1], BOTH[2], REFERENCES[3]]
    write_jsonl("d.jsonl", *rows(table(mixed)))
    assert result_of(scores("-d", "d.jsonl", *COLUMNS)) == expected(references=mixed)
    joined = [[*BOTH[0], MORE_REFERENCES[0]], BOTH[1], [*BOTH[2], MORE_REFERENCES[2]], BOTH[3]]
    content = scores("-d", "d.jsonl", *COLUMNS, "--reference-column", "ref2", "-m", "bleu:ref_length=average")
    assert result_of(content, metric="bleu ref_length=average") == expected(references=joined, ref_length="average")


def test_options_of_metrics(scores):
    write_lines()
    specs = {
        "bleu char max_order=2": ("bleu:tokenizer=char,max_order=2", {"tokenizer": "char", "max_order": 2}),
        "bleu smooth=none": ("bleu:smooth=none", {"smooth": None}),
        "bleu smooth=true": ("bleu:smooth=true", {"smooth": True}),
        "bleu smooth=floor smooth_value=0.5": (
            "bleu:smooth=floor,smooth_value=0.5",
            {"smooth": "floor", "smooth_value": 0.5},
        ),
        "bleu max_order=2 order_weights=0.25,0.75": (
            "bleu:max_order=2,order_weights=0.25,0.75",
            {"max_order": 2, "order_weights": [0.25, 0.75]},
        ),
    }
    content = scores(*LINES, *(word for spec, _ in specs.values() for word in ("-m", spec)))
    for label, (_, options) in specs.items():
        assert result_of(content, metric=label) == expected(**options)
    own = scores(*LINES, "-m", "bleu:confidence=0.5")["systems"]["out"]["bleu confidence=0.5"]
    assert "|ci:0.5[expanded]|" in own["signature"]
    assert "confidence_interval" not in scores(*LINES, "--no-confidence")["systems"]["out"]["bleu"]


def test_weights_relative_to_the_working_folder(scores, run):
    write_lines()
    write("w.tsv", "고양이가\t1.5", "없는말\t2")
    spec = "weighted_bleu:weights=w.tsv"
    wanted = expected("weighted_bleu", weights={"고양이가": 1.5, "없는말": 2.0})
    assert result_of(scores(*LINES, "-m", spec), metric="weighted_bleu") == wanted
    assert "weighted_bleu, out: in no text: 없는말" in run(*LINES, "-m", spec).stdout


def test_missed_keywords_are_shown(run):
    write_lines()
    write("w.tsv", *(f"{word}\t2" for word in ["침대에서", "방에서", "고양이", "개"]))
    shown = run(*LINES, "-m", "wer:weights=w.tsv").stdout
    given = {"predictions": PREDICTIONS, "references": REFERENCES}
    missed = load("wer").compute(**given, weights="w.tsv")["missed_keywords"]
    assert missed
    told = ", ".join(f"{phrase} ({count} of {total})" for phrase, count, total in missed)
    assert f"wer, out: missed: {told}\n" in shown


def test_of_many_unused_phrases_ten_are_shown(scores, run):
    write_lines()
    write("w.tsv", *(f"없는말{number}\t2" for number in range(12)))
    assert "없는말8, 없는말9 and 2 more\n" in run(*LINES, "-m", "weighted_bleu:weights=w.tsv").stdout
    (result,) = scores(*LINES, "-m", "weighted_bleu:weights=w.tsv")["systems"]["out"].values()
    assert (result["unused_count"], len(result["unused_keys"])) == (12, 10)
    (result,) = scores(*LINES, "-m", "weighted_bleu:weights=w.tsv,all_unused=true")["systems"]["out"].values()
    assert (result["unused_count"], len(result["unused_keys"])) == (12, 12)


def test_labels_name_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    for path in ("a.tsv", "b.tsv", "other/a.tsv"):
        write(path, "고양이가\t1.5")

    def labels(*paths):
        return [s.label for s in specs.load_scorers([f"weighted_bleu:weights={path}" for path in paths], None)]

    assert labels("a.tsv", "b.tsv") == ["weighted_bleu weights=a.tsv", "weighted_bleu weights=b.tsv"]
    assert labels("other/a.tsv") == ["weighted_bleu"]
    assert labels("a.tsv", "other/a.tsv") == ["weighted_bleu:weights=a.tsv", "weighted_bleu:weights=other/a.tsv"]


def test_scores_take_names_of_ones_own(scores, fails, run):
    write("out.txt", "고양이가 잔다")
    write("ref.txt", "고양이가 잔다")
    metrics = "terms=bleu:tokenizer=char", "핵심 구=bleu", "mine=rouge:rouge_types=rouge1,rougeL"
    given = [argument for metric in metrics for argument in ("-m", metric)]
    (results,) = scores(*LINES, *given)["systems"].values()
    assert list(results) == ["terms", "핵심 구", "mine"]
    shown = run(*LINES, *given).stdout.splitlines()[0].split("  ")
    assert [heading.strip() for heading in shown if heading] == [
        "system",
        "terms",
        "핵심 구",
        "mine rouge1",
        "mine rougeL",
    ]
    assert fails(*LINES, "-m", "a=bleu", "-m", "a=cer") == "error: --metric a is given twice\n"
    assert fails(*LINES, "-m", " =bleu").startswith("error: --metric  =bleu: the name before = is empty")
    assert specs.metric_of("./a=b/bleu.py") == "./a=b/bleu.py"


def test_all_conventions_of_cer_are_shown(run):
    write("out.txt", "고양이가방에서 담을 잔다.")
    write("ref.txt", "고양이가 방에서 잠을 잔다")
    shown = run(*LINES, "-m", "cer:conventions=all").stdout
    given = {"predictions": ["고양이가방에서 담을 잔다."], "references": ["고양이가 방에서 잠을 잔다"]}
    conventions = load("cer").compute(**given, conventions="all")["conventions"]
    assert len(conventions) > 3
    for preset, rate, signature in conventions:
        assert f"cer conventions=all, out: {preset} {rate:.4f} {signature}\n" in shown


def test_json_and_csv_files(run, tmp_path):
    write_jsonl("d.jsonl", *rows(table()))
    arguments = ["-d", "d.jsonl", *COLUMNS, "--human-column", "human", "--per-segment"]
    assert run(*arguments, "--json", "r.json", "--csv", "r.csv").exit_code == 0
    content = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    wanted = expected(per_segment=True)
    assert result_of(content) == wanted
    assert content["human"] == {"out": {"mean": 2.125, "segments": [1, 2.5, 3, 2]}}
    lines = list(csv.reader(io.StringIO((tmp_path / "r.csv").read_text(encoding="utf-8"))))
    assert lines[0] == ["system", "metric", "segment", "score"] and len(lines) == 9
    assert [(line[:3], float(line[3])) for line in lines[1:5]] == [
        (["out", "bleu", str(n)], value) for n, value in enumerate(wanted["segments"], start=1)
    ]
    assert lines[6] == ["out", "human", "2", "2.5"]
    assert run(*arguments[:-1], "--csv", "r.csv").exit_code == 0
    (line, human) = csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text(encoding="utf-8")))
    assert [float(line["score"]), line["low"], line["high"]] == [wanted["bleu"], "nan", "nan"]
    assert line["signature"] == load("bleu").signature(references=REFERENCES, confidence=0.95)
    assert (human["metric"], human["score"]) == ("human", "2.125")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.jsonl", "r.csv", "r.json"]


def test_terminal_shows_segments_and_human_scores(run):
    write_jsonl("d.jsonl", *rows(table()))
    printed = run("-d", "d.jsonl", *COLUMNS, "--human-column", "out=human", "--per-segment").stdout
    segments = expected(per_segment=True)["segments"]
    assert [line.split() for line in printed.splitlines()[-4:]] == [
        [str(n), "out", f"{score:.4f}", f"{human:.4g}"]
        for n, (score, human) in enumerate(zip(segments, table()["human"], strict=True), start=1)
    ]


def test_sample_without_arguments():
    shown = subprocess.run([sys.executable, SCRIPT], capture_output=True, encoding="utf-8", check=True)
    assert shown.stderr == ""
    lines = [json.loads(line) for line in (DATA / "es_ko_sample.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    references = [line["reference"] for line in lines]
    for system in ("GoogleTranslate", "KakaoI"):
        predictions = [line[system] for line in lines]
        cells = [system]
        for name, options in (("bleu", {}), ("bleu", {"tokenizer": "char"}), ("weighted_bleu", {"weights": WEIGHTS})):
            options = {"tokenizer": "char", **options} if name == "weighted_bleu" else options
            result = expected(name, predictions, references, **options)
            low, high = result["confidence_interval"]
            cells += [f"{result[name]:.4f}", f"[{low:.4f},", f"{high:.4f}]"]
        human = sum(line[f"rank_{system}"] for line in lines) / len(lines)
        assert [*cells, f"{human:.4g}"] in [line.split() for line in shown.stdout.splitlines()]
    assert load("bleu").signature(references=references, confidence=0.95) in shown.stdout


@pytest.fixture
def toy(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "toy.py").write_text(TOY)
    return folder / "toy.py"


def test_metric_of_ones_own_with_nan_and_another_column(toy, scores, run, fails, tmp_path):
    write_lines()
    write("source.txt", "a b", "", "a b c", "")
    write("empty.txt", "", "", "", "")
    arguments = [*LINES, "-m", toy]
    assert "toy needs sources; add --column sources=NAME" in fails(*arguments)
    with_source = [*arguments, "-c", "sources=source.txt", "--per-segment"]
    result = scores(*with_source)["systems"]["out"]["toy"]
    assert result["toy"] == pytest.approx(12 / 5) and result["segments"] == [2.5, "inf", 1, "inf"]
    nothing = [*arguments, "-p", "empty.txt", "-c", "sources=empty.txt"]
    assert scores(*nothing)["systems"]["empty"]["toy"]["toy"] is None
    assert "nan" in run(*nothing).stdout
    assert run(*nothing, "--csv", "r.csv").exit_code == 0
    assert math.isnan(float(list(csv.reader(open_text(tmp_path / "r.csv")))[2][2]))
    assert run(*with_source, "--html", "r.html").exit_code == 0
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert page.order == [2, 4, 1, 3]  # worst (large) first
    assert "this metric has no explanation" in page.text and not page.marks
    assert run(*nothing, "--html", "r.html").exit_code == 0
    assert "nan" in Page((tmp_path / "r.html").read_text(encoding="utf-8")).text


def open_text(path):
    return io.StringIO(path.read_text(encoding="utf-8"))


def in_english(source):
    """Returns a page without the Korean texts that its switch puts in."""
    return re.sub(r' data-other[\w-]*="[^"]*"', "", source)


def unpacked(source):
    """Returns a page with those segments as elements that its script makes on demand."""
    articles = "".join(packed_in(source)["html"])
    return re.sub(r"(?<=</article>)(?=\s*</div>\s*<button)", lambda _: articles, source)


def packed_in(source):
    """Returns what the script of a page unpacks."""
    packed = re.search(r'id="segments-packed">(.*?)<', source)
    return json.loads(gzip.decompress(base64.b64decode(packed[1]))) if packed else {"html": []}


class Page(html.parser.HTMLParser):
    """Collects marked texts, addresses, and the order of the segments, and checks that tags are balanced."""

    VOID = {"meta", "br", "input", "wbr"}

    def __init__(self, source):
        super().__init__()
        self.marks, self.tags, self.ids, self.addresses, self.text, self.order = [], [], [], [], "", []
        self._open = []
        self.feed(source)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href", "action")]
        if tag not in self.VOID:
            self._open.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag

    def handle_data(self, data):
        tag, attributes = self._open[-1] if self._open else ("", {})
        if tag in ("style", "script"):
            return
        self.text += data
        if tag == "mark":
            self.marks.append((attributes["class"], data))
        if tag == "a" and data.startswith("Segment "):
            self.order.append(int(data.removeprefix("Segment ")))


@pytest.fixture
def page(run, tmp_path):
    def make(*arguments):
        result = run(*arguments, "--html", "r.html")
        assert result.exit_code == 0, result.stderr
        source = (tmp_path / "r.html").read_text(encoding="utf-8")
        page = Page(unpacked(source))
        assert "http:" not in source and "https:" not in source and "url(" not in source.replace("url(#", "")
        assert not {"link", "img", "iframe"} & set(page.tags)
        assert all(address.startswith("#") for address in page.addresses)
        assert len(set(page.ids)) == len(page.ids)
        return page

    return make


def test_report_highlights_matches(page):
    write_lines()
    shown = page(*LINES, "-p", "번역기=other.txt", "-m", "bleu", "-m", "bleu:tokenizer=char")
    assert ("n2", "잠을 자고") not in shown.marks and ("n4", "잠을 자고 있다.") in shown.marks
    assert ("n1", "고양이가") in shown.marks and ("n1", "침대에서") not in shown.marks
    assert ("n4", "에서 잠을 자고 있다.") in shown.marks
    assert all(text in shown.text for text in ("번역기", f"{expected()['bleu']:.4f}", "|tok:char|"))
    assert "(empty)" in shown.text


def test_speech_sample(scores):
    """Two spellings of the same words: hardly an error without spaces, many with them."""
    path = DATA / "ko_asr_like_sample.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    columns = {name: [row[name[:-1]] for row in rows] for name in ("predictions", "references")}
    arguments = ["-d", path, "--prediction-column", "prediction", "--reference-column", "reference"]
    content = scores(*arguments, "-m", "cer", "-m", "cer:preset=jiwer", "-m", "wer")
    assert len(rows) == 40
    for metric, options in (("cer", {}), ("cer preset=jiwer", {"preset": "jiwer"}), ("wer", {})):
        wanted = expected(metric[:3], **columns, **options)
        assert result_of(content, system="prediction", metric=metric) == wanted
    of_system = content["systems"]["prediction"]
    assert 5 * of_system["cer"]["cer"] < of_system["cer preset=jiwer"]["cer"] < of_system["wer"]["wer"]


def test_what_is_better_when_lower_is_said(run, page):
    write_lines()
    arguments = [*LINES, "-m", "bleu", "-m", "cer", "-m", "wer:tokenizer=char"]
    said = run(*arguments).stdout
    assert "\n↓ lower is better: cer, wer char\n" in said and said.split("\n")[0].count("↓") == 2
    assert page(*arguments).text.count("↓ lower is better") == 4  # in the table, and above the histograms
    assert "lower" not in run(*LINES).stdout


def test_report_marks_edits(page):
    """An error is marked on its side, a blank among it is drawn, and the lowest rate is the best segment."""
    write("out.txt", "가나다라", "마바 사아자차카", "타")
    write("ref.txt", "가 나다마", "마바사아자차카", "타")
    shown = page(*LINES, "-m", "cer:preset=jiwer", "-m", "wer")
    assert {("insert", "␣"), ("delete", "␣"), ("substitute", "라"), ("substitute", "마")} <= set(shown.marks)
    assert {("substitute", "가나다라"), ("insert", "마바")} <= set(shown.marks)
    assert shown.order == [1, 2, 3]


def test_each_rouge_has_a_column(scores, run, page):
    write_lines()
    content = scores(*LINES, "-m", "rouge:tokenizer=char", "--per-segment")
    wanted = expected("rouge", tokenizer="char", per_segment=True)
    assert result_of(content, metric="rouge char") == wanted
    table = list(csv.reader(io.StringIO(run(*LINES, "-m", "rouge:tokenizer=char", "--csv", "-").stdout)))
    assert [row[1] for row in table[1:]] == [f"rouge{kind} char" for kind in ("1", "2", "L", "Lsum")]
    assert [float(table[3][2]), *table[3][3:5]] == [wanted["rougeL"], "nan", "nan"]
    shown = page(*LINES, "-m", "rouge:tokenizer=char")
    assert shown.tags.count("svg") == 4
    assert shown.text.count("rouge|nrefs:1|") == 1


def test_the_only_rouge_has_its_interval_and_segments(run, page, tmp_path):
    write_lines()
    arguments = [*LINES, "-m", "rouge:tokenizer=char,rouge_types=rouge1,"]
    wanted = expected("rouge", tokenizer="char", rouge_types=["rouge1"], per_segment=True)
    for streamed in ([], ["--stream"]):
        assert run(*arguments, *streamed, "--csv", "r.csv").exit_code == 0
        [line] = csv.DictReader(open_text(tmp_path / "r.csv"))
        assert [float(line["score"]), line["low"], line["high"]] == [wanted["rouge1"], "nan", "nan"]
    assert run(*arguments, "--per-segment", "--csv", "r.csv").exit_code == 0
    lines = list(csv.DictReader(open_text(tmp_path / "r.csv")))
    assert [float(line["score"]) for line in lines] == wanted["rouge1_segments"]
    printed = run(*arguments, "--per-segment").stdout
    assert f"{wanted['rouge1']:.4f} too few" in printed
    assert "too few: an interval takes at least 6 segments, or clusters where they are given; there are 4\n" in printed
    assert printed.splitlines()[-1].split() == ["4", "out", f"{wanted['rouge1_segments'][3]:.4f}"]
    shown = page(*arguments)
    assert shown.tags.count("svg") == 1 and len(shown.order) == 4


ENCODED = (["고양이가 방에서 잔다.", "한 둘"], ["고양이가 방에서 자", "둘"])


def write_encoded(encoding):
    for name, lines in (
        ("out.txt", ENCODED[0]),
        ("ref.txt", ENCODED[1]),
        ("d.csv", ["out,ref", *map(",".join, zip(*ENCODED, strict=True))]),
    ):
        with open(name, "wb") as file:
            file.write("\r\n".join(lines).encode(encoding))


@pytest.mark.parametrize("arguments", [LINES, ["-d", "d.csv", *COLUMNS]])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "cp949", "utf-8-sig"])
def test_encodings(encoding, arguments, scores):
    """Windows writes UTF-16, and in Korea CP949."""
    write_encoded(encoding)
    for streamed in ([], ["--stream"]):
        content = scores(*arguments, *streamed, "-m", "bleu:tokenizer=char", "--encoding", encoding)
        wanted = expected(predictions=ENCODED[0], references=ENCODED[1], tokenizer="char")
        assert result_of(content, metric="bleu char") == wanted


@pytest.mark.parametrize(
    ("written", "given", "message"),
    [
        ("cp949", [], "out.txt, line 1: byte 0xb0 is not UTF-8 (invalid start byte); it may be CP949, which reads "
         "'고양이가 방에서 잔다.': save it as UTF-8, or pass --encoding cp949 to score or compare"),
        ("utf-16", [], "line 1: byte 0xff is not UTF-8 (invalid start byte); it may be UTF-16: save it as"),
        ("utf-8", ["--encoding", "cp949"], "out.txt, line 1: byte 0xec is not CP949 (illegal multibyte sequence)"),
        ("utf-8", ["--encoding", "utf-16"], "tream does not start with BOM"),
        ("utf-8", ["--encoding", "utf-16-le"], "out.txt: byte 0x"),
        ("utf-8", ["--encoding", "korean-1"], "--encoding korean-1: Python knows no such encoding; pass utf-8, utf-16"),
        ("utf-8", ["--encoding", "hex"], "--encoding hex: Python knows no such encoding"),
    ],
)  # fmt: skip
def test_another_encoding_is_said(written, given, message, fails):
    write_encoded(written)
    assert message in fails(*LINES, *given)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp949"])
def test_lines_are_counted_in_every_encoding(encoding, fails):
    """U+0A3C and U+010A hold the byte of a line feed."""
    write_encoded(encoding)
    with open("ref.txt", "ab") as file:
        file.write(("\r\n\u0a3c\u010a" if "utf" in encoding else "\r\n셋").encode(encoding))
    assert "out.txt has 2 lines and ref.txt 3;" in fails(*LINES, "--encoding", encoding)


def test_standard_input(fails):
    write_lines()
    text = "".join(f"{line}\n" for line in PREDICTIONS)

    def piped(*arguments, content=text):
        result = CliRunner().invoke(score.app, [*arguments, "--json", "-"], input=content)
        return json.loads(result.stdout) if result.exit_code == 0 else result.stderr

    assert result_of(piped("-p", "-", "-r", "ref.txt"), "stdin") == expected()
    assert result_of(piped("-r", "-", "-p", "ref.txt"), "ref") == expected(
        predictions=REFERENCES, references=PREDICTIONS
    )
    assert list(piped("-p", "새=-", "-p", "other.txt", "-r", "ref.txt")["systems"]) == ["새", "other"]
    assert "error: standard input has 1 lines and ref.txt 4;" in piped("-p", "-", "-r", "ref.txt", content="하나\n")
    assert piped("-p", "-", "-r", "ref.txt", content=b"\xff\n") == (
        "error: standard input: byte 0xff is not UTF-8 (invalid start byte)\n"
    )
    assert (
        piped("-p", "-", "-r", "ref.txt", content="") == "error: standard input: nothing to score, there is no line\n"
    )
    assert "- is standard input, which can be read only once" in fails("-p", "-", "-r", "-")
    assert "standard input is a pipe, and batches" in piped("-p", "-", "-r", "ref.txt", "--stream")


@pytest.mark.parametrize("streamed", [[], ["--stream"]])
def test_empty_cells_are_counted(streamed, run, monkeypatch):
    """An empty cell is an empty text, and NaN is a text; what a gap in a table may be is said."""
    monkeypatch.setattr(job, "BATCH", 2)
    monkeypatch.setattr(streams, "BATCH", 2)
    write("d.csv", "out,ref", "a b,a b", ",a b", "NaN,NaN", ",b c", "NaN,")
    result = run("-d", "d.csv", *COLUMNS, "-m", "chrf", "--csv", "-", *streamed)
    assert result.stderr == (
        "note: d.csv, line 3: column out is empty or NaN, 4 in all; scored as the text it is\n"
        "note: d.csv, line 4: column ref is empty or NaN, 2 in all; scored as the text it is\n"
    )
    texts = (["a b", "", "NaN", "", "NaN"], ["a b", "a b", "NaN", "b c", ""])
    [line] = csv.DictReader(io.StringIO(result.stdout))
    assert float(line["score"]) == expected("chrf", predictions=texts[0], references=texts[1])["chrf"]
    write("out.txt", "a", "b")
    assert run("-p", "out.txt", "-r", "out.txt", "-m", "chrf").stderr == ""
    write("out.txt", "a", "")
    assert run("-p", "out.txt", "-r", "out.txt", "-m", "chrf").stderr == (
        "note: out.txt, line 2: the line is empty or NaN, 1 in all; scored as the text it is\n"
    )


def test_segments_asked_for_twice(scores):
    write_lines()
    content = scores(*LINES, "-m", "bleu:per_segment=true", "--per-segment")
    assert result_of(content, metric="bleu per_segment=true") == expected("bleu", per_segment=True)


def test_lists_are_no_scores(fails):
    write_lines()
    assert "use_aggregator=false has no score to show" in fails(*LINES, "-m", "rouge:use_aggregator=false")


def test_report_orders_segments(page):
    write_lines()
    segments = expected(per_segment=True, tokenizer="char")["segments"]
    ranked = sorted(range(4), key=segments.__getitem__)
    assert page(*LINES, "-m", "bleu:tokenizer=char").order == [row + 1 for row in ranked]
    shown = page(*LINES, "-m", "bleu:tokenizer=char", "--segments", "1")
    assert shown.order == [ranked[0] + 1] and "The 3 segments that tell less are not on this page" in shown.text
    assert page(*LINES, "--segments", "0").order == []


def test_report_marks_weights_and_escapes(page):
    write("<b>.txt", "<script>alert(1)</script> 나쁜 말 좋은 & 말")
    write("ref.txt", "<i> 나쁜 말 좋은 말")
    write("w.tsv", "나쁜 말\t-1.5", "좋은\t1.5")
    shown = page("-p", "<b>.txt", "-r", "ref.txt", "-m", "weighted_bleu:tokenizer=whitespace,weights=w.tsv")
    assert ("n3 minus", "나쁜 말") in shown.marks and ("n3 plus", "좋은") in shown.marks
    assert "−1.5" in shown.text and "<b>" in shown.text and "<script>alert(1)</script>" in shown.text


def test_report_without_a_font_for_the_names(page):
    write("ทดสอบ😀.txt", "x y")
    write("ref.txt", "x y")
    assert "ทดสอบ😀" in page("-p", "ทดสอบ😀.txt", "-r", "ref.txt").text  # a missing glyph would warn, and so fail


def test_report_explains_a_segment_with_its_own_weights(page):
    write("a.txt", "가 나", "가 나")
    write("w.json", json.dumps([{"가": 1.5}, {"나": 1.5}]))
    shown = page("-p", "a.txt", "-r", "a.txt", "-m", "weighted_bleu:max_order=1,weights=w.json")
    assert "no highlights" not in shown.text and len(shown.order) == 2
    assert {text for mark, text in shown.marks if "plus" in mark} >= {"가", "나"}


def bad_bytes():
    write_lines()
    with open("out.txt", "wb") as file:
        file.write("첫째\n둘".encode() + b"\xff\n")


# what is written, the arguments, what the message says
ERRORS = {
    "missing file": (write_lines, ["-p", "none.txt", "-r", "ref.txt"], "none.txt: No such file"),
    "invalid byte": (bad_bytes, LINES, "out.txt, line 2: byte 0xff is not UTF-8"),
    "line counts": (
        lambda: (write_lines(), write("ref.txt", *REFERENCES[:3])),
        LINES,
        "out.txt has 4 lines and ref.txt 3;",
    ),
    "empty file": (lambda: (write_lines(), write("out.txt")), LINES, "out.txt: nothing to score"),
    "no references": (write_lines, ["-p", "out.txt"], "bleu needs references; add -r FILE"),
    "no predictions": (write_lines, ["-r", "ref.txt"], "there are no predictions"),
    "same name": (write_lines, [*LINES, "-p", "out=other.txt"], "two systems 'out'"),
    "data and lines": (write_lines, ["-d", "d.jsonl", *LINES], "either --data or --predictions"),
    "column of no table": (write_lines, [*LINES, *COLUMNS], "--prediction-column out: out.txt is no table; name its"),
    "bad JSON": (
        lambda: write("d.jsonl", '{"out": "a", "ref": "b"}', "", "{"),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 3: bad JSON",
    ),
    "deep JSON": (
        lambda: write("d.jsonl", '{"out": "a", "ref": "b"}', "[" * 100_000),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 2: bad JSON, ",
    ),
    "a number of 5,000 digits": (
        lambda: write("d.jsonl", '{"out": "a", "ref": "b", "n": %s}' % ("9" * 5000)),  # noqa: UP031
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 1: bad JSON, Exceeds the limit",
    ),
    "no object": (lambda: write("d.jsonl", "[1]"), ["-d", "d.jsonl", *COLUMNS], "d.jsonl, line 1: '[1]' is no object"),
    "missing column": (
        lambda: write_jsonl("d.jsonl", {"out": "a", "ref": "b"}, {"out": "a"}),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 2: there is no column 'ref'; it has out",
    ),
    "null": (
        lambda: write_jsonl("d.jsonl", {"out": "a", "ref": "b"}, {"out": None, "ref": "b"}),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 2: column out is None; pass a string",
    ),
    "number": (
        lambda: write_jsonl("d.jsonl", {"out": "a", "ref": 3}),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 1: column ref is of type int",
    ),
    "null in a list": (
        lambda: write_jsonl("d.jsonl", {"out": "a", "ref": ["b", 3]}),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 1: column ref[1] is of type int, 3",
    ),
    "empty list": (
        lambda: write_jsonl("d.jsonl", {"out": "a", "ref": []}),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 1: column ref is an empty list",
    ),
    "half a character": (
        lambda: write("d.jsonl", '{"out": "\\ud800", "ref": "b"}'),
        ["-d", "d.jsonl", *COLUMNS],
        "d.jsonl, line 1: column out holds a lone surrogate",
    ),
    "human is a word": (
        lambda: write_jsonl("d.jsonl", {"out": "a", "ref": "b", "human": "good"}),
        ["-d", "d.jsonl", *COLUMNS, "--human-column", "human"],
        "d.jsonl, line 1: column human is 'good'; pass a number",
    ),
    "human of another system": (
        lambda: write_jsonl("d.jsonl", *rows(table())),
        ["-d", "d.jsonl", *COLUMNS, "--human-column", "x=human"],
        "the systems are out",
    ),
    "csv column": (lambda: write("d.csv", "out,b", "1,2"), ["-d", "d.csv", *COLUMNS], "no column 'ref'; it has out, b"),
    "csv fields": (
        lambda: write("d.csv", "out,ref", '"a\nb",c', "1,2,3"),
        ["-d", "d.csv", *COLUMNS],
        "d.csv, line 4: 3 fields, and the first row has 2",
    ),
    "csv place behind a cell of two lines": (
        lambda: write("d.csv", "out,ref,human", '"a\nb",c,1', "d,e,good"),
        ["-d", "d.csv", *COLUMNS, "--human-column", "human"],
        "d.csv, line 4: column human is 'good'",
    ),
    "csv quote": (
        lambda: write("d.csv", "out,ref", 'a,"b', "c,d"),
        ["-d", "d.csv", *COLUMNS],
        "d.csv, line 2: its quotes do not",
    ),
    "csv header only": (lambda: write("d.csv", "out,ref"), ["-d", "d.csv", *COLUMNS], "d.csv: nothing to score"),
    "no gzip": (lambda: write("d.jsonl.gz", "{}"), ["-d", "d.jsonl.gz", *COLUMNS], "d.jsonl.gz is no .gz file"),
    "no parquet": (lambda: write("d.parquet", "x"), ["-d", "d.parquet", *COLUMNS], "d.parquet: "),
    "parquet null": (
        lambda: pq.write_table(pa.table({"out": ["a", None], "ref": ["b", "c"]}), "d.parquet"),
        ["-d", "d.parquet", *COLUMNS],
        "d.parquet, row 2: column out is None",
    ),
    "parquet field": (
        lambda: pq.write_table(pa.table({"out": [{"x": ["a"]}, {"x": []}], "ref": ["b", "c"]}), "d.parquet"),
        ["-d", "d.parquet", "--prediction-column", "out.x.0", "--reference-column", "ref"],
        "d.parquet, row 2: there is no column 'out.x.0'; it has out, ref",
    ),
    "parquet column": (
        lambda: pq.write_table(pa.table({"out": ["a"], "b": ["c"]}), "d.parquet"),
        ["-d", "d.parquet", *COLUMNS],
        "d.parquet, row 1: there is no column 'ref'; it has out, b",
    ),
    "no list": (
        lambda: write("d.json", '{"out": 3}'),
        ["-d", "d.json", *COLUMNS],
        "d.json: pass a list of objects or texts, texts by id, or",
    ),
    "lists of two lengths": (
        lambda: write("d.json", '{"out": ["a"], "ref": ["b", "c"]}'),
        ["-d", "d.json", *COLUMNS],
        "d.json: its lists differ in length: {'out': 1, 'ref': 2}",
    ),
    "no object in a list": (
        lambda: write("d.json", '[{"out": "a", "ref": "b"}, 3]'),
        ["-d", "d.json", *COLUMNS],
        "d.json, row 2: '3' is no object; write {...} in the list",
    ),
    "bad JSON of several lines": (
        lambda: write("d.json", "[", '{"out": "a" "ref": "b"}]'),
        ["-d", "d.json", *COLUMNS],
        "d.json, line 2: bad JSON, Expecting ',' delimiter at character 13",
    ),
    "nothing inside": (
        write_nested,
        ["-d", "d.jsonl", "--prediction-column", "resps.1.0", "--reference-column", "doc.ref"],
        "d.jsonl, line 1: there is no column 'resps.1.0'; it has doc, resps",
    ),
    "tables of two lengths": (
        lambda: (write_outputs(), write_jsonl("other.jsonl", *rows(table())[:2])),
        ["-p", "d.jsonl", "-p", "other.jsonl", *COLUMNS],
        "d.jsonl has 4 rows and other.jsonl 2; row 1 of each belongs to segment 1, and so on",
    ),
    "tables in two orders": (
        lambda: (write_outputs(), write_jsonl("other.jsonl", *rows(table())[::-1])),
        ["-p", "d.jsonl", "-p", "other.jsonl", *COLUMNS],
        "other.jsonl, line 1: column ref is ",
    ),
    "no utterance of an id": (
        lambda: (write_trn(), write("out.trn", "a (spk0-000)")),
        ["-p", "out.trn", "-r", "ref.trn"],
        "ref.trn, utterance spk1-001: out.trn has no row of this id; 3 of 4 ids are missing there: 'spk1-001', '",
    ),
    "an id too many": (
        lambda: (write_trn(), write("ref.trn", "a (spk0-000)")),
        ["-p", "out.trn", "-r", "ref.trn"],
        "out.trn, utterance spk1-003: ref.trn has no row of this id; 3 of 4 ids are missing there: 'spk1-003', '",
    ),
    "words as a reference": (
        write_stm,
        ["-p", "ref.stm", "-r", "out.ctm"],
        "out.ctm: words with times need a reference",
    ),
    "no time": (
        lambda: (write_stm(), write("out.ctm", "a.wav 1 soon 1 word")),
        ["-p", "out.ctm", "-r", "ref.stm"],
        "is no line of this format; write file, channel, start, duration, word, confidence",
    ),
    "lines as data": (
        write_lines,
        ["-d", "out.txt", *COLUMNS],
        "a text file, one segment per line, goes to --predictions and --references",
    ),
    "unknown suffix": (lambda: write("d.abc", "x"), ["-d", "d.abc", *COLUMNS], "d.abc: pass a file that ends in"),
    "missing data": (write_lines, ["-d", "none.jsonl", *COLUMNS], "none.jsonl: No such file"),
    "unknown dataset": (write_lines, ["-d", "no_such_dataset", *COLUMNS], "no_such_dataset"),
    "unknown metric": (
        write_lines,
        [*LINES, "-m", "blue"],
        "--metric blue: there is no such metric (did you mean bleu?); pass one of bleu",
    ),
    "a metric in capitals": (write_lines, [*LINES, "-m", "BLEU"], "no such metric (did you mean bleu?)"),
    "metrics with a comma": (
        write_lines,
        [*LINES, "-m", "bleu,cer"],
        "no such metric (repeat it: --metric bleu --metric cer)",
    ),
    "unknown option": (
        write_lines,
        [*LINES, "-m", "bleu:order=2"],
        "bleu has no option order (did you mean max_order?); it has tokenizer",
    ),
    "bad option": (write_lines, [*LINES, "-m", "bleu:tokenizer=chars"], "tokenizer is 'chars'; pass one of 13a"),
    "no option": (write_lines, [*LINES, "-m", "bleu:char"], "'char' is no option; write option=value"),
    "metric twice": (write_lines, [*LINES, "-m", "bleu", "-m", "bleu"], "--metric bleu is given twice"),
    "bad confidence": (write_lines, [*LINES, "--confidence", "95"], "confidence is 95.0; pass None or a number"),
    "missing weights": (
        write_lines,
        [*LINES, "-m", "weighted_bleu:weights=none.tsv"],
        "weights is 'none.tsv', and there is no such file",
    ),
    "a long name of an option's file": (
        write_lines,
        [*LINES, "-m", f"weighted_bleu:weights={'n' * 5000}"],
        "n', and there is no such file",
    ),
    "output folder": (write_lines, [*LINES, "--html", "none/r.html"], "none/r.html: there is no folder none"),
    "same output": (write_lines, [*LINES, "--csv", "old.json"], "old.json is asked for twice"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_place_and_leave_nothing(name, fails_as):
    fails_as(*ERRORS[name])


def test_files_without_an_option(run):
    message = run("a.txt", "b.txt", "c.txt").stderr
    assert "files are passed by options; did you mean -p a.txt -p b.txt -r c.txt?" in message


def test_a_cache_that_cannot_be_written(run, monkeypatch):
    advice = "; evaluate keeps files there: set HF_HOME to a folder that can be written"
    write_lines()
    for path, added in ((f"{evaluate.config.HF_CACHE_HOME}/evaluate", advice), ("elsewhere/evaluate", "")):

        def load(*_, path=path, **__):
            raise PermissionError(13, "Permission denied", path)

        monkeypatch.setattr(specs.textgauge, "load", load)
        assert run(*LINES).stderr == f"error: {path}: Permission denied{added}\n"


def test_failure_while_writing_leaves_old_files(run, tmp_path, monkeypatch):
    write_lines()
    for name in ("old.json", "old.csv"):
        (tmp_path / name).write_text("old")
    write_text = outputs.Path.write_text

    def fail_for_csv(path, *arguments, **options):
        if "csv" in path.name:
            write_text(path, "half")
            raise OSError(28, "No space left on device", str(path))
        return write_text(path, *arguments, **options)

    monkeypatch.setattr(outputs.Path, "write_text", fail_for_csv)
    result = run(*LINES, "--json", "old.json", "--csv", "old.csv")
    monkeypatch.undo()
    assert result.exit_code == 2 and result.stderr.startswith("error: old.csv: No space left")
    assert (tmp_path / "old.json").read_text() == (tmp_path / "old.csv").read_text() == "old"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_pipes_and_devices_are_written_and_not_replaced(run, tmp_path):
    write_lines()
    os.mkfifo("pipe.json")  # never a real device: a bug here would replace it
    reader = os.open("pipe.json", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run(*LINES, "--json", "pipe.json").exit_code == 0
        assert (tmp_path / "pipe.json").is_fifo()
        assert result_of(json.loads(os.read(reader, 2**16))) == expected()
    finally:
        os.close(reader)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_table_fits_the_terminal(width, monkeypatch, capsys):
    environment = {"COLUMNS": str(width), "FORCE_COLOR": "1", "TERM": "xterm"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    corpus = corpora.read_sample()
    scorers = specs.load_scorers(["bleu", "bleu:tokenizer=char", f"weighted_bleu:weights={WEIGHTS}"], 0.95)
    results = job.score_corpus(corpus, scorers, per_segment=False)
    tables.print_scores(corpus, scorers, results, with_segments=False)
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    plain = [line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in lines]
    assert max(map(len, plain)) <= width
    whole = {40: "[0.0353, 0.0663]", 80: "[0.0353, 0.0663]", 120: "0.0508 [0.0353, 0.0663]"}[width]
    assert any(whole in line for line in plain)


def test_optional_columns_may_be_left_out(scores):
    """Log-probabilities, with the texts and without them."""
    logs = [[-0.5, -1.25], [-2.0]]
    write_jsonl("d.jsonl", *rows({"logs": logs, "text": ["가 나", "다"]}))
    arguments = ["-d", "d.jsonl", "--prediction-column", "logs", "-m", "perplexity"]
    result = result_of(scores(*arguments), "logs", "perplexity")
    assert result["perplexity"] == pytest.approx(math.exp(3.75 / 3))
    assert result["byte_perplexity"] is None
    result = result_of(scores(*arguments, "--column", "texts=text"), "logs", "perplexity")
    assert result["byte_perplexity"] == pytest.approx(math.exp(3.75 / 10))


@pytest.mark.parametrize("name", METRICS)
def test_help_of_a_metric(run, name):
    """Each column and option, with its default as the command line takes it."""
    result = run("--help-metric", name)
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    metric = load(name)
    assert metric.description in result.stdout and "returns: " in result.stdout
    for column, kind in metric.COLUMNS.items():
        assert kind.help in lines[column]
    for option, said in metric.OPTIONS.items():
        assert said.help.replace("`", "") in lines[option] and option_text(said.default) in lines[option]


def test_help_of_no_metric(run):
    result = run("--help-metric", "blue")
    assert (result.exit_code, result.stdout) == (2, "") and "did you mean bleu?" in result.stderr


LIMITS_SAID = {
    "en": ("failed: other: chrf {:.4f} is below 0.6\n", "failed: other: cer {:.4f} is above 0.2\n"),
    "ko": ("기준 미달: other: chrf {:.4f}, 한도 0.6보다 낮음\n", "기준 미달: other: cer {:.4f}, 한도 0.2보다 높음\n"),
}


@pytest.mark.parametrize("streamed", [[], ["--stream"]])
@pytest.mark.parametrize("language", LIMITS_SAID)
def test_a_limit_for_scores(streamed, language, run, tmp_path):
    """Each system, also the only one, is held to it; where lower is better, it must not be above."""
    write_lines()
    below, above = LIMITS_SAID[language]
    limits = ["-m", "chrf", "-m", "cer", "--fail-below", "chrf=0.6", "--fail-below", "cer=0.2", *streamed]
    passed = run(*LINES, *limits, "--json", "-")
    assert passed.exit_code == 0 and json.loads(passed.stdout)["failures"] == []
    failed = run(*LINES, "-p", "other.txt", *limits, "--language", language, "--json", "r.json", "--csv", "-")
    kept = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    said = [form.format(kept["systems"]["other"][m][m]) for form, m in ((below, "chrf"), (above, "cer"))]
    assert failed.exit_code == 1 and failed.stderr.endswith("".join(said))
    assert kept["failures"] == [line.partition(": ")[2].rstrip() for line in said]
    assert failed.stdout.startswith("system,metric,score")
    assert "failures" not in json.loads(run(*LINES, "--json", "-").stdout)


def test_a_limit_in_the_report(page, run, tmp_path):
    write_lines()
    run(*LINES, "-m", "cer", "--fail-below", "cer=0.001", "--html", "r.html")
    assert 'class="failures"' in (tmp_path / "r.html").read_text(encoding="utf-8")
    run(*LINES, "-m", "cer", "--fail-below", "cer=0.9", "--html", "r.html")
    assert 'class="failures"' not in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("cer=baseline", "score.py has no baseline; compare.py has, with --baseline SYSTEM\n"),
        ("cer", "--fail-below cer: write METRIC=NUMBER, such as bleu=0.3\n"),
        ("cer=20", "cer is usually from 0 to 2 (did you mean 0.2?)"),
        ("wer=0.2", "there is no such score (did you mean cer?); there is cer"),
        ("loops=-1", "write how many segments may loop, such as loops=0"),
    ],
)
def test_limits_that_are_none(limit, message, fails):
    write_lines()
    assert message in fails(*LINES, "-m", "cer", "--fail-below", limit)


def test_a_tokenizer_of_sacrebleu(fails):
    """Its `none` is a name, and not Python's None."""
    write_lines()
    assert fails(*LINES, "-m", "bleu:tokenizer=none") == (
        "error: --metric bleu none: tokenizer is 'none', a name of sacreBLEU; pass whitespace, which is the same\n"
    )
    assert "pass one of 13a, whitespace" in fails(*LINES, "-m", "bleu:tokenizer=words")


def test_loops_need_all_texts_at_once(run):
    write_lines()
    result = run(*LINES, "-m", "cer", "--fail-below", "loops=0", "--stream")
    assert result.exit_code == 2
    assert result.stderr == "error: --fail-below loops=... needs all texts at once; leave out --stream\n"
