"""An option that is given changes a result, or is refused: what a signature names, and nothing else shows, misleads.

Tried are the values of `option_values.py`, each option with each set of others: none, one, and the pairs of cases.py.
A new option is picked up by itself.
"""

import functools

import cases
import pytest
from conftest import METRICS, load
from option_values import Corpus, values_of

from textgauge.core.errors import InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens"),
    pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order"),
]

ERROR_RATES = ("cer", "wer", "cpcer", "cpwer")
BLEUS = ("bleu", "ibleu", "delta_bleu", "weighted_bleu")
ADDING = [{"smooth": True}, {"smooth": "add-one"}, {"smooth": "add-k"}]
UNSYNONYMOUS = [{"stages": ["exact"]}, {"stages": ["exact", "stem"]}]
OWN_STEMS = {"stemmer": cases.stem, "synonyms": None}
LOWER_PRESETS = [{"preset": "ksponspeech"}, {"preset": "whisper"}]
# where an option changes nothing and is taken all the same: metrics, option, one of these sets of others, and why
DECLARED = [
    (ERROR_RATES, "lowercase", LOWER_PRESETS, "the preset puts texts in lower case; who asks for it has it"),
    # with `detailed` cer and wer look for notations in what they were given, which a form may compose
    (("cpcer", "cpwer"), "normalization", [{"preset": "whisper"}], "the preset puts texts in NFKC"),
    (ERROR_RATES, "special", [{"preset": "whisper"}], "the preset leaves letters, marks and numbers alone"),
    (
        ("meteor",),
        "lang",
        [{"stages": ["exact"]}, OWN_STEMS],
        "says of which language texts are",
    ),
    (
        ("cpwer",),
        "compounds",
        [{"space_normalized": True}, {"space_normalized": "fewest"}],
        "spacing is forgiven, so that joined words rarely matter",
    ),
    (("meteor",), "stages", [OWN_STEMS], "without synonyms, their stage may be left out; that of stems may not"),
    (BLEUS, "order_weights", [{"max_order": 1}], "a single order has all the weight, which may be said"),
    (BLEUS, "effective_order", [{"max_order": 1}], "no order is left to share the weight of one that is left out"),
    (BLEUS, "effective_order", ADDING, "what is added gives each order an n-gram"),
    (("weighted_bleu",), "aggregate", [{"max_order": 1}], "all means of one precision are the same"),
    (("rouge",), "lowercase", [{"tokenizer": "rouge_score"}], "this tokenizer has lower case alone"),
    (("human_correlation",), "permutations", [{"averaging": "item", "coefficient": "kendall"}], "few are possible"),
    (("meteor",), "synonyms", UNSYNONYMOUS, "None says that there are none; a table is refused"),
    (("nist",), "western_lang", [{"tokenizer": "whitespace"}], "both say the same: only split at whitespace"),
    (("nist",), "tokenizer", [{"western_lang": False}], "the same, the other way round; other tokenizers are refused"),
]
SMALL, LARGE = 12, 100
CORPORA = {SMALL: Corpus(SMALL, longest=7), LARGE: Corpus(LARGE, longest=14)}


def rounded(value):
    """Returns a result with numbers of nine digits: what is added up in another order is the same."""
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return list(map(rounded, value))
    return f"{value:.9g}" if isinstance(value, float) and abs(value) > 1e-12 else value


class Tried:
    """A metric whose results with options are kept."""

    def __init__(self, name):
        self.name, self.metric = name, load(name)
        self.all = {"detailed": True, "per_segment": True}
        self.all = {option: value for option, value in self.all.items() if option in self.metric.OPTIONS}
        self._result = functools.cache(self._computed)
        self._options = {}

    def result(self, size, options):
        """Returns what `compute` returns of a corpus with so many segments; None where it refuses the options."""
        key = repr(sorted(options.items(), key=lambda item: item[0]))
        self._options[key] = options
        return self._result(size, key)

    def _computed(self, size, key):
        options = {**self._options[key], **self.all, "confidence": None}
        try:
            return repr(rounded(self.metric.compute(**CORPORA[size].columns(self.name), **options)))
        except (InputError, ImportError):
            return None

    def is_refused(self, options):
        try:
            self.metric.signature(**options)
        except (InputError, ImportError):
            return True
        return self.result(SMALL, options) is None

    def signature(self, options):
        return self.metric.signature(**options)

    def changes_nothing(self, option, values, others, sizes):
        """Returns whether no value of an option changes a result, though one is taken and changes the signature."""
        is_taken = False
        for size in sizes:
            for value in values:
                options = {**others, option: value}
                if not self.is_refused(options) and self.signature(options) != self.signature(others):
                    is_taken = True
                    if self.result(size, options) != self.result(size, others):
                        return False
        return is_taken


def contexts(name, values):
    """Returns sets of options in which another one is tried: none, each value, and the pairs of cases.py."""
    _, signed, unsigned = cases.CASES[name]
    single = [{option: value} for option, several in values.items() for value in several]
    given = [{option: options[option] for option in options if option in values} for options in [*signed, *unsigned]]
    given = [options for options in given if len(options) <= 2]  # more of them take minutes
    distinct = {repr(options): options for options in [{}, *single, *given]}
    return list(distinct.values())


def declared(name, option, others):
    """Returns the rows of DECLARED that speak of an option beside others."""
    return [
        row
        for row, (metrics, of_option, sets, _) in enumerate(DECLARED)
        if name in metrics and of_option == option and any(_is_part(given, others) for given in sets)
    ]


def _is_part(given, others):
    return all(name in others and others[name] == value for name, value in given.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_an_option_that_is_taken_can_change_something(name):
    tried, values = Tried(name), values_of(name)
    idle, used = [], set()
    for others in contexts(name, values):
        if tried.is_refused(others):
            continue
        for option in values.keys() - others.keys():
            rows = declared(name, option, others)
            sizes = [SMALL] if rows else CORPORA
            if tried.changes_nothing(option, values[option], others, sizes):
                used.update(rows)
                idle += [] if rows else [(option, others)]
    assert not idle, "these change the signature and nothing else; refuse them, or say in DECLARED why not"
    assert used == {row for row, (metrics, *_) in enumerate(DECLARED) if name in metrics}, "a row of DECLARED is not so"
