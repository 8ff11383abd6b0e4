"""scripts/score.py --html: what its page marks, orders, names and escapes."""

import csv
import io
import json

from conftest import write
from score_files import LINES, expected, open_text, result_of, write_lines
from score_files import page as page


def test_report_highlights_matches(page):
    write_lines()
    shown = page(*LINES, "-p", "번역기=other.txt", "-m", "bleu", "-m", "bleu:tokenizer=char")
    assert ("n2", "잠을 자고") not in shown.marks and ("n4", "잠을 자고 있다.") in shown.marks
    assert ("n1", "고양이가") in shown.marks and ("n1", "침대에서") not in shown.marks
    assert ("n4", "에서 잠을 자고 있다.") in shown.marks
    assert all(text in shown.text for text in ("번역기", f"{expected()['bleu']:.4f}", "|tok:char|"))
    assert "(empty)" in shown.text


def test_what_is_better_when_lower_is_said(run, page):
    write_lines()
    arguments = [*LINES, "-m", "bleu", "-m", "cer", "-m", "wer:tokenizer=char"]
    said = run(*arguments).stdout
    assert "\n↓ lower is better: cer, wer char\n" in said and said.split("\n")[0].count("↓") == 2
    assert page(*arguments).text.count("↓ lower is better") == 3  # below the table, and above the histograms
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
    assert "no interval: fewer than 6 segments\n" in printed
    assert printed.splitlines()[-1].split() == ["4", "out", f"{wanted['rouge1_segments'][3]:.4f}"]
    shown = page(*arguments)
    assert shown.tags.count("svg") == 1 and len(shown.order) == 4


def test_report_orders_segments(page):
    write_lines()
    segments = expected(per_segment=True, tokenizer="char")["segments"]
    ranked = sorted(range(4), key=segments.__getitem__)
    assert page(*LINES, "-m", "bleu:tokenizer=char").order == [row + 1 for row in ranked]
    shown = page(*LINES, "-m", "bleu:tokenizer=char", "--segments", "1")
    assert shown.order == [ranked[0] + 1] and "3 further segments, which show less, are not on this page" in shown.text
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
