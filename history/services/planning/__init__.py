"""From the database to a stored plan."""
