"""Processes that answer visitors' questions about a metric, each one question at a time, within limits."""

import json
import multiprocessing
import queue
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ..page.limits import Limits
from ..page.session import Session
from ..saying.texts import LANGUAGES, say, speaking

WORKERS = 4  # questions that are answered at once
_SPAWN = multiprocessing.get_context("spawn")


class Workers:
    """The processes; one starts when it is first needed, or in place of one that was ended.

    Args:
        load: makes the metric in each process; it must be picklable.
        model: a language model that visitors may choose.
        limits: of each question.
    """

    def __init__(self, load: Callable[[], Any], model: str | None = None, limits: Limits | None = None):
        self._arguments = (load, model, limits or Limits())
        self._limits = limits or Limits()
        # the last one that answered comes first, so that few processes start where few people ask
        self._free: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(WORKERS):
            self._free.put(None)

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to a question, see `Session.answer`; {"error": message} too where a limit is reached."""
        worker = self._free.get()
        try:
            if worker is None:
                worker = _Worker(*self._arguments)
            return json.loads(worker.answer(json.dumps(question), self._limits.seconds))
        except (TimeoutError, EOFError, ConnectionError) as error:
            if worker is not None:
                worker.stop()
            worker = None
            with speaking(question.get("language", LANGUAGES[0])):
                if isinstance(error, TimeoutError):
                    return {"error": say("app_too_slow", seconds=f"{self._limits.seconds:g}")}
                return {"error": say("app_ended")}
        finally:
            self._free.put(worker)

    def stop(self) -> None:
        """Ends the processes that are idle."""
        for _ in range(WORKERS):
            worker = self._free.get()
            if worker is not None:
                worker.stop()
            self._free.put(None)


class _Worker:
    """One process, and the way to it."""

    def __init__(self, *arguments: Any):
        self._connection, there = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(there, *arguments), daemon=True)
        self._process.start()
        there.close()
        self._connection.recv()  # the metric is loaded

    def answer(self, question: str, seconds: float) -> str:
        """Returns the answer to a question.

        Raises:
            TimeoutError: it takes longer.
            EOFError, ConnectionError: the process has ended.
        """
        self._connection.send(question)
        if not self._connection.poll(seconds):
            raise TimeoutError
        return self._connection.recv()

    def stop(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _work(connection: Connection, load: Callable[[], Any], model: str | None, limits: Limits) -> None:
    """Answers questions until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the keyboard ends the server, and with it this process
    session = Session(load(), model, limits)
    if limits.memory_bytes is not None:
        _limit_memory(limits.memory_bytes)
    connection.send("")
    while True:
        try:
            question = connection.recv()
        except EOFError:
            return
        connection.send(session.answer(question))


def _limit_memory(further_bytes: int) -> None:
    """Limits the memory of this process to what it has and `further_bytes`; only on Linux."""
    status = Path("/proc/self/statm")
    if not status.is_file():
        return
    import resource

    pages = int(status.read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + further_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
