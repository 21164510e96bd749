"""What a request cost, and what of it was sent before."""
