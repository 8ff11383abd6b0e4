"""Values of options that are worth trying in combination, and texts on which every option can make a difference."""

import random

import cases
from conftest import load

from textgauge.core.options import BOOTSTRAP

# of options that are no choice, besides those of cases.py; by metric and option, or for all metrics by option
VALUES = {
    "order_weights": [[0.4, 0.3, 0.2, 0.1]],
    "rouge_types": [["rougeLsum"], ["rouge1"], ["rouge1", "rougeW"]],
    "idf": ["references"],
    "n": [2],
    "base": [2],
    "stages": [["exact", "stem"], ["exact", "synonym"]],
    "stemmer": ["snowball", cases.stem],
    "synonyms": [{"cat": ["the", "dog"]}],
    "stage_weights": [[0.9, 0.5, 0.25]],
    "function_words": [["the", "a"], []],
    "collar": [0.5],
    "lang": ["ru"],
    "fillers": [["음", "the"]],
    "clusters": [],
    "tokenizer": ["char", "whitespace", "unicode"],
    **dict.fromkeys(("model_id", "model", "model_tokenizer", "device", "max_length", "stride", "batch_size"), []),
}
# what no signature names, or what only decides about an interval, changes no score
UNSIGNED = set(BOOTSTRAP)


def values_of(name):
    """Returns values of each option of a metric that a signature names, other than the default."""
    metric, (_, *sets) = load(name), cases.CASES[name]
    given = [options for of_kind in sets for options in of_kind]
    found = {}
    for option, said in metric.OPTIONS.items():
        if not said.key or option in UNSIGNED:
            continue
        values = [value for value in said.choices if value not in said.packages]
        if option in VALUES or said.kind not in ("flag", "choice"):
            values = [*VALUES.get(option, []), *(options[option] for options in given if option in options)]
        distinct = {repr(value): value for value in values if repr(value) != repr(said.default)}
        assert distinct or option in VALUES, f"{name} has the option {option}: name values of it in option_values.py"
        found[option] = list(distinct.values())
    return found


_WORDS = [
    *("고양이가", "고양이", "방에서", "잠을", "자고", "있다.", "귀여운", "강아지와", "삼", "퍼센트", "오", "밀리그램"),
    *("the", "The", "a", "cats", "cat", "dog", "dogs", "running", "runs", "run", "ran", "feline", "car", "automobile"),
    *("ﬁne", "fine", "Ⅷ", "VIII", "café", "cafe\u0301", "CAFÉ", "ＡＢ", "AB", "ß", "хорошо", "хорошая", "日本語"),
    "テスト、",
    *("3%", "5mg", "1.5T", "15T", "-5", "5", "1/2", "12", "$5", "12,000", "2024", "LG", "엘지", "세", "개", "3개"),
    *("음", "음음", "어", "um", "(um)", "(이거)/(요거)", "b/", "&amp;", "it's", "it", "'s", ",", ".", "!", "?", "~"),
    "+",
    *("white", "paper", "whitepaper", "well-known", "<b>", "😀", "שלום", "happy", "happily"),
]


# the same in another form, case or notation, or another form of a word
_COUNTERPARTS = {
    **{
        "ﬁne": "fine",
        "Ⅷ": "VIII",
        "café": "cafe\u0301",
        "CAFÉ": "café",
        "ＡＢ": "AB",
        "テスト、": "テスト",
        "日本語": "日本語、",
    },
    **{"cats": "cat", "dogs": "dog", "running": "run", "runs": "run", "happy": "happily", "хорошо": "хорошая"},
    **{
        "The": "the",
        "3%": "삼 퍼센트",
        "5mg": "오 밀리그램",
        "LG": "엘지",
        "whitepaper": "white paper",
        "car": "automobile",
    },
    **{"있다.": "있다", "well-known": "wellknown", "1.5T": "15T", "음음": "음", "&amp;": "&", "12,000": "12000"},
}


class Corpus:
    """Texts that differ in whatever an option may take notice of."""

    def __init__(self, size, longest):
        """Takes the number of random segments, and of words in one; 12 other segments are short, or alike."""
        self._random = random.Random(5)
        short = [
            *("the cat", "고양이", "The dogs ran. A cat ran.\nthe end", "white paper 3%", "the the the cat"),
            "음 the cat",
        ]
        shorter = [
            "the cat",
            "고양이",
            "the dog runs. A cat\nran. the end",
            "whitepaper 삼 퍼센트",
            "the cat",
            "the cats",
        ]
        self.predictions = [*short, *(self._text(2) for _ in range(6))]
        self.references = [[text] for text in shorter] + [[self._text(3), self._text(2)] for _ in range(6)]
        for _ in range(size):
            text = self._text(longest)
            self.predictions.append(self._changed(text))
            self.references.append([self._changed(self._changed(text)) for _ in range(self._random.randint(1, 3))])

    def columns(self, name):
        """Returns the columns of a metric."""
        if name == "perplexity":
            return cases.CASES[name][0]
        if name == "human_correlation":
            return _rated()
        predictions, references = self.predictions, self.references
        if name == "hyter":
            references = [[_network(text) for text in row] for row in references]
        columns = cases.with_further_columns(name, predictions, references)
        if name == "delta_bleu":
            weights = [1.0, 0.25, -0.5]
            columns["reference_weights"] = [weights[: len(row)] for row in references]
        return columns

    def _text(self, longest):
        words = [self._random.choice(_WORDS) for _ in range(self._random.randint(1, longest))]
        text = " ".join(words)
        return text.replace(" ", "\n", 1) if self._random.random() < 0.3 else text

    def _changed(self, text):
        words = text.split(" ")
        for _ in range(self._random.randint(0, 4)):
            place, kind = self._random.randrange(len(words)), self._random.randrange(7)
            if kind == 0:
                words[place] = self._random.choice(_WORDS)
            elif kind == 1:
                words.insert(place, self._random.choice(_WORDS))
            elif kind == 2:
                words[place : place + 2] = ["".join(words[place : place + 2])]
            elif kind == 3:
                words[place:place] = words[place : place + 1]
            elif kind == 4:
                words[0], words[place] = words[place], words[0]
            else:
                words = [_COUNTERPARTS.get(word, word) if self._random.random() < 0.5 else word for word in words]
        return " ".join(words)


def _rated():
    """Returns scores of 24 rows, which two people rated, with ties, and a second metric."""
    rng = random.Random(7)
    people = [[rng.randint(1, 5), 2 * rng.randint(1, 9)] for _ in range(24)]
    return {
        "predictions": [ratings[0] + rng.randint(0, 3) for ratings in people],
        "references": people,
        "systems": ["가나다"[row % 3] for row in range(24)],
        "items": [row // 3 for row in range(24)],
        "baselines": [ratings[1] + rng.random() for ratings in people],
    }


def _network(text):
    """Returns a text that is one sentence in each notation, but for a choice."""
    plain = text.translate(dict.fromkeys(map(ord, "()|\\"), " "))
    return f"(the|{plain}) {plain}"
