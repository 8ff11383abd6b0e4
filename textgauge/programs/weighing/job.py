"""What suggest_weights.py does, for the options that it was given.

`source` is where texts come from: a file, a table, its split, and its column, None for what was not passed. `splitting`
is how texts become tokens: the tokenizer, and whether in lower case.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import typer

from textgauge.tokens.tokenizers import check_tokenizer

from ..scoring.outputs import STDOUT, check_targets, write_files
from ..scoring.specs import load_metric
from .inputs import documents_of, texts_of
from .phrases import phrase_texts, tokenized
from .review import print_idf, print_persona, weights_text
from .suggestions import strongest, suggest_idf, suggest_persona

Source = tuple[str | None, str | None, str | None, str | None]
Splitting = tuple[str, bool]


class PersonaLimits(NamedTuple):
    """Which phrases of a persona get a weight; the options of the command say what each of them means."""

    max_tokens: int
    min_count: int
    min_z: float
    prior: float
    top: int


def write_persona(
    output: Path,
    sides: Sequence[tuple[str, str | None, str | None]],
    table: tuple[str | None, str | None],
    splitting: Splitting,
    limits: PersonaLimits,
    show: int,
) -> None:
    """Writes weights of phrases that mark a persona, or break it, and prints them for review.

    Args:
        output: the file.
        sides: of the persona's texts and of plain ones: the option, the file, and the column.
        table: that has both, and its split.
        splitting: see above.
        limits: on the phrases.
        show: how many phrases of each kind to print.
    """
    check_targets([output])
    check_tokenizer(splitting[0])
    of_persona, of_plain = (tokenized(texts, *splitting) for texts in texts_of(sides, *table))
    suggestions = suggest_persona(
        of_persona,
        of_plain,
        max_tokens=limits.max_tokens,
        min_count=limits.min_count,
        min_z=limits.min_z,
        prior=limits.prior,
    )
    texts = phrase_texts([suggestion.phrase for suggestion in suggestions], *splitting)
    suggestions, texts = strongest(suggestions, texts, limits.top)
    _write(output, weights_text(suggestions, texts))
    if output != STDOUT:
        print_persona(suggestions, texts, show, output)


def write_idf(
    output: Path, source: Source, splitting: Splitting, limits: tuple[int, int, int | None], show: int
) -> None:
    """Writes weights of phrases by how few texts have them, and prints them for review.

    Args:
        output: the file.
        source: see above.
        splitting: see above.
        limits: the most tokens of a phrase, the fewest texts that have it, and the most phrases.
        show: how many phrases to print.
    """
    check_targets([output])
    check_tokenizer(splitting[0])
    documents = documents_of(*source)
    flat = iter(tokenized([text for document in documents for text in document], *splitting))
    lists = [[next(flat) for _ in document] for document in documents]
    max_tokens, min_count, top = limits
    suggestions = suggest_idf(lists, max_tokens=max_tokens, min_count=min_count, top=top)
    phrases = phrase_texts([suggestion.phrase for suggestion in suggestions], *splitting)
    _write(output, weights_text(suggestions, phrases))
    if output != STDOUT:
        print_idf(suggestions, phrases, show, output, len(documents))


def write_frequencies(output: Path, source: Source, splitting: Splitting, max_tokens: int) -> None:
    """Writes the document frequencies of n-grams of up to `max_tokens` tokens, for the option idf of `rouge`."""
    check_targets([output])
    tokenizer, lowercase = splitting
    types = [f"rouge{order}" for order in range(1, max_tokens + 1)]
    table = load_metric("rouge").corpus_counts(
        references=documents_of(*source),
        rouge_types=types,
        idf="references",
        tokenizer=tokenizer,
        lowercase=lowercase,
    )
    _write(output, json.dumps(table, ensure_ascii=False, indent=0, sort_keys=True) + "\n")
    if output != STDOUT:
        n_ngrams = sum(not key.startswith(" ") for key in table) - 1  # "" counts the texts
        typer.echo(f"{output}: {n_ngrams} n-grams of {table['']} texts")


def _write(output: Path, text: str) -> None:
    """Writes the file, or prints it."""
    write_files({output: text})
    if output == STDOUT:
        typer.echo(text, nl=False)
