"""The pages of score.py and compare.py in a real Chromium: order, search, filters, links, widths, accessibility.

Skipped where selenium or a browser is missing; Debian has the packages chromium and chromium-driver. Accessibility is
checked by axe-core where AXE_CORE names its file: `npm pack axe-core`, and axe.min.js in it.
"""

import itertools
import json
import os
from pathlib import Path

import pytest
from conftest import ROOT, write_jsonl
from typer.testing import CliRunner

pytest.importorskip("selenium", reason="pip install -r requirements-app.txt")

from browsing import faults
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from lab.screenshots import emulate, open_browser, why_not
from textgauge.programs.commands import compare, score

AXE = Path(os.environ.get("AXE_CORE", ""))
pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of selenium
]
WIDTHS = (1280, 400)
SAMPLE = (ROOT / "scripts/data/es_ko_sample.jsonl").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def driver():
    driver = open_browser(1280)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Makes a report and a comparison of the same twelve segments, with groups, sources, names and people."""
    folder = tmp_path_factory.mktemp("pages")
    rows = [json.loads(line) for line in SAMPLE]
    rows = [{**row, "domain": "가나"[n % 2], "es": f"fuente {n}"} for n, row in enumerate(rows[:12])]
    data = write_jsonl(folder / "data.jsonl", *rows)
    systems = ["--prediction-column", "GoogleTranslate", "--prediction-column", "KakaoI"]
    given = ["-d", str(data), *systems, "--reference-column", "reference", "-m", "bleu:tokenizer=char", "-m", "cer"]
    human = [f"--human-column={name}=rank_{name}" for name in ("GoogleTranslate", "KakaoI")]
    more = [*human, "--human-lower-is-better", "-c", "ids=segment", "-c", "sources=es"]
    for app, name, arguments in ((score, "report", more), (compare, "comparison", [])):
        target = ["--html", str(folder / f"{name}.html")]
        result = CliRunner().invoke(app.app, [*given, "-g", "domain", *arguments, *target])
        assert result.exit_code == 0, result.output
    several = [
        {**json.loads(line), "domain": domain}
        for line, domain in zip(SAMPLE, itertools.cycle(["경제", "과학", "문화", "스포츠", "정치"]), strict=False)
    ]
    for row in several:  # three more systems, each worse than the one before
        row |= {f"시스템 {n}": row["KakaoI"][: -4 * n] for n in (1, 2, 3)}
    write_jsonl(data, *several)
    systems += [word for n in (1, 2, 3) for word in ("--prediction-column", f"시스템 {n}")]
    given = ["-d", str(data), *systems, *given[6:], "-g", "domain", "--html", str(folder / "several.html")]
    assert CliRunner().invoke(score.app, given).exit_code == 0
    return folder


@pytest.fixture
def opened(driver, pages):
    """Opens a page in a width and a colour scheme."""

    def open_page(name, width=1280, anchor="", **wanted):
        driver.get("about:blank")
        emulate(driver, width, **wanted)
        driver.get((pages / f"{name}.html").as_uri() + anchor)
        there = driver.find_elements(By.ID, "controls")
        WebDriverWait(driver, 20).until(lambda _: all(controls.is_displayed() for controls in there))  # is unpacked
        return driver

    return open_page


def shown(driver):
    """Returns the numbers of the segments that are to be seen, in their order."""
    articles = driver.find_elements(By.CSS_SELECTOR, "article")
    return [int(article.get_attribute("id")[8:]) for article in articles if article.is_displayed()]


def all_shown(driver):
    """Returns the same after a click on the button below the first five."""
    first = shown(driver)
    driver.execute_script("document.getElementById('more-segments').click()")
    everything = shown(driver)
    assert everything[:5] == first
    return everything


def choose(driver, name, text):
    Select(driver.find_element(By.ID, f"choose-{name}")).select_by_visible_text(text)


def test_order_search_and_filters(opened):
    driver = opened("report")
    first = all_shown(driver)
    assert sorted(first) == list(range(1, 13)) != first
    choose(driver, "order", "as in the file")
    assert shown(driver) == list(range(1, 13))
    driver.find_element(By.ID, "choose-reverse").click()
    assert shown(driver) == list(range(12, 0, -1))
    choose(driver, "group", "가")
    assert shown(driver) == list(range(11, 0, -2))
    assert driver.find_element(By.ID, "segment-count").text == "segments shown: 6 of 6"
    choose(driver, "group", "all")
    driver.find_element(By.ID, "choose-search").send_keys("FUENTE 1")
    assert shown(driver) == [12, 11, 2]
    choose(driver, "system", "KakaoI")
    names = {b.text for b in driver.find_elements(By.CSS_SELECTOR, ".of-system b") if b.is_displayed()}
    assert names == {"KakaoI"}
    assert not driver.get_log("browser")


@pytest.mark.parametrize(
    ("languages", "first"), [("ko-KR,en", "ko"), ("de,en,ko", "en"), ("de", "en"), ("fr,ko", "ko")]
)
def test_the_language_of_the_browser(opened, languages, first):
    """The first of its languages that the page has; the switch changes it, and changes it back."""
    driver = opened("report", languages=languages)
    said = {
        "en": ("segment 1", "segments shown: 5 of 12", "Scores", "order"),
        "ko": ("문장 1", "12문장 중 5문장", "점수", "순서"),
    }

    def shows(language):
        page = driver.find_element(By.TAG_NAME, "main").text.lower()
        is_here = driver.execute_script("return document.documentElement.lang") == language
        return is_here and all(text.lower() in page for text in said[language])

    assert shows(first)
    other = "ko" if first == "en" else "en"
    button = driver.find_element(By.ID, "language")
    assert button.text == {"en": "한국어", "ko": "English"}[first]
    button.click()
    assert shows(other) and len(shown(driver)) == 5
    label = driver.execute_script("return document.querySelector('nav').ariaLabel")
    assert label == {"en": "On this page", "ko": "차례"}[other]
    button.click()
    assert shows(first) and not driver.get_log("browser")


def test_more_segments_on_demand(opened):
    driver = opened("report")
    everything = all_shown(driver)
    driver.execute_script("document.getElementById('segment-list').dataset.limit = 3")
    driver.find_element(By.ID, "choose-search").send_keys("fuente 1")
    assert len(shown(driver)) == 3 and not driver.find_element(By.ID, "more-segments").is_displayed()
    driver.find_element(By.ID, "choose-search").clear()
    driver.find_element(By.ID, "choose-search").send_keys("fuente")
    assert (
        shown(driver) == everything[:3]
        and driver.find_element(By.ID, "segment-count").text == "segments shown: 3 of 12"
    )
    driver.execute_script("document.getElementById('more-segments').click()")
    assert shown(driver) == everything[:9]
    driver.execute_script(f"location.hash = '#segment-{everything[-1]}'")
    assert WebDriverWait(driver, 20).until(lambda driver: everything[-1] in shown(driver))


def test_a_metric_brings_its_marks_and_orders(opened):
    driver = opened("report")
    visible = lambda kind: any(e.is_displayed() for e in driver.find_elements(By.CSS_SELECTOR, f"article mark.{kind}"))  # noqa: E731
    labels = [option.text for option in Select(driver.find_element(By.ID, "choose-metric")).options]
    assert sorted(labels) == ["bleu char", "cer"]
    choose(driver, "metric", "cer")
    assert visible("substitute") and not visible("n4")
    by_cer = shown(driver)
    choose(driver, "metric", "bleu char")
    assert visible("n4") and not visible("substitute") and shown(driver) != by_cer


def test_links_lead_to_segments(opened):
    driver = opened("report", anchor="#segment-7")
    assert driver.execute_script("return document.querySelector('article.wanted').id") == "segment-7"
    driver.find_element(By.ID, "choose-search").send_keys("fuente 1")
    link = driver.find_element(By.CSS_SELECTOR, ".fails a[href='#segment-5'], .fails a")
    driver.execute_script("arguments[0].click()", link)
    target = link.get_attribute("href").partition("#")[2]
    assert driver.find_element(By.ID, target).is_displayed()


def unfold(driver):
    driver.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")


@pytest.mark.parametrize("name", ["report", "comparison"])
def test_first_screen(opened, name):
    """The table and the first sentence, a short one, are seen without scrolling; nothing is cut off at the side."""
    for width in WIDTHS:
        driver = opened(name, width)
        box = driver.find_element(By.CSS_SELECTOR, ".verdict")
        first = box.find_element(By.TAG_NAME, "p")
        assert driver.find_element(By.CSS_SELECTOR, ".overview").rect["y"] < first.rect["y"]
        assert first.rect["y"] + first.rect["height"] < 900
        assert first.rect["height"] <= 6.5 * float(first.value_of_css_property("line-height")[:-2])
        assert "KakaoI is better than GoogleTranslate on both metrics, but not significantly" in box.text
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        tables = (
            "return [...document.querySelectorAll('.stacked')].every(t => t.offsetWidth <= t.parentElement.clientWidth)"
        )
        assert driver.execute_script(tables)
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            Path(folder).mkdir(exist_ok=True)
            driver.get_screenshot_as_file(str(Path(folder, f"{name}_{width}.png")))


def test_kinds_and_lengths_of_segments(opened, pages):
    """Segments with a kind of error of a system, and of so many characters; a cell of the heat map asks for both."""
    driver = opened("report")
    everything = all_shown(driver)
    kinds = [option.get_attribute("value") for option in Select(driver.find_element(By.ID, "choose-kind")).options]
    assert kinds[0] == "" and "ending" in kinds
    found = {}
    for kind in kinds[1:]:
        Select(driver.find_element(By.ID, "choose-kind")).select_by_value(kind)
        found[kind] = shown(driver)
        choose(driver, "system", "KakaoI")
        assert set(shown(driver)) <= set(found[kind])
        choose(driver, "system", "all")
    assert set().union(*found.values()) == set(everything) and any(len(rows) < 12 for rows in found.values())
    unfold(driver)
    driver.find_element(By.CSS_SELECTOR, ".heat-map a[data-group='나']").click()
    assert sorted(shown(driver)) == list(range(2, 13, 2))
    lengths = {n: len(json.loads(line)["reference"]) for n, line in enumerate(SAMPLE[:12], start=1)}
    driver.find_element(By.ID, "choose-shortest").send_keys("60")
    driver.find_element(By.ID, "choose-longest").send_keys("110")
    assert sorted(shown(driver)) == [n for n, length in lengths.items() if n % 2 == 0 and 60 <= length <= 110] != []


@pytest.mark.parametrize(("width", "height"), [(1280, 920), (400, 1800)])
@pytest.mark.parametrize("languages", ["en", "ko"])
def test_five_systems_by_two_scores_in_five_groups(opened, languages, width, height):
    """Which is best, by which score, and is it significant: in the first screen, or the first two of a phone."""
    driver = opened("several", width, languages=languages)
    maps = driver.find_elements(By.CSS_SELECTOR, ".standing, .heat-map")
    assert len(maps) == 4
    for table in maps:
        assert table.rect["y"] + table.rect["height"] <= height
        assert table.rect["x"] >= 0 and table.rect["x"] + table.rect["width"] <= width
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width


LONG_NAMES = [
    "meta-llama/Meta-Llama-3.1-8B-Instruct",
    "meta-llama/Meta-Llama-3.1-70B-Instruct",
    "mistralai/Mistral-Small-24B-Instruct-2501",
    "한국어번역모델대형이천이십오년판미세조정최종본",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOP",
]
# what is drawn of a cell, and its box
BOXES = """
return [...document.querySelectorAll(arguments[0])].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell.querySelector("span:not(.unseen)") ?? cell);
  const drawn = range.getBoundingClientRect(), box = cell.getBoundingClientRect();
  return [drawn.left - box.left, box.right - drawn.right, drawn.top - box.top, box.bottom - drawn.bottom];
});
"""


@pytest.fixture(scope="module")
def long_names(pages):
    """Makes a report of five systems with long names, in groups."""
    rows = []
    for number, line in enumerate(SAMPLE):
        row = json.loads(line)
        outputs = {name: row["KakaoI"][: 200 - 4 * place] for place, name in enumerate(LONG_NAMES)}
        rows.append({"reference": row["reference"], "domain": "가나"[number % 2], **outputs})
    data = write_jsonl(pages / "long.jsonl", *rows)
    systems = [word for name in LONG_NAMES for word in ("--prediction-column", name)]
    given = ["-d", str(data), *systems, "--reference-column", "reference", "-m", "bleu:tokenizer=char", "-g", "domain"]
    assert CliRunner().invoke(score.app, [*given, "--html", str(pages / "long.html")]).exit_code == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_long_names_stay_in_their_cells(opened, long_names, width):
    driver = opened("long", width)
    unfold(driver)
    cells = driver.execute_script(BOXES, ".standing .name, .standing .upright, .heat-map .name")
    assert len(cells) == 6 + 5 + 5 and all(min(gaps) > -1.5 for gaps in cells), cells
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    heads = driver.find_elements(By.CSS_SELECTOR, ".standing .upright")
    assert {head.get_attribute("title") for head in heads} == set(LONG_NAMES)
    assert len({head.find_element(By.TAG_NAME, "span").text for head in heads}) == 5
    if width > 1000:
        assert all(bar.rect["width"] > 80 for bar in driver.find_elements(By.CSS_SELECTOR, ".standing td.forest svg"))


@pytest.mark.skipif(not AXE.is_file(), reason="AXE_CORE names no file: npm pack axe-core, axe.min.js in it")
@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("languages", ["en", "ko"])
@pytest.mark.parametrize("name", ["report", "comparison", "several", "long"])
def test_accessibility(opened, long_names, name, languages, is_dark):
    for width in WIDTHS:
        driver = opened(name, width, is_dark=is_dark, languages=languages)
        assert {fault["id"]: fault["nodes"][0]["html"] for fault in faults(driver, AXE)} == {}
