"""Files of meetings: transcripts with speakers to sessions, and predictions that were cut elsewhere."""

import gzip
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import write, write_jsonl
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score
from textgauge.programs.reading.corpora import file_corpora
from textgauge.programs.reading.meetings import OF_SESSIONS
from textgauge.programs.reading.named_columns import NamedColumns
from textgauge.programs.reading.rows import Request
from textgauge.programs.saying.session_text import read_session, session_text

STM = ["m1 1 민지 0 2 안녕하세요 시작할까요", "m1 1 준호 2 3 네 좋아요", "m2 1 민지 0 2.5 <o> 끝"]
SESSIONS = {
    "m1": [("민지", "안녕하세요 시작할까요", 0, 2), ("준호", "네 좋아요", 2, 3)],
    "m2": [("민지", "끝", 0, 2.5)],
}
ROWS = [
    {"session": session, "speaker": speaker, "start": start, "end": end, "text": text}
    for session, said in SESSIONS.items()
    for speaker, text, start, end in said
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def sessions(path, reference=""):
    return [(name, fields["text"]) for name, fields in OF_SESSIONS.read(Request(path, reference=reference or path))]


def read(path):
    return {
        name: [tuple(utterance[field] for field in ("speaker", "text", "start", "end")) for utterance in session]
        for name, session in sessions(path)
    }


def write_seglst(path, rows=ROWS):
    names = {"session": "session_id", "text": "words", "start": "start_time", "end": "end_time"}
    with open(path, "w", encoding="utf-8") as file:
        json.dump([{names.get(name, name): value for name, value in row.items()} for row in rows], file)


def test_stm():
    write("a.stm", ";; a comment", *STM, "m2 1 x 3 4 inter_segment_gap")
    assert read("a.stm") == SESSIONS


def test_a_folder_with_a_file_for_each_session():
    """As recognisers write them; a file that names no session has its own name."""
    Path("heard").mkdir()
    for session in ("m1", "m2"):
        segments = [dict(row) for row in ROWS if row["session"] == session]
        for segment in segments:
            del segment["session"]
        Path("heard", f"{session}.json").write_text(json.dumps({"segments": segments}), "utf-8")
    Path("heard", "settings.csv").write_text("a,b\n1,2\n", "utf-8")
    assert read("heard") == SESSIONS
    Path("notes").mkdir()
    Path("notes", "m1.md").write_text("네", "utf-8")
    with pytest.raises(ValueError, match=r"^notes: no file ends in \.json, \.jsonl, \.csv, \.tsv, \.stm"):
        read("notes")


def test_tables():
    """By the names of a table, and by those of SegLST; other columns do not matter."""
    write_seglst("a.json")
    write_jsonl("a.jsonl", *(({"place": 1, **row}) for row in ROWS))
    pq.write_table(pa.Table.from_pylist(ROWS), "a.parquet")
    write("a.csv", "session,speaker,text,start,end", *(",".join(map(str, row.values())) for row in (
        {name: row[name] for name in ("session", "speaker", "text", "start", "end")} for row in ROWS)))  # fmt: skip
    assert {path: read(path) for path in ("a.json", "a.jsonl", "a.parquet", "a.csv")} == dict.fromkeys(
        ("a.json", "a.jsonl", "a.parquet", "a.csv"), SESSIONS
    )
    write("b.csv", "speaker,text,start,end", "a,가,,", "b,나,,")  # one session, and no times
    assert read("b.csv") == {"1": [("a", "가", None, None), ("b", "나", None, None)]}


def test_words_with_turns():
    """A word is said by whose turn its middle is in, or is next to."""
    write(
        "a.rttm",
        "SPEAKER m1 1 0 2 <NA> <NA> 민지 <NA> <NA>",
        "SPKR-INFO m1 1 <NA>",
        "SPEAKER m1 1 2 1 <NA> <NA> 준호 1",
    )
    write("a.ctm", "m1 1 0 1 안녕", "m1 1 1.5 1.2 네", "m1 1 7 1 좋아요 .9")
    assert read("a.ctm") == {"m1": [("민지", "안녕", 0, 1), ("준호", "네", 1.5, 2.7), ("준호", "좋아요", 7, 8)]}


def test_compressed_words_with_turns():
    for name, line in (("a.ctm.gz", "m1 1 0 1 네"), ("a.rttm.gz", "SPEAKER m1 1 0 2 <NA> <NA> 민지 <NA> <NA>")):
        with gzip.open(name, "wt", encoding="utf-8") as file:
            file.write(line + "\n")
    assert read("a.ctm.gz") == {"m1": [("민지", "네", 0, 1)]}


def test_gaps_are_no_speakers():
    """NIST writes them in place of the speaker."""
    write("a.stm", *STM, "m2 1 inter_segment_gap 3 4 <o,,unknown>", "m2 1 Inter_Segment_Gap 4 5")
    assert read("a.stm") == SESSIONS


def test_a_time_that_is_not_scored_is_left_out_of_both_sides():
    """By the middle of an utterance; a session of which nothing is scored is none."""
    write("gold.stm", "m1 1 a 0 2 x y", "m1 1 a 2 4 Ignore_Time_Segment_In_Scoring", "m1 1 a 4 6 z", "m2 1 a 0 9 w")
    write("ignored.stm", "m3 1 a 0 1 v", "m3 1 b 0 5 ignore_time_segment_in_scoring")
    write("all.stm", *Path("gold.stm").read_text().splitlines(), *Path("ignored.stm").read_text().splitlines())
    rows = [("m1", 0, 1, "x"), ("m1", 1, 3.5, "u"), ("m1", 3.5, 4, "u"), ("m1", 4, 6, "z"), ("m2", 0, 1, "w")]
    rows.append(("m3", 0, 1, "v"))
    write("new.stm", *(f"{session} 1 s {start} {end} {words}" for session, start, end, words in rows))
    assert list(read("all.stm")) == ["m1", "m2"]
    found = sessions("new.stm", "all.stm")
    assert [[utterance["text"] for utterance in session] for _, session in found] == [["x", "z"], ["w"]]


@pytest.mark.parametrize(
    ("path", "lines", "message"),
    [
        ("a.ctm", ["m1 1 0 1 x"], "a.ctm has no speakers; put a.rttm with the turns of the speakers beside it"),
        ("a.srt", ["1", "00:00:01,000 --> 00:00:02,000", "네"], "a.srt has no speakers; pass .stm, .ctm with .rttm"),
        ("a.txt", ["x"], "a.txt has no speakers"),
        ("a.stm", ["m1 1 x 0 1 ignore_time_segment_in_scoring"], "a.stm: nothing to score: the file has no utterance"),
        ("a.stm", ["m1 1 x 0 1 inter_segment_gap"], "a.stm: nothing to score: the file has no utterance"),
        (
            "a.csv",
            ["session,speaker,text", "1,a,b", ",a,c"],
            "a.csv: some utterances have a session and some have none",
        ),
        ("a.csv", ["who,text", "a,b"], "a.csv, line 2: there is no column 'speaker'; it has who, text"),
        ("a.csv", ["speaker,words,end", "a,b,c"], "a.csv, line 2, end is 'c'; pass seconds"),
    ],
)
def test_what_is_no_session_is_named(path, lines, message):
    write(path, *lines)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        sessions(path)


def test_a_row_without_a_speaker_among_others_with_one():
    write("a.jsonl", '{"speaker": "A", "text": "네"}', '{"text": "어"}')
    with pytest.raises(
        ValueError, match=r"^a\.jsonl, line 2: there is no speaker in this row, .* or leave the row out$"
    ):
        sessions("a.jsonl")


def test_times_of_chime_and_names_of_columns():
    write("a.csv", "speaker,transcription,start_time,end_time", "A,네,0:01:00.50,1:00:02")
    [(_, [utterance])] = sessions("a.csv")
    assert utterance == {"speaker": "A", "text": "네", "start": 60.5, "end": 3602.0}


def test_turns_of_another_session():
    write("a.rttm", "SPEAKER m1 1 0 2 <NA> <NA> x <NA> <NA>")
    write("a.ctm", "m2 1 0 1 x")
    with pytest.raises(ValueError, match=r"^a\.ctm, line 1: a\.rttm has no turn in session m2$"):
        sessions("a.ctm")


def test_score_and_compare(scores):
    """Sessions are matched by name, which the report shows; the two commands have one score."""
    write("gold.stm", *STM)
    write_seglst("new.json", ROWS[::-1])
    write_seglst("old.json", [{**row, "speaker": row["session"]} for row in ROWS])  # one speaker a session
    files = ["-p", "old.json", "-p", "new.json", "-r", "gold.stm", "-m", "cpwer", "-m", "cpcer:collar=5"]
    found = scores(*files)["systems"]
    assert {name: of["cpwer"]["cpwer"] for name, of in found.items()} == {"old": 4 / 5, "new": 0}
    assert found["old"]["cpwer"]["missed_speakers"] == 1 and found["new"]["cpcer collar=5"]["cpcer"] == 0
    scores(*files, "--html", "report.html")
    with open("report.html", encoding="utf-8") as file:
        assert len(re.findall(r"<h3[^>]*>.*\bm[12]\b", file.read())) == 2
    shown = CliRunner().invoke(compare.app, [*files, "--json", "-"])
    results = json.loads(shown.stdout)
    assert {name: of["cpwer"]["cpwer"] for name, of in results["systems"].items()} == {"old": 4 / 5, "new": 0}
    assert [[of[name] for name in ("wins", "losses", "ties")] for of in results["comparisons"]] == [[1, 0, 1]] * 2


@pytest.mark.parametrize(
    ("language", "unit", "segment"), [("en", "session", "egment"), ("ko", "세션", "문장(?! 부호)")]
)
def test_sessions_are_called_sessions(language, unit, segment):
    """In verdict, notes, tables and pages; options keep their names."""
    write("gold.stm", *STM)
    write_seglst("new.json", ROWS[::-1])
    write_seglst("old.json", [{**row, "speaker": row["session"]} for row in ROWS])
    files = ["-p", "old.json", "-p", "new.json", "-r", "gold.stm", "-m", "cpwer", "--language", language]
    shown = CliRunner().invoke(compare.app, [*files, "--markdown", "-"])
    assert shown.exit_code == 0, shown.output
    shown = shown.stdout
    assert f"2 {unit}s" in shown or f"2{unit}" in shown
    assert not re.search(segment, shown)
    assert CliRunner().invoke(score.app, [*files, "--html", "report.html"]).exit_code == 0
    with open("report.html", encoding="utf-8") as file:
        shown = re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]*>", " ", file.read(), flags=re.DOTALL)
    assert not re.search("egment", shown) and "Session 1" in shown


BAD_SESSIONS = {
    "a session is missing": (["-m", "cpwer"], "new.json, session m1: gold.stm has no row with this id; 1 of 2 ids"),
    "two references": (
        ["-m", "cpwer", "-r", "gold.stm"],
        "sessions take one file of references, but --references names 2 files",
    ),
    "a column": (["-m", "cpwer", "-c", "clusters=x"], "--column clusters=x: whole sessions are matched by name"),
    "ids": (["-m", "cpwer", "--id-column", "session"], "--id-column session: whole sessions are matched by name"),
    "texts too": (["-m", "cpwer", "-m", "cer"], "--metric cpwer scores sessions, and --metric cer segments"),
    "segmented again": (
        ["-m", "cpwer", "--align-segments", "words"],
        "--align-segments does not apply to sessions: the",
    ),
}


@pytest.mark.parametrize("name", BAD_SESSIONS)
def test_bad_sessions(name, fails):
    arguments, message = BAD_SESSIONS[name]
    write("gold.stm", STM[2])
    write_seglst("new.json")
    assert message in fails("-p", "new.json", "-r", "gold.stm", *arguments)


def test_a_bad_utterance_is_named(fails):
    write("gold.stm", *STM)
    write_jsonl("new.jsonl", *ROWS[:2], {**ROWS[2], "speaker": None})
    message = fails("-p", "new.jsonl", "-r", "gold.stm", "-m", "cpwer")
    assert "new.jsonl, session m2: the session[0] has the speaker None; pass a name or a number" in message
    write("out.csv", "session,speaker,text", "m1, ,가", "m2,a,나")
    message = fails("-p", "out.csv", "-r", "gold.stm", "-m", "cpwer")
    assert "out.csv, session m1: the session[0] has the speaker a string, ' '; pass a name or a number" in message
    write("out.csv", "session,speaker,text,start,end", "m1,a,가,1,2", "m1,a,가,,", "m2,a,나,,")
    message = fails("-p", "out.csv", "-r", "gold.stm", "-m", "cpwer")
    assert "session m1: the session[1] has no start, but others of the session do; pass it for all or none" in message


UTTERANCES = st.lists(
    st.fixed_dictionaries(
        {"speaker": st.text(max_size=3), "text": st.text(max_size=5)},
        optional={"start": st.floats(0, 99), "end": st.floats(0, 99)},
    ),
    max_size=3,
)


@given(UTTERANCES)
def test_sessions_are_read_back_from_text(session):
    assert read_session(session_text(session)) == session


# cut elsewhere

SAID = ["오늘 날씨가 좋다.", "내일은 비가 온다."]
HEARD = ["오늘 날씨가", "좋다 내일은", "비가 온다"]


def write_srt(path, texts):
    cues = ([str(n), f"00:00:0{n},000 --> 00:00:0{n},900", text, ""] for n, text in enumerate(texts, 1))
    write(path, *(line for cue in cues for line in cue))


LINES = {"txt": HEARD, "csv": ["id,text", *(f"{n},{text}" for n, text in enumerate(HEARD))]}


@pytest.mark.parametrize("kind", ["srt", *LINES])
def test_files_that_were_cut_elsewhere(kind, run):
    """Of each kind, for each metric; the file with the references says where they are cut."""
    write_srt("gold.srt", SAID)
    if kind == "srt":
        write_srt("asr.srt", HEARD)
    else:
        write(f"asr.{kind}", *LINES[kind])
    files = ["-p", f"asr.{kind}", "-r", "gold.srt", "-m", "cer", "-m", "wer", "-m", "bleu:tokenizer=char"]
    result = run(*files, "--align-segments", "characters", "--json", "-", "--per-segment")
    assert "note: asr: re-segmented as the 2 segments of gold.srt, by characters\n" in result.stderr
    found = json.loads(result.stdout)["systems"]["asr"]
    assert found["cer"]["segments"] == [0, 0] and found["wer"]["segments"] == [1 / 3, 1 / 3]
    assert run(*files).exit_code == 2


def test_recordings_are_cut_apart(scores):
    """Words of .ctm files are in the order of their times, whatever the order of the recordings."""
    write(
        "gold.stm",
        "m1 1 a 0 2 오늘 날씨가 좋다",
        "m1 1 b 2 4 비가 온다",
        "m2 1 b 0 1 네 네",
        "m2 1 b 1 2 inter_segment_gap",
    )
    write(
        "asr.ctm",
        "m2 1 0 1 네",
        "m1 1 2 .5 비가",
        "m1 1 3 .5 온다",
        "m1 1 0 1 오늘",
        "m1 1 1 .5 날씨가",
        "m1 1 1.5 .2 좋다",
    )
    files = ["-p", "asr.ctm", "-r", "gold.stm", "-m", "wer", "--align-segments", "words", "--per-segment"]
    assert scores(*files)["systems"]["asr"]["wer"]["segments"] == [0, 0, 0.5]


ROWS_OF_TABLE = [
    ("a", "오늘 날씨가", SAID[0], SAID[0]),
    ("b", "네", "네", "어"),
    ("a", "좋다. 내일은 비가 온다.", SAID[1], ""),
]


def test_rows_of_one_table(scores):
    """Of the same table as the references, and as one table with --data; a document's rows are anywhere in it."""
    write_jsonl(
        "t.jsonl",
        *({"doc": doc, "asr": heard, "gold": said, "further": other} for doc, heard, said, other in ROWS_OF_TABLE),
    )
    columns = ["--prediction-column", "asr", "--reference-column", "gold", "--align-segments", "words", "-m", "wer"]
    for source in ("-p", "-d"):
        found = scores(source, "t.jsonl", *columns, "--id-column", "doc", "--per-segment", "--group-by", "doc")
        [of_system] = found["systems"].values()
        assert of_system["wer"]["segments"] == [0, 0, 0]
        assert [group["segments"] for group in found["groups"]] == [2, 1]
    [whole] = scores("-d", "t.jsonl", *columns)["systems"].values()
    assert whole["wer"]["edits"] == 2  # all rows are one document, and 네 is in another place of it


@pytest.mark.parametrize("kind", ["stm", "srt"])
def test_what_stands_beside_references_keeps_their_order(kind, scores):
    """Texts are aligned in the order of time; files of lines, and results, have that of the references."""
    if kind == "stm":
        write("gold.stm", "m 1 A 10 12 나 나 나", "m 1 B 0 2 가 가")
        write("asr.stm", "m 1 x 10 12 나 나", "m 1 x 12 13 나", "m 1 x 0 2 가 다")
    else:
        write(
            "gold.srt",
            "a",
            "00:00:10,000 --> 00:00:12,000",
            "나 나 나",
            "",
            "b",
            "00:00:00,000 --> 00:00:02,000",
            "가 가",
        )
        write(
            "asr.srt",
            "a",
            "00:00:10,000 --> 00:00:12,000",
            "나 나 나",
            "",
            "b",
            "00:00:00,000 --> 00:00:02,000",
            "가 다",
        )
    write("who.txt", "A", "B")
    files = ["-p", f"asr.{kind}", "-r", f"gold.{kind}", "-m", "wer", "-c", "who=who.txt", "--group-by", "who"]
    found = scores(*files, "--align-segments", "words", "--per-segment")
    assert found["systems"]["asr"]["wer"]["segments"] == [0, 0.5]
    assert {of["group"]["who"]: of["systems"]["asr"]["wer"]["wer"] for of in found["groups"]} == {"A": 0, "B": 0.5}


def test_further_references_are_matched_by_id(scores):
    """As without cuts; those without ids by place."""
    write("gold.csv", "id,ref", "1,오늘 날씨가 좋다.", "2,비가 온다")
    write("other.csv", "id,ref", "2,비가 와", "1,오늘 날씨 좋다")
    write("asr.txt", "오늘 날씨", "좋다 비가 와")
    files = ["-p", "asr.txt", "-m", "wer", "--align-segments", "words", "--per-segment", "-r", "gold.csv"]
    assert scores(*files, "-r", "other.csv", "--reference-column", "ref")["systems"]["asr"]["wer"]["segments"] == [0, 0]
    write("other.txt", "오늘 날씨 좋다", "비가 와")
    assert scores(*files, "-r", "other.txt", "--reference-column", "ref")["systems"]["asr"]["wer"]["segments"] == [0, 0]


def test_several_references_are_cut_at_the_first(scores):
    write("gold.txt", *SAID)
    write("other.txt", "오늘은 좋다.", "비가 온다.")
    write("asr.txt", " ".join(HEARD))
    files = ["-p", "asr.txt", "-r", "gold.txt", "-r", "other.txt", "-m", "cer", "--align-segments", "characters"]
    assert scores(*files)["systems"]["asr"]["cer"]["cer"] == 0


def test_cut_segments_are_counted_from_1(tmp_path, monkeypatch):
    """In messages about them."""
    monkeypatch.chdir(tmp_path)
    write("gold.txt", *SAID)
    write("asr.txt", " ".join(HEARD))
    [corpus] = file_corpora(["asr.txt"], ["gold.txt"], NamedColumns(cut_by="words"), None)
    column = corpus.systems["asr"]
    assert [column.place(row) for row in range(len(SAID))] == [f"asr.txt, segment {n + 1}" for n in range(len(SAID))]


BAD_CUTS = {
    "another unit": (["--align-segments", "word"], "--align-segments word: pass one of words, characters"),
    "a recording is missing": (
        ["--align-segments", "words", "-p", "b.stm"],
        "b.stm: there is no document m1 1, unlike on the other side; it has m2 1; a document is a recording",
    ),
    "one file is no recording": (
        ["--align-segments", "words", "-p", "c.txt"],
        "c.txt: there is no document m1 1, unlike on the other side; it has no names of documents",
    ),
    "further references with other ids": (
        ["--align-segments", "words", "-r", "e.stm"],
        "gold.stm, utterance m1 1 0-2: e.stm has no row with this id; 3 of 3 ids are missing",
    ),
    "other rows": (
        ["--align-segments", "words", "-r", "c.txt"],
        "c.txt has 1 rows, but gold.stm, whose segments the predictions get, has 3",
    ),
    "not scored": (
        ["--align-segments", "words", "-p", "d.stm"],
        "d.stm, line 1: ignore_time_segment_in_scoring has no text to align; remove the line",
    ),
}


@pytest.mark.parametrize("name", BAD_CUTS)
def test_bad_cuts(name, fails):
    write("gold.stm", *STM)
    write("a.stm", *STM)
    write("b.stm", STM[2])
    write("c.txt", "가")
    write("d.stm", "m1 1 x 0 1 ignore_time_segment_in_scoring")
    write("e.stm", "n1 1 x 0 2 끝")
    arguments, message = BAD_CUTS[name]
    assert message in fails("-p", "a.stm", "-r", "gold.stm", "-m", "wer", *arguments)


def test_whole_files_are_needed(run):
    write("gold.stm", *STM)
    write("a.stm", *STM)
    files = ["-p", "a.stm", "-r", "gold.stm", "--stream", "-m"]
    assert "needs whole files; leave out --stream" in run(*files, "cpwer").stderr
    assert "--align-segments needs whole files" in run(*files, "wer", "--align-segments", "words").stderr


def test_predictions_need_references_to_be_cut_at(fails):
    write("a.txt", "가")
    assert "--align-segments needs references, because predictions are segmented like them" in fails(
        "-p", "a.txt", "-m", "wer", "--align-segments", "words"
    )


def test_other_cuts_are_hinted_at(fails):
    write_srt("gold.srt", SAID)
    write_srt("asr.srt", HEARD)
    assert "if predictions are segmented differently, pass --align-segments words" in fails(
        "-p", "asr.srt", "-r", "gold.srt"
    )


def test_the_name_of_an_only_recording_counts(fails):
    write("a.stm", "m1 1 x 0 2 끝")
    write("b.stm", "n1 1 x 0 2 끝")
    message = fails("-p", "a.stm", "-r", "b.stm", "-m", "wer", "--align-segments", "words")
    assert "a.stm: there is no document n1 1, unlike on the other side; it has m1 1" in message


def test_tables_with_references_of_their_own(fails):
    """Of one length; and a text file among them has none."""
    write("a.csv", "hyp,ref", "오늘,오늘 날씨가", "날씨가,좋다")
    write("b.csv", "hyp,ref", "오늘,오늘 날씨가", "날씨가,좋다", "좋다,")
    write("c.txt", "오늘", "날씨가")
    columns = ["--prediction-column", "hyp", "--reference-column", "ref", "-m", "wer"]
    message = fails("-p", "a.csv", "-p", "b.csv", *columns, "--align-segments", "words")
    assert "b.csv has 3 rows, but a.csv, whose segments the predictions get, has 2" in message
    for further in ([], ["--align-segments", "words"]):
        for files in (["-p", "c.txt", "-p", "a.csv"], ["-p", "a.csv", "-p", "c.txt"]):
            assert "c.txt is not a table, so it has no column ref" in fails(*files, *columns, *further)


def test_documents_of_one_table_have_names(fails):
    write_jsonl("a.jsonl", {"h": "a", "r": "a", "d": "1"}, {"h": "b", "r": "b", "d": None})
    columns = ["--prediction-column", "h", "--reference-column", "r", "--id-column", "d", "--align-segments", "words"]
    for source in ("-d", "-p"):
        assert "a.jsonl, line 2: column d is None, not an id" in fails(source, "a.jsonl", *columns, "-m", "wer")
