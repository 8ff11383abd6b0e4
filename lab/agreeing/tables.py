"""The tables that are made of the results: those of cards, the page of differences, a sentence, the whole matrix."""

import json
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Results = dict[str, Any]


class Example(NamedTuple):
    """The smallest input on which a peer parts from us for one reason, of all kinds of input."""

    reason: str
    tried: int
    parted: int
    smallest: dict[str, Any]


def run_of(results: Results, metric: str) -> list[dict[str, Any]]:
    """Returns the agreements of a metric that were run."""
    return [one for one in results["agreements"] if one["metric"] == metric and not one["not_run"]]


def peer_name(agreement: dict[str, Any], results: Results) -> str:
    """Returns the peer with its version; of a definition that was written down anew, that it was."""
    if not agreement["package"]:
        return f"{agreement['peer']}, its definition written down anew"
    return f"{agreement['peer']} ({agreement['package']} {results['versions'][agreement['package']]})"


def total(agreement: dict[str, Any], key: str) -> int:
    """Returns a sum over the kinds of input."""
    return sum(cell[key] for cell in agreement["cells"].values())


def largest(agreement: dict[str, Any]) -> float:
    """Returns the largest difference on inputs of all kinds."""
    return max(cell["largest_difference"] for cell in agreement["cells"].values())


def difference_text(value: float) -> str:
    """Returns a difference as one digit and a power of ten, or 0."""
    return f"{value:.0e}" if value else "0"


def examples(agreement: dict[str, Any]) -> list[Example]:
    """Returns for each reason the smallest input of all kinds on which the peer parts from us."""
    parts = [part for cell in agreement["cells"].values() for part in cell["parts"]]
    found = []
    for reason in dict.fromkeys(part["reason"] for part in parts):
        same = [part for part in parts if part["reason"] == reason]
        tried = sum(part["tried"] for part in same)
        parted = sum(part["parted"] for part in same)
        smallest = min([part["smallest"] for part in same], key=lambda call: len(json.dumps(call)))
        found.append(Example(reason, tried, parted, smallest))
    return found


def parity_table(results: Results, metric: str) -> str:
    """Returns what a card says of agreement: who agrees, how nearly, and where to read about the rest."""
    rows = []
    for one in run_of(results, metric):
        inputs = f"{total(one, 'alike'):,}"
        rows.append((peer_name(one, results), one["settings"], inputs, difference_text(largest(one))))
    lines = table(("compared with", "settings", "inputs", "largest difference"), rows)
    if _differences(results, metric):
        page = f"[docs/parity.md](../../docs/parity.md#{metric})"
        lines += ["", f"Where a peer differs, why, and the smallest such input: {page}."]
    lines += ["", f"`tests/test_{metric}.py` checks the definition without a peer."]
    return "\n".join(lines) + "\n"


def parity_page(results: Results) -> str:
    """Returns the page that says for each metric in what its peers differ, and which of them no test runs."""
    lines = [
        "# Where other libraries differ",
        "",
        "The public libraries that compute each metric: why a value differs from ours, in how many of the inputs that "
        "the reason concerns, and the smallest such input, with the values of the first library and ours. The metric's "
        "card says how nearly they agree on all other inputs, and "
        "[the whole matrix](../tests/agreement/README.md#the-matrix) has every kind of input. Scripts of Hugging Face "
        "are on the Hub and in no package, so that no test runs them. `cer`, `wer`, `chrf`, `ter`, `sacrebleu`, and "
        "`rouge` without its aggregator, were run once as they are: all 14,544 values are equal to ours. "
        "`lab/update_cards.py` writes this page.",
    ]
    metrics = {one["metric"] for one in results["agreements"]}
    metrics |= {metric for metric, *_ in results["not_run"]}
    for metric in sorted(metrics):
        differences = _differences(results, metric)
        if differences:
            lines += ["", f"## {metric}", *differences]
    return "\n".join(lines) + "\n"


def _differences(results: Results, metric: str) -> list[str]:
    """Returns lines with the table of what differs, a row for each reason, and the list of peers that were not run."""
    lines = []
    found: dict[str, list[tuple[str, Example]]] = {}
    for one in run_of(results, metric):
        for example in examples(one):
            found.setdefault(example.reason, []).append((one["peer"], example))
    rows = []
    for reason, of_peers in found.items():
        inputs = "; ".join(f"{peer}: {example.parted} of {example.tried}" for peer, example in of_peers)
        _, example = of_peers[0]
        rows.append((reason, inputs, *call_cells(example.smallest)))
    if rows:
        lines += ["", *table(("why", "inputs", "smallest input", "there", "here"), rows)]
    absent = [row for row in results["not_run"] if row[0] == metric]
    absent += [(metric, one["peer"], one["not_run"]) for one in results["agreements"] if _is_absent(one, metric)]
    if absent:
        lines += ["", "Not run by the tests:", "", *(f"- {peer}: {why}." for _, peer, why in absent)]
    return lines


def _is_absent(agreement: dict[str, Any], metric: str) -> bool:
    return agreement["metric"] == metric and bool(agreement["not_run"])


def call_parts(call: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns the columns of a call, and the options that change its scores, as names and text."""
    shown = {**call["columns"], **shown_options(call)}
    return [(name, visible(_short(value))) for name, value in shown.items()]


def call_cells(call: dict[str, Any]) -> tuple[str, str, str]:
    """Returns the input of a call, and what both sides say of it, each the first value that differs."""
    text = ", ".join(f"{name}={value}" for name, value in call_parts(call))
    theirs = call["theirs"]
    ours = call["ours"]
    differing = [key for key in theirs if theirs[key] != ours[key]]
    key = (differing or list(theirs))[0]
    return code(text), f"{key} {value_text(theirs[key])}", value_text(ours[key])


def shown_options(call: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a call that change its scores."""
    only_more = ("per_segment", "detailed", "alignments")
    shown = {}
    for name, value in call["options"].items():
        if name not in only_more and value not in (None, False):
            shown[name] = value
    return shown


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:87]}..."


def value_text(value: Any) -> str:
    """Returns a value with four digits."""
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]" if len(value) < 5 else _short(value)
    return f"{value:.4g}" if isinstance(value, float) else visible(str(value))


def code(text: str) -> str:
    """Returns text as code in a cell of a table."""
    return f"`{text.replace('|', chr(92) + '|').replace('`', chr(39))}`"


def visible(text: str) -> str:
    """Returns text with the numbers of what cannot be seen: combining characters, the jamo of NFD, controls."""
    shown = ""
    for character in text:
        is_jamo = "\u1100" <= character <= "\u11ff"
        is_seen = character.isprintable() and not is_jamo and not unicodedata.combining(character)
        shown += character if is_seen else f"\\u{ord(character):04x}"
    return shown


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns the lines of a table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def peers_note(results: Results, language: str) -> str:
    """Returns the line below the README's table, in English or in Korean ("en", "ko")."""
    run = [one for one in results["agreements"] if not one["not_run"]]
    kinds = {kind for one in run for kind in one["cells"]}
    libraries = len(results["versions"])
    tried = sum(total(one, "tried") for one in run)
    alike = sum(total(one, "alike") for one in run)
    text = (
        f"{libraries} libraries were called on {tried:,} inputs of {len(kinds)} kinds. On {alike:,} of them the "
        "definitions agree, and so do the values, up to rounding; "
        "[where a library differs, and why](docs/parity.md)."
    )
    korean = (
        f"공개 라이브러리 {libraries}개와 입력 {len(kinds)}종류, {tried:,}개로 비교했습니다. "
        f"정의가 같은 {alike:,}개에서는 값이 반올림 오차 안에서 같습니다. "
        "나머지는 [값이 다른 까닭](docs/parity.md)에 있습니다."
    )
    text = korean if language == "ko" else text
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def families(results: Results) -> list[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """Returns the agreements that were run by what they take, each family with its kinds of input."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    run = [one for one in results["agreements"] if not one["not_run"]]
    every = sorted({tuple(one["cells"]) for one in run}, key=len, reverse=True)
    for one in run:
        kinds = next(kinds for kinds in every if set(one["cells"]) <= set(kinds))
        found.setdefault(kinds, []).append(one)
    return list(found.items())


def markdown(results: Results) -> str:
    """Returns the whole matrix: per family of inputs a table of agreements and kinds, and before it what signs mean."""
    lines = [
        f"{results['inputs']} inputs of each kind, of long texts fewer for slow peers; seed {results['seed']}, "
        f"hypothesis {results['hypothesis']}; {results['cpu_seconds'] / 60:.0f} minutes of processor time. "
        f"A number says how many of {results['inputs']}, or of the number behind a slash, differ, for a reason that "
        "[docs/parity.md](../../docs/parity.md) gives, as it does for peers that no test runs. A blank: equal on all "
        "inputs; a dash: the peer does not take such input. The cards have the versions.",
    ]
    for kinds, agreements in families(results):
        rows = []
        for one in agreements:
            signs = [sign(one["cells"].get(kind), results["inputs"]) for kind in kinds]
            rows.append([one["metric"], one["peer"], *signs])
        lines += ["", *table(("metric", "peer", *kinds), rows)]
    return "\n".join(lines) + "\n"


def sign(cell: dict[str, Any] | None, usual: int) -> str:
    """Returns what the matrix shows of a cell, where this number of inputs is usual."""
    if cell is None:
        return "–"
    if not cell["parted"]:
        return ""
    return str(cell["parted"]) if cell["tried"] == usual else f"{cell['parted']}/{cell['tried']}"
