"""A stored plan as data that every door shows alike: the panel, the command, an export."""
