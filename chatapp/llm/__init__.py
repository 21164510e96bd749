"""The only way to call models."""
