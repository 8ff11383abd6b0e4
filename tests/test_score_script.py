"""scripts/score.py: every kind of file gives the score of `compute`, and what the terminal shows of it."""

import csv
import io
import json
import math

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import METRICS, load, write, write_jsonl
from score_files import (
    BOTH,
    COLUMNS,
    DATA,
    ENCODED,
    LINES,
    MORE_REFERENCES,
    OTHERS,
    PREDICTIONS,
    REFERENCES,
    WEIGHTS,
    Page,
    expected,
    open_text,
    result_of,
    rows,
    table,
    write_delimited,
    write_encoded,
    write_gzip,
    write_lines,
    write_nested,
    write_outputs,
    write_stm,
    write_trn,
)
from score_files import page as page
from score_files import toy as toy
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.commands import score_job as job
from textgauge.programs.reading import formats
from textgauge.programs.reading.rows import Request
from textgauge.programs.saying.option_values import option_text
from textgauge.programs.scoring import specs

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


def test_tables_of_several_systems(scores):
    write_outputs()
    content = scores("-p", "out=d.jsonl", "-p", "other.jsonl", *COLUMNS)
    assert result_of(content, "other") == expected(predictions=OTHERS)


def test_lines_are_whole_and_clean(run):
    write_lines("\r\n", start="\ufeff")
    write("last.txt", "a\r\r", "", "b\x0b\x85c", end="\n")
    assert [text for _, text in formats.LINES.read(Request("out.txt"))] == PREDICTIONS
    assert [text for _, text in formats.LINES.read(Request("last.txt"))] == ["a\r", "", "b\x0b\x85c"]


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
        "bleu max_order=2": (
            "bleu:max_order=2,order_weights=0.25,0.75",
            {"max_order": 2, "order_weights": [0.25, 0.75]},
        ),
    }
    content = scores(*LINES, *(word for spec, _ in specs.values() for word in ("-m", spec)))
    for label, (_, options) in specs.items():
        assert result_of(content, metric=label) == expected(**options)
    own = scores(*LINES, "-m", "bleu:confidence=0.5")["systems"]["out"]["bleu confidence=0.5"]
    assert "|ci:0.5[widened]|" in own["signature"]
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
    shown = CliRunner().invoke(score.app, [])
    assert shown.exit_code == 0 and shown.stderr == ""
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
        assert [*cells, f"{human:.4g}"] in [line.replace("*", "").split() for line in shown.stdout.splitlines()]
    assert load("bleu").signature(references=references, confidence=0.95) in shown.stdout


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
         "'고양이가 방에서 잔다.': save it as UTF-8 (or, where all files are so, pass --encoding cp949)"),
        ("utf-16", [], "line 1: byte 0xff is not UTF-8 (invalid start byte); it may be UTF-16: save it as"),
        ("utf-8", ["--encoding", "cp949"], "out.txt, line 1: byte 0xec is not CP949 (illegal multibyte sequence)"),
        ("utf-8", ["--encoding", "utf-16"], " start with BOM"),
        ("utf-8", ["--encoding", "utf-16-le"], "out.txt: byte 0x"),
        ("utf-8", ["--encoding", "korean-1"], "--encoding korean-1: Python has no such encoding; pass utf-8, utf-16"),
        ("utf-8", ["--encoding", "hex"], "--encoding hex: Python has no such encoding"),
    ],
)  # fmt: skip
def test_another_encoding_is_said(written, given, message, fails):
    write_encoded(written)
    assert message in fails(*LINES, *given)


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
        "error: standard input: byte 0xff is not UTF-8 (invalid start byte); where all files are so, pass --encoding "
        "with the name of theirs\n"
    )
    assert piped("-p", "-", "-r", "ref.txt", content="") == "error: standard input: nothing to score: it has no line\n"
    assert "- is standard input, which can be read only once" in fails("-p", "-", "-r", "-")
    assert "standard input is a pipe, and batches" in piped("-p", "-", "-r", "ref.txt", "--stream")


@pytest.mark.parametrize("streamed", [[], ["--stream"]])
def test_empty_cells_are_counted(streamed, run, monkeypatch):
    """An empty cell is an empty text, and NaN is a text; what a gap in a table may be is said."""
    monkeypatch.setattr(job, "BATCH", 2)
    write("d.csv", "out,ref", "a b,a b", ",a b", "NaN,NaN", ",b c", "NaN,")
    result = run("-d", "d.csv", *COLUMNS, "-m", "chrf", "--csv", "-", *streamed)
    assert result.stderr == (
        "note: d.csv, line 3: column out is empty or NaN, 4 in all; scored as written\n"
        "note: d.csv, line 4: column ref is empty or NaN, 2 in all; scored as written\n"
    )
    texts = (["a b", "", "NaN", "", "NaN"], ["a b", "a b", "NaN", "b c", ""])
    [line] = csv.DictReader(io.StringIO(result.stdout))
    assert float(line["score"]) == expected("chrf", predictions=texts[0], references=texts[1])["chrf"]
    write("out.txt", "a", "b")
    write("ref.txt", "a", "b")
    assert run("-p", "out.txt", "-r", "ref.txt", "-m", "chrf").stderr == ""
    write("out.txt", "a", "")
    assert run("-p", "out.txt", "-r", "ref.txt", "-m", "chrf").stderr == (
        "note: out.txt, line 2: the line is empty or NaN, 1 in all; scored as written\n"
    )


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
        ("wer=0.2", "there is no such score; pass one of cer"),
        ("cerr=0.2", "there is no such score (did you mean cer?); pass one of cer"),
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
    assert result.stderr == (
        "error: --fail-below loops=... needs all texts at once; leave out --stream, or ask for an error rate with "
        "detailed=true\n"
    )
    write("loop", "가나다 " * 60)
    write("once", "가나다")
    looping = ("-p", "loop", "-r", "once", "-m", "cer:detailed=true", "--stream", "--fail-below")
    result = run(*looping, "loops=0")
    assert result.exit_code == 1 and "failed: loop: 1 segment loops, above 0\n" in result.stderr
    assert run(*looping, "loops=1").exit_code == 0
    assert run(*LINES, "-m", "loops=cer", "--fail-below", "loops=1", "--stream").exit_code == 0
