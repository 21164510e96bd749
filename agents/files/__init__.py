"""Agent templates and networks in files: export and import, with AgentDock's `template.json`."""
