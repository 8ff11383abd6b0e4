"""Other programs that evaluate models, and find the metrics here by name."""
