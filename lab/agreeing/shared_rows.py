"""Rows of the tables of outputs that the cards of several metrics share, each written once."""

from typing import NamedTuple


class Row(NamedTuple):
    """The range of a key, None where each card has its own, and what it means."""

    values: str | None
    meaning: str


_KINDS = ("phrase", "filler", "spacing", "punctuation", "number", "latin", "ending", "one_jamo", "other")
_EDITS = ", ".join(f"`{kind}_edits`" for kind in ("notation", "loop", *_KINDS))
_WITHOUT = ", ".join(f"`{{name}}_without_{kind}`" for kind in ("notation", "loops", *_KINDS))
_NOTATIONS = ("number", "date", "money", "unit", "latin")
_WRITTEN = ", ".join(f"`{kind}_as_signs`, `{kind}_as_words`" for kind in _NOTATIONS)

# by the keys of a row; {name} is the metric's
SHARED_ROWS = {
    "`segments`": Row(None, "with `per_segment`: one value for each row"),
    "`confidence_interval`, `standard_error`, `units`": Row(
        "`[low, high]`; at least 0; at least 1",
        "with `confidence`; `units` is the number of segments, clusters or rows drawn",
    ),
    "`brevity_penalty`": Row("0 to 1", "1 unless the predictions are shorter"),
    "`length_ratio`": Row("0 to ∞", "translation length divided by reference length"),
    "`translation_length`, `reference_length`": Row("counts", "in tokens"),
    "`substitutions`, `deletions`, `insertions`, `hits`": Row("counts", "with `detailed`"),
    "`substitutions`, `deletions`, `insertions`": Row(
        "counts",
        "of an alignment with the fewest edits; their sum is `edits` (with `weights` it is `unweighted_edits` "
        "where both have the same alignment)",
    ),
    "`missed_speakers`, `extra_speakers`": Row(
        "counts",
        "speakers of the reference, and of the prediction, who have nobody on the other side; "
        "their text is in the rate",
    ),
    _EDITS: Row(
        "counts", "with `detailed`: the edits of each kind; their sum is `edits`, and `weights` apply to them too"
    ),
    _WITHOUT: Row(
        "0 to ∞",
        "with `detailed`: the rate without the edits of a kind, divided by the same denominator; never above `{name}`",
    ),
    "`looping_segments`": Row("count", "with `detailed`: predictions that loop"),
    "`inserted_segments`": Row("count", "with `detailed`: segments that are all insertion, as the reference is empty"),
    "`unread_segments`": Row(
        "count",
        "with `detailed`: segments whose notations have too many readings to look for one; "
        "they have no edits of notation",
    ),
    _WRITTEN: Row(
        "counts",
        "with `detailed`: how often the prediction has signs (3%, CT) where the reference has words that are read "
        "alike (삼 퍼센트, 씨티), and the other way round; 3% for 삼 퍼센트 is one of a number and one of a unit, and "
        "a partly wrong notation does not count",
    ),
    "`sign_edits`": Row(
        "count",
        "with `detailed`: edits that only the removal of marks inside numbers hides, such as a decimal point; "
        "not in `edits`",
    ),
    "`unweighted_{name}`, `unweighted_edits`": Row(
        "as `{name}`, `edits`", "with `weights`, with which `edits` and `reference_length` are weighted"
    ),
    "`keyword_recall`, `keyword_precision`": Row(
        "0 to 1, or nan",
        "with `weights`: shares of the phrases in the references, and in the predictions, that both texts have",
    ),
    "`keywords`": Row("count", "with `weights`: phrases in the references"),
    "`missed_keywords`": Row(
        "list",
        "with `weights`: `[phrase, how often it is missed, how often references have it]`, most often missed first",
    ),
    "`unused_count`, `unused_keys`": Row(
        "count, list", "with `weights`: the phrases that no reference has, ten of them at most"
    ),
    "`literal_{name}`, `literal_edits`": Row(
        "as `{name}`, `edits`", "with `readings`: of the texts as they are written, without weights"
    ),
    "`conventions`": Row("list", "with `conventions`"),
    "`alignments`": Row("list", "with `alignments`: one entry per segment"),
    "`summary`": Row("text", 'with `alignments` `"sclite"` and `"kaldi"`: the line of the corpus'),
}
