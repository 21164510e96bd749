"""The stages of a projection, with a file for each."""
