"""The panel's cost figures."""
