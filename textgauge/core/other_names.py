"""Names under which people look for a metric that has another name here, or that is elsewhere."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# what others call it -> the metric, and the options with which it is that
_HERE: dict[str, tuple[str, dict[str, Any]]] = {
    "chrf++": ("chrf", {"word_order": 2}),
    "chrfpp": ("chrf", {"word_order": 2}),
    "sacrebleu": ("bleu", {}),
    "ppl": ("perplexity", {}),
    **dict.fromkeys(("mer", "wil", "wip"), ("wer", {"detailed": True})),
    **{name: ("human_correlation", {"coefficient": name}) for name in ("pearson", "spearman", "kendall")},
}
_NEURAL = "it runs a neural model, and is in the package"
_ELSEWHERE = {
    **dict.fromkeys(("google_bleu", "gleu"), "it is not here, and bleu is the nearest"),
    **dict.fromkeys(("comet", "xcomet", "cometkiwi"), f"{_NEURAL} unbabel-comet"),
    **dict.fromkeys(("bertscore", "bert_score"), f"{_NEURAL} bert-score"),
    "spice": "it is not here, but in the package pycocoevalcap",
    "ribes": "it is not here, but in the package nltk",
    **dict.fromkeys(("f1", "squad"), "it is not here, and rouge1 of rouge is the nearest: the F-score of words"),
    **dict.fromkeys(("exact_match", "accuracy", "em"), "it is not here: count the predictions that equal a reference"),
    "bleurt": f"{_NEURAL} bleurt",
}
_CLOSE = 0.7  # by difflib, whose 0.6 takes spice for cpcer, and ribes for ibleu
_TYPE_OF_ROUGE = re.compile(r"rouge[-_]?(\d+|l|lsum|w)", re.IGNORECASE)


def other_name(name: str, known: Iterable[str], written: Callable[[str, Mapping[str, Any]], str]) -> str:
    """Returns a hint for a name that no metric has, such as " (did you mean bleu?)"; nothing where none is close.

    >>> other_name("rogue", ["bleu", "rouge"], lambda metric, options: metric)
    ' (did you mean rouge?)'

    Args:
        name: that was given.
        known: names of the metrics.
        written: (metric, options) -> how a call names them.
    """
    key = name.lower()
    if key in _ELSEWHERE:
        return f" ({_ELSEWHERE[key]})"
    if match := _TYPE_OF_ROUGE.fullmatch(name):
        kind = match[1].capitalize()
        return f" (did you mean {written('rouge', {'rouge_types': [f'rouge{kind}']})}?)"
    if key in _HERE:
        return f" (did you mean {written(*_HERE[key])}?)"
    return close_text(key, known)


def close_text(word: str, known: Iterable[str]) -> str:
    """Writes which known word is meant, such as " (did you mean bleu?)"; nothing where none is close.

    >>> close_text("beu", ["bleu", "cer"]), close_text("xyz", ["bleu"])
    (' (did you mean bleu?)', '')
    """
    import difflib  # only here, as it takes long

    close = difflib.get_close_matches(word, list(known), 1, _CLOSE)
    return f" (did you mean {close[0]}?)" if close else ""
