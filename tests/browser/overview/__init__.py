"""The staff's overview, in a browser."""
