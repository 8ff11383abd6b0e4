"""The option that says how long n-grams are."""

from textgauge.core.options import Option, count

_LONGEST = 999  # tokens, as in rouge999; longer ones would take memory, and occur in no text twice


def longest_ngram(default: int, key: str, of: str = "", low: int = 1) -> Option:
    """Returns an option that is the number of tokens of the longest n-grams.

    >>> longest_ngram(6, "nc", " of characters").help
    'longest n-gram of characters.'
    """
    return count(default, key, f"longest n-gram{of}.", low, _LONGEST)
