"""Texts as stretches of neighbouring tokens with the same mark: matched n-grams, phrases with weights, edits."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..saying.texts import say
from .tokens import signed
from .written import Place, places_of


class Stretch(NamedTuple):
    """Neighbouring tokens with the same mark."""

    gap: str  # white space before it
    text: str
    level: int = 0  # length of the longest matched n-gram that covers it, 0 for none
    weight: float | None = None  # of the phrase that it belongs to
    ends_phrase: bool = False
    edit: str = ""  # "substitute", "delete", "insert" or "shift", where an alignment has one; "removed": not compared
    note: str = ""  # "missed" or "surplus": a phrase that only the reference has, or only the prediction
    over: tuple["Stretch", ...] = ()  # what it was read as


def noted_weight(stretch: Stretch, weight: str) -> str:
    """Returns the weight of a phrase as it is written, and whether only one of the texts has the phrase."""
    return say(stretch.note, weight=weight) if stretch.note else weight


def plain_texts(prediction: str, references: Sequence[str]) -> list[list[Stretch]]:
    """Returns the texts without marks."""
    return [[Stretch("", text)] for text in (prediction, *references)]


def matched_ngrams(explanation: dict[str, Any], prediction: str, references: Sequence[str]) -> list[list[Stretch]]:
    """Returns the texts with matched n-grams, in the references wherever they occur, and phrases with weights."""
    tokens, matches = explanation["prediction"], explanation["matches"]
    phrases = _phrases(len(tokens), explanation.get("weights", []))
    marked_texts = [_stretches(prediction, tokens, _levels(len(tokens), matches), phrases)]
    missed = explanation.get("missed") or [[]] * len(references)
    for text, others, of_text in zip(references, explanation["references"], missed, strict=True):
        starts = []
        for order, of_order in enumerate(matches, start=1):
            ngrams = {tuple(tokens[start : start + order]) for start in of_order}
            starts.append([i for i in range(len(others)) if tuple(others[i : i + order]) in ngrams])
        lacking: list[tuple[int, float] | None] = [None] * len(others)
        for start, length, weight in of_text:
            lacking[start : start + length] = [(start, weight)] * length
        marked = _stretches(text, others, _levels(len(others), starts), lacking)
        marked_texts.append([stretch._replace(note="" if stretch.weight is None else "missed") for stretch in marked])
    return marked_texts


def reference_names(explanation: dict[str, Any], references: Sequence[Any]) -> list[str]:
    """Returns the name of each reference: "reference", with its weight if references have weights."""
    weights = explanation.get("reference_weights") or [None] * len(references)
    name = say("reference")
    return [name if weight is None else f"{name} {signed(weight)}" for weight in weights]


def copied_ngrams(explanation: dict[str, Any], prediction: str, source: str) -> list[list[Stretch]]:
    """Returns the prediction and the source with the n-grams that they have in common, as iBLEU explains them."""
    tokens, matches = explanation["prediction"], explanation["source_matches"]
    against = {"prediction": tokens, "references": [explanation["source"]], "matches": matches}
    return matched_ngrams(against, prediction, [source])


def _levels(n_tokens: int, starts: Sequence[Sequence[int]]) -> list[int]:
    """Returns for each token the length of the longest n-gram that covers it; `starts` has a list for each order."""
    levels = [0] * n_tokens
    for order, of_order in enumerate(starts, start=1):
        for start in of_order:
            levels[start : start + order] = [order] * order
    return levels


def _phrases(n_tokens: int, weights: Sequence[Sequence[float]]) -> list[tuple[int, float] | None]:
    """Returns for each token the start and the weight of the phrase that it belongs to.

    An n-gram weighs as much as the heaviest phrase in it, so a phrase is where a weight comes up that neither of the
    two shorter n-grams inside has.
    """
    phrases: list[tuple[int, float] | None] = [None] * n_tokens
    shorter: Sequence[float] = [1.0] * (n_tokens + 1)
    for order, of_order in enumerate(weights, start=1):
        for start, weight in enumerate(of_order):
            if weight not in (1.0, shorter[start], shorter[start + 1]):
                phrases[start : start + order] = [(start, weight)] * order
        shorter = of_order
    return phrases


def _stretches(
    text: str, tokens: Sequence[str], levels: Sequence[int], phrases: Sequence[tuple[int, float] | None]
) -> list[Stretch]:
    """Returns a text as it was written, with the marks of its tokens."""

    def mark(place: Place) -> tuple[Stretch, Any]:
        of = range(place.start, place.end)
        level, phrase = max(levels[place.start : place.end]), phrases[place.start]
        ends_phrase = phrase is not None and (place.end == len(tokens) or phrases[place.end] != phrase)
        stretch = Stretch("", place.text, level, phrase and phrase[1], ends_phrase)
        if len({levels[token] for token in of}) == 1:
            return stretch, (level, phrase)
        over = tuple(Stretch("", tokens[token], levels[token]) for token in of)  # jamo, of which some are matched
        return stretch._replace(level=0, over=over), None

    return joined_stretches(places_of(text, tokens, joint=" "), mark)


def joined_stretches(places: Iterable[Place], mark: Callable[[Place], tuple[Stretch, Any]]) -> list[Stretch]:
    """Returns a text as stretches: neighbouring pieces of one kind are one, and what is removed is one of its own.

    Args:
        places: the pieces of the text.
        mark: returns the stretch of a piece that is compared, and its kind; None where it is joined with no other.
    """
    stretches: list[Stretch] = []
    gap, before = "", None
    for place in places:
        if place.start == place.end and not place.is_removed:
            gap += place.text
            continue
        stretch, kind = (Stretch("", place.text, edit="removed"), None) if place.is_removed else mark(place)
        if kind is not None and kind == before:
            stretches[-1] = stretch._replace(gap=stretches[-1].gap, text=stretches[-1].text + gap + stretch.text)
        else:
            stretches.append(stretch._replace(gap=gap))
        gap, before = "", kind
    return stretches
