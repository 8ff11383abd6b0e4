"""Modules of `agreement.py`; the peers themselves are in `lab/peers`."""
