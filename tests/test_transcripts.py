"""Transcripts of speech: each rule of the formats by its smallest files, and words to segments by hand."""

import json
import pickle
import re

import pytest
from conftest import write
from hypothesis import given
from hypothesis import strategies as st

from textgauge.programs.reading.compressed import numbered_lines
from textgauge.programs.reading.corpora import file_corpora, table_corpora
from textgauge.programs.reading.formats import is_transcript, reader_of
from textgauge.programs.reading.named_columns import NamedColumns
from textgauge.programs.reading.records import read_json
from textgauge.programs.reading.rows import SESSIONS, Request
from textgauge.programs.reading.subtitles import read_cues
from textgauge.programs.reading.transcripts import Segments, is_kaldi, read_timed_words, read_utterances


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def utterances(path, *lines, reference=None):
    write(path, *lines)
    found = read_utterances(Request(path, reference=reference or path))
    return {key: fields["text"] for key, fields in found}


def test_trn():
    """Words and (id); what is before and behind both is no part of them."""
    found = utterances(
        "a.trn", ";; (no utterance)", "  ", " 가 나 ( a-1 )  ", "; b(2)", "c (d) (e)", "(f)", "g ;; h (i)", "{x} (j)"
    )
    assert found == {"a-1": "가 나", "2": "; b", "e": "c (d)", "f": "", "i": "g ;; h", "j": "{x}"}


def test_stm():
    """File and channel are one name, whatever blanks are between; times are numbers, labels are no words."""
    found = utterances(
        "a.stm", "a 1 x 0.5 10 <o,f0> 가  나", "a\t1 y 10.25 12", "b 1 x 1e1 1234567.891 <o", "b A z 0 1.0 c <d> e",
        "b A z 1 2 <o> <unk> 네", "b A z 2 3 <unk>",
    )  # fmt: skip
    assert found == {
        "a 1 0.5-10": "가 나", "a 1 10.25-12": "", "b 1 10-1234567.891": "<o", "b A 0-1": "c <d> e",
        "b A 1-2": "<unk> 네",  # what follows the labels is text
        "b A 2-3": "",
    }  # fmt: skip


@pytest.mark.parametrize("word", ["ignore_time_segment_in_scoring", "INTER_segment_GAP"])
@pytest.mark.parametrize("ending", ["stm", "trn"])
def test_what_one_side_says_is_not_scored(word, ending):
    """Either side may say so, of which a .trn file has ids alone; a longer text says nothing."""
    start, end = ("a 1 x {0} {0}5 ", "") if ending == "stm" else ("", " (a 1 {0}-{0}5)")
    write("r.stm", *(f"a 1 x {n} {n}5 {text}" for n, text in enumerate([word, "b", "c", word + "s"], 1)))
    lines = [f"{start}{text}{end}".format(n) for n, text in enumerate(["a", word, "c", "d"], 1)]
    assert utterances(f"h.{ending}", *lines, reference="r.stm") == {"a 1 3-35": "c", "a 1 4-45": "d"}
    assert len(utterances("h.trn", "a (1)", "b (2)", reference="r.trn")) == 2  # whose text is not looked at


def timed(*words, segments=("a 1 x 0 2 r", "a 1 x 4 6 r", "a 2 x 0 9 r")):
    write("r.stm", *segments)
    write("h.ctm", *words)
    found = read_timed_words(Request("h.ctm", reference="r.stm"))
    return {key: fields["text"] for key, fields in found}


def test_a_word_is_where_its_middle_is():
    """As near to two segments it is in the first; words that begin at once have the order of the file."""
    found = timed(
        *("a 1 2 2 tie", "a 1 1.9 3 late .5", "a 1 5 0 b", "a 1 5 0 a", "a  1 -3 1 before", "a 2 99 1 other"),
    )
    assert found == {"a 1 0-2": "before tie", "a 1 4-6": "late b a", "a 2 0-9": "other"}


def test_segments_that_overlap():
    """A word belongs to the first that holds its middle, even where another one's ends are farther away."""
    assert timed("a 1 2 2 x", segments=("a 1 x 2.5 3.5 r", "a 1 x 0 9 r")) == {"a 1 2.5-3.5": "x", "a 1 0-9": ""}
    assert timed("a 1 2 2 x", segments=("a 1 x 2.5 3.5 inter_segment_gap", "a 1 x 0 9 r")) == {"a 1 0-9": ""}


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted), min_size=1), st.integers(-2, 12))
def test_the_nearest_segment(found, time):
    distance = [max(start - time, 0, time - end) for start, end in found]
    segments = Segments([(start, end, index) for index, (start, end) in enumerate(found)])
    assert segments.nearest(time) == distance.index(min(distance))


BAD = {
    "an id twice": ("a.trn", ["a (1)", "b (2)", "c (2)"], "a.trn, line 3: utterance '2' is also in line 2"),
    "no id": ("a.trn", ["a (1)", "가 나"], "a.trn, line 2: '가 나' has no id; write the words, then (id)"),
    "an empty id": ("a.trn", ["a ()"], "a.trn, line 1: 'a ()' has no id; write the words, then (id)"),
    "alternatives": (
        "a.trn",
        ["{a / b} (1)"],
        "a.trn, line 1: alternatives are not supported; pass each as a separate",
    ),
    "of sclite": (
        "a.stm",
        ["a 1 x 0 1 <alt_begin> b"],
        "a.stm, line 1: alternatives are not supported; pass each as a",
    ),
    "one time": (
        "a.stm",
        ["a 1 x 0 1 b", "", "a 1 x 3 b"],
        "a.stm, line 3: 'a 1 x 3 b' is not a line of this format; write",
    ),
    "nan": (
        "a.stm",
        ["a 1 x nan 1 b"],
        "a.stm, line 1: 'a 1 x nan 1 b' is not a line of this format; write file, channel,",
    ),
    "inf": (
        "a.stm",
        ["a 1 x 1 inf b"],
        "a.stm, line 1: 'a 1 x 1 inf b' is not a line of this format; write file, channel,",
    ),
    "nothing": ("a.stm", ["a 1 x 0 1 inter_segment_gap"], "a.stm: nothing to score: the file has no utterance"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_lines_are_named(name):
    path, lines, message = BAD[name]
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        utterances(path, *lines)


def test_words_with_times_need_segments_with_times():
    for reference, said in (("r.trn", "r.trn"), ("", "none")):
        with pytest.raises(ValueError, match=rf"^h\.ctm: words with times need a .* ends in \.stm, not {said}$"):
            list(read_timed_words(Request("h.ctm", reference=reference)))
    with pytest.raises(ValueError, match=r"^h\.ctm, line 2: r\.stm has no segment of b 1$"):
        timed("a 1 0 1 x", "b 1 0 1 y")
    with pytest.raises(ValueError, match=r"^h\.ctm, line 1: 'a 1 inf 1 x' is not a line of this format"):
        timed("a 1 inf 1 x")


SRT = [
    *("1", "00:00:01,000 --> 00:00:02,5", "<i>네</i>", "알겠어요 &amp;", "", "", "x 2"),
    "1:02:03.250  -->  01:02:04,000 X1:0",
]


def test_subtitles():
    """Cues end at a blank line; tags are no text, and a cue without a name is counted."""
    assert utterances("a.srt", *SRT, "{\\an8}가 < 나", "3") == {"1": "네 알겠어요 &", "x 2": "가 < 나 3"}
    lines = ["WEBVTT - x", "", "NOTE 00:00", "가", "", "STYLE", "::cue {}", "", "00:01.000 --> 00:02.000 align:start"]
    assert utterances("b.vtt", *lines, "<v 김>네 <00:01.500><c>어</c></v>", "", "b", "00:03.000 --> 00:04.000") == {
        "1": "네 어",
        "b": "",
    }
    write("c.srt", *SRT)
    assert [cue[1:4] for cue in read_cues(numbered_lines("c.srt"), "")] == [("1", 1.0, 2.5), ("x 2", 3723.25, 3724.0)]


def test_kaldi():
    assert utterances("text", "u1 네 알겠어요 ", "u2", "", "u3\t어") == {"u1": "네 알겠어요", "u2": "", "u3": "어"}
    for path in ("data/text", "text.gz", "text.GZ", "text.Bz2"):
        assert is_kaldi(path) and is_transcript(path), path
    for path in ("texts", "text.txt", "Text", "a.text", "text.gz.txt"):
        assert not is_kaldi(path), path


@pytest.mark.parametrize(
    ("path", "lines", "message"),
    [
        (
            "a.srt",
            ["1", "00:00:01,000 -> 00:00:02,000", "네"],
            "a.srt, line 2: '00:00:01,000 -> 00:00:02,000' has no times",
        ),
        ("a.srt", ["", "1"], "a.srt, line 2: '1' has no times; write 00:00:01,000 --> 00:00:02,500"),
        ("a.vtt", ["WEBVTT", "", "1 --> 2", "네"], "a.vtt, line 3: '1 --> 2' has no times"),
        ("a.srt", [*SRT, "", *SRT], "a.srt, line 10: utterance '1' is also in line 1"),
        ("a.vtt", ["WEBVTT"], "a.vtt: nothing to score: the file has no utterance"),
        ("text", ["u1 네", "u1 어"], "text, line 2: utterance 'u1' is also in line 1"),
    ],
)
def test_what_is_none_is_named(path, lines, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        utterances(path, *lines)


def corpus_of(*predictions, references=(), **named):
    [corpus] = file_corpora(predictions, references, NamedColumns(**named), None)
    return {name: column.values for name, column in corpus.systems.items()}, corpus.column("references"), corpus.notes


def manifest(path, *rows, further=()):
    names = ("audio_filepath", "text", "pred_text", *further)
    write(path, *(json.dumps(dict(zip(names, row, strict=False)), ensure_ascii=False) for row in rows))


def test_manifests():
    """Matched by recording, and by where in it the utterance is; predictions and references have their columns."""
    manifest("a.jsonl", ("1.wav", "가", "갸", 0), ("1.wav", "나", "냐", 2.5), further=["offset"])
    manifest("b.jsonl", ("1.wav", "나", "너", 2.5), ("1.wav", "가", "거", 0), further=["offset"])
    systems, references, notes = corpus_of("a.jsonl", "b.jsonl")
    assert systems == {"a": ["갸", "냐"], "b": ["거", "너"]} and references == ["가", "나"]
    assert notes == ["read column pred_text of a.jsonl, pred_text of b.jsonl"]
    assert corpus_of("a.jsonl", references=["b.jsonl"])[1] == ["가", "나"]
    [corpus] = table_corpora("a.jsonl", None, NamedColumns(), None)
    assert (corpus.systems["pred_text"].values, corpus.column("references")) == (["갸", "냐"], ["가", "나"])
    assert corpus.notes == ["read columns pred_text and text of a.jsonl"]
    [corpus] = table_corpora("a.jsonl", None, NamedColumns(predictions=["text"], references=["pred_text"]), None)
    assert corpus.systems["text"].values == ["가", "나"] and not corpus.notes


def test_what_manifests_lack_is_named():
    manifest("a.jsonl", ("1.wav", "가", "갸"), ("2.wav", "나"))
    with pytest.raises(
        ValueError, match=r"^a\.jsonl, line 2: there is no column 'pred_text'; it has audio_filepath, text"
    ):
        corpus_of("a.jsonl")
    with pytest.raises(ValueError, match=r"^a\.jsonl, line 2: there is no column 'pred_text'"):
        next(table_corpora("a.jsonl", None, NamedColumns(), None))
    write("b.jsonl", '{"text": "가"}')
    with pytest.raises(ValueError, match=r"^--data b\.jsonl needs --prediction-column NAME"):
        next(table_corpora("b.jsonl", None, NamedColumns(), None))
    manifest("c.jsonl", ("1.wav", "가", "갸"), ("1.wav", "나", "냐"))
    with pytest.raises(ValueError, match=r"line 2: the id '1\.wav' is also in line 1; pass --id-column"):
        corpus_of("c.jsonl")


@pytest.mark.parametrize("name", ["segments", "chunks", "transcription"])
def test_segments_of_a_recogniser(name):
    """Counted from 1, as subtitles are."""
    segments = [{"id": 0, "start": 0.0, "text": " 네 "}, {"id": 1, "start": 2.0, "text": "어"}]
    write("w.json", json.dumps({"text": " 네 어", name: segments, "language": "ko"}))
    write("r.srt", "2", "00:00:01,000 --> 00:00:02,000", "어", "", "1", "00:00:02,000 --> 00:00:03,000", "네")
    systems, references, _ = corpus_of("w.json", references=["r.srt"])
    assert systems == {"w": ["네", "어"]} and references == ["네", "어"]
    write("w.json", json.dumps({name: [{"id": 0, "text": "네"}, {"id": 1, "start": 2}]}))
    with pytest.raises(
        ValueError, match=rf"^w\.json, {name}\[1\]: segments of .* need the field 'text'; this one has id, start"
    ):
        corpus_of("w.json", references=["r.srt"])


def test_lines_called_text():
    """Beside a file without ids it may hold texts alone, whose first words are none."""
    write("text", "오늘 비", "내일 눈")
    write("r.txt", "오늘 비", "내일 눈")
    for files in (("text", "r.txt"), ("r.txt", "text")):
        with pytest.raises(
            ValueError, match="^text: in a file called text, each line is an id and words.*r.txt has no ids"
        ):
            corpus_of(files[0], references=[files[1]])


SERVICES = {
    "Amazon Transcribe": {
        "results": {
            "transcripts": [{"transcript": "네. 비가"}],
            "items": [
                {"alternatives": [{"content": "네"}], "speaker_label": "s0", "start_time": "0.1", "end_time": "0.4"},
                {"alternatives": [{"content": "."}], "type": "punctuation"},
                {"alternatives": [{"content": "비가"}], "speaker_label": "s1", "start_time": "1", "end_time": "2"},
            ],
        }
    },
    "RTZR": {"results": {"utterances": [{"msg": "네.", "spk": 0, "start_at": 100}, {"msg": "비가", "spk": 1}]}},
    "Deepgram": {
        "results": {
            "utterances": [
                {"transcript": "네.", "speaker": 0, "start": 1, "end": 2},
                {"transcript": "비가", "speaker": 1},
            ]
        }
    },
    "CLOVA Speech": {
        "segments": [
            {"text": "네.", "speaker": {"label": "1"}, "start": 100, "end": 400},
            {"text": "비가", "speaker": {"label": "2"}, "start": 1000, "end": 2000},
        ]
    },
    "AssemblyAI": {"utterances": [{"text": "네.", "speaker": "A", "start": 100}, {"text": "비가", "speaker": "B"}]},
    "Azure": {"phrases": [{"text": "네.", "speaker": 1}, {"text": "비가", "speaker": 2}]},
    "transformers": {
        "chunks": [{"text": "네. 비가", "timestamp": [0, 2]}],
        "speakers": [{"text": "네.", "speaker": "A", "timestamp": [0, 1]}, {"text": "비가", "speaker": "B"}],
    },
}


@pytest.mark.parametrize("service", SERVICES)
def test_transcriptions_of_services(service):
    """Their texts are read with any metric, and who speaks when with those of meetings, in seconds."""
    write("h.json", json.dumps(SERVICES[service]))
    texts = [fields["text"] for _, fields in read_json(Request("h.json"))]
    assert " ".join(texts) == "네. 비가"
    spoken = [fields for _, fields in read_json(Request("h.json", role=SESSIONS))]
    assert [fields["text"] for fields in spoken] == ["네.", "비가"]
    assert len({fields["speaker"] for fields in spoken}) == 2
    assert float(spoken[0].get("start", 0)) <= 1


BROKEN = {
    "h.TextGrid": "a",
    "a": 'File type = "ooTextFile"',
    "b": "<?xml version='1.0'?>",
    "c": "<refset setid='x'>",
    "d": "[Script Info]",
    "e": 'msgid ""',
    "f": "WEBVTT",
    "g": "1\n00:00:00,000 --> 00:00:01,000\nx",
    "h.po": "x",
    "h.xlf": "x",
    "h.eaf": "x",
    "h.lrc": "x",
    "h.sbv": "x",
    "h.ass": "x",
    "h.pkl": "x",
    "h.arrow": "x",
    "i": "%PDF-1.4",
    "j": "PAR1",
}


@pytest.mark.parametrize("path", BROKEN)
def test_a_file_that_says_what_it_is_is_not_lines(path):
    """The message names the file, and says how to go on."""
    write(path, BROKEN[path])
    with pytest.raises(ValueError, match=rf"^{path} (is|has) .*(save|name|pass|write)"):
        reader_of(path)


def test_what_python_packs_is_no_text(tmp_path):
    for start in (pickle.dumps(["a"], 2), pickle.dumps(["a"]), b"\x93NUMPY\x01\x00"):
        (tmp_path / "p").write_bytes(start)
        with pytest.raises(ValueError, match=r"^p is an object of Python; write it as \.jsonl"):
            reader_of("p")


def test_times_begin_cues_without_blank_lines():
    lines = ["1", "00:01.000 --> 00:02.000", "네", "2", "7", "00:03.000 --> 00:04.000", "어", "00:05.000 --> 00:06.000"]
    assert utterances("a.srt", *lines) == {"1": "네 2", "7": "어", "3": ""}
    assert utterances("b.vtt", "WebVTT", *lines) == {"1": "네 2", "7": "어", "3": ""}


def test_a_recording_is_no_name_of_a_column():
    write("r.tsv", "1\ta.wav\t네 좋아요", "2\tb.wav\t비가 온다")
    with pytest.raises(ValueError, match=r"^r\.tsv, line 1: 'a\.wav' is a recording, no name of a column; add a row"):
        list(reader_of("r.tsv").read(Request("r.tsv")))
