"""Find out which settings apply to a turn, and which agent."""
