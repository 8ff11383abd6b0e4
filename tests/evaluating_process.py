"""One of two processes that evaluate together, as torchrun would start it: evaluating_process.py RANK FOLDER."""

import os
import sys
from pathlib import Path

import numpy as np
from cases import ADDITIVE, CASES, IDF
from conftest import load
from tiny_models import make_t5, make_tokenizer, translation_rows
from transformers import GenerationConfig

from examples.kept_rows import KeptRows
from examples.trainers import translation_trainer

TOKENIZER = make_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>")
ASKED = {"per_segment": True, "confidence": 0.9, "resamples": 20}
# the positions in the batches of each process: uneven, not in order, some twice, and with nothing in one process
SHARES = {
    "uneven": [[[3, 0], [4]], [[1, 2], [0, 3]]],
    "empty": [[[0, 1, 2], [3, 4]], []],
    "void": [[[2, 0, 1, 4, 3]], [[]]],
}


def asked(name):
    """Options of one call."""
    return {**ASKED, **(IDF if name == "rouge" else {})}


def options_of(name):
    """The same with what the metric learns, so that a row depends on its segment alone."""
    metric, options = load(name), asked(name)
    if (option := metric.corpus_option(**options)) is not None:
        options[option] = metric.corpus_counts(references=CASES[name][0]["references"], **options)
    return options


def kept(rank):
    """Returns the results of all metrics, from the batches that this process has."""
    results = {}
    for name in ADDITIVE:
        columns = CASES[name][0]
        for case, shares in SHARES.items():
            rows = KeptRows([name], {name: options_of(name)})
            for batch in shares[rank]:
                rows.add(batch, **{key: [column[row] for row in batch] for key, column in columns.items()})
            results[f"{name} {case}"] = rows.results()[name]
    return results


def trained(folder, rows, **arguments):
    """Returns what a Trainer reports of these rows."""
    given = {"per_device_eval_batch_size": 2, "report_to": [], "disable_tqdm": True, "use_cpu": True}
    trainer = translation_trainer(
        make_t5(), TOKENIZER, rows, rows, output_dir=folder, generation_max_length=12, **given, **arguments
    )
    metrics = trainer.evaluate()
    return {key: value for key, value in metrics.items() if key.startswith(("eval_bleu", "eval_rouge", "eval_meteor"))}


def reported(folder):
    """Returns the reports of Trainers: of a number of rows that two processes do not share evenly, and of one row."""
    rows = translation_rows(TOKENIZER, make_t5())
    beams = GenerationConfig(
        num_beams=3, num_return_sequences=2, max_length=8, decoder_start_token_id=0, pad_token_id=0
    )
    return {
        "uneven": trained(folder, rows),
        "even": trained(folder, rows[:4]),
        "one": trained(folder, rows[4:]),
        "beams": trained(folder, rows, generation_config=beams),
        "at once": trained(folder, rows, batch_eval_metrics=False),
    }


def leaves(value):
    """Yields what is in lists, tuples and dicts, without the names of metrics."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for entry in value:
            yield from leaves(entry)
    else:
        yield value


def main(rank, folder):
    """Evaluates with the other process, and writes the results."""
    os.environ.update(RANK=rank, LOCAL_RANK=rank, WORLD_SIZE="2", LOCAL_WORLD_SIZE="2")
    import torch.distributed

    torch.distributed.init_process_group("gloo", f"file://{folder}/store", rank=int(rank), world_size=2)
    sent, gather = [], torch.distributed.all_gather_object

    def noting(shares, batches):
        sent.extend(leaves(batches))
        gather(shares, batches)

    torch.distributed.all_gather_object = noting
    results = repr([kept(int(rank)), reported(folder)])
    kinds = {value.dtype.name if isinstance(value, np.ndarray) else type(value).__name__ for value in sent}
    Path(folder, f"{rank}.txt").write_text(f"{sorted(kinds)}\n{results}", encoding="utf-8")
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
