"""What CER and WER share: their rows and options, on three floors of folders: kinds/, nearest/ and, lowest, phrases/.

Start with rows.py, then nearest/.
"""
