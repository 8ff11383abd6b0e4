"""The commands: a module for each says what it takes.

score_job.py and compare_job.py do the work of two of them; that of the others is in the other folders.
"""
