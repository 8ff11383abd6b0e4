"""The page of a metric served from this machine, whose Python computes."""

import json
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import textgauge

from ..errors import InputError
from ..page.limits import Limits
from ..page.session import Session
from ..reporting.static_page import PAGE, metric_page
from .workers import Workers

_HOST = "127.0.0.1"  # nobody else's machine can connect
_FIRST_PORT, _PORTS = 7860, 100
_BYTES_OF_BYTE = 6  # of an upload, as JSON may write it


class PageServer(ThreadingHTTPServer):
    """Serves the page at /, its script, and answers at /answer.

    Args:
        name: of the metric.
        port: None for the first free one from 7860 on.
        model: a language model that may be chosen; memory then has no limit.
        limits: of each question.

    Raises:
        InputError: the metric takes no language model, or no port is free.
    """

    def __init__(self, name: str, port: int | None = None, model: str | None = None, limits: Limits | None = None):
        metric = textgauge.load(name)
        if model is not None and all(option.kind != "model" for option in metric.OPTIONS.values()):
            raise InputError(f"{name} takes no language model; leave out {model}")
        limits = limits or Limits()
        if model is not None:
            limits = limits._replace(memory_bytes=None)
        page = metric_page(Session(metric, model, limits), textgauge.CARDS / name, f"./metrics/{name}.py", "page.js")
        self.files = {
            "/": ("text/html; charset=utf-8", page.encode()),
            "/page.js": ("text/javascript; charset=utf-8", (PAGE / "page.js").read_bytes()),
        }
        self.most_bytes = _BYTES_OF_BYTE * (limits.upload_bytes + limits.characters)
        self.workers = Workers(partial(textgauge.load, name), model, limits)
        ports = range(_FIRST_PORT, _FIRST_PORT + _PORTS) if port is None else [port]
        self._bind_first(ports)

    def _bind_first(self, ports: Any) -> None:
        for port in ports:
            try:
                super().__init__((_HOST, port), _Handler)
                return
            except OSError as error:
                reason = error
        raise InputError(f"port {ports[0]}{f' to {ports[-1]}' if len(ports) > 1 else ''}: {reason.strerror}")

    @property
    def address(self) -> str:
        """Returns where the page is."""
        return f"http://{_HOST}:{self.server_port}/"

    def server_close(self) -> None:
        """Ends the processes that compute, too."""
        super().server_close()
        self.workers.stop()


class _Handler(BaseHTTPRequestHandler):
    """Answers a request."""

    server: PageServer

    def do_GET(self) -> None:
        if self.path not in self.server.files:
            self.send_error(404)
            return
        self._send(*self.server.files[self.path])

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/answer" or not length.isdecimal():
            self.send_error(404)
            return
        if int(length) > self.server.most_bytes:
            self.send_error(413)
            return
        question = json.loads(self.rfile.read(int(length)))
        answer = self.server.workers.answer(question)
        self._send("application/json", json.dumps(answer).encode())

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Writes no line for each request."""
