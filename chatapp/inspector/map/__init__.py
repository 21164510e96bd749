"""What the panel's map shows beside its rows."""
