"""The stages of a projection, one file each."""
