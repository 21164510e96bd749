"""Summaries: which apply, which are due, and the prompts for them."""
