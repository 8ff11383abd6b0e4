"""Files that people have: manifests by line, folders of recordings, captions, CTM of eight fields, Excel's formats."""

import datetime
import json
import os

import pytest
from conftest import load, write, write_jsonl

from textgauge.core.errors import InputError
from textgauge.programs.reading import sheets
from textgauge.programs.reading.formats import reader_of
from textgauge.programs.reading.meetings import OF_SESSIONS
from textgauge.programs.reading.rows import Request
from textgauge.programs.reading.transcripts import read_utterances

TEXTS = {"call01_001": "네 좋아요", "call01_002": "오늘 날씨가 좋다", "call02_001": "비가 온다"}
HEARD = {"call01_001": "네 좋아요", "call01_002": "오늘 날시가 좋다", "call02_001": "비 온다"}
WANTED = load("cer").compute(predictions=[*HEARD.values()], references=[*TEXTS.values()])["cer"]


@pytest.fixture
def rate(scores):
    """Returns a function that gives the CER of the only system, in an empty folder."""
    scores("--no-confidence")

    def of_system(*arguments):
        [system] = scores(*arguments, "-m", "cer", "--no-confidence")["systems"].values()
        return system["cer"]["cer"]

    return of_system


def test_a_manifest_of_lines_called_json(rate, fails):
    rows = [{"audio_filepath": f"{key}.wav", "text": TEXTS[key], "pred_text": HEARD[key]} for key in TEXTS]
    write("m.json", *(json.dumps(row, ensure_ascii=False) for row in rows))
    assert rate("-d", "m.json") == WANTED
    write("m.json", json.dumps(rows[0]), "", json.dumps(rows[1])[:-1])
    assert "m.json, line 3: bad JSON, it is cut off after" in fails("-d", "m.json", "-m", "cer")
    write("m.json", json.dumps(rows, indent=1))
    assert rate("-d", "m.json") == WANTED


def test_offsets_are_numbers(rate):
    """0, 0.0 and "0.0" are one."""
    rows = [{"audio_filepath": "a.wav", "offset": n, "pred_text": text} for n, text in enumerate(HEARD.values())]
    write_jsonl("p.jsonl", *rows[::-1])
    gold = [{"audio_filepath": "a.wav", "offset": float(n), "text": text} for n, text in enumerate(TEXTS.values())]
    write_jsonl("r.jsonl", *gold)
    assert rate("-p", "p.jsonl", "-r", "r.jsonl") == WANTED
    write("r.csv", "audio_filepath,offset,text", *(f"a.wav,{row['offset']},{row['text']}" for row in gold))
    assert rate("-p", "p.jsonl", "-r", "r.csv") == WANTED


FOLDERS = {
    ".json": lambda text: json.dumps({"text": text, "segments": [{"id": 0, "start": 0, "end": 1, "text": f" {text}"}]}),
    ".txt": lambda text: text.replace(" ", "\n", 1),
    ".srt": lambda text: f"1\n00:00:00,000 --> 00:00:01,000\n{text}\n",
    ".trn": lambda text: f"{text} (u-1)",
}


def write_folder(name, ending, texts):
    os.mkdir(name)
    for key, text in texts.items():
        write(f"{name}/{key}{ending}", FOLDERS[ending](text))


@pytest.mark.parametrize("ending", FOLDERS)
def test_a_folder_of_recordings_is_a_system(ending, rate, run):
    write_folder("whisper", ending, HEARD)
    write("whisper/.hidden", "x")
    write("r.csv", "id,text", *(f"{key},{TEXTS[key]}" for key in reversed(TEXTS)))
    assert rate("-p", "whisper", "-r", "r.csv") == WANTED
    write_folder("gold", ".txt", TEXTS)
    assert rate("-p", "whisper", "-r", "gold") == WANTED
    write_jsonl("r.jsonl", *({"audio_filepath": f"/data/wav/{key}.wav", "text": TEXTS[key]} for key in reversed(TEXTS)))
    how = ("-p", "whisper", "-r", "r.jsonl")
    assert rate(*how) == WANTED
    said = run(*how, "-m", "cer").stderr
    assert (
        "r.jsonl are matched by the names of recordings, for example /data/wav/call01_001.wav with call01_001\n" in said
    )
    assert "whole folders; leave out --stream" in run(*how, "-m", "cer", "--stream").stderr


def test_the_best_file_of_each_recording_is_read(rate, fails):
    """Whisper writes several, which say the same."""
    write_folder("whisper", ".json", HEARD)
    for key in HEARD:
        write(f"whisper/{key}.srt", "no subtitle")
    write("r.csv", "id,text", *(f"{key},{text}" for key, text in TEXTS.items()))
    assert rate("-p", "whisper", "-r", "r.csv") == WANTED
    write("whisper/meta.vtt", "no subtitle")
    write_folder("texts", ".txt", HEARD)
    write("texts/meta.json", '{"model": "x"}')
    assert rate("-p", "texts", "-r", "r.csv") == WANTED
    os.mkdir("empty")
    assert "empty: no file ends in .json, .txt" in fails("-p", "empty", "-r", "r.csv")
    write("r.csv", "id,text", *(f"other{key},{text}" for key, text in TEXTS.items()))
    message = fails("-p", "whisper", "-r", "r.csv")
    assert "3 of 3 ids are missing" in message
    assert (
        "no recording has the same name either, such as 'call01_001'; --id-column \"\" matches rows by order" in message
    )


def test_several_rows_of_one_id_are_references(rate, run, fails):
    write("p.csv", "id,text", "1,가 나", "2,다 라")
    write("r.csv", "id,text,style", "1,가 다,x", "2,다 라,y", "1,가 나,z")
    assert rate("-p", "p.csv", "-r", "r.csv", "--reference-column", "text") == 0
    said = run("-p", "p.csv", "-r", "r.csv", "--reference-column", "text", "-m", "bleu")
    assert "r.csv: rows with the same id are read as several references, 3 rows for 2 ids" in said.stderr
    assert "|nrefs:1-2|" in said.stdout
    write("p.csv", "id,text", "1,가 나", "2,다 라", "1,가")
    how = ("-p", "p.csv", "-r", "r.csv", "--reference-column", "text")
    assert "p.csv, line 4: the id '1' is also in line 2; pass --id-column with" in fails(*how)
    write("p.csv", "id,text", "1,가 나", "2,다 라")
    assert "r.csv, line 4: the id '1' is also in line 2; leave out --stream, so that" in run(*how, "--stream").stderr


def test_paths_that_are_no_recordings_are_ids(fails, rate):
    """train/1 is not test/1, and of a manifest or of sounds the folder may be another one."""
    write("p.csv", "id,text", "train/1,가", "train/2,나")
    write("r.csv", "id,text", "test/1,가", "test/2,나")
    message = fails("-p", "p.csv", "-r", "r.csv")
    assert "p.csv, line 2: r.csv has no row with this id" in message
    assert "are missing: 'train/1', 'train/2'; --id-column \"\" matches rows by order" in message
    write("p.csv", "id,text", "a/1.WAV,가", "a/2.WAV,나")
    assert rate("-p", "p.csv", "-r", "r.csv") == 0
    write_jsonl("m.jsonl", *({"audio_filepath": f"a/{n}", "pred_text": text} for n, text in ((2, "나"), (1, "가"))))
    assert rate("-p", "m.jsonl", "-r", "r.csv") == 0


def test_captions_of_coco(rate, run):
    annotations = [{"image_id": 12, "id": 1, "caption": "가 나"}, {"image_id": 11, "id": 2, "caption": "다"}]
    annotations.append({"image_id": 12, "id": 3, "caption": "라 마"})
    write("ref.json", json.dumps({"images": [{"id": 11}, {"id": 12}], "annotations": annotations}))
    write("res.json", json.dumps([{"image_id": 11, "caption": "다"}, {"image_id": 12, "caption": "라 마"}]))
    assert rate("-p", "res.json", "-r", "ref.json") == 0
    assert rate("-p", "res.json", "-r", "ref.json", "--id-column", "image_id") == 0
    assert (
        "ref.json: rows with the same id are read as several references, 3 rows for 2 ids"
        in run("-p", "res.json", "-r", "ref.json", "-m", "cer").stderr
    )


def texts_of(path):
    return {key: fields["text"] for key, fields in read_utterances(Request(path))}


def test_words_with_times_of_other_programs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(
        "h.ctm",
        "m 1 0.1 0.2 네 0.9 lex A",
        "m 1 0.4 0.1 <eps> 1.0",
        "m 1 0.5 0.1 %laugh 0.3 non-lex A",
        "m 1 1.2 0.2 응 NA lex B",
    )
    [(_, session)] = OF_SESSIONS.read(Request("h.ctm"))
    assert [(said["speaker"], said["text"]) for said in session["text"]] == [("A", "네"), ("B", "응")]
    write("h.ctm", "m 1 0.1 -0.2 네 0.9")
    with pytest.raises(InputError, match=r"h.ctm, line 1: the duration is -0.2; pass seconds of at least 0"):
        list(OF_SESSIONS.read(Request("h.ctm")))
    write("k.trn", "e/1.pcm :: 네 지금", "e/2.pcm :: ")
    assert texts_of("k.trn") == {"e/1.pcm": "네 지금", "e/2.pcm": ""}
    write("k.trn", "e/3.pcm :: 작년 (2년)/(이 년)", "a :: b", "네 :: 좋아요 (u-1)")
    assert texts_of("k.trn") == {"e/3.pcm": "작년 (2년)/(이 년)", "a": "b", "u-1": "네 :: 좋아요"}
    write("b.trn", "M^{ME} A/B {x (u-1)")
    assert texts_of("b.trn") == {"u-1": "M^{ME} A/B {x"}
    with pytest.raises(
        InputError,
        match=r"h.rttm is turns of speakers, without words; cpwer and cpcer read it beside a .ctm file of the same",
    ):
        list(OF_SESSIONS.read(Request("h.rttm")))


def test_segments_with_speakers(rate, scores):
    segments = [
        {"start": 0, "end": 1, "text": "네", "speaker": "S0"},
        {"start": 1, "end": 2, "text": "응", "speaker": "S1"},
    ]
    write("h.json", json.dumps({"segments": segments}))
    write("r.stm", "m1 1 A 0 1 네", "m1 1 B 1 2 음")
    found = scores("-p", "h.json", "-r", "r.stm", "-m", "cpwer", "--no-confidence")["systems"]["h"]["cpwer"]
    assert found["cpwer"] == 0.5
    write("r.txt", "네", "응")
    assert rate("-p", "h.json", "-r", "r.txt") == 0  # of texts alone, the speakers are no texts
    write("h.json", json.dumps({"text": "", "segments": [], "language": "ko"}))
    write("r.txt", "네")
    assert rate("-p", "h.json", "-r", "r.txt") == 1


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (datetime.datetime(2024, 3, 1), "yyyy-mm-dd", "2024-03-01"),
        (datetime.datetime(2024, 3, 1), "m/d/yy", "3/1/24"),
        (datetime.datetime(2024, 3, 1), r"dd\.mm\.yyyy", "01.03.2024"),
        (datetime.datetime(2024, 3, 1, 14, 5, 9), "yyyy-mm-dd h:mm:ss", "2024-03-01 14:05:09"),
        (datetime.datetime(2024, 3, 1, 14, 5), "h:mm AM/PM", "2:05 PM"),
        (datetime.datetime(2024, 3, 1), 'yyyy"년" m"월" d"일"', "2024년 3월 1일"),
        (datetime.datetime(2024, 3, 1), "[$-412]mmmm", "2024-03-01"),
        (datetime.datetime(2024, 3, 1), "ddd, d mmmm yyyy", "Fri, 1 March 2024"),
        (datetime.datetime(2024, 3, 1), "mmmmm", "2024-03-01"),
        (datetime.datetime(2024, 3, 1, 8, 30), "?", "2024-03-01 08:30:00"),
        (datetime.time(9, 5), "hh:mm", "09:05"),
        (0.2, "0%", "20%"),
        (0.125, "0.0%", "12.5%"),
        (1234567, "#,##0", "1,234,567"),
        (3.14159, "0.00", "3.14"),
        (15, "General", "15"),
        (0.1 + 0.2, "General", "0.3"),
        (2.0, "General", "2"),
        (1234567890123.0, "General", "1234567890123"),
        (1e300, "General", "1e+300"),
        (True, "General", "TRUE"),
        (2.5, "0", "3"),  # a half is rounded up, away from 0
        (-2.5, "0", "-3"),
        (0.145, "0%", "15%"),
        (0.125, "0.00", "0.13"),
        (1.005, "0.00", "1.01"),
        (3.4499999999999997, "0.0", "3.5"),  # 1.15 * 3
        (-0.001, "0.00", "0.00"),
        (-1234.5, "#,##0", "-1,235"),
        (1e300, "0", "1" + "0" * 300),
        (123456789 * 10**25, "#,##0", "1,234,567,890" + ",000" * 8),
        (7, "000", "007"),
        (-7.5, "000.0", "-007.5"),
        (datetime.timedelta(hours=25, minutes=5, seconds=59), "[h]:mm", "25:05"),
        (datetime.timedelta(hours=5, minutes=5, milliseconds=8500), "[hh]:mm:ss;@", "05:05:09"),
        (datetime.timedelta(minutes=65, seconds=4), "[mm]:ss", "65:04"),
        (datetime.datetime(2024, 3, 1), "mm-dd-yy", "2024-03-01"),  # openpyxl's name of what each region has its own
        (datetime.datetime(2024, 3, 1, 14, 5), "m/d/yy h:mm", "2024-03-01 14:05:00"),
        (None, "General", ""),
        ("글", "0%", "글"),
    ],
)
def test_cells_are_shown_as_people_see_them(value, number_format, shown):
    assert sheets.shown_cell(value, number_format) == shown


@pytest.mark.parametrize(
    ("value", "number_format", "number"),
    [
        (1.5, '"$"0.00', 1.5),
        (datetime.timedelta(hours=36), "[ss]", 1.5),
        (datetime.timedelta(hours=-36), "[h]:mm", -1.5),
    ],
)
def test_cells_that_are_not_shown_as_people_see_them(value, number_format, number):
    found = sheets.shown_cell(value, number_format)
    assert found == number and repr(found).startswith(f"{number} in the format {number_format}, which is not supported")


def test_a_sheet_with_formats(scores, fails):
    openpyxl = pytest.importorskip("openpyxl", reason="pip install -r requirements-excel.txt")
    scores("--no-confidence")
    book = openpyxl.Workbook()
    rows = [["p", "r", "n"], [datetime.datetime(2024, 3, 1), "2024-03-01", 0.5], [0.2, "20%", 1.5]]
    for row in rows:
        book.active.append(row)
    book.active["A2"].number_format, book.active["A3"].number_format = "yyyy-mm-dd", "0%"
    book.active["C3"].number_format = '"$"0.00'
    book.save("d.xlsx")
    how = ("-d", "d.xlsx", "--prediction-column", "p", "-m", "cer:special=keep", "--no-confidence")
    found = scores(*how, "--reference-column", "r", "--human-column", "n")
    assert found["systems"]["p"]["cer special=keep"]["cer"] == 0 and found["human"]["p"]["mean"] == 1.0
    assert "d.xlsx, row 3: column n is of type FormattedNumber, 1.5 in the format" in fails(
        *how, "--reference-column", "n"
    )
    message = 'd.xlsx, row 3: column n is 1.5 in the format "$"0.00, which is not supported: save the column as text'
    assert message in fails(*how, "--reference-column", "r", "--group-by", "n")
    write("r.csv", "n,r", "0.5,2024-03-01", "1.5,20%")
    assert message in fails("-p", "d.xlsx", *how[2:], "-r", "r.csv", "--reference-column", "r", "--id-column", "n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a", "b\0c"], "p, line 2: a NUL character; this is not text"),
        (["a", "b\rc"], "p, line 2: a CR (\\r) inside; save it with lines that end in LF"),
    ],
)
def test_what_is_no_line_is_looked_for_in_all(lines, message, run):
    run("--help-metric", "bleu")
    write("p", *lines)
    write("r", "a", "b")
    assert message in run("-p", "p", "-r", "r").stderr


RATED = {
    "metric": [0.3, 0.1, 0.25, 1e-3, 0.2],
    "other": [5, 4, 2, 3, 1],
    "human": [10, 4, 7, 5, 6],
    "anna": [9, 3, 8, 1, 2],
}
NUMBER_COLUMNS = ["--prediction-column", "metric", "--reference-column", "human", "--reference-column", "anna"]
NUMBER_COLUMNS += ["--column", "baselines=other", "-m", "human_correlation"]


def write_rated(name, rated):
    separator = "\t" if name.endswith(".tsv") else ","
    rows = zip(*rated.values(), strict=True)
    write(name, separator.join(rated), *(separator.join(map(str, row)) for row in rows))


@pytest.mark.parametrize("name", ["d.csv", "d.tsv"])
def test_numbers_of_a_table_of_text_are_those_of_json(name, scores):
    write_jsonl("d.jsonl", *(dict(zip(RATED, row, strict=True)) for row in zip(*RATED.values(), strict=True)))
    write_rated(name, RATED)
    wanted = scores("-d", "d.jsonl", *NUMBER_COLUMNS)["systems"]
    assert scores("-d", name, *NUMBER_COLUMNS)["systems"] == wanted
    in_files = scores("-p", name, "-r", name, *NUMBER_COLUMNS)["systems"]
    assert [*in_files.values()] == [*wanted.values()]


def test_numbers_of_lines_are_those_of_json(scores):
    pairs = zip(RATED["metric"], RATED["human"], strict=True)
    write_jsonl("d.jsonl", *({"metric": score, "human": people} for score, people in pairs))
    write("metric.txt", *map(str, RATED["metric"]))
    write("human.txt", *map(str, RATED["human"]))
    wanted = scores("-d", "d.jsonl", *NUMBER_COLUMNS[:4], "-m", "human_correlation")["systems"]
    assert scores("-p", "metric.txt", "-r", "human.txt", "-m", "human_correlation")["systems"] == wanted


@pytest.mark.parametrize("column", RATED)
@pytest.mark.parametrize("cell", ["", "good", "nan", "inf", "0;3"])
def test_a_cell_that_is_no_number_is_named(column, cell, fails):
    write_rated("d.csv", {**RATED, column: [*RATED[column][:2], cell, *RATED[column][3:]]})
    assert f"d.csv, line 4: column {column} is {cell!r}; pass a number" in fails("-d", "d.csv", *NUMBER_COLUMNS)


def test_a_title_above_a_table_of_excel(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl", reason="pip install -r requirements-excel.txt")
    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    for row in (["번역 평가", None, None], ["SID", "번역문", "구글"], [1, "가", "나"]):
        book.active.append(row)
    book.save("d.xlsx")
    [(number, fields)] = reader_of("d.xlsx").read(Request("d.xlsx"))
    assert (number, fields) == (3, {"SID": "1", "번역문": "가", "구글": "나"})
