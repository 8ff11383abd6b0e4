"""scripts/measure_settings.py: correlations against scipy's formula by hand, and style picking on made-up styles."""

import json
import math

import numpy as np
import pytest
from conftest import load
from typer.testing import CliRunner

import measure_settings
from weighing import picking


def run(*arguments):
    return CliRunner().invoke(measure_settings.app, list(map(str, arguments)))


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_pearson():
    pairs = np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 6.0], [5.0, 3.0]])
    assert measure_settings.pearson(pairs) == pytest.approx(np.corrcoef(pairs.T)[0, 1])
    both = measure_settings.pearson(np.stack([pairs, [[1, 1], [1, 2], [1, 3], [1, 4]]]))
    assert both[0] == measure_settings.pearson(pairs)
    assert math.isnan(both[1])
    # means of such constants are not the constant itself
    assert np.isnan(measure_settings.pearson(np.array([[0.1, h] for h in range(6)]))).all()
    assert math.isnan(measure_settings.pearson(np.array([[h**0.5, 0.1 + 0.2] for h in range(11)])))


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


def styles(n_rows):
    """The king's sentences share less with the plain ones than the pirate's, who keeps the plain ending too."""
    rng = np.random.default_rng(4)
    rows = []
    for _ in range(n_rows):
        words = ["".join(rng.choice(list("가나다라마바사"), 2)) for _ in range(4)]
        others = ["".join(rng.choice(list("아자차카타파"), 2)) for _ in range(2)]
        rows.append(
            {
                "plain": " ".join([*words, "해요"]),
                "king": " ".join([*words[:2], *others, "하오"]),
                "pirate": " ".join([*words, "해요쓰"]),
            }
        )
    return rows


def test_picking(tmp_path):
    path = write_rows(tmp_path / "styles.jsonl", styles(40))
    columns = ["--plain-column", "plain", "--persona-column", "king", "--persona-column", "pirate"]
    options = ["--examples", 1, "--rows", 15, "--max-order", 1, "--max-tokens", 1]
    result = run("picking", "-d", path, *columns, *options)
    assert result.exit_code == 0, result.output
    head, _, *lines = result.stdout.splitlines()
    assert head == "| setting (2 personas, 15 sentences) | accuracy | interval |"
    found = {cells(line)[0]: cells(line)[1:] for line in lines}
    assert list(found) == list(picking.PICKERS)
    assert found["bleu"] == ["0.500", "0.500 to 0.500"]
    assert found["weighted_bleu, negative=penalty"] == ["1.000", "1.000 to 1.000"]


def test_picking_learns_from_the_first_half_only(tmp_path, monkeypatch):
    rows = styles(20)
    seen = []

    def weights(pairs, *others):
        seen.extend(pairs)
        return {}

    monkeypatch.setattr(picking, "_weights", weights)
    del rows[3]["king"], rows[12]["king"]
    hits = picking.picked(rows, "char", max_order=1, max_tokens=1, n_examples=2, n_rows=99)
    assert hits.shape == (3, 10, 2)
    assert all(row in rows[:10] for row in seen)
    assert np.isnan(hits[:, 2, 0]).all()
    assert not np.isnan(hits[:, [0, 1, 3, 9]]).any()
    np.testing.assert_array_equal(hits[0], hits[1])  # without weights it is bleu


def test_ties_share_the_point():
    versions = [(0, "a"), (0, "b"), (1, "a"), (1, "c"), (2, "b"), (3, "a")]
    hits = picking._hits(versions, [0.5, 0.5, 0.2, 0.3, 0.9, 1.0], "a", 4)
    np.testing.assert_array_equal(hits, [0.5, 0.0, np.nan, np.nan])


BAD = [
    (["--persona-column", "a"], "there is nothing to pick from; pass at least two personas"),
    (["--persona-column", "a", "--persona-column", "n"], "x.jsonl, line 2: column n is 3; pass a text"),
    (["--persona-column", "a", "--persona-column", "a"], "a is named twice; pass columns that differ"),
    (["--persona-column", "a", "--persona-column", "p"], "p is named twice; pass columns that differ"),
    (["--persona-column", "a", "--persona-column", "e"], "no row of the second half has two personas to pick from"),
    (["--persona-column", "a", "--persona-column", "e", "-t", "nope"], "tokenizer is 'nope'; pass one of"),
    (["--persona-column", "a", "--persona-column", "z"], "x.jsonl, line 1: there is no column 'z'; it has p, a, e, n"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_styles(arguments, message, tmp_path):
    path = write_rows(
        tmp_path / "x.jsonl", [{"p": "가", "a": "나", "e": "", "n": None}, {"p": "가", "a": "", "e": "", "n": 3}]
    )
    result = run("picking", "-d", path, "--plain-column", "p", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
