"""What an answer does between two requests: tools, other agents, hand-overs."""
