"""Rows of the tables of outputs that the cards of several metrics share, each written once."""

from typing import NamedTuple


class Row(NamedTuple):
    """The range of a key, None where each card has its own, and what it means."""

    values: str | None
    meaning: str


_KINDS = ("phrase", "filler", "spacing", "punctuation", "number", "latin", "ending", "one_jamo", "other")
_EDITS = ", ".join(f"`{kind}_edits`" for kind in ("notation", "loop", *_KINDS))
_WITHOUT = "`{name}_without_notation`, `{name}_without_loops`, `{name}_without_phrase`, ..."

# by the keys of a row; {name} is the metric's
SHARED_ROWS = {
    "`segments`": Row(None, "with `per_segment`: one for each row"),
    "`confidence_interval`, `standard_error`, `units`": Row(
        "`[low, high]`; at least 0; at least 1",
        "with `confidence`",
    ),
    "`brevity_penalty`": Row("0 to 1", "1 unless the predictions are shorter"),
    "`length_ratio`": Row("0 to ∞", "`translation_length` divided by `reference_length`"),
    "`translation_length`, `reference_length`": Row("counts", "in tokens"),
    "`substitutions`, `deletions`, `insertions`, `hits`": Row("counts", "with `detailed`"),
    "`substitutions`, `deletions`, `insertions`": Row(
        "counts",
        "of an alignment with the fewest edits; without `weights` they add up to `edits`",
    ),
    "`missed_speakers`, `extra_speakers`": Row(
        "counts",
        "speakers of the reference, and of the prediction, without a counterpart; their text is in the rate",
    ),
    _EDITS: Row("counts", "with `detailed`: the edits of each kind, with their `weights`; they add up to `edits`"),
    _WITHOUT: Row(
        "0 to ∞",
        "with `detailed`: the rate without the edits of each kind above, with the same denominator",
    ),
    "`looping_segments`": Row("count", "with `detailed`: predictions that loop"),
    "`inserted_segments`": Row("count", "with `detailed`: segments with text, but an empty reference"),
    "`unread_segments`": Row(
        "count",
        "with `detailed`: segments with too many readings to find edits of notation",
    ),
    "`sign_edits`": Row(
        "count",
        "with `detailed`: edits hidden by removing marks inside numbers, such as a decimal point; not in `edits`",
    ),
    "`unweighted_{name}`, `unweighted_edits`": Row(
        "as `{name}`, `edits`", "with `weights`: the values without them; `edits` and `reference_length` are weighted"
    ),
    "`keyword_recall`, `keyword_precision`": Row(
        "0 to 1, or nan",
        "with `weights`: the share of the references' phrases that the predictions have, and the reverse",
    ),
    "`keywords`": Row("count", "with `weights`: phrases in the references"),
    "`missed_keywords`": Row(
        "list",
        "with `weights`: `[phrase, times missed, times in the references]`, most often missed first",
    ),
    "`unused_count`, `unused_keys`": Row(
        "count, list", "with `weights`: the phrases that no reference has; at most ten keys"
    ),
    "`literal_{name}`, `literal_edits`": Row(
        "as `{name}`, `edits`", "with `readings`: of the texts as written, as without this option"
    ),
    "`conventions`": Row("list", "with `conventions`"),
    "`alignments`": Row("list", "with `alignments`: one entry per segment"),
    "`summary`": Row("text", 'with `alignments` `"sclite"` and `"kaldi"`: the line of the corpus'),
}
