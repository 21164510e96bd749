"""Export a whole chat to files that people can keep, and that Vitrine can import."""
