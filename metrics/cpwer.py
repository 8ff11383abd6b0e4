"""cpWER: the WER of a meeting, where speakers are assigned to one another so that it is the lowest.

The concatenated minimum-permutation word error rate of the CHiME-6 challenge (Watanabe et al. 2020): what each speaker
said is joined in the order of time, each speaker of the reference is given another one of the prediction, and the edits
of all are divided by the words of the reference. With the option `collar` it is tcpWER, the time-constrained one of von
Neumann et al. (2023). meeteval computes the same. Words are those of `wer`, with its options.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from textgauge.core.phrase_counts import RowsWithPhrases  # From: -e .
from textgauge.error_rates.nearest.rule import Rule  # From: -e .
from textgauge.error_rates.nearest.words import choose_words  # From: -e .
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
from textgauge.tokens.cleaning import PLAIN_WORDS, WORD_PRESETS  # From: -e .

from .wer import OPTIONS as ALL_OPTIONS
from .wer import WordOptions, check_words, rule_of
from .wer import explain as explain_words

_OF_SEGMENTS = ("aggregate", "detailed", "conventions", "alignments", "sclite")  # options that sessions do not have
_FUNCTIONS = choose_words, explain_words


def statistics(
    predictions: Sequence[Sequence[Utterance]],
    references: Sequence[Sequence[Utterance]],
    *,
    rule: Rule,
    collar: float | None,
) -> RowsWithPhrases:
    """Returns rows of edits, words in the reference, substitutions, deletions, insertions, missed and extra speakers.

    The shape is (n_sessions, 7). Options add columns: `bounded` the denominator; `readings` and `weights` edits and
    denominator without them; `weights` also the phrases in the reference, in the prediction and in both,
    and beside the rows those that each session has.

    >>> said = [[{"speaker": "민지", "text": "네 시작하죠"}, {"speaker": "준호", "text": "네"}]]
    >>> Cpwer().statistics(predictions=[[{"speaker": "A", "text": "네 시작 하죠"}]], references=said).tolist()
    [[3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 0.0]]
    """
    return session_rows(predictions, references, rule, collar, _FUNCTIONS)


def score(rows: np.ndarray, *, bounded: bool, readings: Any, weights: Any) -> dict[str, np.ndarray]:
    """Returns cpwer in [0, inf], or [0, 1] with `bounded`, edits and words, the counts of each kind, and speakers.

    Rows have the shape (..., 7), or more columns with options, and values (...).
    `missed_speakers` and `extra_speakers` are those who have nobody on the other side. Without any reference word cpwer
    is 0 if there is no edit, else inf. Readings and weights add what they add to `wer`.

    >>> values = score(np.array([3, 4, 1, 1, 1, 1, 0]), bounded=False, readings=None, weights=None)
    >>> values["cpwer"].item(), values["deletions"].item(), values["missed_speakers"].item()
    (0.75, 1, 1)
    """
    return session_values(rows, "cpwer", bounded, readings, weights)


def explain(
    predictions: Sequence[Sequence[Utterance]],
    references: Sequence[Sequence[Utterance]],
    *,
    rule: Rule,
    collar: float | None,
) -> dict[str, Any]:
    """Returns who was compared with whom in one session, how their words are aligned, and what the wrong one said.

    Keys: `streams`, for each two speakers `speakers` and `texts`, of the reference first (None is nobody), `edits`,
    `reference_length` and what `explain` of `wer` returns; `wrong_speaker`, at least two tokens that one speaker misses
    and a second one has too much, as [text, speaker of the reference, speaker of the prediction].

    >>> said = [{"speaker": "민지", "text": "네 알겠어요"}, {"speaker": "준호", "text": "저는 못 갑니다 오늘"}]
    >>> heard = [{"speaker": "A", "text": "네 알겠어요 저는 못"}, {"speaker": "B", "text": "갑니다 오늘"}]
    >>> Cpwer().explain(prediction=heard, reference=said)["wrong_speaker"]
    [['저는 못', '준호', 'A']]
    """
    return explain_session(predictions, references, rule, collar, _FUNCTIONS)


def check(*, words: WordOptions, collar: float | None, weights: Any, fillers: Any, drop_fillers: bool) -> None:
    """Raises InputError for options that contradict one another."""
    check_words(words)
    check_fillers(fillers, drop_fillers)
    where_words_end = {"compounds": words.compounds, "space_normalized": words.space_normalized}
    check_collar(collar, readings=words.readings, weights=weights, **where_words_end)


class Cpwer(MeetingMetric):
    """cpWER is the WER of meetings: speakers of both transcripts are paired so that the words have the fewest errors.

    Returns:
        cpwer from 0, above 1 where much is inserted; edits and reference_length in words; substitutions, deletions,
        insertions; missed_speakers and extra_speakers, who have nobody to be compared with. With `weights`
        unweighted_cpwer, unweighted_edits, keyword_recall, keyword_precision, keywords, missed_keywords, unused_count,
        unused_keys. With `readings` literal_cpwer and literal_edits.

    Examples:
        >>> cpwer = Cpwer()  # or evaluate.load("./metrics/cpwer.py")
        >>> reference = [{"speaker": "민지", "text": "안녕하세요 시작할까요"}, {"speaker": "준호", "text": "네 좋아요"}]
        >>> prediction = [{"speaker": "1", "text": "안녕하세요"}, {"speaker": "2", "text": "시작할까요 네 좋아요"}]
        >>> result = cpwer.compute(predictions=[prediction], references=[reference])
        >>> result["cpwer"], result["deletions"], result["insertions"], result["missed_speakers"]
        (0.5, 1, 1, 0)
    """

    LOWER_IS_BETTER = True
    PRESETS = WORD_PRESETS
    UNSAID = PLAIN_WORDS
    OPTIONS = {**{name: option for name, option in ALL_OPTIONS.items() if name not in _OF_SEGMENTS}, "collar": COLLAR}

    _rule = staticmethod(rule_of)
