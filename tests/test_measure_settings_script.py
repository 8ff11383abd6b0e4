"""scripts/measure_settings.py: correlations against scipy's formula by hand."""

import json
import math

import numpy as np
import pytest
from conftest import load
from typer.testing import CliRunner

import measure_settings


def run(*arguments):
    return CliRunner().invoke(measure_settings.app, list(map(str, arguments)))


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_correlation_of_a_constant(tmp_path):
    """Every prediction scores alike, or people do."""
    rows = [{"p": "가 나 다", "r": "가 나 라", "h": h / 7, "same": 0.1} for h in range(6)]
    for column, person in (("p", "h"), ("other", "same")):
        path = write_rows(tmp_path / "x.jsonl", [{**row, "other": "가 나"[: n % 3 + 1]} for n, row in enumerate(rows)])
        columns = ["--prediction-column", column, "--reference-column", "r", "--human-column", person]
        result = run("correlation", "-d", path, *columns, "-m", "rouge:rouge_types=rouge1,")
        assert result.exit_code == 0, result.output
        assert cells(result.stdout.splitlines()[2])[1:] == ["nan", "nan to nan"]


def test_correlation(tmp_path):
    texts = [("고양이가 잔다", "고양이가 잔다", 5), ("개가 잔다", "고양이가 잔다", 2), ("비가 온다", "눈이 내린다", 0),
             ("고양이 잔다", "고양이가 잔다", 4), ("저 개가 논다", "개가 논다", 3)]  # fmt: skip
    path = write_rows(tmp_path / "x.jsonl", [{"p": p, "r": r, "h": h} for p, r, h in texts])
    columns = ["-d", path, "--prediction-column", "p", "--reference-column", "r", "--human-column", "h"]
    result = run(
        "correlation", *columns, "-m", "rouge:tokenizer=char,rouge_types=rouge1,rouge2", "-m", "bleu:max_order=1"
    )
    assert result.exit_code == 0, result.output
    head, rule, *lines = result.stdout.splitlines()
    assert (head, rule) == ("| setting (n = 5) | Pearson | interval |", "|---|--:|---|")
    assert [cells(line)[0].split()[0] for line in lines] == ["rouge1", "rouge2", "bleu"]
    given = {"predictions": [p for p, _, _ in texts], "references": [r for _, r, _ in texts], "per_segment": True}
    scores = load("rouge").compute(**given, tokenizer="char", rouge_types=["rouge1"])["rouge1_segments"]
    expected = np.corrcoef(scores, [h for _, _, h in texts])[0, 1]
    assert cells(lines[0])[1] == f"{expected:.3f}"
    low, high = map(float, cells(lines[0])[2].split(" to "))
    assert low < expected < high
    assert run("correlation", *columns, "-m", "bleu:max_order=1").stdout.splitlines()[2] == lines[2]


PAIR = ["--prediction-column", "p", "--reference-column", "r", "--human-column", "h"]
NUMBERS = ["--prediction-column", "h", "--reference-column", "h", "--human-column", "h"]


@pytest.mark.parametrize(
    ("columns", "metric", "message"),
    [
        (PAIR, "ibleu", "ibleu needs sources; add --column sources=NAME"),
        (NUMBERS, "human_correlation", "human_correlation has no scores of segments"),
        ([*PAIR[:2], "--reference-column", "empty", *PAIR[4:]], "wer", "wer: the score of every segment is undefined"),
        ([*PAIR[:4], "--human-column", "nan"], "bleu", "x.jsonl, line 2: column nan is nan; pass a number"),
        ([*PAIR[:4], "--human-column", "inf"], "bleu", "x.jsonl, line 2: column inf is inf; pass a number"),
        ([*PAIR[:4], "--human-column", "large"], "bleu", "x.jsonl, line 2: column large is 1000"),
    ],
)
def test_bad_correlation(columns, metric, message, tmp_path):
    row = {"p": "가 나", "r": "가", "h": 1, "empty": "", "nan": 1, "inf": 1, "large": 1}
    more = {**row, "h": 2, "nan": math.nan, "inf": math.inf, "large": 10**400}
    result = run("correlation", "-d", write_rows(tmp_path / "x.jsonl", [row, more]), *columns, "-m", metric)
    assert result.exit_code == 2, result.output + repr(result.exception)
    assert message in result.stderr


def test_correlation_of_metrics_with_other_columns(tmp_path):
    rows = [{"p": "가 나 다", "r": "가 나", "s": s, "lp": [-h / 2], "h": h} for s, h in (("가", 1), ("다", 2), ("", 4))]
    path = write_rows(tmp_path / "x.jsonl", rows)
    result = run("correlation", "-d", path, *PAIR, "-m", "ibleu:max_order=1", "-c", "sources=s")
    assert result.exit_code == 0, result.output + repr(result.exception)
    given = {"predictions": [row["p"] for row in rows], "references": [row["r"] for row in rows]}
    sources = {"sources": [row["s"] for row in rows], "max_order": 1, "per_segment": True}
    scores = load("ibleu").compute(**given, **sources)["segments"]
    assert cells(result.stdout.splitlines()[2])[1] == f"{np.corrcoef(scores, [1, 2, 4])[0, 1]:.3f}"
    columns = ["--prediction-column", "lp", *PAIR[2:]]
    result = run("correlation", "-d", path, *columns, "-m", "perplexity")
    assert result.exit_code == 0, result.output + repr(result.exception)
    assert cells(result.stdout.splitlines()[2])[1] == f"{np.corrcoef(np.exp([0.5, 1, 2]), [1, 2, 4])[0, 1]:.3f}"
