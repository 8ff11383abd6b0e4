"""Meetings: who said what, by the assignment of speakers that costs least, and texts that were cut elsewhere.

Start with meeting_metric.py, then sessions.py.
"""
