"""What other programs leave in lines, tables without a header, and fairseq's lines."""

import pytest
from conftest import load, write

from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.reading.leftovers import leftovers

TEXTS = [f"the cat number {number} sat on the mat." for number in range(12)]
# how a program writes a line, the start of the note, and what it shows
LEFT = {
    "symbols": (lambda text: f"<s> {text} </s> <pad>", "12 of 12 texts have symbols of a model, such as <s>,"),
    "symbols of BERT": (lambda text: f"[CLS] {text}", "symbols of a model, such as [CLS],"),
    "symbols of GPT": (lambda text: f"{text}<|im_end|>", "symbols of a model, such as <|im_end|>,"),
    "BPE": (lambda text: text.replace("number", "num@@ ber"), "12 of 12 texts are in subwords, such as num@@,"),
    "sentencepiece": (lambda text: "▁" + text.replace(" ", " ▁"), "are in subwords, such as ▁the,"),
    "wordpieces": (lambda text: text.replace("number", "num ##ber"), "are in subwords, such as ##ber,"),
    "bytes of GPT-2": (lambda text: text.replace(" ", " Ġ"), "are in subwords, such as Ġcat,"),
    "JSON": (lambda text: f'"{text}"', '12 of 12 texts are in quotes, like strings of JSON or Python ("the cat'),
    "Python": (lambda text: repr(text), "are in quotes, like strings of JSON or Python ('the cat"),
    "bytes of Python": (lambda text: repr(text.encode()), "are in quotes, like strings of JSON or Python (b'the"),
    "entities": (
        lambda text: text.replace("cat", "cat &apos;s"),
        "have HTML entities, such as &apos;,",
    ),
    "escapes": (lambda text: text.replace("cat", "\\uace0"), "escapes of JSON or Python, such as \\uace0,"),
    "tokens": (
        lambda text: text.replace(".", " ."),
        "12 of 12 texts have a blank before a full stop or a comma (mat .)",
    ),
    "an n-best list": (
        lambda text: f"0 ||| {text} ||| -1.5",
        "begin or end with a label of a speaker, a program or a model (0 |||",
    ),
    "OpenNMT": (
        lambda text: f"PRED 1: {text}",
        "begin or end with a label of a speaker, a program or a model (PRED 0:)",
    ),
    "scores": (lambda text: f"-0.31\t{text}", "12 of 12 lines begin with a number and a tab (-0.31"),
    "times": (lambda text: f"[00:00.000 --> 00:02.000] {text}", "lines begin with times ([00:00.000 -->"),
    "tabs": (lambda text: f"{text}\t{text}", "12 of 12 texts have tabs, and are scored as one text each"),
}


MARKED = [
    "Translation: {}", "Sure! Here it is: {}", "### Response: {}", "```{}```", "thought </think> {}", "kor_Hang {}",
    "__ko__ {}", "<2ko> {}", '<seg id="1">{}</seg>', "{} -lrb- a -rrb-", "\u2047 {}", "\u200b{}", "\ufeff{}",
    "\ufffd{}",    "**Answer:** {}", "译文：{}", "1. {}", "- {}", "[00:01] {}", "SPEAKER_01: {}",
    "INFO:x OUTPUT: {}", "{} ||| Scores= -1.5",
]  # fmt: skip
HARMLESS = [
    ["10:30 train leaves", "11:45 lunch", "12:00 bell", "13:15 class"],
    ["50% off today", "20% off", "10% more", "5% less"],
    ["I think it rains", "I think so", "I think not", "I think we go"],
    ["안녕하세요, 좋네요", "안녕하세요, 왔어요", "안녕하세요, 반갑습니다", "안녕하세요, 네"],
    ["김철수: 안녕", "이영희: 네", "박민수: 가자", "최민: 응"],
    ["a < b and c > d", "x = a[i]", "if a < b:", "return x"],
    ["می\u200cخواهم", "نمی\u200cدانم", "کتاب", "سلام"],
]


def notes_of(predictions, references):
    columns = [
        FileColumn("the line", texts, path, "line", range(1, 99))
        for path, texts in zip("pr", (predictions, references), strict=True)
    ]
    return list(leftovers(Corpus("", {"p": columns[0]}, {"references": columns[1:]}, {}, "")))


@pytest.mark.parametrize("form", MARKED)
def test_marks_that_one_side_has(form):
    marked = [form.format(text) for text in TEXTS]
    assert len(notes_of(marked, TEXTS)) == len(notes_of(TEXTS, marked)) == 1
    assert notes_of(marked, marked) == []


@pytest.mark.parametrize("texts", HARMLESS, ids=lambda texts: texts[0])
def test_what_people_write_is_no_mark(texts):
    assert notes_of(texts, TEXTS[:4]) == notes_of(TEXTS[:4], texts) == []


@pytest.fixture
def said(run):
    """Returns a function that scores two lists of lines and returns what is written to standard error."""
    run("--help-metric", "bleu")

    def score(predictions, references):
        write("p", *predictions)
        write("r", *references)
        return run("-p", "p", "-r", "r", "-m", "chrf", "--no-confidence").stderr

    return score


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_in_lines_is_said(name, said):
    left = list(map(LEFT[name][0], TEXTS))
    note = said(left, TEXTS)
    assert note.startswith("note: p, line 1: ") and LEFT[name][1] in note and note.count("\n") == 1
    assert said(TEXTS, left) == note.replace("p, line", "r, line")  # of a reference, too
    assert said(left, left) == ""  # what both have is theirs


def test_texts_as_people_write_them_are_not_doubted(said):
    odd = [
        'He said "yes".', "a < b and c > d", "R&D; and Q&A", "mail me @@ home", "50 % .", "C:\\new", "'tis the season",
        "# 1 ## 2", "[note] see <b>bold</b>", "1. 2 3", "10 cats", "no mark here",
    ]  # fmt: skip
    assert said(odd, TEXTS) == ""
    assert said(["<s> a"], ["a"]).count("symbols") == 1  # one line of one is enough for what no text has
    assert said(['"a"', '"b"'], ["a", "b"]) == ""  # two lines say nothing about all


def test_blanks_before_marks_as_the_french_write_them(said):
    french = ["Comment allez-vous ?", "Quelle belle journée !", "Il dit : « oui » ; elle rit."]
    assert said(french, ["How are you?", "What a day!", "He says yes; she laughs."]) == ""
    assert "r, line 2: 2 of 3 texts have a blank before a full stop or a comma (b ,)" in said(
        ["a?", "b, c", "d, e"], ["a ?", "b , c", "d , e"]
    )


def test_formulas_are_no_escapes(said):
    assert said(["x in \\R^2 and \\N", "\\T"], ["x", "y"]) == ""
    assert "2 of 2 texts have escapes of JSON or Python, such as \\n," in said(["a\\n", "b\\u00AC"], ["a", "b"])


def test_tabs_in_a_table_are_text(run):
    """The advice for a file of lines is none for a cell."""
    run("--help-metric", "bleu")
    write("d.jsonl", *(f'{{"p": "a\\tb {n}", "r": "a b {n}"}}' for n in range(3)))
    how = ("--prediction-column", "p", "--reference-column", "r", "-m", "chrf", "--no-confidence")
    assert run("-d", "d.jsonl", *how).stderr == ""


def test_a_file_that_is_two_systems_is_said_once(run):
    run("--help-metric", "bleu")
    write("p", *(f"<s> {text}" for text in TEXTS))
    write("r", *TEXTS)
    assert run("-p", "a=p", "-p", "b=p", "-r", "r", "-m", "chrf", "--no-confidence").stderr.count("symbols") == 1


def test_few_lines_of_many_are_not_enough(said):
    one, two = [[f"{text} </s>" if row < n else text for row, text in enumerate(TEXTS)] for n in (1, 2)]
    assert said(one, TEXTS) == "" and "2 of 12 texts have symbols" in said(two, TEXTS)
    half = [text.replace(".", " .") if row < 5 else text for row, text in enumerate(TEXTS)]
    assert said(half, TEXTS) == ""


def test_long_lines_take_no_time(said):
    assert said(["[" * 200_000, "a" * 200_000, "a " * 100_000], ["x", "y", "a"]) == ""


FAIRSEQ = [f"H-{number}\t-0.3{number}\t{text}" for number, text in enumerate(TEXTS)]


@pytest.mark.parametrize("references", [TEXTS, [f"T-{n}\t{text}" for n, text in enumerate(TEXTS)][::-1]])
def test_lines_of_fairseq(references, run, scores):
    scores("--no-confidence")
    wanted = load("bleu").compute(predictions=[*TEXTS[:11], "a b c d"], references=TEXTS)["bleu"]
    write("p", *FAIRSEQ[6:11], *FAIRSEQ[:6], "H-11\t-1\ta b c d")
    write("r", *references)
    how = ("-p", "p", "-r", "r", "-m", "bleu", "--no-confidence")
    assert scores(*how)["systems"]["p"]["bleu"]["bleu"] == wanted
    said = run(*how).stderr
    assert said.startswith("note: p has lines of fairseq: the texts of H- are scored, matched by number\n")
    assert "matched by their order" not in said


def test_a_whole_output_of_fairseq(scores, fails, run):
    scores("--no-confidence")
    lines = []
    for number, text in reversed(list(enumerate(TEXTS))):
        lines += [f"S-{number}\tsource", f"T-{number}\t{text}", f"H-{number}\t-0.3\t{text[:9]}@@ x"]
        lines += [f"D-{number}\t-0.3\t{text[:9]}", f"P-{number}\t-1 -2"]
    write("out", *lines)
    wanted = load("chrf").compute(predictions=[text[:9] for text in TEXTS], references=TEXTS)["chrf"]
    how = ("-p", "out", "-r", "out", "-m", "chrf", "--no-confidence")
    assert scores(*how)["systems"]["out"]["chrf"]["chrf"] == wanted
    write("p", *FAIRSEQ, "H-3\t-1\tx")
    assert "p, line 13: H-3 occurs twice" in fails("-p", "p", "-r", "p")
    write("p", *FAIRSEQ * 9, "x")
    assert "p, line 13: H-0 occurs twice; keep one line for each number" in fails("-p", "p", "-r", "p")
    said = run("-p", "out", "-r", "out", "--stream").stderr
    assert "matching fairseq's lines by their numbers needs whole files; leave out --stream" in said


def test_lines_of_fairseq_with_more(run, scores, fails):
    """Blank lines, the summary and lines that are no texts are skipped; any other line is an error."""
    scores("--no-confidence")
    further = ["", "A-0\t0-0 1-1", "A-1\t0-0", "E-0_0\tx", "E-0_1\tx", " "]
    write("p", *further[:2], *FAIRSEQ, *further[2:], "Generate test with beam=5: BLEU4 = 30.0, 60/40/20/10 (BP=1.000)")
    write("r", *TEXTS)
    how = ("-p", "p", "-r", "r", "-m", "chrf", "--no-confidence")
    assert scores(*how)["systems"]["p"]["chrf"]["chrf"] == 1
    write(
        "p", "2021-01-01 10:00:00 | INFO | fairseq_cli.generate | loading", *FAIRSEQ, "2021-01-01 10:00:09 | INFO | x"
    )
    assert scores(*how)["systems"]["p"]["chrf"]["chrf"] == 1
    write("p", *FAIRSEQ, "a cat")
    assert "p, line 13: 'a cat' is not a line of fairseq, as line 1 is" in fails(*how)


def test_numbers_of_fairseq_beside_lines_without_ids(fails):
    """By place the third line would be scored against the second reference."""
    write("p", *(f"H-{number}\t-0.3\ta" for number in (5, 9, 7)))
    write("r", "a", "b", "c")
    message = (
        "p, line H-5: number 0 is missing; r has no ids, so its line 1 belongs to number 0, and so on; pass a line"
    )
    assert message in fails("-p", "p", "-r", "r")
    write("p", *FAIRSEQ[:2], *FAIRSEQ[3:4])
    assert "p, line H-3: number 2 is missing; r has no ids" in fails("-p", "p", "-r", "r")
    write("r.csv", "id,text", "0,a", "1,b", "7,c")
    message = fails("-p", "p", "-r", "r.csv")
    assert "p, line H-3: r.csv has no row with this id; 1 of 3 ids are missing: '3'\n" in message
    write("r.csv", "id,text", "a,a", "b,b", "c,c")
    message = fails("-p", "p", "-r", "r.csv")
    assert "p, line H-0: r.csv" in message and "'3'; --id-column \"\" matches rows by order" in message


def test_kinds_of_lines_of_fairseq(run, fails):
    """The source is no reference; a hypothesis is one where there is no target."""
    run("--help-metric", "bleu")
    write("p", *FAIRSEQ)
    write("r", *(f"S-{n}\t{text}" for n, text in enumerate(TEXTS)))
    assert "r: the lines of fairseq are S-..., but T-, D-, H- are needed" in fails("-p", "p", "-r", "r")
    write("r", *(f"D-{n}\t-1\t{text}" for n, text in enumerate(TEXTS)))
    assert "r has lines of fairseq: the texts of D- are scored" in run("-p", "p", "-r", "r", "-m", "chrf").stderr


@pytest.mark.parametrize(
    ("names", "name"),
    [
        (("the cat sat on the mat", "the bat sat on the mat"), "the cat sat on the mat"),
        (("안녕", "안녕!"), "안녕"),
        (("네 그래요.", "아니요"), "네 그래요."),
        (("b", "text"), "b"),
        (("model output", "reference text"), ""),
        (("text", "texts"), ""),
        (("예측", "정답"), ""),
        (("No.", "Correct?"), ""),
        (("Model output (GPT-4o)", "Model output (GPT-4.1 mini)"), ""),
        (("2024", "2025"), ""),
        (("모델 출력 글", "모델 정답 글"), ""),  # longer than what is below
        (("model output", "model output"), ""),
    ],
)
def test_a_table_without_names_is_doubted(names, name, run):
    run("--help-metric", "bleu")
    for file, own in zip(("p.csv", "r.csv"), names, strict=True):
        write(file, own, "a c", "b", "c d e")
    said = run("-p", "p.csv", "-r", "r.csv", "-m", "chrf", "--no-confidence").stderr
    assert ("looks like a text" in said) == bool(name)
    assert not name or f"the first row of p.csv is read as column names, but {name!r} looks like a text" in said
    write("d.csv", f"{names[0]},{names[0]} 2", "a,a", "b,b")
    named = ("--prediction-column", names[0], "--reference-column", f"{names[0]} 2")
    assert "looks like a text" not in run("-d", "d.csv", *named, "-m", "chrf", "--no-confidence").stderr


def test_names_are_compared_with_their_cells(run):
    """A number above numbers is one of them; of other columns nothing is lost that is scored."""
    run("--help-metric", "bleu")
    note = "the first row of p.csv is read as column names, but {} looks like a text"
    how = ("-p", "p.csv", "-r", "r.csv", "-m", "chrf", "--no-confidence")
    write("p.csv", "5", "3", "4")
    write("r.csv", "text", "5", "4")
    assert note.format("'5'") in run(*how).stderr
    write("p.csv", "n,2024", "네.,가", "3,나")
    assert "looks like" not in run(*how, "--prediction-column", "2024").stderr
    write("p.csv", "Is this one good?,text", "3,가", "4,나")
    assert "looks like" not in run(*how).stderr
    for ends, is_said in (("", True), (".", False)):  # names end as the cells do, or they are none
        for path, name in (("p.csv", "가 나 다 라마"), ("r.csv", "가 나 다 라바")):
            write(path, name.replace(" ", ""), f"가 나 다 라 마바사{ends}", f"가{ends}", f"나다{ends}")
        assert (note.format("'가나다라마'") in run(*how).stderr) is is_said


def test_names_that_are_nearly_equal_are_those_of_the_scored_columns(run):
    """Not those of what is read beside them."""
    run("--help-metric", "bleu")
    write("p.csv", "가나다라마", "가", "나다라마바사")
    write("r.csv", "가나다라바,topic", "가,1", "나다라마바사,2")
    said = run("-p", "p.csv", "-r", "r.csv", "-c", "clusters=topic", "-m", "chrf", "--no-confidence").stderr
    doubts = [line for line in said.splitlines() if "looks like a text" in line]
    assert len(doubts) == 2
    assert "p.csv" in doubts[0] and "'가나다라마' looks like a text" in doubts[0]
    assert "r.csv" in doubts[1] and "'가나다라바' looks like a text" in doubts[1]


def test_marks_of_transcripts(run):
    """Also where both sides have them; not where a metric reads them."""
    run("--help-metric", "bleu")
    write("h.trn", "안 녕 <space> 하 새 (u-1)")
    write("r.trn", "안 녕 <space> 하 세 (u-1)")
    note = "r.trn, utterance u-1: 1 of 1 texts has <space> for blanks, as in ESPnet"
    assert note in run("-p", "h.trn", "-r", "r.trn", "-m", "cer").stderr
    write("h.trn", "here we go (u-1)")
    for text in ("(%HESITATION) here we go", "here we g-"):
        write("r.trn", f"{text} (u-1)")
        said = run("-p", "h.trn", "-r", "r.trn", "-m", "wer").stderr
        assert "r.trn, utterance u-1: 1 of 1 utterances has words with NIST's marks" in said
        assert run("-p", "h.trn", "-r", "r.trn", "-m", "wer:sclite=true").stderr == ""
    for name in ("h.srt", "r.srt"):
        write(name, "1", "00:00:00,000 --> 00:00:01,000", "(laughs) well- here we go")
    assert run("-p", "h.srt", "-r", "r.srt", "-m", "wer").stderr == ""
    write("r.trn", "here we-we go - (u-1)")
    assert run("-p", "h.trn", "-r", "r.trn", "-m", "wer").stderr == ""
