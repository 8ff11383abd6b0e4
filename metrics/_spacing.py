"""The spacing of one text on the characters of another one, as sWER needs it."""

import itertools
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from ._diagonal_steps import Characters, aligned_places, are_short
from ._edits import align


def take_spacing(predictions: Sequence[str], references: Sequence[str]) -> list[str]:
    """Returns each prediction with its reference's spacing at the characters that both have.

    The characters are aligned without blanks. Then each character of the prediction that is aligned with an equal one
    gets a blank before it if that one has a blank before it, and else none: "이 파일은" becomes "이파일은" where the
    reference is "이파일을". After Bang et al. (2020) and ESPnet's get_space_normalized_hyps.py, with its order of ties.
    """
    sides = [["".join(text.split()) for text in texts] for texts in (references, predictions)]
    edits = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64)
    wanted, predicted = map(Characters.of, sides)
    spaced, has_blank = _blanks(references, wanted), _blanks(predictions, predicted)
    short = are_short(wanted, predicted, edits)
    _, left, right = aligned_places(wanted, predicted, edits, np.flatnonzero((edits > 0) & short), insert_first=False)
    equal = wanted.codes[left] == predicted.codes[right]
    has_blank[right[equal]] = spaced[left[equal]]
    for pair in np.flatnonzero(~short).tolist():
        first, second = wanted.starts[pair], predicted.starts[pair]
        for kind, a, b, c, d in align(sides[0][pair], sides[1][pair], "espnet"):
            if kind == "equal":
                has_blank[second + c : second + d] = spaced[first + a : first + b]
    texts = _with_blanks(predicted, has_blank)
    return [" ".join(references[pair].split()) if not edits[pair] else text for pair, text in enumerate(texts)]


def _blanks(texts: Sequence[str], characters: Characters) -> np.ndarray:
    """Returns for each character that is no blank whether it follows one, or begins a text."""
    has_blank = np.zeros(len(characters.codes), dtype=bool)
    words = [list(map(len, text.split())) for text in texts]
    ends = np.cumsum(np.fromiter(itertools.chain.from_iterable(words), dtype=np.intp))
    has_blank[0] = True
    has_blank[ends] = True  # the last one is that behind all texts
    return has_blank


def _with_blanks(characters: Characters, has_blank: np.ndarray) -> list[str]:
    """Returns texts with blanks before some characters, but not at their ends."""
    sizes = 1 + has_blank.astype(np.intp)
    ends = np.cumsum(sizes)
    codes = np.repeat(characters.codes, sizes)
    codes[(ends - sizes)[has_blank]] = ord(" ")
    text = codes.tobytes().decode("utf-32-le")
    bounds = np.append(0, ends)[np.append(characters.starts, len(characters.codes) - 1)]
    return [text[start:end].strip() for start, end in itertools.pairwise(bounds.tolist())]
