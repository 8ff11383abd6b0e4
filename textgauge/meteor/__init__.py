"""METEOR's matches by form, stem and meaning, and the best alignment of them.

Start with options.py, then matching.py and alignment.py.
"""
