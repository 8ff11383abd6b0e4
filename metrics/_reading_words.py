"""The fewest word edits between any reading of one text and any of another, where a reading also says where words end.

The idea: only the places between words matter, the nodes behind a blank. A step from a pair of such places to another
takes a whole word of one text or of both. Two words are equal if they can be read alike, which a walk through the
characters of both tells, so that no reading is written out. The plain version is `edits_of_readings` of
tests/oracles.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ._korean_notations import BLANK
from ._korean_notations import canonical_text
from ._network_edits import are_equal
from ._network_edits import leaving_arcs
from ._readings import Alignment
from ._readings import Cleaning
from ._readings import Comparison
from ._readings import Text
from ._readings import read_network
from ._readings import runs_of

WORD_CLEANING = Cleaning("collapse", "keep", "syllable", "keep")
_EMPTY = -1
# kind of edit, the place before, the word of the reference and that of the prediction ("" for none)
_Step = tuple[str, tuple[int, int], str, str]


class _Words(NamedTuple):
    """A network as words: the arcs that leave each node, and the words that lead from each place to the next ones."""

    arcs: list[list[tuple[int, str | int]]]  # (node, label), blank or none
    places: list[int]  # in order; the first node, and those behind a blank
    firsts: dict[int, frozenset[str]]  # the characters that words begin with at each place
    words: dict[int, dict[int, str]]  # place -> next place -> a word; "" where no word lies between


def by_words() -> Comparison:
    """Returns the comparison of a word error rate."""
    return Comparison(
        lambda reference, prediction: sum(step[0] != "equal" for step in _steps(_words(reference), _words(prediction))),
        lambda reference: len("".join(map(_canonical, reference)).split()),
        align_words,
    )


def _canonical(piece) -> str:
    return piece if isinstance(piece, str) else canonical_text(piece.tree)


def _words(text: Text) -> _Words:
    network, _ = read_network([*text, BLANK], WORD_CLEANING)
    arcs = leaving_arcs(network)
    behind = {node for node, sources in enumerate(network.arcs) if any(label == BLANK for _, label in sources)}
    places = sorted({0} | behind)
    firsts = {place: frozenset(_first_characters(arcs, place)) for place in places}
    return _Words(arcs, places, firsts, {place: _next_places(arcs, place) for place in places})


def _first_characters(arcs: list, place: int) -> Iterator[str]:
    """Yields the first character of each word from a place on."""
    for target, label in arcs[place]:
        if label == _EMPTY:
            yield from _first_characters(arcs, target)
        elif label != BLANK:
            yield label[0]


def _next_places(arcs: list, place: int) -> dict[int, str]:
    """Returns the places that one word leads to, each with the first such word."""
    found: dict[int, str] = {}
    seen, left = {place}, [(place, "")]
    while left:
        node, word = left.pop()
        for target, label in reversed(arcs[node]):
            if label == BLANK:
                found.setdefault(target, word)
            elif target not in seen:
                seen.add(target)
                left.append((target, word if label == _EMPTY else word + label[0]))
    return found


def _equal_words(reference: _Words, prediction: _Words, u: int, v: int) -> dict[tuple[int, int], str]:
    """Returns the pairs of places that words which are read alike lead to, each with such a word."""
    found: dict[tuple[int, int], str] = {}
    if reference.firsts[u].isdisjoint(prediction.firsts[v]):
        return found
    seen, left = {(u, v)}, [(u, v, "")]
    while left:
        u, v, word = left.pop()
        ways = []
        for target, label in reference.arcs[u]:
            if label == _EMPTY:
                ways.append((target, v, word))
        for target, label in prediction.arcs[v]:
            if label == _EMPTY:
                ways.append((u, target, word))
        for first, label in reference.arcs[u]:
            for second, other in prediction.arcs[v]:
                if label == other == BLANK:
                    if word:
                        found.setdefault((first, second), word)
                elif BLANK not in (label, other) and _EMPTY not in (label, other) and are_equal(label, other):
                    ways.append((first, second, word + label[0]))
        for way in ways:
            if way[:2] not in seen:
                seen.add(way[:2])
                left.append(way)
    return found


def _steps(reference: _Words, prediction: _Words) -> list[_Step]:
    """Returns the steps of a path with the fewest edits; of several the first one that is found."""
    best: dict[tuple[int, int], tuple[int, _Step | None]] = {(0, 0): (0, None)}
    place, end, cost = (0, 0), (reference.places[-1], prediction.places[-1]), 0
    open_places, done = [[place]], set()  # by cost, so that few edits are found fast
    while place != end:
        if not open_places[cost]:
            cost += 1
            continue
        place = open_places[cost].pop()
        if place in done:
            continue
        done.add(place)
        for to, price, step in _moves(reference, prediction, *place):
            if to not in best or best[to][0] > cost + price:
                best[to] = (cost + price, step)
                open_places += [[] for _ in range(cost + price + 1 - len(open_places))]
                open_places[cost + price].append(to)
    steps = []
    while best[place][1] is not None:
        steps.append(best[place][1])
        place = steps[-1][1]
    return [step for step in reversed(steps) if step[2] or step[3]]


def _moves(reference: _Words, prediction: _Words, u: int, v: int):
    """Yields where steps from a pair of places lead, what they cost, and the steps."""
    here = (u, v)
    for to, word in _equal_words(reference, prediction, u, v).items():
        yield to, 0, ("equal", here, word, word)
    for first, word in reference.words[u].items():
        for second, other in prediction.words[v].items():
            if word and other:
                yield (first, second), 1, ("substitute", here, word, other)
    for first, word in reference.words[u].items():
        yield (first, v), int(word != ""), ("delete", here, word, "")
    for second, word in prediction.words[v].items():
        yield (u, second), int(word != ""), ("insert", here, "", word)


def align_words(reference: Text, prediction: Text) -> Alignment:
    """Returns the nearest readings of two texts, aligned word by word."""
    steps = _steps(_words(reference), _words(prediction))
    sides = [[step[at] for step in steps if step[at]] for at in (2, 3)]
    return Alignment(runs_of(kind for kind, *_ in steps), *sides, [])
