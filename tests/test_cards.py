"""Cards: their form, every code block run, every number in a card printed by one of its own blocks."""

import ast
import copy
import doctest
import json
import re

import cases
import pytest
import yaml
from conftest import METRICS, ROOT

from lab import update_cards
from lab.agreeing.hugging_face import HUGGING_FACE, differs
from lab.agreeing.shared_rows import SHARED_ROWS
from textgauge.programs.reading.corpora import SAMPLE
from textgauge.programs.scoring.specs import headline, load_scorers

SECTIONS = [
    *("Definition", "How to use", "Inputs", "Options", "Outputs", "Parity", "Values from papers", "Limits and bias"),
    *("Citation", "Further references"),
]
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def card(name):
    text = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    return yaml.safe_load(front), body


def code_blocks(body):
    return re.findall(r"```python\n(.*?)```", body, flags=re.S)


def test_front_matter(name):
    front, body = card(name)
    assert {"title", "emoji", "sdk", "sdk_version", "app_file", "license", "tags", "description"} <= front.keys()
    assert {front["colorFrom"], front["colorTo"]} <= COLOURS
    assert front["tags"] == ["evaluate", "metric"]
    assert len(front["short_description"]) <= 60
    assert f"# {front['title']}\n" in body
    assert len(front["description"].split()) > 9, "the card's description: say in ten words or more what is measured"
    assert not front["emoji"].isascii(), "the card's emoji: take one"
    assert (front["sdk"], front["app_file"], front["license"]) == ("gradio", "app.py", "apache-2.0")


def test_sections(name):
    _, body = card(name)
    found = re.findall(r"^## (.*)$", body, flags=re.M)
    assert [section for section in found if section in SECTIONS] == SECTIONS


def test_korean_card(name):
    """It has its sections and says what the English card says now; test_agreement.py looks at its table of options."""
    path = ROOT / "spaces" / name / "README.ko.md"
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    front, english = yaml.safe_load(front), (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", body, flags=re.M) == list(update_cards.KOREAN.values())
    assert front["title"] == card(name)[0]["title"] and f"# {front['title']}\n" in body
    parts = [front["description"], *re.split(r"^## .*$", body, flags=re.M)[:-1]]  # titles of papers are as they are
    assert all(re.search("[가-힣]{2}", part) for part in parts)
    digest = update_cards.english_digest(english)
    assert str(front["english"]) == digest, f"the English card has changed: mend {path}, and write english: {digest}"
    changed = english.replace("\n## Limits and bias\n", "\n## Limits and bias\n\nNew.\n")
    assert update_cards.english_digest(changed) != digest


def test_nothing_is_left_to_do(name):
    """In what lab/new_metric.py writes, except for the metric of its own tests."""
    own = [f"metrics/{name}.py", f"tests/test_{name}.py"]
    own += [f"spaces/{name}/{file}" for file in ("README.md", "README.ko.md", "examples.json")]
    shared = ["README.md", "README.ko.md", "tests/cases.py", "textgauge/programs/page/help_ko.json"]
    left = [path for path in own + shared if "TODO" in (ROOT / path).read_text(encoding="utf-8")]
    assert not left or name == "toy_metric"


def section(name, title):
    """Returns the text of one section of a card."""
    _, body = card(name)
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", body, flags=re.M | re.S).group(1)


def table(name, title, header):
    """Returns the cells of a section's first table that begins with these columns."""
    text = section(name, title)
    start = f"| {' | '.join(header)} |\n"
    assert start in text, f"the section {title} of {name} has no table {start}"
    lines = text.split(start)[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def literals(text):
    """Returns all texts that the code blocks of a Markdown text pass to something."""
    examples = [one for block in code_blocks(text) for one in doctest.DocTestParser().get_examples(block)]
    nodes = [node for example in examples for node in ast.walk(ast.parse(example.source))]
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_examples_are_korean_and_english(name):
    columns = cases.CASES[name][0]
    if any(isinstance(value, (int, float)) for value in columns["predictions"]):
        return  # numbers have no language
    texts = literals(section(name, "How to use"))
    assert any(re.search("[가-힣]+ [가-힣]+", text) for text in texts), "no Korean example"
    assert any(re.fullmatch(r"[A-Z]?[a-z']+(,? [A-Za-z']+){2,}[.!?]?", text) for text in texts), "no English example"


def test_outputs_have_ranges_and_say_what_undefined_means(name, metric):
    """Every key of a result stands in the table, each with its range."""
    rows = table(name, "Outputs", ["key", "range", "meaning"])
    for key, values, meaning in rows:
        assert key and values and meaning, f"an empty cell beside {key}"
    documented = set(re.findall("`([^`]*)`", " ".join(row[0] for row in rows)))
    headlines = list(cases.headlines(name))
    options = {"per_segment": True, "confidence": 0.95}
    options = {option: value for option, value in options.items() if option in metric.OPTIONS}
    for key in metric.compute(**copy.deepcopy(cases.CASES[name][0]), **options):
        # rouge2_segments is documented by rouge1_segments
        first = [re.sub(f"^{headline}(?=_|$)", headlines[0], key) for headline in headlines]
        assert documented & {key, *first}, f"the card of {name} does not document the key {key}"
    undefined = "\n**Undefined.** " in section(name, "Outputs")
    assert undefined, (
        "Outputs of the card: add a paragraph that begins with **Undefined.** and says where a score is nan"
    )


def test_parity_says_who_computes_the_same(name):
    """Written by lab/update_cards.py; the rest is in the tests."""
    assert "<!-- agreement -->\n" in section(name, "Parity")
    assert f"`tests/test_{name}.py`" in section(name, "Parity")


@pytest.mark.parametrize("heading", ["Inputs", "Options", "Citation"])
def test_what_the_script_says_is_written_from_it(name, metric, heading):
    """By lab/update_cards.py; test_agreement.py looks whether it was run."""
    text = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
    line = re.findall(r"^(?:- |\| `| +title = ).*$", section(name, heading), flags=re.M)[-1]
    assert text.count(line) == 1
    assert update_cards.updated(text.replace(line, line.replace("a", "o")), metric) == text
    with pytest.raises(ValueError, match=rf"the card of {name} has 0 \w+ behind the heading {heading}; it needs one"):
        update_cards.updated(text.replace(f"## {heading}\n", ""), metric)


def test_the_korean_card_has_the_citation(name, metric):
    """Written by lab/update_cards.py from the metric's own."""
    text = (ROOT / "spaces" / name / "README.ko.md").read_text(encoding="utf-8")
    bibtex = f"## 인용\n\n```bibtex\n{metric.CITATION.strip()}\n```\n"
    assert text.endswith(bibtex)
    without = text.replace(bibtex, "## 인용\n\n```bibtex\n```\n")
    assert without != text and update_cards.updated_korean(without, metric).endswith(bibtex)
    with pytest.raises(ValueError, match=f"the card of {name} has 0 blocks behind the heading 인용; it needs one"):
        update_cards.updated_korean(text.replace(bibtex, ""), metric)


def test_rows_of_keys_that_several_cards_have_say_the_same():
    """Written by lab/update_cards.py, in the table of outputs alone: options may have the names of keys."""
    for keys, row in SHARED_ROWS.items():
        users = []
        for name in METRICS:
            text = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
            start, meaning = re.escape(f"\n| {keys.format(name=name)} | "), re.escape(row.meaning.format(name=name))
            before, heading, outputs = text.partition("\n## Outputs\n")
            changed, count = re.subn(rf"({start}.*\| ){meaning} \|", r"\1other |", outputs)
            if count:
                users.append(name)
                assert update_cards.with_shared_rows(f"{before}{heading}{changed}", name) == text
        assert len(users) > 1, f"{keys}: {users}"


def test_what_is_said_of_hugging_faces_names_is_so(name, metric):
    """Ours are options and keys; each number with another scale is a hundredth of theirs."""
    for theirs in HUGGING_FACE.get(name, ()):
        columns, options = copy.deepcopy(cases.CASES[name][0]), theirs.options or {}
        result, flat = metric.compute(**columns, **options), metric.compute(**columns, **options, flat=True)
        named = {kind: {part.ours for part in theirs.parts if part.kind == kind} - {""} for kind in ("argument", "key")}
        assert named["argument"] <= metric.OPTIONS.keys() and named["key"] <= result.keys()
        for part in theirs.parts:
            if "`flat=True` adds `score`" in part.note:
                assert flat["score"] == 100 * result[part.ours]
            if part.kind == "argument" and part.ours not in ("", part.theirs):
                with pytest.raises(TypeError, match=rf"no option {part.theirs} \(did you mean {part.ours}\?\)"):
                    metric.signature(**{part.theirs: 1})
            if "the signature has it" in part.note:
                changed = metric.OPTIONS[part.theirs].default + 1
                assert metric.signature(**{part.theirs: changed}) != metric.signature()


def test_readme_says_which_names_are_hugging_faces():
    readme = " ".join((ROOT / "scripts/clients/README.md").read_text(encoding="utf-8").split())
    same, other = re.search(
        r"- Arguments and keys of (.*?) have the names of Hugging Face's metrics; (.*?) have others", readme
    ).groups()
    differ = {name for name, metrics in HUGGING_FACE.items() if any(map(differs, metrics[:1]))}
    assert set(re.findall(r"`(\w+)`", other)) == differ
    assert set(re.findall(r"`(\w+)`", same)) == HUGGING_FACE.keys() - differ


def test_first_lines(name, metric):
    """The first lines of a card say whether higher is better, and may say from where to where and what is perfect."""
    _, body = card(name)
    text = " ".join(body.partition("\n## ")[0].split())
    [word] = re.findall(r"\b(higher|lower)\b(?: CER)? is better", text, flags=re.I)
    assert (word.lower() == "lower") == metric.LOWER_IS_BETTER
    for low, high in re.findall(r"[Ff]rom (\d+) (?:to (\w+)|without an upper limit)", text):
        assert (float(low), float(high or "inf")) == metric.USUAL_RANGE
    for perfect in re.findall(r"(\d+) is perfect", text):
        texts = cases.with_further_columns(name, ["가 나", "다"], [["가 나"], ["다"]])
        assert metric.compute(**texts)[name] == float(perfect)
    assert ("is perfect" in text) == (metric.LOWER_IS_BETTER and metric.USUAL_RANGE[0] == 0)


def test_usual_range(name, metric):
    """It is the card's range of the headline, or, for an error rate, that without the largest values."""
    text = section(name, "Outputs").replace("α − 1 to α", "−1 to 1").translate({ord("−"): "-", ord("∞"): "inf"})
    low, high = map(float, re.search(rf"^\| `{name}1?`.*? \| (\S+) to ([^ ,]+)", text, flags=re.M).groups())
    is_rate = metric.LOWER_IS_BETTER and low == 0
    assert (low, 2 if is_rate else high) == metric.USUAL_RANGE


def run_blocks(path):
    """Runs all code blocks of a document as one session, and compares what they print."""
    blocks = "\n".join(code_blocks(path.read_text(encoding="utf-8")))
    test = doctest.DocTestParser().get_doctest(blocks, {}, path.name, None, 0)
    assert test.examples
    report = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


def test_code_runs(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    run_blocks(ROOT / "spaces" / name / "README.md")


def test_every_number_is_printed_by_a_block(name):
    """A decimal in the prose or a table stands in an output that the test above compares."""
    _, body = card(name)
    outputs = " ".join(
        example.want for block in code_blocks(body) for example in doctest.DocTestParser().get_examples(block)
    )
    printed = {float(number) for number in re.findall(r"\d+\.\d+", outputs)}
    prose = re.sub(r"<!-- agreement -->.*?<!-- end -->", "", body, flags=re.S)  # test_agreement.py looks at it
    prose = re.sub(r"^## Values from papers\n.*?(?=^## )", "", prose, flags=re.M | re.S)  # the next test
    prose = re.sub(r"```.*?```|\(http[^)]*\)|`[^`]*`", "", prose, flags=re.S)
    prose = re.sub(r"(sacreBLEU|nltk|sections?|to) \d+\.\d+", "", prose)  # versions and sections of papers
    for number in re.findall(r"\d+\.\d+", prose):
        assert float(number) in printed, f"{number} stands in the card of {name}, and no code block prints it"


def test_values_from_papers_have_a_source(name):
    """Each row names a page, and those of the bundled sample are what the metric computes."""
    for values, setting, source in table(name, "Values from papers", ["value", "setting", "source"]):
        assert re.search(r"\d", values) and setting and re.search(r"\]\((http|\.\./)", source)
        if "bundled sample" in source:
            [scorer] = load_scorers([re.match("`(.*?)`", setting)[1]], None)
            rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
            references = [row["reference"] for row in rows]
            for value, system in zip(values.split(", "), ("GoogleTranslate", "KakaoI"), strict=True):
                predictions = [row[system] for row in rows]
                result = scorer.metric.compute(predictions=predictions, references=references, **scorer.options)
                assert value == f"{headline(result):.4f}"


def test_further_references_are_links(name):
    lines = section(name, "Further references").strip().splitlines()
    assert lines and all(re.match(r"- \[.+\]\(https://\S+\): \w", line) for line in lines)
