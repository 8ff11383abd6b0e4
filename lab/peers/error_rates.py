"""CER, WER and HyTER: jiwer, nlptutti, kocer, kaldialign, rapidfuzz, torchmetrics, and four for their speed alone."""

import string
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from .peer import UNICODE_FORMS, Case, Difference, Peer, Values, module

# what kocer removes as we do: everywhere, and where no digit is near
_REMOVED_BY_KOCER = "?!~…·'\"‘’“”()[]{}<>;/\\_—–、。「」『』【】"
_REMOVED_WITHOUT_DIGITS = ".,:-"
_EDITS = ("substitutions", "deletions", "insertions")


def _jiwer(jiwer: Any, case: Case, process: str, rates: tuple[str, ...], joint: str) -> Values:
    """Returns rates and counts of characters or words, and the alignments where they are asked for."""
    found = getattr(jiwer, process)(*case.sides())
    values = {name: getattr(found, name) for name in (*rates, *_EDITS, "hits")}
    if case.options["alignments"]:
        values["alignments"] = _pieces(found, joint)
    return values


def _pieces(found: Any, joint: str) -> list[list[list[str]]]:
    """Returns jiwer's alignments as ours are written."""
    alignments = []
    for runs, reference, prediction in zip(found.alignments, found.references, found.hypotheses, strict=True):
        pieces = []
        for run in runs:
            reference_piece = joint.join(reference[run.ref_start_idx : run.ref_end_idx])
            prediction_piece = joint.join(prediction[run.hyp_start_idx : run.hyp_end_idx])
            pieces.append([run.type, reference_piece, prediction_piece])
        alignments.append(pieces)
    return alignments


def _jiwer_hyter(jiwer: Any, case: Case) -> Values:
    """Returns the word error rate, which HyTER is where a network is one sentence and words keep their order."""
    return {"hyter": jiwer.wer(*case.sides())}


def _nlptutti(nlptutti: Any, case: Case, name: str) -> Values:
    """Returns the rate of a corpus; it computes both rates, so that its time is not that of one."""
    by_default = case.options.get("preset") == "nlptutti"
    options = {} if by_default else {"rm_punctuation": False, "rate_mode": "standard"}
    return {name: nlptutti.evaluate_corpus(*case.sides(), **options)[name]["micro"]}


def _get_cer(nlptutti: Any, case: Case) -> Values:
    return {"segments": [nlptutti.get_cer(*pair)["cer"] for pair in zip(*case.sides(), strict=True)]}


def _get_wer(nlptutti: Any, case: Case) -> Values:
    """Returns the edits of all pairs by the words of all references."""
    references, predictions = case.sides()
    pairs = zip(references, predictions, strict=True)
    results = [nlptutti.get_wer(*pair, rm_punctuation=False) for pair in pairs]
    edits = sum(result[name] for result in results for name in _EDITS)
    n_words = sum(len(text.split()) for text in references)
    return {"wer": edits / n_words}


def _kocer(kocer: Any, case: Case) -> Values:
    off = {} if case.options.get("readings") else {"numbers": False, "letters": False, "dual": False}
    return {"cer": kocer.cer(*case.sides(), **off)}


def _kaldialign(kaldialign: Any, case: Case, name: str, units: Callable[[str], list[str]]) -> Values:
    """Returns the number of edits, of whose kinds it chooses by its own ties."""
    options = {"merge_compounds": True} if case.options.get("compounds") == "merge" else {}
    references, predictions = case.sides()
    found = kaldialign.batch_error_rate(list(map(units, references)), list(map(units, predictions)), **options)
    return {name: found["err_rate"], "edits": found["total"], "reference_length": found["ref_len"]}


def _rapidfuzz(distance: Any, case: Case, name: str, units: Callable[[str], list[str]]) -> Values:
    """Returns distances; ours of characters come from it too."""
    references, predictions = (list(map(units, side)) for side in case.sides())
    edits = sum(map(distance.Levenshtein.distance, references, predictions))
    length = sum(map(len, references))
    return {name: edits / length, "edits": edits, "reference_length": length}


def _of_predictions_first(tool: Any, case: Case, name: str, function: str) -> Values:
    references, predictions = case.sides()
    return {name: float(getattr(tool, function)(predictions, references))}


def _lev_rs(lev: Any, case: Case) -> Values:
    """Returns the distances of all pairs by the characters of all references; it has distances only."""
    references, predictions = case.sides()
    edits = sum(map(lev.distance, references, predictions))
    length = sum(map(len, references))
    return {"cer": edits / length}


def _fastwer(fastwer: Any, case: Case, name: str) -> Values:
    references, predictions = case.sides()
    return {name: fastwer.score(predictions, references, name == "cer") / 100}


def _werpy(werpy: Any, case: Case) -> Values:
    return {"wer": float(werpy.wer(*case.sides()))}


def _characters(text: str) -> list[str]:
    return list(text.strip())


def _has_no_reference(case: Case) -> bool:
    return not any(text.strip() for text in case.sides()[0])


def _has_other_blanks(case: Case) -> bool:
    for text in case.texts():
        between_blanks = list(filter(None, text.split(" ")))
        if text.split() != between_blanks:
            return True
    return False


def _is_not_stripped(case: Case) -> bool:
    return any(text != text.strip() for text in case.texts())


def _has_rare_blanks(case: Case) -> bool:
    known = set(f"{string.whitespace}\u3000")
    blanks = set(filter(str.isspace, "".join(case.texts())))
    return bool(blanks - known)


def _has_marks(case: Case) -> bool:
    """A symbol that kocer keeps, or a mark that it keeps between digits; NFKC may make either."""
    characters = set("".join([unicodedata.normalize("NFKC", text) for text in case.texts()]))
    has_digits = any(map(str.isdigit, characters))
    for character in characters:
        if character.isspace() or unicodedata.category(character)[0] in "LMNZ":
            continue
        is_removed_between_words = character in _REMOVED_WITHOUT_DIGITS and not has_digits
        if character not in _REMOVED_BY_KOCER and not is_removed_between_words:
            return True
    return False


def _has_notations(case: Case) -> bool:
    """A digit or a letter of Latin, which both read by tables of their own."""
    characters = set("".join([unicodedata.normalize("NFKC", text) for text in case.texts()]))
    is_latin = any(character.isascii() and character.isalpha() for character in characters)
    return is_latin or any(map(str.isnumeric, characters))


def _counts_insertions(case: Case) -> bool:
    return case.options.get("preset") != "nlptutti" and _has_no_reference(case)


def _reads_notations(case: Case) -> bool:
    return bool(case.options.get("readings")) and _has_notations(case)


_INSERTIONS = Difference(
    "without any reference text its rate is the number of insertions; ours is inf", _has_no_reference
)
_DIVIDES = Difference("without any reference it divides by zero; ours is inf, or 0 without edits", _has_no_reference)
_ONLY_BLANKS = Difference("only blanks separate its words; any whitespace of Unicode separates ours", _has_other_blanks)
_KEEPS_BLANKS = Difference("it counts whitespace at both ends of a text; jiwer and ours do not", _is_not_stripped)

JIWER_CER = Peer(
    "cer",
    "jiwer",
    "jiwer",
    module("jiwer"),
    partial(_jiwer, process="process_characters", rates=("cer",), joint=""),
    timed=("cer",),
    differences=(UNICODE_FORMS, _INSERTIONS),
    one_reference=True,
)
JIWER_WER = JIWER_CER._replace(
    metric="wer",
    call=partial(_jiwer, process="process_words", rates=("wer", "mer", "wil", "wip"), joint=" "),
    timed=("wer",),
    differences=(UNICODE_FORMS, _INSERTIONS, _ONLY_BLANKS),
)
JIWER_HYTER = JIWER_WER._replace(metric="hyter", call=_jiwer_hyter, timed=())
NLPTUTTI_CER = Peer(
    "cer",
    "nlptutti",
    "nlptutti",
    module("nlptutti"),
    partial(_nlptutti, name="cer"),
    differences=(UNICODE_FORMS, Difference("it removes only ASCII's whitespace and U+3000", _has_rare_blanks)),
    one_reference=True,
)
NLPTUTTI_WER = NLPTUTTI_CER._replace(
    metric="wer",
    call=partial(_nlptutti, name="wer"),
    differences=(UNICODE_FORMS, _INSERTIONS._replace(holds=_counts_insertions)),
)
GET_CER = NLPTUTTI_CER._replace(call=_get_cer, timed=("cer, nlptutti's",))
GET_WER = NLPTUTTI_WER._replace(call=_get_wer, timed=("wer",))
GET_CER_OF_NOTATIONS = GET_CER._replace(
    name="nlptutti get_cer", timed=("readings",), differences=(Difference("it has no readings", lambda case: True),)
)
KOCER = Peer(
    "cer",
    "kocer",
    "kocer",
    module("kocer"),
    _kocer,
    timed=("readings",),
    differences=(
        Difference("it keeps symbols, and marks between digits; ours removes them", _has_marks),
        Difference("an empty reference counts as one character; ours is inf, or 0 without edits", _has_no_reference),
        Difference(
            "each reads numbers, units and Latin letters by tables of its own",
            _reads_notations,
        ),
    ),
    one_reference=True,
)
KALDIALIGN_CER = Peer(
    "cer",
    "kaldialign",
    "kaldialign",
    module("kaldialign"),
    partial(_kaldialign, name="cer", units=_characters),
    differences=(UNICODE_FORMS, _INSERTIONS),
    one_reference=True,
)
KALDIALIGN_WER = KALDIALIGN_CER._replace(metric="wer", call=partial(_kaldialign, name="wer", units=str.split))
RAPIDFUZZ_CER = Peer(
    "cer",
    "rapidfuzz",
    "rapidfuzz",
    module("rapidfuzz.distance"),
    partial(_rapidfuzz, name="cer", units=_characters),
    differences=(UNICODE_FORMS, _DIVIDES),
    one_reference=True,
)
RAPIDFUZZ_WER = RAPIDFUZZ_CER._replace(metric="wer", call=partial(_rapidfuzz, name="wer", units=str.split))
TORCHMETRICS_CER = Peer(
    "cer",
    "torchmetrics",
    "torchmetrics",
    module("torchmetrics.functional.text"),
    partial(_of_predictions_first, name="cer", function="char_error_rate"),
    timed=("cer, few segments",),
    differences=(UNICODE_FORMS, _INSERTIONS, _KEEPS_BLANKS),
    tolerance=1e-6,  # it computes in float32
    one_reference=True,
)
TORCHMETRICS_WER = TORCHMETRICS_CER._replace(
    metric="wer",
    call=partial(_of_predictions_first, name="wer", function="word_error_rate"),
    timed=("wer",),
    differences=(UNICODE_FORMS, _INSERTIONS),
)
LEV_RS = Peer("cer", "lev-rs", "lev-rs", module("lev"), _lev_rs, timed=("cer",))
UNIVERSAL_CER = Peer(
    "cer",
    "universal-edit-distance",
    "universal-edit-distance",
    module("universal_edit_distance"),
    partial(_of_predictions_first, name="cer", function="character_error_rate"),
    timed=("cer",),
)
UNIVERSAL_WER = UNIVERSAL_CER._replace(
    metric="wer", call=partial(_of_predictions_first, name="wer", function="word_error_rate"), timed=("wer",)
)
FASTWER_CER = Peer(
    "cer",
    "fastwer",
    "fastwer",
    module("fastwer"),
    partial(_fastwer, name="cer"),
    timed=("cer",),
    tolerance=1e-4,  # it rounds a percentage
)
FASTWER_WER = FASTWER_CER._replace(metric="wer", call=partial(_fastwer, name="wer"), timed=("wer",))
WERPY = Peer("wer", "werpy", "werpy", module("werpy"), _werpy, timed=("wer",))
