"""The spacing of one text on the characters of another one, as sWER needs it, also where texts are read."""

import functools
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import ranges
from textgauge.edits.diagonal_steps import Characters, aligned_places, are_short
from textgauge.edits.distances import align
from textgauge.edits.network_edits import Step, nearest_paths
from textgauge.edits.networks import Network
from textgauge.korean.reading_networks import read_network
from textgauge.korean.reading_trees import BLANK, Notation
from textgauge.korean.reading_words import WORD_CLEANING
from textgauge.korean.readings import Text
from textgauge.tokens.chunks import split_texts
from textgauge.tokens.code_points import CODE_POINTS, lookup


def take_spacing(predictions: Sequence[str], references: Sequence[str]) -> list[str]:
    """Returns each prediction with its reference's spacing at the characters that both have.

    The characters are aligned without blanks. Then each character of the prediction that is aligned with an equal one
    gets a blank before it if that one has a blank before it, and else none: "이 파일은" becomes "이파일은" where the
    reference is "이파일을". After Bang et al. (2020) and ESPnet's get_space_normalized_hyps.py, with its order of ties.

    >>> take_spacing(["커피한잔 주세요"], ["커피 한 잔 주세요"])
    ['커피 한 잔 주세요']
    """
    wanted, wants_blank = _without_blanks(references)
    predicted, has_blank = _without_blanks(predictions)
    reference_texts = split_texts(_text(wanted.codes), wanted.lengths)
    prediction_texts = split_texts(_text(predicted.codes), predicted.lengths)
    edits = cpdist(reference_texts, prediction_texts, scorer=Levenshtein.distance, dtype=np.int64)

    # equal texts
    are_same = edits == 0
    characters = ranges(wanted.starts[are_same], wanted.lengths[are_same])
    prediction_characters = ranges(predicted.starts[are_same], predicted.lengths[are_same])
    has_blank[prediction_characters] = wants_blank[characters]

    # short ones, which are aligned all at once
    short = are_short(wanted, predicted, edits)
    short_pairs = np.flatnonzero(short & ~are_same)
    _, characters, prediction_characters = aligned_places(wanted, predicted, edits, short_pairs, insert_first=False)
    are_equal = wanted.codes[characters] == predicted.codes[prediction_characters]
    has_blank[prediction_characters[are_equal]] = wants_blank[characters[are_equal]]

    # long ones
    for pair in np.flatnonzero(~short & ~are_same).tolist():
        first = wanted.starts[pair]
        prediction_first = predicted.starts[pair]
        runs = align(reference_texts[pair], prediction_texts[pair], "espnet")
        for kind, start, end, prediction_start, prediction_end in runs:
            if kind == "equal":
                spacing = wants_blank[first + start : first + end]
                has_blank[prediction_first + prediction_start : prediction_first + prediction_end] = spacing
    return _with_blanks(predicted, has_blank)


def take_read_spacing(prediction: Text, reference: Text) -> str:
    """Returns a prediction, as it is written, with its reference's spacing at the characters that both have.

    As `take_spacing`, but the characters that are aligned are those of the readings that are nearest to each other. A
    notation has a blank before it if the character that its reading begins with has one.

    >>> take_read_spacing(["삼 개월간"], ["삼개월 간"])
    '삼개월 간'
    """
    joined: Text = []
    for piece in prediction:
        piece = piece.replace(BLANK, "") if isinstance(piece, str) else piece
        if piece:
            joined.append(piece)
    wanted, _ = read_network(reference, WORD_CLEANING)
    predicted, spans = read_network(joined, WORD_CLEANING)
    blanks = dict(_blanks_before(nearest_paths(wanted, predicted), wanted))
    nodes = list(blanks)  # of the reading that is nearest, in order

    spans_left = iter(spans)  # of the notations
    text = ""
    node = 1
    follows_blank = False
    for piece in prediction:
        for unit in piece if isinstance(piece, str) else [piece]:
            if unit == BLANK:
                follows_blank = True
                continue
            end = node + 1
            written = unit
            if isinstance(unit, Notation):
                node, end, notation = next(spans_left)
                written = notation.written
            first = bisect_left(nodes, node)
            is_read = first < len(nodes) and nodes[first] < end
            has_blank = blanks[nodes[first]] if is_read else None
            if has_blank is None:
                has_blank = follows_blank
            text += BLANK + written if has_blank else written
            node = end
            follows_blank = False
    return text.strip()


def _blanks_before(steps: list[Step], wanted: Network) -> list[tuple[int, bool | None]]:
    """Returns the nodes of a path of the second network, and whether what each one equals has a blank before it.

    None is for what equals nothing.
    """
    path: list[tuple[int, bool | None]] = []
    follows_blank = True  # as the first character of a text does
    for kind, node, other in steps:
        is_blank = node >= 0 and wanted.arcs[node][0][1] == BLANK
        if other >= 0:
            path.append((other, follows_blank if kind == "equal" and not is_blank else None))
        if node >= 0:
            follows_blank = is_blank
    return path


def _without_blanks(texts: Sequence[str]) -> tuple[Characters, np.ndarray]:
    """Returns the characters of texts that are no blanks, and which of them follow one or begin a text."""
    characters = Characters.of(texts)
    is_blank = lookup(characters.codes, _known_blanks(), lambda character: 1 + character.isspace()) == 2
    follows_blank = np.append(True, is_blank[:-1])
    follows_blank[characters.starts] = True
    behind_all = len(is_blank) - 1  # a character there that belongs to no text
    kept = np.append(np.flatnonzero(~is_blank[:-1]), behind_all)
    starts = np.searchsorted(kept, characters.starts)
    lengths = np.diff(starts, append=len(kept) - 1)
    return Characters(characters.codes[kept], lengths, starts), follows_blank[kept]


@functools.cache
def _known_blanks() -> np.ndarray:
    """Returns the table of what is known of characters; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _with_blanks(characters: Characters, has_blank: np.ndarray) -> list[str]:
    """Returns texts with blanks before some characters, but not at their ends."""
    sizes = 1 + has_blank.astype(np.intp)
    ends = np.cumsum(sizes)
    begins = ends - sizes
    codes = np.repeat(characters.codes, sizes)
    codes[begins[has_blank]] = ord(" ")
    text_starts = begins[characters.starts]
    lengths = np.diff(text_starts, append=begins[-1])  # without the character behind all texts
    return [text.strip() for text in split_texts(_text(codes), lengths)]


def _text(codes: np.ndarray) -> str:
    return codes.tobytes().decode("utf-32-le")
