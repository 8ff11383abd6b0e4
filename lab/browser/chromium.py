"""A page in a real Chromium, for the tests."""

import contextlib
import gzip
import http.server
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-quic"),
)
_TYPES = {".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html; charset=utf-8"}
_LANGUAGES = "en-US,en"
_COMPRESSED = (".js", ".wasm", ".html", ".py", ".css", ".json")


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files as public networks do, text and WebAssembly compressed; notes what goes out."""

    protocol_version = "HTTP/1.1"
    sent: list[tuple[str, int]]

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        headers = {"Content-Type": _TYPES.get(path.suffix, "application/octet-stream")}
        if path.suffix in _COMPRESSED:
            content = gzip.compress(content, 6, mtime=0)
            headers["Content-Encoding"] = "gzip"
        self.sent.append((path.name, len(content)))
        self.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # a page that is left
            self.wfile.write(content)

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):
            super().handle()

    def log_message(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Serves a folder; yields its address, and what goes out: the name of each file and its bytes."""
    sent: list[tuple[str, int]] = []
    handler = type("Handler", (_Handler,), {"sent": sent})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: handler(*args, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", sent
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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


def keep_picture(driver: Any, name: str, highest: int = 10_000) -> bytes:
    """Takes a picture of the whole page, up to a height; it is kept in the folder that SCREENSHOTS names."""
    width, height = driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
    resize(driver, width, min(height, highest))
    picture = driver.get_screenshot_as_png()
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, f"{name}-{width}.png").write_bytes(picture)
    return picture


def faults(driver: Any, axe: Path) -> list[dict[str, Any]]:
    """Returns what is wrong with the accessibility of a page, as axe-core finds it, whose file this is."""
    driver.execute_script(axe.read_text(encoding="utf-8"))
    return driver.execute_async_script("const done = arguments[0]; axe.run().then(done)")["violations"]


def wait_for(driver: Any, condition: str, check: bool = True) -> None:
    """Waits until a condition of JavaScript holds; AssertionError with what the page says where it does not.

    Args:
        driver: of the browser.
        condition: an expression.
        check: stop as soon as the page says that it cannot load Python.
    """
    end = time.monotonic() + 90
    while not driver.execute_script(f"return Boolean({condition})"):
        shown = driver.execute_script("return document.body.innerText")
        assert time.monotonic() < end and not (check and "could not be loaded" in shown), shown[:1000]
        time.sleep(0.1)


def ask(driver: Any, **question: Any) -> dict[str, Any]:
    """Returns what Python in the page answers."""
    text = json.dumps(question)
    return json.loads(
        driver.execute_async_script(
            "const done = arguments[1]; ask(JSON.parse(arguments[0])).then((answer) => done(JSON.stringify(answer)))",
            text,
        )
    )
