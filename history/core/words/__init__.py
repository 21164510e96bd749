"""The means of expression of all packages: facts, errors, and the writing of numbers and texts."""
