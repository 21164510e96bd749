"""What the panel's map shows besides its rows."""
