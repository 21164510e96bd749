"""Model providers: whose servers answer, under which name, at which address, with which key."""
