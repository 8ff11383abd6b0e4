"""How many words can be matched by their stems and as synonyms, as a maximum flow between types of words.

Synonyms are not transitive, so that matching them greedily may match too few. The plain version assigns position by
position with scipy: tests/test_alignment.py.
"""

import collections
from collections.abc import Iterator, Sequence

from .matching import Pair


class Flow:
    """How many words of each type are matched with words of which other types.

    Attributes:
        exact: matches of equal words.
        left, wanted: for each type, its words that have no partner yet, in the prediction and in the reference.
        stems, reference_stems: for each type, its words that are matched by their stem, in either text.
        synonyms: matches of each pair of types that are synonyms.
    """

    def __init__(
        self,
        stems: Sequence[int],
        synonyms: Sequence[tuple[Sequence[int], Sequence[int]]],
        predicted: Sequence[int],
        wanted: Sequence[int],
    ) -> None:
        """Takes the stem of each type, groups of types, how often each occurs in either text; matches equal words."""
        matched = list(map(min, predicted, wanted))
        self.exact = sum(matched)
        self.left = [count - exact for count, exact in zip(predicted, matched, strict=True)]
        self.wanted = [count - exact for count, exact in zip(wanted, matched, strict=True)]
        self.stems = [0] * len(stems)
        self.reference_stems = [0] * len(stems)
        self.synonyms: collections.Counter[Pair] = collections.Counter()
        self._stem_of = stems
        self._members: dict[int, list[int]] = {}
        for index, stem in enumerate(self._stem_of):
            self._members.setdefault(stem, []).append(index)
        # words of each stem that the stem stage leaves over: above 0 in the prediction, below 0 in the reference
        self._rest = dict.fromkeys(self._members, 0)
        for index, stem in enumerate(self._stem_of):
            self._rest[stem] += self.left[index] - self.wanted[index]
        self._groups = synonyms
        self._groups_of: dict[int, list[int]] = {}
        for number, (firsts, _) in enumerate(synonyms):
            for first in firsts:
                self._groups_of.setdefault(first, []).append(number)
        self._matched: dict[int, dict[int, None]] = {}  # type of the reference -> types it was matched with

    def match_stems(self) -> int:
        """Matches as many words as have the same stem, and returns their number."""
        total = 0
        for members in self._members.values():
            n_left = sum([self.left[index] for index in members])
            n_wanted = sum([self.wanted[index] for index in members])
            amount = min(n_left, n_wanted)
            total += amount
            for free, matched in ((self.left, self.stems), (self.wanted, self.reference_stems)):
                rest = amount
                for index in members:
                    taken = min(rest, free[index])
                    free[index] -= taken
                    matched[index] += taken
                    rest -= taken
        return total

    def take(self, first: int, second: int) -> bool:
        """Matches a word of each type and returns True, unless an earlier stage could then make fewer matches."""
        if first == second:
            return True  # these words were never counted as left
        if not (self.left[first] and self.wanted[second]):
            return False
        if self._stem_of[first] == self._stem_of[second]:
            self.stems[first] += 1
            self.reference_stems[second] += 1
        else:
            source = self._stem_of[first]
            sink = self._stem_of[second]
            if not self._rest[source] > 0 > self._rest[sink]:
                return False
            self._rest[source] -= 1
            self._rest[sink] += 1
            self._match(first, second, 1)
        self.left[first] -= 1
        self.wanted[second] -= 1
        return True

    def _match(self, first: int, second: int, count: int) -> None:
        self.synonyms[first, second] += count
        self._matched.setdefault(second, {})[first] = None

    def grow(self) -> int:
        """Makes as many matches of synonyms as possible, and returns how many more; the stem stage has been done.

        A maximum flow by shortest augmenting paths (Edmonds and Karp 1972): a path begins at a word without a partner
        in the prediction, ends at one in the reference, and adds one match. Words on the way may change their partners,
        also one by stem for a synonym, but the stem stage keeps its number of matches.
        """
        grown = self._match_directly()
        while path := self._path():
            self.left[path[0][1]] -= 1
            self.wanted[path[-1][1]] -= 1
            for (kind, index), (next_kind, next_index) in zip(path, path[1:], strict=False):
                if kind == "word" and next_kind == "partner":
                    self._match(index, next_index, 1)
                elif kind == "partner" and next_kind == "word":
                    self.synonyms[next_index, index] -= 1
                elif kind == "word":
                    self.stems[index] += 1
                elif next_kind == "word":
                    self.stems[next_index] -= 1
                elif kind == "partner":
                    self.reference_stems[index] -= 1
                else:
                    self.reference_stems[next_index] += 1
            grown += 1
        return grown

    def _match_directly(self) -> int:
        """Matches synonyms that have no partner yet, and returns how many."""
        grown = 0
        free_of_groups = []  # the first one last
        for _, seconds in self._groups:
            free_of_groups.append([second for second in reversed(seconds) if self.wanted[second]])
        for first, numbers in self._groups_of.items():
            for number in numbers:
                free = free_of_groups[number]
                while self.left[first] and free:
                    second = free[-1]
                    n_matches = min(self.left[first], self.wanted[second])
                    self.left[first] -= n_matches
                    self.wanted[second] -= n_matches
                    self._match(first, second, n_matches)
                    grown += n_matches
                    if not self.wanted[second]:
                        free.pop()
        return grown

    def _path(self) -> list[tuple[str, int]]:
        """Returns the shortest path that adds a match, found breadth first; empty if there is none."""
        if not self._groups:
            return []
        queue = [("word", index) for index, count in enumerate(self.left) if count]
        before: dict[tuple[str, int], tuple[str, int] | None] = dict.fromkeys(queue)
        entered: set[int] = set()
        for node in queue:  # grows while it is read
            if node[0] == "partner" and self.wanted[node[1]]:
                path = [node]
                while path[-1] is not None:
                    path.append(before[path[-1]])
                return path[-2::-1]
            for neighbour in self._neighbours(*node, entered):
                if neighbour not in before:
                    before[neighbour] = node
                    queue.append(neighbour)
        return []

    def _neighbours(self, kind: str, index: int, entered: set[int]) -> Iterator[tuple[str, int]]:
        """Yields the nodes that a path may go to from a node.

        A word goes to a synonym as its new partner, or to its stem, to take the place of a word that is matched by it.
        A partner goes back to a word that gives it up, or to its stem, from where a partner that is free or matched by
        that stem replaces it.

        Args:
            kind: "word" (of the prediction), "partner" (of the reference), "stem", "partner stem".
            index: number of the type or of the stem.
            entered: groups whose words have been yielded, and need not be again; grows.
        """
        if kind == "word":
            for group in self._groups_of.get(index, ()):
                if group not in entered:
                    entered.add(group)
                    yield from (("partner", second) for second in self._groups[group][1])
            yield "stem", self._stem_of[index]
        elif kind == "partner":
            yield from (("word", first) for first in self._matched.get(index, ()) if self.synonyms[first, index])
            if self.reference_stems[index]:
                yield "partner stem", self._stem_of[index]
        elif kind == "stem":
            yield from (("word", first) for first in self._members[index] if self.stems[first])
        else:
            for partner in self._members[index]:
                if self.wanted[partner] or self.reference_stems[partner]:
                    yield "partner", partner
