"""Which words METEOR may match: its stages on word types, before anything is aligned.

A stage matches words that the stages before it have left, and as many as it can (Banerjee and Lavie 2005, section 2.1).
So where a text has no more words of a type than the other text has, these words take no part in a later stage. What is
left falls apart into components: sets of word types that can be matched with one another and with no others. How many
matches a component makes depends on no other one.

The plain version, in tests/test_alignment.py, asks for each pair of words which stage matches it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

EXACT, STEM, SYNONYM = range(3)  # the stages

Type = tuple[int, int, int]  # mask of its positions in the prediction, mask of those in the reference, stem
Pair = tuple[int, int]  # something of the prediction, and something of the same kind of the reference
Group = tuple[list[int], list[int]]  # types of the prediction, and those of the reference that are their synonyms


def matchable(
    prediction: Sequence[int], reference: Sequence[int], stems: Sequence[int], synonyms: Sequence[Iterable[int]]
) -> tuple[dict[int, int], dict[int, int], list[tuple[list[Type], list[Group]]]]:
    """Returns the links that are in every alignment, their stages, and the components in which there is a choice.

    A fixed link is an entry, position in the prediction -> position in the reference. It has its stage at its position
    in the prediction, except for equal words. A component is what `Component` of components.py takes: word types, and
    which of them are synonyms.

    >>> matchable([0, 1], [0, 2], stems=[0, 1, 1], synonyms=[(), (), ()])
    ({0: 0, 1: 1}, {1: 1}, [])

    Args:
        prediction: word types.
        reference: word types.
        stems: stem of each word type; the type itself without that stage.
        synonyms: groups of each word type; two words that share one are synonyms; empty without that stage.
    """
    predicted = _positions(prediction)
    wanted = _positions(reference)
    pairs, groups_of = _connections(predicted, wanted, stems, synonyms)
    connected = {word for pair in pairs for word in pair}
    repeated = (predicted.masks.keys() | wanted.masks.keys()) - connected

    fixed_links: dict[int, int] = {}
    components: list[tuple[list[Type], list[Group]]] = []
    for word, position in predicted.last.items():
        if word not in wanted.last or word in connected:
            continue
        if word in repeated:
            components.append(([(predicted.mask(word), wanted.mask(word), 0)], []))
        else:
            fixed_links[position] = wanted.last[word]

    stages = {}
    for words in _connected(pairs):
        types = [(predicted.mask(word), wanted.mask(word), stems[word]) for word in words]
        n_positions = sum([mask.bit_count() + partners.bit_count() for mask, partners, _ in types])
        if n_positions > 2:
            components.append((types, _numbered(words, groups_of)))
            continue
        (mask, _, stem), (_, partner, partner_stem) = types
        position = mask.bit_length() - 1
        fixed_links[position] = partner.bit_length() - 1
        stages[position] = STEM if stem == partner_stem else SYNONYM
    return fixed_links, stages, components


def _connections(
    predicted: "_Positions", wanted: "_Positions", stems: Sequence[int], synonyms: Sequence[Iterable[int]]
) -> tuple[list[Pair], dict[int, list[Group]]]:
    """Returns pairs of words that connect all words of a stem or a group, and the groups, by the first word of each."""
    spare = _surplus(predicted, wanted)
    missing = _surplus(wanted, predicted)
    pairs, exhausted = _stem_pairs(spare, missing, stems)
    free = [word for word in spare if word not in exhausted]
    free_partners = [word for word in missing if word not in exhausted]
    groups_of: dict[int, list[Group]] = {}
    for words, partners in _synonym_groups(free, free_partners, synonyms):
        # enough pairs to connect each group: all of them would be the square of its words
        pairs += [(words[0], word) for word in (*words[1:], *partners)]
        groups_of.setdefault(words[0], []).append((words, partners))
    return pairs, groups_of


def _numbered(words: Sequence[int], groups_of: Mapping[int, Sequence[Group]]) -> list[Group]:
    """Returns the groups of a set of connected words, where each word is named by its place in the set."""
    numbers = {word: number for number, word in enumerate(words)}
    groups = []
    for word in words:
        for firsts, seconds in groups_of.get(word, ()):
            groups.append(([numbers[first] for first in firsts], [numbers[second] for second in seconds]))
    return groups


class _Positions(NamedTuple):
    """Where the word types of a text occur."""

    last: dict[int, int]  # type -> its last position; types in order of their first one
    masks: dict[int, int]  # type that occurs more than once -> mask of its positions

    def mask(self, word: int) -> int:
        """Returns the mask of a type's positions."""
        if word in self.masks:
            return self.masks[word]
        return 1 << self.last[word] if word in self.last else 0


def _positions(words: Sequence[int]) -> _Positions:
    """Returns where each word type occurs; most occur once, and need no mask."""
    last = dict(zip(words, range(len(words)), strict=True))
    masks: dict[int, int] = {}
    if len(last) < len(words):
        for position, word in enumerate(words):
            if last[word] != position:
                masks[word] = masks.get(word, 1 << last[word]) | 1 << position
    return _Positions(last, masks)


def _surplus(here: _Positions, there: _Positions) -> dict[int, int]:
    """Returns the word types that occur more often in one text than in the other, and how much more often."""
    counts, masks_there, last_there = here.masks, there.masks, there.last
    surplus = {}
    for word in here.last:
        if word not in last_there:
            surplus[word] = counts[word].bit_count() if word in counts else 1
        elif word in counts:
            more = counts[word].bit_count() - masks_there.get(word, 1).bit_count()
            if more > 0:
                surplus[word] = more
    return surplus


def _stem_pairs(
    spare: Mapping[int, int], missing: Mapping[int, int], stems: Sequence[int]
) -> tuple[list[Pair], set[int]]:
    """Returns pairs that connect all types of a stem that both texts have, and the types whose words are all matched.

    Args:
        spare: words that the exact stage leaves in the prediction, by type.
        missing: those that it leaves in the reference.
        stems: of all types.
    """
    by_stem: dict[int, tuple[list[int], list[int]]] = {}
    if {stems[word] for word in spare}.isdisjoint([stems[word] for word in missing]):
        return [], set()
    for word in spare:
        by_stem.setdefault(stems[word], ([], []))[0].append(word)
    for word in missing:
        if stems[word] in by_stem:
            by_stem[stems[word]][1].append(word)

    pairs = []
    exhausted: set[int] = set()
    for words, partners in by_stem.values():
        if not partners:
            continue
        pairs += [(words[0], word) for word in [*words[1:], *partners]]
        n_spare = sum([spare[word] for word in words])
        n_missing = sum([missing[word] for word in partners])
        if n_spare <= n_missing:
            exhausted.update(words)
        if n_spare >= n_missing:
            exhausted.update(partners)
    return pairs, exhausted


def _synonym_groups(spare: Iterable[int], missing: Iterable[int], synonyms: Sequence[Iterable[int]]) -> list[Group]:
    """Returns the groups that have words in both texts."""
    by_group: dict[int, Group] = {}
    for word in spare:
        for group in synonyms[word]:
            by_group.setdefault(group, ([], []))[0].append(word)
    for word in missing:
        for group in synonyms[word]:
            if group in by_group:
                by_group[group][1].append(word)
    return [group for group in by_group.values() if group[1]]


def _connected(pairs: Iterable[Pair]) -> list[list[int]]:
    """Returns the sets of words that are connected by pairs, directly or through others."""
    neighbours: dict[int, list[int]] = {}
    for first, second in pairs:
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)

    sets = []
    seen: set[int] = set()
    for word in neighbours:
        if word in seen:
            continue
        seen.add(word)
        members = [word]
        for member in members:  # grows while it is read
            new = [neighbour for neighbour in dict.fromkeys(neighbours[member]) if neighbour not in seen]
            seen.update(new)
            members.extend(new)
        sets.append(members)
    return sets
