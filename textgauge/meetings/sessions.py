"""Sessions to rows: what each speaker said, the assignment of speakers that costs least, and its edits."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from textgauge.core.phrase_counts import PhraseCounts
from textgauge.error_rates.details import COUNTS
from textgauge.error_rates.edit_alignments import pieces
from textgauge.error_rates.nearest.choice import Choice, counted_pairs
from textgauge.error_rates.nearest.rule import Rule
from textgauge.error_rates.nearest.spelled_texts import compared_texts
from textgauge.error_rates.rows import columns_of

from .assignment import cheapest_assignment
from .record_columns import Utterance
from .timed_edits import TimedTokens, align_timed, count_timed_edits, timed_tokens

Columns = dict[str, np.ndarray]
ColumnsAndPhrases = tuple[Columns, PhraseCounts | None]  # None without a table of phrases
# edits and denominator of each pair: as they count (""), and "unweighted" where phrases have weights
Costs = dict[str, Columns]
# from the numbers of some pairs to the columns of a row for each, and which phrases it has
ColumnsOfPairs = Callable[[np.ndarray], ColumnsAndPhrases]
SPEAKERS = ("missed speakers", "extra speakers")


class Stream(NamedTuple):
    """What a speaker said in a session, in the order of time."""

    speaker: str | None
    texts: list[str] = []
    times: list[tuple[float, float]] = []  # of each text, where they are known

    @property
    def text(self) -> str:
        """The whole text, whatever blanks were around its utterances."""
        return " ".join(filter(None, map(str.strip, self.texts)))


_EMPTY = Stream(None)  # of nobody


class StreamComparer(Protocol):
    """A way to compare streams."""

    def compared(self, references: Sequence[Stream], predictions: Sequence[Stream]) -> tuple[Costs, ColumnsOfPairs]:
        """Returns what pairs of streams cost, and what returns the columns of a row for some of them."""

    def explain(self, reference: Stream, prediction: Stream) -> dict[str, Any]:
        """Returns the explanation of an error rate."""


class TextComparer(NamedTuple):
    """Streams compared as texts, by the functions of CER or of WER."""

    rule: Rule  # streams have no fillers any more that it drops
    choose: Callable[..., tuple[Choice, Any]]
    explain_texts: Callable[..., dict[str, Any]]

    def compared(self, references: Sequence[Stream], predictions: Sequence[Stream]) -> tuple[Costs, ColumnsOfPairs]:
        """See `StreamComparer`."""
        choice = self._chosen(references, predictions)
        costs = {"": {"edits": choice.pairs.edits, "denominator": choice.pairs.denominators}}
        if choice.unweighted is not None:
            unweighted = choice.unweighted
            costs["unweighted"] = {"edits": unweighted.edits, "denominator": unweighted.denominators}

        def columns(numbers: np.ndarray) -> ColumnsAndPhrases:
            if self.rule.looks_closer:  # steps take long there, so that they are counted for few
                some_references = [references[number] for number in numbers]
                some_predictions = [predictions[number] for number in numbers]
                counted = self._chosen(some_references, some_predictions, with_counts=True)
            else:
                counted = choice._replace(pairs=counted_pairs(choice, numbers, self.rule.ties))
            return columns_of(counted, self.rule, detailed=True)

        return costs, columns

    def explain(self, reference: Stream, prediction: Stream) -> dict[str, Any]:
        """See `StreamComparer`."""
        return self.explain_texts([prediction.text], [[reference.text]], rule=self.rule)

    def _chosen(self, references: Sequence[Stream], predictions: Sequence[Stream], with_counts: bool = False) -> Choice:
        predicted = [stream.text for stream in predictions]
        wanted = [stream.text for stream in references]
        compared = compared_texts(predicted, [[text] for text in wanted], self.rule)
        return self.choose(compared, self.rule, with_counts)[0]


class TimedComparer(NamedTuple):
    """Streams whose words may be aligned only where they overlap in time."""

    rule: Rule
    collar: float

    def compared(self, references: Sequence[Stream], predictions: Sequence[Stream]) -> tuple[Costs, ColumnsOfPairs]:
        """See `StreamComparer`; no phrase has a weight where words have times."""
        pairs = self._timed(references, predictions)
        counts = np.array([count_timed_edits(*pair) for pair in pairs]).reshape(-1, 4)
        columns = dict(zip(COUNTS, counts.T, strict=True))
        edits = counts[:, :3].sum(axis=1)
        length = counts[:, [0, 1, 3]].sum(axis=1)
        columns = {**columns, "edits": edits, "length": length, "denominator": edits + columns["hits"]}
        return {"": columns}, lambda numbers: ({name: values[numbers] for name, values in columns.items()}, None)

    def explain(self, reference: Stream, prediction: Stream) -> dict[str, Any]:
        """See `StreamComparer`."""
        [(timed, predicted)] = self._timed([reference], [prediction])
        tokens = timed.tokens
        predicted_tokens = predicted.tokens
        if not self.rule.joint:
            tokens = "".join(tokens)
            predicted_tokens = "".join(predicted_tokens)
        alignment = pieces(align_timed(timed, predicted), tokens, predicted_tokens, self.rule.joint)
        return {
            "alignment": alignment,
            "reference": tokens,
            "prediction": predicted_tokens,
            "reference_index": 0,
            "written": [],
        }

    def _timed(
        self, references: Sequence[Stream], predictions: Sequence[Stream]
    ) -> list[tuple[TimedTokens, TimedTokens]]:
        known: dict[tuple[bool, int], TimedTokens] = {}  # a stream is in many pairs
        for collar, streams in ((None, references), (self.collar, predictions)):
            for stream in streams:
                key = collar is None, id(stream)
                if key not in known:
                    known[key] = timed_tokens(self.rule.tokens(stream.texts), stream.times, collar)
        return [(known[True, id(a)], known[False, id(b)]) for a, b in zip(references, predictions, strict=True)]


def streams_of(session: Sequence[Utterance], rule: Rule) -> list[Stream]:
    """Returns the text of each speaker in a session, without dropped fillers; ordered by start if that is known."""
    if session and session[0]["start"] is not None:
        session = sorted(session, key=lambda utterance: utterance["start"])
    streams: dict[str, Stream] = {}
    for utterance in session:
        stream = streams.setdefault(utterance["speaker"], Stream(utterance["speaker"], [], []))
        [text] = rule.fillers.dropped([utterance["text"]])
        stream.texts.append(text)
        stream.times.append((utterance["start"], utterance["end"]))
    return list(streams.values())


def session_columns(
    predictions: Sequence[Sequence[Utterance]],
    references: Sequence[Sequence[Utterance]],
    rule: Rule,
    comparer: StreamComparer,
) -> ColumnsAndPhrases:
    """Returns the columns of a row for each session, (n_sessions,), with `COUNTS` and `SPEAKERS`, and its phrases.

    A rate without options has the assignment that costs least without them.
    """
    # the streams of all pairs, session by session; those of a session begin at a bound
    paired_references: list[Stream] = []
    paired_predictions: list[Stream] = []
    bounds = np.zeros(len(references) + 1, dtype=np.intp)
    missing = np.zeros(len(references), dtype=np.int64)  # speakers; fewer than 0 where there are too many
    for row, (reference, prediction) in enumerate(zip(references, predictions, strict=True)):
        streams = streams_of(reference, rule)
        predicted_streams = streams_of(prediction, rule)
        missing[row] = len(streams) - len(predicted_streams)
        firsts, seconds = _all_pairs(streams, predicted_streams)
        paired_references += firsts
        paired_predictions += seconds
        bounds[row + 1] = len(paired_references)

    result: Columns = {}
    phrases = None
    costs, columns_of_pairs = comparer.compared(paired_references, paired_predictions)
    for which, values in costs.items():
        chosen = _cheapest_pairs(values["edits"], bounds)
        sessions = np.searchsorted(bounds, chosen, side="right") - 1
        if which:
            columns = {f"{which} {name}": pair_values[chosen] for name, pair_values in values.items()}
        else:
            columns, phrases = columns_of_pairs(chosen)
            if phrases is not None:
                phrases = phrases.grouped(sessions, len(references))
        for name, pair_values in columns.items():
            result[name] = np.bincount(sessions, pair_values, len(references))
    missed_speakers, extra_speakers = SPEAKERS
    result[missed_speakers] = np.maximum(missing, 0)
    result[extra_speakers] = np.maximum(-missing, 0)
    return result, phrases


def assigned_streams(
    prediction: Sequence[Utterance], reference: Sequence[Utterance], rule: Rule, comparer: StreamComparer
) -> list[tuple[Stream, Stream]]:
    """Returns the streams of a session, each of the reference with that of the prediction that it is compared with."""
    firsts, seconds = _all_pairs(streams_of(reference, rule), streams_of(prediction, rule))
    costs, _ = comparer.compared(firsts, seconds)
    edits = costs[""]["edits"]
    chosen = _cheapest_pairs(edits, np.array([0, len(edits)]))
    return [(firsts[pair], seconds[pair]) for pair in chosen]


def _all_pairs(references: Sequence[Stream], predictions: Sequence[Stream]) -> tuple[list[Stream], list[Stream]]:
    """Returns each stream of one side with each one of the other; the side with fewer has empty ones too."""
    size = max(len(references), len(predictions))
    rows = [*references, *[_EMPTY] * (size - len(references))]
    columns = [*predictions, *[_EMPTY] * (size - len(predictions))]
    pairs = list(itertools.product(rows, columns))
    return [row for row, _ in pairs], [column for _, column in pairs]


def _cheapest_pairs(edits: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Returns which pairs of all sessions are assigned; those of a session begin at a bound."""
    chosen = []
    for start, end in itertools.pairwise(bounds.tolist()):
        size = math.isqrt(end - start)
        columns = cheapest_assignment(edits[start:end].reshape(size, size))
        chosen += [start + row * size + column for row, column in enumerate(columns)]
    return np.array(chosen, dtype=np.intp)
