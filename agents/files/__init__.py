"""Agent templates in files: written out, read back, and read from AgentDock's `template.json`."""
