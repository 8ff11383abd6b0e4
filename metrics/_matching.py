"""Which words METEOR may match: its stages on word types, before anything is aligned.

A stage matches words that the stages before it have left, and as many as it can (Banerjee and Lavie 2005, section 2.1).
So where a text has no more words of a type than the other text has, these words take no part in a later stage. What is
left falls apart into components: sets of word types that can be matched with one another and with no others. How many
matches a component makes depends on no other one.

The plain version, in tests/test_alignment.py, asks for each pair of words which stage matches it.
"""

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence

EXACT, STEM, SYNONYM = range(3)  # the stages

Type = tuple[int, int, int]  # mask of its positions in the prediction, mask of those in the reference, stem
Pair = tuple[int, int]  # something of the prediction, and something of the same kind of the reference
Group = tuple[list[int], list[int]]  # types of the prediction, and those of the reference that are their synonyms


def matchable(
    prediction: Sequence[int], reference: Sequence[int], stems: Sequence[int], synonyms: Sequence[Iterable[int]]
) -> tuple[dict[int, Pair], list[tuple[list[Type], list[Group]]]]:
    """Returns the links that are in every alignment, and the components in which there is a choice.

    A fixed link is an entry, position in the prediction -> (position in the reference, stage). A component is what
    `Component` of _components.py takes: word types, and which of them are synonyms.

    Args:
        prediction: word types.
        reference: word types.
        stems: stem of each word type; the type itself without that stage.
        synonyms: groups of each word type; two words that share one are synonyms; empty without that stage.
    """
    predicted, wanted = _masks(prediction), _masks(reference)
    spare, missing = _surplus(predicted, wanted), _surplus(wanted, predicted)
    stem_pairs, exhausted = _stem_pairs(spare, missing, stems)
    free = [[word for word in side if word not in exhausted] for side in (spare, missing)]
    groups = _synonym_groups(*free, synonyms)
    # enough pairs to connect each group: all of them would be the square of its words
    synonym_pairs = [(words[0], word) for words, partners in groups for word in (*words[1:], *partners)]
    groups_of: dict[int, list[Group]] = {}
    for group in groups:
        groups_of.setdefault(group[0][0], []).append(group)
    fixed_links, components = {}, []
    connected = {word for pair in (*stem_pairs, *synonym_pairs) for word in pair}
    for word, mask in predicted.items():
        partners = wanted.get(word)
        if partners and word not in connected:
            if mask & (mask - 1) or partners & (partners - 1):  # more than one position
                components.append(([(mask, partners, 0)], []))
            else:
                fixed_links[mask.bit_length() - 1] = partners.bit_length() - 1, EXACT
    for words in _connected([*stem_pairs, *synonym_pairs]):
        types = [(predicted.get(word, 0), wanted.get(word, 0), stems[word]) for word in words]
        if sum(mask.bit_count() + partners.bit_count() for mask, partners, _ in types) == 2:
            (mask, _, stem), (_, partner, partner_stem) = types
            fixed_links[mask.bit_length() - 1] = partner.bit_length() - 1, STEM if stem == partner_stem else SYNONYM
        else:
            components.append((types, _numbered(words, groups_of)))
    return fixed_links, components


def _numbered(words: Sequence[int], groups_of: Mapping[int, Sequence[Group]]) -> list[Group]:
    """Returns the groups of a set of connected words, where each word is named by its place in the set."""
    places = {word: place for place, word in enumerate(words)}
    own = [group for word in words for group in groups_of.get(word, ())]
    return [([places[word] for word in firsts], [places[word] for word in seconds]) for firsts, seconds in own]


def _masks(words: Sequence[int]) -> dict[int, int]:
    """Returns the mask of the positions of each word type."""
    masks: dict[int, int] = {}
    bit = 1
    for word in words:
        masks[word] = masks.get(word, 0) | bit
        bit <<= 1
    return masks


def _surplus(masks: Mapping[int, int], masks_there: Mapping[int, int]) -> dict[int, int]:
    """Returns the word types that occur more often in one text than in the other, and how much more often."""
    return {
        word: surplus
        for word, mask in masks.items()
        if (surplus := mask.bit_count() - masks_there.get(word, 0).bit_count()) > 0
    }


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
    for word in spare:
        by_stem.setdefault(stems[word], ([], []))[0].append(word)
    for word in missing:
        if stems[word] in by_stem:
            by_stem[stems[word]][1].append(word)
    pairs, exhausted = [], set()
    for words, partners in by_stem.values():
        if partners:
            pairs += [(words[0], word) for word in [*words[1:], *partners]]
            difference = sum(spare[word] for word in words) - sum(missing[word] for word in partners)
            exhausted.update(words if difference <= 0 else ())
            exhausted.update(partners if difference >= 0 else ())
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
    found, seen = [], set()
    for word in neighbours:
        if word not in seen:
            seen.add(word)
            members = [word]
            for member in members:  # grows while it is read
                new = [neighbour for neighbour in dict.fromkeys(neighbours[member]) if neighbour not in seen]
                seen.update(new)
                members.extend(new)
            found.append(members)
    return found
