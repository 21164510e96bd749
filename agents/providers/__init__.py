"""Model providers: the servers that answer, with their names, addresses and keys."""
