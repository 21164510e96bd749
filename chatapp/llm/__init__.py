"""The one door to models."""
