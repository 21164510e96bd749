"""Agent templates and networks in files: export and import, also of AgentDock's `template.json`."""
