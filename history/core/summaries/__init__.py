"""Summaries: the ones that apply, the ones that are due, and the prompts for them."""
