"""Texts and their contexts as the sequences of tokens that a language model reads."""

import itertools
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from textgauge.core.errors import InputError

from .language_models import LanguageModel, start_token


class TokenSequence(NamedTuple):
    """The tokens that a model, or its decoder, reads for one text."""

    tokens: list[int]  # start token, context, text
    first: int  # the position of the first token that is scored
    windows: list[tuple[int, int, int]]  # of each its start, its end and the first position that it scores
    encoder: list[int]  # what the encoder reads, where there is one


def token_sequences(
    language_model: LanguageModel, texts: Sequence[str], contexts: Sequence[str]
) -> list[TokenSequence]:
    """Returns for each text what the model reads, and warns of contexts whose beginning it does not.

    Without a context and a start token the first token of a text cannot be scored. A text without tokens has an empty
    sequence.

    Raises:
        InputError: the model does not know a token.
    """
    pairs = [_at_the_boundary(language_model, *pair) for pair in zip(contexts, texts, strict=True)]
    tokenized = zip(pairs, _encoder_tokens(language_model, pairs), *_tokens(language_model, pairs), strict=True)
    limit, sequences, cut = _limit(language_model), [], []
    for (context, _), encoder, before, scored in tokenized:
        fitting = _fitting(language_model, before, len(scored))
        if len(fitting) < len(before) or len(encoder) > limit:
            cut.append(context)
        has_context = language_model.has_encoder or bool(context)
        sequences.append(_sequence(language_model, fitting, scored, encoder[-limit:], has_context))
    if cut:
        warnings.warn(
            f"the beginning of {len(cut)} of {len(pairs)} contexts is cut off, such as that of {cut[0]!r:.40}, because "
            f"the model reads {limit} tokens at most",
            stacklevel=2,
        )
    _check_known(language_model, sequences)
    return sequences


def _at_the_boundary(language_model: LanguageModel, context: str, text: str) -> tuple[str, str]:
    """Returns context and text, unless apart with the blanks between them at the text, as lm-eval-harness has it."""
    if language_model.boundary == "apart" or not text:
        return context, text
    stripped = context.rstrip()
    return stripped, context[len(stripped) :] + text


def _tokens(language_model: LanguageModel, pairs: Sequence[tuple[str, str]]) -> tuple[list[list[int]], list[list[int]]]:
    """Returns for each pair what the model, or its decoder, reads before the text, and the tokens of the text.

    Warns of texts whose first token begins in the context.
    """
    start = [] if language_model.start is None else [language_model.start]
    texts = [text for _, text in pairs]
    if language_model.has_encoder:
        # some translate into a language that has a vocabulary of its own
        targets = _ids(language_model.tokenizer, text_target=texts)
        return [start] * len(pairs), [_without_start(ids, language_model.start) for ids in targets]
    contexts = _ids(language_model.tokenizer, [context for context, _ in pairs])
    before = [start + _without_start(context, language_model.start) for context in contexts]
    if language_model.boundary == "apart":
        return before, _first_without_start(_ids(language_model.tokenizer, texts), contexts, language_model.start)
    whole = _ids(language_model.tokenizer, [context + text for context, text in pairs])
    triples = list(zip(texts, contexts, whole, strict=True))
    split = [text for text, context, ids in triples if text and ids[: len(context)] != context]
    if split:
        warnings.warn(
            f"{len(split)} of {len(pairs)} texts, such as {split[0]!r:.40}, share a token with their contexts, so that "
            "the boundary is not between characters; boundary='apart' tokenizes both by themselves",
            stacklevel=3,
        )
    scored = [ids[len(context) :] if text else [] for text, context, ids in triples]
    return before, _first_without_start(scored, contexts, language_model.start)


def _without_start(ids: list[int], start: int | None) -> list[int]:
    """Returns the tokens of the first text that is read, without its own start token, because it gets one."""
    return ids[1:] if start is not None and ids[:1] == [start] else ids


def _first_without_start(scored: list[list[int]], contexts: list[list[int]], start: int | None) -> list[list[int]]:
    """Returns the tokens of texts, those that have no context without a start token of their own."""
    return [ids if context else _without_start(ids, start) for ids, context in zip(scored, contexts, strict=True)]


def _ids(tokenizer: Any, *texts: list[str], add_special_tokens: bool = False, **targets: list[str]) -> list[list[int]]:
    """Returns the tokens of each text, without those that the tokenizer would add."""
    return tokenizer(*texts, **targets, add_special_tokens=add_special_tokens, verbose=False)["input_ids"]


def _encoder_tokens(language_model: LanguageModel, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Returns the encoder's tokens: the context with the tokens that its tokenizer adds, or else a start token."""
    if not language_model.has_encoder:
        return [[]] * len(pairs)
    contexts = _ids(language_model.tokenizer, [context for context, _ in pairs], add_special_tokens=True)
    return [ids or [start_token(language_model.tokenizer)] for ids in contexts]


def _limit(language_model: LanguageModel) -> int:
    """Returns how many tokens the model reads at once."""
    return sys.maxsize if language_model.window is None else language_model.window


def _fitting(language_model: LanguageModel, before: list[int], count: int) -> list[int]:
    """Returns the end of the context of a text with this number of tokens, so that the text fits behind it.

    The last token of a text is not read. A text that is too long by itself is read in windows, the first of which has
    as much context as the others have.
    """
    limit = _limit(language_model)
    size = limit + 1 - count if count <= limit else limit - language_model.stride
    return before[-size:]


def _sequence(
    language_model: LanguageModel, before: list[int], tokens: list[int], encoder: list[int], has_context: bool
) -> TokenSequence:
    """Returns the sequence of one text, and its windows."""
    if not tokens:
        return TokenSequence([], 0, [], encoder)
    first = max(len(before), 1)
    length = len(before) + len(tokens)
    window = language_model.window
    if has_context and length == _limit(language_model) + 1:
        window = length  # the last token is not read
    windows = list(windows_of(length, window, language_model.stride, first))
    return TokenSequence(before + tokens, first, windows, encoder)


def tokens(language_model: LanguageModel, text: str, context: str) -> list[str]:
    """Returns the pieces of the text, and of a context before it, that its tokens cover; the last ones are scored."""
    context, text = _at_the_boundary(language_model, context, text)
    name = "text_target" if language_model.has_encoder else "text"
    tokenizer = language_model.tokenizer
    if language_model.boundary == "together" and not language_model.has_encoder:
        text = context + text
    options = {name: text, "add_special_tokens": False, "verbose": False}
    if not tokenizer.is_fast:
        return tokenizer.convert_ids_to_tokens(tokenizer(**options)["input_ids"])
    spans = tokenizer(**options, return_offsets_mapping=True)["offset_mapping"]
    # where several tokens share a character, the first one has it and the others have ""
    ends = itertools.accumulate((end for _, end in spans), max, initial=0)
    return [text[max(begin, before) : end] for (begin, end), before in zip(spans, ends, strict=False)]


def _check_known(language_model: LanguageModel, sequences: Sequence[TokenSequence]) -> None:
    """Raises InputError for a token that the model does not know."""
    known = language_model.model.get_input_embeddings().num_embeddings
    largest = max((max(ids) for sequence in sequences for ids in (sequence.tokens, sequence.encoder) if ids), default=0)
    if largest >= known:
        raise InputError(
            f"the tokenizer gives a token {largest}, but the model has {known}: they do not fit each other"
        )


def windows_of(length: int, window: int | None, stride: int | None, first: int = 1) -> Iterator[tuple[int, int, int]]:
    """Yields start and end of each window, and the first position that it scores; those before `first` are not."""
    end = min(length, window or length)
    if length > first:
        yield 0, end, first
    while end < length:
        first, end = end, min(end + stride, length)
        yield end - window, end, first
