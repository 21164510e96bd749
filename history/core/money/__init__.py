"""What requests cost, and how much of that a provider's cache saves."""
