"""Options as people enter them, as text; the metric's table says what each one takes."""

from typing import Any

_WORDS = {"true": True, "false": False, "none": None}
_QUOTES = "'\""


def per_segment(metric: Any) -> dict[str, bool]:
    """Returns the option that asks for the scores of the segments, where a metric has them."""
    return {"per_segment": True} if "per_segment" in metric.OPTIONS else {}


def read_option(option: Any, text: str) -> Any:
    """Returns the value that a text means for an option of a metric; None is an option that it has not."""
    if option is not None:
        for choice in option.choices:
            if option_text(choice) == text.lower():
                return choice
    value = plain_value(text)
    if option is not None and option.kind == "choice" and value is None:
        return text  # a name such as sacreBLEU's tokenizer none; where None may be passed, it is among the choices
    return [value] if option is not None and option.kind == "list" and isinstance(value, str) else value


def without_quotes(text: str) -> str:
    """Returns a value without the brackets and quotes that Python and JSON write.

    >>> without_quotes("['rouge1', 'rouge2']"), without_quotes("[rouge1]"), without_quotes('"char"')
    ('rouge1,rouge2', 'rouge1,', 'char')
    """
    text = text.strip()
    is_list = text.startswith("[") and text.endswith("]")
    is_quoted = len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]
    if not (is_list or is_quoted):
        return text
    inside = text[1:-1]
    words = [word.strip(f" {_QUOTES}") for word in inside.removesuffix(",").split(",")]
    return ",".join(words) + ("," if is_list and len(words) == 1 else "")


def plain_value(text: str) -> Any:
    """Returns a number, True, False, None, the text itself, or with a comma in it a list of these."""
    words = [_word(word) for word in text.removesuffix(",").split(",")]
    return words if "," in text else words[0]


def option_text(value: Any) -> str:
    """Writes the value of an option as `read_option` reads it."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(option_text, value)) + ("," if len(value) == 1 else "")
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _word(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
