"""What the metrics for Trainers say of outputs that are no token ids; needs no torch."""

from types import SimpleNamespace

import numpy as np
import pytest

from examples.trainer_metrics import text_scores


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_logits_are_no_texts(dtype):
    """As a Seq2SeqTrainer hands them over without predict_with_generate."""
    outputs = SimpleNamespace(predictions=np.zeros((2, 3, 7), dtype), label_ids=np.zeros((2, 3), int))
    message = (
        rf"predictions are {np.dtype(dtype)} of shape \(2, 3, 7\), and no token ids: pass predict_with_generate=True"
    )
    with pytest.raises(ValueError, match=message):
        text_scores(["bleu"], SimpleNamespace(batch_decode=lambda rows, **given: ["a"] * len(rows)))(outputs)
