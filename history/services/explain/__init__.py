"""A stored plan as data for the panel, the command and exports alike."""
