"""Takes pictures of pages in a real Chromium, and prints their heights; tests open their pages with it too.

python -m lab.screenshots report.html http://localhost:8000/bleu/ --to pictures
"""

import os
import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-quic"),
)
_LANGUAGES = "en-US,en"
_WIDTHS = (1280, 390)


def main(
    pages: Annotated[list[str], typer.Argument(help="HTML files or addresses.")],
    to: Annotated[Path, typer.Option(help="Folder for the pictures.")] = Path("pictures"),
) -> None:
    """Takes a picture of each page on a wide screen and on a telephone's, and prints how high the page is there."""
    if missing := why_not():
        raise typer.BadParameter(missing)
    os.environ["SCREENSHOTS"] = str(to)
    for width in _WIDTHS:
        driver = open_browser(width)
        for page in pages:
            driver.get(page if "://" in page else Path(page).resolve().as_uri())
            typer.echo(f"{page}: {size_of(driver)[1]} pixels high at a width of {width}")
            keep_picture(driver, Path(page).stem)
        driver.quit()


def why_not() -> str:
    """Returns what is missing for a browser, or nothing."""
    missing = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    return f"no {missing[0]}: apt-get install chromium chromium-driver" if missing else ""


def open_browser(width: int, profile: str = "", is_dark: bool = False, languages: str = _LANGUAGES) -> Any:
    """Opens a window of a width; a profile is a folder that keeps what pages keep."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    flags = [*FLAGS, f"--window-size={width},900", *([f"--user-data-dir={profile}"] if profile else [])]
    for flag in flags:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_script_timeout(300)
    emulate(driver, width, is_dark, languages)
    return driver


def emulate(driver: Any, width: int, is_dark: bool = False, languages: str = _LANGUAGES) -> None:
    """Gives pages a screen of a width, a colour scheme, and languages that their reader wants."""
    resize(driver, width, 900)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    agent = {"userAgent": driver.execute_script("return navigator.userAgent"), "acceptLanguage": languages}
    driver.execute_cdp_cmd("Emulation.setUserAgentOverride", agent)


def resize(driver: Any, width: int, height: int) -> None:
    """Gives pages a screen of a size: a window has a least width, which the screen of a telephone has not."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def size_of(driver: Any) -> tuple[int, int]:
    """Returns the width of the screen and the height of the whole page, in pixels."""
    return tuple(driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]"))


def keep_picture(driver: Any, name: str, highest: int = 10_000) -> bytes:
    """Returns a picture of the whole page, up to a height; it is kept in the folder that SCREENSHOTS names."""
    width, height = size_of(driver)
    resize(driver, width, min(height, highest))
    picture = driver.get_screenshot_as_png()
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, f"{name}-{width}.png").write_bytes(picture)
    return picture


if __name__ == "__main__":
    typer.run(main)
