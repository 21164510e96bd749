"""Wires: the body of a request as a library gets it, and the body that leaves the process."""
