"""What Hugging Face's metrics take and return, and what that is here: tables for the cards."""

from typing import NamedTuple

from lab.agreeing.tables import code, table

PERCENT = "there 0 to 100, here a fraction; `flat=True` adds `score`"
SAME = "the same"


class Part(NamedTuple):
    """An argument or a key of theirs, and what ours is called; "" where ours has none."""

    kind: str
    theirs: str
    ours: str
    note: str = ""


class Metric(NamedTuple):
    """A metric of theirs."""

    name: str  # on the Hub
    parts: tuple[Part, ...]
    options: dict[str, str] | None  # with which our numbers are its own; None where they are not
    but: str = ""  # a sentence on what differs even so


def _same(kind: str, *names: str) -> tuple[Part, ...]:
    return tuple(Part(kind, name, name) for name in names)


def _rate(name: str, options: dict[str, str]) -> Metric:
    parts = (
        Part("key", "", name, f'its result is a number, ours a dict: `compute(...)["{name}"]`'),
        Part("argument", "concatenate_texts", "", "not needed: with jiwer 4 it gives the same rate"),
    )
    return Metric(
        name, parts, options, "Without any reference text it divides by zero, and ours is `inf`, or 0 without edits."
    )


_BLEU_PARTS = (
    *_same("argument", "tokenizer", "max_order", "smooth"),
    *_same("key", "bleu", "precisions", "brevity_penalty", "length_ratio"),
    *_same("key", "translation_length", "reference_length"),
)
_SACREBLEU_PARTS = (
    Part("argument", "smooth_method", "smooth", "there `exp` by default, here `False`"),
    *_same("argument", "smooth_value", "lowercase"),
    Part(
        "argument",
        "tokenize",
        "tokenizer",
        "`none` is `whitespace`, `ko-mecab` `mecab`; not here: `intl`, `zh`, `ja-mecab` "
        "(nearest: `13a`, `mixed`, `char`)",
    ),
    Part("argument", "use_effective_order", "effective_order"),
    Part("argument", "force", "", "it only silences a warning"),
    Part("key", "score", "bleu", PERCENT),
    Part("key", "precisions", "precisions", "there 0 to 100, here fractions"),
    Part("key", "bp", "brevity_penalty"),
    Part("key", "sys_len", "translation_length"),
    Part("key", "ref_len", "reference_length"),
    Part("key", "counts", "", "`explain` has the matches of a segment"),
    Part("key", "totals", ""),
)
HUGGING_FACE = {
    "bleu": (
        Metric("bleu", _BLEU_PARTS, {"ref_length": "shortest"}),
        Metric("sacrebleu", _SACREBLEU_PARTS, {"smooth": "exp"}),
    ),
    "rouge": (
        Metric(
            "rouge",
            (
                *_same("argument", "rouge_types", "use_stemmer", "use_aggregator", "tokenizer"),
                *_same("key", "rouge1", "rouge2", "rougeL", "rougeLsum"),
            ),
            {"tokenizer": "rouge_score"},
            "Its score is the median of random resamples, ours the mean; with `use_aggregator=False` both are equal.",
        ),
    ),
    "meteor": (
        Metric(
            "meteor",
            (*_same("argument", "alpha", "beta", "gamma"), *_same("key", "meteor")),
            None,
            "Its numbers are others, for it calls nltk: [Parity](#parity) says how they differ.",
        ),
    ),
    "chrf": (
        Metric(
            "chrf",
            (
                *_same("argument", "char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"),
                Part("key", "score", "chrf", PERCENT),
                *(Part("key", name, "", "the signature has it") for name in ("char_order", "word_order", "beta")),
            ),
            {},
        ),
    ),
    "ter": (
        Metric(
            "ter",
            (
                *_same("argument", "normalized", "case_sensitive"),
                Part("argument", "ignore_punct", "no_punct"),
                Part("argument", "support_zh_ja_chars", "asian_support"),
                Part("key", "score", "ter", "there per cent, here a fraction; `flat=True` adds `score`"),
                Part("key", "num_edits", "edits"),
                Part("key", "ref_length", "reference_length"),
            ),
            {},
        ),
    ),
    "nist": (
        Metric(
            "nist_mt",
            (*_same("argument", "n", "lowercase", "western_lang"), Part("key", "nist_mt", "nist", "the same scale")),
            None,
            "Its numbers are others, for it calls nltk: [Parity](#parity) says how they differ.",
        ),
    ),
    "cer": (_rate("cer", {"preset": "jiwer"}),),
    "wer": (_rate("wer", {}),),
    "perplexity": (
        Metric(
            "perplexity",
            (
                *_same("argument", "model_id", "batch_size", "add_start_token", "device", "max_length"),
                *_same("key", "mean_perplexity", "perplexities"),
            ),
            {},
            "[Parity](#parity) says where its script is wrong.",
        ),
    ),
}


def differs(metric: Metric) -> bool:
    """Returns whether ours has other names than one of theirs."""
    return any(part.theirs != part.ours for part in metric.parts)


def coming_from(name: str) -> str:
    """Returns the tables of a card, one for each metric of theirs."""
    return "\n".join(_table(theirs) for theirs in HUGGING_FACE[name])


def _table(theirs: Metric) -> str:
    lines = table((f"`{theirs.name}` there", "here", "note"), _rows(theirs))
    sentences = []
    if theirs.options is not None:
        options = ", ".join(f'`{name}="{value}"`' for name, value in theirs.options.items())
        sentences.append(f"Its numbers come with {options or 'the defaults'}.")
    if theirs.but:
        sentences.append(theirs.but)
    return "\n".join([*lines, "", " ".join(sentences)]) + "\n"


def _rows(theirs: Metric) -> list[tuple[str, str, str]]:
    rows = []
    for kind in dict.fromkeys(part.kind for part in theirs.parts):
        parts = [part for part in theirs.parts if part.kind == kind]
        same = [code(part.theirs) for part in parts if part.theirs == part.ours and not part.note]
        if same:
            rows.append((f"{kind} {', '.join(same)}", SAME, ""))
        for part in parts:
            if part.theirs != part.ours or part.note:
                theirs_text = f"{kind} {code(part.theirs)}" if part.theirs else "none"
                ours_text = code(part.ours) if part.ours else "none"
                rows.append((theirs_text, ours_text, part.note))
    return rows
