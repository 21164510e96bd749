"""Try settings on past and upcoming requests, storing nothing, and apply what was tried."""
