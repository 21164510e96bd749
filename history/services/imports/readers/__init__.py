"""The readers of files, with a module for each format."""
