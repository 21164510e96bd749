"""Limits on how much a person or an address may use."""
