"""Summaries: which of them apply, which are due, and how a model is asked to write them."""
