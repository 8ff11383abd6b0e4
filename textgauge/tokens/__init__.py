"""Texts to tokens, as integer arrays for a whole corpus, and characters cleaned for error rates.

Start with tokenizers.py.
"""
