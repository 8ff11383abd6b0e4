"""What CER and WER share: conventions, the choice among references, phrases that count more, kinds of errors.

Start with conventions.py and choice.py.
"""
