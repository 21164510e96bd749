"""Summaries: what they are for, when they are due, and how they are written."""
