"""How much a person or an address may use up."""
