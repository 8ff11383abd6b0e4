"""The published page in a real Chromium where Python cannot be loaded, as without a network.

Skipped where selenium or a browser is missing.
"""

import pytest
from conftest import ROOT

pytest.importorskip("selenium", reason="pip install -r requirements-app.txt")

from browsing import serve, wait_for
from selenium.webdriver.common.by import By

from lab.screenshots import open_browser, why_not
from textgauge.programs.publishing import assembling

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of selenium
]


def test_a_page_without_python_says_so_and_offers_to_try_again(tmp_path):
    """Nothing looks as if it could be scored; the examples stay."""
    folder = tmp_path / "cer"  # which is the name that it is loaded by
    folder.mkdir()
    assembling.assemble(ROOT, "cer", folder, "static", None, "https://there.is.no.python")
    (folder / "programs" / "page" / "worker.js").unlink()
    driver = open_browser(1280)
    try:
        with serve(folder) as (address, _):
            driver.get(address)
            wait_for(driver, "state.message === 'failed'", check=False)
            button = driver.find_element(By.ID, "score")
            assert not button.is_enabled()
            link_colour = driver.execute_script("return getComputedStyle(document.querySelector('.card a')).color")
            assert (
                button.value_of_css_property("background-color") != link_colour.replace("rgb(", "rgba(")[:-1] + ", 1)"
            )
            assert "texts cannot be scored" in driver.find_element(By.ID, "state").text
            assert driver.find_element(By.ID, "scores").text
            driver.execute_script("state.before = true")
            driver.find_element(By.ID, "retry").click()
            wait_for(driver, "!state.before && state.message === 'failed'", check=False)
            driver.execute_script("page.language.click()")
            assert driver.find_element(By.ID, "retry").text == "다시 시도"
    finally:
        driver.quit()
