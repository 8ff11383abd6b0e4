"""What the common tests need to know of each metric: columns that it takes, and options worth trying.

Every metric has an entry; `test_common.py` fails when one is missing.
"""

import json
from pathlib import Path

TEXTS = {
    "predictions": [
        "고양이가 침대에서 잠을 자고 있다.",
        "귀여운 고양이가 방에서 귀여운 강아지와 귀여운 고양이가 방에서 잠을 자고 있다.",
        "",
        "the the the cat, 3.5% up",
        "😀 👩‍👩‍👧 שלום עולם",
    ],
    "references": [
        ["고양이가 방에서 잠을 자고 있다."],
        ["귀여운 고양이가 귀여운 강아지와 방에서 잠을 자고 있다.", "고양이가 방에서 잔다.", ""],
        ["방에서 잔다."],
        ["the cat is up 3.5%", "the cat, the dog"],
        ["😀 👩‍👩‍👧 שלום לכם"],
    ],
}
BLEU_OPTIONS = [
    {},
    {"tokenizer": "char", "lowercase": True, "normalization": "NFKC"},
    {"tokenizer": "unicode", "smooth": "exp", "effective_order": True, "confidence": 0.9, "resamples": 50, "seed": 7},
    {"tokenizer": "whitespace", "max_order": 2, "order_weights": [0.25, 0.75], "ref_length": "shortest"},
    {"tokenizer": "jamo", "smooth": True, "normalization": None, "ref_length": "average", "max_order": 6},
    {"smooth": "floor", "smooth_value": 0.25},
    {"smooth": "add-k", "max_order": 1, "order_weights": [1.0]},
]
CER_OPTIONS = [
    {},
    {"preset": "jiwer", "lowercase": True, "normalization": "NFKC"},
    {"preset": "clovacall", "spaces": "collapse", "confidence": 0.9, "resamples": 50, "seed": 7},
    {"preset": "ksponspeech", "unit": "jamo", "aggregate": "mean"},
    {"preset": "nlptutti"},
    {"preset": "nlptutti", "bounded": False, "normalization": None},
    {"preset": "whisper"},
    {"fillers": ["음", "가 나"], "drop_fillers": True, "readings": "ko"},
    {"preset": "whisper", "readings": "ko", "unit": "jamo", "aggregate": "mean"},
    {"preset": "mixed", "lowercase": True, "aggregate": "mean"},
    {"spaces": "keep", "special": "punctuation", "bounded": True, "aggregate": "mean"},
    {"readings": "ko"},
    {"readings": "ko", "preset": "nlptutti", "aggregate": "mean"},
    {"readings": "ko", "preset": "ksponspeech", "unit": "jamo", "lowercase": True, "confidence": 0.9, "resamples": 50},
]
KEYWORDS = {"고양이": 5, "귀여운 강아지": 2.5, "3.5%": 3, "the": 0.25, "שלום": 1, "없는 말": 4}
SPOKEN_KEYWORDS = {"고양이": 5, "귀여운 강아지": 2.5, "없는 말": 4}  # none that readings spell
READINGS = {"the": "더", "cat": ["캣", "고양이"]}
WER_OPTIONS = [
    {},
    {"tokenizer": "13a", "lowercase": True, "normalization": "NFKC"},
    {"tokenizer": "unicode", "space_normalized": True, "confidence": 0.9, "resamples": 50, "seed": 7},
    {"space_normalized": True},
    {"readings": "ko"},
    {"readings": "ko", "space_normalized": True, "lowercase": True},
    {"preset": "nlptutti"},
    {"preset": "nlptutti", "readings": "ko"},
    {"preset": "whisper", "readings": "ko"},
    {"fillers": ["음", "가 나"], "drop_fillers": True, "compounds": "merge"},
    {"preset": "ksponspeech", "bounded": True},
    {"preset": "nlptutti", "special": "keep", "bounded": False, "compounds": "merge"},
    {"compounds": "merge", "special": "remove", "confidence": 0.9, "resamples": 50},
    {"sclite": True, "lowercase": True},
    {"aggregate": "mean", "confidence": 0.9, "resamples": 50},
    {"aggregate": "mean", "preset": "nlptutti", "readings": "ko"},
]
ROUGE_OPTIONS = [
    {},
    {"tokenizer": "jamo", "normalization": None, "beta": 2.0, "multi_ref": "average", "split_summaries": True},
    {"tokenizer": "rouge_score", "use_stemmer": True, "multi_ref": "jackknife", "confidence": 0.9, "resamples": 50},
    {"tokenizer": "char", "lowercase": False, "w_exponent": 2.0,
     "rouge_types": ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS*", "rougeS4", "rougeSU0"]},
]  # fmt: skip
SOURCES = ["고양이가 침대에서 잔다.", "고양이와 강아지가 방에서 잔다.", "", "the cat, 3.5%", "😀 שלום"]
REFERENCE_WEIGHTS = [[1.0], [0.5, -0.25, 1], [0.25], [-1.0, 0.75], [0.1]]
NIST_OPTIONS = [
    {},
    {"n": 2, "tokenizer": "char", "lowercase": True, "normalization": "NFKC"},
    {"tokenizer": "unicode", "confidence": 0.9, "resamples": 50, "seed": 7},
    {"western_lang": False, "normalization": None},
]
CIDER_OPTIONS = [
    {},
    {"variant": "cider", "max_order": 2, "tokenizer": "char", "lowercase": True, "normalization": "NFKC"},
    {"tokenizer": "unicode", "sigma": 2.5, "confidence": 0.9, "resamples": 50, "seed": 7},
    {"tokenizer": "jamo", "normalization": None, "max_order": 6},
]
HYTER_OPTIONS = [
    {},
    {"window": 3, "tokenizer": "char", "lowercase": True, "normalization": "NFKC"},
    {"tokenizer": "unicode", "notation": "compact", "confidence": 0.9, "resamples": 50, "seed": 7},
    {"tokenizer": "13a", "window": 2, "normalization": None},
]
CHRF_OPTIONS = [
    {},
    {"word_order": 2, "lowercase": True, "normalization": "NFKC"},
    {"char_order": 3, "word_order": 1, "beta": 1, "confidence": 0.9, "resamples": 50, "seed": 7},
    {"whitespace": True, "eps_smoothing": True, "normalization": None},
]
TER_OPTIONS = [
    {},
    {"normalized": True, "asian_support": True, "normalization": "NFKC"},
    {"no_punct": True, "case_sensitive": True, "confidence": 0.9, "resamples": 50, "seed": 7},
    {"normalized": True, "no_punct": True, "normalization": None},
]
# how often n-grams stand in some corpus, larger than the one above
COUNTS = {
    "": 40,
    "고양이가": 9,
    "방에서": 7,
    "고양이가 방에서": 3,
    "the": 20,
    "cat": 5,
    "the cat": 4,
    "😀": 2,
    "a": 12,
    "방": 30,
}
COUNTS_OF_WORDS = {**COUNTS, " tok:13a|case:mixed|norm:NFC": 40}
LOG_PROBABILITIES = {
    "predictions": [[-0.5, -2.25, -0.125], [-3.0], [-1.5, 0.0, -0.25, -4.0], [-0.75] * 6, [-0.0625, -9.0]],
    "texts": ["고양이가 잔다.", "개", "the cat, 3.5% up", "", "😀 👩‍👩‍👧"],
}
METEOR_OPTIONS = [
    {},
    {"preset": "1.5", "tokenizer": "13a", "normalization": "NFKC", "delta": 0.6},
    {"alpha": 0.5, "beta": 1, "gamma": 0.25, "tokenizer": "char", "stages": ["exact"], "objective": "chunks"},
    {"lang": "ru", "tokenizer": "jamo", "lowercase": False, "stage_weights": [1, 0.5, 0.5],
     "perfect_is_one": True, "confidence": 0.9, "resamples": 50, "seed": 7},
    {"lang": "ko", "stages": ["exact"]},
]  # fmt: skip


def stem(word):
    """Returns the beginning of a word without one of its vowels, as a stemmer of one's own may do."""
    return word.replace("a", "e")[:3]


METEOR_TABLES = [
    {"synonyms": {"방에서": "침대에서", "dog": ["cat", "고양이"]}, "function_words": ["the", "있다"], "delta": 0.9},
    {"stemmer": stem, "synonyms": None, "detailed": True},
]
WEIGHTS = {"고양이가": 1.5, "귀여운 강아지와": 2.0, "the the": -1.25, "😀": 0.5, "없는 말": 1.1}
SCORES = {
    "predictions": [0.25, 0.5, 0.125, 1.0, 0.75],
    "references": [2, 3.5, -1, 3, 4],
    "systems": ["가", "가", "나", "나", "나"],
    "items": [1, 2, 1, 2, 3],
    "baselines": [10, 40, 35, 5, 20],
}
CORRELATION_OPTIONS = [
    {},
    {"coefficient": "spearman", "averaging": "system", "alternative": "two-sided", "permutations": 20},
    {"coefficient": "kendall", "averaging": "item", "confidence": 0.9, "resamples": 50, "seed": 7},
    {"coefficient": "accuracy", "standardize": "rater"},
]
IDF = {"rouge_types": ["rouge1", "rouge2"], "idf": "references"}
WEIGHTS = {"고양이가": 1.5, "귀여운 강아지와": 2.0, "the the": -1.25, "😀": 0.5, "없는 말": 1.1}
FREQUENCIES = {"": 9, "고양이가": 3, "방에서": 9, "있다": 4, "고양이가 방에서": 2, "the the": 7, "the": 8}


def said(*utterances, times=True):
    """Returns a session of (speaker, text) with times, of which some overlap."""
    return [
        {"speaker": speaker, "text": text, **({"start": 2.0 * at, "end": 2.5 * at + 2} if times else {})}
        for at, (speaker, text) in enumerate(utterances)
    ]


def threes(words):
    """Returns words in threes; the last may be fewer."""
    return [words[at : at + 3] for at in range(0, len(words), 3)]


def as_sessions(predictions, references):
    """Returns texts, and the first reference of each, as sessions of speakers who say three words each."""
    firsts = [row if isinstance(row, str) else row[0] for row in references]
    return {
        name: [
            said(*((str(place % 9), " ".join(words)) for place, words in enumerate(threes(text.split()))))
            for text in texts
        ]
        for name, texts in (("predictions", predictions), ("references", firsts))
    }


SESSIONS = {
    "predictions": [
        said(("1", "고양이가 침대에서 잠을 자고"), ("2", "네 그래요"), ("1", "있다")),
        said(("a", "the the the cat, 3.5% up"), ("b", "귀여운 강아지와 고양이가"), ("c", "음 방에서"), ("b", "")),
        [],
        said(("😀", "👩‍👩‍👧 שלום עולם")),
        said(("1", "방에서 잔다."), ("2", "")),
    ],
    "references": [
        said(("민지", "고양이가 방에서 잠을 자고 있다."), ("준호", "네, 그래요?")),
        said(("b", "귀여운 강아지와 귀여운 고양이가"), ("a", "the cat is up 3.5%, 방에서")),
        said(("민지", "아무도 없어요?")),
        said(("א", "👩‍👩‍👧 שלום לכם"), ("ב", "😀")),
        said(("민지", "방에서"), ("준호", "잔다.")),
    ],
}
MEETING_OPTIONS = [
    {},
    {"lowercase": True, "normalization": "NFKC", "confidence": 0.9, "resamples": 50, "seed": 7},
    {"preset": "nlptutti"},
    {"preset": "whisper", "readings": "ko"},
    {"preset": "ksponspeech", "drop_fillers": True, "collar": 1.5},
    {"collar": 0, "normalization": None},
]

# metric -> columns, options that a signature can hold, options that it can only name or that change no score
CASES = {
    "bleu": (TEXTS, BLEU_OPTIONS, []),
    "rouge": (TEXTS, [*ROUGE_OPTIONS, IDF], [{**IDF, "idf": {**FREQUENCIES, " tok:unicode|case:lc|norm:NFC": 9}}]),
    "weighted_bleu": (
        TEXTS,
        [*BLEU_OPTIONS, {"aggregate": "product"}, {"aggregate": "arithmetic"}],
        [
            {"weights": WEIGHTS},
            {"weights": WEIGHTS, "negative": "penalty", "aggregate": "product"},
            {"weights": [WEIGHTS, {}, {}, {"the": -2.0}, {}], "negative": "penalty"},
        ],
    ),
    "ibleu": ({**TEXTS, "sources": SOURCES}, [*BLEU_OPTIONS, {"alpha": 0.75}, {"alpha": 0}], []),
    "delta_bleu": (
        {**TEXTS, "reference_weights": REFERENCE_WEIGHTS},
        [*BLEU_OPTIONS, {"formula": "author"}, {"formula": "author", "tokenizer": "char", "smooth": "exp"}],
        [],
    ),
    "human_correlation": (
        SCORES,
        [*CORRELATION_OPTIONS, {"coefficient": "pairwise_difference"}],
        [{"judge": True, "confidence": 0.9, "resamples": 20}],
    ),
    "cer": (
        TEXTS,
        CER_OPTIONS,
        [
            {"readings": ["ko", READINGS]},
            {"readings": READINGS},
            {"weights": KEYWORDS},
            {"weights": KEYWORDS, "preset": "nlptutti", "aggregate": "mean", "detailed": True},
            {"weights": KEYWORDS, "unit": "jamo", "spaces": "keep", "lowercase": True},
            {"weights": SPOKEN_KEYWORDS, "readings": "ko", "detailed": True, "aggregate": "mean", "bounded": True},
        ],
    ),  # fmt: skip
    "wer": (
        TEXTS,
        WER_OPTIONS,
        [
            {"readings": ["ko", READINGS]},
            {"weights": KEYWORDS},
            {"weights": KEYWORDS, "compounds": "merge", "aggregate": "mean", "detailed": True},
            {"weights": {("고양이", "야옹이"): 5}, "readings": "ko", "detailed": True},
            {"weights": KEYWORDS, "preset": "nlptutti", "detailed": True, "tokenizer": "13a", "compounds": "merge"},
        ],
    ),  # fmt: skip
    "cpcer": (
        SESSIONS,
        [*MEETING_OPTIONS, {"unit": "mixed", "collar": 0.5}, {"unit": "jamo"}],
        [{"weights": KEYWORDS}, {"weights": SPOKEN_KEYWORDS, "readings": ["ko", READINGS], "bounded": True}],
    ),  # fmt: skip
    "cpwer": (
        SESSIONS,
        [*MEETING_OPTIONS, {"tokenizer": "13a"}, {"compounds": "merge", "space_normalized": True}],
        [{"weights": KEYWORDS}, {"weights": {("고양이", "야옹이"): 5}, "readings": "ko"}],
    ),  # fmt: skip
    "nist": (TEXTS, NIST_OPTIONS, [{"information": COUNTS_OF_WORDS}]),
    "hyter": (TEXTS, HYTER_OPTIONS, []),
    "cider": (TEXTS, CIDER_OPTIONS, [{"document_frequencies": COUNTS_OF_WORDS, "variant": "cider"}]),
    "perplexity": (LOG_PROBABILITIES, [{}, {"base": 2}, {"base": 10, "confidence": 0.9, "resamples": 50}], []),
    "meteor": (TEXTS, METEOR_OPTIONS, METEOR_TABLES),
    "chrf": (TEXTS, CHRF_OPTIONS, []),
    "ter": (TEXTS, TER_OPTIONS, []),
}

# metrics with several headline scores, whose segments and intervals carry a prefix
HEADLINES = {"rouge": ["rouge1", "rouge2", "rougeL", "rougeLsum"]}

# what metrics learn from a corpus, for the option that `corpus_option` names: a row then depends on its segment alone
CORPUS_COUNTS = {"nist": COUNTS, "cider": COUNTS, "rouge": FREQUENCIES}

# metrics that score texts against texts, and further columns of theirs for any texts: (predictions, references) -> dict
TEXT_METRICS = [name for name, (columns, *_) in CASES.items() if columns["predictions"] is TEXTS["predictions"]]
FURTHER_COLUMNS = {
    "delta_bleu": lambda predictions, references: {
        "reference_weights": [[0.5] * (1 if isinstance(row, str) else len(row)) for row in references]
    },
    "ibleu": lambda predictions, references: {"sources": [text.upper() for text in predictions]},
    **dict.fromkeys(("cpcer", "cpwer"), lambda predictions, references: as_sessions(predictions, references)),
}

# what makes a prediction worse: of texts `worse_text`, of another kind what stands here
WORSE = {
    "perplexity": lambda log_probabilities: [value - 1 for value in log_probabilities],
    "human_correlation": lambda score: -score,
    **dict.fromkeys(
        ("cpcer", "cpwer"), lambda session: [{**utterance, "text": "ㅋ"} for utterance in session] or said(("1", "ㅋ"))
    ),
}


def worse_text(text):
    """Returns a text that has nothing of any other."""
    return "ㅋ"


# metrics whose rows add up; what is not among them holds no sums
ADDITIVE = [name for name in CASES if name != "human_correlation"]


def worked_examples(name):
    """Returns the worked examples of a metric that are in a file."""
    path = Path(__file__).parent / "data" / f"{name}_cases.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


def with_further_columns(name, predictions, references):
    """Returns the columns of a metric that scores texts, for these texts."""
    columns = {"predictions": predictions, "references": references}
    return {**columns, **FURTHER_COLUMNS[name](predictions, references)} if name in FURTHER_COLUMNS else columns


def headlines(name, options=None):
    """Returns the headline scores of a metric, and the prefix of their further keys."""
    if name not in HEADLINES:
        return {name: ""}
    wanted = (options or {}).get("rouge_types", HEADLINES[name])
    return {key: f"{key}_" for key in HEADLINES[name] if key in wanted}
