"""Texts as stretches of neighbouring tokens with the same mark: matched n-grams, phrases with weights, edits."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..saying.texts import say
from .tokens import signed
from .written import Piece, pieces_of


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
    tokens = explanation["prediction"]
    matches = explanation["matches"]
    phrases = _phrases(len(tokens), explanation.get("weights", []))
    marked_texts = [_stretches(prediction, tokens, _levels(len(tokens), matches), phrases)]
    missed_phrases = explanation.get("missed") or [[]] * len(references)
    for text, reference, missed in zip(references, explanation["references"], missed_phrases, strict=True):
        starts = []
        for order, prediction_starts in enumerate(matches, start=1):
            ngrams = {tuple(tokens[start : start + order]) for start in prediction_starts}
            starts.append(
                [start for start in range(len(reference)) if tuple(reference[start : start + order]) in ngrams]
            )
        phrases = [None] * len(reference)
        for start, length, weight in missed:
            phrases[start : start + length] = [(start, weight)] * length
        marked = _stretches(text, reference, _levels(len(reference), starts), phrases)
        marked_texts.append([stretch._replace(note="" if stretch.weight is None else "missed") for stretch in marked])
    return marked_texts


def reference_names(explanation: dict[str, Any], references: Sequence[Any]) -> list[str]:
    """Returns the name of each reference: "reference", with its weight if references have weights."""
    weights = explanation.get("reference_weights") or [None] * len(references)
    name = say("reference")
    return [name if weight is None else f"{name} {signed(weight)}" for weight in weights]


def copied_ngrams(explanation: dict[str, Any], prediction: str, source: str) -> list[list[Stretch]]:
    """Returns the prediction and the source with the n-grams that they have in common, as iBLEU explains them."""
    against_source = {
        "prediction": explanation["prediction"],
        "references": [explanation["source"]],
        "matches": explanation["source_matches"],
    }
    return matched_ngrams(against_source, prediction, [source])


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

    def mark(piece: Piece) -> tuple[Stretch, Any]:
        own_levels = levels[piece.start : piece.end]
        level = max(own_levels)
        phrase = phrases[piece.start]
        next_phrase = phrases[piece.end] if piece.end < len(tokens) else None
        weight = None if phrase is None else phrase[1]
        stretch = Stretch("", piece.text, level, weight, ends_phrase=phrase != next_phrase and phrase is not None)
        if len(set(own_levels)) == 1:
            return stretch, (level, phrase)
        # jamo, of which some are matched
        over = [Stretch("", tokens[token], levels[token]) for token in range(piece.start, piece.end)]
        return stretch._replace(level=0, over=tuple(over)), None

    return joined_stretches(pieces_of(text, tokens, joint=" "), mark)


def joined_stretches(pieces: Iterable[Piece], mark: Callable[[Piece], tuple[Stretch, Any]]) -> list[Stretch]:
    """Returns a text as stretches: neighbouring pieces of one kind are one, and what is removed is one of its own.

    Args:
        pieces: the pieces of the text.
        mark: returns the stretch of a piece that is compared, and its kind; None where it is joined with no other.
    """
    stretches: list[Stretch] = []
    gap = ""
    kind_before = None
    for piece in pieces:
        if piece.start == piece.end and not piece.is_removed:
            gap += piece.text
            continue
        if piece.is_removed:
            stretch, kind = Stretch("", piece.text, edit="removed"), None
        else:
            stretch, kind = mark(piece)
        if kind is not None and kind == kind_before:
            before = stretches[-1]
            stretches[-1] = stretch._replace(gap=before.gap, text=before.text + gap + stretch.text)
        else:
            stretches.append(stretch._replace(gap=gap))
        gap, kind_before = "", kind
    return stretches
