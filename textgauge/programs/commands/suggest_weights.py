"""Suggests weights for `weighted_bleu` and counts document frequencies for `rouge`; `--help` says how.

Slow imports are in the commands that need them, because `--help` does without.
"""

import itertools
import json
from pathlib import Path
from typing import Annotated

import typer

from textgauge.core import progress

from ..scoring.console import messages
from .unknown_options import Command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

Data = Annotated[
    str | None,
    typer.Option("-d", "--data", metavar="FILE", help="A table (.jsonl, .csv, .tsv, .parquet) or a dataset."),
]
Split = Annotated[str | None, typer.Option("--split", metavar="NAME", help="The split of the dataset to read.")]
Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="OUTPUT_FILE", help="File to write; - prints it alone.")
]
Tokenizer = Annotated[
    str, typer.Option("-t", "--tokenizer", metavar="NAME", help="Tokenizer of the metric: 13a, char ...")
]
Lowercase = Annotated[bool, typer.Option("--lowercase", help="Count in lower case, for a metric with lowercase=true.")]
MaxTokens = Annotated[int, typer.Option("--max-tokens", min=1, max=9, help="Longest phrase, in tokens.")]
Shown = Annotated[int, typer.Option("--show", min=0, help="How many phrases of each kind the table shows.")]


@app.callback()
def prepare() -> None:
    """Suggest weights for weighted_bleu, or count document frequencies for rouge."""
    progress.hide_off_terminals()


@app.command("persona", cls=Command)
def suggest_persona_weights(
    output: Output,
    plain: Annotated[str | None, typer.Option(metavar="FILE", help="Plain sentences, one per line.")] = None,
    persona: Annotated[str | None, typer.Option(metavar="FILE", help="The same sentences with the persona.")] = None,
    data: Data = None,
    split: Split = None,
    plain_column: Annotated[str | None, typer.Option(metavar="NAME", help="Column with plain sentences.")] = None,
    persona_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column with the persona's sentences.")
    ] = None,
    tokenizer: Tokenizer = "13a",
    lowercase: Lowercase = False,
    max_tokens: MaxTokens = 3,
    min_count: Annotated[int, typer.Option(min=1, help="Fewest occurrences of a phrase in all texts.")] = 5,
    min_z: Annotated[float, typer.Option(min=0, help="Smallest absolute z score.")] = 1.96,
    top: Annotated[int, typer.Option(min=1, help="Maximum number of phrases of each kind.")] = 200,
    prior: Annotated[
        float, typer.Option(min=0.01, help="Strength of the prior; a larger one trusts rare phrases less.")
    ] = 100.0,
    show: Shown = 20,
) -> None:
    """Weights from pairs: phrases that mark a persona get more than 1, phrases that break it less.

    A plain sentence and its version with the persona are on the same line of two files, or in one row of a table.
    Log-odds ratios with an informative prior (Monroe, Colaresi and Quinn 2008) become weights. Let p be the share of
    the persona in the uses of a phrase: the weight is 2p if p is at least a half, else 6p - 2. All other phrases weigh
    1. A weight of 0 means that plain text uses the phrase twice as often; phrases of plain text alone get almost -2.

    \b
    textgauge suggest-weights persona --plain plain.txt --persona king.txt --tokenizer char --max-tokens 1 -o king.tsv
    textgauge score -p system.txt -r king.txt -m weighted_bleu:tokenizer=char,max_order=1,weights=king.tsv
    """
    from textgauge.tokens.tokenizers import check_tokenizer

    from ..scoring.outputs import STDOUT
    from ..weighing.inputs import texts_of
    from ..weighing.phrases import phrase_texts, tokenized
    from ..weighing.review import print_persona, weights_text
    from ..weighing.suggestions import strongest, suggest_persona

    with messages():
        check_tokenizer(tokenizer)
        sides = texts_of([("--persona", persona, persona_column), ("--plain", plain, plain_column)], data, split)
        suggestions = suggest_persona(
            *(tokenized(texts, tokenizer, lowercase) for texts in sides),
            max_tokens=max_tokens,
            min_count=min_count,
            min_z=min_z,
            prior=prior,
        )
        texts = phrase_texts([suggestion.phrase for suggestion in suggestions], tokenizer, lowercase)
        suggestions, texts = strongest(suggestions, texts, top)
        write(output, weights_text(suggestions, texts))
    if output != STDOUT:
        print_persona(suggestions, texts, show, output)


@app.command("idf", cls=Command)
def suggest_idf_weights(
    output: Output,
    texts: Annotated[
        str | None, typer.Option(metavar="FILE", help="Texts, one per line, a table or a transcript.")
    ] = None,
    data: Data = None,
    split: Split = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column with a text or a list of texts.")] = None,
    tokenizer: Tokenizer = "13a",
    lowercase: Lowercase = False,
    max_tokens: MaxTokens = 1,
    min_count: Annotated[int, typer.Option(min=1, help="Fewest texts that have a phrase.")] = 1,
    top: Annotated[int | None, typer.Option(min=1, help="Maximum number of phrases, the most frequent first.")] = None,
    show: Shown = 20,
) -> None:
    """Weights from a corpus: rare phrases count more, log(texts / texts that have the phrase) / log(texts).

    A phrase in every text weighs 0, and a phrase in one text 1, like all phrases without a weight. Set --max-tokens to
    the max_order of the metric.

    \b
    textgauge suggest-weights idf --texts references.txt --tokenizer char --max-tokens 2 -o idf.tsv
    textgauge score -p system.txt -r references.txt -m weighted_bleu:tokenizer=char,max_order=2,weights=idf.tsv
    """
    from textgauge.tokens.tokenizers import check_tokenizer

    from ..scoring.outputs import STDOUT
    from ..weighing.inputs import documents_of
    from ..weighing.phrases import phrase_texts, tokenized
    from ..weighing.review import print_idf, weights_text
    from ..weighing.suggestions import suggest_idf

    with messages():
        check_tokenizer(tokenizer)
        documents = documents_of(texts, data, split, column)
        flat_texts = list(itertools.chain(*documents))
        flat_tokens = iter(tokenized(flat_texts, tokenizer, lowercase))
        token_lists = [list(itertools.islice(flat_tokens, len(document))) for document in documents]
        suggestions = suggest_idf(token_lists, max_tokens=max_tokens, min_count=min_count, top=top)
        phrases = phrase_texts([suggestion.phrase for suggestion in suggestions], tokenizer, lowercase)
        write(output, weights_text(suggestions, phrases))
    if output != STDOUT:
        print_idf(suggestions, phrases, show, output, len(documents))


@app.command("frequencies", cls=Command)
def count_frequencies(
    output: Output,
    texts: Annotated[
        str | None, typer.Option(metavar="FILE", help="Texts, one per line, a table or a transcript.")
    ] = None,
    data: Data = None,
    split: Split = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Column with a text or a list of texts.")] = None,
    tokenizer: Annotated[
        str, typer.Option("-t", "--tokenizer", metavar="NAME", help="Tokenizer of `rouge`.")
    ] = "unicode",
    lowercase: Annotated[bool, typer.Option("--lowercase/--no-lowercase", help="Count in lower case.")] = True,
    max_tokens: MaxTokens = 2,
) -> None:
    """Write the document frequencies of a corpus as a JSON file, for the option idf of `rouge`.

    \b
    textgauge suggest-weights frequencies --texts corpus.txt --tokenizer char -o frequencies.json
    textgauge score -p system.txt -r references.txt -m rouge:rouge_types=rouge1,,tokenizer=char,idf=frequencies.json
    """
    from ..scoring.outputs import STDOUT
    from ..scoring.specs import load_metric
    from ..weighing.inputs import documents_of

    with messages():
        rouge = load_metric("rouge")
        types = [f"rouge{order}" for order in range(1, max_tokens + 1)]
        documents = documents_of(texts, data, split, column)
        table = rouge.corpus_counts(
            references=documents, rouge_types=types, idf="references", tokenizer=tokenizer, lowercase=lowercase
        )
        write(output, json.dumps(table, ensure_ascii=False, indent=0, sort_keys=True) + "\n")
    if output != STDOUT:
        n_ngrams = sum(not key.startswith(" ") for key in table) - 1  # "" counts the texts
        typer.echo(f"{output}: {n_ngrams} n-grams of {table['']} texts")


def write(output: Path, text: str) -> None:
    """Writes the file, or prints it."""
    from ..scoring.outputs import STDOUT, write_files

    write_files({output: text})
    if output == STDOUT:
        typer.echo(text, nl=False)
