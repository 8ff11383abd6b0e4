"""The table of texts, the help of options in Korean, and pages that are read in Korean."""

import ast
import bisect
import html.parser
import itertools
import json
import re
import string
from collections import Counter

import pytest
from conftest import METRICS, ROOT, load, write, write_jsonl
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score
from textgauge.programs.page.help import COMMON, korean_help
from textgauge.programs.page.session import Session
from textgauge.programs.reading.card import read_card
from textgauge.programs.reporting.pages import bilingual
from textgauge.programs.saying.texts import (
    LANGUAGES,
    TEXTS,
    in_language,
    in_languages,
    joined,
    joined_by_or,
    say,
    speaking,
)

WORDS = [(key, language, form) for key, texts in TEXTS.items() for language, form in texts.items()]
# names that are the same in Korean: of metrics and systems, of tests and coefficients, of formats and programs
NAMES = set(METRICS) | set(re.findall(r"\w+", """
p AR Holm BH BS n gram ln F P R smooth exp segments sacreBLEU Benjamini Hochberg English Pearson s r Kendall char
JSON CSV TSV JSONL TXT Python Kiwi MeCab kiwi mecab content CT
"""))  # fmt: skip
for metric in METRICS:  # headings of pages have the titles of the cards
    NAMES.update(re.findall(r"\w+", read_card(ROOT / "spaces" / metric)[0]["title"]))
OPTIONS = {
    "weights",
    "tokenizer",
    "char",
    "tsv",
    "jsonl",
    "readings",
    "ko",
    "sources",
}  # and names of files and columns, in what scores are called


def forms(form):
    return form if isinstance(form, list) else [form]


def placeholders(form):
    return {name for _, name, _, _ in string.Formatter().parse(form) if name}


@pytest.mark.parametrize("key", TEXTS)
def test_each_text_is_there_in_all_languages(key):
    """With the same values in all, and nothing that a page would read as markup."""
    texts = TEXTS[key]
    assert tuple(texts) == LANGUAGES and all(map(forms, texts.values()))
    wanted = placeholders(forms(texts["en"])[-1])
    for form in (form for of_language in texts.values() for form in forms(of_language)):
        assert placeholders(form) | {"n"} == wanted | {"n"}, form
        assert not set(form) & set('<>&"')
    is_name = set(re.findall("[A-Za-z]+", re.sub(r"\{.*?\}", "", str(texts["ko"])))) <= NAMES
    is_hangul = re.search("[가-힣]", "".join(texts.values() if key == "app_language" else forms(texts["ko"])))
    assert is_hangul or is_name or key == "other_language"


def test_no_particle_depends_on_how_a_value_ends():
    """이 or 가, 은 or 는, 을 or 를: a name in Latin letters or a number has an end that only a reader knows."""
    particles = re.compile(r"\}['\"]?(이|가|은|는|을|를|와|과|으로|로|이며|며|이라|라)(?=[\s.,)]|$)")
    assert not [(key, form) for key, language, form in WORDS if language == "ko" and particles.search(str(form))]


def test_each_text_is_used():
    code = "".join(
        path.read_text(encoding="utf-8")
        for pattern in (
            "scripts/**/*.py",
            "lab/**/*.py",
            "textgauge/**/*.py",
            "textgauge/**/*.html",
            "textgauge/**/*.js",
        )
        for path in ROOT.glob(pattern)
    )
    # put together in the code
    made = r"_(exact|stem|synonym|shift|substitute|insert|delete|removed|prediction|reference)$"
    made += "|(?<=^column)_.*|(?<=^kind)_.*|(?<=^choice)_.*|(?<=^verdict_by)_.*|(?<=^verdict_baseline)_.*"
    made += "|(?<=^beats)_.*|(?<=^unit)_.*|(?<=^doubt)_.*|(?<=^gate)_.*|(?<=^group)_(better|worse)_.*"
    made += "|(?<=^blind)_(?!options).*|(?<=^gap)_.*"
    quoted = sorted(set(re.findall(r"[\"']([\w{]+)", code)))
    for key in TEXTS:
        known = [key, key.removeprefix("app_"), re.sub(made, "_{", key)]
        known.append(known[-1].removeprefix("verdict_").removesuffix("_in_groups"))  # kinds of claims
        nearest = [quoted[bisect.bisect_left(quoted, name) % len(quoted)] for name in known]
        is_column = key.startswith("app_column_")  # of a metric, or of a table that an option takes
        assert is_column or any(map(str.startswith, nearest, known)), key
    kinds = [name for metric in METRICS for name in Session(load(metric)).form([])["headings"]]
    kinds += [title for metric in METRICS for option in load(metric).OPTIONS.values() for title in option.headings]
    assert {key.removeprefix("app_column_") for key in TEXTS if key.startswith("app_column_")} == set(kinds)


def test_languages_spoken():
    assert joined(["a"]) == "a" and joined(["a", "b"]) == "a and b" and joined("abc") == "a, b and c"
    assert [say("count_systems", n=n) for n in (1, 2)] == ["1 system", "2 systems"]
    assert joined_by_or(["a"]) == "a" and joined_by_or("abc") == "a, b or c"
    with speaking("ko"):
        assert joined("abc") == "a, b, c" and say("count_systems", n=1) == "시스템 1개"
    with speaking(*LANGUAGES):
        said = say("verdict_by", system="x", metrics=joined(["a", say("human")]))
        assert in_languages(f"<{said}>") == {"en": "<x on a and people>", "ko": "<x(a, 사람 평가)>"}
    assert say("human") == "people" and in_language("plain", "ko") == "plain"


def test_a_page_holds_both_languages():
    """Beside an attribute, beside what an element says, and beside a part of that; nothing where both are the same."""

    def page():
        name, source = say("human"), say("source")
        return f'<p title="x {name}">{name}: a</p><p>{source} <b>c</b> {name}</p><p>{say("column_holm")}</p>'

    assert bilingual(page) == (
        '<p title="x people" data-other-title="x 사람 평가" data-other="사람 평가: a">people: a</p>'
        '<p><span data-other="원문 ">source </span><b>c</b><span data-other=" 사람 평가"> people</span></p><p>Holm</p>'
    )


@pytest.mark.parametrize("text", ["\ufdd0", "\ufdd0가\ufdd2", "\ufdd1", "a\ufdd2b\ufdd0", "\ufdd0\ufdd0\ufdd1\ufdd2"])
def test_texts_of_users_do_no_harm(text):
    """Not even with the characters that stand around what is said in all languages."""
    page = bilingual(lambda: f"<p>{text}</p><p>{say('human')}</p>")
    assert page.endswith('<p data-other="사람 평가">people</p>') and "<p>" in page


class KoreanReader(html.parser.HTMLParser):
    """Collects what a page says in Korean: what stands in data-other, or else the text itself.

    What is of one language by itself is left out: texts of segments, names of systems, the card; and code.
    """

    VOID = {"meta", "br", "input", "wbr", "link"}
    QUIET = {"style", "script", "code", "noscript", "pre"}

    def __init__(self, source):
        super().__init__()
        self.said, self._open = [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        for name in ("aria-label", "data-label", "placeholder", "title", "data-text", "alt"):
            self.said.append(given.get(f"data-other-{name}", given.get(name, "")))
        own = given.get("lang") is not None and "data-other-lang" not in given and tag != "html"
        if "data-other" in given:
            self.said.append(given["data-other"])
        if tag not in self.VOID:
            self._open.append(tag in self.QUIET or own or "data-other" in given)

    def handle_endtag(self, tag):
        self._open.pop()

    def handle_data(self, data):
        if not any(self._open):
            self.said.append(data)


DIGEST = r"\b[0-9a-f]{12}\b"  # of data


def words_of(source):
    """Returns all words in Latin letters that a reader of Korean sees."""
    said = " ".join(KoreanReader(re.sub("<wbr>|\u200b", "", source)).said)
    return set(re.findall("[A-Za-z]+(?:_[A-Za-z0-9]+)*", re.sub(rf"\{{\w+\}}|{DIGEST}", "", said))) - NAMES - OPTIONS


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """Makes pages of Korean data; returns what a command writes."""
    monkeypatch.chdir(tmp_path)
    lines = (ROOT / "scripts/data/es_ko_sample.jsonl").read_text("utf-8").splitlines()[:12]
    columns = {"하나": "GoogleTranslate", "둘": "KakaoI", "참조": "reference"}
    rows = []
    for number, line in enumerate(lines):
        texts = {name: re.sub("[A-Za-z]+", "가", json.loads(line)[column]) for name, column in columns.items()}
        people = {"사람": number % 3, "다른사람": number % 2}
        rows.append(
            {**texts, **people, "분야": "가나"[number % 2], "번호": str(number), "원문": "원문", "문서": number // 3}
        )
    write_jsonl("자료.jsonl", *rows)
    write("가중치.tsv", "대통령\t2", "없는 말\t2")

    def make(app, *arguments):
        given = ["-d", "자료.jsonl", *arguments, "--html", "쪽.html"]
        result = CliRunner().invoke(app, given)
        assert result.exit_code == 0, result.output
        with open("쪽.html", encoding="utf-8") as file:
            return file.read()

    return make


SYSTEMS = ["--reference-column", "참조", "--prediction-column", "하나", "--prediction-column", "둘"]
MORE = ["-g", "분야", "-c", "ids=번호", "-c", "sources=원문", "-c", "clusters=문서"]
PEOPLE = ["--human-column", "하나=사람", "--human-column", "둘=다른사람", "--human-lower-is-better"]
METRIC = [
    *("-m", "bleu", "-m", "cer:weights=가중치.tsv", "-m", "meteor:tokenizer=char"),
    *("-m", "weighted_bleu:tokenizer=char,weights=가중치.tsv", "-m", "nist", "-m", "ter"),
]


@pytest.mark.parametrize(
    ("app", "arguments"),
    [
        (score.app, [*SYSTEMS, *PEOPLE, *MORE, *METRIC]),
        (score.app, [*SYSTEMS[:4], *METRIC]),
        (score.app, [*SYSTEMS, "--prediction-column", "원문", "-m", "cer:readings=ko", "-m", "wer"]),
        (compare.app, [*SYSTEMS, *MORE, *METRIC]),
        (compare.app, [*SYSTEMS, "--prediction-column", "원문", "-m", "cer", "--baseline", "하나"]),
    ],
)
def test_korean_pages_hold_no_english(app, arguments, pages):
    source = pages(app, *arguments)
    assert "한국어" in source and words_of(source) == set()
    assert not re.search("[\ufdd0-\ufdd2]", source)


def test_a_page_in_one_language_has_no_switch(pages):
    source = pages(score.app, *SYSTEMS[:4], "-m", "bleu")
    assert words_of(re.sub(r' data-other[\w-]*="[^"]*"', "", source))  # the test above can fail


def test_scores_against_those_of_people(pages):
    source = pages(
        score.app, "--prediction-column", "사람", "--reference-column", "다른사람", "-m", "human_correlation"
    )
    assert "<svg" in source and words_of(source) == set()


# commands, files, places in them, and values
PLACES = {
    "compare",
    "py",
    "textgauge",
    "html",
    "FILE",
    "nan",
    "line",
    "column",
    "NaN",
    "exact",
    "CER",
    "details",
    "summary",
}


@pytest.mark.parametrize(
    ("app", "arguments"),
    [
        (score.app, [*SYSTEMS, *PEOPLE, *MORE, *METRIC, "--explain", "3", "--per-segment"]),
        (compare.app, [*SYSTEMS, *MORE, "-m", "bleu", "-m", "cer:readings=ko"]),
        (compare.app, [*SYSTEMS, "-m", "cer", "--baseline", "하나", "--fail-below", "cer=.01", "--markdown", "-"]),
        (compare.app, [*SYSTEMS, "-m", "cer", "--baseline", "하나", "--fail-below", "cer=.01", "--latex", "-"]),
    ],
)
def test_korean_terminal(app, arguments, pages):
    """Verdict, tables and notes; signatures, names of metrics and options, and places in files are as they are."""
    pages(score.app, *SYSTEMS, "-m", "bleu")  # makes the data
    result = CliRunner().invoke(app, ["-d", "자료.jsonl", *arguments, "--language", "ko"])
    assert result.exit_code in (0, 1), result.output
    signature = r"^(- )?%? ?\w+\\?\|nrefs|\\texttt\{\w+\\textbar"
    lines = [line for line in result.output.splitlines() if not re.search(signature, line)]
    words = set(re.findall("[A-Za-z_]{2,}", re.sub(rf"\\\w+(\{{\w+\}})*|{DIGEST}", "", "\n".join(lines))))
    assert words <= NAMES | OPTIONS | PLACES, words
    english = CliRunner().invoke(app, ["-d", "자료.jsonl", *arguments])
    assert sorted(re.findall(r"\d+\.\d{4}", english.output)) == sorted(re.findall(r"\d+\.\d{4}", result.output))


def test_errors_are_begun_in_korean():
    result = CliRunner().invoke(score.app, ["-d", "없음.jsonl", "--prediction-column", "x", "--language", "ko"])
    assert result.exit_code == 2 and result.stderr.startswith("오류: ")
    assert CliRunner().invoke(score.app, ["--language", "de"]).exit_code == 2


def test_korean_static_page(name):
    """What Python writes into it; the metric's own keys, titles of examples and messages are as they are."""
    metric = load(name)
    session = Session(metric)
    examples = json.loads((ROOT / "spaces" / name / "examples.json").read_text(encoding="utf-8"))
    for example in examples:
        shown = session.example(example)
        keys = {*json.loads(shown["scored"]["json"]), *metric.OPTIONS}
        inside = set(re.findall("[A-Za-z]+(?:_[A-Za-z0-9]+)*", str([shown["rows"], example, "nan inf"])))
        for html_of in ([shown["scored"]["html"]], shown["explanations"]):
            for both in html_of:
                assert words_of(both["ko"].replace("this metric has no explanation", "")) <= keys | inside
                assert "lower is better" not in both["ko"]


def test_help_of_every_option_is_there_in_korean(name):
    """A new option needs its line in programs/page/help_ko.json: of its metric, or common where several say it."""
    table = korean_help()
    for option in load(name).OPTIONS:
        lines = [table[where][option] for where in (name, COMMON) if option in table.get(where, {})]
        assert lines, f"{name}: {option} has no Korean help; add it to textgauge/programs/page/help_ko.json"
        assert re.search("[가-힣]", lines[0])
        known = names_in(load(name).OPTIONS[option].help) | {option, "TODO"}
        strange = [word for word in names_in(lines[0]) if not any(other.startswith(word) for other in known)]
        assert not strange, (name, option, strange)


def names_in(text):
    """Returns the Latin names and the numbers of a text."""
    return set(re.findall(r"[A-Za-z_]{2,}|\d+", text))


def test_no_option_has_the_korean_help_of_another(name):
    options, table = load(name).OPTIONS, korean_help()
    lines = {option: table.get(name, {}).get(option) or table[COMMON][option] for option in options}
    same = [pair for pair in itertools.combinations(options, 2) if lines[pair[0]] == lines[pair[1]]]
    assert not [pair for pair in same if options[pair[0]].help != options[pair[1]].help]


def test_help_in_korean_belongs_to_an_option():
    """A common line stands for options that say the same in English, of several metrics."""
    table = korean_help()
    options = {name: load(name).OPTIONS for name in METRICS}
    assert {name for name in table if name not in options} == {COMMON}
    for name in table.keys() & options.keys():
        assert not set(table[name]) - set(options[name]), name
    for option in table[COMMON]:
        users = [name for name in METRICS if option in options[name] and option not in table.get(name, {})]
        assert len(users) > 1 and len({options[name][option].help for name in users}) == 1, (option, users)


def test_no_text_of_an_option_is_typed_twice():
    """In Korean in one file, and in English in what is passed to the functions that make options."""
    lines = json.loads((ROOT / "textgauge/programs/page/help_ko.json").read_text(encoding="utf-8"))
    typed = [text for of_metric in lines.values() for text in of_metric.values() if " " in text]
    makers = {"Option", "Argument", "option", "own", "of_preset", "ngram_counts", "choice", "flag", "count", "number"}
    makers |= {"mapping", "_replace"}
    for path in itertools.chain.from_iterable((ROOT / room).rglob("*.py") for room in ("metrics", "textgauge")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in makers:
                values = [*node.args, *(keyword.value for keyword in node.keywords)]
                typed += [value.value for value in values if isinstance(value, ast.Constant)]
    texts = [text for text in typed if isinstance(text, str) and text.count(" ") > 2]
    assert len(texts) > 200
    assert [text for text, times in Counter(texts).items() if times > 1] == []
