"""CER, WER, HyTER, cpWER and cpCER: jiwer, nlptutti, kocer, kaldialign, rapidfuzz, torchmetrics, meeteval."""

import importlib
import logging
import string
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import strategies as st

from .inputs import EITHER_FORM, TIMED_SESSIONS, UNTIMED_SESSIONS, Columns
from .peer import UNICODE_FORMS, Case, Difference, Peer, Values, any_text, module

# what kocer removes as we do: everywhere, and where no digit is near
_REMOVED_BY_KOCER = "?!~…·'\"‘’“”()[]{}<>;/\\_—–、。「」『』【】"
_REMOVED_WITHOUT_DIGITS = ".,:-"
_EDITS = ("substitutions", "deletions", "insertions")
Units = Callable[[str], list[str]]


def _with_form(**options: Any) -> st.SearchStrategy:
    """Returns these options, with our Unicode form and without."""
    return EITHER_FORM.map(lambda form: {**options, "normalization": form})


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


def _kocer(kocer: Any, case: Case) -> Values:
    off = {} if case.options.get("readings") else {"numbers": False, "letters": False, "dual": False}
    return {"cer": kocer.cer(*case.sides(), **off)}


def _kaldialign(kaldialign: Any, case: Case, name: str, units: Units) -> Values:
    """Returns the number of edits, of whose kinds it chooses by its own ties."""
    options = {"merge_compounds": True} if case.options.get("compounds") == "merge" else {}
    references, predictions = case.sides()
    found = kaldialign.batch_error_rate(list(map(units, references)), list(map(units, predictions)), **options)
    return {name: found["err_rate"], "edits": found["total"], "reference_length": found["ref_len"]}


def _rapidfuzz(distance: Any, case: Case, name: str, units: Units) -> Values:
    """Returns distances; ours of characters come from it too."""
    references, predictions = (list(map(units, side)) for side in case.sides())
    edits = sum(map(distance.Levenshtein.distance, references, predictions))
    length = sum(map(len, references))
    return {name: edits / length, "edits": edits, "reference_length": length}


def of_predictions_first(tool: Any, case: Case, name: str, function: str) -> Values:
    """Returns the rate by a function that takes predictions and references."""
    references, predictions = case.sides()
    return {name: float(getattr(tool, function)(predictions, references))}


def _load_meeteval() -> Any:
    logging.getLogger("preprocess").setLevel(logging.ERROR)  # it says so where times are missing
    importlib.import_module("meeteval.io.seglst")
    return importlib.import_module("meeteval")


def _meeteval(meeteval: Any, case: Case, as_characters: bool) -> Values:
    """Returns the counts of cpWER, with a collar those of tcpWER; it takes words, and characters as words."""

    def segments(session: list[dict[str, Any]]) -> Any:
        return meeteval.io.seglst.SegLST([_segment(utterance, as_characters) for utterance in session])

    collar = case.options.get("collar")
    counts = dict.fromkeys(("edits", "reference_length", "missed_speakers", "extra_speakers"), 0)
    for reference, prediction in zip(case.columns["references"], case.columns["predictions"], strict=True):
        sides = (segments(reference), segments(prediction))
        if collar is None:
            found = meeteval.wer.wer.cp.cp_word_error_rate(*sides)
        else:
            found = meeteval.wer.wer.time_constrained.tcp_word_error_rate(*sides, collar=collar)
        counts["edits"] += found.errors
        counts["reference_length"] += found.length
        counts["missed_speakers"] += found.missed_speaker
        counts["extra_speakers"] += found.falarm_speaker
    return counts


def _segment(utterance: dict[str, Any], as_characters: bool) -> dict[str, Any]:
    """Returns an utterance as meeteval takes it."""
    words = utterance["text"]
    if as_characters:
        words = " ".join(words.replace(" ", ""))
    times = {f"{time}_time": utterance[time] for time in ("start", "end") if time in utterance}
    return {"session_id": "1", "speaker": utterance["speaker"], "words": words, **times}


def _of_sessions(rows: list[tuple[Any, Any]]) -> Columns:
    return {"predictions": [list(row[0]) for row in rows], "references": [list(row[1]) for row in rows]}


def _characters(text: str) -> list[str]:
    return list(text.strip())


def _has_no_reference(case: Case) -> bool:
    return not any(text.strip() for text in case.sides()[0])


def _counts_insertions(case: Case) -> bool:
    return case.options.get("preset") != "nlptutti" and _has_no_reference(case)


def _has_rare_blanks(text: str) -> bool:
    return bool(set(filter(str.isspace, text)) - set(f"{string.whitespace}\u3000"))


def _composed_characters(case: Case) -> set[str]:
    return set("".join([unicodedata.normalize("NFKC", text) for text in case.texts()]))


def _has_marks(case: Case) -> bool:
    """A symbol that kocer keeps, or a mark that it keeps between digits; NFKC may make either."""
    characters = _composed_characters(case)
    removed = _REMOVED_BY_KOCER if any(map(str.isdigit, characters)) else _REMOVED_BY_KOCER + _REMOVED_WITHOUT_DIGITS
    for character in characters.difference(removed):
        if not character.isspace() and unicodedata.category(character)[0] not in "LMNZ":
            return True
    return False


def _reads_notations(case: Case) -> bool:
    """A digit or a letter of Latin, which both read by tables of their own."""
    characters = _composed_characters(case)
    is_latin = any(character.isascii() and character.isalpha() for character in characters)
    return bool(case.options.get("readings")) and (is_latin or any(map(str.isnumeric, characters)))


_INSERTIONS = Difference(
    "without any reference text its rate is the number of insertions; ours is inf", _has_no_reference
)
_DIVIDES = Difference("without any reference it divides by zero; ours is inf, or 0 without edits", _has_no_reference)
_ONLY_BLANKS = Difference(
    "only blanks separate its words; any whitespace of Unicode separates ours",
    any_text(lambda text: text.split() != list(filter(None, text.split(" ")))),
)
_KEEPS_BLANKS = Difference(
    "it counts whitespace at both ends of a text; jiwer and ours do not", any_text(lambda text: text != text.strip())
)
_RARE_BLANKS = Difference("it removes only ASCII's whitespace and U+3000", any_text(_has_rare_blanks))
_KEEPS_SYMBOLS = Difference("it keeps symbols, and marks between digits; ours removes them", _has_marks)
_COUNTS_ONE = Difference(
    "an empty reference counts as one character; ours is inf, or 0 without edits", _has_no_reference
)
_OWN_READINGS = Difference("each reads numbers, units and Latin letters by tables of its own", _reads_notations)
_AS_JIWER = _with_form(preset="jiwer")
_RATE = "rate, number of edits and length"
_OF_CER = {"metric": "cer", "one_reference": True}
_OF_WER = {"metric": "wer", "one_reference": True}
_JIWER = {"package": "jiwer", "load": module("jiwer"), "one_reference": True}
_NLPTUTTI = {"package": "nlptutti", "load": module("nlptutti")}
_NLPTUTTI_WER = {
    **_OF_WER, **_NLPTUTTI, "call": partial(_nlptutti, name="wer"),
    "differences": (UNICODE_FORMS, _INSERTIONS._replace(holds=_counts_insertions)),
}  # fmt: skip
_KOCER = {
    **_OF_CER, "package": "kocer", "load": module("kocer"), "call": _kocer,
    "differences": (_KEEPS_SYMBOLS, _COUNTS_ONE, _OWN_READINGS),
}  # fmt: skip
_KALDIALIGN = {"package": "kaldialign", "load": module("kaldialign"), "differences": (UNICODE_FORMS, _INSERTIONS)}
_KALDIALIGN_WER = {**_OF_WER, **_KALDIALIGN, "call": partial(_kaldialign, name="wer", units=str.split)}
_RAPIDFUZZ = {
    "name": "rapidfuzz", "package": "rapidfuzz", "load": module("rapidfuzz.distance"),
    "differences": (UNICODE_FORMS, _DIVIDES),
}  # fmt: skip
_TORCHMETRICS = {
    "name": "torchmetrics", "package": "torchmetrics", "load": module("torchmetrics.functional.text"),
    "tolerance": 1e-6,  # it computes in float32
}  # fmt: skip
_MEETEVAL = {"package": "meeteval", "load": _load_meeteval, "columns": _of_sessions}
_BY_WORDS = {**_MEETEVAL, "metric": "cpwer", "call": partial(_meeteval, as_characters=False)}
_BY_CHARACTERS = {**_MEETEVAL, "metric": "cpcer", "call": partial(_meeteval, as_characters=True)}
_COLLAR = st.sampled_from((0, 0.5, 2, 5)).map(lambda collar: {"collar": collar})
_KEPT = {"special": "keep"}  # meeteval removes nothing
_COUNTS = "edits and length, speakers who are missed or too many"
_AS_WORDS = "characters as words"
ERROR_RATES = [
    Peer("cer", "jiwer", settings='`preset="jiwer"`: rate, kinds of edits, alignments',
         call=partial(_jiwer, process="process_characters", rates=("cer",), joint=""),
         options=_with_form(preset="jiwer", detailed=True, alignments="pieces"),
         differences=(UNICODE_FORMS, _INSERTIONS), **_JIWER),
    Peer(name="nlptutti", settings='`preset="nlptutti"`', call=partial(_nlptutti, name="cer"),
         options=_with_form(preset="nlptutti"), differences=(UNICODE_FORMS, _RARE_BLANKS), **_OF_CER, **_NLPTUTTI),
    Peer(name="kaldialign", settings=f'`preset="jiwer"`: {_RATE}', options=_AS_JIWER,
         call=partial(_kaldialign, name="cer", units=_characters), **_OF_CER, **_KALDIALIGN),
    Peer(settings=f'`preset="jiwer"`: {_RATE}', options=_AS_JIWER,
         call=partial(_rapidfuzz, name="cer", units=_characters), **_OF_CER, **_RAPIDFUZZ),
    Peer(settings='`char_error_rate`, `preset="jiwer"`', options=_AS_JIWER,
         call=partial(of_predictions_first, name="cer", function="char_error_rate"),
         differences=(UNICODE_FORMS, _INSERTIONS, _KEEPS_BLANKS), **_OF_CER, **_TORCHMETRICS),
    Peer("wer", "jiwer", settings="WER, MER, WIL, WIP; kinds of edits, alignments",
         call=partial(_jiwer, process="process_words", rates=("wer", "mer", "wil", "wip"), joint=" "),
         options=_with_form(detailed=True, alignments="pieces"),
         differences=(UNICODE_FORMS, _INSERTIONS, _ONLY_BLANKS), **_JIWER),
    Peer(name="nlptutti", settings='`rm_punctuation=False`, `rate_mode="standard"`: rate',
         options=_with_form(detailed=True), **_NLPTUTTI_WER),
    Peer(name="kaldialign", settings=_RATE, options=_with_form(), **_KALDIALIGN_WER),
    Peer(name="nlptutti, punctuation", settings='`preset="nlptutti"`: rate', options=_with_form(preset="nlptutti"),
         **_NLPTUTTI_WER),
    Peer(name="kaldialign, compounds", settings=f'`compounds="merge"`: {_RATE}', options=_with_form(compounds="merge"),
         **_KALDIALIGN_WER),
    Peer(settings=_RATE, options=_with_form(), call=partial(_rapidfuzz, name="wer", units=str.split), **_OF_WER,
         **_RAPIDFUZZ),
    Peer(settings="`word_error_rate`", options=_with_form(),
         call=partial(of_predictions_first, name="wer", function="word_error_rate"),
         differences=(UNICODE_FORMS, _INSERTIONS), **_OF_WER, **_TORCHMETRICS),
    Peer("hyter", "jiwer", settings="plain sentences, `window=1`: the word error rate", call=_jiwer_hyter,
         options=_with_form(), differences=(UNICODE_FORMS, _INSERTIONS, _ONLY_BLANKS), **_JIWER),
    Peer(name="kocer", settings='`normalization="NFKC"`; its readings of numbers and letters off',
         options=st.just({"normalization": "NFKC"}), **_KOCER),
    Peer(name="kocer, readings", settings='`readings="ko"`, `normalization="NFKC"`; its readings on',
         options=st.just({"readings": "ko", "normalization": "NFKC"}), **_KOCER),
]  # fmt: skip
MEETINGS = [
    Peer(name="meeteval, cpWER", settings=_COUNTS, inputs=UNTIMED_SESSIONS, **_BY_WORDS),
    Peer(name="meeteval, tcpWER", settings=f"`collar`: {_COUNTS}", options=_COLLAR, inputs=TIMED_SESSIONS, **_BY_WORDS),
    Peer(name="meeteval, cpWER", settings=f'`special="keep"`, {_AS_WORDS}: {_COUNTS}', options=st.just(_KEPT),
         inputs=UNTIMED_SESSIONS, **_BY_CHARACTERS),
    Peer(name="meeteval, tcpWER", settings=f'`special="keep"`, `collar`, {_AS_WORDS}: {_COUNTS}',
         options=_COLLAR.map(lambda drawn: {**_KEPT, **drawn}), inputs=TIMED_SESSIONS, **_BY_CHARACTERS),
]  # fmt: skip
PEERS = [*ERROR_RATES, *MEETINGS]
