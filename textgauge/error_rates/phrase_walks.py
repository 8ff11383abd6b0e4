"""Walks through the network of a phrase and that of a text at the same time, which take all of the phrase."""

from collections.abc import Iterator

from textgauge.edits.network_edits import are_equal
from textgauge.edits.networks import NO_WORD, Steps
from textgauge.korean.reading_trees import BLANK


def walk(form: Steps, steps: Steps, start: int, skips_blanks: bool) -> Iterator[tuple[int, int]]:
    """Yields the nodes of the first and the last label of a phrase that begins behind a node of a text."""
    left, seen = [(0, start, -1)], set()
    while left:
        place, node, first = left.pop()
        if (place, node, first) in seen:
            continue
        seen.add((place, node, first))
        if place == len(form) - 1:
            yield first, node
            continue
        for target, label in form[place]:
            if label == NO_WORD or (skips_blanks and label == BLANK):
                left.append((target, node, first))
                continue
            for behind, other in steps[node]:
                if other != NO_WORD and are_equal(label, other):
                    left.append((target, behind, behind if first < 0 else first))
        for behind, other in steps[node]:
            if other == NO_WORD or (skips_blanks and other == BLANK and first >= 0):
                left.append((place, behind, first))


def is_end(steps: Steps, node: int, skips_blanks: bool) -> bool:
    """Returns whether a text may end in a node."""
    if node == len(steps) - 1:
        return True
    silent = (NO_WORD, BLANK) if skips_blanks else (NO_WORD,)
    return any(is_end(steps, target, skips_blanks) for target, label in steps[node] if label in silent)
