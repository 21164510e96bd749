"""Tasks of the process itself: at its start, now and then, and at its end."""
