"""A published folder in a real Chromium, for the tests: serves it, and asks its pages."""

import contextlib
import gzip
import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TYPES = {".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html; charset=utf-8"}
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
