"""Weights of phrases suggested from data."""
