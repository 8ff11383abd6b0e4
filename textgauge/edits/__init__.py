"""Edit distances and alignments of strings, of words with shifts, and of networks of sentences.

Start with distances.py; diagonal_steps.py aligns many pairs at once.
"""
