"""The published page in a real Chromium, with Python in it: every metric, the keyboard, files, links, a second visit.

Skipped where a browser is missing, or Python for it: PYODIDE names a folder with the files that
programs/page/runtime.py lists. AXE_CORE names the file that checks accessibility, as in test_report_browser.py, and
SCREENSHOTS a folder for pictures.
"""

import functools
import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from browsing import ask, faults, serve, wait_for
from conftest import load
from typer.testing import CliRunner

import publish
from lab.screenshots import keep_picture, open_browser, why_not
from textgauge.programs.page import runtime
from textgauge.programs.reporting.app_links import segment_address

pytest.importorskip("selenium", reason="pip install -r requirements-app.txt")

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PYODIDE = Path(os.environ.get("PYODIDE", ""))
AXE = Path(os.environ.get("AXE_CORE", ""))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.skipif(not os.environ.get("PYODIDE"), reason=f"PYODIDE names no folder with Pyodide {runtime.VERSION}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of selenium
]
PASTE = """const clipboardData = new DataTransfer();
    clipboardData.setData("text", arguments[0]);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true });
    page.texts.querySelector("textarea").dispatchEvent(event)"""
# typed into the first cell, after what the example has there
TYPED = {"human_correlation": "1", "perplexity": ", 0.5"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Returns a folder, and what publishes a metric there with Python beside it; its checks are tested elsewhere."""
    folder = tmp_path_factory.mktemp("published") / "site"

    @functools.cache
    def publish_metric(name):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(publish, "check_folder", lambda root, folder, sdk: None)
            result = CliRunner().invoke(publish.app, [name, "--to", str(folder), "--runtime", str(PYODIDE)])
        assert result.exit_code == 0, result.output

    return folder, publish_metric


@pytest.fixture(scope="module")
def served(site):
    site[0].mkdir()
    with serve(site[0]) as (address, sent):
        yield address, sent


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return str(tmp_path_factory.mktemp("profile"))


@pytest.fixture
def browse(profile, served, site):
    """Opens the page of a metric; what one page keeps is there for the next."""
    drivers = []

    def open_page(name, width=1280, is_ready=True, **options):
        site[1](name)
        drivers.append(open_browser(width, **{"profile": profile, **options}))
        drivers[-1].get(f"{served[0]}{name}/")
        if is_ready:
            wait_for(drivers[-1], "state.isReady")
        return drivers[-1]

    yield open_page
    for driver in drivers:
        driver.quit()


def text_of(driver, name):
    return driver.execute_script("return page[arguments[0]].innerText", name)


def press_score(driver):
    """Presses the button by the keyboard, and waits until the scores are there, or a message."""
    driver.execute_script("page.score.focus()")
    driver.execute_script("state.message = ''")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(driver, "state.message === 'ready'")


def severe(driver):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def test_every_metric(name, browse, served):
    """Its examples have the scores that publishing gave them, what is typed changes them, and nobody is asked."""
    driver = browse(name)
    count = driver.execute_script("return data.examples.length")
    for index in range(count):
        driver.execute_script("page.example.value = arguments[0]; showExample(arguments[0])", index)
        before = driver.execute_script("return state.scored")
        press_score(driver)
        assert not text_of(driver, "error")
        after = driver.execute_script("return state.example === null && state.scored")
        assert after["html"] == before["html"] and after["json"] == before["json"]
    cell = driver.find_element(By.CSS_SELECTOR, "#texts textarea")
    cell.send_keys(Keys.END, TYPED.get(name, " 새 words and some more of them"))
    press_score(driver)
    assert not text_of(driver, "error")
    assert driver.execute_script("return state.scored.json") != after["json"]
    assert text_of(driver, "explanation") or name == "human_correlation"
    log = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    sent = [m["params"] for m in log if m["method"] == "Network.requestWillBeSent"]
    asked = [request["request"]["url"] for request in sent if request.get("documentURL", "").startswith(served[0])]
    assert asked and [url for url in asked if not url.startswith((served[0], "data:", "blob:"))] == []
    assert not severe(driver)


def test_a_second_visit_loads_the_page_alone(browse, served, tmp_path):
    """The first one loads less than 10 MB, with WordNet."""
    sizes = []
    for _ in range(2):
        served[1].clear()
        driver = browse("meteor", profile=str(tmp_path))
        press_score(driver)
        assert "0.6789" in text_of(driver, "scores")
        sizes.append(sum(count for _, count in served[1]))
        driver.quit()
    assert 8e6 < sizes[0] < 10e6 and sizes[1] < 1e5
    assert {name for name, _ in served[1]} <= {"index.html", "page.js", "worker.js"}


KEPT = """(async (done) => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    done((await Promise.all(stores.map((store) => store.keys()))).flat().map(({ url }) => url));
})(...arguments)"""


def test_what_an_earlier_version_left_is_removed(browse, site, tmp_path):
    """After publishing again only what changed is loaded, and each file is kept once; other pages keep theirs."""
    for name in ("cer", "wer"):
        site[1](name)
        shutil.copytree(site[0] / name, tmp_path / name)
    shutil.copytree(site[0] / "runtime", tmp_path / "runtime")
    with serve(tmp_path) as (address, sent):
        driver = browse("cer", is_ready=False, profile="")
        for name in ("wer", "cer"):
            driver.get(f"{address}{name}/")
            wait_for(driver, "state.isReady")
        count = driver.execute_script("return data.start.files.length")
        before = driver.execute_async_script(KEPT)
        assert len([url for url in before if "/cer/" in url]) == count
        script, page = tmp_path / "cer" / "cer.py", tmp_path / "cer" / "index.html"
        old = script.read_bytes()
        script.write_bytes(old + b"# new")
        sums = [hashlib.sha256(text).hexdigest() for text in (old, old + b"# new")]
        page.write_text(page.read_text("utf-8").replace(*sums), "utf-8")
        sent.clear()
        driver.refresh()
        wait_for(driver, "state.isReady")
        assert {name for name, _ in sent} - {"index.html", "page.js", "worker.js"} == {"cer.py"}
        after = driver.execute_async_script(KEPT)
        assert set(after) == {url.replace(*sums) for url in before} and len(after) == len(before)
        press_score(driver)
        assert "0.1154" in text_of(driver, "scores")


def test_options_errors_segments_and_files(browse, tmp_path):
    driver = browse("bleu")
    press_score(driver)
    driver.find_element(By.CSS_SELECTOR, "#segments button[aria-label$=' 2']").click()
    wait_for(driver, "page.explanation.innerText.includes('개')")
    assert driver.find_element(By.CSS_SELECTOR, "#segments [aria-pressed=true]").text == "2"
    missing = driver.find_elements(By.CSS_SELECTOR, "#option-tokenizer option:disabled")
    assert {option.get_attribute("value") for option in missing} == {"kiwi", "mecab", "content", "content-mecab"}
    driver.execute_script("page.options.parentElement.open = true")
    field = driver.find_element(By.ID, "option-max_order")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("0")
    press_score(driver)
    assert text_of(driver, "error") == "Please check the input: max_order is 0; pass an integer from 1 to 999"
    assert not driver.find_element(By.ID, "result").is_displayed()
    keep_picture(driver, "error")
    field.send_keys(Keys.BACKSPACE, "2")
    assert "max_order=2" in text_of(driver, "given")
    press_score(driver)
    assert "order:2" in text_of(driver, "scores") and not text_of(driver, "error")
    (tmp_path / "a.csv").write_text("prediction,reference\n가 나,가 다\n라,라\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x\n1\n", encoding="utf-8")
    driver.execute_script("page.file.closest('details').open = true")
    driver.find_element(By.ID, "file").send_keys(str(tmp_path / "a.csv"))
    wait_for(driver, "state.rows.length === 2 && state.rows[1][0] === '라'")
    driver.find_element(By.ID, "file").send_keys(str(tmp_path / "b.csv"))
    wait_for(driver, "page.error.innerText.includes(\"b.csv has no column 'predictions'; it has x\")")


def test_pasted_cells_and_more_rows_than_are_shown(browse):
    """A table from a spreadsheet fills cells; Python gets all rows, also those that wait to be shown."""
    driver = browse("cer", is_ready=False)
    lines = "\n".join(f"가{number}\t가" for number in range(120))
    driver.execute_script(PASTE, lines)
    assert driver.execute_script("return [state.rows.length, page.texts.querySelectorAll('textarea').length]") == [
        120,
        100,
    ]
    driver.find_element(By.ID, "more_rows").click()
    assert driver.execute_script("return page.texts.querySelectorAll('textarea').length") == 200
    # typed and wanted before Python is there: scored as soon as it is
    driver.find_element(By.ID, "score").click()
    wait_for(driver, "state.scored?.count === 120")


def test_a_link_holds_the_input(browse, served):
    driver = browse("weighted_bleu")
    driver.find_element(By.CSS_SELECTOR, "#texts textarea").send_keys(" 링크")
    press_score(driver)
    wanted = driver.execute_script("return state.scored.json")
    driver.find_element(By.ID, "share").click()
    wait_for(driver, "location.hash.length > 1")
    link = driver.current_url
    assert "%" not in link.partition("#")[2] and len(link) < 2000
    other = browse("weighted_bleu", is_ready=False, profile="")
    other.get(link)
    other.refresh()
    wait_for(other, "state.isReady && state.scored")
    assert other.execute_script("return state.scored.json") == wanted
    other.get(f"{served[0]}weighted_bleu/#nonsense")
    wait_for(other, "page.error.innerText.includes('The link cannot be read')")


def test_a_link_of_a_report_opens_its_segment(browse, served):
    columns = {"predictions": ["가 나", "고양이가 잔다"], "references": [["가 나"], ["고양이가 방에서 잔다", "개"]]}
    metric, options = load("bleu"), {"tokenizer": "char", "smooth": "exp", "confidence": 0.9}
    driver = browse("bleu", is_ready=False)
    driver.get(segment_address(served[0], metric, options, columns, 1))
    wait_for(driver, "state.isReady && state.scored && state.example === null")
    segment = {name: values[1:] for name, values in columns.items()}
    wanted = metric.compute(**segment, tokenizer="char", smooth="exp")["bleu"]
    assert json.loads(driver.execute_script("return state.scored.json"))["bleu"] == pytest.approx(wanted)


def press(driver, *keys):
    """Presses keys where the focus is; returns what has it then: its id, or what a screen reader says of it."""
    driver.switch_to.active_element.send_keys(*keys)
    found = "const { id, ariaLabel, textContent } = document.activeElement; return id || ariaLabel || textContent"
    return driver.execute_script(found)


def test_by_keyboard_alone(browse):
    """The tabulator reaches all there is, in the order of the page, and nothing that is done loses the focus."""
    driver = browse("cer")
    reached = [press(driver, Keys.TAB)]
    while reached[-1] != "Explain segment 2":
        reached.append(press(driver, Keys.TAB))
    cells = [f"{column}, row {row}" for row in (1, 2, 3) for column in ("prediction", "reference")]
    after = ["json", "csv", "share", "Options", "Files"]
    wanted = ["language", "example", *cells, "score", "add_row", "widen", "clear", *after]
    assert reached[: len(wanted)] == wanted
    assert press(driver, Keys.ENTER) == "Explain segment 2"
    wait_for(driver, "page.explanation.innerText.includes('고양이')")
    driver.execute_script("page.add_row.focus()")
    assert press(driver, Keys.ENTER) == "prediction, row 4"
    driver.execute_script(
        "state.rows = Array.from({ length: 120 }, () => ['가', '나']); showTexts(); page.score.focus()"
    )
    press_score(driver)
    driver.execute_script("page.more_rows.focus()")
    assert press(driver, Keys.ENTER) == "prediction, row 51"
    driver.execute_script("page.more_segments.focus()")
    assert press(driver, Keys.ENTER) == "Explain segment 51"
    driver.execute_script("page.language.focus()")
    assert press(driver, Keys.ENTER) == "language" and text_of(driver, "score") == "점수 계산"


@pytest.mark.parametrize("name", ["bleu", "cer", "meteor", "human_correlation"])
@pytest.mark.parametrize(("width", "is_dark"), [(1280, False), (1280, True), (400, False), (400, True)])
def test_fits_the_screen(name, width, is_dark, browse):
    """Nothing is wider than the page; dark where the reader wants it; labels in Korean at the press of a button."""
    driver = browse(name, width, is_ready=False, is_dark=is_dark)
    check_accessibility(driver)
    texts, result, options = (driver.find_element(By.CSS_SELECTOR, at).rect for at in ("#texts", "#result", "#given"))
    is_beside = result["x"] > texts["x"] + texts["width"] and abs(result["y"] - texts["y"]) < 80
    assert is_beside if width > 400 else texts["y"] < result["y"] < options["y"]
    assert driver.execute_script("return getComputedStyle(document.querySelector('.card[lang=ko]')).display") == "none"
    wait_for(driver, "state.isReady")
    press_score(driver)
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    background = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(20, 24, 29)" if is_dark else "rgb(255, 255, 255)")
    if is_dark:
        driver.find_element(By.ID, "language").click()
        assert text_of(driver, "score") == "점수 계산" and "브라우저 밖으로" in driver.page_source
        assert driver.execute_script("return document.documentElement.lang") == "ko"
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    driver.execute_script("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    check_accessibility(driver)
    keep_picture(driver, f"{name}-{'dark' if is_dark else 'light'}", highest=2600)


def check_accessibility(driver):
    """Where AXE_CORE names axe.min.js: no fault of any weight."""
    if AXE.is_file():
        found = faults(driver, AXE)
        assert {fault["id"]: fault["nodes"][0]["html"] for fault in found} == {}


def test_another_file_than_the_page_was_made_with_is_refused(site, tmp_path, browse):
    """The examples stay, which need no Python."""
    site[1]("cer")
    shutil.copytree(site[0] / "cer", tmp_path / "cer")
    shutil.copytree(site[0] / "runtime", tmp_path / "runtime")
    with open(tmp_path / "runtime" / "python_stdlib.zip", "r+b") as file:
        file.write(b"XX")
    with serve(tmp_path) as (address, _):
        driver = browse("cer", is_ready=False, profile="")
        driver.get(f"{address}cer/")
        wait_for(driver, "state.message === 'failed'", check=False)
        assert "0.1154" in text_of(driver, "scores")
        assert "python_stdlib.zip is not the file that this page was made with" in str(severe(driver))


def held(driver):
    """Returns the bytes of Python's memory, and how many nodes the page holds."""
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    nodes = driver.execute_cdp_cmd("Memory.getDOMCounters", {})["nodes"]
    return driver.execute_script("return state.memory"), nodes


def test_many_computations_hold_no_more_memory(browse):
    driver = browse("bleu")
    found = []
    for count in (20, 60):
        for _ in range(count):
            driver.execute_async_script("score().then(arguments[0])")
        found.append(held(driver))
    assert found[0][0] == found[1][0]
    assert found[1][1] - found[0][1] < 60  # less than a node for each computation
    question = driver.execute_script("return state.asked")
    assert ask(driver, do="explain", number=1, **question)["html"]
