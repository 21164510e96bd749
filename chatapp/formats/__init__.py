"""How times are written on pages where no script of ours does it, such as the administration."""
