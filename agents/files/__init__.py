"""Agent templates and networks in files: written and read, AgentDock's `template.json` too."""
