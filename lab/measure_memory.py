"""Measures the memory that an evaluation of Seq2SeqTrainer needs per segment: rows of each batch, or all at the end.

python -m lab.measure_memory [SEGMENTS], on Linux; the model writes random tokens. Each run has a process of its own.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TOKENS, BATCH, VOCABULARY = 128, 50, 320
COUNTS = 600, 6_000


def evaluate(segments: int, in_batches: bool) -> int:
    """Evaluates so many segments, and returns the most memory that this process has had, in KiB."""
    import tokenizers
    import torch
    import transformers

    from examples.trainer_metrics import text_scores
    from examples.trainers import translation_trainer

    words = {"<pad>": 0, **{f"낱말{index}": index for index in range(1, VOCABULARY)}}
    model_of_words = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<pad>"))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=model_of_words, pad_token="<pad>")
    sizes = {"d_model": 8, "d_kv": 8, "d_ff": 8, "num_layers": 1, "num_heads": 1, "decoder_start_token_id": 0}
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(vocab_size=VOCABULARY, **sizes))
    model.generate = lambda input_ids, **_: torch.randint(1, VOCABULARY, (len(input_ids), TOKENS))

    class NumberedTexts(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return segments

        def __getitem__(self, row: int) -> dict[str, list[int]]:
            return {"input_ids": [1], "labels": [1 + (row + index) % (VOCABULARY - 1) for index in range(TOKENS)]}

    with tempfile.TemporaryDirectory() as folder:
        trainer = translation_trainer(
            model, tokenizer, None, NumberedTexts(), output_dir=folder, batch_eval_metrics=in_batches, report_to=[],
            per_device_eval_batch_size=BATCH, generation_max_length=TOKENS, disable_tqdm=True, use_cpu=True,
        )  # fmt: skip
        trainer.compute_metrics = text_scores(["bleu", "rouge"], tokenizer)  # METEOR takes long
        trainer.evaluate()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measured(in_batches: bool, counts: tuple[int, int]) -> float:
    """Returns the KiB per segment by which the larger evaluation needs more memory than the smaller one."""
    peaks = []
    for count in counts:
        command = [sys.executable, "-W", "ignore", __file__, str(count), str(int(in_batches))]
        paths = {"PYTHONPATH": str(Path(__file__).parents[1] / "scripts")}
        run = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **paths})
        peaks.append(int(run.stdout.split()[-1]))
    return (peaks[1] - peaks[0]) / (counts[1] - counts[0])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(evaluate(int(sys.argv[1]), sys.argv[2] == "1"))
    else:
        counts = (int(sys.argv[1]) // 10, int(sys.argv[1])) if sys.argv[1:] else COUNTS
        for name, in_batches in {"rows of each batch": True, "all at the end": False}.items():
            print(f"{name}: {measured(in_batches, counts):.2f} KiB per segment")
