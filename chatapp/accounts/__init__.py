"""Signing in, passwords, and who may reset them."""
