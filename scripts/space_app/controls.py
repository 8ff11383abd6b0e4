"""Options as controls of gradio; `form.py` says what each one is."""

from typing import Any

import gradio as gr

from .form import control_of


def control(name: str, option: Any, value: Any) -> Any:
    """Builds the control of one option."""
    said = control_of(name, option)
    # gradio sets text between two asterisks in italics, and knows no escape
    common = {"label": name, "info": option.help.replace("*", "∗"), "elem_id": f"option-{name}"}
    if said["kind"] == "checkbox":
        return gr.Checkbox(value=value, **common)
    if said["kind"] == "choice":
        return gr.Dropdown(said["choices"], value=value, **common)
    if said["kind"] == "number":
        return gr.Number(value=value, precision=0 if said["is_integer"] else None, **common)
    if said["kind"] == "table":
        return gr.Dataframe(
            value=value, headers=said["headings"], type="array", interactive=True, wrap=True, buttons=[],
            label=f"{name}: {option.help}", elem_id=common["elem_id"], column_count=(2, "fixed"),
        )  # fmt: skip
    return gr.Textbox(value=value, placeholder=said["placeholder"], **common)
