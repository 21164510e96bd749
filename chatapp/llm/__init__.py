"""Models: this package is the only way to call one."""
