"""Files scored: options of the command line, metrics, tables, JSON and CSV, batches and their rows."""
