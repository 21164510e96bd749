"""Find which settings and which agent apply to a turn."""
