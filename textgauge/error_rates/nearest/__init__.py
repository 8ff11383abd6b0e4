"""Which reference is nearest, and how far it is: of plain texts, joined words, notations and phrases with weights.

Start with choice.py, then pairs.py.
"""
