"""Three Trainers that report our metrics while a model learns: translation or summaries, a language model, speech."""

from typing import Any

from transformers import (
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    Trainer,
    TrainingArguments,
)

from .trainer_metrics import most_likely_tokens, perplexity_scores, text_scores, token_log_probabilities

BATCHES = {"batch_eval_metrics": True}  # rows are kept of each batch, and not its tokens until the end
TEXT_METRICS = ["bleu", "rouge", "meteor"]
# CTC's blank is a special token, without which repeated letters would merge; those of a reference never do
CTC_PREDICTION = {"skip_special_tokens": False}
CTC_REFERENCE = {"skip_special_tokens": False, "group_tokens": False}


def translation_trainer(model: Any, tokenizer: Any, training: Any, evaluation: Any, **arguments: Any) -> Seq2SeqTrainer:
    """Returns a Trainer that scores what the model generates; the best model is that with the best BLEU.

    Args:
        model: of sequences to sequences.
        tokenizer: of the model.
        training: rows with input_ids, attention_mask and labels.
        evaluation: the same.
        **arguments: of Seq2SeqTrainingArguments, `output_dir` at least.
    """
    defaults = {"predict_with_generate": True, "metric_for_best_model": "bleu", "greater_is_better": True, **BATCHES}
    return Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(**{**defaults, **arguments}),
        train_dataset=training,
        eval_dataset=evaluation,
        processing_class=tokenizer,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        compute_metrics=text_scores(TEXT_METRICS, tokenizer, {"bleu": {"tokenizer": "char"}}),
    )


def language_model_trainer(model: Any, tokenizer: Any, training: Any, evaluation: Any, **arguments: Any) -> Trainer:
    """Returns a Trainer that reports the perplexity of the evaluation texts; the exp of its loss may be another number.

    Args:
        model: a causal language model.
        tokenizer: of the model, with a token for padding.
        training: rows with input_ids.
        evaluation: the same.
        **arguments: of TrainingArguments, `output_dir` at least.
    """
    defaults = {"metric_for_best_model": "perplexity", "greater_is_better": False, **BATCHES}
    return Trainer(
        model=model,
        args=TrainingArguments(**{**defaults, **arguments}),
        train_dataset=training,
        eval_dataset=evaluation,
        processing_class=tokenizer,
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
        preprocess_logits_for_metrics=token_log_probabilities,
        compute_metrics=perplexity_scores(),
    )


def speech_trainer(
    model: Any, processor: Any, training: Any, evaluation: Any, collate: Any, **arguments: Any
) -> Trainer:
    """Returns a Trainer that reports CER and WER of a model trained with CTC.

    Args:
        model: such as Wav2Vec2ForCTC.
        processor: its tokenizer, or processor with one.
        training: rows with input_values and labels.
        evaluation: the same.
        collate: makes a batch of rows, with -100 behind the shorter labels.
        **arguments: of TrainingArguments, `output_dir` at least.
    """
    defaults = {"metric_for_best_model": "cer", "greater_is_better": False, **BATCHES}
    return Trainer(
        model=model,
        args=TrainingArguments(**{**defaults, **arguments}),
        train_dataset=training,
        eval_dataset=evaluation,
        data_collator=collate,
        preprocess_logits_for_metrics=most_likely_tokens,
        compute_metrics=text_scores(["cer", "wer"], processor, None, CTC_PREDICTION, CTC_REFERENCE),
    )
