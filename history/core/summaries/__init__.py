"""Summaries: which apply, which are due, and what a summariser is asked."""
