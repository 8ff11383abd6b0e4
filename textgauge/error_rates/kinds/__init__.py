"""Of which kind the edits are, and what of them may be forgiven.

Start with error_kinds.py, then columns.py.
"""
