"""score.py --stream --rows: a folder of parts that a killed run goes on with, and that gives no text away."""

import json
import random
import re
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, write, write_jsonl
from typer.testing import CliRunner

from textgauge.core.errors import InputError
from textgauge.programs.commands import compare, score
from textgauge.programs.commands import score_job as job
from textgauge.programs.reading.corpus import BATCH
from textgauge.programs.reading.data_digests import digest_of
from textgauge.programs.scoring import row_parts
from textgauge.programs.scoring.row_files import read_row_files

METRICS = ["-m", "bleu:smooth=exp", "-m", "rouge", "-m", "cer:weights=w.tsv", "-m", "wer"]
LEARNING = ["-m", "nist", "-m", "cider", "-m", "rouge:rouge_types=rouge2,,idf=references"]
DATA = ["-d", "d.jsonl", "--prediction-column", "a", "--prediction-column", "b", "--reference-column", "ref"]
STREAM = ["--stream", "--rows", "rows"]
SIZE, IN_BATCH = 40, 7
N_PARTS = 6


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(job, "BATCH", IN_BATCH)


def texts():
    rng = random.Random(3)
    words = ["고양이가", "방에서", "잔다", "개", "3개", "삼", "그", "문장"]
    rows = []
    for number in range(SIZE):
        reference = [" ".join(rng.choices(words, k=5)) for _ in range(1 + number % 2)]
        rows.append({"id": f"s{number}", "a": reference[0].replace("개", "게"), "b": f"{number} 개", "ref": reference})
    write("w.tsv", "고양이가\t2", "없는말\t1.5")
    return rows


@pytest.fixture
def rows(small_batches):
    """Returns the data, which is written too."""
    found = texts()
    write_jsonl("d.jsonl", *found)
    return found


def run(*arguments):
    """Returns the JSON of a run."""
    done = CliRunner().invoke(score.app, [*map(str, arguments), "--json", "-"])
    assert done.exit_code == 0, done.output + repr(done.exception)
    return json.loads(done.stdout)


def kill(monkeypatch, arguments, owner, name, calls=0):
    """Runs a command that is killed when a function has been called this often; returns what it says."""
    made = getattr(owner, name)
    done = []

    def dies(*given):
        if len(done) == calls:
            raise KeyboardInterrupt
        done.append(given)
        return made(*given)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, dies)
        stopped = CliRunner().invoke(score.app, [*map(str, arguments)])
    assert stopped.exit_code == 130
    return stopped.stderr


def stored(system="a"):
    """Returns what tells each part of a system from one that is made again."""
    found = {}
    for path in sorted(Path("rows", f"{system}.parquet").glob("part-*.parquet")):
        status = path.stat()
        found[path.name] = (status.st_ino, status.st_mtime_ns)
    return found


def made_again(before):
    """Returns the numbers of the parts that are others than before."""
    return [number for number, (name, file) in enumerate(stored().items()) if before.get(name) != file]


def kill_at_the_end(monkeypatch, *arguments):
    """Leaves all parts of a run that has not ended; returns `stored`."""
    kill(monkeypatch, arguments, row_parts.RowStore, "finish")
    found = stored()
    assert len(found) == N_PARTS
    return found


def assert_rows_of_one_call(arguments):
    """Compares all that is read of a folder with the rows of one call."""
    run(*arguments, "--rows", "whole")
    for whole, parts in zip(read_row_files(Path("whole")), read_row_files(Path("rows")), strict=True):
        assert whole.ids == parts.ids and whole.data == parts.data and whole.system == parts.system
        for label, expected in whole.by_label.items():
            actual = parts.by_label[label]
            assert (expected.signature, expected.options) == (actual.signature, actual.options)
            np.testing.assert_array_equal(expected.values, actual.values)


@pytest.mark.parametrize("workers", [[], ["--workers", "2"]])
@pytest.mark.parametrize("parts", [0, 1, 3, 6])
def test_a_killed_run_goes_on(parts, workers, rows, monkeypatch):
    """Its results are those of a run without rows, and its rows those of one call."""
    arguments = [*DATA, *METRICS, *LEARNING, "--column", "ids=id"]
    expected = run(*arguments, "--stream")
    kill_at = ("finish", 0) if parts == N_PARTS else ("write", parts)
    said = kill(monkeypatch, [*arguments, *STREAM, *workers], row_parts.RowStore, *kill_at)
    assert said.endswith("stopped; the same command goes on with the parts in rows\n") or parts == N_PARTS
    before = stored()
    assert len(before) == parts
    Path("rows", "a.parquet", ".part-00000099.parquet.1.part").write_text("half a part")
    with pytest.raises(InputError, match=r"a.parquet: the run that writes it has not ended; the same command goes on"):
        read_row_files(Path("rows"))
    assert run(*arguments, *STREAM, *workers) == expected
    assert made_again(before) == list(range(parts, N_PARTS))
    assert_rows_of_one_call(arguments)
    assert len([*Path("rows", "a.parquet").iterdir()]) == N_PARTS + 1


def change(rows, place, **fields):
    rows[place].update(fields)
    write_jsonl("d.jsonl", *rows)


CHANGES = {
    "an output": lambda rows: change(rows, 15, a="다른 말"),
    "a reference": lambda rows: change(rows, 15, ref=["다른 말"]),
    "a name": lambda rows: change(rows, 15, id="t15"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_parts_are_made_again(name, rows, monkeypatch):
    arguments = [*DATA, *METRICS, "--column", "ids=id"]
    before = kill_at_the_end(monkeypatch, *arguments, *STREAM)
    CHANGES[name](rows)
    assert run(*arguments, *STREAM) == run(*arguments, "--stream")
    assert made_again(before) == [2]
    assert_rows_of_one_call(arguments)


def test_an_output_of_another_system_changes_its_part_alone(rows, monkeypatch):
    before = kill_at_the_end(monkeypatch, *DATA, *METRICS, *STREAM)
    of_other = stored("b")
    change(rows, 15, b="다른 말")
    run(*DATA, *METRICS, *STREAM)
    assert made_again(before) == [2] and stored("b") != of_other  # a batch is scored whole


@pytest.mark.parametrize("further", [["-m", "ter"], ["-m", "bleu=rouge"]])
def test_other_metrics_make_all_parts_again(further, rows, monkeypatch):
    before = kill_at_the_end(monkeypatch, *DATA, "-m", "bleu", *STREAM)
    run(*DATA, *further, *STREAM)
    assert made_again(before) == list(range(N_PARTS))
    assert_rows_of_one_call([*DATA, *further])


def test_another_table_of_one_name_makes_all_parts_again(rows, monkeypatch):
    before = kill_at_the_end(monkeypatch, *DATA, *METRICS, *STREAM)
    write("w.tsv", "고양이가\t3")
    assert run(*DATA, *METRICS, *STREAM) == run(*DATA, *METRICS, "--stream")
    assert made_again(before) == list(range(N_PARTS))


@pytest.mark.parametrize("spec", LEARNING[1::2])
def test_what_is_learned_from_all_references_changes_all_parts(spec, rows, monkeypatch):
    """Also those whose own texts are the same."""
    arguments = [*DATA, "-m", spec]
    before = kill_at_the_end(monkeypatch, *arguments, *STREAM)
    change(rows, SIZE - 1, ref=["고양이가 고양이가 고양이가"])
    assert run(*arguments, *STREAM) == run(*arguments, "--stream")
    assert made_again(before) == list(range(N_PARTS))
    assert_rows_of_one_call(arguments)


def test_a_damaged_part_is_made_again(rows, monkeypatch):
    before = kill_at_the_end(monkeypatch, *DATA, *METRICS, *STREAM)
    folder = Path("rows", "a.parquet")
    whole = (folder / "part-00000001.parquet").read_bytes()
    (folder / "part-00000001.parquet").write_bytes(whole[: len(whole) // 2])
    (folder / "part-00000002.parquet").write_text("no Parquet")
    shutil.copy(folder / "part-00000004.parquet", folder / "part-00000003.parquet")
    (folder / "part-00000005.parquet").unlink()
    assert run(*DATA, *METRICS, *STREAM) == run(*DATA, *METRICS, "--stream")
    assert made_again(before) == [1, 2, 3, 5]
    assert_rows_of_one_call([*DATA, *METRICS])


def test_a_bad_row_is_corrected_and_the_run_goes_on(rows):
    good = rows[30]["a"]
    change(rows, 30, a=None)
    stopped = CliRunner().invoke(score.app, [*DATA, *METRICS, *STREAM])
    assert stopped.exit_code == 2 and "d.jsonl, line 31: column a is None" in stopped.stderr
    before = stored()
    assert len(before) == 4
    change(rows, 30, a=good)
    run(*DATA, *METRICS, *STREAM)
    assert made_again(before) == [4, 5]


def test_a_finished_folder_is_made_again(rows):
    """Its key is gone: whoever has one must not be able to look a text up."""
    first = run(*DATA, *METRICS, *STREAM)
    before = stored()
    assert run(*DATA, *METRICS, *STREAM) == first
    assert made_again(before) == list(range(N_PARTS))


def test_a_shorter_run_leaves_no_part_of_a_longer_one(rows):
    run(*DATA, "-m", "wer", *STREAM)
    write_jsonl("d.jsonl", *rows[: IN_BATCH + 1])
    run(*DATA, "-m", "wer", *STREAM)
    assert len(stored()) == 2
    assert_rows_of_one_call([*DATA, "-m", "wer"])


@pytest.mark.parametrize("name", ["_key_of", "write_parquet"])
def test_an_old_end_is_never_beside_parts_of_another_run(name, rows, monkeypatch):
    """Killed between what a run removes and what it writes, of one system or of two."""
    run(*DATA, "-m", "wer", *STREAM)
    for calls in range(2):
        kill(monkeypatch, [*DATA, "-m", "cer", *STREAM], row_parts, name, calls)
        with pytest.raises(InputError, match="has not ended"):
            read_row_files(Path("rows", "a.parquet"))
    assert run(*DATA, "-m", "cer", *STREAM) == run(*DATA, "-m", "cer", "--stream")
    assert_rows_of_one_call([*DATA, "-m", "cer"])


def test_a_run_killed_at_its_end_has_not_ended(rows, monkeypatch):
    """What all parts are together is there, and so is the key: the same command goes on, and forgets it."""
    unlink = Path.unlink

    def dies(path, **options):
        if path.name == row_parts.UNFINISHED:
            raise KeyboardInterrupt
        unlink(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", dies)
        assert CliRunner().invoke(score.app, [*DATA, "-m", "wer", *STREAM]).exit_code == 130
    before = stored()
    assert Path("rows", "a.parquet", "_common_metadata").is_file()
    with pytest.raises(InputError, match="has not ended"):
        read_row_files(Path("rows", "a.parquet"))
    run(*DATA, "-m", "wer", *STREAM)
    assert made_again(before) == []
    assert_rows_of_one_call([*DATA, "-m", "wer"])


@pytest.mark.parametrize("size", [1, 2, BATCH, BATCH + 1])
def test_no_digest_of_few_segments_is_in_a_finished_folder(size):
    """Of one segment alone there is nothing else to say; docs/rows.md says so."""
    outputs = [f"출력 {number}" for number in range(size)]
    references = [f"정답 {number}" for number in range(size)]
    write("out.txt", *outputs)
    write("ref.txt", *references)
    arguments = ["-p", "out.txt", "-r", "ref.txt", "-m", "wer", "--stream", "--rows", "out.parquet"]
    found = []
    for _ in range(2):
        run(*arguments)
        files = sorted(path for path in Path("out.parquet").iterdir())
        names = [f"part-0000000{number}.parquet" for number in range(1 + (size > BATCH))]
        assert [path.name for path in files] == ["_common_metadata", *names]
        found.append([pq.read_schema(path).metadata[b"textgauge"].decode() for path in files[1:]])
    said = "".join(path.read_bytes().decode("latin-1") for path in files[size == 1 :])
    rest = size % BATCH or size
    for texts in (outputs, references):
        for part in (*([text] for text in texts[-2:]), texts[-rest:] if size != rest else texts[:1]):
            for digest in digest_of(part).text.split("/"):
                assert digest not in said
    assert not set(found[0]) & set(found[1])  # without the key nobody computes what tells a part from others


def test_a_key_of_half_a_file_is_none(rows):
    """As a crash of the machine leaves one."""
    for half in ("", "ab"):
        Path("rows", "a.parquet").mkdir(parents=True, exist_ok=True)
        Path("rows", "a.parquet", row_parts.UNFINISHED).write_text(half)
        assert len(row_parts._key_of(Path("rows", "a.parquet"))) == 64


def test_files_and_folders_in_the_place_of_one_another(rows):
    for arguments, message in (
        ([*DATA, "--rows", "rows"], None),
        ([*DATA, *STREAM], "--rows: rows/a.parquet is a file, and batches need a folder; delete it, or pass another"),
        ([*DATA, "--stream", "--rows", "parts"], None),
        ([*DATA, "--rows", "parts"], "--rows: parts/a.parquet is a folder, as --stream writes it; delete it, or"),
        ([*DATA[:4], *DATA[-2:], "--rows", "parts/a.parquet"], "--rows: parts/a.parquet is a folder, as --stream"),
        ([*DATA, "--stream", "--rows", "parts/a.parquet"], "there are 2 systems, a, b; pass a folder"),
    ):
        done = CliRunner().invoke(score.app, [*arguments, "-m", "wer"])
        assert done.exit_code == (2 if message else 0), done.output
        assert message is None or message in done.stderr
    done = CliRunner().invoke(compare.app, ["--rows", "parts/a.parquet/part-00000000.parquet"])
    assert "part-00000000.parquet is a part of the rows of a system; pass its folder" in done.stderr


def test_a_missing_part_is_named(rows):
    run(*DATA, "-m", "wer", *STREAM)
    Path("rows", "a.parquet", "part-00000003.parquet").unlink()
    with pytest.raises(InputError, match=r"a.parquet: it has 33 of 40 rows; a part is missing"):
        read_row_files(Path("rows", "a.parquet"))


def test_scores_of_segments(rows):
    """In a column each, as --per-segment has them and as the table names them; in the file of a call and in parts."""
    specs = ["-m", "rouge:tokenizer=rouge_score", "-m", "bleu:tokenizer=char", "-m", "cer:aggregate=mean"]
    whole = run(*DATA, *specs, "--rows", "whole", "--per-segment")["systems"]
    run(*DATA, *specs, *STREAM)
    keys = {f"rouge{kind} rouge_score": ("rouge rouge_score", f"rouge{kind}_segments") for kind in ("1", "2", "L")}
    keys |= {"bleu char": ("bleu char", "segments"), "cer aggregate=mean": ("cer aggregate=mean", "segments")}
    for system in ("a", "b"):
        of_call, parts = (pq.read_table(f"{folder}/{system}.parquet") for folder in ("whole", "rows"))
        names = [name for name in of_call.column_names if name.startswith("score ")]
        assert {f"score {label}" for label in keys} < set(names) and len(names) == 6
        for label, (metric, key) in keys.items():
            expected = np.array(whole[system][metric][key], float)
            np.testing.assert_allclose(of_call[f"score {label}"].to_numpy(), expected, rtol=1e-12)
            np.testing.assert_array_equal(parts[f"score {label}"].to_numpy(), of_call[f"score {label}"].to_numpy())


def test_parts_are_joined_to_one_file(rows):
    """By the lines of docs/rows.md; the file holds what the folder does, and nothing of its parts."""
    [lines] = re.findall(r"```python\n(.*?)```", (ROOT / "docs/rows.md").read_text("utf-8"), flags=re.S)
    run("-p", "KakaoI=d.jsonl", "--prediction-column", "a", *DATA[-2:], *METRICS, "--column", "ids=id", *STREAM)
    exec(lines)
    [folder], [file] = read_row_files(Path("rows")), read_row_files(Path("kakao.parquet"))
    assert file.data == folder.data and file.ids == folder.ids
    for label, expected in folder.by_label.items():
        assert file.by_label[label].signature == expected.signature
        np.testing.assert_array_equal(file.by_label[label].values, expected.values)
    assert row_parts.PART not in json.loads(pq.read_schema("kakao.parquet").metadata[b"textgauge"])


def test_a_stream_without_rows_writes_nothing(rows):
    run(*DATA, *METRICS, "--stream")
    assert sorted(path.name for path in Path().iterdir()) == ["d.jsonl", "w.tsv"]


def test_options_that_are_gone_name_the_one_that_replaces_them():
    for option in ("--segment-file", "--checkpoint"):
        done = CliRunner().invoke(score.app, [option, "x"])
        assert done.exit_code == 2 and "pass --rows FOLDER" in done.stderr
        assert "--rows FOLDER" not in CliRunner().invoke(compare.app, [option, "x"]).stderr
