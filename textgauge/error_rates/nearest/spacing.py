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
from textgauge.korean.reading_trees import BLANK
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
    (wanted, spaced), (predicted, has_blank) = map(_without_blanks, (references, predictions))
    sides = [split_texts(_text(side.codes), side.lengths) for side in (wanted, predicted)]
    edits = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64)
    short = are_short(wanted, predicted, edits)
    _, left, right = aligned_places(wanted, predicted, edits, np.flatnonzero((edits > 0) & short), insert_first=False)
    equal = wanted.codes[left] == predicted.codes[right]
    has_blank[right[equal]] = spaced[left[equal]]
    same = edits == 0
    first, second = (ranges(side.starts[same], side.lengths[same]) for side in (wanted, predicted))
    has_blank[second] = spaced[first]
    for pair in np.flatnonzero(~short & ~same).tolist():
        first, second = wanted.starts[pair], predicted.starts[pair]
        for kind, a, b, c, d in align(sides[0][pair], sides[1][pair], "espnet"):
            if kind == "equal":
                has_blank[second + c : second + d] = spaced[first + a : first + b]
    return _with_blanks(predicted, has_blank)


def take_read_spacing(prediction: Text, reference: Text) -> str:
    """Returns a prediction, as it is written, with its reference's spacing at the characters that both have.

    As `take_spacing`, but the characters that are aligned are those of the readings that are nearest to each other. A
    notation has a blank before it if the character that its reading begins with has one.

    >>> take_read_spacing(["삼 개월간"], ["삼개월 간"])
    '삼개월 간'
    """
    joined: Text = [piece.replace(BLANK, "") if isinstance(piece, str) else piece for piece in prediction]
    joined = list(filter(None, joined))
    wanted, _ = read_network(reference, WORD_CLEANING)
    predicted, spans = read_network(joined, WORD_CLEANING)
    path = _blanks_before(nearest_paths(wanted, predicted), wanted)
    nodes = [node for node, _ in path]
    has_blank = dict(path)
    ends = iter(spans)
    text, node = "", 1
    for piece in joined:
        if isinstance(piece, str):
            for character in piece:
                text += BLANK + character if has_blank[node] else character
                node += 1
        else:
            start, end, notation = next(ends)
            first = bisect_left(nodes, start)
            is_read = first < len(nodes) and nodes[first] < end
            text += BLANK + notation.written if is_read and path[first][1] else notation.written
            node = end
    return text.strip()


def _blanks_before(steps: list[Step], wanted: Network) -> list[tuple[int, bool]]:
    """Returns the nodes of a path of the second network, and whether what each one equals has a blank before it."""
    path = []
    follows_blank = True  # as the first character of a text does
    for kind, node, other in steps:
        is_blank = node >= 0 and wanted.arcs[node][0][1] == BLANK
        if other >= 0:
            path.append((other, kind == "equal" and not is_blank and follows_blank))
        if node >= 0:
            follows_blank = is_blank
    return path


def _without_blanks(texts: Sequence[str]) -> tuple[Characters, np.ndarray]:
    """Returns the characters of texts that are no blanks, and which of them follow one or begin a text."""
    every = Characters.of(texts)
    is_blank = lookup(every.codes, _known_blanks(), lambda character: 1 + character.isspace()) == 2
    follows = np.append(True, is_blank[:-1])
    follows[every.starts] = True
    kept = np.append(np.flatnonzero(~is_blank[:-1]), len(is_blank) - 1)  # with the one behind all texts
    starts = np.searchsorted(kept, every.starts)
    return Characters(every.codes[kept], np.diff(starts, append=len(kept) - 1), starts), follows[kept]


@functools.cache
def _known_blanks() -> np.ndarray:
    """Returns the table of what is known of characters; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _with_blanks(characters: Characters, has_blank: np.ndarray) -> list[str]:
    """Returns texts with blanks before some characters, but not at their ends."""
    sizes = 1 + has_blank.astype(np.intp)
    ends = np.cumsum(sizes)
    codes = np.repeat(characters.codes, sizes)
    codes[(ends - sizes)[has_blank]] = ord(" ")
    bounds = np.append(0, ends)[np.append(characters.starts, len(characters.codes) - 1)]
    return list(map(str.strip, split_texts(_text(codes), np.diff(bounds))))


def _text(codes: np.ndarray) -> str:
    return codes.tobytes().decode("utf-32-le")
