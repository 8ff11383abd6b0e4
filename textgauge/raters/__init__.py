"""People's scores: samples, correlations, agreement of raters, and tests of one metric against another.

Start with samples.py.
"""
