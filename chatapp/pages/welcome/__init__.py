"""The page of a chat that has not begun: it offers agents and networks, and shows the model."""
