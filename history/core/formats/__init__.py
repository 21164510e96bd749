"""Read conversations in the formats of other programs."""
