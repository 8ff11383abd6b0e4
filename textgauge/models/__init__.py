"""Language models, and the log-probabilities that they give the tokens of a text.

Start with language_models.py.
"""
