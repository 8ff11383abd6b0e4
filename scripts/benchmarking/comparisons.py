"""All comparisons: each function adds its rows to the report for one language."""

from .peers import found_in_modules

COMPARISONS = found_in_modules("[a-z]*.py", "COMPARISONS")
