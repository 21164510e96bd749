"""What would have been sent under other settings: the planner itself, and nothing stored."""
