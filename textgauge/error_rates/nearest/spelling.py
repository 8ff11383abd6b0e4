"""Pairs of texts whose notations are spelled as words: all that the option `readings` does.

Of the networks of both texts' readings the nearest paths are looked for, and each notation is replaced by the words of
its path: "3개" and "세 개" become "세 개" and "세 개", "20%" and "이십일 퍼센트" become "이십 퍼센트" and "이십일
퍼센트". A notation stays as it is written where that is nearer; of paths that are as near the canonical reading comes
first. What follows compares plain texts, and knows of no readings, except for the length that divides: it is that of
the reference's canonical reading, so that the prediction has no part in it.
"""

import collections
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from textgauge.edits.network_edits import Step, nearest_paths
from textgauge.edits.networks import Network
from textgauge.korean.reading_networks import are_read_alike, read_network, without_common_ends
from textgauge.korean.reading_paths import text_of_path
from textgauge.korean.reading_tables import Readings
from textgauge.korean.reading_trees import Notation, as_written, canonical_text, or_as_written, unguarded
from textgauge.korean.reading_words import (
    WORD_CLEANING,
    WORD_EQUALITY,
    nodes_of_steps,
    word_network,
)
from textgauge.korean.readings import Cleaning, Text, has_notation, pieces_of, read_texts
from textgauge.korean.written_forms import in_usual_form
from textgauge.tokens.cleaning import clean_characters

from ..phrases.number_marks import hidden_marks, mark_numbers, without_marks
from ..phrases.number_signs import differing_signs
from .rule import Rule

_CELLS = 600_000  # of the table of two texts, and for each of their characters: less than 2 seconds for 16 kB
_CELLS_BY_CHARACTER = 60
_KNOWN_CHARACTERS = 2**19  # of pairs that are kept; some 25 MB


class Way(NamedTuple):
    """How texts are compared once their notations are spelled."""

    readings: Readings
    cleaning: Cleaning
    by_words: bool
    is_joined: bool = False  # whether blanks within notations are left out where they may be

    @property
    def network_cleaning(self) -> Cleaning:
        """What counts of a reading."""
        return WORD_CLEANING if self.by_words else self.cleaning

    def with_plain_blanks(self, text: str) -> str:
        """Returns a text with one blank for several and none at its ends; where blanks count, those inside stay."""
        if self.cleaning.spaces == "keep" and not self.by_words:
            return text.strip()
        return " ".join(text.split())


def way_of(rule: Rule) -> Way:
    """Returns how texts are spelled that are compared by a rule with readings.

    sWER goes by characters, as its spacing does, and its notations have no blank of their own: the prediction takes the
    reference's blanks, and what has no counterpart is as few words as it can be.
    """
    if rule.space_normalized:
        return Way(rule.readings, rule.cleaning._replace(spaces="remove"), by_words=False, is_joined=True)
    return Way(rule.readings, rule.cleaning, by_words=rule.tokenizer is not None)


class Span(NamedTuple):
    """Words that stand for a notation."""

    start: int  # in the text
    end: int
    kind: str  # of the notation
    written: str = ""


class Spelled(NamedTuple):
    """A text in which some notations are words."""

    text: str
    spans: Sequence[Span] = ()


class SpelledPair(NamedTuple):
    """Two texts whose notations are words."""

    reference: Spelled
    prediction: Spelled
    canonical: str = ""  # the reference with its canonical readings, whose length divides
    is_searched: bool = True  # whether no reading was left out


def spell(predictions: Sequence[str], references: Sequence[str], way: Way) -> list[SpelledPair]:
    """Returns pairs of texts, each notation as those words that are nearest to the other text.

    >>> way = Way(Readings(True, ()), Cleaning("remove", "remove", "syllable", "keep"), by_words=False)
    >>> for pair in spell(["사과 3개", "네"], ["사과 네 개", "1시"], way):
    ...     print(pair.prediction.text, pair.reference.text, pair.canonical)
    사과 세 개 사과 네 개 사과 네 개
    네 한 시 한 시
    """
    is_read = has_notation([*predictions, *references], way.readings, way.cleaning.marks)
    pairs = []
    for index, (prediction, reference) in enumerate(zip(predictions, references, strict=True)):
        if is_read[index] or is_read[len(predictions) + index]:
            pairs.append(_known_pairs.spell(way.with_plain_blanks(prediction), way.with_plain_blanks(reference), way))
        else:
            pairs.append(SpelledPair(Spelled(reference), Spelled(prediction), reference))
    return pairs


def readings_of(pair: SpelledPair) -> list[list[str]]:
    """Returns what notations of two texts were spelled as, as [side, notation, reading]."""
    readings = []
    for name, side in (("reference", pair.reference), ("prediction", pair.prediction)):
        readings += [[name, span.written.strip(), side.text[span.start : span.end]] for span in side.spans]
    return readings


class _KnownPairs:
    """The pairs that were spelled last, up to a number of characters: a report spells them for several calls."""

    def __init__(self) -> None:
        """Knows nothing yet."""
        self._pairs: dict[tuple[str, str, Way], SpelledPair] = {}
        self._n_characters = 0

    def spell(self, prediction: str, reference: str, way: Way) -> SpelledPair:
        """Returns two texts as `spell` does."""
        key = prediction, reference, way
        if key not in self._pairs:
            if self._n_characters > _KNOWN_CHARACTERS:
                self._pairs.clear()
                self._n_characters = 0
            self._pairs[key] = _spell_pair(prediction, reference, way)
            self._n_characters += len(prediction) + len(reference)
        return self._pairs[key]


_known_pairs = _KnownPairs()


def _spell_pair(prediction: str, reference: str, way: Way) -> SpelledPair:
    """Returns two texts as `spell` does, of which one has a notation.

    Where a text is empty the other has its canonical reading, so that all of it is missing: CER is 1.
    """
    texts = read_texts([prediction, reference], way.readings, way.cleaning)
    canonical = _first_readings(reference, texts[1], way), _first_readings(prediction, texts[0], way)
    if not all(texts) or are_read_alike(*texts, cleaning=way.network_cleaning):
        return SpelledPair(*canonical, canonical[0].text)
    hides_signs, hides_in_notations = _hides_signs(prediction, reference, way)
    texts = _may_be_read(texts, hides_in_notations)
    written = Spelled(reference), Spelled(prediction)
    first = _first_readings(reference, texts[1], way), _first_readings(prediction, texts[0], way)
    edits_of_written = _edits(written, way)
    edits_of_first = _edits(first, way)
    nearest = _nearest(texts, way, min(edits_of_written, edits_of_first))
    if nearest is None:
        return SpelledPair(*canonical, canonical[0].text, is_searched=False)
    if edits_of_written < nearest.edits and not hides_signs:
        sides = written
    elif way.by_words and edits_of_first == nearest.edits:
        sides = first
    else:
        sides = _along_paths(prediction, reference, nearest, way)
    return SpelledPair(*sides, canonical[0].text)


class _Nearest(NamedTuple):
    """The nearest paths of two texts."""

    texts: Sequence[Text]  # prediction and reference, as they are compared
    networks: Sequence[Network]
    steps: Sequence[Step]
    edits: int


def _nearest(texts: Sequence[Text], way: Way, likely: int) -> _Nearest | None:
    """Returns the nearest paths of a prediction and a reference; None where looking for them would take too long.

    So many edits are `likely`, see `nearest_paths`.
    """
    if way.by_words:
        texts = without_common_ends(*texts, is_whole=True)
        networks = list(map(word_network, texts))
        if None in networks:
            return None
        steps = nearest_paths(*networks, WORD_EQUALITY, likely, _most_cells(texts))
    else:
        texts = without_common_ends(*texts)
        networks = [read_network(text, way.cleaning)[0] for text in texts]
        steps = nearest_paths(*networks, likely=likely, most_cells=_most_cells(texts))
    if steps is None:
        return None
    return _Nearest(texts, networks, steps, sum(kind != "equal" for kind, _, _ in steps))


def _along_paths(prediction: str, reference: str, nearest: _Nearest, way: Way) -> Sequence[Spelled]:
    """Returns a reference and a prediction with the words of their nearest paths.

    Paths may look alike without being equal; the texts have no fewer edits than these. The notations of one text that
    look like what is not equal to them are as they are written then, 3% of ▲3% and ▼3%, or all are, with a character
    for each mark inside a number that is removed.
    """
    read, reference_read = nearest.texts
    if way.by_words:
        nodes, clashing = nodes_of_steps(*nearest[:3])
    else:
        nodes = [{node for _, node, _ in nearest.steps}, {node for _, _, node in nearest.steps}]
        clashing = _clashing(nearest.networks, nearest.steps)
    spelled = _along(reference, reference_read, nodes[1], way), _along(prediction, read, nodes[0], way)
    if _edits(spelled, way) >= nearest.edits:
        return spelled
    prediction_is_left = spelled[0], _along(prediction, read, nodes[0], way, clashing[0])
    reference_is_left = _along(reference, reference_read, nodes[1], way, clashing[1]), spelled[1]
    both_are_left = Spelled(mark_numbers(reference)), Spelled(mark_numbers(prediction))
    ways = [prediction_is_left, reference_is_left, both_are_left]
    edits = [_edits(sides, way) for sides in ways]
    enough = [index for index in range(len(ways)) if edits[index] >= nearest.edits]
    return ways[min(enough, key=edits.__getitem__, default=-1)]


def _edits(sides: Sequence[Spelled], way: Way) -> int:
    """Returns the edits of two texts as they are compared."""
    texts = [side.text for side in sides]
    if way.by_words:
        cleaned = clean_characters(texts, *way.cleaning._replace(spaces="keep"))
        return Levenshtein.distance(*map(str.split, cleaned))
    return Levenshtein.distance(*clean_characters(texts, *way.cleaning))


def _clashing(networks: Sequence[Network], steps: Sequence[Step]) -> tuple[set[int], set[int]]:
    """Returns the nodes whose characters are those that the other text has there without being equal."""
    network, other = networks
    nodes = set()
    other_nodes = set()
    for kind, node, other_node in steps:
        if kind != "substitute":
            continue
        _, label = network.arcs[node][0]
        _, other_label = other.arcs[other_node][0]
        if label[0] == other_label[0]:
            nodes.add(node)
            other_nodes.add(other_node)
    return nodes, other_nodes


def _along(text: str, read: Text, nodes: set[int], way: Way, left: Collection[int] = ()) -> Spelled:
    """Returns a text with the words of its path; notations with a node that is left are as they are written."""
    _, places = read_network(read, way.network_cleaning)
    words = []
    for start, end, notation in places:
        if any(start <= node < end for node in left):
            words.append(notation.written)
        else:
            words.append(text_of_path(notation.tree, nodes, start, way.network_cleaning, way.is_joined))
    return _with_words(text, words, way)


def _first_readings(text: str, read: Text, way: Way) -> Spelled:
    """Returns a text with the first readings that its notations may have; `read` is the same text with these."""
    return _with_words(text, [canonical_text(piece.tree) for piece in read if isinstance(piece, Notation)], way)


def _with_words(text: str, words: Sequence[str], way: Way) -> Spelled:
    """Returns a text with words for its notations."""
    words_left = iter(words)
    spelled = ""
    spans = []
    for piece in pieces_of(text, way.readings, way.cleaning.marks):
        if isinstance(piece, str):
            spelled += piece
            continue
        reading = next(words_left)
        if without_marks(reading) != piece.written:
            start = len(spelled + reading) - len(reading.lstrip())
            spans.append(Span(start, start + len(reading.strip()), piece.kind, piece.written))
        spelled += reading
    return Spelled(spelled, spans)


def _may_be_read(texts: Sequence[Text], hides_signs: bool) -> list[Text]:
    """Returns two texts, cleaned, with all that their notations may be spelled as.

    What may as well be a word is not read. A notation may stay as it is written, except where marks inside numbers or
    signs beside them differ that are removed then: 1.5 and 15, 10㎡ and 10㎥. What both have is read alike, so that it
    need not stay as it is written.
    """
    in_both = set() if hides_signs else _read_alike(*texts)
    readable: list[Text] = []
    for text in texts:
        pieces: Text = []
        for piece in text:
            if isinstance(piece, Notation):
                written = mark_numbers(piece.written) if hides_signs else piece.written
                piece = piece._replace(tree=unguarded(piece.tree) or as_written(written))
                piece = piece if hides_signs else or_as_written(piece, in_both)
            pieces.append(piece)
        readable.append(pieces)
    return readable


def _hides_signs(prediction: str, reference: str, way: Way) -> tuple[bool, bool]:
    """Returns whether two texts differ in marks or signs that are removed, and whether they do in notations.

    In notations ½ is 1/2, so that it is not 12.
    """
    [hides_marks] = hidden_marks([prediction], [reference], way.cleaning)
    if hides_marks or not way.readings.is_korean:
        return hides_marks, hides_marks
    [hides_signs] = differing_signs([prediction], [reference], way.cleaning)
    usual = [in_usual_form(prediction)], [in_usual_form(reference)]
    return hides_signs, hides_signs or hidden_marks(*usual, way.cleaning)[0]


def _read_alike(first: Text, second: Text) -> set[str]:
    """Returns the notations that both texts have, and that are read alike wherever they are."""
    notations = {piece for piece in [*first, *second] if isinstance(piece, Notation)}
    n_trees = collections.Counter(notation.written for notation in notations)
    in_both = {piece.written for piece in first if isinstance(piece, Notation) and piece in second}
    return {written for written in in_both if n_trees[written] == 1}


def _most_cells(texts: Sequence[Text]) -> int:
    """Returns how many cells the table of two texts may have, in proportion to their lengths."""
    size = 0
    for text in texts:
        for piece in text:
            size += len(piece if isinstance(piece, str) else piece.written)
    return _CELLS + _CELLS_BY_CHARACTER * size
