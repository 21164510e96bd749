"""What a request cost, and what part of it was sent before."""
