"""What pages read in their address, and what they say about it."""
