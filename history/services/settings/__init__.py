"""Which settings and which agent a turn has."""
