"""Options as controls of gradio; `form.py` says what each one is, and the browser in which language."""

from typing import Any

import gradio as gr

from ..saying.texts import LANGUAGES, TEXTS
from .form import NOT_SET, control_of, is_table
from .help import form_texts

LABEL = gr.I18n()  # marks a text by its key, for the browser to fill in


def labels(metric: str, options: dict[str, Any], cards: dict[str, tuple[dict[str, Any], str]]) -> gr.I18n:
    """Returns all that LABEL may mark, in each language: words of the app, help of the options, and the card."""
    said: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for language in LANGUAGES:
        said[language].update({key: texts[language] for key, texts in TEXTS.items() if key.startswith("app_")})
        front, card = cards[language]
        said[language].update(description=front["description"], card=card)
        for name, option in options.items():
            # gradio sets text between two asterisks in italics, and knows no escape; a title knows no marks at all
            help_text = form_texts(metric, name, option)[language].replace("*", "∗")
            said[language][f"help_{name}"] = help_text.replace("`", "") if is_table(option) else help_text
    return gr.I18n(**said)


def control(name: str, option: Any, value: Any) -> Any:
    """Builds the control of one option."""
    said = control_of(name, option)
    common = {"label": name, "info": LABEL(f"help_{name}"), "elem_id": f"option-{name}"}
    if said["kind"] == "checkbox":
        return gr.Checkbox(value=value, **common)
    if said["kind"] == "choice":
        return gr.Dropdown([(_label(text), text) for text in said["choices"]], value=value, **common)
    if said["kind"] == "number":
        return gr.Number(value=value, precision=0 if said["is_integer"] else None, **common)
    if said["kind"] == "table":
        return gr.Dataframe(
            value=value, headers=said["headings"], type="array", interactive=True, wrap=True, buttons=[],
            label=f"{name}: {common['info']}", elem_id=common["elem_id"], column_count=(2, "fixed"),
        )  # fmt: skip
    return gr.Textbox(value=value, placeholder=_label(said["placeholder"]), **common)


def column_label(name: str) -> Any:
    """Returns what is shown for a column, which a metric of one's own may have named."""
    key = f"app_column_{name}"
    return LABEL(key) if key in TEXTS else name


def _label(text: str) -> Any:
    """Returns what is shown for a value, of which only that there is none has another name."""
    return LABEL("app_not_set") if text == NOT_SET else text
