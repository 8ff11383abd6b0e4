"""The spacing of one text on the characters of another one, as sWER needs it."""

import functools
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import ranges
from textgauge.edits.diagonal_steps import Characters, aligned_places, are_short
from textgauge.edits.distances import align
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
