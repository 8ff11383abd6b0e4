"""Walks through the network of a phrase and that of a text at the same time, which take all of the phrase."""

from collections.abc import Iterable, Iterator

from textgauge.edits.network_edits import are_equal
from textgauge.edits.networks import NO_WORD, Steps
from textgauge.korean.reading_trees import BLANK

_MOST_BEGINNINGS = 16  # of a phrase: those of a number with a unit, such as 3.5% or 5mg, are some characters long


class _Prefix:
    """A node of the trie of beginnings."""

    def __init__(self) -> None:
        self.longer: dict[str, _Prefix] = {}
        self.phrases: list[int] = []  # those with this beginning


class Beginnings:
    """A trie of how phrases begin, in all their readings: it tells which ones a text can have at a place.

    Without it each place of a text would be compared with all phrases, and each phrase with all others. The beginnings
    of a phrase are as long as there are few of them; a phrase without a notation has one, all its characters.
    """

    def __init__(self, forms: list[Steps]) -> None:
        self._root = _Prefix()
        for phrase, form in enumerate(forms):
            for beginning in _beginnings(form):
                prefix = self._root
                for character in beginning:
                    prefix = prefix.longer.setdefault(character, _Prefix())
                prefix.phrases.append(phrase)

    @property
    def characters(self) -> list[str]:
        """The first characters of all phrases."""
        return list(self._root.longer)

    def of_text(self, steps: Steps, firsts: Iterable[tuple[int, str]]) -> list[int]:
        """Returns which phrases can begin with one of these arcs of a text; blanks behind them do not matter."""
        phrases: set[int] = set()
        states_left = self._longer(self._root, firsts)
        seen: set[tuple[int, int]] = set()
        while states_left:
            prefix, node = states_left.pop()
            if (id(prefix), node) in seen:
                continue
            seen.add((id(prefix), node))
            phrases.update(prefix.phrases)
            states_left += self._longer(prefix, _characters_behind(steps, node))
        return sorted(phrases)

    @staticmethod
    def _longer(prefix: _Prefix, labels: Iterable[tuple[int, str]]) -> list[tuple[_Prefix, int]]:
        """Returns the beginnings that are longer by one of these labels, with the nodes behind them."""
        first = [(node, label[0]) for node, label in labels if label not in (NO_WORD, BLANK)]
        return [(prefix.longer[character], node) for node, character in first if character in prefix.longer]


def _beginnings(form: Steps) -> set[str]:
    """Returns how the readings of a phrase begin: as many characters of each one as leave few that differ."""
    whole: set[str] = set()  # readings that end here
    reached = {(character, node) for node, character in _characters_behind(form, 0)}
    while True:
        beginnings = {beginning for beginning, _ in reached}
        longer = set()
        for beginning, node in reached:
            if is_end(form, node, skips_blanks=True):
                whole.add(beginning)
            longer |= {(beginning + character, behind) for behind, character in _characters_behind(form, node)}
        n_longer = len({beginning for beginning, _ in longer})
        if n_longer == 0 or len(whole) + n_longer > max(_MOST_BEGINNINGS, len(beginnings)):
            return whole | beginnings
        reached = longer


def _characters_behind(steps: Steps, node: int) -> list[tuple[int, str]]:
    """Returns the next characters behind a node that are no blanks, with the nodes that they lead to."""
    characters = []
    for target, label in steps[node]:
        if label in (NO_WORD, BLANK):
            characters += _characters_behind(steps, target)
        else:
            characters.append((target, label[0]))
    return characters


def walk(form: Steps, steps: Steps, start: int, skips_blanks: bool) -> Iterator[tuple[int, int]]:
    """Yields the nodes of the first and the last label of a phrase that begins behind a node of a text."""
    states_left = [(0, start, -1)]  # a node of the phrase, one of the text, and that of the first label, -1 before it
    seen = set()
    while states_left:
        state = states_left.pop()
        if state in seen:
            continue
        seen.add(state)
        form_node, node, first = state
        if form_node == len(form) - 1:
            yield first, node
            continue
        for target, label in form[form_node]:
            if label == NO_WORD or (skips_blanks and label == BLANK):
                states_left.append((target, node, first))
                continue
            for behind, text_label in steps[node]:
                if text_label != NO_WORD and are_equal(label, text_label):
                    states_left.append((target, behind, behind if first < 0 else first))
        for behind, text_label in steps[node]:
            if text_label == NO_WORD or (skips_blanks and text_label == BLANK and first >= 0):
                states_left.append((form_node, behind, first))


def is_end(steps: Steps, node: int, skips_blanks: bool) -> bool:
    """Returns whether a text may end in a node."""
    if node == len(steps) - 1:
        return True
    silent = (NO_WORD, BLANK) if skips_blanks else (NO_WORD,)
    return any(is_end(steps, target, skips_blanks) for target, label in steps[node] if label in silent)
