"""How providers are reached: names, addresses and keys, a guard, and a trial request."""
