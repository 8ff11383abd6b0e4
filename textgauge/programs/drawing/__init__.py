"""What a metric explains of a segment, as HTML and as text: for the report, the terminal and the app of a Space.

Start with draw.py. A Space has a copy of this folder, of which only plots.py and scatter.py need numpy, and the others
the standard library alone.
"""
