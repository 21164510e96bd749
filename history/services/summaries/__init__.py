"""Summaries: for what, when, and how they are written."""
