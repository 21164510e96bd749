"""A stored plan as data, the same for the panel, the command and exports."""
