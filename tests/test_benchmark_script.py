"""lab/benchmark.py compares the same things on the same texts; how long they take is nobody's test."""

import math

import pytest
from typer.testing import CliRunner

from lab import benchmark
from lab.benchmarking import clock, corpus, fast_ways, measured
from lab.benchmarking.rows import ROWS


def compared(language, *names):
    """Returns the rows of comparisons on few segments, and what was skipped."""
    skipped = []
    found = benchmark.comparisons(20, [language], list(names), skipped.append)
    return [row for one in found for row in clock.measured(*one, rounds=1)], skipped


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_row_compares_what_is_equal(language):
    """A peer that is not here is named as skipped; ratios are by ours."""
    names = [row.name for row in ROWS if language in row.languages]
    rows, skipped = compared(language, *names)
    assert {row["comparison"] for row in rows} == set(names)
    assert all(row["ratio"] == 1 for row in rows if row["side"] == "ours")
    found = {(row["comparison"], row["side"]) for row in rows}
    for row in ROWS:
        for side in row.peers if row.name in names and language in row.languages else ():
            assert (row.name, side) in found or any(f"{row.name}: {side}: " in reason for reason in skipped)
    equal = ("nltk", "rouge_score", "jiwer", "scipy", "sacrebleu")
    sides = [row for row in rows if row["side"] in equal]
    assert len(sides) > 12
    assert all(row["difference"] <= 1e-9 for row in sides)


def test_a_summary_has_five_lines_and_english_its_own_comparisons():
    rows, _ = compared("en", "rouge, summaries", "rouge, stemmer")
    assert {row["segments"] for row in rows} == {20} and "rouge, stemmer" in {row["comparison"] for row in rows}
    [summaries] = [row for row in ROWS if row.name == "rouge, summaries" and row.languages == ("en",)]
    assert all(text.count("\n") == 4 for text in summaries.texts("en", 3)["predictions"])
    assert compared("ko", "rouge, stemmer") == ([], [])


def test_a_side_that_computes_something_else_is_not_timed():
    sides = {"ours": clock.Side(lambda: 0.7), "theirs": clock.Side(lambda: 0.5)}
    with pytest.raises(clock.Disagreement, match=r"cer \(ko\): theirs gives 0.5 and ours 0.7; not timed"):
        list(clock.measured("cer", "ko", 9, sides, 1))
    sides["theirs"] = sides["theirs"]._replace(reasons=("another score",))
    [_, theirs] = clock.measured("cer", "ko", 9, sides, 3)
    assert theirs["difference"] == pytest.approx(0.2) and theirs["rounds"] == 3
    sides["theirs"] = clock.Side(lambda: math.nan)
    assert [row["difference"] for row in clock.measured("cer", "ko", 9, sides, 1)] == [None, None]


@pytest.mark.parametrize("way", fast_ways.WAYS, ids=[way.name for way in fast_ways.WAYS])
def test_a_fast_way_is_its_plain_twin(way):
    [ours, twin] = clock.measured(*fast_ways.comparison(way), rounds=1)
    assert ours["comparison"] == way.name and fast_ways.lines(way) > 0 and twin["ratio"] > 0
    with pytest.raises(clock.Disagreement, match="its plain twin gives another result"):
        fast_ways.comparison(way._replace(plain=lambda inputs: None))


def test_each_kept_way_is_in_the_list():
    kept = {row["comparison"] for row in measured.read_measured()["rows"] if "lines" in row}
    assert kept == {way.name for way in fast_ways.WAYS}


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(measured, "MEASURED", tmp_path / "measured.json")
    (tmp_path / "measured.json").write_text('{"rows": []}')
    for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    app = benchmark.typer.Typer()
    app.command()(benchmark.main)
    way = fast_ways.WAYS[0]
    done = CliRunner().invoke(app, ["--segments=20", "--rounds=1", "--only=nist", f"--only={way.name}", "--keep"])
    assert done.exit_code == 0, done.output
    assert "| nist | 20 | " in done.output and f"| {way.name} | {fast_ways.lines(way)} | " in done.output
    sides = {(row["comparison"], row["side"]) for row in measured.read_measured()["rows"]}
    of_nist = {("nist", "ours"), ("nist", "nltk corpus_nist")}
    assert sides == {*of_nist, (way.name, "ours"), (way.name, "plain twin")}


def test_what_is_kept_is_of_the_last_report():
    numbers = {"us_per_segment": 1234.5, "first_us_per_segment": 12.34, "ratio": 30.0, "difference": 0.0}
    old = {"comparison": "cer", "language": "en", "side": "jiwer", "segments": 9, "rounds": 1, **numbers}
    other = {**old, "language": "ko", "ratio": 0.5}
    rows = [{**old, "side": side, "ratio": 2.0, "difference": 0.1} for side in ("ours", "lev-rs")]
    kept = measured.merged([old, other], rows)
    assert kept == [other, rows[1], rows[0]]
    way = {**old, "comparison": "few texts", "side": "plain twin", "lines": 7}
    assert measured.times_table([*kept, way]).splitlines()[2:] == [
        "| cer | 9 | 1,234 (12.3) |  | jiwer –/0.500; lev-rs 2.00*/– |"
    ]
    assert measured.ways_table([*kept, way]).splitlines()[2:] == ["| few texts | 7 | 30.00 |"]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_corpus_depends_on_its_seed_alone(language):
    made = corpus.make_corpus(language, 30, 2, seed=1)
    assert made == corpus.make_corpus(language, 30, 2, seed=1)
    assert made != corpus.make_corpus(language, 30, 2, seed=2)
    assert made.predictions == corpus.make_corpus(language, 2001, 2, seed=1).predictions[:30]
    assert [len(row) for row in made.references] == [2] * 30
    assert all(text.split() for text in made.predictions)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_new_words_keep_appearing(language):
    texts = [text for row in corpus.make_corpus(language, 8000).references for text in row]
    half, whole = (len(set(" ".join(texts[:end]).split())) for end in (4000, 8000))
    assert whole > 1.4 * half
