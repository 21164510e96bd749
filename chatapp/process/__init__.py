"""Tasks of the process itself: at start, periodically and at shutdown."""
