"""What the documents claim about people, and which comparisons would show it."""

from typing import NamedTuple


class Side(NamedTuple):
    """Scores of segments."""

    name: str
    spec: str  # a metric as score.py takes it, or "column NAME" of the data
    over: str = ""  # another metric, by which its scores are divided
    references: int | None = None  # how many of each segment's references; None for all


class Comparison(NamedTuple):
    """The first side should agree with people better than the second, or, without a second, agree at all."""

    data: str  # a data set
    human: str  # its column with people's scores
    first: Side
    second: Side | None = None
    elsewhere: tuple[str, str] | None = None  # data set and column of the second side, where it has its own


class Claim(NamedTuple):
    """One sentence of a document."""

    place: str  # document and line
    says: str
    comparisons: tuple[Comparison, ...] = ()
    lacking: str = ""  # what else it would take
    margin: float = 0.0  # how far below another an r may be that is as good


TOKENS = {"13a": "words", "char": "characters"}


def _ngram(order: int, tokenizer: str) -> Side:
    """Returns BLEU's precision of one order, with the brevity penalty; a precision of 0 is smoothed."""
    weights = ",".join("1.0" if n == order else "0.0" for n in range(1, 5))
    name = f"{order}-grams, {TOKENS[tokenizer]}"
    return Side(name, f"bleu:tokenizer={tokenizer},smooth=exp,order_weights={weights}")


_WORDS, _CHARACTERS = (Side(f"BLEU, {TOKENS[name]}", f"bleu:tokenizer={name},smooth=exp") for name in ("13a", "char"))
# text, people's scores, the tokenizer of the language, and what METEOR must know of it
_SETTINGS = (
    ("dialogue", "relevance", "13a", ""),
    ("german translation", "mqm", "13a", "lang=de,"),
    ("korean translation", "adequacy", "char", "tokenizer=char,"),
    ("korean similarity", "similarity", "char", "tokenizer=char,"),
)


def _meteor(language: str, name: str, options: str = "") -> Side:
    return Side(name, f"meteor:{language}{options}".rstrip(",:"))


def _against(first: str, second: str) -> tuple[Comparison, ...]:
    """Returns the comparison of two of METEOR and its parts, BLEU and NIST, on all data."""
    comparisons = []
    for data, human, tokens, language in _SETTINGS:
        sides = {
            "METEOR": _meteor(language, "METEOR"),
            "BLEU": Side("BLEU", f"bleu:tokenizer={tokens},smooth=exp"),
            "NIST": Side("NIST", f"nist:tokenizer={tokens}"),
            "precision": _meteor(language, "METEOR's precision", "alpha=0,gamma=0"),
            "recall": _meteor(language, "METEOR's recall", "alpha=1,gamma=0"),
            "F1": _meteor(language, "METEOR's F1", "alpha=0.5,gamma=0"),
        }
        comparisons.append(Comparison(data, human, sides[first], sides[second]))
    return tuple(comparisons)


def _fall(tokenizer: str) -> Side:
    orders = [f"bleu:tokenizer={tokenizer},smooth=exp,max_order={n}" for n in (4, 1)]
    return Side(f"B@4 / B@1, {TOKENS[tokenizer]}", orders[0], over=orders[1])


def _published(tokens: str) -> Side:
    return Side(f"BLEU, {tokens}", f"column bleu_{tokens}")


def _unigram(tokenizer: str) -> Side:
    return Side(f"B@1, {TOKENS[tokenizer]}", f"bleu:tokenizer={tokenizer},smooth=exp,max_order=1")


def _many(count: int, tokenizer: str) -> Side:
    name = f"{count} reference{'s' if count > 1 else ''}, {TOKENS[tokenizer]}"
    return Side(name, f"bleu:tokenizer={tokenizer},smooth=exp", references=count)


_KOREAN = "korean translation"
_KIWI = Side("Kiwi's log-likelihood", "column kiwi")
# of an r that is "as good": Cohen (1988, section 4.2) calls two correlations slightly apart from a q of .1 on
AS_GOOD = 0.1
MEDIUM = 0.3
_WORDS_AND_CHARACTERS = (
    Comparison("korean similarity", "similarity", _WORDS, _CHARACTERS),
    Comparison(_KOREAN, "adequacy", _WORDS, _CHARACTERS),
    Comparison("korean scores", "adequacy", _published("words"), _published("characters")),
    Comparison("korean scores", "adequacy", _published("words"), _published("morphemes")),
    Comparison("german translation", "mqm", _WORDS, _CHARACTERS),
    Comparison("dialogue", "relevance", _WORDS, _CHARACTERS),
)
CLAIMS = (
    Claim(
        "000, line 24",
        "of translations BLEU says more than perplexity (here: than the log-likelihood per morpheme by Kiwi's language "
        "model, which does not see the source)",
        tuple(Comparison(_KOREAN, human, _CHARACTERS, _KIWI) for human in ("adequacy", "fluency")),
        lacking="perplexities by a model of translation, which sees the source",
    ),
    Claim(
        "000, line 28",
        "BLEU can be used whatever the language is (here: on words, its default, it agrees with people "
        "as well as on characters, or better)",
        _WORDS_AND_CHARACTERS,
        margin=AS_GOOD,
    ),
    Claim(
        "001, line 59",
        "ROUGE suits single documents and short texts",
        lacking="summaries with people's scores, of long and of short texts",
    ),
    Claim("002, line 110", "METEOR agrees with people better than BLEU", _against("METEOR", "BLEU")),
    Claim("002, line 110", "METEOR agrees with people better than NIST", _against("METEOR", "NIST")),
    Claim("002, line 111", "precision alone agrees less (here: than F1)", _against("F1", "precision")),
    Claim("002, line 111", "the harmonic mean agrees more (here: than recall alone)", _against("F1", "recall")),
    Claim(
        "003, line 84",
        "BLEU is known to agree with people",
        (
            Comparison("korean similarity", "similarity", _CHARACTERS),
            Comparison(_KOREAN, "adequacy", _CHARACTERS),
            Comparison("german translation", "mqm", _WORDS),
            Comparison("dialogue", "relevance", _WORDS),
        ),
    ),
    Claim(
        "003, line 103",
        "unigrams say whether the content is there (here: they agree with adequacy better than 4-grams)",
        tuple(Comparison(_KOREAN, "adequacy", _ngram(1, name), _ngram(4, name)) for name in TOKENS),
    ),
    Claim(
        "003, line 103",
        "4-grams say how fluent the text is (here: they agree with fluency better than unigrams)",
        tuple(Comparison(_KOREAN, "fluency", _ngram(4, name), _ngram(1, name)) for name in TOKENS),
    ),
    Claim(
        "004, line 23",
        "BLEU agrees well with people in machine translation [4, 5, 6, 7] (here: by r above 0.3, which Cohen (1988, "
        "section 3.2) calls medium)",
        (Comparison(_KOREAN, "adequacy", _CHARACTERS), Comparison("german translation", "mqm", _WORDS)),
        margin=-MEDIUM,
    ),
    Claim(
        "004, line 25",
        "outside machine translation BLEU has not done well (here: it agrees with people better on translations; other "
        "people rated these, on another scale)",
        (
            Comparison("german translation", "mqm", _WORDS, _WORDS, ("dialogue", "relevance")),
            Comparison(_KOREAN, "adequacy", _CHARACTERS, _CHARACTERS, ("dialogue", "relevance")),
            Comparison(_KOREAN, "adequacy", _CHARACTERS, _CHARACTERS, ("korean similarity", "similarity")),
        ),
        lacking="translations and other texts, judged by the same people on one scale",
    ),
    Claim(
        "004, line 56",
        "with more references BLEU agrees with people better [11, 12]",
        tuple(Comparison("dialogue", "relevance", _many(5, name), _many(1, name)) for name in TOKENS),
    ),
    Claim(
        "004, line 86",
        "where B@n falls steeply with n, the text is ungrammatical (here: B@4 / B@1 agrees with fluency)",
        tuple(Comparison(_KOREAN, "fluency", _fall(name)) for name in TOKENS),
    ),
    Claim(
        "004, line 86",
        "and that measures it well (here: B@4 / B@1 agrees with fluency better than B@1)",
        tuple(Comparison(_KOREAN, "fluency", _fall(name), _unigram(name)) for name in TOKENS),
    ),
    Claim(
        "004, line 90",
        "weighted BLEU agrees with people better than BLEU where a persona speaks",
        (Comparison("paper", "people", Side("weighted BLEU", "column weighted_bleu"), Side("BLEU", "column bleu")),),
        lacking="texts in the voice of a persona with people's scores, on which the bare sum of the weights would be "
        "compared too",
    ),
    Claim(
        "004, line 90, last sentence",
        "it will do for captions, summaries and more",
        lacking="captions and summaries with people's scores, and weights for what matters in them",
    ),
)
