"""Our metrics and all peers that are installed, on inputs of all kinds; what the tables say is what was found."""

import importlib.metadata
import json
import re

import pytest
from conftest import METRICS, ROOT, examples, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from lab import agreement as command
from lab import update_cards
from lab.agreeing.hugging_face import HUGGING_FACE
from lab.agreeing.results import pinned_versions, read_results, write_results
from lab.agreeing.tables import markdown, parity_page
from lab.agreeing.trying import UNKNOWN, plain
from lab.peers import NOT_RUN, PEERS
from lab.peers.peer import Case, Difference, Peer, Unavailable, compare

RESULTS = read_results()
PLACES = "agreement|hugging face|peers|speed|metrics|matrix|claims|origins"
EVERY = pytest.mark.parametrize("peer", PEERS, ids=[peer.title for peer in PEERS])


def theirs_of(peer):
    """Returns what calls the peer, or skips the test where it is not installed."""
    try:
        return peer.theirs()
    except ModuleNotFoundError as error:
        return pytest.importorskip(error.name, reason="pip install -r requirements-peers.txt")
    except Unavailable as reason:
        return pytest.skip(str(reason))


def found_for(peer):
    """Returns what the file of results says of a peer."""
    found = [one for one in RESULTS["agreements"] if f"{one['metric']}: {one['peer']}" == peer.title]
    assert found, f"run python -m lab.agreement --only {peer.metric}"
    return found[0]


@EVERY
def test_agrees(peer):
    """On inputs of all kinds, except where a known reason holds."""
    theirs, metric = theirs_of(peer), load(peer.metric)

    def look(case):
        if not peer.reasons(case):
            found = compare(metric, theirs, case)
            assert found.gap <= peer.tolerance, found

    quick = [kind for kind in peer.kinds() if kind not in peer.slow]
    for kinds, share in ((quick, 1), ([*peer.slow], 0.015)):
        if kinds:
            tried = given(st.sampled_from(kinds).flatmap(peer.cases))(look)
            settings(examples(share), suppress_health_check=HealthCheck)(tried)()


@EVERY
def test_parts_where_the_tables_say_so(peer):
    """Each smallest input gives the values that the tables show, and has the reason that they give."""
    theirs, package = theirs_of(peer), peer.package
    if package and importlib.metadata.version(package) != pinned_versions()[package]:
        pytest.skip("the tables are of other versions: pip install -r requirements-peers.txt")
    for kind, cell in found_for(peer)["cells"].items():
        for part in cell["parts"]:
            call = part["smallest"]
            case = Case(call["columns"], call["options"])
            found = compare(load(peer.metric), theirs, case)
            assert part["reason"] in peer.reasons(case), kind
            assert found.gap > peer.tolerance, kind
            assert (plain(found.ours), plain(found.theirs)) == (call["ours"], call["theirs"]), kind


@EVERY
def test_results_are_of_this_registry(peer):
    found = found_for(peer)
    assert found["not_run"] is None
    assert peer.facts().items() <= found.items(), "run python -m lab.agreement"
    assert list(found["cells"]) == peer.kinds(), "run python -m lab.agreement"
    reasons = {difference.reason for difference in peer.differences}
    for cell in found["cells"].values():
        assert cell["largest_difference"] <= peer.tolerance
        assert {part["reason"] for part in cell["parts"]} <= reasons
        assert cell["tried"] > 0 and cell["parted"] >= sum(part["parted"] for part in cell["parts"])


def test_results_are_of_these_versions():
    """Of all libraries that requirements-peers.txt pins, of which there are twelve or more."""
    assert RESULTS["versions"] == pinned_versions(), "run python -m lab.agreement with requirements-peers.txt"
    assert {peer.package for peer in PEERS} - {""} == RESULTS["versions"].keys()
    assert len(RESULTS["versions"]) >= 12
    assert RESULTS["not_run"] == [list(row) for row in NOT_RUN]
    assert len(RESULTS["agreements"]) == len(PEERS)


def test_a_metric_that_a_library_has_has_a_peer():
    """The README says "no library has it" of a metric without one; a card may know better."""
    known = {metric for metric, *_ in NOT_RUN} | HUGGING_FACE.keys()
    missing = known - {peer.metric for peer in PEERS}
    assert not missing, f"lab/peers needs a peer of {', '.join(sorted(missing))}"


@pytest.mark.parametrize("path", update_cards.generated(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_generated_is_current(path):
    text, update = path.read_text(encoding="utf-8"), update_cards.generated()[path]
    assert update(text) == text, "run python -m lab.update_cards"
    for block in re.findall(rf"^<!-- (?:{PLACES}) -->\n(.*?)^<!-- end -->$", text, flags=re.M | re.S):
        numbers = list(re.finditer(r"\d+", block))
        for number in numbers[:: max(1, len(numbers) // 3)]:
            changed = f"{block[: number.start()]}{int(number[0]) + 1}{block[number.end() :]}"
            assert update(text.replace(block, changed)) == text


def test_the_page_of_differences_has_each_reason():
    """Behind the heading of the metric, to which its card links, in a row with all peers that have it."""
    page = (ROOT / "docs" / "parity.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S))
    for one in RESULTS["agreements"]:
        for reason in {part["reason"] for cell in one["cells"].values() for part in cell["parts"]}:
            [row] = [row for row in sections[one["metric"]].splitlines() if row.startswith(f"| {reason} |")]
            assert f" {one['peer']}: " in row
    for name in METRICS:
        card = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
        assert (f"(../../docs/parity.md#{name})" in card) == (name in sections)


def test_a_text_without_the_place_is_refused():
    with pytest.raises(ValueError, match="a text has 0 places <!-- peers -->; it needs one"):
        update_cards.filled("nothing", "peers", "")


# --- lab/agreement.py ---


def wrong_half(case):
    """A peer that is wrong where a text has an a."""
    return {"cer": 0.0 if any("a" in text for text in case.texts()) else cer(case)}


def cer(case):
    return load("cer").compute(**case.columns)["cer"]


def without_module():
    raise ModuleNotFoundError("No module named 'nowhere'", name="nowhere")


def peer_of(load, *differences, name="toy"):
    call = lambda theirs, case: theirs(case)  # noqa: E731
    return Peer("cer", name, "", "none", load, call, differences=differences, one_reference=True)


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Returns a function that runs the command on these peers, and returns its result and the results, if any."""

    def run(*peers, only=None):
        monkeypatch.setattr(command, "PEERS", peers)
        path = tmp_path / "result.json"
        arguments = [f"--json={path}", *([f"--only={only}"] if only else [])]
        result = CliRunner().invoke(command.app, ["--inputs=30", "--workers=1", *arguments])
        return result, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    return run


@pytest.mark.slow
def test_a_known_difference_is_shown_with_its_smallest_input(run):
    known = Difference("it knows no a", lambda case: any("a" in text for text in case.texts()))
    result, results = run(peer_of(lambda: wrong_half, known), peer_of(without_module, name="absent"))
    assert result.exit_code == 0, result.output
    assert "not run: cer: absent: No module named 'nowhere'" in result.output
    cell = results["agreements"][0]["cells"]["repeated words"]
    [part] = cell["parts"]
    assert part["reason"] == "it knows no a" and 0 < part["parted"] <= part["tried"] < cell["tried"]
    # one word each, and nothing that could be left out
    assert part["smallest"]["columns"] in (
        {"predictions": ["a"], "references": [[""]]},
        {"predictions": [""], "references": [["a"]]},
        {"predictions": ["a"], "references": [["b"]]},
    )
    tables = {**results, "versions": {"": ""}}
    assert f"| {part['parted']} |" in markdown(tables) and "- absent: " in parity_page(tables)


@pytest.mark.slow
def test_an_unknown_difference_fails(run):
    result, results = run(peer_of(lambda: wrong_half))
    assert result.exit_code == 1
    assert "they part, and nobody knows why: cer: toy, repeated words" in result.output
    cell = results["agreements"][0]["cells"]["repeated words"]
    assert [part["reason"] for part in cell["parts"]] == [UNKNOWN]


def test_one_metric_is_tried_and_others_stay(run):
    others = [peer for peer in PEERS if peer.metric != "cer"]
    result, results = run(peer_of(without_module), *others, only="cer")
    assert result.exit_code == 0, result.output
    [toy, *kept] = results["agreements"]
    assert (toy["peer"], toy["not_run"]) == ("toy", "No module named 'nowhere'")
    assert kept == list(map(found_for, others)) and results["cpu_seconds"] == RESULTS["cpu_seconds"]
    result, _ = run(*others, only="cer")
    assert result.exit_code == 2 and "has no peer of cer" in " ".join(result.output.split())


def test_other_versions_are_refused(run, monkeypatch):
    monkeypatch.setattr(command, "wrong_versions", lambda packages: ["sacrebleu is 1.0; it asks for 2.6.0"])
    result, results = run(peer_of(lambda: cer))
    assert result.exit_code == 2 and results is None
    assert "sacrebleu is 1.0" in result.output


def test_an_exception_of_a_peer_is_a_value():
    def theirs(case):
        raise ZeroDivisionError

    case = Case({"predictions": [""], "references": [""]}, {})
    found = compare(load("cer"), theirs, case)
    assert (found.gap, found.theirs) == (float("inf"), {"cer": "ZeroDivisionError"})


def test_results_are_written_cell_by_cell(tmp_path):
    path = tmp_path / "results.json"
    write_results(path, RESULTS)
    assert json.loads(path.read_text("utf-8")) == RESULTS
    assert path.read_bytes() == (ROOT / "tests" / "agreement" / "agreement.json").read_bytes()
