"""Plans: the record of each projection, and comparisons of such records."""
