"""Phrases, fillers and marks inside numbers: where they are in texts.

Start with keywords.py, then marks.py.
"""
