"""How pages that no script of ours writes times on, such as the administration, write them."""
