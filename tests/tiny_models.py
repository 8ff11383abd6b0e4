"""Language models with random weights and a tokenizer trained on the spot: nothing is downloaded.

Imported by tests only where torch and transformers are there.
"""

import json

import tokenizers
import torch
import transformers

torch.set_num_threads(1)  # models this small only lose by more
TEXTS = ["고양이가 침대에서 잠을 자고 있다.", "the cat sat on the mat.", "개가 짖는다", "a", "나는 학교에 간다. 너는?"]


def make_tokenizer(padding_side="right", adds_start=False, adds_end=False, **special):
    """Returns a byte-level tokenizer that knows every text, with the special tokens asked for and no others."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=list(special.values()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    if adds_start or adds_end:  # as Llama's does, or T5's
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single=f"{'<s> ' * adds_start}$A{' </s>' * adds_end}",
            special_tokens=[(token, tokenizer.token_to_id(token)) for token in special.values()],
        )
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, padding_side=padding_side, **special)


def translation_rows(tokenizer, model):
    """Returns rows for a Trainer: the texts, and as labels the beginning of what the model makes of each."""
    ids = [tokenizer(text)["input_ids"] for text in TEXTS]
    made = [model.generate(torch.tensor([row]), max_length=15)[0, 1:].tolist() for row in ids]
    return [
        {"input_ids": row, "labels": labels[: 3 * i + 1]} for i, (row, labels) in enumerate(zip(ids, made, strict=True))
    ]


def make_gpt2(context=32, seed=0, dropout=0.1):
    """Returns a GPT-2 that is far from uniform."""
    sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": context}
    rates = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), dropout)
    return _make(transformers.GPT2LMHeadModel, transformers.GPT2Config(vocab_size=320, **sizes, **rates), seed)


def make_llama(context=32, seed=0):
    """Returns a Llama that is far from uniform."""
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.LlamaConfig(vocab_size=320, max_position_embeddings=context, **sizes)
    return _make(transformers.LlamaForCausalLM, config, seed)


def make_ctc(folder):
    """Returns a Wav2Vec2 that hears the letters of a few syllables, and its tokenizer; the folder keeps its letters."""
    letters = ["<pad>", "|", "<unk>", *sorted(set("가나다라마바사아"))]
    (folder / "vocab.json").write_text(json.dumps({letter: index for index, letter in enumerate(letters)}))
    tokenizer = transformers.Wav2Vec2CTCTokenizer(
        str(folder / "vocab.json"), pad_token="<pad>", unk_token="<unk>", word_delimiter_token="|",
        bos_token=None, eos_token=None,
    )  # fmt: skip
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.Wav2Vec2Config(
        vocab_size=len(tokenizer), conv_dim=(8, 8), conv_kernel=(10, 8), conv_stride=(10, 8), pad_token_id=0,
        num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2, mask_time_prob=0.0, ctc_zero_infinity=True, **sizes,
    )  # fmt: skip
    torch.manual_seed(0)
    return transformers.Wav2Vec2ForCTC(config), tokenizer


def make_t5():
    """Returns a T5 that is far from uniform; it has no limit of tokens."""
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 2, "num_heads": 2}
    config = transformers.T5Config(vocab_size=320, decoder_start_token_id=0, **sizes)
    return _make(transformers.T5ForConditionalGeneration, config, seed=0, pad_token_id=0)


def make_bart(context=32):
    """Returns a BART that is far from uniform."""
    layers = {"encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2}
    sizes = {"d_model": 16, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "max_position_embeddings": context}
    config = transformers.BartConfig(vocab_size=320, decoder_start_token_id=2, **layers, **sizes)
    return _make(transformers.BartForConditionalGeneration, config, seed=0, pad_token_id=1)


def make_prophetnet():
    """Returns a ProphetNet that is far from uniform; its decoder sees what is padded behind a text."""
    layers = {f"num_{side}_{what}": 2 for side in ("encoder", "decoder") for what in ("layers", "attention_heads")}
    sizes = {"hidden_size": 16, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "max_position_embeddings": 64}
    config = transformers.ProphetNetConfig(vocab_size=320, decoder_start_token_id=0, **layers, **sizes)
    return _make(transformers.ProphetNetForConditionalGeneration, config, seed=0, pad_token_id=1)


def make_bigbird_pegasus():
    """Returns a BigBirdPegasus that is far from uniform; its encoder attends to blocks from 29 tokens on."""
    layers = {f"{side}_{what}": 2 for side in ("encoder", "decoder") for what in ("layers", "attention_heads")}
    sizes = {"d_model": 16, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "max_position_embeddings": 64}
    blocks = {"block_size": 4, "num_random_blocks": 1}
    config = transformers.BigBirdPegasusConfig(vocab_size=320, decoder_start_token_id=2, **layers, **sizes, **blocks)
    return _make(transformers.BigBirdPegasusForConditionalGeneration, config, seed=0, pad_token_id=1)


def make_bert(kind=transformers.BertLMHeadModel, context=32, **options):
    """Returns a BERT, or one of its like, that is far from uniform: both directions, unless `is_decoder` is set."""
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = kind.config_class(vocab_size=320, max_position_embeddings=context, **sizes, **options)
    return _make(kind, config, seed=0, pad_token_id=config.pad_token_id)


def make_xlnet():
    """Returns an XLNet that is far from uniform."""
    sizes = {"d_model": 16, "d_inner": 32, "n_layer": 2, "n_head": 2}
    return _make(transformers.XLNetLMHeadModel, transformers.XLNetConfig(vocab_size=320, **sizes), seed=0)


def make_xlm(**options):
    """Returns an XLM that is far from uniform: both directions, unless `causal` is set."""
    sizes = {"emb_dim": 16, "n_layers": 2, "n_heads": 2, "max_position_embeddings": 32}
    return _make(transformers.XLMWithLMHeadModel, transformers.XLMConfig(vocab_size=320, **sizes, **options), 0, 2)


def _make(kind, config, seed, pad_token_id=None):
    config.bos_token_id, config.eos_token_id, config.pad_token_id = None, None, pad_token_id
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = kind(config)
        for parameter in model.parameters():
            # the usual small weights give nearly the same probability to every token
            parameter.data += 0.3 * torch.randn_like(parameter)
    return model.eval()
