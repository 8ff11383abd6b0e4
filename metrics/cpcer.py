"""cpCER: the CER of a meeting, where speakers are assigned to one another so that it is the lowest.

The concatenated minimum-permutation error rate of the CHiME-6 challenge (Watanabe et al. 2020), for the characters of
`cer`, with its options: what each speaker said is joined in the order of time, each speaker of the reference is given
its own speaker of the prediction, and the edits of all are divided by the characters of the reference. With the option
`collar` only characters that overlap in time may match (von Neumann et al. 2023). meeteval has it for words alone;
for characters that are passed as words it computes the same.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from textgauge.core.phrase_counts import RowsWithPhrases  # From: -e .
from textgauge.error_rates.nearest.rule import Rule  # From: -e .
from textgauge.meetings.meeting_metric import (  # From: -e .
    COLLAR,
    MeetingMetric,
    check_collar,
    check_fillers,
    explain_session,
    session_rows,
    session_values,
)
from textgauge.meetings.record_columns import Utterance  # From: -e .
from textgauge.tokens.cleaning import PRESETS  # From: -e .

from .cer import OPTIONS as ALL_OPTIONS
from .cer import CharacterOptions, choose_texts, rule_of
from .cer import check as check_characters
from .cer import explain as explain_characters

_OF_SEGMENTS = ("aggregate", "detailed", "conventions", "alignments")  # options that sessions do not have
_FUNCTIONS = choose_texts, explain_characters


def statistics(
    predictions: Sequence[Sequence[Utterance]],
    references: Sequence[Sequence[Utterance]],
    *,
    rule: Rule,
    collar: float | None,
) -> RowsWithPhrases:
    """Returns rows of edits, length of the reference, substitutions, deletions, insertions, missed and extra speakers.

    The shape is (n_sessions, 7). Options add columns: `bounded` the denominator; `readings` and `weights` edits and
    denominator without them; `weights` also the phrases in the reference, in the prediction and in both,
    and beside the rows those that each session has.

    >>> said = [[{"speaker": "민지", "text": "안녕하세요"}, {"speaker": "준호", "text": "네"}]]
    >>> heard = [[{"speaker": 1, "text": "네"}, {"speaker": 2, "text": "안녕하새요"}, {"speaker": 3, "text": "음"}]]
    >>> Cpcer().statistics(predictions=heard, references=said).tolist()
    [[2.0, 6.0, 1.0, 0.0, 1.0, 0.0, 1.0]]
    """
    return session_rows(predictions, references, rule, collar, _FUNCTIONS)


def score(rows: np.ndarray, *, bounded: bool, readings: Any, weights: Any) -> dict[str, np.ndarray]:
    """Returns cpcer in [0, inf], or [0, 1] with `bounded`, edits and length, the counts of each kind, and speakers.

    Rows have the shape (..., 7), or more columns with options, and values (...).
    `missed_speakers` and `extra_speakers` have no partner on the other side. Without any reference text cpcer is 0 if
    there is no edit, else inf. Readings and weights add the same keys as in `cer`.

    >>> values = score(np.array([2, 6, 1, 0, 1, 0, 1]), bounded=False, readings=None, weights=None)
    >>> round(values["cpcer"].item(), 4), values["substitutions"].item(), values["extra_speakers"].item()
    (0.3333, 1, 1)
    """
    return session_values(rows, "cpcer", bounded, readings, weights)


def explain(
    predictions: Sequence[Sequence[Utterance]],
    references: Sequence[Sequence[Utterance]],
    *,
    rule: Rule,
    collar: float | None,
) -> dict[str, Any]:
    """Returns who was compared with whom in one session, how their texts are aligned, and texts of the wrong speaker.

    Keys: `streams`, for each two speakers `speakers` and `texts`, of the reference first (None is nobody), `edits`,
    `reference_length` and the result of `cer`'s `explain`; `wrong_speaker`, at least four characters that one speaker
    misses and a second one has too much, as [text, speaker of the reference, speaker of the prediction].

    >>> explained = Cpcer().explain(
    ...     prediction=[{"speaker": "A", "text": "안녕"}], reference=[{"speaker": "민지", "text": "안녕!"}]
    ... )
    >>> explained["streams"][0]["speakers"], explained["streams"][0]["alignment"], explained["wrong_speaker"]
    (['민지', 'A'], [['equal', '안녕', '안녕']], [])
    """
    return explain_session(predictions, references, rule, collar, _FUNCTIONS)


def check(
    *, characters: CharacterOptions, collar: float | None, weights: Any, fillers: Any, drop_fillers: bool
) -> None:
    """Raises InputError for options that contradict one another."""
    check_characters(characters=characters)
    check_fillers(fillers, drop_fillers)
    has_blanks = characters.unit != "mixed" and characters.spaces != "remove" and characters.spaces
    is_of_preset = characters.spaces == PRESETS[characters.preset]["spaces"]
    blanks = f"with preset={characters.preset!r} spaces" if is_of_preset else "spaces"
    check_collar(collar, readings=characters.readings, weights=weights, **{blanks: has_blanks})


class Cpcer(MeetingMetric):
    """cpCER is the CER of meetings: speakers of both transcripts are paired so that the texts have the fewest errors.

    Returns:
        cpcer from 0, above 1 where much is inserted; edits and reference_length in characters; substitutions,
        deletions, insertions; missed_speakers and extra_speakers, without a partner. With `weights`
        unweighted_cpcer, unweighted_edits, keyword_recall, keyword_precision, keywords, missed_keywords, unused_count,
        unused_keys. With `readings` literal_cpcer and literal_edits.

    Examples:
        >>> cpcer = Cpcer()  # or evaluate.load("./metrics/cpcer.py")
        >>> reference = [{"speaker": "민지", "text": "안녕하세요"}, {"speaker": "준호", "text": "네, 시작하죠."}]
        >>> prediction = [{"speaker": "1", "text": "네 시작하죠"}, {"speaker": "2", "text": "안녕 하세요"}]
        >>> result = cpcer.compute(predictions=[prediction], references=[reference])
        >>> result["cpcer"], result["edits"], result["reference_length"]
        (0.0, 0, 10)
    """

    LOWER_IS_BETTER = True
    PRESETS = PRESETS
    OPTIONS = {**{name: option for name, option in ALL_OPTIONS.items() if name not in _OF_SEGMENTS}, "collar": COLLAR}

    _rule = staticmethod(rule_of)
