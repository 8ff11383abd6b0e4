"""Options as controls of gradio; `form.py` says what each one is, and the browser in which language."""

from typing import Any

import gradio as gr

from ..saying.texts import LANGUAGES, TEXTS
from .form import NOT_SET, control_of, is_table
from .help import form_texts

LABEL = gr.I18n()  # marks a text by its key, for the browser to fill in


def labels(metric: str, options: dict[str, Any], cards: dict[str, tuple[dict[str, Any], str]]) -> gr.I18n:
    """Returns all that LABEL may mark, in each language: words of the app, help of the options, and the card."""
    texts_of_language: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        front, card = cards[language]
        marked = {key: texts[language] for key, texts in TEXTS.items() if key.startswith("app_")}
        marked["description"] = front["description"]
        marked["card"] = card
        for name, option in options.items():
            # gradio sets text between two asterisks in italics, and knows no escape; a title knows no marks at all
            help_text = form_texts(metric, name, option)[language].replace("*", "∗")
            marked[f"help_{name}"] = help_text.replace("`", "") if is_table(option) else help_text
        texts_of_language[language] = marked
    return gr.I18n(**texts_of_language)


def control(name: str, option: Any, value: Any) -> Any:
    """Builds the control of one option."""
    described = control_of(name, option)
    common = {"label": name, "info": LABEL(f"help_{name}"), "elem_id": f"option-{name}"}
    if described["kind"] == "checkbox":
        return gr.Checkbox(value=value, **common)
    if described["kind"] == "choice":
        choices = [(_label(text), text) for text in described["choices"]]
        return gr.Dropdown(choices, value=value, **common)
    if described["kind"] == "number":
        return gr.Number(value=value, precision=0 if described["is_integer"] else None, **common)
    if described["kind"] == "table":
        return gr.Dataframe(
            value=value, headers=described["headings"], type="array", interactive=True, wrap=True, buttons=[],
            label=f"{name}: {common['info']}", elem_id=common["elem_id"], column_count=(2, "fixed"),
        )  # fmt: skip
    return gr.Textbox(value=value, placeholder=_label(described["placeholder"]), **common)


def column_label(name: str) -> Any:
    """Returns the shown name of a column, which a user's metric may have named."""
    key = f"app_column_{name}"
    return LABEL(key) if key in TEXTS else name


def _label(text: str) -> Any:
    """Returns the shown name of a value; only the name for no value differs from the value."""
    return LABEL("app_not_set") if text == NOT_SET else text
