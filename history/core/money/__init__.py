"""What requests cost, and what a cache saves."""
