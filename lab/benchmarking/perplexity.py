"""Perplexity of log-probabilities, and of texts under a small model."""

import functools
import math
from typing import Any

from lab.peers.peer import Columns, Unavailable

from .corpus import Corpus
from .session import Report, Setting, compare, with_peers
from .sides import Side, metric_of

_FEW = 200  # texts that a model reads


def log_probabilities(report: Report, setting: Setting, language: str) -> None:
    """Times log-probabilities, one per word, beside a loop over them."""
    corpus = setting.corpus(language, setting.segments, 1)
    rows = []
    for text in corpus.predictions:
        rows.append([-0.25 * len(word) for word in text.split()])
    metric = metric_of("perplexity")

    def loop() -> float:
        total = math.fsum(map(math.fsum, rows))
        return math.exp(-total / sum(map(len, rows)))

    sides = {
        "ours": Side(lambda _: lambda: metric.compute(predictions=rows)["perplexity"]),
        "sum in Python": Side(lambda _: loop),
    }
    compare(report, setting, "perplexity, log-probabilities", language, corpus, sides)


def texts(report: Report, setting: Setting, language: str) -> None:
    """Compares the mean perplexity of texts under the same model."""
    corpus = setting.corpus(language, min(_FEW, setting.segments), 1)
    try:
        model, tokenizer = _small_model()
    except ImportError as error:
        raise Unavailable(f"HF perplexity, and ours of a small model: pip install {error.name}") from None
    options = {"model": model, "model_tokenizer": tokenizer}
    sides = with_peers(report, "perplexity", "perplexity", ["mean_perplexity"], _predictions, **options)
    compare(report, setting, "perplexity, small model", language, corpus, sides)


def _predictions(corpus: Corpus) -> Columns:
    return {"predictions": corpus.predictions}


@functools.cache
def _small_model() -> tuple[Any, Any]:
    """Returns a GPT-2 with random weights, and a tokenizer whose tokens are bytes."""
    import tokenizers
    import torch
    import transformers

    letters = ["<s>", *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())]
    vocabulary = {letter: index for index, letter in enumerate(letters)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    torch.set_num_threads(1)  # as the other metrics have
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(letters), n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", pad_token="<s>")
    return model, fast


COMPARISONS = {"perplexity-log-probabilities": log_probabilities, "perplexity-model": texts}
