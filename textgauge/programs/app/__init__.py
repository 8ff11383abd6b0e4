"""The app of a metric: a table of texts, options as a form, the result; for gradio and for the page in the browser."""
