"""Words for what a request left out: the sum, its parts, and who decided."""
