"""How Korean notations are read: numbers with units, letters, symbols, and all readings of a text as a network.

Start with readings.py, then notations.py.
"""
