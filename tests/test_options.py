"""What follows from the table of options: each option takes what it says it takes, and refuses everything else.

A new metric and a new option are picked up by themselves.
"""

import math
import re
import sys
from fractions import Fraction
from typing import NamedTuple

import cases
import evaluate
import numpy as np
import pytest
from conftest import METRICS, ROOT, load

from textgauge.core.errors import InputError
from textgauge.core.metric import option_names, pick

OPTIONS = [(name, option) for name in METRICS for option in load(name).OPTIONS]


def of_kind(*kinds):
    """Parametrizes a test by all options of these kinds, "own choice" being one that also takes what is no choice."""
    found = [(name, option) for name, option in OPTIONS if kind_of(name, option) in kinds]
    return pytest.mark.parametrize(("name", "option"), found, ids=["-".join(pair) for pair in found])


def kind_of(name, option):
    said = load(name).OPTIONS[option]
    takes_functions = option in ("tokenizer", "stemmer")
    return "own choice" if said.kind == "choice" and takes_functions else said.kind


def refusal(name, option, value):
    """Returns what an option says to a value, which is the same at each door."""
    metric = load(name)
    columns = cases.CASES[name][0]
    doors = [metric.signature, type(metric), lambda **options: metric.compute(**columns, **options)]
    said = set()
    # None is no value given, where evaluate.load hands options over
    for door in doors if value is not None else doors[::2]:
        with pytest.raises(InputError) as error:
            door(**{option: value})
        said.add(str(error.value))
    assert len(said) == 1
    return said.pop()


def accepts(name, option, value):
    """Tells whether an option takes a value, whatever the other options are; a package for it may be missing."""
    try:
        load(name).OPTIONS[option].check(option, value)
    except ImportError:
        return True
    except InputError:
        return False
    return True


def wanted(name, option, value):
    """Returns what an option that refuses a value asks for."""
    message = refusal(name, option, value)
    beginning = f"{option} is {value!r}; pass "
    assert message.startswith(beginning)
    return message.removeprefix(beginning)


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=["-".join(pair) for pair in OPTIONS])
def test_defaults_and_choices_are_taken(name, option):
    said = load(name).OPTIONS[option]
    assert accepts(name, option, said.default)
    assert load(name).signature(**{option: said.default}) == load(name).signature()
    assert all(accepts(name, option, choice) for choice in said.choices)
    assert not said.choices or said.default in said.choices


@of_kind("choice", "own choice")
def test_choices_say_which_packages_they_need(name, option, only_required):
    """Those that a browser offers, and those that it does not, follow from it."""
    said = load(name).OPTIONS[option]
    needing = set()
    for choice in said.choices:
        try:
            load(name).compute(**cases.CASES[name][0], **{option: choice})
        except ImportError:
            needing.add(choice)
        except InputError:  # it does not fit the other options
            pass
    assert needing == set(said.packages)


@of_kind("flag", "choice", "own choice")
def test_what_is_no_choice(name, option):
    """The message lists the choices; 1 is no answer to a yes-or-no question, and Nfc is no NFC."""
    choices = load(name).OPTIONS[option].choices
    values = ["", "none of these", 3, 1.5, math.nan, [choices[-1]], {}, object, b"13a"]
    values += [0, 1, None, np.True_ if True not in choices else np.int64(1)]
    values += [changed for one in choices if isinstance(one, str) for changed in (one.swapcase(), f"{one} ")]
    listed = [", ".join(map(repr, choices)), ", ".join(str(one) for one in choices if one is not None)]
    refused = [value for value in values if not any(type(value) is type(one) and value == one for one in choices)]
    assert len(refused) > 9
    for value in refused:
        value = value.item() if isinstance(value, np.generic) else value
        assert wanted(name, option, value).startswith(tuple(f"one of {text}" for text in listed))


@of_kind("flag", "choice", "own choice")
def test_choices_of_numpy(name, option):
    for choice in load(name).OPTIONS[option].choices:
        if isinstance(choice, (bool, str)):
            as_numpy = np.array([choice])[0]
            assert type(as_numpy) is not type(choice)
            try:
                expected = load(name).signature(**{option: choice})
            except (InputError, ImportError):  # it contradicts the default of another option, or needs a package
                continue
            assert load(name).signature(**{option: as_numpy}) == expected


def not_numbers(name, option):
    """Returns values that no count and no number is, True and an answer in numpy among them."""
    values = [True, False, np.True_, "", "2", [2], (2,), {}, object, 1j, math.nan, math.inf, -math.inf]
    return values if load(name).OPTIONS[option].default is None else [*values, None]


@of_kind("count")
def test_counts(name, option):
    """The message says the range, both ends included."""
    for value in [*not_numbers(name, option), 1.5, 2.0, np.float64(2), Fraction(5, 2), -1]:
        plain = (
            float(value) if isinstance(value, Fraction) else value.item() if isinstance(value, np.generic) else value
        )
        message = refusal(name, option, value)
        assert message.startswith(f"{option} is {plain!r}; pass an integer ")
    low, high = range_of(message)
    assert low >= 0 and low == int(low)
    for value in (int(low), np.int64(low), np.uint8(low + 1)):
        assert load(name).signature(**{option: value})
    assert accepts(name, option, int(min(high, 10**30)))
    assert refusal(name, option, int(low) - 1) == message.replace("-1", str(int(low) - 1), 1)
    if math.isfinite(high):
        assert refusal(name, option, int(high) + 1).endswith(message.split(";")[1])


@of_kind("number")
def test_numbers(name, option):
    """The message says the range, whose ends are included unless it says "above", "between" or "positive"."""
    for value in [*not_numbers(name, option), 10**400, -(10**400), -1, Fraction(-1, 2), np.float32(-0.5)]:
        plain = float(value) if isinstance(value, (Fraction, np.floating)) else value
        plain = plain.item() if isinstance(plain, np.generic) else plain
        message = refusal(name, option, value)
        assert message.startswith(f"{option} is {plain!r:.200}; pass ")
    low, high = range_of(message)
    is_open = [bool(re.search(words, message)) for words in ("above|between|positive", "between")]
    for end, outside, end_is_open in zip((low, high), (-math.inf, math.inf), is_open, strict=True):
        if math.isfinite(end):
            assert accepts(name, option, end) != end_is_open
            assert not accepts(name, option, math.nextafter(end, outside))
            assert accepts(name, option, math.nextafter(end, -outside))
    inside = min((low + high) / 2, low + 1) if math.isfinite(high) else low + 1
    assert accepts(name, option, inside) and accepts(name, option, min(high, sys.float_info.max)) != is_open[1]
    if option != "confidence":
        assert message.split("; pass ")[1] in load(name).OPTIONS[option].help


RANGES = {
    **dict.fromkeys(("stride", "batch_size"), (1, math.inf)),
    **dict.fromkeys(("max_order", "char_order", "n"), (1, 999)),
    **dict.fromkeys(("resamples", "permutations"), (1, 10**6)),
    "word_order": (0, 999),
    **dict.fromkeys(("seed", "beta", "smooth_value", "sigma", "collar"), (0, math.inf)),
    **dict.fromkeys(("confidence", "alpha", "gamma", "delta"), (0, 1)),
    "max_length": (2, math.inf),
    "window": (1, 8),
    "w_exponent": (1, 10),
    "rouge-beta": (0, 1e9),
}


@of_kind("count", "number")
def test_ranges(name, option):
    """The tests above ask for what the message says; what it is to say is here."""
    said = range_of(refusal(name, option, "x"))
    assert said == RANGES.get(f"{name}-{option}", RANGES.get(option)), f"RANGES, above, says another one of {option}"


@pytest.mark.parametrize("name", METRICS)
def test_help_fits_a_form(name):
    """What only code can pass, and what only this repository knows, is not in the help that forms show."""
    for option, said in load(name).OPTIONS.items():
        if said.kind != "call":
            assert not re.search(r"callable|a dict|an object|a list of (such|groups)|document 0", said.help), option


def range_of(message):
    """Returns the two ends that the end of a message names."""
    text = message.split("; pass ")[1]
    if "positive" in text:
        return 0.0, math.inf
    numbers = [
        float(number) for number in re.findall(r"(?:of at least|above|from|to|between|and) (-?[\d.e+]+)\b", text)
    ]
    low, high = numbers if len(numbers) == 2 else (*numbers, math.inf)
    return low, high


def test_options_that_were_resolved_before_are_still_checked():
    """1 == True == 1.0, but only one of them is an answer, and a file may change meanwhile."""
    metric, columns = load("bleu"), cases.CASES["bleu"][0]
    for good, bad in (({"smooth": True}, {"smooth": 1}), ({"max_order": 2}, {"max_order": 2.0})):
        for _ in range(2):
            metric.compute(**columns, **good)
            with pytest.raises(ValueError, match=f"{next(iter(bad))} is"):
                metric.compute(**columns, **bad)


def test_what_holds_a_number_may_hold_another_later():
    """An array without dimensions, as numpy and torch have them."""
    metric, order = evaluate.load(str(ROOT / "metrics" / "bleu.py"), max_order=np.array(2)), np.array(3)
    assert metric.compile_options()["max_order"] == 2
    for expected in (3, 4):
        order[()] = expected
        assert metric.compile_options(max_order=order)["max_order"] == expected


@pytest.mark.parametrize(
    ("option", "value"), [("weights", "weights.tsv"), ("tokenizer", str.split), ("confidence", 0.5), ("seed", 3)]
)
def test_what_may_change_is_checked_each_time(option, value, monkeypatch):
    """A file or an object may be another one by now; a number is the same."""
    metric, checked = evaluate.load(str(ROOT / "metrics" / "wer.py")), []
    said = metric.OPTIONS[option]._replace(check=lambda *arguments: checked.append(arguments))
    monkeypatch.setitem(metric.OPTIONS, option, said)
    for _ in range(3):
        assert metric.compile_options(**{option: value})[option] == value
    assert len(checked) == (1 if isinstance(value, (int, float)) else 3)


def test_sets_of_options_are_not_kept_for_ever():
    metric = load("bleu")
    for seed in range(600):
        assert metric.compile_options(seed=seed)["seed"] == seed
    metric.compile_options()["seed"] = 7  # a copy
    assert metric.compile_options()["seed"] == 12345
    assert len(metric._resolved) < 600


class Limits(NamedTuple):
    low: int
    high: int


def test_records_are_made_of_options():
    """A function of a metric may take several options as one parameter; one that is there under its name goes first."""

    def within(value, *, limits: Limits, unit: str):
        """Takes three options."""

    options = {"value": 3, "low": 1, "high": 2, "other": 4}
    assert pick(within, options) == {"value": 3, "limits": Limits(1, 2)}
    assert pick(within, {**options, "limits": Limits(5, 6)})["limits"] == Limits(5, 6)
    assert pick(within, {"low": 1, "unit": "s"}) == {"unit": "s"}
    assert option_names(within) == ["value", "low", "high", "unit"]
