"""What METEOR's stages can match with one another, and how many at best; nothing here takes exponential time.

The idea: how many matches there can be depends only on how often each word type occurs in the two texts. So words are
counted by type, and positions do not matter until the end. Of equal words, and of words with equal stems, the smaller
count is matched. Synonyms are not transitive, so their number is a maximum flow between types. Synonyms are kept as
groups, because the pairs within a group are as many as the square of its words.

The plain version tries all alignments, or assigns position by position with scipy: tests/test_alignment.py.
"""

import functools
import itertools
import operator
from collections.abc import Sequence

import numpy as np

from .matching import EXACT, STEM, SYNONYM, Group, Pair, Type
from .synonym_flow import Flow

# a mask that is longer and has more positions than these is searched faster by numpy than bit by bit
_LONG = 500
_MANY = 16
_FEW = 8  # types: what they can match at best is worth remembering for other texts
_UNIT = 2**24  # more words than a text has
_GAINS = (_UNIT**2, _UNIT, 1)  # of a match of each stage: one more exact match outweighs all others


class Component:
    """Word types that can be matched with one another, and with no others.

    A mask is an integer with a bit for each position. A type is named by its place in the list of types. A position is
    one of the prediction, and its partner a position of the reference.

    Attributes:
        is_plain: there is a single word type, so that any two of its words match.
        prediction, reference: masks of the positions.
        n_links: pairs of positions that may be matched.
        partners: position -> mask of the partners that it may be matched with.
    """

    def __init__(self, types: Sequence[Type], synonyms: Sequence[Group] = ()) -> None:
        """Takes the types, and groups of types that are synonyms."""
        self._types = types
        self._synonyms = tuple((tuple(firsts), tuple(seconds)) for firsts, seconds in synonyms)
        self.is_plain = len(types) == 1
        if self.is_plain:
            self.prediction, self.reference, _ = types[0]
            self.partners = dict.fromkeys(self.positions(self.prediction), self.reference)
            self.n_links = self.prediction.bit_count() * self.reference.bit_count()
            self.size = min(self.prediction.bit_count(), self.reference.bit_count())
            self.weight = 1
            return

        self._values: dict[tuple[int, ...], int] = {}
        self._type_of: dict[int, int] = {}
        self._type_of_partner: dict[int, int] = {}
        places: dict[int, int] = {}
        self._stems = tuple(places.setdefault(stem, len(places)) for _, _, stem in types)
        self._surplus = [prediction.bit_count() - reference.bit_count() for prediction, reference, _ in types]
        self.prediction = self.reference = self.n_links = 0
        self.partners: dict[int, int] = {}
        for index, ((prediction, reference, _), partners) in enumerate(zip(types, self._partners(), strict=True)):
            self.prediction |= prediction
            self.reference |= reference
            self.n_links += prediction.bit_count() * partners.bit_count()
            words = self.positions(prediction)
            self.partners.update(dict.fromkeys(words, partners))
            self._type_of.update(dict.fromkeys(words, index))
            self._type_of_partner.update(dict.fromkeys(self.positions(reference), index))

    @staticmethod
    def positions(mask: int) -> list[int]:
        """Returns the positions of a mask, in order."""
        if mask.bit_length() > _LONG and mask.bit_count() > _MANY:
            data = mask.to_bytes(mask.bit_length() // 8 + 1, "little")
            bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little")
            return np.flatnonzero(bits).tolist()
        result = []
        while mask:
            lowest = mask & -mask
            result.append(lowest.bit_length() - 1)
            mask ^= lowest
        return result

    @functools.cached_property
    def weight(self) -> int:
        """How long it takes to look at a choice, 1 where the component is plain.

        To be asked for where there are few words, because all pairs of synonyms are counted.
        """
        pairs: set[Pair] = set()
        for firsts, seconds in self._synonyms:
            pairs.update(itertools.product(firsts, seconds))
        return 3 * (len(self._types) + len(pairs))

    @functools.cached_property
    def size(self) -> int:
        """The number of matches that every alignment makes here."""
        total = self.value(self.prediction, self.reference)
        return sum(total // gain % _UNIT for gain in _GAINS)

    def _partners(self) -> list[int]:
        """Returns for each type the mask of all that its words may be matched with."""
        missing_of_stem: dict[int, int] = {}
        for (_, reference, stem), surplus in zip(self._types, self._surplus, strict=True):
            if surplus < 0:
                missing_of_stem[stem] = missing_of_stem.get(stem, 0) | reference
        masks = []
        for (_, reference, stem), surplus in zip(self._types, self._surplus, strict=True):
            masks.append(reference | missing_of_stem.get(stem, 0) if surplus > 0 else reference)
        for firsts, seconds in self._synonyms:
            partners = functools.reduce(operator.or_, (self._types[second][1] for second in seconds))
            for first in firsts:
                masks[first] |= partners
        return masks

    def value(self, prediction: int, reference: int) -> int:
        """Returns what can be matched at best among free positions: the sum of `gain` over all matches.

        A match of an earlier stage counts more than all matches of the later ones together.

        Args:
            prediction: mask of free positions; those of other components make no difference.
            reference: likewise.
        """
        predicted = [(prediction & mask).bit_count() for mask, _, _ in self._types]
        wanted = [(reference & mask).bit_count() for _, mask, _ in self._types]
        counts = *predicted, *wanted
        if counts not in self._values:
            best = _best_value if len(self._types) <= _FEW else _best_value.__wrapped__
            self._values[counts] = best(self._stems, self._synonyms, tuple(predicted), tuple(wanted))
        return self._values[counts]

    def gain(self, position: int, partner: int) -> int:
        """Returns what a match adds to the value."""
        return _GAINS[self.stage(position, partner)]

    def stage(self, position: int, partner: int) -> int:
        """Returns the stage that matches two positions."""
        first, second = self.types_of(position, partner)
        if first == second:
            return EXACT
        return STEM if self._types[first][2] == self._types[second][2] else SYNONYM

    def types_of(self, position: int, partner: int) -> Pair:
        """Returns the types of two positions."""
        return self._type_of[position], self._type_of_partner[partner]

    def positions_of(self, first: int) -> Pair:
        """Returns the masks of a type's positions in the prediction and in the reference."""
        return self._types[first][:2]

    def types(self) -> list[Pair]:
        """Returns the masks of each type's positions in the prediction and in the reference."""
        return [(prediction, reference) for prediction, reference, _ in self._types]

    def flow(self) -> Flow:
        """Returns the counts of all words, where only equal words are matched yet."""
        predicted = [mask.bit_count() for mask, _, _ in self._types]
        wanted = [mask.bit_count() for _, mask, _ in self._types]
        return Flow(self._stems, self._synonyms, predicted, wanted)

    def complete(self, flow: Flow, links: dict[int, int]) -> None:
        """Makes as many matches of synonyms as there can be, and keeps the other matches as far as possible.

        The flow first finds out how many words of each type are to be matched with which other type. Links that agree
        with these counts stay, the others go, and free positions of the right types make up for them.

        Args:
            flow: counts of the matches; grows.
            links: the matches, position -> partner; is changed accordingly.
        """
        if not flow.grow():
            return
        synonyms = dict(flow.synonyms)
        stems = list(flow.stems)
        reference_stems = list(flow.reference_stems)
        linked = [position for position in self.partners if position in links]
        for position in linked:
            partner = links[position]
            first, second = self.types_of(position, partner)
            if synonyms.get((first, second), 0):
                synonyms[first, second] -= 1
            elif self.stage(position, partner) == STEM and stems[first] and reference_stems[second]:
                stems[first] -= 1
                reference_stems[second] -= 1
            elif first != second:
                del links[position]

        pairs: list[Pair] = []
        for pair, count in synonyms.items():
            pairs += [pair] * count
        for first, count in enumerate(stems):
            for _ in range(count):
                stem = self._types[first][2]
                second = next(
                    index for index, n_left in enumerate(reference_stems) if n_left and self._types[index][2] == stem
                )
                reference_stems[second] -= 1
                pairs.append((first, second))

        used = set(links.values())
        for first, second in pairs:
            words, _ = self.positions_of(first)
            _, partners = self.positions_of(second)
            position = next(word for word in self.positions(words) if word not in links)
            partner = next(partner for partner in self.positions(partners) if partner not in used)
            links[position] = partner
            used.add(partner)


@functools.lru_cache(maxsize=2**14)
def _best_value(
    stems: tuple[int, ...],
    synonyms: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...],
    predicted: tuple[int, ...],
    wanted: tuple[int, ...],
) -> int:
    """Returns what `Component.value` does, by the arguments of `Flow`, of which the same ones occur again and again."""
    flow = Flow(stems, synonyms, predicted, wanted)
    of_exact = _GAINS[EXACT] * flow.exact
    of_stems = _GAINS[STEM] * flow.match_stems()
    of_synonyms = _GAINS[SYNONYM] * flow.grow()
    return of_exact + of_stems + of_synonyms
