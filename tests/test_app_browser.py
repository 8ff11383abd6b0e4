"""The app in a real Chromium: an example, an option, bad input, the keyboard, a narrow screen, nothing from elsewhere.

Skipped where gradio, selenium or a browser is missing; Debian has the packages chromium and chromium-driver. Pictures
are kept in the folder that SCREENSHOTS names.
"""

import functools
import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from browsing import faults
from conftest import ROOT

from lab.screenshots import keep_picture, open_browser, why_not

selenium = pytest.importorskip("selenium", reason="pip install -r requirements-app.txt")
pytest.importorskip("gradio", reason="pip install -r requirements-app.txt")

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

AXE = Path(os.environ.get("AXE_CORE", ""))
pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of selenium
]
START = 120  # seconds, on a slow machine
WAIT = 60


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """Starts the app of a metric, and returns its address."""
    running = []

    @functools.cache
    def start(name):
        log = tmp_path_factory.mktemp("app") / "log.txt"
        with open(log, "w") as file:
            env = {**os.environ, "PYTHONUNBUFFERED": "1", "GRADIO_SERVER_NAME": "127.0.0.1"}
            command = [sys.executable, str(ROOT / "scripts" / "app.py"), "--metric", name]
            running.append(subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=env))
        end = time.monotonic() + START
        while time.monotonic() < end:
            found = [line.split()[-1] for line in log.read_text().splitlines() if "http://127.0.0.1" in line]
            if found:
                urllib.request.urlopen(found[0], timeout=WAIT).close()
                return found[0]
            assert running[-1].poll() is None, log.read_text()
            time.sleep(0.2)
        raise AssertionError(log.read_text())

    yield start
    for process in running:
        process.terminate()
        process.wait(WAIT)


@pytest.fixture
def browse():
    """Opens an address in a window of a size."""
    drivers = []

    def open_page(address, width, **options):
        drivers.append(open_browser(width, **options))
        drivers[-1].get(address)
        return drivers[-1]

    yield open_page
    for driver in drivers:
        driver.quit()


def wait(driver, condition):
    return WebDriverWait(driver, WAIT).until(condition)


def text_of(driver, selector):
    """Returns the text of an element, or "" where there is none, also while the page replaces it."""
    return driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def score_of(driver):
    """Returns the first score, once it is there."""
    return float(wait(driver, lambda driver: text_of(driver, ".scores b")))


def click(driver, xpath):
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", driver.find_element(By.XPATH, xpath))
    wait(driver, lambda driver: driver.find_element(By.XPATH, xpath)).click()


def open_options(driver):
    """Unfolds the options."""
    click(driver, "//button[contains(., 'Options')]")
    wait(driver, lambda driver: driver.find_elements(By.CSS_SELECTOR, "[id^=option-]"))


def examples(name):
    return json.loads((ROOT / "spaces" / name / "examples.json").read_text(encoding="utf-8"))


def test_weighted_bleu(serve, browse):
    """An example, another one, an option, bad input, and good input again."""
    page = browse(serve("weighted_bleu"), 1280)
    first = score_of(page)
    assert "시폰지" in text_of(page, "#texts") and "weights:table(3," in text_of(page, ".signature")
    click(page, f"//label[contains(., '{examples('weighted_bleu')[1]['title']}')]")
    wait(page, lambda page: score_of(page) != first)
    assert "−1.6" in text_of(page, "#explanation")
    second = score_of(page)
    assert "weights=" in text_of(page, "#given")
    open_options(page)
    control = page.find_element(By.CSS_SELECTOR, "#option-negative input")
    control.click()
    control.send_keys(Keys.ARROW_UP, Keys.ENTER)
    page.find_element(By.ID, "score").click()
    wait(page, lambda page: score_of(page) != second)
    assert "neg:literal" in text_of(page, ".signature")
    order = page.find_element(By.CSS_SELECTOR, "#option-max_order input")
    order.send_keys(Keys.CONTROL, "a")
    order.send_keys("0", Keys.TAB)
    page.find_element(By.ID, "score").click()
    wait(page, lambda page: "max_order is 0; pass an integer from 1 to 999" in text_of(page, "[role=alert]"))
    assert "Traceback" not in page.page_source and not text_of(page, ".scores")
    assert keep_picture(page, "bad-input").startswith(b"\x89PNG")
    order.send_keys(Keys.CONTROL, "a")
    order.send_keys("2", Keys.TAB)
    page.find_element(By.ID, "score").click()
    wait(page, lambda page: text_of(page, ".scores b"))
    wait(page, lambda page: not text_of(page, "[role=alert]"))
    severe = [entry["message"] for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert not severe


def test_edited_text_and_the_keyboard(serve, browse):
    """A cell is changed, the button pressed and another segment chosen without a mouse."""
    page = browse(serve("cer"), 1280)
    before = score_of(page)
    cell = page.find_element(By.CSS_SELECTOR, "#texts [data-testid='cell-0-0']")
    cell.click()
    cell.send_keys(Keys.ENTER)
    field = wait(
        page, lambda page: page.find_element(By.CSS_SELECTOR, "#texts textarea, #texts [data-testid='cell-0-0'] input")
    )
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("회의는 3시에 시작합니다.", Keys.TAB)
    button = page.find_element(By.ID, "score")
    page.execute_script("arguments[0].focus()", button)
    button.send_keys(Keys.ENTER)
    wait(page, lambda page: score_of(page) < before)
    segment = page.find_element(By.CSS_SELECTOR, "#segment input")
    segment.send_keys(Keys.CONTROL, "a")
    segment.send_keys("3", Keys.TAB)
    wait(page, lambda page: "닭" in text_of(page, "#explanation"))


def test_columns_of_the_table_stay(serve, browse):
    """The menu of a cell inserts and deletes rows, but no columns, which are known by their position."""
    page = browse(serve("weighted_bleu"), 1280)
    score_of(page)
    for cells in (2, 3):
        cell = page.find_element(By.CSS_SELECTOR, f"#texts [data-testid='cell-0-{cells - 1}']")
        webdriver.ActionChains(page).context_click(cell).perform()
        menu = wait(page, lambda page: text_of(page, ".cell-menu"))
        assert "row" in menu and "column" not in menu
        click(page, "//button[contains(., 'Add a column of references')]")
        wait(page, lambda page, last=cells: page.find_elements(By.CSS_SELECTOR, f"[data-testid='cell-0-{last}']"))


@pytest.mark.parametrize("width", [1280, 400])
def test_scores_against_those_of_people(serve, browse, width):
    """Both pictures fit the page and have their colours; where no segment has a score, there is nothing to explain."""
    page = browse(serve("human_correlation"), width)
    score_of(page)
    wide = "return [...document.querySelectorAll('.scatter svg')].map(svg => svg.getBoundingClientRect().width)"
    assert len(page.execute_script(wide)) == 2 and all(200 < found < width for found in page.execute_script(wide))
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    fill = "return getComputedStyle(document.querySelector('.scatter path[style*=series]')).fill"
    assert page.execute_script(fill) not in ("rgb(0, 0, 0)", "none")
    assert not page.find_elements(By.CSS_SELECTOR, "#segment, #segments")
    keep_picture(page, "human_correlation")


@pytest.mark.parametrize("width", [1280, 400])
def test_fits_the_screen_and_asks_nobody(serve, browse, width):
    """Nothing is wider than the page, and every request goes to the app itself."""
    address = serve("weighted_bleu")
    page = browse(address, width)
    score_of(page)
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert asked and all(url.startswith((address, "data:", "blob:")) for url in asked)
    colours = page.execute_script("return getComputedStyle(document.querySelector('.drawing mark')).backgroundColor")
    assert colours not in ("rgba(0, 0, 0, 0)", "")
    keep_picture(page, "weighted_bleu")


def test_an_example_brings_its_columns(serve, browse):
    """One with fewer references than the one before it leaves no empty column behind."""
    driver = browse(serve("meteor"), 1280)
    headings = "return [...document.querySelectorAll('#texts .header-cell')].map(cell => cell.innerText.trim())"
    wait(driver, lambda driver: len([name for name in driver.execute_script(headings) if name]) == 3)
    click(driver, "//label[contains(., '한국어')]")
    wait(driver, lambda driver: "고양이가" in text_of(driver, "#texts"))
    assert [name for name in driver.execute_script(headings) if name] == ["prediction", "reference"]


def test_numbers_that_are_not_set_stay_so(serve, browse):
    """An empty number field of gradio gives 0 back: METEOR's alpha must be the preset's."""
    driver = browse(serve("meteor"), 1280)
    before = score_of(driver)
    open_options(driver)
    click(driver, "//button[@id='score']")
    wait(driver, lambda driver: "alpha:0.9|" in text_of(driver, ".signature").replace("\n", ""))
    assert score_of(driver) == before
    field = wait(driver, lambda driver: driver.find_element(By.CSS_SELECTOR, "#option-alpha :is(input, textarea)"))
    assert field.get_attribute("placeholder") == "not set"
    field.send_keys("0.5")
    click(driver, "//button[@id='score']")
    wait(driver, lambda driver: "alpha:0.5|" in text_of(driver, ".signature").replace("\n", ""))


def test_labels_in_the_language_of_the_browser(serve, browse):
    """Labels and help by the browser, answers and headings by the app; nothing is left to be filled in."""
    page = browse(serve("cer"), 1280, languages="ko-KR,ko,en")
    score_of(page)
    said = wait(page, lambda page: "예측" in text_of(page, "#texts") and text_of(page, "body"))
    for text in (
        "점수 계산",
        "기본값과 다른 옵션: confidence=0.95",
        "여러 공개 관례",
        "낮을수록 좋음",
        "설명할 문장(1에서 3까지)",
        "예측문",
    ):
        assert text in said, text
    assert "lower is better" not in said and "__i18n__" not in said


@pytest.mark.skipif(not AXE.is_file(), reason="AXE_CORE names no file: npm pack axe-core, axe.min.js in it")
@pytest.mark.parametrize(("width", "mode"), [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")])
def test_accessibility(serve, browse, width, mode):
    """No serious fault; the empty heading above the numbers of rows is gradio's own."""
    driver = browse(f"{serve('weighted_bleu')}?__theme={mode}", width)
    score_of(driver)
    found = [fault for fault in faults(driver, AXE) if fault["impact"] in ("serious", "critical")]
    assert {fault["id"]: fault["nodes"][0]["html"] for fault in found} == {}


@pytest.mark.parametrize("width", [1280, 400])
def test_tables_fill_their_place(serve, browse, width):
    driver = browse(serve("cer"), width)
    score_of(driver)
    parts = "[wrap, wrap.querySelector('.body-cell:last-child'), wrap.querySelector('th:last-child')]"
    ends = f"{parts}.map(part => part.getBoundingClientRect().right)"
    ends = f"return [...document.querySelectorAll('.table-wrap')].map(wrap => {ends})"
    for wrap, cell, head in wait(driver, lambda driver: driver.execute_script(ends)):
        assert wrap - 8 <= cell <= wrap and wrap - 8 <= head <= wrap
