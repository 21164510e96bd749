"""The settings: their table, the layers that set them, and how they are resolved."""
