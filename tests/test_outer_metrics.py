"""A metric that is built on another one: whatever that one gives or refuses, it gives or refuses too.

Pairs of options are drawn from the values of `option_values.py`; `-m slow` tries all pairs. An option that both metrics
have is picked up by itself.
"""

import itertools

import numpy as np
import pytest
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st
from option_values import Corpus, values_of

from textgauge.core.errors import InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens"),
    pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order"),
    pytest.mark.filterwarnings("ignore:weights. .* is in no text"),
]

CORPUS = Corpus(5, longest=6)
PREDICTIONS, REFERENCES = CORPUS.predictions, CORPUS.references
FIRSTS = [row[0] for row in REFERENCES]
COMMON = {"confidence": 0.8, "resamples": 20, "seed": 3, "per_segment": True}
OWN_KEYS_OF_STREAMS = ("speakers", "texts", "edits", "reference_length")


class Meeting:
    """One speaker, one utterance: cpWER is WER of one reference, and cpCER is CER."""

    def __init__(self, inner):
        self.inner, self.outer = load(inner), load(f"cp{inner}")
        self.columns = {"predictions": self.session_of(PREDICTIONS), "references": self.session_of(FIRSTS)}
        self.inner_columns = {"predictions": PREDICTIONS, "references": FIRSTS}
        self.options, self.inner_options = {}, {"detailed": True}

    def session_of(self, texts):
        return [[{"speaker": "1", "text": text}] for text in texts]

    def is_of_segments(self, options):
        """Returns whether the options are those that sessions refuse alone: fillers are no kind of errors there."""
        return "fillers" in options and not options.get("drop_fillers")

    def width(self, options):
        """Returns how many columns of a row are those of the inner metric: edits and length."""
        return 2

    def expected(self, result):
        """Returns the inner result under the names of the outer one."""
        names = {key: key.replace(self.inner.name, self.outer.name) for key in result}
        return {names[key]: value for key, value in result.items()}

    def explained(self, outer):
        """Returns what an explanation has of the inner one."""
        (stream,) = outer["streams"]
        return {key: value for key, value in stream.items() if key not in OWN_KEYS_OF_STREAMS}


class OnBleu:
    """BLEU, where the further columns and options have no effect."""

    def __init__(self, outer, options, **columns):
        self.inner, self.outer = load("bleu"), load(outer)
        self.inner_columns = {"predictions": PREDICTIONS, "references": REFERENCES}
        self.columns = {**self.inner_columns, **columns}
        self.options, self.inner_options = options, {}

    def is_of_segments(self, options):
        return False

    def width(self, options):
        """Returns how many columns of a row are those of BLEU: lengths, and two for each order."""
        return 2 + 2 * options.get("max_order", 4)

    def expected(self, result):
        return {**result, self.outer.name: result["bleu"]}

    def explained(self, outer):
        return outer


RELATIONS = {
    "cpcer": lambda: Meeting("cer"),
    "cpwer": lambda: Meeting("wer"),
    "ibleu": lambda: OnBleu("ibleu", {"alpha": 1}, sources=["the cat 고양이"] * len(PREDICTIONS)),
    "delta_bleu": lambda: OnBleu("delta_bleu", {}, reference_weights=[[1.0] * len(row) for row in REFERENCES]),
    "weighted_bleu": lambda: OnBleu("weighted_bleu", {}),
}


def answer_of(ask, *arguments, **columns_and_options):
    """Returns what a metric answers, or its message: what is wrong, or which package is missing."""
    try:
        return ask(*arguments, **columns_and_options)
    except (InputError, ImportError) as error:
        return str(error)


def segment(columns, row):
    """Returns the arguments of `explain` for a segment."""
    singular = {"predictions": "prediction", "references": "reference"}
    return {singular.get(name, name): column[row] for name, column in columns.items()}


def check_outer(relation, options, rows):
    """Asserts that the outer metric gives what the inner one gives, or refuses what it refuses."""
    if relation.is_of_segments(options):
        return
    outer_options = {**options, **relation.options}
    inner = answer_of(relation.inner.compute, **relation.inner_columns, **options, **relation.inner_options, **COMMON)
    outer = answer_of(relation.outer.compute, **relation.columns, **outer_options, **COMMON)
    if isinstance(inner, str) or isinstance(outer, str):
        assert outer == inner, options
        return

    expected = relation.expected(inner)
    assert relation.outer.name in outer.keys() & expected.keys()
    shared = outer.keys() & expected.keys()
    np.testing.assert_equal({key: outer[key] for key in shared}, {key: expected[key] for key in shared}, str(options))

    width = relation.width(options)
    inner_rows = relation.inner.statistics(**relation.inner_columns, **options)
    outer_rows = relation.outer.statistics(**relation.columns, **outer_options)
    np.testing.assert_array_equal(outer_rows[:, :width], inner_rows[:, :width], str(options))

    for row in rows:
        inner = relation.inner.explain(**segment(relation.inner_columns, row), **options)
        outer = relation.explained(relation.outer.explain(**segment(relation.columns, row), **outer_options))
        np.testing.assert_equal({key: outer[key] for key in inner}, inner, str((options, row)))


def option_sets(name, inner=None):
    """Returns all sets of no, one or two options of a metric, of those that the inner metric has too."""
    known = load(inner or name).OPTIONS
    values = {option: several for option, several in values_of(name).items() if option in known}
    single = [{option: value} for option, several in values.items() for value in several]
    pairs = [one | other for one, other in itertools.combinations(single, 2) if not one.keys() & other.keys()]
    return [{}, *single, *pairs]


@pytest.mark.parametrize("outer", RELATIONS)
def test_of_pairs_of_options(outer):
    """Some of all pairs, drawn: what the inner metric gives or refuses, the outer one gives or refuses."""
    relation = RELATIONS[outer]()

    @examples(0.3)
    @given(st.sampled_from(option_sets(outer, relation.inner.name)), st.integers(0, len(PREDICTIONS) - 1))
    def check(options, row):
        check_outer(relation, options, [row])

    check()


@pytest.mark.slow
@pytest.mark.parametrize("outer", RELATIONS)
def test_of_all_pairs_of_options(outer):
    relation = RELATIONS[outer]()
    for options in option_sets(outer, relation.inner.name):
        check_outer(relation, options, range(len(PREDICTIONS)))
