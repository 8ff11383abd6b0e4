"""Runs calls under an audit hook, in a process of its own since no hook can be taken off again.

Standard input has lines of JSON, {"do": "command" or "app", ...}, and standard output has for each what came of it:
the answer, which hosts it asked for, and whether it opened the canary.
"""

import importlib
import json
import os
import sys

CANARY = "canary.txt"  # in the folder in which the process runs; no call has a reason to open it

_hosts, _opened = [], []


def _watch(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)) and os.fsdecode(arguments[0]).endswith(CANARY):
        _opened.append(os.fsdecode(arguments[0]))
    if event in ("socket.connect", "socket.getaddrinfo"):
        _hosts.append(str(arguments[-1] if event == "socket.connect" else arguments[0]))
        raise OSError("no call may use the network")


def command(name, arguments):
    from typer.testing import CliRunner

    module = importlib.import_module(f"textgauge.programs.commands.{name}")
    done = CliRunner().invoke(module.app, arguments)
    return {"code": done.exit_code, "said": done.output, "error": repr(done.exception)}


def app(metric, option, value, model=None):
    """Has a visitor enter a value of an option."""
    import textgauge
    from textgauge.programs.page.limits import Limits
    from textgauge.programs.page.session import Session

    session = Session(textgauge.load(metric), model, Limits())
    examples = json.loads((textgauge.CARDS / metric / "examples.json").read_text(encoding="utf-8"))
    shown = session.example(examples[0])
    values = shown["values"]
    names = [control["name"] for control in session.form([])["controls"]]
    if option not in names:
        return {"code": 2, "said": "there is no such field", "error": ""}
    values[names.index(option)] = value
    answer = session.answer(json.dumps({"do": "score", "rows": shown["rows"], "values": values}))
    return {"code": 2 if "error" in json.loads(answer) else 0, "said": answer, "error": ""}


def main():
    """Answers all calls of standard input."""
    sys.addaudithook(_watch)
    for line in sys.stdin:
        call = json.loads(line)
        _hosts.clear(), _opened.clear()
        answer = {"command": command, "app": app}[call.pop("do")](**call)
        print(json.dumps({**answer, "hosts": list(_hosts), "opened": list(_opened)}), file=sys.__stdout__)
    sys.__stdout__.flush()
    os._exit(0)  # Arrow's threads sometimes abort a process that ends in another way


if __name__ == "__main__":
    main()
