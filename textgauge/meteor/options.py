"""METEOR's options: presets, what a language brings along, checks, and what is made of their values."""

from collections.abc import Callable, Collection
from importlib.metadata import version
from typing import Any

from textgauge.core.columns import clean_texts
from textgauge.core.errors import InputError
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag, is_number, mapping, number, own
from textgauge.core.tables import digest
from textgauge.tokens.morphemes import PACKAGES, kiwi_analyser
from textgauge.tokens.stems import SNOWBALL, Stem, korean_stemmer, nltk_stemmer, own_stemmer
from textgauge.tokens.tokenizers import TOKENIZER, tokenizer_version

from .function_words import FUNCTION_WORD_TEXT, FUNCTION_WORDS
from .synonyms import Groups, own_groups, read_groups, table_groups, wordnet_groups
from .wordnet import DATA

STAGES = ("exact", "stem", "synonym")
_STEMMERS = {"porter": "nltk", "snowball": "nltk", "kiwi": "kiwipiepy"}  # and the package of each
PRESETS = {
    # section 2.2 of the paper: 10PR / (R + 9P) is alpha = 0.9; a delta of 0.5 gives all words the same weight
    "2005": {
        "alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.5, "stage_weights": [1.0, 1.0, 1.0],
        "objective": "crossings", "perfect_is_one": False,
    },
    # English, tuned to rankings; and its rule that a perfect match is 1
    "1.5": {
        "alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75, "stage_weights": [1.0, 0.6, 0.8],
        "objective": "chunks", "perfect_is_one": True,
    },
}  # fmt: skip
Content = Callable[[list[str]], list[float]]  # words -> their weights
_wordnet = wordnet_groups(DATA)


def check_options(
    *, preset: str, lang: str, stages: Any, stemmer: Any, synonyms: Any, delta: float, function_words: Any
) -> None:
    """Raises InputError for options that contradict one another, ImportError for what is not installed."""
    _check_used(stages, stemmer, synonyms, lang)
    _check_weighed(preset, lang, delta, function_words)
    if isinstance(stemmer, str) and stemmer == "snowball" and lang not in SNOWBALL:
        raise InputError(f"stemmer is 'snowball', which has no lang={lang!r:.200}; it has {', '.join(SNOWBALL)}")
    if "stem" in stages:
        _stem_function(stemmer, lang)


def _check_used(stages: Any, stemmer: Any, synonyms: Any, lang: str) -> None:
    """Raises InputError for a stemmer or synonyms without the stage that takes them."""
    if stemmer is not None and "stem" not in stages:
        raise InputError(f"stemmer is {stemmer!r:.60}, but stages has no stem; add it, or leave stemmer out")
    has_own = synonyms is not None and not _is_equal(synonyms, _default_synonyms(lang))
    if has_own and "synonym" not in stages:
        raise InputError(f"synonyms is {synonyms!r:.60}, but stages has no synonym; add it, or leave synonyms out")


def _check_weighed(preset: str, lang: str, delta: float, function_words: Any) -> None:
    """Raises InputError for a weight of function words where there are none, and for words that weigh like others."""
    if delta != PRESETS[preset]["delta"] and not function_words:
        raise InputError(
            f"delta is {delta!r}, but with lang={lang!r} there are no function words; pass function_words, or leave "
            "delta out"
        )
    if delta == 0.5 and not _is_equal(function_words, _default_function_words(lang)):
        raise InputError(
            f"function_words is {function_words!r:.60}, and with delta=0.5 they weigh like all others; pass another "
            "delta, or leave function_words out"
        )


def _is_equal(value: Any, default: str | None) -> bool:
    return value is None if default is None else isinstance(value, str) and value == default


def _default_synonyms(lang: str) -> str | None:
    return "wordnet" if lang == "en" else None


def _default_function_words(lang: str) -> str | None:
    return "english" if lang == "en" else None


def _check_stages(name: str, stages: Any) -> None:
    is_list = isinstance(stages, (list, tuple)) and list(stages[:1]) == ["exact"]
    if not is_list or list(stages) != [stage for stage in STAGES if stage in stages]:
        raise InputError(f'{name} is {stages!r:.200}; pass "exact" and then "stem" or "synonym" or both, in this order')


def _check_stemmer(name: str, stemmer: Any) -> None:
    is_own = not isinstance(stemmer, (str, type)) and callable(getattr(stemmer, "stem", stemmer))
    if not is_own and stemmer not in (None, *_STEMMERS):
        raise InputError(
            f"{name} is {stemmer!r:.60}; pass one of {', '.join(_STEMMERS)}, a callable, or an object with .stem"
        )


def _check_stage_weights(name: str, weights: Any) -> None:
    is_list = isinstance(weights, (list, tuple)) and len(weights) == len(STAGES)
    if weights is not None and not (is_list and all(is_number(weight) and 0 <= weight <= 1 for weight in weights)):
        raise InputError(f"{name} is {weights!r:.200}; pass a list of three numbers from 0 to 1")


def _check_synonyms(name: str, synonyms: Any) -> None:
    if not (isinstance(synonyms, str) and synonyms == "auto"):
        _group_function(synonyms, list)


def _check_function_words(name: str, words: Any) -> None:
    if words not in (None, "english"):
        is_list = isinstance(words, Collection) and not isinstance(words, (str, bytes))
        if not is_list or not all(isinstance(word, str) for word in words):
            raise InputError(f"{name} is {words!r:.60}; pass a list of words")


def _stem_function(stemmer: Any, lang: str) -> Stem:
    """Returns the function from words to stems."""
    if isinstance(stemmer, str) and stemmer != "kiwi":
        return nltk_stemmer(stemmer, lang)
    if isinstance(stemmer, str):
        return korean_stemmer(kiwi_analyser('stemmer="kiwi", which lang="ko" takes,'))
    return own_stemmer(stemmer)


def _group_function(synonyms: Any, clean: Callable[[list[str]], list[str]]) -> Groups:
    """Returns the function from a word to its groups of synonyms."""
    if synonyms is None:
        return lambda word: ()
    if isinstance(synonyms, str) and synonyms == "wordnet":
        return _wordnet
    return own_groups(synonyms) if callable(synonyms) else table_groups(read_groups(synonyms, clean))


def _stemmer_text(stemmer: Any) -> str:
    """Writes the stemmer into the signature, with the version of its package."""
    if stemmer is None:
        return "none"
    return f"{stemmer}[{version(_STEMMERS[stemmer])}]" if isinstance(stemmer, str) else tokenizer_version(stemmer)


def _synonyms_text(synonyms: Any) -> str:
    """Writes the synonyms into the signature, a table by what it holds."""
    if isinstance(synonyms, str) and synonyms == "wordnet":
        return f"wordnet[{digest(DATA)}]"
    if synonyms is None or callable(synonyms):
        return "none" if synonyms is None else tokenizer_version(synonyms)
    return f"table({digest(repr(read_groups(synonyms, list)))})"


def _function_words_text(function_words: Any) -> str:
    """Writes the function words into the signature by what they are."""
    if function_words is None:
        return "none"
    if function_words == "english":
        return f"english[{digest(FUNCTION_WORD_TEXT)}]"
    return f"table({digest(repr(sorted(function_words)))})"


def _by_preset(option: str) -> str:
    """Says in the help of an option what the presets make of it."""
    return "by preset " + " or ".join(f"`{values[option]}`" for values in PRESETS.values()) + "."


def _float_text(value: float) -> str:
    return repr(float(value))


def resolve(options: dict[str, Any]) -> dict[str, Any]:
    """Returns all options; what is not given is the preset's and the language's, and a signature spells it out.

    >>> given = {"preset": "1.5", "lang": "en", "alpha": None, "stages": ["exact"], "stemmer": None, "synonyms": "auto"}
    >>> resolve(given)
    {'preset': '1.5', 'lang': 'en', 'alpha': 0.85, 'stages': ['exact'], 'stemmer': None, 'synonyms': 'wordnet'}
    """
    preset = options["preset"]
    lang = options["lang"]
    stemmer = "snowball"
    if lang == "en" and preset == "2005":
        stemmer = "porter"
    elif lang == "ko":
        stemmer = "kiwi"
    values = {
        **PRESETS[preset],
        "stemmer": stemmer if "stem" in options["stages"] else None,  # so that nobody asks for its package
        "function_words": _default_function_words(lang),
    }
    options = {name: values.get(name) if value is None else value for name, value in options.items()}
    if isinstance(options["synonyms"], str) and options["synonyms"] == "auto":
        options["synonyms"] = _default_synonyms(lang)
    return options


def compile_options(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options with the functions from words to stems, to groups of synonyms, and to weights.

    >>> options = {"lowercase": True, "normalization": "NFC", "function_words": ["The"], "delta": 0.75}
    >>> compile_options({**options, "stages": ["exact"], "synonyms": None})["content"](["the", "cat"])
    [0.5, 1.5]
    """

    def clean(words: list[str]) -> list[str]:
        return clean_texts(words, lowercase=options["lowercase"], normalization=options["normalization"])

    words = options["function_words"] or ()
    words = FUNCTION_WORDS if words == "english" else frozenset(clean(list(words)))
    weights = 2 * (1 - options["delta"]), 2 * options["delta"]
    needs_stems = "stem" in options["stages"]
    return {
        **options,
        "stem": _stem_function(options["stemmer"], options["lang"]) if needs_stems else list,
        "groups": _group_function(options["synonyms"], clean),
        "content": lambda vocabulary: [weights[word not in words] for word in vocabulary],
    }


OPTIONS = {
    "preset": choice(
        "2005",
        "preset",
        "`2005` (the paper), or `1.5` (the program of that version for English without paraphrases); other values "
        "of alpha, beta, gamma, delta, stage_weights, objective and perfect_is_one override it.",
        tuple(PRESETS),
    ),
    "lang": choice(
        "en",
        "lang",
        "`en`, `ko` (stems are dictionary forms by Kiwi: pip install kiwipiepy), or one of nltk's Snowball "
        f"stemmers: {', '.join(SNOWBALL)}.",
        (*SNOWBALL, "ko"),
        packages={"ko": PACKAGES["kiwi"]},
    ),
    "stages": own(
        STAGES,
        "stages",
        "`exact`, alone or followed by `stem`, `synonym` or both in this order.",
        _check_stages,
        kind="list",
    ),
    "stemmer": own(
        None,
        "stem",
        "`porter` (English, preset 2005), `snowball` or `kiwi`; by preset and language.",
        _check_stemmer,
        kind="choice",
        choices=(None, *_STEMMERS),
        packages={"kiwi": PACKAGES["kiwi"]},
        text=_stemmer_text,
        in_code="Or a callable str -> str, or an object with `.stem`.",
    ),
    "synonyms": mapping(
        "auto",
        "syn",
        "`auto` (`wordnet` for English, else none), `wordnet` (WordNet 3.0, built in), None, or words with "
        "their synonyms: a table, or a file with one group of words per line, separated by tabs.",
        ("word", "synonyms"),
        _check_synonyms,
        choices=("auto", "wordnet", None),
        text=_synonyms_text,
        in_code="Or a dict from a word to its synonyms, a list of groups of words, or a callable from a word to "
        "the names of its groups.",
    ),
    "tokenizer": TOKENIZER._replace(default="unicode"),
    "lowercase": LOWERCASE._replace(default=True),
    "normalization": NORMALIZATION,
    "alpha": number(
        None, "alpha", f"weight of recall against precision; {_by_preset('alpha')}", high=1, text=_float_text
    ),
    "beta": number(None, "beta", f"exponent of the penalty; {_by_preset('beta')}", text=_float_text),
    "gamma": number(None, "gamma", f"largest penalty; {_by_preset('gamma')}", high=1, text=_float_text),
    "delta": number(
        None,
        "delta",
        "weight of a content word; a function word weighs 1 - delta, so `0.5` treats them alike; "
        f"{_by_preset('delta')}",
        high=1,
        text=_float_text,
    ),
    "stage_weights": own(
        None,
        "sw",
        f"weight of a match of each stage in precision and recall; {_by_preset('stage_weights')}",
        _check_stage_weights,
        kind="list",
    ),
    "function_words": own(
        None,
        "fw",
        "list of words; by default a built-in list for English, and none for other languages.",
        _check_function_words,
        text=_function_words_text,
    ),
    "objective": choice(
        None,
        "obj",
        "among the alignments with the most matches, take the one with fewest `crossings` (then chunks), or with "
        f"fewest `chunks`; {_by_preset('objective')}",
        (None, "crossings", "chunks"),
    ),
    "perfect_is_one": choice(
        None,
        "perfect",
        f"no penalty for a text that is matched completely in one chunk; {_by_preset('perfect_is_one')}",
        (None, False, True),
    ),
    "detailed": flag("", "add the score of the corpus as a whole and its parts."),
}
