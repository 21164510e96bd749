"""Summaries: which ones apply, which are due, and how a model is asked for them."""
