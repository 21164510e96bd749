"""Messages and their parts, and the segments in which they must stay together."""
