"""Which of two right notations a text has where another text has the other one: 3% or 삼 퍼센트, CT or 씨티.

Both are read alike, so neither is an error; which one is written is a style. Characters are compared, whatever the
metric compares. The two texts are aligned in the order of their code points, so that nothing but the sides changes
where they change places.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from textgauge.edits.network_edits import nearest_paths
from textgauge.edits.networks import NO_WORD, Network
from textgauge.korean.reading_networks import read_network, without_common_ends
from textgauge.korean.reading_tables import Readings
from textgauge.korean.reading_trees import Notation
from textgauge.korean.readings import Cleaning, Text, has_notation, read_texts
from textgauge.korean.spoken_units import CURRENCIES

from .error_kinds import NUMERALS

CHOICES = ("number", "date", "money", "unit", "latin")
CHOICE_COLUMNS = tuple(f"{choice} as {form}" for choice in CHOICES for form in ("signs", "words"))
_CLEANING = Cleaning("remove", "remove", "syllable", "keep")
_MONEY = re.compile("|".join(map(re.escape, {*CURRENCIES, *itertools.chain.from_iterable(CURRENCIES.values())})))

_FIGURES = ("number", "date", "money")
_OF_UNITS = ("number", "sign", "joint", "power")  # what is read of 3~-4km2 other than its unit

NotationChoice = tuple[int, str]  # of which notation of its text, and one of CHOICES


def count_choices(
    predictions: Sequence[str], references: Sequence[str], readings: Readings, marks: str
) -> dict[str, np.ndarray]:
    """Returns how often one text has signs where the other one has words, by CHOICE_COLUMNS, each (n_segments,).

    In "as signs" the prediction has the signs (digits, Latin letters, %), in "as words" the reference, and the other
    text has words in Hangul. A notation may be several choices: "5kg" for "오 킬로그램" one of a number and one of a
    unit, "5kg" for "5킬로그램" only this one. What is partly wrong is none.

    Args:
        predictions: of the segments.
        references: the nearest ones.
        readings: that are equal.
        marks: of transcripts, as `clean_characters` takes them.
    """
    counts = np.zeros((len(predictions), len(CHOICES), 2), dtype=np.int64)
    both = predictions, references
    flags = zip(*(has_notation(side, readings, marks) for side in both), strict=True)
    rows = [row for row, flag in enumerate(flags) if any(flag) and predictions[row] != references[row]]
    pairs = [sorted(side[row] for side in both) for row in rows]
    texts = read_texts([*itertools.chain.from_iterable(pairs)], readings, _CLEANING._replace(marks=marks))
    for row, pair, first, second in zip(rows, pairs, texts[::2], texts[1::2], strict=True):
        sides = (0, 1) if predictions[row] == pair[0] else (1, 0)
        for side, choice in _choices(first, second):
            counts[row, CHOICES.index(choice), sides[side]] += 1
    return dict(zip(CHOICE_COLUMNS, counts.reshape(len(counts), -1).T, strict=True))


def _choices(first: Text, second: Text) -> Iterator[tuple[int, str]]:
    """Yields for each choice which of two texts has the signs, 0 or 1, and the choice."""
    amounts = [_are_amounts(text) for text in (first, second)]
    networks, parts = zip(*map(_network, without_common_ends(first, second), amounts), strict=True)
    steps = nearest_paths(*networks)
    # the characters of each step, "" for none, and what they are part of
    columns = [
        [
            (network.arcs[node][0][1][0], of.get(node)) if node >= 0 else ("", None)
            for network, of, node in zip(networks, parts, nodes, strict=True)
        ]
        for _, *nodes in steps
    ]
    is_wrong = [
        kind != "equal" and any(character.isnumeric() or character in NUMERALS for character, _ in column)
        for (kind, *_), column in zip(steps, columns, strict=True)
    ]
    whole, right = Counter(), Counter()
    for place, ((kind, *_), column) in enumerate(zip(steps, columns, strict=True)):
        for side, (_, part) in enumerate(column):
            character, other = column[1 - side]
            whole[side, part] += 1
            is_word = other is None and "가" <= character <= "힣"
            is_longer = part and part[1] in _FIGURES and any(is_wrong[max(place - 1, 0) : place + 2])
            right[side, part] += kind == "equal" and is_word and not is_longer
    for (side, part), size in whole.items():
        if part is not None and right[side, part] == size:
            yield side, part[1]


def _are_amounts(text: Text) -> list[bool]:
    """Returns for each notation whether it is an amount of money: 5,000 before 원, or $5."""
    pairs = [(piece, after) for piece, after in itertools.pairwise([*text, ""]) if isinstance(piece, Notation)]
    return [
        bool(_MONEY.search(piece.written) or isinstance(after, str) and _MONEY.match(after)) for piece, after in pairs
    ]


def _network(text: Text, are_amounts: list[bool]) -> tuple[Network, dict[int, NotationChoice]]:
    """Returns the network of a text, and what the labels that lead to its nodes are part of."""
    network, spans = read_network(text, _CLEANING)
    parts = {}
    for index, ((start, end, notation), is_money) in enumerate(zip(spans, are_amounts, strict=True)):
        for node in range(start, end):
            choice = _choice(notation.kind, network.arcs[node][0][1], is_money)
            if choice:
                parts[node] = index, choice
    return network, parts


def _choice(kind: str, label: Any, is_money: bool) -> str | None:
    """Returns of which of CHOICES a label of a notation is, None where it is of none.

    Args:
        kind: of the notation.
        label: in its network.
        is_money: whether it is an amount of money.
    """
    if label == NO_WORD or kind not in ("number", "date", "unit", "letter"):
        return None
    if kind in ("date", "letter"):
        return {"date": "date", "letter": "latin"}[kind]
    if is_money:
        return "money"
    return "unit" if kind == "unit" and label[2:] not in _OF_UNITS else "number"
