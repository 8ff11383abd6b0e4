"""Meetings: who said what, by the assignment of speakers that costs least, and texts with other segments.

Start with meeting_metric.py, then sessions.py.
"""
