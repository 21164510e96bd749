"""`make cluster`: several processes of Vitrine on this machine, with all that they need."""
