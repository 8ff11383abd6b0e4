"""Choice accuracy: how often a language model finds the right one of several continuations the likeliest."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .kept_rows import load_metric


def choice_accuracy(
    contexts: Sequence[str], choices: Sequence[Sequence[str]], answers: Sequence[int], **options: Any
) -> dict[str, float]:
    """Returns how often the answer has the highest log P(choice | context), in [0, 1], and how often per unit.

    `accuracy` is `acc` of lm-eval-harness, and `accuracy_per_character` its `acc_norm` where the blank between context
    and choice ends the context. The first of equally likely choices counts; a choice without a token never does.

    Args:
        contexts: one question each.
        choices: for each question the continuations, each with the blank that it begins with, or after a context that
            ends with one.
        answers: for each question the index of the right one.
        **options: of the metric `perplexity`: the model, and how it reads.

    Raises:
        ValueError: a question without choices or whose choices have no token, or an answer not among them.
    """
    _check_questions(contexts, choices, answers)
    all_choices = []
    context_of_choice = []
    for context, of_question in zip(contexts, choices, strict=True):
        all_choices += of_question
        context_of_choice += [context] * len(of_question)
    metric = load_metric("perplexity")
    rows = metric.statistics(predictions=all_choices, contexts=context_of_choice, **options)
    values = metric.score(rows)
    bounds = np.cumsum([len(of_question) for of_question in choices])[:-1]
    for row, tokens in enumerate(np.split(values["tokens"], bounds)):
        if not tokens.any():
            raise ValueError(f"choices[{row}] is {choices[row]!r:.40}; no token of these has a probability")
    accuracies = {}
    for unit in ("", "_per_token", "_per_character", "_per_byte"):
        likelihoods = np.where(values["tokens"] > 0, values[f"log_likelihood{unit}"], -np.inf)
        likeliest = [np.argmax(part) for part in np.split(likelihoods, bounds)]
        accuracies[f"accuracy{unit}"] = float(np.mean(np.equal(likeliest, answers)))
    return accuracies


def _check_questions(contexts: Sequence[str], choices: Sequence[Sequence[str]], answers: Sequence[int]) -> None:
    if not len(contexts) == len(choices) == len(answers):
        raise ValueError(f"there are {len(contexts)} contexts, {len(choices)} choices and {len(answers)} answers")
    for row, (of_row, answer) in enumerate(zip(choices, answers, strict=True)):
        if isinstance(of_row, str):
            raise ValueError(f"choices[{row}] is {of_row!r:.40}; pass a list of strings")
        if not len(of_row):
            raise ValueError(f"choices[{row}] is empty; leave out questions without a choice")
        if not 0 <= answer < len(of_row):
            raise ValueError(f"answers[{row}] is {answer}; pass the index of a choice, from 0 to {len(of_row) - 1}")
