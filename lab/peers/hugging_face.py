"""Hugging Face's metrics: their scripts, which are on the Hub and in no package, and two definitions written down anew.

The scripts are taken from the folder that the environment variable HF_METRICS names, or from the cache of `evaluate`.
"""

import math
import os
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from .bleu import reference_without_words
from .peer import Case, Difference, Peer, Unavailable, Values
from .rouge import TYPES


def _load(name: str) -> Any:
    import evaluate

    folder = os.environ.get("HF_METRICS")
    try:
        return evaluate.load(str(Path(folder) / name / f"{name}.py") if folder else name)
    except FileNotFoundError:
        raise Unavailable(
            f'HF {name}: not in the cache; run evaluate.load("{name}") once online, or pass --hf-metrics DIR with '
            f"DIR/{name}/{name}.py"
        ) from None
    except ImportError as error:
        raise Unavailable(f"HF {name}: {error}") from None


def _load_meteor() -> Any:
    metric = _load("meteor")
    try:
        metric.compute(predictions=["a"], references=["a"])
    except LookupError as error:
        raise Unavailable(f"HF meteor: nltk's data are not here: {str(error).split()[1]}") from None
    return metric


def _options(case: Case) -> dict[str, Any]:
    words = {"tokenizer": str.split} if case.options["tokenizer"] == "whitespace" else {}
    return words | ({"use_stemmer": True} if case.options.get("use_stemmer") else {})


def _columns(case: Case) -> dict[str, list[str]]:
    return dict(zip(("references", "predictions"), case.sides(), strict=True))


def _bleu(metric: Any, case: Case) -> Values:
    return {"bleu": metric.compute(**case.columns, **_options(case))["bleu"]}


def _rouge(metric: Any, case: Case) -> Values:
    """Returns all values, for its default is the median of a bootstrap, another number in each call."""
    found = metric.compute(**_columns(case), use_aggregator=False, **_options(case))
    return {f"{name}_segments": found[name] for name in TYPES}


def _rouge_bootstrap(metric: Any, case: Case) -> Values:
    return metric.compute(**_columns(case), **_options(case))


def _rate(metric: Any, case: Case, name: str) -> Values:
    return {name: metric.compute(**_columns(case))}


def _meteor(metric: Any, case: Case) -> Values:
    return metric.compute(**_columns(case))


def _bleu_anew(_: Any, case: Case) -> Values:
    """Takes the shortest reference, and adds one at every order when smoothed."""
    order = case.options["max_order"]
    extra = 1 if case.options["smooth"] else 0
    references, predictions = case.words()
    precisions = []
    for n in range(1, order + 1):
        matches = extra
        total = extra
        for prediction, row in zip(predictions, references, strict=True):
            counts = _ngrams(prediction, n)
            most_in_references: Counter = Counter()
            for reference in row:
                most_in_references |= _ngrams(reference, n)
            matches += (counts & most_in_references).total()
            total += counts.total()
        precisions.append(matches / total if total else 0.0)
    length = sum(map(len, predictions))
    reference_length = sum(min(map(len, row)) for row in references)
    if not length or not reference_length or min(precisions) == 0:
        return {"bleu": 0.0}
    penalty = min(1.0, math.exp(1 - reference_length / length))
    mean_log = sum(map(math.log, precisions)) / order
    return {"bleu": penalty * math.exp(mean_log)}


def _ngrams(tokens: list[str], order: int) -> Counter:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def _add_padding(tokenizer: Any) -> None:
    """Has a tokenizer pad with its first special token; ValueError if it has none."""
    specials = list(tokenizer.special_tokens_map.values())
    if not specials:
        raise ValueError("without any special token there is none to pad with")
    tokenizer.add_special_tokens({"pad_token": specials[0]})


def perplexities(
    texts: list[str],
    model: Any,
    tokenizer: Any,
    batch_size: int = 16,
    add_start_token: bool = True,
    max_length: int | None = None,
) -> list[float]:
    """Returns the perplexity of each text as `evaluate`'s own metric does, with its limits.

    Texts are padded as the tokenizer likes it, in the order in which they come, and cut off after `max_length` tokens;
    the start token is put before the padding.
    """
    import torch

    if tokenizer.pad_token is None and batch_size > 1:
        _add_padding(tokenizer)
    room = max_length and max_length - 1 if add_start_token else max_length
    kind = {"padding": True, "truncation": room is not None, "max_length": room, "return_tensors": "pt"}
    encoded = tokenizer(texts, add_special_tokens=False, **kind)
    counts = encoded["attention_mask"].sum(1)
    assert (counts >= (1 if add_start_token else 2)).all() or (not add_start_token and max_length is None)
    values = []
    for begin in range(0, len(texts), batch_size):
        ids = encoded["input_ids"][begin : begin + batch_size]
        mask = encoded["attention_mask"][begin : begin + batch_size]
        if add_start_token and tokenizer.bos_token_id is not None:
            ids = torch.cat([torch.full((len(ids), 1), tokenizer.bos_token_id), ids], 1)
            mask = torch.cat([torch.ones((len(ids), 1), dtype=mask.dtype), mask], 1)
        with torch.no_grad():
            logits = model(ids, attention_mask=mask).logits[:, :-1]
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
        weights = mask[:, 1:]
        values += torch.exp((losses * weights).sum(1) / weights.sum(1)).tolist()
    return values


def _perplexity_anew(_: Any, case: Case) -> Values:
    options = case.options["model"], case.options["model_tokenizer"]
    return {"segments": perplexities(case.columns["predictions"], *options)}


BLEU = Peer(
    "bleu",
    "HF bleu",
    "evaluate",
    partial(_load, "bleu"),
    _bleu,
    timed=("bleu 13a", "bleu 13a, shortest", "bleu whitespace"),
)
BLEU_ANEW = Peer(
    "bleu",
    "HF bleu, written anew",
    "",
    lambda: None,
    _bleu_anew,
    differences=(Difference("it divides by the length of the references, which is 0", reference_without_words),),
)
ROUGE = Peer(
    "rouge",
    "HF rouge",
    "evaluate",
    partial(_load, "rouge"),
    _rouge,
    timed=("rouge", "rouge whitespace", "rouge stemmer"),
)
ROUGE_BOOTSTRAP = ROUGE._replace(
    name="HF rouge, bootstrap",
    call=_rouge_bootstrap,
    timed=("rouge", "rouge whitespace"),
    differences=(Difference("it is the median of a random bootstrap, not the mean", lambda case: True),),
)
CER = Peer("cer", "HF cer", "evaluate", partial(_load, "cer"), partial(_rate, name="cer"), timed=("cer",))
WER = Peer("wer", "HF wer", "evaluate", partial(_load, "wer"), partial(_rate, name="wer"), timed=("wer",))
METEOR = Peer(
    "meteor",
    "HF meteor",
    "evaluate",
    _load_meteor,
    _meteor,
    timed=("meteor",),
    differences=(Difference("it calls nltk, whose alignment is greedy", lambda case: True),),
)
PERPLEXITY = Peer(
    "perplexity",
    "HF perplexity",
    "",
    lambda: None,
    _perplexity_anew,
    timed=("perplexity",),
    tolerance=1e-4,  # single precision
)
