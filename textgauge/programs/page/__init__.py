"""The page of a metric: table of texts, options as a form, result; its questions, and Python for the browser."""
