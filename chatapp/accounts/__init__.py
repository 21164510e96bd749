"""Signing in, passwords, and who may have them changed."""
