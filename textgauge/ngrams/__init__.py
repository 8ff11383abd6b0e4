"""What occurs in a text and its references: n-grams, phrases with weights, subsequences, and corpora of them.

Start with counts.py; corpus_metric.py is the base of metrics that learn from all references.
"""
