"""Limits on what a person or an address may use up."""
