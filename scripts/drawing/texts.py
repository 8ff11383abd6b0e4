"""What pages, tables and verdicts say, in one table, so that another language is another column of it.

A text has its values in braces. One that depends on a number `n` has two forms, for one and for more. A Space has a
copy of this module.
"""

from collections.abc import Iterable
from typing import Any

TEXTS: dict[str, str | tuple[str, str]] = {
    # words in a row
    "and": "{first} and {last}",
    "comma": ", ",
    # which end of a score is the good one
    "lower": "↓ lower is better",
    # one segment
    "prediction": "prediction",
    "reference": "reference",
    "other_reference": "other reference",
    "source": "source",
    "copied": "copied",
    "empty": "(empty)",
    "no_highlights": "no highlights: {error}",
    "legend": "Legend",
    "legend_matches": "longest match through a token:",
    "legend_copies": "in common with the source:",
    "legend_tokens_1": "1 token",
    "legend_tokens_4": "4 or more",
    "legend_substitute": "substituted, on both sides",
    "legend_insert": "inserted by the prediction",
    "legend_delete": "deleted from the reference",
    "legend_example_substitute": "other",
    "legend_example_insert": "more",
    "legend_example_delete": "less",
    "legend_shift": "by the metric to where the reference has it",
    "legend_example_shift": "moved",
    "legend_blank": "␣ is a blank",
    "legend_phrase": "phrase",
    "legend_plus": "with a weight",
    "legend_minus": "with a negative weight",
    "legend_missed": "with a weight, in the reference and not in the prediction",
    "legend_surplus": "with a weight, in the prediction and not in the reference",
    "missed": "missed {weight}",
    "surplus": "surplus {weight}",
    "legend_exact": "same word",
    "legend_stem": "same stem",
    "legend_synonym": "synonym",
    "legend_chunk": "a frame with a number: a chunk, words in a row on both sides",
    "legend_heat": "ln p of each token:",
    "legend_likely": "likely",
    "legend_unlikely": "unlikely",
    "legend_references": "References show matched n-grams wherever they occur.",
    "chunks": ("{n} chunk", "{n} chunks"),
    "meteor_values": "precision {precision}, recall {recall}, F mean {fmean}; {chunks}, so that the penalty is "
    "{penalty}; F mean × (1 − penalty) = {score}",
    "zero_nothing": "0: no token matches",
    "zero_short": "0: the prediction has no {orders}",
    "zero_orders": "0: no {orders} matches; {found} do",
    "zero_advice": "smooth=exp would tell them apart",
    "histogram": "Bars: number of segments. Solid line and band: the score of all and its interval. Dotted line: mean "
    "of the segments.",
    "confusions": "Most frequent confusions",
    "confusions_legend": "reference → prediction, and how often; + is inserted, − is deleted",
    # the verdict
    "verdict_pair_sure": "{better} scores better than {worse} by {scores}. That is sure (p {p} after Holm).",
    "verdict_pair_mixed": "{better} scores better than {worse} by {scores}. Sure after Holm: {sure}. Not sure: {open}.",
    "verdict_pair_open": "{better} scores better than {worse} by {scores}, but that is not sure (p {p} after Holm).",
    "verdict_equal": "{one} and {other} have the same scores.",
    "verdict_equal_by": "No difference by {labels}.",
    "verdict_undefined": "The systems cannot be compared: their scores are undefined.",
    "verdict_alone": "One system, {system}: {scores}.",
    "verdict_lower": " (lower is better)",
    "verdict_some": "{some} of {all} scores ({labels})",
    "verdict_both": "both scores",
    "verdict_all": "all {all} scores",
    "verdict_at_most": "at most {p}",
    "verdict_sizes": "By how much, {system} minus {against}: {sizes}.",
    "verdict_segments": "Segment by segment, {system} is better in {wins:,}, worse in {losses:,} and equal in {ties:,} "
    "({label}).",
    "verdict_by": "{system} by {scores}",
    "verdict_above": "Surely better than {baseline}: {systems}.",
    "verdict_below": "Surely worse than {baseline}: {systems}.",
    "verdict_neither": "Neither for sure: {systems}.",
    "verdict_best_sure": "{leader} scores best by {scores}, surely better than each other system (p at most {p} "
    "after Holm).",
    "verdict_best_open": "{leader} scores best by {scores}, but not surely better than {others}.",
    "verdict_open": "Open by {label}: {better} is better than {worse} by {difference} (p {p} after Holm).",
    "verdict_more_open": (
        "{n} more case is open; the tables have it.",
        "{n} more cases are open; the tables have them.",
    ),
    "verdict_needed": "If the difference stays, it takes about {needed} segments to settle it; there are {segments}.",
    "verdict_people_sure": "People agree that {leader} is best (mean {scores}; p at most {p} after Holm).",
    "verdict_people_open": "People see no sure difference (mean {scores}; p {p} after Holm).",
    "verdict_groups": "By {names} ({groups} groups): {other}. {sure} of {cells} differences are sure after Holm over "
    "all {cells}.",
    "verdict_groups_same": "the same system is best in each group",
    "verdict_group_other": "in {group} {leader} is best by {label}",
    # a page
    "title_report": "{title}: scores",
    "title_comparison": "{title}: comparison",
    "in_clusters": "{segments} in {clusters:,} clusters, which are drawn and swapped whole",
    "clusters_alike": "By {label} the segments of one cluster are alike (intraclass correlation {value}): intervals "
    "and tests that take segments one by one would be too sure.",
    "count_segments": ("{n:,} segment", "{n:,} segments"),
    "count_systems": ("{n} system", "{n} systems"),
    "compared_with": "all compared with {baseline}",
    "contents": "On this page",
    "scores": "Scores",
    "system": "system",
    "best": "best",
    "human_note": "human: {note}",
    "human_mean": "mean of the segments",
    "against": "against {against}",
    "minus": "minus {against}",
    "sure": "sure, p {p}",
    "not_sure": "not sure, p {p}",
    "p_value": "p {p}",
    "failed": "Failed",
    "pictures": "Point and line: the difference and its interval. Grey: too small to be detected.",
    "differences": "Differences",
    "difference": "difference",
    "differences_by": "Differences by {label}",
    "groups": "By {names}",
    "groups_title": "{label} by {names}",
    "groups_note": "Below each table the differences of the systems. Blue: the first one is better, red: worse; the "
    "stronger, the larger. Bold with *: sure after Holm over all cells of all groups.",
    "meaning": "What the columns mean",
    "distributions": "Distributions of the segment scores",
    "against_people": "Against the scores by people",
    "mean": "mean {value}",
    "undefined_count": "{n} undefined or infinite",
    "two_systems": "Two systems, segment by segment",
    "two_systems_note": "Each point is a segment by {label}: to the right as {one} scores it, upwards as {other}. It "
    "leads to the texts of the segment.",
    "two_systems_lower": "Lower is better: below the line it is better for {other}.",
    "people_prefer": "people prefer {system}",
    "people_neither": "people prefer neither",
    "agreement": "Where people and {label} both prefer one, they prefer the same in {same} of {all} segments.",
    "zero_most": "{label} is 0 in {zeros} of {all} segments, where an order of n-grams has no match; {advice}.",
    "segment_title": "Segments",
    "segment_name": "Segment {number}",
    "segment_id": "id {id}",
    "by_metric": "by",
    "order": "order",
    "order_differ": "systems differ most",
    "order_disagree": "people disagree most",
    "order_worst": "worst of {system}",
    "order_worst_of_one": "worst first",
    "order_file": "as in the file",
    "reverse": "reversed",
    "search": "search",
    "group": "group",
    "all": "all",
    "shown": "{shown} of {all} segments",
    "more_segments": "More segments",
    "open_page": "Change it and score it again",
    "left_out": (
        "One more segment is not on this page; --segments says how many are.",
        "The {n:,} segments that tell less are not on this page; --segments says how many are.",
    ),
    "made": "How this was made",
    "look_at": "Where to look, by {label}:",
    "lower_labels": "↓ lower is better: {labels}",
    "command": "Command",
    "versions": "Versions",
    "signatures": "Signatures",
    "copy": "Copy",
    "copied_now": "Copied",
    # columns of comparisons, and what they mean
    "column_system": "system",
    "column_against": "against",
    "column_difference": "difference",
    "column_interval": "interval",
    "column_p_ar": "p AR",
    "column_holm": "Holm",
    "column_bh": "BH",
    "column_p_bs": "p BS",
    "column_detectable": "detectable",
    "column_counts": "better/equal/worse",
    "count_pairs": ("{n} pair", "{n} pairs"),
    "trials": "{n:,} trials",
    "trials_all": "all {n:,} ways",
    "legend_segments": "{segments}; seed {seed}; the same draws for all scores",
    "legend_difference": "difference: system minus against, with its {percent} interval (bootstrap, {resamples} "
    "resamples)",
    "legend_randomization": "p AR: approximate randomisation, two-sided, {trials}",
    "legend_adjusted": "Holm, BH: p AR adjusted for {pairs}, by Holm and by Benjamini and Hochberg; *: significant "
    "after Holm, at most {level}",
    "legend_groups": "groups by {names}: there Holm and BH are adjusted for all {cells} cells (groups, pairs and "
    "scores)",
    "legend_bootstrap": "p BS: paired bootstrap test as in sacreBLEU, in effect one-sided: about half of p AR",
    "legend_detectable": "detectable: minimum detectable effect, which a test at {level} finds with probability "
    "{power}",
    "legend_counts": "better/equal/worse: segments where the system is that; + n where a score is undefined",
    # notes below scores, and pictures
    "note_unused": "in no text: {phrases}{more}",
    "note_missed": "missed: {phrases}{more}",
    "note_missed_phrase": "{phrase} ({count} of {total})",
    "note_more": " and {n} more",
    "note_degenerate": "the weights make the precision of order {orders} 0",
    "the_metric": "the metric",
    "the_baseline": "the baseline",
    "people": "people",
    "score_by": "score by {label}",
    "systems": "Systems",
    "mean_of_groups": ", mean of {groups} groups",
    "mean_of_raters": "mean of {raters} raters",
    "mean_of_standardised_raters": "mean of {raters} raters, standardised",
    "ceiling": " (ceiling {value})",
    "sampled_rows": "{shown} of {all} rows, drawn at random",
    "worth_credit": "credit",
    "worth_information": "information in bits",
    "worth_share": "share of the sum",
    "worth_sum": "sum",
    "worth_ngrams": "n-grams, each with its {name}",
}


def say(key: str, **values: Any) -> str:
    """Returns a text of the table with its values.

    >>> say("chunks", n=2)
    '2 chunks'
    """
    found = TEXTS[key]
    if isinstance(found, tuple):
        found = found[values["n"] != 1]
    return found.format(**values)


def joined(names: Iterable[str]) -> str:
    """Returns names in a row: "a", "a and b", "a, b and c"."""
    *others, last = names
    return say("and", first=say("comma").join(others), last=last) if others else last
