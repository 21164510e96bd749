"""The cost of requests, and the part of it that a cache saves."""
