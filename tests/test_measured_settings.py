"""The tables of which setting fits which task: each row is measured again."""

import math
import re
from collections import Counter

import pytest
from conftest import ROOT

from lab.claims.data_sets import read_data_set
from textgauge.core.columns import clean_texts
from textgauge.programs.scoring.people import against_people, scores_by_label
from textgauge.programs.scoring.specs import load_scorers
from textgauge.tokens.tokenizers import tokenize


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


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
    readme = (ROOT / "lab" / "README.md").read_text(encoding="utf-8")
    text, _, rows = readme.partition(f"\n### {title}\n\n")[2].partition("\n### ")[0].partition("|--:|---|\n")
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
    readme = (ROOT / "lab" / "README.md").read_text(encoding="utf-8")
    section = readme.partition("\n### Published scores of translations\n\n")[2].partition("\n### ")[0]
    text, _, rows = section.partition("|--:|---|\n")
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
