"""The costs that the panel shows."""
