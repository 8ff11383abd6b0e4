"""Which words METEOR may match: its stages on word types, before anything is aligned.

A stage matches what the stages before it have left, and as many words as it can (Banerjee and Lavie 2005, section 2.1).
So a word that finds as many partners of its own form as there are of itself takes no part in a later stage. What is
left falls apart into components: word types that can be matched with one another and with no other.
"""

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence

_EXACT, _STEM, _SYNONYM = range(3)

Type = tuple[int, int, int]  # mask of its positions in the prediction, mask of those in the reference, stem
Pair = tuple[int, int]
Group = tuple[list[int], list[int]]  # words of the prediction, and those of the reference that are their synonyms


def matchable(
    prediction: Sequence[int], reference: Sequence[int], stems: Sequence[int], synonyms: Sequence[Iterable[int]]
) -> tuple[dict[int, Pair], list[tuple[list[Type], list[Group]]]]:
    """Returns the matches that every alignment makes, position -> (position in the reference, stage), and components.

    A component is what `Component` of _components.py takes: word types, and which of them are synonyms.

    Args:
        prediction: word types.
        reference: word types.
        stems: stem of each word type; the type itself without that stage.
        synonyms: groups of each word type; two words that share one are synonyms; empty without that stage.
    """
    masks, others = _masks(prediction), _masks(reference)
    left, wanted = _surplus(masks, others), _surplus(others, masks)
    stem_links, exhausted = _stem_links(left, wanted, stems)
    free = [[word for word in side if word not in exhausted] for side in (left, wanted)]
    groups = _synonym_groups(*free, synonyms)
    # enough pairs to connect each group: all of them would be the square of its words
    synonym_links = [(words[0], other) for words, others in groups for other in (*words[1:], *others)]
    groups_of: dict[int, list[Group]] = {}
    for group in groups:
        groups_of.setdefault(group[0][0], []).append(group)
    certain, found = {}, []
    linked = {word for pair in (*stem_links, *synonym_links) for word in pair}
    for word, mask in masks.items():
        other = others.get(word)
        if other and word not in linked:
            if mask & (mask - 1) or other & (other - 1):
                found.append(([(mask, other, 0)], []))
            else:
                certain[mask.bit_length() - 1] = other.bit_length() - 1, _EXACT
    for words in _connected([*stem_links, *synonym_links]):
        types = [(masks.get(word, 0), others.get(word, 0), stems[word]) for word in words]
        if sum(mask.bit_count() + other.bit_count() for mask, other, _ in types) == 2:
            (mask, _, stem), (_, other, other_stem) = types
            certain[mask.bit_length() - 1] = other.bit_length() - 1, _STEM if stem == other_stem else _SYNONYM
        else:
            found.append((types, _numbered(words, groups_of)))
    return certain, found


def _numbered(words: Sequence[int], groups_of: Mapping[int, Sequence[Group]]) -> list[Group]:
    """Returns the groups of connected words, each word by its place among them."""
    places = {word: place for place, word in enumerate(words)}
    own = [group for word in words for group in groups_of.get(word, ())]
    return [([places[word] for word in firsts], [places[word] for word in seconds]) for firsts, seconds in own]


def _masks(words: Sequence[int]) -> dict[int, int]:
    """Returns the positions of each word type."""
    masks: dict[int, int] = {}
    bit = 1
    for word in words:
        masks[word] = masks.get(word, 0) | bit
        bit <<= 1
    return masks


def _surplus(masks: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    """Returns the words that stand more often here than there, and how much more often."""
    return {
        word: surplus
        for word, mask in masks.items()
        if (surplus := mask.bit_count() - others.get(word, 0).bit_count()) > 0
    }


def _stem_links(
    left: Mapping[int, int], wanted: Mapping[int, int], stems: Sequence[int]
) -> tuple[list[Pair], set[int]]:
    """Returns pairs that connect all words of a stem that stands on both sides, and the words that are all matched."""
    by_stem: dict[int, tuple[list[int], list[int]]] = {}
    for word in left:
        by_stem.setdefault(stems[word], ([], []))[0].append(word)
    for word in wanted:
        if stems[word] in by_stem:
            by_stem[stems[word]][1].append(word)
    links, exhausted = [], set()
    for words, others in by_stem.values():
        if others:
            links += [(words[0], word) for word in [*words[1:], *others]]
            difference = sum(left[word] for word in words) - sum(wanted[word] for word in others)
            exhausted.update(words if difference <= 0 else ())
            exhausted.update(others if difference >= 0 else ())
    return links, exhausted


def _synonym_groups(left: Iterable[int], wanted: Iterable[int], synonyms: Sequence[Iterable[int]]) -> list[Group]:
    """Returns the groups that have words on both sides."""
    by_group: dict[int, Group] = {}
    for word in left:
        for group in synonyms[word]:
            by_group.setdefault(group, ([], []))[0].append(word)
    for word in wanted:
        for group in synonyms[word]:
            if group in by_group:
                by_group[group][1].append(word)
    return [group for group in by_group.values() if group[1]]


def _connected(pairs: Iterable[Pair]) -> list[list[int]]:
    """Returns the connected sets of words."""
    neighbours: dict[int, list[int]] = {}
    for word, other in pairs:
        neighbours.setdefault(word, []).append(other)
        neighbours.setdefault(other, []).append(word)
    found, seen = [], set()
    for word in neighbours:
        if word not in seen:
            seen.add(word)
            members = [word]
            for member in members:  # grows while it is read
                new = [other for other in dict.fromkeys(neighbours[member]) if other not in seen]
                seen.update(new)
                members.extend(new)
            found.append(members)
    return found
