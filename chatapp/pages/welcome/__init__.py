"""The page of a chat that has not begun: agents and networks to choose from, and its model."""
