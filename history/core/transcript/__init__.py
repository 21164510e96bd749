"""What was said: messages and their parts, and what of them must stay together."""
