"""The process's own tasks: at its start, now and then, and at its end."""
