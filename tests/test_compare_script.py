"""scripts/compare.py: p-values equal to enumeration and to sacreBLEU, every kind of output, gates, bad input."""

import itertools
import json
import math
import re
import shlex
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT, examples, load
from hypothesis import given
from hypothesis import strategies as st
from oracles import expanded_percentiles
from sacrebleu import significance as sacrebleu_significance
from sacrebleu.metrics import BLEU
from score_files import Page, write, write_jsonl
from score_files import toy as toy
from typer.testing import CliRunner

import textgauge
from textgauge.programs.commands import compare
from textgauge.programs.comparing import cells, draws, engine, gates, plots, power, significance, verdict
from textgauge.programs.comparing.people import People
from textgauge.programs.comparing.randomization import randomization_p
from textgauge.programs.comparing.rows import Rows
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.scoring.specs import Scorer
from textgauge.programs.scoring.tables import number_text

SCRIPT = ROOT / "scripts" / "compare.py"
REFERENCES = [f"{n} 고양이가 방에서 잠을 자고 있다 {n % 3}" for n in range(30)]
WORDS = ["고양이가", "방에서", "잠을", "자고", "있다", "집에서", "개가", "the", "cat", "1", "2"]


def texts(seed, wrong=0.3, references=REFERENCES):
    """Returns the references with some words replaced."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(str(rng.choice(WORDS)) if rng.random() < wrong else word for word in text.split())
        for text in references
    ]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Returns a function that runs the script in a folder with three systems."""
    monkeypatch.chdir(tmp_path)
    write("ref.txt", *REFERENCES)
    write("a.txt", *texts(1))
    write("b.txt", *texts(2))
    write("나쁜.txt", *texts(3, 0.8))
    return lambda *arguments: CliRunner().invoke(compare.app, [str(argument) for argument in arguments])


TWO = ["-p", "a.txt", "-p", "b.txt", "-r", "ref.txt"]
THREE = [*TWO, "-p", "나쁜.txt"]
QUICK = ["--trials", "200", "--resamples", "50"]


def one(content, metric="bleu", system="b", against="a"):
    (found,) = (
        c for c in content["comparisons"] if (c["metric"], c["system"], c["against"]) == (metric, system, against)
    )
    return found


class Ratio:
    """A metric whose score is the ratio of two sums."""

    name, LOWER_IS_BETTER, COLUMNS = "ratio", False, {}

    def score(self, rows):
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"ratio": rows[..., 0] / rows[..., 1]}

    def headlines(self, values):
        return {"ratio": ""}


def rows_of(values):
    """Returns rows of systems (segments, systems, 2) for a metric that needs no texts."""
    return Rows([Scorer("ratio", Ratio(), {}, "ratio")], list(map(str, range(values.shape[1]))), values, [2])


def compared(values, trials=100, resamples=20, seed=12345, clusters=None):
    """Returns the numbers of all comparisons, and the resampled scores."""
    rows = rows_of(np.asarray(values, dtype=np.float64))._replace(clusters=clusters)
    plan = engine.Settings(None, 0.95, resamples, trials, seed)
    pairs = engine._pairs(rows.systems, plan)
    scores = engine._system_scores(rows, pairs, plan)
    found = engine._compare_pairs(rows, pairs, scores, plan)
    found["p_randomization"] = randomization_p(rows, pairs, scores.observed, trials, seed)
    return engine._with_adjusted(found, rows.scorers), scores.resampled


ROWS = st.integers(1, 10).flatmap(
    lambda n: st.lists(st.tuples(*[st.tuples(st.integers(0, 5), st.integers(1, 5))] * 2), min_size=n, max_size=n)
)


@examples(0.5)
@given(ROWS)
def test_few_segments_are_enumerated(pairs):
    """Slow and exact: every way to swap, in fractions."""

    def difference(choice):
        chosen = [pair if keep else pair[::-1] for pair, keep in zip(pairs, choice, strict=True)]
        ratios = [Fraction(sum(p[s][0] for p in chosen), sum(p[s][1] for p in chosen)) for s in (0, 1)]
        return abs(ratios[0] - ratios[1])

    observed = difference([True] * len(pairs))
    ways = [difference(choice) >= observed for choice in itertools.product([True, False], repeat=len(pairs))]
    found, _ = compared(pairs)
    assert found["p_randomization"].tolist() == [[sum(ways) / len(ways)]]


def test_exact_up_to_12_segments_and_random_from_13():
    rng = np.random.default_rng(0)
    for segments, denominator in ((12, 2**12), (13, 101)):
        found, _ = compared(rng.random((segments, 2, 2)) + [[1, 1], [1.1, 1]])
        share = found["p_randomization"][0, 0] * denominator
        assert share == pytest.approx(round(share), abs=1e-9) and 1 <= share <= denominator
        assert draws.is_exact(segments) == (segments == 12)


def test_swapped_sums_are_those_of_whole_segments():
    """Blocks cut nothing off, and the draws do not depend on their size."""
    segments, trials = 5000, 700  # some blocks, the last one not full
    rows = np.arange(segments * 2.0).reshape(segments, 2)
    stays, swapped = (np.concatenate(sums) for sums in zip(*draws.swap(rows, trials, 7), strict=True))
    choices = np.random.default_rng(7).integers(2, size=(trials, segments), dtype=bool)
    assert np.array_equal(stays, choices @ rows) and np.array_equal(swapped, ~choices @ rows)


@pytest.mark.parametrize("count", [33, 40])
def test_equal_to_sacrebleu(run, scores, count, monkeypatch):
    """The draws are the same, so that the p-values are, once sacreBLEU counts ties too."""
    monkeypatch.setattr(
        sacrebleu_significance,
        "_compute_p_value",
        lambda values, difference: (np.sum(values >= difference - 1e-9) + 1) / (len(values) + 1),
    )
    references = [f"{WORDS[n % 7]} {text}" for n, text in enumerate(REFERENCES + REFERENCES)][:count]
    systems = {name: texts(seed, 0.3 + seed / 100, references) for name, seed in zip("abc", (1, 2, 5), strict=True)}
    write("ref.txt", *references)
    for name, lines in systems.items():
        write(f"{name}.txt", *lines)
    arguments = ["-p", "a.txt", "-p", "b.txt", "-p", "c.txt", "-r", "ref.txt", "-m", "bleu:smooth=exp"]
    found = scores(*arguments, "--baseline", "a", "--trials", 300, "--resamples", 100)
    for kind, samples, key in (("ar", 300, "p_randomization"), ("bs", 100, "p_bootstrap")):
        test = sacrebleu_significance.PairedTest(
            list(systems.items()), {"BLEU": BLEU()}, [references], test_type=kind, n_samples=samples
        )
        _, theirs = test()
        for system, wanted in zip("bc", theirs["BLEU"][1:], strict=True):
            ours = one(found, "bleu smooth=exp", system)
            assert ours[key] == pytest.approx(wanted.p_value, abs=1e-12)
            score = found["systems"][system]["bleu smooth=exp"]["bleu"]
            assert 100 * score == pytest.approx(wanted.score, abs=1e-9)


@given(st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=8))
def test_adjusted_p_values(p_values):
    """Against the definitions, spelled out."""
    known = [p for p in p_values if not math.isnan(p)]
    count = len(known)

    def holm(p):
        return max(
            min(1, (count - sum(other < smaller for other in known)) * smaller) for smaller in known if smaller <= p
        )

    def benjamini_hochberg(p):
        return min(min(1, count / sum(other <= larger for other in known) * larger) for larger in known if larger >= p)

    for ours, theirs in ((significance.holm, holm), (significance.benjamini_hochberg, benjamini_hochberg)):
        wanted = [p if math.isnan(p) else theirs(p) for p in p_values]
        adjusted = ours(np.array(p_values, dtype=np.float64))
        assert adjusted.tolist() == pytest.approx(wanted, nan_ok=True)


def test_what_people_say_is_a_family_of_its_own():
    """Two pairs by two metrics and by people; a score is undefined."""
    p_values = np.array([[0.01, 0.9, 0.02], [0.04, math.nan, 0.03]])
    columns = [Scorer(label, None, {}, "") for label in ("bleu", "cer", "human")]
    found = engine._with_adjusted({"p_randomization": p_values, "p_bootstrap": p_values}, columns)
    wanted = {"holm": [[0.03, 0.9, 0.04], [0.08, math.nan, 0.04]], "bh": [[0.03, 0.9, 0.03], [0.06, math.nan, 0.03]]}
    for key, adjusted in wanted.items():
        assert found[f"p_bootstrap_{key}"] == pytest.approx(np.array(adjusted), nan_ok=True)


def test_detectable_is_what_a_test_finds_four_times_of_five():
    """By its definition: normal differences with that mean exceed the critical value with probability .8."""
    rng = np.random.default_rng(3)
    (limit,) = significance.minimum_detectable_effect(np.array([2.0]), 0.05)
    assert limit / 2 == pytest.approx(1.959964 + 0.841621, abs=1e-6)
    draws_of_test = rng.normal(limit, 2, 200_000)
    assert (abs(draws_of_test) > 1.959964 * 2).mean() == pytest.approx(0.8, abs=0.005)
    assert significance.minimum_detectable_effect(np.array([2.0]), 0.01) > limit


def test_bootstrap_counts_what_reaches_the_limit():
    """|d| - mean |d| of 0, 1, 2 and 5 is -2, -1, 0 and 3."""
    differences = np.array([0.0, -1, 2, 5])[:, None]
    for observed, count in ((0, 2), (-3, 1), (3.1, 0), (3 + 1e-14, 1), (math.nan, None)):
        observed = np.array([observed])
        (p_value,) = significance.bootstrap_p(differences, observed, abs(observed))
        assert math.isnan(p_value) if count is None else p_value == (count + 1) / 5
    unknown = np.array([0.0, math.nan, 2, 4])[:, None]  # undefined resamples speak against nothing
    assert significance.bootstrap_p(unknown, np.array([2.0]), np.array([2.0])).tolist() == [3 / 5]


@pytest.mark.parametrize("segments", [1, 5, 40])
def test_identical_systems(segments):
    """All ties, whatever the rounding of sums."""
    row = np.random.default_rng(1).random((segments, 1, 2)) / 3 + 0.1
    found, _ = compared(np.concatenate([row] * 3, axis=1))
    assert (found["p_randomization"] == 1).all() and (found["p_randomization_holm"] == 1).all()
    assert np.isnan(found["p_bootstrap"]).all() if segments < 6 else (found["p_bootstrap"] == 1).all()
    assert (found["ties"] == segments).all() and not found["wins"].any() and not found["losses"].any()
    assert not found["difference"].any() and found["detectable"] == pytest.approx(
        np.full((3, 1), math.nan if segments < 6 else 0), abs=1e-12, nan_ok=True
    )


def test_undefined_and_infinite_scores():
    undefined, infinite = [[[0, 0], [1, 1]]] * 15, [[[1, 0], [1, 1]]] * 15
    found, _ = compared(undefined)
    for name in (
        "difference",
        "p_randomization",
        "p_randomization_holm",
        "p_bootstrap",
        "p_bootstrap_bh",
        "detectable",
    ):
        assert np.isnan(found[name]).all(), name
    assert found["undefined"].tolist() == [[15]] and not (found["wins"] + found["ties"] + found["losses"]).any()
    found, _ = compared(infinite)
    assert found["difference"].tolist() == [[-math.inf]] and found["losses"].tolist() == [[15]]
    assert found["p_randomization"][0, 0] == pytest.approx(1 / 101)  # no random way swaps none or all
    both, _ = compared([[[1, 0], [1, 0]]] * 15)
    assert np.isnan(both["difference"]).all() and both["ties"].tolist() == [[15]]


def test_scores_and_intervals_are_those_of_compute(scores):
    found = scores(*TWO, "-m", "rouge:tokenizer=char", "-m", "cer", "--trials", "10", "--confidence", "0.9")
    for metric, options, label in (("rouge", {"tokenizer": "char"}, "rouge{} char"), ("cer", {}, "cer")):
        wanted = load(metric).compute(predictions=texts(2), references=REFERENCES, confidence=0.9, **options)
        for kind in ("1", "2", "L", "Lsum") if metric == "rouge" else ("",):
            name, prefix = f"{metric}{kind}", f"{metric}{kind}_" if kind else ""
            ours = found["systems"]["b"][label.format(kind)]
            assert ours[name] == pytest.approx(wanted[name], abs=1e-12)
            ends = ours["confidence_interval"]
            assert ends == pytest.approx(wanted[f"{prefix}confidence_interval"], abs=1e-12)
            assert "|ci:0.9[widened]|bs:1000|seed:12345|" in ours["signature"]
    settings = found["settings"]
    assert (settings["trials"], settings["level"], settings["segments"], settings["is_exact"]) == (10, 0.1, 30, False)


def test_intervals_of_differences_are_those_of_drawn_corpora(scores):
    """System minus against: draw segments for both alike, score what is drawn, subtract."""
    found = scores(*TWO, "-p", "나쁜.txt", "-m", "wer", "-m", "bleu", "--resamples", 50, "--trials", 10)
    systems = {"a": texts(1), "b": texts(2), "나쁜": texts(3, 0.8)}
    drawn = np.random.default_rng(12345).integers(30, size=(50, 30))

    def scores_of(metric, rows, *names):
        references = [REFERENCES[row] for row in rows]
        return [
            load(metric).compute(predictions=[systems[name][row] for row in rows], references=references)[metric]
            for name in names
        ]

    for metric, (against, system) in itertools.product(("wer", "bleu"), itertools.combinations(systems, 2)):
        differences = np.subtract(*np.transpose([scores_of(metric, rows, system, against) for rows in drawn]))
        ends = expanded_percentiles(differences, 0.95, 30)
        ours = one(found, metric, system, against)
        assert ours["confidence_interval"] == pytest.approx(ends, abs=1e-12)
        # the error leaves out each segment in turn
        kept = [[row for row in range(30) if row != out] for out in range(30)]
        without_one = np.subtract(*np.transpose([scores_of(metric, rows, system, against) for rows in kept]))
        error = without_one.std() * math.sqrt(29)
        assert (ours["standard_error"], ours["units"]) == (pytest.approx(error, rel=1e-9), 30)
        assert ours["detectable"] == pytest.approx((1.959964 + 0.841621) * error, rel=1e-6)
    low, high = one(found, "wer", "나쁜", "a")["confidence_interval"]
    assert 0 < low < one(found, "wer", "나쁜", "a")["difference"] < high  # more errors: higher, and so worse


@pytest.mark.parametrize(("confidence", "quantile"), [(0.8, 1.281552), (0.99, 2.575829)])
def test_what_is_detectable_at_another_level(scores, confidence, quantile):
    """The level of all tests is 1 minus the confidence of the intervals."""
    found = scores(*TWO, "-m", "wer", *QUICK, "--confidence", confidence)
    assert found["settings"]["level"] == pytest.approx(1 - confidence)
    ours = one(found, "wer", "b", "a")
    assert ours["detectable"] == pytest.approx((quantile + 0.841621) * ours["standard_error"], rel=1e-6)


def test_no_comparison_depends_on_the_others(scores):
    """The same draws for all: what else is compared changes nothing but the adjusted values."""
    alone = scores(*TWO, "-m", "cer", *QUICK)
    among = scores(*THREE, "-m", "bleu", "-m", "cer", "-m", "wer", *QUICK)
    assert [(c["system"], c["against"]) for c in among["comparisons"]][:3] == [("b", "a"), ("나쁜", "a"), ("나쁜", "b")]
    assert len(among["comparisons"]) == 9
    ours, others = one(alone, "cer"), one(among, "cer")
    for name in set(ours) - {"p_randomization_holm", "p_randomization_bh", "p_bootstrap_holm", "p_bootstrap_bh"}:
        is_text = isinstance(ours[name], str)
        assert others[name] == (ours[name] if is_text else pytest.approx(ours[name], abs=1e-12)), name
    assert ours["p_randomization"] == ours["p_randomization_holm"] == ours["p_randomization_bh"]
    for test, adjust in itertools.product(("p_randomization", "p_bootstrap"), ("holm", "benjamini_hochberg")):
        p_values = np.array([comparison[test] for comparison in among["comparisons"]])
        key = f"{test}_{'bh' if adjust.startswith('b') else adjust}"
        adjusted = getattr(significance, adjust)(p_values)
        assert [comparison[key] for comparison in among["comparisons"]] == pytest.approx(adjusted)
        assert (adjusted != p_values).any()
    assert one(scores(*TWO, "-m", "cer", *QUICK, "--seed", "1"), "cer")["p_bootstrap"] != ours["p_bootstrap"]


def test_segments_are_counted_in_the_direction_of_the_metric(scores):
    found = scores(*TWO, "-m", "cer", "-m", "rouge:rouge_types=rouge1", *QUICK)
    for metric, label, key, sign in (
        ("cer", "cer", "segments", -1),
        ("rouge", "rouge rouge_types=rouge1", "rouge1_segments", 1),
    ):
        options = {"rouge_types": ["rouge1"]} if metric == "rouge" else {}
        a, b = (
            load(metric).compute(predictions=texts(n), references=REFERENCES, per_segment=True, **options)[key]
            for n in (1, 2)
        )
        signs = [sign * ((y > x) - (y < x)) for x, y in zip(a, b, strict=True)]
        ours = one(found, label)
        assert [ours["wins"], ours["ties"], ours["losses"]] == [signs.count(1), signs.count(0), signs.count(-1)]


def test_twenty_systems(scores):
    for number in range(20):
        write(f"s{number}.txt", *texts(number, number / 20))
    systems = [word for number in range(20) for word in ("-p", f"s{number}.txt")]
    found = scores(*systems, "-r", "ref.txt", "-m", "wer", "--trials", "40", "--resamples", "20")
    assert len(found["comparisons"]) == 190
    based = scores(*systems, "-r", "ref.txt", "-m", "wer", "--trials", "40", "--resamples", "20", "--baseline", "s7")
    assert [c["against"] for c in based["comparisons"]] == ["s7"] * 19
    mirrored = one(found, "wer", "s7", "s3")
    assert one(based, "wer", "s3", "s7")["difference"] == -mirrored["difference"]
    assert one(based, "wer", "s3", "s7")["p_randomization"] == mirrored["p_randomization"]


def test_sample_without_arguments():
    shown = CliRunner().invoke(compare.app, [])
    assert shown.exit_code == 0 and shown.stderr == ""
    lines = [json.loads(line) for line in (ROOT / "scripts/data/es_ko_sample.jsonl").read_text("utf-8").splitlines()]
    scores = {
        system: load("bleu").compute(
            predictions=[line[system] for line in lines],
            references=[line["reference"] for line in lines],
            confidence=0.95,
        )
        for system in ("GoogleTranslate", "KakaoI")
    }
    printed = [line.split() for line in shown.stdout.splitlines()]
    difference = scores["KakaoI"]["bleu"] - scores["GoogleTranslate"]["bleu"]
    assert any(line[:3] == ["KakaoI", "GoogleTranslate", f"{difference:+.4f}"] for line in printed)
    for system, score in scores.items():
        low, high = map(number_text, score["confidence_interval"])
        number = number_text(score["bleu"]) + "*" * (system == "KakaoI")
        assert any(line[:4] == [system, number, f"[{low},", f"{high}]"] for line in printed)
    assert "100 segments; seed 12345" in shown.stdout and "10,000 trials" in shown.stdout


@pytest.mark.parametrize("width", [36, 60, 80, 120, 160])
def test_table_fits_the_terminal(run, monkeypatch, width):
    """Nothing is cut off, however narrow."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", run(*THREE, "--baseline", "나쁜", *QUICK).stdout)
    table = shown[shown.index("\nbleu\n") :].splitlines()
    assert max(map(len, table)) <= width and "…" not in shown
    found = json.loads(run(*THREE, "--baseline", "나쁜", *QUICK, "--json", "-").stdout)
    for comparison in found["comparisons"]:
        for name in ("difference", "p_randomization", "p_bootstrap", "p_randomization_holm", "detectable"):
            assert number_text(comparison[name]) in shown
        assert f"{comparison['wins']}/{comparison['ties']}/{comparison['losses']}" in shown


def test_markdown_and_latex(run, tmp_path):
    write("x|_*.txt", *texts(4))
    arguments = ["-p", "나_%&=a.txt", "-p", "x|_*.txt", "-r", "ref.txt", "-m", "bleu", "-m", "cer", *QUICK]
    result = run(*arguments, "--markdown", "t.md", "--latex", "t.tex")
    assert result.exit_code == 0, result.stderr
    markdown, latex = ((tmp_path / name).read_text(encoding="utf-8") for name in ("t.md", "t.tex"))
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in markdown.splitlines() if line.startswith("|")]
    assert [len(row) for row in rows] == [3] * 8 + [10] * 6
    assert rows[10][0].strip() == r"x\|\_\*" and rows[9][:3] == [" --- ", " --- ", " --: "]
    cells = [re.split(r"(?<!\\)&", line.removesuffix(r" \\")) for line in latex.splitlines() if line.endswith(r" \\")]
    assert [len(row) for row in cells] == [3] * 6 + [10] * 4
    assert cells[7][0].strip() == r"x\textbar{}\_*" and cells[7][1].strip() == r"나\_\%\&"
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 4
    assert "| cer ↓ |" in markdown and r"& cer $\downarrow$ \\" in latex
    assert r"\caption{cer (lower is better)}" in latex and "|tok:13a|" in latex
    assert run(*arguments, "--markdown", "-").stdout == markdown


def test_report(run, tmp_path):
    write("ref<b>.txt", *REFERENCES)
    arguments = ["-p", "<i>번역기</i>=a.txt", "-p", "ทดสอบ😀=b.txt", "-p", "bad=나쁜.txt", "-r", "ref<b>.txt"]
    result = run(*arguments, "-m", "bleu", "-m", "wer", *QUICK, "--html", "r.html", "--fail-below", "wer=0.01")
    assert result.exit_code == 1
    source = (tmp_path / "r.html").read_text(encoding="utf-8")
    page = Page(source)
    assert "http:" not in source and "https:" not in source and "url(" not in source.replace("url(#", "")
    assert not {"link", "img", "i"} & set(page.tags) and len(set(page.ids)) == len(page.ids)
    assert page.tags.count("svg") == 2 * (3 + 3 + 1)  # intervals, differences, and their axis
    assert "<i>번역기</i>" in page.text and "ทดสอบ😀" in page.text and "is above 0.01" in page.text
    for cell in re.findall(r"\[-?\d.*?\]", run(*arguments, *QUICK, "--markdown", "-").stdout.replace("\\", "")):
        assert cell.replace("-", "−") in page.text


def test_gates_on_scores(run, tmp_path):
    found = json.loads(run(*THREE, "-m", "bleu", "-m", "cer", *QUICK, "--json", "-").stdout)["systems"]
    bleu, cer = ({system: of[m][m] for system, of in found.items()} for m in ("bleu", "cer"))
    between = (bleu["나쁜"] + min(bleu["a"], bleu["b"])) / 2
    failed = run(*THREE, *QUICK, "--fail-below", f"bleu={between}", "--json", "r.json")
    assert failed.exit_code == 1 and failed.stderr == f"failed: 나쁜: bleu {bleu['나쁜']:.4f} is below {between:g}\n"
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["failures"] == [failed.stderr[8:-1]]
    assert run(*THREE, *QUICK, "--fail-below", f"bleu={between}", "--baseline", "나쁜").exit_code == 0
    equal = f"bleu={min(bleu['a'], bleu['b'])!r}"  # which is not below
    assert run(*THREE, *QUICK, "--fail-below", equal, "--baseline", "나쁜").exit_code == 0
    for limit in (1, 2):
        assert run(*THREE, "-m", "cer", *QUICK, "--fail-below", f"cer={limit}").exit_code == 0
    between = (cer["나쁜"] + max(cer["a"], cer["b"])) / 2
    failed = run(*THREE, "-m", "cer", *QUICK, "--fail-below", f"cer={between}")
    assert failed.exit_code == 1 and failed.stderr == f"failed: 나쁜: cer {cer['나쁜']:.4f} is above {between:g}\n"


def test_gates_against_the_baseline(run):
    for metric in ("bleu", "wer"):
        arguments = [*THREE, "-m", metric, *QUICK, "--fail-below", f"{metric}=baseline"]
        worse = run(*arguments, "--baseline", "a")
        assert worse.exit_code == 1 and worse.stderr.count("\n") == 2
        assert worse.stderr.startswith(f"failed: 나쁜: {metric} is significantly worse than that of a: difference")
        assert (
            "note: equal systems differ significantly, in either direction, with probability .05 in one test at 0.05"
            in worse.stderr
        )
        better = run(*arguments, "--baseline", "나쁜")
        assert better.exit_code == 0 and better.stderr == ""


def test_gates_by_the_key_of_a_score(run):
    """What the label is depends on the options; the key in the result does not."""
    for spec, key in (("rouge:tokenizer=char", "rouge1"), ("rouge:rouge_types=rougeL,", "rougeL"), ("wer", "wer")):
        arguments = [*THREE, "-m", spec, *QUICK, "--baseline", "a", "--fail-below", f"{key}=baseline"]
        failed = run(*arguments)
        assert failed.exit_code == 1 and re.fullmatch(
            f"failed: 나쁜: .*{key}.* is significantly worse.*\nnote: .*\n", failed.stderr
        )
    both = ["-m", "bleu:tokenizer=char", "-m", "bleu:max_order=2"]
    failed = run(*TWO, *both, *QUICK, "--fail-below", "bleu=0.1")
    assert failed.exit_code == 2
    assert failed.stderr == "error: --fail-below bleu=...: write which of bleu char, bleu max_order=2\n"
    failed = run(*TWO, "-m", "rouge:tokenizer=char", *QUICK, "--fail-below", "rouge=0.1")
    assert failed.exit_code == 2 and "no such score (did you mean rouge" in failed.stderr


def test_a_gate_is_adjusted_for_what_gates_name():
    """Not for what else is in the table: 0.03 is significant alone, and not beside another gate."""
    plan = engine.Settings("a", 0.95, 10, 10, 1)
    known = dict.fromkeys(engine.Comparison._fields, 0) | {
        "system": "b",
        "against": "a",
        "difference": -0.1,
        "units": 20,
    }
    found = [
        engine.Comparison(**{**known, "metric": label, "p_randomization": 0.03, "p_randomization_holm": 0.06})
        for label in ("one", "two")
    ]
    corpus = Corpus("", {"a": FileColumn("", ["x"] * 20, "", "line", range(20))}, {}, {}, "")
    outcome = engine.Outcome(
        corpus, plan._replace(trials=100), [Scorer(c.metric, Ratio(), {}, "") for c in found], {}, found
    )
    asked = [gates.Gate(comparison.metric, None) for comparison in found]
    assert len(gates.failures(asked[:1], outcome)) == 1
    assert gates.failures(asked, outcome) == []


def test_stars_go_by_the_adjusted_value():
    """Alone significant, among others not: 0.03 against 0.05."""
    plan = engine.Settings("a", 0.95, 10, 10, 1)
    known = {"metric": "ratio", "system": "b", "against": "a", "difference": -0.1, "confidence_interval": [-0.2, 0.0]}
    known = {**dict.fromkeys(engine.Comparison._fields, 0), **known, "p_randomization": 0.03}
    scorer = Scorer("ratio", Ratio(), {}, "ratio")
    stars = []
    for adjusted in (0.06, 0.05):
        comparison = engine.Comparison(**{**known, "p_randomization_holm": adjusted})
        corpus = Corpus("", {"a": FileColumn("", ["x"] * 20, "", "line", range(20))}, {}, {}, "")
        outcome = engine.Outcome(corpus, plan, [scorer], {}, [comparison])
        stars.append(cells.sections(outcome)[0].rows[0][5])
    partly = comparison._replace(confidence_interval=[-math.inf, math.nan], detectable=math.inf)
    for shown in ([comparison, partly], [partly._replace(difference=math.inf), comparison]):  # no warning, a row each
        rows, axis = plots.forest(shown, 0.04)
        drawn = [[row.count(f'class="{part}"') for part in ("band", "equal", "score", "point")] for row in rows]
        expected = [[1, 1, 1, 1] if one is comparison else [0, 1, 0, one.difference == -0.1] for one in shown]
        assert drawn == expected and ">−0.2<" in axis
    assert plots.forest([partly._replace(difference=math.nan)], 0.05) == ([], "")
    assert "band" not in plots.forest([comparison], 0.05)[0][0]  # what is sure was not too small to be found
    equal = comparison._replace(difference=0.0, confidence_interval=[0.0, 0.0])
    assert ">0<" in plots.forest([equal], 0.05)[1]
    assert stars == ["0.0600", "0.0500*"]


def test_undefined_scores_everywhere(run, scores, toy):
    """A metric of one's own without a score: null in JSON, nan in tables, and no gate lets it pass."""
    write("empty.txt", *[""] * 30)
    arguments = [*TWO, "-m", toy, "-c", "sources=empty.txt", *QUICK]
    write("a.txt", *[""] * 30)
    found = one(scores(*arguments), "toy")
    assert found["difference"] is found["p_randomization"] is found["p_bootstrap"] is None
    assert found["confidence_interval"] == [None, None]
    assert scores(*arguments)["systems"]["b"]["toy"]["toy"] == "inf" and found["undefined"] == 30
    shown = run(*arguments, "--html", "r.html", "--latex", "t.tex", "--fail-below", "toy=3")
    assert shown.exit_code == 1 and "nan" in shown.stdout
    assert "a: toy nan is undefined" in shown.stderr and "b: toy inf is above 3" in shown.stderr
    failed = run(*arguments, "--baseline", "b", "--fail-below", "toy=baseline")
    assert failed.exit_code == 1 and "a: toy cannot be compared with b" in failed.stderr


def test_metrics_whose_rows_do_not_add_up(run, toy):
    text = toy.read_text(encoding="utf-8")
    start = text.index("    return np.array([[")
    toy.write_text(text[:start] + "    raise NotImplementedError('no sums')\n" + text[text.index("\n\n\ndef score") :])
    failed = run(*TWO, "-m", toy, "-c", "sources=a.txt")
    assert failed.exit_code == 2 and failed.stderr == "error: toy, a: no sums\n"


BAD = {
    "one system": (["-p", "a.txt", "-r", "ref.txt"], "there is one system, a; a comparison needs two"),
    "no references": (["-p", "a.txt", "-p", "b.txt"], "bleu needs references"),
    "no file": ([*TWO, "-p", "none.txt"], "none.txt: No such file"),
    "fewer lines": ([*TWO, "-p", "short.txt"], "a.txt has 30 lines and short.txt 1"),
    "no column": (["-d", "d.jsonl", "--prediction-column", "x", "--prediction-column", "y"], "no column 'y'; it has x"),
    "no metric": ([*TWO, "-m", "none"], "there is no such metric"),
    "no such baseline": ([*TWO, "--baseline", "c"], "--baseline c: the systems are a, b"),
    "confidence": ([*TWO, "--confidence", "2"], "confidence is 2.0"),
    "resamples of a metric": ([*TWO, "-m", "bleu:resamples=9"], "resamples is the same for all metrics here"),
    "confidence of a metric": ([*TWO, "-m", "bleu:confidence=0.5"], "confidence is the same for all metrics here"),
    "gate": ([*TWO, "--fail-below", "bleu"], "--fail-below bleu: write METRIC=NUMBER"),
    "gate without a number": ([*TWO, "--fail-below", "bleu=nan"], "--fail-below bleu=nan: write METRIC=NUMBER"),
    "gate on nothing": ([*TWO, "--fail-below", "rouge=1"], "there is no such score; pass one of bleu"),
    "gate without baseline": ([*TWO, "--fail-below", "bleu=baseline"], "needs --baseline SYSTEM"),
    "gate in percent": (
        [*TWO, "-m", "cer", "--fail-below", "cer=20"],
        "cer=20: cer is usually from 0 to 2 (did you mean 0.2?)\n",
    ),
    "gate in percent by key": (
        [*TWO, "-m", "rouge:rouge_types=rougeL,", "--fail-below", "rougeL=35.5"],
        "from 0 to 1 (did you mean 0.355?)\n",
    ),
    "gate that all pass": ([*TWO, "--fail-below", "bleu=-1"], "bleu=-1: bleu is usually from 0 to 1\n"),
    "one file twice": ([*TWO, "--latex", "old.json"], "old.json is named by two options"),
    "no folder": ([*TWO, "--latex", "none/t.tex"], "there is no folder none"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name, run, tmp_path):
    arguments, message = BAD[name]
    write("short.txt", "a")
    write_jsonl("d.jsonl", {"x": "a"})
    write("old.json", "old")
    before = sorted(tmp_path.iterdir())
    result = run("--json", "old.json", "--html", "new.html", "--markdown", "new.md", *arguments)
    assert result.exit_code == 2 and message in result.stderr, result.output
    assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before and (tmp_path / "old.json").read_text() == "old\n"


@pytest.mark.parametrize("option", ["--resamples", "--trials", "--seed"])
def test_bad_numbers(option, run):
    for value in ("-1", "x") if option == "--seed" else ("-1", "0", "x"):
        result = run(*TWO, option, value)
        assert result.exit_code == 2 and option in result.stderr and result.stdout == ""


GROUPS = ["-d", "d.jsonl", *("--prediction-column", "a", "--prediction-column", "b"), "--reference-column", "ref"]


def write_groups(third=False):
    """Writes a table with two columns to group by; `b` is better in one group and worse in the other."""
    rows = []
    for n, (ref, good, bad) in enumerate(zip(REFERENCES, texts(1, 0.1), texts(2, 0.8), strict=True)):
        is_swapped = n % 3 == 0
        row = {"ref": ref, "a": good if is_swapped else bad, "b": bad if is_swapped else good}
        rows.append(
            {**row, "domain": "뉴스" if is_swapped else "web", "year": 2020 + n % 2, **({"c": bad} if third else {})}
        )
    write_jsonl("d.jsonl", *rows)
    return rows


def test_groups_are_what_their_segments_alone_are(scores, run):
    """Scores, intervals and p-values; these are adjusted for all groups, pairs and scores."""
    rows = write_groups(third=True)
    metrics = [*GROUPS, "--prediction-column", "c", "-m", "bleu:tokenizer=char", "-m", "cer", *QUICK]
    found = scores(*metrics, "--group-by", "domain,year")
    titles = [("web", "2020"), ("web", "2021"), ("뉴스", "2020"), ("뉴스", "2021")]
    assert [tuple(group["group"].values()) for group in found["groups"]] == titles
    p_values = []
    for group in found["groups"]:
        own = [row for row in rows if {"domain": row["domain"], "year": str(row["year"])} == group["group"]]
        assert group["segments"] == len(own)
        write_jsonl("d.jsonl", *own)
        alone = scores(*metrics)
        for of_system in alone["systems"].values():
            of_system["cer"].pop("errors", None)  # are those of all segments
        assert group["systems"] == alone["systems"]
        for cell, wanted in zip(group["comparisons"], alone["comparisons"], strict=True):
            same = {name: value for name, value in cell.items() if not name.endswith(("_holm", "_bh"))}
            assert same.items() <= wanted.items()
            p_values.append((cell["p_randomization"], cell["p_randomization_holm"]))
    assert len(p_values) == 4 * 3 * 2
    largest = 0
    for rank, (p_value, adjusted) in enumerate(sorted(p_values)):
        largest = max(largest, min(1, (len(p_values) - rank) * p_value))
        assert adjusted == pytest.approx(largest)
    assert "groups" not in alone


def test_groups_in_every_output(run, tmp_path):
    write_groups()
    shown = run(*GROUPS, "-m", "bleu:tokenizer=char", *QUICK, "-g", "domain", "--markdown", "t.md", "--latex", "t.tex")
    assert shown.exit_code == 0, shown.output
    assert "But in 뉴스 a is significantly better than b on bleu char" in shown.stdout
    assert "adjusted for all 2 cells" in shown.stdout
    for text in (shown.stdout, (tmp_path / "t.md").read_text("utf-8"), (tmp_path / "t.tex").read_text("utf-8")):
        assert all(cell in text for cell in ("뉴스", "web", "bleu char, groups"))
    rows = [line for line in (tmp_path / "t.md").read_text("utf-8").splitlines() if line.startswith("| 뉴스")]
    assert [len(row.split(" | ")) for row in rows] == [4, 4, 11]


def test_groups_of_lines(scores, run):
    write("domain.txt", *["x", "y", "y"] * 10)
    found = scores(*TWO, *QUICK, "-c", "domain=domain.txt", "-g", "domain")
    assert [(g["group"]["domain"], g["segments"]) for g in found["groups"]] == [("x", 10), ("y", 20)]
    failed = run(*TWO, *QUICK, "-g", "domain")
    assert failed.exit_code == 2 and "add --column domain=FILE" in failed.stderr
    write_groups()
    failed = run(*GROUPS, "-g", "sistem")
    assert failed.exit_code == 2 and "there is no column 'sistem'; it has ref, a, b, domain, year" in failed.stderr


def test_systems_are_apart_anyway(scores):
    """Where each has a column or a file, "system" asks for what is done; a column given by this name groups."""
    write_groups()
    assert scores(*GROUPS, *QUICK, "-g", "system,domain") == scores(*GROUPS, *QUICK, "-g", "domain")
    assert scores(*GROUPS, *QUICK, "-g", "system") == scores(*GROUPS, *QUICK)
    assert scores(*TWO, *QUICK, "-g", "system") == scores(*TWO, *QUICK)
    write("half.txt", *"xy" * 15)
    found = scores(*TWO, *QUICK, "-c", "system=half.txt", "-g", "system")
    assert [group["group"] for group in found["groups"]] == [{"system": "x"}, {"system": "y"}]


@pytest.mark.parametrize("tests", [1, 6])
@pytest.mark.parametrize("segments", [20, 500])
def test_needed_segments_make_the_difference_detectable(segments, tests):
    """With so many segments, drawn from a normal population, the minimum detectable effect is the difference."""
    size = 0.03
    comparison = engine.Comparison("m", "b", "a", size, [0, 0], 0.1, 20, *[0.5] * 6, 0.1, 1, 0, 0, 0)
    needed = power.needed_segments(comparison, segments, 0.05, tests)
    smaller = 0.1 / significance.minimum_detectable_effect(1.0, 0.05) * math.sqrt(segments / needed)
    assert significance.minimum_detectable_effect(smaller, 0.05 / tests) == pytest.approx(size)
    assert power.needed_segments(comparison._replace(difference=0.0), segments, 0.05, tests) == math.inf
    assert power.needed_segments(comparison._replace(detectable=math.nan), segments, 0.05, tests) == math.inf


def verdict_of(run, *arguments):
    result = run(*arguments, "--json", "-")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    return found["verdict"], found


def test_where_no_difference_can_be_sure(run, scores):
    """Five segments can be swapped in 32 ways, two of which are as far apart as can be: p is 1 / 16 or more."""
    for name, lines in (("good", REFERENCES), ("bad", ["x"] * 30)):
        write(f"{name}.txt", *lines[:5])
    write("ref5.txt", *REFERENCES[:5])
    five = ["-p", "good.txt", "-p", "bad.txt", "-r", "ref5.txt", "-m", "cer", *QUICK]
    lines, found = verdict_of(run, *five)
    assert found["comparisons"][0]["p_randomization"] == 1 / 16
    assert lines[1] == "With 5 segments, no difference can be significant; at least 6 segments are needed."
    message = run(*five, "--baseline", "good", "--fail-below", "cer=baseline").stderr
    assert "--fail-below ...=baseline could never fail: With 5 segments, no difference" in message
    lines, _ = verdict_of(run, *five, "-m", "wer")
    assert "at least 7 segments are needed" in lines[1]  # for two tests
    write("cluster.txt", *"abcde" * 6)
    lines, _ = verdict_of(run, *TWO, *QUICK, "-m", "cer", "-c", "clusters=cluster.txt")
    assert "With 5 clusters, no difference can be significant; at least 6 clusters are needed." in lines
    lines, _ = verdict_of(run, *TWO, "-m", "cer", "--trials", "18", "--resamples", "20")
    assert "For 1 comparison, a difference can be significant with 19 trials or more, but --trials is 18." in lines
    lines, _ = verdict_of(run, *TWO, "-m", "cer", "--trials", "20", "--resamples", "20", "--confidence", ".97")
    assert "For 1 comparison, a difference can be significant with 33 trials or more, but --trials is 20." in lines
    lines, _ = verdict_of(run, *TWO, "-m", "cer", "--trials", "33", "--resamples", "20", "--confidence", ".97")
    assert not any("--trials is" in line for line in lines)
    lines, _ = verdict_of(run, *TWO, "-m", "cer", "-m", "wer", "--trials", "18", "--resamples", "20")
    assert "For 2 comparisons, a difference can be significant with 39 trials or more, but --trials is 18." in lines
    assert scores(*TWO, "-m", "cer")["settings"]["trials"] == 10_000


def test_trials_grow_where_a_p_value_is_near_its_border(monkeypatch):
    """Up to a limit, and to no number that is given; a p-value far from all borders takes the least."""

    def tried(p_values, trials=None, n_units=100, tests=1):
        """Returns how many trials are tried where so many of the last number give these p-values."""
        asked = []

        def randomization_p(rows, pairs, scores, trials, seed):
            asked.append(trials)
            return np.array([p_values])

        monkeypatch.setattr(engine, "randomization_p", randomization_p)
        columns = [Scorer(f"m{n}", None, {}, "") for n in range(len(p_values))]
        scores = engine.SystemScores(n_units, *[None] * 4)
        part = engine.Subset((), rows_of(np.ones((40, 2, 2))), scores, columns, {}, {})
        plan = engine.Settings(None, 0.95, 10, trials, 1)
        assert engine._add_p_values([part], plan) == asked[-1]
        return asked

    assert tried([0.3]) == tried([0.001]) == tried([0.043]) == [10_000]
    assert tried([0.045]) == tried([0.055]) == [10_000, 40_000]
    assert tried([0.05]) == [10_000, 40_000, 160_000]
    assert tried([0.03, 0.04]) == [10_000, 40_000]  # Holm's first border
    assert tried([0.04, 0.3]) == [10_000]  # far from both, and from .05, where a gate asks for the first alone
    assert tried([0.04, 0.048]) == [10_000, 40_000, 160_000]  # each alone is sure
    assert tried([0.05] * 500) == [10_000, 40_000, 160_000, 200_000]
    assert tried([0.05], trials=100) == [100]
    assert tried([0.05], n_units=12) == [10_000]  # exact
    assert [draws.enough_trials(tests, 0.05) for tests in (1, 400, 528)] == [160_000, 160_000, 211_200]


def outcome_of(scores, sure=(), level=0.05, groups=()):
    """Returns what is said of systems: label -> system -> score; sure are (label, two systems) of all or of a group."""

    def columns_of(names):
        return [Scorer(label, People(False) if label == "human" else Ratio(), {}, "") for label in names]

    def found(scores, sure):
        results = {}
        for label, of_systems in scores.items():
            for system, score in of_systems.items():
                results.setdefault(system, {})[label] = {"ratio": score}
        pairs = [
            compared(label, one, two, of[two] - of[one], bool({(label, one, two), (label, two, one)} & set(sure)))
            for label, of in scores.items()
            for one, two in itertools.combinations(of, 2)
        ]
        return results, pairs

    def compared(label, one, two, size, is_sure):
        """Returns a comparison whose interval says the same as its test."""
        ends = sorted([size / 2, 3 * size / 2]) if is_sure else [-1.0, 1.0]
        p_values = [0.001 if is_sure else 0.4] * 6
        return engine.Comparison(label, two, one, size, ends, 0.1, 40, *p_values, 0.1, 1, 0, 1, 0)

    results, pairs = found(scores, sure)
    columns = {name: FileColumn("", ["x"] * 40, "", "line", range(40)) for name in results}
    corpus = Corpus("", columns, {}, {}, "", {"domain": []} if groups else {})
    parts = [engine.Group({"domain": name}, 20, *found(own, certain)) for name, own, certain in groups]
    return engine.Outcome(
        corpus, engine.Settings(None, 1 - level, 10, 10_000, 1), columns_of(scores), results, pairs, parts
    )


def test_a_verdict_names_its_level():
    for scores in ({"bleu": {"a": 0.5, "b": 0.4, "c": 0.1}}, {"bleu": {"a": 0.5, "b": 0.4}}):
        sure = [("bleu", *pair) for pair in itertools.combinations(scores["bleu"], 2)]
        assert "α = 0.32" in verdict.verdict(outcome_of(scores, sure, level=0.32)).first


def test_the_table_comes_first_everywhere(run, tmp_path):
    """Then what it says in words; all further tables are folded, or below."""
    arguments = [*TWO, "-p", "bad=나쁜.txt", "-m", "bleu", "-m", "cer", *QUICK]
    [first, *_] = verdict_of(run, *arguments)[0]
    shown = run(*arguments, "--html", "r.html", "--markdown", "t.md")
    heading, _, a, b, bad, _, _, said, *_ = shown.stdout.splitlines()
    assert heading.split() == ["system", "bleu", "cer", "↓"] and said == first
    assert [line.split()[0] for line in (a, b, bad)] == ["a", "b", "bad"]
    assert [line.count("#1") for line in (a, b)] == [2, 2] and bad.count("#3") == 2
    markdown = (tmp_path / "t.md").read_text(encoding="utf-8")
    assert markdown.startswith("| system | BLEU | CER ↓ |\n")
    assert markdown.index("| bad |") < markdown.index(f"**{first}**\n") < markdown.index("<details>")
    source = (tmp_path / "r.html").read_text(encoding="utf-8")
    before, after = source.split('<div class="verdict"')
    assert (
        before.count("<table") == 1
        and before.count('class="best"') == 2
        and len(re.findall("<small.*?> #", before)) == 6
    )
    assert all("<details" in after[: after.index(name)] for name in ('id="kinds"', 'class="standing"'))


def test_one_segment_has_no_columns_of_blanks(run, tmp_path):
    for name, text in (("one", "하나 둘"), ("two", "하나 셋"), ("gold", "하나 넷 다섯")):
        write(f"{name}.txt", text)
    files = [*("--html", "r.html"), *("--markdown", "t.md"), *("--latex", "t.tex")]
    shown = run("-p", "one.txt", "-p", "two.txt", "-r", "gold.txt", "-m", "cer", "-m", "wer", *QUICK, *files)
    assert "With 1 segment, no difference can be significant" in shown.stdout
    written = [(tmp_path / name).read_text(encoding="utf-8") for name in ("r.html", "t.md", "t.tex")]
    for text in (shown.stdout, *written):
        assert "0.6000" in text and not re.search("BH|p AR|p BS|detectable|better/equal", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code"),
    [("{} | head -1; exit ${{PIPESTATUS[0]}}", 0), ("{} >&-", 0), ("{} 2>&- >/dev/null", 0),
     ("{} --fail-below bleu=0.9 | head -1; exit ${{PIPESTATUS[0]}}", 1), ("{} -p nothing.txt 2>&-", 2)],
)  # fmt: skip
def test_output_that_nobody_reads(command, code):
    """The exit code stays what it is: 1 says that a system is worse."""
    words = shlex.join([sys.executable, str(SCRIPT)])
    run = subprocess.run(["bash", "-c", command.format(words)], capture_output=True, text=True)
    assert run.returncode == code and "Traceback" not in run.stderr


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_computed_the_scores(run, tmp_path, language):
    """Behind each signature, and no part of it: two versions have comparable scores."""
    run(*TWO, *QUICK, "--language", language, "--json", "r.json", "--markdown", "r.md", "--latex", "r.tex")
    program = f"textgauge {textgauge.__version__}"
    content = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    signature = content["systems"]["a"]["bleu"]["signature"]
    assert content["program"] == program and "textgauge" not in signature
    markdown = (tmp_path / "r.md").read_text(encoding="utf-8")
    signed, *of_data = markdown.replace("\\", "").splitlines()[-6:-2]
    assert signed == f"- {signature} | {program}"
    digests = [content["data"]["references"], *(content["data"]["outputs"][name] for name in ("a", "b"))]
    for line, digest in zip(of_data, digests, strict=True):
        assert line.endswith(": {in_order}/{any_order}".format(**digest))
    assert f"{signature} | {program}\n" in (tmp_path / "r.tex").read_text(encoding="utf-8")
