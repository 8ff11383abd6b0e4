"""The page served from this machine, and the Space of gradio, in a real Chromium: score, bad input, languages, screens.

Skipped where selenium or a browser is missing, and the Space where gradio is; Debian has the packages chromium and
chromium-driver. Pictures are kept in the folder that SCREENSHOTS names.
"""

import contextlib
import functools
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import pytest
from browsing import wait_for
from conftest import ROOT

from lab.screenshots import keep_picture, open_browser, why_not
from textgauge.programs.app.server import PageServer

pytest.importorskip("selenium", reason="pip install -r requirements-app.txt")

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of selenium
]
WAIT = 120  # seconds, on a slow machine
SPACE = """
import functools, textgauge
if __name__ == "__main__":
    from textgauge.programs.app.space import launch
    name = "weighted_bleu"
    launch(functools.partial(textgauge.load, name), textgauge.CARDS / name, server_name="127.0.0.1", server_port=PORT)
"""


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


def severe(driver):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def asked_of(driver):
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


@pytest.fixture(scope="module")
def served():
    with PageServer("weighted_bleu") as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_served_here(served, browse, width, tmp_path):
    """It scores, explains, says what is wrong, takes a file, speaks both languages, and asks nobody else."""
    driver = browse(served, width)
    wait_for(driver, "state.isReady")
    before = driver.execute_script("return state.scored.json")
    driver.execute_async_script("score().then(arguments[0])")
    assert driver.execute_script("return state.example === null && state.scored.json") == before
    assert "말씀해" in driver.execute_script("return page.explanation.innerText")
    driver.execute_async_script("explain(2).then(arguments[0])")
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    driver.execute_script("state.rows[0].pop()")
    driver.execute_async_script("score().then(arguments[0])")
    assert "row 1 has 1 cells" in driver.execute_script("return page.error.innerText")
    (tmp_path / "a.csv").write_text("prediction,reference\n가 나,가 다\n라,라\n", encoding="utf-8")
    driver.execute_script("state.rows[0].push('');page.file.closest('details').open = true")
    driver.find_element(By.ID, "file").send_keys(str(tmp_path / "a.csv"))
    wait_for(driver, "state.rows.length === 2 && state.rows[1][0] === '라'")
    driver.find_element(By.ID, "language").click()
    assert "이 페이지를 제공하는 기기에서" in driver.execute_script("return document.body.innerText")
    assert [url for url in asked_of(driver) if not url.startswith((served, "data:", "blob:"))] == []
    assert not severe(driver)
    keep_picture(driver, "served")


def test_a_server_that_no_longer_answers(browse):
    with PageServer("cer") as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        driver = browse(server.address, 1280)
        wait_for(driver, "state.isReady")
        server.shutdown()
        thread.join()
    driver.execute_script("score().catch(() => {})")
    wait_for(driver, "state.message === 'failed'", check=False)
    assert driver.find_element(By.ID, "retry").is_displayed()


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    """Starts the Space of a metric, and returns its address."""
    pytest.importorskip("gradio", reason="pip install -r requirements-app.txt")
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("space")
    (folder / "app.py").write_text(SPACE.replace("PORT", str(port)), encoding="utf-8")
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        command = [sys.executable, str(folder / "app.py")]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT)
    address = f"http://127.0.0.1:{port}/"
    end = time.monotonic() + WAIT
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=WAIT).close()
            break
        time.sleep(0.5)
    assert process.poll() is None, (folder / "log.txt").read_text(encoding="utf-8")
    yield address
    process.terminate()
    process.wait(WAIT)


def text_of(selector, driver):
    """Returns the text of an element, or "" where there is none, also while the page replaces it."""
    return driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def wait(driver, condition):
    return WebDriverWait(driver, WAIT).until(condition)


@pytest.mark.parametrize(("width", "languages"), [(1280, "en-US,en"), (400, "ko-KR,ko")])
def test_a_space(space, browse, width, languages):
    """It scores its example, explains a segment, says what is wrong, and asks nobody else."""
    driver = browse(space, width, languages=languages)
    wait(driver, functools.partial(text_of, ".scores b"))
    wait(driver, lambda driver: "말씀해" in text_of("#explanation", driver))
    assert ("점수 계산" if languages.startswith("ko") else "Score") in text_of("#score", driver)
    assert "__i18n__" not in text_of("body", driver)
    segment = driver.find_element(By.CSS_SELECTOR, "#segment input")
    segment.send_keys(Keys.CONTROL, "a")
    segment.send_keys("99", Keys.TAB)
    wait(driver, lambda driver: "99" in text_of("#explanation", driver))
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    buttons = "[...document.querySelectorAll('button')]"
    driver.execute_script(f"{buttons}.find(button => /^(Options|옵션)/.test(button.innerText)).click()")
    order = wait(driver, lambda driver: driver.find_element(By.CSS_SELECTOR, "#option-max_order input"))
    order.send_keys(Keys.CONTROL, "a")
    order.send_keys("0", Keys.TAB)
    driver.execute_script("document.querySelector('#score').click()")
    wait(driver, lambda driver: "max_order is 0" in text_of("[role=alert]", driver))
    keep_picture(driver, "space")
    assert [url for url in asked_of(driver) if not url.startswith((space, "data:", "blob:"))] == []
    assert not severe(driver)
