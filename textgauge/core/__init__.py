"""One call of any metric: its options and columns, rows that add up, intervals, and the side that evaluate sees.

Start with metric.py, then text_metric.py.
"""
