"""lab/measure_settings.py: correlations against scipy's formula by hand."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from conftest import ROOT, load, write_jsonl
from typer.testing import CliRunner

from lab import measure_settings
from lab.claims.data_sets import read_data_set
from textgauge.core.columns import clean_texts
from textgauge.programs.scoring.people import against_people, scores_by_label
from textgauge.programs.scoring.specs import load_scorers
from textgauge.tokens.tokenizers import tokenize


def run(*arguments):
    return CliRunner().invoke(measure_settings.app, list(map(str, arguments)))


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_correlation_of_a_constant(tmp_path):
    """Every prediction scores alike, or people do."""
    rows = [{"p": "가 나 다", "r": "가 나 라", "h": h / 7, "same": 0.1} for h in range(6)]
    for column, person in (("p", "h"), ("other", "same")):
        others = ({**row, "other": "가 나"[: n % 3 + 1]} for n, row in enumerate(rows))
        path = write_jsonl(tmp_path / "x.jsonl", *others)
        columns = ["--prediction-column", column, "--reference-column", "r", "--human-column", person]
        result = run("correlation", "-d", path, *columns, "-m", "rouge:rouge_types=rouge1,")
        assert result.exit_code == 0, result.output
        assert cells(result.stdout.splitlines()[2])[1:] == ["nan", "nan to nan"]


def test_correlation(tmp_path):
    texts = [("고양이가 잔다", "고양이가 잔다", 5), ("개가 잔다", "고양이가 잔다", 2), ("비가 온다", "눈이 내린다", 0),
             ("고양이 잔다", "고양이가 잔다", 4), ("저 개가 논다", "개가 논다", 3),
             ("해가 진다", "달이 진다", 1)]  # fmt: skip
    path = write_jsonl(tmp_path / "x.jsonl", *({"p": p, "r": r, "h": h} for p, r, h in texts))
    columns = ["-d", path, "--prediction-column", "p", "--reference-column", "r", "--human-column", "h"]
    result = run(
        "correlation", *columns, "-m", "rouge:tokenizer=char,rouge_types=rouge1,rouge2", "-m", "bleu:max_order=1"
    )
    assert result.exit_code == 0, result.output
    head, rule, *lines = result.stdout.splitlines()
    assert (head, rule) == ("| setting (n = 6) | Pearson | interval |", "|---|--:|---|")
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
        (NUMBERS, "human_correlation", "human_correlation has no segment scores"),
        ([*PAIR[:2], "--reference-column", "empty", *PAIR[4:]], "wer", "wer: the score of every segment is undefined"),
        ([*PAIR[:4], "--human-column", "nan"], "bleu", "x.jsonl, line 2: column nan is nan; pass a number"),
        ([*PAIR[:4], "--human-column", "inf"], "bleu", "x.jsonl, line 2: column inf is inf; pass a number"),
        ([*PAIR[:4], "--human-column", "large"], "bleu", "x.jsonl, line 2: column large is 1000"),
    ],
)
def test_bad_correlation(columns, metric, message, tmp_path):
    row = {"p": "가 나", "r": "가", "h": 1, "empty": "", "nan": 1, "inf": 1, "large": 1}
    more = {**row, "h": 2, "nan": math.nan, "inf": math.inf, "large": 10**400}
    result = run("correlation", "-d", write_jsonl(tmp_path / "x.jsonl", row, more), *columns, "-m", metric)
    assert result.exit_code == 2, result.output + repr(result.exception)
    assert message in result.stderr


def test_correlation_of_metrics_with_other_columns(tmp_path):
    rows = [{"p": "가 나 다", "r": "가 나", "s": s, "lp": [-h / 2], "h": h} for s, h in (("가", 1), ("다", 2), ("", 4))]
    path = write_jsonl(tmp_path / "x.jsonl", *rows)
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


TABLES = {
    "Sentence similarity": ("korean similarity", "similarity"),
    "Machine translation": ("korean translation", "adequacy"),
    "METEOR on English dialogue": ("dialogue", "relevance"),
}


@pytest.mark.slow
@pytest.mark.parametrize("title", TABLES)
def test_tables_of_the_readme(title, tmp_path):
    """Each row again: the scores of a setting, and people's."""
    pytest.importorskip("kiwipiepy", reason="pip install -r requirements-korean.txt")
    pytest.importorskip("mecab_ko", reason="pip install -r requirements-korean.txt")
    name, human = TABLES[title]
    data = read_data_set(name)
    references = [row[0] for row in data.columns["references"]]
    columns = {"predictions": data.columns["prediction"], "references": data.columns["references"]}
    readme = (ROOT / "lab" / "weighing" / "README.md").read_text(encoding="utf-8")
    text, _, rows = readme.partition(f"\n## {title}\n\n")[2].partition("\n## ")[0].partition("|--:|---|\n")
    assert text.startswith(f"{len(data.items)} ")
    scores = {}
    for row in filter(None, rows.splitlines()):
        spec = spec_of(row, references, tmp_path / "idf.tsv")
        [scores[spec]] = scores_by_label(load_scorers([spec], None)[0], columns).values()
        found = against_people(scores[spec], data.columns[human], items=data.items)
        low, high = found["confidence_interval"]
        assert [cell.strip("*") for cell in cells(row)[2:]] == [f"{found['pearson']:.3f}", f"{low:.3f} to {high:.3f}"]
    if name == "korean translation":
        best = "rouge:tokenizer=char,rouge_types=rougeL,"
        pair = [scores["rouge:tokenizer=content,idf=references,rouge_types=rouge1,"], scores[best]]
        found = against_people(pair[0], data.columns[human], pair[1], items=data.items)
        low, high = found["difference_confidence_interval"]
        prose = " ".join(text.split())
        assert f"{-found['difference']:.3f} below" in prose and f"{low:.3f} to {high:.3f}" in prose
    if name == "korean similarity":
        for tokenizer in ("content", "content-mecab"):
            pair = [scores[f"rouge:tokenizer={one},idf=references,rouge_types=rouge1,"] for one in (tokenizer, "char")]
            found = against_people(pair[0], data.columns[human], pair[1], items=data.items)
            low, high = found["difference_confidence_interval"]
            assert f" {low:.3f} to {high:.3f} " in " ".join(text.split())


def test_published_scores_of_the_readme():
    """Correlations of columns, and the difference of the first two."""
    columns = read_data_set("korean scores").columns
    readme = (ROOT / "lab" / "weighing" / "README.md").read_text(encoding="utf-8")
    text, _, rows = (
        readme.partition("\n## Published scores of translations\n\n")[2].partition("\n## ")[0].partition("|--:|---|\n")
    )
    names = {"chrF": "chrf"} | {f"BLEU, {unit}": f"bleu_{unit}" for unit in ("morphemes", "characters", "words")}
    for row in rows.splitlines():
        found = against_people(columns[names.pop(cells(row)[0])], columns["adequacy"])
        low, high = found["confidence_interval"]
        assert cells(row)[1:] == [f"{found['pearson']:.3f}", f"{low:.3f} to {high:.3f}"]
    assert not names and text.startswith(f"{len(columns['chrf']):,} ")
    low, high = against_people(columns["chrf"], columns["adequacy"], columns["bleu_morphemes"])[
        "difference_confidence_interval"
    ]
    assert f"{low:.3f} to {high:.3f}" in " ".join(text.split())


def idf_weights(references, tokenizer, max_order):
    """Returns log(references / those with the phrase) / log(references), of phrases that are tokenized alone alike."""
    tokens = [tuple(text) for text in tokenize(clean_texts(references, normalization="NFC"), tokenizer)]
    counts = Counter()
    for text in tokens:
        counts.update({text[start : start + n] for n in range(1, max_order + 1) for start in range(len(text) - n + 1)})
    separators = ("", " ") if tokenizer in ("char", "jamo", "content") else (" ", "")
    weights = {}
    for ngram, count in counts.items():
        alone = [separator.join(ngram) for separator in separators]
        alike = [text for text in alone if tuple(tokenize([text], tokenizer)[0]) == ngram]
        if alike:
            weights[alike[0]] = round(1 - math.log(count) / math.log(len(references)), 3)
    return weights


def spec_of(row, references, weights):
    """Returns the setting of a row of a table, as score.py takes it; `weights` is made of the references."""
    metric, options = cells(row)[:2]
    settings = re.findall(r'(\w+)="?([^",`]+)', options)
    if "idf.tsv" in options:
        how = dict(settings)
        table = idf_weights(references, how.get("tokenizer", "13a"), int(how["max_order"]))
        weights.write_text("".join(f"{phrase}\t{weight:g}\n" for phrase, weight in table.items()), encoding="utf-8")
        settings = [(name, weights if value == "idf.tsv" else value) for name, value in settings]
    name, *kind = re.findall(r"\w+", metric)
    settings += [("rouge_types", f"{kind[0]},")] if kind else []
    return f"{name}:{','.join(f'{option}={value}' for option, value in settings)}".rstrip(":")
