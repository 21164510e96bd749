"""Backups: all data of an installation in one file, made while people chat, and restored."""
