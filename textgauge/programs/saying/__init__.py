"""What pages, tables and verdicts say, in each language; values and options as text.

Start with texts.py.
"""
