"""Log-probabilities of the tokens of texts under a language model, with or without a context.

torch is optional, and imported by the functions that use it.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from textgauge.core.errors import InputError
from textgauge.core.progress import tqdm

from .language_models import LanguageModel, evaluating, logits_of, padded
from .token_sequences import TokenSequence, token_sequences


def log_probabilities(language_model: LanguageModel, texts: Sequence[str], contexts: Sequence[str]) -> list[np.ndarray]:
    """Returns the natural log-probabilities of the tokens of each text, (n_tokens,), given its context; of that not.

    Without a start token and a context the first token has none. A text longer than the window is read in windows that
    overlap. Each token is scored once, in the first window that contains it. The results do not depend on the size of
    batches, nor on how the tokenizer would pad.

    Raises:
        InputError: the model does not know a token, or it returns a probability that is not a number.
    """
    import torch

    sequences = token_sequences(language_model, texts, contexts)
    by_sequence = [np.zeros(len(sequence.tokens) - sequence.first) for sequence in sequences]
    windows = [(row, *window) for row, sequence in enumerate(sequences) for window in sequence.windows]

    def size(window: tuple[int, int, int, int]) -> int:
        row, start, end, _ = window
        return end - start + len(sequences[row].encoder)

    # the longest first: batches need little padding, and if one is too large for the memory, it is the first one
    windows.sort(key=size, reverse=True)
    starts = range(0, len(windows), language_model.batch_size)
    with evaluating(language_model.model), torch.no_grad():
        for index in tqdm(starts, desc="language model", unit="batch", delay=2, leave=False):
            batch = windows[index : index + language_model.batch_size]
            scores = _score(language_model, sequences, batch)
            for (row, _, end, first), values in zip(batch, scores, strict=True):
                before = sequences[row].first
                by_sequence[row][first - before : end - before] = values
    for row, values in enumerate(by_sequence):
        if np.isnan(values).any():
            raise InputError(f"the model returns nan for {texts[row]!r:.40}; try dtype='float32'")
    return by_sequence


def _score(
    language_model: LanguageModel, sequences: Sequence[TokenSequence], windows: Sequence[tuple[int, int, int, int]]
) -> Iterator[np.ndarray]:
    """Yields for each window (row, start, end, first) the log-probabilities of its tokens from `first` on."""
    import torch

    # the last token is predicted, and not read
    read = [sequences[row].tokens[begin : end - 1] for row, begin, end, _ in windows]
    encoders = [sequences[row].encoder for row, *_ in windows] if language_model.has_encoder else None
    logits = logits_of(language_model.model, *padded(read), *(padded(encoders) if encoders else ()))
    for row, (index, begin, end, first) in enumerate(windows):
        # one row at a time, so that half precision is not converted for the whole batch at once
        values = logits[row, first - 1 - begin : end - 1 - begin]
        values = values.to(torch.promote_types(values.dtype, torch.float32))
        targets = torch.tensor(sequences[index].tokens[first:end], device=values.device)[:, None]
        scored = values.gather(-1, targets)[:, 0] - values.logsumexp(-1)
        yield scored.double().cpu().numpy()
